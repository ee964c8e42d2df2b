"""Colours that can be told apart, sizes that follow the system font."""

from collections.abc import Iterator
from dataclasses import asdict

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from notesearch.gui import icons, theme
from notesearch.gui.stylesheet import stylesheet
from notesearch.gui.theme import DARK, LIGHT, Role, Theme

READABLE, VISIBLE = 4.5, 3.0

PAIRS = [
    ("text", "base", READABLE),
    ("text", "window", READABLE),
    ("text", "accent_soft", READABLE),
    ("text2", "base", READABLE),
    ("text2", "window", READABLE),
    ("text2", "accent_soft", READABLE),
    ("text3", "base", READABLE),
    ("text3", "window", READABLE),
    ("accent_text", "accent", READABLE),
    ("mark_text", "mark", READABLE),
    ("mark_current_text", "mark_current", READABLE),
    ("link", "base", READABLE),
    ("link", "window", READABLE),
    ("code_text", "code", READABLE),
    ("code_keyword", "code", READABLE),
    ("code_function", "code", READABLE),
    ("code_string", "code", READABLE),
    ("code_comment", "code", READABLE),
    ("code_number", "code", READABLE),
    ("code_builtin", "code", READABLE),
    ("text", "warn_soft", READABLE),
    ("text", "danger_soft", READABLE),
    ("warn", "warn_soft", VISIBLE),
    ("danger", "danger_soft", VISIBLE),
    ("ok", "window", VISIBLE),
    ("accent", "window", VISIBLE),
    ("border_strong", "base", VISIBLE),
    ("border_strong", "window", VISIBLE),
]


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("upper", "lower", "least"), PAIRS)
def test_contrast(colours: Theme, upper: str, lower: str, least: float) -> None:
    one, other = sorted(luminance(getattr(colours, name)) for name in (upper, lower))
    assert (other + 0.05) / (one + 0.05) >= least


@pytest.mark.parametrize(
    ("setting", "scheme", "chosen"),
    [
        ("system", Qt.ColorScheme.Dark, DARK),
        ("system", Qt.ColorScheme.Light, LIGHT),
        ("system", Qt.ColorScheme.Unknown, LIGHT),
        ("dark", Qt.ColorScheme.Light, DARK),
        ("light", Qt.ColorScheme.Dark, LIGHT),
        ("nonsense", Qt.ColorScheme.Dark, DARK),
    ],
)
def test_choosing(setting: str, scheme: Qt.ColorScheme, chosen: Theme) -> None:
    assert theme.choose_theme(setting, scheme) is chosen


@pytest.fixture
def large_font(qapp: QApplication) -> Iterator[None]:
    before = qapp.font()
    qapp.setFont(QFont(before.family(), 20))
    yield
    qapp.setFont(before)


def test_sizes_follow_the_system_font(large_font: None) -> None:
    assert theme.points(Role.ROW) == 20
    assert theme.points(Role.META) == 17
    assert theme.px(100) == 200
    assert theme.font(Role.ROW_STRONG).weight() == QFont.Weight.DemiBold


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_is_complete(qapp: QApplication, colours: Theme) -> None:
    sheet = stylesheet(colours)
    assert sheet.count("{") == sheet.count("}")
    assert "None" not in sheet
    assert theme.palette(colours).window().color().name() == colours.window.lower()
    tokens = {name: value for name, value in asdict(colours).items() if name != "preview_font"}
    assert all(value for value in tokens.values() if isinstance(value, str))


@pytest.mark.parametrize("name", icons.names())
def test_every_icon_draws_something(qapp: QApplication, name: str) -> None:
    for ratio in (1.0, 2.0):
        drawn = icons.pixmap(name, "#FF0000", 16, ratio)
        assert drawn.width() == 16 * ratio
        image = drawn.toImage()
        alphas = {
            image.pixelColor(x, y).alpha()
            for x in range(image.width())
            for y in range(image.height())
        }
        assert max(alphas) > 200
