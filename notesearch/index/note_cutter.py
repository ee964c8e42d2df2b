"""Cuts notes into the texts that the embedder embeds."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from notesearch.embedding.embedder import Embedder
from notesearch.embedding.two_models import TwoModels, marked, reader_of
from notesearch.markdown.bounds import Check, never_cancel
from notesearch.markdown.sections.language_detection import section_language
from notesearch.notes import HeadingPath, Note, Passage, ReadAs

if TYPE_CHECKING:
    from notesearch.markdown.sections.passage_cutting import TokenCounts

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
        readers = [reader_of(self._embedder, language) for language in languages]

        def named(text: Text) -> Text:
            return replace(text, text=marked(self._embedder, languages[text.section], text.text))

        passages: list[Passage] = []
        paths: list[HeadingPath] = []
        for model in dict.fromkeys(readers):
            all_passages, all_paths = self._cut_for(model, note, check)
            passages += [named(text) for text in all_passages if readers[text.section] is model]
            paths += [named(text) for text in all_paths if readers[text.section] is model]
        return sorted(passages, key=attrgetter("section", "index")), paths

    def _cut_for(
        self, model: Embedder, note: Note, check: Check
    ) -> tuple[Sequence[Passage], Sequence[HeadingPath]]:
        """Return the passages and the heading paths of ``note`` for ``model``."""
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
