"""Vaults of Dendron, whose links begin with their words: ``[[Great keel|projects.keel]]``.

A vault may have links of other programs, too, which begin with the note. The note is the part
without blanks. If both parts are without blanks, it is the second, unless only the first is a file.
"""

import os
import re
from pathlib import Path

_NAME = re.compile(r"[^/\\:]+")
"""The name of a note; a path could lead out of the vault, even to another computer."""

_WORDS_FIRST = re.compile(r"\[\[([^\[\]|\\\n]+)\|([^\[\]|\s]+)\]\]")


def is_vault(folder: Path) -> bool:
    """Return whether ``folder`` is a workspace of Dendron or one of its vaults."""
    return any((folder / name).is_file() for name in ("dendron.yml", "root.schema.yml"))


def to_markdown(text: str, folder: Path) -> str:
    """Return the ``text`` of a note in ``folder`` with the note first in each link."""

    def turned(link: re.Match[str]) -> str:
        has_note_first = " " not in link[1].strip() and _exists(link[1]) and not _exists(link[2])
        return link[0] if has_note_first else f"[[{link[2]}|{link[1]}]]"

    def _exists(name: str) -> bool:
        name = name.partition("#")[0].strip()
        return bool(_NAME.fullmatch(name)) and os.path.lexists(folder / f"{name}.md")

    return _WORDS_FIRST.sub(turned, text) if "[[" in text else text
