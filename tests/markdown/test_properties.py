"""What holds for every note: invented by hypothesis, hostile by design, or written by people."""

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from notesearch.markdown.sections.chunking import chunk
from notesearch.markdown.sections.front_matter import split
from notesearch.markdown.sections.note_parser import normalise, parse_note, source_lines
from notesearch.notes import Note, Passage

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder

LINES = st.sampled_from(
    ["", "", "# H", "## Two", "###### Six", "#", "# *a* {#id}", "text", "more text. And more!", "=",
     "===", "---", "...", "```", "~~~", "    code", "\tcode", "- item", "  - deeper", "1. one",
     "> quote", "> # quoted", "- # listed", "| a | b |", "|---|---|", "<!--", "-->", "<div>", "%%",
     "</div>", "$$", "!!! note", "[^1]: foot", "[a]: b", "title: T", "tags: [x]", "#tag", "\x0b",
     "\u2028", "\ufeff", "中文没有空格。", "a" * 120, "é\u0301" * 20, "\U0001f600" * 30, "\0",
     "word " * 200]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
NOTES = st.one_of(
    st.text(max_size=300),
    st.lists(st.tuples(LINES, ENDS).map("".join), max_size=40).map("".join),
)


def check_sections(note: Note, text: str) -> None:
    """Sections cover every line after the front matter once and in order.

    Only empty lines above the first of them may belong to none.
    """
    lines = source_lines(text)
    following = split(normalise(text)).lines + 1
    if note.sections:
        first = note.sections[0].line
        assert not "".join(lines[following - 1 : first - 1]).strip()
        following = first
    for ordinal, section in enumerate(note.sections):
        assert section.ordinal == ordinal
        assert section.line == following
        assert section.end_line >= section.line
        assert section.path
        following = section.end_line + 1
    assert not "".join(lines[following - 1 :]).strip()
    assert following == len(lines) + 1 or not note.sections


def check_passages(note: Note, passages: tuple[Passage, ...], embedder: "Embedder") -> None:
    """Passages cover every word of their section, and each fits the model's window."""
    shown: dict[int, list[Passage]] = {section.ordinal: [] for section in note.sections}
    for passage in passages:
        shown[passage.section].append(passage)
        assert embedder.count_pieces(passage.text) <= embedder.window - 2
        assert passage.identity
    for section in note.sections:
        covered = 0
        for index, passage in enumerate(shown[section.ordinal]):
            start, end = passage.span
            assert passage.index == index
            assert not section.text[covered:start].strip()
            assert section.text[start:end].strip() in passage.text
            assert covered < end or (covered == end and not section.text)
            covered = end
        assert not section.text[covered:].strip()
        assert shown[section.ordinal] or not (section.level and section.heading)


@given(NOTES)
@example("\n\n---\ntitle: T\n---\n")
@example("---\ntitle: T\n---\n\n\n# H\n")
@settings(max_examples=300)
def test_sections_cover_every_line(text: str) -> None:
    check_sections(parse_note(text, "folder/note.md"), text)


@given(NOTES)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_passages_cover_every_word_and_fit(embedder: "Embedder", text: str) -> None:
    note = parse_note(text, "folder/note.md")
    check_passages(note, chunk(note, embedder.count_pieces, embedder.window), embedder)


@given(NOTES)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_renaming_never_costs_an_embedding(embedder: "Embedder", text: str) -> None:
    identities = []
    for name in ("Name.md", "Another, rather longer name for the very same note.md"):
        note = parse_note(text, name)
        shown = chunk(note, embedder.count_pieces, embedder.window)
        if not note.title_from_name or not any(section.text for section in note.sections):
            return
        identities.append([passage.identity for passage in shown])
    assert identities[0] == identities[1]


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_real_notes(real_notes: list[tuple[str, str]], embedder: "Embedder", every: int) -> None:
    for path, text in real_notes[::every]:
        note = parse_note(text, path)
        check_sections(note, text)
        check_passages(note, chunk(note, embedder.count_pieces, embedder.window), embedder)


HOSTILE = {
    "100k headings": "# a\n" * 100_000,
    "10k headings with text": "# a\n\ntext\n\n" * 10_000,
    "one line of a million letters": "a" * 1_000_000,
    "one line of a million spaces": " " * 1_000_000 + "x",
    "one line of a million Chinese characters": "中" * 1_000_000,
    "one line of half a million words": "a " * 500_000,
    "a heading of 10 KB": "# " + "word " * 2_000,
    "20k list items": "- a\n" * 20_000,
    "a list as deep as it is long": "- " * 600,
    "quotes as deep as they are long": ">" * 10_000,
    "a list that indents for ever": "\n".join("  " * depth + "- a" for depth in range(1_000)),
    "100k opening brackets": "[" * 100_000,
    "100k links that never close": "[a](b " * 20_000,
    "100k stars": "*a " * 100_000,
    "100k backticks": "`a" * 100_000,
    "backticks of all lengths": " ".join("`" * length + "a" for length in range(1, 400)),
    "100k open comments": "<!--" * 100_000,
    "100k open tags": "<a b='" * 100_000,
    "20k block tags": "<div>\n\n" * 20_000,
    "50k formulas that never close": "$$ a\n" * 50_000,
    "50k comment signs": "%% a\n" * 50_000,
    "100k definitions": "".join(f"[a{number}]: b\n" for number in range(20_000)),
    "100k footnotes": "".join(f"[^{number}]: b\n" for number in range(10_000)),
    "a table of 20k rows": "|a|b|\n|-|-|\n" + "|1|2|\n" * 20_000,
    "a table of 5k columns": "|" + "a|" * 5_000 + "\n|" + "-|" * 5_000 + "\n" + "|1|\n" * 300,
    "100k combining marks": "a" + "\u0301" * 100_000,
    "100k zero-width characters": "\u200b" * 100_000,
    "100k NUL": "\0" * 100_000,
    "front matter that nests for ever": "---\na: " + "[" * 60_000 + "\n---\n",
    "front matter that never ends": "---\n" + "a: b\n" * 50_000,
    "admonitions in admonitions": "".join("    " * depth + "!!! a\n" for depth in range(500)),
    "a setext heading of 100k lines": "a\n" * 100_000 + "===",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_notes_take_seconds_at_most(name: str, embedder: "Embedder") -> None:
    started = time.process_time()
    note = parse_note(HOSTILE[name], "hostile.md")
    shown = chunk(note, embedder.count_pieces, embedder.window)
    assert time.process_time() - started < 10
    check_sections(note, HOSTILE[name])
    if len(shown) < 10_000:
        check_passages(note, shown, embedder)
