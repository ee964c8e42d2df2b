"""Has passages embedded: what waits for its vector, and all of it again for another model."""

from collections.abc import Callable

from notesearch.embedding.model import Embedder, batch_of
from notesearch.index.changes import Stopped
from notesearch.markdown.sections.chunking import chunk, heading_paths
from notesearch.markdown.sections.measured_text import TokenCounts
from notesearch.status import Phase, Progress
from notesearch.store.next_model import ChunkedNote
from notesearch.store.writer import Writer

_NOTES = 20
"""Notes that are cut anew for another model in one transaction."""


class Meaning:
    """Makes vectors with one model; lives in the thread that indexes."""

    def __init__(self, writer: Writer, embedder: Embedder, counts: TokenCounts) -> None:
        """Take the store's writer and the model, and how that counts word pieces."""
        self._writer = writer
        self._embedder = embedder
        self._counts = counts
        self.has_switched = False

    def embed(self, progressed: Callable[[Progress], None], stopped: Stopped) -> int:
        """Embed what waits, in small batches, until done or ``stopped()``.

        Returns how many passages; heading paths wait, and are done, with them. A model that has
        all its vectors then takes over.
        """
        if self._writer.vectors.problem:
            return 0
        self._cut_for_next(stopped)
        total, done, passages = self._writer.vectors.pending_count(), 0, 0
        while done < total and not stopped():
            progressed(Progress(Phase.MEANING, done, total))
            batch = self._writer.vectors.pending(batch_of(self._embedder))
            if not batch:
                break
            vectors = self._embedder.embed_passages([text for _, text in batch])
            passages += self._writer.vectors.put([id_ for id_, _ in batch], vectors)
            done += len(batch)
        self.has_switched = self._writer.vectors.finish_switch()
        return passages

    def _cut_for_next(self, stopped: Stopped) -> None:
        """Cut the notes as the model reads them that is to take over; their text is indexed."""
        model = self._counts, self._embedder.window
        while not stopped() and (notes := self._writer.vectors.unchunked(_NOTES)):
            self._writer.vectors.put_chunked(
                ChunkedNote(id_, chunk(note, *model), heading_paths(note, *model))
                for id_, note in notes
            )
