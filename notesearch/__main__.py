"""The entry point: asks the running program, opens the window, or runs a command."""

import gc
import os
import sys

_GARBAGE_THRESHOLD = 100_000
"""Objects created before Python looks for garbage, which a short search hardly makes."""

_INTERRUPTED = 130


def main() -> None:
    """Run the command line.

    ``quick`` is bound to a key, so it asks the running program before slow imports. The window
    opens without importing the commands.
    """
    _end_on_interrupt()
    words = sys.argv[1:]
    if words[:1] == ["quick"] and not any(word.startswith("-") for word in words):
        from notesearch.errors import NotesearchError
        from notesearch.gui.system.single_instance import ask_quick

        try:
            if ask_quick(words[1:]):
                return
        except NotesearchError as error:
            sys.exit(_print_error(error))
    folders = words[words[:1] == ["open"] :]
    if _is_only_the_window(words, folders):
        _open_window(folders)
        return
    if words[:1] == ["search"]:
        gc.set_threshold(_GARBAGE_THRESHOLD)
    from notesearch.cli.main import main as commands
    from notesearch.cli.terminal import errors_as_sentences

    try:
        with errors_as_sentences():  # also for --help and the like
            commands(prog_name="notesearch")
    except SystemExit as ended:
        if words[:1] == ["search"] and isinstance(ended.code, int):
            _end(ended.code)
        raise


def _end_on_interrupt() -> None:
    """Let an interrupt end the process at once, for commands that do not handle it.

    As an exception it would cause a traceback during imports, look like a broken module to some of
    them, and wait forever for a thread that reads. The index survives it.
    """
    # Built in, while importing “signal” takes milliseconds.
    import _signal  # type: ignore[import-not-found]

    _signal.signal(_signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))


def _is_only_the_window(words: list[str], folders: list[str]) -> bool:
    """Return whether the command line is no command: nothing at all, or an existing folder."""
    if "NOTESEARCH_VAULT" in os.environ or "_NOTESEARCH_COMPLETE" in os.environ:
        return False
    if len(folders) != 1:
        return not folders
    named = folders[0]
    is_path = os.sep in named or words != folders  # otherwise it may be a command
    return is_path and not named.startswith("-") and os.path.isdir(named)  # noqa: PTH112


def _open_window(folders: list[str]) -> None:
    from pathlib import Path

    from notesearch.cli.terminal import accept_any_text, errors_as_sentences
    from notesearch.cli.window_launch import open_window

    accept_any_text()
    with errors_as_sentences():
        open_window(Path(folders[0]) if folders else None)


def _end(status: int) -> None:
    """End at once: the output is flushed, the library is closed, and nothing else matters.

    Python would spend a tenth of a search's time on clearing memory.
    """
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        return  # a stream is closed or missing; let Python end as usual
    os._exit(status)


def _print_error(error: Exception) -> int:
    sys.stderr.write(f"notesearch: {error}\n")
    return 2


if __name__ == "__main__":
    main()
