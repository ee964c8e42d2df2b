"""Parameters that are filters become filters of the query language."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from notesearch.errors import ParameterError
from notesearch.search.query import parse
from notesearch.serving.parameters import (
    Filters,
    ReadArguments,
    ReadSeveralArguments,
    RelatedArguments,
)

VAULT = Path(__file__).resolve().parent


@pytest.mark.parametrize(
    ("filters", "query"),
    [
        (Filters(), "boat"),
        (Filters(path="travel/japan"), 'path:"travel/japan" boat'),
        (Filters(tags=["#a", "b c"]), 'tag:"a" tag:"b c" boat'),
        (Filters(section="two words"), 'section:"two words" boat'),
        (Filters(property="status"), 'prop:"status" boat'),
        (Filters(property="status=mr holt"), 'prop:"status"="mr holt" boat'),
        (Filters(property="budget >= 5"), 'prop:"budget">="5" boat'),
        (Filters(after="7d", before="2026-04"), 'after:"7d" before:"2026-04" boat'),
        (Filters(path='a" OR tag:x "b'), 'path:"a  OR tag:x  b" boat'),
    ],
)
def test_each_parameter_becomes_one_filter(filters: Filters, query: str) -> None:
    assert filters.query_with_filters("boat", VAULT) == query


def test_the_path_of_a_folder_means_that_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "git" / "hub").mkdir(parents=True)
    for path in ("git", "git/", "./git", str(tmp_path / "git")):
        assert Filters(path=path).query_with_filters("boat", tmp_path) == 'path:"/git/" boat'
    assert Filters(path="git/hub").query_with_filters("", tmp_path) == 'path:"/git/hub/" '
    for path in ("hub", "../git", "gi"):
        assert Filters(path=path).query_with_filters("", tmp_path) == f'path:"{path}" '


@pytest.mark.parametrize(
    ("below", "query"),
    [
        ("/travel/Trip to Japan.md", 'path:"/travel/Trip to Japan.md" boat'),
        ("/travel/", 'path:"/travel/" boat'),
        ("/../serving/travel", 'path:"/travel" boat'),
        ("", "boat"),
        ("/", "boat"),
        ("-old/travel", f'path:"{VAULT}-old/travel" boat'),
    ],
)
def test_an_absolute_path_is_made_relative_to_the_folder(below: str, query: str) -> None:
    assert Filters(path=f"{VAULT}{below}").query_with_filters("boat", VAULT) == query


@pytest.mark.parametrize("name", ["after", "before"])
@pytest.mark.parametrize("text", ["garbage", "2026-99-99", "the day we met", " "])
def test_an_invalid_date_is_refused(name: str, text: str) -> None:
    with pytest.raises(ParameterError, match="is not a date"):
        Filters.model_validate({name: text})


@pytest.mark.parametrize("text", ["2026", "2026-04", "2026-04-12", "7d", "yesterday", "", None])
def test_dates_are_written_as_in_a_query(text: str | None) -> None:
    assert Filters(after=text, before=text)


def test_a_single_tag_need_not_be_a_list() -> None:
    assert Filters.model_validate({"tags": "boat"}).tags == ["boat"]


@pytest.mark.parametrize("given", ["boats", ["boats"], '["boats"]', ' ["boats"] '])
def test_a_single_text_may_be_a_list(given: object) -> None:
    assert Filters.model_validate({"path": given}).path == "boats"


@pytest.mark.parametrize("given", ["Kyoto/Food", ["Kyoto", "Food"], '["Kyoto", "Food"]'])
def test_a_section_may_be_the_path_of_an_answer(given: object) -> None:
    arguments = {"path": "japan", "section": given}
    assert ReadArguments.model_validate(arguments).section == "Kyoto/Food"
    assert RelatedArguments.model_validate(arguments).section == "Kyoto/Food"


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ("japan#Food", "japan#Food"),
        ({"path": "japan", "section": "Kyoto/Food"}, "japan#Kyoto/Food"),
        ({"path": "japan:3-7", "section": None}, "japan:3-7"),
    ],
)
def test_a_place_may_have_the_form_of_a_single_read(given: object, place: str) -> None:
    assert ReadSeveralArguments.model_validate({"places": [given]}).places == [place]


@pytest.mark.parametrize("given", [{}, {"note": "japan"}, {"path": 3}])
def test_a_place_without_a_path_is_refused(given: object) -> None:
    with pytest.raises(ValidationError):
        ReadSeveralArguments.model_validate({"places": [given]})


@pytest.mark.parametrize(
    "query", ['"boat', "boat OR", "OR boat", "OR", "-(boat", "(boat OR", "boat " * 40, 'a:"', ""]
)
def test_filters_hold_whatever_the_query_says(query: str) -> None:
    read = parse(Filters(path="travel").query_with_filters(query, VAULT))
    assert read.required[0] == parse('path:"travel"').required[0]


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_blank_filters_are_ignored(blank: str) -> None:
    filters = Filters(path=blank, section=blank, property=blank, tags=[blank, "#"])
    assert filters.query_with_filters("boat", VAULT) == "boat"


@pytest.mark.parametrize("path", [".", "./", "/", "\\", "*", "**/*", "./**"])
def test_the_whole_folder_is_no_filter(path: str) -> None:
    assert Filters(path=path).query_with_filters("boat", VAULT) == "boat"


@pytest.mark.parametrize("name", ["path", "section", "property", "tags"])
@pytest.mark.parametrize("text", ["-", "=", "…", "?!"])
def test_filters_without_a_word_are_refused(name: str, text: str) -> None:
    with pytest.raises(ParameterError, match=f"“{name}” has no name or word to filter by"):
        Filters.model_validate({name: text})
