"""Keeps standard output for a protocol alone: whatever else is written there goes to stderr."""

import os
import sys
from typing import BinaryIO

from notesearch.errors import ServingError


def output_alone() -> BinaryIO:
    """Return standard output, to which from then on nobody else can write.

    Whatever is imported or opened later, in whichever thread, may print, or write to the
    descriptor itself, until the process has ended.

    Raises:
        ServingError: Standard input or output is closed.
    """
    if not (sys.stdin and sys.stdout):
        raise ServingError("streams_closed")
    try:
        os.fstat(2)
    except OSError:  # standard error is closed: the lowest number that is free is its own
        os.open(os.devnull, os.O_WRONLY)
    ours = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(ours, "wb", closefd=False)  # a thread may write to it until the end
