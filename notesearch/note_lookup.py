"""Finds the note, and the part of it, that an address means."""

import contextlib
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from notesearch.errors import NoteMissingError
from notesearch.index import note_files
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.vault_index import VaultIndex
from notesearch.note_addresses import NoteAddress, meanings


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
