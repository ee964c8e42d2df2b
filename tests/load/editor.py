"""Saves notes in the ways that editors do."""

import time
from collections.abc import Callable
from pathlib import Path


def emptied_first(note: Path, text: str) -> float:
    """Save as most editors do: the file is emptied, then written."""
    note.write_text(text, encoding="utf-8")
    return time.monotonic()


def moved_over(note: Path, text: str) -> float:
    """Save all or nothing: a second file takes the note's place."""
    beside = note.with_name(f".{note.name}.tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(note)
    return time.monotonic()


def as_vim(note: Path, text: str) -> float:
    """Save as vim: the old file has another name until the new one is written."""
    backup = note.with_name(note.name + "~")
    note.replace(backup)
    note.write_text(text, encoding="utf-8")
    saved = time.monotonic()
    backup.unlink()
    return saved


SAVE: tuple[Callable[[Path, str], float], ...] = (emptied_first, moved_over, as_vim)
"""Each returns when the note was closed."""
