"""What a section contains besides text (tasks, code, tables, images, links, tags), and its date."""

from datetime import datetime

import pytest

from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.periods import own_date
from notesearch.notes import Feature, Section

CODE, TABLE, IMAGE, LINK = Feature.CODE, Feature.TABLE, Feature.IMAGE, Feature.LINK
TODO, DONE, NONE = Feature.TODO, Feature.DONE, Feature.NONE


def only_section(text: str) -> Section:
    (section,) = parse_note(text, "note.md").sections
    return section


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("Words, *emphasis*, `code` and [brackets].", NONE),
        ("```\nx\n```", CODE),
        ("    indented", CODE),
        ("- item\n\n  ~~~ js\n  x\n  ~~~", CODE),
        ("|a|b|\n|-|-|\n|1|2|", TABLE),
        ("<table><tr><td>1</td></tr></table>", TABLE),
        ("![a boat](boat.png)", IMAGE),
        ("![[boat.png|200]]", IMAGE),
        ('<img src="boat.png">', IMAGE),
        ("![[Another note]]", LINK),
        ("[a](b.md)", LINK),
        ("[[a]] and [[b|c]]", LINK),
        ("https://example.org", LINK),
        ("<https://example.org> <me@example.org>", LINK),
        ('See <a href="x">there</a>.', LINK),
        ("[a][b]\n\n[b]: c.md", LINK),
        ("[b]\n\n[b]: c.md", LINK),
        ("# On [[Kyoto]]", LINK),
        ("[![a](b.png)](c.md)", IMAGE | LINK),
        ("`[a](b.md)` `https://example.org` `<https://x.org>` \\[[a]]", NONE),
        ("```\n[a](b.md) - [ ] x\n```", CODE),
        ("- [ ] do it", TODO),
        ("1. [x] done\n2. [X] done", DONE),
        ("- [/] begun\n- [x] done", TODO | DONE),
        ("- [-] given up", NONE),
        ("> - [ ] inside", TODO),
        ("[ ] no list", NONE),
        ("- [ ]", NONE),
        ("- [ ] read [a](b.md)", TODO | LINK),
    ],
)
def test_features(text: str, features: Feature) -> None:
    assert only_section(text).features == features


@pytest.mark.parametrize(
    ("fence", "languages"),
    [
        ("", ()),
        ("python", ("python",)),
        ("py title=x", ("python",)),
        ("{.python .numberLines}", ("python",)),
        ("{r, echo=FALSE}", ("r",)),
        ("C++", ("cpp",)),
        ("sh", ("bash",)),
        ("js:line", ("javascript",)),
    ],
)
def test_the_language_of_code(fence: str, languages: tuple[str, ...]) -> None:
    assert only_section(f"```{fence}\nx\n```").code == languages


def test_each_section_has_its_own_features() -> None:
    note = parse_note("#all\n\n# A\n\n#one `#none`\n\n## B #two\n\n- [ ] x #ONE\n", "note.md")
    assert [section.tags for section in note.sections] == [("all",), ("one",), ("two", "ONE")]
    assert [section.features for section in note.sections] == [NONE, NONE, TODO]
    assert note.tags == ("all", "one", "two")


@pytest.mark.parametrize(
    ("text", "common"),
    [
        ("---\ntags: [a]\n---\n#b\n\n## C\n\n#d", ("a", "b")),
        ("# Title\n\n#a\n\n## B\n\n#c", ("a",)),
        ("#a\n\n# One\n\n#b\n\n# Two\n\n#c", ("a",)),
        ("## A\n\n#b", ()),
    ],
)
def test_tags_of_the_whole_note(text: str, common: tuple[str, ...]) -> None:
    assert parse_note(text, "note.md").common_tags == common


@pytest.mark.parametrize(
    ("properties", "path", "found"),
    [
        ({"date": "2026-04-12", "updated": "2026-05-01"}, "n.md", "2026-04-12 00:00"),
        ({"created": "2020-01-01", "Updated": "2026-05-01"}, "n.md", "2026-05-01 00:00"),
        ({"Date created": "2020-01-01T10:30:00Z"}, "n.md", "2020-01-01 10:30"),
        ({"last-modified": "2026-04"}, "n.md", "2026-04-01 00:00"),
        ({"date": "soon", "created": "[[2020-01-01]]"}, "n.md", "2020-01-01 00:00"),
        ({}, "journal/2026-04-12 Monday.md", "2026-04-12 00:00"),
        ({"date": "2025-01-01"}, "2026-04-12.md", "2025-01-01 00:00"),
        ({}, "journals/2026_04_12.md", "2026-04-12 00:00"),  # as Logseq names them
        ({}, "20260412 Boats.md", "2026-04-12 00:00"),
        ({}, "202604121030.md", "2026-04-12 00:00"),
        ({}, "20260412103059-boats.md", "2026-04-12 00:00"),  # as Zettlr does
        ({}, "2026041210305.md", ""),
        ({}, "20261312.md", ""),
        ({}, "12042026.md", ""),
        ({}, "2026-04_12.md", ""),
        ({}, "2026-04-12/note.md", ""),
        ({}, "2026-13-12.md", ""),
        ({}, "2026-04-123.md", ""),
        ({"dated": "2026-04-12"}, "n.md", ""),
    ],
)
def test_the_date_of_a_note(properties: dict[str, str], path: str, found: str) -> None:
    date = own_date(properties, path)
    assert date == (datetime.fromisoformat(found) if found else None)
