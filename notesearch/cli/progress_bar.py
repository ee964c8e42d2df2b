"""A progress bar of indexing, in a terminal."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator

from notesearch.cli.terminal import INTERRUPTED
from notesearch.status import Phase, Progress

_NAMES = {Phase.SCAN: "Comparing", Phase.WORDS: "Indexing notes", Phase.MEANING: "Embedding"}

_RESTORE_CURSOR = b"\r\x1b[K\x1b[?25h"
"""Clears the line with the bar and shows the cursor."""


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Yield a function that updates a bar on standard error, if that is a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    restore = b"" if console.is_dumb_terminal else _RESTORE_CURSOR
    with _restored_on_interrupt(restore), Bars(*columns, console=console, transient=True) as bars:
        bar = bars.add_task(_NAMES[Phase.SCAN], total=None)
        phase = Phase.SCAN

        def show(progress: Progress) -> None:
            nonlocal phase
            if progress.phase is not phase:
                phase = progress.phase
                bars.reset(bar, description=_NAMES.get(phase, ""))
            bars.update(bar, completed=progress.done, total=progress.total or None)

        yield show


@contextlib.contextmanager
def _restored_on_interrupt(restore: bytes) -> Iterator[None]:
    """Write ``restore`` before an interrupt ends the process.

    Writes to the descriptor itself, because the interrupt may come while rich holds its lock.
    """

    def end(*_: object) -> None:
        os.write(2, restore)
        os._exit(INTERRUPTED)

    handler = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
