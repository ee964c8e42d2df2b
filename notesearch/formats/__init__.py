"""Turns other kinds of files into Markdown: PDF, canvases, drawings, Org, plain text.

After that, the program treats the file like a note.
"""
