"""How a command ends: its status, and one sentence where it failed; loads ``click`` only then."""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator

from notesearch.errors import NotesearchError

FOUND, NOTHING_FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for line end and tab, and those that turn the direction of writing."""


@contextlib.contextmanager
def failures_told(leave: Callable[[int], object] = sys.exit) -> Iterator[None]:
    """End what fails in the block with a sentence and a status instead of a traceback.

    Args:
        leave: Ends the program with a status.
    """
    try:
        yield
    except NotesearchError as error:
        complain(str(error))
        leave(FAILED)
    except KeyboardInterrupt:
        leave(INTERRUPTED)
    except MemoryError:
        complain("There is not enough memory for this.")
        leave(FAILED)
    except OSError as error:
        # Nothing may be written at exit any more, where it would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader (head, less) has seen enough
            leave(FOUND)
        complain(f"{error.strerror or error}.")
        leave(FAILED)


def take_any_text() -> None:
    """Have the standard streams spell out or replace what their encoding has not."""
    for stream, errors in (
        (sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"),
    ):  # fmt: skip
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]


def complain(sentence: str) -> None:
    """Say what went wrong, on standard error."""
    import click

    click.echo(f"notesearch: {on_one_line(sentence)}", err=True)


def visible(text: str) -> str:
    """Spell out control characters: a note must not be able to steer the terminal."""
    return STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def on_one_line(text: str) -> str:
    """Spell out line ends and tabs, too: a file may be called so, and a line be read as two."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
