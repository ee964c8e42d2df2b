"""The vectors of several models in one index."""

from notesearch.index.vault_index import VaultIndex
from notesearch.status import ModelVectors


class VectorSets:
    """Lists and deletes the vectors of each model in one index."""

    def __init__(self, index: VaultIndex) -> None:
        self._index = index

    def all(self) -> tuple[ModelVectors, ...]:
        """Return the models that have vectors, the one to search by first.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        with self._index.reading() as reader:
            return reader.vectors.models()

    def sample(self, limit: int) -> tuple[str, ...]:
        """Return the texts of some passages to compare models on; raises as ``all`` does."""
        with self._index.reading() as reader:
            return reader.vectors.sample(limit)

    def forget(self, fingerprint: str) -> None:
        """Delete the vectors of a model that is no longer searched by.

        A window that watches the folder lets go of the index in the meantime.

        Raises:
            IndexBusyError: Another program is repairing the index, or does not let go of it.
        """
        with self._index.claimed():
            self._index.forget_model(fingerprint)
