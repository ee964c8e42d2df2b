"""What was searched and opened before, in small files: queries with their stars, and sections."""

import time
from collections.abc import Mapping
from dataclasses import replace
from heapq import merge
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Slot

from notesearch import json_file
from notesearch.gui.results.results_rows import SectionKey
from notesearch.gui.widgets.search_field import SearchField
from notesearch.results import Marked, SectionResult, Why

QUERIES_FILE, STARRED_FILE, SECTIONS_FILE = "queries.json", "starred.json", "recent.json"
MOST_QUERIES, MOST_SECTIONS = 50, 8
_OFFERED = 10


class QueryHistory:
    """Stores queries in a small file. An unreadable file counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / QUERIES_FILE
        self._stars = folder / STARRED_FILE

    def queries(self) -> list[str]:
        """Return the queries without repetitions, the newest last."""
        return _texts(self._file)[-MOST_QUERIES:]

    def starred(self) -> list[str]:
        """Return the queries with a star, the newest last."""
        return _texts(self._stars)

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
        """Make ``text`` the newest query. An earlier entry with the same text goes."""
        text, queries = " ".join(text.split()), self.queries()
        if text and text != (queries[-1] if queries else ""):
            json_file.write(
                self._file, [*(one for one in queries if one != text), text][-MOST_QUERIES:]
            )


def _texts(file: Path) -> list[str]:
    stored = json_file.read(file)
    texts = stored if isinstance(stored, list) else ()
    return [text for text in texts if isinstance(text, str) and text.strip()]


class HistoryController(QObject):
    """Steps a search field back through earlier queries, and forward to the text typed last."""

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
    def ask(self) -> None:
        """Clear the field and list the queries; the one in the field is now an earlier one."""
        self._field.clear()
        self.offer()

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


_VAULTS = 20


class RecentlyOpened:
    """Lists sections, the newest first. An unreadable file counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / SECTIONS_FILE

    def of(self, vaults: Mapping[str, Path]) -> tuple[SectionResult, ...]:
        """Return the sections opened in ``vaults``, by the names with which paths begin."""
        read = self._read()
        each = [
            [(at, _with_vault(name, section)) for at, section in _stored(read.get(str(vault), []))]
            for name, vault in vaults.items()
        ]
        newest = merge(*each, key=itemgetter(0), reverse=True)
        return tuple(section for _, section in islice(newest, MOST_SECTIONS))

    def add(self, vault: Path, path: str, section: SectionResult) -> None:
        """Put ``section`` of the note at ``path`` in ``vault`` first."""
        read, opened = self._read(), replace(section, path=path)
        older = [
            (at, one)
            for at, one in _stored(read.pop(str(vault), []))
            if SectionKey.of(one) != SectionKey.of(opened)
        ]
        newest = [(time.time(), opened), *older][:MOST_SECTIONS]
        vaults = {str(vault): [_to_json(at, one) for at, one in newest], **read}
        json_file.write(self._file, dict(list(vaults.items())[:_VAULTS]))

    def _read(self) -> dict[str, list[Any]]:
        read = json_file.read(self._file)
        if not isinstance(read, dict):
            return {}
        return {vault: stored for vault, stored in read.items() if isinstance(stored, list)}


def _stored(sections: list[Any]) -> list[tuple[float, SectionResult]]:
    """Return those of the stored sections that can be read, each with the time of its opening."""
    found = []
    for stored in sections[:MOST_SECTIONS]:
        try:
            found.append((float(stored.get("opened", 0)), _from_json(stored)))
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            continue
    return found


def _with_vault(name: str, section: SectionResult) -> SectionResult:
    return replace(section, path=f"{name}/{section.path}", vault=name) if name else section


def _to_json(opened: float, section: SectionResult) -> dict[str, Any]:
    return {
        "opened": opened,
        "path": section.path,
        "title": section.title,
        "section_path": list(section.section_path),
        "level": section.level,
        "line": section.line,
    }


def _from_json(stored: Mapping[str, Any]) -> SectionResult:
    """Return a stored section as a result without a query.

    Raises:
        ValueError: Something else was stored.
    """
    path, title, headings = stored["path"], stored["title"], tuple(stored["section_path"])
    level, line = int(stored["level"]), int(stored["line"])
    if not headings or not all(isinstance(text, str) for text in (path, title, *headings)):
        raise ValueError(stored)
    return SectionResult(
        path=path,
        title=title,
        section=headings[-1],
        section_path=headings,
        breadcrumb=tuple(Marked(heading, ()) for heading in headings),
        level=level,
        line=line,
        end_line=line,
        snippet=Marked("", ()),
        passage="",
        score=0.0,
        chunk_index=0,
        total_chunks=1,
        why=Why(None, None),
    )
