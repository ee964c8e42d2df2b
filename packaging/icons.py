"""Draws the program's icon in all sizes and formats that desktops need."""

from pathlib import Path

from places import PYTHON, SCALED, run

_DRAW = """
import sys
from pathlib import Path
from PySide6.QtGui import QGuiApplication
from notesearch.gui.widgets.icons import APP_DRAWING, app_icon
folder = Path(sys.argv[1])
application = QGuiApplication([])
icon = app_icon()
(folder / "notesearch.svg").write_text(APP_DRAWING, "utf-8")
for width in map(int, sys.argv[2:]):
    assert icon.pixmap(width, width).save(str(folder / f"{width}.png"))
for ending in ("ico", "icns"):
    assert icon.pixmap(256, 256).save(str(folder / f"notesearch.{ending}"))
"""


def draw(folder: Path) -> None:
    """Write SVG, PNG, ICO and ICNS into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    run(PYTHON, "-P", "-c", _DRAW, folder, *map(str, SCALED),
        quiet=True, QT_QPA_PLATFORM="offscreen")  # fmt: skip


def install(drawn: Path, share: Path) -> None:
    """Copy the icons into the folders of freedesktop.org's theme ``hicolor`` below ``share``."""
    for width in SCALED:
        target = share / "icons" / "hicolor" / f"{width}x{width}" / "apps" / "notesearch.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((drawn / f"{width}.png").read_bytes())
    target = share / "icons" / "hicolor" / "scalable" / "apps" / "notesearch.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes((drawn / "notesearch.svg").read_bytes())
