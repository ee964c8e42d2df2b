"""Checks an index, by itself and against its folder, and repairs it: ``notesearch doctor``."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from notesearch.config import require_folder
from notesearch.errors import IndexDamagedError
from notesearch.index import note_files, scan
from notesearch.messages import Sentence
from notesearch.status import Checkup, Part, Problem, Progress
from notesearch.store import recovery

if TYPE_CHECKING:
    from notesearch.index.vault_index import VaultIndex


def check(index: "VaultIndex") -> Checkup:
    """Return the problems of the index, without changing it; raises as ``repair`` does."""
    store = index.store
    checkup = Checkup(
        str(store.path),
        set_aside=tuple(map(str, store.files_set_aside())),
        remarks=(index.remark,) if index.remark else (),
    )
    if not store.exists:
        require_folder(index.vault)
        missing = Problem(Part.FOLDER, Sentence("index_missing", vault=str(index.vault)))
        return replace(checkup, problems=(missing,))
    problems = recovery.check(store.path)
    if any(problem.part is Part.FILE for problem in problems):
        return replace(checkup, problems=problems)
    try:
        compared = tuple(_compare_with_folder(index))
    except IndexDamagedError as error:
        return replace(checkup, problems=(recovery.damage(error),))
    return replace(checkup, problems=(*problems, *compared))


def _compare_with_folder(index: "VaultIndex") -> Iterator[Problem]:
    with index.store.writing() as writer:
        listing = scan.list_vault(index.vault, index.settings, writer.mounts())
        known = writer.note_states()
        waiting = 0 if writer.vectors.problem else writer.vectors.pending_count()
    if waiting:  # heading paths wait, too, but are not passages
        waiting = index.store.reader().counts().pending or waiting
    files = listing.files
    stale = [
        path
        for path, file in files.items()
        if path in known
        and known[path].differs(file)
        # Of a note that cannot be read, an earlier text stays: no repair helps.
        and not (known[path].outdated and _digest(index, path) is None)
    ]
    counts = {
        "found_notes_not_indexed": len(files.keys() - known.keys()),
        "found_notes_changed": len(stale),
        "found_notes_gone": sum(
            path not in files and not listing.is_unknown(path) for path in known
        ),
        "found_notes_unlike": len(silently_changed(index)),
        "found_passages_waiting": waiting,
    }
    for code, count in counts.items():
        if count:
            yield Problem(Part.FOLDER, Sentence(code, count=count))


def silently_changed(index: "VaultIndex") -> list[str]:
    """Return the paths of notes whose text has changed although their files look unchanged."""
    known = index.store.reader().note_states()
    changed: list[str] = []
    for path, state in scan.list_vault(index.vault, index.settings).files.items():
        note = known.get(path)
        looks_unchanged = note and note.digest and not note.differs(state)
        if note and looks_unchanged and _digest(index, path) not in (None, note.digest):
            changed.append(path)
    return changed


def _digest(index: "VaultIndex", path: str) -> bytes | None:
    """Return the hash of the bytes of the note's file; None if it cannot be read as a note."""
    settings = index.settings
    try:
        file = note_files.read_file(
            index.vault, path, settings.max_note_bytes, follow=settings.follow_links
        )
    except (OSError, ValueError):
        return None
    return file.digest


def repair(index: "VaultIndex", progressed: Callable[[Progress], None]) -> Checkup:
    """Repair the problems that a check finds, and check again; rebuild an index beyond repair.

    Raises:
        VaultMissingError: The folder does not exist.
        IndexBusyError: Another program is repairing this index, or does not stop indexing.
        IndexFileError: The index cannot be opened or written.
    """
    checkup = check(index)
    if not _repairable(checkup):
        return checkup
    with index.claimed():
        return _repair(index, progressed)


def _repairable(checkup: Checkup) -> set[Part]:
    return {problem.part for problem in checkup.problems} - {Part.PROGRAM}


def _repair(index: "VaultIndex", progressed: Callable[[Progress], None]) -> Checkup:
    repaired: list[Sentence] = []
    checkup = check(index)
    for _ in range(2):
        parts = _repairable(checkup)
        if not parts:
            break
        if repaired and parts - {Part.FOLDER}:
            parts = {Part.FILE}  # the first attempt was not enough: rebuild the whole index
        # A damaged index cannot say which notes have changed; all of them are read again.
        is_readable = index.store.exists and Part.FILE not in parts
        index.repair(parts, silently_changed(index) if is_readable else ())
        index.refresh(progressed)
        repaired += [Sentence(f"repaired_{part}") for part in Part if part in parts]
        checkup = check(index)
    return replace(checkup, repaired=tuple(dict.fromkeys(repaired)))
