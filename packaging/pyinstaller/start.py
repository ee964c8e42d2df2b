"""Starts the frozen program, or one of its child processes."""

import os
import sys
from collections.abc import MutableMapping

CHILDREN = (
    "notesearch.index.note_reader",
    "notesearch.index.parallel_parser",
    "notesearch.markdown.render.mkdocs_process",
    "notesearch.gui.preview.svg",
    "notesearch.models",
)
"""Modules that the program runs as child processes.

It calls itself with ``-P -m MODULE``, as it would call an interpreter.
"""

_PATH = "LD_LIBRARY_PATH"


def give_back(environment: MutableMapping[str, str]) -> None:
    """Restore the library path, since editors and browsers need the system's libraries.

    This process read its path when it began, so that only its child processes are affected.
    """
    before = environment.pop(f"{_PATH}_ORIG", None)
    environment.pop(_PATH, None)
    if before is not None:
        environment[_PATH] = before


if __name__ == "__main__":
    if sys.platform == "linux":
        give_back(os.environ)
    if sys.argv[1:3] == ["-P", "-m"] and sys.argv[3:] in ([child] for child in CHILDREN):
        import runpy

        runpy.run_module(sys.argv[3], run_name="__main__")
    else:
        from notesearch.__main__ import main

        main()
