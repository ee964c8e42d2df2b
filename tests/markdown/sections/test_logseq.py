"""Logseq's pages: their properties are front matter, and block marks are not text."""

import pytest

from notesearch.markdown.sections.note_parser import parse_note

ID = "64f0c0de-1111-4222-8333-444455556666"


def test_page_properties_are_front_matter() -> None:
    note = parse_note(
        "title:: Boats\nalias:: Ships, [[Vessels]]\ntags:: [[Open water]], #sea\n"
        "type:: hobby, old\nsource:: https://boats.example\nfriends:: [[Ann]], [[Bob]]\n"
        "\n- # Hull\n",
        "pages/b.md",
    )
    assert (note.title, note.aliases, note.tags) == (
        "Boats", ("Ships", "Vessels"), ("Open water", "sea"),
    )  # fmt: skip
    assert note.properties == {
        "type": "hobby, old", "source": "https://boats.example", "friends": "Ann, Bob",
    }  # fmt: skip
    assert {value.text for value in note.values} >= {"hobby, old", "Ann", "Bob"}
    (section,) = note.sections
    assert (section.line, section.end_line, section.text) == (8, 8, "Hull")
    assert [link.address for link in section.links] == ["https://boats.example"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blocks_can_follow_immediately(end: str) -> None:
    note = parse_note(end.join(["\ufefftags:: one", "- text"]), "x.md")
    assert (note.tags, note.sections[0].line) == (("one",), 2)


@pytest.mark.parametrize(
    "text",
    [
        "std:: is a namespace\nof C++\n",
        "tags:: one\n",  # there is nothing else to be found by
        "tags:: one",
        "tags:: one\n\n",
        "text\ntags:: one\n\n- text\n",
        "- tags:: one\n- text\n",
        "a::b\n\ntext\n",
        "::\n\ntext\n",
    ],
)
def test_ordinary_text_stays_text(text: str) -> None:
    note = parse_note(text, "x.md")
    assert (note.properties, note.sections[0].line) == ({}, 1)
    assert "".join(note.sections[0].text.split()) == "".join(text.replace("- ", "").split())


def test_block_marks_are_not_text() -> None:
    (section,) = parse_note(
        f"- # Hull\n  id:: {ID}\n  collapsed:: true\n\t- Made of larch.\n\t  id:: {ID}\n"
        f"\t- status:: done\n\t  logseq.order-list-type:: number\n- id:: {ID}\n  Last.\n",
        "x.md",
    ).sections  # fmt: skip
    assert section.text == "Hull\nMade of larch.\nstatus:: done\nLast."


@pytest.mark.parametrize("text", [f"the id:: {ID}", "id:: mine", "collapsed:: true story"])
def test_text_that_looks_like_a_mark_is_text(text: str) -> None:
    (section,) = parse_note(f"- {text}\n", "x.md").sections
    assert section.text == text
