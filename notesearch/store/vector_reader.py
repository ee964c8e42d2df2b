"""Finds passages by meaning, and knows which model made the vectors.

The cosines of all models are converted to the range of the built-in model.
"""

import json
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple, cast

from notesearch.config import BUILTIN_DIMENSIONS, PAIR_PREFIX
from notesearch.messages import Sentence
from notesearch.status import ModelVectors
from notesearch.store import vectors
from notesearch.store.conditions import Condition
from notesearch.store.cosine_ranges import BESIDE, USUAL, CosineRanges, ranges_key
from notesearch.store.db import IndexState
from notesearch.store.row_reader import RowReader
from notesearch.store.rows import THESE, MeaningHit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CENTROIDS = 1024
"""Centroids of notes that are kept: of the built-in model, 1.5 MB."""


class _Part(NamedTuple):
    """The part of all vectors that belongs to one model: the only one, or one of two.

    Attributes:
        numbers: The range of components that belong to this part.
        ranges: The ranges of the cosines in this part.
        foreign: The ranges for the texts that ``VectorReader._foreign`` returns.
    """

    vector: "NDArray[np.float32]"
    numbers: slice
    ranges: CosineRanges
    foreign: CosineRanges

    def holds(self, cosine: float) -> bool:
        """Return whether a vector with this cosine belongs to this part; others have cosine 0."""
        return cosine != 0 or self.numbers == slice(None)


@dataclass(frozen=True, slots=True, eq=False)
class SectionVectors:
    """The vectors of a section's passages, all of one model, shape (passages, dimensions)."""

    rows: "NDArray[np.float32]"
    ranges: CosineRanges

    def likeness(self, others: "Iterable[SectionVectors]") -> float:
        """Return the greatest cosine with a passage in ``others``; 0 if of another model."""
        cosines = [float((self.rows @ other.rows.T).max()) for other in others]
        return max((self.ranges.of_pair(cosine) for cosine in cosines if cosine), default=0.0)


def _products(rows: "NDArray[np.float32]", vector: "NDArray[np.float32]") -> list[float]:
    import numpy as np

    return cast("list[float]", np.einsum("ij,j->i", rows, vector).tolist())  # no threads of BLAS


class VectorReader:
    """The part of the reader that searches by meaning."""

    def __init__(self, state: IndexState, rows: RowReader) -> None:
        self._state = state
        self._rows = rows
        self._ranges = state.cached(self._read_ranges, 1)
        self._sample = state.cached(lambda: vectors.sample(state.sql), 1)
        self.are_only_english = state.cached(self._are_only_english, 1)
        """Returns whether there are two models, but the built-in one made all vectors."""
        self._is_asked_in_english = False
        self._centroids: dict[int, NDArray[np.float32]] = {}
        state.when_changed(self._centroids.clear)

    def asked_in(self, language: str) -> "VectorReader":
        """Return the reader for a query in ``language``.

        Of two models, the one that embedded notes in other languages gives English queries lower
        cosines. The reader converts them from another range, except for notes without a known
        language, such as tables: such notes are as near to English queries as to any.
        """
        if language != "en" or not self.model().startswith(PAIR_PREFIX):
            return self
        reader = copy(self)
        reader._is_asked_in_english = True
        return reader

    def nearest(
        self,
        vector: "NDArray[np.float32]",
        limit: int,
        condition: Condition | None = None,
    ) -> list[MeaningHit]:
        """Return the passages with the greatest cosine to ``vector``, the nearest first.

        Args:
            vector: The vectors of the query, one for each part: shape (parts, dimensions).
            limit: How many passages to return at most.
            condition: Passages of sections that do not match it are left out.
        """
        only = condition.sql() if condition else ("", ())
        with self._state.reading():
            found = [
                (part, id_, cosine)
                for part in self._parts(vector)
                for id_, cosine in vectors.nearest(
                    self._state.sql, part.vector, limit, *only, known=self._sample()
                )
                if part.holds(cosine)
            ]
            foreign = self._foreign("identity_id", (id_ for _, id_, _ in found))
            near = [
                (id_, (part.foreign if id_ in foreign else part.ranges).of_query(cosine))
                for part, id_, cosine in found
            ]
            hits = self._hits(sorted(near, key=itemgetter(1), reverse=True)[:limit])
        if condition is None:
            return hits
        # Equal passages share a vector, and not all of their sections need to match.
        kept = self._rows.matching(condition, {hit.section_id for hit in hits})
        return [hit for hit in hits if hit.section_id in kept]

    def near_paths(self, vector: "NDArray[np.float32]", ids: Iterable[int]) -> dict[int, float]:
        """Return approximate cosines between a query and the heading paths of sections, by section.

        They are computed from the signs of the paths' vectors, then brought into the range of the
        built-in model's cosines.

        Args:
            vector: The vectors of the query, as for ``nearest``.
            ids: The ids of the sections. Those whose paths have no vector are left out.
        """
        sections = tuple(ids)
        cosines: dict[int, float] = {}
        with self._state.reading():
            foreign = self._foreign("section.id", sections)
            for part in self._parts(vector):
                near = vectors.near_paths(self._state.sql, part.vector, sections, part.numbers)
                for section, cosine in near.items():
                    ranges = part.foreign if section in foreign else part.ranges
                    cosines[section] = ranges.of_path(cosine)
        return cosines

    def nearest_of(
        self, vector: "NDArray[np.float32]", sections: Iterable[int]
    ) -> list[MeaningHit]:
        """Return the passage of each of ``sections`` that is nearest to ``vector``, the best first.

        Sections whose passages wait for their vectors are left out.
        """
        with self._state.reading():
            ids = json.dumps(list(sections))
            passages, rows = vectors.passages_of(self._state.sql, ids)
            foreign = self._foreign("section.id", (section for section, _ in passages))
            hits = []
            for part in self._parts(vector) if passages else ():
                for passage, cosine in zip(passages, _products(rows, part.vector), strict=True):
                    if part.holds(cosine):
                        ranges = part.foreign if passage[0] in foreign else part.ranges
                        hits.append(MeaningHit(*passage, ranges.of_query(cosine)))
        best: dict[int, MeaningHit] = {}
        for hit in sorted(hits, key=attrgetter("similarity"), reverse=True):
            best.setdefault(hit.section_id, hit)
        return list(best.values())

    def waiting(self, sections: Iterable[int]) -> set[int]:
        """Return the ``sections`` with a passage that waits for its vector."""
        query = (
            "select distinct section_id from json_each(?) cross join passage on section_id = value"
            " where exists (select 1 from pending where id = identity_id)"
        )
        return set(self._state.column(query, sections))

    def near_notes(self, vector: "NDArray[np.float32]", notes: Iterable[int]) -> dict[int, float]:
        """Return the cosine between a query and the centroid of each note, by the note's id.

        ``vector`` is as for ``nearest``. Notes whose passages wait for their vectors are left out.
        """
        import numpy as np

        wanted = set(notes)
        with self._state.reading():
            if len(self._centroids) > _CENTROIDS:
                self._centroids.clear()
            unknown = json.dumps(list(wanted - self._centroids.keys()))
            self._centroids |= vectors.centroids(self._state.sql, unknown)
            parts = self._parts(vector)
            foreign = self._foreign("note.id", wanted)
        known = [note for note in wanted if note in self._centroids]
        if not known:
            return {}
        rows = np.stack([self._centroids[note] for note in known])
        return {
            note: (part.foreign if note in foreign else part.ranges).of_query(cosine)
            for part in parts
            for note, cosine in zip(known, _products(rows, part.vector), strict=True)
            if part.holds(cosine)
        }

    def of_sections(self, ids: Iterable[int]) -> "NDArray[np.float32]":
        """Return the vectors of sections: shape (passages, dimensions); (0, 0) if none."""
        with self._state.reading():
            return vectors.passages_of(self._state.sql, json.dumps(list(ids)))[1]

    def near_passages(self, passages: "NDArray[np.float32]", limit: int) -> list[MeaningHit]:
        """Return up to ``limit`` passages with the greatest cosine to any of ``passages``.

        The shape of ``passages`` is (n, dimensions).
        """
        import numpy as np

        by_model: dict[int, list[_Part]] = {}
        near: dict[int, float] = {}
        with self._state.reading():
            for part in self._parts(passages):
                by_model.setdefault(part.numbers.start or 0, []).append(part)
            for parts in by_model.values():
                rows = np.stack([part.vector for part in parts])
                near |= {
                    id_: parts[0].ranges.of_pair(cosine)
                    for id_, cosine in vectors.nearest(self._state.sql, rows, limit)
                    if parts[0].holds(cosine)
                }
            return self._hits(sorted(near.items(), key=itemgetter(1), reverse=True)[:limit])

    def by_section(self, ids: Iterable[int]) -> dict[int, SectionVectors]:
        """Return the vectors of each section that has any."""
        rows: dict[int, list[int]] = {}
        with self._state.reading():
            passages, found = vectors.passages_of(self._state.sql, json.dumps(list(ids)))
            for row, (section, _) in enumerate(passages):
                rows.setdefault(section, []).append(row)
            return {
                section: SectionVectors(found[own], self._parts(found[own[0]])[0].ranges)
                for section, own in rows.items()
            }

    def _parts(self, vector: "NDArray[np.float32]") -> "list[_Part]":
        """Return the parts of the model, or of both models, in which ``vector`` is not zero."""
        import numpy as np

        rows = np.atleast_2d(vector)
        ranges = self._ranges()
        if not self.model().startswith(PAIR_PREFIX):
            return [_Part(row, slice(None), ranges, ranges) for row in rows]
        foreign = ranges.for_english() if self._is_asked_in_english else ranges
        builtin = slice(BUILTIN_DIMENSIONS)
        other = slice(BUILTIN_DIMENSIONS, None)
        return [
            _Part(row, numbers, *of_model)
            for row in rows
            for numbers, of_model in ((builtin, (USUAL, USUAL)), (other, (ranges, foreign)))
            if row[numbers].any()
        ]

    def _foreign(self, column: str, ids: Iterable[int]) -> set[int]:
        """Return the ``ids`` whose notes have a known language; none if the query is not English.

        The built-in model embedded the English notes, so this matters only for the others.

        Args:
            column: What the ids are: ``identity_id`` of passages, ``section.id`` or ``note.id``.
            ids: The ids.
        """
        if not self._is_asked_in_english:
            return set()
        query = (
            f"select distinct {column} from note join section on note_id = note.id"
            " left join passage on section_id = section.id"
            f" where language != '' and {column} in {THESE}"
        )
        return set(self._state.column(query, ids))

    def _read_ranges(self) -> CosineRanges:
        """Return the ranges measured for the model's cosines; without any, the default ranges."""
        model = self.model()
        measured = self._state.meta(ranges_key(model))
        if measured:
            return CosineRanges.from_text(measured)
        return BESIDE if model.startswith(PAIR_PREFIX) else USUAL

    def _are_only_english(self) -> bool:
        if not self.model().startswith(PAIR_PREFIX) or not self.has_any():
            return False
        query = "select 1 from embedding where substr(vector, 1, ?1) = zeroblob(?1) limit 1"
        return not self._state.rows(query, BUILTIN_DIMENSIONS)

    def _hits(self, embeddings: Sequence[tuple[int, float]]) -> list[MeaningHit]:
        query = (
            "select identity_id, section_id, idx from passage p join section s on s.id = section_id"
            f" join note n on n.id = s.note_id where identity_id in {THESE}"
            " order by n.path, s.ordinal, idx"
        )
        passages: dict[int, list[tuple[int, int]]] = {}
        for id_, section, number in self._state.rows(query, (id_ for id_, _ in embeddings)):
            passages.setdefault(id_, []).append((section, number))
        near = [(cosine, passages[id_]) for id_, cosine in embeddings if id_ in passages]
        return [MeaningHit(*passage, cosine) for cosine, of_id in near for passage in of_id]

    @property
    def problem(self) -> Sentence:
        """Why vectors cannot be searched, as a sentence; empty when they can."""
        return self._state.vectors_problem

    def has_any(self) -> bool:
        """Return whether any passage has a vector that can be searched."""
        if self.problem:
            return False
        return bool(self._state.rows("select 1 from embedding limit 1"))

    def model(self) -> str:
        """Return the fingerprint of the model that made the vectors; empty before any was used."""
        return self._state.meta("model")

    def model_name(self) -> str:
        """Return the name in the settings of the model that made the vectors; empty if unknown."""
        return self._state.meta("model_name")

    def next_model(self) -> str:
        """Return the name of the model that will take over; empty if there is none."""
        return self._state.meta("next_model_name") if self._state.meta("next_model") else ""

    def is_complete(self) -> bool:
        """Return whether every text has its vector and no other model will take over."""
        return not self._state.rows("select 1 from pending limit 1") and not self.next_model()

    def sample(self, limit: int) -> tuple[str, ...]:
        """Return the texts of ``limit`` passages from all over the notes; always the same ones."""
        query = (
            "select substr(decompressed(b.text), p.start + 1, p.stop - p.start) from"
            " (select section_id, start, stop from identity i join passage on identity_id = i.id"
            "  where stop > start order by i.hash limit ?) p"
            " join body b on b.section_id = p.section_id"
        )
        return tuple(text for (text,) in self._state.rows(query, limit))

    def models(self) -> tuple[ModelVectors, ...]:
        """Return the models with vectors in the index: the current one, then earlier ones.

        The number of vectors is that of passages; the size includes the signs of heading paths.
        """
        query = (
            "select m.fingerprint, m.name, 0, sum(not of_path), sum(length(hash) + length(vector))"
            " from earlier_model m join earlier_vector v on v.fingerprint = m.fingerprint"
            " group by m.fingerprint order by m.name"
        )
        searched = (
            "select coalesce(sum(not of_path), 0),"
            f" coalesce(sum({vectors.KEY_BYTES} + length(vector)), 0)"
            " from (select 0 of_path, vector from embedding"
            " union all select 1, signs from heading_path)"
        )
        ((count, size),) = self._state.rows(searched)
        rows = [(self.model(), self.model_name(), 1, count, size), *self._state.rows(query)]
        return tuple(
            ModelVectors(name, fingerprint, bool(current), number, size)
            for fingerprint, name, current, number, size in rows
            if fingerprint
        )
