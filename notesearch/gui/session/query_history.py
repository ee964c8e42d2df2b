"""Earlier and starred queries: two small files that store them, and the field that offers them."""

from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction

from notesearch import opened_sections, private_files
from notesearch.config import Paths
from notesearch.gui.translation import shortcut_text
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.popovers import STAR_KEYS, StarPopover
from notesearch.gui.widgets.query_edit import VALUELESS
from notesearch.gui.widgets.search_field import SearchField

QUERIES_FILE = "queries.json"
STARRED_FILE = "starred.json"
MOST_QUERIES = 50
_OFFERED = 10


@dataclass(frozen=True, slots=True)
class StarredQuery:
    """A query to keep, with a name and a shortcut (one of ``STAR_KEYS``), which may be empty."""

    query: str
    name: str = ""
    keys: str = ""

    @property
    def choice(self) -> Choice:
        """A row for a list: a star, the name or the query, and the shortcut."""
        keys = shortcut_text(self.keys) if self.keys else ""
        detail = self.query if self.name else ""
        return Choice(f"★ {self.name or self.query}", keys, detail, value=self.query)


class QueryHistory:
    """Stores earlier and starred queries in two files. An unreadable file counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / QUERIES_FILE
        self._stars = folder / STARRED_FILE

    def queries(self) -> list[str]:
        """Return the last ``MOST_QUERIES`` queries without repetitions, the newest last."""
        stored = private_files.read_json(self._file)
        texts = stored if isinstance(stored, list) else ()
        queries = [text for text in texts if isinstance(text, str) and text.strip()]
        return queries[-MOST_QUERIES:]

    def starred(self) -> list[StarredQuery]:
        """Return the starred queries, the newest last."""
        stored = private_files.read_json(self._stars)
        stars = map(_star_from_json, stored) if isinstance(stored, list) else ()
        return [star for star in stars if star.query.strip()]

    def star(self, text: str) -> StarredQuery | None:
        """Return the starred query with the text ``text``; None if that query has no star."""
        text = " ".join(text.split())
        return next((star for star in self.starred() if star.query == text), None)

    def set_star(self, star: StarredQuery) -> None:
        """Store ``star`` in place of one with the same query; no other star keeps its shortcut."""
        starred = self.starred()
        query = " ".join(star.query.split())
        if not query:
            return
        index = next((n for n, old in enumerate(starred) if old.query == query), len(starred))
        starred[index : index + 1] = [replace(star, query=query)]
        self._write_stars(
            [
                replace(other, keys="") if n != index and other.keys == star.keys else other
                for n, other in enumerate(starred)
            ]
        )

    def remove_star(self, star: StarredQuery) -> None:
        """Remove the star from the query of ``star``."""
        self._write_stars([other for other in self.starred() if other.query != star.query])

    def _write_stars(self, stars: list[StarredQuery]) -> None:
        private_files.write_json(self._stars, [asdict(star) for star in stars])

    def add(self, text: str) -> None:
        """Store ``text`` as the newest query, once, without a filter that has no value yet."""
        text = " ".join(VALUELESS.sub("", text).split())
        queries = self.queries()
        if text and text != (queries[-1] if queries else ""):
            others = [query for query in queries if query != text]
            private_files.write_json(self._file, [*others, text][-MOST_QUERIES:])


def clear_history(paths: Paths) -> None:
    """Delete the earlier queries and the sections opened last; raises SettingsError."""
    opened_sections.delete_record(paths.data / QUERIES_FILE)
    opened_sections.forget(paths.recents)


def _star_from_json(stored: object) -> StarredQuery:
    """Return the starred query in ``stored``; one with an empty query if there is none."""
    fields = stored if isinstance(stored, dict) else {"query": stored}
    query, name, keys = (fields.get(key, "") for key in ("query", "name", "keys"))
    if not isinstance(query, str) or not isinstance(name, str):
        return StarredQuery("")
    return StarredQuery(query, name, keys if keys in STAR_KEYS else "")


class HistoryController(QObject):
    """Steps a search field through earlier queries; gives queries a star, a name and a shortcut."""

    def __init__(
        self,
        field: SearchField,
        history: QueryHistory,
        popover: StarPopover,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._field = field
        self._history = history
        self._popover = popover
        self._queries: list[str] = []
        self._position = 0
        self._shortcuts: list[QAction] = []
        field.recalled.connect(self._recall)
        field.clicked_empty.connect(self.offer)
        field.removed.connect(self.remember)
        popover.saved.connect(self._name_star)
        popover.window().installEventFilter(self)
        self._update_shortcuts()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Read the files again when this window becomes active: another may have changed them."""
        if event.type() == QEvent.Type.WindowActivate:
            self._queries = []
            self._update_shortcuts()
        return super().eventFilter(watched, event)

    @Slot(str)
    def remember(self, text: str) -> None:
        """Store ``text``, a query that led to a section or was removed from the field."""
        self._history.add(text)

    @Slot()
    def offer(self) -> bool:
        """List starred, then recent queries below the field; return whether there are any."""
        choices = [star.choice for star in self._history.starred()[::-1]]
        starred = {choice.value for choice in choices}
        others = [text for text in self._history.queries()[::-1] if text not in starred]
        choices += [Choice(text, value=text) for text in others[:_OFFERED]]
        self._field.offer_queries(choices)
        return bool(choices)

    def toggle_star(self) -> bool:
        """Star the query in the field or remove its star; return whether it has a star now."""
        star = self._history.star(self._field.text)
        if star is None:
            self._history.set_star(StarredQuery(self._field.text))
        else:
            self._history.remove_star(star)
            self._update_shortcuts()
        return star is None

    @Slot()
    def edit_star(self) -> None:
        """Ask for the name and shortcut of the query in the field. Saving them stars it."""
        text = self._field.text
        if text.strip():
            star = self._history.star(text) or StarredQuery(text)
            taken = {other.keys for other in self._history.starred()} - {star.keys}
            self._popover.edit(star.name, star.keys, taken, self._field)

    @Slot(str, str)
    def _name_star(self, name: str, keys: str) -> None:
        self._history.set_star(StarredQuery(self._field.text, name, keys))
        self._update_shortcuts()

    @Slot()
    def _update_shortcuts(self) -> None:
        window = self._popover.window()
        for action in self._shortcuts:
            window.removeAction(action)
            action.deleteLater()
        self._shortcuts = []
        for star in self._history.starred():
            if star.keys:
                action = QAction(star.name or star.query, self)
                action.setShortcut(star.keys)
                action.triggered.connect(partial(self._search, star.query))
                window.addAction(action)
                self._shortcuts.append(action)

    def _search(self, query: str) -> None:
        self._field.set_text(query)
        self._field.focus_all()

    @Slot(int)
    def _recall(self, step: int) -> None:
        text = self._field.text
        if not self._queries or self._queries[self._position] != text:
            earlier = [query for query in self._history.queries() if query != text]
            self._queries = [*earlier, text]
            self._position = len(earlier)
        self._position = max(0, min(self._position + step, len(self._queries) - 1))
        self._field.set_text(self._queries[self._position])
