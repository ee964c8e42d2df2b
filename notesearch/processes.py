"""Processes: children that are killed if they hang; how a process limits its memory and ends.

A child process does work on notes that cannot be interrupted and may take forever, such as reading
Markdown by regular expressions. It answers questions line by line. ``Child`` runs in the parent
process, ``serve`` in the child process.
"""

import contextlib
import gc
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import subprocess

Answer = dict[str, object]

_READY = "ready\n"
_TURN_S = 0.05
"""Time after which ``close`` tries again to kill a process that another thread is asking."""


class Child:
    """Runs ``python -m module`` in a process, which ``ready`` or ``ask`` starts; thread-safe.

    An answer may take ``seconds``; the start of the process does not count.
    """

    def __init__(self, module: str, seconds: float) -> None:
        self._module = module
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._greeting: threading.Thread | None = None
        self._ready = threading.Event()
        self._broken = False

    def ready(self, seconds: float = 0.0) -> bool:
        """Start the process if necessary; return whether it is ready within ``seconds``.

        Also returns True if it can never be ready, so that no caller waits in vain.
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
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError:
            self._broken = True
            return
        self._ready = threading.Event()
        self._greeting = threading.Thread(target=self._greet, args=(self._process, self._ready))
        self._greeting.start()

    def _greet(self, process: "subprocess.Popen[str]", ready: threading.Event) -> None:
        """Wait for the first line of ``process``; if none comes, never start a process again."""
        with contextlib.suppress(OSError, ValueError):
            if process.stdout is not None and process.stdout.readline() == _READY:
                ready.set()
                return
        if self._process is process:
            self._broken = True
        ready.set()

    def _end(self) -> None:
        process = self._process
        self._process = None
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
    """Send ``question`` as a line and return the next line; after ``seconds``, kill the process."""
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
    """Answer questions line by line; anything else gets the answer ``{}``.

    The process may use ``memory`` bytes if the system can limit that. It ends itself after
    ``seconds`` for one answer, in case the parent has died; the parent waits less.
    """
    _limit("RLIMIT_AS", memory)
    _limit("RLIMIT_CORE", 0)  # the core would hold the notes that crashed the process
    alarm = getattr(signal, "alarm", lambda _: None)
    answers.write(_READY)
    answers.flush()
    for line in questions:
        alarm(seconds)
        answers.write(f"{json.dumps(_answer_line(answer, line))}\n")
        answers.flush()
        alarm(0)


def _limit(name: str, most: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows; macOS refuses to limit the memory

        resource.setrlimit(getattr(resource, name), (most, most))


def has_little_memory(least: int = 1 << 30) -> bool:
    """Return whether the process may use less than ``least`` bytes of address space."""
    if sys.platform == "win32":
        return False
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return 0 <= most < least  # negative: no limit


def _answer_line(answer: Callable[[Answer], object], line: str) -> object:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return answer(question) if isinstance(question, dict) else {}


END_S = 5.0
"""Seconds after which a process ends, even if one of its threads waits for a dead disk."""

_SWITCH_S = 0.0005
"""Seconds that a thread may keep Python's lock; a search waits for it after each SQL statement."""

_GARBAGE_THRESHOLD = 50_000
"""New objects after which Python looks for garbage; that stops all threads and finds little."""

_M_ARENA_MAX = -8
_M_MMAP_THRESHOLD = -3
_M_TRIM_THRESHOLD = -1
"""Options of glibc's ``mallopt``, from malloc.h."""

_MMAP_BYTES = 128 * 1024
_TRIM_BYTES = 64 * 1024
"""glibc returns freed memory to the system if its block was larger than the first number of bytes,
or if more than the second number is free at the end of the heap. Without these options, it raises
both numbers when large blocks are freed, such as those of the model."""


def keep_little_memory() -> None:
    """Make glibc return freed memory to the system soon; call this before threads start."""
    for option, value in (
        (_M_ARENA_MAX, 1),
        (_M_MMAP_THRESHOLD, _MMAP_BYTES),
        (_M_TRIM_THRESHOLD, _TRIM_BYTES),
    ):
        _call_allocator("mallopt", option, value)


def return_free_memory() -> None:
    """Return all free memory to the system, even between used blocks; useful after a huge note."""
    _call_allocator("malloc_trim", 0)


def _call_allocator(function: str, *values: int) -> None:
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(AttributeError, OSError):
            getattr(ctypes.CDLL(None), function)(*values)


def tune_server_process() -> None:
    """Let answers interrupt indexing, and keep little memory; call this before threads start."""
    sys.setswitchinterval(_SWITCH_S)
    gc.set_threshold(_GARBAGE_THRESHOLD)
    keep_little_memory()


@contextlib.contextmanager
def ended_after(seconds: float, release: Callable[[], None] = lambda: None) -> Iterator[None]:
    """End the process if the block takes too long, because a disk does not answer.

    ``release`` gives up the locks that keep the program from starting again. It is called first,
    because the system may keep a process that waits for a disk.
    """

    def end() -> None:
        release()
        os._exit(0)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
