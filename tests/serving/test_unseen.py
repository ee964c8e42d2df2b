"""What is invisible in a text is spelt out; what merely looks unusual stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.serving.unseen import all_shown, on_one_line, shown


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain, with\ttabs\nand lines", "plain, with\ttabs\nand lines"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\ufeffmark", "\\ufeffmark"),
        ("soft\xadhyphen", "soft\\xadhyphen"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("tags: \U000e0049\U000e0067", "tags: \\U000e0049\\U000e0067"),
        ("a\ufe00\ufe01\ufe02", "a\\ufe00\\ufe01\\ufe02"),
        ("❤\ufe0f\ufe0e\U000e0101", "❤\ufe0f\\ufe0e\\U000e0101"),
        ("a\u200db", "a\\u200db"),
        ("lone \ud800", "lone \\ud800"),
        ("\u3164", "\\u3164"),
        ("line\u2028end", "line\\u2028end"),
    ],
)
def test_what_is_invisible_is_spelt_out(text: str, seen: str) -> None:
    assert shown(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "Möwe 🕊",
        "👨\u200d👩\u200d👧",
        "1\ufe0f⃣",
        "❤\ufe0f",
        "می\u200cخواهم",
        "क्\u200dष",
        "日本語　です",
    ],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert shown(text) == text


def test_a_name_is_one_line() -> None:
    assert on_one_line("a\nb\tc") == "a\\nb\\tc"


def test_every_string_of_an_answer_is_shown() -> None:
    assert all_shown({"a": ["\x00", ("\x01",)], "b": 1}) == {"a": ["\\x00", ["\\x01"]], "b": 1}


@given(st.text(st.characters()))
def test_what_is_shown_can_be_written_and_stays_as_it_is(text: str) -> None:
    seen = shown(text)
    assert seen.encode().decode() == seen
    assert shown(seen) == seen
