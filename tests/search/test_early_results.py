"""Early results: the ranking comes once the snippets in view are cut, the rest later."""

import time
from collections.abc import Callable

import pytest

from notesearch.errors import SearchCancelledError
from notesearch.library import NoteLibrary
from notesearch.results import SearchResult, View
from tests.search.conftest import LibraryOf

TEXT = "Some *food* stands in each of them, after a few other words."
MANY = {
    f"note {n}.md": "".join(f"# Day {n}.{m}\n\n{TEXT} {'food ' * n}\n\n" for m in range(4))
    for n in range(8)
}
BARE = {"empty.md": "# Trip\n\n## food\n\n# Elsewhere\n\n## Food\n"}


def found(library: NoteLibrary, text: str, view: View) -> tuple[SearchResult, list[SearchResult]]:
    """The final answer, and the early ones."""
    answers: list[SearchResult] = []
    whole = library.search(text, limit=60, per_note=60, early=answers.append, view=view)
    return whole, answers


@pytest.mark.parametrize("text", ["food", "food day", "path:note", "some food -trip"])
@pytest.mark.parametrize("view", [View(5), View(5, per_note=3), View(1)])
def test_the_early_ranking_is_the_final_one(library_of: LibraryOf, text: str, view: View) -> None:
    library = library_of(MANY)
    whole, (early,) = found(library, text, view)
    plain = library.search(text, limit=60, per_note=60)
    assert (whole.sections, whole.total) == (plain.sections, plain.total)
    assert [n.sections for n in whole.notes] == [n.sections for n in plain.notes]
    assert [(s.path, s.line, s.score) for s in early.sections] == [
        (s.path, s.line, s.score) for s in plain.sections
    ]
    in_view = [
        late for late in zip(early.sections, plain.sections, strict=True) if late[0].complete
    ]
    assert len(in_view) == view.sections
    assert all(first == last for first, last in in_view)
    assert not any(s.snippet.text for s in early.sections if not s.complete)


def test_another_search_may_begin_at_an_early_result(library_of: LibraryOf) -> None:
    """The index once counted as damaged then, and was made again."""
    library = library_of(MANY)
    inner: list[int] = []

    def early(_: SearchResult) -> None:
        inner.append(library.search("day").total)

    whole = library.search("food", limit=60, per_note=60, early=early, view=View(1))
    assert (len(whole.sections), inner) == (32, [library.search("day").total])
    assert not library.rebuilt


def test_the_view_of_a_grouped_list_is_the_first_sections_of_each_note(
    library_of: LibraryOf,
) -> None:
    _, (early,) = found(library_of(MANY), "food", View(7, per_note=3))
    complete = [sum(section.complete for section in note.sections) for note in early.notes]
    assert complete[:4] == [3, 3, 1, 0]
    _, (early,) = found(library_of(MANY), "food", View(7))
    assert [section.complete for section in early.sections] == [True] * 7 + [False] * 25


def test_a_section_without_text_is_complete_early(library_of: LibraryOf) -> None:
    _, (early,) = found(library_of(MANY | BARE), "food", View(1))
    answers = {section.path: section for section in early.sections}
    assert answers["empty.md"].complete
    assert not answers["empty.md"].snippet.text


def test_a_list_that_fits_into_the_view_comes_once(library_of: LibraryOf) -> None:
    whole, answers = found(library_of(MANY), "food", View(32))
    assert (len(whole.sections), answers) == (32, [])


def test_the_early_ranking_comes_long_before_all_snippets_are_cut(library_of: LibraryOf) -> None:
    text = "Nothing much is said here, and it is said at length. " * 20
    library = library_of(
        {f"note {n}.md": f"# Day {n}\n\n{text}\n\n{text} food\n" for n in range(120)}
    )
    early, whole = [], []
    for _ in range(5):
        began = time.thread_time()
        library.search(
            "food",
            limit=120,
            per_note=1,
            mode="words",
            early=lambda _, began=began: early.append(time.thread_time() - began),  # type: ignore[misc]
            view=View(12),
        )
        whole.append(time.thread_time() - began)
    assert min(early) < 0.5 * min(whole)


@pytest.mark.parametrize("after", [0, 1, 9])
def test_a_cancelled_search_cuts_no_more_snippets(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    cut: list[None] = []
    _count_cuts(monkeypatch, lambda: cut.append(None))
    with pytest.raises(SearchCancelledError):
        library_of(MANY).search(
            "food", limit=60, per_note=60, cancelled=lambda: len(cut) >= after if after else True
        )
    assert len(cut) == after


def test_a_newer_query_after_the_early_ranking_cancels_the_rest(
    library_of: LibraryOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[None] = []
    answers: list[SearchResult] = []
    _count_cuts(monkeypatch, lambda: cut.append(None))
    with pytest.raises(SearchCancelledError):
        library_of(MANY).search(
            "food",
            limit=60,
            per_note=60,
            cancelled=lambda: bool(answers),
            early=answers.append,
            view=View(6),
        )
    assert len(cut) == 6


def _count_cuts(monkeypatch: pytest.MonkeyPatch, count: Callable[[], None]) -> None:
    from notesearch.search import presentation

    cutting = presentation.section_result

    def counted(*of: object) -> object:
        count()
        return cutting(*of)  # type: ignore[arg-type]

    monkeypatch.setattr(presentation, "section_result", counted)
