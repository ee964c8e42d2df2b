"""The frozen program's first lines."""

import sys

CHILD = ["-m", "notesearch.markdown.mkdocs_child"]
"""The words with which the program starts itself as it would start an interpreter."""

if __name__ == "__main__":
    if sys.argv[1:] == CHILD:
        import runpy

        runpy.run_module(CHILD[1], run_name="__main__")
    else:
        from notesearch.__main__ import main

        main()
