"""Lays out the frozen folder as an AppDir and, if ``appimagetool`` is installed, packs an AppImage.

Without the tool, the AppDir stays under ``build``, and its ``AppRun`` starts the program from
there. Run ``freeze.py`` first.
"""

import os
import shutil
import sys
from pathlib import Path

from build_deb import lay_out_share
from places import APP_ID, BUILD, DIST, FROZEN, ROOT, epoch, megabytes, run, version

APP_RUN = """\
#!/bin/sh
# Starts the program from wherever its folder is mounted or unpacked.
here=$(dirname "$(readlink -f "$0")")
exec "$here/usr/lib/notesearch/notesearch" "$@"
"""


def lay_out(root: Path) -> None:
    """Lay out ``root`` as the AppImage specification demands."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(FROZEN, root / "usr" / "lib" / "notesearch", symlinks=True)
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "notesearch").symlink_to("../lib/notesearch/notesearch")
    share = root / "usr" / "share"
    lay_out_share(share)
    (root / "AppRun").write_text(APP_RUN, "utf-8")
    (root / "AppRun").chmod(0o755)
    entry = f"{APP_ID}.desktop"
    shutil.copyfile(share / "applications" / entry, root / entry)
    icon = share / "icons" / "hicolor" / "256x256" / "apps" / "notesearch.png"
    shutil.copyfile(icon, root / "notesearch.png")
    (root / ".DirIcon").symlink_to("notesearch.png")


def main() -> int:
    """Lay out the AppDir, validate its metadata, and pack it."""
    root = BUILD / "notesearch.AppDir"
    lay_out(root)
    run("appstreamcli", "validate-tree", "--no-net", root)
    tool = shutil.which("appimagetool")
    if not tool:
        print(f"There is no appimagetool here: {root.relative_to(ROOT)} is laid out, not packed.")
        return 0
    machine = os.uname().machine
    made = DIST / f"notesearch-{version()}-{machine}.AppImage"
    run(tool, "--no-appstream", root, made, ARCH=machine, SOURCE_DATE_EPOCH=str(epoch()))
    print(f"{made.relative_to(ROOT)}: {megabytes(made):.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
