"""Shows how far indexing is, and lets an interrupt end it."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NoReturn

from notesearch.status import Phase, Progress

_Progressed = Callable[[Progress], None]


@contextlib.contextmanager
def interruptible(progressed: _Progressed) -> Iterator[_Progressed]:
    """Have an interrupt arrive for certain.

    Python drops the exception where it comes inside what cannot raise, such as a finalizer; the
    next report of progress raises it again.
    """
    interrupted = threading.Event()

    def noted(*_: object) -> NoReturn:
        interrupted.set()
        raise KeyboardInterrupt

    def told(progress: Progress) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        progressed(progress)

    kept = signal.signal(signal.SIGINT, noted)
    try:
        yield told
    except Exception as error:
        if interrupted.is_set():  # some modules take it for one of their own that fails
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, kept)


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
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(_NAMES[Phase.SCAN], total=None)
        phase = Phase.SCAN

        def show(progress: Progress) -> None:
            nonlocal phase
            if progress.phase is not phase:
                phase = progress.phase
                bars.reset(bar, description=_NAMES.get(phase, ""))
            bars.update(bar, completed=progress.done, total=progress.total or None)

        yield show


_NAMES = {Phase.SCAN: "Comparing", Phase.WORDS: "Indexing notes", Phase.MEANING: "Embedding"}
