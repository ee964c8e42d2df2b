"""Every setting takes effect at once and is saved in the file."""

import time
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QFont, QImage, QKeySequence, QPalette
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionButton,
    QStyleOptionFrame,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings, Vault
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.results.results_model import CapRow, ResultRow
from notesearch.gui.settings.notes_page import NotesPage, SuffixesSetting, VaultChoices
from notesearch.gui.settings.settings_page import ChoiceSetting, ProblemNote
from notesearch.gui.widgets.controls import TickBox
from notesearch.gui.widgets.theme import Role, contrast, points
from notesearch.opened_sections import Openings
from tests.folders import write
from tests.gui.fixture_types import StartApp
from tests.gui.settings_use import control, dialog_of, enter, pages_of, pick, tick
from tests.gui.using_window import CONTROL, heading, typed

Lines = TypeVar("Lines", bound=QPlainTextEdit)
_CONTENTS = QStyle.SubElement.SE_LineEditContents


def folders(app: App) -> VaultChoices:
    """Return the list of notes folders, on the page “Notes”."""
    page = dialog_of(app).made["Notes"]
    assert isinstance(page, NotesPage)
    return page.vaults


def problem_of(app: App, setting: str) -> ProblemNote:
    """Return the label that says what is wrong with a setting."""
    notes = dialog_of(app).findChildren(ProblemNote)
    return next(note for note in notes if note.setting == setting)


class StyleChanges(QObject):
    """Counts how often the style of a widget changes."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.StyleChange
        return False


def write_settings(text: str) -> None:
    """Write the settings file as an editor does."""
    paths = Paths.choose()
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.settings_file.write_text(text)


def type_lines(app: App, kind: type[Lines], name: str, text: str) -> Lines:
    """Type ``text`` into the field of several lines called ``name``, which keeps the focus."""
    field = control(app, kind, name)
    field.setFocus()
    QTest.keyClicks(field, text)
    return field


def _bottom(widget: QWidget, dialog: QWidget) -> int:
    return widget.mapTo(dialog, widget.rect().bottomLeft()).y()


def on_file(key: str) -> object:
    """Return the value of ``key`` in the settings file, which a thread writes."""
    file = Paths.choose().settings_file
    return tomllib.loads(file.read_text()).get(key) if file.exists() else None


def has_ink(image: QImage, y: int, first: int) -> bool:
    """Return whether row ``y`` of a picture is not of one colour, from column ``first`` on."""
    return len({image.pixel(x, y) for x in range(first, image.width())}) > 1


def is_whole(page: QScrollArea) -> bool:
    """Return whether nothing of a page is beyond its right edge."""
    return not page.horizontalScrollBar().maximum()


def notes_found(qtbot: QtBot, app: App, text: str) -> set[str]:
    """Search for ``text`` in the main window; return the paths of the notes in the list."""
    with qtbot.waitSignal(app.pane.search.settled):
        app.window.field.set_text("")
        app.window.field.set_text(text)
    if not app.window.shows_results:
        return set()
    return {row.result.path for row in app.model.rows if isinstance(row, ResultRow)}


def finds_soon(qtbot: QtBot, app: App, text: str, notes: set[str]) -> bool:
    """Return whether ``text`` finds exactly ``notes``, now or after updates of the index."""
    for _ in range(20):
        if notes_found(qtbot, app, text) == notes:
            return True
        with qtbot.waitSignal(app.display.line_changed, timeout=1000, raising=False):
            pass
    return False


def change_and_index(qtbot: QtBot, app: App, choose: Callable[[], None]) -> None:
    """Call ``choose``, which changes a setting, and wait until the index is up to date with it."""
    with qtbot.waitSignal(app.vault.idle):
        choose()


class TestDialog:
    def test_no_page_is_cut_on_a_narrow_screen(self, start: StartApp, words_only: Settings) -> None:
        app = start(None, replace(words_only, text_size=110))
        dialog = dialog_of(app)
        assert dialog.size() == dialog.sizeHint()
        assert dialog.width() > dialog.screen().availableSize().width() * 0.9

    @pytest.mark.parametrize("size", [140, 200])
    def test_labels_and_controls_are_stacked_before_pages_scroll_sideways(
        self, qtbot: QtBot, start: StartApp, words_only: Settings, size: int
    ) -> None:
        dialog = dialog_of(start(None, replace(words_only, text_size=size)))
        room = dialog.screen().availableSize()
        assert dialog.size().boundedTo(room) == dialog.size()
        for _ in dialog.titles:
            page, shown = dialog.page, dialog.page.widget()
            assert shown
            qtbot.waitUntil(partial(is_whole, page))
            assert page.viewport().width() >= shown.minimumSizeHint().width()
            QTest.keyClick(dialog, Qt.Key.Key_PageDown, CONTROL)

    def test_controls_below_their_labels_have_the_whole_width(
        self, qtbot: QtBot, start: StartApp, words_only: Settings
    ) -> None:
        app = start(None, replace(words_only, text_size=200))
        patterns = control(app, QPlainTextEdit, "Ignored")
        page = dialog_of(app).page
        qtbot.waitUntil(lambda: patterns.width() > 0.7 * page.viewport().width())

    @pytest.mark.parametrize("points", range(8, 21))
    def test_the_text_of_a_box_wraps_and_is_whole(self, qtbot: QtBot, points: int) -> None:
        box = TickBox("Several words that need more than one line")
        qtbot.addWidget(box)
        box.setFont(QFont(box.font().family(), points))
        one_line = box.sizeHint()
        heights = [box.heightForWidth(one_line.width() // part) for part in (1, 2, 3)]
        assert heights[0] == one_line.height()
        assert heights == sorted({*heights})
        assert box.minimumSizeHint().width() < one_line.width() // 2
        box.resize(one_line.width() // 3, heights[2])
        inked = box.grab().toImage()
        rows = [y for y in range(inked.height()) if has_ink(inked, y, inked.width() // 2)]
        assert len(rows) > 2 * box.fontMetrics().xHeight()

    def test_opens_by_its_key_and_closes_by_escape(self, qtbot: QtBot, app: App) -> None:
        QTest.keyClick(app.window, Qt.Key.Key_Comma, CONTROL)
        dialog = app.settings_controller.dialog
        assert dialog is not None
        assert dialog.isVisible()
        assert not dialog.isModal()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
        app.actions.settings.trigger()
        assert app.settings_controller.dialog is dialog, "one window at most"

    def test_pages_are_changed_by_keyboard(self, qtbot: QtBot, app: App) -> None:
        dialog = dialog_of(app)
        titles = []
        for _ in dialog.titles:
            titles.append(dialog.names.currentItem().text())
            QTest.keyClick(dialog, Qt.Key.Key_PageDown, CONTROL)
        assert titles == [
            "Notes",
            "Search",
            "Models",
            "Quick search",
            "Editor",
            "Appearance",
            "About",
        ]
        assert dialog.page is dialog.made["Notes"]

    def test_no_control_takes_the_keys_that_turn_the_pages(self, app: App) -> None:
        """The field for the global shortcut took Ctrl+PgDn for the whole desktop."""
        dialog = dialog_of(app)
        for _ in dialog.titles:
            QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
            assert dialog.page.isAncestorOf(dialog.focusWidget())
            QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_PageDown, CONTROL)
            assert dialog.focusWidget() is dialog.names

    def test_every_control_has_a_name_and_can_be_reached(self, qtbot: QtBot, app: App) -> None:
        dialog = dialog_of(app)
        for title, page in pages_of(app):
            seen = list[QWidget]()
            dialog.names.setFocus()
            for _ in range(60):
                QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Tab)
                focused = QApplication.focusWidget()
                if focused is None or focused is dialog.names:
                    break
                seen.append(focused)
            else:
                pytest.fail(f"the keyboard is trapped on {title}")
            for widget in seen:
                assert widget.accessibleName() or widget.property("text"), (title, widget)
            bottoms = [_bottom(widget, dialog) for widget in seen if page.isAncestorOf(widget)]
            assert bottoms == sorted(bottoms), f"{title} is not in reading order"

    def test_tab_scrolls_to_the_focused_control(self, qtbot: QtBot, app: App) -> None:
        dialog = dialog_of(app)
        page, bar = dialog.page, dialog.page.verticalScrollBar()
        for scrolled, key in ((bar.maximum(), Qt.Key.Key_Tab), (0, Qt.Key.Key_Backtab)):
            assert bar.maximum() > 0, "there is something to scroll to"
            dialog.names.setFocus()
            bar.setValue(scrolled)
            QTest.keyClick(dialog.names, key)
            reached = dialog.focusWidget()
            assert page.isAncestorOf(reached)
            visible = reached.visibleRegion().boundingRect()
            assert visible.height() == reached.height(), f"{reached} is out of view"

    def test_labels_belong_to_their_controls(self, qtbot: QtBot, app: App) -> None:
        for _, page in pages_of(app):
            buddies = [label.buddy() for label in page.findChildren(QLabel) if label.buddy()]
            assert len(buddies) >= 4

    def test_an_invalid_value_is_reported_at_its_control(self, qtbot: QtBot, app: App) -> None:
        write_settings('theme = "purple"\n')
        app.preferences.read_file()
        dialog_of(app).show_page("Appearance")
        note = next(
            label for label in dialog_of(app).findChildren(QLabel) if "“theme”" in label.text()
        )
        assert note.isVisible()
        pick(app, "Colours", "Dark")
        qtbot.waitUntil(lambda: not note.isVisible())  # a thread writes

    def test_an_invalid_file_is_reported_above_the_pages(self, qtbot: QtBot, app: App) -> None:
        write_settings("theme = ")
        app.preferences.read_file()
        assert dialog_of(app).problem.isVisible()

    @pytest.mark.parametrize("line", ["vault = 3", "all_vaults = 1", "passage_overlap = 1000"])
    def test_an_invalid_value_without_a_control_is_reported_above_the_pages(
        self, qtbot: QtBot, app: App, line: str
    ) -> None:
        """The notes folder was missing from the window, and no window said why."""
        paths = Paths.choose()
        paths.config.mkdir(parents=True, exist_ok=True)
        paths.settings_file.write_text(f"{line}\n")
        app.preferences.read_file()
        name = f"“{line.split(maxsplit=1)[0]}” in "
        assert name in dialog_of(app).problem.text()
        assert name in app.window.banner.text

    def test_a_misspelt_key_is_reported_above_the_pages(self, qtbot: QtBot, app: App) -> None:
        write_settings('them = "dark"\n')
        app.preferences.read_file()
        assert "Did you mean “theme”?" in dialog_of(app).problem.text()
        assert dialog_of(app).problem.isVisible()
        write_settings('theme = "dark"\n')
        app.preferences.read_file()
        assert not dialog_of(app).problem.isVisible()

    def test_many_problems_scroll_and_leave_room_for_the_page(self, qtbot: QtBot, app: App) -> None:
        """Of 360 pixels, 53 were left for the page."""
        unknown = "".join(f"key_{number} = 1\n" for number in range(12))
        write_settings(unknown + "theme = 1\nvault = 3\nall_vaults = 1\nsuffixes = 1\ntray = 1\n")
        app.preferences.read_file()
        dialog = dialog_of(app)
        dialog.resize(dialog.minimumSize())
        QApplication.processEvents()
        assert dialog.problem.text().count("\n") == 16
        assert dialog.page.height() >= 0.65 * dialog.height()
        write_settings("key_1 = 1\n")
        app.preferences.read_file()
        QApplication.processEvents()
        assert dialog.problem.visibleRegion().boundingRect() == dialog.problem.rect()
        write_settings("")
        app.preferences.read_file()
        QApplication.processEvents()
        assert dialog.page.height() == dialog.height()

    def test_problems_that_fit_get_no_scroll_bar(self, qtbot: QtBot, app: App) -> None:
        """One from before stayed if the text needed a line more beside it: the line was cut."""
        area = dialog_of(app).findChild(QScrollArea, "settingsProblems")
        assert isinstance(area, QScrollArea)
        for keys, policy in (
            (20, Qt.ScrollBarPolicy.ScrollBarAsNeeded),
            (1, Qt.ScrollBarPolicy.ScrollBarAlwaysOff),
        ):
            write_settings("".join(f"key_{number} = 1\n" for number in range(keys)))
            app.preferences.read_file()
            assert area.verticalScrollBarPolicy() == policy

    def test_a_change_that_is_not_stored_hides_no_other_problem(
        self, qtbot: QtBot, app: App
    ) -> None:
        write_settings('them = "dark"\n')
        app.preferences.read_file()
        problem = dialog_of(app).problem
        problem.show_refusal("It is full.")
        assert problem.text().startswith("It is full.\n")
        assert "Did you mean “theme”?" in problem.text()

    def test_a_change_that_is_not_stored_is_reported_until_one_is(
        self, qtbot: QtBot, app: App
    ) -> None:
        """Only the main window said so, which may be closed."""
        blocked = Paths.choose().settings_file
        problem = dialog_of(app).problem
        blocked.unlink(missing_ok=True)
        blocked.mkdir(parents=True)
        tick(app, "Search in code blocks too")
        qtbot.waitUntil(lambda: "cannot be written" in problem.text())
        assert problem.isVisible()
        blocked.rmdir()
        tick(app, "Search in code blocks too")
        qtbot.waitUntil(problem.isHidden)

    def test_changes_of_the_file_are_shown(self, qtbot: QtBot, app: App) -> None:
        box = control(app, ChoiceSetting, "Colours")
        app.preferences.change(theme="dark")
        assert box.currentText() == "Dark"


class TestAppearance:
    def test_colours(self, qtbot: QtBot, app: App) -> None:
        pick(app, "Colours", "Dark")
        qtbot.waitUntil(lambda: app.theme.dark)
        assert app.window.palette().window().color().lightness() < 60
        qtbot.waitUntil(lambda: on_file("theme") == "dark")
        pick(app, "Colours", "Light")
        qtbot.waitUntil(lambda: not app.theme.dark)

    def test_text_size(self, qtbot: QtBot, app: App) -> None:
        before, foot = points(Role.ROW), app.window.bar.height()
        pick(app, "Text size", "150 %")
        qtbot.waitUntil(lambda: points(Role.ROW) == pytest.approx(before * 1.5, abs=0.1))
        assert app.window.bar.height() == pytest.approx(foot * 1.5, abs=1)
        pick(app, "Text size", "100 %")
        qtbot.waitUntil(lambda: points(Role.ROW) == before)

    def test_quick_changes_of_the_size_are_applied_once(
        self, qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dialog_of(app)
        now = time.monotonic() + 1
        stopped = SimpleNamespace(monotonic=lambda: now)  # however busy this machine is
        monkeypatch.setattr("notesearch.gui.window.appearance.time", stopped)
        applied = QSignalSpy(app.appearance.changed)
        for size in (110, 125, 150, 175, 200):
            app.preferences.change(text_size=size)
        assert applied.count() == 1, "at once"
        qtbot.waitUntil(lambda: applied.count() == 2)
        assert QApplication.font().pointSizeF() == 2 * app.appearance._font.pointSizeF()

    def test_density_and_snippets(self, qtbot: QtBot, app: App) -> None:
        notes_found(qtbot, app, "food")
        view = app.window.results.view

        def height() -> int:
            return view.visualRect(app.model.index(1)).height()

        roomy = height()
        app.window.ensurePolished()
        changes = StyleChanges(app.window)
        pick(app, "Result rows", "Compact")
        assert not changes.times, "styling all windows for nothing delays the next key"
        qtbot.waitUntil(lambda: height() < roomy)
        compact = height()
        tick(app, "Show some text below each heading")
        qtbot.waitUntil(lambda: height() < compact)

    def test_font_of_the_preview(self, qtbot: QtBot, app: App) -> None:
        app.preferences.change(preview_font="DejaVu Sans Mono")
        assert app.window.preview.browser.document().defaultFont().family() == "DejaVu Sans Mono"


class TestNotes:
    def test_ignored_patterns(self, qtbot: QtBot, app: App) -> None:
        assert "kitchen/Recipes.md" in notes_found(qtbot, app, "fried")

        def type_pattern() -> None:
            lines = type_lines(app, QPlainTextEdit, "Ignored", "kitchen/")
            QTest.keyClick(lines, Qt.Key.Key_Return)
            lines.clearFocus()

        change_and_index(qtbot, app, type_pattern)
        assert "kitchen/Recipes.md" not in notes_found(qtbot, app, "fried")
        qtbot.waitUntil(lambda: "kitchen/" in str(on_file("ignore")))

    def test_a_folder_whose_notes_are_all_ignored_says_why(self, qtbot: QtBot, app: App) -> None:
        change_and_index(qtbot, app, lambda: app.preferences.change(ignore=(".*", "*")))
        page = app.window.page
        qtbot.waitUntil(lambda: page.page.title == "No Markdown files in this folder")
        assert page.page.detail == "Ignored according to the settings: *"
        assert [button.text() for button in page.buttons] == ["Settings…", "Choose folder…"]

    def test_an_unfinished_pattern_removes_no_notes(self, app: App) -> None:
        lines = control(app, QPlainTextEdit, "Ignored")
        before = app.settings.ignore
        lines.setFocus()
        lines.clear()
        QTest.keyClicks(lines, "*")
        away = QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.ActiveWindowFocusReason)
        QApplication.sendEvent(lines, away)  # the user looks at another window
        app.preferences.change(density="compact")
        assert app.settings.ignore == before
        QTest.keyClicks(lines, ".tmp")
        dialog_of(app).close()
        assert app.settings.ignore == ("*.tmp",)

    def test_a_field_that_is_only_visited_writes_nothing(self, qtbot: QtBot, app: App) -> None:
        """Such a visit once replaced a settings file that the user was about to correct."""
        file = Paths.choose().settings_file
        app.preferences.change(density="compact")
        qtbot.waitUntil(file.exists)
        qtbot.waitUntil(lambda: on_file("density") == "compact")
        file.write_text("theme = [\n")
        lines = control(app, QPlainTextEdit, "Ignored")
        lines.setFocus()
        lines.clearFocus()
        app.preferences.close()
        assert file.read_text() == "theme = [\n"

    def test_file_types(self, qtbot: QtBot, app: App, notes: Path) -> None:
        (notes / "plain.log").write_text("A quokka.")
        assert finds_soon(qtbot, app, "quokka", set())
        change_and_index(qtbot, app, lambda: enter(app, "File types", "md, log"))
        qtbot.waitUntil(lambda: on_file("suffixes") == [".md", ".log"])
        assert finds_soon(qtbot, app, "quokka", {"plain.log"})

    @pytest.mark.parametrize("text", [".banana", "*."])
    def test_a_file_type_that_no_note_has_is_refused_at_the_field(
        self, qtbot: QtBot, app: App, text: str
    ) -> None:
        """It once removed all notes from the index."""
        field, before = control(app, SuffixesSetting, "File types"), app.settings
        with qtbot.waitSignal(field.refused, check_params_cb=bool):
            enter(app, "File types", text)
        assert app.settings == before
        assert field.text() == ".md .markdown"
        assert problem_of(app, "suffixes").isVisible()
        QTest.keyClick(field, Qt.Key.Key_End)
        QTest.keyClicks(field, " .mkd")
        assert problem_of(app, "suffixes").isHidden()
        change_and_index(qtbot, app, lambda: QTest.keyClick(field, Qt.Key.Key_Return))
        assert app.settings.suffixes == (".md", ".markdown", ".mkd")

    def test_values_typed_last_are_checked_and_applied_at_the_end(
        self, app: App, notes: Path
    ) -> None:
        """Both values were lost, because the end dropped the answers of the checks."""
        (notes / "plain.log").write_text("A quokka.")
        type_lines(app, QPlainTextEdit, "Preferred folders", "travel")
        field = control(app, SuffixesSetting, "File types")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, ".md .log")
        app.close()
        assert on_file("preferred_folders") == ["travel"]
        assert on_file("suffixes") == [".md", ".log"]

    def test_a_wrong_file_type_is_refused_at_the_end_too(self, app: App) -> None:
        before = app.settings
        field = control(app, SuffixesSetting, "File types")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, ".banana")
        app.settings_controller.close()
        assert app.settings == before

    def test_a_folder_without_notes_refuses_no_file_type(
        self, qtbot: QtBot, start: StartApp, vault: Path
    ) -> None:
        """Nobody can know yet which files will come."""
        app = start(vault)
        enter(app, "File types", ".mkd")
        qtbot.waitUntil(lambda: app.settings.suffixes == (".mkd",))

    def test_a_folder_that_cannot_be_reached_refuses_nothing(
        self, qtbot: QtBot, app: App, notes: Path
    ) -> None:
        notes.rename(notes.with_name("away"))
        enter(app, "File types", ".mkd")
        qtbot.waitUntil(lambda: app.settings.suffixes == (".mkd",))

    def test_largest_note(self, qtbot: QtBot, app: App, notes: Path) -> None:
        (notes / "large.md").write_text("A quokka. " + "word " * 300_000)
        change_and_index(qtbot, app, lambda: enter(app, "Largest note", "1"))
        assert app.settings.max_note_bytes == 1_000_000
        assert finds_soon(qtbot, app, "quokka", set())
        change_and_index(qtbot, app, lambda: enter(app, "Largest note", "2"))
        assert finds_soon(qtbot, app, "quokka", {"large.md"})
        change_and_index(
            qtbot, app, lambda: enter(app, "Largest note", "1.5")
        )  # as such values are shown
        assert app.settings.max_note_bytes == 1_500_000

    @pytest.mark.parametrize("text", ["nan", "inf", "-inf", "many", "0", "5000"])
    def test_a_text_that_is_no_number_within_the_limits_is_refused(
        self, app: App, text: str
    ) -> None:
        before = app.settings
        enter(app, "Largest note", text)
        assert app.settings == before
        assert control(app, QLineEdit, "Largest note").text() == "32"
        assert f"from 1 to 1,024 here, not “{text}”" in problem_of(app, "max_note_bytes").text()

    @pytest.mark.parametrize(
        ("locale", "text", "megabytes", "shown"),
        [
            ("en_US", "1,000", 1000, "1000"),
            ("en_US", "1 000", 1000, "1000"),
            ("en_US", "1,5", 1.5, "1.5"),
            ("de_DE", "1.000", 1000, "1000"),
            ("de_DE", "1,5", 1.5, "1,5"),
            ("de_DE", "1.5", 1.5, "1,5"),
            ("fr_FR", "1 000,5", 1000.5, "1000,5"),
        ],
    )
    def test_numbers_are_read_as_the_user_writes_them(
        self, app: App, locale: str, text: str, megabytes: float, shown: str
    ) -> None:
        before = QLocale()
        QLocale.setDefault(QLocale(locale))
        try:
            enter(app, "Largest note", text)
            assert app.settings.max_note_bytes == 1_000_000 * megabytes
            assert control(app, QLineEdit, "Largest note").text() == shown
        finally:
            QLocale.setDefault(before)

    def test_links(self, qtbot: QtBot, app: App, notes: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "far.md").write_text("A quokka.")
        (notes / "linked").symlink_to(tmp_path / "elsewhere")
        change_and_index(qtbot, app, lambda: tick(app, "Follow symbolic links"))
        assert finds_soon(qtbot, app, "quokka", {"linked/far.md"})

    def test_pausing_the_index(self, qtbot: QtBot, app: App, notes: Path) -> None:
        change_and_index(qtbot, app, lambda: tick(app, "Pause indexing"))
        assert app.display.line.text == "3 notes, indexing paused"
        assert app.actions.pause.isChecked()
        (notes / "later.md").write_text("A quokka.")
        assert finds_soon(qtbot, app, "quokka", set())
        with qtbot.waitSignal(app.vault.index_changed):
            app.actions.pause.trigger()
        assert finds_soon(qtbot, app, "quokka", {"later.md"})
        qtbot.waitUntil(lambda: on_file("paused") is False)

    def test_a_pause_is_remembered(self, qtbot: QtBot, start: StartApp, notes: Path) -> None:
        start(notes).close()
        app = start(notes, Settings(model="none", paused=True))
        qtbot.waitUntil(lambda: app.display.line.text == "3 notes, indexing paused")

    def test_notes_are_not_called_missing_before_a_pause_ends(
        self, qtbot: QtBot, start: StartApp, notes: Path
    ) -> None:
        app = start(notes, Settings(model="none", paused=True))
        assert app.display.line.text == "Indexing paused"
        assert app.window.page.page.title == "These notes have not been read yet"
        typed(qtbot, app, "dashi")
        assert app.window.page.page.title == "These notes have not been read yet"
        app.actions.pause.trigger()
        qtbot.waitUntil(lambda: heading(app) == "Dashi")

    def test_the_index_is_rebuilt(self, qtbot: QtBot, app: App) -> None:
        assert app.vault.status is not None
        file = Path(app.vault.status.index_path)
        before = file.stat().st_ino
        change_and_index(qtbot, app, app.vault.rebuild)
        assert file.stat().st_ino != before
        assert "Rebuilding the index" in app.window.banner.text
        assert len(notes_found(qtbot, app, "food")) == 3


class TestSearching:
    def test_the_number_of_results(self, qtbot: QtBot, app: App, notes: Path) -> None:
        (notes / "many.md").write_text("".join(f"# H{n}\n\nA quokka.\n\n" for n in range(30)))
        change_and_index(qtbot, app, lambda: enter(app, "Results", "10"))
        notes_found(qtbot, app, "quokka")
        assert app.window.results.summary.count_text == "30 sections, the first 10 in 1 note"
        assert any(isinstance(row, CapRow) and row.shown == 10 for row in app.model.rows)

    def test_searching_by_meaning_can_be_turned_off(self, qtbot: QtBot, app: App) -> None:
        change_and_index(qtbot, app, lambda: tick(app, "Search by meaning as well as by words"))
        assert app.vault.status is not None
        assert "off in the settings" in app.vault.status.meaning_problem
        app.window.bar.more.click()
        assert app.settings_controller.dialog is not None
        assert app.settings_controller.dialog.names.currentItem().text() == "Search", "tells why"

    def test_the_related_label_can_be_turned_off(self, qtbot: QtBot, app: App) -> None:
        tick(app, "Label sections found only by meaning as “Related”")
        assert not app.theme.related_tag

    def test_code_and_language(self, qtbot: QtBot, app: App, notes: Path) -> None:
        write(notes, {"code.md": "Above.\n\n```\nquokka\n```\n", "short.md": "Ein Buch."})
        assert finds_soon(qtbot, app, "quokka", {"code.md"})
        assert finds_soon(qtbot, app, "büchern", set())
        change_and_index(qtbot, app, lambda: tick(app, "Search in code blocks too"))
        assert finds_soon(qtbot, app, "quokka", set())
        change_and_index(qtbot, app, lambda: pick(app, "Language of your notes", "Deutsch"))
        assert finds_soon(qtbot, app, "büchern", {"short.md"})


class TestVaults:
    @pytest.fixture
    def two(self, start: StartApp, notes: Path, tmp_path: Path) -> App:
        other = tmp_path / "other"
        other.mkdir()
        (other / "owls.md").write_text("A quokka.")
        listed = (Vault(str(notes), "Home"), Vault(str(other)))
        settings = Settings(model="none", vault=str(notes), vaults=listed)
        settings.save(Paths.choose())
        return start(notes, settings)

    def test_vaults_are_opened_by_number_each_with_its_own_index(
        self, qtbot: QtBot, two: App
    ) -> None:
        assert two.switcher.isVisible()
        assert two.switcher.text() == "Home"
        assert notes_found(qtbot, two, "quokka") == set()
        change_and_index(qtbot, two, lambda: QTest.keyClick(two.window, Qt.Key.Key_2, CONTROL))
        assert two.switcher.text() == "other"
        assert notes_found(qtbot, two, "quokka") == {"owls.md"}
        qtbot.waitUntil(lambda: on_file("vault") == two.settings.vaults[1].path)
        change_and_index(qtbot, two, lambda: QTest.keyClick(two.window, Qt.Key.Key_1, CONTROL))
        assert notes_found(qtbot, two, "quokka") == set()

    def test_quick_search_names_the_folder_and_leaves_it_open(self, qtbot: QtBot, two: App) -> None:
        desktop = Desktop(two)
        quick = desktop.quick
        quick.show()
        qtbot.waitUntil(quick.window.isActiveWindow)
        field = quick.window.field
        for text in ("", "qu"):
            field.set_text(text)
            edit = field.findChild(QLineEdit)
            assert edit is not None
            assert field._folder.isVisible() == bool(text)
            assert "Home" in (field._folder.text() if text else edit.placeholderText())
        QTest.keyClick(quick.window, Qt.Key.Key_2, CONTROL)
        assert two.switcher.text() == "Home"
        desktop.close()

    def test_a_single_vault_has_no_switcher(self, app: App) -> None:
        assert not app.switcher.isVisible()

    def test_the_box_to_delete_an_index_is_visible_in_the_dark(
        self, two: App, qtbot: QtBot
    ) -> None:
        two.preferences.change(theme="dark")
        choices = folders(two)
        choices.list.setCurrentRow(0)
        choices.findChildren(QPushButton)[-1].click()
        (box,) = choices.findChildren(QCheckBox)
        qtbot.waitUntil(box.isVisible)
        picture, middle = box.grab().toImage(), box.height() // 2
        ground = picture.pixelColor(0, 0).name()
        outline = [picture.pixelColor(x, middle).name() for x in range(box.height())]
        assert max(contrast(pixel, ground) for pixel in outline) >= 3

    def test_folders_of_the_same_name_are_told_apart(
        self, qtbot: QtBot, two: App, tmp_path: Path
    ) -> None:
        same = tmp_path / "b" / "other"
        same.mkdir(parents=True)
        (same / "a.md").write_text("A wombat.")
        with qtbot.waitSignal(two.vault.idle):
            two.open_folder(same)
        names = ["Home", "other", "other (b)"]
        dialog_of(two).show_page("Notes")
        vaults = folders(two).list
        assert [vaults.item(row).text() for row in range(vaults.count())] == names
        assert [action.text() for action in two.switcher.numbered[:3]] == names
        assert two.switcher.text() == "other (b)"

    def test_one_of_several_open_folders_is_opened_alone(self, qtbot: QtBot, two: App) -> None:
        dialog_of(two).show_page("Notes")
        choices = folders(two)
        assert not choices._open.isEnabled()
        two.preferences.change(all_vaults=True)
        fonts = [choices.list.item(row).font().bold() for row in range(2)]
        assert (choices._open.isEnabled(), fonts) == (True, [True, True])
        choices._open.click()
        assert two.vault.path == Path(two.settings.vault)
        assert not choices._open.isEnabled()

    def test_vaults_are_renamed(self, qtbot: QtBot, two: App) -> None:
        choices = folders(two)
        dialog_of(two).show_page("Notes")
        choices.list.editItem(choices.list.item(1))
        field = choices.list.findChild(QLineEdit)
        assert field is not None
        option = QStyleOptionFrame()
        field.initStyleOption(option)
        inside = field.style().subElementRect(_CONTENTS, option, field)
        sizes = inside.height(), field.fontMetrics().height(), field.height()
        assert inside.height() >= field.fontMetrics().height() - 1, sizes
        two.preferences.change(density="compact")
        assert choices.list.state() == QListWidget.State.EditingState, "others do not end it"
        choices.list.item(1).setText("Birds")
        assert two.settings.vaults[1].name == "Birds"
        assert two.settings.folder("birds") is not None

    @pytest.mark.parametrize("with_index", [True, False])
    def test_vaults_are_removed(
        self, qtbot: QtBot, two: App, with_index: bool, notes: Path
    ) -> None:
        assert two.vault.status is not None
        index = Path(two.vault.status.index_path)
        choices, file_of = folders(two), two.preferences.paths.recents_file
        mine, others = (Openings(file_of(vault)) for vault in (notes, notes.with_name("other")))
        for recents, path in ((mine, "Trip.md"), (others, "owls.md")):
            recents.add((), path, ("Food",))
        change_and_index(qtbot, two, lambda: choices.remove(str(notes), with_index=with_index))
        assert len(others.all()) == 1
        assert [vault.label for vault in two.settings.listed] == ["other"]
        # A thread deletes them.
        qtbot.waitUntil(lambda: index.exists() != with_index)
        qtbot.waitUntil(lambda: len(mine.all()) == (not with_index))
        assert (notes / "kitchen" / "Recipes.md").is_file()
        assert notes_found(qtbot, two, "quokka") == {"owls.md"}

    def test_removing_the_last_vault_shows_the_first_page(self, qtbot: QtBot, app: App) -> None:
        app.open_folder(app.vault.path or Path())
        choices = folders(app)
        choices.remove(app.settings.vault, with_index=False)
        assert app.vault.path is None
        assert app.window.page.page.title == "Choose your notes folder"


def test_the_settings_key_is_the_platforms(app: App) -> None:
    assert app.actions.settings.shortcut() == QKeySequence("Ctrl+,")


def test_the_settings_open_with_the_focus_on_their_pages(app: App) -> None:
    dialog = dialog_of(app)
    control(app, ChoiceSetting, "Colours").setFocus()
    dialog.close()
    app.settings_controller.show()
    assert dialog.focusWidget() is dialog.names


def test_the_fields_grow_with_the_text(app: App) -> None:
    number = control(app, QLineEdit, "Results")
    lines = control(app, QPlainTextEdit, "Preferred folders")
    before = number.width(), lines.height()
    app.preferences.change(text_size=200)
    app.appearance.update()
    grown = number.width(), lines.height()
    app.preferences.change(text_size=100)
    app.appearance.update()
    factors = [after / old for after, old in zip(grown, before, strict=True)]
    assert factors == pytest.approx([2, 2], abs=0.1)


def test_check_boxes_align_with_fields(app: App) -> None:
    field = control(app, QLineEdit, "Results")
    box = control(app, TickBox, "Show the newest notes first in the main window")
    option = QStyleOptionButton()
    box.initStyleOption(option)
    tick = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    dialog = dialog_of(app)
    assert box.mapTo(dialog, tick.topLeft()).x() == field.mapTo(dialog, QPoint()).x()


def test_labels_stand_at_the_height_of_the_text_beside_them(app: App) -> None:
    dialog = dialog_of(app)
    for kind, name, words in (
        (ChoiceSetting, "Colours", "Colours"),
        (QLineEdit, "Results", "Results"),
        (TickBox, "Show the newest notes first in the main window", "Order"),
    ):
        beside = control(app, kind, name)
        label = next(label for label in dialog.findChildren(QLabel) if label.text() == words)
        text = label.contentsRect().translated(label.mapTo(dialog, QPoint()))
        middle = beside.mapTo(dialog, beside.rect().center()).y()
        assert abs(text.center().y() - middle) <= 1, name
    dialog.show_page("About")
    labels = [
        label for label in dialog.findChildren(QLabel) if label.text() in {"Desktop", "Licences"}
    ]
    assert [label.contentsMargins().top() for label in labels] == [0, 0], "text beside text"


def test_controls_without_effect_are_grey(app: App) -> None:
    for kind, name in ((TickBox, "Pause indexing"), (ChoiceSetting, "Colours")):
        box = control(app, kind, name)
        box.setEnabled(False)
        ink = box.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
        assert ink.name() == app.theme.text3.lower()
        words = box.palette().color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText)
        assert words == ink


class ShownWindows(QObject):
    """Records the windows that are shown, even for a moment."""

    def __init__(self, application: QObject) -> None:
        super().__init__(application)
        self.shown: list[QWidget] = []
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(watched)
        return False


@pytest.mark.parametrize("text", ["", 'theme = "purple"\n', 'them = "dark"\n'])
def test_creating_the_dialog_shows_no_window(qapp: QApplication, app: App, text: str) -> None:
    """Each hint was a window of its own for a moment, and so was each problem with a setting."""
    write_settings(text)
    app.preferences.read_file()
    windows = ShownWindows(qapp)
    dialog = app.settings_controller.ensure_dialog()
    for title in dialog.titles:
        dialog.show_page(title)
    qapp.removeEventFilter(windows)
    assert windows.shown == []


def test_only_the_shown_pages_are_made(app: App) -> None:
    """All seven together took a quarter of a second."""
    dialog = dialog_of(app)
    assert list(dialog.made) == ["Notes"]
    dialog.show_page("Editor")
    assert list(dialog.made) == ["Notes", "Editor"]


def test_labels_move_above_their_controls_where_the_dialog_becomes_narrow(
    qtbot: QtBot, app: App
) -> None:
    dialog = dialog_of(app)
    dialog.resize(dialog.minimumSize())
    qtbot.waitUntil(lambda: is_whole(dialog.page))


@pytest.mark.parametrize("size", [150, 200, 300])
def test_with_large_text_the_names_of_the_pages_are_whole(app: App, size: int) -> None:
    """The longest one ended in an ellipsis where the list is only as wide as it must be."""
    names = dialog_of(app).names
    app.preferences.change(text_size=size)
    item = QStyleOptionViewItem()
    names.initViewItemOption(item)
    item.rect = names.visualItemRect(names.item(0))
    item.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
    room = names.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, item, names).width()
    margin = names.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, names) + 1
    longest = max(map(names.fontMetrics().horizontalAdvance, dialog_of(app).titles))
    assert longest <= room - 2 * margin


def test_with_large_text_the_names_of_the_pages_are_only_as_wide_as_they_must_be(app: App) -> None:
    """They took most of a narrow screen."""
    dialog = dialog_of(app)
    app.preferences.change(text_size=300)
    longest = max(map(dialog.names.fontMetrics().horizontalAdvance, dialog.titles))
    assert longest < dialog.names.viewport().width()
    assert dialog.names.width() < max(2 * longest, 0.25 * dialog.screen().availableSize().width())
