"""The look of all windows, from the settings and the desktop: theme, font, style sheet."""

import time
from dataclasses import fields
from functools import cache
from weakref import WeakSet

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionComplex,
    QWidget,
)

from notesearch.config import resources
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.theme import (
    Role,
    Theme,
    choose_theme,
    connect_contrast_change,
    focus_ring,
    high_contrast,
    palette,
    points,
    prefers_high_contrast,
    px,
    scaled,
    with_look,
)

_LOOK_SETTINGS = {"theme", "text_size", "density", "snippets", "related_tag", "preview_font"}
_PAUSE_MS = 50

_MADE_FOR_DOCUMENTS = {
    *("arial", "bitstream vera sans", "dejavu sans", "freesans", "helvetica", "liberation sans"),
    *("luxi sans", "nimbus sans", "sans serif", "verdana"),
}
"""Fonts that Qt uses if the desktop names none. No desktop of today names one of these."""


class WidgetStyle(QProxyStyle):
    """Qt's style Fusion with a sharp tick in menus, and visible outlines in its own dialogs."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw a part of a control. Fusion's own tick is coarse on screens with many pixels."""
        if element != QStyle.PrimitiveElement.PE_IndicatorMenuCheckMark:
            super().drawPrimitive(element, option, painter, widget)
            if element == QStyle.PrimitiveElement.PE_IndicatorCheckBox:
                _draw_outline(painter, option)
            return
        room = option.rect
        ink = option.palette.color(QPalette.ColorRole.Text).name()
        ratio = painter.device().devicePixelRatioF()
        tick = icons.pixmap("check", ink, min(room.width(), room.height()), ratio, 2.2)
        painter.drawPixmap(room.topLeft(), tick)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Draw a control. Fusion's own outlines cannot be seen in a dark window."""
        super().drawComplexControl(control, option, painter, widget)
        if control in {QStyle.ComplexControl.CC_ComboBox, QStyle.ComplexControl.CC_SpinBox}:
            _draw_outline(painter, option)


def _draw_outline(painter: QPainter, option: QStyleOption) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(option.palette.color(QPalette.ColorRole.Dark))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
    painter.restore()


class Appearance(QObject):
    """Styles the application at once, and again whenever the settings or the desktop change.

    Attributes:
        theme: The theme of the windows.

    Signals:
        changed: The theme or the size of the text has changed; carries the ``Theme``.
    """

    changed = Signal(object)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self._desktop_font = QApplication.font()
        self._font = interface_font(self._desktop_font)
        self._windows: WeakSet[QWidget] = WeakSet()
        self._sheet = ""
        self._updated_at = 0.0
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._soon.timeout.connect(self.update)
        self.theme = self._apply()
        preferences.changed.connect(self._on_settings_changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.update)
        connect_contrast_change(self.update)

    def style(self, window: QWidget) -> None:
        """Apply the style sheet to ``window``, now and after each change.

        Qt takes four times as long to apply a style sheet to the whole application.
        """
        self._windows.add(window)
        window.setStyleSheet(self._sheet)

    @Slot()
    def update(self) -> None:
        """Apply the settings and the colours of the desktop."""
        self._soon.stop()
        self.theme = self._apply()
        self.changed.emit(self.theme)
        self._updated_at = time.monotonic()

    def close(self) -> None:
        """Restore the font of the application."""
        self._soon.stop()
        QApplication.setFont(self._desktop_font)

    def _apply(self) -> Theme:
        settings = self._preferences.settings
        scheme = QGuiApplication.styleHints().colorScheme()
        chosen = choose_theme(settings.theme, scheme)
        if prefers_high_contrast():
            QApplication.setPalette(QPalette())  # then ``palette`` returns the desktop's own
            chosen = high_contrast(QApplication.palette(), dark=chosen.dark)
        theme = with_look(chosen, settings)
        QApplication.setFont(scaled(self._font, settings.text_size))
        QApplication.setPalette(palette(theme))
        self._sheet = stylesheet(theme)
        for window in self._windows:
            if window.styleSheet() != self._sheet:  # else Qt would style all widgets for nothing
                window.setStyleSheet(self._sheet)
        return theme

    @Slot(object)
    def _on_settings_changed(self, names: frozenset[str]) -> None:
        if not names & _LOOK_SETTINGS:
            return
        # A held arrow key chooses one size or font after another: apply only the last.
        if time.monotonic() - self._updated_at > _PAUSE_MS / 1000:
            self.update()
        else:
            self._soon.start()


def interface_font(desktop: QFont) -> QFont:
    """Return ``desktop``, the font of the desktop; Inter in the same size if it is unsuitable."""
    if QFontInfo(desktop).family().casefold() not in _MADE_FOR_DOCUMENTS:
        return desktop
    chosen = QFont(desktop)
    chosen.setFamilies([_inter(), *desktop.families()])  # Inter lacks the letters of some scripts
    return chosen


@cache
def _inter() -> str:
    """Load the faces of Inter once for the program, and return the name of the family."""
    for face in sorted((resources() / "fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(face))
    return "Inter"


_SHEET = """
QWidget {{ color: {text}; }}
QCheckBox:disabled, QComboBox:disabled {{ color: {disabled}; }}
QComboBox {{ selection-color: {accent_text}; }}
QLineEdit {{ placeholder-text-color: {text3}; }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {border}; padding: {p4}px; }}
QLabel {{ background: transparent; }}
*[tone="text2"] {{ color: {text2}; }}
*[tone="text3"] {{ color: {text3}; }}
*[tone="danger"] {{ color: {danger}; }}
*[role="meta"] {{ font-size: {meta}pt; }}
*[role="code"] {{ font-family: "{mono}"; font-size: {code_size}pt; }}
*[role="strong"] {{ font-weight: 600; }}
#qt_msgbox_label {{ font-weight: 600; }}
*[role="title"] {{ font-size: {title}pt; font-weight: 600; }}
QPushButton {{
    background: {base}; color: {text}; border: 1px solid {border_strong}; border-radius: {r6}px;
    padding: {p4}px {p14}px; min-height: {button}px; outline: none;
}}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed {{ background: {accent_soft}; }}
QPushButton:focus {{ border: {ring}px solid {accent}; padding: {f4}px {f14}px; }}
QPushButton:disabled {{ color: {disabled}; border-color: {border}; }}
QPushButton[primary="true"] {{
    background: {accent}; color: {accent_text}; border: 1px solid {accent}; font-weight: 600;
}}
QPushButton[primary="true"]:focus {{ border: {ring}px solid {text}; }}
QPushButton[link="true"] {{
    background: transparent; color: {link}; border: {ring}px solid transparent;
    padding: {p3}px {p8}px; text-align: left;
}}
QPushButton[link="true"]:hover {{ text-decoration: underline; }}
QPushButton[link="true"]:focus {{ border-color: {accent}; }}
#found {{ border: 1px solid {border}; border-radius: {r8}px; padding: 0; min-height: {found}px; }}
#found:focus {{ border: {ring}px solid {accent}; padding: 0; }}
QToolButton {{
    background: transparent; color: {text2}; border: {ring}px solid transparent;
    border-radius: {r6}px; padding: {p4}px; outline: none;
}}
QToolButton[chosen="true"] {{ color: {accent}; font-weight: 600; }}
QToolButton:disabled {{ color: {disabled}; }}
#order {{ font-size: {meta}pt; color: {text3}; padding: 0; min-height: 0; border-width: 1px; }}
#order:hover {{ color: {text}; background: transparent; }}
#chip {{
    background: {accent_soft}; color: {text}; border: none; border-radius: {r6}px;
    padding: {p3}px {p8}px; font-size: {meta}pt;
}}
#chip:pressed {{ background: {accent}; color: {accent_text}; }}
#chrome QToolButton {{ min-width: {tool}px; min-height: {tool}px; }}
QToolButton:hover {{ background: {hover}; }}
QToolButton:pressed {{ background: {accent_soft}; }}
QToolButton:focus {{ border-color: {accent}; }}
QToolButton::menu-indicator {{ image: none; }}
QMenu {{
    background: {raised}; color: {text}; border: 1px solid {border}; border-radius: {r6}px;
    padding: {p4}px; menu-scrollable: 1;
}}
QMenu::item {{ padding: {p6}px {p24}px {p6}px {p12}px; border-radius: {r4}px; }}
QMenu::indicator {{ width: {p14}px; height: {p14}px; left: {p8}px; }}
QMenu::item:selected {{ background: {selection}; color: {selection_text}; }}
QMenu::item:disabled {{ color: {disabled}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {border}; margin: {p4}px {p8}px; }}
QScrollBar:vertical {{ background: transparent; width: {bar}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {bar}px; margin: 0; }}
QScrollBar::handle {{ background: {outline}; border-radius: {bar_radius}px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: {p24}px; }}
QScrollBar::handle:horizontal {{ min-width: {p24}px; }}
QScrollBar::handle:hover {{ background: {border_strong}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
#mainWindow, #chrome, #resultsPane {{ background: {window}; }}
#chrome {{ border: none; border-bottom: 1px solid {border}; }}
#progressLine {{
    background: {border}; border: none; min-height: {p4}px; max-height: {p4}px;
}}
#progressLine::chunk {{ background: {accent}; }}
#statusBar {{ background: {window}; border: none; border-top: 1px solid {border}; }}
#statusBar QPushButton {{ padding: 1px {p3}px; min-height: 0; }}
#page, #previewPane {{ background: {base}; }}
#previewText {{ background: {base}; border: {ring}px solid {base}; }}
#keyList {{ border: {ring}px solid {window}; }}
#previewText:focus, #keyList:focus {{ border-color: {accent}; }}
QSplitter::handle {{ background: {border}; }}
QListView {{ background: {window}; border: none; outline: none; }}
#searchField {{
    background: {base}; border: 1px solid {border_strong}; border-radius: {r8}px;
    padding: {ring_room}px;
}}
#searchField[active="true"] {{ border: {ring}px solid {accent}; padding: 0; }}
#searchField QLineEdit {{
    background: transparent; border: none; padding: 0; font-size: {query}pt;
}}
#findBar {{ background: {window}; border: none; border-top: 1px solid {border}; }}
#banner {{ background: {warn_soft}; border: none; border-bottom: 1px solid {border}; }}
#offer {{ background: {accent_soft}; border: none; border-bottom: 1px solid {border}; }}
#notice {{ background: {danger_soft}; border: none; border-bottom: 1px solid {border}; }}
#keyCap {{
    background: {base}; color: {text2}; border: 1px solid {border}; border-bottom-color: {outline};
    border-radius: {r4}px; padding: 0 {p5}px; font-size: {key}pt;
}}
#card {{ background: {base}; border: 1px solid {outline}; }}
#card[soft="true"] {{ border-radius: {r12}px; }}
#quickField {{ background: transparent; border: none; border-bottom: 1px solid {border}; }}
#quickField QLineEdit {{
    background: transparent; border: none; padding: 0; font-size: {quick_query}pt;
}}
#card #resultsPane, #card QListView {{ background: {base}; }}
#card #page {{ background: transparent; }}
#quickFoot {{ background: {window}; border: none; border-top: 1px solid {border}; }}
#quickFoot[soft="true"] {{
    border-bottom-left-radius: {r11}px; border-bottom-right-radius: {r11}px;
}}
#popover {{ background: {raised}; border: 1px solid {outline}; border-radius: {r8}px; }}
#popover QListView {{ background: {raised}; }}
#popover QLineEdit, #findBar QLineEdit, #boxed {{
    background: {base}; border: 1px solid {border_strong}; border-radius: {r6}px;
    padding: 1px {p8}px;
}}
#popover QComboBox, #settings QComboBox {{
    padding: {p4}px {p8}px; min-height: {button}px; selection-color: {selection_text};
}}
#popover QComboBox QAbstractItemView, #settings QComboBox QAbstractItemView {{
    background: {raised}; color: {text}; border: 1px solid {border};
    selection-background-color: {selection};
}}
#popover QLineEdit:focus, #findBar QLineEdit:focus, #boxed:focus {{
    border: {ring}px solid {accent}; padding: 0 {f8}px;
}}
QPrintDialog QLineEdit, QFileDialog QLineEdit {{
    background: {base}; border: 1px solid {border_strong}; border-radius: {r4}px; padding: {p3}px;
}}
QPrintDialog QLineEdit:focus, QFileDialog QLineEdit:focus {{ border-color: {accent}; }}
QPrintDialog QRadioButton::indicator {{
    width: {p12}px; height: {p12}px; border: 1px solid {border_strong}; border-radius: {round}px;
    background: {base};
}}
QPrintDialog QRadioButton::indicator:checked {{
    width: {p6}px; height: {p6}px; border: {p4}px solid {accent}; background: {accent_text};
}}
#settings, #settingsPage, #settingsBody {{ background: {base}; border: none; }}
#settingsNames {{
    background: {window}; border: none; border-right: 1px solid {border}; padding: {p8}px;
    outline: none;
}}
#settingsNames::item {{
    color: {text}; padding: {p6}px {p12}px; border-radius: {r6}px;
    border: {ring}px solid transparent;
}}
#settingsNames::item:hover {{ background: {hover}; }}
#settingsNames::item:selected {{ background: {selection}; color: {selection_text}; }}
#settingsNames::item:focus {{ border-color: {accent}; }}
#settingsProblem {{ background: {danger_soft}; color: {text}; padding: {p8}px {p24}px; }}
#settingsProblems {{ border: none; }}
#settingsProblems:focus {{ border: {ring}px solid {accent}; }}
#settingsBox {{ background: {window}; border: 1px solid {border}; border-radius: {r8}px; }}
#settings QLineEdit, #settings QPlainTextEdit, #boxedList {{
    background: {base}; color: {text}; border: 1px solid {border_strong}; border-radius: {r6}px;
    padding: {p4}px {p8}px;
}}
#settings QLineEdit:focus, #settings QPlainTextEdit:focus, #boxedList:focus {{
    border: {ring}px solid {accent}; padding: {f4}px {f8}px;
}}
#settings QLineEdit:disabled {{ color: {disabled}; border-color: {border}; }}
#boxedList::item {{ padding: {p3}px {p4}px; border-radius: {r4}px; }}
#boxedList::item:hover {{ background: {hover}; }}
#boxedList::item:selected {{ background: {selection}; color: {selection_text}; }}
#boxedList QLineEdit, #boxedList QLineEdit:focus {{
    border: none; border-radius: 0; padding: 0; margin: 0;
}}
#settings QCheckBox, #page QCheckBox {{ padding: {p3}px; spacing: {p8}px; }}
#settings QCheckBox::indicator, #page QCheckBox::indicator {{ width: {tick}px; height: {tick}px; }}
#previewHead #scopeSwitch {{ background: {hover}; border-radius: {p6}px; }}
#previewHead #scopeSwitch QPushButton {{
    background: transparent; color: {text2}; border: 1px solid transparent;
    border-radius: {p5}px; padding: 0 {p10}px; min-height: {p22}px; font-size: {small}pt;
}}
#previewHead #scopeSwitch QPushButton:hover {{ color: {text}; }}
#previewHead #scopeSwitch QPushButton:checked {{ background: {segment}; color: {text};
    border-color: {border}; }}
#previewHead #scopeSwitch QPushButton:focus {{
    border: {ring}px solid {accent}; padding: 0 {f10}px;
}}
#previewHead #crumb {{
    color: {text2}; border: {ring}px solid transparent; border-radius: {p4}px; padding: 0;
    margin: 0; min-width: 0; min-height: {p18}px;
}}
#previewHead #crumb:hover {{ color: {link}; background: transparent; text-decoration: underline; }}
#previewHead #crumb:focus {{ border-color: {accent}; color: {link}; }}
#previewHead #crumb:disabled {{ color: {text2}; }}
#previewHead #crumb[own="true"] {{ color: {text}; }}
#previewHead #separator {{ color: {text2}; padding: 0 {gap}px; }}
#previewHead #step {{ min-width: {p14}px; min-height: {p14}px; padding: 1px; }}
#previewHead QLabel {{ color: {text2}; }}
"""

_HIGH_CONTRAST = """
#settingsNames:focus {{ border: {ring}px solid {accent}; padding: {names}px; }}
"""
"""The ring of an item would not be seen beside the item's ground, which has the same colour."""


def stylesheet(theme: Theme) -> str:
    """Return the style sheet of the application in ``theme`` and in the current font size."""
    values: dict[str, object] = {f.name: getattr(theme, f.name) for f in fields(theme)}
    values |= {f"p{n}": px(n) for n in (3, 4, 5, 6, 8, 10, 12, 14, 18, 22, 24)}
    values |= {f"f{n}": px(n) + 1 - focus_ring() for n in (4, 8, 10, 14)}  # beside the focus ring
    values |= {f"r{n}": px(n) for n in (4, 6, 8, 11, 12)}
    is_high_contrast = theme.border == theme.text
    values |= {
        "segment": theme.border if theme.dark and not is_high_contrast else theme.base,
        "small": round(points(Role.ROW) * 0.9, 2),
        "gap": max(0, px(3) - focus_ring()),
        "ring": focus_ring(),
        "names": px(8) - focus_ring(),
        "ring_room": focus_ring() - 1,
        "button": px(20),
        "tool": px(20),
        "round": px(12) // 2 + 1,
        "tick": px(18),
        "found": px(44),
        "bar": px(10),
        "bar_radius": max(1, (px(10) - 4) // 2),
        "meta": points(Role.META),
        "title": points(Role.TITLE),
        "query": points(Role.QUERY),
        "quick_query": points(Role.QUICK_QUERY),
        "key": points(Role.KEY),
        "code_size": points(Role.CODE),
        "mono": QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family(),
    }
    return (_SHEET + _HIGH_CONTRAST * is_high_contrast).format(**values)
