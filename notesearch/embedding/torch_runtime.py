"""PyTorch and sentence-transformers: whether they are installed, and how to load them offline."""

import importlib.util
import os
import platform
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from notesearch.embedding.onnx_model import core_count
from notesearch.errors import ModelError

EXTRA = "notesearch[sentence-transformers]"
_LEAST_VERSION = 6
"""The least version of sentence-transformers: earlier ones run code that a model's folder names."""

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""Environment variables that the libraries read when they are imported."""

_DRIVERS = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""Devices of GPU drivers on Linux: NVIDIA, Windows' for its Linux subsystem, AMD."""


def is_installed() -> bool:
    """Return whether PyTorch and sentence-transformers are installed, without importing them."""
    return all(map(importlib.util.find_spec, ("torch", "sentence_transformers")))


def may_have_gpu() -> bool:
    """Return whether this computer may have a GPU for PyTorch, without importing PyTorch."""
    if not is_installed():
        return False
    from importlib import metadata

    if metadata.version("torch").endswith("+cpu"):
        return False
    if sys.platform == "darwin":
        return platform.machine() == "arm64"
    if sys.platform == "win32":
        return Path(os.environ.get("SYSTEMROOT", "C:/Windows"), "System32/nvcuda.dll").is_file()
    return any(map(os.path.exists, _DRIVERS))


@cache
def has_gpu() -> bool:
    """Return whether PyTorch can use a GPU; imports PyTorch only if there may be one."""
    if not may_have_gpu():
        return False
    try:
        return device() != "cpu"
    except ModelError:
        return False


def device() -> str:
    """Return the fastest device for PyTorch: ``cuda``, ``mps`` or ``cpu``; raises ModelError."""
    import_library()
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def import_library() -> ModuleType:
    """Import sentence-transformers so that it uses no network.

    Raises:
        ModelError: The library is missing, too old, or broken.
    """
    if not is_installed():
        raise ModelError("extra_missing", extra=EXTRA)
    from importlib import metadata

    version = metadata.version("sentence-transformers")
    if int(version.partition(".")[0]) < _LEAST_VERSION:
        raise ModelError("extra_outdated", version=version, least=str(_LEAST_VERSION))
    os.environ.update(_ENVIRONMENT)
    try:
        import sentence_transformers
        import torch
        import transformers
        from tqdm import tqdm
    except (ImportError, OSError) as error:
        raise ModelError("extra_damaged", extra=EXTRA, error=str(error)) from error
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    tqdm.monitor_interval = 0  # or it starts a thread for progress bars
    torch.set_num_threads(core_count())
    library: ModuleType = sentence_transformers
    return library


def load(kind: str, folder: Path, on: str) -> Any:  # noqa: ANN401 - the library has no types here
    """Load an object of the class ``kind`` of sentence-transformers from a folder with safetensors.

    Raises:
        ModelError: The folder is damaged, or holds something else.
    """
    library = import_library()
    try:
        return getattr(library, kind)(
            str(folder),
            device=on,
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True, "dtype": "float32"},
        )
    except Exception as error:  # the errors of the libraries below have no common base class
        reason = " ".join(str(error).split())[:200]
        raise ModelError("model_damaged", file=str(folder), error=reason) from error
