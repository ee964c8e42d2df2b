"""Notes as programs read them: texts, page by page, and outlines."""

from collections.abc import Sequence
from dataclasses import dataclass

from notesearch.results import SectionLink, SectionText

Piece = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A section of an outline.

    Attributes:
        end_line: Last line of its own text.
        full_end_line: Last line with its subsections, which is how far it is read.
        words: Of its own text.
        full_words: With its subsections.
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
    """The sections of a note, in their order, or those of one page.

    Attributes:
        sections: Of the page.
        total: Of the whole note.
        page_word_count: Of the whole note.
        continuation: What ``list_sections`` takes for the next page; empty at the end.
    """

    path: str
    sections: list[OutlineEntry]
    total: int
    page_word_count: int
    continuation: str = ""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A note or a full section of it, or one page of that.

    Attributes:
        section: Its heading; the note's title for a whole note.
        line: Line of the file in which ``text`` begins.
        end_line: Line in which it ends.
        words: Of all that was asked for, counted as in the outline: of its text, not of its signs.
        page_word_count: Of the whole note.
        continuation: What ``read_note`` takes for the next page; empty at the end.
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


def outline(links: Sequence[SectionLink]) -> list[OutlineEntry]:
    """Return a note's sections with their sizes, alone and with their subsections."""
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
                link.heading, list(link.path), link.level, link.line, link.end_line,
                below[-1].end_line, link.words, sum(one.words for one in below),
            )
        )  # fmt: skip
    return entries


def whole_outline(path: str, links: Sequence[SectionLink]) -> Outline:
    """Return the outline of the note at ``path`` as programs read it, all on one page."""
    return Outline(path, outline(links), len(links), sum(link.words for link in links))


def read_page(
    text: SectionText, links: Sequence[SectionLink], piece: Piece | None = None
) -> ReadPage:
    """Return what was read as programs read it, or one ``piece`` of it.

    Args:
        text: A note or a full section.
        links: All sections of the note.
        piece: Its text, in which line of all it begins, and what asks for the next one.
    """
    shown, skipped, continuation = piece or (text.text, 0, "")
    line = text.line + skipped
    words = sum(link.words for link in links if text.line <= link.line <= text.end_line)
    return ReadPage(
        text.path, text.title, text.heading, list(text.section_path), text.level, line,
        line + shown.rstrip("\n").count("\n"), shown, words,
        sum(link.words for link in links), continuation,
    )  # fmt: skip
