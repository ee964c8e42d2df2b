"""Folders of notes found on this computer, each a large button on the first page."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from notesearch.gui import wording
from notesearch.gui.system.vault_finder import MANY, FoundVault
from notesearch.gui.translation import translate
from notesearch.gui.widgets.elided_label import ElidedLabel
from notesearch.gui.widgets.theme import px

_WIDTH = 422
_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"
"""Keeps the tilde at the start of a path in right-to-left layouts."""


class SuggestedVaults(QFrame):
    """Hidden until folders were found.

    Signals:
        chosen: A folder was clicked (``FoundVault``).
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vaults: tuple[FoundVault, ...] = ()
        self._head = QLabel(translate("window", "Found on this computer"))
        self._head.setProperty("role", "meta")
        self._head.setProperty("tone", "text2")
        self._rows: list[QPushButton] = []
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._head)
        self.show_vaults(())

    @property
    def buttons(self) -> Sequence[QPushButton]:
        """The buttons, one for each folder."""
        return self._rows

    def show_vaults(self, vaults: Sequence[FoundVault]) -> None:
        """Show a button for each of ``vaults``."""
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._vaults = tuple(vaults)
        self._rows = [_row(vault) for vault in vaults]
        for row in self._rows:
            row.clicked.connect(self._choose)
            self._column.addWidget(row)
        self.fit()

    def fit(self) -> None:
        """Apply the font's sizes."""
        self._column.setContentsMargins(0, px(10), 0, 0)
        self._column.setSpacing(px(5))
        self.setFixedWidth(px(_WIDTH))

    @Slot()
    def _choose(self) -> None:
        self.chosen.emit(self._vaults[self._rows.index(self.sender())])  # type: ignore[arg-type]


def _row(vault: FoundVault) -> QPushButton:
    row = QPushButton()
    row.setObjectName("found")
    row.setCursor(Qt.CursorShape.PointingHandCursor)
    row.setAutoDefault(True)
    kind = (
        translate("window", "Obsidian vault “{name}”")
        if vault.of_obsidian
        else translate("window", "Folder “{name}”")
    )
    name, place = _label(kind.format(name=vault.path.name)), _label(_short(vault.path))
    name.setProperty("role", "strong")
    place.setProperty("role", "meta")
    place.setProperty("tone", "text2")
    many = vault.notes > MANY
    notes = QLabel(
        translate("window", "{many}+ notes").format(many=wording.number(MANY))
        if many
        else wording.notes_text(vault.notes)
    )
    notes.setProperty("role", "meta")
    notes.setProperty("tone", "text2")
    left = QVBoxLayout()
    left.setSpacing(0)
    left.addWidget(name)
    left.addWidget(place)
    whole = QHBoxLayout(row)
    whole.setContentsMargins(px(12), px(5), px(12), px(5))
    whole.addLayout(left, 1)
    whole.addWidget(notes)
    for label in (name, place, notes):
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    row.setAccessibleName(f"{name.text()}, {place.text()}, {notes.text()}")
    return row


def _label(text: str) -> QLabel:
    label = ElidedLabel(Qt.TextElideMode.ElideMiddle)
    label.setText(text)
    return label


def _short(path: Path) -> str:
    """Return ``path`` relative to the home folder if possible: ``~/notes``."""
    home = Path.home()
    short = f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
    return f"{_LEFT_TO_RIGHT}{short}" if QApplication.isRightToLeft() else short
