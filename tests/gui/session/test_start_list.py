"""The sections opened last, in the main window while the field is empty, and in their file."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import filelock
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.gui.app import App
from notesearch.gui.results.results_model import CaptionRow, ResultRow
from notesearch.gui.session.query_history import clear_history
from notesearch.gui.session.section_reader import Question
from notesearch.gui.session.start_list import MOST_SECTIONS, RecentlyOpened
from notesearch.opened_sections import SECTIONS_FILE, update_recent
from notesearch.results import Marked
from tests.gui.fixture_types import StartApp
from tests.gui.opened_files import OpenedFiles
from tests.gui.sample_results import section
from tests.gui.using_window import CONTROL, Key, heading, press, previewed, typed

VAULT = Path("/home/me/notes")
OTHER = Path("/home/me/work")
HEADINGS = {"Trip to Japan", "Kyoto", "Food", "Temples", "Packing", "Snacks", "Recipes", "Dashi"}


def recent(app: App) -> list[str]:
    """Return the caption of the list and its headings."""
    rows = app.model.rows
    captions = [row.text for row in rows if isinstance(row, CaptionRow)]
    return captions + [row.result.section for row in rows if isinstance(row, ResultRow)]


def open_section(qtbot: QtBot, app: App, text: str) -> None:
    app.window.field.focus_all()
    typed(qtbot, app, text)
    press(qtbot, app, Key.Key_Return)


@pytest.fixture
def used(qtbot: QtBot, app: App, opened: OpenedFiles) -> App:
    """The program with an empty field after two sections were opened."""
    open_section(qtbot, app, "dashi")
    open_section(qtbot, app, "temples")
    press(qtbot, app, Key.Key_Escape)
    qtbot.waitUntil(lambda: recent(app) == ["Recently opened", "Temples", "Dashi"])
    return app


def test_sections_opened_last_are_listed_with_an_example_query(qtbot: QtBot, used: App) -> None:
    assert used.window.shows_results
    qtbot.waitUntil(lambda: bool(used.window.results.summary.count_text))
    example = used.window.results.summary.count_text.removeprefix("Try: ")
    assert example in HEADINGS
    assert heading(used) == "Temples"
    qtbot.waitUntil(lambda: "Go at opening time" in previewed(used))


def test_the_example_of_the_start_page_runs_on_click(qtbot: QtBot, app: App) -> None:
    """It once described a trip that was not in these notes."""
    page = app.window.page
    qtbot.waitUntil(lambda: bool(page.page.offers))
    (offer,) = page.page.offers
    assert offer.query in HEADINGS
    page.focus_action()
    press(qtbot, app, Key.Key_Return)
    qtbot.waitUntil(lambda: heading(app) == offer.query)


def test_sections_of_a_renamed_note_follow_it_and_those_of_a_deleted_one_end(
    qtbot: QtBot, used: App, notes: Path
) -> None:
    """The names of both notes stayed in the file until newer sections pushed them out."""
    file = Paths.choose().data / SECTIONS_FILE
    (notes / "kitchen/Recipes.md").rename(notes / "kitchen/Soups.md")
    qtbot.waitUntil(lambda: "Soups" in file.read_text())
    assert "Recipes" not in file.read_text()
    qtbot.waitUntil(lambda: recent(used) == ["Recently opened", "Temples", "Dashi"])
    (notes / "kitchen/Soups.md").unlink()
    qtbot.waitUntil(lambda: "Soups" not in file.read_text())
    qtbot.waitUntil(lambda: recent(used) == ["Recently opened", "Temples"])


def test_the_list_ends_when_the_window_returns_after_the_history_was_cleared(
    qtbot: QtBot, used: App
) -> None:
    clear_history(Paths.choose().data)
    QApplication.sendEvent(used.window, QEvent(QEvent.Type.WindowActivate))
    qtbot.waitUntil(lambda: recent(used) == [])
    assert not used.window.shows_results, "the page to start from is shown"
    press(qtbot, used, Key.Key_Up, CONTROL)
    assert used.window.field.text == "", "no earlier query comes back"


def test_a_section_opens_while_another_program_changes_the_list(
    qtbot: QtBot, used: App, opened: OpenedFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The window stood still for a second, and the section was then missing from the list."""
    monkeypatch.setattr("notesearch.opened_sections._PATIENCE_S", 30)
    before = len(opened.files)
    with filelock.FileLock(Paths.choose().data / f"{SECTIONS_FILE}.lock"):
        for text in ("snacks", "pickles"):
            open_section(qtbot, used, text)
        qtbot.waitUntil(lambda: len(opened.files) == before + 2)
    press(qtbot, used, Key.Key_Escape)
    listed = ["Recently opened", "Pickles", "Snacks", "Temples", "Dashi"]
    qtbot.waitUntil(lambda: recent(used) == listed)


def test_a_section_opened_just_before_the_end_is_listed_next_time(
    qtbot: QtBot, used: App, opened: OpenedFiles, start: StartApp, notes: Path
) -> None:
    with qtbot.waitSignal(used.pane.opener.opened):
        open_section(qtbot, used, "snacks")
    used.close()
    again = start(notes)
    qtbot.waitUntil(lambda: recent(again) == ["Recently opened", "Snacks", "Temples", "Dashi"])


def test_arrows_and_enter_open_a_section_again(
    qtbot: QtBot, used: App, opened: OpenedFiles
) -> None:
    press(qtbot, used, Key.Key_Down)
    assert heading(used) == "Dashi"
    press(qtbot, used, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files[-1] == "Recipes.md")


def test_their_rows_have_room_for_one_line_of_text(qtbot: QtBot, used: App) -> None:
    view = used.window.results.view
    recent_height = view.visualRect(view.currentIndex()).height()
    typed(qtbot, used, "pickles")
    assert view.visualRect(view.currentIndex()).height() == recent_height, "a short snippet"
    [found] = view._results.notes
    long = replace(found.sections[0], snippet=Marked("long snippet " * 15))
    view._results.set_notes([replace(found, sections=(long,))])
    view.restore(None)
    assert 0 < view.visualRect(view.currentIndex()).height() - recent_height < recent_height


def test_typing_replaces_the_list_and_escape_restores_it(qtbot: QtBot, used: App) -> None:
    typed(qtbot, used, "pickles")
    assert used.window.results.summary.count_text == "1 section in 1 note"
    press(qtbot, used, Key.Key_Escape)
    assert recent(used) == ["Recently opened", "Temples", "Dashi"]
    assert heading(used) == "Temples"


def test_the_selection_stays_when_the_index_is_updated(qtbot: QtBot, used: App) -> None:
    press(qtbot, used, Key.Key_Down)
    with qtbot.waitSignal(used.vault.idle):
        used.actions.update_index.trigger()
    assert used.window.shows_results
    assert heading(used) == "Dashi"


def test_the_list_survives_a_restart(qtbot: QtBot, used: App, start: StartApp, notes: Path) -> None:
    (notes / "kitchen/Recipes.md").unlink()
    again = start(notes)
    qtbot.waitUntil(lambda: recent(again) == ["Recently opened", "Temples"])


def test_another_vault_has_its_own_list(qtbot: QtBot, used: App) -> None:
    with qtbot.waitSignal(used.vault.idle):
        used.actions.sample_notes.trigger()
    assert not used.window.shows_results
    QTest.keyClicks(used.window.focusWidget(), "x")


def test_a_late_answer_about_another_vault_is_dropped(used: App) -> None:
    assert used.vault.session is not None
    reading = used.vault.session.main.reading
    late = Question("recents", lambda _: (), used.pane.start_list._list_recent)
    reading._found.emit(late, ())
    assert recent(used) == ["Recently opened", "Temples", "Dashi"]
    reading._newest["recents"] = late, late.heard
    reading.stop()
    reading._found.emit(late, ())
    assert recent(used) == ["Recently opened", "Temples", "Dashi"]


def stored(recents: RecentlyOpened, vault: Path = VAULT) -> list[str]:
    return [section.section for section in recents.opened_in({"": vault})]


def test_the_newest_section_comes_first_and_only_once(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path / "new folder")
    for name in ("Food", "Day 3", "Food"):
        recents.add(VAULT, "Trip.md", section("Trip.md", f"*Kyoto* > {name}", line=7))
    assert stored(RecentlyOpened(tmp_path / "new folder")) == ["Food", "Day 3"]


def test_stored_sections_have_no_marks_of_their_query(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    recents.add(VAULT, "Trip.md", section("Trip.md", "*Kyoto* > *Food*", "some *food*"))
    (stored,) = recents.opened_in({"": VAULT})
    assert [heading.marks for heading in stored.breadcrumb] == [(), ()]
    assert stored.snippet.text == ""


def test_stored_sections_show_the_words_of_blocks(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    opened = replace(section("Trip.md", "… > Food"), resolved_path=("Kyoto", "Food"))
    recents.add(VAULT, "Trip.md", opened)
    (stored,) = recents.opened_in({"": VAULT})
    assert (stored.section_path, stored.shown_path) == (("…", "Food"), ("Kyoto", "Food"))
    assert [heading.text for heading in stored.breadcrumb] == ["Kyoto", "Food"]


def test_two_notes_that_swap_their_names_keep_their_sections(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    for path, name in (("Trip.md", "Food"), ("Plan.md", "Goals")):
        recents.add(VAULT, path, section(path, name))
    swapped = {"Trip.md": "Plan.md", "Plan.md": "Trip.md"}
    update_recent(tmp_path / SECTIONS_FILE, VAULT, swapped, lambda _: ())
    stored = recents.opened_in({"": VAULT})
    assert [(s.path, s.section) for s in stored] == [("Trip.md", "Goals"), ("Plan.md", "Food")]


def test_each_vault_has_its_own_sections(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    recents.add(VAULT, "Trip.md", section("Trip.md", "Food"))
    recents.add(OTHER, "Plan.md", section("Plan.md", "Goals"))
    assert stored(recents) == ["Food"]
    assert stored(recents, OTHER) == ["Goals"]


def test_a_vault_behind_a_link_has_the_sections_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "notes")
    recents = RecentlyOpened(tmp_path)
    recents.add(tmp_path / "link", "Trip.md", section("Trip.md", "Food"))
    assert stored(recents, tmp_path / "notes") == ["Food"]


def test_several_programs_lose_no_section_of_each_other(tmp_path: Path) -> None:
    """Each wrote the file as it had read it, and so without what the other had added."""

    def add(vault: Path) -> None:
        for number in range(MOST_SECTIONS):
            path = f"Day {number}.md"
            RecentlyOpened(tmp_path).add(vault, path, section(path, "Food"))

    vaults = [Path(f"/vault {number}") for number in range(4)]
    with ThreadPoolExecutor(len(vaults)) as pool:
        list(pool.map(add, vaults))
    counts = [len(stored(RecentlyOpened(tmp_path), vault)) for vault in vaults]
    assert counts == [MOST_SECTIONS] * len(vaults)


def test_only_the_newest_sections_are_stored(tmp_path: Path) -> None:
    recents = RecentlyOpened(tmp_path)
    for number in range(20):
        recents.add(VAULT, "Trip.md", section("Trip.md", f"Day {number}"))
        recents.add(Path(f"/vault {number}"), "Trip.md", section("Trip.md", "Food"))
    assert stored(recents)[0] == "Day 19"
    assert len(stored(recents)) == MOST_SECTIONS
    assert len(json.loads((tmp_path / SECTIONS_FILE).read_text())) == 20


@pytest.mark.parametrize(
    "text",
    ["", "[]", "\x00", '{"VAULT": 3}', '{"VAULT": [1, {"path": 3}]}', "[" * 99_999, "x" * 2_000_000,
     '{"VAULT": [{"path": "a.md", "title": "A", "section_path": [], "level": 1, "line": 1}]}',
     '{"VAULT": [{"path": "a.md", "title": "A", "section_path": [7], "level": 1, "line": 1}]}',
     '{"VAULT": [{"path": "a", "title": "A", "section_path": ["A"], "level": 1, "line": 1e999}]}',
     ('{"VAULT": [{"path": "a", "title": "A", "section_path": ["A"], "shown_path": [],'
      ' "level": 1, "line": 1}]}')],
)  # fmt: skip
def test_a_damaged_file_of_sections_counts_as_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / SECTIONS_FILE).write_text(text.replace("VAULT", str(VAULT)))
    recents = RecentlyOpened(tmp_path)
    assert stored(recents) == []
    recents.add(VAULT, "Trip.md", section("Trip.md", "Food"))
    assert stored(recents) == ["Food"]


def test_an_unwritable_file_stores_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    recents = RecentlyOpened(tmp_path / "file")
    recents.add(VAULT, "Trip.md", section("Trip.md", "Food"))
    assert stored(recents) == []
