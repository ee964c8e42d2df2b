"""Parses many notes in child processes, which run this module, while this one writes them.

Parsing a note takes longer than writing it, and one Python process does only one of them at a time.
The children only save time: a note that they do not return in time is parsed by the caller.
"""

import base64
import contextlib
import os
import pickle
import sys
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from notesearch.config import Settings
from notesearch.index.note_reader import NoteContent, read_markdown
from notesearch.index.scan import read_as
from notesearch.notes import ReadAs
from notesearch.processes import Child, serve
from notesearch.store.rows import FileState

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_CHILD = "notesearch.index.parallel_parser"
_MEMORY = 1 << 30
_ORPHAN_LIFE_S = 30
"""If its parent is gone, a child ends itself after this time."""
_NICENESS = 5
"""How much a child lowers its priority, so that searches come first."""
_MIN_NOTES = 400
"""For fewer notes, no process is started, because its start takes half a second."""
_BATCH_NOTES = 32
_BATCH_BYTES = 1 << 19
_BATCHES = 3
"""At most this many batches for each child are being parsed or wait for the caller."""
_CHILDREN = 3
"""Maximum number of child processes. Three parse notes as fast as one process writes them."""
_TIME_LIMIT_S = 10.0
"""Time for a batch. A child that takes longer is killed."""


_Parsed = Mapping[str, NoteContent]
_Batch = tuple[Sequence[str], "Future[_Parsed]"]


def parsed_by_children(
    vault: Path, settings: Settings, notes: Mapping[str, FileState]
) -> Generator[tuple[str, NoteContent | None], None, None]:
    """Yield the path and the note of each of ``notes``, in no order.

    Child processes parse notes as long as they keep up. The note is None if no child has parsed it;
    the caller must then parse it.
    """
    count = min((os.cpu_count() or 1) - 1, _CHILDREN)
    if len(notes) < _MIN_NOTES or not count:
        yield from ((path, None) for path in notes)
        return
    from concurrent.futures import ThreadPoolExecutor

    job = {
        "vault": str(vault),
        "limit": settings.max_note_bytes,
        "follow": settings.follow_links,
        "read_as": asdict(read_as(settings, vault)),
    }
    children = [Child(_CHILD, _TIME_LIMIT_S) for _ in range(count)]
    with ThreadPoolExecutor(count, "notesearch-parse") as waiting:
        try:
            yield from _shared(notes, children, waiting, job)
        finally:
            waiting.shutdown(wait=False, cancel_futures=True)
            for child in children:
                child.close()


def _shared(
    notes: Mapping[str, FileState],
    children: Sequence[Child],
    waiting: "ThreadPoolExecutor",
    job: Mapping[str, Any],
) -> Iterator[tuple[str, NoteContent | None]]:
    """Yield notes that a child has parsed; until then, yield others for the caller to parse."""
    left = deque(notes)
    batches: deque[_Batch] = deque()
    starting = list(children)
    idle: SimpleQueue[Child] = SimpleQueue()
    while left or batches:
        # A child that answers a question cannot say whether it is ready: ask only once.
        for child in [child for child in starting if child.ready()]:
            starting.remove(child)
            idle.put(child)
        most = _BATCHES * (len(children) - len(starting))
        while left and len(batches) < most:
            paths = _next_batch(left, notes)
            batches.append((paths, waiting.submit(_ask, idle, {**job, "paths": paths})))
        if batches and (batches[0][1].done() or not left):
            batch, future = batches.popleft()
            parsed = future.result()
            yield from ((path, parsed.get(path)) for path in batch)
        else:
            yield left.popleft(), None


def _ask(idle: "SimpleQueue[Child]", question: dict[str, Any]) -> _Parsed:
    child = idle.get()
    try:
        answer = child.ask(question)
    finally:
        idle.put(child)
    if not answer:
        return {}
    parsed: _Parsed = pickle.loads(base64.b64decode(str(answer["notes"])))  # noqa: S301 - our own child
    return parsed


def _next_batch(left: deque[str], notes: Mapping[str, FileState]) -> list[str]:
    batch = [left.popleft()]
    size = notes[batch[0]].size
    while left and len(batch) < _BATCH_NOTES and size + notes[left[0]].size <= _BATCH_BYTES:
        size += notes[left[0]].size
        batch.append(left.popleft())
    return batch


def answer(question: dict[str, Any]) -> dict[str, str]:
    """Return, in a child, the notes at the paths in ``question`` that can be read, pickled."""
    from notesearch.markdown.sections.note_parser import parse_note

    vault = Path(question["vault"])
    limit = question["limit"]
    follow = question["follow"]
    read_as = ReadAs(**question["read_as"])
    parsed: dict[str, NoteContent] = {}
    for path in question["paths"]:
        with contextlib.suppress(OSError, ValueError):
            words_first = read_as.words_first
            read = read_markdown(vault, path, limit, follow=follow, words_first=words_first)
            note = parse_note(read.text, path, read_as=read_as)
            parsed[path] = replace(read, text="", note=note)
    return {"notes": base64.b64encode(pickle.dumps(parsed)).decode()}


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    serve(answer, memory=_MEMORY, seconds=_ORPHAN_LIFE_S, questions=sys.stdin, answers=sys.stdout)
