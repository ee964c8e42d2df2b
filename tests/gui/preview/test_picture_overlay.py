"""A picture of a note, enlarged above the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.picture_overlay import PictureOverlay
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import LIGHT
from notesearch.results import SectionText
from tests.gui.preview_contents import show_text
from tests.gui.trip_note import shown

Key = Qt.Key
BLUE, RED = QColor("#31577d"), QColor("#903020")
SOURCE = "Two pictures:\n\n![](maps/blue.png)\n\nand\n\n![](red.png)\n\n![](missing.png)\n"


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication, vault: Path) -> PreviewPane:
    """Show a note with a picture of 300 x 100 and one of 1400 x 1200 pixels."""
    (vault / "maps").mkdir()
    for name, width, height, colour in (("maps/blue", 300, 100, BLUE), ("red", 1400, 1200, RED)):
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.fill(colour)
        image.save(str(vault / f"{name}.png"))
    pane = shown(qtbot, qapp)
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, SOURCE)
    show_text(pane, text, vault=vault)
    pane.browser.setFocus()
    return pane


def overlay(pane: PreviewPane) -> PictureOverlay | None:
    return pane.window().findChild(PictureOverlay)


def click_picture(
    pane: PreviewPane, number: int = 0, button: Qt.MouseButton = Qt.MouseButton.LeftButton
) -> PictureOverlay | None:
    """Click on a picture in the text."""
    document = pane.browser.document()
    positions = [at for at, sign in enumerate(document.toRawText()) if sign == "\ufffc"]
    place = document.documentLayout().blockBoundingRect(document.findBlock(positions[number]))
    pane.browser.verticalScrollBar().setValue(round(place.top()) - 150)
    top = place.top() - pane.browser.verticalScrollBar().value()
    point = QPoint(round(place.left()) + 20, round(top) + 12)
    QTest.mouseClick(pane.browser.viewport(), button, pos=point)
    return overlay(pane)


def middle_colour(shown: PictureOverlay) -> QColor:
    center = shown.picture_area.center().toPoint()
    return shown.grab().toImage().pixelColor(center)


def test_nothing_of_the_window_is_seen_beside_the_picture(pane: PreviewPane) -> None:
    shown = click_picture(pane)
    assert shown is not None
    picture = pane.window().grab().toImage()
    column = {picture.pixelColor(12, y).name() for y in range(picture.height() - 40)}
    assert column == {LIGHT.window.lower()}


def test_a_click_enlarges_a_picture_to_the_window(pane: PreviewPane) -> None:
    shown = click_picture(pane)
    assert shown is not None
    assert shown.name == "blue.png"
    assert shown.rect() == pane.window().rect()
    assert shown.picture_area.width() == 600, "small pictures are enlarged twice at most"
    assert middle_colour(shown) == BLUE
    assert shown.accessibleName() == "Enlarged picture: blue.png"


def test_a_large_picture_fits_the_window_whatever_its_size(pane: PreviewPane) -> None:
    pane.enlarge("red.png")
    shown = overlay(pane)
    assert shown is not None
    assert shown.rect().contains(shown.picture_area.toRect())
    pane.resize(400, 300)
    assert shown.rect() == pane.rect()
    assert shown.rect().contains(shown.picture_area.toRect())
    assert shown.picture_area.width() / shown.picture_area.height() == pytest.approx(1400 / 1200)


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Return, Key.Key_Space])
def test_keys_close_it_and_the_text_has_the_keyboard_again(
    qtbot: QtBot, pane: PreviewPane, key: Key
) -> None:
    shown = click_picture(pane)
    assert shown is not None
    assert shown.hasFocus()
    QTest.keyClick(shown, key)
    qtbot.waitUntil(lambda: overlay(pane) is None)
    assert pane.browser.hasFocus()


def test_a_click_closes_it_and_a_drag_moves_it(qtbot: QtBot, pane: PreviewPane) -> None:
    shown = click_picture(pane)
    assert shown is not None
    before = shown.picture_area
    QTest.mousePress(shown, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    QTest.mouseMove(shown, QPoint(230, 210))
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=QPoint(230, 210))
    assert shown.picture_area.center() - before.center() == QPoint(30, 10)
    QTest.mouseClick(shown, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    qtbot.waitUntil(lambda: overlay(pane) is None)


def test_keys_zoom_and_lead_to_the_other_pictures(pane: PreviewPane) -> None:
    pane.enlarge_first()
    shown = overlay(pane)
    assert shown is not None
    fitted = shown.picture_area
    QTest.keyClick(shown, Key.Key_Plus)
    assert shown.picture_area.width() == pytest.approx(1.25 * fitted.width())
    QTest.keyClick(shown, Key.Key_Down)
    assert shown.picture_area.center().y() < fitted.center().y()
    QTest.keyClick(shown, Key.Key_0)
    assert shown.picture_area == fitted
    QTest.keyClick(shown, Key.Key_Minus)
    assert shown.picture_area == fitted, "it is never smaller than it fits"
    names = []
    for _ in range(2):
        QTest.keyClick(shown, Key.Key_Right)
        names.append(shown.name)
    assert names == ["red.png", "blue.png"], "the last leads to the first"


def test_a_box_for_a_missing_picture_is_not_enlarged(pane: PreviewPane) -> None:
    assert click_picture(pane, 2) is None


def test_only_the_left_button_enlarges_a_picture(pane: PreviewPane) -> None:
    assert click_picture(pane, button=Qt.MouseButton.MiddleButton) is None


def test_selecting_text_up_to_a_picture_does_not_enlarge_it(pane: PreviewPane) -> None:
    browser = pane.browser
    place = browser.document().documentLayout().blockBoundingRect(browser.document().findBlock(14))
    inside = QPoint(round(place.left()) + 20, round(place.top()) + 12)
    QTest.mousePress(browser.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 20))
    QTest.mouseMove(browser.viewport(), inside)
    QTest.mouseRelease(browser.viewport(), Qt.MouseButton.LeftButton, pos=inside)
    assert browser.selected_text()
    assert overlay(pane) is None


def test_without_pictures_nothing_opens(qtbot: QtBot, qapp: QApplication) -> None:
    pane = shown(qtbot, qapp)
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "Words"))
    pane.enlarge_first()
    assert overlay(pane) is None


def test_a_key_that_leads_elsewhere_uncovers_the_window(qtbot: QtBot, pane: PreviewPane) -> None:
    assert click_picture(pane)
    pane.head.open_button.setFocus(Qt.FocusReason.ShortcutFocusReason)
    qtbot.waitUntil(lambda: overlay(pane) is None)
    assert pane.head.open_button.hasFocus()
