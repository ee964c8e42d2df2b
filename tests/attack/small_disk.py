"""Indexes notes on a disk that is too small, again and again with more room.

``python -m tests.attack.small_disk DISK FIRST STEP`` takes a mounted tmpfs. It runs a session with
room for FIRST pages, then with STEP more each time, until one has enough room. It prints how many
sessions filled the disk. The caller needs the right to mount.
"""

import itertools
import shutil
import subprocess
import sys
from pathlib import Path

from notesearch.config import Paths, Settings
from notesearch.errors import IndexFileError
from notesearch.library import NoteLibrary
from notesearch.status import Part
from tests import index_contents
from tests.faults.quick_model import OtherModel, QuickModel
from tests.folders import write

PAGE, PLENTY = 4096, 16_000
"""Bytes of a page, and a number of pages that is enough for any session."""

_TEXT = f"{'Herons wade. ' * 40}\n\n## Edge\n\nReeds.\n"
NOTES = {f"{n}.md": f"# Pond {n}\n\n{_TEXT}" for n in range(4)}
FULL = {"index_disk_full", "index_missing"}


class SmallDisk:
    """A disk (tmpfs) with the index, and a folder of notes on another disk."""

    def __init__(self, disk: Path) -> None:
        self.disk, self.vault = disk, disk.with_name("notes")

    def resize(self, pages: int) -> None:
        size = f"remount,size={pages * PAGE}"
        subprocess.run(["mount", "-o", size, "none", str(self.disk)], check=True)

    def library(self, model: QuickModel | None = None, vault: Path | None = None) -> NoteLibrary:
        home, model = self.disk / "home", model or QuickModel()
        return NoteLibrary.open(vault or self.vault, home=home, embedder=model)

    def session(self) -> None:
        """Index the notes, change them, index, repair, change the model and the folder's name."""
        shutil.rmtree(self.vault, ignore_errors=True)
        write(self.vault, NOTES)
        with self.library() as library:
            library.refresh()
            assert library.search("herons", mode="words").total == len(NOTES)
            (self.vault / "1.md").rename(self.vault / "other.md")
            (self.vault / "2.md").unlink()
            write(self.vault, {"3.md": "# Pond\n\nThe herons have left.\n"})
            library.refresh()
            library._index.repair([Part.VECTORS])
            library.refresh()
        with self.library(OtherModel()) as library:
            library.refresh()
            assert library.search("herons", mode="meaning").meaning
        renamed = self.vault.rename(self.vault.with_name("renamed"))
        try:
            with self.library(OtherModel(), renamed) as library:
                library.refresh()
        finally:
            renamed.rename(self.vault)

    def search(self) -> None:
        with self.library() as library:
            library.search("herons")

    def survives(self, pages: int) -> bool:
        """Run a session and a search with room for ``pages``, then a session with enough room.

        Returns whether the first room was enough. Fails if the index then differs from a new one.
        """
        enough = True
        self.resize(pages)
        for action in (self.session, self.search):
            try:
                action()
            except IndexFileError as error:
                if error.sentence.code not in FULL:
                    raise
                enough = False
        self.resize(PLENTY)
        self.session()
        with self.library() as library:
            assert not library.rebuilt, f"{pages} pages: {library.rebuilt}"
        new = index_contents.from_scratch(self.vault, Settings(), OtherModel())
        indexes = list(Paths.choose(self.disk / "home").indexes.glob("*.sqlite"))
        assert len(indexes) == 2
        for index in indexes:
            assert index_contents.of(index) == new, f"{pages} pages, {index.name}"
        shutil.rmtree(self.disk / "home")
        return enough


def main() -> None:
    """Run sessions with more and more room; print how many filled the disk."""
    small, (first, step) = SmallDisk(Path(sys.argv[1])), map(int, sys.argv[2:])
    limits = itertools.count(first, step)
    print(sum(1 for _ in itertools.takewhile(lambda pages: not small.survives(pages), limits)))


if __name__ == "__main__":
    main()
