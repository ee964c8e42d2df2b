"""ONNX Runtime's devices: the fastest is used. No GPU is needed, so none is tested here."""

import time
from pathlib import Path
from typing import Any

import pytest

from notesearch.embedding import onnx_model
from notesearch.embedding.embedder import engine_name, load_embedder
from notesearch.errors import ModelError
from tests.embedding import tiny_model

SLOW_S, FAST_S = 0.02, 0.0


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small model, measured for a moment only."""
    monkeypatch.setattr(onnx_model, "_MEASURED_S", 0.03)
    return tiny_model.write(tmp_path / "tiny")


def pretend(monkeypatch: pytest.MonkeyPatch, devices: dict[str, float | None]) -> None:
    """Make ONNX Runtime offer devices that take so long for a text, or fail to load with None."""
    load, runtime = onnx_model._load, onnx_model.import_runtime()

    class Delayed:
        def __init__(self, session: Any, seconds: float) -> None:
            self.get_inputs, self.get_outputs = session.get_inputs, session.get_outputs
            self._session, self._seconds = session, seconds

        def run(self, *given: Any) -> Any:
            time.sleep(self._seconds)
            return self._session.run(*given)

    def load_on(file: Path, threads: int, provider: str = "CPUExecutionProvider") -> Any:
        seconds = devices[provider]
        if seconds is None:
            raise ModelError("model_damaged", file=str(file), error="no driver")
        return Delayed(load(file, threads), seconds)

    monkeypatch.setattr(onnx_model, "_load", load_on)
    monkeypatch.setattr(runtime, "get_available_providers", lambda: list(devices))


@pytest.mark.parametrize(
    ("devices", "used"),
    [
        ({"CPUExecutionProvider": SLOW_S}, "the processor"),
        (
            {"CUDAExecutionProvider": FAST_S, "CPUExecutionProvider": SLOW_S},
            "an NVIDIA GPU",
        ),
        ({"CoreMLExecutionProvider": SLOW_S, "CPUExecutionProvider": FAST_S}, "the processor"),
        ({"DmlExecutionProvider": None, "CPUExecutionProvider": FAST_S}, "the processor"),
        ({"AzureExecutionProvider": FAST_S, "CPUExecutionProvider": SLOW_S}, "the processor"),
    ],
)
def test_the_fastest_device_is_used(
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    devices: dict[str, float | None],
    used: str,
) -> None:
    pretend(monkeypatch, devices)
    embedder = load_embedder(str(model))
    assert engine_name(embedder) == f"ONNX Runtime on {used}"
    assert embedder.embed_query("red").any()
