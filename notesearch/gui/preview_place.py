"""Where the reader of the preview is: led to a match by us, or gone elsewhere since."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QScrollBar

_ELSEWHERE = -1


class Place:
    """The place of one scroll bar, and whether it is the one that was led to last."""

    def __init__(self, bar: QScrollBar) -> None:
        self._bar = bar
        self._led_to = bar.value()

    @property
    def has_moved(self) -> bool:
        """Whether the reader has scrolled: a reader on the way must not be led elsewhere."""
        return self._bar.value() != self._led_to

    def lead_to(self, value: int) -> None:
        """Scroll there."""
        self._bar.setValue(value)
        self._led_to = self._bar.value()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Be where the reader was, after a change, and as free to lead on as before."""
        value, moved = self._bar.value(), self.has_moved
        yield
        self.lead_to(value)
        if moved:
            self._led_to = _ELSEWHERE
