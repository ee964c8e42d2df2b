"""Filters that a program names one by one become those of the query's language."""

import pytest
from pydantic import ValidationError

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


@pytest.mark.parametrize("name", ["after", "before"])
@pytest.mark.parametrize("text", ["garbage", "2026-99-99", "the day we met", " "])
def test_what_is_no_date_is_refused(name: str, text: str) -> None:
    with pytest.raises(ValidationError, match="This is no date"):
        Filters.model_validate({name: text})


@pytest.mark.parametrize("text", ["2026", "2026-04", "2026-04-12", "7d", "yesterday", "", None])
def test_dates_are_taken_as_in_a_query(text: str | None) -> None:
    assert Filters(after=text, before=text)


def test_one_tag_may_be_given_as_it_is() -> None:
    assert Filters.model_validate({"tags": "boat"}).tags == ["boat"]
