"""Which files of a model's folder hold its numbers, and how much of them tells two models apart."""

import json
import platform
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import hashlib
    from io import BufferedReader

BLOCK = 1 << 20
_PIECE = 1 << 22

MAKER = "notesearch"
"""Who made a graph, as it says itself; so its other side can be made of it (``rounded``)."""

_SIGNED = b"\x12" + bytes([len(MAKER)]) + MAKER.encode()

_ON_ARM = ("model_qint8_arm64.onnx",)
_ON_INTEL = ("model_quint8_avx2.onnx",)
"""Its eight-bit products are right on every processor; those of signed weights may overflow."""

_ANYWHERE = ("model_qint8.onnx", "model_quantized.onnx", "model_int8.onnx", "model_uint8.onnx")
_PLAIN = ("model.onnx", "model_O3.onnx", "model_O2.onnx", "model_O1.onnx", "model_fp16.onnx")

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")


def graph_names(*, exact: bool = False) -> tuple[str, ...]:
    """Return the names a graph may have, the one that is quickest on this processor first.

    Args:
        exact: The one with the model's very numbers first: its vectors are those of the weights.
    """
    if exact:
        return (_PLAIN[0], *graph_names())
    arm = platform.machine().lower() in {"arm64", "aarch64"}
    own = _ON_ARM if arm else _ON_INTEL
    return (*_ANYWHERE, *own, *_PLAIN)


def find_graph(path: Path, *, exact: bool = False, ours: bool = True) -> Path | None:
    """Return the ONNX file in ``onnx/`` or beside it that is best here; None without any.

    Args:
        path: The model's folder.
        exact: See ``graph_names``.
        ours: Also one that this program made.
    """
    names = graph_names(exact=exact)
    candidates = (folder / name for name in names for folder in (path / "onnx", path))
    there = (file for file in candidates if file.is_file())
    return next((file for file in there if ours or not is_ours(file)), None)


def find_weights(path: Path) -> Path | None:
    """Return the safetensors file of a folder, or the list of several; None without any.

    Other kinds of weights are pickles, which run what they hold as soon as they are read.
    """
    return next((path / name for name in _WEIGHTS if (path / name).is_file()), None)


def is_ours(graph: Path | None) -> bool:
    """Return whether a graph was rounded to eight bits by this program, which its head says."""
    if graph is None:
        return False
    with graph.open("rb") as content:
        return _SIGNED in content.read(len(_SIGNED) + 8)


def outside_data(main: Path) -> list[Path]:
    """Return the files that hold what did not fit into ``main``."""
    if main.suffix == ".json":
        parts = json.loads(main.read_text(encoding="utf-8"))["weight_map"].values()
        return [main.with_name(Path(name).name) for name in sorted(set(parts))]
    names = (f"{main.name}_data", f"{main.name}.data")
    return [main.with_name(name) for name in names if main.with_name(name).is_file()]


def hash_file(file: Path, digest: "hashlib._Hash") -> None:
    """Add size and content; of a very large file 32 blocks spread over it, to stay quick."""
    size = file.stat().st_size
    digest.update(f"{file.name} {size} ".encode())
    step = max(BLOCK, size // 32)
    with file.open("rb") as content:
        if step == BLOCK:
            _hash_all(content, digest)
            return
        for start in range(0, size, step):
            content.seek(start)
            digest.update(content.read(BLOCK))


def _hash_all(content: "BufferedReader", digest: "hashlib._Hash") -> None:
    """Add all of a file in few pieces: between two of them this thread may wait for others."""
    piece = memoryview(bytearray(_PIECE))
    while length := content.readinto(piece):
        digest.update(piece[:length])
