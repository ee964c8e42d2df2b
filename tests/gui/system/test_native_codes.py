"""The key codes for Windows and macOS; nothing here was run on these systems."""

import string

import pytest

from notesearch.gui.system import native_shortcuts
from notesearch.gui.system.global_shortcut import MODIFIERS, NAMED_KEYS, Keys


@pytest.mark.parametrize(
    ("key", "on_windows", "on_macos"),
    [
        ("A", 0x41, 0x00),
        ("N", 0x4E, 0x2D),
        ("0", 0x30, 0x1D),
        ("Space", 0x20, 0x31),
        ("F1", 0x70, 0x7A),
        ("F12", 0x7B, 0x6F),
        ("F24", 0x87, None),
        (",", 0xBC, 0x2B),
        ("Pause", 0x13, None),
    ],
)
def test_key_codes(key: str, on_windows: int, on_macos: int | None) -> None:
    keys = Keys(key, ("Ctrl",))
    assert native_shortcuts.windows_code(keys) == on_windows
    assert native_shortcuts.mac_code(keys) == on_macos


def test_key_codes_are_unique() -> None:
    every = [Keys(key, ()) for key in (*string.ascii_uppercase, *string.digits, *NAMED_KEYS)]
    assert len({native_shortcuts.windows_code(keys) for keys in every}) == len(every)
    known = [code for keys in every if (code := native_shortcuts.mac_code(keys)) is not None]
    assert len(set(known)) == len(known)


def test_each_modifier_has_its_own_bit() -> None:
    for held in (native_shortcuts.WINDOWS_MODIFIERS, native_shortcuts.MAC_MODIFIERS):
        assert set(held) == set(MODIFIERS)
        assert len(set(held.values())) == 4
