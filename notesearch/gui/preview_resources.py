"""What the addresses in the preview's document show: pictures, formulas, and what we draw."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from PySide6.QtGui import QFont, QImage

from notesearch.gui.preview_boxes import drawn
from notesearch.gui.preview_formula import formula
from notesearch.gui.preview_images import Pictures, VaultImages, fitted
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
    """The pictures of one document; no address leads to anything else."""

    def __init__(self, images: VaultImages | None = None) -> None:
        self._images = images
        self._pictures = Pictures()
        self._note = ""

    @classmethod
    def of_vault(cls, vault: Path | None) -> "Resources":
        """Return those of notes in ``vault``: pictures that lie in it, and no others."""
        return cls(VaultImages(vault) if vault else None)

    def begin(self, note: str, pictures: Pictures | None) -> None:
        """Start a document of the note at ``note``; files may have changed."""
        self._note, self._pictures = note, pictures or Pictures()
        if self._images:
            self._images.forget()

    def image(self, address: str, screen: Screen) -> QImage:
        """Return what ``address`` shows; an empty picture where it is none of ours."""
        scheme, _, rest = address.partition(":")
        if scheme == "image":
            return self._picture(rest, screen)
        if scheme == "math":
            return formula(unquote(rest), screen.face, screen.theme.text, screen.room, screen.ratio)
        return drawn(rest, screen.theme, screen.ratio) if scheme == "ui" else QImage()

    def _picture(self, address: str, screen: Screen) -> QImage:
        name, _, width = address.partition("#")
        target = unquote(name)
        found = self._pictures.images.get(target)
        if target not in self._pictures.images:
            if not self._pictures.whole:
                return drawn(f"awaited/{quote(target, safe='')}", screen.theme, screen.ratio)
            found = self._images.find(target, self._note) if self._images else None
        if found is None:
            return drawn(f"missing/{quote(target, safe='')}", screen.theme, screen.ratio)
        wanted = int(width) if width.isdigit() else 0
        return fitted(found, wanted, screen.room, screen.ratio)
