"""What was typed -> terms, phrases and exclusions; every string is a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.search.query import MAX_CHARACTERS, MAX_TERMS, Query, Term, is_stop_word, parse


def shown(query: Query) -> str:
    """Write a parsed query the way the tables below do: phrases quoted, prefixes with a star."""

    def term(one: Term) -> str:
        text = f'"{one.text}"' if one.phrase else one.text
        return f"{text}*" if one.prefix else text

    wanted = [term(one) for one in query.terms]
    return " | ".join([*wanted, *(f"NOT {term(one)}" for one in query.excluded)])


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        # words; the last may go on until a space follows it
        ("kyoto", "kyoto*"),
        ("kyoto ", "kyoto"),
        ("kyoto food", "kyoto | food*"),
        ("  kyoto\t\nfood  ", "kyoto | food"),
        # phrases
        ('"night train"', '"night train"'),
        ('"night train" oslo', '"night train" | oslo*'),
        ('oslo "night train"', 'oslo | "night train"'),
        ('" night  train "', '"night train"'),
        ('""', ""),
        ('"" oslo', "oslo*"),
        # a quote that is not closed yet, and one that never will be
        ('"night tra', '"night tra"*'),
        ('"night train ', '"night train"'),
        ('oslo "', "oslo"),
        ('5" disk', '5" | disk*'),
        ('say "a" "b', 'say | "a" | "b"*'),
        # exclusions
        ("kyoto -food", "kyoto | NOT food"),
        ('kyoto -"night train"', 'kyoto | NOT "night train"'),
        ("-food kyoto", "kyoto* | NOT food"),
        ("-food", "food"),
        ('-"night train"', '"night train"'),
        ("-a -b", "a | b"),
        ("-", "-*"),
        ("a - b", "a | - | b*"),
        ("--flag", "--flag*"),
        ("state-of-the-art", "state-of-the-art*"),
        ("-東京 旅", "旅* | NOT 東京"),
        # what other languages of queries would read as their own
        ("AND OR NOT NEAR(", "AND | OR | NOT | NEAR(*"),
        ("foo:bar c++ 20.04 don't", "foo:bar | c++ | 20.04 | don't*"),
        ("#tag [[link]] a/b.md x@y.z", "#tag | [[link]] | a/b.md | x@y.z*"),
        ("* ^ ( ) { } %", "* | ^ | ( | ) | { | } | %*"),
        # nothing, and less than nothing
        ("", ""),
        ("   ", ""),
        ("\0", ""),
        ("\ud800", ""),
        ("\u202e\u200b\ufeff", ""),
        # what cannot be seen does not count
        ("kyo\0to", "kyo | to*"),
        ("\u202ekyoto\u202c", "kyoto*"),
        ("co\u00adoperate", "cooperate*"),
        ("kyoto\u3000food", "kyoto | food*"),
    ],
)
def test_how_a_query_is_read(typed: str, read: str) -> None:
    assert shown(parse(typed)) == read


@pytest.mark.parametrize(
    ("typed", "telling"),
    [
        ("how do I cook rice", "cook | rice*"),
        ("what is the best tea?", "best | tea?*"),
        ("to be or to be", "to | be | or | to | be*"),
        ("( the", "( | the*"),
        ('"to be" the', '"to be"'),
        ("Where? THE", "Where? | THE*"),
    ],
)
def test_words_too_common_to_tell_sections_apart(typed: str, telling: str) -> None:
    assert shown(Query("", parse(typed).telling)) == telling


@pytest.mark.parametrize(("word", "common"), [("the", True), ("The,", True), ("tea", False)])
def test_stop_words(word: str, *, common: bool) -> None:
    assert is_stop_word(word) == common


def test_what_is_embedded_has_no_signs() -> None:
    assert parse('"night train" oslo -bus').meaning == "night train oslo"


@pytest.mark.parametrize(
    "typed",
    ["a" * 2_000_000, "ab " * 700_000, '"a" ' * 500_000, "-a " * 500_000, "(" * 2000, '"' * 9999],
    ids=lambda typed: f"{typed[:4]!r} {len(typed)}",
)
def test_a_huge_query_is_cut(typed: str) -> None:
    query = parse(typed)
    assert len(query.text) <= MAX_CHARACTERS
    assert len(query.terms) + len(query.excluded) <= MAX_TERMS


@given(st.text(max_size=60) | st.text(alphabet='"- ab', max_size=30))
def test_any_string_is_a_query(typed: str) -> None:
    query = parse(typed)
    assert "\n" not in query.text
    for term in (*query.terms, *query.excluded):
        assert term.text.strip()
        assert term.text.isprintable() or not term.text.isascii()
    assert sum(term.prefix for term in query.terms) <= 1
    assert query.terms or not query.excluded
