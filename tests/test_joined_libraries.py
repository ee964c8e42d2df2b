"""Several vaults that answer a window as one folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings, Vault
from notesearch.embedding.embedder import Embedder
from notesearch.errors import SectionMissingError
from notesearch.libraries import NoteLibraries
from notesearch.results import FilterChoice, SearchResult, View
from notesearch.status import Phase, Progress, joint_progress
from tests.cached_embedder import CachedEmbedder
from tests.folders import write
from tests.indexed import indexed, without_model

HOME = {
    "boat/varnish.md": "# Varnish #boat\n\nThree coats of varnish.\n",
    "todo.md": "# Todo\n\nVarnish the boat.\n",
}
WORK = {"varnish.md": "# Orders\n\nVarnish for the boat hall #boat.\n"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibraries]:
    folder = tmp_path_factory.mktemp("joined")
    write(folder / "home", HOME)
    write(folder / "office", WORK)
    joined = NoteLibraries.open_joined(
        {"home": folder / "home", "office": folder / "office"},
        home=Paths.choose(folder / "own"),
        settings=without_model(folder),
    )
    for part in joined.parts.values():
        part.refresh()
    yield joined
    joined.close()


def paths(found: SearchResult) -> list[str]:
    return sorted(one.path for one in found.sections)


def test_paths_begin_with_the_name_of_the_vault(library: NoteLibraries) -> None:
    found = library.search("varnish", limit=10)
    assert paths(found) == ["home/boat/varnish.md", "home/todo.md", "office/varnish.md"]
    assert {(note.vault, note.path) for note in found.notes} == {
        (one.vault, one.path) for one in found.sections
    }
    assert {one.path for note in found.notes for one in note.sections} == set(paths(found))


@pytest.mark.parametrize(
    ("within", "expected"),
    [
        ("home/", ["home/boat/varnish.md", "home/todo.md"]),
        ("home/boat/", ["home/boat/varnish.md"]),
        ("office/varnish.md", ["office/varnish.md"]),
    ],
)
def test_a_part_can_be_searched(library: NoteLibraries, within: str, expected: list[str]) -> None:
    early = list[SearchResult]()
    found = library.search("varnish", within=within, early=early.append, view=View(0))
    assert paths(found) == expected
    assert all(paths(one) == expected for one in early)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("varnish path:home/", ["home/boat/varnish.md", "home/todo.md"]),
        ("varnish path:Home/bo", ["home/boat/varnish.md"]),
        ('varnish path:"/home/boat/"', ["home/boat/varnish.md"]),
        ("path:office/", ["office/varnish.md"]),
        ("varnish -path:home/boat/", ["home/todo.md", "office/varnish.md"]),
        ("-path:home/ varnish", ["office/varnish.md"]),
        ("varnish path:boat/", ["home/boat/varnish.md"]),
        ("varnish path:home/ path:office/", []),
        ("path:home/boat/ OR path:office/", ["home/boat/varnish.md", "office/varnish.md"]),
        ("varnish (path:home/boat OR hall)", ["home/boat/varnish.md", "office/varnish.md"]),
        ("varnish -(path:home/boat OR hall)", ["home/todo.md"]),
        ("varnish path:off", ["office/varnish.md"]),
        ("varnish path:/boat", []),
    ],
)
def test_a_path_may_begin_with_the_name_of_a_vault(
    library: NoteLibraries, query: str, expected: list[str]
) -> None:
    found = library.search(query)
    assert (paths(found), found.query) == (expected, query)


def test_one_model_serves_all(library: NoteLibraries) -> None:
    assert len({id(part._model) for part in library.parts.values()}) == 1


def test_facets_and_completions_count_together(library: NoteLibraries) -> None:
    found = library.search("varnish")
    facets = {one.filter: one.count for group in library.facets(found.sections) for one in group}
    assert (facets["tag:boat"], facets["path:/home/boat/"]) == (2, 1)
    assert (facets["path:/home/"], facets["path:/office/"]) == (2, 1)
    for filter_, count in facets.items():
        assert library.search(f"varnish {filter_}").total == count
    assert [(one.filter, one.count) for one in library.complete_filter("tag:")] == [("tag:boat", 2)]
    completed = [one.filter for one in library.complete_filter("path:ho")]
    assert completed == ["path:/home/"]


def test_tags_that_differ_in_spelling_are_one(tmp_path: Path) -> None:
    one = {"a.md": "#café #Boat", "b.md": "#café"}
    other = {"a.md": "#cafe\u0301 #BOAT", "b.md": "#CAFE and #boat"}
    with indexed(tmp_path / "one", one) as first, indexed(tmp_path / "other", other) as second:
        joined = NoteLibraries({"one": first, "other": second}, joined=True)
        completed = [(each.filter, each.count) for each in joined.complete_filter("tag:")]
        assert completed == [("tag:café", 4), ("tag:boat", 3)]
        facets = joined.facets(joined.search("tag:boat OR tag:cafe ", limit=9).sections)
        assert [each for each in facets[0] if each.filter == "tag:boat"] == [
            FilterChoice("tag:boat", 3)
        ]


def test_the_state_is_that_of_all(library: NoteLibraries) -> None:
    status = library.status()
    assert (status.notes, status.vault_missing) == (3, False)
    assert status.last_scan > 0


def test_absence_is_explained_by_the_vault_that_has_the_note(library: NoteLibraries) -> None:
    assert library.why_absent("harbour", "todo.md")[0].code == "absence_wordless"
    ranked, *_ = library.why_absent("varnish", "office/varnish.md")
    assert (ranked.code, ranked.fields["count"]) == ("absence_ranked", 3)  # of all vaults
    assert library.why_absent("varnish path:home/", "office/varnish.md") == (
        "None of its sections matches path:home/.",
    )
    outside = library.why_absent("boat", "todo.md", within="office/")
    assert outside[0].code == "absence_outside"
    assert library.why_absent("boat", "nowhere.md")[0].code == "absence_unknown"


def test_related_sections_come_from_all_vaults(tmp_path: Path, embedder: Embedder) -> None:
    soups = {"soup.md": "# Soup\n\nA soup of leeks and potatoes.\n"}
    stews = {"stew.md": "# Stew\n\nA stew of leeks, beans and potatoes.\n", "tax.md": "# Tax\n"}
    with (
        indexed(tmp_path / "home", soups, embedder) as home,
        indexed(tmp_path / "office", stews, embedder) as office,
    ):
        joined = NoteLibraries({"home": home, "office": office}, joined=True)
        assert [one.path for one in joined.related("home", "soup.md", "Soup")] == ["office/stew.md"]
        assert [one.path for one in joined.related("office", "stew.md")] == ["home/soup.md"]
        with pytest.raises(SectionMissingError, match=r"home/soup.md has no section “Stew”"):
            joined.related("home", "soup.md", "Stew")
        (found,) = NoteLibraries({"home": home, "office": office}).related("office", "stew.md")
        assert (found.vault, found.path) == ("home", "soup.md")


def test_likeness_compares_vectors_of_one_model(tmp_path: Path, embedder: Embedder) -> None:
    other = CachedEmbedder(embedder, tmp_path / "vectors")
    other.fingerprint = "of the same width"
    soups = {"soup.md": "# Soup\n\nLeeks and potatoes.\n", "tax.md": "# Tax\n\nLeeks, due.\n"}
    with (
        indexed(tmp_path / "home", soups, embedder) as home,
        indexed(tmp_path / "office", {"a.md": "# Leeks\n"}, other) as office,
    ):
        joined = NoteLibraries({"home": home, "office": office}, joined=True)
        found = joined.search("leeks", mode="words")
        liked = joined.by_likeness(found, [], [("home/soup.md", 1)])
        assert liked.sections[-1].path == "office/a.md"  # not comparable, so it comes last


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([(Phase.IDLE, 0, 0)], (Phase.IDLE, 0, 0)),
        ([(Phase.IDLE, 0, 0), (Phase.SCAN, 0, 0)], (Phase.SCAN, 0, 0)),
        ([(Phase.SCAN, 0, 0), (Phase.MEANING, 4, 9)], (Phase.MEANING, 4, 9)),
        ([(Phase.WORDS, 1, 5), (Phase.MEANING, 4, 9), (Phase.WORDS, 2, 3)], (Phase.WORDS, 3, 8)),
    ],
)
def test_progress_adds_up(
    parts: list[tuple[Phase, int, int]], whole: tuple[Phase, int, int]
) -> None:
    assert joint_progress(Progress(*part) for part in parts) == Progress(*whole)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        (Settings(vaults=(Vault("/a/notes"), Vault("/b", "B"))), []),
        (Settings(vaults=(Vault("/a/notes"),), all_vaults=True), []),
        (
            Settings(vaults=(Vault("/a/notes"), Vault("/b/notes")), all_vaults=True),
            ["notes", "notes (b)"],
        ),
        (Settings(vaults=(Vault("/a", "x/y"), Vault("/b")), all_vaults=True), ["x∕y", "b"]),
    ],
)
def test_names_are_different_and_have_no_slash(settings: Settings, names: list[str]) -> None:
    assert list(settings.joined) == names
