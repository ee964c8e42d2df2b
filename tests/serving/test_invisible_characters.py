"""Invisible characters are spelt out; characters that only look unusual stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.note_addresses import without_escapes
from notesearch.serving.served_text import on_one_line, spell_out, spell_out_all


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
def test_invisible_characters_are_spelt_out(text: str, seen: str) -> None:
    assert spell_out(text) == seen


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
def test_characters_that_scripts_and_emoji_need_stay(text: str) -> None:
    assert spell_out(text) == text


def test_a_name_is_one_line() -> None:
    assert on_one_line("a\nb\tc") == "a\\nb\\tc"


def test_a_backslash_of_a_name_cannot_be_mistaken_for_an_escape() -> None:
    assert on_one_line("\\nabla") == "\\nabla"
    assert on_one_line("\\nabla\x07\\q") == "\\x5cnabla\\x07\\q"
    answer = {"path": "\x07\\n.md", "text": "\u200b$\\nabla$"}
    assert spell_out_all(answer) == {"path": "\\x07\\x5cn.md", "text": "\\u200b$\\nabla$"}


@given(st.text(st.sampled_from("\\\\ntrxu05c2\x07\u200b") | st.characters()))
def test_the_escapes_of_a_name_are_taken_back(name: str) -> None:
    assert on_one_line(name) == name or without_escapes(on_one_line(name)) == name


def test_every_string_of_an_answer_is_spelt_out() -> None:
    assert spell_out_all({"a": ["\x00", ("\x01",)], "b": 1}) == {"a": ["\\x00", ["\\x01"]], "b": 1}


@given(st.text(st.characters()))
def test_the_result_can_be_encoded_and_stays_the_same(text: str) -> None:
    seen = spell_out(text)
    assert seen.encode().decode() == seen
    assert spell_out(seen) == seen
