"""The entry point: sends a request to the running program, opens the window, or runs a command."""

import gc
import os
import sys

_GARBAGE_THRESHOLD = 100_000
"""New objects after which Python looks for garbage; a search makes little garbage."""

_INTERRUPTED = 130


def main() -> None:
    """Run the command line.

    The command ``quick``, which is bound to a key, asks the running program before any slow import.
    The window opens without the import of the commands.
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
    """Let an interrupt (Ctrl+C) end the process at once, unless a command handles it.

    A ``KeyboardInterrupt`` would cause a traceback during imports, make some modules report a
    broken import, and wait forever for a thread that reads. The index survives an end at any
    moment.
    """
    # ``_signal`` is built in; the import of ``signal`` takes milliseconds.
    import _signal  # type: ignore[import-not-found]

    _signal.signal(_signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))


def _is_only_the_window(words: list[str], folders: list[str]) -> bool:
    """Return whether the command line only opens the window, so that no command is needed."""
    if "NOTESEARCH_VAULT" in os.environ or "_NOTESEARCH_COMPLETE" in os.environ:
        return False
    if len(folders) != 1:
        return not folders
    folder = folders[0]
    is_path = os.sep in folder or words != folders  # otherwise it may be a command
    return is_path and not folder.startswith("-") and os.path.isdir(folder)  # noqa: PTH112


def _open_window(folders: list[str]) -> None:
    from pathlib import Path

    from notesearch.cli.opening import open_window
    from notesearch.cli.terminal import accept_any_text, errors_as_sentences

    accept_any_text()
    with errors_as_sentences():
        open_window(Path(folders[0]) if folders else None)


def _end(status: int) -> None:
    """End the process at once: Python would spend a tenth of a search's time on freeing memory."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        return  # a stream is closed or missing; let Python end as usual
    os._exit(status)


def _print_error(error: Exception) -> int:
    if sys.stderr:
        sys.stderr.write(f"notesearch: {error}\n")
    return 2


if __name__ == "__main__":
    main()
