"""Actions on the selected section: outline, related sections, reasons, links and the way back."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.app import App
from notesearch.gui.session.pane_popovers import find_backlinks
from notesearch.gui.widgets.answer_texts import why_sentences
from notesearch.gui.widgets.popovers import WhyPopover
from notesearch.messages import NO_SENTENCE
from notesearch.results import SectionResult, Why
from tests.folders import write
from tests.gui.fixture_types import StartApp
from tests.gui.opened_files import OpenedFiles, OpenedLinks
from tests.gui.sample_results import section
from tests.gui.using_window import ALT, CONTROL, SHIFT, Key, press, previewed, typed
from tests.indexed import indexed


def shown(app: App) -> str:
    return previewed(app).split("\n", 1)[0]


@pytest.fixture
def on_food(qtbot: QtBot, app: App) -> App:
    """The program with the section "Food" in the preview."""
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "food")
    return app


def test_the_outline_shows_the_current_section_and_the_matches(qtbot: QtBot, on_food: App) -> None:
    press(qtbot, on_food, Key.Key_O, CONTROL | SHIFT)
    popover = on_food.window.choices
    assert popover.current is not None
    assert popover.current.text == "Food"
    qtbot.waitUntil(lambda: any(choice.badge for choice in popover.model.choices))
    badges = {choice.text: choice.badge for choice in popover.model.choices}
    assert badges["Kyoto"] == "3"
    assert badges["Food"] == "2"
    assert badges["Temples"] == ""
    press(qtbot, on_food, Key.Key_O, CONTROL | SHIFT)
    assert not popover.is_open


def test_enter_in_the_outline_shows_the_section(qtbot: QtBot, on_food: App) -> None:
    on_food.window.preview.head.outline_button.click()
    QTest.keyClicks(on_food.window.focusWidget(), "temp")
    with qtbot.waitSignal(on_food.pane.preview.shown):
        press(qtbot, on_food, Key.Key_Return)
    assert shown(on_food) == "Temples"


def test_ctrl_enter_in_the_outline_opens_the_editor(
    qtbot: QtBot, on_food: App, links: OpenedLinks
) -> None:
    on_food.preferences.change(editor="codium")
    on_food.actions.outline.trigger()
    QTest.keyClicks(on_food.window.focusWidget(), "temp")
    with qtbot.waitSignal(on_food.pane.opener.opened) as told:
        press(qtbot, on_food, Key.Key_Return, CONTROL)
    assert told.args[0] is None, "it is not the selected section"
    [url] = links.urls
    assert url.endswith("/travel/Trip%20to%20Japan.md:17:1")


def test_any_place_can_be_opened_in_the_editor(
    qtbot: QtBot, on_food: App, opened: OpenedFiles
) -> None:
    on_food.pane.opener.open_at(("kitchen/Recipes.md", 3))
    qtbot.waitUntil(lambda: opened.files == ["Recipes.md"])


def test_alt_left_and_right_go_back_and_forward(qtbot: QtBot, on_food: App) -> None:
    seen = [shown(on_food)]
    for line in (17, 21):
        with qtbot.waitSignal(on_food.pane.preview.shown):
            on_food.pane.preview.go_to(("travel/Trip to Japan.md", line))
        seen.append(shown(on_food))
    for key in (Key.Key_Left, Key.Key_Left, Key.Key_Right):
        with qtbot.waitSignal(on_food.pane.preview.shown):
            press(qtbot, on_food, key, ALT)
        seen.append(shown(on_food))
    assert seen == ["Food", "Temples", "Packing", "Temples", "Food", "Temples"]
    for button in (Qt.MouseButton.BackButton, Qt.MouseButton.ForwardButton):
        with qtbot.waitSignal(on_food.pane.preview.shown):
            QTest.mouseClick(on_food.window.preview.browser.viewport(), button)
        seen.append(shown(on_food))
    assert seen[6:] == ["Food", "Temples"], "so do the mouse's own buttons"
    on_food.window.field.setFocus()
    with qtbot.waitSignal(on_food.pane.preview.shown):
        press(qtbot, on_food, Key.Key_Down)
    request = on_food.pane.preview.request
    press(qtbot, on_food, Key.Key_Left, ALT)
    assert on_food.pane.preview.request is request, "another selection starts a new history"


def test_alt_up_widens_the_latest_selection(qtbot: QtBot, on_food: App) -> None:
    press(qtbot, on_food, Key.Key_End, CONTROL)  # and at once, the former section being on show
    section = on_food.window.results.view.section
    assert section is not None
    press(qtbot, on_food, Key.Key_Up, ALT | SHIFT)
    with qtbot.waitSignal(on_food.pane.preview.shown):
        assert section.title != "Trip to Japan"
    assert on_food.pane.preview.content is not None
    assert on_food.pane.preview.content.text.path == section.path


def test_a_parent_heading_is_a_link_with_a_way_back(qtbot: QtBot, on_food: App) -> None:
    parts = on_food.window.preview.head.breadcrumb.findChildren(QPushButton)
    kyoto = next(part for part in parts if part.text() == "Kyoto")
    with qtbot.waitSignal(on_food.pane.preview.shown):
        QTest.mouseClick(kyoto, Qt.MouseButton.LeftButton)
    assert shown(on_food) == "Kyoto"
    with qtbot.waitSignal(on_food.pane.preview.shown):
        press(qtbot, on_food, Key.Key_Up, ALT)
    assert shown(on_food) == "Trip to Japan", "wider is around what is on show"
    for _ in range(1):
        with qtbot.waitSignal(on_food.pane.preview.shown):
            press(qtbot, on_food, Key.Key_Left, ALT)
    assert shown(on_food) == "Food"


def test_alt_p_hides_the_preview(qtbot: QtBot, on_food: App, start: StartApp, notes: Path) -> None:
    width, share = on_food.window.results.width(), _share(on_food)
    press(qtbot, on_food, Key.Key_P, ALT)
    assert not on_food.window.preview.isVisible()
    qtbot.waitUntil(lambda: on_food.window.results.width() > width)
    on_food.window.close()
    again = start(notes)
    assert not again.window.shows_preview, "it stays so"
    press(qtbot, again, Key.Key_P, ALT)
    typed(qtbot, again, "food")
    assert _share(again) == pytest.approx(share, abs=0.02)


def _share(app: App) -> float:
    results, preview = app.window.panes.sizes()
    return results / (results + preview)


def test_hiding_the_preview_moves_the_focus_to_the_field(qtbot: QtBot, on_food: App) -> None:
    on_food.window.preview.setFocus()
    press(qtbot, on_food, Key.Key_P, ALT)
    assert on_food.window.focusWidget() in on_food.window.field.children()


def test_why_explains_a_result(qtbot: QtBot, on_food: App) -> None:
    press(qtbot, on_food, Key.Key_K, CONTROL)
    QTest.keyClicks(on_food.window.focusWidget(), "why")
    press(qtbot, on_food, Key.Key_Return)
    why = on_food.window.why
    assert why.is_open
    told = "It is listed first because its name is your query.", "Ranked 1st for your words."
    assert tuple(why.text.splitlines()[:2]) == told
    press(qtbot, on_food, Key.Key_Escape)
    assert not why.is_open
    assert on_food.window.field.text == "food"


def test_a_long_heading_does_not_hide_the_reasons(on_food: App) -> None:
    why = on_food.window.why
    heights = []
    for heading in ("long " * 30, "long " * 300):
        why.explain(section("a.md", heading), compared=True)
        heights.append(why.card.height())
    assert heights[0] == heights[1]
    why.close_up()


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (
            Why(2, 1, ("headings", "body")),
            [
                "Ranked 2nd for your words.",
                "Your words are in: the heading, the text.",
                "Ranked 1st by meaning.",
            ],
        ),
        (
            Why(1, None, ("links",)),
            [
                "Ranked 1st for your words.",
                "It contains a link to the address in your query.",
                "Not a close match in meaning.",
            ],
        ),
        (
            Why(11, 2, ("headings",), named=True),
            [
                "It is listed first because its name is your query.",
                "Ranked 11th for your words.",
                "Your words are in: the heading.",
                "Ranked 2nd by meaning.",
            ],
        ),
        (Why(None, 7), ["It contains none of your words.", "Ranked 7th by meaning."]),
        (
            Why(1_200, None, ("path",)),
            [
                "Ranked 1,200th for your words.",
                "Your words are in: the file name.",
                "Not a close match in meaning.",
            ],
        ),
        (Why(filters=("tag:a", "-path:b")), ["It matches your filters: tag:a, -path:b."]),
        (Why(), ["You opened or changed it recently."]),
    ],
)
def test_reasons_are_sentences(why: Why, said: list[str]) -> None:
    assert why_sentences(_found(why)) == said


def test_a_section_that_was_not_compared_by_meaning_is_not_called_far() -> None:
    assert why_sentences(_found(Why(2, None, ("body",))), compared=False) == [
        "Ranked 2nd for your words.",
        "Your words are in: the text.",
    ]


def _found(why: Why) -> SectionResult:
    from dataclasses import replace

    return replace(section("Trip.md", "Food"), why=why)


def test_related_sections_need_meaning(qtbot: QtBot, on_food: App) -> None:
    on_food.actions.related.trigger()
    popover = on_food.window.choices
    qtbot.waitUntil(lambda: popover.is_open)
    assert popover.model.rowCount() == 0


def in_place_of_rows(app: App) -> str:
    """Return the visible text between the filter field and the key hints, if it is in full view."""
    card, only = app.window.choices.card, Qt.FindChildOption.FindDirectChildrenOnly
    (label,) = card.findChildren(QLabel, options=only)
    (field,) = card.findChildren(QLineEdit, options=only)
    assert label.y() > field.geometry().bottom()
    assert label.height() >= label.heightForWidth(label.width())
    assert label.geometry().bottom() < card.height()
    return label.text() if label.isVisible() else ""


def test_related_sections_wait_for_the_vectors(qtbot: QtBot, on_food: App) -> None:
    status = on_food.vault.status
    assert status is not None
    on_food.vault.status = replace(status, pending=5, meaning_problem=NO_SENTENCE)
    on_food.vault.state_changed.emit()
    on_food.actions.related.trigger()
    qtbot.waitUntil(lambda: on_food.window.choices.is_open)
    assert in_place_of_rows(on_food) == "Search by meaning is not ready yet."


def test_related_sections_of_other_notes_are_shown(
    qtbot: QtBot, start: StartApp, notes: Path
) -> None:
    app = start(notes, Settings())
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "day 3")
    app.actions.related.trigger()
    popover = app.window.choices
    qtbot.waitUntil(lambda: popover.is_open)
    titles = {choice.detail for choice in popover.model.choices}
    assert titles
    assert "Trip to Japan" not in titles
    first = popover.model.choices[0]
    with qtbot.waitSignal(app.pane.preview.shown):
        press(qtbot, app, Key.Key_Return)
    assert shown(app) == first.text.rpartition(" › ")[2]


def test_a_note_with_only_front_matter_is_shown_without_text(
    qtbot: QtBot, start: StartApp, notes: Path
) -> None:
    write(notes, {"people/Jane Doe.md": "---\nbirthday: 1990-05-01\n---\n"})
    app = start(notes)
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "jane doe")
    found = app.window.results.view.section
    assert found is not None
    assert (found.path, found.line) == ("people/Jane Doe.md", 1)
    assert previewed(app) == ""


def test_backlinks_are_the_sections_that_link_to_the_note(
    qtbot: QtBot, on_food: App, notes: Path
) -> None:
    path = str(on_food.pane.preview.place and on_food.pane.preview.place[0])
    target = Path(path).stem
    write(
        notes,
        {
            "Plans.md": f"# Plans\n\n## Spring\n\nSee [[{target}]] and [[{target}|this]].\n\n"
            f"## Autumn\n\n`[[{target}]]`\n\n### Money\n\nAs in [the trip](<{path}>).\n",
            "Empty.md": "# Empty\n",
        },
    )
    _wait_for_links(qtbot, on_food, path, 3)
    press(qtbot, on_food, Key.Key_B, CONTROL | SHIFT)
    popover = on_food.window.choices
    qtbot.waitUntil(lambda: popover.is_open)
    assert [(one.text, one.detail) for one in popover.model.shown] == [
        ("Spring", "Plans"),
        ("Autumn › Money", "Plans"),
    ]
    assert popover.list.accessibleName() == "Backlinks"
    with qtbot.waitSignal(on_food.pane.preview.shown):
        press(qtbot, on_food, Key.Key_Return)
    assert shown(on_food) == "Spring"
    press(qtbot, on_food, Key.Key_B, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: popover.is_open)
    assert popover.model.shown == []
    assert in_place_of_rows(on_food) == "No other note links to this one."
    field = popover.findChild(QLineEdit)
    assert field is not None
    assert field.placeholderText() == "Filter backlinks"


def test_backlinks_are_found_without_reading_the_notes(tmp_path: Path) -> None:
    """Thousands of notes may link to one, and reading all of them once took seconds."""
    linking = "# {0}\n\n## Bow\n\n[[Boat]] and [[Boat]]\n\n## Stern\n\n[[Boat]]\n"
    notes = {f"{name}.md": linking.format(name.upper()) for name in "ab"}
    with indexed(tmp_path, {"Boat.md": "# Boat\n", **notes}) as library:
        for name in notes:
            (tmp_path / "vault" / name).unlink()
        found = find_backlinks(library, "Boat.md")
    assert [(row.text, row.detail, row.value) for row in found] == [
        ("Bow", "A", ("a.md", 5)),
        ("Stern", "A", ("a.md", 9)),
        ("Bow", "B", ("b.md", 5)),
        ("Stern", "B", ("b.md", 9)),
    ]


def test_rows_of_different_notes_never_look_alike(tmp_path: Path) -> None:
    text = "# {0}\n\n## May\n\nOut in the [[Boat]].\n"
    notes = {"2024/Log.md": "Log", "2025/Log.md": "Log", "Plan.md": "Plan"}
    written = {path: text.format(title) for path, title in notes.items()}
    with indexed(tmp_path, {"Boat.md": "# Boat\n", **written}) as library:
        found = find_backlinks(library, "Boat.md")
    assert sorted((row.text, row.detail) for row in found) == [
        ("May", "2024/Log.md"),
        ("May", "2025/Log.md"),
        ("May", "Plan"),
    ]


def test_backlinks_show_the_words_of_blocks(tmp_path: Path) -> None:
    block = "64f0c0de-1111-4222-8333-444455556666"
    notes = {
        "Boat.md": f"- Hull\n  id:: {block}\n",
        "Plan.md": f"- (({block}))\n\t- Spring\n\t\t- as in [[Boat]]\n",
    }
    with indexed(tmp_path, notes) as library:
        found = find_backlinks(library, "Boat.md")
    assert [row.text for row in found] == ["Hull", "Hull › Spring"]


def _wait_for_links(qtbot: QtBot, app: App, path: str, count: int) -> None:
    """Wait until the index knows ``count`` links to a note: earlier changes are told late, too."""
    assert app.vault.session is not None
    library = app.vault.session.main.library
    assert library is not None
    app.vault.refresh()
    qtbot.waitUntil(lambda: len(library.parts[""].backlinks(path)) == count)


def _starts_with(popover: WhyPopover, text: str) -> bool:
    return popover.text.startswith(text)


def test_a_late_answer_about_a_missing_note_does_not_replace_why_a_section_is_there(
    on_food: App,
) -> None:
    popover = on_food.window.why
    on_food.actions.why_not.trigger()
    QTest.keyClicks(popover.field, "Recipes")
    on_food.actions.why.trigger()
    reasons = popover.text
    popover.answer("Recipes", ["It is number 9."])
    assert popover.text == reasons
    assert popover.card.hasFocus()


def test_it_tells_why_a_note_is_not_here(qtbot: QtBot, on_food: App) -> None:
    on_food.actions.why_not.trigger()
    popover = on_food.window.why
    assert popover.is_open
    text = popover.field.fontMetrics().horizontalAdvance(popover.field.placeholderText())
    assert popover.field.width() > text
    for name, reason in (
        ("Recipes", "It is number"),
        ("dashi", "“Recipes › Dashi” is not among the results."),
        ("Nowhere", "No note or heading is called “Nowhere”."),
    ):
        popover.field.setText(name)
        QTest.keyClick(popover.field, Key.Key_Return)
        qtbot.waitUntil(partial(_starts_with, popover, reason))
    QTest.keyClick(popover.field, Key.Key_Backspace)
    assert popover.text == "", "the answer is about another name"
    press(qtbot, on_food, Key.Key_Escape)
    assert not popover.is_open
    assert on_food.window.field.text == "food"
