"""The sum that explains a score can be computed again from what ``search --explain`` prints."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from notesearch.cli.output import why_line
from notesearch.library import NoteLibrary
from tests.indexed import indexed

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

VAULT = {
    "tea.md": "# Tea\n\nLeaves.\n\n## Green tea\n\nAt seventy degrees.\n\n## Black tea\n\nWater.",
    "coffee.md": "# Coffee\n\nNo tea here, but beans and hot water.",
    "log.md": "# Log\n\n## Monday\n\nThe hull by a brush, red.\n\n## Friday\n\nA red-hull brush.",
    "boat.md": "# Boat\n\nVarnish and rope.\n\n## Sails for storms\n\nSmall.\n\n## Sails\n\nRed.",
}
NAMES = {"words", "held", "headings", "passage", "path", "note", "note_words", "pieces"}


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder"
) -> Iterator[NoteLibrary]:
    with indexed(tmp_path_factory.mktemp("explained"), VAULT, embedder) as library:
        yield library


@pytest.mark.parametrize("mode", ["words", "meaning", "hybrid"])
def test_the_printed_sum_is_the_score(library: NoteLibrary, mode: str) -> None:
    sections = library.search("green tea water", mode=mode).sections
    assert sections
    for section in sections:
        total, _, products = why_line(section).rpartition("score ")[2].partition(" = ")
        found = re.findall(r"([\d.]+) (\w+) ([\d.]+)", products)
        assert {name for _, name, _ in found} <= NAMES
        by_hand = sum(float(weight) * float(value) for weight, _, value in found)
        assert by_hand == pytest.approx(float(total), abs=0.01)
        assert all(0 <= float(value) <= 1 for _, _, value in found)


def test_a_score_is_the_same_whatever_else_is_found(library: NoteLibrary) -> None:
    def score(query: str) -> float:
        found = library.search(query, mode="words", limit=50).sections
        return next(s.score for s in found if s.section == "Green tea")

    assert score("path:tea green ") == score("green ")


def test_a_heading_that_says_more_than_the_query_counts_for_less(library: NoteLibrary) -> None:
    found = library.search("boat sails", mode="words").sections
    headings = {
        section.section: one.value
        for section in found
        for one in section.signals
        if one.name == "headings"
    }
    assert headings["Sails"] > headings["Sails for storms"] > 0
