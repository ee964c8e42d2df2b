"""Several vaults searched as one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from notesearch.config import Settings, Vault, vault_names
from notesearch.errors import IndexFileError, NoteMissingError, SectionMissingError, VaultNameError
from notesearch.libraries import NoteLibraries, merged_result
from tests.folders import write
from tests.indexed import without_model

HOME = {
    "japan.md": "# Japan\n\n## Trains\n\nThe pass for trains in Japan costs 50,000 yen.\n",
    "todo.md": "# Todo\n\nPaint the boat.\n",
    "boat.md": "# Boat\n\nVarnish it with kelvar, see [[japan]].\n",
}
WORK = {
    "trips/osaka.md": "# Osaka\n\nTrains to Japan's second city.\n",
    "todo.md": "# Todo\n\nAnswer the letters about trains, kelvan.\n",
}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibraries]:
    folder = tmp_path_factory.mktemp("several")
    write(folder / "private", HOME)
    write(folder / "work", WORK)
    settings = without_model(folder)
    folders = [folder / "private", folder / "work"]
    with NoteLibraries.open(folders, home=folder / "home", settings=settings) as libraries:
        for library in libraries:
            library.refresh()
        yield libraries


def test_one_ranking_names_the_vault_of_each_result(libraries: NoteLibraries) -> None:
    found = libraries.search("trains japan", per_note=5)
    places = [(one.vault, one.path) for one in found.sections]
    assert places[0] == ("private", "japan.md")
    assert ("work", "trips/osaka.md") in places
    scores = [one.score for one in found.sections]
    assert scores == sorted(scores, reverse=True)
    assert found.total == len(found.sections)
    of_notes = [one for note in found.notes for one in note.sections]
    assert sorted(map(repr, of_notes)) == sorted(map(repr, found.sections))
    assert {note.vault for note in found.notes} == {"private", "work"}


@pytest.mark.parametrize(
    ("query", "near"),
    [("path:trisp", ("path:trips",)), ("path:nowhere", ()), ("file:jpan", ("file:japan",))],
)
def test_a_filter_that_no_vault_fulfils_is_told_with_what_some_vault_has(
    libraries: NoteLibraries, query: str, near: tuple[str, ...]
) -> None:
    (unmet,) = libraries.search(query).unmet
    assert (unmet.filter, unmet.near) == (query, near)


def test_what_one_vault_fulfils_in_parts_is_told_as_unmet_together(
    libraries: NoteLibraries,
) -> None:
    (unmet,) = libraries.search("todo file:boat ", mode="words").unmet  # no file:boat in "work"
    assert unmet.together == ("file:boat", "todo")


def test_limits_hold_for_all_together(libraries: NoteLibraries) -> None:
    found = libraries.search("trains", limit=1)
    assert (len(found.sections), len(found.notes)) == (1, 1)
    assert found.total == 3


def test_scores_are_those_of_each_vault_alone(libraries: NoteLibraries) -> None:
    together = libraries.search("trains", per_note=5)
    for name in libraries.names:
        alone = libraries[name].search("trains", per_note=5)
        own = [one.score for one in together.sections if one.vault == name]
        assert own == [one.score for one in alone.sections]


def test_a_vault_without_vectors_is_not_below_others(libraries: NoteLibraries) -> None:
    """Its scores lack the signals of the model, which make up two thirds of others."""
    answers = {name: libraries[name].search("trains japan") for name in libraries.names}
    far = [
        replace(section, score=section.score + 4.0, percent=20)
        for section in answers["work"].sections
    ]
    notes = [
        replace(note, score=note.score + 4.0, sections=tuple(far[:1]))
        for note in answers["work"].notes[:1]
    ]
    answers["work"] = replace(answers["work"], sections=tuple(far[:1]), notes=tuple(notes))
    together = merged_result(answers, limit=9)
    percents = [one.percent for one in together.sections]
    assert percents == sorted(percents, reverse=True)
    assert together.notes[0].vault == "private"


def test_filters_alone_list_the_newest_notes_of_all(libraries: NoteLibraries) -> None:
    found = libraries.search("after:7d", limit=9)
    assert {one.vault for one in found.sections} == {"private", "work"}


def test_filters_alone_go_by_the_date_of_a_note_as_in_one_vault(tmp_path: Path) -> None:
    for vault, days in (("private", (1, 4)), ("work", (2, 3))):
        for day in days:
            text = f"---\ndate: 2020-01-0{day}\ntags: diary\n---\n\nDay.\n"
            write(tmp_path / vault, {f"{day}.md": text})
    settings, folders = without_model(tmp_path), [tmp_path / "private", tmp_path / "work"]
    with NoteLibraries.open(folders, home=tmp_path / "home", settings=settings) as libraries:
        for library in libraries:
            library.refresh()
        found = libraries.search("tag:diary")
    assert [one.path for one in found.sections] == ["4.md", "3.md", "2.md", "1.md"]
    assert [one.path for one in found.notes] == ["4.md", "3.md", "2.md", "1.md"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("trains path:work", ["work/todo.md", "work/trips/osaka.md"]),
        ("trains path:WORK/trips/", ["work/trips/osaka.md"]),
        ("trains path:/private/japan", ["private/japan.md"]),
        ("trains path:trips", ["work/trips/osaka.md"]),
        ("trains path:/trips/", ["work/trips/osaka.md"]),
        ("trains path:wor", []),
        ("trains -path:work/", ["private/japan.md"]),
        ("links:private/japan", ["private/boat.md"]),
        ("linked-by:private/boat", ["private/japan.md"]),
        ("links:work/japan", []),
        ("links:japan", ["private/boat.md"]),
    ],
)
def test_paths_in_a_query_may_begin_with_the_name_of_a_vault(
    libraries: NoteLibraries, query: str, found: list[str]
) -> None:
    notes = libraries.search(query).notes
    assert sorted(f"{note.vault}/{note.path}" for note in notes) == found


def test_words_are_missing_only_if_no_vault_has_them(libraries: NoteLibraries) -> None:
    assert libraries.search('"varnish" "letters"').missing == ()
    assert libraries.search('"varnish" "sextant"').missing == ("sextant",)


@pytest.mark.parametrize("query", ["varnihs", "varnihs, letters"])
def test_a_word_that_no_vault_has_is_corrected(libraries: NoteLibraries, query: str) -> None:
    (word,) = libraries.search(query).spelling
    assert (word.meant, word.also) == ("varnish", False)


@pytest.mark.parametrize("query", ["kelvan", "kelvan, letters"])
def test_a_word_of_one_vault_is_corrected_in_none(libraries: NoteLibraries, query: str) -> None:
    """Else the sections of a vault that has only a similar word could be in front."""
    found = libraries.search(query, mode="words")
    assert found.spelling == ()
    assert {one.vault for one in found.sections} == {"work"}


def test_a_misspelt_alternative_is_corrected(libraries: NoteLibraries) -> None:
    """Another vault answers, but with the other alternative."""
    found = libraries.search("varnihs OR letters", mode="words")
    assert [word.meant for word in found.spelling] == ["varnish"]
    assert {one.vault for one in found.sections} == {"private", "work"}


def test_a_vault_without_an_index_does_not_stop_the_others(
    libraries: NoteLibraries, tmp_path: Path
) -> None:
    write(tmp_path / "new", HOME)
    private, home = libraries["private"], libraries["private"].paths
    with NoteLibraries.open(
        [private.vault, tmp_path / "new"], home=home, settings=private.settings
    ) as some:
        found = some.search("boat")
        assert {one.vault for one in found.sections} == {"private"}
        assert [one.vault for one in found.unanswered] == ["new"]
    with (
        NoteLibraries.open([tmp_path / "new"], home=home, settings=private.settings) as none,
        pytest.raises(IndexFileError),
    ):
        none.search("boat")


@pytest.mark.parametrize(
    ("address", "read"),
    [
        ("boat.md", "Varnish it with"),
        ("Osaka", "Trains to Japan's second city."),
        ("work/todo.md", "Answer the letters"),
        ("WORK/todo:3", "Answer the letters"),
        ("note:///private/japan.md#Trains", "The pass for trains in Japan costs 50,000 yen."),
        ("[[private/boat]]", "Varnish it with"),
        ("obsidian://open?vault=work&file=todo", "Answer the letters"),
        ("{private}/todo.md", "Paint the boat."),
        ("file://{work}/todo.md", "Answer the letters"),
    ],
)
def test_a_note_is_found_in_whichever_vault_has_it(
    libraries: NoteLibraries, address: str, read: str
) -> None:
    folders = {name: str(libraries[name].vault) for name in libraries.names}
    assert read in libraries.read(address.format(**folders)).text


def test_a_name_that_several_vaults_have_is_told(libraries: NoteLibraries) -> None:
    with pytest.raises(NoteMissingError, match=r"private/todo\.md, work/todo\.md") as told:
        libraries.read("todo.md")
    assert told.value.code == "note_name_ambiguous"
    with pytest.raises(NoteMissingError, match=r"“osakka.md”. Did you mean work/trips/osaka.md\?"):
        libraries.read("osakka.md")


def test_errors_about_a_note_name_its_vault(libraries: NoteLibraries) -> None:
    with pytest.raises(SectionMissingError, match=r"private/japan.md has no section “Ferries”"):
        libraries.read("private/japan.md", "Ferries")
    with pytest.raises(NoteMissingError, match=r"No note is called “private/letters.md”"):
        libraries.read("private/letters.md")


def test_unknown_vaults_suggest_near_ones(libraries: NoteLibraries) -> None:
    assert libraries["Work"] is libraries["work"]
    with pytest.raises(VaultNameError, match="Use one of these: private"):
        libraries["privat"]


def test_without_any_vault_there_is_nothing_to_open(tmp_path: Path) -> None:
    with pytest.raises(VaultNameError, match="Add one with"):
        NoteLibraries.open(home=tmp_path)


def test_names_are_unique() -> None:
    folders = [Path("/a/notes"), Path("/b/notes"), Path("/c/b/Notes"), Path("/d")]
    settings = Settings(vaults=(Vault("/d", "diary"),))
    assert list(vault_names(folders, settings).values()) == [
        "notes", "notes (b)", "/c/b/Notes", "diary"
    ]  # fmt: skip


def test_a_folder_listed_by_a_link_has_the_name_in_the_list(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "link").symlink_to("notes")
    settings = Settings(vaults=(Vault(str(tmp_path / "link"), "Work"), Vault("/b")))
    with NoteLibraries.open(home=tmp_path / "home", settings=settings) as libraries:
        assert libraries.names == ("Work", "b")
