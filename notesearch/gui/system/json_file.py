"""Small files in JSON, ours and other programs': a damaged one counts as missing.

They hold what is convenient to have, so that nothing here is worth an error; a full disk is told.
"""

import json
import logging
from pathlib import Path

log = logging.getLogger(__name__)

_MAX_BYTES = 1_000_000


def read(file: Path) -> object:
    """Return what ``file`` holds; None when it is missing, too large, or makes no sense."""
    try:
        if file.stat().st_size > _MAX_BYTES:
            return None
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None


def write(file: Path, value: object) -> None:
    """Replace ``file`` as a whole, or leave it as it was."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.new")
        draft.write_text(json.dumps(value, indent=1), encoding="utf-8")
        draft.replace(file)
    except OSError as error:
        log.warning("%s was not written: %s", file.name, error)
