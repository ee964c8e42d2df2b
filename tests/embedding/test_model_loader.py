"""The models of a library are loaded once, at first use or before; a failure is reported."""

import sys
import threading
from pathlib import Path

import pytest

from notesearch.embedding.model_loader import ModelLoader
from notesearch.messages import Sentence
from tests.limits import WAIT_S


def test_a_preloaded_model_is_the_one_that_is_used(copied: Path) -> None:
    models = ModelLoader(copied.name, (copied.parent,))
    models.preload()
    models.preload()
    assert [t.name for t in threading.enumerate()].count("notesearch-model") <= 1
    models.close()
    preloaded = models.loaded
    assert preloaded is not None
    assert models.get() is preloaded


def test_a_model_that_is_loaded_is_not_preloaded(copied: Path) -> None:
    models = ModelLoader(copied.name, (copied.parent,))
    models.get()
    models.preload()
    assert not models._preloads


def test_closing_waits_while_another_preload_starts(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once failed: the dictionary of threads changed its size."""
    models = ModelLoader(copied.name, (copied.parent,))
    is_waiting, join = threading.Event(), threading.Thread.join

    def told(thread: threading.Thread, timeout: float | None = None) -> None:
        is_waiting.set()
        join(thread, timeout)

    def start_another() -> None:
        is_waiting.wait(WAIT_S)
        models.preload(models.get)

    models.preload(start_another)
    monkeypatch.setattr(threading.Thread, "join", told)
    models.close()
    models.close()
    assert models.loaded is not None


def test_a_failure_to_preload_is_reported_at_first_use(
    copied: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (copied / "tokenizer.json").write_bytes(b"")
    models = ModelLoader(copied.name, (copied.parent,))
    models.preload()
    models.close()
    assert models.get() is None
    assert models.problem.code == "model_damaged"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("module", "library"), [("onnxruntime", "ONNX Runtime"), ("tokenizers", "tokenizers")]
)
def test_a_library_that_cannot_be_loaded_is_named(
    copied: Path, monkeypatch: pytest.MonkeyPatch, module: str, library: str
) -> None:
    """Even searches by words once ended in a traceback."""
    monkeypatch.setitem(sys.modules, module, None)
    models = ModelLoader(copied.name, (copied.parent,))
    assert models.get() is None
    assert (models.problem.code, models.problem.fields["library"]) == (
        "library_unloadable",
        library,
    )


def test_nothing_is_preloaded_while_meaning_is_off(copied: Path) -> None:
    models = ModelLoader(copied.name, (copied.parent,), off=Sentence("meaning_off"))
    models.preload()
    models.close()
    assert models.loaded is None
