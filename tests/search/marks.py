"""Marks of a text, written as ``[…]`` for tables."""

from notesearch.results import Marked


def shown(marked: Marked) -> str:
    """Write the marks into the text."""
    line, at = "", 0
    for start, end in marked.marks:
        line += f"{marked.text[at:start]}[{marked.text[start:end]}]"
        at = end
    return line + marked.text[at:]
