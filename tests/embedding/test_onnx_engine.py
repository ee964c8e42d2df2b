"""ONNX Runtime's devices: the fastest is used, and remembered. They are pretended here.

That a GPU is used was seen on one; ``docs/models.md`` tells with what.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from notesearch.embedding import onnx_engine
from notesearch.embedding.embedder import engine_name
from notesearch.embedding.model_loader import load_embedder
from notesearch.errors import ModelError
from tests.clock import Clock
from tests.embedding import tiny_model

SLOW_S, FAST_S = 0.02, 0.001
PROCESSOR, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"
ON_GPU, ON_PROCESSOR = "ONNX Runtime on an NVIDIA GPU", "ONNX Runtime on the processor"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small model."""
    return tiny_model.write(tmp_path / "tiny")


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """The file that remembers the choice."""
    return tmp_path / "data" / "devices.json"


class Pretended:
    """ONNX Runtime with devices that take so long for a text, or fail to load with None.

    Attributes:
        loaded: Which devices were loaded, in order.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.loaded: list[str] = []
        self._load, self._patch = onnx_engine._load, monkeypatch
        self._clock = Clock()
        monkeypatch.setattr(onnx_engine, "time", self._clock)

    def offer(self, seconds: dict[str, float | None]) -> None:
        """Offer other devices."""

        def load_on(file: Path, threads: int, provider: str = "") -> Any:
            self.loaded.append(provider or PROCESSOR)
            took = seconds[provider or PROCESSOR]
            if took is None:
                raise ModelError("model_damaged", file=str(file), error="no driver")
            return Delayed(self._load(file, threads), took, self._clock)

        runtime = onnx_engine.import_runtime()
        self._patch.setattr(onnx_engine, "_load", load_on)
        self._patch.setattr(runtime, "get_available_providers", lambda: list(seconds))


class Delayed:
    """A session that takes longer, by the clock."""

    def __init__(self, session: Any, seconds: float, clock: Clock) -> None:
        self.get_inputs, self.get_outputs = session.get_inputs, session.get_outputs
        self._session, self._seconds, self._clock = session, seconds, clock

    def run(self, *given: Any) -> Any:
        """Run it, and let its time pass."""
        self._clock.advance(self._seconds)
        return self._session.run(*given)


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Pretended:
    """ONNX Runtime, whose devices a test chooses."""
    return Pretended(monkeypatch)


@pytest.mark.parametrize(
    ("seconds", "used"),
    [
        ({PROCESSOR: SLOW_S}, "the processor"),
        ({CUDA: FAST_S, PROCESSOR: SLOW_S}, "an NVIDIA GPU"),
        ({"CoreMLExecutionProvider": SLOW_S, PROCESSOR: FAST_S}, "the processor"),
        ({"CoreMLExecutionProvider": FAST_S, PROCESSOR: SLOW_S}, "Core ML"),
        ({"DmlExecutionProvider": None, PROCESSOR: FAST_S}, "the processor"),
        ({"DmlExecutionProvider": FAST_S, PROCESSOR: SLOW_S}, "DirectML"),
        ({"AzureExecutionProvider": FAST_S, PROCESSOR: SLOW_S}, "the processor"),
    ],
)
def test_the_fastest_device_is_used(
    model: Path, runtime: Pretended, seconds: dict[str, float | None], used: str
) -> None:
    runtime.offer(seconds)
    embedder = load_embedder(str(model))
    assert engine_name(embedder) == f"ONNX Runtime on {used}"
    assert embedder.embed_query("red").any()


def test_the_choice_is_remembered(model: Path, memory: Path, runtime: Pretended) -> None:
    runtime.offer({CUDA: FAST_S, PROCESSOR: SLOW_S})
    assert engine_name(load_embedder(str(model), devices=memory)) == ON_GPU
    runtime.loaded.clear()
    assert engine_name(load_embedder(str(model), devices=memory)) == ON_GPU
    assert runtime.loaded == [CUDA], "nothing was measured again"


@pytest.mark.parametrize(
    ("later", "loaded", "used"),
    [
        ({CUDA: None, PROCESSOR: FAST_S}, [CUDA, PROCESSOR, CUDA], ON_PROCESSOR),
        ({PROCESSOR: FAST_S}, [PROCESSOR], ON_PROCESSOR),
        ({CUDA: SLOW_S, "DmlExecutionProvider": FAST_S, PROCESSOR: SLOW_S}, None, "DirectML"),
    ],
)
def test_other_devices_are_measured_again(
    model: Path,
    memory: Path,
    runtime: Pretended,
    later: dict[str, float | None],
    loaded: Sequence[str] | None,
    used: str,
) -> None:
    runtime.offer({CUDA: FAST_S, PROCESSOR: SLOW_S})
    load_embedder(str(model), devices=memory)
    runtime.loaded.clear()
    runtime.offer(later)
    assert engine_name(load_embedder(str(model), devices=memory)).endswith(used)
    assert loaded is None or runtime.loaded == loaded


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', "\0"])
def test_a_damaged_memory_counts_as_none(
    model: Path, memory: Path, runtime: Pretended, content: str
) -> None:
    memory.parent.mkdir()
    memory.write_text(content, "utf-8")
    runtime.offer({CUDA: FAST_S, PROCESSOR: SLOW_S})
    assert engine_name(load_embedder(str(model), devices=memory)) == ON_GPU
    assert len(json.loads(memory.read_text("utf-8"))) == 1


def test_a_device_that_falls_back_to_the_processor_is_not_used(model: Path) -> None:
    # ONNX Runtime ignores a provider that it does not have, or whose driver is missing.
    with pytest.warns(UserWarning, match=CUDA), pytest.raises(ModelError):
        onnx_engine.OnnxModel(model / "model.onnx", 1, CUDA)
