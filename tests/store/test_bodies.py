"""The text of a section comes back from its row as it was, and takes less room there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import IndexDamagedError
from notesearch.store.bodies import packed, unpacked

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(_TEXT | st.builds(lambda part, times: part * times, _TEXT, st.integers(0, 200)))
def test_comes_back_as_it_was(text: str) -> None:
    assert unpacked(packed(text)) == text


def test_a_long_text_is_packed() -> None:
    text = "Otters fish in the river at dawn, and herons watch them from the bank. " * 3
    assert len(packed(text)) < len(text) / 2


@pytest.mark.parametrize("text", ["", "short", "".join(map(chr, range(33, 160)))])
def test_what_would_not_get_smaller_stays(text: str) -> None:
    assert packed(text) == text


@pytest.mark.parametrize("stored", [b"", b"no text", packed("a" * 1000)[:-3]])
def test_what_cannot_be_read_is_damage(stored: bytes) -> None:
    with pytest.raises(IndexDamagedError):
        unpacked(stored)
