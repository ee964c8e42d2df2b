"""Filters that a program names one by one become those of the query's language."""

import pytest

from notesearch.serving.asked import Filters


@pytest.mark.parametrize(
    ("filters", "query"),
    [
        (Filters(), "boat"),
        (Filters(path="travel/japan"), 'boat path:"travel/japan"'),
        (Filters(tags=["#a", "b c"]), 'boat tag:"a" tag:"b c"'),
        (Filters(section="two words"), 'boat section:"two words"'),
        (Filters(property="status"), 'boat prop:"status"'),
        (Filters(property="status=mr holt"), 'boat prop:"status"="mr holt"'),
        (Filters(property="budget >= 5"), 'boat prop:"budget">="5"'),
        (Filters(after="7d", before="2026-04"), 'boat after:"7d" before:"2026-04"'),
        (Filters(path='a" OR tag:x "b'), 'boat path:"a  OR tag:x  b"'),
    ],
)
def test_each_becomes_one_filter(filters: Filters, query: str) -> None:
    assert filters.narrowing("boat") == query
