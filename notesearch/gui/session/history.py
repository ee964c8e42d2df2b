"""Stores earlier queries, starred queries and recently opened sections in small JSON files."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from heapq import merge
from itertools import islice
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QAction

from notesearch import private_files
from notesearch.errors import NotesearchError
from notesearch.gui import wording
from notesearch.gui.results.results_model import SectionKey
from notesearch.gui.session.section_reader import modified_time, part_of
from notesearch.gui.translation import shortcut_text
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.search_field import SearchField
from notesearch.gui.widgets.star_popover import STAR_KEYS, StarPopover
from notesearch.markdown.render.formulas import unicode_formulas
from notesearch.results import Marked, SectionResult, Why

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

QUERIES_FILE = "queries.json"
STARRED_FILE = "starred.json"
SECTIONS_FILE = "recent.json"
MOST_QUERIES = 50
MOST_SECTIONS = 8
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
        """Store ``text`` as the newest query, once. Text without words is not stored."""
        text = " ".join(text.split())
        queries = self.queries()
        if text and text != (queries[-1] if queries else ""):
            others = [query for query in queries if query != text]
            private_files.write_json(self._file, [*others, text][-MOST_QUERIES:])


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
        """Update the shortcuts when this window becomes active: another may have changed stars."""
        if event.type() == QEvent.Type.WindowActivate:
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
        """Star the query in the field, and ask for its name and shortcut."""
        text = self._field.text
        if text.strip():
            star = self._history.star(text) or StarredQuery(text)
            self._history.set_star(star)
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


_VAULTS = 20

_Opened = list[tuple[float, SectionResult]]
"""Sections with the time at which each was opened."""


class RecentlyOpened:
    """Stores the sections opened last in each vault. An unreadable file counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / SECTIONS_FILE

    def opened_in(self, vaults: Mapping[str, Path]) -> tuple[SectionResult, ...]:
        """Return the ``MOST_SECTIONS`` sections opened last in ``vaults``, the last one first.

        The path of a section begins with the name of its vault, if any.
        """
        read = self._read()
        lists = [
            [
                (when, replace(section, path=f"{name}/{section.path}", vault=name))
                if name
                else (when, section)
                for when, section in _stored(read.get(str(vault), []))
            ]
            for name, vault in vaults.items()
        ]
        newest = merge(*lists, key=itemgetter(0), reverse=True)
        return tuple(section for _, section in islice(newest, MOST_SECTIONS))

    def add(self, vault: Path, path: str, section: SectionResult) -> None:
        """Store that ``section`` was opened now; ``path`` is the path of its note in ``vault``."""
        read = self._read()
        opened = replace(section, path=path)
        older = [
            (when, other)
            for when, other in _stored(read.pop(str(vault), []))
            if SectionKey.of(other) != SectionKey.of(opened)
        ]
        newest = [(time.time(), opened), *older][:MOST_SECTIONS]
        vaults = {str(vault): [_to_json(when, recent) for when, recent in newest], **read}
        private_files.write_json(self._file, dict(list(vaults.items())[:_VAULTS]))

    def move(self, vault: Path, paths: Mapping[str, str]) -> None:
        """Give the sections of moved notes in ``vault`` new paths, which are by former path."""

        def moved(section: SectionResult) -> SectionResult:
            return _moved(section, paths[section.path]) if section.path in paths else section

        self._change(vault, lambda opened: [(when, moved(section)) for when, section in opened])

    def drop(self, vault: Path, paths: Collection[str]) -> None:
        """Delete the stored sections of the notes at ``paths`` in ``vault``."""
        self._change(vault, lambda opened: [pair for pair in opened if pair[1].path not in paths])

    def _change(self, vault: Path, change: Callable[[_Opened], _Opened]) -> None:
        read = self._read()
        before = _stored(read.get(str(vault), []))
        after = change(before)
        if after != before:
            read[str(vault)] = [_to_json(when, section) for when, section in after]
            private_files.write_json(self._file, read)

    def forget(self, vault: Path) -> None:
        """Delete the stored sections of ``vault``."""
        read = self._read()
        if read.pop(str(vault), None) is not None:
            private_files.write_json(self._file, read)

    def _read(self) -> dict[str, list[Any]]:
        read = private_files.read_json(self._file)
        if not isinstance(read, dict):
            return {}
        return {vault: stored for vault, stored in read.items() if isinstance(stored, list)}


def _stored(sections: list[Any]) -> _Opened:
    """Return when each section was opened, and the section.

    Entries beyond ``MOST_SECTIONS``, and those that cannot be read, are left out.
    """
    readable = []
    for stored in sections[:MOST_SECTIONS]:
        try:
            readable.append((float(stored.get("opened", 0)), _from_json(stored)))
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            continue
    return readable


def _moved(section: SectionResult, path: str) -> SectionResult:
    """Return ``section`` at ``path``; what is named after the file gets the new name."""
    former = PurePosixPath(section.path).stem
    name = PurePosixPath(path).stem
    if section.title != former:
        return replace(section, path=path)
    if section.section_path != (former,):
        return replace(section, path=path, title=name)
    crumb = (Marked(name, ()),)
    return replace(
        section,
        path=path,
        title=name,
        section=name,
        section_path=(name,),
        breadcrumb=crumb,
        resolved_path=(name,),
    )


def _to_json(opened: float, section: SectionResult) -> dict[str, Any]:
    return {
        "opened": opened,
        "path": section.path,
        "title": section.title,
        "section_path": list(section.section_path),
        "shown_path": list(section.shown_path),
        "level": section.level,
        "line": section.line,
    }


def _from_json(stored: Mapping[str, Any]) -> SectionResult:
    """Return the section in ``stored``, without snippet, score and reason."""
    path = stored["path"]
    title = stored["title"]
    headings = tuple(stored["section_path"])
    shown = tuple(stored.get("shown_path", headings))
    level = int(stored["level"])
    line = int(stored["line"])
    texts = path, title, *headings, *shown
    if not headings or len(shown) != len(headings) or not all(isinstance(t, str) for t in texts):
        raise ValueError(stored)
    return SectionResult(
        path=path,
        title=title,
        section=headings[-1],
        section_path=headings,
        breadcrumb=tuple(Marked(unicode_formulas(heading), ()) for heading in shown),
        level=level,
        line=line,
        end_line=line,
        snippet=Marked("", ()),
        passage="",
        score=0.0,
        chunk_index=0,
        total_chunks=1,
        why=Why(None, None),
        resolved_path=shown,
    )


def find_recent(
    library: "SearchedLibrary", opened: Sequence[SectionResult]
) -> tuple[SectionResult, ...]:
    """Return the ``opened`` sections that still exist, with their present lines."""
    sections = (_find_section(library, section) for section in opened)
    return tuple(section for section in sections if section)


def _find_section(library: "SearchedLibrary", section: SectionResult) -> SectionResult | None:
    """Return ``section`` with its present line, and folder and date as snippet; None if gone."""
    try:
        part, path, _ = part_of(library, section.path)
        outline = part.sections(path)
        modified = modified_time(part, path)
    except NotesearchError:
        return None
    lines = [link.line for link in outline if link.path == section.section_path]
    if not lines:
        return None
    line = min(lines, key=lambda line: abs(line - section.line))
    texts = wording.folder_text(path), modified and wording.modified_text(modified)
    snippet = Marked(" · ".join(text for text in texts if text), ())
    return replace(section, line=line, snippet=snippet)
