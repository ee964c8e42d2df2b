"""Asks a library all queries of a task in one mode; a run can be saved and read again."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from notesearch.results import SearchResult, SectionResult
from tests.quality.labels import NOTES, Answer, Asked, Task
from tests.quality.measures import DEPTH, Judged, judge

MODES = ("words", "meaning", "hybrid")
WAYS = ("text", "context")

_SPARE = 30
"""Results asked for beyond ten, because some stand in notes that are dropped."""


class Searching(Protocol):
    """Finds sections as ``NoteLibrary`` does."""

    def search(
        self, text: str, *, limit: int = 10, per_note: int = 2, mode: str = "hybrid"
    ) -> SearchResult:
        """Answer ``text``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one query was answered.

    Attributes:
        best: What stood first, as ``path > breadcrumb``.
        wanted: The first right answer, in words.
        took_ms: What the search itself took.
    """

    id: str
    text: str
    split: str
    judged: Judged
    best: str
    wanted: str
    took_ms: float


@dataclass(frozen=True, slots=True)
class Run:
    """All outcomes of one set, level, mode and way to ask."""

    set: str
    level: str
    mode: str
    way: str
    outcomes: tuple[Outcome, ...]

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What tells it from the other runs of one evaluation."""
        return self.set, self.level, self.mode, self.way


def run(library: Searching, task: Task, mode: str, way: str = "text") -> Run:
    """Ask everything of ``task``; what has no context is not asked by context."""
    return Run(task.set, task.level, mode, way, tuple(_outcomes(library, task, mode, way)))


def _outcomes(library: Searching, task: Task, mode: str, way: str) -> Iterator[Outcome]:
    rank = _notes if task.level == NOTES else _sections
    for asked in task.asked:
        text = asked.context if way == "context" else asked.text
        if not text:
            continue
        found, best, took = rank(library, asked, text, mode)
        judged = judge(found, len(asked.answers))
        wanted = _named(asked.answers[0])
        yield Outcome(asked.id, text, asked.split, judged, best, wanted, took)


def _named(answer: Answer) -> str:
    return f"{answer.file}:{answer.heading or answer.first}".removesuffix(":0")


_Ranked = tuple[list[frozenset[int]], str, float]


def _sections(library: Searching, asked: Asked, text: str, mode: str) -> _Ranked:
    limit = DEPTH + _SPARE
    while True:
        result = library.search(text, limit=limit, per_note=limit, mode=mode)
        kept = [s for s in result.sections if s.path not in asked.excluded]
        if len(kept) >= DEPTH or len(result.sections) < limit:
            break
        limit *= 4
    best = f"{kept[0].path} > {' > '.join(kept[0].section_path)}" if kept else "nothing"
    found = [_numbers(asked, _is_section(section)) for section in kept[:DEPTH]]
    return found, best, result.took_ms


def _notes(library: Searching, asked: Asked, text: str, mode: str) -> _Ranked:
    limit = DEPTH + len(asked.excluded)
    result = library.search(text, limit=limit, per_note=1, mode=mode)
    kept = [note.path for note in result.notes if note.path not in asked.excluded]
    found = [_numbers(asked, _is_note(path)) for path in kept[:DEPTH]]
    return found, kept[0] if kept else "nothing", result.took_ms


def _is_section(section: SectionResult) -> Callable[[Answer], bool]:
    return lambda answer: answer.is_section(section.path, section.line, section.section)


def _is_note(path: str) -> Callable[[Answer], bool]:
    return lambda answer: answer.file == path


def _numbers(asked: Asked, is_answer: Callable[[Answer], bool]) -> frozenset[int]:
    """Return which answers a result is, by number; a narrower answer has the higher one."""
    ordered = sorted(asked.answers, key=lambda answer: answer.first - answer.last)
    return frozenset(i for i, answer in enumerate(ordered) if is_answer(answer))


def save(runs: Sequence[Run], file: Path) -> None:
    """Write ``runs`` as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    told = [asdict(run) for run in runs]
    file.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")


def load(file: Path) -> list[Run]:
    """Read what ``save`` wrote."""
    return [
        Run(**{**told, "outcomes": tuple(_outcome(**row) for row in told["outcomes"])})
        for told in json.loads(file.read_text("utf-8"))
    ]


def _outcome(*, judged: dict[str, list[int] | int], **told: str | float) -> Outcome:
    places, answers = judged["places"], judged["answers"]
    assert isinstance(places, list)
    assert isinstance(answers, int)
    return Outcome(judged=Judged(tuple(places), answers), **told)  # type: ignore[arg-type]
