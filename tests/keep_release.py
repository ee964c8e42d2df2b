"""Keeps an index and the settings of this version for the tests of all later ones.

Run once for each release, by ``.venv/bin/python -m tests.keep_release``; what it writes to
``tests/released`` is committed with the release and not changed afterwards.
"""

import gzip
import tempfile
from dataclasses import replace
from pathlib import Path

from notesearch import __version__
from notesearch.config import Paths, Settings
from notesearch.library import NoteLibrary
from tests.commands import NOTES
from tests.folders import write


def main() -> None:
    """Index the notes as a user would, and keep what that left behind."""
    kept = Path(__file__).with_name("released") / __version__
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home, vault = Path(folder) / "home", Path(folder) / "vault"
        write(vault, NOTES)
        with NoteLibrary.open(vault, home=home) as library:
            library.refresh()
        paths = Paths.choose(home)
        index = paths.index_file(vault.resolve()).read_bytes()
        (kept / "index.sqlite.gz").write_bytes(gzip.compress(index, mtime=0))
        chosen = replace(
            Settings().with_vault(Path("/home/somebody/notes")),
            theme="dark", editor="code", ignore=("drafts",), quick_keep_s=5,
        )  # fmt: skip
        chosen.save(paths)
        (kept / "settings.toml").write_bytes(paths.settings_file.read_bytes())


if __name__ == "__main__":
    main()
