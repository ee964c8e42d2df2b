"""The file system under a folder: does it report all changes, can programs share memory there?

File systems on a network or in user space report no changes made by other computers. Programs
cannot share memory there either, which SQLite's write-ahead log needs.
"""

import os
from pathlib import Path

from notesearch.files import real
from notesearch.sentences import NO_SENTENCE, Sentence

_MOUNTS = Path("/proc/self/mountinfo")
_REMOTE = frozenset(
    "9p afs afpfs ceph cifs davfs glusterfs lustre ncpfs nfs nfs4 prl_fs smb2 smb3 smbfs"
    " vboxsf virtiofs vmhgfs".split()
)


def silent_file_system(folder: Path, mounts: Path | None = None) -> str:
    """Return the type of ``folder``'s file system if that does not report all changes, else "".

    No part of ``folder`` is a symbolic link.
    """
    try:
        lines = os.fsdecode((mounts or _MOUNTS).read_bytes()).splitlines()
    except OSError:
        return ""  # not Linux
    longest, type_ = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = _unescaped(fields[4])
        inside = f"{folder}/".startswith(f"{point.rstrip('/')}/")
        if inside and len(point) >= len(longest):  # a later mount at the same place hides others
            longest, type_ = point, after.split(" ", 1)[0]
    return type_ if type_ in _REMOTE or (type_.startswith("fuse") and type_ != "fuseblk") else ""


def remark_on_index(folder: Path) -> Sentence:
    """Return a remark if programs cannot share memory in the index's ``folder``; else empty."""
    type_ = silent_file_system(real(folder))
    return Sentence("index_on_network", type=type_) if type_ else NO_SENTENCE


def _unescaped(field: str) -> str:
    for escaped, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(escaped, character)
    return field
