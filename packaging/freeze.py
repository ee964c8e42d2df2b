"""Freezes the clean environment's program into a folder that needs no Python; on Linux, packs it.

The folder works only on the kind of system that it is built on: Linux, Windows or macOS. Run
``build_wheel.py`` first.
"""

import os
import shutil
import sys
import tarfile
from pathlib import Path

import brought
import icons
from places import BUILD, DIST, FROZEN, PACKAGING, PYTHON, ROOT, epoch, megabytes, run, version

TOOLS = BUILD / "tools"
BUNDLED = FROZEN.with_suffix(".app") / "Contents" / "Resources"
"""Where a macOS bundle keeps data files."""

MOST_UNPACKED, MOST_PACKED = 330, 130
"""Largest permitted sizes of the folder and its archive, in MB."""


def freeze() -> None:
    """Run PyInstaller from outside the clean environment, so that it is not frozen itself."""
    pinned = next(
        line.strip().strip('",')
        for line in (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
        if "pyinstaller==" in line
    )
    if not TOOLS.is_dir():
        run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--constraint", ROOT / "constraints.txt", "--target", TOOLS, pinned)  # fmt: skip
    print(
        run(
            PYTHON, "-P", "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR",
            "--distpath", FROZEN.parent, "--workpath", BUILD / "pyinstaller",
            PACKAGING / "pyinstaller" / "notesearch.spec",
            PYTHONPATH=str(TOOLS), PYTHONHASHSEED="0", SOURCE_DATE_EPOCH=str(epoch()),
        )
    )  # fmt: skip


def make_smaller() -> None:
    """Remove the debugging symbols from Python's library; they are two thirds of its size."""
    for library in (FROZEN / "_internal").glob("libpython*.so*"):
        if not library.is_symlink():
            run("strip", "--strip-unneeded", library)


def pack(folder: Path, archive: Path, name: str) -> None:
    """Pack ``folder`` under ``name``; the same files always give the same archive."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = epoch()
        return entry

    with tarfile.open(archive, "w:xz", preset=3) as packed:
        packed.add(folder, name, recursive=False, filter=plain)
        for file in sorted(folder.rglob("*")):
            target = f"{name}/{file.relative_to(folder).as_posix()}"
            packed.add(file, target, recursive=False, filter=plain)


def main() -> int:
    """Freeze, list the parts, and pack; 1 if a size is over its limit."""
    icons.draw(BUILD / "icons")
    shutil.rmtree(FROZEN, ignore_errors=True)
    freeze()
    if sys.platform == "linux":
        make_smaller()
    for folder in (FROZEN / "_internal", BUNDLED):
        if folder.is_dir():
            brought.write(folder)
    text = run(FROZEN / "notesearch", "licences", quiet=True)
    (FROZEN / "LICENCES.txt").write_text(text, "utf-8")
    if sys.platform != "linux":
        return 0
    archive = DIST / f"notesearch-{version()}-linux-{os.uname().machine}.tar.xz"
    pack(FROZEN, archive, f"notesearch-{version()}")
    unpacked, packed = megabytes(FROZEN), megabytes(archive)
    print(f"{archive.relative_to(ROOT)}: {packed:.0f} MB, {unpacked:.0f} MB unpacked")
    return int(unpacked > MOST_UNPACKED or packed > MOST_PACKED)


if __name__ == "__main__":
    sys.exit(main())
