"""Labelled queries and the notes they ask: who asks what, and which sections or notes answer.

The sets lie beside the project in ``../shared/eval`` (its README tells the format) and may be
absent; ``sample`` are the questions to the sample notes, which are always there.
"""

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from notesearch.config import resources

EVAL = Path(__file__).resolve().parents[3] / "shared" / "eval"
SAMPLE_QUERIES = Path(__file__).with_name("sample_queries.toml")

LINKED = ("vue-docs", "obsidian-tasks-docs", "rust-book", "oi-wiki")
"""Folders whose labels are the links that their authors wrote."""

CRANFIELD = "cranfield"
SAMPLE = "sample"
SETS = (*LINKED, CRANFIELD, SAMPLE)

SECTIONS, NOTES = "sections", "notes"
LEVELS = (SECTIONS, NOTES)


@dataclass(frozen=True, slots=True)
class Answer:
    """A right answer: sections of ``file`` that start between two lines, or of one heading.

    At the level of notes the whole file is the answer.
    """

    file: str
    first: int = 0
    last: int = 0
    heading: str = ""

    def is_section(self, path: str, line: int, heading: str) -> bool:
        """Return whether the section at ``line`` of ``path`` is this answer or a part of it."""
        if path != self.file:
            return False
        return heading == self.heading if self.heading else self.first <= line <= self.last


@dataclass(frozen=True, slots=True)
class Asked:
    """A labelled query.

    Attributes:
        context: The sentence around the link, a second way to ask; may be empty.
        split: How near its words are to the answer's.
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
    """Queries to one folder, all to be answered by sections or all by notes.

    Attributes:
        vault: Makes the folder's path, given a folder to write to.
    """

    set: str
    level: str
    vault: Callable[[Path], Path]
    asked: tuple[Asked, ...]


def tasks(name: str, levels: tuple[str, ...] = LEVELS, root: Path = EVAL) -> Iterator[Task]:
    """Yield what the set ``name`` asks; nothing where it is absent or has no such level."""
    if name == SAMPLE:
        if SECTIONS in levels:
            yield Task(SAMPLE, SECTIONS, _at(resources() / "sample-vault"), sample())
    elif name == CRANFIELD:
        folder = root / "labels" / CRANFIELD
        if NOTES in levels and folder.is_dir():
            asked = tuple(_cranfield(folder))
            yield Task(CRANFIELD, NOTES, lambda work: cranfield_vault(folder, work), asked)
    else:
        folder, vault = root / "labels" / name, root / "vaults" / name
        for level in (level for level in levels if folder.is_dir() and vault.is_dir()):
            yield Task(name, level, _at(vault), tuple(_linked(folder, level)))


def sample() -> tuple[Asked, ...]:
    """Read the questions to the sample notes; the kind is the split, and whether it is hard."""
    return tuple(
        Asked(
            row["text"],
            row["text"],
            f"hard {row['kind']}" if row.get("hard") else row["kind"],
            tuple(Answer(a["path"], heading=a["section"]) for a in row["answers"]),
        )
        for row in tomllib.loads(SAMPLE_QUERIES.read_text("utf-8"))["query"]
    )


def _at(vault: Path) -> Callable[[Path], Path]:
    return lambda _: vault


def _linked(folder: Path, level: str) -> Iterator[Asked]:
    answers: dict[str, list[Answer]] = {}
    for line in _lines(folder / f"{level}.qrels.tsv")[1:]:
        cells = line.split("\t")
        lines = (int(cells[2]), int(cells[4])) if level == SECTIONS else (0, 0)
        answers.setdefault(cells[0], []).append(Answer(cells[1], *lines))
    for row in _rows(folder / f"{level}.jsonl"):
        if row["id"] in answers:
            yield Asked(
                row["id"], row["text"], row["split"], tuple(answers[row["id"]]), row["context"],
                frozenset(row["exclude_files"]),
            )  # fmt: skip


def _cranfield(folder: Path) -> Iterator[Asked]:
    answers: dict[str, list[Answer]] = {}
    for line in _lines(folder / "qrels.tsv")[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            answers.setdefault(query, []).append(Answer(_abstract(document)))
    for row in _rows(folder / "queries.jsonl"):
        if row["_id"] in answers:
            yield Asked(row["_id"], row["text"], "all", tuple(answers[row["_id"]]))


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


def _rows(file: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in _lines(file)]


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").split("\n") if line.strip()]
