"""Cuts notes into the texts that the embedder reads."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from notesearch.embedding.embedder import Embedder
from notesearch.embedding.two_models import marked, reader_of
from notesearch.markdown.bounds import Check, never_cancel
from notesearch.notes import HeadingPath, Note, Passage, ReadAs

if TYPE_CHECKING:
    from notesearch.markdown.sections.passage_cutting import TokenCounts


class NoteCutter:
    """Cuts each note by the tokens and the window of the model that reads its language."""

    def __init__(self, embedder: Embedder, read_as: ReadAs) -> None:
        self._embedder = embedder
        self._read_as = read_as
        self._counts: dict[str, TokenCounts] = {}

    def cut(
        self, note: Note, check: Check = never_cancel
    ) -> tuple[Sequence[Passage], Sequence[HeadingPath]]:
        """Return the passages and the heading paths of ``note``; ``check`` is called meanwhile."""
        from notesearch.markdown.sections.passage_cutting import (  # usually nothing changed
            TokenCounts,
            cut_into_passages,
            heading_paths,
        )

        model = reader_of(self._embedder, note.language)
        if model.fingerprint not in self._counts:
            self._counts[model.fingerprint] = TokenCounts(model.count_tokens)
        how = self._counts[model.fingerprint], self._read_as.window(model.window), check
        passages = cut_into_passages(note, *how, overlap=self._read_as.overlap_words)
        paths = heading_paths(note, *how)
        if model is self._embedder:
            return passages, paths

        def named(text: str) -> str:
            return marked(self._embedder, note.language, text)

        return (
            [replace(passage, text=named(passage.text)) for passage in passages],
            [replace(path, text=named(path.text)) for path in paths],
        )
