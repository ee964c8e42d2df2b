"""The line above the results."""

import pytest

from notesearch.gui.results.results_pane import found_text
from notesearch.results import SearchResult
from notesearch.status import Phase, Progress
from tests.gui.sample_results import note, result

TWO = (note("a.md", "x", "y"), note("b.md", "z"))
COUNTING = Progress(Phase.WORDS, 431, 1204)


@pytest.mark.parametrize(
    ("found", "progress", "text"),
    [
        (result("q"), None, ""),
        (result("q", note("a.md", "x")), None, "1 section in 1 note"),
        (result("q", *TWO), None, "3 sections in 2 notes"),
        (result("q", *TWO, total=1304), None, "1,304 sections, the first 3 in 2 notes"),
        (result("q", *TWO), COUNTING, "3 sections so far · 431 of 1,204 notes"),
        (result("q", *TWO), Progress(Phase.SCAN), "3 sections so far"),
        (result("q", *TWO), Progress(Phase.MEANING, 1, 2), "3 sections in 2 notes"),
    ],
)
def test_result_counts(found: SearchResult, progress: Progress | None, text: str) -> None:
    assert found_text(found, progress) == text
