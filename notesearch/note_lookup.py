"""Finds the note, and the part of it, that an address means; or the sections with a heading."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from notesearch.errors import NoteMissingError
from notesearch.index import note_files
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.vault_index import VaultIndex
from notesearch.note_addresses import NoteAddress, meanings
from notesearch.results import SectionText

if TYPE_CHECKING:
    from notesearch.search.unmet import Sought


class NoteLookup:
    """Finds notes by their addresses: in the folder first, then by the names in the index."""

    def __init__(self, index: VaultIndex) -> None:
        self._index = index

    def resolved(self, address: str) -> NoteAddress:
        """Return the parts of ``address``, with the note's path in place of its name.

        If it has the number of a passage, ``lines`` begins with the line of the passage's section.

        Raises:
            NoteMissingError: There is no such note, or more than one.
        """
        problem: NoteMissingError | None = None
        for meant in meanings(address, self._index.vault):
            try:
                path, id_ = self._path_and_id(meant.name)
                named = replace(meant, name=path, heading=meant.heading or id_)
                if named.passage is None:
                    return named
                return replace(named, lines=(self._line_of_passage(named), 0))
            except NoteMissingError as error:
                if error.code == "note_name_ambiguous":
                    raise
                problem = error if problem is None or "near" in error.fields else problem
        problem = problem or NoteMissingError("note_name_unknown", name=address)
        if problem.fields.get("name") == address.lstrip("/"):  # an absolute path outside the vault
            raise NoteMissingError(problem.code, **{**problem.fields, "name": address})
        raise problem

    def _line_of_passage(self, address: NoteAddress) -> int:
        if not self._index.store.exists:
            return 0
        with self._index.reading() as reader:
            rows = reader.rows.note_sections(address.name)
            passages = reader.rows.passages_of_notes({row.note_id for row in rows}).values()
        position = next(islice(chain.from_iterable(passages), address.passage, None), None)
        return next((row.line for row in rows if position and row.id == position[0]), 0)

    def _path_and_id(self, path: str) -> tuple[str, str]:
        """Return the path of the note called ``path``, and the id if that names a block in it."""
        with contextlib.suppress(NoteMissingError, OSError):
            file = self.file(path)
            relative = file.relative_to(self._index.vault).as_posix()
            rules = IgnoreRules(self._index.vault, self._index.settings)
            if rules.is_note(relative) and file.is_file():
                return relative, ""
        if not self._index.store.exists:
            raise NoteMissingError("note_name_unknown", name=path)
        from notesearch.markdown.sections import section_lookup

        with self._index.reading() as reader:
            try:
                names = reader.rows.note_names()
                aliases = reader.labels.aliases()
                return section_lookup.find_note(path, names, aliases), ""
            except NoteMissingError:
                note, id_ = reader.links.note_with_id(path)
                note = note or reader.links.note_of_day(path)
                if not note:
                    raise
                return note, id_

    def file(self, path: str) -> Path:
        """Return the file of the note at ``path``.

        Raises:
            NoteMissingError: The file is outside the vault, or ``path`` is not valid.
        """
        return note_files.locate(self._index.vault, path, follow=self._index.settings.follow_links)

    def sought_sections(
        self, name: str, within: str, read: Callable[[str], SectionText]
    ) -> "tuple[Sought, ...]":
        """Return the note or section that ``name`` means, or all sections with this heading.

        ``read`` reads the section at an address. Sections outside of the folder ``within`` do not
        count; empty for the whole vault.

        Raises:
            NoteMissingError: No query can find a note or section of this name; the sentence says
                why.
            SectionMissingError: The note has no such section, or several.
        """
        from notesearch.search.unmet import Sought

        try:
            path = self.resolved(name).name
        except NoteMissingError as error:
            if error.code == "note_name_ambiguous":
                raise
            return self._with_heading(name, within, error)
        with self._index.reading() as reader:
            unread = [note for note in reader.unread() if note.path == path and not note.remark]
            is_indexed = any(path == known for known, _ in reader.rows.note_names())
        if unread:
            raise NoteMissingError("absence_unread", path=path, reason=unread[0].reason)
        if not _is_within(path, within):
            raise NoteMissingError("absence_outside", folder=within.rstrip("/"))
        if not is_indexed:
            raise NoteMissingError("absence_unindexed", path=path)
        section = read(name)
        if section.line == 1 or section.is_whole:
            return (Sought(path),)
        return (Sought.section(path, section.title, section.section_path, section.line),)

    def _with_heading(
        self, name: str, within: str, problem: NoteMissingError
    ) -> "tuple[Sought, ...]":
        """Return the sections with the heading ``name``; ``problem`` is that no note has it."""
        from notesearch.search.unmet import sections_called

        settings = self._index.settings
        file = note_files.find_named(self._index.vault, name, settings.searched_suffixes)
        if file:
            raise self._unindexed(file)
        with self._index.reading() as reader:
            called, headings = sections_called(name, reader)
        inside = tuple(section for section in called if _is_within(section.path, within))
        if inside:
            return inside
        if called:
            raise NoteMissingError("absence_outside", folder=within.rstrip("/"))
        near = headings
        notes = problem.fields.get("near")
        if isinstance(notes, tuple):
            stems = {PurePosixPath(path).stem.casefold() for path in notes}
            near = (*notes, *(own for own in headings if own.casefold() not in stems))
        if near:
            raise NoteMissingError("absence_unknown_near", name=name, near=near)
        raise NoteMissingError("absence_unknown", name=name)

    def _unindexed(self, file: str) -> NoteMissingError:
        """Return the error that says why ``file``, which exists in the folder, is not indexed."""
        rules = IgnoreRules(self._index.vault, self._index.settings)
        if rules.is_note(file):
            return NoteMissingError("absence_unindexed", path=file)
        folder = rules.program_folder(file)
        if folder:
            return NoteMissingError("absence_in_program_folder", path=file, folder=folder)
        return NoteMissingError("absence_ignored", path=file)


def _is_within(path: str, folder: str) -> bool:
    """Return whether a note is in ``folder``, which may be empty (any note) or the note's path."""
    return not folder or f"{path}/".startswith(f"{folder.rstrip('/')}/")
