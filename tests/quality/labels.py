"""Labelled queries: what is asked of which folder, and which sections or notes answer it.

The sets lie beside the project in ``../shared/eval`` (its README describes the format) and may be
absent. ``sample`` asks the sample notes, which are always there.
"""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from notesearch.config import resources

EVAL = Path(__file__).resolve().parents[3] / "shared" / "eval"
SAMPLE_QUERIES = Path(__file__).with_name("sample_queries.toml")
SAMPLE_TYPED = Path(__file__).with_name("sample_typed.toml")
TRANSLATIONS = Path(__file__).with_name("languages")

LINKED = ("vue-docs", "obsidian-tasks-docs", "rust-book", "oi-wiki")
"""Folders labelled with the links that their authors wrote."""

TYPED_IN = ("til", "obsidian-tasks-docs", "vue-docs", "rust-book")
"""Folders labelled with questions as people type them."""

CRANFIELD = "cranfield"
SAMPLE = "sample"
TRANSLATED = ("de", "ja", "ar", "zh", "en-de")
"""Everyday notes, the same in the first three languages, with questions as people type them; at
last, English questions to the German notes."""

SETS = ("til", *LINKED, CRANFIELD, SAMPLE, *TRANSLATED)

SECTIONS, NOTES = "sections", "notes"
TYPED, TYPED_NOTES = "typed", "typed-notes"
LEVELS = (SECTIONS, NOTES, TYPED, TYPED_NOTES)
"""Link texts answered by sections or by notes, and typed questions answered by either."""

KINDS = ("keywords", "question", "memory")
"""How the typed questions are put; *memory* is half-remembered, in other words than the note's."""

BEST, HELPFUL = 2, 1
"""Grades: an answer, and what only helps."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Sections of ``file`` that start in the lines ``first`` to ``last``, or have ``heading``.

    In a task for notes, the whole file is the answer.

    Attributes:
        grade: ``BEST`` or ``HELPFUL``.
    """

    file: str
    first: int = 0
    last: int = 0
    heading: str = ""
    grade: int = BEST

    def is_section(self, path: str, line: int, heading: str) -> bool:
        """Return whether the section at ``line`` of ``path`` is this answer or a part of it."""
        if path != self.file:
            return False
        return heading == self.heading if self.heading else self.first <= line <= self.last

    def starts_at(self, path: str, line: int, heading: str) -> bool:
        """Return whether the section has the answer's very own heading."""
        return self.is_section(path, line, heading) and (bool(self.heading) or line == self.first)


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """A query and its right answers.

    Attributes:
        split: How near its words are to the answer's, or its kind.
        context: The sentence around the link, a second way to ask; may be empty.
        excluded: Notes that are dropped from a ranking before it is judged.
    """

    id: str
    text: str
    split: str
    answers: tuple[Answer, ...]
    context: str = ""
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """Queries to one folder, all of one level.

    Attributes:
        vault: Returns the folder's path; it takes a folder into which it may write the notes.
    """

    set: str
    level: str
    vault: Callable[[Path], Path]
    queries: tuple[LabelledQuery, ...]

    @property
    def asks_for_notes(self) -> bool:
        """Whether whole notes are judged, not sections."""
        return self.level in {NOTES, TYPED_NOTES}


def tasks(name: str, levels: Sequence[str] = LEVELS, root: Path = EVAL) -> Iterator[Task]:
    """Yield the tasks of the set ``name``; none where it is absent or lacks the levels."""
    if name == SAMPLE:
        yield from _sample(levels)
    elif name in TRANSLATED:
        if TYPED in levels:
            language = name.rpartition("-")[2]
            yield Task(name, TYPED, lambda work: translated_vault(language, work), translated(name))
    elif name == CRANFIELD:
        folder = root / "labels" / CRANFIELD
        if NOTES in levels and folder.is_dir():
            queries = tuple(_cranfield(folder))
            yield Task(CRANFIELD, NOTES, lambda work: cranfield_vault(folder, work), queries)
    else:
        folder, vault = root / "labels" / name, root / "vaults" / name
        for level in levels if vault.is_dir() else ():
            queries = tuple(_typed(folder, level) if level in _TYPED else _linked(folder, level))
            if queries:
                yield Task(name, level, _at(vault), queries)


_TYPED = (TYPED, TYPED_NOTES)


def _sample(levels: Sequence[str]) -> Iterator[Task]:
    vault = _at(resources() / "sample-vault")
    for level, file in ((SECTIONS, SAMPLE_QUERIES), (TYPED, SAMPLE_TYPED)):
        if level in levels:
            yield Task(SAMPLE, level, vault, sample(file))
    if TYPED_NOTES in levels:
        queries = tuple(_of_notes(sample(SAMPLE_TYPED)))
        yield Task(SAMPLE, TYPED_NOTES, vault, queries)


def sample(file: Path = SAMPLE_QUERIES) -> tuple[LabelledQuery, ...]:
    """Return questions to the sample notes; ``split`` is the kind, after ``hard`` if hard."""
    return tuple(
        LabelledQuery(
            row["text"],
            row["text"],
            f"hard {row['kind']}" if row.get("hard") else row["kind"],
            tuple(Answer(a["path"], heading=a["section"]) for a in row["answers"]),
        )
        for row in tomllib.loads(file.read_text("utf-8"))["query"]
    )


def _at(vault: Path) -> Callable[[Path], Path]:
    return lambda _: vault


def _linked(folder: Path, level: str) -> Iterator[LabelledQuery]:
    """Yield queries that are the texts of links; nothing if their file is absent."""
    answers: dict[str, list[Answer]] = {}
    for cells in _cells(folder / f"{level}.qrels.tsv"):
        lines = (int(cells[2]), int(cells[4])) if level == SECTIONS else (0, 0)
        answers.setdefault(cells[0], []).append(Answer(cells[1], *lines))
    for row in _rows(folder / f"{level}.jsonl"):
        if row["id"] in answers:
            yield LabelledQuery(
                row["id"], row["text"], row["split"], tuple(answers[row["id"]]), row["context"],
                frozenset(row["exclude_files"]),
            )  # fmt: skip


def _typed(folder: Path, level: str) -> Iterator[LabelledQuery]:
    """Read typed questions with graded answers; of notes, the best grade of each file counts."""
    answers: dict[str, list[Answer]] = {}
    for query, file, line, _, end, grade in _cells(folder / "natural.qrels.tsv"):
        answer = Answer(file, int(line), int(end), grade=int(grade))
        answers.setdefault(query, []).append(answer)
    queries = (
        LabelledQuery(row["id"], row["text"], row["kind"], tuple(answers[row["id"]]))
        for row in _rows(folder / "natural.jsonl")
    )
    yield from queries if level == TYPED else _of_notes(queries)


def _of_notes(
    queries: Iterable[LabelledQuery],
) -> Iterator[LabelledQuery]:
    for query in queries:
        grades: dict[str, int] = {}
        for answer in query.answers:
            grades[answer.file] = max(answer.grade, grades.get(answer.file, 0))
        answers = tuple(Answer(file, grade=grade) for file, grade in grades.items())
        yield LabelledQuery(query.id, query.text, query.split, answers)


def _cranfield(folder: Path) -> Iterator[LabelledQuery]:
    answers: dict[str, list[Answer]] = {}
    for query, document, grade in _cells(folder / "qrels.tsv"):
        if int(grade) > 0:
            answers.setdefault(query, []).append(Answer(_abstract(document)))
    for row in _rows(folder / "queries.jsonl"):
        if row["_id"] in answers:
            yield LabelledQuery(row["_id"], row["text"], "all", tuple(answers[row["_id"]]))


def cranfield_vault(folder: Path, work: Path) -> Path:
    """Write each abstract as a note below ``work``, its title as the heading, once."""
    vault = work / "cranfield-notes"
    vault.mkdir(parents=True, exist_ok=True)
    for row in _rows(folder / "corpus.jsonl"):
        title, text = row["title"].strip(), row["text"].strip()
        body = text.removeprefix(title).strip()
        note = vault / _abstract(row["_id"])
        if not note.is_file():
            note.write_text(f"# {title}\n\n{body}\n", "utf-8")
    return vault


def _abstract(number: str) -> str:
    return f"abstract-{int(number):04}.md"


def translated_vault(language: str, work: Path) -> Path:
    """Write the notes in ``language`` below ``work``, each into a file named like its title."""
    vault = work / f"notes-{language}"
    vault.mkdir(parents=True, exist_ok=True)
    for note in (TRANSLATIONS / f"{language}.md").read_text("utf-8").split("\n# "):
        text = f"# {note.removeprefix('# ').strip()}\n"
        file = vault / f"{text.splitlines()[0].removeprefix('# ')}.md"
        if not file.is_file() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
    return vault


def translated(name: str) -> tuple[LabelledQuery, ...]:
    """Read the questions of a set of ``TRANSLATED``."""
    return tuple(
        LabelledQuery(text, text, kind, (Answer(f"{note}.md", heading=section),))
        for kind, text, note, section in _cells(TRANSLATIONS / f"{name}.tsv")
    )


def _rows(file: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in _lines(file)]


def _cells(file: Path) -> list[list[str]]:
    """Return the cells of a table below its header; quotes are text, because headings have them."""
    return [line.split("\t") for line in _lines(file)[1:]]


def _lines(file: Path) -> list[str]:
    if not file.is_file():
        return []
    return [line for line in file.read_text("utf-8").split("\n") if line.strip()]
