"""The models of a library: loaded at first use or ahead, once; what is said where they cannot."""

import threading
from pathlib import Path

import pytest

from notesearch.embedding.loaded import LoadedModels
from notesearch.sentences import Sentence


def test_what_is_loaded_ahead_is_what_is_used(copied: Path) -> None:
    models = LoadedModels(copied.name, (copied.parent,))
    models.load_ahead()
    models.load_ahead()
    assert [t.name for t in threading.enumerate()].count("notesearch-model") <= 1
    models.close()
    ahead = models.loaded
    assert ahead is not None
    assert models.get() is ahead


def test_a_model_that_cannot_be_loaded_ahead_is_told_of_when_it_is_needed(
    copied: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (copied / "tokenizer.json").write_bytes(b"")
    models = LoadedModels(copied.name, (copied.parent,))
    models.load_ahead()
    models.close()
    assert models.get() is None
    assert "damaged" in models.problem
    assert capfd.readouterr() == ("", "")


def test_none_is_loaded_ahead_where_meaning_is_off(copied: Path) -> None:
    models = LoadedModels(copied.name, (copied.parent,), off=Sentence("meaning_off"))
    models.load_ahead()
    models.close()
    assert models.loaded is None
