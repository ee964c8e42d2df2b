"""The values of a note's properties are found as words, and told to whoever asks."""

from collections.abc import Iterator

import pytest

from notesearch.library import NoteLibrary
from tests.indexed import indexed

NOTES = {
    "deal.md": "---\nclient: Quillbeck\nstatus: on hold\nteam: [Osric, Wenlock]\n"
    "due: 2026-04-12\nurl: https://example.org/tessel\n---\n"
    "# Deal\n\nSigned.\n\n## Later\n\nPaid.\n",
    "alone.md": "---\nperson: Marrowby\n---\n",
    "inline.md": "# Walk\n\nOut early (mood:: Cheerful).\n\n## Way\n\n- Mill [seen:: Kestrel]\n",
    "pages/block.md": "- Loom\n  tags:: slow craft, wool\n  maker:: Fennimore\n",
    "pages/tree.md": "- Kiln\n  owner:: Tarquin\n  - fire\n    - heat:: Cone6\n",
    "both.md": "---\nstatus: draft\n---\n- [ ] Sow\n  [status:: begun] [id:: 7f3]\n\n"
    "status:: begun\n",
    "pages/many.md": "kind:: barge\n\n- Bilge\n  id:: 64f0c0de-1111-4222-8333-444455556666\n"
    "  built by:: [[Ann]], [[Bo]]\n  - TODO pump\n    collapsed:: true\n    cost:: 12\n",
    "org/Attic.org": "#+title: Attic\n#+PROPERTY: owner Ada\n#+startup: overview\n\n* Trunk\n"
    ":PROPERTIES:\n:LOCK: brass\n:CUSTOM_ID: trunk\n:END:\nold coats\n",
    "books/sails.md": "# Sails by Petra\n\n## Metadata\n- **Author**: [[Petra]]\n"
    "- Full Title: Sails\n\n## Highlights\n- Mind: gybe\n",
    "case.md": "---\nfor: Ambrose Pettigrew & Sons\n---\n# Case\n\n## Facts\n\nThe sons met.\n\n"
    "## Law\n\nSee above.\n",
    "people.md": "---\nauthor:\n  - name: Ann Lee\n    place: Skye\nboss: [[Bo Chen|Bo]]\n"
    'room: "[[house/Attic]]"\nguests: "[Cy Dee](Cy%20Dee.md), [Di](Di.md)"\nscore: 7/10\n---\n'
    "# People\n\nkin:: [[family/Eve Orr|Eve]], [[Flo]]\n",
    "other.md": "# Other\n\nNothing of it.\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("properties"), NOTES) as library:
        yield library


@pytest.mark.parametrize(
    ("query", "note"),
    [
        *(("Quillbeck ", "deal.md"), ("quillb", "deal.md"), ('"on hold"', "deal.md")),
        *(("Osric Wenlock ", "deal.md"), ("tessel ", "deal.md"), ("signed Quillbeck ", "deal.md")),
        *(("marrowby ", "alone.md"), ('"Marrowby"', "alone.md")),
    ],
)
def test_a_value_is_found_by_its_words(library: NoteLibrary, query: str, note: str) -> None:
    found = library.search(query)
    assert [one.path for one in found.notes] == [note]
    assert found.missing == ()
    assert "properties" in found.sections[0].why.fields
    assert not found.sections[0].by_meaning_alone


def test_only_the_first_section_is_found_by_properties(library: NoteLibrary) -> None:
    assert len(library.search("Quillbeck ").sections) == 1


def test_a_note_without_text_above_its_sections_is_found_by_properties(
    library: NoteLibrary,
) -> None:
    found = library.search("Pettigrew sons ", per_note=2)
    assert (found.sections[0].path, found.sections[0].section) == ("case.md", "Case")
    assert found.missing == ()


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("Quillbeck ", "client: Quillbeck"),
        ("deal Wenlock ", "team: Osric, Wenlock"),
        ("deal ", "Signed."),
        ("signed Quillbeck ", "Signed."),
        ("pettigrew ", "for: Ambrose Pettigrew & Sons"),
        ("alone person ", "person: Marrowby"),
    ],
)
def test_a_snippet_shows_the_property_that_was_found(
    library: NoteLibrary, query: str, shown: str
) -> None:
    assert library.search(query).sections[0].snippet.text == shown


def test_the_name_of_a_property_is_not_missing(library: NoteLibrary) -> None:
    found = library.search("deal client ")
    assert (found.sections[0].path, found.missing) == ("deal.md", ())
    assert library.search("sow client ").missing == ("client",)


@pytest.mark.parametrize("query", ["client", "Client ", "client due ", "client: due: "])
def test_a_word_that_is_only_the_name_of_a_property_finds_the_notes_with_it(
    library: NoteLibrary, query: str
) -> None:
    found = library.search(query)
    assert [one.path for one in found.notes] == ["deal.md"]
    assert (found.missing, found.spelling) == ((), ())
    name = query.split(maxsplit=1)[0].rstrip(":")
    assert found.sections[0].why.filters[0] == f"prop:{name}"


@pytest.mark.parametrize("query", ["client: Quillbeck", "maker: Fennimore", "heat: Cone6"])
def test_a_line_of_properties_finds_the_note_that_has_it(library: NoteLibrary, query: str) -> None:
    (note,) = library.search(query).notes
    name, value = query.split(": ")
    assert value in note.properties[name]


def test_results_have_the_properties(library: NoteLibrary) -> None:
    (note,) = library.search("Quillbeck ").notes
    assert note.properties["client"] == "Quillbeck"


@pytest.mark.parametrize(
    ("query", "properties"),
    [
        ("walk ", {"mood": "Cheerful", "seen": "Kestrel"}),
        ("loom ", {"maker": "Fennimore"}),
        ("kiln ", {"owner": "Tarquin", "heat": "Cone6"}),
        ("sow ", {"status": "draft, begun", "id": "7f3"}),
        ("bilge ", {"kind": "barge", "built by": "Ann, Bo", "cost": "12"}),
        ("gybe ", {"Author": "Petra", "Full Title": "Sails"}),
        ("coats ", {"owner": "Ada", "lock": "brass", "custom_id": "trunk"}),
    ],
)
def test_results_have_the_properties_in_the_text(
    library: NoteLibrary, query: str, properties: dict[str, str]
) -> None:
    (note,) = library.search(query, mode="words").notes
    assert note.properties == properties
    told = {k: ", ".join(v) for k, v in library.links(note.path).all_properties().items()}
    assert told.items() >= properties.items()
    assert not {"id", "collapsed"} & {*told} or note.path == "both.md"


def test_a_link_in_a_property_becomes_the_words_it_shows(library: NoteLibrary) -> None:
    links = library.links("people.md")
    told = links.all_properties()
    assert (told["boss"], told["room"], told["kin"]) == (["Bo"], ["house/Attic"], ["Eve", "Flo"])
    assert told["guests"] == ["Cy Dee", "Di"]
    assert [value.text for value in links.properties() if value.key == "boss"] == ["Bo"]


def test_a_minus_excludes_values_of_properties(library: NoteLibrary) -> None:
    assert [note.path for note in library.search("path:deal -Quillbeck ").notes] == ["deal.md"]
    assert [s.section for s in library.search("path:deal -Quillbeck ").sections] == ["Later"]


@pytest.mark.parametrize(
    ("query", "note"),
    [
        *(("prop:mood=cheerful", "inline.md"), ("prop:seen=kestrel", "inline.md")),
        *(("kestrel ", "inline.md"), ('tag:"slow craft"', "pages/block.md")),
        *(("tag:wool", "pages/block.md"), ("prop:maker=fennimore", "pages/block.md")),
        *(("prop:client:quillbeck", "deal.md"), ('prop:"client: Quillbeck"', "deal.md")),
        *(('prop:"status: on hold"', "deal.md"), ("prop:due:2026-04", "deal.md")),
        *(("prop:client==quillbeck", "deal.md"), ("prop:maker:", "pages/block.md")),
        *(("prop:owner=tarquin", "pages/tree.md"), ("prop:heat=cone6", "pages/tree.md")),
        *(("Tarquin ", "pages/tree.md"), ("Cone6 ", "pages/tree.md")),
        *(('prop:author="ann lee"', "people.md"), ("prop:author.name=ann*", "people.md")),
        *(("prop:boss=bo", "people.md"), ("prop:boss=[[Bo Chen]]", "people.md")),
        *(("prop:room=attic", "people.md"), ("prop:room=[[house/Attic|x]]", "people.md")),
        *(('prop:guests="cy dee"', "people.md"), ("prop:guests=di", "people.md")),
        *(("prop:kin=[[Eve Orr]]", "people.md"), ("prop:kin=eve", "people.md")),
        *(("prop:kin=flo", "people.md"), ("prop:kin:[[family/Eve Orr]]", "people.md")),
        *(("prop:score>6", "people.md"), ("prop:score=7/10", "people.md")),
    ],
)
def test_properties_in_the_text_filter_and_are_found(
    library: NoteLibrary, query: str, note: str
) -> None:
    assert [one.path for one in library.search(query).notes] == [note]
