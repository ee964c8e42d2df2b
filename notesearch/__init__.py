"""notesearch: find sections in a folder of Markdown notes."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from notesearch.libraries import NoteLibraries
    from notesearch.library import NoteLibrary

__version__ = "0.1.0"
__all__ = ["NoteLibraries", "NoteLibrary", "__version__"]

_HOMES = {"NoteLibrary": "library", "NoteLibraries": "libraries"}
"""The public classes and their modules, which are imported when a class is first used."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'notesearch' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"notesearch.{_HOMES[name]}"), name)
