"""Colours with enough contrast, and sizes that follow the system font."""

from collections.abc import Iterator
from dataclasses import asdict

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QListView
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.results.results_delegate import RowMetrics
from notesearch.gui.results.results_model import HeaderRow, ResultsModel
from notesearch.gui.results.results_view import ResultsView
from notesearch.gui.widgets import icons, theme
from notesearch.gui.widgets.theme import DARK, LIGHT, Role, Theme, contrast, high_contrast
from notesearch.gui.window.appearance import stylesheet
from tests.gui.sample_results import note

READABLE, VISIBLE = 4.5, 3.0

PAIRS = [
    ("text", "base", READABLE),
    ("text", "window", READABLE),
    ("text", "accent_soft", READABLE),
    ("text2", "base", READABLE),
    ("text2", "window", READABLE),
    ("text2", "accent_soft", READABLE),
    ("selection_text", "selection", READABLE),
    ("text3", "base", READABLE),
    ("text3", "window", READABLE),
    ("text3", "raised", READABLE),
    ("text3", "hover", READABLE),
    ("text3", "warn_soft", READABLE),
    ("text3", "danger_soft", READABLE),
    ("text2", "hover", READABLE),
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


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(colours: Theme) -> None:
    for upper, lower, least in PAIRS:
        found = contrast(getattr(colours, upper), getattr(colours, lower))
        assert found >= least, (upper, lower)


def test_the_contrast_ratio() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def desktop(window: str, text: str, accent: str, on_accent: str, link: str) -> QPalette:
    colours, role = QPalette(), QPalette.ColorRole
    roles = (role.Window, role.WindowText, role.Highlight, role.HighlightedText, role.Link)
    for place, colour in zip(roles, (window, text, accent, on_accent, link), strict=True):
        colours.setColor(place, QColor(colour))
    return colours


NIGHT = desktop("#000000", "#FFFFFF", "#1AEBFF", "#000000", "#FFFF00")
PALE = desktop("#444444", "#999999", "#555555", "#666666", "#4444AA")


@pytest.mark.parametrize("colours", [NIGHT, PALE], ids=["of the desktop", "too pale"])
@pytest.mark.parametrize("dark", [True, False])
def test_high_contrast(colours: QPalette, dark: bool) -> None:
    chosen = high_contrast(colours, dark=dark)
    for upper, lower, least in PAIRS:
        needed = 7.0 if upper.startswith("text") else least
        found = contrast(getattr(chosen, upper), getattr(chosen, lower))
        assert found >= needed, (upper, lower)


def test_high_contrast_uses_the_desktops_colours() -> None:
    chosen = high_contrast(NIGHT, dark=False)
    assert (chosen.window, chosen.text, chosen.accent) == ("#000000", "#ffffff", "#1aebff")
    assert chosen.dark
    assert high_contrast(PALE, dark=True).text == "#FFFFFF"


@pytest.mark.parametrize("dark", [True, False])
def test_the_selected_row_of_a_list_is_seen_in_high_contrast(
    qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch, dark: bool
) -> None:
    chosen = high_contrast(PALE, dark=dark)
    assert contrast(chosen.selection, chosen.raised) >= 3
    assert contrast(chosen.selection, chosen.selection_text) >= 7
    monkeypatch.setattr("notesearch.gui.window.appearance.prefers_high_contrast", lambda: True)
    app.appearance.update()
    app.actions.all_actions.trigger()
    assert differing(app.window.choices.list, 0, 1), "the first is selected"
    app.settings_controller.show()
    assert app.settings_controller.dialog is not None
    names = app.settings_controller.dialog.names
    app.settings_controller.dialog.page.setFocus()
    names.clearFocus()
    assert differing(names, 0, 1)
    edge = QRect(0, 40, 6, 6)
    without_focus = names.grab(edge).toImage()
    app.settings_controller.dialog.activateWindow()
    names.setFocus()
    qtbot.waitUntil(names.hasFocus)
    assert names.grab(edge).toImage() != without_focus, "its ring has the colour of its ground"


def differing(rows: QListView, first: int, second: int) -> bool:
    """Return whether the left edges of two rows, without any text, look different."""
    places = [rows.visualRect(rows.model().index(row, 0)) for row in (first, second)]
    edges = [rows.viewport().grab(QRect(place.topLeft(), QSize(6, 16))) for place in places]
    return edges[0].toImage() != edges[1].toImage()


@pytest.mark.parametrize("dark", [True, False])
def test_what_cannot_be_used_differs_in_high_contrast(dark: bool) -> None:
    """A disabled button looked like any other."""
    chosen = high_contrast(PALE, dark=dark)
    assert contrast(chosen.disabled, chosen.window) >= 4.5
    assert contrast(chosen.disabled, chosen.text) >= 2


@pytest.mark.parametrize("dark", [False, True])
def test_the_scope_switch_is_readable_in_high_contrast(qapp: QApplication, dark: bool) -> None:
    chosen = high_contrast(PALE, dark=dark)
    sheet = stylesheet(chosen)
    rule = next(line for line in sheet.splitlines() if "scopeSwitch QPushButton:checked" in line)
    assert f"background: {chosen.base}" in rule
    assert f"color: {chosen.text}" in rule


@pytest.mark.parametrize(("size", "ring"), [(10.0, 2), (30.0, 6)])
def test_the_focus_ring_grows_with_the_text(qapp: QApplication, size: float, ring: int) -> None:
    usual, large = qapp.font(), qapp.font()
    large.setPointSizeF(size)
    qapp.setFont(large)
    try:
        rules = stylesheet(LIGHT).split("}")
    finally:
        qapp.setFont(usual)
    focused = [rule for rule in rules if ":focus {" in rule and "px solid" in rule]
    assert all(f"border: {ring}px solid {LIGHT.accent}" in rule for rule in focused[:1])
    assert any("#searchField[active" in rule and f"border: {ring}px" in rule for rule in rules)


def test_the_windows_follow_the_desktops_contrast_preference(
    qtbot: QtBot, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = app.theme
    monkeypatch.setattr("notesearch.gui.window.appearance.prefers_high_contrast", lambda: True)
    app.appearance.update()
    assert contrast(app.theme.text3, app.theme.window) >= 15 > contrast(usual.text3, usual.window)
    assert app.window.theme is app.theme
    monkeypatch.undo()
    app.appearance.update()
    assert app.theme == usual


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_placeholders_can_be_read(app: App, theme: str) -> None:
    app.preferences.change(theme=theme)
    app.appearance.update()
    app.actions.all_actions.trigger()
    field = app.window.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.placeholderText()
    written = field.palette().placeholderText().color()
    assert written.alpha() == 255
    assert contrast(written.name(), app.theme.base) >= READABLE


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
def test_choosing_a_theme(setting: str, scheme: Qt.ColorScheme, chosen: Theme) -> None:
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


@pytest.fixture
def usual_font(qapp: QApplication) -> Iterator[None]:
    """The desktop's font has 10 pt, for which lengths in the design are."""
    before = qapp.font()
    qapp.setFont(QFont(before.family(), 10))
    yield
    qapp.setFont(before)


@pytest.mark.parametrize(
    ("role", "pixels", "weight"),
    [
        (Role.ROW, 13, QFont.Weight.Normal),
        (Role.ROW_STRONG, 13, QFont.Weight.DemiBold),
        (Role.META, 11, QFont.Weight.Normal),
        (Role.NOTE, 12, QFont.Weight.DemiBold),
        (Role.BODY, 15, QFont.Weight.Normal),
    ],
)
def test_texts_have_the_sizes_of_the_design(
    usual_font: None, role: Role, pixels: int, weight: QFont.Weight
) -> None:
    shown = theme.font(role)
    assert (QFontInfo(shown).pixelSize(), shown.weight()) == (pixels, weight)


def test_rows_of_the_list_have_the_sizes_of_the_design(usual_font: None) -> None:
    metrics = RowMetrics(flat=False, compact=False, width=400)
    fonts = {"note": metrics.header, "section": metrics.strong, "details": metrics.meta}
    assert {name: (QFontInfo(one).pixelSize(), one.weight()) for name, one in fonts.items()} == {
        "note": (12, QFont.Weight.DemiBold),
        "section": (13, QFont.Weight.DemiBold),
        "details": (11, QFont.Weight.Normal),
    }


def test_there_are_16_pixels_above_a_group(usual_font: None) -> None:
    metrics = RowMetrics(flat=False, compact=False, width=400)
    header = HeaderRow(note("B.md", "Dashi"), first=False)
    below = metrics.header_height + theme.px(6)
    assert metrics.height(header) - below == 16


def test_the_title_of_a_note_is_secondary_and_has_a_page_before_it(
    usual_font: None, qtbot: QtBot
) -> None:
    model = ResultsModel()
    view = ResultsView(model, LIGHT)
    model.setParent(view)
    view.setPalette(theme.palette(LIGHT))
    qtbot.addWidget(view)
    view.resize(400, 300)
    model.set_notes([note("████.md", "Dashi")])
    image = view.viewport().grab(view.visualRect(model.index(0))).toImage()

    def darkest(left: int, right: int) -> str:
        across = ((x, y) for x in range(left, right) for y in range(image.height()))
        return min((image.pixelColor(x, y) for x, y in across), key=QColor.lightness).name()

    metrics = RowMetrics(flat=False, compact=False, width=400)
    end = metrics.header_left + metrics.px(13)
    assert contrast(darkest(metrics.header_left, end), LIGHT.window) > VISIBLE
    assert darkest(end + 1, end + metrics.px(60)) == LIGHT.text2.lower()


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_is_complete(qapp: QApplication, colours: Theme) -> None:
    sheet = stylesheet(colours)
    assert sheet.count("{") == sheet.count("}")
    assert "None" not in sheet
    assert theme.palette(colours).window().color().name() == colours.window.lower()
    tokens = {name: value for name, value in asdict(colours).items() if name != "preview_font"}
    assert all(value for value in tokens.values() if isinstance(value, str))


@pytest.mark.parametrize("name", [*icons._DRAWINGS])
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
