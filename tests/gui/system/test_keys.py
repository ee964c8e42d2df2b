"""The notation of shortcuts, the names of their keys, and which are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QKeySequence

from notesearch.gui.system.global_shortcut import NAMED_KEYS, PROPOSED, Keys, objection, parse_keys


@pytest.mark.parametrize(
    ("text", "read", "keysym"),
    [
        ("Ctrl+Shift+Space", "Ctrl+Shift+Space", "space"),
        ("shift + ctrl + space", "Ctrl+Shift+Space", "space"),
        ("Ctrl+Alt+k", "Ctrl+Alt+K", "k"),
        ("Meta+7", "Meta+7", "7"),
        ("F9", "F9", "F9"),
        ("f24", "F24", "F24"),
        ("Alt+PgUp", "Alt+PgUp", "Page_Up"),
        ("Ctrl+,", "Ctrl+,", "comma"),
        ("Ctrl+-", "Ctrl+-", "minus"),
    ],
)
def test_valid_shortcuts(text: str, read: str, keysym: str) -> None:
    keys = parse_keys(text)
    assert keys is not None
    assert keys.text == read
    assert keys.keysym == keysym


@pytest.mark.parametrize("text", ["", "Ctrl+", "Ctrl", "Hyper+A", "Ctrl++", "F25", "Ctrl+ß", "A+B"])
def test_invalid_shortcuts(text: str) -> None:
    assert parse_keys(text) is None


@given(st.text(max_size=30))
def test_any_text_can_be_parsed(text: str) -> None:
    keys = parse_keys(text)
    assert keys is None or parse_keys(keys.text) == keys


@pytest.mark.parametrize("key", [*NAMED_KEYS, "F1", "F24", "A", "0"])
def test_qt_understands_our_notation(key: str) -> None:
    written = Keys(key, ("Ctrl", "Shift")).text
    read = QKeySequence(written, QKeySequence.SequenceFormat.PortableText)
    assert read.count() == 1
    assert read.toString(QKeySequence.SequenceFormat.PortableText) == written


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PROPOSED, ""),
        ("F9", ""),
        ("Meta+N", ""),
        ("Ctrl+Shift+N", ""),
        ("Ctrl+Alt+Space", ""),
        ("Ctrl+ß", "global shortcut"),
        ("A", "needs Ctrl, Alt"),
        ("Shift+Space", "needs Ctrl, Alt"),
        ("Alt+Space", "opens the window menu"),
        ("Ctrl+Alt+E", "types a character"),
        ("Ctrl+C", "Other programs use"),
    ],
)
def test_bad_choices_are_refused_with_a_reason(text: str, reason: str) -> None:
    told = objection(parse_keys(text))
    assert (reason in told) if reason else told == ""
