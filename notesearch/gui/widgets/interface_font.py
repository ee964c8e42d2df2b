"""The font of the interface: the desktop's own, or Inter where the desktop chooses none."""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

from notesearch.config import resources

_MADE_FOR_DOCUMENTS = {
    "arial",
    "bitstream vera sans",
    "dejavu sans",
    "freesans",
    "helvetica",
    "liberation sans",
    "luxi sans",
    "nimbus sans",
    "sans serif",
    "verdana",
}
"""What Qt takes where no desktop names a font. No desktop of today chooses one of these."""


def interface_font(desktop: QFont) -> QFont:
    """Return the font of the ``desktop``, or Inter in its size if that is not for interfaces."""
    if QFontInfo(desktop).family().casefold() not in _MADE_FOR_DOCUMENTS:
        return desktop
    chosen = QFont(desktop)
    chosen.setFamilies([_inter(), *desktop.families()])  # other scripts keep the desktop's
    return chosen


@cache
def _inter() -> str:
    """Load the faces of Inter once for the program, and return the name of the family."""
    for face in sorted((resources() / "fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(face))
    return "Inter"
