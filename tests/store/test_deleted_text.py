"""Deleted text leaves the index file and its write-ahead log."""

import time
from pathlib import Path

import pytest

from notesearch.store.rows import compress
from notesearch.store.store import Store
from notesearch.store.writer import Writer
from tests.store.note_writing import put

SHORT = "The safe opens with 4711."
LONG = "Nobody may read about the lighthouse keeper and her seven grey dogs. " * 3
TITLE = "Confidential plan"
TAG = "embargo-2031"
WORDS = (b"confidenti", b"lighthous", b"embargo")
"""As the stemmer leaves them in the word index; FTS5 shortens words by the start they share."""


@pytest.fixture
def filled(writer: Writer) -> Writer:
    """A writer of an index with many notes, one of them secret."""
    for number in range(40):
        put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
    secret = f"---\ntags: [{TAG}]\n---\n# {TITLE}\n\n{SHORT}\n\n## Keeper\n\n{LONG}\n"
    put(writer, "secret.md", secret)
    return writer


def traces() -> tuple[bytes, ...]:
    """Return the bytes that the rows of the secret note hold."""
    long = compress(LONG.strip())
    assert isinstance(long, bytes)
    return SHORT.encode(), long, TITLE.encode(), TAG.encode()


def on_disk(store: Store) -> bytes:
    """Return everything in the index file and in the files that SQLite keeps beside it."""
    return b"".join(file.read_bytes() for file in _files(store.path))


def _files(index: Path) -> list[Path]:
    return [file for file in index.parent.iterdir() if file.suffix != ".lock"]


def test_a_deleted_note_leaves_no_text_in_the_file(filled: Writer, store: Store) -> None:
    filled.checkpoint()
    assert [trace for trace in traces() if trace not in on_disk(store)] == []
    filled.delete_notes(["secret.md"])
    filled.sweep(whole=False)
    filled.checkpoint()
    assert [trace for trace in traces() if trace in on_disk(store)] == []


def test_a_changed_note_leaves_no_former_text_in_the_file(filled: Writer, store: Store) -> None:
    put(filled, "secret.md", "# Plan\n\nNothing.\n")
    filled.sweep(whole=False)
    filled.checkpoint()
    assert [trace for trace in traces() if trace in on_disk(store)] == []


@pytest.mark.parametrize("later", [24 * 3600, -400 * 24 * 3600], ids=["a day", "the clock back"])
def test_deleted_words_leave_the_word_list_within_a_day(
    store: Store, later: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_700_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    with store.writing() as writer:
        for number in range(40):
            put(writer, f"{number}.md", f"# Trout {number}\n\nA river.\n")
        put(writer, "secret.md", f"# {TITLE}\n\n#{TAG} {LONG}\n")
        writer.tidy()
        writer.checkpoint()
        assert [word for word in WORDS if word not in on_disk(store)] == []
        writer.delete_notes(["secret.md"])
        writer.sweep(whole=False)
        now += later
        writer.tidy()
        writer.checkpoint()
    assert [word for word in WORDS if word in on_disk(store)] == []
