"""Finds what a query does not find: words, filters, and notes that somebody misses.

It names the words and filters that match nothing, and similar filters that do. It says why a note
or section is not a result of a search, or which rank it has.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import PurePosixPath
from typing import Self

from notesearch.messages import Sentence
from notesearch.results import Mode, SearchResult, SectionResult, Unmet, Why
from notesearch.search.correction import closest
from notesearch.search.filters import (
    FIXED_VALUES,
    NAMES,
    file_stem,
    folders_of,
    languages,
    quoted_value,
)
from notesearch.search.patterns import Pattern
from notesearch.search.query import Filter, Query, Term, Without, parse
from notesearch.search.query_resolution import ResolvedQuery, condition_of
from notesearch.search.word_retrieval import WordRanking
from notesearch.store.conditions import (
    All,
    AnyOf,
    Condition,
    InFile,
    InLanguage,
    InPath,
    InSections,
    LinkedFrom,
    LinksToNote,
    Tagged,
    UnderHeading,
    WithProperty,
)
from notesearch.store.folding import folded_name
from notesearch.store.reader import Reader

_OFFERED, _FIXED_OFFERED = 3, 4
_SHORTEST, _TWO_SLIPS_FROM = 4, 6
"""Minimum letters of a word or value for one typing error, and of a value for two."""

_SHORTEST_ABBREVIATION = 3

_PARTS = re.compile(r"[/\s_.-]+")
"""The characters between the words of a tag, a folder or a name."""

_SMALL_WORDS = frozenset(
    """
    after again another because before between both cannot during each else enough ever every just
    many may might more most much must never off once one other out over same shall someone
    something sometimes such thing things too under until up very while without
    """.split()
)
"""Words that are searched for, but that nobody misses among others."""

_NAMES_ELSEWHERE = {
    **dict.fromkeys(("title", "intitle", "name"), "file section"),
    **dict.fromkeys(("heading", "h1", "h2"), "section"),
    **dict.fromkeys(("filename", "note"), "file"),
    **dict.fromkeys(("folder", "dir", "in", "notebook"), "path"),
    **dict.fromkeys(("tags", "label", "category", "keyword"), "tag"),
    **dict.fromkeys(
        ("since", "newer", "created", "updated", "modified", "date", "nach", "seit"), "after"
    ),
    **dict.fromkeys(("until", "older", "vor", "bis"), "before"),
    **dict.fromkeys(("todo", "is"), "task"),
    **dict.fromkeys(("language", "code"), "lang"),
    **dict.fromkeys(("link", "linksto"), "links"),
    **dict.fromkeys(("backlinks", "from"), "linked-by"),
}
"""Filters by the names that other programs have for them."""


def missing_words(
    reader: Reader, query: ResolvedQuery, shown: Collection[int], words: WordRanking
) -> tuple[str, ...]:
    """Return the words of the query that none of the sections ``shown`` has, as typed.

    If nothing is shown, return the words that no section has. A quoted phrase stands for its words.
    These words are left out: words that only look like filters, which ``not_filters`` names; names
    of properties that the note of one of these sections has; small words beside other words.
    """
    if not words.with_all.isdisjoint(shown):
        return query.missing
    missing = list(query.missing)
    known = (*" ".join(missing).split(), *query.parsed.not_filters)
    named = {word.rstrip(".") for word in known}
    named |= _SMALL_WORDS if len(query.groups) > 1 else set()
    typed = {term.text.strip() for term in query.parsed.terms}
    for group in query.groups:
        if any(pattern.target or pattern.term.text.rstrip(".") in named for pattern in group):
            continue
        parts = [part for pattern in group for part in pattern.parts]
        absent = [
            text
            for text, expression in parts
            if not _is_in(reader, expression, shown) and not _names_property(text, reader, shown)
        ]
        if len(group) == 1 or len(absent) == len(parts):
            for pattern in (p for p in group if p.term.text.strip() in typed):
                missing += _as_typed(pattern, absent, reader)
    return tuple(dict.fromkeys(missing))


def _is_in(reader: Reader, expression: str, shown: Collection[int]) -> bool:
    if not reader.words.known(expression):
        return False
    return not shown or reader.words.any_matches(expression, shown)


def _names_property(word: str, reader: Reader, shown: Collection[int]) -> bool:
    """Return whether ``word`` names a property of the note of one of the sections ``shown``.

    If ``shown`` is empty, return whether it names a property of any note.
    """
    named = WithProperty(word.rstrip(":"))
    among = (InSections(tuple(shown)),) if shown else ()
    return reader.rows.has_match(All((named, *among)))


def _as_typed(pattern: Pattern, absent: Sequence[str], reader: Reader) -> Iterator[str]:
    """Yield the absent parts of a term, as typed.

    Text without spaces is searched in pairs of characters. A pair that joins two words may be
    absent although both are there, so only characters without any pair in the index count.
    """
    if pattern.term.phrase or pattern.is_verbatim:
        yield from (pattern.term.text,) if pattern.term.text in absent else ()
    elif len(pattern.tokens) == 1:
        yield from pattern.pieces if pattern.term.text in absent else ()
    elif not set(pattern.content_words) - set(absent):
        spans = [span for span, _ in reader.lexicon.tokens(pattern.term.text)]
        yield pattern.term.text[spans[0][0] : spans[-1][1]]
    else:
        for piece in dict.fromkeys(pattern.pieces):
            yield from _uncovered(piece, absent, reader)


def _uncovered(piece: str, absent: Sequence[str], reader: Reader) -> Iterator[str]:
    spans = [span for span, _ in reader.lexicon.tokens(piece)]
    known = [(start, end) for start, end in spans if piece[start:end] not in absent]
    at = 0
    for start, end in [*known, (len(piece), len(piece))]:
        if start - at > 1 or not known:
            yield piece[at:start]
        at = max(at, end)


def unmet_filters(reader: Reader, query: ResolvedQuery, *, by_words: bool) -> tuple[Unmet, ...]:
    """Return the filters because of which a query found nothing.

    These are filters that no section matches, or a few filters and words that no section has
    together. Words that no note has are left out: ``missing_words`` names them. ``by_words`` says
    whether words were searched, so that a result had to have one of them.
    """
    unmet = _unmatched(reader, query.parsed)
    if unmet:
        return unmet
    clauses = query.parsed.required
    parts = [
        (typed, condition_of(clause, reader))
        for typed, clause in zip(query.parsed.filters, clauses, strict=True)
    ]
    parts += _known_words(query, reader) if by_words else ()
    if not parts or _are_met(parts, reader):
        return ()
    for part in reversed(parts):
        others = [other for other in parts if other is not part]
        if others and not _are_met(others, reader):
            parts = others
    typed = tuple(typed for typed, _ in parts)
    return (Unmet(" ".join(typed), together=typed if len(typed) > 1 else ()),)


def _known_words(query: ResolvedQuery, reader: Reader) -> Iterator[tuple[str, Condition]]:
    """Yield each quoted phrase that notes have; all other words that notes have are one item."""
    words: dict[str, Condition] = {}
    for group in query.groups:
        condition = AnyOf(tuple(pattern.condition for pattern in group))
        if not reader.rows.has_match(condition):
            continue
        term = group[0].term
        if term.phrase:
            yield f'"{term.text}"', condition
        else:
            words[term.text] = condition
    if words:
        yield " OR ".join(words), AnyOf(tuple(words.values()))


def _are_met(parts: Iterable[tuple[str, Condition]], reader: Reader) -> bool:
    return reader.rows.has_match(All(tuple(condition for _, condition in parts)))


def _unmatched(reader: Reader, query: Query) -> tuple[Unmet, ...]:
    clauses = [clause[0] for clause in query.required if len(clause) == 1]
    return tuple(
        Unmet(part.text, tuple(_near(part, reader)))
        for part in clauses
        if isinstance(part, Filter)
        and not reader.rows.has_match(reader.links.looked_up(part.condition))
    )


def similar_filters(reader: Reader, not_filters: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, by each word in ``not_filters`` that looks like a filter, the filters it may mean.

    The name before the colon may be misspelt or the name of a property, or the value may be wrong.
    """
    near = {word: tuple(_filters_like(word, reader)) for word in not_filters}
    return {word: filters for word, filters in near.items() if filters}


def _filters_like(word: str, reader: Reader) -> Iterator[str]:
    name, _, value = word.partition(":")
    name = name.lower()
    if name in NAMES:
        yield from (f"{name}:{known}" for known in FIXED_VALUES.get(name, ())[:_FIXED_OFFERED])
        return
    named = (
        *_NAMES_ELSEWHERE.get(name, "").split(),
        *closest(name, NAMES, 1, _OFFERED),
    )
    for known in dict.fromkeys(named):
        meant = parse(f"{known}:{value} ")
        unmet = _unmatched(reader, meant)
        if unmet:
            yield from unmet[0].near
        elif meant.filters:
            yield f"{known}:{value}"
    keys = reader.labels.counted("key")
    for key in (name,) if folded_name(name) in keys else alike(name, keys):
        with_value = f"prop:{key}={value}"
        if key == name or not _unmatched(reader, parse(f"{with_value} ")):
            yield with_value


def _near(unmet: Filter, reader: Reader) -> Iterator[str]:
    """Yield a few filters similar to ``unmet`` that some section matches."""
    name, _, typed = unmet.text.partition(":")
    condition = unmet.condition
    if isinstance(condition, WithProperty) and condition.key.endswith("!") and "!=" in typed:
        # A minus says here what “!=” says elsewhere.
        yield f"-{name}:{typed.replace('!=', '=', 1)}"
        return
    near = dict.fromkeys(_near_values(condition, typed.strip('"'), reader))
    yield from islice((f"{name}:{value}" for value in near), _OFFERED)


def _near_values(condition: Condition, typed: str, reader: Reader) -> Iterator[str]:
    """Yield values in the notes that resemble a value of the filter ``condition``.

    They are written as in a query. ``typed`` is the value that the user has typed.
    """
    if isinstance(condition, AnyOf):
        for part in condition.parts:
            yield from _near_values(part, typed, reader)
    elif isinstance(condition, WithProperty):
        yield from _near_properties(condition, reader)
    elif isinstance(condition, InLanguage):
        known = list(languages(reader))
        yield from map(quoted_value, alike(typed, known) or known[:_OFFERED])
    else:
        yield from map(quoted_value, alike(*_values(condition, reader)))


def _near_properties(condition: WithProperty, reader: Reader) -> Iterator[str]:
    compared = condition.value
    values = tuple(reader.labels.counted("value", condition.key))
    if not values:
        for key in alike(condition.key, reader.labels.counted("key")):
            other = replace(condition, key=key)
            exists = compared is not None and reader.rows.has_match(other)
            value = f"{compared.sign}{quoted_value(compared.text)}" if compared and exists else ""
            yield f"{quoted_value(key)}{value}"
    elif compared is not None and compared.sign == "=":
        for value in alike(compared.text, values) or values[:_OFFERED]:
            yield f"{quoted_value(condition.key)}={quoted_value(value)}"


def _values(condition: Condition, reader: Reader) -> tuple[str, Iterable[str]]:
    """Return the text that ``condition`` looks for, and all texts that the notes have for it.

    Both are empty if none of them would do better.
    """
    if isinstance(condition, Tagged):
        return condition.tag.lstrip("#"), [tag for tag, _ in reader.labels.tag_counts()]
    if isinstance(condition, UnderHeading):
        return condition.text, map(folded_name, reader.labels.counted("heading"))
    names = reader.rows.note_names()
    paths = [folded_name(path) for path, _ in names]
    if isinstance(condition, InPath):
        return condition.text.strip("/"), [*folders_of(paths), *paths]
    if isinstance(condition, InFile):
        return condition.text, map(file_stem, paths)
    if isinstance(condition, LinksToNote | LinkedFrom):
        if reader.links.note_called(condition.name):
            return "", ()
        titles = (folded_name(title) for _, title in names)
        aliases = (folded_name(alias) for _, alias in reader.labels.aliases())
        return condition.name, [*map(file_stem, paths), *titles, *aliases]
    return "", ()


def alike(value: str, known: Iterable[str]) -> list[str]:
    """Return a few of ``known`` that begin with ``value``; else that contain it, else resemble it.

    A tag or name of several words resembles ``value`` if one of the words does. If nothing
    resembles it, ``value`` may lack letters: "wrk" for "work", "mtg" for "meeting".
    """
    value = folded_name(value)
    written: dict[str, str] = {}
    if not value:
        return []
    for name in known:
        written.setdefault(folded_name(name), name)
    candidates = list(written)
    begun = [name for name in candidates if name.startswith(value)]
    resembling = begun or [name for name in candidates if value in name]
    if not resembling and len(value) >= _SHORTEST:
        slips = 2 if len(value) >= _TWO_SLIPS_FROM else 1
        resembling = closest(value, candidates, slips, _OFFERED)
        if not resembling:
            whole = {part: name for name in reversed(candidates) for part in _PARTS.split(name)}
            near = closest(value, whole.keys(), slips, _OFFERED)
            resembling = list(dict.fromkeys(whole[part] for part in near))
    if not resembling and len(value) >= _SHORTEST_ABBREVIATION:
        letters = re.compile(r"\b" + r"\w*?".join(map(re.escape, value)))
        resembling = sorted(filter(letters.search, candidates), key=len)
    return [written[name] for name in resembling[:_OFFERED]]


# Notes and sections that somebody misses

_SEPARATOR = " › "
"""The separator of the headings that lead to a section."""

_RANKED = 500
"""The rank of a note is looked for among this many best notes."""

_SAME, _MOST_SAME = 3, 200
"""How many sections with one heading are named, and how many are looked at for that."""

Search = Callable[..., SearchResult]
"""The type of ``NoteLibrary.search``."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A note, or a section of it, that somebody misses among the results.

    Attributes:
        name: The section with its note, for the user; empty for a note.
        section_path: The breadcrumb of the section; empty for a note.
        line: The first line of the section; 0 for a note.
    """

    path: str
    name: str = ""
    section_path: tuple[str, ...] = ()
    line: int = 0

    @classmethod
    def section(cls, path: str, title: str, section_path: tuple[str, ...], line: int) -> Self:
        """Return a section of the note with this ``path`` and ``title``."""
        headings = section_path if section_path[:1] == (title,) else (title, *section_path)
        return cls(path, _SEPARATOR.join(headings), section_path, line)

    def is_at(self, found: SectionResult) -> bool:
        """Return whether ``found`` is this section or, if a note is sought, belongs to it."""
        if found.path != self.path:
            return False
        return not self.line or (found.section_path, found.line) == (self.section_path, self.line)


def sections_called(name: str, reader: Reader) -> tuple[tuple[Sought, ...], tuple[str, ...]]:
    """Return a few sections with the heading ``name``, or with the only heading that contains it.

    ``name`` may also be ``Parent/Child``. The second value is empty; if no section is found, it has
    the headings that may be meant.
    """
    headings = reversed(reader.labels.counted("heading"))
    known = {folded_name(heading): heading for heading in headings}
    wanted = folded_name(name.lstrip("# "))
    above: set[str] = set()
    if wanted not in known and "/" in wanted:
        *parents, wanted = (part.strip() for part in wanted.split("/"))
        above = set(parents)
    near = [wanted] if wanted in known else alike(wanted, reversed(known))
    if len(near) != 1 or wanted not in near[0]:
        return (), tuple(known[heading] for heading in near)
    rows = reader.rows.sections(reader.rows.named(known[near[0]], _MOST_SAME), with_body=False)
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    called = [
        Sought.section(note.path, note.title, row.path, row.line)
        for row in rows.values()
        for note in (notes[row.note_id],)
        if above <= {*map(folded_name, (note.title, PurePosixPath(note.path).stem, *row.path))}
    ][:_SAME]
    if not called:
        return (), (known[near[0]],)
    names = [section.name for section in called]
    return tuple(
        replace(section, name=f"{section.name}:{section.line}")
        if names.count(section.name) > 1
        else section
        for section in called
    ), ()


def absence(
    search: Search, text: str, missed: Iterable[Sought], within: str = ""
) -> tuple[Sentence, ...]:
    """Return sentences that say how the ``missed`` notes and sections rank, or why they do not.

    ``text`` is the query, and ``within`` the folder that is searched; empty for all.
    """
    query = parse(f"{text} ")
    if not query.terms and not query.filters and not query.excluded:
        return (Sentence("absence_without_query"),)
    reasons = [tuple(_reasons(search, query, sought, within)) for sought in missed]
    reasons.sort(key=_rank_in)
    return tuple(chain.from_iterable(reasons))


def _rank_in(reasons: Sequence[Sentence]) -> int:
    rank = reasons[0].fields.get("rank")
    return rank if isinstance(rank, int) else _RANKED + 1


def _reasons(search: Search, query: Query, sought: Sought, within: str) -> Iterator[Sentence]:
    most = _RANKED if sought.line else 1
    result = search(query.text, limit=_RANKED, per_note=most, within=within)
    listed = result.sections if sought.line else [note.sections[0] for note in result.notes]
    for rank, section in enumerate(listed, 1):
        if sought.is_at(section):
            kind = "absence_section_ranked" if sought.line else "absence_ranked"
            name = sought.name or section.section
            yield Sentence(kind, rank=rank, count=len(listed), section=name)
            yield from _ranks(section.why, compared=result.meaning)
            return
    if sought.line:
        yield Sentence("absence_section_unranked", section=sought.name)
    unmet = tuple(clause for clause in _clauses(query) if not _has(search, clause, sought))
    held = tuple(word for word in query.excluded if _has(search, f'"{word}"', sought))
    wordless = query.terms and not any(_has(search, term.text, sought) for term in query.terms)
    if unmet:
        kind = "absence_section_filtered" if sought.line else "absence_filtered"
        yield Sentence(kind, filters=unmet)
    if held:
        yield Sentence("absence_excluded", words=held)
    if wordless:
        yield Sentence("absence_wordless")
    if not unmet and not held and not wordless:
        yield Sentence("absence_beyond", count=_RANKED)


def _ranks(why: Why, *, compared: bool) -> Iterator[Sentence]:
    """Yield the ranks of a section by words and by meaning, if its meaning was ``compared``."""
    if why.words_rank is not None:
        yield Sentence("absence_by_words", rank=why.words_rank)
    elif why.meaning_rank is not None:
        yield Sentence("absence_wordless")
    if why.meaning_rank is not None:
        yield Sentence("absence_by_meaning", rank=why.meaning_rank)
    elif compared and why.words_rank is not None:
        yield Sentence("absence_not_near")


def _clauses(query: Query) -> tuple[str, ...]:
    """Return the clauses that every result must match, as the user typed them.

    Clauses that exclude words are left out.
    """
    return tuple(
        typed
        for typed, clause in zip(query.filters, query.required, strict=True)
        if not any(isinstance(part, Without) and isinstance(part.part, Term) for part in clause)
    )


def _has(search: Search, text: str, sought: Sought) -> bool:
    most = _RANKED if sought.line else 1
    result = search(f"{text} ", limit=most, per_note=most, within=sought.path, mode=Mode.WORDS)
    return any(map(sought.is_at, result.sections))
