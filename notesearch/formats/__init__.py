"""Turns files of other kinds than Markdown into Markdown: PDF, canvases, drawings, Org, plain text.

Everything after that treats them like notes: sections, preview, ``read`` and links.
"""
