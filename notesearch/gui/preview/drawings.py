"""Drawings (SVG) of the preview, drawn by a process that is ended when it takes too long."""

from base64 import b64decode

from PySide6.QtGui import QImage

from notesearch.child import Child

SECONDS = 1.0
"""For one drawing."""


class Drawings:
    """Asks the child process; starts it when the first drawing is shown."""

    def __init__(self) -> None:
        self._child = Child("notesearch.gui.preview.drawing_child", SECONDS)

    def ready(self, seconds: float) -> bool:
        """Have the process started, and wait some ``seconds`` until it draws."""
        return self._child.ready(seconds)

    def drawn(self, content: bytes) -> QImage | None:
        """Return the drawing as a picture, or None."""
        found = self._child.ask({"svg": content.decode("utf-8-sig", "replace")})
        width, height, pixels = map((found or {}).get, ("width", "height", "pixels"))
        if not (isinstance(width, int) and isinstance(height, int) and isinstance(pixels, str)):
            return None
        shape = QImage.Format.Format_ARGB32_Premultiplied
        return QImage(b64decode(pixels), width, height, 4 * width, shape).copy()

    def close(self) -> None:
        """End the process."""
        self._child.close()
