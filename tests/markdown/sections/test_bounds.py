"""What is over a bound of a note's structure is text, and the note says which bound it was."""

import time
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace

import pytest

from notesearch.markdown import bounds
from notesearch.markdown.sections import note_parser, section_content
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.passage_cutting import cut_into_passages
from notesearch.notes import Note, Section


def links_and_tags(note: Note) -> int:
    return sum(len(section.links) + len(section.tags) for section in note.sections)


def sections(note: Note) -> int:
    return len(note.sections)


def names(note: Note) -> int:
    return max(len(note.tags), len(note.aliases))


def numbered(line: str, count: int) -> str:
    return "".join(line.format(n=number) for number in range(count))


NAMES = ("CHARACTERS", "LINES", "BLOCKS", "CELLS", "SECTIONS", "MARKS", "NAMES", "PORTION")
small = SimpleNamespace(**{name: getattr(bounds, name) // 40 for name in NAMES})
"""Bounds that a text soon reaches."""


@pytest.fixture
def little_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every bound a fortieth of what it is: ``make attack`` reaches the real ones."""
    for module in (bounds, section_content):
        for name in NAMES:
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(small, name))


OVER = {
    "headings": ("note_headings_over", "# a{n}\n", small.SECTIONS + 1, sections, small.SECTIONS),
    "links": (
        "note_marks_over",
        "[a](https://example.org/{n}) ",
        small.MARKS + 10,
        links_and_tags,
        small.MARKS,
    ),
    "links in headings": (
        "note_marks_over",
        "# " + "[a](https://example.org/{n}) " * 30 + "\n",
        small.MARKS // 30 + 1,
        links_and_tags,
        small.MARKS,
    ),
    "tags": ("note_names_over", "#a{n} ", small.NAMES + 1, names, small.NAMES),
    "lines": ("note_lines_over", "\n", small.LINES + 1, sections, 1),
    "lists": ("note_lines_over", "- a word\n", small.BLOCKS // 5 + 1, sections, 1),
    "rows": ("note_lines_over", "|a|b|\n" * 2 + "|-|-|\n", small.BLOCKS // 9, sections, 1),
    "definitions": ("note_lines_over", "[a{n}]: b\n", small.BLOCKS // 3 + 1, sections, 1),
    "nested quotes": ("note_lines_over", "> " * 90 + "a\n\n", small.BLOCKS // 180 + 1, sections, 1),
    "characters": ("note_lines_over", "word " * 20, small.CHARACTERS // 100 + 1, sections, 1),
}


@pytest.mark.usefixtures("little_bounds")
@pytest.mark.parametrize("name", OVER)
def test_what_is_over_a_bound_is_text(name: str) -> None:
    code, line, count, kept, most = OVER[name]
    note = parse_note(numbered(line, count) + "\n\nneedle\n", "a.md")
    assert note.over.code == code
    assert kept(note) == most
    assert note.sections[-1].text.endswith("needle")
    assert note.sections[-1].end_line == numbered(line, count).count("\n") + 3


WITHIN = {
    "headings": "# a{n}\n",
    "days of a diary": "## 2024-01-01 {n}\n\nA day like any other.\n\n",
    "items": "- item {n} with [a link](https://example.org)\n",
    "rows": "|a{n}|b|c|d|e|\n",
    "paragraphs": "Some words of a paragraph.\n\n",
}


@pytest.mark.parametrize("line", WITHIN.values(), ids=WITHIN)
def test_no_note_of_a_person_is_over_a_bound(line: str) -> None:
    assert not parse_note(numbered(line, 4_500), "a.md").over


def test_a_row_of_too_many_cells_is_no_table() -> None:
    wide = "|a" * 2_000 + "|\n" + "|-" * 2_000 + "|\n" + "|needle|\n"
    text = f"{'word ' * 40_000}\n\n{wide}"
    (section,) = parse_note(text, "a.md").sections
    assert "needle" in section.text


def test_text_beyond_the_end_is_named_and_not_read() -> None:
    words = bounds.CHARACTERS // 100 * 2 + 10
    note = parse_note(("word " * 20) * words + "needle", "a.md")
    assert note.over.code == "note_text_over"
    assert len(note.sections[0].text) <= 2 * bounds.CHARACTERS + 2


def test_a_picture_written_into_a_note_counts_nothing() -> None:
    picture = f"![a](data:image/png;base64,{'aB3/' * (bounds.CHARACTERS // 2)})"
    note = parse_note(f"# One\n\n{picture}\n\n# Two\n\nneedle\n", "a.md")
    assert not note.over
    assert [(section.heading, section.line) for section in note.sections] == [
        ("One", 1),
        ("Two", 5),
    ]


def test_only_so_many_passages_of_a_note_are_embedded() -> None:
    note = parse_note("# a\n\n" + "word " * (bounds.PASSAGES * 10), "a.md")
    count: Callable[[str], int] = str.__len__
    assert len(cut_into_passages(note, count, 40)) == bounds.PASSAGES


def test_words_of_a_huge_text_are_counted_one_by_one() -> None:
    text = "a b\u00a0c\x1c d\u3000\n\n" * 150_000
    section = Section(0, "a", ("a",), 1, 1, 1, text)
    assert section.words == len(text.split()) == 600_000


def seconds(text: str) -> Iterator[float]:
    """Yield the processor time in which ``text`` is read, three times."""
    for _ in range(3):
        started = time.process_time()
        note_parser.block_tokens(text)
        yield time.process_time() - started


def is_read_within(text: str, limit: float) -> bool:
    """Return whether the least of three times is below ``limit``; stop at the first that is."""
    return any(took < limit for took in seconds(text))


@cache
def usual_seconds(text: str) -> float:
    return min(seconds(text))


def test_a_fence_that_nothing_closes_is_looked_for_once() -> None:
    unclosed, usual = "```ad-note\noak\n\n" * 3000, "ash and elm\n\noak\n\n" * 3000
    assert is_read_within(unclosed, usual_seconds(usual))


@pytest.mark.parametrize(
    ("opened", "end"),
    [("{/* oak", ""), ("{/* oak", "*/} ash\n"), ("<<<<<<< oak", "")],
)
def test_comments_and_conflicts_that_nothing_closes_are_looked_for_once(
    opened: str, end: str
) -> None:
    unclosed, usual = f"{opened}\n\n" * 20_000 + end, "ash and elm\n\n" * 20_000
    assert is_read_within(unclosed, 3 * usual_seconds(usual))
