"""Notes that are one tree of bullets are cut at their blocks; a note with a list is not."""

from textwrap import dedent

import pytest

from notesearch.errors import SectionMissingError
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.section_texts import outline, read, read_at
from notesearch.notes import Feature, Note
from notesearch.results import Scope

ID = "64f0c0de-1111-4222-8333-444455556666"
BOAT = f"""type:: boat
tags:: sea

- bought in spring
- Hull
  id:: {ID}
  collapsed:: true
\t- Made of **larch**.
\t  Over a century old.
\t- ## Planks
\t  material:: [[Larch]], [[Oak]]
\t  checked:: 2024-05-06
\t\t- each one steamed
\t\t\t- for an hour
\t- TODO [#A] caulk it #soon
\t  SCHEDULED: <2024-06-01>
- DONE Paint
  tags:: [[Two coats]], #blue
\t- white
- sold?
"""


def shown(note: Note) -> list[tuple[int, str, str, str]]:
    return [
        (one.level, " / ".join(one.path), f"{one.line}-{one.end_line}", one.text)
        for one in note.sections
    ]


def test_a_block_with_blocks_below_it_is_a_section() -> None:
    assert shown(parse_note(BOAT, "pages/Boat.md")) == [
        (0, "Boat", "4-4", "bought in spring"),
        (1, "Hull", "5-9", "Made of larch. Over a century old."),
        (2, "Hull / Planks", "10-12", "material:: Larch, Oak checked:: 2024-05-06"),
        (3, "Hull / Planks / each one steamed", "13-14", "for an hour"),
        (2, "Hull / TODO [#A] caulk it #soon", "15-16", "SCHEDULED: <2024-06-01>"),
        (1, "DONE Paint", "17-19", "tags:: Two coats, #blue\nwhite"),
        (1, "sold?", "20-20", ""),
    ]


def test_properties_of_blocks_belong_to_the_note() -> None:
    note = parse_note(BOAT, "pages/Boat.md")
    values = [(value.key, value.text) for value in note.values]
    assert values == [
        ("type", "boat"), ("tags", "sea"), ("id", ID), ("material", "Larch"), ("material", "Oak"),
        ("checked", "2024-05-06"), ("tags", "Two coats"), ("tags", "blue"),
    ]  # fmt: skip
    assert note.dated is None
    assert set(note.tags) == {"sea", "soon", "Two coats", "blue"}


def test_tasks_and_tags_are_those_of_their_section() -> None:
    sections = {one.heading: one for one in parse_note(BOAT, "pages/Boat.md").sections}
    assert sections["TODO [#A] caulk it #soon"].features == Feature.TODO
    assert sections["TODO [#A] caulk it #soon"].tags == ("soon",)
    assert sections["DONE Paint"].features == Feature.DONE | Feature.LINK
    assert set(sections["DONE Paint"].tags) == {"Two coats", "blue"}
    assert sections["Hull"].features == Feature.NONE


def test_a_task_with_a_box_keeps_its_state_beside_the_heading() -> None:
    text = "- [ ] Paint\n  - hull\n- [x] Oil\n  the oars\n  - twice\n- TODO Caulk\n  - soon\n"
    sections = parse_note(text, "pages/Boat.md").sections
    assert [(one.heading, one.source.heading_task, one.features, one.text) for one in sections] == [
        ("Paint", "open", Feature.TODO, "hull"),
        ("Oil", "done", Feature.DONE, "the oars\ntwice"),
        ("TODO Caulk", "", Feature.TODO, "soon"),
    ]
    assert not any(one.source.tasks for one in sections)


def test_a_block_is_read_with_all_below_it() -> None:
    planks = read("pages/Boat.md", BOAT, "Hull/Planks")
    assert (planks.line, planks.end_line) == (10, 14)
    assert planks.text.split("\n")[0] == "- ## Planks"
    assert planks.text.split("\n")[-2:] == ["\t- each one steamed", "\t\t- for an hour"]
    assert read_at("pages/Boat.md", BOAT, 13, Scope.PARENT).heading == "Planks"
    assert [one.line for one in outline("pages/Boat.md", BOAT)] == [4, 5, 10, 13, 15, 17, 20]
    with pytest.raises(SectionMissingError):
        read("pages/Boat.md", BOAT, "Masts")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("- a\n  - b\n", "pages/x.md"),
        ("- a\n  - b\n", "vault/journals/2024_01_02.md"),
        ("- a\n\t- b\n- c\n\t- d\n", "x.md"),
        ("* a\n    * b\n* c\n    * d\n", "x.md"),
        ("- a\n\n  - b\n\n- c\n\n  - d\n", "x.md"),
        ("---\ntitle: T\n---\n- a\n  - b\n- c\n  - d\n", "x.md"),
        ("type:: t\n\n- a\n  - b\n- c\n  - d\n", "x.md"),
        ("- a\n  - b\n- c\n  ```\n  code\n  ```\n  - d\n", "x.md"),
        ("- [ ] a\n  - b\n- [x] c\n  - d\n", "x.md"),
        ("- a\n  - b\n- ---\n- c\n", "pages/x.md"),
        ("- ---\n- a\n  - ---\n  - b\n- ---\n- ---\n- c\n  - d\n", "x.md"),
        ("- a\n  1. one\n  - b\n- c\n  - d\n", "x.md"),
    ],
)
def test_what_is_a_tree(text: str, path: str) -> None:
    sections = parse_note(text, path).sections
    assert next(one.heading for one in sections if one.level) == "a"
    assert sections[-1].end_line == len(text.split("\n")) - 1


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("- milk\n- bread\n- salt\n", "pages/x.md"),
        ("- milk\n- bread\n  - rye\n", "x.md"),
        ("# T\n\n- a\n  - b\n- c\n  - d\n", "x.md"),
        ("A paragraph before.\n\n- a\n  - b\n- c\n  - d\n", "x.md"),
        ("- a\n  - b\n- c\n  - d\n\nAnd a paragraph\nafter.\n", "x.md"),
        ("1. a\n   - b\n2. c\n   - d\n", "x.md"),
        ("> - a\n>   - b\n> - c\n>   - d\n", "pages/x.md"),
        ("text\n", "pages/x.md"),
        ("", "pages/x.md"),
    ],
)
def test_what_is_no_tree(text: str, path: str) -> None:
    assert [one.heading for one in parse_note(text, path).sections if one.level] in ([], ["T"])


@pytest.mark.parametrize(
    ("block", "heading", "text"),
    [
        ("**Bold** [[Link|name]]", "Bold name", "x"),
        ("#+BEGIN_QUOTE\n  Calm\n  sea\n  #+END_QUOTE", "Calm", "sea\nx"),
        ('#+BEGIN_QUERY\n  {:title [:b "Due"]\n  :query x}\n  #+END_QUERY', "Due", ":query x}\nx"),
        ('#+BEGIN_QUERY\n  {\n  :title "Due"\n  }\n  #+END_QUERY', "Due", "{ }\nx"),
        ("first\n  second", "first", "second\nx"),
        ("collapsed:: true\n  first", "first", "x"),
        ("first\n  key:: value\n  third", "first", "key:: value third\nx"),
        ("[x] done", "done", "x"),
        ("### deep", "deep", "x"),
        ("word " * 40, "word " * 23 + "word …", "word " * 39 + "word\nx"),
        ("```\n  a*b* = c\n  d\n  ```", "a*b* = c", "a*b* = c\nd\nx"),
        ("| a | *b* |\n  |---|---|\n  | 1 | 2 |", "a | b", "a | b\n1 | 2\nx"),
        ("1. *one*\n  2. two", "one", "one\ntwo\nx"),
        ("> calm\n  > sea", "calm", "calm sea\nx"),
        ("done\n  :LOGBOOK:\n  CLOCK: [2024-01-01]\n  :END:\n  more", "done", "more\nx"),
        ("a\n  :LOGBOOK:\n  never closed", "a", ":LOGBOOK: never closed\nx"),
        ("a\n  :LOGBOOK:\n  oak\n  :END:", "a", ":LOGBOOK: oak :END:\nx"),
        ("a\n  card-last-four:: oak", "a", "card-last-four:: oak\nx"),
        ("a\n  card-last-score:: 5", "a", "x"),
        ("std::vector is a class", "std::vector is a class", "x"),
    ],
)
def test_the_heading_of_a_block(block: str, heading: str, text: str) -> None:
    (section,) = parse_note(f"- {block}\n\t- x\n", "pages/x.md").sections
    assert (section.heading, section.text) == (heading, text)


def test_blocks_far_below_are_text_of_the_sixth_level() -> None:
    text = "".join("\t" * depth + f"- level {depth + 1}\n" for depth in range(9))
    *_, last = parse_note(text, "pages/x.md").sections
    assert (last.level, last.heading, last.end_line) == (6, "level 6", 9)
    assert last.text == "level 7\nlevel 8\nlevel 9"


def test_an_empty_block_is_no_section() -> None:
    text = "- a\n\t- b\n\t-\n- c\n\t- d\n- "
    assert [one.heading for one in parse_note(text, "pages/x.md").sections] == ["a", "c"]
    assert parse_note(text, "pages/x.md").sections[-1].end_line == 6


def test_blocks_below_an_empty_block_are_sections() -> None:
    sections = parse_note("- \n\t- a\n\t\t- b\n- - c\n\t- d\n- e\n", "pages/x.md").sections
    shown = [(one.level, one.heading, one.text) for one in sections if one.level]
    assert shown == [(2, "a", "b"), (2, "c", "d"), (1, "e", "")]


def test_hundreds_of_levels_are_a_list() -> None:
    text = "".join("  " * depth + f"- level {depth + 1}\n" for depth in range(300))
    sections = parse_note(text, "pages/x.md").sections
    assert "level 300" in " ".join(one.text for one in sections)


def test_a_long_tree_is_shown_block_by_block() -> None:
    words = "word " * 300
    text = dedent(f"""\
        - Parent
        \t- One
        \t\t- {words}
        \t- Two
        \t\t- {words}
        \t- Three
        \t\t- {words}
        """)
    first = read_at("pages/x.md", text, 1, Scope.SECTION)
    assert (first.text, [one.heading for one in first.subsections]) == (
        "- Parent", ["One", "Two", "Three"],
    )  # fmt: skip


def test_tags_below_the_id_of_a_block_are_tags() -> None:
    note = parse_note(f"- a\n  - b\n    id:: {ID}\n    #oak ash\n- c\n  tags:: fir\n", "pages/x.md")
    plain = parse_note(f"word\nid:: {ID}\n#oak ash\nid:: {ID}\ntags:: fir\n", "x.md")
    assert note.tags == plain.tags == ("oak", "fir")
