"""Where the preview's links were followed from: back and forth, as in a browser."""

from notesearch.gui.session.read_worker import ReadRequest


class Trail:
    """What was on show before, and what was come back from."""

    def __init__(self) -> None:
        self._behind: list[ReadRequest] = []
        self._ahead: list[ReadRequest] = []

    def leave(self, now: ReadRequest) -> None:
        """Remember ``now``: a link is followed."""
        self._behind.append(now)
        self._ahead.clear()

    def back(self, now: ReadRequest | None) -> ReadRequest | None:
        """Return what was on show before ``now``."""
        return _step(self._behind, self._ahead, now)

    def forth(self, now: ReadRequest | None) -> ReadRequest | None:
        """Return what ``back`` came back from."""
        return _step(self._ahead, self._behind, now)

    def clear(self) -> None:
        """Forget everything: another section was selected."""
        self._behind.clear()
        self._ahead.clear()


def _step(
    source: list[ReadRequest], other: list[ReadRequest], now: ReadRequest | None
) -> ReadRequest | None:
    if not source or now is None:
        return None
    other.append(now)
    return source.pop()
