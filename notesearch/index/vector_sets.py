"""The vectors of several models in one index: how large they are, and removing them."""

from notesearch.index.vault_index import VaultIndex
from notesearch.status import ModelVectors


class VectorSets:
    """What one index has of each model."""

    def __init__(self, index: VaultIndex) -> None:
        """Take the index."""
        self._index = index

    def all(self) -> tuple[ModelVectors, ...]:
        """Return which models have vectors, the searched one first.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        with self._index.reading() as reader:
            return reader.vectors.models()

    def sample(self, limit: int) -> tuple[str, ...]:
        """Return the texts of some passages, to compare models on; raises as ``all`` does."""
        with self._index.reading() as reader:
            return reader.vectors.sample(limit)

    def forget(self, fingerprint: str) -> None:
        """Delete the vectors that are kept of a model that is not searched any more.

        A window that watches the folder stands aside meanwhile.

        Raises:
            IndexBusyError: Another program repairs the index, or does not let it go.
        """
        with self._index.claimed():
            self._index.forget_model(fingerprint)
