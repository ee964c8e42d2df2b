"""Resolves the links, embeds and pictures of a note in the vault, for the preview."""

import contextlib
import os
import posixpath
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from notesearch.errors import IndexFileError, NoteMissingError, NotesearchError
from notesearch.files import SMALL, names_drive, read_inside
from notesearch.index.ignore_rules import IgnoreRules, keeps_line_breaks
from notesearch.index.note_files import spelling_key
from notesearch.index.vault_index import VaultIndex
from notesearch.markdown.bounds import Check, never_cancel
from notesearch.markdown.render.mkdocs import MAX_CONFIG, MkDocs, extensions
from notesearch.markdown.sections import section_texts
from notesearch.markdown.sections.link_targets import is_image, note_name, note_targets
from notesearch.markdown.sections.note_parser import normalise, structured_lines
from notesearch.markdown.sections.properties import read_front_matter
from notesearch.notes import Property
from notesearch.results import NoteLink, SectionText

if TYPE_CHECKING:
    from notesearch.markdown.render.link_resolver import NoteContext

_CACHE_S = 10.0
_MAX_FILES = 200_000


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """Resolves the links of one note: the ``NoteContext`` of the note at ``source``."""

    index: VaultIndex
    pictures: "NotePictures"
    mkdocs: MkDocs
    source: str

    def link(self, target: str, *, relative: bool = False) -> str | None:
        """Return the place to which ``target`` leads, as ``/path#heading`` from the vault's top.

        Returns None if there is no such note, and ``target`` itself if there is no index.
        """
        try:
            path, sub = self._named(target, relative=relative)
        except IndexFileError:
            return target
        return f"/{path}{'#' if sub else ''}{sub}" if path else None

    def embedded(self, target: str) -> "tuple[SectionText, NoteContext] | None":
        """Return the text that ``![[target]]`` shows and the context of its note; else None."""
        try:
            path, sub = self._named(target)
            is_text = path is not None and not self.index.notes.is_pdf(path)
            shown = (
                section_texts.embedded(path, self._text(path), sub) if path and is_text else None
            )
        except NotesearchError:
            return None
        if path is None or shown is None:
            return None
        return shown, NoteLinks(self.index, self.pictures, self.mkdocs, path)

    def block(self, reference: str) -> str:
        """Return the first line of the block that ``((id))`` refers to; empty if it is unknown."""
        id_ = reference.strip("()")
        try:
            with self.index.reading() as reader:
                return reader.links.block_texts([id_]).get(id_, "")
        except IndexFileError:
            return ""

    def picture(self, target: str) -> str | None:
        """Return the path of the picture ``target`` in the vault; None if there is none."""
        return self.pictures.find(target, self.source)

    def properties(self) -> tuple[Property, ...]:
        """Return the properties in the front matter of the note, one for each value."""
        values = read_front_matter(normalise(self._text(self.source))).values
        return tuple(value for value in values if not value.hidden)

    def all_properties(self) -> dict[str, list[str]]:
        """Return the values of all properties of the note by key, including those in its text."""
        return section_texts.all_properties(self.source, self._text(self.source))

    def html(self, source: str, first_line: int, check: Check = never_cancel) -> str | None:
        """Return Markdown as unsafe HTML if the vault does not use the default dialect.

        A site of MkDocs is rendered by MkDocs. A vault of Obsidian keeps its line breaks. Returns
        None for any other vault, or if MkDocs fails.
        """
        if not self._is_on_site():
            if not keeps_line_breaks(self.index.vault):
                return None
            from notesearch.markdown.render import default_dialect

            return default_dialect.to_html(source, first_line, keeps_lines=True, check=check)
        return self.mkdocs.to_html(source, first_line, extensions(self._mkdocs_config() or ""))

    def ready(self, seconds: float) -> bool:
        """Return whether ``html`` can answer within ``seconds``: MkDocs, if used, has to start."""
        return not self._is_on_site() or self.mkdocs.ready(seconds)

    def _is_on_site(self) -> bool:
        dialect = self.index.settings.dialect
        return dialect == "mkdocs" or (dialect == "auto" and self._mkdocs_config() is not None)

    def _mkdocs_config(self) -> str | None:
        vault = self.index.vault
        for folder in PurePosixPath(self.source).parents:
            for name in ("mkdocs.yml", "mkdocs.yaml"):
                file = vault / folder / name
                with contextlib.suppress(OSError, ValueError, RuntimeError):  # or a circle of links
                    inside = file.resolve(strict=True).relative_to(vault).as_posix()
                    return read_inside(vault, inside, SMALL)[:MAX_CONFIG].decode("utf-8", "replace")
        return None

    def link_position(self, link: str) -> tuple[str, int]:
        """Return the path and the line, from 1, to which a link leads.

        Raises:
            NoteMissingError: The link is broken.
        """
        path, sub = self._named(link)
        if path is None:
            raise NoteMissingError("note_link_unknown", name=link.partition("#")[0])
        return path, section_texts.linked_line(path, self._text(path), sub) if sub else 1

    def outgoing(self) -> Iterator[NoteLink]:
        """Yield the links of the note to other notes, in order.

        Raises as ``NoteLibrary.read`` does.
        """
        resolved: dict[tuple[str, bool], str | None] = {}
        lines = structured_lines(normalise(self._text(self.source)))
        for line, written, relative in note_targets(lines):
            key = written, relative
            if key not in resolved:
                resolved[key] = self._named(written, relative=relative)[0]
            if resolved[key] != self.source:
                yield NoteLink(self.source, line, resolved[key], written)

    def incoming(self) -> Iterator[NoteLink]:
        """Yield the links of other notes to this note, from the index."""
        with self.index.reading() as reader:
            for link in reader.links.to_note(self.source):
                yield NoteLink(link.path, link.line, self.source, link.target)

    def _text(self, path: str) -> str:
        return self.index.notes.current_text(path)

    def _named(self, target: str, *, relative: bool = False) -> tuple[str | None, str]:
        with self.index.reading() as reader:
            return reader.links.place_of(note_name(target), self.source, relative=relative)


class NotePictures:
    """Finds a picture that a note refers to: by path from the note or the vault's root, or by name.

    To find a name, it lists all folders, and again after ten seconds. It only compares names; the
    reader of a file checks again that it is in the vault. Thread-safe.
    """

    def __init__(self, vault: Path, rules: Callable[[], IgnoreRules]) -> None:
        self._vault = vault
        self._rules = rules
        self._lock = threading.Lock()
        self._listed_at = -_CACHE_S
        self._by_name: dict[str, list[str]] = {}

    def find(self, target: str, source: str) -> str | None:
        """Return the path of the picture that the note at ``source`` refers to; else None."""
        is_odd = not target or target.startswith("//") or set(target) & set("\\\0")
        if is_odd or names_drive(target) or not is_image(target):
            return None
        folder = posixpath.dirname(source)
        from_top = target.startswith("/")
        for candidate in (target[1:],) if from_top else (posixpath.join(folder, target), target):
            path = posixpath.normpath(candidate)
            if not path.startswith("..") and self._is_file(path):
                return path
        return self._find_name(posixpath.normpath(target.lstrip("/")), folder)

    def _is_file(self, path: str) -> bool:
        try:
            return (self._vault / path).is_file()
        except (OSError, ValueError):
            return False

    def _find_name(self, target: str, folder: str) -> str | None:
        """Return the shortest path of a picture that ends in ``target``, or None.

        If there are any below ``folder``, only those count.
        """
        end = f"/{spelling_key(target)}"
        with self._lock:
            self._list()
            same_name = self._by_name.get(end.rpartition("/")[2], ())
        paths = [path for path in same_name if f"/{spelling_key(path)}".endswith(end)]
        near = [path for path in paths if folder and path.startswith(f"{folder}/")]
        return min(near or paths, key=lambda path: (len(path), path), default=None)

    def _list(self) -> None:
        if time.monotonic() - self._listed_at < _CACHE_S:
            return
        by_name: dict[str, list[str]] = {}
        rules = self._rules()
        seen = 0
        for here, folders, names in os.walk(self._vault):
            inside = os.path.relpath(here, self._vault).replace(os.sep, "/")
            above = "" if inside == "." else f"{inside}/"
            folders[:] = [n for n in folders if not rules.ignores_folder(f"{above}{n}")]
            for name in names:
                if is_image(name):
                    by_name.setdefault(spelling_key(name), []).append(f"{above}{name}")
            seen += len(names)
            if seen > _MAX_FILES:
                break
        self._by_name = by_name
        self._listed_at = time.monotonic()
