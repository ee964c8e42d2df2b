"""The text of a section comes back from its row as it was, and takes less room there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import IndexDamagedError
from notesearch.store.bodies import LONGEST, Dictionary, Packer, Unpacker

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))

RIVER = "Otters fish in the river at dawn, and herons watch them from the bank. "
NONE = Dictionary()
OF_RIVERS = Dictionary(7, RIVER.encode())
AS_LONG_AS_IT_MAY_BE = Dictionary(255, (RIVER * 1000).encode()[:LONGEST])
DICTIONARIES = (NONE, OF_RIVERS, AS_LONG_AS_IT_MAY_BE)


def unpacked(stored: str | bytes | None, *known: Dictionary) -> str | None:
    return Unpacker({each.number: each.content for each in known}.__getitem__).unpacked(stored)


@given(_TEXT | st.builds(lambda part, times: part * times, _TEXT, st.integers(0, 200)))
def test_comes_back_as_it_was(text: str) -> None:
    for dictionary in DICTIONARIES:
        assert unpacked(Packer(dictionary).packed(text), *DICTIONARIES) == text


def test_nothing_stays_nothing() -> None:
    assert unpacked(None) is None


def test_a_long_text_is_packed() -> None:
    assert len(Packer(NONE).packed(RIVER * 3)) < len(RIVER * 3) / 2


def test_what_others_say_too_takes_hardly_any_room() -> None:
    text = "At noon otters fish in the river, and herons watch them from the bank."
    assert len(Packer(OF_RIVERS).packed(text)) < len(Packer(NONE).packed(text)) / 2


def test_what_a_text_was_packed_after_is_looked_up_once() -> None:
    asked: list[int] = []

    def content(number: int) -> bytes:
        asked.append(number)
        return OF_RIVERS.content

    unpacker = Unpacker(content)
    for _ in range(3):
        assert unpacker.unpacked(packed(OF_RIVERS)) == RIVER * 9
    assert asked == [7]


def test_one_text_after_another_is_packed_as_if_alone() -> None:
    packer = Packer(OF_RIVERS)
    first = packer.packed(RIVER * 2)
    packer.packed("Of something else altogether, at some length, as it is with notes. " * 9)
    assert packer.packed(RIVER * 2) == first


def test_a_huge_text_is_packed_in_portions() -> None:
    asked: list[None] = []
    text = RIVER * 10_000
    packed = Packer(OF_RIVERS).packed(text, lambda: asked.append(None))
    assert len(asked) == 6
    assert unpacked(packed, OF_RIVERS) == text


@pytest.mark.parametrize("text", ["", "short", "".join(map(chr, range(33, 160)))])
def test_what_would_not_get_smaller_stays(text: str) -> None:
    assert Packer(NONE).packed(text) == text


def packed(dictionary: Dictionary) -> bytes:
    found = Packer(dictionary).packed(RIVER * 9)
    assert isinstance(found, bytes)
    return found


@pytest.mark.parametrize(
    "stored",
    [b"", b"no text", packed(NONE)[:-3], packed(OF_RIVERS)[:-3], packed(AS_LONG_AS_IT_MAY_BE)],
    ids=["empty", "text", "cut short", "cut short, after a dictionary", "after one that is gone"],
)
def test_what_cannot_be_read_is_damage(stored: bytes) -> None:
    with pytest.raises(IndexDamagedError):
        unpacked(stored, OF_RIVERS)
