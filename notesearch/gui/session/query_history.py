"""The queries that led somewhere, the newest last, and the way through them with Ctrl+Up and Down.

They are kept in a small file of the program's own.
"""

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from notesearch.gui.system import json_file
from notesearch.gui.widgets.search_field import SearchField

FILE_NAME = "queries.json"
KEPT = 50


class QueryHistory:
    """The file; one that makes no sense counts as an empty one."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME

    def queries(self) -> list[str]:
        """Return the queries, the newest last, each once."""
        found = json_file.read(self._file)
        if not isinstance(found, list):
            return []
        return [text for text in found if isinstance(text, str) and text.strip()][-KEPT:]

    def add(self, text: str) -> None:
        """Put ``text`` last."""
        text, known = " ".join(text.split()), self.queries()
        if text and text != (known[-1] if known else ""):
            json_file.write(self._file, [*(one for one in known if one != text), text][-KEPT:])


class HistoryFlow(QObject):
    """Puts former queries into a field, and back what was being typed there."""

    def __init__(
        self, field: SearchField, history: QueryHistory, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._field = field
        self._history = history
        self._way: list[str] = []
        self._at = 0
        field.recalled.connect(self._recall)
        field.cleared.connect(self.remember)

    @Slot(str)
    def remember(self, text: str) -> None:
        """Keep ``text``: a section that it found was opened, or the field is cleared of it."""
        self._history.add(text)

    @Slot(int)
    def _recall(self, step: int) -> None:
        """Go back (-1) or forth (1) from what stands in the field."""
        text = self._field.text
        if not self._way or self._way[self._at] != text:
            known = [query for query in self._history.queries() if query != text]
            self._way, self._at = [*known, text], len(known)
        self._at = max(0, min(self._at + step, len(self._way) - 1))
        self._field.set_text(self._way[self._at])
