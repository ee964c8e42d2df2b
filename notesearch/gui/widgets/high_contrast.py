"""The theme for desktops in high contrast: the desktop's own colours, and few of them."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette

from notesearch.gui.widgets.theme import Theme

_DARK_BELOW = 0.5
_FULL = 15.0
_READABLE = 4.5
_VISIBLE = 3.0
_GROUNDS = (
    "window",
    "base",
    "raised",
    "accent_soft",
    "hover",
    "code",
    "danger_soft",
    "warn_soft",
)
_INKS = (
    "border",
    "border_strong",
    "outline",
    "text",
    "text2",
    "text3",
    "code_text",
    "code_keyword",
    "code_function",
    "code_string",
    "code_comment",
    "code_number",
    "code_builtin",
    "danger",
    "warn",
    "ok",
)
_MARK, _MARK_CURRENT, _INK = "#FFE08A", "#FFB84D", "#000000"


def connect_change(slot: Callable[[], None]) -> None:
    """Call ``slot``, a method of a QObject, when the desktop's contrast preference changes."""
    hints = QGuiApplication.styleHints()
    if hasattr(hints, "accessibility"):  # since Qt 6.10
        access = hints.accessibility()
        access.contrastPreferenceChanged.connect(slot)


def is_preferred() -> bool:
    """Return whether the desktop prefers high contrast."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    access = hints.accessibility()  # owned by ``hints``, which must stay referenced
    return bool(access.contrastPreference() == Qt.ContrastPreference.HighContrast)


def high_contrast(desktop: QPalette, *, dark: bool) -> Theme:
    """Return a theme in the desktop's colours, or in black and white if those lack contrast.

    Args:
        desktop: The desktop's palette.
        dark: Use white on black if the desktop's colours lack contrast.
    """
    role = QPalette.ColorRole
    ground, ink = (_name(desktop, one) for one in (role.Window, role.WindowText))
    if contrast(ground, ink) < _FULL:
        ground, ink = ("#000000", "#FFFFFF") if dark else ("#FFFFFF", "#000000")
    accent, written = _name(desktop, role.Highlight), _name(desktop, role.HighlightedText)
    if contrast(accent, ground) < _VISIBLE or contrast(accent, written) < _READABLE:
        accent, written = ink, ground
    link = _name(desktop, role.Link)
    if contrast(link, ground) < _READABLE:
        link = ink
    is_dark = QColor(ground).lightnessF() < _DARK_BELOW
    tokens: dict[str, Any] = dict.fromkeys(_GROUNDS, ground) | dict.fromkeys(_INKS, ink)
    return Theme(
        **tokens,
        name="dark" if is_dark else "light",
        dark=is_dark,
        accent=accent,
        accent_text=written,
        mark=_MARK,
        mark_text=_INK,
        mark_current=_MARK_CURRENT,
        mark_current_text=_INK,
        link=link,
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _name(desktop: QPalette, role: QPalette.ColorRole) -> str:
    return desktop.color(QPalette.ColorGroup.Active, role).name()
