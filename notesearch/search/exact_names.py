"""Finds the sections whose heading, or whose note's name, is the query."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from notesearch.search.filters import file_stem
from notesearch.search.query import Query
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
    forms = lru_cache(None)(partial(_name_forms, reader=reader))
    wanted = forms(query.plain_text)
    content = _name_forms(query.plain_text, reader, without=query.is_stop_word)
    if not wanted:
        return {}
    written = _between_spaces(query.plain_text), _between_spaces(query.text)

    @lru_cache(None)
    def exactness(name: str) -> int:
        if not _are_alike(forms(name), wanted):
            names = _name_forms(name, reader, without=query.is_stop_word)
            return 0 if _are_alike(names, content) else OTHER
        return 2 if any(_between_spaces(name) in text for text in written) else 1

    levels: dict[int, int] = {}
    for id_, row in rows.items():
        note = notes[row.note_id]
        level = exactness(row.heading)
        if row.heading and _are_alike([*forms(note.title), *forms(row.heading)], wanted):
            level = max(level, 1)
        if row.ordinal == 0 or (row.ordinal == 1 and row.level and row.path == (note.title,)):
            if note.sections > 1 and not row.level and not row.has_text:
                continue  # lines above the title, such as MyST's label ``(name)=``
            of_note = max(map(exactness, _names_of(note, query.text)))
            if of_note > 0:
                of_note += 2
            level = max([level, of_note, *map(exactness, note.aliases)])
        levels[id_] = level
    return {id_: level for id_, level in levels.items() if level > OTHER}


def _names_of(note: NoteRow, text: str) -> list[str]:
    """Return the title of ``note`` and the names of its file that the query ``text`` may be."""
    file_name = note.path.rpartition("/")[2]
    names = [note.title, file_stem(file_name)]
    if "." in text:
        names.append(file_name)
    if "/" in text:
        names += [note.path, note.path.rpartition(".")[0]]
    return names


def _between_spaces(text: str) -> str:
    """Return ``text`` without case and quotes, with single spaces in it and around it."""
    words = text.casefold().replace('"', " ").split()
    return f" {' '.join(words)} "


def _are_alike(forms: Sequence[frozenset[str]], wanted: Sequence[frozenset[str]]) -> bool:
    return len(forms) == len(wanted) and not any(map(frozenset.isdisjoint, forms, wanted))


def _name_forms(
    text: str, reader: Reader, without: Callable[[str], bool] = lambda _: False
) -> list[frozenset[str]]:
    """Return the forms of the words by which names are compared.

    Symbols are left out unless there is nothing else, and words that are ``without`` unless they
    are first or last: "Delete a file", but not "About files".
    """
    words = [(span, frozenset(forms)) for span, forms in reader.lexicon.query_forms(text)]
    kept = [word for word in words if not any(map(is_symbol, word[1]))] or words
    inner = range(1, len(kept) - 1)
    return [
        forms
        for number, (span, forms) in enumerate(kept)
        if number not in inner or not without(text[slice(*span)])
    ]
