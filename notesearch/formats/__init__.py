"""Turns files of other kinds than Markdown into Markdown: PDF, canvases, drawings, Org, plain text.

After that, the program treats such a file like a note.
"""
