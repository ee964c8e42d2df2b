"""Sections that are called like the query come first."""

import pytest

from notesearch.search.names import exact_names
from notesearch.search.query import parse
from tests.search.conftest import LibraryOf, ReaderOf


def test_a_name_without_the_small_words_inside_of_it_is_the_name(reader_of: ReaderOf) -> None:
    names = ("Pull out the weeds by hand", "Weeds by hand", "The weeds by hand", "Hand the weeds")
    reader = reader_of("# Note\n" + "".join(f"\n## {name}\n\nText.\n" for name in names))
    rows = {row.id: row for row in reader.rows.note_sections("note.md")}
    notes = reader.rows.notes({row.note_id for row in rows.values()})
    exact = exact_names(reader, parse("weeds hand"), rows, notes)
    assert {rows[id_].heading: level for id_, level in exact.items()} == {"Weeds by hand": 0}
    assert not exact_names(reader, parse("how to pull weeds"), rows, notes)


@pytest.mark.parametrize(
    ("query", "name", "exactness"),
    [
        ("weeds", "Weeds", 2),
        ("weeds", "Weeding", 1),
        ("weeds", "The weeds", 0),
        ("note > weeds", "Weeds", 1),
        ("Note/Weeds", "Weeds", 1),
        ("weeds note", "Weeds", 0),
        ("happy hours", "Happy hour", 1),
        ("happiness", "Happy", 1),
        ("Café Müller", "cafe muller", 1),
        ("cafe muller", "Café Müller", 1),
        ("straße", "Strasse", 2),
        ("c++", "C", 0),
        ("v-bind", "v-bind", 2),
        ("京都", "京都", 2),
        ("京都", "京都 (2)", 0),
        ("lease (draft)", "Lease (Draft)", 2),
        ("lease draft", "Lease (draft)", 1),
        ("lease (draft) tag:home", "Lease (draft)", 2),
        ('"lease (draft).md"', "Lease (draft).md", 2),
        ("c++", "C++", 2),
        ("?!", "Weeds", 0),
    ],
)
def test_exact_names(reader_of: ReaderOf, query: str, name: str, exactness: int) -> None:
    reader = reader_of(f"# Note\n\nSome text.\n\n## {name}\n")
    row = reader.rows.note_sections("note.md")[-1]
    notes = reader.rows.notes([row.note_id])
    exact = exact_names(reader, parse(query), {row.id: row}, notes)
    assert exact.get(row.id, 0) == exactness


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("lease (draft)", "Lease (draft).md"),
        ("lease draft", "Lease draft.md"),
        ("lease (draft).md", "Lease (draft).md"),
        ("lease draft.md", "Lease draft.md"),
        ('"lease (draft).md"', "Lease (draft).md"),
        ("Lease (draft) -zebra", "Lease (draft).md"),
        ("list 1.md", "a/List 1.md"),
        ("list (1).md", "a/List (1).md"),
        ("c#.md", "C#.md"),
        ("c++.md", "C++.md"),
        ("c.md", "C.md"),
    ],
)
def test_names_that_differ_only_in_signs(library_of: LibraryOf, query: str, first: str) -> None:
    texts = {
        "Lease": "# {}\n\nRent of the flat.\n",
        "a/List": "Eggs.\n",
        "C": "# {}\n\nA course.\n",
    }
    signs = {"Lease": (" (draft)", " draft"), "a/List": (" 1", " (1)"), "C": ("", "#", "++")}
    notes = {
        f"{name}{sign}.md": text.format(f"Page {number}")
        for name, text in texts.items()
        for number, sign in enumerate(signs[name])
    }
    answer = library_of(notes).search(query, mode="words")
    assert (answer.sections[0].path, answer.notes[0].path) == (first, first)
    assert answer.sections[0].why.named
    assert answer.missing == ()


@pytest.mark.parametrize("name", ["The Who", "What if", "I'm", "It", "What is it?", "Me"])
def test_a_name_of_small_words_comes_first(library_of: LibraryOf, name: str) -> None:
    long = f"{name}, and {name} again: " * 3
    notes = {
        "a.md": f'---\naliases: ["{name}"]\n---\n\n# Band\n\nFrom Leeds.\n',
        "b.md": f"# Days\n\n{long}\n",
        f"c/{name.strip('?')}.md": "A band.\n",
    }
    first, second, third = library_of(notes).search(name, mode="words").sections
    assert {first.path, second.path} == notes.keys() - {"b.md"}
    assert (first.why.named, second.why.named, third.why.named) == (True, True, False)


def test_a_section_named_as_the_query_says_so(library_of: LibraryOf) -> None:
    notes = {"Cook.md": "# Cook\n\n## Food\n\nRice.\n\n## Shop\n\nFood, food and more food.\n"}
    named = {
        s.section: s.why.named for s in library_of(notes).search("food", mode="words").sections
    }
    assert named == {"Food": True, "Shop": False}


def test_a_label_above_the_title_does_not_come_before_it(library_of: LibraryOf) -> None:
    notes = {
        "a.md": "(sail)=\n# Setting sail\n\nHoist it.\n",
        "b.md": "# Sails\n\nSetting a sail, setting sail.\n",
        "c.md": "---\nsee: b\n---\n<!-- Rig -->\n",
        "d.md": "# Of rig\n\nA rig, the rig.\n",
    }
    library = library_of(notes)
    first = library.search("setting sail", mode="words").sections[0]
    assert (first.path, first.line, first.why.named) == ("a.md", 2, True)
    assert library.search("c", mode="words").sections[0].path == "c.md"
