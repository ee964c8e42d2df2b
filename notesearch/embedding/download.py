"""Brings a model from the hub: looked up first, size known, resumable, checked against its hashes.

This is the only code that uses the network, and only when the user has chosen a model. What arrives
is a plain folder with a note of the very revision; later everything is read from there.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

from notesearch.embedding import torch_runtime
from notesearch.embedding.files import graph_names
from notesearch.embedding.folder import ModelFolder
from notesearch.embedding.model import folder_name
from notesearch.embedding.reranker import is_reranker
from notesearch.errors import ModelError

RECORD = "notesearch.json"
"""In a model's folder: its name, revision and files."""

_DESCRIPTIONS = {".json", ".txt", ".model"}
_UNREAD = {"README.md", "data_config.json", "onnx", "openvino", "coreml", RECORD}
_BLOCK = 1 << 18

Progressed = Callable[[int, int], None]
"""Is told bytes that arrived, and in all; what it raises ends the download, to be resumed."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a model on the hub, and what it must hash to."""

    name: str
    size: int
    sha256: str
    sha1: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A model on the hub at one revision, and what of it would be downloaded."""

    name: str
    revision: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        """Bytes in all."""
        return sum(file.size for file in self.files)


def look_up(name: str, revision: str | None = None) -> Offer:
    """Ask the hub for the model ``owner/name``; nothing is downloaded yet.

    Raises:
        ModelError: There is none, it cannot be used here, or the hub cannot be reached.
    """
    with _asking(name) as hub:
        found = hub.HfApi().model_info(name, revision=revision, files_metadata=True)
    files = [_remote(one) for one in found.siblings or ()]
    return Offer(name, str(found.sha), tuple(_needed(name, files)))


def download(offer: Offer, models: Path, progressed: Progressed) -> Path:
    """Download a model into the folder ``models`` and return its own folder there.

    What arrived before an interruption is not downloaded again.

    Raises:
        ModelError: The hub cannot be reached, or what arrived is not what was published.
    """
    draft = models / f".{folder_name(offer.name)}-{offer.revision[:12]}"
    draft.mkdir(parents=True, exist_ok=True)
    _check_room(offer, draft)
    arrived = 0
    for file in offer.files:
        _fetch(offer, file, draft, _Arriving(progressed, arrived, offer.size))
        arrived += file.size
        progressed(arrived, offer.size)
    (draft / RECORD).write_text(json.dumps(asdict(offer), indent=1), encoding="utf-8")
    target = models / folder_name(offer.name)
    _check(draft)
    if target.is_dir():
        shutil.rmtree(target)
    return draft.rename(target)


@dataclass(frozen=True, slots=True)
class _Arriving:
    """Tells how much of a whole download has arrived, from how much of a file has."""

    progressed: Progressed
    before: int
    total: int

    def __call__(self, of_file: int) -> None:
        self.progressed(self.before + of_file, self.total)


def _check(draft: Path) -> None:
    """Refuse a model that cannot be used before it takes the place of one that can."""
    if not is_reranker(draft):
        ModelFolder.read(draft)


def _check_room(offer: Offer, draft: Path) -> None:
    free = shutil.disk_usage(draft).free
    if free < offer.size:
        raise ModelError("download_disk_full", size=offer.size, free=free)


def _remote(found: Any) -> RemoteFile:  # noqa: ANN401 - the library has no types here
    lfs = found.lfs
    size = int((lfs.size if lfs else found.size) or 0)
    return RemoteFile(found.rfilename, size, lfs.sha256 if lfs else "", str(found.blob_id or ""))


def _needed(name: str, files: list[RemoteFile]) -> Iterator[RemoteFile]:
    """Yield what an engine of this computer reads: never a program, never a pickle."""
    places = {file.name: file for file in files}
    names = graph_names(exact=torch_runtime.may_have_gpu())
    graph = next((p for one in names for p in (f"onnx/{one}", one) if p in places), None)
    with_weights = torch_runtime.is_installed()
    if graph is None and not with_weights:
        raise ModelError("download_needs_extra", name=name, extra=torch_runtime.EXTRA)
    for file in files:
        place = PurePosixPath(file.name)
        if place.is_absolute() or ".." in place.parts or "\\" in file.name:
            raise ModelError("download_points_outside", name=name, file=file.name)
        main = place.suffix == ".safetensors" and len(place.parts) == 1
        described = place.suffix in _DESCRIPTIONS and place.parts[0] not in _UNREAD
        layer = place.suffix == ".safetensors" and place.parts[0] not in _UNREAD and not main
        of_graph = graph is not None and file.name in {graph, f"{graph}_data", f"{graph}.data"}
        if described or layer or of_graph or (main and with_weights):
            yield file


def _fetch(offer: Offer, file: RemoteFile, draft: Path, progressed: Callable[[int], None]) -> None:
    target = draft / file.name
    if not (target.is_file() and _is_as_published(target, file)):
        part = target.with_name(f"{target.name}.part")
        part.parent.mkdir(parents=True, exist_ok=True)
        with _asking(offer.name) as hub, part.open("ab") as opened:
            from huggingface_hub.file_download import http_get  # which goes on within a file

            http_get(
                hub.hf_hub_url(offer.name, file.name, revision=offer.revision),
                opened,
                resume_size=opened.tell(),
                headers=hub.utils.build_hf_headers(),
                expected_size=file.size,
                tqdm_class=_bar(progressed),
            )
        part.replace(target)
    if not _is_as_published(target, file):
        target.unlink(missing_ok=True)
        raise ModelError("download_damaged", file=file.name, name=offer.name)


def _is_as_published(path: Path, file: RemoteFile) -> bool:
    if path.stat().st_size != file.size:
        return False
    if file.sha256:
        return _hashed(hashlib.sha256(), path) == file.sha256
    header = f"blob {file.size}\0".encode()
    return not file.sha1 or _hashed(hashlib.sha1(header), path) == file.sha1  # noqa: S324 - git's


def _hashed(digest: "hashlib._Hash", path: Path) -> str:
    with path.open("rb") as content:
        while block := content.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _bar(progressed: Callable[[int], None]) -> type:
    """Return what the library takes for a bar of progress."""

    class Bar:
        """Passes on how much of a file arrived."""

        def __init__(self, *_: object, initial: int = 0, total: int = 0, **__: object) -> None:
            self.n, self.total, self.disable = initial, total, True

        def update(self, more: float | None = 1) -> None:
            self.n += int(more or 0)
            progressed(self.n)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

        def close(self) -> None: ...
        def refresh(self) -> None: ...
        def set_description(self, *_: object, **__: object) -> None: ...

    return Bar


@contextmanager
def _asking(name: str) -> Iterator[ModuleType]:
    """Give the hub's library, silent about whom it serves, and name what goes wrong with it."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = os.environ["DO_NOT_TRACK"] = "1"
    os.environ["HF_HUB_DISABLE_XET"] = "1"  # its transfers cannot be resumed or cancelled here
    import huggingface_hub
    from huggingface_hub import constants, errors

    constants.DOWNLOAD_CHUNK_SIZE = _BLOCK  # after each, progress is told and may end it
    try:
        yield huggingface_hub
    except errors.RepositoryNotFoundError as error:
        raise ModelError("download_unknown", name=name) from error
    except errors.OfflineModeIsEnabled as error:
        raise ModelError("download_off") from error
    except (OSError, ValueError, errors.HTTPError) as error:
        reason = " ".join(str(error).split())[:120]
        raise ModelError("download_unreachable", reason=reason) from error
