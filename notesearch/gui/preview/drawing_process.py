"""Draws SVG pictures in a child process, which is ended if one takes too long.

A few kilobytes of SVG can keep Qt busy for minutes, and the whole program with it. The module run
as a script is the child: it receives SVG and returns pixels.
"""

import os
import sys
from base64 import b64decode, b64encode

from PySide6.QtGui import QGuiApplication, QImage

from notesearch.child import Answer, Child, serve
from notesearch.gui.preview import svg

SECONDS = 1.0
"""Time limit for one drawing."""

_MAX_MEMORY = 2 << 30
_MAX_SECONDS = 10
_FORMAT = QImage.Format.Format_ARGB32_Premultiplied


class DrawingProcess:
    """Draws SVG; the child process starts with the first drawing."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._child = Child("notesearch.gui.preview.drawing_process", seconds)

    def ready(self, seconds: float) -> bool:
        """Start the child process and wait up to ``seconds`` until it can draw."""
        return self._child.ready(seconds)

    def draw(self, content: bytes) -> QImage | None:
        """Return the picture; None if it cannot be drawn in time."""
        answer = self._child.ask({"svg": content.decode("utf-8-sig", "replace")})
        width, height, pixels = map((answer or {}).get, ("width", "height", "pixels"))
        if not (isinstance(width, int) and isinstance(height, int) and isinstance(pixels, str)):
            return None
        return QImage(b64decode(pixels), width, height, 4 * width, _FORMAT).copy()

    def close(self) -> None:
        """End the child process."""
        self._child.close()


def _answer(question: Answer) -> Answer:
    """Return width, height and pixels of a drawing; nothing if it is not valid SVG."""
    image = svg.draw(str(question["svg"]).encode())
    if image is None:
        return {}
    image = image.convertToFormat(_FORMAT)
    pixels = b64encode(image.constBits()).decode("ascii")
    return {"width": image.width(), "height": image.height(), "pixels": pixels}


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(sys.argv[:1])
    svg.draw(svg.SAMPLE)  # imports what drawing needs before the first request
    serve(
        _answer, memory=_MAX_MEMORY, seconds=_MAX_SECONDS, questions=sys.stdin, answers=sys.stdout
    )
