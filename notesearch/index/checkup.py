"""Checks an index, inside and against its folder, and repairs it: ``notesearch doctor``."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from notesearch.index import files, scan
from notesearch.sentences import Sentence
from notesearch.status import Checkup, Part, Problem, Progress
from notesearch.store import checks

if TYPE_CHECKING:
    from notesearch.index.vault_index import VaultIndex


def check(index: "VaultIndex") -> Checkup:
    """Return what is wrong with the index; it is only read.

    Raises:
        VaultMissingError: The folder is not there.
        IndexFileError: The index cannot be opened.
    """
    store = index.store
    found = Checkup(
        str(store.path),
        set_aside=tuple(map(str, store.files_set_aside())),
        remarks=(index.remark,) if index.remark else (),
    )
    if not store.exists:
        scan.check(index.vault)
        missing = Problem(Part.FOLDER, Sentence("index_missing", vault=str(index.vault)))
        return replace(found, problems=(missing,))
    inside = checks.check(store.path)
    if any(problem.part is Part.FILE for problem in inside):
        return replace(found, problems=inside)
    return replace(found, problems=(*inside, *_against_folder(index)))


def _against_folder(index: "VaultIndex") -> Iterator[Problem]:
    listing = scan.list_vault(index.vault, index.settings)
    with index.store.writing() as writer:
        known = writer.note_states()
        waiting = 0 if writer.vectors.problem else writer.vectors.pending_count()
    stale = [path for path, file in listing.files.items() if path in known
             and known[path].differs(file)]  # fmt: skip
    counted = {
        "found_notes_not_indexed": len(listing.files.keys() - known.keys()),
        "found_notes_changed": len(stale),
        "found_notes_gone": sum(
            path not in listing.files and not listing.is_unknown(path) for path in known
        ),
        "found_notes_unlike": len(unlike(index)),
        "found_passages_waiting": waiting,
    }
    for code, count in counted.items():
        if count:
            yield Problem(Part.FOLDER, Sentence(code, count=count))


def unlike(index: "VaultIndex") -> list[str]:
    """Return the notes whose text is not the indexed one, though their file looks untouched."""
    settings = index.settings
    listing = scan.list_vault(index.vault, settings)
    with index.store.writing() as writer:
        known = writer.note_states()
    found = []
    for path, state in listing.files.items():
        note = known.get(path)
        if not note or not note.digest or note.differs(state):
            continue
        try:
            content = files.read_file(
                index.vault, path, settings.max_note_bytes, follow=settings.follow_links
            ).content
        except (OSError, ValueError):
            continue
        if hashlib.blake2b(content, digest_size=16).digest() != note.digest:
            found.append(path)
    return found


def repair(index: "VaultIndex", progressed: Callable[[Progress], None]) -> Checkup:
    """Repair what a check finds, and check again; an index past mending is made anew.

    A watch, here or in another process, stands aside meanwhile.

    Raises:
        VaultMissingError: The folder is not there.
        IndexBusyError: Another program repairs this index, or does not stop indexing.
        IndexFileError: The index cannot be written.
    """
    found = check(index)
    if not _mendable(found):
        return found
    with index.claimed():
        return _repair(index, progressed)


def _mendable(found: Checkup) -> set[Part]:
    return {problem.part for problem in found.problems} - {Part.PROGRAM}


def _repair(index: "VaultIndex", progressed: Callable[[Progress], None]) -> Checkup:
    repaired: list[Sentence] = []
    found = check(index)
    for _ in range(2):
        parts = _mendable(found)
        if not parts:
            break
        if repaired and parts - {Part.FOLDER}:
            parts = {Part.FILE}
        in_place = index.store.exists and Part.FILE not in parts
        index.mend(parts, unlike(index) if in_place else ())
        index.refresh(progressed)
        repaired += [Sentence(f"repaired_{part}") for part in Part if part in parts]
        found = check(index)
    return replace(found, repaired=tuple(dict.fromkeys(repaired)))
