"""A child process that answers questions line by line, and is killed if it takes too long.

It does work on notes that cannot be interrupted and may take forever, such as Markdown by regular
expressions, or drawings. ``serve`` is its end of the line.
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
_TURN_S = 0.05
"""``close`` tries this often to kill a process that another thread is asking."""


class Child:
    """Runs ``python -m module`` from the first question or ``ready`` on; thread-safe.

    Args:
        module: The module to run; it ends in a call of ``serve``.
        seconds: How long an answer may take. Starting does not count.
        environment: Environment variables to add to those of this process.
    """

    def __init__(self, module: str, seconds: float, **environment: str) -> None:
        self._module = module
        self._seconds = seconds
        self._environment = environment
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._greeting: threading.Thread | None = None
        self._ready = threading.Event()
        self._broken = False

    def ready(self, seconds: float = 0.0) -> bool:
        """Start the process if necessary; return whether it can answer within ``seconds``.

        Also returns True if it cannot be started or was closed, so that nobody waits in vain.
        """
        with self._lock:
            self._start()
            ready = self._ready
            if self._broken:
                return True
        return ready.wait(seconds)

    def ask(self, question: Mapping[str, object]) -> Answer | None:
        """Return the answer; None if the process has not started, crashed or took too long."""
        with self._lock:
            self._start()
            if self._process is None or not self._ready.is_set():
                return None
            line = _exchange(self._process, json.dumps(question), self._seconds)
            if not line.endswith("\n"):  # it ended, perhaps in the middle of its answer
                self._end()
                self._start()
                return None
        answer: Answer = json.loads(line)
        return answer

    def close(self) -> None:
        """Kill the process for good; a thread that waits for an answer gets none."""
        self._broken = True
        while not self._lock.acquire(timeout=_TURN_S):
            if (process := self._process) is not None:
                process.kill()
        try:
            self._end()
        finally:
            self._lock.release()

    def _start(self) -> None:
        if self._broken or (self._process is not None and self._process.poll() is None):
            return
        self._end()
        import subprocess

        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
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
        self._greeting = threading.Thread(target=self._greet, args=(self._process, self._ready))
        self._greeting.start()

    def _greet(self, process: "subprocess.Popen[str]", ready: threading.Event) -> None:
        """Wait for the first line; without it, the process is broken and not started again."""
        with contextlib.suppress(OSError, ValueError):
            if process.stdout is not None and process.stdout.readline() == _READY:
                ready.set()
                return
        if self._process is process:
            self._broken = True
        ready.set()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        if self._greeting is not None:
            self._greeting.join()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()


def _exchange(process: "subprocess.Popen[str]", question: str, seconds: float) -> str:
    """Send a line and return the line that comes back; empty if none comes in time."""
    if process.stdin is None or process.stdout is None:
        return ""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        process.stdin.write(f"{question}\n")
        process.stdin.flush()
        return process.stdout.readline()
    except (OSError, ValueError):
        return ""
    finally:
        timer.cancel()
        timer.join()


def serve(
    answer: Callable[[Answer], object],
    *,
    memory: int,
    seconds: int,
    questions: TextIO,
    answers: TextIO,
) -> None:
    """Answer questions line by line until there are no more.

    A line that is not a question gets an empty answer, so that questions and answers stay in step.

    Args:
        answer: Returns the answer to a question.
        memory: The bytes that the process may use, if the system can limit that.
        seconds: The process ends itself if an answer takes longer, because its parent, which
            should have killed it, is gone.
        questions: Where questions come from.
        answers: Where answers go.
    """
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    alarm = getattr(signal, "alarm", lambda _: None)
    answers.write(_READY)
    answers.flush()
    for line in questions:
        alarm(seconds)
        answers.write(f"{json.dumps(_answer_line(answer, line))}\n")
        answers.flush()
        alarm(0)


def _answer_line(answer: Callable[[Answer], object], line: str) -> object:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return answer(question) if isinstance(question, dict) else {}
