"""Shows the progress of indexing on standard error: a bar in a terminal, else lines."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator

from notesearch.cli.terminal import INTERRUPTED, is_terminal, print_error
from notesearch.status import Phase, Progress

_NAMES = {Phase.SCAN: "Comparing", Phase.WORDS: "Indexing notes", Phase.MEANING: "Embedding"}

_LINE_EVERY_S = 5.0

_RESTORE_CURSOR = b"\r\x1b[K\x1b[?25h"


class ProgressLines:
    """Prints the progress as a new line every few seconds; ``tell`` prints the line."""

    def __init__(
        self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tell = tell
        self._clock = clock
        self._printed_at = clock()

    def __call__(self, progress: Progress) -> None:
        """Print ``progress`` if the last line is at least ``_LINE_EVERY_S`` old."""
        if progress.total and self._clock() - self._printed_at >= _LINE_EVERY_S:
            self._printed_at = self._clock()
            name = _NAMES.get(progress.phase, "")
            self._tell(f"{name}: {progress.done:,} of {progress.total:,}.")


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress on standard error: a bar in a terminal, else lines."""
    if not is_terminal(sys.stderr):
        yield ProgressLines(print_error)
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
    """On an interrupt in this block, write ``restore`` to standard error and end the process.

    The library rich is not used for that: it may hold its lock at that moment.
    """

    def end(*_: object) -> None:
        os.write(2, restore)
        os._exit(INTERRUPTED)

    handler = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
