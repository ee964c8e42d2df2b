"""The font of the interface."""

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF

from notesearch.gui.window.appearance import interface_font

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
