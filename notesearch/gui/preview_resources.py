"""What the addresses in the preview's document show: pictures, formulas, and what we draw."""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QImage

from notesearch.gui.preview_boxes import drawn, plain
from notesearch.gui.preview_formula import formula
from notesearch.gui.preview_images import Pictures, fitted
from notesearch.gui.theme import Theme


@dataclass(frozen=True, slots=True)
class Screen:
    """How it is to be shown.

    Attributes:
        theme: Its colours.
        face: The text's font.
        room: Width of the text.
        ratio: Device pixels of one of them.
    """

    theme: Theme
    face: QFont
    room: int
    ratio: float


class Resources:
    """The pictures of one document; no address leads to anything else, nothing is read here."""

    def __init__(self, pictures: Pictures | None = None) -> None:
        self._pictures = pictures or Pictures()

    def image(self, address: str, screen: Screen) -> QImage:
        """Return what ``address`` shows; an empty picture where it is none of ours."""
        scheme, _, rest = address.partition(":")
        if scheme == "image":
            return self._picture(rest, screen)
        if scheme == "math":
            return formula(unquote(rest), screen.face, screen.theme.text, screen.room, screen.ratio)
        return drawn(rest, screen.theme, screen.ratio) if scheme == "ui" else QImage()

    def reserved(self, address: str, room: int) -> QSize | None:
        """Return how much room to leave for a picture that is not there yet, but will be."""
        scheme, _, rest = address.partition(":")
        target, wanted = _named(rest)
        size = self._pictures.sizes.get(target, QSize())
        if scheme != "image" or target in self._pictures.images or size.isEmpty():
            return None
        width = min(wanted or size.width(), max(room, 1))
        return QSize(width, max(1, round(size.height() * width / size.width())))

    def _picture(self, address: str, screen: Screen) -> QImage:
        target, wanted = _named(address)
        found = self._pictures.images.get(target)
        if found is not None:
            return fitted(found, wanted, screen.room, screen.ratio)
        if target in self._pictures.images:
            return drawn(f"missing/{quote(target, safe='')}", screen.theme, screen.ratio)
        if not self._pictures.whole and not self._pictures.sizes.get(target, QSize()).isEmpty():
            return plain(screen.theme)
        return drawn(f"awaited/{quote(target, safe='')}", screen.theme, screen.ratio)


def _named(address: str) -> tuple[str, int]:
    """Return the picture that an address names, and how wide it is to be; 0 for its own width."""
    name, _, width = address.partition("#")
    return unquote(name), int(width) if width.isdigit() else 0
