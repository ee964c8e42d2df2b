"""Names compared with a query: equal to the letter, in other forms of its words, or different."""

import pytest

from notesearch.search.ranking import NameMatcher
from tests.search.conftest import Holding


@pytest.mark.parametrize(
    ("query", "name", "exactness"),
    [
        ("weeds", "Weeds", 2),
        ("weeds", "Weeding", 1),
        ("weeds", "The weeds", 0),
        ("happy hours", "Happy hour", 1),
        ("happiness", "Happy", 1),
        ("Café Müller", "cafe muller", 1),
        ("cafe muller", "Café Müller", 1),
        ("straße", "Strasse", 2),
        ("c++", "C", 1),
        ("v-bind", "v-bind", 2),
        ("京都", "京都", 2),
        ("京都", "京都 (2)", 0),
    ],
)
def test_likeness(holding: Holding, query: str, name: str, exactness: int) -> None:
    assert NameMatcher(query, holding("Some text.")).exactness(["Other", name]) == exactness


def test_nothing_to_compare_by(holding: Holding) -> None:
    assert not NameMatcher("?!", holding("Some text."))
