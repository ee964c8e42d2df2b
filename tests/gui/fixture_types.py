"""Types of the fixtures that start the program; ``conftest.py`` has the fixtures."""

from collections.abc import Callable

from notesearch.gui.app import App
from notesearch.gui.quick.quick_search import QuickSearch

StartApp = Callable[..., App]
"""The fixture ``start``: starts the program on a folder, or on none."""

StartQuick = Callable[..., QuickSearch]
"""The fixture ``start_quick``: starts the program with quick search, which is hidden."""
