"""``notesearch``: asks the program that runs already where that is enough, else the commands."""

import gc
import os
import sys

_OBJECTS = 100_000
"""Made before garbage is looked for: a search that changes nothing leaves none, in fewer."""


def main() -> None:
    """Run the command line.

    ``quick`` is bound to a key: it asks before anything is imported that takes time.
    """
    words = sys.argv[1:]
    if words[:1] == ["quick"] and not any(word.startswith("-") for word in words):
        from notesearch.errors import NotesearchError
        from notesearch.gui.single_instance import ask_quick

        try:
            if ask_quick(words[1:]):
                return
        except NotesearchError as error:
            sys.exit(_failed(error))
    if words[:1] == ["search"]:
        gc.set_threshold(_OBJECTS)
    from notesearch.cli.main import main as commands

    try:
        commands(prog_name="notesearch")
    except SystemExit as ended:
        if words[:1] == ["search"] and isinstance(ended.code, int):
            _end(ended.code)
        raise


def _end(status: int) -> None:
    """End now, where all is printed: the library is closed, and nothing else is worth tidying.

    To take apart what a search loaded takes Python a tenth of its time.
    """
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        return  # a stream is closed, or never was there: Python ends as it does
    os._exit(status)


def _failed(error: Exception) -> int:
    sys.stderr.write(f"notesearch: {error}\n")
    return 2


if __name__ == "__main__":
    main()
