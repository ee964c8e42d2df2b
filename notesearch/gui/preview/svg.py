"""Draws SVG pictures safely.

Qt's SVG reader follows references to other files. So it gets only a copy of the drawing, which
refers to nothing outside itself. A few kilobytes of SVG can still keep Qt busy for minutes. So a
child process draws, and this process ends the child if it takes too long. Run as a script, this
module is the child: it receives SVG and returns pixels.
"""

import os
import re
import sys
from base64 import b64decode, b64encode

from PySide6.QtCore import QByteArray, QRectF, QSize, QSizeF, Qt, QXmlStreamReader, QXmlStreamWriter
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from notesearch.processes import Answer, Child, serve

MAX_BYTES = 1024 * 1024
MAX_ELEMENTS = 5000
MAX_DEPTH = 40
MAX_SIDE = 1600
"""Longest side of a drawn picture, in pixels."""
SAMPLE = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">a</text></svg>'

_MAX_ASPECT_RATIO = 100
_ALLOWED = frozenset(
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc"
    " linearGradient radialGradient stop clipPath marker style switch a".split()
)
_OUTSIDE = re.compile(r"url\((?!\s*['\"]?#)|@|\\|javascript:", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z_][\w:.-]*")
_FINE_DASHES = re.compile(r"(?:^|[\s,])(?:0(?:\.[01]\d*)?|\.[01]\d*|\S*e-\S*)(?=[\s,]|$)")
"""Dashes so short that Qt takes minutes to draw a line with them."""
_Token = QXmlStreamReader.TokenType
_SKIP = QXmlStreamReader.ReadElementTextBehaviour.SkipChildElements
_SIDES = ("width", "height")
_LENGTH = re.compile(r"\s*(\d{1,5}(?:\.\d*)?)(?:px)?\s*")

SECONDS = 1.0
"""Time limit for one drawing, in seconds."""

_MAX_MEMORY = 2 << 30
_MAX_SECONDS = 10
_FORMAT = QImage.Format.Format_ARGB32_Premultiplied


def is_svg(content: bytes) -> bool:
    """Return whether ``content`` looks like SVG."""
    return b"<svg" in content[:4096]


def declared_size(start: bytes) -> QSize:
    """Return the size in pixels that the first bytes of a drawing declare, or an empty one."""
    reader = QXmlStreamReader(start.decode("utf-8-sig", "replace"))
    if not reader.readNextStartElement() or reader.name() != "svg":
        return QSize()
    attributes = reader.attributes()
    values = [attributes.value("", key) for key in _SIDES]
    if not any(values):
        values = attributes.value("", "viewBox").replace(",", " ").split()[2:]
    lengths = [float(length[1]) for length in map(_LENGTH.fullmatch, values) if length]
    return _limited(QSizeF(*lengths)).toSize() if len(lengths) == len(_SIDES) else QSize()


def _limited(size: QSizeF) -> QSizeF:
    """Return ``size``, scaled down to ``MAX_SIDE``; an empty size if it is extremely narrow."""
    width, height = size.width(), size.height()
    if size.isEmpty() or max(width, height) > _MAX_ASPECT_RATIO * min(width, height):
        return QSizeF()
    if max(width, height) > MAX_SIDE:
        return size.scaled(MAX_SIDE, MAX_SIDE, Qt.AspectRatioMode.KeepAspectRatio)
    return size


def harmless_copy(content: bytes) -> bytes | None:
    """Return the SVG ``content`` without references to anything else; None if it is invalid.

    It is also None if the content is too large.
    """
    return _Copy(content).run() if len(content) <= MAX_BYTES else None


def draw(content: bytes) -> QImage | None:
    """Return the SVG ``content`` drawn as a picture; None if it cannot be drawn."""
    copy = harmless_copy(content)
    renderer = QSvgRenderer(QByteArray(copy)) if copy else None
    if renderer is None or not renderer.isValid():
        return None
    size = _limited(QSizeF(renderer.defaultSize())).toSize()
    if size.isEmpty():
        return None
    image = QImage(size, _FORMAT)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, QRectF(image.rect()))
    return image


class _Copy:
    """Copies one drawing, but only the elements and attributes that are allowed."""

    def __init__(self, content: bytes) -> None:
        self._reader = QXmlStreamReader(content.decode("utf-8-sig", "replace"))
        self._output = QByteArray()
        self._writer = QXmlStreamWriter(self._output)
        self._depth = 0

    def run(self) -> bytes | None:
        """Return the copy; None if the drawing is not XML, has entities or is too large."""
        elements = 0
        while not self._reader.atEnd():
            kind = self._reader.readNext()
            if kind == _Token.EntityReference:
                return None
            if kind == _Token.DTD and self._reader.entityDeclarations():
                return None
            if kind == _Token.StartElement:
                elements += 1
                if elements > MAX_ELEMENTS or self._depth >= MAX_DEPTH:
                    return None
                self._start_element()
            elif kind == _Token.EndElement:
                self._depth -= 1
                self._writer.writeEndElement()
            elif kind == _Token.Characters:
                self._writer.writeCharacters(self._reader.text())
        return None if self._reader.hasError() else bytes(self._output.data())

    def _start_element(self) -> None:
        name = self._reader.name()
        if name not in _ALLOWED:
            self._reader.skipCurrentElement()
            return
        if name == "style":
            self._copy_style()
            return
        self._writer.writeStartElement(name)
        if not self._depth:
            self._writer.writeAttribute("xmlns", "http://www.w3.org/2000/svg")
            self._writer.writeAttribute("xmlns:xlink", "http://www.w3.org/1999/xlink")
        attributes = self._reader.attributes()
        for attribute in map(attributes.at, range(attributes.size())):
            key, value = attribute.qualifiedName(), attribute.value()
            if self._is_allowed(name, key, value):
                self._writer.writeAttribute(key, value)
        self._depth += 1

    def _copy_style(self) -> None:
        """Copy a style sheet, or leave it out as a whole if it may refer to another file."""
        rules = self._reader.readElementText(_SKIP)
        if not _OUTSIDE.search(rules):
            self._writer.writeTextElement("style", rules)

    def _is_allowed(self, element: str, key: str, value: str) -> bool:
        plain = key.lower()
        if plain in {"href", "xlink:href"}:
            return value.startswith("#") and element != "a"
        if plain.startswith(("on", "xmlns", "xml:")) or not _NAME.fullmatch(key) or ":" in key:
            return False
        if plain == "stroke-dasharray" and _FINE_DASHES.search(value):
            return False
        return not _OUTSIDE.search(value) and not (
            plain == "style" and "dasharray" in value.lower()
        )


class DrawingProcess:
    """Draws SVG in a child process, and gives up on drawings that take longer than ``seconds``."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._child = Child("notesearch.gui.preview.svg", seconds)

    def ready(self, seconds: float) -> bool:
        """Start the child process; return whether it can draw after at most ``seconds``."""
        return self._child.ready(seconds)

    def draw(self, content: bytes) -> QImage | None:
        """Return the SVG ``content`` as a picture; None if it cannot be drawn in time."""
        answer = self._child.ask({"svg": content.decode("utf-8-sig", "replace")}) or {}
        width = answer.get("width")
        height = answer.get("height")
        pixels = answer.get("pixels")
        if not (isinstance(width, int) and isinstance(height, int) and isinstance(pixels, str)):
            return None
        return QImage(b64decode(pixels), width, height, 4 * width, _FORMAT).copy()

    def close(self) -> None:
        """End the child process."""
        self._child.close()


def _answer(question: Answer) -> Answer:
    """Return width, height and pixels of the drawing in ``question``; empty if it is not SVG."""
    image = draw(str(question["svg"]).encode())
    if image is None:
        return {}
    pixels = b64encode(image.constBits()).decode("ascii")
    return {"width": image.width(), "height": image.height(), "pixels": pixels}


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(sys.argv[:1])
    draw(SAMPLE)  # loads what drawing needs, before the first request
    serve(
        _answer, memory=_MAX_MEMORY, seconds=_MAX_SECONDS, questions=sys.stdin, answers=sys.stdout
    )
