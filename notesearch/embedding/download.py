"""Downloads a model from Hugging Face, and checks its files against the published hashes.

An interrupted download continues where it stopped. The result is an ordinary folder, which also
records the revision; from then on the model is read from that folder. No other code connects to
another computer, and this code does so only when the user asks for a model.
"""

import errno
import hashlib
import json
import os
import shutil
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

from notesearch import private_files
from notesearch.embedding import torch_engine
from notesearch.embedding.model_folder import (
    EXTRA,
    ModelFolder,
    folder_name,
    graph_paths,
    size_of,
    take_place,
)
from notesearch.embedding.reranker import is_reranker
from notesearch.errors import ModelError
from notesearch.files import open_ordinary

RECORD = "notesearch.json"
"""The file in a model's folder that records its name, revision and files."""

_DESCRIPTIONS = {".json", ".txt", ".model"}
_UNUSED = {"README.md", "data_config.json", "onnx", "openvino", "coreml", RECORD}
_BLOCK = 1 << 18
_TURN_S = 0.2
"""While a download waits for another one, it asks every so many seconds whether to stop."""

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)

Progressed = Callable[[int, int], None]
"""Called with the bytes downloaded so far and the total; it may raise to stop the download."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a model on Hugging Face. A hash that is not published is empty."""

    name: str
    size: int
    sha256: str
    sha1: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A model on Hugging Face at one revision, and the files to download."""

    name: str
    revision: str
    files: tuple[RemoteFile, ...]

    @property
    def size(self) -> int:
        """The size of all files in bytes."""
        return sum(file.size for file in self.files)


def look_up(name: str, revision: str | None = None) -> Offer:
    """Look up the model ``owner/name`` (``revision``: a commit, branch or tag); download nothing.

    Raises:
        ModelError: There is no such model, it cannot be used, or Hugging Face is out of reach.
    """
    with _hub(name) as hub:
        info = hub.HfApi().model_info(name, revision=revision, files_metadata=True)
    files = [_remote_file(file) for file in info.siblings or ()]
    return Offer(name, str(info.sha), tuple(_needed_files(name, files)))


def download(offer: Offer, models: Path, progressed: Progressed) -> Path:
    """Download a model into the folder ``models``; return the folder of the model.

    An earlier download of the same revision continues. If another process or thread downloads the
    model now, wait until it has ended.

    Raises:
        ModelError: Hugging Face cannot be reached, the folder cannot be written, the disk is full,
            or a file is not as published.
    """
    draft = models / f".{folder_name(offer.name)}-{offer.revision[:12]}"
    target = models / folder_name(offer.name)
    try:
        with _only_download(draft, lambda: progressed(0, offer.size)):
            _download_files(offer, draft, progressed)
            private_files.write(draft / RECORD, json.dumps(asdict(offer), indent=1).encode())
            if not is_reranker(draft):
                ModelFolder.read(draft)  # before it replaces an installed model
            take_place(draft, target)
    except OSError as error:
        if error.errno in _DISK_FULL:
            missing = offer.size - size_of(draft)
            free = shutil.disk_usage(draft).free
            raise ModelError("download_disk_full", size=missing, free=free) from error
        reason = error.strerror or str(error)
        raise ModelError("download_unwritable", folder=str(models), reason=reason) from error
    return target


@contextmanager
def _only_download(draft: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Let no other download write into ``draft`` during the block.

    While another download writes, wait, and call ``waiting`` every ``_TURN_S`` seconds, which may
    raise an error to stop.
    """
    import filelock

    private_files.make_folder(draft.parent)
    file = draft.with_name(f"{draft.name}.lock")
    lock = filelock.FileLock(file, mode=0o600, thread_local=False, fallback_to_soft=False)
    while not lock.is_locked:
        try:
            lock.acquire(timeout=_TURN_S)
        except filelock.Timeout:
            waiting()
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()
        lock.release()


def _download_files(offer: Offer, draft: Path, progressed: Progressed) -> None:
    private_files.make_folder(draft)
    if shutil.disk_usage(draft).free < offer.size - size_of(draft):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    done = 0
    for file in offer.files:
        _download_file(offer, file, draft, _progress_bar(progressed, done, offer.size))
        done += file.size
        progressed(done, offer.size)


def _remote_file(info: Any) -> RemoteFile:  # noqa: ANN401 - the library has no types here
    lfs = info.lfs
    size = int((lfs.size if lfs else info.size) or 0)
    return RemoteFile(info.rfilename, size, lfs.sha256 if lfs else "", str(info.blob_id or ""))


def _needed_files(name: str, files: list[RemoteFile]) -> Iterator[RemoteFile]:
    """Yield the files that an engine on this computer reads: never a program, never a pickle."""
    paths = {file.name for file in files}
    graph = next((path for path in graph_paths() if path in paths), None)
    has_torch = torch_engine.is_installed()
    if graph is None and not has_torch:
        raise ModelError("download_needs_extra", name=name, extra=EXTRA)
    for file in files:
        path = PurePosixPath(file.name)
        if path.is_absolute() or ".." in path.parts or "\\" in file.name:
            raise ModelError("download_points_outside", name=name, file=file.name)
        is_used = path.parts[0] not in _UNUSED
        is_description = path.suffix in _DESCRIPTIONS and is_used
        is_weights = path.suffix == ".safetensors" and is_used
        is_needed_by_torch = is_weights and len(path.parts) == 1  # the weights of the transformer
        is_layer = is_weights and len(path.parts) > 1  # a layer after it, which every engine reads
        is_graph = graph is not None and file.name in {graph, f"{graph}_data", f"{graph}.data"}
        if is_description or is_layer or is_graph or (is_needed_by_torch and has_torch):
            yield file


def _download_file(offer: Offer, file: RemoteFile, draft: Path, progress_bar: type) -> None:
    target = draft / file.name
    if not (target.is_file() and _is_as_published(target, file)):
        part = target.with_name(f"{target.name}.part")
        private_files.make_folder(part.parent)
        with private_files.opened(part, "ab") as opened, _hub(offer.name) as hub:
            from huggingface_hub.file_download import http_get  # it can continue a partial file

            http_get(
                hub.hf_hub_url(offer.name, file.name, revision=offer.revision),
                opened,
                resume_size=opened.tell(),
                headers=hub.utils.build_hf_headers(),
                expected_size=file.size,
                tqdm_class=progress_bar,
            )
        part.replace(target)
    if not _is_as_published(target, file):
        target.unlink(missing_ok=True)
        raise ModelError("download_damaged", file=file.name, name=offer.name)


def _is_as_published(path: Path, file: RemoteFile) -> bool:
    if path.stat().st_size != file.size:
        return False
    header = f"blob {file.size}\0".encode()
    with open_ordinary(path) as content:
        if file.sha256:
            return hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
        digest = hashlib.file_digest(content, lambda: hashlib.sha1(header))  # noqa: S324 - git's
    return not file.sha1 or digest.hexdigest() == file.sha1


def _progress_bar(progressed: Progressed, before: int, total: int) -> type:
    """Return a class of progress bars with which huggingface_hub reports on one file.

    It calls ``progressed`` for all files: ``before`` is the size of the files before this one,
    ``total`` the size of all, both in bytes.
    """

    class Bar:
        """Counts the bytes of a file."""

        def __init__(self, *_: object, initial: int = 0, total: int = 0, **__: object) -> None:
            self.n = initial
            self.total = total
            self.disable = True

        def update(self, more: float | None = 1) -> None:
            self.n += int(more or 0)
            progressed(before + self.n, total)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

        def close(self) -> None: ...
        def refresh(self) -> None: ...
        def set_description(self, *_: object, **__: object) -> None: ...

    return Bar


@contextmanager
def _hub(name: str) -> Iterator[ModuleType]:
    """Yield the library of Hugging Face, with telemetry off; raise its errors as ModelError.

    Only the error of a full disk stays an OSError.
    """
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["DO_NOT_TRACK"] = "1"
    os.environ["HF_HUB_DISABLE_XET"] = "1"  # such downloads cannot be continued or cancelled
    import huggingface_hub
    from huggingface_hub import constants, errors

    constants.DOWNLOAD_CHUNK_SIZE = _BLOCK  # progress is reported, and may stop, after each
    try:
        yield huggingface_hub
    except errors.RepositoryNotFoundError as error:
        raise ModelError("download_unknown", name=name) from error
    except errors.HFValidationError as error:
        raise ModelError("download_name_invalid", name=name) from error
    except errors.OfflineModeIsEnabled as error:
        raise ModelError("download_off") from error
    except (OSError, ValueError, errors.HTTPError) as error:
        if getattr(error, "errno", None) in _DISK_FULL:
            raise
        reason = textwrap.shorten(str(error), 120, placeholder="…")
        raise ModelError("download_unreachable", reason=reason) from error
