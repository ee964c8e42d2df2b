"""The text of a section comes back from its row unchanged, and takes less room there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import IndexDamagedError
from notesearch.store.rows import compress, decompress

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))

RIVER = "Otters fish in the river at dawn, and herons watch them from the bank. "


@given(_TEXT | st.builds(lambda part, times: part * times, _TEXT, st.integers(0, 200)))
def test_text_comes_back_unchanged(text: str) -> None:
    assert decompress(compress(text)) == text


def test_null_stays_null() -> None:
    assert decompress(None) is None


def test_a_long_text_gets_smaller() -> None:
    assert len(compress(RIVER * 3)) < len(RIVER * 3) / 2


@pytest.mark.parametrize("text", ["", "short", "".join(map(chr, range(33, 160)))])
def test_text_that_would_not_get_smaller_is_stored_as_it_is(text: str) -> None:
    assert compress(text) == text


def compressed() -> bytes:
    stored = compress(RIVER * 9)
    assert isinstance(stored, bytes)
    return stored


@pytest.mark.parametrize(
    "stored", [b"", b"no text", compressed()[:-3]], ids=["empty", "text", "cut short"]
)
def test_bytes_that_cannot_be_decompressed_are_damage(stored: bytes) -> None:
    with pytest.raises(IndexDamagedError):
        decompress(stored)
