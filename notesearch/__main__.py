"""``notesearch``: asks the program that runs already where that is enough, else the commands."""

import sys


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
    from notesearch.cli.main import main as commands

    commands(prog_name="notesearch")


def _failed(error: Exception) -> int:
    sys.stderr.write(f"notesearch: {error}\n")
    return 2


if __name__ == "__main__":
    main()
