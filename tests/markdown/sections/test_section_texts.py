"""How much of a note is read around a section, and its first and last line."""

import contextlib
import tracemalloc

import pytest

from notesearch.errors import SectionMissingError
from notesearch.markdown.render import render
from notesearch.markdown.sections import section_texts
from notesearch.markdown.sections.note_parser import line_count, normalise, parse_note
from notesearch.markdown.sections.section_texts import (
    full_section_end,
    lines_between,
    outline,
    read,
    read_at,
    read_linked,
)
from notesearch.note_addresses import NoteAddress
from notesearch.notes import Note, word_count
from notesearch.results import Scope

NOTE = """\
---
title: The boat
tags: [sea]
---

Before all headings.

# Hull

Planks.

## Paint

Blue.

### Colours

Many.

# Sail

White.
"""
LINES = NOTE.splitlines()


def source(first: int, last: int) -> str:
    return "\n".join(LINES[first - 1 : last])


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [
        (None, 6, 22),
        ("", 6, 22),
        ("The boat", 6, 7),
        ("Hull", 8, 19),
        ("Paint", 12, 19),
        ("Colours", 16, 19),
        ("Sail", 20, 22),
    ],
)
def test_read_returns_the_full_section(wanted: str | None, first: int, last: int) -> None:
    found = read("a.md", NOTE, wanted)
    assert (found.line, found.end_line) == (first, last)
    assert found.text == source(first, last)
    assert found.title == "The boat"
    assert found.subsections == ()


@pytest.mark.parametrize(
    ("line", "scope", "first", "last"),
    [
        (12, Scope.SECTION, 12, 19),
        (14, Scope.SECTION, 12, 19),  # any line of it
        (1, Scope.SECTION, 6, 7),
        (0, Scope.SECTION, 6, 7),
        (999, Scope.SECTION, 20, 22),
        (16, Scope.PARENT, 12, 19),
        (12, Scope.PARENT, 8, 19),
        (8, Scope.PARENT, 6, 22),  # nothing above but the note
        (6, Scope.PARENT, 6, 22),
        (16, Scope.NOTE, 6, 22),
    ],
)
def test_a_preview_shows_the_section_its_parent_or_the_note(
    line: int, scope: Scope, first: int, last: int
) -> None:
    found = read_at("a.md", NOTE, line, scope)
    assert (found.line, found.end_line, found.text) == (first, last, source(first, last))


@pytest.mark.parametrize(("words", "whole"), [(799, True), (800, True), (801, False)])
def test_a_long_section_is_shown_without_its_subsections(words: int, whole: bool) -> None:
    here, below = words - 400, 400
    text = f"# Top\n\n{'a ' * here}\n\n## Below\n\n{'b ' * below}\n\n### Deeper\n\n# Next\n"
    found = read_at("a.md", text, 1, Scope.SECTION)
    assert found.text.count("b") == (below if whole else 0)
    links = [(link.path, link.words) for link in found.subsections]
    assert links == ([] if whole else [(("Top", "Below"), below), (("Top", "Below", "Deeper"), 0)])
    assert read("a.md", text, "Top").text.count("b") == below


def test_a_long_section_without_subsections_is_shown_whole() -> None:
    text = f"# Top\n\n{'a ' * 5000}\n\n# Next\n"
    assert read_at("a.md", text, 1, Scope.SECTION).text.count("a") == 5000


@pytest.mark.parametrize("text", ["", "\n\n", "---\ntitle: T\n---\n"])
def test_a_note_without_text_is_empty(text: str) -> None:
    for found in (read("a.md", text, None), *(read_at("a.md", text, 1, s) for s in Scope)):
        assert found.text.strip() == ""
    assert [(link.heading, link.words) for link in outline("a.md", text)] == [("T", 0)] * (
        "T" in text
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_match_an_editors(end: str) -> None:
    text = "\ufeff" + NOTE.replace("\n", end).replace("Planks.", "Planks\u2028and\x0cnails.")
    found = read("a.md", text, "Sail")
    assert (found.line, found.end_line, found.text) == (20, 22, source(20, 22))


def test_code_at_the_top_of_a_note_keeps_its_indent() -> None:
    code = "    # run it\n    make"
    assert section_texts.read_at("a.md", f"{code}\n", 1, Scope.SECTION).text == code


def test_the_outline_lists_every_section() -> None:
    listed = [(link.path, link.level, link.line, link.words) for link in outline("a.md", NOTE)]
    assert listed == [
        (("The boat",), 0, 6, 3),
        (("Hull",), 1, 8, 1),
        (("Hull", "Paint"), 2, 12, 1),
        (("Hull", "Paint", "Colours"), 3, 16, 1),
        (("Sail",), 1, 20, 1),
    ]


def test_a_note_is_parsed_once_for_all_its_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview reads section after section, and the outline each time."""
    parsed: list[str] = []

    def counted(text: str, path: str) -> Note:
        parsed.append(path)
        return parse_note(text, path)

    monkeypatch.setattr(section_texts, "parse_note", counted)
    text = "# Once\n\n## One\n\nWords.\n\n## Two\n\nWords.\n"
    for line in (3, 7):
        assert read_at("once.md", text, line, Scope.SECTION).line == line
        assert len(outline("once.md", text)) == 3
    assert parsed == ["once.md"]
    assert len(outline("once.md", f"{text}\n## Three\n")) == 4, "it was changed"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("Äpfel, Birnen", 2),
        ("怀石料理 16,000", 5),
        ("お寿司を食べる", 7),
        ("Pythonで書く", 4),
        ("한국어 문장", 2),
    ],
)
def test_words_are_counted_without_spaces_too(text: str, words: int) -> None:
    assert word_count(text) == words
    assert read("a.md", f"# A\n\n{text}\n", None).words == words


def test_lines_are_those_of_an_editor() -> None:
    text = normalise("\ufeffa\r\nb\rc\n\nd\u2028e\x0bf\0\n")
    lines = ["a", "b", "c", "", "d\u2028e\x0bf\ufffd"]
    assert line_count(text) == len(lines)
    for first in range(1, len(lines) + 2):
        for last in range(first - 1, len(lines) + 2):
            assert lines_between(text, first, last) == "\n".join(lines[first - 1 : last])


def test_lines_far_down_a_huge_text_take_little_memory() -> None:
    text = "ab\n" * 300_000
    tracemalloc.start()
    try:
        assert lines_between(text, 299_999, 299_999) == "ab"
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_a_text_that_was_read_is_not_kept() -> None:
    tracemalloc.start()
    try:
        assert outline("a.md", "# A\n" + "words 🙂\n" * 30_000)
        assert tracemalloc.get_traced_memory()[0] < 500_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("# a\n## b\n### c\n## d\n# e\n", [4, 3, 3, 4, 5]),
        ("text\n# a\n## b\n", [1, 3, 3]),
        ("### a\n## b\n### c\n", [1, 3, 3]),
    ],
)
def test_the_full_section_ends_before_a_heading_of_its_level(text: str, ends: list[int]) -> None:
    sections = outline("x.md", text)
    assert [full_section_end(sections, i) for i in range(len(sections))] == ends


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the notes that are parsed, in order."""
    paths = list[str]()

    def counted(text: str, path: str) -> Note:
        paths.append(path)
        return parse_note(text, path)

    monkeypatch.setattr(section_texts, "parse_note", counted)
    return paths


@pytest.mark.parametrize("sub", ["Keel", "keel%20and%20mast", "^no-block", "of oak"])
def test_a_note_is_parsed_once_until_it_changes(parsed: list[str], sub: str) -> None:
    text = "# Keel\n\n# Keel and mast\n\n" + f"of oak {sub}\n" * 2_000
    with contextlib.suppress(SectionMissingError):
        read_linked("a.md", text, sub)
    section_texts.section_name("a.md", text, NoteAddress("a.md", heading=sub))
    assert read_at("a.md", text, 3, Scope.SECTION).heading == "Keel and mast"
    assert parsed == ["a.md"]
    assert read_at("a.md", f"\n# Rudder\n{text}", 2, Scope.SECTION).heading == "Rudder"
    assert read_at("b.md", text, 3, Scope.SECTION).path == "b.md"
    assert parsed == ["a.md", "a.md", "b.md"]


def test_a_huge_note_is_parsed_once_but_its_text_is_not_kept(parsed: list[str]) -> None:
    text = "".join(f"# h{n}\n\n{'of oak ' * 4_000}\n\n" for n in range(150))
    tracemalloc.start()
    try:
        for line in range(1, 400, 40):
            section = read_at("huge.md", text, line, Scope.SECTION)
            assert (section.line, section.words) == (line // 4 * 4 + 1, 8_000)
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()
    assert parsed == ["huge.md"]


DEFINED_BELOW = """# A

Of [oak][Some Wood], [ash] and [none].[^1]

# B

Elm.

[some wood]: https://example.org/oak
  [ash]:ash.md "Ash"
[elm]: elm.md
[^1]: A footnote
"""


def test_links_of_a_section_are_defined_anywhere_in_the_note() -> None:
    found = read("a.md", DEFINED_BELOW, "A")
    assert found.definitions == '[some wood]: https://example.org/oak\n  [ash]:ash.md "Ash"'
    shown = render(found.complete)
    assert '<a href="https://example.org/oak">oak</a>, <a href="note:ash.md">ash</a>' in shown
    assert shown.endswith("[none].<sup>[1]</sup></p>\n")
    assert read("a.md", DEFINED_BELOW, "B").definitions == ""


TREE = """- # Boats
  - Hull
    - ## Oak
      - plank
        id:: plank
        - nail
  - Sail
"""


@pytest.mark.parametrize(
    ("path", "text", "sub", "lines"),
    [
        ("a.md", "# A\n\ntext\n\n# B\n\n- one\n- two\n\n^list\n\n# C\n", "^list", (7, 8)),
        ("a.md", "# A\n\n- one\n  - two ^two\n    more\n    - three\n- four\n", "^two", (4, 6)),
        ("a.md", "---\na: b\n---\nabove\n\nof it ^above\n\n# A\n", "^above", (6, 6)),
        ("a.md", "A\n===\n\n1. one\n   two ^two\n2. three\n", "^two", (4, 5)),
        ("pages/a.md", TREE, "^plank", (4, 6)),
    ],
)
def test_a_block_ends_where_it_would_in_the_whole_note(
    path: str, text: str, sub: str, lines: tuple[int, int]
) -> None:
    block = read_linked(path, text, sub)
    assert (block.line, block.end_line) == lines
