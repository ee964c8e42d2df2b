"""Facets tell the sections of a result apart, and each is a filter that keeps as many of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.library import NoteLibrary
from tests.indexed import indexed

NOTES = {
    "my trips/Kyoto.md": "---\ntags: [japan, city]\ndate: 2024-04-01\n---\n# Kyoto\n\nSoup\n\n"
    "## Prices\n\n#hot\n\n| soup | 5 |\n|---|---|\n| tea | 2 |\n",
    "my trips/old/Nara.md": "---\ntags: [japan]\ndate: 2023-04-01\n---\n# Nara\n\n- [ ] soup\n",
    "Recipes.md": "---\ndate: 2024-12-31\n---\n# Recipes\n\nSoup: see [here](https://a.org).\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("facets"), NOTES) as library:
        yield library


def test_tags_folders_kinds_and_years_are_counted(library: NoteLibrary) -> None:
    found = library.search("soup", limit=50, per_note=50).sections
    assert len(found) == 4
    assert [[(one.filter, one.count) for one in group] for group in library.facets(found)] == [
        [("tag:japan", 3), ("tag:city", 2), ("tag:hot", 1)],
        [('path:"/my trips/"', 3), ('path:"/my trips/old/"', 1)],
        [("has:link", 1), ("has:table", 1), ("task:todo", 1)],
        [("after:2024 before:2025", 3), ("after:2023 before:2024", 1)],
    ]


def test_each_facet_keeps_the_sections_it_counted(library: NoteLibrary) -> None:
    found = library.search("soup", limit=50, per_note=50).sections
    for facet in (one for group in library.facets(found) for one in group):
        kept = library.search(f"{facet.filter} soup", limit=50, per_note=50).sections
        assert len(kept) == facet.count, facet
        assert {(one.path, one.line) for one in kept} < {(one.path, one.line) for one in found}


def test_spellings_of_one_tag_are_one_facet(tmp_path: Path) -> None:
    tags = ("#Küche", "#küche", "#kuche", "#bad")
    notes = {f"{n}.md": f"# Soup {n}\n\n{tag}\n" for n, tag in enumerate(tags)}
    with indexed(tmp_path, notes) as library:
        found = library.search("soup", limit=50).sections
        (of_tags, *_) = library.facets(found)
        assert [(one.filter, one.count) for one in of_tags] == [("tag:küche", 3), ("tag:bad", 1)]


def test_a_tag_counts_what_it_finds_with_the_tags_inside_it(tmp_path: Path) -> None:
    tags = ("#acme", "#acme/bills", "#acme/bills/late", "#people/next_door", "#other")
    notes = {f"{n}.md": f"# Soup {n}\n\n{tag}\n" for n, tag in enumerate(tags)}
    with indexed(tmp_path, notes) as library:
        found = library.search("soup", limit=50).sections
        (of_tags, *_) = library.facets(found)
        of_facets = {one.filter: one.count for one in of_tags}
        completed = {one.filter: one.count for one in library.complete_filter("tag:")}
        assert completed == of_facets
        assert completed["tag:acme"] == 3
        assert completed["tag:people"] == 1
        for filter_, count in completed.items():
            assert len(library.search(f"{filter_} ").sections) == count, filter_


def test_what_all_results_share_is_no_facet(library: NoteLibrary) -> None:
    found = library.search("soup file:kyoto", limit=50, per_note=50).sections
    filters = [one.filter for group in library.facets(found) for one in group]
    assert filters == ["tag:hot", "has:table"]
    assert library.facets(()) == ()


def test_a_result_of_notes_that_are_gone_has_no_facets(tmp_path: Path) -> None:
    with indexed(tmp_path, NOTES) as library:
        found = library.search("soup", limit=50).sections
        for name in NOTES:
            (tmp_path / "vault" / name).unlink()
        (tmp_path / "vault" / "other.md").write_text("# Other\n")
        library.refresh()
        assert library.facets(found) == ()
