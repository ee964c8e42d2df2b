"""Measures one model in a process of its own; reads and writes JSON on the standard streams."""

import json
import sys
import time
from pathlib import Path

from notesearch.embedding.embedder import engine_name
from notesearch.embedding.model_loader import load_embedder
from notesearch.errors import ModelError

_QUERIES = 20
_QUERY_LENGTH = 60


def main() -> None:
    """Read the model's folder and some texts from standard input; print the measurements."""
    order = json.load(sys.stdin)
    texts = order["texts"]
    started = time.perf_counter()
    try:
        model = load_embedder(order["path"], Path())
        loaded = time.perf_counter()
        vectors = model.embed_passages(texts)
        embedded = time.perf_counter()
        for text in texts[:_QUERIES]:
            model.embed_query(text[:_QUERY_LENGTH])
        ended = time.perf_counter()
    except ModelError as error:
        json.dump({"error": error.sentence.to_json()}, sys.stdout)
        sys.exit(1)
    measurements = {
        "engine": engine_name(model),
        "load_s": loaded - started,
        "passages_per_s": len(texts) / max(embedded - loaded, 1e-9),
        "query_ms": 1000 * (ended - embedded) / max(1, min(_QUERIES, len(texts))),
        "memory_mb": _peak_memory() / 2**20,
        "vectors": [[round(float(n), 5) for n in row] for row in vectors],
    }
    json.dump(measurements, sys.stdout)


def _peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    main()
