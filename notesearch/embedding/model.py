"""What turns text into vectors: the protocol every engine fulfils, and the choice of one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from notesearch.embedding.folder import ModelFolder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """A loaded embedding model; any thread may use it at any time.

    Attributes:
        fingerprint: Changes when vectors are no longer comparable.
        dimensions: Numbers in a vector.
        window: Word pieces a passage may have, special pieces included; what lies beyond is not
            embedded.
    """

    fingerprint: str
    dimensions: int
    window: int

    def count_pieces(self, text: str) -> int:
        """Return how many word pieces ``text`` has, however long it is, without special pieces."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one vector of unit length per text, shape ``(len(texts), dimensions)``."""
        ...

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Return the vector of a search text, shape ``(dimensions,)``, unit length."""
        ...


def load_embedder(name_or_folder: str, models: Path) -> Embedder:
    """Load the model of a name in ``models``, or of a folder anywhere; never uses a network.

    Raises:
        ModelError: It is not there, damaged, or of a kind that cannot be used.
    """
    from notesearch.embedding.onnx_engine import OnnxEmbedder

    here = models / name_or_folder
    path = here if here.is_dir() else Path(name_or_folder).expanduser()
    return OnnxEmbedder(ModelFolder.read(path))
