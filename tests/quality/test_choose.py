"""The weights chosen on some folders and kinds are measured on the one left out."""

from dataclasses import replace
from pathlib import Path

from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from notesearch.search.ranking import CHOSEN_WEIGHTS
from notesearch.store.store import Store
from tests.quality.choose import LINKS, TRIED, QueryCandidates, best, combinations, figures, report
from tests.quality.labels import SAMPLE, SECTIONS, TYPED, tasks

LESS = replace(CHOSEN_WEIGHTS, passage=1.5)
A, B, C = ("a", "question"), ("b", "question"), ("b", "memory")
TABLE = {
    CHOSEN_WEIGHTS: {A: (0.5, 0.5), B: (0.9, 0.9), C: (0.6, 0.6)},
    LESS: {A: (0.8, 0.8), B: (0.7, 0.7), C: (0.6, 0.6)},
}


def test_the_best_mean_over_parts_is_chosen() -> None:
    assert best(TABLE, [A, B]) == LESS
    assert best(TABLE, [B, C]) == CHOSEN_WEIGHTS
    assert best(TABLE, [C]) == CHOSEN_WEIGHTS  # equal: the weights in use stay


def test_each_folder_and_kind_is_judged_by_the_choice_of_the_others() -> None:
    lines = [line.split() for line in report(TABLE)][2:]
    assert lines[0] == ["a", ".500", "/", ".500", ".500", "/", ".500", "nothing"]
    assert lines[1][:4] == ["b", ".650", "/", ".650"]
    assert lines[1][-2:] == ["passage", "1.5"]
    assert [line[0] for line in lines[2:4]] == ["question", "memory"]


def test_the_numbers_in_use_are_tried_and_each_changed_alone() -> None:
    tried = combinations(5)
    assert tried[0] == CHOSEN_WEIGHTS
    assert len(set(tried)) == len(tried) == 1 + sum(len(v) - 1 for v in TRIED.values()) + 5
    assert all(getattr(CHOSEN_WEIGHTS, name) in values for name, values in TRIED.items())


def test_candidates_are_ranked_as_by_a_search(sample_home: Path, embedder: Embedder) -> None:
    for task in tasks(SAMPLE, (SECTIONS, TYPED)):
        with NoteLibrary.open(
            task.vault(sample_home), home=sample_home, embedder=embedder
        ) as library:
            reader = Store(Path(library.status().index_path)).reader()
            for query in task.queries[::9]:
                result = library.search(query.text, limit=40, per_note=40)
                with reader.snapshot():
                    places = QueryCandidates(reader, query.text, 40, embedder).sections(
                        CHOSEN_WEIGHTS
                    )
                found = [(place.path, place.line) for place in places]
                assert found == [(s.path, s.line) for s in result.sections], query.text


def test_weights_change_the_first_result(sample_home: Path, embedder: Embedder) -> None:
    without = replace(CHOSEN_WEIGHTS, passage=0.0, path=0.0, note=0.0)
    third = [replace(task, queries=task.queries[::3]) for task in tasks(SAMPLE, (SECTIONS, TYPED))]
    measured = figures(third, sample_home, (CHOSEN_WEIGHTS, without), embedder)
    for kind in (LINKS, "memory"):
        assert measured[CHOSEN_WEIGHTS][SAMPLE, kind] > measured[without][SAMPLE, kind]
