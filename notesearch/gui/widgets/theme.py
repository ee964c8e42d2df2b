"""The look of the windows: colours (light, dark, high contrast), fonts, and lengths in pixels."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from notesearch.config import Settings


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a window, as ``#RRGGBB``, and other options of its look; light by default.

    Attributes:
        window: Background of the window and the result list.
        base: Background of the preview and fields.
        raised: Background of menus and popovers.
        border: Thin lines.
        border_strong: Outlines of controls.
        outline: Outlines of labels and key caps.
        text, text2, text3: Normal, pale and very pale text; ``text3`` is not readable on
            ``accent_soft``.
        disabled: Text of controls that cannot be used now.
        accent: Focus, primary button and selection.
        accent_soft: Background of the selected result.
        selection, selection_text: Background and text of the selected row of a menu or list.
        compact, snippets: Whether result rows have less space, and a snippet.
        preview_font: A family; ``serif`` is the desktop's serif font, empty is the default.
    """

    name: str
    dark: bool
    window: str = "#F6F6F4"
    base: str = "#FFFFFF"
    raised: str = "#FFFFFF"
    border: str = "#DFDFDA"
    border_strong: str = "#8A8D93"
    outline: str = "#CBCBC6"
    text: str = "#1D2024"
    text2: str = "#545A63"
    text3: str = "#656B75"
    disabled: str = "#656B75"
    accent: str = "#2F5BD0"
    accent_text: str = "#FFFFFF"
    accent_soft: str = "#E6ECFB"
    selection: str = "#E6ECFB"
    selection_text: str = "#1D2024"
    hover: str = "#EFEFEC"
    mark: str = "#FFEBB5"
    mark_text: str = "#1D2024"
    mark_current: str = "#FFB84D"
    mark_current_text: str = "#1D2024"
    link: str = "#2450C4"
    code: str = "#F3F3F0"
    code_text: str = "#33383F"
    code_keyword: str = "#BF2F7B"
    code_function: str = "#2F5BD0"
    code_string: str = "#1B7A43"
    code_comment: str = "#666C76"
    code_number: str = "#9A5B00"
    code_builtin: str = "#6C4BC1"
    danger: str = "#B3261E"
    danger_soft: str = "#FBE9E7"
    warn: str = "#8A5A00"
    warn_soft: str = "#FFF3D6"
    ok: str = "#1B7A43"
    compact: bool = False
    snippets: bool = True
    related_tag: bool = True
    preview_font: str = ""


LIGHT = Theme("light", dark=False)
DARK = Theme(
    "dark",
    dark=True,
    window="#191B1E",
    base="#1F2226",
    raised="#24272C",
    border="#34383E",
    border_strong="#7C838D",
    outline="#4A4F57",
    text="#E6E8EB",
    text2="#A9B0BA",
    text3="#919AA5",
    disabled="#919AA5",
    accent="#8FB0FF",
    accent_text="#10131A",
    accent_soft="#2A3550",
    selection="#2A3550",
    selection_text="#E6E8EB",
    hover="#282C31",
    mark="#5C4A12",
    mark_text="#FFF6DC",
    mark_current="#E3A72F",
    mark_current_text="#14161A",
    link="#9DB9FF",
    code="#272B30",
    code_text="#D5DAE0",
    code_keyword="#FF8FC7",
    code_function="#9DB9FF",
    code_string="#7FDDA6",
    code_comment="#9098A3",
    code_number="#F0B866",
    code_builtin="#C5A8FF",
    danger="#FF9B92",
    danger_soft="#40211F",
    warn="#F2C464",
    warn_soft="#3A2F14",
    ok="#6FD39A",
)


def choose_theme(setting: str, colour_scheme: Qt.ColorScheme) -> Theme:
    """Return the theme for the value ``setting``; for "system", follow the ``colour_scheme``."""
    if setting in {"light", "dark"}:
        return DARK if setting == "dark" else LIGHT
    return DARK if colour_scheme == Qt.ColorScheme.Dark else LIGHT


def with_look(theme: Theme, settings: Settings) -> Theme:
    """Return ``theme`` with density, snippets, labels and preview font from ``settings``."""
    return replace(
        theme,
        compact=settings.density == "compact",
        snippets=settings.snippets,
        related_tag=settings.related_tag,
        preview_font=settings.preview_font,
    )


def scaled(base: QFont, per_cent: int) -> QFont:
    """Return a copy of the font ``base`` at ``per_cent`` of its size."""
    font = QFont(base)
    if base.pointSizeF() > 0:
        font.setPointSizeF(base.pointSizeF() * per_cent / 100)
    else:
        font.setPixelSize(max(1, round(base.pixelSize() * per_cent / 100)))
    return font


class Role(Enum):
    """The role of a text: its size, as a multiple of the application's, and its weight."""

    QUERY = 1.15, QFont.Weight.Normal
    QUICK_QUERY = 1.45, QFont.Weight.Normal
    TITLE = 1.45, QFont.Weight.DemiBold
    BODY = 1.125, QFont.Weight.Normal
    ROW = 1.0, QFont.Weight.Normal
    ROW_STRONG = 1.0, QFont.Weight.DemiBold
    NOTE = 0.92, QFont.Weight.DemiBold
    SNIPPET = CODE = 0.95, QFont.Weight.Normal
    MORE = 0.9, QFont.Weight.Normal
    META = 0.85, QFont.Weight.Normal
    KEY = 0.8, QFont.Weight.Normal


def points(role: Role) -> float:
    """Return the size in points of the font of ``role``; it follows the application's font."""
    return round(max(QApplication.font().pointSizeF(), 6.0) * role.value[0], 2)


def font(role: Role) -> QFont:
    """Return the font of ``role``: the application's font in another size and weight."""
    chosen = QFont(QApplication.font())
    chosen.setPointSizeF(points(role))
    chosen.setWeight(role.value[1])
    return chosen


def px(length: float) -> int:
    """Return a length in pixels for the application's font and screen; at least 1.

    ``length`` is in pixels for a font of 10 pt at 96 dpi.
    """
    base = QApplication.font()
    screen = QApplication.primaryScreen()
    size = base.pointSizeF() * screen.logicalDotsPerInchY() / 72
    if size <= 0:
        size = base.pixelSize()
    return max(1, round(length * size / (10 * 96 / 72)))


def focus_ring() -> int:
    """Return the thickness in pixels of the ring around a focused control; at least 2."""
    return max(2, px(2))


def draw_box(
    painter: QPainter,
    box: QRect | QRectF,
    radius: float,
    *,
    fill: QColor | None = None,
    edge: QColor | None = None,
    width: int = 1,
) -> None:
    """Draw a box with round corners: its ground, and inside it an edge ``width`` pixels wide."""
    inset = width / 2 if edge else 0
    painter.setBrush(fill or Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(edge, width) if edge else Qt.PenStyle.NoPen)
    painter.drawRoundedRect(QRectF(box).adjusted(inset, inset, -inset, -inset), radius, radius)


def palette(theme: Theme) -> QPalette:
    """Return the palette that gives standard Qt widgets the colours of ``theme``."""
    chosen = QPalette()
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.base,
        role.AlternateBase: theme.hover,
        role.Text: theme.text,
        role.PlaceholderText: theme.text3,
        role.Button: theme.window,
        role.ButtonText: theme.text,
        role.BrightText: theme.danger,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.accent_text,
        role.Accent: theme.accent,
        role.Link: theme.link,
        role.LinkVisited: theme.link,
        role.Light: theme.raised,
        role.Midlight: theme.hover,
        role.Mid: theme.border,
        role.Dark: theme.border_strong,
        role.Shadow: theme.border_strong,
    }
    for colour_role, value in colours.items():
        chosen.setColor(colour_role, QColor(value))
    for colour_role in (role.WindowText, role.Text, role.ButtonText):
        chosen.setColor(QPalette.ColorGroup.Disabled, colour_role, QColor(theme.disabled))
    return chosen


_DARK_BELOW = 0.5
_FULL = 15.0
_READABLE = 4.5
_VISIBLE = 3.0
_GREY_ON_DARK = "#A0A0A0"
_GREY_ON_LIGHT = "#5F5F5F"
_GROUNDS = "window base raised accent_soft hover code danger_soft warn_soft".split()
_INKS = """
    border border_strong outline text text2 text3 code_text code_keyword code_function
    code_string code_comment code_number code_builtin danger warn ok
""".split()


def connect_contrast_change(slot: Callable[[], None]) -> None:
    """Call ``slot``, a method of a QObject, when the desktop's contrast preference changes."""
    hints = QGuiApplication.styleHints()
    if hasattr(hints, "accessibility"):  # since Qt 6.10
        hints.accessibility().contrastPreferenceChanged.connect(slot)


def prefers_high_contrast() -> bool:
    """Return whether the desktop prefers high contrast."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    access = hints.accessibility()  # owned by ``hints``, which must stay referenced
    return bool(access.contrastPreference() == Qt.ContrastPreference.HighContrast)


def high_contrast(desktop: QPalette, *, dark: bool) -> Theme:
    """Return a theme in the colours of the palette ``desktop``.

    If those lack contrast, it is white on black if ``dark``, else black on white.
    """
    role = QPalette.ColorRole
    ground, ink = _name(desktop, role.Window), _name(desktop, role.WindowText)
    if contrast(ground, ink) < _FULL:
        ground, ink = ("#000000", "#FFFFFF") if dark else ("#FFFFFF", "#000000")
    accent, accent_text = _name(desktop, role.Highlight), _name(desktop, role.HighlightedText)
    if contrast(accent, ground) < _VISIBLE or contrast(accent, accent_text) < _READABLE:
        accent, accent_text = ink, ground
    link = _name(desktop, role.Link)
    if contrast(link, ground) < _READABLE:
        link = ink
    is_dark = QColor(ground).lightnessF() < _DARK_BELOW
    colours: dict[str, Any] = dict.fromkeys(_GROUNDS, ground) | dict.fromkeys(_INKS, ink)
    return Theme(
        **colours,
        name="dark" if is_dark else "light",
        dark=is_dark,
        disabled=_GREY_ON_DARK if is_dark else _GREY_ON_LIGHT,
        accent=accent,
        accent_text=accent_text,
        selection=accent,
        selection_text=accent_text,
        link=link,
    )


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two ``#RRGGBB`` colours, from 1 to 21, as in WCAG 2."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _name(desktop: QPalette, role: QPalette.ColorRole) -> str:
    return desktop.color(QPalette.ColorGroup.Active, role).name()
