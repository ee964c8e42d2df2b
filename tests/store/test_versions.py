"""Versions in their order."""

import pytest

from notesearch.store.versions import versioned


@pytest.mark.parametrize(
    ("less", "more"),
    [("1.9", "1.10"), ("1.9.9", "1.10"), ("1.9", "v1.9.1"), ("9", "10.1"), ("2.0.1-rc1", "2.1")],
)
def test_a_version_comes_after_another(less: str, more: str) -> None:
    assert (versioned(less) or "") < (versioned(more) or "")


@pytest.mark.parametrize(("one", "other"), [("2", "2.0"), ("v1.2", "1.2.0"), ("1.0-rc1", "1")])
def test_the_same_version(one: str, other: str) -> None:
    assert versioned(one) == versioned(other)


@pytest.mark.parametrize("text", ["", "next", "1.x", "1..2", "2024-11-05 and more", "1" * 10])
def test_no_version(text: str) -> None:
    assert versioned(text) in (None, versioned("2024"))
