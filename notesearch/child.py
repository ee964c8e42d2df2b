"""A process of our own that answers line by line, and is ended when it takes too long.

For work on what a note holds that cannot be interrupted and may take for ever: Markdown by
regular expressions, drawings. ``serve`` is the other end.
"""

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import subprocess

Answer = dict[str, object]

_READY = "ready\n"


class Child:
    """Starts ``python -m module`` when it is first needed, or ahead. Safe from several threads.

    Args:
        module: What it runs; ends in a call of ``serve``.
        seconds: How long one answer may take. Starting does not count.
        environment: Variables it is started with, beside those of this process.
    """

    def __init__(self, module: str, seconds: float, **environment: str) -> None:
        self._module = module
        self._seconds = seconds
        self._environment = environment
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._greeted: threading.Thread | None = None
        self._ready = threading.Event()
        self._broken = False

    def ready(self, seconds: float = 0.0) -> bool:
        """Start it where it does not run, and wait some ``seconds`` until it answers.

        Also True where there is nothing to wait for: it cannot be started.
        """
        with self._lock:
            self._start()
            ready = self._ready
        return ready.wait(seconds) or self._broken

    def ask(self, question: Mapping[str, object]) -> Answer | None:
        """Return the answer; None where it does not run yet, or took too long and was ended."""
        with self._lock:
            self._start()
            if self._process is None or not self._ready.is_set():
                return None
            line = _exchanged(self._process, json.dumps(question), self._seconds)
            if not line.endswith("\n"):  # it was ended, in the midst of its answer perhaps
                self._end()
                self._start()
                return None
        answer: Answer = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _start(self) -> None:
        if self._broken or (self._process is not None and self._process.poll() is None):
            return
        self._end()
        import subprocess

        try:
            self._process = subprocess.Popen(  # noqa: S603 - a module of ours
                [sys.executable, "-P", "-m", self._module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                env={**os.environ, **self._environment},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError:
            self._broken = True
            return
        self._ready = threading.Event()
        self._greeted = threading.Thread(target=self._greet, args=(self._process, self._ready))
        self._greeted.start()

    def _greet(self, process: "subprocess.Popen[str]", ready: threading.Event) -> None:
        """Wait for the first line; a process that ends before it will not do better next time."""
        with contextlib.suppress(OSError, ValueError):
            if process.stdout is not None and process.stdout.readline() == _READY:
                ready.set()
                return
        self._broken = self._process is process
        ready.set()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        if self._greeted is not None:
            self._greeted.join()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()


def _exchanged(process: "subprocess.Popen[str]", question: str, seconds: float) -> str:
    """Send a line and return the one that comes back; empty where none comes in time."""
    if process.stdin is None or process.stdout is None:
        return ""
    late = threading.Timer(seconds, process.kill)
    late.start()
    try:
        process.stdin.write(f"{question}\n")
        process.stdin.flush()
        return process.stdout.readline()
    except (OSError, ValueError):
        return ""
    finally:
        late.cancel()
        late.join()


def serve(
    answer: Callable[[Answer], object], *, memory: int, seconds: int, asked: TextIO, answers: TextIO
) -> None:
    """Answer line by line until nobody asks any more.

    Whoever asks ends the process when an answer takes too long; where that one is gone, it ends
    itself after ``seconds``. It may take ``memory`` bytes, where the system bounds that. A line
    that is no question gets an empty answer, so that questions and answers stay in step.
    """
    with contextlib.suppress(ImportError):  # on Windows there is no such bound
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    alarm = getattr(signal, "alarm", lambda _: None)
    answers.write(_READY)
    answers.flush()
    for line in asked:
        alarm(seconds)
        answers.write(f"{json.dumps(_answered(answer, line))}\n")
        answers.flush()
        alarm(0)


def _answered(answer: Callable[[Answer], object], line: str) -> object:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return answer(question) if isinstance(question, dict) else {}
