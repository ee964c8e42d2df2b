"""The frozen program's first lines."""

import os
import sys
from collections.abc import MutableMapping

CHILDREN = (
    "notesearch.index.convert_process",
    "notesearch.index.parse_process",
    "notesearch.markdown.render.mkdocs_process",
    "notesearch.gui.preview.svg",
    "notesearch.embedding.measurement",
)
"""What the program starts itself for, with the words it would start an interpreter with."""

_PATH = "LD_LIBRARY_PATH"


def give_back(environment: MutableMapping[str, str]) -> None:
    """Restore where libraries are looked for: editors and browsers need those of the system.

    This process has read it when it began; only what it starts is concerned.
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
