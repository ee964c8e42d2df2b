"""Opening, revealing and copying the section on show: keys, names, errors."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QMouseEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.session import section_opener
from notesearch.gui.session.section_opener import note_name
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.system import editors
from tests.command_line import Run
from tests.file_permissions import denied
from tests.gui import using_window
from tests.gui.fixture_types import StartApp
from tests.gui.opened_files import OpenedFiles, OpenedLinks
from tests.gui.private_bus import StartPortal, next_line
from tests.gui.using_quick import CONTROL, app_of, typed
from tests.gui.using_window import typed as typed_in_window
from tests.limits import WAIT_S

Key = Qt.Key
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def found(qtbot: QtBot, app: App) -> App:
    """The program with a section in the preview."""
    with qtbot.waitSignal(app.pane.preview.shown):
        app.window.field.set_text("stalls")
    return app


def press(app: App, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    QTest.keyClick(app.window.focusWidget(), key, modifiers)


def copied() -> str:
    return QGuiApplication.clipboard().text()


class TestCopying:
    def test_the_markdown_of_the_section(self, found: App) -> None:
        press(found, Key.Key_C, CONTROL | SHIFT)
        assert copied().strip() == (
            "### Food\n\nThe stalls open before nine and the food is still warm."
        )

    def test_a_wikilink(self, found: App) -> None:
        press(found, Key.Key_L, CONTROL | SHIFT)
        assert copied() == "[[Trip to Japan#Kyoto#Food]]"

    def test_a_link_that_opens_obsidian(self, qtbot: QtBot, found: App, notes: Path) -> None:
        found.preferences.change(copied_link="obsidian")
        with qtbot.waitSignal(found.pane.opener.link_copied):
            press(found, Key.Key_L, CONTROL | SHIFT)
        assert copied() == "[[Trip to Japan#Kyoto#Food]]", "this is not in an Obsidian vault"
        (notes / ".obsidian").mkdir()
        with qtbot.waitSignal(found.pane.opener.link_copied):
            press(found, Key.Key_L, CONTROL | SHIFT)
        assert copied().endswith("&file=travel%2FTrip%20to%20Japan%23Kyoto%23Food")

    def test_the_path(self, found: App, notes: Path) -> None:
        press(found, Key.Key_C, CONTROL | ALT)
        assert copied() == str(notes / "travel/Trip to Japan.md")

    @pytest.mark.parametrize(
        ("keys", "told"),
        [
            ((Key.Key_C, CONTROL | SHIFT), "Copied as Markdown"),
            ((Key.Key_L, CONTROL | SHIFT), "Link copied"),
            ((Key.Key_C, CONTROL | ALT), "Path copied"),
        ],
    )
    def test_the_window_says_for_a_moment_what_was_copied(
        self, qtbot: QtBot, found: App, keys: tuple[Qt.Key, Qt.KeyboardModifier], told: str
    ) -> None:
        before = found.window.bar.text
        press(found, *keys)
        assert found.window.bar.text == told
        found.window.bar._flashing.setInterval(0)
        qtbot.waitUntil(lambda: found.window.bar.text == before)

    def test_the_window_says_it_of_a_selection_in_the_preview(self, found: App) -> None:
        browser = found.window.preview.browser
        browser.setFocus()
        press(found, Key.Key_C, CONTROL)
        assert found.window.bar.text != "Copied", "nothing is selected"
        browser.selectAll()
        press(found, Key.Key_C, CONTROL)
        assert found.window.bar.text == "Copied"
        assert copied().startswith("Food\n")

    def test_quick_search_says_it_too(self, qtbot: QtBot, quick: QuickSearch) -> None:
        typed(qtbot, quick, "stalls")
        quick.actions.copy_path.trigger()
        assert quick.window.bar.text == "Path copied"

    def test_nothing_is_copied_when_no_section_is_shown(self, app: App) -> None:
        QGuiApplication.clipboard().setText("mine")
        for action in (app.actions.copy_markdown, app.actions.copy_link, app.actions.copy_path):
            action.trigger()
        app.actions.reveal.trigger()
        assert copied() == "mine"

    def test_nothing_is_copied_when_nothing_matches(self, qtbot: QtBot, found: App) -> None:
        """The page hides the preview, so the user does not see its section."""
        QGuiApplication.clipboard().setText("mine")
        with qtbot.waitSignal(found.pane.search.settled):
            found.window.field.set_text("xyzzy")
        press(found, Key.Key_C, CONTROL | ALT)
        press(found, Key.Key_C, CONTROL | SHIFT)
        press(found, Key.Key_F, CONTROL | SHIFT)
        assert copied() == "mine"
        assert found.window.field.chip == ""

    def test_nothing_is_copied_after_the_vault_is_closed(self, found: App) -> None:
        QGuiApplication.clipboard().setText("mine")
        found.actions.sample_notes.trigger()
        press(found, Key.Key_C, CONTROL | ALT)
        press(found, Key.Key_C, CONTROL | SHIFT)
        press(found, Key.Key_F, CONTROL | SHIFT)
        assert copied() == "mine"
        assert found.window.field.chip == ""


class TestTwoEditors:
    def test_each_editor_has_its_keys(self, qtbot: QtBot, found: App, opened: OpenedFiles) -> None:
        found.preferences.change(editor="no-such-editor")
        press(found, Key.Key_Return, CONTROL)
        qtbot.waitUntil(lambda: opened.files == ["Trip to Japan.md"])
        assert found.window.notice.isHidden()
        press(found, Key.Key_Return, Qt.KeyboardModifier.NoModifier)
        qtbot.waitUntil(found.window.notice.isVisible)
        assert found.window.notice.text.startswith("“no-such-editor” was not found.")

    def test_actions_are_named_after_the_editors(self, found: App) -> None:
        actions = found.actions
        assert not actions.open_second.isVisible(), "it is the same"
        found.preferences.change(editor="obsidian", second_editor="code")
        assert actions.open_section.text() == "Open in Obsidian"
        assert actions.open_second.text() == "Open in VS Code"
        assert actions.open_second.isVisible()

    def test_quick_search_names_the_editor_too(
        self, qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
    ) -> None:
        typed(qtbot, quick, "stalls")
        quick.actions.open_second.trigger()
        qtbot.waitUntil(lambda: not quick.window.isVisible())
        assert opened.visible == [True], "the window is there while the editor starts"


JOURNAL = """# Journal

## May

Rain for a week. The boat stayed under its cover,
and the oars were varnished by the stove at home.

## June

The boat is in the water.

The hull leaks a little, so we pump **the boat** dry each morning.
We sailed to the island and slept in a bay.
"""


class TestTheLineThatWasFound:
    @pytest.fixture(autouse=True)
    def patient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let Enter wait for the preview however long it takes on a busy machine."""
        monkeypatch.setattr(section_opener, "_LATE_MS", 1000 * WAIT_S)

    @pytest.fixture
    def app(self, start: StartApp, vault: Path) -> App:
        (vault / "Journal.md").write_text(JOURNAL, "utf-8")
        return start(vault, Settings(model="none", editor="codium"))

    @staticmethod
    def places(links: OpenedLinks) -> list[str]:
        """Return the lines and columns that were opened."""
        return [url.partition(".md:")[2] for url in links.urls]

    @pytest.mark.parametrize(
        ("query", "place"),
        [
            ("varnished", "6:19"),
            ("oars stove", "6:9"),
            ("pump dry", "12:32"),
            ("slept", "13:29"),
            ("june", "8:4"),
            ("june pump", "12:32"),
        ],
    )
    def test_enter_opens_it(
        self, qtbot: QtBot, app: App, links: OpenedLinks, query: str, place: str
    ) -> None:
        using_window.typed(qtbot, app, query)
        using_window.press(qtbot, app, Key.Key_Return)
        qtbot.waitUntil(lambda: self.places(links) == [place])

    def test_enter_before_the_preview_is_there_opens_it_too(
        self, qtbot: QtBot, app: App, links: OpenedLinks
    ) -> None:
        QTest.keyClicks(app.window.focusWidget(), "varnished")
        using_window.press(qtbot, app, Key.Key_Return)
        qtbot.waitUntil(lambda: self.places(links) == ["6:19"])

    def test_enter_during_the_first_look_opens_the_line_that_the_command_opens(
        self, qtbot: QtBot, start: StartApp, vault: Path, run: Run, links: OpenedLinks
    ) -> None:
        lines = ["# Moor", "", "We have many moorings.", *(400 * ["", "Other text."])]
        lines += ["", "Moorings: the moorings of a boat, moorings of a raft."]
        (vault / "Harbour.md").write_text("\n".join(lines), "utf-8")
        shown = run("search", "moorings boat raft", "--format", "path:line").stdout
        line = shown.splitlines()[0].rpartition(":")[2]
        assert line == str(len(lines))
        app = start(vault, Settings(model="none", editor="codium"))
        using_window.typed(qtbot, app, "moorings boat raft")
        using_window.press(qtbot, app, Key.Key_Return)
        qtbot.waitUntil(lambda: self.places(links) == [f"{line}:1"])

    @pytest.mark.parametrize("focus", ["field", "preview"])
    def test_f3_moves_it(self, qtbot: QtBot, app: App, links: OpenedLinks, focus: str) -> None:
        using_window.typed(qtbot, app, "boat june")
        if focus == "preview":
            app.window.preview.browser.setFocus()
        using_window.press(qtbot, app, Key.Key_Return)
        app.window.preview.next_match()
        using_window.press(qtbot, app, Key.Key_Return)
        qtbot.waitUntil(lambda: len(set(self.places(links))) == 2)

    @pytest.mark.parametrize("way", ["double click", "click with Ctrl"])
    def test_a_click_in_the_preview_opens_the_clicked_word(
        self, qtbot: QtBot, app: App, links: OpenedLinks, way: str
    ) -> None:
        using_window.typed(qtbot, app, "pump dry")
        browser = app.window.preview.browser
        cursor = browser.document().find("island")
        cursor.setPosition(cursor.selectionStart() + 2)
        point = browser.cursorRect(cursor).center()
        button = Qt.MouseButton.LeftButton
        if way == "double click":
            QTest.mouseDClick(browser.viewport(), button, NONE, point)
        else:
            QTest.mouseClick(browser.viewport(), button, CONTROL, point)
        qtbot.waitUntil(lambda: self.places(links) == ["13:18"])

    def test_beside_the_text_a_double_click_opens_the_current_match(
        self, qtbot: QtBot, app: App, links: OpenedLinks
    ) -> None:
        using_window.typed(qtbot, app, "pump dry")
        viewport = app.window.preview.browser.viewport()
        below = viewport.rect().bottomRight() - QPoint(20, 20)
        QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, NONE, below)
        qtbot.waitUntil(lambda: self.places(links) == ["12:32"])


class TestMenuOfThePreview:
    @staticmethod
    def menu(app: App, word: str) -> dict[str, QAction]:
        """Return what the context menu over ``word`` offers."""
        browser = app.window.preview.browser
        cursor = browser.document().find(word)
        point = browser.cursorRect(cursor).center() - QPoint(4, 0)
        return {one.text(): one for one in browser.context_menu(point).actions() if one.text()}

    def test_it_opens_at_the_place_below_the_mouse(
        self, start: StartApp, qtbot: QtBot, vault: Path, links: OpenedLinks
    ) -> None:
        (vault / "Journal.md").write_text(JOURNAL, "utf-8")
        app = start(vault, Settings(model="none", editor="codium"))
        using_window.typed(qtbot, app, "pump dry")
        self.menu(app, "island")["Open here"].trigger()
        qtbot.waitUntil(lambda: TestTheLineThatWasFound.places(links) == ["13:18"])

    def test_it_searches_for_the_selection_and_copies(self, qtbot: QtBot, found: App) -> None:
        browser = found.window.preview.browser
        browser.setTextCursor(browser.document().find("food is still"))
        menu = self.menu(found, "warm")
        menu["Copy as Markdown"].trigger()
        assert copied().startswith("### Food")
        menu["Copy link to the section"].trigger()
        assert copied() == "[[Trip to Japan#Kyoto#Food]]"
        menu["Search for “food is still”"].trigger()
        assert found.window.field.text == "food is still"

    def test_a_selection_with_a_minus_is_searched_as_text(
        self, qtbot: QtBot, start: StartApp, vault: Path
    ) -> None:
        (vault / "Setup.md").write_text(
            "# Setup\n\nRun “npm” nai\u0308vely -widely quokka there.\n"
        )
        app = start(vault)
        using_window.typed(qtbot, app, "quokka")
        browser = app.window.preview.browser
        browser.setTextCursor(browser.document().find("npm” nai\u0308vely -widely quokka"))
        with qtbot.waitSignal(app.pane.search.settled):
            self.menu(app, "there")["Search for “npm” nai\u0308vely -widely quokka”"].trigger()
        assert app.window.field.text == '"npm nai\u0308vely -widely quokka"'
        assert app.pane.search.shown
        assert [section.path for section in app.pane.search.shown.sections] == ["Setup.md"]


class TestWhatFails:
    def test_an_error_stays_until_another_section_is_selected(self, qtbot: QtBot, app: App) -> None:
        app.preferences.change(editor="no-such-editor {path}")
        using_window.typed(qtbot, app, "food")
        using_window.press(qtbot, app, Key.Key_Return)
        qtbot.waitUntil(app.window.notice.isVisible)
        with qtbot.waitSignals([app.pane.search.settled, app.window.results.view.selected]):
            app.pane.search.repeat()
        assert app.window.notice.isVisible(), "the list has come anew, that is all"
        using_window.press(qtbot, app, Key.Key_Down)
        qtbot.waitUntil(app.window.notice.isHidden)

    @pytest.mark.parametrize("way", ["Esc", "button", "another editor"])
    def test_an_error_can_be_closed_and_the_query_stays(
        self, qtbot: QtBot, found: App, opened: OpenedFiles, way: str
    ) -> None:
        found.preferences.change(editor="no-such-editor")
        press(found, Key.Key_Return, NONE)
        notice = found.window.notice
        qtbot.waitUntil(notice.isVisible)
        if way == "Esc":
            press(found, Key.Key_Escape, NONE)
        elif way == "button":
            QTest.mouseClick(notice.close_button, Qt.MouseButton.LeftButton)
        else:
            found.preferences.change(editor="")
        assert notice.isHidden()
        assert found.window.field.text == "stalls"
        press(found, Key.Key_Escape, NONE)
        assert found.window.field.text == ""

    def test_escape_closes_an_error_of_quick_search_first(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        quick.window.notice.show_message("Something failed.")
        QTest.keyClick(quick.window.focusWidget(), Key.Key_Escape)
        assert quick.window.notice.isHidden()
        assert quick.window.isVisible()

    def test_an_error_offers_help(self, qtbot: QtBot, found: App) -> None:
        found.preferences.change(editor="obsidian")
        found.pane.opener.open_selected()
        notice = found.window.notice
        qtbot.waitUntil(notice.isVisible)
        assert notice.text == "This note is not in an Obsidian vault."
        assert notice.buttons == ["Choose editor…", "Copy path"]

    def test_an_error_is_seen_although_the_preview_is_hidden(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        app = app_of(quick)
        app.preferences.change(editor="no-such-editor")
        typed(qtbot, quick, "stalls")
        quick.actions.show_preview.trigger()
        quick.actions.open_section.trigger()
        qtbot.waitUntil(quick.window.notice.isVisible)
        using_window.typed(qtbot, app, "stalls")
        app.actions.show_preview.trigger()
        app.actions.open_section.trigger()
        qtbot.waitUntil(app.window.notice.isVisible)

    def test_an_error_is_seen_although_nothing_is_found(self, qtbot: QtBot, app: App) -> None:
        app.preferences.change(editor="no-such-editor")
        using_window.typed(qtbot, app, "xyzzy")
        qtbot.waitUntil(lambda: app.pane.opener._can_create)
        app.pane.opener.new_note("xyzzy")[0].trigger()
        notice = app.window.notice
        qtbot.waitUntil(notice.isVisible)
        assert notice.text.startswith("“no-such-editor” was not found.")
        using_window.typed(qtbot, app, "q")
        assert notice.isHidden(), "what is typed next is about another note"

    def test_a_deleted_note_is_not_shown_in_the_file_manager(
        self, qtbot: QtBot, found: App, notes: Path
    ) -> None:
        found.vault.set_paused(True)
        (notes / "travel/Trip to Japan.md").unlink()
        press(found, Key.Key_R, CONTROL | SHIFT)
        qtbot.waitUntil(lambda: "moved or deleted" in found.window.notice.text)
        assert found.window.notice.buttons == ["Update index", "Copy path"]
        update = found.window.notice.findChildren(QPushButton)[0]
        assert (update.text(), update.isEnabled()) == ("Update index", False), "paused"
        found.vault.set_paused(False)
        assert update.isEnabled()
        qtbot.waitUntil(found.window.notice.isHidden)

    def test_a_note_in_a_folder_that_is_gone_is_not_called_deleted(
        self, qtbot: QtBot, found: App, notes: Path
    ) -> None:
        """A disk that is not mounted leaves an empty folder."""
        away = notes.with_name("away")
        notes.rename(away)
        found.actions.update_index.trigger()
        qtbot.waitUntil(lambda: found.vault.is_missing)
        found.vault.set_paused(True)
        notes.mkdir()
        notice, banner = found.window.notice, found.window.banner
        banner.close_button.click()
        press(found, Key.Key_Return, NONE)
        qtbot.waitUntil(notice.isVisible)
        assert notice.text.startswith(f"The notes folder {notes} is missing.")
        notes.rmdir()
        away.rename(notes)
        found.vault.set_paused(False)
        qtbot.waitUntil(notice.isHidden)

    def test_one_bar_says_that_the_folder_is_missing(
        self, qtbot: QtBot, found: App, notes: Path
    ) -> None:
        notice, banner = found.window.notice, found.window.banner
        found.vault.set_paused(True)  # so that opening a note finds out first
        notes.rename(notes.with_name("away"))
        press(found, Key.Key_Return, NONE)
        qtbot.waitUntil(notice.isVisible)
        found.vault.set_paused(False)
        found.actions.update_index.trigger()
        qtbot.waitUntil(banner.isVisible)
        assert notice.isHidden()
        press(found, Key.Key_Return, NONE)
        qtbot.waitUntil(lambda: found.pane.opener._waiting is None)
        FileCall.finish_all(found.pane.opener)
        assert (banner.isVisible(), notice.isVisible()) == (True, False)

    def test_a_missing_folder_hides_no_other_error(
        self, qtbot: QtBot, found: App, notes: Path
    ) -> None:
        notice = found.window.notice
        found.preferences.change(editor="no-such-editor")
        press(found, Key.Key_Return, NONE)
        qtbot.waitUntil(notice.isVisible)
        notes.rename(notes.with_name("away"))
        found.actions.update_index.trigger()
        qtbot.waitUntil(found.window.banner.isVisible)
        assert notice.text.startswith("“no-such-editor” was not found.")
        assert notice.isVisible()

    def test_another_problem_does_not_stand_for_the_missing_folder(
        self, qtbot: QtBot, found: App, notes: Path
    ) -> None:
        away = notes.with_name("away")
        notes.rename(away)
        found.actions.update_index.trigger()
        qtbot.waitUntil(lambda: found.vault.is_missing)
        found.window.banner.close_button.click()
        found.window.notices.show_settings("The settings cannot be stored.")
        press(found, Key.Key_Return, NONE)
        qtbot.waitUntil(found.window.notice.isVisible)
        away.rename(notes)

    @pytest.mark.parametrize("key", [(Key.Key_Return, NONE), (Key.Key_R, CONTROL | SHIFT)])
    def test_a_note_in_an_unreadable_folder_gives_an_error(
        self, qtbot: QtBot, found: App, notes: Path, key: tuple[Qt.Key, Qt.KeyboardModifier]
    ) -> None:
        with denied(notes / "travel"):
            press(found, *key)
            qtbot.waitUntil(found.window.notice.isVisible)
        told = "“Trip to Japan.md” cannot be read: Permission denied. Check its permissions."
        assert found.window.notice.text == told

    def test_an_error_ends_when_the_file_manager_shows_the_note(
        self, qtbot: QtBot, found: App, opened: OpenedFiles, portal: StartPortal
    ) -> None:
        portal("no-files")
        found.preferences.change(editor="no-such-editor")
        press(found, Key.Key_Return, NONE)
        qtbot.waitUntil(found.window.notice.isVisible)
        press(found, Key.Key_R, CONTROL | SHIFT)
        qtbot.waitUntil(lambda: opened.files == ["travel"])
        assert found.window.notice.isHidden()

    def test_a_link_to_a_note_in_an_unreadable_folder_is_copied(
        self, qtbot: QtBot, found: App, notes: Path
    ) -> None:
        found.preferences.change(copied_link="obsidian")
        with denied(notes / "travel"), qtbot.waitSignal(found.pane.opener.link_copied):
            press(found, Key.Key_L, CONTROL | SHIFT)
        assert copied() == "[[Trip to Japan#Kyoto#Food]]"


class TestASlowDisk:
    """The disk does not answer until ``woken`` is set."""

    @pytest.fixture
    def woken(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
        woken, check_there = Event(), editors.check_there

        def wait(file: Path, vault: Path) -> Path:
            woken.wait()
            return check_there(file, vault)

        monkeypatch.setattr(editors, "check_there", wait)
        yield woken
        woken.set()

    @pytest.mark.parametrize("key", [(Key.Key_Return, NONE), (Key.Key_R, CONTROL | SHIFT)])
    def test_the_window_can_be_used_while_a_note_opens(
        self,
        qtbot: QtBot,
        found: App,
        opened: OpenedFiles,
        woken: Event,
        monkeypatch: pytest.MonkeyPatch,
        key: tuple[Qt.Key, Qt.KeyboardModifier],
    ) -> None:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
        press(found, *key)
        found.window.field.clear()
        using_window.typed(qtbot, found, "dashi")
        assert opened.files == []
        woken.set()
        qtbot.waitUntil(lambda: opened.files in (["Trip to Japan.md"], ["travel"]))

    def test_each_note_is_opened_that_was_asked_for(
        self, qtbot: QtBot, found: App, opened: OpenedFiles, woken: Event
    ) -> None:
        press(found, Key.Key_Return, NONE)
        found.window.field.clear()
        using_window.typed(qtbot, found, "dashi")
        press(found, Key.Key_Return, NONE)
        woken.set()
        qtbot.waitUntil(lambda: sorted(opened.files) == ["Recipes.md", "Trip to Japan.md"])


def test_the_file_manager_selects_the_note(
    qtbot: QtBot, found: App, opened: OpenedFiles, portal: StartPortal, notes: Path
) -> None:
    desktop = portal()
    press(found, Key.Key_R, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: not found.pane.opener.findChildren(FileCall))
    assert next_line(desktop) == f"ShowItems {(notes / 'travel/Trip to Japan.md').as_uri()}"
    assert opened.files == []


def test_a_file_manager_that_cannot_select_shows_the_folder(
    qtbot: QtBot, found: App, opened: OpenedFiles, portal: StartPortal
) -> None:
    portal("no-files")
    press(found, Key.Key_R, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: opened.files == ["travel"])


def test_without_a_session_bus_the_folder_is_opened(
    qtbot: QtBot, found: App, opened: OpenedFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    press(found, Key.Key_R, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: opened.files == ["travel"])


def test_without_any_file_manager_there_is_an_error(
    qtbot: QtBot, found: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    press(found, Key.Key_R, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: found.window.notice.text.startswith("No file manager was found."))


def test_a_file_manager_that_is_missing_in_spite_of_a_bus_is_told(
    qtbot: QtBot, found: App, portal: StartPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    portal("no-files")
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    press(found, Key.Key_R, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: found.window.notice.text.startswith("No file manager was found."))
    assert found.window.notice.buttons == ["Copy path"]


def test_the_settings_at_the_start_choose_the_editor(
    start: StartApp, notes: Path, words_only: Settings
) -> None:
    app = start(notes, replace(words_only, editor="code"))
    assert app.pane.opener.label == "Open in VS Code"


class TestDragging:
    def test_a_row_is_dragged_out_as_file_and_link_and_shows_its_heading(
        self, found: App, monkeypatch: pytest.MonkeyPatch, notes: Path
    ) -> None:
        dropped: list[tuple[list[str], str, Qt.DropAction]] = []
        pictures: list[QPixmap] = []

        class Drag:
            def __init__(self, _source: object) -> None:
                pass

            def setMimeData(self, data: QMimeData) -> None:
                self.data = data

            def setPixmap(self, picture: QPixmap) -> None:
                pictures.append(picture)

            def exec(self, actions: Qt.DropAction) -> None:
                files = [url.toLocalFile() for url in self.data.urls()]
                dropped.append((files, self.data.text(), actions))

        monkeypatch.setattr(section_opener, "QDrag", Drag)
        view = found.window.results.view
        row = view.visualRect(view.currentIndex()).center()
        QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, NONE, row)
        for step in (1, 40):
            moved = QPointF(row + QPoint(step, 0))
            event = QMouseEvent(
                QEvent.Type.MouseMove,
                moved,
                view.viewport().mapToGlobal(moved),
                Qt.MouseButton.NoButton,
                Qt.MouseButton.LeftButton,
                NONE,
            )
            QGuiApplication.sendEvent(view.viewport(), event)
            assert len(dropped) == (step > 1)
        file = str(notes / "travel/Trip to Japan.md")
        assert dropped == [([file], "[[Trip to Japan#Kyoto#Food]]", Qt.DropAction.CopyAction)]
        names = view.fontMetrics().horizontalAdvance("Food")
        (picture,) = pictures
        assert names < picture.deviceIndependentSize().width() < 3 * names


class TestNewNotes:
    @pytest.mark.parametrize(
        ("query", "name"),
        [
            ("zebra stripes", "zebra stripes"),
            ("tag:zoo zebra", "zebra"),
            ("a/b: c? ", "a b c"),
            ("../..", ""),
            ("tag:zoo", ""),
            ('tag:"far trips" zebra', "zebra"),
            ('"zebra stripes" -lion', "zebra stripes"),
            ("\N{ZEBRA FACE}" * 300, "\N{ZEBRA FACE}" * 60),
        ],
    )
    def test_a_note_is_named_by_the_words_of_the_query(self, query: str, name: str) -> None:
        assert note_name(query) == name

    def test_obsidian_begins_the_note(
        self, qtbot: QtBot, start: StartApp, notes: Path, links: OpenedLinks, words_only: Settings
    ) -> None:
        (notes / ".obsidian").mkdir()
        app = start(notes, replace(words_only, editor="obsidian"))
        typed_in_window(qtbot, app, "zebra stripes")
        assert app.actions.new_note.text() == "Write a new note “zebra stripes”"
        before = sorted(notes.rglob("*"))
        app.actions.new_note.trigger()
        qtbot.waitUntil(lambda: len(links.urls) == 1)
        (link,) = links.urls
        assert link.startswith("obsidian://new?vault=")
        assert link.endswith("&file=zebra%20stripes")
        assert sorted(notes.rglob("*")) == before

    def test_an_editor_that_opens_only_what_exists_is_offered_nothing(
        self, qtbot: QtBot, app: App
    ) -> None:
        typed_in_window(qtbot, app, "zebra stripes")
        assert app.window.page.page.title == "No sections match “zebra stripes”"
        assert not any("new note" in button.text() for button in app.window.page.buttons)
