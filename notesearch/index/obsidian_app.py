"""What Obsidian's own settings in a vault say, for the folder's scan and for its preview."""

import json
from collections.abc import Mapping
from pathlib import Path

from notesearch.index import files

FILE = ".obsidian/app.json"
_LARGEST = 64 * 1024


def settings(vault: Path) -> Mapping[str, object]:
    """Return Obsidian's settings of ``vault``; empty where there are none that can be read."""
    try:
        content = files.read_file(vault, FILE, _LARGEST).content
        found = json.loads(content.decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def keeps_line_breaks(vault: Path) -> bool:
    """Return whether Obsidian shows the end of a line in ``vault`` as one: it does unless told."""
    return (vault / FILE).parent.is_dir() and settings(vault).get("strictLineBreaks") is not True
