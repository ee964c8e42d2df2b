"""Group B: text in any encoding, and odd text, is indexed, found and read."""

import json
import os
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.limits import processor_seconds

Index = Callable[[dict[str, str | bytes]], NoteLibrary]


@pytest.fixture
def index(vault: Path, words_only: Settings) -> Iterator[Index]:
    """Write notes, index them by words and return the library."""
    library = NoteLibrary.open(vault, settings=words_only)

    def indexed(notes: dict[str, str | bytes]) -> NoteLibrary:
        write(vault, notes)
        library.refresh()
        return library

    yield indexed
    library.close()


def reasons(library: NoteLibrary) -> dict[str, str]:
    return {item.path: item.reason for item in library.status().unread}


GERMAN = "# Grüße\n\nWährend es regnet, üben wir für später.\n"
RUSSIAN = "# Заметка\n\nСегодня хорошая погода, и мы идём гулять в парк.\n"
POLISH = "# Jaźń\n\nZażółć gęślą jaźń, dzień dobry wszystkim ludziom.\n"
JAPANESE = "# メモ\n\nこれは日本語のメモです。今日は天気がいいです。\n"
ENCODINGS = [
    ("utf-8", "utf-8", GERMAN, "regnet", ""),
    ("utf-8 bom", "utf-8-sig", GERMAN, "regnet", ""),
    ("utf-16", "utf-16", GERMAN, "regnet", ""),
    ("utf-32", "utf-32", GERMAN, "regnet", ""),
    ("utf-16 le, no mark", "utf-16-le", GERMAN, "regnet", "UTF-16"),
    ("utf-16 be, no mark", "utf-16-be", GERMAN, "regnet", "UTF-16"),
    ("latin-1", "latin-1", GERMAN, "während", "Windows-1252"),
    ("windows-1252", "cp1252", GERMAN + "“5 €” – ja…", "später", "Windows-1252"),
    ("windows-1250", "cp1250", POLISH, "gęślą", "Windows-1250"),
    ("windows-1251", "cp1251", RUSSIAN, "погода", "Windows-1251"),
    ("koi8-r", "koi8-r", RUSSIAN, "погода", "KOI8-R"),
    ("shift jis", "cp932", JAPANESE, "天気", "Shift JIS"),
    ("euc-jp", "euc_jp", JAPANESE, "天気", "EUC-JP"),
]


@pytest.mark.fault(
    "B1, B2",
    fault="Encodings other than UTF-8; byte-order marks",
    outcome="Read by the mark, as UTF-8, or in the likeliest old encoding",
)
@pytest.mark.parametrize(
    ("codec", "text", "word", "guess"),
    [row[1:] for row in ENCODINGS],
    ids=[row[0] for row in ENCODINGS],
)
def test_b01_a_note_in_any_encoding(
    index: Index, codec: str, text: str, word: str, guess: str
) -> None:
    library = index({"note.md": text.encode(codec)})
    assert library.search(word).notes[0].path == "note.md"
    assert library.read("note.md").text == text.rstrip("\n")
    if guess:
        assert f"It was read as {guess}" in reasons(library)["note.md"]
    else:
        assert not reasons(library)


@pytest.mark.fault("B1, B2")
def test_b01_an_invalid_byte_costs_one_character(index: Index) -> None:
    library = index({"note.md": GERMAN.encode() * 5 + b"cut \xf0\x9f off\n"})
    assert library.search("regnet off").sections
    assert "not valid UTF-8" in reasons(library)["note.md"]


@pytest.mark.fault("B1, B2")
def test_b02_a_byte_order_mark_is_not_text(index: Index) -> None:
    library = index({"note.md": b"\xef\xbb\xbf# Heading\n\nWords.\n"})
    assert [link.heading for link in library.sections("note.md")] == ["Heading"]
    assert library.read("note.md").text.startswith("# Heading")


@pytest.mark.fault(
    "B3, B4",
    fault="NUL characters, lone surrogates",
    outcome="Replaced; the text after them is found",
)
def test_b03_nul_characters(index: Index) -> None:
    text = f"# He\0ading\n\nbefore\0after and {'more ' * 50}\0 the end\n"
    library = index({"note.md": text})
    for word in ("before", "after", "end", "heading"[:2]):
        assert library.search(word).sections, word
    assert "\0" not in library.search("end").sections[0].passage


@pytest.mark.fault("B3, B4")
def test_b04_half_characters(index: Index) -> None:
    head = json.dumps("bad \ud800 title")
    library = index(
        {"note.md": f"---\ntitle: {head}\ntags: [{head}]\n---\n# He\n\nWords &#xd800; here.\n"}
    )
    found = library.search("words").notes[0]
    for text in (found.title, *found.tags, found.sections[0].passage):
        text.encode()
    library.search("\ud800 words \udfff")


@pytest.mark.fault("B5", fault="Line ends of every kind", outcome="An editor's line numbers")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_b05_lines_match_an_editors(index: Index, end: str) -> None:
    odd = "one\u2028two\x0bthree\x0cfour\x85five\u2029six"
    lines = ["# A", "", odd, "", "## B", "", "Words.", ""]
    library = index({"note.md": end.join(lines)})
    assert [(link.heading, link.line) for link in library.sections("note.md")] == [
        ("A", 1),
        ("B", 5),
    ]
    assert library.search("words").sections[0].line == 5


@pytest.mark.fault("B6", fault="A program named like a note", outcome="Listed, not indexed")
def test_b06_a_program_is_not_a_note(index: Index) -> None:
    library = index({"sh.md": Path("/bin/sh").read_bytes(), "rest.md": os.urandom(4000)})
    assert reasons(library) == dict.fromkeys(("sh.md", "rest.md"), "It is not a text file.")
    assert library.status().notes == 0


@pytest.mark.fault(
    "B7",
    row="B7 to B9",
    fault="A million characters without an end of line or space; other forms of letters",
    outcome="Found; the snippet stays short",
)
def test_b07_a_line_of_a_million_characters(index: Index) -> None:
    with processor_seconds(60):
        library = index({"run.md": "a" * 10**6, "words.md": "word " * 200_000 + "needle"})
        found = library.search("needle").sections[0]
    assert len(found.snippet.text) < 400
    assert library.read_at("run.md", 1).text == "a" * 10**6


@pytest.mark.fault("B8")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("私は東京都に住んでいます。", "東京"),
        ("今天天气很好我们去公园", "公园"),
        ("ฉันชอบอ่านหนังสือ", "หนังสือ"),
    ],
)
def test_b08_writing_without_spaces(index: Index, text: str, query: str) -> None:
    library = index({"note.md": text, "other.md": "Nothing of it."})
    assert [note.path for note in library.search(query).notes] == ["note.md"]


@pytest.mark.fault("B9")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("café", unicodedata.normalize("NFD", "café")),
        (unicodedata.normalize("NFD", "café"), "café"),
        ("the ﬁrst", "first"),
        ("Ｆｕｌｌ width", "full"),
        ("full width", "Ｆｕｌｌ"),
        ("CAFÉ", "cafe"),
    ],
)
def test_b09_forms_of_the_same_letters(index: Index, text: str, query: str) -> None:
    assert index({"note.md": text}).search(query).sections


@pytest.mark.fault(
    "B10",
    fault="Floods of combining, zero-width, bidirectional characters",
    outcome="Linear time; none in titles",
)
@pytest.mark.parametrize(
    "flood",
    [
        "a" + "\u0301" * 100_000,
        "α" + "\u0301" * 100_000,
        "а" + "\u0301" * 100_000,
        "\u200b" * 100_000,
        "\u202e" * 1000 + "abc",
    ],
)
def test_b10_floods_of_marks(index: Index, flood: str) -> None:
    with processor_seconds(60):
        library = index({"note.md": f"# {flood}\n\n{flood}\n\nneedle\n"})
        found = library.search("needle").sections[0]
    assert len(found.section) < 1000
    assert not {"\u202e", "\u200b"} & set(found.section + found.title), "nothing turns the line"
    assert found.line == 1


@pytest.mark.fault("B11", fault="Empty notes", outcome="Indexed without words or vectors")
@pytest.mark.parametrize("text", ["", " \n\t\n ", "---\ntitle: Only\n---\n", "\ufeff"])
def test_b11_nothing_to_index(index: Index, text: str) -> None:
    library = index({"note.md": text})
    status = library.status()
    assert (status.notes, status.words, status.pending) == (1, 0, 0)
    assert not status.unread
    assert library.read("note.md").path == "note.md"
