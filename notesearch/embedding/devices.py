"""Chooses the device that runs an ONNX file fastest: measured once, then remembered."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

from notesearch import json_file
from notesearch.embedding.onnx_model import DEVICES, OnnxModel, core_count, import_runtime
from notesearch.errors import ModelError

_MEASURED_S = 0.25
"""Seconds for which each device is measured."""

_MEASURED_TOKENS = 128


def load_fastest(file: Path, threads: int | None = None, memory: Path | None = None) -> OnnxModel:
    """Load an ONNX file on the fastest device that ONNX Runtime can use here.

    Args:
        file: The ONNX file.
        threads: Processor cores for one text; by default all, four at most.
        memory: The JSON file that remembers the fastest device, until ONNX Runtime or its devices
            change.

    Raises:
        ModelError: The file is damaged, or takes something other than tokens.
    """
    runtime = import_runtime()
    devices = [name for name in DEVICES if name in runtime.get_available_providers()]
    here = " ".join([runtime.__version__, *devices])
    if "CUDAExecutionProvider" in devices:
        with redirect_stdout(StringIO()):  # it prints what is missing
            runtime.preload_dlls()  # from NVIDIA's packages, where nothing else looks for them
    choices = _choices(memory)
    measured_with, chosen = choices.get(str(file), ("", ""))
    if measured_with == here:
        with suppress(ModelError):  # a driver was removed, or the file was replaced
            return OnnxModel(file, threads, chosen)
    model = _fastest(file, threads, devices)
    if memory is not None and (devices or chosen):
        json_file.write(memory, {**choices, str(file): (here, model.provider)})
    return model


def remembered(file: Path, memory: Path | None) -> str:
    """Return the device that ``memory`` has for an ONNX file, in words; else the processor."""
    return OnnxModel.device_name(_choices(memory).get(str(file), ("", ""))[1])


def _choices(memory: Path | None) -> dict[str, tuple[str, str]]:
    """Return the content of ``memory``: by ONNX file, the devices compared and the fastest."""
    choices = json_file.read(memory) if memory is not None else None
    rows = choices.items() if isinstance(choices, dict) else ()
    return {
        file: (str(row[0]), str(row[1]))
        for file, row in rows
        if isinstance(row, list) and len(row) == 2
    }


def _fastest(file: Path, threads: int | None, devices: list[str]) -> OnnxModel:
    best = OnnxModel(file, threads)
    at_once = core_count() // (threads or core_count())
    speed = _speed(best, at_once) if devices else 0.0
    for provider in devices:
        try:
            model = OnnxModel(file, threads, provider)
            reached = _speed(model, at_once)
        except ModelError:  # it lacks a driver, or cannot run this graph
            continue
        if reached > speed:
            best, speed = model, reached
    return best


def _speed(model: OnnxModel, at_once: int) -> float:
    """Return how many texts a second the model runs, ``at_once`` of them at a time."""
    tokens = [1] * _MEASURED_TOKENS
    model.run(tokens)  # the first call prepares the device
    started = time.perf_counter()

    def run(_: int) -> int:
        runs = 0
        while not runs or time.perf_counter() - started < _MEASURED_S:
            model.run(tokens)
            runs += 1
        return runs

    with ThreadPoolExecutor(at_once) as threads:
        return sum(threads.map(run, range(at_once))) / (time.perf_counter() - started)
