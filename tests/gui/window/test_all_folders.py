"""All folders of the settings, searched as one."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings, Vault
from notesearch.gui.app import App
from notesearch.gui.results.results_model import HeaderRow, ResultRow
from notesearch.gui.window.main_window import FirstPaint
from tests.folders import write
from tests.gui.fixture_types import StartApp, StartQuick
from tests.gui.opened_files import OpenedFiles
from tests.gui.using_window import ALT, CONTROL, SHIFT, Key, press, previewed, typed

HOME = {
    "boat/varnish.md": "# Varnish\n\n## Coats\n\nThree coats of varnish, see [[Brushes]].\n",
    "Brushes.md": "# Brushes\n\nClean the varnish off with spirit.\n",
}
WORK = {
    "varnish.md": "# Orders\n\n## Coats\n\nVarnish for the hall, forty litres.\n",
    "calls.md": "# Calls\n\nRing the harbour.\n",
}


@pytest.fixture
def two(tmp_path: Path, words_only: Settings) -> Settings:
    """Settings with two folders, which are searched at once."""
    write(tmp_path / "home", HOME)
    write(tmp_path / "office", WORK)
    vaults = Vault(str(tmp_path / "home"), "Home"), Vault(str(tmp_path / "office"))
    return replace(words_only, vault=vaults[0].path, vaults=vaults, all_vaults=True)


@pytest.fixture
def both(start: StartApp, two: Settings) -> App:
    return start(Path(two.vault), two)


def places(app: App) -> set[str]:
    return {row.result.path for row in app.model.rows if isinstance(row, ResultRow)}


def test_the_empty_field_says_that_all_folders_are_searched(both: App) -> None:
    edit = both.window.field.findChild(QLineEdit)
    assert edit is not None
    assert edit.placeholderText() == "Search the notes in all folders"


def test_the_first_paint_has_no_button_that_goes(qtbot: QtBot, two: Settings) -> None:
    first = FirstPaint(two, Paths.choose())
    first.appearance.close()
    qtbot.addWidget(first.window)
    edit = first.window.field.findChild(QLineEdit)
    assert edit is not None
    assert edit.placeholderText() == "Search the notes in all folders"
    assert first.window.folder.isHidden()


def test_one_list_holds_the_sections_of_all_folders(qtbot: QtBot, both: App) -> None:
    typed(qtbot, both, "varnish")
    assert places(both) == {"Home/boat/varnish.md", "Home/Brushes.md", "office/varnish.md"}
    notes = [row.note for row in both.model.rows if isinstance(row, HeaderRow)]
    assert {(note.vault, note.path.partition("/")[0]) for note in notes} == {
        ("Home", "Home"),
        ("office", "office"),
    }
    assert both.switcher.text() == "All folders"
    assert both.window.folder.isHidden()
    assert "4 notes" in both.window.bar.text


def test_each_section_is_read_from_its_own_folder(qtbot: QtBot, both: App) -> None:
    typed(qtbot, both, "varnish")
    seen = {}
    for _ in range(6):
        section = both.window.results.view.section
        assert section is not None
        qtbot.waitUntil(partial(both.pane.preview.shows, section))
        seen[section.path] = previewed(both)
        press(qtbot, both, Key.Key_Down)
    assert "spirit" in seen["Home/Brushes.md"]
    assert "Three coats" in seen["Home/boat/varnish.md"]
    assert "forty litres" in seen["office/varnish.md"]


def test_a_link_leads_to_a_note_of_the_same_folder(qtbot: QtBot, both: App) -> None:
    typed(qtbot, both, "three coats")
    with qtbot.waitSignal(both.pane.preview.shown):
        both.window.preview.browser.link_activated.emit("note:/Brushes.md")
    assert both.pane.preview.place == ("Home/Brushes.md", 1)
    assert "spirit" in previewed(both)
    with qtbot.waitSignal(both.pane.preview.shown):
        press(qtbot, both, Key.Key_Left, ALT)
    assert both.pane.preview.place == ("Home/boat/varnish.md", 3)


def test_the_file_of_the_selected_folder_is_opened_and_listed_again(
    qtbot: QtBot, both: App, opened: OpenedFiles, two: Settings, start: StartApp, qapp: QApplication
) -> None:
    typed(qtbot, both, "forty litres")
    press(qtbot, both, Key.Key_Return)
    qtbot.waitUntil(lambda: opened.files == ["varnish.md"])
    press(qtbot, both, Key.Key_C, CONTROL | ALT)
    assert qapp.clipboard().text() == str(Path(two.vaults[1].path) / "varnish.md")
    press(qtbot, both, Key.Key_L, CONTROL | SHIFT)
    assert qapp.clipboard().text() == "[[varnish#Coats]]"
    both.window.field.clear()
    qtbot.waitUntil(lambda: places(both) == {"office/varnish.md"})
    (row,) = (row for row in both.model.rows if isinstance(row, ResultRow))
    assert [crumb.text for crumb in row.breadcrumb] == ["Orders", "Coats"]
    assert row.facts == ("office",)
    alone = start(Path(two.vaults[1].path), replace(two, all_vaults=False))
    qtbot.waitUntil(lambda: places(alone) == {"varnish.md"})


def test_the_switcher_chooses_all_folders_and_remembers_that(
    qtbot: QtBot, start: StartApp, two: Settings
) -> None:
    app = start(Path(two.vault), replace(two, all_vaults=False))
    assert app.switcher.text() == "Home"
    with qtbot.waitSignal(app.vault.idle):
        app.switcher.all.trigger()
    typed(qtbot, app, "varnish")
    assert {path.partition("/")[0] for path in places(app)} == {"Home", "office"}
    app.preferences.close()
    assert Settings.load(Paths.choose()).all_vaults
    with qtbot.waitSignal(app.vault.idle):
        app.switcher.numbered[1].trigger()
    qtbot.waitUntil(lambda: places(app) == {"varnish.md"})
    assert (app.switcher.text(), app.settings.all_vaults) == ("office", False)
    assert app.window.folder.isVisible()


def test_a_removed_folder_is_searched_no_more(qtbot: QtBot, both: App, two: Settings) -> None:
    typed(qtbot, both, "varnish")
    with qtbot.waitSignal(both.vault.idle):
        both.preferences.change(vaults=two.vaults[:1])
    qtbot.waitUntil(lambda: places(both) == {"boat/varnish.md", "Brushes.md"})
    assert both.switcher.isHidden()


def test_saved_changes_in_each_folder_are_found(qtbot: QtBot, both: App, two: Settings) -> None:
    typed(qtbot, both, "anchor")
    for vault in two.vaults:
        (Path(vault.path) / "anchor.md").write_text("# Anchor\n\nFive metres of chain.\n")
    qtbot.waitUntil(lambda: len(places(both)) == 2)
    assert places(both) == {"Home/anchor.md", "office/anchor.md"}


def test_a_folder_that_is_missing_is_named_and_the_others_answer(
    qtbot: QtBot, start: StartApp, two: Settings
) -> None:
    start(Path(two.vault), two).close()
    office = Path(two.vaults[1].path)
    office.rename(office.with_name("away"))
    app = start(Path(two.vault), two)
    gone = f"“office” is not up to date: The notes folder {two.vaults[1].path}"
    qtbot.waitUntil(lambda: app.window.bar.text.startswith(gone))
    typed(qtbot, app, "varnish")
    assert len(places(app)) == 3, "its last known notes are found, too"
    assert app.window.banner.isHidden()
    office.with_name("away").rename(office)
    app.actions.update_index.trigger()
    qtbot.waitUntil(lambda: app.window.bar.text.startswith("4 notes, s"))


def test_a_folder_that_was_never_there_is_named(
    qtbot: QtBot, start: StartApp, two: Settings, tmp_path: Path
) -> None:
    nowhere = Vault(str(tmp_path / "nowhere"))
    app = start(Path(two.vault), replace(two, vaults=(*two.vaults, nowhere)))
    qtbot.waitUntil(lambda: app.window.bar.text.startswith("“nowhere” is"))
    typed(qtbot, app, "varnish")
    qtbot.waitUntil(lambda: len(places(app)) == 3)


def test_one_note_can_be_searched_alone(qtbot: QtBot, both: App) -> None:
    typed(qtbot, both, "forty litres")
    with qtbot.waitSignal(both.pane.search.settled):
        press(qtbot, both, Key.Key_F, CONTROL | SHIFT)
    press(qtbot, both, Key.Key_A, CONTROL)
    typed(qtbot, both, "varnish")
    assert places(both) == {"office/varnish.md"}


def test_backlinks_stay_in_the_folder(qtbot: QtBot, both: App) -> None:
    typed(qtbot, both, "spirit")
    popover = both.window.choices
    both.actions.backlinks.trigger()
    qtbot.waitUntil(lambda: popover.is_open)
    press(qtbot, both, Key.Key_Return)
    qtbot.waitUntil(lambda: "Three coats" in previewed(both))
    assert both.pane.preview.place == ("Home/boat/varnish.md", 5)


def test_facets_and_completions_count_all_folders(qtbot: QtBot, both: App) -> None:
    typed(qtbot, both, "varnish")
    both.actions.narrow.trigger()
    qtbot.waitUntil(lambda: both.window.choices.is_open)
    assert [one.text for one in both.window.choices.model.shown] == [
        "path:/Home/",
        "path:/Home/boat/",
        "path:/office/",
        "has:link",
    ]
    with qtbot.waitSignal(both.pane.search.settled):
        QTest.keyClicks(both.window.focusWidget(), "office")
        press(qtbot, both, Key.Key_Return)
    assert places(both) == {"office/varnish.md"}


def test_quick_search_names_the_folder_of_each_row(
    qtbot: QtBot, start_quick: StartQuick, two: Settings
) -> None:
    quick = start_quick(Path(two.vault), two)
    quick.show("varnish coats")
    qtbot.waitUntil(lambda: len(quick.model.rows) >= 2)
    facts = {row.facts for row in quick.model.rows if isinstance(row, ResultRow)}
    assert facts == {("Home",), ("office",)}
    spoken = [quick.model.index(number).data() for number in range(len(quick.model.rows))]
    assert any(text.startswith("Orders, Coats, office. ") for text in spoken)
    folder = quick.window.field._folder
    assert (folder.text(), folder.isVisible()) == ("All folders", True)
