"""What the addresses in the preview's document show: pictures, formulas, and what we draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QImage

from notesearch.gui.preview.boxes import drawn, label_size, plain
from notesearch.gui.preview.formula_pictures import formula, formula_size
from notesearch.gui.preview.images import Pictures, fitted
from notesearch.gui.widgets.theme import Theme


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
    """The pictures of one document; no address leads to anything else, nothing is read here.

    Args:
        pictures: Those of the folder.
        formulas: Packed; they are named by their numbers.
    """

    def __init__(self, pictures: Pictures | None = None, formulas: Sequence[str] = ()) -> None:
        self._pictures = pictures or Pictures()
        self._formulas = formulas

    def image(self, address: str, screen: Screen) -> QImage:
        """Return what ``address`` shows; an empty picture where it is none of ours."""
        scheme, _, rest = address.partition(":")
        if scheme == "image":
            return self._picture(rest, screen)
        if scheme == "math":
            return self._formula(unquote(rest), screen)
        return drawn(rest, screen.theme, screen.ratio) if scheme == "ui" else QImage()

    def reserved(self, screen: Screen, address: str, room: int) -> QSize | None:
        """Return how much room a picture takes, whether it is there yet or will be.

        What tells its room is drawn when it is seen, and a section may have hundreds of them.

        Args:
            screen: How it is to be shown.
            address: Of the picture.
            room: Width of the text it stands in.
        """
        scheme, _, rest = address.partition(":")
        if scheme == "math":
            return formula_size(unquote(rest), screen.face, screen.room, screen.ratio)
        if scheme != "image":
            return _within(label_size(rest), room)
        target, wanted = _named(rest)
        size = self._size(target)
        if size is None:
            return _within(label_size(self._instead(target)), room)
        return _within(size, room, wanted)

    def _formula(self, address: str, screen: Screen) -> QImage:
        number = address.rpartition("/")[2]
        if not number.isdecimal() or int(number) >= len(self._formulas):
            return QImage()
        packed, colour = self._formulas[int(number)], screen.theme.text
        return formula(address, packed, screen.face, colour, screen.room, screen.ratio)

    def _size(self, target: str) -> QSize | None:
        """Return the size of a picture that is there or will be; None where a label is instead."""
        found = self._pictures.images.get(target)
        if found is not None:
            return found.size()
        size = self._pictures.sizes.get(target, QSize())
        is_shown = target not in self._pictures.images and not size.isEmpty()
        return size if is_shown and not self._pictures.whole else None

    def _instead(self, target: str) -> str:
        kind = "awaited"
        if target in self._pictures.images:
            there = (name for name, _, changed in self._pictures.stamps if changed)
            kind = "unshown" if target in there else "missing"
        return f"{kind}/{quote(target, safe='')}"

    def _picture(self, address: str, screen: Screen) -> QImage:
        target, wanted = _named(address)
        found = self._pictures.images.get(target)
        if found is not None:
            return fitted(found, wanted, screen.room, screen.ratio)
        if self._size(target):
            return plain(screen.theme)
        return drawn(self._instead(target), screen.theme, screen.ratio)


def _within(size: QSize | None, room: int, wanted: int = 0) -> QSize | None:
    """Return ``size`` as wide as ``wanted``, if at all, and no wider than there is room for."""
    if size is None or size.isEmpty():
        return None
    width = min(wanted or size.width(), max(room, 1))
    return QSize(width, max(1, round(size.height() * width / size.width())))


def _named(address: str) -> tuple[str, int]:
    """Return the picture that an address names, and how wide it is to be; 0 for its own width."""
    name, _, width = address.partition("#")
    return unquote(name), int(width) if width.isdigit() else 0
