"""Markdown: ``sections`` reads it into structure, ``render`` turns it into HTML for the preview."""
