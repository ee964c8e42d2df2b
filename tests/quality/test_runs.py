"""A run from labels to its lines, over notes made here; saved, read again and compared."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.library import NoteLibrary
from tests.folders import write
from tests.quality import report, runs
from tests.quality.labels import (
    CRANFIELD,
    EVAL,
    LINKED,
    NOTES,
    SECTIONS,
    TYPED,
    TYPED_NOTES,
    cranfield_vault,
    tasks,
)
from tests.quality.measures import Judged

NOTES_ASKED = {
    "tea.md": "# Tea\n\nBrewing leaves.\n\n## Green\n\nCooler water.\n\n### Gyokuro\n\nFifty.\n",
    "links.md": "# Green\n\nGreen tea to drink, green tea and once more green tea.\n",
}


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Give a folder as ``../shared/eval`` is, with one vault and its labels."""
    write(tmp_path / "vaults" / "tea", NOTES_ASKED)
    link = {"context": "Drink green tea.", "split": "exact", "exclude_files": ["links.md"]}
    rows = [{"id": "q1", "text": "green", **link}, {"id": "q2", "text": "unjudged", **link}]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    labels = {
        "sections.jsonl": text,
        "sections.qrels.tsv": "qid\tfile\theading_line\theading_path\tsection_end_line\tlevel\n"
        "q1\ttea.md\t5\tTea > Green\t11\t2\n",
        "notes.jsonl": text,
        "notes.qrels.tsv": "qid\tfile\nq1\ttea.md\n",
        "natural.jsonl": '{"id": "n1", "text": "brewing", "kind": "keywords"}\n'
        '{"id": "n2", "text": "cooler", "kind": "memory"}\n',
        "natural.qrels.tsv": "qid\tfile\theading_line\theading_path\tsection_end_line\tgrade\n"
        'n1\ttea.md\t1\t"Tea\t11\t2\nn1\tlinks.md\t1\tGreen\t3\t1\n'
        'n2\ttea.md\t1\t"Tea\t11\t2\n',
    }
    write(tmp_path / "labels" / "tea", labels)
    return tmp_path


@pytest.fixture
def library(labelled: Path, words_only: Settings) -> Iterator[NoteLibrary]:
    """Give the notes, indexed."""
    with NoteLibrary.open(labelled / "vaults" / "tea", settings=words_only) as opened:
        opened.refresh()
        yield opened


@pytest.mark.parametrize("level", [SECTIONS, NOTES])
@pytest.mark.parametrize("way", runs.WAYS)
def test_an_excluded_note_does_not_count(
    labelled: Path, library: NoteLibrary, level: str, way: str
) -> None:
    (task,) = tasks("tea", (level,), labelled)
    (outcome,) = runs.run(library, task, "words", way).outcomes
    assert outcome.text == ("green" if way == "text" else "Drink green tea.")
    assert (outcome.judged.places, outcome.judged.answers) == ((1,), 1)
    assert outcome.best.startswith("tea.md")


def test_a_subsection_of_the_answer_is_an_answer(labelled: Path, library: NoteLibrary) -> None:
    (task,) = tasks("tea", (SECTIONS,), labelled)
    (answer,) = task.queries[0].answers
    assert [answer.is_section("tea.md", line, "") for line in (4, 5, 9, 11, 12)] == [
        False, True, True, True, False,
    ]  # fmt: skip
    assert not answer.is_section("links.md", 5, "")


def test_typed_questions_have_graded_answers(labelled: Path, library: NoteLibrary) -> None:
    (task, of_notes) = tasks("tea", (TYPED, TYPED_NOTES), labelled)
    whole, part = (outcome.judged for outcome in runs.run(library, task, "words").outcomes)
    assert whole == Judged((1,), 1, (), 1, strict=1)
    assert part == Judged((1,), 1, strict=0)
    whole, _ = (outcome.judged for outcome in runs.run(library, of_notes, "words").outcomes)
    assert whole == Judged((1,), 1, (), 1)


def test_a_saved_run_is_read_as_it_was(
    labelled: Path, library: NoteLibrary, tmp_path: Path
) -> None:
    done = [runs.run(library, task, "words") for task in tasks("tea", root=labelled)]
    runs.save(done, tmp_path / "new folder" / "run.json")
    assert runs.load(tmp_path / "new folder" / "run.json") == done


def outcome(id_: str, *places: int) -> runs.Outcome:
    return runs.Outcome(id_, f"text of {id_}", "exact", Judged(places, 1), "best", "wanted", 1.0)


def test_two_runs_are_compared_query_by_query() -> None:
    before = runs.Run("tea", SECTIONS, "words", "text", (outcome("a", 2), outcome("b", 1)))
    after = runs.Run("tea", SECTIONS, "words", "text", (outcome("a", 1), outcome("b")))
    lines = list(report.comparison(before, after))
    assert lines[0] == "tea sections words text: 1 won, 1 lost of 2"
    assert "MRR@10 -0.250 [-1.000 +0.500]" in lines[1]
    assert lines[2].strip().startswith("+  2 -> 1  'text of a'")
    assert lines[3].strip().startswith("-  1 -> -  'text of b'")


def test_the_table_has_a_line_for_each_split() -> None:
    other = runs.Outcome("c", "text", "hard", Judged((), 1), "best", "wanted", 3.0)
    done = runs.Run("tea", SECTIONS, "words", "text", (outcome("a", 1), other))
    splits = [line.split()[3:6] for line in report.table(done)]
    assert splits == [["all", "2", ".500"], ["exact", "1", "1.000"], ["hard", "1", ".000"]]


def test_an_absent_set_has_no_tasks(tmp_path: Path) -> None:
    assert [list(tasks(name, root=tmp_path)) for name in (*LINKED, CRANFIELD)] == [[]] * 5


def test_an_abstract_is_a_note_with_its_title_once(tmp_path: Path) -> None:
    rows = [
        {"_id": "7", "title": "wings .", "text": "wings . they lift ."},
        {"_id": "8", "title": "", "text": ""},
    ]
    write(tmp_path, {"corpus.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})
    vault = cranfield_vault(tmp_path, tmp_path / "work")
    assert (vault / "abstract-0007.md").read_text("utf-8") == "# wings .\n\nthey lift .\n"
    assert len(list(vault.iterdir())) == 2


@pytest.mark.skipif(not EVAL.is_dir(), reason="the labelled folders are not here")
@pytest.mark.parametrize(
    ("name", "level", "queries"),
    [
        ("vue-docs", SECTIONS, 152), ("vue-docs", NOTES, 276), ("obsidian-tasks-docs", NOTES, 190),
        ("rust-book", SECTIONS, 63), ("oi-wiki", SECTIONS, 202), ("cranfield", NOTES, 225),
        ("til", TYPED, 120), ("vue-docs", TYPED_NOTES, 60),
    ],
)  # fmt: skip
def test_all_queries_of_a_set_are_read(name: str, level: str, queries: int) -> None:
    (task,) = tasks(name, (level,))
    assert len(task.queries) == queries
    assert all(query.answers for query in task.queries)
