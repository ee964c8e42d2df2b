"""The search field, which keeps the focus: arrow keys and Enter act on the result list.

The field also receives the text that an input method writes while another widget has the focus.
"""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QInputMethodEvent,
    QInputMethodQueryEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.choices import Choice, CompletionList
from notesearch.gui.widgets.controls import (
    ElidedLabel,
    all_folders,
    icon_button,
    plain_tip,
    set_margins,
)
from notesearch.gui.widgets.keys import Move, move_of
from notesearch.gui.widgets.query_edit import TYPING, QueryEdit
from notesearch.gui.widgets.theme import Theme, px

_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_CHIPS_SHARE = 0.6
"""Largest share of the field for all chips together."""
_TIPS_FROM = 240
"""The least width of a field with a button for search tips, in pixels before scaling."""
_TEXT_INSET = 2
"""Pixels that Qt leaves between the edge of a line edit and its text."""
_MOST_CHIPS = 3
_FOLDER = 150
"""The greatest width of the vault's name, in pixels before scaling."""
_LEAST_CHIP = 70
"""The least width of a chip in which a filter can be recognized, in pixels before scaling."""
_LEAST_TEXT = 40
"""Room that chips leave for the text, besides one letter, in pixels before scaling."""


class SearchField(QFrame):
    """The field for the query, with a magnifier, chips for the scope and the filters, and buttons.

    A ``large`` field, as in quick search, has no frame, and names the vault beside the text.

    Attributes:
        completions: The list below the field, of filters or of earlier queries.
        tips_button: The button “?” at the end, for search tips.

    Signals:
        text_changed: The query changed.
        moved: A key moves the selection of the list; carries the ``Move``.
        opened: Enter was pressed.
        escaped: Escape was pressed.
        recalled: A key asks for the previous (-1) or next (1) query of the history.
        removed: The query was cleared or replaced by an earlier one; carries the former query.
        chip_removed: The chip with the scope was clicked, or deleted with Backspace.
        clicked_empty: The empty field was clicked.
        filter_begun: The user typed; carries the unfinished filter before the cursor, or an empty
            text.
    """

    text_changed = Signal(str)
    moved = Signal(Move)
    opened = Signal()
    escaped = Signal()
    recalled = Signal(int)
    removed = Signal(str)
    chip_removed = Signal()
    filter_begun = Signal(str)
    clicked_empty = Signal()

    def __init__(self, theme: Theme, *, large: bool = False) -> None:
        super().__init__()
        self.setObjectName("quickField" if large else "searchField")
        self._large = large
        self._theme = theme
        self._waiting = False
        self._vault = self._place = ""
        self._glass = QLabel()
        self._chip = Chip()
        self._chip.setToolTip(translate("Search all notes"))
        self._chip.clicked.connect(self.chip_removed)
        self._chip.hide()
        self._edit = QueryEdit()
        self._edit.textEdited.connect(self._on_edited)
        self._edit.changed.connect(self._on_changed)
        self._edit.cursorPositionChanged.connect(self._on_cursor_moved)
        self._edit.selectionChanged.connect(self._on_cursor_moved)
        self._emitted = ""
        self._filter_chips: list[Chip] = []
        self.completions = CompletionList(self._edit, theme)
        self.completions.chosen.connect(self._complete)
        self._begun = ""  # the unfinished filter that the user typed last
        self._awaits_offer = False
        self._offers_queries = False
        for watched in (self._edit, self.completions.view):
            watched.installEventFilter(self)
        self._folder = ElidedLabel(path=True, role="meta", tone="text3")
        self._folder.hide()
        self._clear = icon_button(translate("Clear the search"))
        self._clear.clicked.connect(self.clear)
        self.tips_button = icon_button(translate("Search tips"))
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._glass)
        self._row.addWidget(self._chip)
        self._row.addWidget(self._edit, 1)
        self._row.addWidget(self._folder)
        end = QHBoxLayout()
        end.setSpacing(0)
        for button in (self._clear, self.tips_button):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            end.addWidget(button)
        self._row.addLayout(end)
        self.setFocusProxy(self._edit)
        self.set_enabled(True)

    @property
    def text(self) -> str:
        """The query: the filters in the chips, then the text."""
        return self._edit.query

    @property
    def filters(self) -> list[str]:
        """The filters that are shown as chips."""
        return [*self._edit.filters]

    def set_text(self, text: str) -> None:
        """Replace the query with ``text``, as if the user had typed it."""
        self._stop_completing()
        self._edit.set_query(text)

    def add_filter(self, text: str) -> None:
        """Put the filter ``text`` before the query, as if the user had typed it."""
        self.set_text(f"{text} {self.text}")
        self._edit.setFocus()

    @property
    def is_completing(self) -> bool:
        """Whether the user is typing a filter that the list of completions may complete."""
        return bool(self._edit.begun and (self._awaits_offer or self.completions.offered))

    def offer_queries(self, choices: Sequence[Choice]) -> None:
        """Offer ``choices``, whose values are queries that replace the query, below the field."""
        self.focus_all()
        self._offers_queries = True
        self._awaits_offer = False
        room = self._edit.rect().adjusted(_TEXT_INSET, 0, -_TEXT_INSET, 0)
        start = room.right() if self.isRightToLeft() else room.left()
        self.completions.offer("", choices, self._below, start)

    def offer(self, begun: str, choices: Sequence[Choice]) -> None:
        """Offer ``choices``, whose values are texts to insert, while the user types ``begun``."""
        if begun != self._edit.begun or not self._edit.hasFocus():
            return
        self._offers_queries = self._awaits_offer = False
        at = self._edit.cursorRect().center().x()
        begun_width = self._edit.fontMetrics().horizontalAdvance(begun)
        start = at + begun_width if self.isRightToLeft() else at - begun_width
        self.completions.offer(begun, choices, self._below, start)

    @property
    def _below(self) -> int:
        """The top of the completions, in pixels from the top of the line edit."""
        return self._edit.mapFrom(self, QPoint(0, self.height())).y() + px(3)

    @property
    def chip(self) -> str:
        """The text of the chip with the scope of the search; empty without a chip."""
        return self._chip.whole

    def set_chip(self, text: str) -> None:
        """Show ``text``, the scope of the search, as a chip; hide the chip if it is empty."""
        self._chip.whole = text
        self._chip.setAccessibleName(text)
        self._chip.setVisible(bool(text))
        self._show_hint()
        self._fit()

    def set_place(self, folder: str) -> None:
        """Say in the empty field that only ``folder`` of the vault is searched; empty for all."""
        self._place = folder
        self._show_hint()

    def clear(self) -> None:
        """Clear the field and focus it."""
        self._replace("")
        self._edit.setFocus()

    def _replace(self, text: str) -> None:
        if self.text:
            self.removed.emit(self.text)
        self.set_text(text)

    def focus_all(self) -> None:
        """Take the focus and select everything, so that typing replaces it."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.choose_all()

    def type_text(self, text: str) -> None:
        """Take the focus, and insert ``text``, which the user typed in another widget."""
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._edit.insert(text)

    def compose(self, event: QInputMethodEvent) -> None:
        """Insert the text of an input method that another widget of the window received.

        Text that is not final is only shown.
        """
        if not self.takes_text:
            return
        passed_on = QInputMethodEvent(event.preeditString(), event.attributes())
        if event.commitString().strip():
            self._edit.setFocus(Qt.FocusReason.OtherFocusReason)
            passed_on.setCommitString(event.commitString())
        QCoreApplication.sendEvent(self._edit, passed_on)

    @property
    def takes_text(self) -> bool:
        """Whether the user can type in the field."""
        return self._edit.isEnabled()

    def take_key(self, event: QKeyEvent) -> bool:
        """Insert the letter of a key that another widget received; return False for other keys."""
        text = event.text()
        if not self.takes_text or event.modifiers() & ~TYPING:
            return False
        if text == "/":
            self.focus_all()
        elif text.isprintable() and text.strip():
            self.type_text(text)
        else:
            return False
        return True

    def set_enabled(self, enabled: bool, folder: str = "") -> None:
        """Let the user type if ``enabled``; ``folder`` names the vault if there are several."""
        self._edit.setEnabled(enabled)
        self._vault = folder
        self._folder.setText(folder if self._large else "")
        self._show_hint()
        self._fit()

    @property
    def hint(self) -> str:
        """The text of the empty field, which says where it searches."""
        return self._edit.placeholderText()

    def _show_hint(self) -> None:
        if not self.takes_text:
            hint = translate("Choose a folder to start searching")
        elif self.chip:
            hint = translate("Search this note")
        elif self._vault == all_folders():
            hint = translate("Search the notes in all folders")
        elif searched := self._place or self._vault:
            hint = translate("Search the notes in “{folder}”", folder=searched)
        else:
            hint = translate("Search your notes")
        self._edit.setPlaceholderText(hint)

    def set_waiting(self, waiting: bool) -> None:
        """Show a ring in place of the magnifier while Enter waits for results."""
        self._waiting = waiting
        self._draw_icons()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        if self._large:
            set_margins(self._row, px(20), 0, px(14), 0)
            self._row.setSpacing(px(12))
            self.setFixedHeight(px(53))
        else:
            set_margins(self._row, px(6), 0, px(4), 0)
            self._row.setSpacing(px(11))
            self.setFixedHeight(px(37))
        self._edit.colour = theme.text3
        self._folder.setMaximumWidth(px(_FOLDER))
        self._draw_icons()
        self._fit()
        self.completions.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the chips and the buttons into the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the buttons and as many chips as there is room for."""
        self.tips_button.setVisible(self.takes_text and self.width() >= px(_TIPS_FROM))
        self._clear.setVisible(bool(self.text))
        # An empty field names the vault in its hint.
        self._folder.setVisible(bool(self._folder.text() and self.text))
        fitting = self._chip_room // (px(_LEAST_CHIP) + self._row.spacing())
        if self.chip:
            fitting -= 1
        self._edit.fit(max(0, min(_MOST_CHIPS, fitting)))
        self._draw_chips()

    @property
    def _chip_room(self) -> int:
        """How wide all chips together may be, in pixels."""
        others = self._row.minimumSize().width() + px(_LEAST_TEXT)
        return min(round(self.width() * _CHIPS_SHARE), self.width() - others)

    def _draw_chips(self) -> None:
        chips = list(self._filter_chips)
        if self.chip:
            chips.append(self._chip)
        # Screen readers read the chips with the field, because Tab skips them.
        self._edit.setAccessibleDescription(", ".join(chip.whole for chip in chips))
        for chip in chips:
            chip.draw(self._theme, self._chip_room // len(chips))

    def _draw_icons(self) -> None:
        theme = self._theme
        size = px(21 if self._large else 16)
        stroke = 1.9 if self._large else 2.4
        name = "waiting" if self._waiting else "search"
        colour = theme.accent if self._waiting else theme.text3
        ratio = self.devicePixelRatioF()
        self._glass.setPixmap(icons.pixmap(name, colour, size, ratio, stroke))
        self._glass.setFixedWidth(size)
        icons.set_icon(self._clear, "clear", theme.text2, px(14))
        icons.set_icon(self.tips_button, "help", theme.text2, px(16))

    @Slot()
    def _on_changed(self) -> None:
        text = self.text
        before = self._emitted
        self._emitted = text
        shown = [(chip.whole, chip.isDown()) for chip in self._filter_chips]
        wanted = [(whole, self._edit.is_all_chosen) for whole in self.filters]
        if shown != wanted:
            self._show_filters()
        if bool(text) != bool(before):
            self._fit()
        if text != before:
            self.text_changed.emit(text)

    def _show_filters(self) -> None:
        for chip in self._filter_chips:
            chip.hide()
            chip.deleteLater()
        self._filter_chips = [Chip(text) for text in self.filters]
        for chip in self._filter_chips:
            self._row.insertWidget(self._row.indexOf(self._edit), chip)
            remove = translate("Remove the filter {filter}", filter=chip.whole)
            chip.setToolTip(plain_tip(remove))
            chip.setAccessibleName(remove)
            chip.setDown(self._edit.is_all_chosen)
            chip.clicked.connect(self._remove_clicked)
        self._draw_chips()

    @Slot()
    def _remove_clicked(self) -> None:
        self._edit.remove_filter(self._filter_chips.index(self.sender()))  # type: ignore[arg-type]
        self._edit.setFocus()

    @Slot()
    def _on_edited(self) -> None:
        self._begun = self._edit.begun
        self._awaits_offer = bool(self._begun)
        if not self._begun:
            self.completions.close()
        self.filter_begun.emit(self._begun)

    @Slot()
    def _on_cursor_moved(self) -> None:
        """Stop completing a filter when the cursor has left it, or text is selected."""
        if self._edit.begun != self._begun:
            self._stop_completing()

    def _stop_completing(self) -> None:
        if self._begun:
            self._begun = ""
            self._awaits_offer = False
            self.completions.close()

    @Slot(str)
    def _complete(self, insert: str) -> None:
        """Insert the chosen filter, or replace the query with the chosen query."""
        if self._offers_queries:
            self._replace(insert)
        else:
            self._edit.complete(insert)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Give the line edit the focus when the user clicks beside it, such as on the magnifier."""
        self._edit.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)  # it is not accepted: quick search can be dragged here

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys for the result list and for completion before the line edit does."""
        if watched is self.completions.view:
            return self._on_list_event(event)
        if event.type() == QEvent.Type.MouseButtonRelease and not self.text:
            self.clicked_empty.emit()
        if isinstance(event, QInputMethodEvent) and event.preeditString() and self._offers_queries:
            self.completions.view.hide()  # the user begins another query
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._forward(event)
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self.setProperty("active", self._edit.hasFocus())  # also while a list is open
            self.style().unpolish(self)
            self.style().polish(self)
            if not self._edit.hasFocus():
                self._stop_completing()
                self.completions.view.hide()  # with earlier queries; it would take the keys
        return bool(super().eventFilter(watched, event))

    def _on_list_event(self, event: QEvent) -> bool:
        """Let Tab take the chosen filter, or the first; return whether it has."""
        is_tab = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab
        if not is_tab or event.type() != QEvent.Type.KeyPress or not self._edit.begun:
            return False
        self.completions.choose_current()
        return True

    def _forward(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        if key in _ENTER and (not modifiers or control):
            if not event.isAutoRepeat():
                self.opened.emit()
            return True
        if key == Qt.Key.Key_Escape and not modifiers:
            self.escaped.emit()
            return True
        if control and key in _STEPS:
            self.recalled.emit(_STEPS[key])
            return True
        if key == Qt.Key.Key_Tab and not modifiers and self._edit.rest:
            self._edit.insert(self._edit.rest)
            return True
        is_at_chip = self.chip and self._edit.is_at_start and not self.filters
        if key == Qt.Key.Key_Backspace and not modifiers and is_at_chip:
            self.chip_removed.emit()
            return True
        move = move_of(event, in_text=bool(self.text))
        if key == Qt.Key.Key_Right and not modifiers and self._edit.is_at_end:
            move = Move.UNFOLD
        if move is not None:
            self.moved.emit(move)
        return move is not None


_WIDEST_CHIP = 200
_CHIP_PADDING = 8
_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"


class Chip(QToolButton):
    """A button with the text ``whole``, which is a part of the query, and a cross to remove it."""

    def __init__(self, whole: str = "") -> None:
        super().__init__()
        self.whole = whole
        self.setObjectName("chip")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setMinimumWidth(1)  # so that chips never keep the field from becoming narrower
        direction = Qt.LayoutDirection  # the opposite one puts the cross after the text
        is_mirrored = self.isRightToLeft()
        self.setLayoutDirection(direction.LeftToRight if is_mirrored else direction.RightToLeft)
        self._mark = _LEFT_TO_RIGHT if is_mirrored else ""  # else -a becomes a-

    def draw(self, theme: Theme, room: int) -> None:
        """Show the text in colours of ``theme`` and, elided, in at most ``room`` pixels."""
        self.ensurePolished()  # a new chip has the font of the style sheet only then
        icons.set_icon(self, "clear", theme.accent_text if self.isDown() else theme.text2, px(10))
        beside = self.iconSize().width() + icons.QT_GAP + 2 * px(_CHIP_PADDING)
        most = max(0, min(px(_WIDEST_CHIP), room - beside))
        metrics = self.fontMetrics()
        shown = metrics.elidedText(self.whole, Qt.TextElideMode.ElideRight, most)
        self.setText(f"{self._mark}{shown.replace('&', '&&')}{self._mark}")
        self.setMaximumWidth(metrics.horizontalAdvance(shown) + beside)


class InputMethodRelay(QObject):
    """Passes text from input methods and dead keys in other widgets to the search field."""

    def __init__(
        self, field: SearchField, elsewhere: Iterable[QWidget], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._field = field
        for widget in elsewhere:
            widget.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let input methods write into ``watched``, and pass their text to the search field."""
        if isinstance(event, QInputMethodQueryEvent):
            watched.event(event)  # the widget answers the other queries
            if event.queries() & Qt.InputMethodQuery.ImEnabled:
                event.setValue(Qt.InputMethodQuery.ImEnabled, self._field.takes_text)
        elif isinstance(event, QInputMethodEvent):
            self._field.compose(event)
        else:
            return False
        event.accept()
        return True
