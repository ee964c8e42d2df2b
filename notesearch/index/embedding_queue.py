"""Cuts notes into the texts that a model embeds, and makes the vectors of waiting texts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from notesearch.embedding.embedder import (
    UNRELATED,
    Embedder,
    TwoModels,
    batch_size,
    marked,
    model_of,
)
from notesearch.markdown.bounds import Check, never_cancel
from notesearch.markdown.sections.language_detection import section_language
from notesearch.notes import HeadingPath, Note, Passage, ReadAs
from notesearch.status import Phase, Progress
from notesearch.store.writer import Writer

if TYPE_CHECKING:
    from notesearch.markdown.sections.passage_cutting import TokenCounts

Progressed = Callable[[Progress], None]
Stopped = Callable[[], bool]

_NOTES = 20
Text = TypeVar("Text", Passage, HeadingPath)


class NoteCutter:
    """Cuts each section to the window of the model that embeds its language."""

    def __init__(self, embedder: Embedder, read_as: ReadAs) -> None:
        self._embedder = embedder
        self._read_as = read_as
        self._counts: dict[str, TokenCounts] = {}

    def cut(
        self, note: Note, check: Check = never_cancel
    ) -> tuple[Sequence[Passage], Sequence[HeadingPath]]:
        """Return the passages and the heading paths of ``note``; calls ``check`` in between."""
        if not isinstance(self._embedder, TwoModels):
            return self._cut_for(self._embedder, note, check)
        languages = [
            section_language(note.language, (section.heading, section.text))
            for section in note.sections
        ]
        models = [model_of(self._embedder, language) for language in languages]

        def named(text: Text) -> Text:
            return replace(text, text=marked(self._embedder, languages[text.section], text.text))

        passages: list[Passage] = []
        paths: list[HeadingPath] = []
        for model in dict.fromkeys(models):
            all_passages, all_paths = self._cut_for(model, note, check)
            passages += [named(text) for text in all_passages if models[text.section] is model]
            paths += [named(text) for text in all_paths if models[text.section] is model]
        return sorted(passages, key=attrgetter("section", "index")), paths

    def _cut_for(
        self, model: Embedder, note: Note, check: Check
    ) -> tuple[Sequence[Passage], Sequence[HeadingPath]]:
        from notesearch.markdown.sections.passage_cutting import (  # usually nothing changed
            TokenCounts,
            cut_into_passages,
            heading_paths,
        )

        if model.fingerprint not in self._counts:
            self._counts[model.fingerprint] = TokenCounts(model.count_tokens)
        how = self._counts[model.fingerprint], self._read_as.window(model.window), check
        passages = cut_into_passages(note, *how, overlap=self._read_as.overlap_words)
        return passages, heading_paths(note, *how)


class EmbeddingQueue:
    """Makes vectors with one model, in the indexing thread.

    The texts of the last change come first, because a person may be waiting for them. Among them,
    the texts of huge notes come last. After ``embed``, ``has_switched`` says whether this model has
    become the one to search by.
    """

    def __init__(self, writer: Writer, embedder: Embedder, cutter: NoteCutter) -> None:
        self._writer = writer
        self._embedder = embedder
        self._cutter = cutter
        self._interrupted_at: list[int] = []
        self.has_switched = False

    def embed(self, progressed: Progressed, stopped: Stopped) -> int:
        """Embed until no text waits, or until ``stopped()``; return how many passages."""
        if self._writer.vectors.problem:
            return 0
        self._cut_for_new_model(stopped)
        self._measure_center()
        total = self._writer.vectors.pending_count()
        done = 0
        passages = 0
        # A long embedding that was interrupted goes on where it was. Counting takes a moment.
        is_long = total > batch_size(self._embedder)
        made = self._writer.vectors.made_count() if is_long else 0
        while done < total and not stopped():
            progressed(Progress(Phase.MEANING, made + done, made + total))
            batch = self._next_batch()
            if not batch:
                break
            vectors = self._embedder.embed_passages([text for _, text in batch])
            passages += self._writer.vectors.put([id_ for id_, _ in batch], vectors)
            done += len(batch)
            self._measure_cosines(growing=True)
        if done < total:
            self._interrupted_at.append(self._writer.vectors.newest_pending())
        if not stopped():  # measuring would delay the end
            self._measure_cosines()
        self.has_switched = self._writer.vectors.finish_switch()
        return passages

    def _next_batch(self) -> list[tuple[int, str]]:
        waiting = self._writer.vectors
        size = batch_size(self._embedder)
        while self._interrupted_at:
            batch = waiting.pending(size, after=self._interrupted_at[-1])
            if batch:
                return batch
            self._interrupted_at.pop()
        return waiting.pending(size)

    def _measure_center(self) -> None:
        """Store the mean of the vectors of unrelated texts, before the first vector is stored."""
        writer = self._writer.vectors
        if writer.needs_center():
            writer.put_center(self._embedder.embed_passages(UNRELATED).mean(axis=0))

    def _measure_cosines(self, *, growing: bool = False) -> None:
        """Measure the model's cosines if that is due, as ``VectorWriter.range_sample`` says."""
        sample = self._writer.vectors.range_sample(growing=growing)
        if sample is None:
            return
        import numpy as np

        queries, english = (
            np.stack([self._embedder.embed_query(text) for text in texts])
            for texts in (sample.headings, UNRELATED)
        )
        paths = self._embedder.embed_passages(sample.heading_paths)
        of_paths = self._writer.vectors.path_cosines(queries, paths)
        self._writer.vectors.put_ranges(sample, sample.measure(queries, of_paths, english))

    def _cut_for_new_model(self, stopped: Stopped) -> None:
        while not stopped() and (notes := self._writer.vectors.uncut_notes(_NOTES)):
            self._writer.vectors.put_cut_notes(
                (id_, *self._cutter.cut(note)) for id_, note in notes
            )
