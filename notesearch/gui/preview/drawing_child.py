"""The child process that draws the preview's drawings: SVG in, pixels out.

A few kilobytes of SVG may keep Qt drawing for minutes, and the whole program with it.
"""

import os
import sys
from base64 import b64encode

from PySide6.QtGui import QGuiApplication, QImage

from notesearch.child import Answer, serve
from notesearch.gui.preview import svg as preview_svg

MEMORY = 2 << 30
LONGEST = 10


def answer(question: Answer) -> Answer:
    """Return width, height and pixels of what is drawn; nothing where it is no drawing."""
    image = preview_svg.drawn(str(question["svg"]).encode())
    if image is None:
        return {}
    image = image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    pixels = b64encode(image.constBits()).decode("ascii")
    return {"width": image.width(), "height": image.height(), "pixels": pixels}


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(sys.argv[:1])
    preview_svg.drawn(preview_svg.SAMPLE)  # what is loaded now keeps nobody waiting
    serve(answer, memory=MEMORY, seconds=LONGEST, asked=sys.stdin, answers=sys.stdout)
