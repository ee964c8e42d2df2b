"""The built-in model, with the vectors that it has made in this run of the tests."""

import hashlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from notesearch.embedding.embedder import Embedder, piece_embedding

Vectors = NDArray[np.float32]


class CachedEmbedder:
    """A model that embeds no text twice, in all processes that share a folder: an ``Embedder``."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self.fingerprint, self.dimensions = embedder.fingerprint, embedder.dimensions
        self.window, self.count_tokens = embedder.window, embedder.count_tokens
        self._embedder, self._folder = embedder, folder
        self._make_pieces = piece_embedding(embedder)
        folder.mkdir(exist_ok=True)

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the model, such as the name of its engine."""
        return getattr(self._embedder, name)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        files = [self._file("passage", text) for text in texts]
        named = dict(zip(files, texts, strict=True))
        with FileLock(self._folder / "lock"):  # another process may be at the same texts
            fresh = [file for file in named if not file.exists()]
            made = self._embedder.embed_passages([named[file] for file in fresh]) if fresh else ()
            for file, vector in zip(fresh, made, strict=True):
                _save(file, vector)
        return np.array([np.load(file) for file in files], np.float32).reshape(len(texts), -1)

    def embed_query(self, text: str) -> Vectors:
        file = self._file("query", text)
        if not file.exists():
            _save(file, self._embedder.embed_query(text))
        vector: Vectors = np.load(file)
        return vector

    def embed_pieces(self, texts: Sequence[str]) -> list[Vectors]:
        files = [self._file("pieces", text) for text in texts]
        fresh = {file: text for file, text in zip(files, texts, strict=True) if not file.exists()}
        assert self._make_pieces
        for file, pieces in zip(fresh, self._make_pieces(list(fresh.values())), strict=True):
            _save(file, pieces)
        return [np.load(file) for file in files]

    def _file(self, kind: str, text: str) -> Path:
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16)
        return self._folder / f"{kind}-{digest.hexdigest()}.npy"


def _save(file: Path, vector: Vectors) -> None:
    new = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    with new.open("wb") as opened:
        np.save(opened, vector)
    new.replace(file)
