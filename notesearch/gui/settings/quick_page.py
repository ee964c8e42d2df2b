"""The Quick search page of the settings, and its first choices on the page of the first run."""

from PySide6.QtCore import QEvent, QKeyCombination, QSize, Qt, Slot
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.quick.tray import Tray, can_stay
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.settings_page import CheckSetting, ProblemLine, SettingsPage, button
from notesearch.gui.system.desktop_entry import login_item
from notesearch.gui.system.global_shortcut import (
    COMMAND,
    PROPOSED,
    Kind,
    Remedy,
    ShortcutController,
    ShortcutState,
)
from notesearch.gui.translation import shortcut_text, tr, translate
from notesearch.gui.widgets.controls import TickBox, show_text, text_label
from notesearch.gui.widgets.theme import px


class LoginBox(TickBox):
    """A check box for start at login; ``problem`` shows why the choice could not be changed."""

    def __init__(self) -> None:
        super().__init__(translate("Start at login"))
        self._item = login_item()
        self.problem = ProblemLine()
        self.clicked.connect(self._choose)
        self.refresh()

    def refresh(self) -> None:
        """Show whether the program starts at login."""
        self.setChecked(self._item.is_set())
        self.problem.report("")

    @Slot(bool)
    def _choose(self, chosen: bool) -> None:
        change = self._item.set if chosen else self._item.clear
        try:
            change()
        except OSError as error:
            self.refresh()
            text = translate("The start at login could not be changed: {reason}.")
            self.problem.report(text.format(reason=error.strerror or str(error)))


REFUSED = {Kind.TAKEN, Kind.UNAVAILABLE}
"""The kinds of state in which the desktop has refused the shortcut."""


class QuickPage(SettingsPage):
    """The page of quick search. It tells the user what this desktop does not support."""

    def __init__(
        self, preferences: Preferences, shortcut: ShortcutController | None, tray: Tray | None
    ) -> None:
        super().__init__(preferences)
        self._tray = tray
        self._shortcut = shortcut
        if shortcut is not None:
            row = ShortcutRow(shortcut)
            self.add_row(translate("Global shortcut"), row, setting="quick_shortcut")
        self._stays = CheckSetting(
            preferences,
            "close_to_tray",
            translate("Keep running in the tray when the window is closed"),
        )
        self.login = LoginBox()
        self._tray_hint = self.add_setting(
            translate("Background"), self._stays, self.login, self.login.problem
        )
        screens = [
            ("pointer", translate("The screen with the pointer")),
            ("primary", translate("The main screen")),
        ]
        hint = translate("On Wayland, the desktop decides the position.")
        self.add_choice(translate("Open on"), "quick_screen", screens, hint=hint)
        times = [
            (90, _seconds(90)),
            (-1, translate("Until you clear it")),
            (0, translate("Never")),
        ]
        self.add_choice(translate("Keep last query"), "quick_keep_s", times, other=_seconds)
        self.add_check(
            translate("Focus"), "quick_hides", translate("Close when another window gets the focus")
        )
        self.add_check(
            translate("Escape key"),
            "quick_escape_hides",
            translate("Always close with Esc, even if the field has text"),
        )
        self.add_foot(CommandBox())

    def showEvent(self, event: QShowEvent) -> None:
        """Check whether there is a tray and whether the program starts at login."""
        super().showEvent(event)
        stays = bool(self._tray and self._shortcut and can_stay(self._tray, self._shortcut))
        self._tray_hint.setText(
            translate(
                "This desktop has no tray at the moment. Closing the window quits notesearch."
            )
        )
        self._tray_hint.setVisible(not stays)
        self._stays.setEnabled(stays or self._stays.isChecked())
        self.login.refresh()


class CommandBox(QFrame):
    """Shows the command to bind to a key on desktops without global shortcuts."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("settingsBox")
        text = translate(
            "If the shortcut does not work, bind this command to a key in your desktop’s settings:"
        )
        self._command = text_label(COMMAND, role="code")
        self._copy: QPushButton = button(translate("Copy"), self._copy_command)
        self._copy.setAccessibleName(translate("Copy command"))
        grid = QGridLayout(self)
        grid.setContentsMargins(px(12), px(8), px(12), px(8))
        grid.addWidget(text_label(text, role="meta", tone="text2"), 0, 0, 1, 2)
        grid.addWidget(self._command, 1, 0)
        grid.addWidget(self._copy, 1, 1)
        grid.setColumnStretch(0, 1)

    @Slot()
    def _copy_command(self) -> None:
        QGuiApplication.clipboard().setText(COMMAND)
        self._copy.setText(translate("Copied"))

    def showEvent(self, event: QShowEvent) -> None:
        """Offer to copy the command again."""
        super().showEvent(event)
        self._copy.setText(translate("Copy"))


def _seconds(number: int) -> str:
    return tr("For %Ln second(s)", number)


_FRAME = 28
"""Width of a field's frame and margins, in pixels at the usual font size."""


class ShortcutRow(QWidget):
    """A field to record the shortcut, with its state and a button for the remedy."""

    def __init__(self, controller: ShortcutController) -> None:
        super().__init__()
        self._controller = controller
        self.keys = KeysField(controller)
        self._clear = button(translate("Clear"), self._clear_shortcut)
        self._help: QPushButton = button("", controller.help)
        self.sentence = text_label("", role="meta", tone="text2")
        line = QHBoxLayout()
        for widget in (self.keys, self._clear):
            line.addWidget(widget)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self.sentence)
        column.addWidget(self._help, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self.keys)
        controller.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        state = self._controller.state
        show_text(self.sentence, state.sentence, "danger" if state.kind in REFUSED else "text2")
        self.keys.setAccessibleDescription(state.sentence)
        remedy = {
            Remedy.CONFIGURE: translate("Change in desktop settings…"),
            Remedy.TRY_AGAIN: translate("Try again"),
        }.get(state.remedy, "")
        self._help.setText(remedy)
        self._help.setVisible(bool(remedy))
        self._clear.setEnabled(bool(self._controller.chosen))
        if not self.keys.hasFocus():  # the shortcut may have been changed elsewhere
            self.keys.show_chosen()

    @Slot()
    def _clear_shortcut(self) -> None:
        self._controller.choose("")
        self.keys.show_chosen()


_NO_KEYS = {
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
    Qt.Key.Key_unknown,
}
"""Keys that alone are no combination."""
_PAGING = {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
"""Keys that turn the page together with Ctrl."""
_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


class KeysField(QLineEdit):
    """A field that records one key combination; while it has the focus, the shortcut is off.

    It is not a ``QKeySequenceEdit``, which screen readers cannot tell from an empty area.
    """

    def __init__(self, controller: ShortcutController) -> None:
        super().__init__()
        self._controller = controller
        self.setReadOnly(True)
        self.setPlaceholderText(translate("Press shortcut"))
        self.setAccessibleName(translate("Global shortcut"))
        self.show_chosen()

    def show_chosen(self) -> None:
        """Show the shortcut that the settings have."""
        self.setText(shortcut_text(self._controller.chosen))
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return a size in which the keys and the placeholder fit."""
        texts = self.text(), self.placeholderText()
        widest = max(self.fontMetrics().horizontalAdvance(text) for text in texts)
        return super().minimumSizeHint().expandedTo(QSize(widest + px(_FRAME), 0))

    def event(self, event: QEvent) -> bool:
        """Take all keys before a shortcut of the window does, except those that turn the page."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            is_control = modifiers == Qt.KeyboardModifier.ControlModifier
            event.setAccepted(not is_control or event.key() not in _PAGING)
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Escape to the dialog, which it closes; choose any other key with its modifiers."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            event.ignore()
        elif event.key() not in _NO_KEYS and not event.isAutoRepeat():
            text = _combination(event)
            self.setText(shortcut_text(text))
            self._controller.choose(text)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Suspend the shortcut, so that the field receives its keys, too."""
        super().focusInEvent(event)
        self._controller.suspend()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Resume the shortcut, and show the one that the settings have."""
        super().focusOutEvent(event)
        self._controller.resume()
        self.show_chosen()


def _combination(event: QKeyEvent) -> str:
    """Return the pressed keys in the notation of the settings.

    Shift counts only where it does not already make another character, such as ``?`` of ``/``.
    """
    modifiers = event.modifiers() & _MODIFIERS
    shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    text = event.text()
    if not (text.isprintable() and text.strip() and not text.isalnum()):
        modifiers |= shift
    keys = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
    return keys.toString(QKeySequence.SequenceFormat.PortableText)


class FirstChoices(QWidget):
    """Check boxes for the proposed shortcut and for start at login; each takes effect at once."""

    def __init__(self, controller: ShortcutController) -> None:
        super().__init__()
        self._controller = controller
        self._was_refused = False
        self._is_ours = False  # whether this box has set the shortcut; others are left alone
        keys = shortcut_text(controller.chosen or PROPOSED)
        self.shortcut = TickBox(translate("Open quick search with {keys}", keys=keys))
        self.shortcut.clicked.connect(self._choose)
        self.login = LoginBox()
        self.state_label = text_label("", role="meta", tone="text2")
        line = QHBoxLayout()
        line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        line.addWidget(self.shortcut)
        line.addWidget(self.login)
        column = QVBoxLayout(self)
        column.addLayout(line)
        for label in (self.state_label, self.login.problem):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        controller.changed.connect(self._show)
        self._show(controller.state)

    @Slot(bool)
    def _choose(self, chosen: bool) -> None:
        self._is_ours = chosen
        self._controller.choose(PROPOSED if chosen else "")

    @Slot(object)
    def _show(self, state: ShortcutState) -> None:
        """Show the state. If the desktop refused the shortcut that this box set, remove it."""
        if self._was_refused and state.kind is Kind.OFF:
            self._was_refused = False  # the reason stays visible
            return
        refused = state.kind in REFUSED
        self._was_refused = refused and self._is_ours
        self._is_ours = self._is_ours and state.kind is not Kind.ACTIVE
        sentence = "" if state.kind is Kind.OFF else state.sentence
        show_text(self.state_label, sentence, "danger" if refused else "text2")
        self.shortcut.setAccessibleDescription(self.state_label.text())
        self.shortcut.setChecked(bool(self._controller.chosen) and not refused)
        if self._was_refused:
            self._is_ours = False
            self._controller.choose("")
