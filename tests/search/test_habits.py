"""What was opened for a query ranks higher for it; recent notes and chosen folders may, too."""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from notesearch.cli.output import why_line
from notesearch.library import NoteLibrary
from notesearch.results import Evidence, SectionResult
from tests.folders import write
from tests.index.stepwise_index import rename
from tests.indexed import without_model
from tests.indexing_listener import IndexingListener

NOTES = {
    f"{name}.md": f"# {name.title()}\n\nThe {name} has varnish, rope and a kettle.\n"
    for name in ("anna", "berta", "clara")
}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[NoteLibrary]:
    write(tmp_path / "notes", NOTES)
    settings = without_model(tmp_path)
    with NoteLibrary.open(tmp_path / "notes", home=tmp_path, settings=settings) as library:
        library.refresh()
        yield library


def found(library: NoteLibrary, query: str) -> dict[str, SectionResult]:
    return {one.path: one for one in library.search(query).sections}


def opened(section: SectionResult) -> float:
    return signals(section, "opened")[0].value


def test_an_opening_decides_between_near_ties(library: NoteLibrary) -> None:
    before = found(library, "varnish kettle")
    last = [*before][-1]
    library.learn("kettles and varnish", last, before[last].section_path)
    after = found(library, "varnish kettle")
    assert next(iter(after)) == last
    assert opened(after[last]) == pytest.approx(0.3)
    assert "opened for this query before" in why_line(after[last])
    for path in before.keys() - {last}:
        assert after[path].score == before[path].score
        assert after[path].percent == before[path].percent


def test_each_further_opening_counts_less(library: NoteLibrary) -> None:
    values = [0.0]
    for _ in range(5):
        library.learn("kettle", "berta.md", ("Berta",))
        values.append(opened(found(library, "kettle")["berta.md"]))
    steps = [after - before for before, after in pairwise(values)]
    assert steps == sorted(steps, reverse=True)
    assert 0.8 < values[-1] < 1


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("varnish rope", 0.3),
        ("Rope VARNISH", 0.3),
        ("the varnish and the rope", 0.3),
        ("varnish", 0.15),
        ("varnish rope kettle", 0.2),
        ("kettle", 0.0),
        ("rope kettle clara", 0.0),
    ],
)
def test_alike_queries_share_words(library: NoteLibrary, query: str, expected: float) -> None:
    library.learn("varnish rope", "clara.md", ("Clara",))
    assert opened(found(library, query)["clara.md"]) == pytest.approx(expected)


def test_without_openings_nothing_is_different(library: NoteLibrary) -> None:
    before = library.search("varnish rope kettle")
    library.learn("kettle anna", "anna.md", ("Anna",))
    library.learn("path:anna", "anna.md", ("Anna",))
    after = library.search("varnish rope kettle")
    assert after.sections == before.sections


def test_an_opening_follows_two_renames(library: NoteLibrary) -> None:
    """The opening once stayed with the former path."""
    library.learn("kettle", "clara.md", ("Clara",))
    for former, path in (("clara.md", "boats/carla.md"), ("boats/carla.md", "old/boats/carl.md")):
        rename(library.vault, former, path)
        assert library.refresh().moved_from == (former,)
        assert opened(found(library, "kettle")[path]) == pytest.approx(0.3)
    write(library.vault, {"clara.md": "# Clara\n\nAnother kettle.\n"})
    library.refresh()
    assert opened(found(library, "kettle")["clara.md"]) == 0


def test_an_opening_follows_text_that_is_named_after_its_file(library: NoteLibrary) -> None:
    write(library.vault, {"dora.md": "The dora has a kettle.\n\n## Rope\n\nNo kettle.\n"})
    library.refresh()
    for heading in ("dora", "Rope"):
        library.learn("kettle", "dora.md", (heading,))
    for former, path in (("dora.md", "doris.md"), ("doris.md", "doro.md")):
        rename(library.vault, former, path)
        library.refresh()
    sections = library.search("kettle path:doro", per_note=2).sections
    assert {one.section: opened(one) for one in sections} == {
        "doro": pytest.approx(0.3), "Rope": pytest.approx(0.3)
    }  # fmt: skip


def test_an_opening_follows_a_rename_that_is_watched(library: NoteLibrary) -> None:
    listener = IndexingListener()
    with contextlib.closing(library.watch(listener)):
        listener.until_idle()
        library.learn("kettle", "clara.md", ("Clara",))
        rename(library.vault, "clara.md", "carla.md")
        listener.until(lambda: any("carla.md" in report.moved for report in listener.reports))
    assert opened(found(library, "kettle")["carla.md"]) == pytest.approx(0.3)


@pytest.mark.parametrize("way", ["deleted", "excluded", "deleted with the index"])
def test_openings_end_with_their_note(library: NoteLibrary, tmp_path: Path, way: str) -> None:
    for name in ("clara", "berta"):
        library.learn(f"kettle {name}", f"{name}.md", (name.title(),))
    if way == "excluded":
        write(library.vault, {".notesearchignore": "clara.md\n"})
    else:
        (library.vault / "clara.md").unlink()
    if way == "deleted with the index":
        library.delete_index()
    library.refresh()
    (stored,) = tmp_path.rglob("openings/*.json")
    assert "clara" not in stored.read_text("utf-8").lower()
    assert opened(found(library, "kettle berta")["berta.md"]) == pytest.approx(0.3)


def test_nothing_is_learnt_or_used_if_the_user_does_not_want_that(library: NoteLibrary) -> None:
    before = library.search("kettle").sections
    library.learn("kettle", "clara.md", ("Clara",))
    library.settings = replace(library.settings, learning=False)
    assert library.search("kettle").sections == before
    library.learn("kettle", "berta.md", ("Berta",))
    library.settings = replace(library.settings, learning=True)
    assert opened(found(library, "kettle")["berta.md"]) == 0


def test_recent_notes_may_rank_higher(library: NoteLibrary) -> None:
    today = time.time()
    for name, days in (("anna", 300), ("berta", 1), ("clara", 60)):
        os.utime(library.vault / f"{name}.md", (today, today - days * 86_400))
    library.refresh()
    assert not any(one.value for one in signals(found(library, "kettle")["berta.md"], "recent"))
    library.settings = replace(library.settings, prefer_recent=True)
    after = found(library, "kettle")
    assert [*after] == ["berta.md", "clara.md", "anna.md"]
    (clara,) = signals(after["clara.md"], "recent")
    assert clara.value == pytest.approx(0.25, abs=0.05)
    assert "changed recently" in why_line(after["berta.md"])


@pytest.mark.parametrize("folder", ["Journal/2026", "/journal/", "Journal"])
def test_chosen_folders_may_rank_higher(library: NoteLibrary, folder: str) -> None:
    write(library.vault, {"Journal/2026/dora.md": "# Dora\n\nThe dora has varnish and a kettle.\n"})
    write(library.vault, {"Journalism.md": "# Press\n\nThe press has varnish and a kettle.\n"})
    library.refresh()
    library.settings = replace(library.settings, preferred_folders=("attic", folder))
    after = found(library, "varnish kettle")
    assert next(iter(after)) == "Journal/2026/dora.md"
    assert {path for path, one in after.items() if "in a preferred folder" in why_line(one)} == {
        "Journal/2026/dora.md"
    }


def signals(section: SectionResult, name: str) -> list[Evidence]:
    return [one for one in section.signals if one.name == name]
