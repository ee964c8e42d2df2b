"""Quick search as a user sees it: real windows, a real folder, the real library."""

from pathlib import Path

from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.results.results_model import ResultRow
from notesearch.gui.results.results_pane import ResultsSummary
from notesearch.gui.session.section_reader import PreviewAnswer
from notesearch.gui.widgets.keys import KeyHint
from notesearch.gui.widgets.status_bar import StatusBar
from notesearch.gui.widgets.theme import LIGHT
from tests.gui.fixture_types import StartApp, StartQuick
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_quick import Key, app_of, listed, press, selected, typed
from tests.gui.using_window import seen_order


class TestSearching:
    def test_rows_are_sorted_by_rank_and_name_their_note(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        typed(qtbot, quick, "food")
        assert listed(quick)[0] == "Trip to Japan > Kyoto > Food"
        assert "Recipes > Pickles" in listed(quick)
        assert len(listed(quick)) == 6
        assert quick.window.summary.count_text == "6 sections in 3 notes"
        assert quick.window.bar.text == "3 notes, searching by words only"

    def test_the_preview_shows_the_section(self, qtbot: QtBot, quick: QuickSearch) -> None:
        with qtbot.waitSignal(quick.pane.preview.shown):
            typed(qtbot, quick, "food")
        assert "still warm" in quick.window.preview.browser.toPlainText()
        with qtbot.waitSignal(quick.pane.preview.shown):
            press(quick, Key.Key_Down)
        assert "still warm" not in quick.window.preview.browser.toPlainText()

    def test_its_shadow_takes_no_room_from_large_text(self, quick: QuickSearch) -> None:
        """At 300 % on a small screen, the query was cut: the shadow had grown, too."""
        window = quick.window
        window.grab()
        before = window.card.geometry().topLeft()
        app_of(quick).preferences.change(text_size=300)
        window.grab()
        assert window.card.geometry().topLeft() == before

    def test_the_list_without_preview_grows_with_the_text(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        typed(qtbot, quick, "food")
        window = quick.window
        window.toggle_preview()
        app_of(quick).preferences.change(text_size=150)
        window.grab()
        assert window.results.width() == window.stack.width()

    def test_its_size_never_changes(self, qtbot: QtBot, quick: QuickSearch) -> None:
        size = quick.window.size()
        for text in ("food", "dashi", "xyzzy"):
            quick.window.field.clear()
            typed(qtbot, quick, text)
            assert quick.window.size() == size

    def test_an_empty_result_says_why(self, qtbot: QtBot, quick: QuickSearch) -> None:
        typed(qtbot, quick, "xyzzy")
        assert not quick.window.shows_results
        assert quick.window.page.page.title == "No sections match “xyzzy”"
        assert quick.window.bar.text == "3 notes, searching by words only"

    def test_typing_anywhere_goes_to_the_field(self, qtbot: QtBot, quick: QuickSearch) -> None:
        typed(qtbot, quick, "foo")
        quick.window.results.view.setFocus()
        typed(qtbot, quick, "d")
        assert quick.window.field.text == "food"

    def test_f6_cycles_through_the_panes(self, qtbot: QtBot, quick: QuickSearch) -> None:
        typed(qtbot, quick, "food")
        quick.actions.next_pane.trigger()
        assert quick.window.focusWidget() is quick.window.results.view
        quick.actions.previous_pane.trigger()
        assert isinstance(quick.window.focusWidget(), QLineEdit)

    def test_both_windows_search_independently(self, qtbot: QtBot, quick: QuickSearch) -> None:
        app = app_of(quick)
        with qtbot.waitSignals([app.pane.search.settled, quick.pane.search.settled]):
            app.window.field.set_text("dashi")
            quick.window.field.set_text("shoes")
        assert selected(quick) == "Shoes"
        assert app.window.results.view.section is not None
        assert app.window.results.view.section.section == "Dashi"

    def test_a_changed_note_changes_the_results(
        self, qtbot: QtBot, quick: QuickSearch, notes: Path
    ) -> None:
        typed(qtbot, quick, "food")
        press(quick, Key.Key_Down)
        chosen = selected(quick)
        (notes / "kitchen/Street food.md").write_text("# Street food\n\nFood, food and food.\n")
        qtbot.waitUntil(lambda: "Street food" in listed(quick))
        assert selected(quick) == chosen

    def test_a_change_while_it_was_hidden_is_searched_when_it_appears(
        self, qtbot: QtBot, quick: QuickSearch, notes: Path
    ) -> None:
        typed(qtbot, quick, "food")
        quick.hide()
        with qtbot.waitSignal(app_of(quick).vault.index_changed):
            (notes / "kitchen/Street food.md").write_text("# Street food\n\nFood, food and food.\n")
        assert "Street food" not in listed(quick)
        with qtbot.waitSignal(quick.pane.search.settled):
            quick.show()
        assert "Street food" in listed(quick)

    def test_a_deleted_note_offers_an_update_and_is_read_again(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        with qtbot.waitSignal(quick.pane.preview.shown):
            typed(qtbot, quick, "dashi")
        assert quick.pane.preview.request is not None
        answer = PreviewAnswer(
            quick.pane.preview.request, problem="It was moved.", note_missing=True
        )
        quick.pane.preview.receive(answer)
        (row,) = (row for row in quick.model.rows if isinstance(row, ResultRow))
        (update,) = (b for b in quick.window.preview.findChildren(QPushButton) if b.isVisible())
        assert row.missing
        assert update.text() == "Update index"
        with qtbot.waitSignal(app_of(quick).vault.idle):
            update.click()
        qtbot.waitUntil(lambda: not update.isVisible())
        (row,) = (row for row in quick.model.rows if isinstance(row, ResultRow))
        assert not row.missing

    def test_another_folder_is_searched_when_the_main_window_opens_it(
        self, qtbot: QtBot, quick: QuickSearch
    ) -> None:
        app = app_of(quick)
        with qtbot.waitSignal(app.vault.idle):
            app.actions.sample_notes.trigger()
        typed(qtbot, quick, "tofu")
        assert any("Kyoto" in row for row in listed(quick))


class TestOpening:
    def test_enter_opens_the_note_and_then_hides(
        self, qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
    ) -> None:
        typed(qtbot, quick, "dashi")
        press(quick, Key.Key_Return)
        qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])
        assert opened.visible == [True], "hidden first, it could not hand on the focus"
        assert not quick.window.isVisible()

    def test_a_missing_editor_is_named_and_the_window_stays(
        self, qtbot: QtBot, start_quick: StartQuick, notes: Path
    ) -> None:
        quick = start_quick(notes, Settings(model="none", editor="no-such-editor {path}"))
        quick.show()
        typed(qtbot, quick, "dashi")
        press(quick, Key.Key_Return)
        qtbot.waitUntil(quick.window.notice.isVisible)
        assert quick.window.notice.text.startswith("“no-such-editor” was not found.")
        assert quick.window.isVisible()

    def test_an_empty_field_lists_sections_opened_last(
        self,
        qtbot: QtBot,
        quick: QuickSearch,
        opened: OpenedFiles,
        start_quick: StartQuick,
        notes: Path,
    ) -> None:
        for text in ("dashi", "shoes", "dashi"):
            quick.show()
            quick.window.field.clear()
            typed(qtbot, quick, text)
            with qtbot.waitSignal(quick.pane.opener.opened):
                press(quick, Key.Key_Return)
        recent = ["[Recently opened]", "Recipes > Dashi", "Trip to Japan > Packing > Shoes"]
        quick.window.field.clear()
        qtbot.waitUntil(lambda: listed(quick) == recent)
        assert selected(quick) == "Dashi"
        again = start_quick(notes)
        qtbot.waitUntil(lambda: listed(again) == recent)
        again.show()
        with qtbot.waitSignal(again.pane.opener.opened):
            press(again, Key.Key_Return)
        assert opened.files[-1] == "Recipes.md"

    def test_progress_of_the_index_keeps_the_selection(
        self, qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
    ) -> None:
        for text in ("dashi", "shoes"):
            quick.show()
            quick.window.field.clear()
            typed(qtbot, quick, text)
            press(quick, Key.Key_Return)
        quick.show()
        quick.window.field.clear()
        qtbot.waitUntil(lambda: selected(quick) == "Shoes")
        press(quick, Key.Key_Down)
        assert selected(quick) == "Dashi"
        app_of(quick).vault.state_changed.emit()
        assert selected(quick) == "Dashi"

    def test_sections_opened_in_the_main_window_are_listed_too(
        self, qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
    ) -> None:
        app = app_of(quick)
        with qtbot.waitSignal(app.pane.search.settled):
            app.window.field.set_text("dashi")
        app.window.results.view.activate()
        qtbot.waitUntil(lambda: "Recipes > Dashi" in listed(quick))

    def test_listed_sections_are_looked_up_again(
        self, qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles, notes: Path
    ) -> None:
        for text in ("dashi", "meals"):
            quick.show()
            quick.window.field.clear()
            typed(qtbot, quick, text)
            press(quick, Key.Key_Return)
        (notes / "travel/Japan budget.md").unlink()
        file = notes / "kitchen/Recipes.md"
        file.write_text(file.read_text().replace("# Recipes\n", "# Recipes\n\nMoved down.\n"))
        app = app_of(quick)
        with qtbot.waitSignal(app.vault.idle):
            app.actions.update_index.trigger()
        quick.show()
        quick.window.field.clear()
        qtbot.waitUntil(lambda: listed(quick) == ["[Recently opened]", "Recipes > Dashi"])
        line = file.read_text().splitlines().index("## Dashi") + 1
        qtbot.waitUntil(lambda: quick.window.results.view.section.line == line)  # type: ignore[union-attr]
        section = quick.window.results.view.section
        assert section is not None
        assert section.snippet.text.startswith("kitchen/ · ")

    def test_the_main_window_lists_at_once_what_was_opened(
        self, qtbot: QtBot, quick: QuickSearch, opened: OpenedFiles
    ) -> None:
        window = app_of(quick).window
        assert not window.shows_results
        quick.show()
        typed(qtbot, quick, "dashi")
        press(quick, Key.Key_Return)
        qtbot.waitUntil(lambda: window.shows_results)
        assert window.results.view.section is not None
        assert window.results.view.section.section == "Dashi"

    def test_before_anything_was_opened_it_asks_to_type(
        self, start_quick: StartQuick, notes: Path
    ) -> None:
        quick = start_quick(notes)
        assert listed(quick) == []
        assert quick.window.page.page.title == "Type to search 3 notes"


def test_the_model_is_consistent(
    qtbot: QtBot, quick: QuickSearch, qtmodeltester: object, start: StartApp
) -> None:
    typed(qtbot, quick, "food")
    qtmodeltester.check(quick.model)  # type: ignore[attr-defined]


def test_the_keys_return_when_no_more_results_are_awaited(qtbot: QtBot) -> None:
    """ "Finding related…" takes the room of a hint; the hint once stayed away."""
    summary = ResultsSummary(LIGHT, shows_order=False)
    foot = StatusBar(LIGHT, summary)
    for part in (summary, foot):
        part.set_theme(LIGHT)
    qtbot.addWidget(foot)
    foot.set_hints([KeyHint(("Enter",), "Open note"), KeyHint(("Ctrl", "K"), "All actions")])
    summary.set_count("78 sections in 18 notes")
    foot.show_summary(True)
    foot.show()
    foot.resize(foot.sizeHint().width() + 20, foot.height())
    opening = next(label for label in foot.findChildren(QLabel) if label.text() == "Open note")
    qtbot.waitUntil(opening.isVisible)
    summary.set_finding_related(True)
    qtbot.waitUntil(lambda: bool(seen_order(summary)))
    foot.show_summary(True)
    assert not opening.isVisible()
    summary.set_finding_related(False)
    qtbot.waitUntil(opening.isVisible)
