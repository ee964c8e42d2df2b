"""A page in place of the results: a message with its buttons, links and suggested folders."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import ElidedLabel, text_label
from notesearch.gui.widgets.notices import ActionRow
from notesearch.gui.widgets.theme import Theme, px

_LONG_WORD = re.compile(r"\S{12,}")


@dataclass(frozen=True, slots=True)
class SearchLink:
    """A link that searches for ``query`` when it is clicked."""

    text: str
    query: str


@dataclass(frozen=True, slots=True)
class Message:
    """The content of a page: an icon, a title and two texts.

    Attributes:
        icon: The name of the icon, as in ``icons.svg``.
        tone: The colour of the icon, as an attribute of ``Theme``.
        asks_folder: Whether to show the notes folders found on this computer.
        is_first: Whether this is the first run, so that choices for new users are shown, too.
        offers: Links between the two texts.
    """

    icon: str
    title: str
    text: str = ""
    detail: str = ""
    tone: str = "text2"
    offers: tuple[SearchLink, ...] = ()
    asks_folder: bool = False
    is_first: bool = False


_WIDTH = 422


@dataclass(frozen=True, slots=True)
class SuggestedFolder:
    """The texts of a folder to choose: its name, its path, and how many notes it has."""

    name: str
    path: str
    notes: str


class SuggestedFolders(QFrame):
    """A list of notes folders as buttons; ``chosen`` carries the position of the clicked one."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        found = translate("Found on this computer")
        self._head = text_label(found, role="meta", tone="text2", wrap=False)
        self.buttons: list[QPushButton] = []
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._head)
        self.show_folders(())

    def show_folders(self, folders: Sequence[SuggestedFolder]) -> None:
        """Show a button for each of ``folders``, in place of the present buttons."""
        for row in self.buttons:
            row.hide()
            row.deleteLater()
        self.buttons = [_row(folder) for folder in folders]
        for row in self.buttons:
            row.clicked.connect(self._choose)
            self._column.addWidget(row)
        self.fit()

    def fit(self) -> None:
        """Adapt spaces and width to the size of the current font."""
        self._column.setContentsMargins(0, px(10), 0, 0)
        self._column.setSpacing(px(5))
        self.setFixedWidth(px(_WIDTH))

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self.buttons.index(self.sender()))  # type: ignore[arg-type]


def _row(folder: SuggestedFolder) -> QPushButton:
    row = QPushButton()
    row.setObjectName("found")
    row.setCursor(Qt.CursorShape.PointingHandCursor)
    row.setAutoDefault(True)
    name = ElidedLabel(path=True, role="strong")
    path = ElidedLabel(path=True, role="meta", tone="text2")
    name.setText(folder.name)
    path.setText(folder.path)
    notes = text_label(folder.notes, role="meta", tone="text2", wrap=False)
    left = QVBoxLayout()
    left.setSpacing(0)
    left.addWidget(name)
    left.addWidget(path)
    whole = QHBoxLayout(row)
    whole.setContentsMargins(px(12), px(5), px(12), px(5))
    whole.addLayout(left, 1)
    whole.addWidget(notes)
    for label in (name, path, notes):
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    row.setAccessibleName(f"{name.text()}, {path.text()}, {notes.text()}")
    return row


class MessagePage(QFrame):
    """Shows the message ``page`` and buttons; ``offered`` carries the query of a clicked link.

    ``suggestions`` is the list of folders found on this computer.
    """

    offered = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self._theme = theme
        self.page = Message("search", "")
        self._picture = QLabel()
        self._title = _label("title", "")
        self._text = _label("", "text2")
        self._detail = _label("", "text3")
        self._links: list[QPushButton] = []
        self._link_column = QVBoxLayout()
        self._button_row = ActionRow(on_page=True)
        self._column = column = QVBoxLayout(self)
        column.addStretch(5)
        for widget in (self._picture, self._title, self._text):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self._link_column)
        column.addWidget(self._detail, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self._button_row)
        self.suggestions = SuggestedFolders()
        self.suggestions.hide()
        column.addWidget(self.suggestions, 0, Qt.AlignmentFlag.AlignHCenter)
        self._choices: QWidget | None = None
        column.addStretch(6)
        self.set_theme(theme)

    @property
    def buttons(self) -> Sequence[QPushButton]:
        """The buttons for actions, the primary one first."""
        return self._button_row.buttons

    def show_page(self, page: Message, actions: Sequence[QAction] = ()) -> None:
        """Show ``page``, with a button for each of ``actions``; the first is the primary one."""
        self._button_row.show_actions(actions)
        if page == self.page:
            return
        if page.offers != self.page.offers:
            self._set_offers(page.offers)
        self.page = page
        self._title.setText(page.title)
        self._text.setText(page.text)
        self._detail.setText(page.detail)
        self._text.setVisible(bool(page.text))
        self._detail.setVisible(bool(page.detail))
        self._show_suggestions()
        if self._choices is not None:
            self._choices.setVisible(page.is_first)
        self.setAccessibleName(page.title)
        self._draw_picture()
        self._fit()

    def set_suggestions(self, folders: Sequence[SuggestedFolder]) -> None:
        """Show ``folders`` below each message that asks for a folder."""
        self.suggestions.show_folders(folders)
        stops = [*self.buttons[-1:], *self.suggestions.buttons]
        for before, after in pairwise(stops):  # the folders come last
            self.setTabOrder(before, after)
        self._show_suggestions()

    def add_choices(self, choices: QWidget) -> None:
        """Add ``choices``, a widget for new users, below the folders."""
        self._column.insertWidget(self._column.count() - 1, choices)
        self._choices = choices
        choices.setVisible(self.page.is_first)

    def focus_action(self) -> None:
        """Focus the first link, else the primary button, if there is any."""
        first = next(iter((*self._links, *self.buttons)), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._column.setSpacing(px(12))
        self._button_row.setSpacing(px(6))
        self._button_row.setContentsMargins(0, px(8), 0, 0)
        self._picture.setContentsMargins(0, 0, 0, px(8))
        self._detail.setContentsMargins(0, px(8), 0, 0)
        self.suggestions.fit()
        self._draw_picture()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the texts for the new width."""
        super().resizeEvent(event)
        self._fit()

    def _show_suggestions(self) -> None:
        self.suggestions.setVisible(self.page.asks_folder and bool(self.suggestions.buttons))

    def _set_offers(self, offers: Sequence[SearchLink]) -> None:
        for link in self._links:
            link.hide()
            link.deleteLater()
        self._links = [QPushButton(offer.text.replace("&", "&&"), self) for offer in offers]
        for link in self._links:
            link.setProperty("link", True)
            link.setAutoDefault(True)
            link.setCursor(Qt.CursorShape.PointingHandCursor)
            link.clicked.connect(self._accept)
            self._link_column.addWidget(link, 0, Qt.AlignmentFlag.AlignHCenter)
            link.show()

    @Slot()
    def _accept(self) -> None:
        index = self._links.index(self.sender())  # type: ignore[arg-type]
        self.offered.emit(self.page.offers[index].query)

    def _draw_picture(self) -> None:
        colour = getattr(self._theme, self.page.tone)
        drawn = icons.pixmap(self.page.icon, colour, px(42), self.devicePixelRatioF(), 1.4)
        self._picture.setPixmap(drawn)

    def _fit(self) -> None:
        """Set the sizes of the texts, because centred labels do not ask for their own height."""
        width = max(px(200), min(px(500), self.width() - 2 * px(24)))
        page = self.page
        for label, text in (
            (self._title, page.title),
            (self._text, page.text),
            (self._detail, page.detail),
        ):
            if not text:
                continue  # the label is hidden
            label.ensurePolished()
            label.setText(_LONG_WORD.sub(partial(_elided, label.fontMetrics(), width), text))
            label.setMinimumSize(0, 0)  # or the label would never report a smaller height
            height = max(0, label.heightForWidth(width))
            label.setFixedWidth(_balanced(label, width, height))
            label.setMinimumHeight(height)


def scrolling(page: MessagePage) -> QScrollArea:
    """Return an area with ``page`` that scrolls if the page is higher than the area."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidgetResizable(True)
    area.setWidget(page)
    for part in (page, area.viewport()):
        part.setAutoFillBackground(False)
    page.setMinimumWidth(1)  # so that its texts wrap at any width
    return area


def _balanced(label: QLabel, width: int, height: int) -> int:
    """Return the least width in pixels at which ``label`` is at most ``height`` high."""
    words = map(label.fontMetrics().horizontalAdvance, label.text().split())
    widths = range(min(width, max(width // 2, *words, 0) + 1), width)
    return widths.start + bisect_left(widths, True, key=lambda w: label.heightForWidth(w) <= height)


def _elided(metrics: QFontMetrics, width: int, word: re.Match[str]) -> str:
    return metrics.elidedText(word[0], Qt.TextElideMode.ElideMiddle, width - 1)


def _label(role: str, tone: str) -> QLabel:
    label = text_label(role=role, tone=tone)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def choose_folder_message() -> Message:
    """Return the message that asks for the notes folder, as in the first run."""
    text = translate(
        "Pick the folder that contains your Markdown notes. notesearch only reads it:"
        " your files stay as they are, and nothing leaves this computer."
    )
    title = translate("Choose your notes folder")
    return Message("folder", title, text, tone="accent", asks_folder=True, is_first=True)


def start_message(title: str = "") -> Message:
    """Return the message of an empty query; its title is ``title`` or, if empty, a general one."""
    text = translate("Type a few words, or describe what the note is about.")
    return Message("search", title or translate("Search your notes"), text)
