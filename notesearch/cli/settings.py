"""The settings that a command starts with; what is wrong in their file is said."""

from notesearch.cli.ending import complain
from notesearch.config import Paths, Settings


def load_settings(paths: Paths) -> Settings:
    """Return the settings, or the defaults where the file is wrong, which is said."""
    found = Settings.read(paths)
    for name, problem in found.problems.items():
        complain(f"{problem} The {'default is' if name else 'defaults are'} used.")
    return found.settings
