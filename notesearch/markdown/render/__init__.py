"""Turns Markdown into safe HTML for the preview; ``section_html`` has the stages."""
