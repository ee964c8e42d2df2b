"""A model's folder in the format of sentence-transformers: its files, settings and engine.

Its tokenizer is here, too: all engines and rerankers split texts by it.
"""

import contextlib
import hashlib
import os
import platform
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Self, cast

from notesearch import files
from notesearch.errors import ModelError
from notesearch.files import expanded
from notesearch.messages import Sentence

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

WINDOW = 256
"""Maximum number of tokens of a text, if the folder does not say."""

ONNX_STEPS = ("Transformer", "Pooling", "Dense", "Normalize")
"""Steps that the ONNX engine can run; others need sentence-transformers."""

EXTRA = "notesearch[sentence-transformers]"
"""The optional dependency that runs models without an ONNX file."""

_LIBRARY = "sentence_transformers"
_DESCRIPTIONS = ("sentence_bert_config.json", "config_sentence_transformers.json")
_UNLIMITED = 1_000_000
"""A tokenizer that states a limit of more tokens than this has no limit."""

_POOLING_MODES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""The names of the ways of pooling in older folders, in the order in which several are joined."""

_GRAPHS_ON_ARM = ("model_qint8_arm64.onnx",)
_GRAPHS_ON_INTEL = ("model_quint8_avx2.onnx",)
"""The products of this graph are exact on every processor; other 8-bit ones may overflow."""

_PORTABLE_GRAPHS = (
    "model_qint8.onnx",
    "model_quantized.onnx",
    "model_int8.onnx",
    "model_uint8.onnx",
)
_OTHER_GRAPHS = ("model_qint8_avx512_vnni.onnx",)
"""The products of this graph may overflow on Intel processors without VNNI; a float graph is four
times as large."""

_FLOAT_GRAPHS = ("model.onnx", "model_O3.onnx", "model_O2.onnx", "model_O1.onnx", "model_fp16.onnx")
_PROMPTS_OF = {
    r"\be5-(small|base|large)": ("query: ", "passage: "),
    r"\bbge-(small|base|large)-en": (
        "Represent this sentence for searching relevant passages: ",
        "",
    ),
}
"""Prompts of queries and of passages, for models whose folders do not contain them, by a regular
expression for the model's name."""

_ON_CARD = re.compile(r"^model-index:\s+- name: [\"']?([\w./-]+)", re.MULTILINE)
_CARD = 1 << 14
"""A model's name is looked for in this many first bytes of its card."""

_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")

_LARGEST = 1 << 22
"""Maximum bytes of a description: the list of special tokens of some models has a million."""

_BLOCK = 1 << 20

MISREAD = (OSError, ValueError, TypeError, AttributeError, LookupError, OverflowError)
"""The exceptions of reading a description that is damaged or holds values of another kind."""


class Engine(StrEnum):
    """A library that runs models."""

    ONNX = "ONNX Runtime"
    TORCH = "sentence-transformers"


@dataclass(frozen=True, slots=True)
class Step:
    """One step by which a model makes a vector, a module of sentence-transformers.

    Attributes:
        kind: The name of its class, such as ``Pooling``.
        folder: The folder with its own files.
    """

    kind: str
    folder: Path


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a model's folder says about the model.

    Attributes:
        weights: The safetensors file, or the list of several; None if there is none.
        window: How many tokens a text may have, including the special tokens.
        pooling: How token vectors become one vector, unless the graph does that. With several ways,
            their vectors are concatenated.
        pools_prompt: Whether pooling includes the tokens of the prompt.
        dimensions: How many numbers a vector has; 0 if unknown.
        kept_dimensions: How many numbers of a vector to keep; 0 for all.
        fingerprint: Identifies the model and its engine: a hash of the files that decide its
            vectors.
    """

    path: Path
    engine: Engine
    graph: Path | None
    weights: Path | None
    steps: tuple[Step, ...]
    window: int
    pooling: tuple[str, ...]
    pools_prompt: bool
    dimensions: int
    kept_dimensions: int
    lower_case: bool
    query_prompt: str
    passage_prompt: str
    fingerprint: str

    @classmethod
    def read(cls, path: Path, engine: Engine | None = None) -> Self:
        """Read the descriptions in a folder, for ``engine`` or the best one on this computer.

        Raises:
            ModelError: The folder is missing or damaged, has no model, or has a model that this
                program cannot run.
        """
        if not path.is_dir():
            raise ModelError("model_folder_missing", folder=str(path))
        try:
            return cls._read(path, engine)
        except FileNotFoundError as error:
            if not any((path / name).exists() for name in ("modules.json", "tokenizer.json")):
                raise ModelError("model_not_in_folder", folder=str(path)) from error
            missing = f"{Path(str(error.filename)).name} is missing"
            raise ModelError("model_damaged", file=str(path), error=missing) from error
        except MISREAD as error:
            raise ModelError("model_damaged", file=str(path), error=str(error)) from error

    @classmethod
    def _read(cls, path: Path, engine: Engine | None) -> Self:
        from notesearch.embedding.torch_engine import has_gpu  # which imports this module

        steps = read_steps(path)
        check_files(path)
        graph = find_graph(path)
        weights = find_weights(path)
        if graph is None and weights is None:
            raise unusable(path, Sentence("model_without_weights"))
        engine = engine or choose_engine(graph, weights, steps, has_gpu=has_gpu)
        limits = read_json(path / "sentence_bert_config.json")
        described = read_json(path / "config_sentence_transformers.json")
        pooling_steps = (step for step in steps if step.kind == "Pooling")
        pooling = next((read_json(step.folder / "config.json") for step in pooling_steps), {})
        query, passage = _prompts(described, model_name(path))
        return cls(
            path=path,
            engine=engine,
            graph=graph,
            weights=weights,
            steps=steps,
            window=_window(path, limits),
            pooling=_pooling(path, pooling),
            pools_prompt=bool(pooling.get("include_prompt", True)),
            dimensions=_dimensions(path, steps, pooling),
            kept_dimensions=int(described.get("truncate_dim") or 0),
            lower_case=bool(limits.get("do_lower_case")),
            query_prompt=query,
            passage_prompt=passage,
            fingerprint=_fingerprint(path, graph if engine is Engine.ONNX else weights, steps),
        )


def model_path(name_or_folder: str, *places: Path) -> Path:
    """Return the folder of a model, given its name in one of ``places`` or the folder itself."""
    name = folder_name(name_or_folder)
    is_name = bool(name.strip("."))  # "." and ".." would be the folder of all models, or one above
    installed = (place / name for place in places if is_name)
    folder = expanded(name_or_folder)
    return next((path for path in installed if path.is_dir()), folder)


def own_name(path: Path | str) -> str:
    """Return the last part of the absolute path; in Hugging Face's cache, the model's name."""
    own = Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its own name
    is_cached = own.parent.name == "snapshots"
    return own.parent.parent.name.removeprefix("models--") if is_cached else own.name


def model_name(path: Path) -> str:
    """Return the name of the model in the folder ``path``: the name of the folder.

    If only the name on the model's card is in ``_PROMPTS_OF``, it is that one.
    """
    name = own_name(path)
    if any(_known_prompts(name)):
        return name
    try:
        with files.open_ordinary(path / "README.md") as card:
            named = _ON_CARD.search(card.read(_CARD).decode(errors="replace"))
    except OSError:
        return name
    return folder_name(named[1]) if named and any(_known_prompts(named[1])) else name


def folder_name(name: str) -> str:
    """Return the name of the folder in which the model ``owner/name`` is installed."""
    return name.replace("/", "--")


def choose_engine(
    graph: Path | None, weights: Path | None, steps: Sequence[Step], *, has_gpu: Callable[[], bool]
) -> Engine:
    """Return the engine for a model with these files and steps.

    ONNX Runtime starts at once and is faster on a CPU. sentence-transformers runs the others, and,
    on a computer with a GPU, those with weights.
    """
    if weights is None:
        return Engine.ONNX
    if graph is None or any(step.kind not in ONNX_STEPS for step in steps):
        return Engine.TORCH
    return Engine.TORCH if has_gpu() else Engine.ONNX


def graph_paths() -> Iterator[str]:
    """Yield the paths that an ONNX file may have in its folder, the fastest here first."""
    arm = platform.machine().lower() in {"arm64", "aarch64"}
    own = _GRAPHS_ON_ARM if arm else _GRAPHS_ON_INTEL
    for name in (*_PORTABLE_GRAPHS, *own, *_OTHER_GRAPHS, *_FLOAT_GRAPHS):
        yield from (f"onnx/{name}", name)


def check_files(path: Path) -> None:
    """Refuse a model's folder that holds anything but files, folders and links to those in it.

    An engine would wait forever for a pipe, and never finish reading a device. Hugging Face's cache
    keeps the files beside the folders that link to them.

    Raises:
        ModelError: The folder holds something else, which the sentence names.
    """
    own = path.resolve()
    allowed = [own, own.parent.with_name("blobs")] if own.parent.name == "snapshots" else [own]
    for folder, folders, names in os.walk(own):
        for file in (Path(folder, name) for name in (*folders, *names)):
            try:
                mode = file.stat().st_mode
            except OSError:
                continue  # a link to nothing, which no engine can open
            name = str(file.relative_to(own))
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                raise unusable(path, Sentence("model_file_special", name=name))
            if file.is_symlink() and not any(map(file.resolve().is_relative_to, allowed)):
                raise unusable(path, Sentence("model_link_outside", name=name))


def unusable(folder: Path, reason: Sentence) -> ModelError:
    """Return the error that the model in ``folder`` cannot be used."""
    return ModelError("model_unusable", folder=str(folder), reason=reason)


def size_of(folder: Path) -> int:
    """Return the size of all files in ``folder`` and its subfolders, in bytes."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def take_place(draft: Path, target: Path) -> None:
    """Rename the folder ``draft`` to ``target``; an old ``target`` is deleted afterwards.

    Raises:
        OSError: A folder cannot be renamed; both are as before.
    """
    former = target.with_name(f".{target.name}.old")
    _delete(former)
    with contextlib.suppress(FileNotFoundError):
        target.rename(former)
    try:
        draft.rename(target)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            former.rename(target)
        raise
    _delete(former)


def _delete(path: Path) -> None:
    if path.is_symlink():
        path.unlink()
    else:
        shutil.rmtree(path, ignore_errors=True)


def find_graph(path: Path) -> Path | None:
    """Return the fastest ONNX file of a model's folder, or None if there is none."""
    return next((path / name for name in graph_paths() if (path / name).is_file()), None)


def find_weights(path: Path) -> Path | None:
    """Return the safetensors file of a model's folder, or their list; None without any."""
    return next((path / name for name in _WEIGHTS if (path / name).is_file()), None)


def read_json(file: Path) -> dict[str, Any]:
    """Return the object in a JSON file; an empty one if there is no file.

    Raises:
        ModelError: The file holds something else.
    """
    if not file.exists():
        return {}
    content = files.read_json(file, _LARGEST)
    if not isinstance(content, dict):
        raise ModelError("model_damaged", file=str(file), error="not a JSON object")
    return content


def read_steps(path: Path) -> tuple[Step, ...]:
    """Return the steps of the model in the folder ``path``.

    Raises:
        ModelError: The model needs code of its own, or refers to a file outside the folder.
        ValueError: The list of steps is damaged.
    """
    steps = []
    for module in cast("list[dict[str, Any]]", files.read_json(path / "modules.json")):
        name = str(module["type"])
        library, _, kind = name.rpartition(".")
        if library.split(".")[0] != _LIBRARY:
            raise unusable(path, Sentence("model_needs_unknown", name=name))
        folder = PurePosixPath(str(module.get("path") or ""))
        if folder.is_absolute() or ".." in folder.parts or "\\" in str(folder):
            raise unusable(path, Sentence("model_points_outside", path=str(folder)))
        steps.append(Step(kind, path / folder))
    return tuple(steps)


def _window(path: Path, limits: dict[str, Any]) -> int:
    known = [limits.get("max_seq_length")]
    if not known[0]:
        config = read_json(path / "config.json")
        tokenizer = read_json(path / "tokenizer_config.json")
        known = [config.get("max_position_embeddings"), tokenizer.get("model_max_length")]
    window = min((int(limit) for limit in known if limit and limit < _UNLIMITED), default=WINDOW)
    if window < 1:
        raise ValueError(f"a window of {window} tokens")
    return window


def _prompts(described: dict[str, Any], name: str) -> tuple[str, str]:
    prompts = described.get("prompts") or {}
    if not prompts:
        return _known_prompts(name)
    default = str(prompts.get(described.get("default_prompt_name")) or "")
    query = prompts.get("query")
    passage = next((prompts[n] for n in ("document", "passage", "corpus") if n in prompts), None)
    return (default if query is None else str(query), default if passage is None else str(passage))


def _known_prompts(name: str) -> tuple[str, str]:
    return next((both for regex, both in _PROMPTS_OF.items() if re.search(regex, name)), ("", ""))


def _pooling(path: Path, described: dict[str, Any]) -> tuple[str, ...]:
    named = described.get("pooling_mode")
    if isinstance(named, str):
        named = [named]
    modes = tuple(named or [mode for key, mode in _POOLING_MODES.items() if described.get(key)])
    for mode in modes:
        if mode not in _POOLING_MODES.values():
            raise unusable(path, Sentence("model_needs_unknown", name=str(mode)))
    return modes or ("mean",)


def _dimensions(path: Path, steps: tuple[Step, ...], pooling: dict[str, Any]) -> int:
    of_token = pooling.get("embedding_dimension") or pooling.get("word_embedding_dimension") or 0
    dimensions = int(of_token) * len(_pooling(path, pooling))
    for step in steps:
        if step.kind == "Dense":
            layer = read_json(step.folder / "config.json")
            dimensions = int(layer.get("out_features") or dimensions)
    return dimensions


def _fingerprint(path: Path, main: Path | None, steps: tuple[Step, ...]) -> str:
    """Return the model's name and a hash of ``main`` and other files that decide its vectors."""
    digest = hashlib.sha256()
    parts = [path / "tokenizer.json", path / "modules.json"]
    parts += [s.folder / "config.json" for s in steps if s.kind == "Pooling"]
    parts += [path / name for name in _DESCRIPTIONS]
    layers = [s.folder for s in steps if s.kind not in {"Transformer", "Pooling", "Normalize"}]
    parts += [file for folder in layers for file in sorted(folder.glob("*")) if folder != path]
    if main is not None:
        parts = [main, *_external_data(main), *parts]
    for file in parts:
        if file.is_file():
            _hash_file(file, digest)
    name = model_name(path)
    digest.update("".join(_known_prompts(name)).encode())
    return f"{name}-{digest.hexdigest()[:32]}"


def _external_data(main: Path) -> list[Path]:
    if main.suffix == ".json":
        parts = cast("dict[str, Any]", files.read_json(main, _LARGEST))["weight_map"].values()
        return [main.with_name(Path(name).name) for name in sorted(set(parts))]
    names = (f"{main.name}_data", f"{main.name}.data")
    return [main.with_name(name) for name in names if main.with_name(name).is_file()]


def _hash_file(file: Path, digest: "hashlib._Hash") -> None:
    """Add a file's name, size and content to ``digest``; over 32 MB, only 32 blocks of 1 MB."""
    size = file.stat().st_size
    digest.update(f"{file.name} {size} ".encode())
    step = max(_BLOCK, size // 32)
    with files.open_ordinary(file) as content:
        for start in range(0, size, step):
            content.seek(start)
            digest.update(content.read(_BLOCK))


# The tokenizer

LONGEST_TOKEN = 64
"""Maximum characters of a token. So a tokenizer need not read text far beyond the window."""

_LONGEST_PASSAGE = 512
"""Maximum tokens of a passage, which should have one subject, even if the model reads thousands."""

_SPECIAL_TOKENS = 2
"""Special tokens for which the cutting of passages already leaves room."""

_LONG_TEXT = 1 << 12

_LARGEST_TOKENIZER = 1 << 27
"""Maximum bytes of a tokenizer's file; those for a hundred languages have 17 to 35 million."""


class ModelTokenizer:
    """Splits texts into tokens. All threads may use it at once."""

    def __init__(self, file: Path, limit: int, *, lower_case: bool = False) -> None:
        """Load the tokenizer in ``file``; a text may have ``limit`` tokens, all included.

        Raises:
            ModelError: The file is missing or damaged.
        """
        self._tokenizer = _load_tokenizer(file)
        self._limit = limit
        self._lower_case = lower_case
        self.special_tokens = self._tokenizer.num_special_tokens_to_add(is_pair=False)

    @classmethod
    def of_folder(cls, folder: ModelFolder) -> Self:
        """Load the tokenizer of an embedding model; raises ModelError."""
        return cls(folder.path / "tokenizer.json", folder.window, lower_case=folder.lower_case)

    def count(self, text: str) -> int:
        """Return how many tokens ``text`` has, without special tokens."""
        return len(self._encode(text).ids)

    def encoding(self, text: str) -> "Encoding":
        """Return the tokens of ``text`` up to the limit, with the special tokens."""
        encoding = self._encode(text[: LONGEST_TOKEN * self._limit])
        encoding.truncate(max(1, self._limit - self.special_tokens))
        return self._tokenizer.post_process(encoding)

    def encode_pair(self, first: str, second: str) -> "Encoding":
        """Return the tokens of two texts up to the limit; ``first`` gets at most half of it."""
        first_tokens = self._encode(first[: LONGEST_TOKEN * self._limit])
        room = self._limit - self._tokenizer.num_special_tokens_to_add(is_pair=True)
        first_tokens.truncate(max(1, room // 2))
        second_tokens = self._encode(second[: LONGEST_TOKEN * self._limit])
        second_tokens.truncate(max(1, room - len(first_tokens.ids)))
        return self._tokenizer.post_process(first_tokens, second_tokens)

    def prompt_tokens(self, prompt: str) -> int:
        """Return how many tokens stand before a text: those of ``prompt`` and special tokens."""
        mask = self._tokenizer.post_process(self._encode(prompt)).special_tokens_mask
        while mask and mask[-1]:
            mask = mask[:-1]
        return len(mask)

    def _encode(self, text: str) -> "Encoding":
        clean = text.encode("utf-8", "replace").decode()  # lone surrogates are not characters
        if self._lower_case:
            clean = clean.lower()
        if len(clean) < _LONG_TEXT:
            return self._tokenizer.encode(clean, add_special_tokens=False)
        # Only this call releases Python's lock.
        return self._tokenizer.encode_batch_fast([clean], add_special_tokens=False)[0]


def passage_window(folder: ModelFolder, tokenizer: ModelTokenizer) -> int:
    """Return how many tokens a passage may have to fit into the model together with its prompt."""
    prompt = tokenizer.count(folder.passage_prompt) if folder.passage_prompt else 0
    more_special = max(0, tokenizer.special_tokens - _SPECIAL_TOKENS)
    return min(folder.window, _LONGEST_PASSAGE) - prompt - more_special


def _load_tokenizer(file: Path) -> "Tokenizer":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from tokenizers import Tokenizer
    except (ImportError, OSError) as error:
        reason = " ".join(str(error).split())
        raise ModelError("library_unloadable", library="tokenizers", error=reason) from error
    try:
        tokenizer = Tokenizer.from_buffer(files.read_bytes(file, _LARGEST_TOKENIZER))
    except Exception as error:  # the library raises nothing narrower
        raise ModelError("model_damaged", file=str(file), error=str(error)) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
