"""Which parts of a query are complete filters, and which filter is being typed."""

import pytest

from notesearch.gui.widgets.query_edit import QueryState


def state(text: str) -> QueryState:
    """Return the state of ``text``, in which ``|`` stands for the cursor."""
    before, _, after = text.partition("|")
    return QueryState((), before, after)


@pytest.mark.parametrize(
    ("typed", "filters", "text"),
    [
        ("tag:deer |", ("tag:deer",), "|"),
        ("food tag:deer |tofu", ("tag:deer",), "food |tofu"),
        ("tag:de|er tofu", (), "tag:de|er tofu"),
        ("tag:deer|", (), "tag:deer|"),
        ('section:"two words" x|', ('section:"two words"',), "x|"),
        ('"tag:deer is text" x|', (), '"tag:deer is text" x|'),
        ("(tag:a OR tag:b) x|", (), "(tag:a OR tag:b) x|"),
        ("note: after: that|", (), "note: after: that|"),
        ("tag:a tag:b tag:c x|", ("tag:a", "tag:b"), "tag:c x|"),
    ],
)
def test_complete_filters_leave_the_text(typed: str, filters: tuple[str, ...], text: str) -> None:
    parted = state(typed).parted(2)
    assert (parted.filters, f"{parted.before}|{parted.after}") == (filters, text)


@pytest.mark.parametrize(
    ("typed", "begun"),
    [
        ("food tag:tr|", "tag:tr"),
        ("-TAG:|", "-TAG:"),
        ('section:"two wo|', 'section:"two wo'),
        ("tag:tr |", ""),
        ("http://a|", ""),
    ],
)
def test_the_filter_before_the_cursor_may_be_unfinished(typed: str, begun: str) -> None:
    assert state(typed).begun == begun


@pytest.mark.parametrize(
    ("typed", "rest"), [("ta|", "g:"), ("food -PA|", "th:"), ("t|", ""), ("tag|", ""), ("xy|", "")]
)
def test_tab_completes_the_name_of_a_filter(typed: str, rest: str) -> None:
    assert state(typed).rest_of_name == rest


def test_a_query_is_one_line_without_control_characters() -> None:
    assert state("a\r\n\tb\0c|\u2028d").on_one_line() == QueryState((), "a bc", " d")
