"""The list of results with the lines above it, and the splitter that puts the preview beside it."""

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.results.results_model import ResultsModel
from notesearch.gui.results.results_view import ResultsView
from notesearch.gui.translation import number_text, tr, translate
from notesearch.gui.widgets import icons
from notesearch.gui.widgets.controls import ElidedLabel, plain_tip, set_margins
from notesearch.gui.widgets.marked_line import fitted
from notesearch.gui.widgets.theme import Role, Theme, font, px
from notesearch.results import SearchResult
from notesearch.status import Phase, Progress

_FINDING_DELAY_MS = 150


class ResultsSummary(QWidget):
    """A line that sums up the results, with buttons to sort and filter them if ``shows_order``.

    ``order_chosen`` carries True for newest first, False for best match first.
    """

    order_chosen = Signal(bool)

    def __init__(self, theme: Theme, *, shows_order: bool = True) -> None:
        super().__init__()
        self._theme = theme
        self._shows_order = shows_order
        self._is_hint = self._is_finding = False
        self._sorted = best_first() if shows_order else ""
        self._count = ElidedLabel(role="meta", tone="text3")
        self._order = self._small_button()
        self._order.setAccessibleDescription(translate("Sort results by"))
        self._order.clicked.connect(self._offer_orders)
        self.narrow_button = self._small_button()
        self.narrow_button.setText(translate("Narrow"))
        self.narrow_button.setToolTip(translate("Show only results with …"))
        self._menu = QMenu(self)
        for order in (best_first(), newest_first()):
            self._menu.addAction(order).setCheckable(True)
        self._menu.triggered.connect(self._choose)
        self._delay = QTimer(self, singleShot=True, interval=_FINDING_DELAY_MS)
        self._delay.timeout.connect(self._show_finding)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._count)
        self._row.addStretch(1)
        self._row.addWidget(self.narrow_button)
        self._row.addWidget(self._order)

    @property
    def count_text(self) -> str:
        """The text that sums up the results."""
        return self._count.text()

    def set_count(self, text: str, *shorter: str) -> None:
        """Show ``text``, which sums up the results, or the first of ``shorter`` that fits."""
        self._count.set_texts(text, *shorter)
        self._count.setToolTip(plain_tip(text))
        self._is_hint = False
        self._update_order()

    def show_hint(self, text: str) -> None:
        """Show ``text`` and no buttons, because there is no query."""
        self._count.set_texts(text)
        self._is_hint = True
        self._update_order()

    def set_newest_first(self, newest: bool) -> None:
        """Show whether the newest notes come first, or the best."""
        if self._shows_order:
            self._sorted = newest_first() if newest else best_first()
        self._update_order()

    def set_finding_related(self, finding: bool) -> None:
        """After a delay, say that related sections may still come; stop if not ``finding``."""
        if finding:
            self._delay.start()
            return
        self._delay.stop()
        self._is_finding = False
        self._update_order()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        self._theme = theme
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(px(12))
        for button in (self._order, self.narrow_button):
            button.setFixedHeight(QFontMetrics(font(Role.META)).height() + 2)
        icons.set_icon(self.narrow_button, "chevron-down", theme.text3, px(9))
        _fit(self.narrow_button)
        self._update_order()

    def _small_button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("order")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._put_icon(button, before_text=False)
        return button

    def _put_icon(self, button: QToolButton, *, before_text: bool) -> None:
        """Put the icon of ``button`` before or after its text in reading direction."""
        direction = Qt.LayoutDirection  # the opposite one puts the icon after the text
        leftward = self.isRightToLeft() == before_text
        button.setLayoutDirection(direction.RightToLeft if leftward else direction.LeftToRight)

    def _show_finding(self) -> None:
        self._is_finding = True
        self._update_order()

    def _update_order(self) -> None:
        text = finding_related() if self._is_finding else self._sorted
        self._order.setText(text)
        self._order.setVisible(bool(text) and not self._is_hint)
        self.narrow_button.setVisible(self._shows_order and not self._is_hint)
        self._order.setEnabled(self._shows_order and not self._is_finding)
        self._put_icon(self._order, before_text=self._is_finding)
        if self._is_finding:
            icons.set_icon(self._order, "sparkle", self._theme.text3, px(11))
        elif self._shows_order:
            icons.set_icon(self._order, "chevron-down", self._theme.text3, px(9))
        else:
            self._order.setIcon(QIcon())
        _fit(self._order)

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.order_chosen.emit(action.text() == newest_first())

    @Slot()
    def _offer_orders(self) -> None:
        for action in self._menu.actions():
            action.setChecked(action.text() == self._order.text())
        width = self._menu.sizeHint().width()
        left = 0 if self.isRightToLeft() else self._order.width() - width
        self._menu.popup(self._order.mapToGlobal(QPoint(left, self._order.height() + 2)))


def _fit(button: QToolButton) -> None:
    """Set the width so that the icon is close to the text; Qt would leave a wide gap."""
    text = QFontMetrics(font(Role.META)).horizontalAdvance(button.text())
    arrow = 0 if button.icon().isNull() else button.iconSize().width() + icons.QT_GAP
    button.setFixedWidth(text + arrow + 4)


def best_first() -> str:
    """Return the name of the order by rank."""
    return translate("Best match first")


def newest_first() -> str:
    """Return the name of the order by date."""
    return translate("Newest first")


def finding_related() -> str:
    """Return the text that is shown while related sections may still come."""
    return translate("Finding related…")


class ResultsPane(QFrame):
    """The list of results, below a line that sums them up and a line about corrected words.

    Quick search shows the line ``summary`` elsewhere. The button ``offer_button`` searches for
    another query, such as the words exactly as typed, or undoes sorting by likeness.
    """

    def __init__(
        self, model: ResultsModel, theme: Theme, *, summary: ResultsSummary | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("resultsPane")
        self.model = model
        self.view = ResultsView(model, theme)
        self._has_summary = summary is None
        self.summary = summary or ResultsSummary(theme)
        self._correction = ElidedLabel(role="meta", tone="text2")
        self._correction.setObjectName("correction")
        self._offer = ""
        self.offer_button = QPushButton()
        self.offer_button.setProperty("role", "meta")
        self.offer_button.setProperty("link", True)
        self.offer_button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lay_out()
        self.set_correction("", "")
        self.set_theme(theme)

    def show_no_query(self) -> None:
        """Show no text above the list, because there is no query."""
        self.summary.set_finding_related(False)
        self.view.set_dimmed(False)
        self.summary.set_count("")
        self.set_correction("", "")

    @property
    def correction(self) -> str:
        """The text about how the query was read."""
        return self._correction.text()

    def set_correction(self, text: str, offer: str) -> None:
        """Show ``text``, about how the query was read, and a button labelled ``offer``."""
        self._correction.setText(text)
        self._correction.setToolTip(plain_tip(text))
        self._offer = offer
        self.offer_button.setToolTip(plain_tip(offer))
        self._correction.setVisible(bool(text))
        self.offer_button.setVisible(bool(offer))
        self._place_offer()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of ``theme`` and the sizes of the current font."""
        if self._has_summary:
            set_margins(self._head, px(18), px(8), px(15), px(4))
        else:
            set_margins(self._head, 0, px(6), 0, 0)
        start = px(8 if self._has_summary else 10)
        set_margins(self._correction_row, start, 0, px(15), 0)
        self._correction_row.setSpacing(0)
        self.offer_button.setMinimumWidth(px(60))  # long words must not widen the pane
        self.summary.set_theme(theme)
        self.view.set_theme(theme)
        self._place_offer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the offered correction again, because the room for it has changed."""
        super().resizeEvent(event)
        self._place_offer()

    def _place_offer(self) -> None:
        """Put the offer beside the correction if both fit, else below it; shorten a long offer."""
        margins = self._correction_row.contentsMargins()
        metrics = self.offer_button.fontMetrics()
        room = self.width() - margins.left() - margins.right()
        self.offer_button.setText(self._offer.replace("&", "&&"))
        whole = self.offer_button.sizeHint().width()
        way = QBoxLayout.Direction
        is_beside = self._correction.sizeHint().width() + whole <= room
        self._correction_row.setDirection(way.LeftToRight if is_beside else way.TopToBottom)
        # The text stands as low as beside an offer, even if there is none beside it.
        around = self.offer_button.sizeHint().height() - self._correction.fontMetrics().height()
        pad = max(0, around // 2)
        set_margins(self._correction, px(10), pad, 0, pad if is_beside else 0)
        text = fitted(self._offer, metrics, room - whole + metrics.horizontalAdvance(self._offer))
        self.offer_button.setText(text.replace("&", "&&"))

    def _lay_out(self) -> None:
        self._head = QHBoxLayout()
        self._correction_row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        if self._has_summary:
            self._head.addWidget(self.summary)
        self._correction_row.addWidget(self._correction)
        self._correction_row.addWidget(self.offer_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._correction_row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addLayout(self._correction_row)
        column.addWidget(self.view, 1)


_SIDE_BY_SIDE = [440, 680]
_STACKED = [300, 370]
_LEAST_PREVIEW = 76
"""Minimum height of the preview before scaling, for its breadcrumb and a line of text."""
_LEAST_BESIDE_LIST = 250
"""Minimum width of the preview beside a list of fixed width, before scaling."""
_NO_LIMIT = (1 << 24) - 1
"""The maximum width of a widget that has none, as Qt defines it."""


class ResultPanes(QSplitter):
    """A splitter with the list of results and the preview.

    A preview below the list is hidden if it would leave no room for a whole row of the list. This
    happens with large text and a message. Beside a list of the fixed width ``list_width``, in
    pixels before scaling, it is hidden if it would be too narrow.

    Attributes:
        wants_preview: Whether the user wants to see the preview.
    """

    def __init__(self, results: ResultsPane, preview: PreviewPane, *, list_width: int = 0) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.results = results
        self.preview = preview
        self.wants_preview = True
        self._list_width = list_width
        self._sizes = {Qt.Orientation.Horizontal: _SIDE_BY_SIDE, Qt.Orientation.Vertical: _STACKED}
        self._right = right = QFrame()
        right.setObjectName("previewPane")
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(preview)
        right.setMinimumHeight(px(_LEAST_PREVIEW))
        self.addWidget(self.results)
        self.addWidget(right)
        self.setHandleWidth(1)
        self.handle(1).setEnabled(not list_width)
        self.setChildrenCollapsible(False)
        self.setSizes(_SIDE_BY_SIDE)
        for index, share in enumerate(_SIDE_BY_SIDE):
            self.setStretchFactor(index, share)
        self.splitterMoved.connect(self._keep)

    def set_theme(self, theme: Theme) -> None:
        """Apply the theme and the font sizes."""
        self.results.set_theme(theme)
        self.preview.set_theme(theme)
        self._right.setMinimumHeight(px(_LEAST_PREVIEW))
        self._fit()

    @property
    def shows_preview(self) -> bool:
        """Whether the preview is not hidden."""
        return not self._right.isHidden()

    @property
    def holds_focus(self) -> bool:
        """Whether the preview has the keyboard focus."""
        focus = self.window().focusWidget()
        return focus is not None and self._right.isAncestorOf(focus)

    def set_preview_shown(self, shown: bool) -> None:
        """Show the preview if there is room for it, or give all room to the results."""
        self.wants_preview = shown
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the preview if there is room for it now."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Show the preview if there is room for it when the results need more or less room."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return is_done

    def _fit(self) -> None:
        orientation = self.orientation()
        needed = self.results.minimumSizeHint().height() + self._right.minimumHeight()
        fits = orientation == Qt.Orientation.Horizontal or self.height() > needed
        fixed = px(self._list_width) if self._list_width else 0
        fits = fits and (not fixed or self.width() >= fixed + px(_LEAST_BESIDE_LIST))
        shown = self.wants_preview and fits
        if fixed:
            self.results.setMinimumWidth(fixed if shown else 0)
            self.results.setMaximumWidth(fixed if shown else _NO_LIMIT)
        if shown == self.shows_preview:
            return
        if not shown and self.holds_focus:
            self.results.view.setFocus()
        sizes = self.pane_sizes(orientation)
        self._right.setVisible(shown)
        self.set_pane_sizes(orientation, sizes)

    def pane_sizes(self, orientation: Qt.Orientation) -> list[int]:
        """Return the chosen sizes of results and preview in ``orientation``, in pixels."""
        return self._sizes[orientation]

    def set_pane_sizes(self, orientation: Qt.Orientation, sizes: list[int]) -> None:
        """Set the sizes of results and preview in ``orientation``, in pixels."""
        self._sizes[orientation] = sizes
        if self.orientation() == orientation:
            self.setSizes(sizes)

    def turn(self, orientation: Qt.Orientation) -> None:
        """Put the preview beside the results (horizontal) or below them (vertical)."""
        if self.orientation() != orientation:
            self.setOrientation(orientation)
            self.setSizes(self._sizes[orientation])
            self._fit()

    @Slot()
    def _keep(self) -> None:
        """Remember the sizes that the user has set; a narrow window does not change them."""
        self._sizes[self.orientation()] = self.sizes()


def found_text(result: SearchResult, progress: Progress | None = None) -> str:
    """Return the line above the results: ``13 sections in 5 notes``; empty without results."""
    if not result.sections:
        return ""
    sections = tr("%Ln section(s)", result.total)
    if progress is not None and progress.phase is Phase.WORDS and progress.total:
        text = tr("{sections} so far · {done} of %Ln note(s)", progress.total)
        return text.format(sections=sections, done=number_text(progress.done))
    if progress is not None and progress.phase is Phase.SCAN:
        return translate("{sections} so far", sections=sections)
    listed = len(result.sections)
    if result.total > listed:
        text = tr("{sections}, the first {listed} in %Ln note(s)", len(result.notes))
        return text.format(sections=sections, listed=number_text(listed))
    return tr("{sections} in %Ln note(s)", len(result.notes), sections=sections)


def shorter_found_texts(result: SearchResult) -> tuple[str, ...]:
    """Return shorter forms of ``found_text`` for narrow windows: "13 sections", "13"."""
    if not result.sections:
        return ()
    return tr("%Ln section(s)", result.total), number_text(result.total)
