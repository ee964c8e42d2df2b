"""``make run``: opens the window; without a display, searches and saves a picture of the window.

Keeps its index and settings under ``build/home``, so that trying the program leaves no other files.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "build" / "window.png"
SAMPLE = ROOT / "resources" / "sample-vault"
SAMPLE_QUERY = "kyoto food"


def has_display() -> bool:
    """Return whether Qt can open a window here; a second process tries it, since Qt may abort."""
    if not sys.platform.startswith("linux"):
        return True
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        return False
    probe = "from PySide6.QtGui import QGuiApplication; QGuiApplication([])"
    return not subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, check=False
    ).returncode


def notesearch(*words: str) -> int:
    """Run ``notesearch`` with ``words`` and return its exit status."""
    return subprocess.run([sys.executable, "-m", "notesearch", *words], check=False).returncode


def heading_of(vault: Path) -> str:
    """Return a heading of the folder's longest note, as something to search for."""
    from notesearch.errors import NotesearchError
    from notesearch.library import NoteLibrary

    sizes = {path: path.stat().st_size for path in vault.rglob("*.md") if path.is_file()}
    if not sizes:
        return SAMPLE_QUERY
    longest = max(sizes, key=lambda path: sizes[path])
    try:
        with NoteLibrary.open(vault) as library:
            outline = library.sections(longest.relative_to(vault).as_posix())
    except NotesearchError:
        return SAMPLE_QUERY
    return outline[len(outline) // 2].heading if outline else longest.stem


def without_display(vault: Path, query: str | None, picture: Path) -> int:
    """Search in the terminal, save a picture of the window, and ask for further queries."""
    shown = picture.relative_to(ROOT) if picture.is_relative_to(ROOT) else picture
    print(f"There is no display here: searching in the terminal; the window is drawn to {shown}.")
    query = query or (SAMPLE_QUERY if vault == SAMPLE else heading_of(vault))
    if vault == SAMPLE:  # a few seconds; one's own may need long, and a search does not wait for it
        print("\n$ notesearch index\n", flush=True)
        notesearch("index", "--vault", str(vault))
    print(f"\n$ notesearch search {query!r}\n", flush=True)
    notesearch("search", "--vault", str(vault), "--", query)
    failed = notesearch("picture", "--vault", str(vault), "--", str(picture), query)
    while sys.stdin.isatty():
        try:
            asked = input("\nSearch (Enter to end): ").strip()
        except EOFError:
            break
        if not asked:
            break
        notesearch("search", "--vault", str(vault), "--", asked)
    return failed


def main() -> int:
    """Open the window, or do without if there is no display."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", type=Path, default=SAMPLE)
    parser.add_argument("--query")
    parser.add_argument("--picture", type=Path, default=PICTURE)
    chosen = parser.parse_args()
    vault = chosen.vault.expanduser().resolve()
    if not vault.is_dir():
        print(f"There is no folder {vault}. Check its path.")
        return 2
    os.environ.setdefault("NOTESEARCH_HOME", str(ROOT / "build" / "home"))
    if has_display():
        return notesearch("open", str(vault))
    return without_display(vault, chosen.query, chosen.picture)


if __name__ == "__main__":
    sys.exit(main())
