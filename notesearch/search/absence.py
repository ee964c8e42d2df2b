"""Explains why a note or section is not a result of a search, or which rank it has."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePosixPath
from typing import Self

from notesearch.messages import Sentence
from notesearch.results import Mode, SearchResult, SectionResult, Why
from notesearch.search.query import Query, Term, Without, parse
from notesearch.search.unmet import alike
from notesearch.store.folding import folded_name
from notesearch.store.reader import Reader

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
