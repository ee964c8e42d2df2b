"""Ranks sections: fuses words, meaning and headings into one score, and orders by it."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, chain
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from notesearch.search.finder import beginnings, find
from notesearch.search.meaning_retrieval import SIMILAR, MeaningRanking
from notesearch.search.patterns import Pattern, TokenSpan
from notesearch.search.query import is_stop_word
from notesearch.search.resolution import ResolvedQuery
from notesearch.search.word_retrieval import WordRanking, settle_ties
from notesearch.store.conditions import All, Condition
from notesearch.store.reader import Reader
from notesearch.store.rows import NoteRow, SectionRow
from notesearch.store.symbols import is_symbol

RELATED = 0.6
"""Least share of the nearest cosine that is worth showing beside sections found by words."""

_SUPPORTING = 30
"""The number of first sections that support others of their note."""

_WEIGHED = 80
"""The number of first sections whose headings are compared with the query."""

_LOOKED_AT = 60
"""The number of first sections whose names and own text are looked at."""

_REMEMBERED = 512
"""Headings whose words are cached."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of all signals, chosen by measurement (``make quality-choose``).

    Attributes:
        meaning: Share of meaning in the fused score.
        some_words: Factor for the score by words if no section has all of them.
        held: Weight of the share of the query that a section has.
        with_all: Factor for the score of a section that has each of several words.
        heading_path: Weight of title and headings whose meaning is near the query, times how far
            their cosine is above ``far_path``.
        far_path: Cosine of a heading path that has nothing to do with the query.
        support: Share of the mean score of a note's second to fourth section that its sections get.
        own_heading: Weight of an own heading that has nothing but words of the query.
        whole_path: Weight of a folder, title and headings that have all words of the query.
    """

    meaning: float = 0.4
    some_words: float = 0.5
    held: float = 0.45
    with_all: float = 1.4
    heading_path: float = 2.0
    far_path: float = 0.15
    support: float = 0.4
    own_heading: float = 0.35
    whole_path: float = 0.5


CHOSEN = Weights()


class RankedSection(NamedTuple):
    """A section with its score and its places in both rankings.

    A search makes thousands of them, so it is a tuple.

    Attributes:
        words_rank: Its place in the ranking by words, from 1; None if it has no word.
        meaning_rank: Its place in the ranking by meaning, from 1; None if it is not near.
        passage: The number of its nearest passage; None if meaning did not find it.
        has_all: It has every word of the query.
    """

    section_id: int
    score: float
    words_rank: int | None
    meaning_rank: int | None
    passage: int | None
    has_all: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """All ranked sections, best first.

    Attributes:
        sections: The sections.
        note_of: The note of each, by section id.
        totals: The number of sections found in each note.
        total: The number of sections found.
    """

    sections: Sequence[RankedSection]
    note_of: Mapping[int, int]
    totals: Mapping[int, int] = field(default_factory=dict)
    total: int = 0

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
    named: frozenset[int],
    weights: Weights = CHOSEN,
    *,
    newest: bool = False,
) -> Ranking:
    """Rank the sections that words and meaning found.

    Args:
        reader: Reads the index.
        query: The query.
        words: Sections found by words.
        meaning: Sections found by meaning.
        named: Sections whose name is the query.
        weights: The weights of the signals.
        newest: Order by date instead of score.
    """
    fused = fuse(words, meaning, weights)
    # Among sections that tie, chance must not decide whose headings are compared.
    fused = settle_ties(reader, fused, _WEIGHED, lambda s: (s[1], s[2] is None), _section_id)
    note_of = reader.rows.note_ids(section.section_id for section in fused)
    front = [s for place, s in enumerate(fused) if place < _WEIGHED or s.section_id in named]
    rows = reader.rows.sections((section.section_id for section in front), with_body=False)
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    order = _order_of_ties([section.section_id for section in fused], rows, notes)
    factors = heading_factors(reader, query.patterns, rows, notes, weights)
    ranked = _weighed(fused, factors, order)
    ranked = supported(ranked, note_of, weights, order)
    ranked = _bare_headings_last(reader, query.patterns, ranked, rows, notes)
    ranked = _verbatim_first(ranked, words)
    ranked = _exact_first(reader, query.query.plain_text, ranked, named, rows, notes)
    if newest:
        all_notes = reader.rows.notes(set(note_of.values()))
        ranked = newest_first(ranked, lambda s: all_notes[note_of[s.section_id]].modified)
    total = len(ranked) + words.total - len(words.hits)
    return Ranking(ranked, note_of, Counter(note_of.values()), total)


def list_newest(reader: Reader, condition: Condition | None, limit: int, per_note: int) -> Ranking:
    """Return the sections that fulfil ``condition``, those of the newest notes first."""
    rows = reader.rows.newest(condition or All(()), limit, per_note)
    note_of = reader.rows.note_ids(row.section_id for row in rows)
    return Ranking(
        sections=[RankedSection(row.section_id, 0.0, None, None, None, False) for row in rows],
        note_of=note_of,
        totals={note_of[row.section_id]: row.of_note for row in rows},
        total=rows[0].total if rows else 0,
    )


def fuse(
    words: WordRanking, meaning: MeaningRanking, weights: Weights = CHOSEN
) -> list[RankedSection]:
    """Merge both rankings by a weighted sum of their scores, each divided by its best.

    docs/decisions/ranking.md compares this with reciprocal ranks, as do Bruch, Gai and Ingber, "An
    Analysis of Fusion Functions for Hybrid Retrieval", 2022.

    If no section has every word, words are weak evidence and count for less. A section with every
    word ranks above those found by meaning alone.
    """
    dense = meaning.hits
    weight = weights.meaning * (meaning.understood if words.hits else 1.0)
    best = max((score for _, score in words.hits), default=1.0) or 1.0
    nearest = max((near for _, _, near in dense), default=1.0)
    span = max(nearest - SIMILAR, 1e-6)
    near = {
        section: (rank, place, (similarity - SIMILAR) / span, similarity)
        for rank, (section, place, similarity) in enumerate(dense, 1)
    }
    share = (1 - weight) * (1.0 if words.with_all or not dense else weights.some_words)
    far, worth = weights.far_path, weights.heading_path
    paths = {id_: worth * (cosine - far) for id_, cosine in meaning.paths.items() if cosine > far}
    fused: list[RankedSection] = []
    shares, with_all = words.shares.get, words.with_all
    complete = weights.with_all if words.has_several else 1.0
    for rank, (section, bm25) in enumerate(words.hits, 1):
        meaning_rank, place, nearness, _ = near.pop(section, _NOT_NEAR)
        nearness += paths.get(section, 0.0)
        has_all = section in with_all
        score = share * bm25 / best + weight * nearness + weights.held * shares(section, 0.0)
        score *= complete if has_all else 1.0
        fused.append(RankedSection(section, score, rank, meaning_rank, place, has_all))
    least = RELATED * nearest if words.hits else 0.0
    fused += [
        RankedSection(
            section, weight * (nearness + paths.get(section, 0.0)), None, rank, place, False
        )
        for section, (rank, place, nearness, similarity) in near.items()
        if similarity >= least
    ]
    return _in_order(fused)


_NOT_NEAR = (None, None, 0.0, 0.0)


def _weighed(
    ranked: Sequence[RankedSection], factors: Mapping[int, float], order: Mapping[int, int]
) -> list[RankedSection]:
    """Multiply scores by ``factors``, by section id, and sort again."""
    factor_of = factors.get
    return _in_order(
        [
            section
            if (factor := factor_of(section[0], 1.0)) == 1.0
            else _with_score(section, section[1] * factor)
            for section in ranked
        ],
        order,
    )


def supported(
    ranked: Sequence[RankedSection],
    note_of: Mapping[int, int],
    weights: Weights = CHOSEN,
    order: Mapping[int, int] = MappingProxyType({}),
) -> list[RankedSection]:
    """Add to each of the first sections a share of the next best ones of its note.

    A note with several good sections is more likely to be about the query than one with a chance
    hit.
    """
    front = ranked[:_SUPPORTING]
    scores: dict[int, list[float]] = {}
    for section in front:
        scores.setdefault(note_of[section.section_id], []).append(section.score)
    lifted = [
        _with_score(
            section,
            section.score + weights.support * sum(scores[note_of[section.section_id]][1:4]) / 3,
        )
        for section in front
    ]
    return [*_in_order(lifted, order), *ranked[_SUPPORTING:]]


def _with_score(section: RankedSection, score: float) -> RankedSection:
    return RankedSection(section[0], score, *section[2:])


def _in_order(
    sections: list[RankedSection], order: Mapping[int, int] = MappingProxyType({})
) -> list[RankedSection]:
    """Sort by score, and sections that tie by ``order``, else by id."""
    if order:
        sections.sort(key=lambda section: order.get(section[0], section[0]))
    else:
        sections.sort(key=_section_id)
    sections.sort(key=_score, reverse=True)
    return _complete_before_meaning(sections)


_section_id = itemgetter(0)
_score = itemgetter(1)


def _complete_before_meaning(ranked: list[RankedSection]) -> list[RankedSection]:
    """Move sections found by meaning alone below those that have all the words."""
    end = next((i for i in range(len(ranked), 0, -1) if ranked[i - 1].has_all), 0)
    lone = [section for section in ranked[:end] if section.words_rank is None]
    if not lone:
        return ranked
    front = [section for section in ranked[:end] if section.words_rank is not None]
    return [*front, *lone, *ranked[end:]]


def _order_of_ties(
    ids: Sequence[int], rows: Mapping[int, SectionRow], notes: Mapping[int, NoteRow]
) -> dict[int, int]:
    """Return the order of sections that tie: by path and place in ``rows``, then as in ``ids``."""
    near = sorted(
        (id_ for id_ in ids if id_ in rows),
        key=lambda id_: (notes[rows[id_].note_id].path, rows[id_].ordinal),
    )
    return {id_: n for n, id_ in enumerate(dict.fromkeys([*near, *ids]))}


def exact_first(
    ranked: Iterable[RankedSection], exactness: Callable[[RankedSection], int]
) -> list[RankedSection]:
    """Move sections with an ``exactness`` above 0 to the front, the greatest first."""
    front: list[tuple[int, RankedSection]] = []
    others: list[RankedSection] = []
    for section in ranked:
        exact = exactness(section)
        if exact:
            front.append((exact, section))
        else:
            others.append(section)
    front.sort(key=lambda found: -found[0])
    return [*(section for _, section in front), *others]


def _verbatim_first(ranked: list[RankedSection], words: WordRanking) -> list[RankedSection]:
    """Move sections with the whole query as typed to the front; links to an address come next."""
    if not words.verbatim and not words.addressed:
        return ranked
    verbatim, addressed = words.verbatim, words.addressed
    return exact_first(
        ranked, lambda s: int(s.section_id in verbatim) or addressed.get(s.section_id, 0)
    )


def newest_first(
    ranked: Iterable[RankedSection], modified: Callable[[RankedSection], float]
) -> list[RankedSection]:
    """Sort by date, sections found by meaning alone after all others."""
    return sorted(ranked, key=lambda section: (section.words_rank is None, -modified(section)))


def _bare_headings_last(
    reader: Reader,
    patterns: Sequence[Pattern],
    ranked: list[RankedSection],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
) -> list[RankedSection]:
    """Move sections that are only a heading, without a word of the query, behind the others.

    The headings above them or the meaning of their subsections found them; those are found, too.
    """
    front = [section for section in ranked[:_LOOKED_AT] if section.section_id in rows]
    forms = reader.lexicon.forms
    bare = {
        id_
        for id_ in (section.section_id for section in front)
        if not rows[id_].has_text and not find(patterns, forms(rows[id_].heading))
    }
    found = [rows[section.section_id] for section in front]
    last: list[RankedSection] = []
    others: list[RankedSection] = []
    for section in front:
        own = rows[section.section_id]
        title = notes[own.note_id].title
        inherits = section.section_id in bare and (
            section.words_rank is not None or any(_is_below(row, own, title) for row in found)
        )
        (last if inherits else others).append(section)
    looked_at = {section.section_id for section in front}
    rest = (section for section in ranked if section.section_id not in looked_at)
    return [*others, *last, *rest]


def _is_below(row: SectionRow, above: SectionRow, title: str) -> bool:
    if row.note_id != above.note_id or row.ordinal <= above.ordinal or row.level <= above.level:
        return False
    # Breadcrumbs do not repeat a heading that is the note's title.
    return above.path == (title,) or row.path[: len(above.path)] == above.path


# Exact names


class Names:
    """Compares names with the text of one query, and caches what repeats."""

    def __init__(self, text: str, reader: Reader) -> None:
        """Compare names with ``text``."""
        self._reader = reader
        self._tokens = _name_tokens(text, reader)
        self._text = text.strip().casefold()
        first = self._tokens[0] if self._tokens else ""
        # Most names do not have the first letters of the first word: they need no cutting.
        can_narrow = len(first) > 1 and first.isascii() and first.isalnum()
        self._beginnings = beginnings(first) if can_narrow else ("",)
        self._cached_compare = lru_cache(None)(self._compare)

    def __bool__(self) -> bool:
        """Return whether the query has words to compare."""
        return bool(self._tokens)

    def exactness(self, names: Iterable[str]) -> int:
        """Return 2 if one of ``names`` is the query to the letter, 1 if it is in other forms."""
        return max(map(self._cached_compare, names), default=0)

    def _compare(self, name: str) -> int:
        if name.isascii():
            lower = name.lower()
            for letters in self._beginnings:
                if letters in lower:
                    break
            else:
                return 0
        if _name_tokens(name, self._reader) != self._tokens:
            return 0
        return 2 if name.casefold() == self._text else 1


def _name_tokens(text: str, reader: Reader) -> list[str]:
    """Return the tokens by which names are compared: symbols only if there is nothing else."""
    tokens = [token for _, token in reader.lexicon.tokens(text)]
    return [token for token in tokens if not is_symbol(token)] or tokens


def _exact_first(
    reader: Reader,
    text: str,
    ranked: list[RankedSection],
    named: frozenset[int],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
) -> list[RankedSection]:
    """Move what is named exactly as the query to the front: notes, then sections.

    In each kind, names equal to the letter precede other forms of the same words.
    """
    names = Names(text, reader)
    if not names:
        return ranked
    looked_at = ({section.section_id for section in ranked[:_LOOKED_AT]} | named) & rows.keys()

    def exactness(row: SectionRow) -> int:
        note = notes[row.note_id]
        own_names = [row.heading]
        if row.ordinal == 0:
            if found := names.exactness((note.title, _file_stem(note.path))):
                return found + 2
            own_names += note.aliases
        return names.exactness(own_names) or int(row.id in named)

    exact = {id_: found for id_ in looked_at if (found := exactness(rows[id_]))}
    if not exact:
        return ranked
    return exact_first(ranked, lambda section: exact.get(section.section_id, 0))


def _file_stem(path: str) -> str:
    """Return the stem of the file name, as ``pathlib`` does."""
    name = path.rpartition("/")[2]
    at = name.rfind(".")
    return name[:at] if 0 < at < len(name) - 1 else name


# Words of the query in headings


def heading_factors(
    reader: Reader,
    patterns: Sequence[Pattern],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
    weights: Weights = CHOSEN,
) -> dict[int, float]:
    """Return a factor for each section by how well its headings fit the query.

    From 1, for no word of the query, to 1 plus both ``weights`` of headings.
    """
    tokens = frozenset(token for pattern in patterns for token in pattern.tokens)
    if not tokens:
        return {}
    prefixes = tuple(pattern.beginning for pattern in patterns if pattern.beginning)
    judge = _HeadingJudge(reader, tokens, prefixes)
    places = {id_: _place(note) for id_, note in notes.items()}
    headings = chain.from_iterable(row.path for row in rows.values())
    evidence = judge.evidence({*places.values(), *headings})
    factors = dict.fromkeys(rows, 1.0)
    for id_, row in rows.items() if evidence else ():
        path = [evidence[text] for text in (places[row.note_id], *row.path) if text in evidence]
        if path:
            own = evidence.get(row.path[-1], _NOTHING)
            factors[id_] += weights.own_heading * own.fit
            factors[id_] += weights.whole_path * judge.coverage(path)
    return factors


class _Evidence(NamedTuple):
    """What one heading, or the place of a note, has of the query.

    Attributes:
        tokens: The words of the query in it, as a bit set.
        completes: It has another word that the unfinished one may become.
        fit: The share of its words that are in the query.
    """

    tokens: int
    completes: bool
    fit: float


_NOTHING = _Evidence(0, completes=False, fit=0.0)


class _HeadingJudge:
    """Compares headings with the words of one query."""

    def __init__(self, reader: Reader, tokens: frozenset[str], prefixes: tuple[str, ...]) -> None:
        self._reader, self._tokens, self._prefixes = reader, tokens, prefixes
        self._bits = {token: 1 << number for number, token in enumerate(tokens)}
        # Most headings do not have the first letters of any word: they need no cutting.
        words = [*tokens, *prefixes]
        can_narrow = all(len(w) > 1 and w.isascii() and w.isalnum() for w in words)
        self._letters = set(chain.from_iterable(map(beginnings, words))) if can_narrow else {""}

    def evidence(self, texts: Collection[str]) -> dict[str, _Evidence]:
        """Return the evidence of those of ``texts`` that have any."""
        ascii_texts = [text for text in texts if text.isascii()]
        candidates = [text for text in texts if not text.isascii()]
        candidates += _with_letters(self._letters, ascii_texts)
        judged = ((text, self._judge(text)) for text in candidates)
        return {text: found for text, found in judged if found is not _NOTHING}

    def _judge(self, text: str) -> _Evidence:
        every, content = _heading_tokens(tuple(self._reader.lexicon.tokens(text)), text)
        if every.isdisjoint(self._tokens) and not self._completions(every):
            return _NOTHING
        found = content & self._tokens
        others = content - found
        completions = self._completions(others)
        if not (found or completions):
            return _NOTHING
        # A symbol that is not in the query does not make a heading fit less.
        others = frozenset(token for token in others if not is_symbol(token))
        fitting = len(found) + len(self._completions(others))
        bits = sum(self._bits[token] for token in found)
        fit = fitting / (len(found) + len(others)) if fitting else 0.0
        return _Evidence(bits, bool(completions), fit)

    def _completions(self, tokens: Iterable[str]) -> list[str]:
        return [one for one in tokens if one.startswith(self._prefixes)] if self._prefixes else []

    def coverage(self, path: Sequence[_Evidence]) -> float:
        """Return the share, 0 to 1, of the words of the query that are in the path."""
        bits, completes = 0, False
        for evidence in path:
            bits |= evidence.tokens
            completes = completes or evidence.completes
        found = bits.bit_count()
        return (found + (completes and found < len(self._tokens))) / len(self._tokens)


@lru_cache(_REMEMBERED)
def _heading_tokens(
    tokens: tuple[TokenSpan, ...], text: str
) -> tuple[frozenset[str], frozenset[str]]:
    """Return all tokens of a heading, and those that are no stop words, or all if all are."""
    every = frozenset(token for _, token in tokens)
    return every, frozenset(t for (a, b), t in tokens if not is_stop_word(text[a:b])) or every


def _with_letters(letters: Collection[str], texts: Sequence[str]) -> list[str]:
    """Return those of ``texts``, all ASCII, that have any of ``letters``.

    They are searched as one text: most have none.
    """
    whole = "\n".join(texts).lower()
    ends = list(accumulate(len(text) + 1 for text in texts))
    found: set[int] = set()
    for some in letters:
        at = whole.find(some)
        while 0 <= at < len(whole):
            number = bisect_right(ends, at)
            found.add(number)
            at = whole.find(some, ends[number])
    return [texts[number] for number in found]


def _place(note: NoteRow) -> str:
    return " ".join((note.path.rpartition(".")[0], note.title, *note.aliases))
