"""A child process that answers questions line by line, and is killed if an answer takes too long.

It does work on notes that cannot be interrupted and may take forever, such as reading Markdown by
regular expressions. ``Child`` runs in the parent process, ``serve`` in the child process.
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
"""Time after which ``close`` tries again to kill a process that another thread is asking."""


class Child:
    """Runs ``python -m module`` in a process, which ``ready`` or ``ask`` starts; thread-safe.

    Args:
        module: The name of the module; it ends in a call of ``serve``.
        seconds: How long an answer may take. The start of the process does not count.
        environment: Environment variables for the process, besides those of this process.
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
        """Start the process if necessary; return whether it is ready within ``seconds``.

        Also returns True if the process cannot be started or was closed, so that no caller waits
        for nothing.
        """
        with self._lock:
            self._start()
            ready = self._ready
            if self._broken:
                return True
        return ready.wait(seconds)

    def ask(self, question: Mapping[str, object]) -> Answer | None:
        """Return the answer; None if the process is not ready yet, crashed or took too long."""
        with self._lock:
            self._start()
            if self._process is None or not self._ready.is_set():
                return None
            line = _exchange(self._process, json.dumps(question), self._seconds)
            if not line.endswith("\n"):  # the process ended, perhaps in the middle of its answer
                self._end()
                self._start()
                return None
        answer: Answer = json.loads(line)
        return answer

    def close(self) -> None:
        """Kill the process, which is not started again; a thread that waits for it gets None."""
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
        """Wait for the first line of ``process``; without it, no process is started again."""
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
    """Send ``question`` as a line and return the next line of the process.

    If the process does not answer within ``seconds``, it is killed, and the result lacks its line
    end or is empty.
    """
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

    A line that is not a question gets the answer ``{}``, so that each line has an answer.

    Args:
        answer: Returns the answer to a question.
        memory: The bytes of memory that the process may use, if the system can limit that.
        seconds: Time after which the process ends itself while it answers, in case the parent has
            died; longer than the parent waits.
        questions: The stream of questions.
        answers: The stream for answers.
    """
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would hold the notes that crashed it
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
