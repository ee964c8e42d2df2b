"""Drawings (SVG) of the preview: copied element by element, so that Qt sees only harmless shapes.

Qt's reader of SVG follows addresses to other files, and a drawing may be built to exhaust whoever
draws it. What is copied refers to nothing outside of itself.
"""

import re

from PySide6.QtCore import QByteArray, QRectF, QSize, QSizeF, Qt, QXmlStreamReader, QXmlStreamWriter
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

MAX_BYTES = 1024 * 1024
MAX_ELEMENTS = 5000
MAX_DEPTH = 40
MAX_SIDE = 1600
"""Pixels that a drawing is drawn with."""
SAMPLE = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">a</text></svg>'

_KEPT = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc"
    " linearGradient radialGradient stop clipPath marker style switch a".split()
)
_OUTSIDE = re.compile(r"url\((?!\s*['\"]?#)|@|\\|javascript:", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][\w:.-]*")
_FINE_DASHES = re.compile(r"(?:^|[\s,])(?:0(?:\.[01]\d*)?|\.[01]\d*|\S*e-\S*)(?=[\s,]|$)")
_Token = QXmlStreamReader.TokenType
_SKIP = QXmlStreamReader.ReadElementTextBehaviour.SkipChildElements
_SIDES = ("width", "height")
_LENGTH = re.compile(r"\s*(\d{1,5}(?:\.\d*)?)(?:px)?\s*")


def is_svg(content: bytes) -> bool:
    """Return whether ``content`` looks like a drawing."""
    return b"<svg" in content[:4096]


def shown_size(begun: bytes) -> QSize:
    """Return how large a drawing is, by its first bytes; an empty size where it does not say so."""
    reader = QXmlStreamReader(begun.decode("utf-8-sig", "replace"))
    if not reader.readNextStartElement() or reader.name() != "svg":
        return QSize()
    attributes = reader.attributes()
    told = [attributes.value("", key) for key in _SIDES]
    if not any(told):
        told = attributes.value("", "viewBox").replace(",", " ").split()[2:]
    lengths = [float(length[1]) for length in map(_LENGTH.fullmatch, told) if length]
    return _bounded(QSizeF(*lengths)).toSize() if len(lengths) == len(_SIDES) else QSize()


def _bounded(size: QSizeF) -> QSizeF:
    """Return how large to draw what is of ``size``; an empty size where it is no shape for that."""
    if size.isEmpty() or size.width() > 100 * size.height() or size.height() > 100 * size.width():
        return QSizeF()
    if max(size.width(), size.height()) > MAX_SIDE:
        return size.scaled(MAX_SIDE, MAX_SIDE, Qt.AspectRatioMode.KeepAspectRatio)
    return size


def harmless(content: bytes) -> bytes | None:
    """Return a copy of a drawing without whatever may lead out of it; None if it is too much."""
    return _Copy(content).run() if len(content) <= MAX_BYTES else None


def drawn(content: bytes) -> QImage | None:
    """Return the drawing as a picture, or None."""
    copied = harmless(content)
    renderer = QSvgRenderer(QByteArray(copied)) if copied else None
    if renderer is None or not renderer.isValid():
        return None
    size = _bounded(QSizeF(renderer.defaultSize()))
    return None if size.isEmpty() else painted(renderer, size)


def painted(renderer: QSvgRenderer, size: QSizeF, ratio: float = 1.0) -> QImage:
    """Return what ``renderer`` draws, on nothing."""
    image = QImage((size * ratio).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, QRectF(0, 0, image.width(), image.height()))
    image.setDevicePixelRatio(ratio)
    return image


class _Copy:
    """One pass over a drawing."""

    def __init__(self, content: bytes) -> None:
        self._reader = QXmlStreamReader(content.decode("utf-8-sig", "replace"))
        self._stored = QByteArray()
        self._writer = QXmlStreamWriter(self._stored)
        self._ids: list[str] = []
        self._used: set[str] = set()
        self._around_uses: set[str] = set()

    def run(self) -> bytes | None:
        """Return the copy; None for one that is no XML, or too large, or refers to itself."""
        elements = 0
        while not self._reader.atEnd():
            kind = self._reader.readNext()
            if kind in {_Token.DTD, _Token.EntityReference}:
                if kind == _Token.EntityReference or self._reader.entityDeclarations():
                    return None
            elif kind == _Token.StartElement:
                elements += 1
                if elements > MAX_ELEMENTS or len(self._ids) >= MAX_DEPTH:
                    return None
                self._start()
            elif kind == _Token.EndElement:
                self._ids.pop()
                self._writer.writeEndElement()
            elif kind == _Token.Characters:
                self._writer.writeCharacters(self._reader.text())
        if self._reader.hasError() or self._around_uses & self._used:
            return None
        return bytes(self._stored.data())

    def _style(self) -> None:
        """Copy a style sheet as a whole: a comment in it would hide what its pieces add up to."""
        rules = self._reader.readElementText(_SKIP)
        if not _OUTSIDE.search(rules):
            self._writer.writeTextElement("style", rules)

    def _start(self) -> None:
        name = self._reader.name()
        if name not in _KEPT:
            self._reader.skipCurrentElement()
            return
        if name == "style":
            self._style()
            return
        self._writer.writeStartElement(name)
        if not self._ids:
            self._writer.writeAttribute("xmlns", "http://www.w3.org/2000/svg")
            self._writer.writeAttribute("xmlns:xlink", "http://www.w3.org/1999/xlink")
        own = ""
        attributes = self._reader.attributes()
        for attribute in map(attributes.at, range(attributes.size())):
            key, value = attribute.qualifiedName(), attribute.value()
            if key == "id":
                own = value
            if self._may_have(name, key, value):
                self._writer.writeAttribute(key, value)
        self._ids.append(own)
        if name == "use":
            self._around_uses.update(filter(None, self._ids))

    def _may_have(self, name: str, key: str, value: str) -> bool:
        plain = key.lower()
        if plain in {"href", "xlink:href"}:
            if name == "use" and value.startswith("#"):
                self._used.add(value[1:])
            return value.startswith("#") and name != "a"
        if plain.startswith(("on", "xmlns", "xml:")) or not _NAME.fullmatch(key) or ":" in key:
            return False
        if plain == "stroke-dasharray" and _FINE_DASHES.search(value):
            return False
        return not _OUTSIDE.search(value) and not (
            plain == "style" and "dasharray" in value.lower()
        )
