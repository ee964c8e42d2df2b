"""Logseq's references and embeds lead to blocks of any note of the vault and show them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.library import NoteLibrary
from notesearch.markdown.render import render
from notesearch.markdown.sections.inline_text import plain
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.section_texts import read
from tests.indexed import indexed

HULL = "64f0c0de-1111-4222-8333-444455556666"
NONE = "64f0c0de-9999-4222-8333-444455556666"
PAINT = "64f0c0de-2222-4222-8333-444455556666"
NOTES = {
    "logseq/config.edn": "{}",
    "pages/Boat.md": f"""- Hull of **larch**
  id:: {HULL}
  material:: wood
\t- Planks
\t\t- each one steamed
- Other
\t- ## Paint twice over (({HULL}))
\t  id:: {PAINT}
\t  collapsed:: true
""",
    "pages/Home.md": f"- See (({HULL})) first\n\t- {{{{embed (({PAINT}))}}}} … and (({NONE}))\n"
    f"\t- Then\n\t\t- thrice … and (({HULL}))\n",
    "pages/Rig.md": f"- (({HULL}))\n\t- (({PAINT}))\n\t\t- gaff\n\t- Foot\n\t\t- jib\n",
    "pages/larch.md": f"- Frames\n\t- (({HULL})), seasoned\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("logseq"), NOTES) as library:
        yield library


def shown(library: NoteLibrary, source: str) -> str:
    return render(source, around=library.links("pages/Home.md"))


def test_a_reference_shows_the_words_of_its_block(library: NoteLibrary) -> None:
    html = shown(library, f"- See (({HULL})) first\n")
    assert f'See <a href="note:%2Fpages%2FBoat.md%23%5E{HULL}">Hull of larch</a> first' in html
    html = shown(library, f"(({PAINT}))")
    assert ">Paint twice over Hull of larch</a>" in html


def test_a_labelled_reference_is_a_link(library: NoteLibrary) -> None:
    html = shown(library, f"[the hull]((({HULL})))")
    assert html == f'<p><a href="note:%2Fpages%2FBoat.md%23%5E{HULL}">the hull</a></p>\n'


@pytest.mark.parametrize("source", ["{}", "- {}\n", "text\n\n{}\n\ntext"])
def test_an_embedded_block_shows_all_below_it(library: NoteLibrary, source: str) -> None:
    html = shown(library, source.format(f"{{{{embed (({HULL}))}}}}"))
    assert "each one steamed" in html
    assert HULL not in html.replace(f"%5E{HULL}", "")


def test_an_embedded_page_is_shown(library: NoteLibrary) -> None:
    html = shown(library, "{{embed [[Boat]]}}")
    assert "each one steamed" in html
    assert "Paint twice" in html


def test_a_reference_leads_to_its_block(library: NoteLibrary) -> None:
    links = library.links("pages/Home.md")
    target = links.link(f"(({PAINT}))")
    assert target == f"/pages/Boat.md#^{PAINT}"
    assert links.link_position(target)[0] == "pages/Boat.md"
    assert links.link_position(target)[1] in {7, 8}


@pytest.mark.parametrize(
    "source", ["((important))", "((Chapter-1))", "((not an id))", "(( ))", f"`(({HULL}))`"]
)
def test_other_parentheses_are_text(library: NoteLibrary, source: str) -> None:
    assert source.strip("`") in shown(library, source)


@pytest.mark.parametrize("id_", [f"{PAINT[:-1]}0", "aBc12_Xyz", "-_A_bc-_d", "uQwJmKpTz"])
@pytest.mark.parametrize(
    "form", ["see (({}))", "{{{{embed (({}))}}}}", "{{{{[[embed]]: (({}))}}}}"]
)
def test_a_block_of_nowhere_is_an_ellipsis(library: NoteLibrary, form: str, id_: str) -> None:
    source = form.format(id_)
    assert re.sub("<.*?>", "", shown(library, source)).strip().removeprefix("see ") == "…"
    assert plain(source).removeprefix("see ") == "…"


def test_marks_of_blocks_are_hidden_and_properties_have_lines(library: NoteLibrary) -> None:
    html = shown(library, library.read("pages/Boat.md").text)
    assert "id::" not in html
    assert "collapsed::" not in html
    assert "<br>material:: wood" in html.replace("<br>\n", "<br>")


def test_results_show_the_words_of_blocks(library: NoteLibrary) -> None:
    found = library.search("first", mode="words").sections[0]
    assert [heading.text for heading in found.breadcrumb] == ["See Hull of larch first"]
    assert found.shown_heading == "See Hull of larch first"
    assert found.snippet.text == "Paint twice over Hull of larch … and …"
    (found,) = library.search("thrice", mode="words").sections
    assert found.shown_path == ("See Hull of larch first", "Then")
    assert found.passage == "thrice … and Hull of larch"
    assert found.snippet.marks == ((0, 6),)
    assert library.sections("pages/Home.md")[1].path == found.shown_path
    assert library.read("pages/Home.md", "Then").section_path == found.shown_path
    for name in ("See Hull of larch first", "See Hull of larch first/Then", "See … first/Then"):
        assert "thrice" in library.read("pages/Home.md", name).text


@pytest.mark.parametrize(
    ("word", "path"),
    [
        ("gaff", ("Hull of larch", "Paint twice over Hull of larch")),
        ("jib", ("Hull of larch", "Foot")),
    ],
)
def test_each_heading_shows_the_words_of_its_own_block(
    library: NoteLibrary, word: str, path: tuple[str, ...]
) -> None:
    (found,) = library.search(word, mode="words").sections
    assert found.shown_path == path


def test_the_place_of_a_match_counts_the_indent_of_its_block(tmp_path: Path) -> None:
    tree = "- Hull\n\t- Keel\n\t  Oak and\n\t  seasoned larch\n"
    with indexed(tmp_path, {"pages/a.md": tree}) as library:
        (found,) = library.search("larch", mode="words").sections
        assert library.place_found(found) == (4, 13)


def test_the_place_of_a_match_is_in_the_note_not_in_the_words_of_a_block(
    library: NoteLibrary,
) -> None:
    (found,) = library.search("larch seasoned path:larch.md", mode="words").sections
    assert found.snippet.text == "Hull of larch, seasoned"
    assert len(found.snippet.marks) == 2
    line, column = library.place_found(found)
    assert (line, column) == (2, len(f"\t- (({HULL})), ") + 1)


def test_passages_show_the_words_of_blocks(library: NoteLibrary) -> None:
    (found,) = library.passages("path:Home.md", limit=9).passages[:1]
    assert found.section_path == ("See Hull of larch first",)


def test_references_are_no_words(library: NoteLibrary) -> None:
    (note,) = library.search("first", mode="words").notes
    assert note.sections[0].section == "See … first"
    assert not library.search("64f0c0de", mode="words").sections


def test_blocks_are_read_by_their_path(library: NoteLibrary) -> None:
    found = library.search("steamed", mode="words").sections[0]
    assert (found.section, found.section_path[-1], found.line) == ("Planks", "Planks", 4)
    assert "steamed" in library.read("pages/Boat.md", "Hull of larch/Planks").text


TOPICS = "Hull Keel Sails Ropes Paint Anchor Galley Engine Lights Charts".split()


def page(number: int) -> str:
    """Return a page of a boat's handbook: up to five levels of blocks, as Logseq writes them."""
    lines = [f"type:: chapter\nchapter:: {number}\n"]
    for at, topic in enumerate(TOPICS[: 3 + number % 7]):
        lines.append(f"- {'## ' * (at % 3 == 0)}{topic} {number}")
        lines.append(f"  id:: 64f0c0de-{number:04d}-4222-8333-{at:012d}")
        for depth in range(1, 2 + (number + at) % 5):
            tabs = "\t" * depth
            lines.append(f"{tabs}- {('TODO ', 'DONE ', '')[depth % 3]}step {depth} of {topic}")
            lines.append(f"{tabs}  collapsed:: true\n{tabs}  price:: {number * depth}")
            lines.append(
                f"{tabs}\t- see ((64f0c0de-0001-4222-8333-000000000000)) #[[{topic} work]]"
            )
    return "\n".join(lines) + "\n"


def test_every_block_of_a_handbook_can_be_read() -> None:
    for number in range(60):
        path, text = f"pages/Chapter {number}.md", page(number)
        lines = text.split("\n")
        sections = parse_note(text, path).sections
        assert [one.line for one in sections[1:]] == [one.end_line + 1 for one in sections[:-1]]
        assert (sections[0].line, sections[-1].end_line) == (4, len(lines) - 1)
        for one in sections:
            found = read(path, text, f"{'/'.join(one.path)} (line {one.line})")
            assert (found.line, found.section_path) == (one.line, one.path)
            assert found.text.split("\n")[0] == lines[one.line - 1].lstrip("\t")
            assert "collapsed" not in one.text
            assert "64f0c0de" not in one.heading + one.text


def test_the_times_of_a_task_are_hidden(library: NoteLibrary) -> None:
    times = "  collapsed:: true\n  :LOGBOOK:\n  CLOCK: [2024-01-01]\n  :END:\n"
    source = f"- DONE caulk\n{times}  with tar\n- a\n\t- b\n"
    assert parse_note(source, "pages/a.md").sections[0].text == "DONE caulk with tar"
    html = shown(library, source)
    assert "with tar" in html
    assert "LOGBOOK" not in html
    assert "CLOCK" not in html


def test_the_ids_of_headings_are_hidden() -> None:
    source = f"# Boat\n\ncustom_id:: raft  \nid:: {HULL}  \nlock:: brass  \n\ncustom_id:: b\n\nx\n"
    assert parse_note(source, "a.md").sections[0].text == "lock:: brass\n\nx"
    html = render(source)
    assert "_id" not in html
    assert HULL not in html
    assert "<p></p>" not in html
