"""Widgets and the look that both windows share."""
