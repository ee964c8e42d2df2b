"""What the window says about a problem, and the one action that it offers."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import Paths
from notesearch.errors import IndexDamagedError
from notesearch.gui.app import App
from notesearch.gui.results.results_model import ResultRow
from notesearch.gui.session.section_reader import PreviewAnswer
from notesearch.gui.widgets.notices import Cause
from notesearch.gui.window.index_display import UnreadList
from tests.folders import write
from tests.formats.other_files import with_qt
from tests.gui.fixture_types import StartApp, StartQuick
from tests.gui.using_quick import app_of
from tests.gui.using_window import ALT, SHIFT, Key, heading, press, typed
from tests.small_disk import small_disk


@pytest.fixture
def in_the_way(home: Path) -> Path:
    """Put a file in place of the folder for indexes."""
    file = Paths.choose().data / "indexes"
    file.parent.mkdir(parents=True)
    file.write_text("")
    return file


@pytest.fixture
def without_index(qtbot: QtBot, in_the_way: Path, start: StartApp, notes: Path) -> App:
    """The program after it could not create its index."""
    app = start(notes)
    qtbot.waitUntil(lambda: app.window.page.page.title == "Your notes cannot be searched")
    return app


def test_an_index_that_cannot_be_created_is_told_on_the_page(without_index: App) -> None:
    page = without_index.window.page
    assert page.page.detail == "Your notes are safe."
    assert page.page.tone == "danger"
    assert [button.text() for button in page.buttons] == ["Try again", "Show details"]


def test_show_details_says_where_the_index_is(without_index: App) -> None:
    without_index.window.page.buttons[1].click()
    dialog = without_index.settings_controller.dialog
    assert dialog is not None
    facts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert any(fact.endswith(".sqlite") for fact in facts)


def test_try_again_creates_the_index(qtbot: QtBot, without_index: App, in_the_way: Path) -> None:
    in_the_way.unlink()
    page = without_index.window.page
    with qtbot.waitSignal(without_index.vault.idle):
        page.buttons[0].click()
    qtbot.waitUntil(lambda: page.page.title == "Search 3 notes")
    typed(qtbot, without_index, "dashi")
    assert heading(without_index) == "Dashi"


def test_a_folder_that_could_never_be_read_says_so(
    qtbot: QtBot, start: StartApp, notes: Path
) -> None:
    app = start(notes / "gone")
    page = app.window.page
    assert app.display.line.text == "The folder cannot be reached"
    assert page.page.title == "These notes have not been read yet"
    app.window.field.setFocus()
    typed(qtbot, app, "dashi")
    assert page.page.title == "These notes have not been read yet"
    write(notes / "gone", {"a.md": "# Dashi\n"})
    app.window.activated.emit()
    qtbot.waitUntil(lambda: heading(app) == "Dashi")


@pytest.fixture
def enlarge(home: Path) -> Iterator[Callable[[int], None]]:
    """Put the index on a disk of two megabytes; return a function that enlarges the disk."""
    disk = Paths.choose().data
    disk.mkdir(parents=True)
    with small_disk(disk, 2) as resize:
        yield resize


def test_a_full_disk_is_reported_until_there_is_space(
    qtbot: QtBot,
    enlarge: Callable[[int], None],
    start: StartApp,
    notes: Path,
) -> None:
    app = start(notes)
    banner = app.window.banner
    for n in range(6):
        parts = (f"# Part {i}\n\n{os.urandom(120).hex()}\n" for i in range(700))
        (notes / f"large {n}.md").write_text("".join(parts) + "\n## Walrus\n\nEats clams.\n")
    qtbot.waitUntil(banner.isVisible)
    assert banner.text.startswith("There is no space left for the index in ")
    assert banner.buttons == ["Try again"]
    assert app.display.line.text.endswith(", not up to date"), "the banner says why"
    assert app.window.progress.isHidden(), "nothing goes on"
    typed(qtbot, app, "dashi")
    assert "so far" not in app.window.results.summary.count_text
    assert heading(app) == "Dashi", "what is indexed is found meanwhile"
    enlarge(60)
    banner.findChildren(QPushButton)[-1].click()
    qtbot.waitUntil(lambda: not banner.isVisible())
    app.window.field.clear()
    typed(qtbot, app, "walrus clams")
    assert heading(app) == "Walrus"


def wait_for(qtbot: QtBot, app: App, request: Callable[[], object]) -> None:
    """Make ``request``, and wait until the folder has been compared with the index."""
    with qtbot.waitSignal(app.vault.idle):
        request()


@pytest.fixture
def moved_away(qtbot: QtBot, app: App, notes: Path) -> Path:
    """Move the folder of the program away, let the bar say so, and return where the folder is."""
    away = notes.with_name("away")
    notes.rename(away)
    wait_for(qtbot, app, app.actions.update_index.trigger)
    assert app.window.banner.isVisible()
    return away


@pytest.mark.usefixtures("moved_away")
def test_escape_closes_the_bar_before_it_clears_the_query(qtbot: QtBot, app: App) -> None:
    typed(qtbot, app, "dashi")
    press(qtbot, app, Key.Key_Escape)
    assert app.window.banner.isHidden()
    assert app.window.field.text == "dashi"
    press(qtbot, app, Key.Key_Escape)
    assert app.window.field.text == ""


def test_a_closed_bar_comes_back_only_if_the_user_tries_again(
    qtbot: QtBot, app: App, notes: Path, moved_away: Path
) -> None:
    banner = app.window.banner
    press(qtbot, app, Key.Key_Escape)
    wait_for(qtbot, app, app.window.activated.emit)
    assert banner.isHidden(), "the user has read it"
    assert app.window.bar.line.text == "The folder cannot be reached"
    wait_for(qtbot, app, app.actions.try_again.trigger)
    assert banner.isVisible()
    banner.close_button.click()
    assert banner.isHidden()
    moved_away.rename(notes)
    wait_for(qtbot, app, app.window.activated.emit)
    assert banner.isHidden()
    assert app.window.bar.line.text.startswith("3 notes, searching")


def test_a_folder_that_is_not_watched_is_told_until_it_is(
    qtbot: QtBot, start: StartApp, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = "notesearch.index.watcher.silent_file_system"
    monkeypatch.setattr(watch, lambda _: "nfs")
    app = start(notes)
    banner = app.window.banner
    qtbot.waitUntil(banner.isVisible)
    told = banner.text
    assert "nfs" in told
    qtbot.waitUntil(lambda: app.window.bar.line.text.startswith("3 notes, searching"))
    (notes / "walrus.md").write_text("# Walrus\n")
    wait_for(qtbot, app, app.actions.update_index.trigger)
    qtbot.waitUntil(lambda: app.window.bar.line.text.startswith("4 notes, searching"))
    assert banner.text == told
    assert banner.isVisible()
    monkeypatch.setattr(watch, lambda _: "")
    app.actions.update_index.trigger()
    qtbot.waitUntil(banner.isHidden)


def test_what_was_mended_is_told_for_a_while_and_hides_nothing_else(
    app: App, qtbot: QtBot, notes: Path
) -> None:
    banner = app.window.banner
    app.vault.failed.emit(IndexDamagedError("index_damaged", file="x.sqlite"))
    assert banner.isVisible()
    press(qtbot, app, Key.Key_Escape)
    assert banner.isHidden()
    app.vault.failed.emit(IndexDamagedError("index_text_damaged"))
    assert banner.isVisible()
    app.preferences.failed.emit("The settings cannot be written.")
    timers = app.window.notices.findChildren(QTimer)
    assert [timer.isActive() for timer in timers] == [False], "this message stays until it is read"
    banner.close_button.click()
    assert banner.isHidden()


def test_what_was_mended_in_the_next_folder_is_told_as_long(app: App) -> None:
    """The timer of a notice about the former folder once hid the next notice too soon."""
    notices = app.window.notices
    app.vault.failed.emit(IndexDamagedError("index_damaged", file="x.sqlite"))
    (timer,) = notices.findChildren(QTimer)
    assert timer.isActive()
    notices.end(Cause.REBUILT)
    assert not timer.isActive()
    assert app.window.banner.isHidden()


def test_a_bug_stays_told_when_notes_change(app: App, qtbot: QtBot, notes: Path) -> None:
    app.report_bug()
    (notes / "walrus.md").write_text("# Walrus\n")
    with qtbot.waitSignal(app.vault.updated):
        app.actions.update_index.trigger()
    assert app.window.banner.text == app.bug_text
    assert app.window.banner.isVisible()


def test_a_problem_with_the_settings_stays_until_they_are_stored(
    app: App, qtbot: QtBot, notes: Path
) -> None:
    banner, file = app.window.banner, Paths.choose().settings_file
    file.unlink(missing_ok=True)
    file.mkdir(parents=True)
    with qtbot.waitSignal(app.preferences.failed):
        app.preferences.change(density="compact")
    told = banner.text
    (notes / "walrus.md").write_text("# Walrus\n")
    wait_for(qtbot, app, app.actions.update_index.trigger)
    qtbot.waitUntil(lambda: app.window.bar.line.text.startswith("4 notes"))
    assert (banner.isVisible(), banner.text) == (True, told)
    file.rmdir()
    with qtbot.waitSignal(app.preferences.stored):
        app.preferences.change(density="comfortable")
    assert banner.isHidden()


def test_a_deleted_note_offers_to_update_the_index(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "dashi")
    (button,) = (
        b for b in app.window.preview.findChildren(QPushButton) if b.text() == "Update index"
    )
    assert not button.isVisible()
    assert app.pane.preview.request is not None
    plain = app.window.results.view.grab().toImage()
    told = "“Recipes.md” was moved or deleted since the last update. Search for it again."
    app.pane.preview.receive(
        PreviewAnswer(app.pane.preview.request, problem=told, note_missing=True)
    )
    assert button.isVisible()
    (row,) = (row for row in app.model.rows if isinstance(row, ResultRow))
    assert row.missing
    assert app.window.results.view.grab().toImage() != plain, "it is struck out"
    spoken = app.model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Recipes, Dashi. Moved or deleted."
    with qtbot.waitSignal(app.vault.idle):
        button.click()
    qtbot.waitUntil(lambda: app.window.results.view.grab().toImage() == plain)


def test_a_damaged_pdf_is_not_said_to_be_missing(qtbot: QtBot, app: App, notes: Path) -> None:
    file = notes / "Handbook.pdf"
    file.write_bytes(with_qt("Handbook", "The winch is greased in spring.", "Oil lasts a year."))
    wait_for(qtbot, app, app.actions.update_index.trigger)
    app.actions.pause.trigger()
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "winch")
    file.write_bytes(file.read_bytes()[:200])
    with qtbot.waitSignal(app.pane.preview.shown):
        press(qtbot, app, Key.Key_Up, ALT | SHIFT)
    shown = [label.text() for label in app.window.preview.findChildren(QLabel) if label.isVisible()]
    assert len(shown) == 1
    assert shown[0].startswith("“Handbook.pdf” cannot be read. It is damaged, or")
    assert not app.window.preview.update_button.isVisible(), "it would change nothing"
    (row,) = (row for row in app.model.rows if isinstance(row, ResultRow))
    assert not row.missing


def test_an_unreadable_settings_file_is_reported_until_it_is_corrected(
    qtbot: QtBot, app: App
) -> None:
    file = app.preferences.paths.settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("theme = [\n")
    app.preferences.read_file()
    assert "cannot be read" in app.window.banner.text
    assert app.window.banner.isVisible()
    file.write_text('theme = "dark"\n')
    qtbot.waitUntil(app.window.banner.isHidden)
    assert app.settings.theme == "dark"


def test_both_windows_warn_of_unread_notes_until_their_list_was_opened(
    qtbot: QtBot, start_quick: StartQuick, notes: Path
) -> None:
    (notes / "empty.md").write_bytes(b"\0\0")
    quick = start_quick(notes)
    status, foot = app_of(quick).window.bar, quick.window.bar
    quick.show()
    qtbot.waitUntil(quick.window.isActiveWindow)
    assert status.text == foot.text == "1 note could not be read"
    assert status.rect().contains(status.more.geometry())
    QTest.mouseClick(status.more, Qt.MouseButton.LeftButton)
    opened = app_of(quick).window.findChild(UnreadList)
    assert opened is not None
    assert opened.list.item(0).text() == "empty.md\nIt is not a text file."
    opened.close()
    quick.show()
    assert status.text == foot.text == "3 notes, searching by words only"
