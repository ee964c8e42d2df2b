"""Measures one model in a process of its own; what is asked and found are JSON on the pipes."""

import json
import sys
import time
from pathlib import Path

from notesearch.embedding.model import engine_of, load_embedder
from notesearch.errors import ModelError

_QUERIES = 20


def main() -> None:
    """Read folder and texts from standard input, write what was measured to standard output."""
    asked = json.load(sys.stdin)
    texts = asked["texts"]
    started = time.perf_counter()
    try:
        model = load_embedder(asked["path"], Path())
        loaded = time.perf_counter()
        vectors = model.embed_passages(texts)
        embedded = time.perf_counter()
        for text in texts[:_QUERIES]:
            model.embed_query(text[:60])
        ended = time.perf_counter()
    except ModelError as error:
        sys.exit(str(error))
    found = {
        "engine": engine_of(model),
        "load_s": loaded - started,
        "passages_per_s": len(texts) / max(embedded - loaded, 1e-9),
        "query_ms": 1000 * (ended - embedded) / max(1, min(_QUERIES, len(texts))),
        "memory_mb": _memory() / 2**20,
        "vectors": [[round(float(n), 5) for n in row] for row in vectors],
    }
    json.dump(found, sys.stdout)


def _memory() -> int:
    """Return the most memory that this process had, in bytes; 0 where that is not told."""
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


if __name__ == "__main__":
    main()
