"""The list of all keyboard shortcuts of a window, made from its actions."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.session.actions import KEYS, MainActions, PaneActions
from notesearch.gui.translation import translate
from notesearch.gui.widgets.controls import PromptField, set_margins, text_label
from notesearch.gui.widgets.dialogs import fill, resize_on_screen
from notesearch.gui.widgets.keys import cap, caps_of, draw_caps
from notesearch.gui.widgets.theme import Theme, px

Entry = tuple[str, tuple[str, ...]]
"""What the keys do, and the keys, written as by ``QKeySequence``."""

Group = tuple[str, Sequence[Entry]]
"""A title and the entries below it."""


def key_groups(actions: PaneActions) -> list[Group]:
    """Return all keys of a window in groups: the keys of ``actions`` and of its widgets."""
    listed: set[QAction] = set()

    def entries(*chosen: QAction) -> list[Entry]:
        listed.update(chosen)
        return [entry(action) for action in chosen if _keys_of(action)]

    switching = [
        (translate("Switch to folder 1 … 9"), ("Ctrl+1", "Ctrl+9")),
        (translate("Search all folders"), ("Ctrl+Shift+A",)),
    ]
    groups: list[Group] = [
        (
            translate("Search"),
            [
                *entries(actions.focus_field, actions.search_in_note),
                (translate("Previous and next query"), ("Ctrl+Up", "Ctrl+Down")),
                *entries(actions.queries, actions.star, actions.name_star),
                (translate("Clear the query"), ("Esc",)),
                *entries(actions.tips),
                *(switching if isinstance(actions, MainActions) else []),
            ],
        ),
        (
            translate("Results"),
            [
                (translate("Select a section"), ("Up", "Down")),
                (translate("Page up or down"), ("PgUp", "PgDown")),
                (translate("First and last section"), ("Ctrl+Home", "Ctrl+End")),
                (translate("Show all sections of the note"), ("Right",)),
                (translate("Open section 1 … 9 in view"), ("Alt+1", "Alt+9")),
                *entries(actions.narrow),
                *entries(actions.open_section, actions.open_second, actions.reveal),
                *entries(actions.copy_markdown, actions.copy_link, actions.copy_path),
                *entries(actions.print_section),
                *entries(actions.all_actions),
            ],
        ),
        (
            translate("Preview"),
            [
                (translate("Next and previous match"), ("F3", "Shift+F3")),
                *entries(actions.wider, actions.narrower, actions.whole_note, actions.outline),
                *(entries(actions.backlinks) if isinstance(actions, MainActions) else []),
                *entries(actions.find, actions.enlarge),
                *entries(actions.back, actions.forward, actions.show_preview),
                *entries(actions.scroll_up, actions.scroll_down),
                *entries(actions.scroll_page_up, actions.scroll_page_down),
                *entries(actions.larger, actions.smaller, actions.usual_size),
            ],
        ),
    ]
    others = [action for action in actions.children() if isinstance(action, QAction)]
    rest = [action for action in others if action not in listed]
    return [*groups[:2], (translate("Window"), entries(*rest)), groups[2]]


def entry(action: QAction) -> Entry:
    """Return the name of ``action`` and its keys."""
    return action.text().removesuffix("…"), _keys_of(action)


def _keys_of(action: QAction) -> tuple[str, ...]:
    """Return at most two keys of ``action``, written as by ``QKeySequence``; () for none."""
    if not action.shortcuts():
        key = action.property(KEYS)
        return (str(key),) if key else ()
    return tuple(keys.toString() for keys in action.shortcuts()[:2])


_BESIDE = 62
"""Width of margins and scroll bar beside the keys."""


class KeyPage(QDialog):
    """A dialog with groups of keys in two columns, and a field that filters them."""

    def __init__(self, groups: Sequence[Group], theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(translate("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._lines: list[tuple[str, QLabel, QWidget]] = []  # text to filter, label, and keys
        self._heads: list[tuple[QWidget, range]] = []  # the titles of groups, and their lines
        self.filter = PromptField(translate("Filter keys and actions"))
        self.filter.textChanged.connect(self._filter)
        sheet = QWidget()
        self._columns = columns = QHBoxLayout(sheet)
        columns.setSpacing(px(36))
        set_margins(columns, px(8), px(8), px(12), px(8))
        halves = QVBoxLayout(), QVBoxLayout()
        for number, group in enumerate(groups):
            halves[number >= _first_half(groups)].addLayout(self._grid(group))
        for half in halves:
            half.setSpacing(px(18))
            half.addStretch(1)
            columns.addLayout(half, 1)
        # The area comes before its content is measured, which needs the window's style sheet.
        area = QScrollArea(self)
        area.setObjectName("keyList")
        area.setAccessibleName(self.windowTitle())
        area.setWidgetResizable(True)
        area.setWidget(sheet)
        fill(self, self.filter, area)
        self._sheet_size = size = sheet.sizeHint()
        width, height = size.width() + px(_BESIDE), size.height() + px(136)
        # On a smaller screen, the area scrolls.
        resize_on_screen(self, QSize(max(px(820), width), max(px(600), height)))
        self.filter.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours and the font's sizes."""
        self.filter.fit()
        draw_caps(self, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Without room for both columns side by side, put one below the other, and wrap texts."""
        super().resizeEvent(event)
        fits = self._sheet_size.width() + px(_BESIDE) <= self.width()
        way = QBoxLayout.Direction
        self._columns.setDirection(way.LeftToRight if fits else way.TopToBottom)
        for _, label, _ in self._lines:
            label.setWordWrap(not fits)

    def _grid(self, group: Group) -> QGridLayout:
        title, entries = group
        grid = QGridLayout()
        grid.setVerticalSpacing(px(8))
        grid.setHorizontalSpacing(px(16))
        grid.setColumnStretch(0, 1)
        head = text_label(title, role="strong", wrap=False)
        grid.addWidget(head, 0, 0, 1, 2)
        self._heads.append((head, range(len(self._lines), len(self._lines) + len(entries))))
        for row, (text, keys) in enumerate(entries, start=1):
            label = text_label(text, wrap=False)
            grid.addWidget(label, row, 0)
            caps = self._caps(keys)
            grid.addWidget(caps, row, 1)
            self._lines.append((f"{text} {' '.join(keys)}".casefold(), label, caps))
        return grid

    @Slot(str)
    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        matches = [all(word in searched for word in words) for searched, _, _ in self._lines]
        for (_, label, caps), shown in zip(self._lines, matches, strict=True):
            label.setVisible(shown)
            caps.setVisible(shown)
        for head, lines in self._heads:
            head.setVisible(any(matches[line] for line in lines))

    def _caps(self, keys: Iterable[str]) -> QWidget:
        caps = QWidget()
        row = QHBoxLayout(caps)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(4))
        row.addStretch(1)
        # Return and Enter have the same name in some languages: show it once.
        for number, combination in enumerate(dict.fromkeys(map(caps_of, keys))):
            if number:
                row.addSpacing(px(8))
            for key in combination:
                row.addWidget(cap(key, self._theme))
        return caps


def _first_half(groups: Sequence[Group]) -> int:
    """Return how many groups to put in the first of two columns of about the same length."""
    sizes = [len(entries) + 2 for _, entries in groups]  # a title and a gap count as two

    return min(range(1, len(groups) + 1), key=lambda cut: abs(sum(sizes[:cut]) - sum(sizes[cut:])))


def key_page(actions: PaneActions, window: QWidget, theme: Theme) -> KeyPage:
    """Return the open list of the keys of ``window``, or a new one."""
    pages = (page for page in window.findChildren(KeyPage) if page.isVisible())
    return next(pages, None) or KeyPage(key_groups(actions), theme, window)
