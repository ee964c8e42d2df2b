"""Finds the note or the sections by the name that a user gives for a missed result."""

from collections.abc import Callable
from pathlib import PurePosixPath

from notesearch.errors import NoteMissingError
from notesearch.index import note_files
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.vault_index import VaultIndex
from notesearch.note_lookup import NoteLookup
from notesearch.results import SectionText
from notesearch.search.absence import Sought, sections_called


def sought_sections(
    index: VaultIndex,
    lookup: NoteLookup,
    read: Callable[[str], SectionText],
    name: str,
    within: str,
) -> tuple[Sought, ...]:
    """Return the note or section that ``name`` means, or all sections with this heading.

    ``read`` reads the section at an address.

    Raises:
        NoteMissingError: No query can find a note or section of this name; the sentence says why.
        SectionMissingError: The note has no such section, or several.
    """
    try:
        path = lookup.resolved(name).name
    except NoteMissingError as error:
        if error.code == "note_name_ambiguous":
            raise
        return _with_heading(index, name, within, error)
    with index.reading() as reader:
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
    index: VaultIndex, name: str, within: str, problem: NoteMissingError
) -> tuple[Sought, ...]:
    """Return the sections with the heading ``name``; ``problem`` is that no note has it."""
    file = note_files.find_named(index.vault, name, index.settings.searched_suffixes)
    if file:
        raise _unindexed(index, file)
    with index.reading() as reader:
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


def _unindexed(index: VaultIndex, file: str) -> NoteMissingError:
    """Return the error that says why ``file``, which exists in the folder, is not indexed."""
    rules = IgnoreRules(index.vault, index.settings)
    if rules.is_note(file):
        return NoteMissingError("absence_unindexed", path=file)
    folder = rules.program_folder(file)
    if folder:
        return NoteMissingError("absence_in_program_folder", path=file, folder=folder)
    return NoteMissingError("absence_ignored", path=file)


def _is_within(path: str, folder: str) -> bool:
    """Return whether a note is in ``folder``, which may be empty (any note) or the note's path."""
    return not folder or f"{path}/".startswith(f"{folder.rstrip('/')}/")
