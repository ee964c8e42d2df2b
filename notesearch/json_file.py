"""Reads and writes small JSON files whose loss does no harm, so neither raises an error."""

import json
from pathlib import Path

from notesearch import private_files
from notesearch.files import read_json


def read(file: Path) -> object:
    """Return the value in ``file``; None if the file is missing, too large or invalid."""
    try:
        return read_json(file)
    except (OSError, ValueError):
        return None


def draft_of(file: Path) -> Path:
    """Return the file that ``write`` renames to ``file`` when it is whole."""
    return file.with_name(f"{file.name}.new")


def write(file: Path, value: object) -> None:
    """Write ``value`` to ``file`` atomically; a failure is only logged, and the old file stays."""
    try:
        private_files.make_folder(file.parent)
        draft = draft_of(file)
        private_files.write(draft, json.dumps(value, indent=1).encode())
        draft.replace(file)
    except OSError as error:
        import logging  # the command line starts faster without it

        logging.getLogger(__name__).warning("%s was not written: %s", file.name, error)
