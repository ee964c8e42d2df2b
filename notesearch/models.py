"""Lists, chooses, downloads, adds, removes and compares models; offers one for other languages.

To compare models, each is measured in a child process, which runs this module.
"""

import contextlib
import os
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from notesearch import private_files
from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding.download import RECORD, Offer, download, look_up
from notesearch.embedding.model_folder import (
    ModelFolder,
    check_files,
    folder_name,
    model_name,
    model_path,
    own_name,
    size_of,
    take_place,
)
from notesearch.embedding.onnx_engine import core_count
from notesearch.embedding.reranker import is_reranker
from notesearch.embedding.torch_engine import is_installed as extra_is_installed
from notesearch.errors import ModelError, TaskStoppedError
from notesearch.files import expanded, open_ordinary, read_json
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.processes import Child, serve
from notesearch.status import Status

__all__ = ["Offer", "download", "extra_is_installed", "look_up"]  # those of other modules

_UNMEASURED = Sentence("model_unmeasured")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested model on Hugging Face.

    Attributes:
        good_for: The code of the sentence that says for which notes it is good.
        megabytes: The approximate size of the download for an Intel processor.
        score: Its published nDCG@10 on the English retrieval tasks of MTEB; empty for none.
    """

    good_for: str
    licence: str
    megabytes: int
    score: str = ""
    is_english: bool = True
    measured: Sentence = _UNMEASURED


MULTILINGUAL = "intfloat/multilingual-e5-small"
SUGGESTED = {
    MULTILINGUAL: Suggestion(
        "model_good_for_languages",
        "MIT",
        136,
        ".466",
        is_english=False,
        measured=Sentence("model_measured", passages=22, query=12, memory=565),
    ),
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2": Suggestion(
        "model_good_for_sentences", "Apache-2.0", 128, is_english=False
    ),
    "Snowflake/snowflake-arctic-embed-xs": Suggestion(
        "model_good_for_english_small", "Apache-2.0", 24, ".502"
    ),
    "MongoDB/mdbr-leaf-ir": Suggestion("model_good_for_english_small", "Apache-2.0", 24, ".536"),
    "BAAI/bge-small-en-v1.5": Suggestion("model_good_for_english_small", "MIT", 134, ".517"),
    "sentence-transformers/all-MiniLM-L12-v2": Suggestion(
        "model_good_for_english_small", "Apache-2.0", 35, ".427"
    ),
    "sentence-transformers/all-mpnet-base-v2": Suggestion(
        "model_good_for_english", "Apache-2.0", 111, ".438"
    ),
    "flax-sentence-embeddings/st-codesearch-distilroberta-base": Suggestion(
        "model_good_for_code", "Apache-2.0", 330
    ),
    "cross-encoder/ms-marco-MiniLM-L6-v2": Suggestion("model_reranks_english", "Apache-2.0", 24),
    "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1": Suggestion(
        "model_reranks_languages", "Apache-2.0", 136, is_english=False
    ),
}
FOREIGN = 0.2
"""If at least this share of text is in languages other than English, a model is offered."""

_PASSAGES_A_SECOND = 12
"""Passages that one core of a laptop embeds per second with the multilingual model."""

_VECTOR = 1070
"""Bytes of a passage in the index: its vector, and a share of the vectors of heading paths."""


@dataclass(frozen=True, slots=True)
class Model:
    """An installed or suggested model.

    Attributes:
        kind: ``built-in``, ``installed`` or ``suggested``.
        remark: A description, or why the model cannot be used.
    """

    name: str
    kind: str
    remark: Sentence
    size: int = 0
    chosen: bool = False
    reranks: bool = False
    revision: str = ""
    licence: str = ""
    score: str = ""
    measured: Sentence = NO_SENTENCE


@dataclass(frozen=True, slots=True)
class MultilingualOffer:
    """An offer to use the multilingual model; ``text`` says why, and what it costs."""

    name: str
    is_installed: bool
    text: Sentence


def offer(status: Status, paths: Paths) -> MultilingualOffer | None:
    """Return the offer of a multilingual model; None if the notes or the model do not need it."""
    foreign = sum(each.share for each in status.languages if each.language != "en")
    suggestion = SUGGESTED.get(status.model)
    is_english = status.model == BUILTIN_MODEL or (suggestion and suggestion.is_english)
    if foreign < FOREIGN or not is_english or not status.passages:
        return None
    installed = installed_multilingual(paths)
    minutes = status.passages / _PASSAGES_A_SECOND / core_count() / 60
    text = Sentence(
        "model_offer_installed" if installed else "model_offer",
        percent=round(100 * foreign),
        name=installed or MULTILINGUAL,
        download=SUGGESTED[MULTILINGUAL].megabytes,
        minutes=max(1, round(minutes)),
        disk=max(1, round(status.passages * _VECTOR / 1_000_000)),
    )
    return MultilingualOffer(installed or MULTILINGUAL, bool(installed), text)


def installed_multilingual(paths: Paths) -> str:
    """Return the name of the multilingual model that ``offer`` offers; empty if not installed."""
    # Added from a folder, it may lack the name of its owner.
    names = folder_name(MULTILINGUAL), MULTILINGUAL.rpartition("/")[2]
    path = next((path for path in _installed(paths) if model_name(path) in names), None)
    if path is None:
        return ""
    return MULTILINGUAL if path.name == names[0] else path.name


def listed(paths: Paths, settings: Settings) -> tuple[Model, ...]:
    """Return the built-in, the installed and the suggested models, each once; delete old drafts."""
    _delete_drafts(paths.models)
    chosen = {settings.model, settings.reranker}
    builtin = resources() / "models" / BUILTIN_MODEL
    models = [_here(builtin, BUILTIN_MODEL, "built-in", chosen)]
    models += [_here(path, _name(path), "installed", chosen) for path in _installed(paths)]
    known = {model.name for model in models}
    if settings.model not in known and expanded(settings.model).is_dir():
        models.append(_here(expanded(settings.model), settings.model, "installed", chosen))
    more = [
        Model(
            name,
            "suggested",
            Sentence(suggestion.good_for),
            suggestion.megabytes * 1_000_000,
            licence=suggestion.licence,
            score=suggestion.score,
            measured=suggestion.measured,
        )
        for name, suggestion in SUGGESTED.items()
        if known.isdisjoint({name, name.rpartition("/")[2]})  # added, it may lack its owner
    ]
    return (*models, *more)


def choose(paths: Paths, settings: Settings, name: str) -> Settings:
    """Return the settings with ``name`` as the model or the reranker; raises ModelError."""
    path = path_of(paths, name)
    if is_reranker(path):
        return replace(settings, reranker=name)
    ModelFolder.read(path)
    return replace(settings, model=name)


def add(paths: Paths, source: Path) -> str:
    """Install, or replace, the model in a folder or a ZIP file without a network; return its name.

    Raises:
        ModelError: ``source`` is missing, damaged, or not a model that can be used here.
    """
    name = own_name(source).removesuffix(".zip").lstrip(".") or "model"
    target = paths.models / name
    if source.is_dir():
        _install(source, target)
    else:
        with _draft(source, target.with_name(f"{name}.zip")) as work, _named(work, source):
            _install(_unpacked(source, work), target)
    return _name(target)


@contextlib.contextmanager
def _named(folder: Path, source: Path) -> Iterator[None]:
    """Make errors in the block name ``source`` and not ``folder``, into which it was unpacked."""
    try:
        yield
    except ModelError as error:
        fields = {
            name: value.replace(str(folder), str(source)) if isinstance(value, str) else value
            for name, value in error.fields.items()
        }
        raise ModelError(error.code, **fields) from error


def _install(folder: Path, target: Path) -> None:
    if is_reranker(folder):
        check_files(folder)
    else:
        ModelFolder.read(folder)
    with _draft(folder, target) as draft:
        shutil.copytree(folder, draft, ignore=_unread, dirs_exist_ok=True)
        os.utime(draft)  # copytree gives it the age of its source
        private_files.tighten(draft)
        take_place(draft, target)


_DRAFT = ".new"
"""The end of the name of a folder into which a model is copied or unpacked."""

_DRAFT_S = 86_400
"""A draft that is older than this many seconds was left by a killed process."""


@contextlib.contextmanager
def _draft(source: Path, target: Path) -> Iterator[Path]:
    """Yield an empty folder beside ``target`` that no list shows; the block may move it.

    Raises:
        ModelError: The folder cannot be created, or the block fails to write.
    """
    try:
        private_files.make_folder(target.parent)
        with tempfile.TemporaryDirectory(_DRAFT, ".", target.parent) as draft:
            yield Path(draft)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelError("model_uncopied", file=str(source), reason=reason) from error


def _delete_drafts(models: Path) -> None:
    for draft in models.glob(f".*{_DRAFT}"):
        with contextlib.suppress(OSError):
            if time.time() - draft.stat().st_mtime > _DRAFT_S:
                shutil.rmtree(draft)


_READ = {".json", ".txt", ".model", ".onnx", ".onnx_data", ".data", ".safetensors", ".md"}
"""Suffixes of the files to install: those that an engine or a person reads, but no programs."""


def _unread(folder: str, names: list[str]) -> set[str]:
    """Return the ``names`` in ``folder`` that must not be installed, such as a broken link."""
    files = {name for name in names if not (Path(folder) / name).is_dir()}
    read = {name for name in files if Path(name).suffix in _READ}
    return files - {name for name in read if (Path(folder) / name).is_file()}


def _unpacked(source: Path, work: Path) -> Path:
    """Unpack a ZIP file into ``work``; return ``work``, or the one folder that has all files."""
    free = shutil.disk_usage(work).free
    try:
        with open_ordinary(source) as file, zipfile.ZipFile(file) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size <= free:
                archive.extractall(work)  # extracts nothing outside of ``work``
    except zipfile.BadZipFile as error:
        raise ModelError("model_not_packed", file=str(source)) from error
    except Exception as error:  # each way of packing raises its own
        raise ModelError("model_damaged", file=str(source), error=str(error)) from error
    if size > free:
        raise ModelError("download_disk_full", size=size, free=free)
    inner = list(work.iterdir())
    is_wrapped = len(inner) == 1 and inner[0].is_dir()
    return inner[0] if is_wrapped else work


def remove(paths: Paths, settings: Settings, name: str) -> int:
    """Delete an installed model, and return its size in bytes.

    Raises:
        ModelError: The model is not installed, is built in, or is in use.
    """
    folder = folder_name(name)
    if folder and folder in {folder_name(settings.model), folder_name(settings.reranker)}:
        raise ModelError("model_in_use", name=name)
    # Only a name in the list: ".." and an empty name would be folders, too.
    path = next((path for path in _installed(paths) if path.name == folder), None)
    if path is None:
        raise ModelError("model_not_installed", name=name)
    size = size_of(path)
    shutil.rmtree(path)
    return size


def _installed(paths: Paths) -> list[Path]:
    if not paths.models.is_dir():
        return []
    return sorted(p for p in paths.models.iterdir() if p.is_dir() and p.name[0] != ".")


def path_of(paths: Paths, name: str) -> Path:
    """Return the folder of the model ``name``; raises ModelError if there is none."""
    path = model_path(name, *paths.model_folders)
    if not path.is_dir():
        raise ModelError("model_missing", name=name)
    return path


def _here(path: Path, name: str, kind: str, chosen: set[str]) -> Model:
    reranks = is_reranker(path)
    try:
        remark = Sentence("model_reranks") if reranks else _described(ModelFolder.read(path))
    except ModelError as error:
        remark = error.sentence
    revision = str(_record(path).get("revision") or "")
    return Model(name, kind, remark, size_of(path), name in chosen, reranks, revision)


def _described(folder: ModelFolder) -> Sentence:
    formats = {"ONNX": folder.graph, "safetensors": folder.weights}
    return Sentence(
        "model_size",
        dimensions=str(folder.dimensions),
        tokens=str(folder.window),
        files=" and ".join(name for name, file in formats.items() if file),
    )


def _record(path: Path) -> dict[str, Any]:
    try:
        record = read_json(path / RECORD)
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _name(path: Path) -> str:
    return str(_record(path).get("name") or path.name)


_NEAREST = 10
_MEASURING_S = 300
_CHECK_S = 0.2


@dataclass(frozen=True, slots=True)
class Measurement:
    """The figures of a model, measured on some texts.

    Attributes:
        engine: The engine and the device, in words.
        agreement: The share, 0 to 1, of the ten nearest texts of each text that the first of the
            compared models finds, too.
    """

    name: str
    engine: str
    load_s: float
    passages_per_s: float
    query_ms: float
    memory_mb: float
    agreement: float


def compare(
    paths: Paths,
    names: Sequence[str],
    texts: Sequence[str],
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Measurement, ...]:
    """Measure models on ``texts``, each in a process of its own.

    Raises:
        ModelError: A model is missing, unusable or too slow.
        TaskStoppedError: ``stopped()`` returned True.
    """
    measured = [_measured(paths, name, texts, stopped) for name in names]
    first = measured[0]["vectors"]
    return tuple(
        Measurement(name, agreement=_agreement(first, figures.pop("vectors")), **figures)
        for name, figures in zip(names, measured, strict=True)
    )


def _measured(
    paths: Paths, name: str, texts: Sequence[str], stopped: Callable[[], bool]
) -> dict[str, Any]:
    """Return the figures of a ``Measurement``, and the ``vectors`` of ``texts``."""
    order = {"path": str(path_of(paths, name)), "texts": list(texts)}
    started = time.monotonic()
    child = Child("notesearch.models", _MEASURING_S)
    with ThreadPoolExecutor(1) as thread, closing(child):
        asked = thread.submit(lambda: child.ask(order) if child.ready(_MEASURING_S) else None)
        while not wait([asked], _CHECK_S).done:
            if stopped():
                raise TaskStoppedError("task_stopped")
    answer = asked.result()
    if answer is None and time.monotonic() - started >= _MEASURING_S:
        raise ModelError("model_slow")
    if answer is None:
        raise ModelError("model_not_measured", name=name)
    if "error" in answer:
        raise ModelError(Sentence.from_json(str(answer["error"])))
    return answer


def _agreement(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """Return the share of each text's ten nearest texts that two models agree on, 0 to 1."""
    import numpy as np

    nearest = []
    for vectors in (np.asarray(one, np.float32), np.asarray(other, np.float32)):
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -2)
        nearest.append(np.argsort(-cosines, axis=1)[:, : min(_NEAREST, len(vectors) - 1)])
    shared = [len(set(a) & set(b)) / len(a) for a, b in zip(*nearest, strict=True) if len(a)]
    return sum(shared) / len(shared) if shared else 1.0


_QUERIES = 20
_QUERY_LENGTH = 60


def _measure(order: dict[str, Any]) -> dict[str, object]:
    """Measure the model and the texts that ``order`` names, in a process of its own."""
    from notesearch.embedding.embedder import engine_name
    from notesearch.embedding.model_loader import load_embedder

    texts: list[str] = order["texts"]
    started = time.perf_counter()
    try:
        model = load_embedder(str(order["path"]), Path())
        loaded = time.perf_counter()
        vectors = model.embed_passages(texts)
        embedded = time.perf_counter()
        for text in texts[:_QUERIES]:
            model.embed_query(text[:_QUERY_LENGTH])
        ended = time.perf_counter()
    except ModelError as error:
        return {"error": error.sentence.to_json()}
    return {
        "engine": engine_name(model),
        "load_s": loaded - started,
        "passages_per_s": len(texts) / max(embedded - loaded, 1e-9),
        "query_ms": 1000 * (ended - embedded) / max(1, min(_QUERIES, len(texts))),
        "memory_mb": _peak_memory() / 2**20,
        "vectors": [[round(float(n), 5) for n in row] for row in vectors],
    }


def _peak_memory() -> int:
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    serve(_measure, memory=-1, seconds=2 * _MEASURING_S, questions=sys.stdin, answers=sys.stdout)
