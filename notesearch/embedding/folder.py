"""A model's folder in sentence-transformers' format, read and checked before an engine loads it."""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Self

from notesearch.embedding.files import (
    find_graph,
    find_weights,
    hash_file,
    is_ours,
    outside_data,
)
from notesearch.errors import ModelError

DESCRIPTIONS = ("sentence_bert_config.json", "config_sentence_transformers.json")
OURS = "sentence_transformers"
WINDOW = 256
UNLIMITED = 1_000_000
"""A tokenizer that knows no limit says a greater number."""

POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""What older folders call each way of pooling, in the order in which several are joined."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a model: what it does and where its own files lie."""

    kind: str
    folder: Path


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a model's folder says about it.

    Attributes:
        path: The folder.
        graph: The ONNX file; None where there is none.
        weights: The safetensors file (or the list of several); None where there is none.
        steps: What it is put together from, in order.
        window: Word pieces of one text, special pieces included.
        pooling: How pieces become one vector, where the graph leaves it open; several are joined.
        pools_prompt: The pieces of a prompt count too.
        dimensions: Numbers in a vector, as described; 0 where it is not said.
        truncated: Only so many numbers of a vector are kept; 0 for all.
        lower_case: Texts are put in lower case first.
        query_prompt: Goes before a search text.
        passage_prompt: Goes before a passage.
        fingerprint: Names this very model: a hash of the files that decide on its vectors.
    """

    path: Path
    graph: Path | None
    weights: Path | None
    steps: tuple[Step, ...]
    window: int
    pooling: tuple[str, ...]
    pools_prompt: bool
    dimensions: int
    truncated: int
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
            raise ModelError("model_folder_missing", folder=str(path))
        try:
            return cls._read(path)
        except (OSError, ValueError, TypeError, AttributeError, LookupError) as error:
            raise ModelError("model_damaged", file=str(path), error=str(error)) from error

    @classmethod
    def _read(cls, path: Path) -> Self:
        steps = read_steps(path)
        graph, weights = find_graph(path), find_weights(path)
        if graph is None and weights is None:
            raise ModelError("model_without_weights", folder=str(path))
        limits = table(path / "sentence_bert_config.json")
        described = table(path / "config_sentence_transformers.json")
        pooling = next((table(s.folder / "config.json") for s in steps if s.kind == "Pooling"), {})
        query, passage = _prompts(described)
        return cls(
            path=path,
            graph=graph,
            weights=weights,
            steps=steps,
            window=_window(path, limits),
            pooling=_pooling(path, pooling),
            pools_prompt=bool(pooling.get("include_prompt", True)),
            dimensions=_dimensions(path, steps, pooling),
            truncated=int(described.get("truncate_dim") or 0),
            lower_case=bool(limits.get("do_lower_case")),
            query_prompt=query,
            passage_prompt=passage,
            fingerprint=_fingerprint(path, graph if is_ours(graph) else weights or graph, steps),
        )

    def before_export(self) -> Self:
        """Return the folder as it was before this program put an eight-bit graph into it.

        Where it did not, the folder itself. Vectors that were made of the weights are searched
        with it until those of the graph are ready.

        Raises:
            ModelError: Its files cannot be read.
        """
        if self.weights is None or not is_ours(self.graph):
            return self
        graph = find_graph(self.path, ours=False)
        try:
            fingerprint = _fingerprint(self.path, self.weights, self.steps)
        except (OSError, ValueError, LookupError) as error:
            raise ModelError("model_damaged", file=str(self.path), error=str(error)) from error
        return replace(self, graph=graph, fingerprint=fingerprint)


def table(file: Path) -> dict[str, Any]:
    """Return the object in a JSON file; a file that is not there holds an empty one.

    Raises:
        ModelError: It holds something else.
    """
    if not file.is_file():
        return {}
    content = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ModelError("model_damaged", file=str(file), error="not a JSON object")
    return content


def read_steps(path: Path) -> tuple[Step, ...]:
    """Return the steps of the model in the folder ``path``.

    Raises:
        ModelError: The folder brings code along, or points out of itself.
        OSError: Their list cannot be read.
        ValueError: It is damaged.
    """
    steps = []
    for module in json.loads((path / "modules.json").read_text(encoding="utf-8")):
        library, _, kind = str(module["type"]).rpartition(".")
        if library.split(".")[0] != OURS:
            module_type = str(module["type"])
            raise ModelError("model_unknown_module", folder=str(path), module=module_type)
        place = PurePosixPath(str(module.get("path") or ""))
        if place.is_absolute() or ".." in place.parts or "\\" in str(place):
            raise ModelError("model_points_outside", folder=str(path), path=str(place))
        steps.append(Step(kind, path / place))
    return tuple(steps)


def _window(path: Path, limits: dict[str, Any]) -> int:
    said = limits.get("max_seq_length")
    if said:
        return int(said)
    config, tokenizer = table(path / "config.json"), table(path / "tokenizer_config.json")
    known = (config.get("max_position_embeddings"), tokenizer.get("model_max_length"))
    return min((int(one) for one in known if one and one < UNLIMITED), default=WINDOW)


def _prompts(described: dict[str, Any]) -> tuple[str, str]:
    """Return the prompts of queries and passages, by any of the names in use."""
    prompts = described.get("prompts") or {}
    default = str(prompts.get(described.get("default_prompt_name")) or "")
    query = prompts.get("query")
    passage = next((prompts[n] for n in ("document", "passage", "corpus") if n in prompts), None)
    return (
        default if query is None else str(query),
        default if passage is None else str(passage),
    )


def _pooling(path: Path, described: dict[str, Any]) -> tuple[str, ...]:
    named = described.get("pooling_mode")
    if isinstance(named, str):
        named = [named]
    chosen = tuple(named or [mode for key, mode in POOLINGS.items() if described.get(key)])
    for mode in chosen:
        if mode not in POOLINGS.values():
            raise ModelError("model_unknown_pooling", folder=str(path), pooling=str(mode))
    return chosen or ("mean",)


def _dimensions(path: Path, steps: tuple[Step, ...], pooling: dict[str, Any]) -> int:
    one = pooling.get("embedding_dimension") or pooling.get("word_embedding_dimension") or 0
    found = int(one) * len(_pooling(path, pooling))
    for step in steps:
        if step.kind == "Dense":
            found = int(table(step.folder / "config.json").get("out_features") or found)
    return found


def _fingerprint(path: Path, main: Path | None, steps: tuple[Step, ...]) -> str:
    digest = hashlib.sha256()
    files = [path / "tokenizer.json", path / "modules.json"]
    files += [s.folder / "config.json" for s in steps if s.kind == "Pooling"]
    files += [path / name for name in DESCRIPTIONS]
    dense = [s.folder for s in steps if s.kind not in {"Transformer", "Pooling", "Normalize"}]
    files += [file for folder in dense for file in sorted(folder.glob("*")) if folder != path]
    if main is not None:
        files = [main, *outside_data(main), *files]
    for file in files:
        if file.is_file():
            hash_file(file, digest)
    return f"{path.name}-{digest.hexdigest()[:32]}"
