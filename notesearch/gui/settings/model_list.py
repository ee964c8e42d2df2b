"""The lists of the models' settings: the models that there are, and the vectors kept of each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from notesearch.gui import wording
from notesearch.gui.translation import tr, translate
from notesearch.gui.widgets.theme import px
from notesearch.gui.widgets.told import told
from notesearch.status import ModelVectors

if TYPE_CHECKING:
    from notesearch.models import Model

_ENTRY = Qt.ItemDataRole.UserRole


class EntryList(QListWidget):
    """A list of what can be chosen; an entry stays selected when the list is shown anew."""

    def __init__(self, name: str, rows: int) -> None:
        super().__init__()
        self._rows = rows
        self.setObjectName("modelList")
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.fit()

    def fit(self) -> None:
        """Take the height from the font that the application has now."""
        self.setFixedHeight(px(24) * self._rows + px(12))

    def show_entries(self, entries: Sequence[tuple[object, str, bool]]) -> None:
        """Show each entry by its text, in bold where it is in use."""
        before = self.currentItem().text() if self.currentItem() else ""
        with QSignalBlocker(self):
            self.clear()
            for entry, text, used in entries:
                item = QListWidgetItem(text)
                item.setData(_ENTRY, entry)
                item.setToolTip(text)
                font = item.font()
                font.setBold(used)
                item.setFont(font)
                self.addItem(item)
        rows = [row for row in range(self.count()) if self.item(row).text() == before]
        self.setCurrentRow(rows[0] if rows else 0)

    def current(self) -> Any:  # noqa: ANN401 - each list has its own
        """Return what is selected, None where nothing is."""
        item = self.currentItem()
        return item.data(_ENTRY) if item else None


def about(model: "Model") -> str:
    """Return what a model is, its size, and what to know of it."""
    kinds = {
        "built-in": translate("settings", "built in"),
        "installed": translate("settings", "installed"),
        "suggested": translate("settings", "available to download"),
    }
    parts = [translate("settings", "in use") if model.chosen else kinds[model.kind]]
    parts += [wording.bytes_text(model.size)] if model.size else []
    parts += [told(model.remark)] if model.remark else []
    return " · ".join(parts)


def vectors_text(kept: ModelVectors) -> str:
    """Return a line about the vectors of one model."""
    use = (
        translate("settings", "in use")
        if kept.searched
        else translate("settings", "kept in case you use it again")
    )
    return f"{kept.name} · {_vectors(kept.vectors)} · {wording.bytes_text(kept.size)} · {use}"


def _vectors(number: int) -> str:
    return tr("%Ln vector(s)", "of a model, in the index", number)
