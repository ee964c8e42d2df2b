"""Shows how far indexing is, in a terminal."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator

from notesearch.cli.ending import INTERRUPTED
from notesearch.status import Phase, Progress

_Progressed = Callable[[Progress], None]


@contextlib.contextmanager
def shown_progress() -> Iterator[_Progressed]:
    """Show a bar and the time that is left on standard error, where that is a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    console = Console(stderr=True)
    showing = b"" if console.is_dumb_terminal else _SHOWS_CURSOR
    with _ending_with(showing), Bars(*columns, console=console, transient=True) as bars:
        bar = bars.add_task(_NAMES[Phase.SCAN], total=None)
        phase = Phase.SCAN

        def show(progress: Progress) -> None:
            nonlocal phase
            if progress.phase is not phase:
                phase = progress.phase
                bars.reset(bar, description=_NAMES.get(phase, ""))
            bars.update(bar, completed=progress.done, total=progress.total or None)

        yield show


_SHOWS_CURSOR = b"\r\x1b[K\x1b[?25h"
"""Also takes the line with the bar away."""


@contextlib.contextmanager
def _ending_with(last: bytes) -> Iterator[None]:
    """Have an interrupt end the process as elsewhere, ``last`` being written before.

    It may come while the bar is drawn, when all that is written in order waits for that.
    """

    def end(*_: object) -> None:
        os.write(2, last)
        os._exit(INTERRUPTED)

    kept = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, kept)


_NAMES = {Phase.SCAN: "Comparing", Phase.WORDS: "Indexing notes", Phase.MEANING: "Embedding"}
