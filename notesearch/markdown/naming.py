"""Finds the note or the section that somebody names: by path, name, heading or nearly so."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from notesearch.errors import NoteMissingError, SectionMissingError
from notesearch.notes import Note, Section

_SEPARATORS = re.compile(r"\s*[/›>]\s*")
_SUFFIX = re.compile(r"\.(md|markdown)\Z")
_NO_LETTERS = re.compile(r"[\W_]+")
_NUMBERED = re.compile(r"(.+) (\d{1,4})")
_AT_LINE = re.compile(r"(.*\S)\s+\(lines? (\d{1,9})(?:-\d{1,9})?\)\s*", re.DOTALL)
"""A section as it is listed where its name alone is not enough."""

_LISTED = 40
_NEAR = 3
_CLEAR = 80
_CLEARER_BY = 8

_Parts = tuple[str, ...]


def find_note(asked: str, names: Iterable[tuple[str, str]]) -> str:
    """Return the path of the one note that is called ``asked``.

    Args:
        asked: A path or its end, a file name or a title, in any case, with or without ``.md``.
        names: Path and title of every note.

    Raises:
        NoteMissingError: No note or several are called so.
    """
    wanted = _SUFFIX.sub("", _folded(asked))
    found: list[str] = []
    exact: list[str] = []
    names = list(names)
    for path, title in names:
        whole = _SUFFIX.sub("", _folded(path))
        if whole == wanted:
            exact.append(path)
        elif whole.endswith(f"/{wanted}") or _folded(title) in {wanted, _folded(asked)}:
            found.append(path)
    best = exact or found
    if len(best) > 1:  # of names that differ only in case the one that was written is meant
        spelt = _SUFFIX.sub("", unicodedata.normalize("NFC", asked))
        same = [path for path in best if _ends_with(path, spelt)]
        best = same if len(same) == 1 else best
    if len(best) == 1:
        return best[0]
    if best and wanted:
        listed = ", ".join(sorted(best, key=lambda path: (len(path), path))[:5])
        raise NoteMissingError(f"{len(best)} notes are called “{asked}”: {listed}. Give the path.")
    near = _nearly_called(wanted, names)
    more = f" Called nearly so: {', '.join(near)}." if near else ""
    raise NoteMissingError(f"No note is called “{asked}”.{more}")


def _nearly_called(wanted: str, names: Sequence[tuple[str, str]]) -> list[str]:
    """Return the paths of a few notes whose path, name or title is close in spelling."""
    from rapidfuzz import fuzz, process

    spelt = [
        (path, folded)
        for path, title in names
        for whole in (_SUFFIX.sub("", _folded(path)),)
        for folded in {whole, whole.rpartition("/")[2], _folded(title)}
    ]
    choices = [folded for _, folded in spelt]
    best = process.extract(wanted, choices, scorer=fuzz.ratio, limit=9, score_cutoff=_CLEAR)
    return list(dict.fromkeys(spelt[at][0] for _, _, at in best))[:_NEAR]


def find_section(note: Note, wanted: str) -> int:
    """Return which section of ``note`` is called ``wanted``.

    Its heading in any case, then the end of its heading path (``Parent/Child``), then the one
    heading that has all words or is clearly the closest in spelling. ``Heading (line 12)`` is the
    one in that line: two under the same parent may be called the same. ``preamble`` is the text
    above all headings where none is called so.

    Raises:
        SectionMissingError: None or several are called so; the text lists the sections.
    """
    found = _called(note, wanted)
    at_line = _AT_LINE.fullmatch(wanted)
    if not found and at_line:
        called, line = _called(note, at_line[1]), int(at_line[2])
        found = [i for i in called if note.sections[i].line == line]
    found = found or _preamble(note, wanted)
    found = found or _clearly_meant(note.sections, " ".join(_named_parts(wanted)))
    if len(found) == 1:
        return found[0]
    raise SectionMissingError(_explained(note, wanted, found))


def _preamble(note: Note, wanted: str) -> list[int]:
    """Return the text above the first heading, where it is called as outlines list it."""
    first, called = note.sections[:1], _folded(wanted)
    names = {"preamble", "(preamble)", *(f"(preamble) {_folded(one.heading)}" for one in first)}
    return [0] if first and not first[0].level and called in names else []


def _called(note: Note, wanted: str) -> list[int]:
    """Return the sections whose heading, or else the end of whose path, is ``wanted``."""
    parts, sections = _named_parts(wanted), note.sections
    found = [i for i, s in enumerate(sections) if _parts(s.heading) == parts]
    found = found or [
        i for i, s in enumerate(sections) if _full_parts(note, s)[-len(parts) :] == parts
    ]
    if len(found) > 1:  # a heading at the top that is repeated further down
        found = [i for i in found if _path_parts(sections[i]) == parts] or found
    return found


def linked_section(note: Note, heading: str) -> int | None:
    """Return the section that ``Heading`` or ``Heading#Sub-heading`` in a link means, or None.

    As Obsidian compares them, by letters and digits alone; so that GitHub's ``#some-heading`` and
    ``#some-heading-1`` for the second of that name are the same headings. Else as websites call
    them, without any signs: ``#whats-new`` is "What's new?".
    """
    *above, own = (_letters(part) for part in heading.split("#"))
    if any(_letters(section.heading) == _letters(heading) for section in note.sections):
        above, own = [], _letters(heading)  # a heading may hold the sign
    named = [i for i, s in enumerate(note.sections) if s.level and _letters(s.heading) == own]
    below = [i for i in named if _stands_below(note.sections[i], above)]
    if below:
        return below[0]
    numbered = _NUMBERED.fullmatch(own)
    if not named and numbered:
        same = [i for i, s in enumerate(note.sections) if _letters(s.heading) == numbered[1]]
        if len(same) > int(numbered[2]):
            return same[int(numbered[2])]
    return _called_on_websites(note, heading)


def _called_on_websites(note: Note, name: str) -> int | None:
    called = [_NO_LETTERS.sub("", _folded(s.heading)) if s.level else "" for s in note.sections]
    first, _, number = name.rpartition("-")
    numbered = [(first, int(number))] if re.fullmatch(r"[0-9]{1,4}", number) else []
    for one, nth in ((name, 0), *numbered):
        wanted = _NO_LETTERS.sub("", _folded(one))
        same = [i for i, heading in enumerate(called) if heading and heading == wanted]
        if len(same) > nth:
            return same[nth]
    return None


def _letters(text: str) -> str:
    return _NO_LETTERS.sub(" ", _folded(text)).strip()


def _stands_below(section: Section, above: Sequence[str]) -> bool:
    """Return whether headings called ``above`` stand above ``section``, in that order."""
    over = iter([_letters(heading) for heading in section.path[:-1]])
    return all(part in over for part in above)


def _ends_with(path: str, name: str) -> bool:
    whole = _SUFFIX.sub("", unicodedata.normalize("NFC", path))
    return f"/{whole}".endswith(f"/{name}")


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _parts(text: str) -> _Parts:
    return tuple(part for part in _SEPARATORS.split(_folded(text)) if part)


def _named_parts(wanted: str) -> _Parts:
    return _parts(wanted.lstrip("# "))


def _path_parts(section: Section) -> _Parts:
    return tuple(part for heading in section.path for part in _parts(heading))


def _full_parts(note: Note, section: Section) -> _Parts:
    return *_parts(note.title), *_path_parts(section)


def _clearly_meant(sections: Sequence[Section], wanted: str) -> list[int]:
    """Return the one section that has all the words in its heading, else the closest by far."""
    if not wanted:
        return []
    words = wanted.split()
    headings = [_folded(section.heading) for section in sections]
    holding = [
        i
        for i, heading in enumerate(headings)
        if all(any(part.startswith(word) for part in heading.split()) for word in words)
    ]
    if len(holding) == 1:
        return holding
    from rapidfuzz import fuzz, process

    best = process.extract(wanted, headings, scorer=fuzz.ratio, limit=2, score_cutoff=_CLEAR)
    if not best or (len(best) > 1 and best[0][1] - best[1][1] < _CLEARER_BY):
        return []
    return [best[0][2]]


def _explained(note: Note, wanted: str, found: Sequence[int]) -> str:
    named = f"of {note.path} is called “{wanted}”"
    if found:
        listed = "; ".join(
            f"{' / '.join(note.sections[i].path)} (line {note.sections[i].line})" for i in found
        )
        return f"More than one section {named}. Give one as it stands here: {listed}"
    if not note.sections:
        return f"No section {named}. The note is empty."
    names = [" / ".join(section.path) for section in note.sections]
    more = f"; and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"No section {named}. There are: {'; '.join(names[:_LISTED])}{more}"
