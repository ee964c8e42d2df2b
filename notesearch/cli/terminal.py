"""The terminal: exit statuses, errors as one sentence, and text without control characters.

``click`` is imported only when something is printed, so that the window opens without that delay.
"""

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from notesearch.config import Paths, Settings
from notesearch.errors import UNREADABLE, NoteMissingError, NotesearchError, SectionMissingError
from notesearch.messages import Sentence
from notesearch.note_addresses import with_backslashes_escaped
from notesearch.processes import has_little_memory

FOUND, NOTHING_FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""

_LEAST_FOR_VECTORS = 128 << 20
"""Bytes of address space. With less, NumPy and other libraries abort the process."""

CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except line end and tab, and marks that change the direction of writing."""


@contextlib.contextmanager
def errors_as_sentences(leave: Callable[[int], object] = sys.exit) -> Iterator[None]:
    """If an expected error ends the block, print it as one sentence; ``leave`` with a status."""
    try:
        yield
    except (NoteMissingError, SectionMissingError) as error:
        print_error(str(error))
        leave(FAILED if error.code in UNREADABLE else NOTHING_FOUND)
    except NotesearchError as error:
        print_error(str(error))
        leave(FAILED)
    except KeyboardInterrupt:
        leave(INTERRUPTED)
    except MemoryError:
        _print_memory_full()
        leave(FAILED)
    except OSError as error:
        # Python flushes standard output at exit; that would fail again, so it goes to nowhere.
        if not isinstance(sys.stdout, ClosedOutput):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader (head, less) has closed the pipe
            leave(FOUND)
        reason = error.strerror or str(error)
        if error.filename is not None:
            print_error(Sentence("path_unusable", path=str(error.filename), reason=reason))
        elif not _has_current_folder():
            print_error(Sentence("current_folder_missing"))
        else:
            print_error(Sentence("output_unwritable", reason=reason))
        leave(FAILED)
    except Exception:
        # Too little memory causes errors of any kind: ImportError, RuntimeError of a thread that
        # does not start, groups of these, SystemError of Python itself.
        if not has_little_memory():
            raise
        _print_memory_full()
        leave(FAILED)


def _has_current_folder() -> bool:
    try:
        return bool(Path.cwd())
    except FileNotFoundError:
        return False


def _print_memory_full() -> None:
    print_error("There is not enough memory for this.")


def require_memory_for_vectors() -> None:
    """Raise MemoryError if there is too little to read vectors; make NumPy use less."""
    if has_little_memory():
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes 32 MB
        if has_little_memory(_LEAST_FOR_VECTORS):
            raise MemoryError


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a terminal shows the output of ``stream``; a closed stream is None."""
    return stream is not None and stream.isatty()


class ClosedOutput(io.TextIOBase):
    """Stands for a closed standard output: to print there is an error."""

    def write(self, text: str) -> int:
        """Raise NotesearchError, because ``text`` would be lost."""
        raise NotesearchError("output_closed")


def accept_any_text() -> None:
    """Make the standard streams replace or escape characters that their encoding lacks."""
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]


def load_settings(paths: Paths) -> Settings:
    """Return the settings; print which lines of the file have no effect, and which are invalid."""
    file = Settings.read(paths)
    for remark in file.remarks:
        print_error(remark)
    for name, problem in file.problems.items():
        print_error(f"{problem} The {'default is' if name else 'defaults are'} used.")
    return file.settings


def print_error(sentence: str) -> None:
    """Print an error or a remark on standard error."""
    import click

    click.echo(f"notesearch: {on_one_line(sentence)}", err=True)


def visible(text: str) -> str:
    """Return ``text`` with its control characters, which could steer the terminal, escaped."""
    return CONTROL_CHARACTERS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def on_one_line(text: str) -> str:
    """Return ``text`` with control characters, line ends and tabs escaped.

    If ``text`` is an address, the result is one, too.
    """

    def escaped(text: str) -> str:
        return visible(text).replace("\n", "\\n").replace("\t", "\\t")

    return text if escaped(text) == text else escaped(with_backslashes_escaped(text))
