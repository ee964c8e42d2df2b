"""Keeps the settings file of this version for the tests of all later ones.

Run it once for each release: ``.venv/bin/python -m tests.keep_release``. Commit what it writes to
``tests/released`` with the release, and do not change it afterwards.
"""

import tempfile
from dataclasses import replace
from pathlib import Path

from notesearch import __version__
from notesearch.config import Paths, Settings


def main() -> None:
    """Save settings as a user would, and keep the file."""
    kept = Path(__file__).with_name("released") / __version__
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths.choose(Path(folder))
        chosen = replace(
            Settings().with_vault(Path("/home/somebody/notes")),
            theme="dark", editor="code", ignore=("drafts",), quick_keep_s=5,
        )  # fmt: skip
        chosen.save(paths)
        (kept / "settings.toml").write_bytes(paths.settings_file.read_bytes())


if __name__ == "__main__":
    main()
