"""Compares a query with names: headings, titles, aliases, file names and folders.

``exact_names`` finds the sections whose heading, or whose note's name, is the query.
``heading_shares`` computes the signal ``headings``.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from notesearch.search.filters import file_stem
from notesearch.search.habits import content_words
from notesearch.search.patterns import Pattern
from notesearch.search.query import Query
from notesearch.search.query_resolution import ResolvedQuery
from notesearch.store.reader import Reader
from notesearch.store.rows import NoteRow, SectionRow
from notesearch.store.word_cutting import is_symbol

OTHER = -1
"""The level of a name that differs from the query."""


def exact_names(
    reader: Reader,
    query: Query,
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
) -> dict[int, int]:
    """Return by section id how exactly ``query`` is the name of one of the sections ``rows``.

    A heading has level 2 if it is written like the query, 1 if it has other forms of the words, and
    0 if it also has other stop words inside. The names of a note count for its first section: an
    alias has the level of such a heading, title and file name have 2 more (0 stays 0). A section
    has level 1 if the query is the title followed by the heading. Others are left out.
    """
    words = _NameWords(reader, query.is_stop_word)
    wanted = words.forms(query.plain_text)
    content = words.forms(query.plain_text, all_words=False)
    if not wanted:
        return {}
    written = _between_spaces(query.plain_text), _between_spaces(query.text)

    @lru_cache(None)
    def exactness(name: str) -> int:
        if not words.are_alike((name,), wanted):
            return 0 if words.are_alike((name,), content, all_words=False) else OTHER
        return 2 if any(_between_spaces(name) in text for text in written) else 1

    levels: dict[int, int] = {}
    for id_, row in rows.items():
        note = notes[row.note_id]
        level = exactness(row.heading)
        if row.heading and words.are_alike((note.title, row.heading), wanted):
            level = max(level, 1)
        if row.ordinal == 0 or (row.ordinal == 1 and row.level and row.path == (note.title,)):
            if note.sections > 1 and not row.level and not row.has_text:
                continue  # lines above the title, such as MyST's label ``(name)=``
            of_note = max(map(exactness, _names_of(note, query.text)))
            of_note += 2 if of_note > 0 else 0
            level = max([level, of_note, *map(exactness, note.aliases)])
        if level > OTHER:
            levels[id_] = level
    return levels


def _names_of(note: NoteRow, text: str) -> list[str]:
    """Return the title of ``note`` and the names of its file that the query ``text`` may be."""
    names = [note.title, file_stem(note.path)]
    if "." in text:
        names.append(note.path.rpartition("/")[2])
    if "/" in text:
        names += [note.path, note.path.rpartition(".")[0]]
    return names


def _between_spaces(text: str) -> str:
    """Return ``text`` without case and quotes, with single spaces in it and around it."""
    words = text.casefold().replace('"', " ").split()
    return f" {' '.join(words)} "


class _NameWords:
    """The words by which names are compared.

    Symbols are left out unless there is nothing else. If not ``all_words`` are compared, stop words
    are left out, too, unless they are first or last: "Delete a file", but not "About files".
    """

    def __init__(self, reader: Reader, is_stop_word: Callable[[str], bool]) -> None:
        self._lexicon = reader.lexicon
        self._is_stop_word = is_stop_word

    def _numbers(self, name: str, *, all_words: bool) -> list[int]:
        """Return the numbers of those words of ``name`` that are compared."""
        tokens = self._lexicon.tokens(name)
        kept = [n for n, (_, token) in enumerate(tokens) if not is_symbol(token)]
        kept = kept or list(range(len(tokens)))
        if all_words:
            return kept
        inner = {n for n in kept[1:-1] if self._is_stop_word(name[slice(*tokens[n][0])])}
        return [n for n in kept if n not in inner]

    def forms(self, name: str, *, all_words: bool = True) -> list[frozenset[str]]:
        """Return the forms of each word of ``name`` that is compared."""
        forms = self._lexicon.query_forms(name)
        return [frozenset(forms[n][1]) for n in self._numbers(name, all_words=all_words)]

    def are_alike(
        self, names: Sequence[str], wanted: Sequence[frozenset[str]], *, all_words: bool = True
    ) -> bool:
        """Return whether each word of ``names`` has a form of the ``wanted`` word at its place."""
        # Most names differ in the number of words: stems in all languages would take longer.
        numbers = chain(*(self._numbers(name, all_words=all_words) for name in names))
        if sum(1 for _ in numbers) != len(wanted):
            return False
        forms = chain(*(self.forms(name, all_words=all_words) for name in names))
        return not any(map(frozenset.isdisjoint, wanted, forms))


def heading_shares(
    reader: Reader,
    query: ResolvedQuery,
    worths: Sequence[float],
    rows: Mapping[int, SectionRow],
    notes: Mapping[int, NoteRow],
) -> dict[int, float]:
    """Return by section id how much of the query its headings have, from 0 to 1.

    The result is the mean of two shares: of the query in the section's own heading, and in folder,
    file name, title, aliases and all headings together. Half of the first share is multiplied by
    the share of the heading that is in the query, because "v-else" is nearer to "v-else" than
    "v-else-if" is. The title does not count as own heading. ``worths`` says how much each word of
    the query counts; all count alike if it is empty.
    """
    words = _QueryWords(reader, query.groups, worths or [1.0] * len(query.groups))
    shares: dict[int, float] = {}
    for id_, row in rows.items():
        note = notes[row.note_id]
        names = " ".join((note.path.rpartition(".")[0], note.title, *note.aliases))
        found = set[str]().union(*(words.found_in(text)[0] for text in (names, *row.path)))
        share = words.share(found)
        of_own = 0.0
        if row.path and row.path != (note.title,):
            own, share_of_heading = words.found_in(row.path[-1])
            of_own = words.share(own) * (1 + share_of_heading) / 2
        shares[id_] = (of_own + share) / 2
    return shares


class _QueryWords:
    """The words of one query, to be looked for in names. They are given by their tokens."""

    def __init__(
        self, reader: Reader, groups: Sequence[Sequence[Pattern]], worths: Sequence[float]
    ) -> None:
        self._reader = reader
        self._groups = [[_content(pattern) for pattern in group] for group in groups]
        self._worths = worths
        self._by_form: dict[str, set[str]] = defaultdict(set)
        patterns = list(chain.from_iterable(groups))
        for pattern in patterns:
            for token, forms in zip(pattern.tokens, pattern.forms, strict=True):
                for form in (token, *forms):
                    self._by_form[form].add(token)
        # An unfinished last word may become any word that begins like it.
        self._by_beginning = {p.beginning: p.tokens[-1] for p in patterns if p.beginning}
        self.found_in = lru_cache(None)(self._found_in)

    def _found_in(self, text: str) -> tuple[set[str], float]:
        """Return the words of the query in ``text``, and the share of the text that they are."""
        found = set[str]()
        matching = 0
        tokens = content_words(self._reader, text)
        for token in tokens:
            begun = {last for first, last in self._by_beginning.items() if token.startswith(first)}
            words = begun.union(self._by_form.get(token, ()))
            found |= words
            matching += bool(words)
        return found, matching / max(len(tokens), 1)

    def share(self, found: set[str]) -> float:
        """Return the share of the query, 0 to 1, that the words ``found`` make up."""
        reached = whole = 0.0
        for group, worth in zip(self._groups, self._worths, strict=True):
            parts = (len(found & words) / len(words) for words in group)
            reached += worth * max(parts, default=0.0)
            whole += worth
        return reached / whole if whole else 0.0


def _content(pattern: Pattern) -> set[str]:
    """Return those tokens of ``pattern`` that are worth finding alone, or all if none is."""
    words = zip(pattern.tokens, pattern.forms, strict=True)
    content = {token for token, forms in words if not forms.isdisjoint(pattern.content_tokens)}
    return content or set(pattern.tokens)
