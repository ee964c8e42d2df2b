"""The outline of a note, the facets of results, and search tips made from the notes."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.session.pane_popovers import matches_below, outline_choices, section_at
from notesearch.gui.session.query_examples import Examples, find_examples, tips
from notesearch.gui.widgets.popovers import ChoicePopover
from notesearch.libraries import NoteLibraries
from notesearch.library import NoteLibrary
from notesearch.results import SectionLink
from tests.folders import write
from tests.gui.fixture_types import StartApp, StartQuick
from tests.gui.session.test_filters_in_the_field import NOTES
from tests.gui.using_quick import typed as typed_in_quick
from tests.gui.using_window import Key, listed, typed
from tests.indexed import indexed

ALT = Qt.KeyboardModifier.AltModifier


def link(heading: str, level: int, line: int) -> SectionLink:
    return SectionLink(heading, (heading,), level, line, line, 10)


OUTLINE = (
    link("Trip", 0, 1),
    link("Planning", 2, 3),
    link("Kyoto", 2, 5),
    link("Food", 3, 7),
    link("Book ahead", 4, 9),
    link("Day 3", 3, 11),
    link("", 2, 13),
)


def test_headings_are_indented_by_their_level() -> None:
    rows = outline_choices("a.md", OUTLINE, 3, (0, 0, 7, 6, 0, 1, 0))
    assert [(row.text, row.depth, row.badge) for row in rows] == [
        ("Trip", 0, ""),
        ("Planning", 1, ""),
        ("Kyoto", 1, "7"),
        ("Food", 2, "6"),
        ("Book ahead", 3, ""),
        ("Day 3", 2, "1"),
        ("Untitled", 1, ""),
    ]
    assert [row.text for row in rows if row.strong] == ["Food"]


@pytest.mark.parametrize(("line", "at"), [(0, 0), (1, 0), (4, 1), (9, 4), (99, 6)])
def test_a_line_belongs_to_the_section_before_it(line: int, at: int) -> None:
    assert section_at(OUTLINE, line) == at


def test_an_entry_of_the_outline_of_a_pdf_names_its_page() -> None:
    outline = (replace(OUTLINE[0], page=""), replace(OUTLINE[1], page="iv"))
    assert [row.detail for row in outline_choices("a.md", outline, 0)] == ["", "page iv"]


def test_matches_are_counted_for_all_parent_sections() -> None:
    assert matches_below(OUTLINE, [1, 7, 7, 9, 11, 14]) == (1, 0, 4, 3, 1, 1, 1)
    assert matches_below((), [1]) == ()


def offered(popover: ChoicePopover) -> list[tuple[str, str]]:
    return [(choice.text, choice.detail) for choice in popover.model.shown]


def shown(popover: ChoicePopover) -> list[str]:
    return [choice.text for choice in popover.model.shown]


@pytest.fixture
def app(start: StartApp, vault: Path) -> App:
    write(
        vault,
        {
            **NOTES,
            "Hut.md": "# Hut\n\n## Wood stove\n\nWarm.\n\n## Window seats\n\nTwo.\n",
            "Stove.md": "# Stove\n\nIt is in the [[Hut]].\n",
        },
    )
    return start(vault)


def test_a_chosen_facet_becomes_a_chip(qtbot: QtBot, app: App) -> None:
    button, popover = app.window.results.summary.narrow_button, app.window.choices
    assert not button.isVisible()
    typed(qtbot, app, "food")
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: popover.is_open)
    tags = [("tag:travel", "2"), ("tag:travel/japan", "2"), ("tag:deer", "1"), ("tag:repairs", "1")]
    assert offered(popover)[:4] == tags
    assert ("path:/travel/", "2") in offered(popover)
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.keyClicks(app.window.focusWidget(), "deer")
        QTest.keyClick(app.window.focusWidget(), Key.Key_Return)
    field = app.window.field
    assert (list(field.filters), field.text) == (["tag:deer"], "tag:deer food")
    assert listed(app) == ["Nara", "  Nara"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: popover.is_open)
    assert offered(popover) == []
    shown = [label.text() for label in popover.findChildren(QLabel) if label.isVisible()]
    assert "No filter would narrow these results." in shown, "a field would cut it off"


def test_facets_count_all_results_even_if_asked_for_before_the_final_answer(
    qtbot: QtBot, app: App
) -> None:
    typed(qtbot, app, "food")
    app.window.field.set_text("food -stove")
    app.actions.narrow.trigger()
    assert not app.window.choices.is_open, "the answer by words may lack some of the results"
    qtbot.waitUntil(lambda: app.window.choices.is_open)
    assert app.pane.search.answered


def test_facets_of_a_former_query_do_not_open(qtbot: QtBot, app: App) -> None:
    app.window.field.set_text("food")
    app.actions.narrow.trigger()
    app.window.field.clear()
    typed(qtbot, app, "stove")
    QTest.keyClicks(app.window.focusWidget(), "s")
    assert (app.window.field.text, app.window.choices.is_open) == ("stoves", False)


def test_quick_search_narrows_with_a_key(
    qtbot: QtBot, start_quick: StartQuick, vault: Path
) -> None:
    write(vault, NOTES)
    quick: QuickSearch = start_quick(vault)
    quick.show()
    qtbot.waitUntil(quick.window.isActiveWindow)
    typed_in_quick(qtbot, quick, "food")
    QTest.keyClick(quick.window, Key.Key_N, ALT)
    qtbot.waitUntil(lambda: quick.window.choices.is_open)
    with qtbot.waitSignal(quick.pane.search.settled):
        QTest.keyClicks(quick.window.focusWidget(), "deer")
        QTest.keyClick(quick.window.focusWidget(), Key.Key_Return)
    assert quick.window.field.text == "tag:deer food"


@pytest.mark.parametrize("way", ["button", "key"])
def test_examples_come_from_the_notes_and_run(qtbot: QtBot, app: App, way: str) -> None:
    field, popover = app.window.field, app.window.choices
    if way == "button":
        QTest.mouseClick(field.tips_button, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(app.window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: popover.is_open)
    offered = shown(popover)
    assert {"tag:travel", "path:travel", "task:todo"} <= set(offered)
    assert {'links:"Hut"', 'linked-by:"Stove"'} <= set(offered)
    assert '"window seats"' in offered or '"wood stove"' in offered
    assert offered[-1] == "Related"
    with qtbot.waitSignal(app.pane.search.settled):
        QTest.keyClicks(app.window.focusWidget(), "tag:travel")
        QTest.keyClick(app.window.focusWidget(), Key.Key_Return)
    assert field.text == "tag:travel"
    assert {note.path for note in app.model.notes} == {"travel/Kyoto.md", "travel/Nara.md"}
    assert field.isAncestorOf(app.window.focusWidget()), "typing goes on"


def test_each_example_finds_something(app: App, vault: Path) -> None:
    assert app.vault.session is not None
    library = app.vault.session.main.library
    assert isinstance(library, NoteLibrary)
    for query, _ in tips(find_examples(library)):
        if query.partition(":")[0] not in {"task", "has"}:
            assert library.search(query, mode="words").sections, query


def test_tips_need_neither_every_folder_nor_every_note(tmp_path: Path) -> None:
    notes = {"a.md": "# Gone\n", "hut.md": "# Hut\n\nSee [[stove]].\n", "stove.md": "# Stove\n"}
    with indexed(tmp_path / "there", notes) as there:
        gone = NoteLibrary.open(tmp_path / "gone", home=there.paths, settings=there.settings)
        (there.vault / "a.md").unlink()
        joined = NoteLibraries({"gone": gone, "there": there}, joined=True)
        assert find_examples(joined).filters[-2:] == (
            'links:"stove"',
            'linked-by:"hut"',
        )
        gone.close()


def test_examples_are_words_of_rare_headings(tmp_path: Path) -> None:
    common = "## Further results\n\nText.\n"
    notes = {f"{name}.md": f"# {name}\n\n{common}" for name in "abcd"}
    notes["e.md"] = f"# e\n\n{common}\n## Sourdough starter\n\nFlour.\n\n## Baking\n\nHot.\n"
    with indexed(tmp_path / "notes", notes) as library:
        examples = find_examples(library)
    assert examples.words[:2] == ("baking", "sourdough")
    assert examples.heading == "sourdough starter"


def test_an_empty_vault_has_tips_too() -> None:
    assert all(query and meaning for query, meaning in tips(Examples()))


def test_quick_search_has_tips(qtbot: QtBot, quick: QuickSearch) -> None:
    QTest.mouseClick(quick.window.field.tips_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: quick.window.choices.is_open)
    assert quick.window.isVisible()
