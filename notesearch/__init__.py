"""notesearch: find sections in a folder of Markdown notes."""

__version__ = "0.1.0"
