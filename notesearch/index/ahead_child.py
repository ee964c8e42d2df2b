"""The process that reads and cuts notes ahead: their paths in, the notes out.

It asks how many word pieces a word has, since the model is with who asked, and goes on with the
next note until that is answered.
"""

import contextlib
import hashlib
import os
import pickle
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import IO

from notesearch.index.ahead import Asked, Cut, Job, Left, Ready
from notesearch.index.decoding import decode
from notesearch.index.files import read_file
from notesearch.markdown.sections.chunking import chunk, heading_paths
from notesearch.markdown.sections.measured_text import TokenCounts, parts
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.notes import Note
from notesearch.store.compression import compress

_TRIES = 5
"""A note that asks for more and more words is cut by who asked for it."""

_REMEMBERED = 200_000


class _UnknownError(Exception):
    """Of how many pieces a word is was not told yet."""


class _Told(dict[str, int]):
    """Word pieces by word, as far as they were told."""

    def __missing__(self, word: str) -> int:
        raise _UnknownError(word)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A note whose words are asked for."""

    cut: Cut
    note: Note
    tries: int = 0


class Cutter:
    """Cuts one note after the other."""

    def __init__(self, job: Job, say: Callable[[object], None]) -> None:
        """Do ``job``, and ``say`` what comes of it."""
        self._job = job
        self._say = say
        self._told = _Told()
        self._counts = TokenCounts(self._told.__getitem__)
        self._counts.adds_up = True
        self._waiting: deque[_Waiting] = deque()

    def take(self, message: object) -> None:
        """Read the note at a path, or go on with one whose words were asked for."""
        if isinstance(message, str):
            self._read(message)
        elif isinstance(message, dict):
            self._told.update(message)
            self._cut(self._waiting.popleft())

    def _read(self, path: str) -> None:
        job, lately = self._job, time.time() - self._job.settled_s
        try:
            file = read_file(job.vault, path, job.limit, follow=job.follow)
            text, problem = decode(file.content)
        except (OSError, ValueError):
            self._say(Left(path))
            return
        note = parse_note(text, path, read_as=job.read_as)
        bodies = tuple(compress(section.text) for section in note.sections)
        digest = hashlib.blake2b(file.content, digest_size=16).digest()
        state = file.state if file.state.is_older_than(lately) else None
        cut = Cut(path, digest, note, bodies=bodies, state=state, problem=problem)
        if job.window:
            if len(self._told) > _REMEMBERED and not self._waiting:
                self._told.clear()
            self._ask(_Waiting(cut, note), _words(note))
        else:
            self._say(cut)

    def _ask(self, waiting: _Waiting, words: set[str]) -> None:
        """Ask for what is not known of ``words``, also for none: answers keep their order."""
        self._waiting.append(replace(waiting, tries=waiting.tries + 1))
        # A set less the keys of a dict would go through all keys.
        self._say(Asked(tuple(word for word in words if word not in self._told)))

    def _cut(self, waiting: _Waiting) -> None:
        note, window = waiting.note, self._job.window
        try:
            passages = chunk(note, self._counts, window)
            paths = heading_paths(note, self._counts, window)
        except _UnknownError as unknown:
            if waiting.tries < _TRIES:
                self._ask(waiting, {*_words(note), str(unknown)})
            else:
                self._say(Left(note.path))
        else:
            self._say(replace(waiting.cut, passages=passages, paths=paths))


def _words(note: Note) -> set[str]:
    headings = (heading for section in note.sections for heading in section.path)
    texts = (section.text for section in note.sections)
    return parts("\n".join((note.title, *headings, *texts)))


def main(orders: IO[bytes], answers: IO[bytes]) -> None:
    """Do what is ordered until nobody orders any more."""
    inbox: SimpleQueue[object] = SimpleQueue()
    job = pickle.load(orders)  # noqa: S301 - of the program that started us
    threading.Thread(target=_take_in, args=(orders, inbox), daemon=True).start()

    def say(message: object) -> None:
        pickle.dump(message, answers)
        answers.flush()

    cutter = Cutter(job, say)
    say(Ready())
    while (message := inbox.get()) is not None:
        cutter.take(message)


def _take_in(orders: IO[bytes], inbox: "SimpleQueue[object]") -> None:
    """Take orders while a note is cut, so that who gives them never waits."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            inbox.put(pickle.load(orders))  # noqa: S301 - as above
    inbox.put(None)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)  # a search comes first
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        main(sys.stdin.buffer, sys.stdout.buffer)
