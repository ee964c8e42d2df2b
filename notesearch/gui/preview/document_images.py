"""The pictures of the preview's document by address: files, formulas and placeholders."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QImage

from notesearch.gui.preview.formula_pictures import draw_formula, formula_size
from notesearch.gui.preview.images import Pictures, fit_width
from notesearch.gui.preview.placeholders import draw_blank, draw_placeholder, label_size
from notesearch.gui.widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class DisplayFormat:
    """How pictures are to be drawn.

    Attributes:
        theme: The colours.
        font: The font of the text around them.
        width: The width of the text, in device independent pixels.
        ratio: Device pixels in one device independent pixel.
    """

    theme: Theme
    font: QFont
    width: int
    ratio: float


class DocumentImages:
    """The pictures of one document. Nothing is read here, and other addresses show nothing.

    Args:
        pictures: Those read from files.
        formulas: Packed formulas; the document refers to them by number.
    """

    def __init__(self, pictures: Pictures | None = None, formulas: Sequence[str] = ()) -> None:
        self._pictures = pictures or Pictures()
        self._formulas = formulas

    def image(self, address: str, display: DisplayFormat) -> QImage:
        """Return the picture at ``address``; an empty one for an unknown address."""
        scheme, _, rest = address.partition(":")
        if scheme == "image":
            return self._picture(rest, display)
        if scheme == "math":
            return self._formula(unquote(rest), display)
        if scheme == "ui":
            return draw_placeholder(rest, display.theme, display.ratio)
        return QImage()

    def reserved_size(self, display: DisplayFormat, address: str, width: int) -> QSize | None:
        """Return the size of a picture, whether it has been read or not; None if unknown.

        Pictures with a reserved size are drawn only when they come into view. A section can have
        hundreds of them.

        Args:
            display: How it is to be drawn.
            address: Its address in the document.
            width: The width of the text around it.
        """
        scheme, _, rest = address.partition(":")
        if scheme == "math":
            return formula_size(unquote(rest), display.font, display.width, display.ratio)
        if scheme != "image":
            return _fit(label_size(rest), width)
        target, requested_width = _parse(rest)
        size = self._size(target)
        if size is None:
            return _fit(label_size(self._placeholder(target)), width)
        return _fit(size, width, requested_width)

    def _formula(self, address: str, display: DisplayFormat) -> QImage:
        number = address.rpartition("/")[2]
        if not number.isdecimal() or int(number) >= len(self._formulas):
            return QImage()
        packed, colour = self._formulas[int(number)], display.theme.text
        return draw_formula(address, packed, display.font, colour, display.width, display.ratio)

    def _size(self, target: str) -> QSize | None:
        """Return the size of a picture that is or will be there; None if a label is shown."""
        image = self._pictures.images.get(target)
        if image is not None:
            return image.size()
        size = self._pictures.sizes.get(target, QSize())
        is_awaited = target not in self._pictures.images and not size.isEmpty()
        return size if is_awaited and not self._pictures.complete else None

    def _placeholder(self, target: str) -> str:
        """Return the name of the label to show in place of a picture."""
        kind = "awaited"
        if target in self._pictures.images:
            existing = (name for name, _, modified in self._pictures.stamps if modified)
            kind = "unshown" if target in existing else "missing"
        return f"{kind}/{quote(target, safe='')}"

    def _picture(self, address: str, display: DisplayFormat) -> QImage:
        target, requested_width = _parse(address)
        image = self._pictures.images.get(target)
        if image is not None:
            return fit_width(image, requested_width, display.width, display.ratio)
        if self._size(target):
            return draw_blank(display.theme)
        return draw_placeholder(self._placeholder(target), display.theme, display.ratio)


def _fit(size: QSize | None, available: int, requested_width: int = 0) -> QSize | None:
    """Scale ``size`` to the requested width, if any, and to the available one at most."""
    if size is None or size.isEmpty():
        return None
    width = min(requested_width or size.width(), max(available, 1))
    return QSize(width, max(1, round(size.height() * width / size.width())))


def _parse(address: str) -> tuple[str, int]:
    """Return the target of a picture and its requested width; 0 for its own width."""
    target, _, width = address.partition("#")
    return unquote(target), int(width) if width.isdigit() else 0
