"""The sections that were opened last, of each vault, kept in a small file of the program's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from notesearch.gui.results.results_rows import SectionKey
from notesearch.gui.system import json_file
from notesearch.results import Marked, SectionResult, Why

FILE_NAME = "recent.json"
KEPT = 8
_VAULTS = 20


class Recents:
    """The newest sections stand first; a file that makes no sense counts as an empty one."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME

    def of(self, vault: Path) -> tuple[SectionResult, ...]:
        """Return what was opened in ``vault``."""
        found = []
        for kept in self._read().get(str(vault), [])[:KEPT]:
            try:
                found.append(_section(kept))
            except (KeyError, TypeError, ValueError, OverflowError):
                continue
        return tuple(found)

    def add(self, vault: Path, section: SectionResult) -> tuple[SectionResult, ...]:
        """Put ``section`` first, and return what there is now."""
        same = SectionKey.of(section)
        older = [kept for kept in self.of(vault) if SectionKey.of(kept) != same]
        newest = (_section(_kept(section)), *older)[:KEPT]  # without its marks
        others = {name: kept for name, kept in self._read().items() if name != str(vault)}
        vaults = {str(vault): [_kept(section) for section in newest], **others}
        json_file.write(self._file, dict(list(vaults.items())[:_VAULTS]))
        return newest

    def _read(self) -> dict[str, list[Any]]:
        read = json_file.read(self._file)
        if not isinstance(read, dict):
            return {}
        return {vault: kept for vault, kept in read.items() if isinstance(kept, list)}


def _kept(section: SectionResult) -> dict[str, Any]:
    return {
        "path": section.path,
        "title": section.title,
        "section_path": list(section.section_path),
        "level": section.level,
        "line": section.line,
    }


def _section(kept: Mapping[str, Any]) -> SectionResult:
    """Return a section as a result without a query.

    Raises:
        ValueError: Something else was kept.
    """
    path, title, headings = kept["path"], kept["title"], tuple(kept["section_path"])
    level, line = int(kept["level"]), int(kept["line"])
    if not headings or not all(isinstance(text, str) for text in (path, title, *headings)):
        raise ValueError(kept)
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
