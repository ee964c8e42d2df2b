"""Asks a library all queries of a task in one mode; a run can be saved and read again."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from notesearch.results import SearchResult, SectionResult
from tests.quality.labels import BEST, HELPFUL, Answer, LabelledQuery, Task
from tests.quality.measures import DEPTH, Judged, judge

MODES = ("words", "meaning", "hybrid")
WAYS = ("text", "context")

_SPARE = 30
"""Results requested beyond ten, because some lie in notes that are dropped."""


class Searching(Protocol):
    """Finds sections as ``NoteLibrary`` does."""

    def search(
        self, text: str, *, limit: int = 10, per_note: int = 2, mode: str = "hybrid"
    ) -> SearchResult:
        """Return the result of the query ``text``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one query was answered.

    Attributes:
        best: The first result, as ``path > breadcrumb``.
        wanted: The first right answer, in words.
        took_ms: Time of the search itself.
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
        """The values that distinguish this run from the others of an evaluation."""
        return self.set, self.level, self.mode, self.way


def run(library: Searching, task: Task, mode: str, way: str = "text") -> Run:
    """Ask every query of ``task``; a query without context is not asked by context."""
    return Run(task.set, task.level, mode, way, tuple(_outcomes(library, task, mode, way)))


def _outcomes(library: Searching, task: Task, mode: str, way: str) -> Iterator[Outcome]:
    rank = _notes if task.asks_for_notes else _sections
    for query in task.queries:
        text = query.context if way == "context" else query.text
        if not text:
            continue
        judged, best, took = rank(library, query, text, mode)
        wanted = _named(next(a for a in query.answers if a.grade == BEST))
        yield Outcome(query.id, text, query.split, judged, best, wanted, took)


def _named(answer: Answer) -> str:
    return f"{answer.file}:{answer.heading or answer.first}".removesuffix(":0")


_Ranked = tuple[Judged, str, float]


class Placed(Protocol):
    """A section that was found: the path of its note, its first line and its heading."""

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def section(self) -> str: ...


_Placed = TypeVar("_Placed", bound=Placed)


def first_sections(
    query: LabelledQuery, search: Callable[[int], Sequence[_Placed]]
) -> list[_Placed]:
    """Return the first sections outside of the notes that ``query`` excludes.

    ``search`` takes how many sections to find. It is called again if too few are left.
    """
    limit = DEPTH + _SPARE
    while True:
        found = search(limit)
        kept = [section for section in found if section.path not in query.excluded]
        if len(kept) >= DEPTH or len(found) < limit:
            return kept
        limit *= 4


def judged_sections(query: LabelledQuery, kept: Sequence[Placed]) -> Judged:
    """Judge the sections ``kept``, best first, by the answers of ``query``."""
    strict = [_is_strict(query, section) for section in kept]
    return _judged(query, [_is_section(section) for section in kept], strict)


def _sections(library: Searching, query: LabelledQuery, text: str, mode: str) -> _Ranked:
    took: list[float] = []

    def search(limit: int) -> Sequence[SectionResult]:
        result = library.search(text, limit=limit, per_note=limit, mode=mode)
        took.append(result.took_ms)
        return result.sections

    kept = first_sections(query, search)
    best = f"{kept[0].path} > {' > '.join(kept[0].section_path)}" if kept else "nothing"
    return judged_sections(query, kept), best, took[-1]


def _notes(library: Searching, query: LabelledQuery, text: str, mode: str) -> _Ranked:
    limit = DEPTH + len(query.excluded)
    result = library.search(text, limit=limit, per_note=1, mode=mode)
    kept = [note.path for note in result.notes if note.path not in query.excluded]
    return _judged(query, list(map(_is_note, kept))), kept[0] if kept else "nothing", result.took_ms


def _is_strict(query: LabelledQuery, section: Placed) -> bool:
    return any(
        answer.starts_at(section.path, section.line, section.section)
        for answer in query.answers
        if answer.grade == BEST
    )


_IsAnswer = Callable[[Answer], bool]


def _is_section(section: Placed) -> _IsAnswer:
    return lambda answer: answer.is_section(section.path, section.line, section.section)


def _is_note(path: str) -> _IsAnswer:
    return lambda answer: answer.file == path


def _judged(
    query: LabelledQuery, results: Sequence[_IsAnswer], strict: Sequence[bool] = ()
) -> Judged:
    """Judge ``results``; a narrower answer has a higher number."""
    ordered = sorted(query.answers, key=lambda answer: answer.first - answer.last)
    found = [
        frozenset(n for n, answer in enumerate(ordered) if is_answer(answer))
        for is_answer in results
    ]
    helpful = [n for n, answer in enumerate(ordered) if answer.grade == HELPFUL]
    return judge(found, len(ordered), helpful, strict)


def save(runs: Sequence[Run], file: Path) -> None:
    """Write ``runs`` as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = [asdict(run) for run in runs]
    file.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")


def load(file: Path) -> list[Run]:
    """Read what ``save`` wrote."""
    return [
        Run(**{**row, "outcomes": tuple(_outcome(**outcome) for outcome in row["outcomes"])})
        for row in json.loads(file.read_text("utf-8"))
    ]


def _outcome(*, judged: dict[str, list[int] | int], **fields: str | float) -> Outcome:
    values = {name: tuple(v) if isinstance(v, list) else v for name, v in judged.items()}
    return Outcome(judged=Judged(**values), **fields)  # type: ignore[arg-type]
