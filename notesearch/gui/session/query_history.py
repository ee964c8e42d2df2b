"""The history of queries: Ctrl+Up and Ctrl+Down step through it, and the user gives stars."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from notesearch.gui.system import json_file
from notesearch.gui.widgets.search_field import SearchField

FILE_NAME = "queries.json"
MOST = 50
_OFFERED = 10


class QueryHistory:
    """Stores queries in a small file. An unreadable file counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME
        self._stars = folder / "starred.json"

    def queries(self) -> list[str]:
        """Return the queries without repetitions, the newest last."""
        stored = json_file.read(self._file)
        if not isinstance(stored, list):
            return []
        return [text for text in stored if isinstance(text, str) and text.strip()][-MOST:]

    def starred(self) -> list[str]:
        """Return the queries with a star, the newest last."""
        stored = json_file.read(self._stars)
        return (
            [text for text in stored if isinstance(text, str)] if isinstance(stored, list) else []
        )

    def toggle_star(self, text: str) -> bool:
        """Give ``text`` a star or take it away; return whether it has one now."""
        text, starred = " ".join(text.split()), self.starred()
        if text in starred:
            starred.remove(text)
        elif text:
            starred.append(text)
        json_file.write(self._stars, starred)
        return text in starred

    def add(self, text: str) -> None:
        """Put ``text`` last."""
        text, queries = " ".join(text.split()), self.queries()
        if text and text != (queries[-1] if queries else ""):
            json_file.write(self._file, [*(one for one in queries if one != text), text][-MOST:])


class HistoryController(QObject):
    """Puts earlier queries into a search field, and at the end the text that was being typed."""

    def __init__(
        self, field: SearchField, history: QueryHistory, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._field = field
        self._history = history
        self._queries: list[str] = []
        self._at = 0
        field.recalled.connect(self._recall)
        field.clicked_empty.connect(self.offer)
        field.cleared.connect(self.remember)

    @Slot(str)
    def remember(self, text: str) -> None:
        """Store a query that led to a section, or that was cleared from the field."""
        self._history.add(text)

    @Slot()
    def offer(self) -> None:
        """List the queries with a star and then the last ones below the empty field."""
        starred = self._history.starred()[::-1]
        others = [text for text in self._history.queries()[::-1] if text not in starred]
        choices = [(text, f"★ {text}") for text in starred]
        self._field.offer_queries([*choices, *((text, text) for text in others[:_OFFERED])])

    def toggle_star(self) -> bool:
        """Give the query in the field a star or take it away; return whether it has one now."""
        return self._history.toggle_star(self._field.text)

    @Slot(int)
    def _recall(self, step: int) -> None:
        """Show the query before (-1) or after (1) the one in the field."""
        text = self._field.text
        if not self._queries or self._queries[self._at] != text:
            earlier = [query for query in self._history.queries() if query != text]
            self._queries, self._at = [*earlier, text], len(earlier)
        self._at = max(0, min(self._at + step, len(self._queries) - 1))
        self._field.set_text(self._queries[self._at])
