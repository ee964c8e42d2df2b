"""The sections that were opened last in each vault, stored in a small file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from notesearch.gui.results.results_rows import SectionKey
from notesearch.gui.system import json_file
from notesearch.results import Marked, SectionResult, Why

FILE_NAME = "recent.json"
MOST = 8
_VAULTS = 20


class RecentlyOpened:
    """Lists sections, the newest first. An unreadable file counts as empty."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME

    def of(self, vault: Path) -> tuple[SectionResult, ...]:
        """Return the sections opened in ``vault``."""
        sections = []
        for stored in self._read().get(str(vault), [])[:MOST]:
            try:
                sections.append(_from_json(stored))
            except (KeyError, TypeError, ValueError, OverflowError):
                continue
        return tuple(sections)

    def add(self, vault: Path, section: SectionResult) -> None:
        """Put ``section`` first."""
        same = SectionKey.of(section)
        older = [one for one in self.of(vault) if SectionKey.of(one) != same]
        others = {name: stored for name, stored in self._read().items() if name != str(vault)}
        vaults = {str(vault): [_to_json(one) for one in (section, *older)[:MOST]], **others}
        json_file.write(self._file, dict(list(vaults.items())[:_VAULTS]))

    def _read(self) -> dict[str, list[Any]]:
        read = json_file.read(self._file)
        if not isinstance(read, dict):
            return {}
        return {vault: stored for vault, stored in read.items() if isinstance(stored, list)}


def _to_json(section: SectionResult) -> dict[str, Any]:
    return {
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
