"""Puts the note first in the links of Dendron and of wikis on GitHub.

They write the label first: ``[[Great keel|projects.keel]]``. The same vault may have links of other
programs, which write the note first. The second part is the note if it has no spaces, unless only
the first part is the name of a file.
"""

import os
import re
from pathlib import Path

_NAME = re.compile(r"[^/\\:]+")
"""The name of a note; a path could lead out of the vault, even to another computer."""

_WORDS_FIRST = re.compile(r"\[\[([^\[\]|\\\n]+)\|([^\[\]|\s]+)\]\]")
_MARKS_OF_WORDS_FIRST = ("dendron.yml", "root.schema.yml", "_Sidebar.md", "_Footer.md")


def has_words_first(folder: Path) -> bool:
    """Return whether links in ``folder`` begin with their words, as in Dendron or a GitHub wiki."""
    return any((folder / name).is_file() for name in _MARKS_OF_WORDS_FIRST)


def with_notes_first(text: str, folder: Path) -> str:
    """Return the ``text`` of a note in ``folder`` with the note first in each link."""

    def turned(link: re.Match[str]) -> str:
        has_note_first = _exists(link[1]) and not _exists(link[2])
        return link[0] if has_note_first else f"[[{link[2]}|{link[1]}]]"

    def _exists(name: str) -> bool:
        name = name.partition("#")[0].strip()
        return bool(_NAME.fullmatch(name)) and os.path.lexists(folder / f"{name}.md")

    return _WORDS_FIRST.sub(turned, text) if "[[" in text else text
