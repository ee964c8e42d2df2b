"""Notes and outlines as JSON, in pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType

from notesearch.results import SectionLink, SectionText

MOST_PROPERTIES = 50
"""Values of properties that come with a note."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A section in an outline.

    Attributes:
        end_line: The last line of its own text.
        full_end_line: The last line of its subsections; reading the section ends there.
        words: The words of its own text.
        full_words: The words of its text and its subsections.
    """

    section: str
    section_path: list[str]
    level: int
    line: int
    end_line: int
    full_end_line: int
    words: int
    full_words: int


@dataclass(frozen=True, slots=True)
class Outline:
    """A page of a note's outline.

    Attributes:
        sections: The sections on this page, in order.
        total: The number of sections of the whole note.
        page_word_count: The words of the whole note.
        continuation: Asks ``list_sections`` for the next page; empty on the last one.
        vault: The name of the note's vault, if the server has several.
    """

    path: str
    sections: list[OutlineEntry]
    total: int
    page_word_count: int
    continuation: str = ""
    vault: str = ""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page of a note, or of one full section of it.

    Attributes:
        section: The heading of the section; the note's title for a whole note.
        line: The line of the file in which ``text`` begins.
        end_line: The line in which it ends.
        words: The words of the whole section or note, counted as in the outline.
        page_word_count: The words of the whole note.
        continuation: Asks ``read_note`` for the next page; empty on the last one.
        properties: Those of the note in its front matter and its text, on the first page of a
            whole note.
        vault: The name of the note's vault, if the server has several.
    """

    path: str
    title: str
    section: str
    section_path: list[str]
    level: int
    line: int
    end_line: int
    text: str
    words: int
    page_word_count: int
    continuation: str = ""
    properties: dict[str, list[str]] = field(default_factory=dict)
    vault: str = ""


@dataclass(frozen=True, slots=True)
class ReadPages:
    """Several places, each with what was read there or why it could not be read."""

    pages: list[ReadPage]
    problems: list[str]


def outline_entries(links: Sequence[SectionLink]) -> list[OutlineEntry]:
    """Return a note's sections with their sizes, with and without their subsections."""
    entries = []
    for at, link in enumerate(links):
        below = [link]
        if link.level:
            for other in links[at + 1 :]:
                if 0 < other.level <= link.level:
                    break
                below.append(other)
        entries.append(
            OutlineEntry(
                section=link.heading,
                section_path=list(link.path),
                level=link.level,
                line=link.line,
                end_line=link.end_line,
                full_end_line=below[-1].end_line,
                words=link.words,
                full_words=sum(one.words for one in below),
            )
        )
    return entries


def whole_outline(path: str, links: Sequence[SectionLink]) -> Outline:
    """Return the outline of the note at ``path`` on one page."""
    words = sum(link.words for link in links)
    return Outline(path, outline_entries(links), len(links), words)


def read_page(
    text: SectionText,
    links: Sequence[SectionLink],
    *,
    page: str | None = None,
    first_line: int = 0,
    continuation: str = "",
    properties: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> ReadPage:
    """Return a page of a note or a section.

    Args:
        text: The note or full section.
        links: All sections of the note.
        page: The text of the page; by default all of ``text``.
        first_line: Index of the first line of ``page`` in ``text``.
        continuation: Asks for the next page.
        properties: All of the note; the first ``MOST_PROPERTIES`` values are shown.
    """
    values = ((key, text) for key, texts in properties.items() for text in texts)
    shown: dict[str, list[str]] = {}
    for key, value in islice(values, MOST_PROPERTIES):
        shown.setdefault(key, []).append(value)
    page = text.text if page is None else page
    line = text.line + first_line
    return ReadPage(
        path=text.path,
        title=text.title,
        section=text.heading,
        section_path=list(text.section_path),
        level=text.level,
        line=line,
        end_line=line + page.rstrip("\n").count("\n"),
        text=page,
        words=text.words,
        page_word_count=sum(link.words for link in links),
        continuation=continuation,
        properties=shown,
    )
