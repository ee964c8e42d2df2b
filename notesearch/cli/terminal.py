"""The terminal: exit statuses, errors as one sentence, and text that cannot steer it.

Imports ``click`` only to print an error, because opening the window must not wait for it.
"""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator

from notesearch.config import Paths, Settings
from notesearch.errors import NoteMissingError, NotesearchError, SectionMissingError

FOUND, NOTHING_FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""

_LITTLE_MEMORY = 1 << 30
_LEAST_FOR_VECTORS = 128 << 20
"""Bytes of address space. With less, NumPy and other libraries end the process."""

CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except line end and tab, and marks that change the direction of writing."""


_THERE_BUT_UNREAD = ("note_unreadable", "note_unusable")
"""Codes of errors about notes that are there: nothing is missing."""


@contextlib.contextmanager
def errors_as_sentences(leave: Callable[[int], object] = sys.exit) -> Iterator[None]:
    """Print a known error of the block as one sentence, without a traceback, and leave.

    Args:
        leave: Ends the program with a status.
    """
    try:
        yield
    except (NoteMissingError, SectionMissingError) as error:
        print_error(str(error))
        leave(FAILED if error.code in _THERE_BUT_UNREAD else NOTHING_FOUND)
    except NotesearchError as error:
        print_error(str(error))
        leave(FAILED)
    except KeyboardInterrupt:
        leave(INTERRUPTED)
    except MemoryError:
        _print_memory_full()
        leave(FAILED)
    except OSError as error:
        # Python flushes standard output at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader (head, less) wants no more
            leave(FOUND)
        print_error(f"{error.strerror or error}.")
        leave(FAILED)
    except Exception:
        # Without memory, errors are of any kind: ImportError, RuntimeError of a thread that does
        # not start, groups of these, SystemError of Python itself.
        if not _has_little_memory():
            raise
        _print_memory_full()
        leave(FAILED)


def _print_memory_full() -> None:
    print_error("There is not enough memory for this.")


def require_memory_for_vectors() -> None:
    """Make sure that vectors can be read where the process may use little memory.

    Raises:
        MemoryError: They cannot.
    """
    if _has_little_memory():
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes 32 MB
        if _has_little_memory(_LEAST_FOR_VECTORS):
            raise MemoryError


def _has_little_memory(least: int = _LITTLE_MEMORY) -> bool:
    """Return whether the process may use so little memory that some libraries do not load."""
    if sys.platform == "win32":
        return False
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 0 <= most < least  # negative: no limit


def accept_any_text() -> None:
    """Let the standard streams escape or replace characters that their encoding lacks."""
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]


def load_settings(paths: Paths) -> Settings:
    """Return the settings. Print each problem in their file; the default replaces a bad value."""
    found = Settings.read(paths)
    for name, problem in found.problems.items():
        print_error(f"{problem} The {'default is' if name else 'defaults are'} used.")
    return found.settings


def print_error(sentence: str) -> None:
    """Print an error or a remark on standard error."""
    import click

    click.echo(f"notesearch: {on_one_line(sentence)}", err=True)


def visible(text: str) -> str:
    """Return ``text`` with control characters escaped, so that a note cannot steer the terminal."""
    return CONTROL_CHARACTERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def on_one_line(text: str) -> str:
    """Return ``text`` as ``visible`` does, with the line ends and tabs of odd names escaped too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
