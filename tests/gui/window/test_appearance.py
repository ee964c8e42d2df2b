"""The font of the interface, and the style of its widgets."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QPalette,
)
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.widgets.theme import DARK, LIGHT, Theme, contrast, high_contrast, palette
from notesearch.gui.window.appearance import WidgetStyle, interface_font, stylesheet

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_desktop_without_a_font_of_its_own_gets_inter_in_the_size_of_the_desktop() -> None:
    desktop = QFont("DejaVu Sans", 11)

    chosen = interface_font(desktop)

    assert QFontInfo(chosen).family() == "Inter"
    assert chosen.pointSizeF() == desktop.pointSizeF()


def test_letters_that_inter_lacks_come_from_the_font_of_the_desktop() -> None:
    assert interface_font(QFont("DejaVu Sans", 11)).families() == ["Inter", "DejaVu Sans"]


def test_semibold_is_a_face_of_its_own_and_not_the_regular_one_drawn_thicker() -> None:
    font = interface_font(QFont("DejaVu Sans", 11))
    widths = []
    for weight in (QFont.Weight.Normal, QFont.Weight.DemiBold, QFont.Weight.Bold):
        font.setWeight(weight)
        widths.append(QFontMetricsF(font).horizontalAdvance("Trip to Japan"))

    assert widths == sorted(set(widths))


def test_a_font_that_the_desktop_chose_stays() -> None:
    families = [name for name in QFontDatabase.families() if "Mono" in name and "Sans" in name]
    desktop = QFont(families[0], 11)

    assert interface_font(desktop) is desktop


@pytest.fixture
def styled(qapp: QApplication) -> Iterator[QApplication]:
    """The application in the style of the program; font, palette and style are put back."""
    font, colours = qapp.font(), qapp.palette()
    qapp.setStyle(WidgetStyle())
    yield qapp
    qapp.setStyleSheet("")
    qapp.setFont(font)
    qapp.setPalette(colours)
    qapp.setStyle("Fusion")


def inked(image: QImage, room: QRect) -> QRect:
    """Return the rectangle around all pixels in ``room`` that differ from its first one."""
    ground = image.pixelColor(room.topLeft())
    found = QRect()
    for x in range(room.left(), room.right() + 1):
        for y in range(room.top(), room.bottom() + 1):
            if image.pixelColor(x, y) != ground:
                found |= QRect(x, y, 1, 1)
    return found


@pytest.mark.parametrize("points", [10.0, 30.0])
def test_the_tick_of_a_menu_grows_with_the_text(
    qtbot: QtBot, styled: QApplication, points: float
) -> None:
    font = styled.font()
    font.setPointSizeF(points)
    styled.setFont(font)
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(stylesheet(LIGHT))
    menu = QMenu(window)
    chosen = menu.addAction("Best match first")
    chosen.setCheckable(True)
    chosen.setChecked(True)
    menu.ensurePolished()
    menu.resize(menu.sizeHint())
    image = menu.grab().toImage()

    row = menu.actionGeometry(chosen)
    before_text = QRect(row.topLeft() + QPoint(2, 2), row.size()).adjusted(0, 0, -4, -4)
    before_text.setWidth(round(points * 2.4))
    tick = inked(image, before_text)

    assert tick.height() >= QFontMetricsF(font).ascent() * 0.6
    assert tick.width() > tick.height()


@pytest.mark.parametrize("kind", [QComboBox, QSpinBox])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_outline_of_a_control_of_qts_dialogs_is_visible(
    qtbot: QtBot, styled: QApplication, theme: Theme, kind: type[QWidget]
) -> None:
    styled.setPalette(palette(theme))
    control = kind()
    qtbot.addWidget(control)
    control.resize(200, 30)
    image = control.grab().toImage()

    edge = QColor(image.pixelColor(100, 0)).name()
    assert contrast(edge, theme.window) >= 3


WHITE_ON_BLACK, BLACK_ON_WHITE = QPalette(QColor("black")), QPalette(QColor("white"))


@pytest.mark.parametrize("where", ["settings", ""], ids=["settings", "dialog of Qt"])
@pytest.mark.parametrize(
    "theme",
    [
        LIGHT,
        DARK,
        high_contrast(WHITE_ON_BLACK, dark=True),
        high_contrast(BLACK_ON_WHITE, dark=False),
    ],
    ids=["light", "dark", "white on black", "black on white"],
)
def test_the_current_choice_of_an_open_drop_down_is_legible(
    qtbot: QtBot, styled: QApplication, theme: Theme, where: str
) -> None:
    styled.setPalette(palette(theme))
    window = QWidget()
    qtbot.addWidget(window)
    window.setObjectName(where)
    styled.setStyleSheet(stylesheet(theme))
    box = QComboBox(window)
    box.addItems(["Comfortable", "Compact"])
    window.show()
    box.showPopup()
    view = box.view()
    row = view.visualRect(view.currentIndex())
    image = view.viewport().grab(row).toImage()

    ground = image.pixelColor(3, 3).name()
    inks = {image.pixelColor(x, row.height() // 2).name() for x in range(row.width() // 2)}
    assert max(contrast(ink, ground) for ink in inks) >= 4.5
