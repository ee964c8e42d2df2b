"""The line edit for a query. It keeps filters apart from the text, and Ctrl+Z undoes both.

Qt's own undo knows only the text, and loses its history whenever a filter leaves the text. So the
edit has a history of its own, of whole states: the filters, and the text around the cursor.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QLineEdit, QSizePolicy

from notesearch.gui.translation import translate

FILTERS = "tag path file section prop task has lang after before links linked-by".split()
"""The names of filters, the most used first."""
_NAME = rf"-?(?:{'|'.join(FILTERS)}):"
_BEGUN = re.compile(rf'(?:^|\s)({_NAME}(?:"[^"]*|(?:[^\s"]|"[^"]*")*))$', re.IGNORECASE)
"""Matches a filter before the cursor that the user may still be typing."""
_WHOLE = re.compile(rf'(?:^|(?<=\s))({_NAME}(?:[^\s"]|"[^"]*")+)\s+', re.IGNORECASE)
"""Matches a complete filter with a space after it."""
VALUELESS = re.compile(rf"(?:^|(?<=\s)){_NAME}(?=\s|$)", re.IGNORECASE)
"""Matches a filter without a value, such as ``tag:``."""
_HALF = re.compile(r"(?:^|\s)-?([^\W\d_]{2,})$")
"""Matches a word before the cursor that may become the name of a filter."""
_BREAK = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
"""Matches tabs and line breaks."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Matches tabs, line breaks and other control characters, such as NUL."""

TYPING = (
    Qt.KeyboardModifier.ShiftModifier
    | Qt.KeyboardModifier.GroupSwitchModifier
    | Qt.KeyboardModifier.KeypadModifier
)
"""Modifier keys with which the user still types text; GroupSwitchModifier is AltGr."""
_DELETING = {Qt.Key.Key_Backspace, Qt.Key.Key_Delete}
_MOST_STEPS = 200
_Keys = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class QueryState:
    """A query: its filters, and the text before and after the cursor."""

    filters: tuple[str, ...] = ()
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The text, without the filters."""
        return self.before + self.after

    @property
    def query(self) -> str:
        """The filters, then the text."""
        has_text = bool(self.text) or not self.filters
        return " ".join([*self.filters, self.text] if has_text else self.filters)

    @property
    def begun(self) -> str:
        """The unfinished filter before the cursor, such as ``tag:tr``; empty without one."""
        match = _BEGUN.search(self.before)
        return match[1] if match else ""

    @property
    def rest_of_name(self) -> str:
        """The missing end of a filter's name before the cursor: ``g:`` after ``ta``; or empty."""
        half = _HALF.search(self.before)
        word = half[1].lower() if half else ""
        for name in FILTERS:
            if word and word != name and name.startswith(word):
                return f"{name.removeprefix(word)}:"
        return ""

    def on_one_line(self) -> "QueryState":
        """Return the state with spaces for tabs and line breaks, without control characters."""
        if not _CONTROL.search(self.text):
            return self
        return replace(self, before=_one_line(self.before), after=_one_line(self.after))

    def parted(self, most: int) -> "QueryState":
        """Return the state with complete filters moved from the text to ``filters``.

        ``filters`` gets at most ``most`` filters in all. A filter stays in the text while the
        cursor is inside it. Where the text has parentheses or OR, every filter stays, because its
        position matters.
        """
        text = self.text
        cursor = len(self.before)
        if ":" not in text or "(" in text or " OR " in text:
            return self
        taken = list[re.Match[str]]()
        for match in _WHOLE.finditer(text):
            if len(self.filters) + len(taken) >= most:
                break
            is_at_cursor = match.start() < cursor <= match.end(1)
            is_in_quotes = text.count('"', 0, match.start()) % 2 == 1
            if not is_at_cursor and not is_in_quotes and _is_filter(match[1]):
                taken.append(match)
        if not taken:
            return self
        for match in reversed(taken):
            text = text[: match.start()] + text[match.end() :]
            cursor -= max(0, min(cursor, match.end()) - match.start())
        filters = (*self.filters, *(match[1] for match in taken))
        return QueryState(filters, text[:cursor], text[cursor:])


class QueryEdit(QLineEdit):
    """A line edit that keeps complete filters apart, with one undo history of text and filters.

    Attributes:
        is_all_chosen: Whether all text and all filters are selected.
        colour: The colour of the hint after the cursor, which shows the text that Tab inserts.

    Signals:
        changed: The text, the filters or ``is_all_chosen`` changed.
    """

    changed = Signal()
    colour = ""
    _most = 0

    def __init__(self) -> None:
        super().__init__()
        self._now = QueryState()
        self._past: list[QueryState] = []
        self._future: list[QueryState] = []
        self._run = ""  # what the last keys did: one Ctrl+Z undoes a run of equal keys
        self._goes_on = False  # whether the next change belongs to the last step
        self._is_composing = False  # whether an input method shows text that is not final
        self._is_replacing = False  # whether that text has replaced the selection
        self.is_all_chosen = False
        self.setFrame(False)
        wide = QSizePolicy.Policy.Expanding
        self.setSizePolicy(wide, wide)  # a click above or below the text is one in it
        self.setAccessibleName(translate("Search your notes"))
        self.textChanged.connect(self._on_text_changed)
        self.selectionChanged.connect(self._choose_nothing)

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters that are kept apart from the text."""
        return self._now.filters

    @property
    def query(self) -> str:
        """The filters, then the text."""
        return self._now.query

    @property
    def begun(self) -> str:
        """The unfinished filter before the cursor, such as ``tag:tr``; empty without one."""
        return "" if self.hasSelectedText() else self._current.begun

    @property
    def rest(self) -> str:
        """The text that Tab inserts: ``g:`` after ``ta``; empty if Tab inserts nothing."""
        return self._current.rest_of_name if self.is_at_end and not self._is_composing else ""

    @property
    def is_at_start(self) -> bool:
        """Whether the cursor is before all text, and no text is selected."""
        return not self.cursorPosition() and not self.hasSelectedText()

    @property
    def is_at_end(self) -> bool:
        """Whether the cursor is after all text, and no text is selected."""
        return self._before == self.text() and not self.hasSelectedText()

    @property
    def _before(self) -> str:
        """The text before the cursor, whose position Qt counts in units of UTF-16."""
        units = _units(self.text())[: 2 * self.cursorPosition()]
        return units.decode("utf-16-le", "surrogatepass")

    def set_query(self, text: str) -> None:
        """Replace everything with ``text``."""
        state = QueryState((), f"{text} ").on_one_line().parted(self._most)
        before = state.before if text.endswith(" ") else state.before.removesuffix(" ")
        self._step(replace(state, before=before))

    def remove_filter(self, index: int) -> None:
        """Remove the filter with number ``index``."""
        left = self.filters[:index] + self.filters[index + 1 :]
        self._step(replace(self._current, filters=left))

    def complete(self, insert: str) -> None:
        """Replace the unfinished filter before the cursor with ``insert``.

        A space follows, unless ``insert`` is only the name of a filter or of a property.
        """
        before = self._before.removesuffix(self.begun) + insert
        after = self._current.after
        is_only_name = not insert or insert.endswith(("=", ":"))
        if not is_only_name:
            before += " "
            after = after.removeprefix(" ")
        state = QueryState(self.filters, before, after)
        self._step(state.parted(self._most), edited=True)

    def fit(self, most: int) -> None:
        """Keep at most ``most`` filters apart; the others go back into the text."""
        self._most = most
        if len(self.filters) > most:
            self._show(self._current)

    def choose_all(self) -> None:
        """Select the text and the filters, so that typing replaces both."""
        self.selectAll()
        self.is_all_chosen = True
        self.changed.emit()

    def undo(self) -> None:
        """Go back to the state before the last change."""
        if self._past:
            self._future.append(self._now)
            self._show(self._past.pop(), edited=True)

    def redo(self) -> None:
        """Go forward to the state that ``undo`` left."""
        if self._future:
            self._past.append(self._now)
            self._show(self._future.pop(), edited=True)

    def copy(self) -> None:
        """Copy the selected text, or the whole query with its filters if all of it is selected."""
        if self.is_all_chosen:
            QGuiApplication.clipboard().setText(self.query)
        else:
            super().copy()

    def cut(self) -> None:
        """Copy what is selected, and delete it."""
        if self.is_all_chosen:
            self.copy()
            self._step(QueryState())
        else:
            super().cut()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys that also act on the filters; leave all others to Qt."""
        key = event.key()
        text = event.text()
        is_plain = not event.modifiers() & ~TYPING
        is_typed = is_plain and bool(text) and text.isprintable()
        pressed = (command for _, keys, command in self._commands if event.matches(keys))
        command = None if is_typed else next(pressed, None)
        if command is not None:
            command()
        elif key in _DELETING and self.is_all_chosen:
            self._step(QueryState())
        elif key == Qt.Key.Key_Backspace and self.is_at_start and self.filters:
            self.remove_filter(len(self.filters) - 1)
        else:
            run = "typed" if is_typed else ""
            if is_plain and key in _DELETING:
                run = "deleted"
            is_same_run = bool(run) and run == self._run
            begins_word = is_typed and bool(text.strip()) and not self._now.before[-1:].strip()
            is_where_it_was = self._before == self._now.before and not self.hasSelectedText()
            self._goes_on = is_same_run and is_where_it_was and not begins_word
            super().keyPressEvent(event)
            self._goes_on = False
            if run or text:  # Shift alone ends no step
                self._run = run

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Let one Ctrl+Z remove the final text, and restore the selection that it replaced."""
        before = self.text()
        self._is_composing = bool(event.preeditString())
        self._goes_on = self._is_replacing
        super().inputMethodEvent(event)
        self._goes_on = False
        has_begun = self._is_replacing or self.text() != before
        self._is_replacing = self._is_composing and has_begun

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show Qt's menu, whose commands act on the filters too."""
        menu = self.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        commands = {name: command for name, _, command in self._commands}
        for action in menu.actions():
            if action.objectName() in commands:
                action.triggered.disconnect()
                action.triggered.connect(commands[action.objectName()])
        menu.actions()[0].setEnabled(bool(self._past))
        menu.actions()[1].setEnabled(bool(self._future))
        menu.popup(event.globalPos())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Clear the selection; without text, Qt emits no signal for that."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.text():
            self._choose_nothing()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a copy of dragged text; leave files and folders to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)
            _copy(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show where the text would be inserted."""
        super().dragMoveEvent(event)
        _copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Insert a copy of the dragged text."""
        super().dropEvent(event)
        _copy(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, then what Tab would add."""
        super().paintEvent(event)
        rest = self.rest if self.hasFocus() else ""
        if rest:
            box = self.rect().adjusted(self.cursorRect().center().x() + 1, 0, 0, 0)
            with QPainter(self) as painter:
                painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as the names
                painter.setPen(QColor(self.colour))
                side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
                painter.drawText(box, side, f"{rest}   ⇥")

    @property
    def _commands(self) -> list[tuple[str, QKeySequence.StandardKey, Callable[[], None]]]:
        """The commands that also concern the filters: name in Qt's menu, keys, and method."""
        return [
            ("edit-undo", _Keys.Undo, self.undo),
            ("edit-redo", _Keys.Redo, self.redo),
            ("edit-cut", _Keys.Cut, self.cut),
            ("edit-copy", _Keys.Copy, self.copy),
            ("select-all", _Keys.SelectAll, self.choose_all),
        ]

    @property
    def _current(self) -> QueryState:
        before = self._before
        return QueryState(self.filters, before, self.text().removeprefix(before))

    def _step(self, state: QueryState, *, edited: bool = False) -> None:
        """Show ``state`` as a change that Ctrl+Z takes back."""
        self._record(state)
        self._show(state, edited=edited)

    def _record(self, state: QueryState) -> None:
        if (state.filters, state.text) != (self.filters, self._now.text):
            self._past = [*self._past[1 - _MOST_STEPS :], self._now]
            self._future.clear()
        self._now = state
        self._run = ""

    def _show(self, state: QueryState, *, edited: bool = False) -> None:
        """Show ``state``; filters for which there is no room go back into the text."""
        spare = "".join(f"{text} " for text in state.filters[self._most :])
        state = QueryState(state.filters[: self._most], spare + state.before, state.after)
        self._now = state
        self._run = ""
        self.is_all_chosen = False
        with QSignalBlocker(self):
            self.setText(state.text)
            self.setCursorPosition(len(_units(state.before)) // 2)
        if edited:
            self.textEdited.emit(self.text())
        self.changed.emit()

    @Slot()
    def _on_text_changed(self) -> None:
        state = self._current
        if self.is_all_chosen:
            state = replace(state, filters=())
        shown = state.on_one_line().parted(self._most)
        if self._goes_on and shown.filters == self.filters:
            self._now = shown
        else:
            self._record(shown)
        if shown is state:
            self.changed.emit()
        else:
            self._show(shown)

    @Slot()
    def _choose_nothing(self) -> None:
        if self.is_all_chosen:
            self.is_all_chosen = False
            self.changed.emit()


def _copy(event: QDropEvent) -> None:
    """Ask the program that the text comes from to keep it; Qt would let it delete the text."""
    if event.isAccepted():
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()


def _units(text: str) -> bytes:
    """Return ``text`` in units of two bytes, in which Qt counts the position of the cursor."""
    return text.encode("utf-16-le", "surrogatepass")


def _one_line(text: str) -> str:
    return _CONTROL.sub("", _BREAK.sub(" ", text))


def _is_filter(text: str) -> bool:
    from notesearch.library import understands

    return understands(text)
