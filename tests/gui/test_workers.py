"""The searching and the reading thread, on a real library."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.session.read_worker import (
    AheadRequest,
    MatchRequest,
    Reading,
    ReadRequest,
    ReadWorker,
    text_spans,
)
from notesearch.library import NoteLibrary
from notesearch.results import Scope
from tests.gui.made import section

if TYPE_CHECKING:
    pass


@pytest.fixture
def library(notes: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    with NoteLibrary.open(notes, settings=words_only) as opened:
        opened.refresh()
        yield opened


@pytest.fixture
def reading(library: NoteLibrary) -> Iterator[ReadWorker]:
    worker = ReadWorker(library)
    worker.start()
    yield worker
    worker.stop()
    worker.wait()


def read(worker: ReadWorker, qtbot: QtBot, **changes: object) -> Reading:
    values: dict[str, object] = {
        "result": section("travel/Trip to Japan.md", "Kyoto > Food"),
        "path": "travel/Trip to Japan.md",
        "line": 9,
        "scope": Scope.SECTION,
        "query": "food",
    }
    with qtbot.waitSignal(worker.loaded) as loaded:
        worker.ask(ReadRequest(**(values | changes)))  # type: ignore[arg-type]
    assert loaded.args is not None
    reading = loaded.args[0]
    assert isinstance(reading, Reading)
    return reading


def test_a_section_is_read_and_rendered(qtbot: QtBot, reading: ReadWorker) -> None:
    found = read(reading, qtbot)
    assert found.text is not None
    assert found.text.section_path == ("Kyoto", "Food")
    assert "still warm" in found.html
    assert "Rain until noon" not in found.html
    assert found.modified > 0
    assert [link.heading for link in found.outline][:3] == ["Trip to Japan", "Kyoto", "Food"]


def test_a_wider_scope_reads_more(qtbot: QtBot, reading: ReadWorker) -> None:
    parent = read(reading, qtbot, scope=Scope.PARENT)
    note = read(reading, qtbot, scope=Scope.NOTE)
    assert "Rain until noon" in parent.html
    assert "Shoes" not in parent.html
    assert "Shoes" in note.html


@pytest.mark.parametrize(
    ("link", "heading"),
    [
        ("%23Packing", "Packing"),
        ("Recipes", "Recipes"),
        ("Recipes%23Dashi", "Dashi"),
        ("Recipes.md%23Dashi", "Dashi"),
        ("../kitchen/Recipes.md", "Recipes"),
        ("Japan%20budget%23Meals", "Meals"),
        ("Trip%20to%20Japan%23Kyoto%23Day%203", "Day 3"),
        ("Recipes%23No%20such%20heading", "Recipes"),
    ],
)
def test_links_lead_to_their_section(
    qtbot: QtBot, reading: ReadWorker, link: str, heading: str
) -> None:
    found = read(reading, qtbot, link=link)
    assert found.text is not None, found.problem
    assert found.text.heading == heading


@pytest.mark.parametrize("link", ["No%20such%20note", "../../outside", "%2Fetc%2Fpasswd"])
def test_links_that_lead_nowhere_say_so(qtbot: QtBot, reading: ReadWorker, link: str) -> None:
    found = read(reading, qtbot, link=link)
    assert found.text is None
    assert found.problem


def test_a_note_that_is_gone_says_so(qtbot: QtBot, reading: ReadWorker, notes: Path) -> None:
    (notes / "travel/Trip to Japan.md").unlink()
    found = read(reading, qtbot)
    assert found.text is None
    assert "moved or deleted" in found.problem


def test_matches_are_found_in_the_text_on_show(qtbot: QtBot, reading: ReadWorker) -> None:
    with qtbot.waitSignal(reading.matched) as matched:
        reading.ask(MatchRequest(7, "food", "Warm food, foods and wood."))
    assert matched.args is not None
    ticket, found = matched.args
    assert ticket == 7
    assert (5, 9) in found.spans
    assert len(found.spans) == 2


@pytest.mark.parametrize(
    ("said", "text", "spans"),
    [
        ("Warm soup helps.", "Head\nWarm\nsoup helps. Then", [(5, 21)]),
        ("so (it) is", "is so it is, so (it) is", [(3, 11), (13, 23)]),
        ("gone", "text", []),
        ("", "text", []),
        ("!?", "text", []),
        ("a+b", "an a+b", [(3, 6)]),
    ],
)
def test_a_sentence_is_found_however_it_is_set(
    said: str, text: str, spans: list[tuple[int, int]]
) -> None:
    assert text_spans(said, text) == spans


def test_the_whole_note_comes_with_its_properties(
    qtbot: QtBot, reading: ReadWorker, notes: Path
) -> None:
    file = notes / "travel/Trip to Japan.md"
    front = "---\ntags: [asia, spring]\nwith: <b>Ann</b>\n---\n"
    file.write_text(front + file.read_text("utf-8"), "utf-8")
    note = read(reading, qtbot, scope=Scope.NOTE)
    assert '<td class="key">tags</td><td>asia, spring</td>' in note.html
    assert "&lt;b&gt;Ann" in note.html
    assert "asia" not in read(reading, qtbot, scope=Scope.SECTION).html


def test_formulas_that_take_longer_come_after_the_text(
    qtbot: QtBot, reading: ReadWorker, notes: Path
) -> None:
    formulas = " and ".join(f"$\\frac{{a_{{{n}}}}}{{b}}$" for n in range(12))
    (notes / "kitchen/Recipes.md").write_text(f"# Recipes\n\n{formulas}\n", "utf-8")
    seen: list[Reading] = []
    reading.loaded.connect(seen.append)
    result = section("kitchen/Recipes.md", "Recipes")
    reading.ask(ReadRequest(result, "kitchen/Recipes.md", 1, Scope.SECTION, ""))
    qtbot.waitUntil(lambda: bool(seen) and 'class="math"' not in seen[-1].html)
    assert len(seen) == 2
    assert seen[0].html.count("math:") < seen[1].html.count("math:") == 12


def test_sections_are_read_ahead_unless_something_else_is_asked(
    qtbot: QtBot, reading: ReadWorker
) -> None:
    path = "travel/Trip to Japan.md"
    near = [ReadRequest(section(path, "x"), path, line, Scope.SECTION, "") for line in (9, 1)]
    missing = ReadRequest(section("no.md", "x"), "no.md", 1, Scope.SECTION, "")
    loaded = QSignalSpy(reading.loaded)
    reading.ask(AheadRequest((near[0], missing, near[1])))
    qtbot.waitUntil(lambda: loaded.count() == 2)
    assert [(told.ahead, told.request) for told in (loaded.at(0)[0], loaded.at(1)[0])] == [
        (True, near[0]),
        (True, near[1]),
    ]


def test_reading_ahead_makes_way(library: NoteLibrary) -> None:
    path = "travel/Trip to Japan.md"
    near = ReadRequest(section(path, "x"), path, 9, Scope.SECTION, "")
    stopped = ReadWorker(library)  # its thread never runs: what it is asked for waits
    loaded = QSignalSpy(stopped.loaded)
    stopped.ask(near)
    stopped.work(AheadRequest((near,)))
    assert loaded.count() == 0
    assert stopped.slot.take() == near
    assert not stopped.slot.outdated(), "another section has other ones beside it"


def test_matches_are_found_before_the_rest_is_read_ahead(library: NoteLibrary) -> None:
    path = "travel/Trip to Japan.md"
    near = tuple(ReadRequest(section(path, "x"), path, n, Scope.SECTION, "") for n in (9, 1))
    stopped, matches = ReadWorker(library), MatchRequest(1, "kyoto", "To Kyoto")
    stopped.ask(matches)
    stopped.work(AheadRequest(near))
    assert [stopped.slot.take(), stopped.slot.take()] == [matches, AheadRequest(near)]
    stopped.ask(AheadRequest(near[1:]))
    stopped.work(AheadRequest(near))
    assert stopped.slot.take() == AheadRequest(near[1:]), "the newest wins"


def test_the_rest_of_a_long_section_makes_way(
    library: NoteLibrary, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes a second or so: who has gone on meanwhile does not wait for its end."""
    path = "kitchen/Recipes.md"
    (notes / path).write_text("# Recipes\n\n" + "Words of a paragraph.\n\n" * 1_000, "utf-8")
    stopped = ReadWorker(library)
    loaded, wanted = QSignalSpy(stopped.loaded), iter([True, True])
    monkeypatch.setattr(stopped.slot, "replaced", lambda _: not next(wanted, False))
    stopped.work(ReadRequest(section(path, "Recipes"), path, 1, Scope.NOTE, "", lines=40))
    assert [loaded.at(n)[0].whole for n in range(loaded.count())] == [False]
