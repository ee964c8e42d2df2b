"""What the preview will probably show next: read before it is selected, and shown at once then."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from notesearch.gui.session.read_worker import AheadRequest, Reading, ReadRequest
from notesearch.results import Scope

_TYPING_MS = 100
_Place = tuple[str, int, Scope, int]


class SectionsAhead(QObject):
    """Keeps readings of sections that are near to the selected one.

    They may be older than the note: whoever shows one has it read again after that. While somebody
    types none is read: the next letter will have other sections listed, and waits meanwhile.

    Signals:
        asked: An ``AheadRequest`` for the reading thread, the likeliest first.
    """

    asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: dict[_Place, Reading] = {}
        self._missing: tuple[ReadRequest, ...] = ()
        self._former: Reading | None = None  # of another vault
        self._pause = QTimer(self, singleShot=True)
        self._pause.timeout.connect(self._ask)

    def want(self, requests: Iterable[ReadRequest], *, typed: bool) -> None:
        """Have those of ``requests`` read that are not there: once the section on show is painted.

        ``typed``: it answers another query than the section before.
        """
        places = {_place(request): request for request in requests}
        self._kept = {place: kept for place, kept in self._kept.items() if place in places}
        self._missing = tuple(places[place] for place in places if place not in self._kept)
        if typed or not self._pause.isActive():
            self._pause.start(_TYPING_MS if typed else 0)

    @Slot()
    def put_off(self) -> None:
        """Read nothing yet: somebody typed another letter."""
        if self._pause.isActive():
            self._pause.start(_TYPING_MS)

    def keep(self, reading: Reading) -> None:
        """Remember ``reading``, if it may be shown again, until other sections are wanted."""
        if reading.text is not None and not reading.request.link and reading is not self._former:
            self._kept[_place(reading.request)] = reading

    def take(self, request: ReadRequest) -> Reading | None:
        """Hand out what was read for ``request``, once."""
        return None if request.link else self._kept.pop(_place(request), None)

    def forget(self, shown: Reading | None) -> None:
        """Keep nothing, and read nothing: other notes come, and ``shown`` is none of them.

        It stays on show for a while, and another vault may have a section at the same place.
        """
        self._pause.stop()
        self._former = shown
        self._kept.clear()

    @Slot()
    def _ask(self) -> None:
        if self._missing:
            self.asked.emit(AheadRequest(self._missing))


def _place(request: ReadRequest) -> _Place:
    return request.path, request.line, request.scope, request.room
