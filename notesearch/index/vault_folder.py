"""The folder of a vault: whether it exists and is still the same, and the kind of its file system.

A drive may be gone or replaced by another. File systems on a network or in user space do not report
changes made by other computers. Nor can programs share memory there, which SQLite's write-ahead log
needs.
"""

import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import require_folder
from notesearch.errors import VaultMissingError
from notesearch.files import real
from notesearch.messages import NO_SENTENCE, Sentence

if TYPE_CHECKING:
    from notesearch.store.writer import Writer

_FEW_NOTES = 10
"""If more notes than this are gone and none is left, perhaps nobody deleted them on purpose."""

_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE = frozenset(
    "9p afs afpfs ceph cifs davfs glusterfs lustre ncpfs nfs nfs4 prl_fs smb2 smb3 smbfs"
    " vboxsf virtiofs vmhgfs".split()
)

Identity = tuple[int, int]
"""Device and inode of a folder."""


def folder_identity(folder: Path) -> Identity:
    """Return the device and the inode of ``folder``; raises OSError if it does not exist."""
    status = folder.stat()
    return status.st_dev, status.st_ino


def vault_identity(vault: Path) -> str:
    """Return the identity of the folder at ``vault`` as text; another disk may be mounted there."""
    require_folder(vault)
    device, inode = folder_identity(vault)
    return f"{device}:{inode}"


def is_missing(vault: Path, root: str, indexed: Callable[[], Collection[str]]) -> bool:
    """Return whether the folder is missing, unexpectedly empty, or replaced by another one.

    ``root`` is the identity that the folder had at the last comparison; ``indexed`` returns the
    paths of the notes in the index, and is called only if necessary.
    """
    try:
        same = vault_identity(vault) == root
        with os.scandir(vault) as entries:
            empty = next(entries, None) is None
    except (VaultMissingError, OSError):
        return True
    if same:
        return empty and len(indexed()) > _FEW_NOTES
    notes = indexed()
    return len(notes) > 1 and not _any_exists(vault, notes)


def require_same_vault(
    vault: Path, root: str, writer: "Writer", gone: list[str], *, has_notes: bool, user_asked: bool
) -> None:
    """Make sure that a folder that has none of its former notes is really the vault.

    ``gone`` are the former notes; ``has_notes`` says whether the folder has others. A user who
    asks for the comparison twice confirms that the folder is the vault.

    Raises VaultMissingError if the notes may not have been deleted on purpose.
    """
    same = writer.root() in ("", root)  # empty: no comparison was ever completed
    few = len(gone) <= _FEW_NOTES
    if len(gone) < 2 or (same and (has_notes or few)):
        return
    if _any_exists(vault, gone):
        return  # the notes are there, but the rules ignore them now
    if same or user_asked:
        if writer.emptied() == root:
            return
        writer.set_emptied(root)
    code = "vault_replaced" if has_notes else "vault_emptied"
    raise VaultMissingError(code, vault=str(vault), count=len(gone))


def _any_exists(vault: Path, notes: Iterable[str]) -> bool:
    return any((vault / path).exists() for path in notes)


def silent_file_system(folder: Path) -> str:
    """Return the type of ``folder``'s file system if it does not report all changes, else ""."""
    try:
        lines = os.fsdecode(_MOUNTS.read_bytes()).splitlines()
    except OSError:
        return ""  # not Linux
    longest = ""
    type_ = ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = _unescaped(fields[4])
        inside = f"{folder}/".startswith(f"{point.rstrip('/')}/")
        if inside and len(point) >= len(longest):  # a later mount at the same place hides others
            longest = point
            type_ = after.split(" ", 1)[0]
    return type_ if type_ in _REMOTE or (type_.startswith("fuse") and type_ != "fuseblk") else ""


def remark_on_index(folder: Path) -> Sentence:
    """Return a remark if the index's ``folder`` is on a network drive or FUSE; else empty.

    Programs cannot share memory there, so writing takes longer.
    """
    type_ = silent_file_system(real(folder))
    return Sentence("index_on_network", type=type_) if type_ else NO_SENTENCE


def _unescaped(field: str) -> str:
    for escaped, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(escaped, character)
    return field
