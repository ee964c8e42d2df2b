"""PyTorch and sentence-transformers: whether they are there, and loaded so that they stay local."""

import importlib.util
import os
import platform
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from notesearch.embedding.onnx_session import cores
from notesearch.errors import ModelError

EXTRA = "notesearch[sentence-transformers]"
LEAST = 6
"""Earlier ones import code that a model's folder names."""

_SILENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""They are read when the libraries are imported."""

_DRIVERS = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""There where a program can reach a GPU: NVIDIA's driver, Windows' for Linux in it, AMD's."""


def is_installed() -> bool:
    """Return whether the extra is there; nothing is imported."""
    return all(map(importlib.util.find_spec, ("torch", "sentence_transformers")))


def may_have_gpu() -> bool:
    """Return whether it is worth seconds of importing to ask for a GPU."""
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


def device() -> str:
    """Return the quickest device there is: ``cuda``, ``mps`` or ``cpu``."""
    libraries()
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def libraries() -> ModuleType:
    """Import sentence-transformers so that it reaches for nothing outside this computer.

    Raises:
        ModelError: It is not there, too old, or broken.
    """
    if not is_installed():
        raise ModelError("extra_missing", extra=EXTRA)
    from importlib import metadata

    version = metadata.version("sentence-transformers")
    if int(version.partition(".")[0]) < LEAST:
        raise ModelError("extra_outdated", version=version, least=str(LEAST))
    os.environ.update(_SILENT)
    try:
        import sentence_transformers
        import torch
        import transformers
        from tqdm import tqdm
    except (ImportError, OSError) as error:
        raise ModelError("extra_damaged", extra=EXTRA, error=str(error)) from error
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    tqdm.monitor_interval = 0  # else it starts a thread for bars that nobody sees
    torch.set_num_threads(cores())
    found: ModuleType = sentence_transformers
    return found


def load(kind: str, folder: Path, on: str) -> Any:  # noqa: ANN401 - the library has no types here
    """Load the class ``kind`` of sentence-transformers from a folder of safetensors.

    Raises:
        ModelError: The folder is damaged, or holds what cannot be used.
    """
    library = libraries()
    try:
        return getattr(library, kind)(
            str(folder),
            device=on,
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True, "dtype": "float32"},
        )
    except Exception as error:  # each library below raises its own, with no common name
        reason = " ".join(str(error).split())[:200]
        raise ModelError("model_damaged", file=str(folder), error=reason) from error
