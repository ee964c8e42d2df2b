"""Many changed notes are read and cut by a second process while this one writes them.

Writing a note and cutting the next one take about as long, and one interpreter does one at a time.
The process is a convenience: without it, or where it saw another text, a note is cut here.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

from notesearch.config import Settings
from notesearch.index.unchanged import read_as
from notesearch.markdown.cancellation import Check, never_cancel
from notesearch.markdown.sections.chunking import chunk, heading_paths
from notesearch.markdown.sections.measured_text import TokenCounts
from notesearch.notes import HeadingPath, Note, Passage, ReadAs
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.store.note_states import FileState

CHILD = "notesearch.index.ahead_child"

_MANY = 400
"""Notes from which on it is worth to start a process, which takes half a second."""

_AHEAD = 16
"""Notes it may be ahead."""

_SETTLED_S = 2.0
"""A file that was written since may be written again without a difference in its state."""

_LONGEST_S = 10.0
"""It does not answer: the rest is cut here."""


@dataclass(frozen=True, slots=True)
class Job:
    """What the process is told first.

    Attributes:
        vault: The folder.
        limit: Bytes a note may have.
        follow: Links are followed.
        window: Word pieces that the model reads; 0: there is none, and no passages.
        settled_s: A file that is older is known by its state; so long its clock may stand still.
        read_as: How notes are read.
    """

    vault: Path
    limit: int
    follow: bool
    window: int
    settled_s: float = 0.0
    read_as: ReadAs = field(default_factory=ReadAs)


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has started."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The process has to know of how many pieces these words are; a mapping is the answer."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """The note at a path could not be read, or cut."""

    path: str


@dataclass(frozen=True, slots=True)
class Cut:
    """A note as it was read, with its passages and heading paths.

    Attributes:
        path: Its path.
        digest: Of the bytes it was made of.
        bodies: The text of each section as the index keeps it, where that was made ahead.
        state: Of its file, where it was read ahead and tells the file from a later one.
        problem: What is wrong with its encoding, where it was read ahead.
    """

    path: str
    digest: bytes
    note: Note
    passages: tuple[Passage, ...] = ()
    paths: tuple[HeadingPath, ...] = ()
    bodies: tuple[str | bytes, ...] = ()
    state: FileState | None = None
    problem: Sentence = NO_SENTENCE


class Ahead:
    """Gives the notes of one comparison in the order in which they are best written."""

    def __init__(
        self, vault: Path, settings: Settings, counts: TokenCounts | None, window: int
    ) -> None:
        """Have notes of ``vault`` cut for a model that counts like ``counts``; None: no model."""
        self._vault = vault
        self._settings = settings
        self._counts = counts
        self._window = window
        self._process: subprocess.Popen[bytes] | None = None
        self._told: SimpleQueue[object] = SimpleQueue()
        self._is_ready = False
        self._sent: deque[str] = deque()
        self._cuts: deque[Cut | Left] = deque()
        self._ready: Cut | Left | None = None

    def ordered(self, paths: Collection[str]) -> Generator[str, None, None]:
        """Yield each of ``paths`` once: what was cut ahead first, else the next that was not sent.

        Where they are few they come as they are.
        """
        if len(paths) < _MANY or (os.cpu_count() or 1) < 2 or not self._adds_up():
            yield from paths
            return
        pump = self._start()
        try:
            yield from self._in_turns(deque(paths))
        finally:
            self._end()
            if pump:
                pump.join()

    def read(self, path: str, state: FileState) -> Cut | None:
        """Return the note at ``path`` where it was cut ahead, of a file of that very ``state``."""
        ahead = self._ready
        if not isinstance(ahead, Cut) or (ahead.path, ahead.state) != (path, state):
            return None
        self._ready = None
        return ahead

    def cut(self, path: str, text: str, digest: bytes, check: Check = never_cancel) -> Cut:
        """Return the note at ``path`` cut; here, unless the one just given has that ``digest``.

        ``check`` is called now and then.
        """
        ahead, self._ready = self._ready, None
        if isinstance(ahead, Cut) and (ahead.path, ahead.digest) == (path, digest):
            return ahead
        from notesearch.markdown.sections.note_parser import (
            parse_note,  # mostly no note has changed
        )

        note = parse_note(text, path, check, read_as(self._settings))
        if self._counts is None:
            return Cut(path, digest, note)
        model = self._counts, self._window, check
        return Cut(path, digest, note, chunk(note, *model), heading_paths(note, *model))

    def _in_turns(self, left: deque[str]) -> Iterator[str]:
        while left or self._sent or self._cuts:
            try:
                self._exchange(left)
            except (OSError, Empty):
                self._end()
            if self._process is None:
                left.extendleft(reversed(self._sent))
                self._sent.clear()
            if self._cuts:
                self._ready = self._cuts.popleft()
                yield self._ready.path
            elif left:
                yield left.popleft()

    def _exchange(self, left: deque[str]) -> None:
        """Take what the process said, and tell it what comes next; wait only for the last notes.

        Raises:
            Empty: It says nothing.
            OSError: It is gone.
        """
        while self._process and not self._told.empty():
            self._take()
        while left and self._is_ready and len(self._sent) + len(self._cuts) < _AHEAD:
            self._send(left[0])
            self._sent.append(left.popleft())
        while self._process and self._sent and not left and not self._cuts:
            self._take()

    def _take(self) -> None:
        """Take what the process said next, and answer it.

        Raises:
            Empty: It says nothing.
            OSError: It is gone.
        """
        match self._told.get(timeout=_LONGEST_S):
            case Ready():
                self._is_ready = True
            case Asked(words) if self._counts is not None:
                self._send({word: self._counts[word] for word in words})
            case Cut() | Left() as cut:
                self._sent.remove(cut.path)
                self._cuts.append(cut)
            case _:
                self._end()

    def _send(self, message: object) -> None:
        if self._process and self._process.stdin:
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()

    def _adds_up(self) -> bool:
        """Return whether word pieces can be told word by word."""
        return self._counts is None or self._counts.adds_up

    def _start(self) -> threading.Thread | None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-m", CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            limit, follow = self._settings.max_note_bytes, self._settings.follow_links
            how = self._window, _SETTLED_S, read_as(self._settings)
            self._send(Job(self._vault, limit, follow, *how))
        except OSError:
            self._end()
        if self._process is None or self._process.stdout is None:
            return None
        told: SimpleQueue[object] = SimpleQueue()
        self._told = told
        pump = threading.Thread(
            target=_pump, args=(self._process.stdout, told), name="notesearch-ahead"
        )
        pump.start()
        return pump

    def _end(self) -> None:
        process, self._process = self._process, None
        self._is_ready = False
        if process is None:
            return
        process.kill()
        process.wait()
        if process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()


def _pump(stream: IO[bytes], told: "SimpleQueue[object]") -> None:
    """Take what the process says, so that it never waits, until it has ended."""
    with stream, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            told.put(pickle.load(stream))  # noqa: S301 - of our own process
    told.put(None)
