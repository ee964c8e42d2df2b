"""What the preview will probably show next: read before it is selected, and shown at once then."""

from collections.abc import Iterable

from notesearch.gui.read_worker import AheadRequest, Reading, ReadRequest
from notesearch.results import Scope

_Place = tuple[str, int, Scope, int]


class SectionsAhead:
    """Keeps readings of sections that are near to the selected one.

    They may be older than the note: whoever shows one has it read again after that.
    """

    def __init__(self) -> None:
        self._kept: dict[_Place, Reading] = {}

    def wanted(self, requests: Iterable[ReadRequest]) -> AheadRequest | None:
        """Return what is to be read of ``requests``, the likeliest first; None if all is there."""
        places = {_place(request): request for request in requests}
        self._kept = {place: kept for place, kept in self._kept.items() if place in places}
        missing = tuple(request for place, request in places.items() if place not in self._kept)
        return AheadRequest(missing) if missing else None

    def keep(self, reading: Reading) -> None:
        """Remember ``reading`` until other sections are wanted."""
        self._kept[_place(reading.request)] = reading

    def take(self, request: ReadRequest) -> Reading | None:
        """Hand out what was read for ``request``, once."""
        return None if request.link else self._kept.pop(_place(request), None)

    def forget(self) -> None:
        """Keep nothing: other notes are on show."""
        self._kept.clear()


def _place(request: ReadRequest) -> _Place:
    return request.path, request.line, request.scope, request.room
