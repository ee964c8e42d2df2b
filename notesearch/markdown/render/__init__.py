"""Turns the Markdown of sections into safe HTML."""
