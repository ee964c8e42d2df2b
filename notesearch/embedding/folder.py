"""A model's folder in sentence-transformers' format, read and checked before an engine loads it."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from notesearch.errors import ModelError

GRAPHS = ("model_qint8.onnx", "model_quantized.onnx", "model.onnx")
"""File names of the graph in ``onnx/`` or beside it, best first."""

DESCRIPTIONS = (
    "tokenizer.json",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
)
STEPS = ("Transformer", "Pooling", "Normalize")
WINDOW = 256
BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a model's folder says about it.

    Attributes:
        path: The folder.
        graph: The ONNX file.
        window: Word pieces of one text, special pieces included.
        pooling: ``mean`` or ``cls``: how pieces become one vector, where the graph leaves it open.
        lower_case: Texts are put in lower case first.
        query_prompt: Goes before a search text.
        passage_prompt: Goes before a passage.
        fingerprint: Names this very model: a hash of its files.
    """

    path: Path
    graph: Path
    window: int
    pooling: str
    lower_case: bool
    query_prompt: str
    passage_prompt: str
    fingerprint: str

    @property
    def tokenizer(self) -> Path:
        """The tokenizer's file."""
        return self.path / "tokenizer.json"

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the descriptions in a folder.

        Raises:
            ModelError: The folder is missing, incomplete, or describes a model of another kind.
        """
        if not path.is_dir():
            raise ModelError(f"The embedding model “{path}” is not there.")
        try:
            return cls._read(path)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise ModelError(f"The embedding model in {path} is damaged ({error}).") from error

    @classmethod
    def _read(cls, path: Path) -> Self:
        graph = _graph(path)
        _check_steps(path)
        limits = _table(path / "sentence_bert_config.json")
        prompts = _table(path / "config_sentence_transformers.json").get("prompts") or {}
        return cls(
            path=path,
            graph=graph,
            window=int(limits.get("max_seq_length") or WINDOW),
            pooling=_pooling(path),
            lower_case=bool(limits.get("do_lower_case")),
            query_prompt=str(prompts.get("query") or ""),
            passage_prompt=str(prompts.get("document") or prompts.get("passage") or ""),
            fingerprint=_fingerprint(path, graph),
        )


def _graph(path: Path) -> Path:
    candidates = [folder / name for name in GRAPHS for folder in (path / "onnx", path)]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise ModelError(f"The embedding model in {path} has no ONNX file.")


def _check_steps(path: Path) -> None:
    """Refuse a model that is put together from anything but the three usual steps."""
    modules = json.loads((path / "modules.json").read_text(encoding="utf-8"))
    for module in modules:
        library, _, step = str(module["type"]).rpartition(".")
        if step not in STEPS or library.split(".")[0] != "sentence_transformers":
            message = f"The embedding model in {path} needs “{module['type']}”, which is not known."
            raise ModelError(message)


def _pooling(path: Path) -> str:
    table = _table(path / "1_Pooling" / "config.json")
    named = table.get("pooling_mode")
    chosen = named if isinstance(named, str) else "mean"
    if table.get("pooling_mode_cls_token"):
        chosen = "cls"
    if chosen not in {"mean", "cls"}:
        raise ModelError(f"The embedding model in {path} pools by “{chosen}”, which is not known.")
    return chosen


def _table(file: Path) -> dict[str, Any]:
    """Return the object in a JSON file; a file that is not there holds an empty one."""
    if not file.is_file():
        return {}
    content = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ModelError(f"The embedding model's file {file} is damaged.")
    return content


def _fingerprint(path: Path, graph: Path) -> str:
    digest = hashlib.sha256()
    for file in (graph, *(path / name for name in DESCRIPTIONS)):
        if file.is_file():
            _hash_file(file, digest)
    return f"{path.name}-{digest.hexdigest()[:32]}"


def _hash_file(file: Path, digest: "hashlib._Hash") -> None:
    """Add size and content; of a very large file 32 blocks spread over it, to stay quick."""
    size = file.stat().st_size
    digest.update(f"{file.name} {size} ".encode())
    step = max(BLOCK, size // 32)
    with file.open("rb") as content:
        for start in range(0, size, step):
            content.seek(start)
            digest.update(content.read(BLOCK))
