"""What a window tells its user: notices in a bar across it, or a page in place of the results.

A bar has problems or an offer, a page a message with its buttons, links and suggested folders.
``window/index_display.py`` decides which problems with the folder and its index the bar shows.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.translation import translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import (
    ElidedLabel,
    announce,
    icon_button,
    set_margins,
    text_label,
)
from notesearch.gui.widgets.theme import Theme, px

_REBUILT_MS = 30_000
_LONG_WORD = re.compile(r"\S{12,}")
_SUGGESTED_WIDTH = 422

_LOOKS = {
    "banner": ("warning", "warn"),
    "notice": ("warning", "danger"),
    "offer": ("bulb", "accent"),
}
"""Icon and colour of each kind of bar; the style sheet has its background."""


class ActionRow(QHBoxLayout):
    """A row of buttons for actions. On a page, it is centred, and the first button is primary."""

    def __init__(self, *, on_page: bool = False) -> None:
        super().__init__()
        self._on_page = on_page
        self._shown: list[tuple[QAction, str]] = []
        self.buttons: list[QPushButton] = []
        if on_page:
            self.addStretch(1)
            self.addStretch(1)

    def show_actions(self, actions: Sequence[QAction]) -> None:
        """Show buttons for ``actions``. Keep those already shown: the user may be clicking one."""
        wanted = [(action, action.text()) for action in actions]
        if wanted == self._shown:
            return
        self._shown = wanted
        for button in self.buttons:
            self.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [QPushButton(text, self.parentWidget()) for _, text in wanted]
        for number, (button, action) in enumerate(zip(self.buttons, actions, strict=True)):
            button.setProperty("primary", self._on_page and number == 0)
            button.setAutoDefault(self._on_page)
            button.setEnabled(action.isEnabled())
            action.enabledChanged.connect(button.setEnabled)
            button.clicked.connect(action.trigger)
            self.insertWidget(number + self._on_page, button)
            button.show()


class Banner(QFrame):
    """A bar with a message; hidden until ``show_message``. ``kind`` is a key of ``_LOOKS``.

    ``closed`` is emitted when the user closes it.
    """

    closed = Signal()

    def __init__(self, kind: str = "banner") -> None:
        super().__init__()
        self.setObjectName(kind)
        self._icon = QLabel()
        self._text = text_label()
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._icon)
        self._content = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._content.addWidget(self._text, 1)
        self._button_row = ActionRow()
        self._content.addLayout(self._button_row)
        align = Qt.AlignmentFlag
        self._content.setAlignment(self._button_row, align.AlignLeading | align.AlignVCenter)
        self._row.addLayout(self._content, 1)
        self.close_button = icon_button(translate("Close"))
        self.close_button.setAccessibleName(translate("Close this message"))
        self.close_button.clicked.connect(self.close_message)
        self._row.addWidget(self.close_button)
        self.hide()

    @property
    def text(self) -> str:
        """The message."""
        return self._text.text()

    @property
    def buttons(self) -> list[str]:
        """The labels of the buttons."""
        return [button.text() for button in self._button_row.buttons]

    def show_message(self, text: str, actions: Sequence[QAction] = ()) -> None:
        """Show ``text`` with a button for each of ``actions``; screen readers say a new text."""
        is_new = self.isHidden() or text != self._text.text()
        self._button_row.show_actions(actions)
        self._text.setText(text)
        self.setAccessibleName(text)
        self._place_buttons()
        self.show()
        if is_new:
            announce(self, text)

    @Slot()
    def close_message(self) -> bool:
        """Hide the bar, because the user closes it; return whether it was shown."""
        was_shown = not self.isHidden()
        self.hide()
        if was_shown:
            self.closed.emit()
        return was_shown

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        name, tone = _LOOKS[self.objectName()]
        colour = getattr(theme, tone)
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(icons.pixmap(name, colour, px(16), ratio))
        icons.set_icon(self.close_button, "clear", theme.text2, px(12))
        set_margins(self._row, px(15), px(7), px(10), px(7))
        for layout in (self._row, self._content, self._button_row):
            layout.setSpacing(px(7))
        self.setMinimumHeight(px(44))
        self._place_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the text for the new width."""
        super().resizeEvent(event)
        self._place_buttons()

    def _place_buttons(self) -> None:
        """Put the buttons beside the text, or below it if this makes the bar less high."""
        gap = px(7)
        buttons = self._button_row.sizeHint()
        margins = self._row.contentsMargins()
        ends = self._icon.sizeHint().width() + self.close_button.sizeHint().width() + 2 * gap
        room = self.width() - margins.left() - margins.right() - ends
        beside = self._text.heightForWidth(max(1, room - buttons.width() - gap))
        below = self._text.heightForWidth(max(1, room)) + gap + buttons.height()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._content.setDirection(down if below < beside else across)


class Cause(Enum):
    """What a notice is about."""

    INDEX = "index"
    REBUILT = "rebuilt"
    WATCHING = "watching"
    SETTINGS = "settings"
    BUG = "bug"
    OTHER = "other"


class Notices(QObject):
    """Shows in the bar what went wrong: the newest notice, and below it a problem with the index.

    A notice stays until the user closes it or ``end`` says that its cause has ended. The
    notice that the index is being rebuilt is shown only for a while. A closed notice does not come
    back with the same text before its cause has ended.
    """

    def __init__(self, banner: Banner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._banner = banner
        # The text for the bar, and the actions that help; the newest last.
        self._open: dict[Cause, tuple[str, Sequence[QAction]]] = {}
        self._closed: dict[Cause, str] = {}
        self._rebuilt = QTimer(self, singleShot=True, interval=_REBUILT_MS)
        self._rebuilt.timeout.connect(self._close_rebuilt)
        banner.closed.connect(self._close_all)

    def shows(self, about: Cause) -> bool:
        """Return whether the bar shows a notice about this cause."""
        return about in self._open

    def show(self, about: Cause, text: str, actions: Sequence[QAction] = ()) -> None:
        """Show a notice, unless the user has closed the same one before."""
        if self._closed.get(about) == text:
            return
        self._forget(about)
        self._close(Cause.REBUILT)
        self._open[about] = text, actions
        self._draw()

    @Slot(str)
    def show_other(self, text: str, actions: Sequence[QAction] = ()) -> None:
        """Show the outcome of a user's action, even if it was the same before."""
        self._forget(Cause.OTHER)
        self.show(Cause.OTHER, text, actions)

    def show_bug(self, text: str, actions: Sequence[QAction]) -> None:
        """Report an unexpected error, even if it was the same before."""
        self._forget(Cause.BUG)
        self.show(Cause.BUG, text, actions)

    @Slot(str)
    def show_settings(self, text: str) -> None:
        """Show why the settings cannot be stored, until they can."""
        self._forget(Cause.SETTINGS)
        self.show(Cause.SETTINGS, text)

    @Slot()
    def settle_settings(self) -> None:
        """Hide the notice about the settings, which are stored now."""
        self.end(Cause.SETTINGS)

    def end(self, *causes: Cause) -> None:
        """Hide the notices about ``causes``, which have ended."""
        self._forget(*causes)
        self._draw()

    @Slot()
    def forget_closed(self) -> None:
        """Show a problem with the index again although the user has closed it."""
        self._closed.pop(Cause.INDEX, None)

    def _forget(self, *causes: Cause) -> None:
        for about in causes:
            self._open.pop(about, None)
            self._closed.pop(about, None)

    def _close(self, *causes: Cause) -> None:
        for about in causes:
            if about in self._open:
                self._closed[about] = self._open.pop(about)[0]

    @Slot()
    def _close_all(self) -> None:
        self._close(*self._open)

    @Slot()
    def _close_rebuilt(self) -> None:
        self._close(Cause.REBUILT)
        self._draw()

    def _draw(self) -> None:
        if Cause.REBUILT not in self._open:
            self._rebuilt.stop()
        elif not self._rebuilt.isActive():
            self._rebuilt.start()
        if not self._open:
            self._banner.hide()
            return
        newest = [*self._open.values()][-1]
        below = self._open.get(Cause.INDEX, newest)
        notices = [newest] if below is newest else [newest, below]
        actions = dict.fromkeys(action for _, useful in reversed(notices) for action in useful)
        self._banner.show_message("\n".join(text for text, _ in notices), list(actions))


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


@dataclass(frozen=True, slots=True)
class SuggestedFolder:
    """A folder to choose, and its texts: its name, its path, and how many notes it has."""

    folder: Path
    name: str
    path: str
    notes: str


class SuggestedFolders(QFrame):
    """A list of notes folders as buttons; ``chosen`` carries the path of the clicked one."""

    chosen = Signal(object)

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
        for row, folder in zip(self.buttons, folders, strict=True):
            row.clicked.connect(partial(self.chosen.emit, folder.folder))
            self._column.addWidget(row)
        self.fit()

    def fit(self) -> None:
        """Adapt spaces and width to the size of the current font."""
        self._column.setContentsMargins(0, px(10), 0, 0)
        self._column.setSpacing(px(5))
        self.setFixedWidth(px(_SUGGESTED_WIDTH))


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
    area.setViewport(QWidget())  # it paints no background, unlike Qt's own
    area.setWidget(page)
    page.setAutoFillBackground(False)
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
