"""Writes notes for tests, and proves that nobody else did."""

import hashlib
from collections.abc import Mapping
from pathlib import Path


def write(folder: Path, notes: Mapping[str, str | bytes]) -> None:
    """Write files by their relative path, and create their folders."""
    for name, content in notes.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())


def snapshot(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Return hash, mtime and ctime of everything below ``folder``: equal means untouched."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        digest = hashlib.sha256(content).hexdigest()
        found[str(path.relative_to(folder))] = (digest, status.st_mtime_ns, status.st_ctime_ns)
    return found
