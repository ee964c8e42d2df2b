"""Embeds the passages that wait for a vector, and all of them again for another model."""

from collections.abc import Callable

from notesearch.embedding.embedder import Embedder, batch_size
from notesearch.index.reconciliation import Stopped
from notesearch.markdown.sections.chunking import TokenCounts, chunk, heading_paths
from notesearch.notes import ReadAs
from notesearch.status import Phase, Progress
from notesearch.store.next_model import ChunkedNote
from notesearch.store.writer import Writer

_NOTES = 20
"""Notes to chunk for another model in one transaction."""


class EmbeddingQueue:
    """Makes vectors with one model, in the indexing thread.

    Attributes:
        has_switched: The last call of ``embed`` made this model the one to search by.
    """

    def __init__(
        self, writer: Writer, embedder: Embedder, counts: TokenCounts, read_as: ReadAs
    ) -> None:
        self._writer = writer
        self._embedder = embedder
        self._counts = counts
        self._read_as = read_as
        self.has_switched = False

    def embed(self, progressed: Callable[[Progress], None], stopped: Stopped) -> int:
        """Embed passages and heading paths in batches until none waits, or until ``stopped()``.

        Returns the number of passages. A new model that has all its vectors replaces the old one.
        """
        if self._writer.vectors.problem:
            return 0
        self._chunk_for_new_model(stopped)
        total, done, passages = self._writer.vectors.pending_count(), 0, 0
        while done < total and not stopped():
            progressed(Progress(Phase.MEANING, done, total))
            batch = self._writer.vectors.pending(batch_size(self._embedder))
            if not batch:
                break
            vectors = self._embedder.embed_passages([text for _, text in batch])
            passages += self._writer.vectors.put([id_ for id_, _ in batch], vectors)
            done += len(batch)
        self.has_switched = self._writer.vectors.finish_switch()
        return passages

    def _chunk_for_new_model(self, stopped: Stopped) -> None:
        """Chunk the indexed notes for a model that is to replace the current one."""
        model = self._counts, self._read_as.window(self._embedder.window)
        overlap = self._read_as.overlap_words
        while not stopped() and (notes := self._writer.vectors.unchunked(_NOTES)):
            self._writer.vectors.put_chunked(
                ChunkedNote(id_, chunk(note, *model, overlap=overlap), heading_paths(note, *model))
                for id_, note in notes
            )
