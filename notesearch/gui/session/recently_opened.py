"""The sections opened last in each vault, stored in a small file.

The libraries of the vaults keep the file in line with moved and deleted notes.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesearch import private_files
from notesearch.errors import NotesearchError
from notesearch.gui import wording
from notesearch.gui.results.results_model import SectionKey
from notesearch.gui.session.section_reader import modified_time, part_of
from notesearch.markdown.render.formulas import unicode_formulas
from notesearch.opened_sections import SECTIONS_FILE, forget_recent
from notesearch.results import Marked, SectionResult, Why

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

MOST_SECTIONS = 8
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

    def forget(self, vault: Path) -> None:
        """Delete the stored sections of ``vault``."""
        forget_recent(self._file, vault)

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
