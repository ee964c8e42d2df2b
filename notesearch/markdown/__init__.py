"""Markdown text to structure, and structure to HTML; pure functions."""
