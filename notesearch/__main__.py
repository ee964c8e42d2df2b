"""``notesearch``: asks the program that runs already, opens the window, or goes to the commands."""

import gc
import os
import sys

_OBJECTS = 100_000
"""Made before garbage is looked for: a search that changes nothing leaves none, in fewer."""

_INTERRUPTED = 130


def main() -> None:
    """Run the command line.

    ``quick`` is bound to a key: it asks before anything is imported that takes time. The window
    is opened without what reads commands and options, which takes time as well.
    """
    _end_at_once_where_interrupted()
    words = sys.argv[1:]
    if words[:1] == ["quick"] and not any(word.startswith("-") for word in words):
        from notesearch.errors import NotesearchError
        from notesearch.gui.system.single_instance import ask_quick

        try:
            if ask_quick(words[1:]):
                return
        except NotesearchError as error:
            sys.exit(_failed(error))
    folders = words[words[:1] == ["open"] :]
    if _is_only_the_window(words, folders):
        _open_window(folders)
        return
    if words[:1] == ["search"]:
        gc.set_threshold(_OBJECTS)
    from notesearch.cli.main import main as commands
    from notesearch.cli.terminal import errors_as_sentences

    try:
        with errors_as_sentences():  # also for --help and the like
            commands(prog_name="notesearch")
    except SystemExit as ended:
        if words[:1] == ["search"] and isinstance(ended.code, int):
            _end(ended.code)
        raise


def _end_at_once_where_interrupted() -> None:
    """Have an interrupt end the process wherever it is, for commands that do not see to it.

    As an exception it would be a traceback while modules are imported, be taken for a broken module
    by some of them, and wait for ever for a thread that reads. The index is safe against it.
    """
    # Part of the interpreter, and so there at once: “signal” takes milliseconds to be imported.
    import _signal  # type: ignore[import-not-found]

    _signal.signal(_signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))


def _is_only_the_window(words: list[str], folders: list[str]) -> bool:
    """Return whether the window is wanted, on the last folder or on one that is there."""
    if "NOTESEARCH_VAULT" in os.environ or "_NOTESEARCH_COMPLETE" in os.environ:
        return False
    if len(folders) != 1:
        return not folders
    named = folders[0]
    is_path = os.sep in named or words != folders  # else it may be the name of a command
    return is_path and not named.startswith("-") and os.path.isdir(named)  # noqa: PTH112


def _open_window(folders: list[str]) -> None:
    from pathlib import Path

    from notesearch.cli.terminal import accept_any_text, errors_as_sentences
    from notesearch.cli.window_launch import open_window

    accept_any_text()
    with errors_as_sentences():
        open_window(Path(folders[0]) if folders else None)


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
