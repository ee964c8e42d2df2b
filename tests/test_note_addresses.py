"""Whatever names a note, a section or lines of it is taken wherever a note is asked for."""

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.errors import NoteMissingError, SectionMissingError
from notesearch.library import NoteLibrary
from notesearch.note_addresses import meanings, vault_holding
from tests.indexed import indexed
from tests.limits import processor_seconds

NOTES = {
    "Plans/Test Note.md": (
        "# Plan\n\nfirst\n\n## Costs\n\nten\n\n### Food\n\nrice ^meal\n\n"
        "## End {#the-end}\n\nlast\n"
    ),
    "C# tips.md": "# Tips\n\n## Lists\n\nfirst\n",
    "100% done.md": "# Done\n\nall\n",
    "10:30 call.md": "# Call\n\nsaid\n",
    "#inbox/todo.md": "# Todo\n\nsoon\n",
    unicodedata.normalize("NFD", "Brücke/Über.md"): "# Weg\n\noben\n",
    "20230115093000 Kiln log.md": "# Kiln\n\nhot\n",
    "zettel/oven.md": "---\nid: 20240131-7\n---\n# Oven\n\nwarm\n",
    "zettel/201912310815_stove.md": "# Stove\n\ncold\n",
    "shops/forno.md": "---\naliases: [The Baker, Käse & Brot, Kiln, stove shop]\n---\n"
    "# Il Forno\n\n## Hours\n\n7\n",
    "shops/grill.md": "---\nalias: stove shop\n---\n# Grill\n\n## Hours\n\n8\n",
}  # fmt: skip
PLAN, SHOP = "Plans/Test Note.md", "shops/forno.md"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("addresses"), NOTES) as library:
        yield library


@pytest.mark.parametrize(
    ("address", "path"),
    [
        *(("/Plans/Test Note.md", PLAN), ("./Plans/Test Note.md", PLAN), ("test note", PLAN)),
        *(("Plans/Test%20Note.md", PLAN), ("PLANS/TEST NOTE", PLAN), ("Plans\\Test Note.md", PLAN)),
        *(("note:///Plans/Test%20Note.md", PLAN), ("note:///Plans/Test%20Note.md#Costs", PLAN)),
        *(("[[Test Note]]", PLAN), ("[[Plans/Test Note#Costs|the costs]]", PLAN)),
        *(("![[Test Note]]", PLAN), ("[the plan](Plans/Test%20Note.md#costs)", PLAN)),
        *(("[x](<Plans/Test Note.md>)", PLAN), ("<Plans/Test Note.md>", PLAN)),
        *(("Plans/Test Note.md:7", PLAN), ("Plans/Test Note.md:3-7", PLAN), ("Test Note:L7", PLAN)),
        *(("Plans/Test Note.md#Costs", PLAN), ("Test Note#Costs#Food", PLAN)),
        ("obsidian://open?vault=vault&file=Plans%2FTest%20Note", PLAN),
        ("obsidian://open?vault=vault&file=Plans%2FTest%20Note%23Costs", PLAN),
        ("obsidian://adv-uri?vault=vault&filepath=Plans%2FTest%20Note.md&line=7", PLAN),
        *(("  Plans/Test Note.md\n", PLAN), ("`Plans/Test Note.md`", PLAN)),
        *(
            ('"Plans/Test Note.md"', PLAN),
            ("“Test Note”", PLAN),
            ("note:Plans/Test%20Note.md", PLAN),
        ),
        *(("Plans/Test Note.md > Costs > Food", PLAN), ("Test Note › Costs", PLAN)),
        *(("Plans/Test Note.md:9-11 > Costs > Food", PLAN), ("Plans/Test Note.md > Plan", PLAN)),
        (
            "1. Plans/Test Note.md:9-11 > Costs > Food (score 24; note: 35 words; changed 2026-1)",
            PLAN,
        ),
        ("12. Plans/Test Note.md:1-11 > Plan (1,200 words of the note's 3,000)", PLAN),
        *(("Plans/Test Note.md#L9-L11", PLAN), ("Plans/Test Note.md::chunk_2", PLAN)),
        *(("C# tips.md", "C# tips.md"), ("C%23%20tips.md", "C# tips.md")),
        *(("C# tips#Lists", "C# tips.md"), ("note:///C%23%20tips.md#Lists", "C# tips.md")),
        *(("100% done", "100% done.md"), ("note:///100%25%20done.md", "100% done.md")),
        *(("10:30 call.md", "10:30 call.md"), ("10:30 call.md:3", "10:30 call.md")),
        *(("10:30 call.md:3: Call: at 9:15: x", "10:30 call.md"), ("Test Note:7:2", PLAN)),
        *(("#inbox/todo.md", "#inbox/todo.md"), ("%23inbox/todo.md", "#inbox/todo.md")),
        ("20230115093000", "20230115093000 Kiln log.md"),
        ("[[20230115093000]]", "20230115093000 Kiln log.md"),
        ("20230115093000 Its old name", "20230115093000 Kiln log.md"),
        *(("The Baker", SHOP), ("the  baker", SHOP), ("[[The Baker#Hours|open?]]", SHOP)),
        *(("käse & brot", SHOP), ("The Baker.md", SHOP), ("The Baker:7", SHOP)),
        *(("note:///The%20Baker#Hours", SHOP), ("Kiln", "20230115093000 Kiln log.md")),
        *(("20240131-7", "zettel/oven.md"), ("201912310815", "zettel/201912310815_stove.md")),
    ],
)
def test_each_names_the_note(library: NoteLibrary, address: str, path: str) -> None:
    assert library.note_path(address) == path
    assert library.read(address).path == path
    assert library.sections(address)


def test_an_alias_of_two_notes_names_both(library: NoteLibrary) -> None:
    with pytest.raises(NoteMissingError, match=r"shops/forno\.md, shops/grill\.md"):
        library.read("Stove Shop")


def test_a_name_nearly_an_alias_names_the_note(library: NoteLibrary) -> None:
    with pytest.raises(NoteMissingError, match=r"Did you mean shops/forno\.md\?"):
        library.read("The Bakers")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("address", ["Brücke/Über.md", "über", "/Brücke/Über", "[[Über]]"])
def test_accents_may_be_characters_of_their_own(
    library: NoteLibrary, address: str, form: str
) -> None:
    found = library.read(unicodedata.normalize(form, address))  # type: ignore[arg-type]
    assert found.text.startswith("# Weg")


def test_absolute_paths_and_file_addresses(library: NoteLibrary, tmp_path: Path) -> None:
    file = library.vault / PLAN
    url = file.as_uri()
    for address in (str(file), url, f"{url}#Costs", f"{file}:7", f"vscode://file{file}:7"):
        assert library.note_path(address) == PLAN
    (tmp_path / "other.md").write_text("outside")
    for address in (str(tmp_path / "other.md"), "../other.md", "file:///etc/passwd", ""):
        with pytest.raises(NoteMissingError):
            library.note_path(address)


@pytest.mark.parametrize(
    ("address", "lines"),
    [
        ("Plans/Test Note.md:0-3", (1, 3)),
        *((PLAN, (1, 15)), (f"{PLAN}:7", (5, 12)), (f"{PLAN}:10", (9, 12)), (f"{PLAN}:1", (1, 15))),
        *((f"{PLAN}:3-7", (3, 7)), (f"{PLAN}:7-3", (3, 7)), (f"{PLAN}:14-99", (14, 15))),
        *((f"{PLAN} lines 3-7", (3, 7)), (f"{PLAN}, line 7", (5, 12)), (f"{PLAN}:3–7", (3, 7))),
        *((f"{PLAN}:7:2", (5, 12)), (f"{PLAN}:11: Costs › Food: rice", (9, 12))),
        *(
            (f"{PLAN}#Costs", (5, 12)),
            (f"{PLAN}#costs/food", (9, 12)),
            ("[[Test Note#^meal]]", (11, 11)),
        ),
        *((f"{PLAN} > Costs > Food", (9, 12)), (f"{PLAN}:11 > Costs > Food", (9, 12))),
        *((f"{PLAN}:10-11 > Costs > Food", (10, 11)), (f"{PLAN} › Plan", (1, 15))),
        *((f"{PLAN}#L9-L11", (9, 11)), (f"{PLAN}#L10", (9, 12)), (f"`{PLAN}:7`", (5, 12))),
        *((f"{PLAN}#the-end", (13, 15)), (f"{PLAN}#End", (13, 15))),
        *(("Test Note#Costs#Food", (9, 12)), ("obsidian://open?file=Test%20Note%23End", (13, 15))),
    ],
)
def test_it_may_name_a_part(library: NoteLibrary, address: str, lines: tuple[int, int]) -> None:
    found = library.read(address)
    assert (found.line, found.end_line) == lines
    text = NOTES[PLAN].split("\n")
    assert found.text.rstrip() == "\n".join(text[lines[0] - 1 : lines[1]]).rstrip()


@pytest.mark.parametrize("section", ["^meal", "#^meal", " ^MEAL "])
def test_a_block_of_a_note_is_read_by_its_id(library: NoteLibrary, section: str) -> None:
    assert library.read(PLAN, section).line == 11


@pytest.mark.parametrize(
    "address",
    ["http://[x", "obsidian://[x", "https://℀.com/a", "note:///a]b[c.md", "file://[::1/x"],
)
def test_what_only_looks_like_a_web_address_names_no_note(
    library: NoteLibrary, address: str
) -> None:
    """A bracket once made the library of web addresses raise an error of its own."""
    with pytest.raises(NoteMissingError):
        library.read(address)
    with pytest.raises(NoteMissingError):
        vault_holding(address, {"vault": library.note_path})


def test_many_spaces_are_read_fast(library: NoteLibrary) -> None:
    """Twenty thousand spaces once took minutes."""
    with processor_seconds(30), pytest.raises(NoteMissingError):
        library.read(f"a{' ' * 20_000}b")


def test_few_meanings_are_looked_up(tmp_path: Path) -> None:
    assert len([*meanings("a#:1" * 1000, tmp_path)]) <= 100


def test_a_section_given_besides_counts(library: NoteLibrary) -> None:
    assert library.read(f"{PLAN}:3", "Food").line == 9


@pytest.mark.parametrize("section", ["^meal", " ^meal "])
def test_the_id_of_a_block_may_be_given_as_the_section(library: NoteLibrary, section: str) -> None:
    block = library.read(PLAN, section)
    assert block == library.read(f"{PLAN}#^meal")
    assert (block.line, block.section_path[-1]) == (11, "Food")


def test_an_unknown_heading_is_answered_with_the_headings(library: NoteLibrary) -> None:
    with pytest.raises(SectionMissingError, match="Costs"):
        library.read(f"{PLAN}#Nothing")


@pytest.mark.parametrize(
    ("target", "led"),
    [
        ("20230115093000", "/20230115093000 Kiln log.md"),
        ("20230115093000 Former name", "/20230115093000 Kiln log.md"),
        ("20240131-7", "/zettel/oven.md"),
        ("C# tips.md#Lists", "/C# tips.md#Lists"),
        ("C# tips", "/C# tips.md"),
        ("#inbox/todo.md", "/#inbox/todo.md"),
        ("#Costs", f"/{PLAN}#Costs"),
        ("2023", None),
        ("99999999", None),
    ],
)
def test_links_lead_there_too(library: NoteLibrary, target: str, led: str | None) -> None:
    assert library.links(PLAN).link(target) == led


def test_pictures_with_odd_names(tmp_path: Path) -> None:
    names = ["a#1.png", "50% off.png", unicodedata.normalize("NFD", "é/Brücke.png"), "img/ü.png"]
    with indexed(tmp_path, {"n.md": "x", **dict.fromkeys(names, b"")}) as library:
        find = library.links("n.md").picture
        assert find("a#1.png") == "a#1.png"
        assert find("50% off.png") == "50% off.png"
        assert find("Brücke.png") == find("é/Brücke.png") == names[2]
        assert find(unicodedata.normalize("NFD", "ü.png")) == "img/ü.png"
