"""Keeps standard output free for the protocol while a server starts: the rest goes to stderr."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator

from notesearch.errors import ServingError


@contextlib.contextmanager
def diverted() -> Iterator[Callable[[], None]]:
    """Send what is written to standard output to standard error, until what is given is called.

    Whatever is imported or opened meanwhile may print, or write to the descriptor itself.

    Raises:
        ServingError: Standard input or output is closed.
    """
    if not (sys.stdin and sys.stdout):
        raise ServingError("Standard input or output is closed: there is no client to serve.")
    ours = os.dup(1)

    def restore() -> None:
        sys.stdout.flush()  # what was printed is none of the protocol
        os.dup2(ours, 1)

    try:
        _to_standard_error(1)
        yield restore
    finally:
        restore()
        os.close(ours)


def _to_standard_error(descriptor: int) -> None:
    try:
        os.dup2(2, descriptor)
    except OSError:  # that one is closed
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
