"""Ranks sections and notes by one weighted sum of signals (docs/decisions/ranking.md).

Each signal lies between 0 and 1 and does not depend on other results. So the score of a section can
be computed again from the output of ``search --explain``.

Only the first sections, the ``front``, are compared with the query in detail.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter, mul
from types import MappingProxyType
from typing import NamedTuple

from notesearch.search.habits import NO_HABITS, Favour, Habits, favours
from notesearch.search.meaning_retrieval import MeaningRanking, NearPieces
from notesearch.search.names import OTHER, exact_names, heading_shares
from notesearch.search.query_resolution import ResolvedQuery
from notesearch.search.word_retrieval import WordRanking
from notesearch.store.reader import Reader
from notesearch.store.rows import ListedSection, NoteRow, SectionPlace, SectionRow
from notesearch.store.word_cutting import is_single_unspaced

_FRONT = 40
"""First sections (``front``) whose headings, names and notes are compared with the query."""

_BATCHES = (0, 2), (2, 4), (4, 10)
"""Ranges of the first sections, whose word pieces are compared with those of the query. The
sections of a batch are compared at once, on different cores. Keywords need only the first batch,
questions need two, and other queries need all three."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of all signals, chosen by measurement (``make quality-choose``).

    The model's signals (``passage``, ``path``, ``note``, ``pieces``) count in proportion to the
    share of the query that the model understands.

    Attributes:
        words: The words of the query in the section, by their strength there (BM25).
        held: The share of the query's words that the section has.
        headings: The share of the query in its own heading, and in folder, title and all headings.
        passage: The cosine of its nearest passage.
        path: The cosine of its title and headings, or ``least_path`` of ``passage`` if that is
            more.
        note: The cosine of the centroid of its note's passages.
        note_words: The share of the query that the found sections of its note have together.
        opened: How often it was opened for this query or similar ones; 0 if none was opened.
        recent: How recently its note changed; it halves every 30 days; 0 if the user does not
            prefer this.
        folder: Whether its note is in a preferred folder; 0 unless there are any.
        pieces: How near the word pieces of its nearest passage are to those of the query, for the
            first sections. It counts for the share of the query that headings do not have.
        of_notes: In the score of a note, the extra weight of ``note_words`` and ``note``.
        second: In the score of a note, the share of the query in its second best section.
        least_path: ``path`` is at least this share of ``passage``. So a title that says nothing
            about the text, such as a date or a pun, does not lower a section much.
    """

    words: float = 1.0
    held: float = 1.0
    headings: float = 0.6
    passage: float = 2.0
    path: float = 1.0
    note: float = 0.75
    note_words: float = 0.25
    opened: float = 2.0
    recent: float = 0.3
    folder: float = 0.3
    pieces: float = 4.0
    of_notes: float = 0.25
    second: float = 1.0
    least_path: float = 0.8


CHOSEN_WEIGHTS = Weights()

_OF_MODEL = ("passage", "path", "note", "pieces")
"""The signals that the model gives."""


class Signals(NamedTuple):
    """The signals for a section, each from 0 to 1, in the order of ``Weights``."""

    words: float = 0.0
    held: float = 0.0
    headings: float = 0.0
    passage: float = 0.0
    path: float = 0.0
    note: float = 0.0
    note_words: float = 0.0
    opened: float = 0.0
    recent: float = 0.0
    folder: float = 0.0
    pieces: float = 0.0


class RankedSection(NamedTuple):
    """A section with its score: the sum of its signals, each times its weight.

    A search makes hundreds of objects, so the class is a tuple.

    Attributes:
        words_rank: Its rank by words, from 1; None if it has no word of the query.
        meaning_rank: Its rank by meaning, from 1; None if it is not near.
        passage: The number of its nearest passage; None if it has none.
        signals: The signals for it.
        weights: How much each signal counts.
        named: Whether its name, or the name of its note, is the query, so that it comes first.
    """

    section_id: int
    score: float
    words_rank: int | None = None
    meaning_rank: int | None = None
    passage: int | None = None
    signals: Signals = Signals()
    weights: tuple[float, ...] = ()
    named: bool = False


_NO_FAVOUR = Favour()
_SCORE = attrgetter("score")
_SECTION_ID = attrgetter("section_id")


@dataclass(frozen=True, slots=True)
class Ranking:
    """All ranked sections, best first.

    Attributes:
        sections: The sections.
        note_of: The note of each, by section id.
        totals: The number of sections found in each note.
        total: The number of sections found.
        note_scores: The notes, best first, with their scores; empty if they are ordered as their
            first sections are.
    """

    sections: Sequence[RankedSection]
    note_of: Mapping[int, int]
    totals: Mapping[int, int] = field(default_factory=dict)
    total: int = 0
    note_scores: Mapping[int, float] = field(default_factory=dict)

    def top(self, limit: int, per_note: int) -> list[RankedSection]:
        """Return the best ``limit`` sections, with at most ``per_note`` of one note."""
        taken: dict[int, int] = {}
        top: list[RankedSection] = []
        for section in self.sections:
            note = self.note_of.get(section.section_id)
            if note is None or taken.get(note, 0) >= per_note:
                continue
            taken[note] = taken.get(note, 0) + 1
            top.append(section)
            if len(top) == limit:
                break
        return top


def rank(
    reader: Reader,
    query: ResolvedQuery,
    words: WordRanking,
    meaning: MeaningRanking,
    weights: Weights = CHOSEN_WEIGHTS,
    habits: Habits = NO_HABITS,
    *,
    newest: bool = False,
) -> Ranking:
    """Rank the sections that words and meaning found, by score or with the ``newest`` first."""
    if newest:
        meaning = replace(meaning, near_pieces=None)  # the date decides the order
    weights = weights_for(query.parsed.plain_text, meaning, weights)
    ids = [hit.section_id for hit in words.hits]
    ids += [hit.section_id for hit in meaning.hits]
    # Chance, such as the order of indexing, must not decide between equal scores.
    places = {**words.places, **reader.rows.places(set(ids) - words.places.keys())}
    found = sorted(places.keys() & ids, key=places.__getitem__)
    note_of = {id_: places[id_].note_id for id_ in found}
    favour_of = favours(reader, query.parsed.plain_text, habits, note_of)
    ranked = score(words, meaning, note_of, weights, favour_of)
    ranked, rows, notes = _with_front(reader, ranked, words.named, places)
    headings = heading_shares(reader, query, words.worths, rows, notes)
    near_notes = meaning.near_notes(notes)
    centroids = {
        id_: near_notes.get(row.note_id, meaning.assumed.get(id_, 0.0)) for id_, row in rows.items()
    }
    ranked = with_signal(with_signal(ranked, "headings", headings), "note", centroids)
    by_score = _ranked_by_words(with_pieces(ranked, meaning.near_pieces))
    exact = exact_names(reader, query.parsed, rows, notes)
    exact |= {id_: max(exact.get(id_, 0), 1) for id_ in words.named & rows.keys()}
    exactness = _exactness(exact, words.verbatim)
    ranked = exact_first(by_score, exactness)
    note_scores: Mapping[int, float] = {}
    if newest:
        all_notes = reader.rows.notes(set(note_of.values()))
        # Sections found by meaning alone come after all others.
        ranked.sort(key=lambda s: (s.words_rank is None, -all_notes[note_of[s.section_id]].date))
    else:
        single = {note.id for note in notes.values() if note.sections == 1}
        first = [note_of[id_] for id_ in map(_SECTION_ID, ranked) if id_ in exactness]
        note_scores = score_notes(by_score, note_of, first, single, weights)
        ranked = [s._replace(named=True) if s.section_id in exact else s for s in ranked]
    total = len(ranked) + words.total - len(words.hits)
    return Ranking(ranked, note_of, Counter(note_of.values()), total, note_scores)


def _with_front(
    reader: Reader,
    ranked: Sequence[RankedSection],
    named: frozenset[int],
    places: Mapping[int, SectionPlace],
) -> tuple[list[RankedSection], Mapping[int, SectionRow], Mapping[int, NoteRow]]:
    """Return ``ranked``, first the sections of the front, and the rows of these and of their notes.

    The front is the best sections, and those that are ``named``, wherever they rank. It is sorted
    by ``places``, the path and position of each section, which decide between equal scores. The
    rows are by id.
    """
    front = [s for number, s in enumerate(ranked) if number < _FRONT or s.section_id in named]
    rows = reader.rows.sections((section.section_id for section in front), with_body=False)
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    front = sorted((s for s in front if s.section_id in rows), key=lambda s: places[s.section_id])
    others = (section for section in ranked if section.section_id not in rows)
    return [*front, *others], rows, notes


def weights_for(text: str, meaning: MeaningRanking, weights: Weights = CHOSEN_WEIGHTS) -> Weights:
    """Return ``weights``, adapted to the share of the query ``text`` in scripts without spaces.

    Such scripts are searched by pairs of characters. Half of the pairs cross the border between two
    words, so a section may have them by chance. The larger the share that the model understands,
    the more its signals count, up to twice, and the less ``held`` and ``least_path``, down to 0.
    """
    letters = [character for character in text if character.isalpha()]
    share = sum(map(is_single_unspaced, letters)) / max(len(letters), 1)
    share *= meaning.understood if meaning.hits else 0.0
    more = {name: (1.0 + share) * getattr(weights, name) for name in _OF_MODEL}
    less = {name: (1.0 - share) * getattr(weights, name) for name in ("held", "least_path")}
    return replace(weights, **less, **more)


def list_sections(reader: Reader, rows: Sequence[ListedSection]) -> Ranking:
    """Return ``rows``, found by filters alone, as a ranking in the same order."""
    places = reader.rows.places(row.section_id for row in rows)
    note_of = {id_: place.note_id for id_, place in places.items()}
    return Ranking(
        sections=[RankedSection(row.section_id, 0.0) for row in rows],
        note_of=note_of,
        totals={note_of[row.section_id]: row.of_note for row in rows},
        total=rows[0].total if rows else 0,
    )


_REACH = CHOSEN_WEIGHTS.passage + CHOSEN_WEIGHTS.path + CHOSEN_WEIGHTS.note
"""The score of a passage that says the same as the query, under the same headings."""


def rank_passages(reader: Reader, found: MeaningRanking) -> Ranking:
    """Rank all passages that meaning found, several of one section too.

    Their scores, 0 to 1, consist of the cosines of the passage, of its headings and of its note.
    """
    places = reader.rows.places(hit.section_id for hit in found.passages)
    note_of = {id_: place.note_id for id_, place in places.items()}
    near_notes = found.near_notes(set(note_of.values()))
    # A heading without text was embedded with its subsections, which are found themselves.
    textless = reader.rows.without_text(note_of)
    ranked = []
    for section, number, cosine in found.passages:
        if section not in textless:
            signals = Signals(
                passage=max(cosine, 0.0),
                path=max(found.paths.get(section, 0.0), 0.0),
                note=max(near_notes.get(note_of[section], 0.0), 0.0),
            )
            total = min(1.0, _sum(signals, _signal_weights(CHOSEN_WEIGHTS, 1.0)) / _REACH)
            ranked.append(RankedSection(section, total, passage=number, signals=signals))
    ranked.sort(key=_SCORE, reverse=True)
    return Ranking(ranked, note_of, total=len(ranked))


def score(
    words: WordRanking,
    meaning: MeaningRanking,
    note_of: Mapping[int, int],
    weights: Weights = CHOSEN_WEIGHTS,
    favour_of: Mapping[int, Favour] = MappingProxyType({}),
) -> list[RankedSection]:
    """Return all sections of both rankings with their scores, best first.

    The signals ``headings``, ``note`` and ``pieces`` and the ranks by words are added later.
    ``note_of`` has the note of each section; sections that tie are in its order. ``favour_of`` says
    how much habits of the user favour each.
    """
    hit_of = {hit.section_id: hit for hit in (*meaning.hits, *meaning.others)}
    ranks = {hit.section_id: rank for rank, hit in enumerate(meaning.hits, 1)}
    shares = {id_: words.shares_of(id_) for id_ in note_of}
    found_by_words = {hit.section_id for hit in words.hits}
    bits_of_note: dict[int, int] = {}
    for id_, note in note_of.items():
        bits_of_note[note] = bits_of_note.get(note, 0) | shares[id_].bits
    note_words = {note: words.held_share(bits) for note, bits in bits_of_note.items()}
    if meaning.near_pieces is None:
        weights = replace(weights, pieces=0.0)
    signal_weights = _signal_weights(weights, meaning.understood if words.hits else 1.0)
    ranked = []
    for id_, note in note_of.items():
        hit = hit_of.get(id_)
        own = shares[id_]
        passage = max(hit.similarity if hit else meaning.assumed.get(id_, 0.0), 0.0)
        path = max(meaning.paths.get(id_, 0.0), weights.least_path * passage)
        favour = favour_of.get(id_, _NO_FAVOUR)
        signals = Signals(own.words, own.held, 0.0, passage, path, 0.0, note_words[note], *favour)
        ranked.append(
            RankedSection(
                section_id=id_,
                score=_sum(signals, signal_weights),
                words_rank=0 if own.bits or id_ in found_by_words else None,
                meaning_rank=ranks.get(id_),
                passage=hit.number if hit else None,
                signals=signals,
                weights=signal_weights,
            )
        )
    return sorted(ranked, key=_SCORE, reverse=True)


def _signal_weights(weights: Weights, understood: float) -> tuple[float, ...]:
    """Return the weight of each signal; multiply the model's by ``understood`` (0 to 1)."""
    return tuple(
        getattr(weights, name) * (understood if name in _OF_MODEL else 1.0)
        for name in Signals._fields
    )


def _sum(signals: Iterable[float], weights: Iterable[float]) -> float:
    return float(sum(map(mul, signals, weights)))


def with_signal(
    ranked: Sequence[RankedSection], name: str, values: Mapping[int, float]
) -> list[RankedSection]:
    """Add the signal ``name``, and sort again; sections that tie stay in this order.

    ``values`` has its values by section id. A section without one has 0, and less than 0 counts as
    0.
    """
    at = Signals._fields.index(name)
    scored = list(ranked)
    for number, section in enumerate(ranked):
        value = values.get(section.section_id, 0.0)
        if value > 0.0:
            signals = section.signals._replace(**{name: value})
            total = section.score + section.weights[at] * value
            scored[number] = section._replace(score=total, signals=signals)
    return sorted(scored, key=_SCORE, reverse=True)


def with_pieces(
    ranked: Sequence[RankedSection],
    near_pieces: NearPieces | None,
) -> list[RankedSection]:
    """Add the signal ``pieces`` to the first sections, and sort again.

    The model needs a hundredth of a second for each section. The first sections always get their
    full scores; comparing stops once no other section can come first. A query that a heading
    contains completely is a name, which needs no model. ``near_pieces`` is None if nothing can be
    compared.
    """
    front = ranked[: _BATCHES[-1][-1]]
    if near_pieces is None or not front:
        return list(ranked)
    weight = front[0].weights[-1] * (1.0 - max(section.signals.headings for section in front))
    best = front[0].score
    nearness: dict[int, float] = {}
    for first, last in _BATCHES:
        batch = front[first:last]
        if not batch or batch[0].score + weight <= best:
            break
        nearness |= near_pieces({section.section_id: section.passage or 0 for section in batch})
        best = max(best, *(s.score + weight * nearness[s.section_id] for s in batch))
    weighted = [s._replace(weights=(*s.weights[:-1], weight)) for s in ranked]
    return with_signal(weighted, "pieces", nearness)


_OF_WORDS = Signals._fields.index("headings") + 1
"""The number of signals that words give; they are the first ones."""

_NOTE = Signals._fields.index("note")


def _ranked_by_words(ranked: Sequence[RankedSection]) -> list[RankedSection]:
    """Return the sections with ``words_rank`` set, by the sum of the signals of words."""
    weights = ranked[0].weights[:_OF_WORDS] if ranked else ()
    found = (section for section in ranked if section.words_rank is not None)
    best_first = sorted(found, key=lambda section: -_sum(section.signals, weights))
    ranks = {section.section_id: rank for rank, section in enumerate(best_first, 1)}
    return [section._replace(words_rank=ranks.get(section.section_id)) for section in ranked]


def score_notes(
    ranked: Sequence[RankedSection],
    note_of: Mapping[int, int],
    first: Iterable[int] = (),
    single: Collection[int] = (),
    weights: Weights = CHOSEN_WEIGHTS,
) -> dict[int, float]:
    """Return the scores of notes by id, the best note first.

    The score of a note is the score of its best section, plus extra weight for what its sections
    have together and for the words of its second best section; its only section counts as its
    second, too. A note about the query mentions it in several sections.

    Args:
        ranked: The sections, the best of each note before its others.
        note_of: The id of each section's note, by section id.
        first: Ids of notes that come first whatever their scores are, in this order.
        single: Ids of notes with one section.
        weights: The weights of the signals.
    """
    sections_of: dict[int, list[RankedSection]] = {}
    for section in ranked:
        sections_of.setdefault(note_of[section.section_id], []).append(section)
    scores: dict[int, float] = {}
    for note, sections in sections_of.items():
        best = sections[0]
        shares = sorted((s.signals.words + s.signals.held) / 2 for s in sections)
        second = shares[-2] if len(shares) > 1 else shares[0] if note in single else 0.0
        trust = best.weights[_NOTE] / weights.note if weights.note else 0.0
        together = best.signals.note_words + trust * best.signals.note
        scores[note] = best.score + weights.of_notes * together + weights.second * second
    front = dict.fromkeys(first)
    rest = sorted(scores, key=lambda note: -scores[note])
    return {note: scores[note] for note in (*front, *(n for n in rest if n not in front))}


def exact_first(
    ranked: Sequence[RankedSection], exactness: Mapping[int, int]
) -> list[RankedSection]:
    """Move the sections in ``exactness`` (by id) to the front, the greatest exactness first."""
    return sorted(ranked, key=lambda section: -exactness.get(section.section_id, OTHER))


def _exactness(names: Mapping[int, int], verbatim: Mapping[int, int]) -> dict[int, int]:
    """Return by section id how exactly a section is what was asked for; more is better.

    Names (``exact_names``) have 3 or more; sections with the query as it is (``verbatim``) have 1
    or 2; names that differ from the query in stop words have 0.
    """
    same = {id_: level + 2 for id_, level in names.items() if level}
    return {**dict.fromkeys(names, 0), **verbatim, **same}
