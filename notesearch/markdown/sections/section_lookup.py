"""Finds a note by path, file name, title or alias, and a section of a note by its heading."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from notesearch.errors import NoteMissingError, SectionMissingError
from notesearch.markdown.sections.inline_text import plain_heading
from notesearch.messages import Sentence
from notesearch.note_addresses import without_escapes
from notesearch.notes import ELLIPSIS, Note, Section
from notesearch.results import SectionLink

_SEPARATORS = re.compile(r"\s*[/›>]\s*")
_SUFFIX = re.compile(r"\.(md|markdown)\Z")
_NON_LETTERS = re.compile(r"[\W_]+")
_AT_LINE = re.compile(r"(.*\S)\s+\(lines? (\d{1,9})(?:-\d{1,9})?(?:; [^()]*)?\)\s*", re.DOTALL)
"""``Heading (line 12)``, as error messages name each of several sections with the same heading, or
``Heading (lines 12-20; 90 words)``, as lists of sections name it."""

_LINES = re.compile(r"lines? (\d{1,9})(?:-\d{1,9})?|(\d{1,9})-\d{1,9}", re.IGNORECASE)

_GAP = "\0"
"""Stands for an ellipsis in a folded heading, where ``...`` may be three dots of the note."""

_MAX_LISTED = 40
_MAX_SUGGESTIONS = 3
_MIN_SIMILARITY = 80
_CLEAR_LEAD = 8

_Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoteOutline:
    """The parts of a note by which its sections are found and read; small even for a long note.

    Attributes:
        path: The path of the note in the vault.
        properties: The values of each property by key: of front matter, then of the note's text.
        is_front_matter: Whether the note has no text below its front matter.
    """

    path: str
    title: str
    sections: tuple[SectionLink, ...]
    properties: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_front_matter: bool = False

    @classmethod
    def of(cls, note: Note) -> "NoteOutline":
        """Return the outline of a parsed note."""
        properties: dict[str, list[str]] = {}
        for value in note.values:
            if not (value.inline or value.hidden):
                properties.setdefault(value.key, []).append(value.text)
        for key, texts in note.inline_properties.items():
            properties[key] = [*dict.fromkeys([*properties.get(key, ()), *texts])]
        sections = tuple(map(_link, note.sections))
        return cls(note.path, note.title, sections, properties, _is_front_matter(note))


def _link(section: Section) -> SectionLink:
    return SectionLink(
        heading=section.heading,
        path=section.path,
        level=section.level,
        line=section.line,
        end_line=section.end_line,
        words=section.words,
        page=section.source.page,
    )


def _is_front_matter(note: Note) -> bool:
    return (
        bool(note.values)
        and len(note.sections) == 1
        and note.sections[0].line == 1
        and not note.sections[0].text
    )


def find_note(
    name: str, notes: Sequence[tuple[str, str]], aliases: Sequence[tuple[str, str]] = ()
) -> str:
    """Return the path of the one note called ``name``.

    ``name`` is a path, the end of a path, a file name, a title, or else one of the ``aliases``
    (path, alias). Case does not matter, and the suffix may be missing.

    Raises:
        NoteMissingError: No note or several notes have that name.
    """
    folded = _SUFFIX.sub("", _folded(name))
    exact: list[str] = []
    partial: list[str] = []
    for path, title in notes:
        whole = _SUFFIX.sub("", _folded(path))
        if whole == folded:
            exact.append(path)
        elif whole.endswith(f"/{folded}") or _folded(title) in {folded, _folded(name)}:
            partial.append(path)
    called = [path for path, alias in aliases if _folded(alias) in {folded, _folded(name)}]
    matches = exact or partial or list(dict.fromkeys(called))
    if len(matches) > 1:  # names that differ only in case: prefer the exact spelling
        spelt = _SUFFIX.sub("", unicodedata.normalize("NFC", name))
        names = {path: unicodedata.normalize("NFC", f"/{path}") for path in matches}
        same = [path for path in matches if _SUFFIX.sub("", names[path]).endswith(f"/{spelt}")]
        matches = same if len(same) == 1 else matches
    if len(matches) == 1:
        return matches[0]
    if matches and folded:
        paths = tuple(sorted(matches, key=lambda path: (len(path), path))[:5])
        raise NoteMissingError("note_name_ambiguous", count=len(matches), name=name, paths=paths)
    folder = f"{folded.strip('/')}/"
    inside = [path for path, _ in notes if _folded(path).startswith(folder)]
    similar = tuple(inside[:_MAX_SUGGESTIONS] or _similar_notes(folded, notes, aliases))
    if similar:
        raise NoteMissingError("note_name_unknown_near", name=name, near=similar)
    raise NoteMissingError("note_name_unknown", name=name)


def _similar_notes(
    name: str, notes: Iterable[tuple[str, str]], aliases: Iterable[tuple[str, str]]
) -> list[str]:
    """Return the paths of notes with all words of ``name``, then of those closest in spelling."""
    from rapidfuzz import fuzz, process

    spellings = [
        (path, folded)
        for path, title in notes
        for whole in (_SUFFIX.sub("", _folded(path)),)
        for folded in {whole, whole.rpartition("/")[2], _folded(title)}
    ]
    spellings += [(path, _folded(alias)) for path, alias in aliases]
    choices = [folded for _, folded in spellings]
    best = process.extract(name, choices, scorer=fuzz.ratio, limit=9, score_cutoff=_MIN_SIMILARITY)
    named, *worded = (_NON_LETTERS.sub(" ", text) for text in (name, *choices))
    places = [*_with_words(named, worded), *(at for _, _, at in best)]
    return list(dict.fromkeys(spellings[at][0] for at in places))[:_MAX_SUGGESTIONS]


def _with_words(name: str, choices: Sequence[str]) -> list[int]:
    """Return the indexes of ``choices`` with all words of ``name``, also as beginnings of words."""
    words = [f" {word}" for word in name.split()]
    return [
        at
        for at, choice in enumerate(choices)
        if words and all(word in f" {choice}" for word in words)
    ]


def find_section(note: NoteOutline, name: str) -> int:
    """Return the index of the one section of ``note`` called ``name``.

    ``name`` may be, in this order: the heading or its Markdown, ignoring case; the end of the
    heading path, such as ``Parent/Child``; ``Heading (line 12)`` for one of several sections with
    the same heading; ``preamble`` for the text above all headings; ``lines 12-20``; the heading as
    a link writes it; words that only one heading has; or a text that is clearly closest to one
    heading in spelling.

    Raises:
        SectionMissingError: No section or several sections have that name; the message lists them.
    """
    found = _called(note, name)
    at_line = _AT_LINE.fullmatch(name)
    if not found and at_line:
        found = _called(note, at_line[1], int(at_line[2]))
    found = found or _preamble(note, name) or _at_lines(note, name)
    linked = None if found else linked_section(note, name)
    found = found if linked is None else [linked]
    found = found or _similar_section(note, name)
    if len(found) == 1:
        return found[0]
    raise SectionMissingError(_explanation(note, name, found))


def _preamble(note: NoteOutline, name: str) -> list[int]:
    first, called = note.sections[:1], _folded(name)
    names = {"preamble", "(preamble)", *(f"(preamble) {_folded(s.heading)}" for s in first)}
    return [0] if first and not first[0].level and called in names else []


def _at_lines(note: NoteOutline, name: str) -> list[int]:
    lines = _LINES.fullmatch(name.strip())
    line = int(lines[1] or lines[2]) if lines else 0
    return [i for i, s in enumerate(note.sections) if s.line <= line <= s.end_line]


def _called(note: NoteOutline, name: str, line: int = 0) -> list[int]:
    """Return the indexes of the sections called ``name``, at ``line`` if that is given.

    The heading is compared first, then the end of the path, then forms with ``…``.
    """
    sections = note.sections
    heading = name.lstrip("# ")
    spellings = (name, heading, plain_heading(heading, {}), without_escapes(name))
    wanted = {_parts(spelling) for spelling in spellings}
    among = [i for i, s in enumerate(sections) if line in {0, s.line}]
    found = [i for i in among if _parts(sections[i].heading) in wanted]
    if not found:
        paths = {i: (*_parts(note.title), *_path_parts(sections[i])) for i in among}
        found = [i for i in among if any(paths[i][-len(parts) :] == parts for parts in wanted)]
    if not found:  # an ellipsis may also stand for a whole sub-heading, but hardly ever does
        fitting = [i for i in among if _fits(sections[i], wanted)]
        lengths = {len(parts) for parts in wanted}
        found = [i for i in fitting if len(_path_parts(sections[i])) in lengths] or fitting
    if len(found) > 1:  # prefer a heading at the top to the same heading at a lower level
        found = [i for i in found if _path_parts(sections[i]) in wanted] or found
    return found


def linked_section(note: NoteOutline, heading: str) -> int | None:
    """Return the index of the section that a link means; None if there is no such section.

    ``heading`` is ``Heading`` or ``Heading#Sub-heading``, compared by letters and digits as in
    Obsidian. ``#some-heading-1`` is the second one of that name; ``#whats-new`` means "What's
    new?".
    """
    *above, own = (_letters(part) for part in heading.split("#"))
    if any(_letters(section.heading) == _letters(heading) for section in note.sections):
        above, own = [], _letters(heading)  # a heading may contain ``#``
    named = [i for i, s in enumerate(note.sections) if s.level and _letters(s.heading) == own]
    below = [i for i in named if _is_below(note.sections[i], above)]
    if below:
        return below[0]
    return _website_section(note, heading)


def _website_section(note: NoteOutline, anchor: str) -> int | None:
    slugs = [_NON_LETTERS.sub("", _folded(s.heading)) if s.level else "" for s in note.sections]
    first, _, number = anchor.rpartition("-")
    numbered = [(first, int(number))] if re.fullmatch(r"[0-9]{1,4}", number) else []
    for name, nth in ((anchor, 0), *numbered):
        slug = _NON_LETTERS.sub("", _folded(name))
        same = [i for i, other in enumerate(slugs) if other and other == slug]
        if len(same) > nth:
            return same[nth]
    return None


def _letters(text: str) -> str:
    return _NON_LETTERS.sub(" ", _folded(text)).strip()


def _is_below(section: SectionLink, above: Sequence[str]) -> bool:
    parents = iter([_letters(heading) for heading in section.path[:-1]])
    return all(part in parents for part in above)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _fits(section: SectionLink, wanted: Iterable[_Parts]) -> bool:
    """Return whether a heading or path of ``section`` is in ``wanted``; ``…`` stands for words."""
    if ELLIPSIS not in section.heading and all(ELLIPSIS not in part for part in section.path):
        return False
    heading, *path = (name.replace(ELLIPSIS, _GAP) for name in (section.heading, *section.path))
    whole = " / ".join(part for name in path for part in _parts(name))
    for name in (" / ".join(_parts(heading)), whole):
        if _GAP in name and name.strip(f"{_GAP}. "):
            first, *middle, last = map(re.escape, name.split(_GAP))
            between = "".join(f"(?>.+?{piece})" for piece in middle)  # atomic: fast for many
            pattern = re.compile(f"{first}{between}.+{last}", re.DOTALL)
            if any(pattern.fullmatch(" / ".join(parts)) for parts in wanted):
                return True
    return False


def _parts(text: str) -> _Parts:
    return tuple(part for part in _SEPARATORS.split(_folded(text)) if part)


def _path_parts(section: SectionLink) -> _Parts:
    return tuple(part for heading in section.path for part in _parts(heading))


def _similar_section(note: NoteOutline, name: str) -> list[int]:
    """Return the index of the only section with all words of ``name``, or of the closest one.

    The list is empty if none is close. For ``Parent/Child``, each part must be close: a child that
    does not exist is not left out.
    """
    parts = _parts(name.lstrip("# "))
    if not parts:
        return []
    headings = [_folded(section.heading) for section in note.sections]
    wanted = " ".join(parts)
    with_words = _with_words(wanted, headings)
    if len(with_words) != 1:  # the name may be an anchor, such as "tcp-and-udp"
        letters = [heading if "..." in heading else _letters(heading) for heading in headings]
        with_words = _with_words(_letters(wanted), letters)
    if len(with_words) == 1:
        return with_words
    from rapidfuzz import fuzz, process

    paths: list[_Parts] = [(heading,) for heading in headings]
    if len(parts) > 1:
        title = _parts(note.title)
        paths = [(*title, *_path_parts(section))[-len(parts) :] for section in note.sections]
    choices = [" ".join(path) for path in paths]
    best = process.extract(
        wanted, choices, scorer=fuzz.ratio, limit=2, score_cutoff=_MIN_SIMILARITY
    )
    if not best or (len(best) > 1 and best[0][1] - best[1][1] < _CLEAR_LEAD):
        return []
    at = best[0][2]
    is_similar = len(paths[at]) == len(parts) and all(
        fuzz.ratio(part, own) >= _MIN_SIMILARITY for part, own in zip(parts, paths[at], strict=True)
    )
    return [at] if is_similar else []


def _explanation(note: NoteOutline, name: str, found: Sequence[int]) -> Sentence:
    fields = {"path": note.path, "section": name}
    if not note.sections:
        return Sentence("section_unknown_empty", **fields)
    paths = [" / ".join(section.path) for section in note.sections]
    times = Counter(paths)
    names = tuple(
        f"{path} (line {section.line})" if found or times[path] > 1 else path
        for at, (path, section) in enumerate(zip(paths, note.sections, strict=True))
        if not found or at in found
    )
    if found:
        return Sentence("section_ambiguous", **fields, sections=names)
    more = len(names) - _MAX_LISTED
    if more > 0:
        listed = names[:_MAX_LISTED]
        return Sentence("section_unknown_of_many", **fields, sections=listed, more=more)
    return Sentence("section_unknown", **fields, sections=names)
