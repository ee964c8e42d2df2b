"""Versions sort part by part."""

import pytest

from notesearch.store.conditions import versioned


@pytest.mark.parametrize(
    ("less", "more"),
    [("1.9", "1.10"), ("1.9.9", "1.10"), ("1.9", "v1.9.1"), ("9", "10.1"), ("2.0.1-rc1", "2.1")],
)
def test_a_greater_version_sorts_after_a_lesser_one(less: str, more: str) -> None:
    assert (versioned(less) or "") < (versioned(more) or "")


@pytest.mark.parametrize(("one", "other"), [("2", "2.0"), ("v1.2", "1.2.0"), ("1.0-rc1", "1")])
def test_equal_versions_have_equal_keys(one: str, other: str) -> None:
    assert versioned(one) == versioned(other)


@pytest.mark.parametrize("text", ["", "next", "1.x", "1..2", "2024-11-05 and more", "1" * 10])
def test_other_text_is_not_a_version(text: str) -> None:
    assert versioned(text) in (None, versioned("2024"))
