"""Vaults of Dendron, whose links begin with their words: ``[[Great keel|projects.keel]]``."""

import re
from pathlib import Path

_WORDS_FIRST = re.compile(r"\[\[([^\[\]|\\\n]+)\|([^\[\]|\s]+)\]\]")


def is_vault(folder: Path) -> bool:
    """Return whether ``folder`` is a workspace of Dendron or one of its vaults."""
    return any((folder / name).is_file() for name in ("dendron.yml", "root.schema.yml"))


def to_markdown(text: str) -> str:
    """Return ``text`` with its links in the usual order, ``[[note|words]]``; names lose blanks."""
    return _WORDS_FIRST.sub(r"[[\2|\1]]", text) if "[[" in text else text
