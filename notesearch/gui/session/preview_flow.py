"""From the selected section to the preview: asks for its text, follows scope and links."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.session.on_show import OnShow
from notesearch.gui.session.preview_ahead import SectionsAhead
from notesearch.gui.session.read_worker import Matches, MatchRequest, Reading, ReadRequest
from notesearch.gui.session.trail import Trail
from notesearch.gui.translation import translate
from notesearch.notes import Linked
from notesearch.results import Scope, SectionResult, SectionText

_FOLLOW_S = 0.06
_TYPED_S = 0.25
_LATE_MS = 150
_WIDER = {Scope.SECTION: Scope.PARENT, Scope.PARENT: Scope.NOTE, Scope.NOTE: Scope.NOTE}
_NARROWER = {Scope.SECTION: Scope.SECTION, Scope.PARENT: Scope.SECTION, Scope.NOTE: Scope.PARENT}


class PreviewFlow(OnShow):
    """The newest selection wins; while a key is held down the preview follows as it can.

    The next section is asked for when the last one has come, or after 60 ms. What stands beside it
    in the list is read ahead, shown at once when it is selected, and read again after that.

    Signals:
        asked: A ``ReadRequest``, a ``MatchRequest`` or an ``AheadRequest`` for the reading thread.
        shown: The preview shows what was asked for.
        marked: Its matches are marked.
        gone: The note at a path is not there, or there again.

    Attributes:
        ahead: What is read before it is selected.
    """

    asked = Signal(object)
    shown = Signal()
    marked = Signal()
    gone = Signal(str, bool)

    def __init__(self, preview: PreviewPane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preview = preview
        self._asked_at = 0.0
        self._reading: ReadRequest | None = None  # asked for, and not there yet
        self._near: Callable[[], Sequence[SectionResult]] = tuple
        self.ahead = SectionsAhead(self)
        self.ahead.asked.connect(self.asked)
        self._trail = Trail()
        self._more: MatchRequest | None = None
        self._follow, self._late, self._painted = (_timer(self, ms) for ms in (0, _LATE_MS, 0))
        self._follow.timeout.connect(self._ask)
        self._late.timeout.connect(self._show_late)
        self._painted.timeout.connect(self._ask_more)
        preview.scope_requested.connect(self.set_scope)
        preview.section_requested.connect(self.go_to)
        preview.link_activated.connect(self._follow_link)
        preview.matches_wanted.connect(self._find_matches)
        preview.update_requested.connect(self._ask)  # it may be there again, the index unchanged

    def show(
        self,
        result: SectionResult,
        query: str,
        near: Callable[[], Sequence[SectionResult]] = tuple,
    ) -> None:
        """Show the section of ``result``; found once more it leaves the reader where he is.

        ``near`` tells what may be selected next, the likeliest first.
        """
        now, self._near = self._request, near
        if now and (_place(now.result), now.query) == (_place(result), query):
            self._want(replace(now, result=result))
            return
        self._trail.clear()
        self._want(ReadRequest(result, result.path, result.line, Scope.SECTION, query))

    @Slot()
    def stop(self) -> None:
        """Wait for nothing any more, and keep nothing: another vault has other notes."""
        self.ahead.forget(self._shown)
        self._follow.stop()
        self._late.stop()
        self._painted.stop()
        self._more = None
        self._reading = None

    def clear(self) -> None:
        """Show nothing."""
        self.stop()
        self._request = self._shown = None
        self._preview.clear()

    @Slot(object)
    def loaded(self, reading: Reading) -> None:
        """Show what was read, if it is still wanted and not on show already."""
        if reading.ahead:
            self.ahead.keep(reading)
            return
        if reading.request == self._reading:
            self._reading = None
        if reading.request != self._request:
            if self._follow.isActive():
                self._follow.stop()
                self._ask()
            return
        self._late.stop()
        if not reading.request.link:
            self.gone.emit(reading.request.path, reading.gone)
        typed = _is_typed(self._shown, reading)
        if reading != self._shown:
            self._show_anew(_whole_again(self._shown, reading))
        self.ahead.want(self._expected(), typed=typed)

    def _show_anew(self, reading: Reading) -> None:
        before, self._shown = self._shown, reading
        if before is not None:
            self.ahead.keep(before)
        again = before is not None and before.request == reading.request
        if before and _looks_the_same(before, reading):
            pass
        elif reading.text is None:
            self._preview.show_message(reading.problem, behind=reading.gone)
        else:
            self._show(reading, reading.text, again=again)
        self.shown.emit()

    @Slot(int, object)
    def matched(self, ticket: int, found: Matches) -> None:
        """Mark what was found in the text on show."""
        if found.nearest:
            self._preview.show_nearest(ticket, found.nearest)
        else:
            self._preview.show_matches(ticket, found.spans)
        self.marked.emit()

    @Slot(object)
    def set_scope(self, scope: Scope) -> None:
        """Show more or less of the note around the section."""
        now, place = self._request, self.place
        if now is None or place is None:
            return
        if self._shown is None or self._shown.request != now:  # not there yet: another one is
            self._want(replace(now, scope=scope))
        else:
            self._want(ReadRequest(now.result, *place, scope, now.query))

    @Slot()
    def widen(self) -> None:
        """Show the parent section, then the note."""
        if self._request:
            self.set_scope(_WIDER[self._request.scope])

    @Slot()
    def narrow(self) -> None:
        """Show less again, down to the section."""
        if self._request:
            self.set_scope(_NARROWER[self._request.scope])

    @Slot()
    def whole_note(self) -> None:
        """Show the whole note."""
        self.set_scope(Scope.NOTE)

    @Slot(str, int)
    def go_to(self, path: str, line: int) -> None:
        """Show another section, as a link leads there."""
        if self._request:
            now = self._request
            self._leave_for(ReadRequest(now.result, path, line, Scope.SECTION, now.query))

    @Slot()
    def back(self) -> None:
        """Show what was on show before the last link was followed."""
        self._want_again(self._trail.back(self._request))

    @Slot()
    def forth(self) -> None:
        """Follow the link again that ``back`` came back from."""
        self._want_again(self._trail.forth(self._request))

    def _want_again(self, request: ReadRequest | None) -> None:
        if request:
            self._want(request)

    def _leave_for(self, request: ReadRequest) -> None:
        """Show something else, and know the way back."""
        if self._request and request != self._request:
            self._trail.leave(self._request)
            self._want(request)

    @Slot(str)
    def _follow_link(self, target: str) -> None:
        url = QUrl(target)
        if url.scheme() in {"http", "https", "mailto"}:
            QDesktopServices.openUrl(url)
        elif url.scheme() == "note" and self._request:
            now = self._request
            path = self._shown.text.path if self._shown and self._shown.text else now.path
            name = target.removeprefix("note:")
            self._leave_for(ReadRequest(now.result, path, 0, Scope.SECTION, now.query, link=name))

    @Slot(int, str, str, tuple)
    def _find_matches(self, ticket: int, query: str, text: str, links: tuple[Linked, ...]) -> None:
        result = self._request.result if self._request else None
        passage = result.passage if result and result.related else ""
        # Once the section is painted: two threads that work at once hold each other up.
        self._more = MatchRequest(ticket, query, text, passage, links)
        self._painted.start()

    @Slot()
    def _ask_more(self) -> None:
        if self._more:
            self.asked.emit(self._more)

    def _show(self, reading: Reading, text: SectionText, *, again: bool) -> None:
        request = reading.request
        self._preview.show_section(
            text,
            request.result,
            request.query,
            html=reading.html,
            pictures=reading.pictures,
            scope=request.scope,
            modified=reading.modified,
            outline=reading.outline,
            again=again,
        )

    def _want(self, request: ReadRequest) -> None:
        room, lines = self._preview.picture_room(), self._preview.browser.lines_shown()
        self._request = replace(request, room=room, lines=lines)
        if self._shown and self._shown.request.query != request.query:
            self.ahead.keep(self._shown)  # it may be the best section of that query too
        ready = self.ahead.take(self._request)
        if ready is not None:  # and it is read again once the selection stays here
            reading = replace(ready, request=self._request, ahead=False)
            pause_s = _TYPED_S if _is_typed(self._shown, reading) else _FOLLOW_S
            self._follow.start(round(pause_s * 1000))
            self.loaded(reading)
            return
        left = self._asked_at + _FOLLOW_S - time.monotonic()
        if self._reading is None or left <= 0:
            self._follow.stop()
            self._ask()
        elif not self._follow.isActive():
            self._follow.start(round(left * 1000))

    def _expected(self) -> list[ReadRequest]:
        """Return requests for what may be selected next."""
        now = self._request
        like = replace(now, scope=Scope.SECTION, link="") if now else None
        near = self._near() if like else ()
        return [replace(like, result=n, path=n.path, line=n.line) for n in near if like]

    @Slot()
    def _ask(self) -> None:
        self._asked_at, self._reading = time.monotonic(), self._request
        if self._request:
            self.asked.emit(self._request)
            behind = self._shown is None or self._shown.request != self._request
            if behind and not self._late.isActive():
                self._late.start()

    @Slot()
    def _show_late(self) -> None:
        """Take the former section away: what is on show must be what is selected."""
        self._shown = None
        self._preview.show_message(translate("preview", "Rendering…"))


def _timer(parent: QObject, milliseconds: int) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    return timer


def _is_typed(before: Reading | None, now: Reading) -> bool:
    """Return whether ``now`` answers another query: the next letter may come soon."""
    return before is None or before.request.query != now.request.query


def _place(result: SectionResult) -> tuple[str, int, tuple[str, ...]]:
    return result.path, result.line, result.section_path


def _whole_again(before: Reading | None, now: Reading) -> Reading:
    """Return ``now``; while it is read in parts, with all that is on show of the same text.

    Pictures of another width will do until all is read.
    """
    if before is None or now.whole or not before.whole:
        return now
    request = now.request
    was = before.request.scope, before.text, before.modified
    same = was == (request.scope, now.text, now.modified)
    return replace(before, request=request) if same else now


def _looks_the_same(before: Reading, now: Reading) -> bool:
    """Return whether only the ranking of the section is another: words told, and now meaning."""
    old, new = before.request.result, now.request.result
    placed = (old.line, old.level, old.related, old.passage if old.related else "")
    if placed != (new.line, new.level, new.related, new.passage if new.related else ""):
        return False
    return replace(now, request=replace(now.request, result=old)) == before
