"""The models of this computer, for front ends: which there are, choosing, bringing, removing."""

import importlib.util
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding.download import RECORD, Offer, Progressed, download, look_up
from notesearch.embedding.embedder import folder_name, model_path
from notesearch.embedding.model_folder import ModelFolder
from notesearch.embedding.reranker import is_reranker
from notesearch.errors import ModelError, TaskStoppedError
from notesearch.sentences import Sentence

if TYPE_CHECKING:
    from notesearch.embedding.export import Exported

__all__ = [
    "Model",
    "Offer",
    "agreement",
    "bring",
    "choose",
    "export",
    "extra_is_installed",
    "listed",
    "look_up",
    "measure",
    "remove",
]

SUGGESTED = {
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2": "model_good_for_languages",
    "sentence-transformers/all-mpnet-base-v2": "model_good_for_english",
    "flax-sentence-embeddings/st-codesearch-distilroberta-base": "model_good_for_code",
    "cross-encoder/ms-marco-MiniLM-L6-v2": "model_reranks_english",
}
"""Names on the hub, and the codes of messages on what each is good for."""

_MEASURED_S = 300
_LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class Model:
    """A model that is here, or could be.

    Attributes:
        name: As the settings call it.
        kind: ``built-in``, ``installed`` or ``suggested``.
        remark: What is worth knowing of it, or why it cannot be used.
        size: Bytes on the disk; 0 where it is not here.
        chosen: The settings name it.
        reranks: It is no embedding model: it puts found sections in a better order.
        revision: Of the hub, where it came from there.
    """

    name: str
    kind: str
    remark: Sentence
    size: int = 0
    chosen: bool = False
    reranks: bool = False
    revision: str = ""


def listed(paths: Paths, settings: Settings) -> tuple[Model, ...]:
    """Return the built-in model, what is installed, and what is suggested."""
    chosen = {settings.model, settings.reranker}
    builtin = resources() / "models" / BUILTIN_MODEL
    found = [_here(builtin, BUILTIN_MODEL, "built-in", chosen)]
    found += [_here(path, _name(path), "installed", chosen) for path in _installed(paths)]
    known = {model.name for model in found}
    if settings.model not in known and Path(settings.model).expanduser().is_dir():
        found.append(_here(Path(settings.model).expanduser(), settings.model, "installed", chosen))
    more = [
        Model(n, "suggested", Sentence(code)) for n, code in SUGGESTED.items() if n not in known
    ]
    return (*found, *more)


def choose(paths: Paths, settings: Settings, name: str) -> Settings:
    """Return the settings with another model, which has to be here and usable.

    Raises:
        ModelError: It is not here, or cannot be used.
    """
    path = _path(paths, name)
    if _reranks(path):
        return replace(settings, reranker=name)
    ModelFolder.read(path)
    return replace(settings, model=name)


def bring(offer: Offer, paths: Paths, progressed: Progressed) -> Path:
    """Download what was looked up; what it raises is that of ``look_up``."""
    return download(offer, paths.models, progressed)


def export(paths: Paths, name: str, texts: Sequence[str]) -> "Exported":
    """Make an ONNX file of a model in int8, compared on ``texts``.

    Raises:
        ModelError: The extra is missing, the model has no weights, or what came out is too far off.
    """
    from notesearch.embedding.export import export_model

    return export_model(_path(paths, name), paths.models, folder_name(Path(name).name), texts)


def remove(paths: Paths, settings: Settings, name: str) -> int:
    """Delete an installed model that is not in use; return its bytes.

    Raises:
        ModelError: It is not here, is built in, or is in use.
    """
    folder = folder_name(name)
    if folder and folder in {folder_name(settings.model), folder_name(settings.reranker)}:
        raise ModelError("model_in_use", name=name)
    # Of what is listed: "..", and no name at all, are folders too.
    path = next((path for path in _installed(paths) if path.name == folder), None)
    if path is None:
        raise ModelError("model_not_installed", name=name)
    size = _size(path)
    shutil.rmtree(path)
    return size


def measure(
    paths: Paths, name: str, texts: Sequence[str], stopped: Callable[[], bool] = lambda: False
) -> dict[str, Any]:
    """Measure a model in a process of its own: how quick, how large, and its vectors of ``texts``.

    Raises:
        ModelError: It is not here, cannot be used, or takes minutes.
        TaskStoppedError: ``stopped`` said so.
    """
    asked = json.dumps({"path": str(_path(paths, name)), "texts": list(texts)})
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "notesearch.embedding.measurement"],
        text=True,
        encoding="utf-8",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    ) as process:
        try:
            told, complaints = _answer(process, asked, stopped)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        last = complaints.strip().rpartition("\n")[2]
        if last:
            raise ModelError("model_failed_elsewhere", detail=last)
        raise ModelError("model_not_measured", name=name)
    found: dict[str, Any] = json.loads(told)
    return found


def _answer(
    process: "subprocess.Popen[str]", asked: str, stopped: Callable[[], bool]
) -> tuple[str, str]:
    until = time.monotonic() + _MEASURED_S
    question: str | None = asked
    while True:
        try:
            return process.communicate(question, timeout=_LOOK_S)
        except subprocess.TimeoutExpired:
            question = None  # it has been sent, and is not sent twice
        if stopped():
            raise TaskStoppedError("task_stopped")
        if time.monotonic() > until:
            raise ModelError("model_slow")


def agreement(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """Return the share of the ten nearest texts of each text that two models agree on."""
    import numpy as np

    from notesearch.embedding.export import agreement as shared

    return shared(np.asarray(one, np.float32), np.asarray(other, np.float32))


def extra_is_installed() -> bool:
    """Return whether models without an ONNX file can be used."""
    return all(map(importlib.util.find_spec, ("torch", "sentence_transformers")))


def _installed(paths: Paths) -> list[Path]:
    """Return the folders of installed models; those of unfinished downloads begin with a dot."""
    if not paths.models.is_dir():
        return []
    return sorted(p for p in paths.models.iterdir() if p.is_dir() and p.name[0] != ".")


def _path(paths: Paths, name: str) -> Path:
    path = model_path(name, resources() / "models", paths.models)
    if not path.is_dir():
        raise ModelError("model_missing", name=name)
    return path


def _here(path: Path, name: str, kind: str, chosen: set[str]) -> Model:
    reranks = _reranks(path)
    try:
        remark = Sentence("model_reranks") if reranks else _described(ModelFolder.read(path))
    except ModelError as error:
        remark = error.sentence
    return Model(name, kind, remark, _size(path), name in chosen, reranks, _revision(path))


def _described(folder: ModelFolder) -> Sentence:
    runs = [*["ONNX"] * bool(folder.graph), *["safetensors"] * bool(folder.weights)]
    return Sentence(
        "model_size",
        dimensions=str(folder.dimensions),
        tokens=str(folder.window),
        files=" and ".join(runs),
    )


def _reranks(path: Path) -> bool:
    return path.is_dir() and is_reranker(path)


def _record(path: Path) -> dict[str, Any]:
    try:
        found = json.loads((path / RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _name(path: Path) -> str:
    return str(_record(path).get("name") or path.name)


def _revision(path: Path) -> str:
    return str(_record(path).get("revision") or "")


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
