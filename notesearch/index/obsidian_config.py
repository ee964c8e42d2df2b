"""Reads Obsidian's own settings of a vault, which affect the scan and the preview."""

import json
from collections.abc import Mapping
from pathlib import Path

from notesearch.index import note_files

FILE = ".obsidian/app.json"
_LARGEST = 64 * 1024


def settings(vault: Path) -> Mapping[str, object]:
    """Return Obsidian's settings of ``vault``; empty if there are none or they are unreadable."""
    try:
        content = note_files.read_file(vault, FILE, _LARGEST).content
        found = json.loads(content.decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def keeps_line_breaks(vault: Path) -> bool:
    """Return whether Obsidian shows a line break within a paragraph as one, its default."""
    return (vault / FILE).parent.is_dir() and settings(vault).get("strictLineBreaks") is not True
