"""Parsing: terms, phrases and exclusions; every string is a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.results import LONGEST_QUERY
from notesearch.search.query import MAX_TERMS, Query, is_stop_word, parse
from tests.search.query_text import TODAY, shown


@pytest.mark.fault("F1, F2")
@pytest.mark.parametrize(
    ("typed", "read"),
    [
        # words; the last is unfinished until a space follows it
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
        # an unclosed quote, and a quote inside a word
        ('"night tra', '"night tra"*'),
        ('"night train ', '"night train"'),
        ('oslo "', "oslo"),
        ('5" disk', '5" | disk*'),
        ('say "a" "b', 'say | "a" | "b"*'),
        ('author:"ann lee" food', 'author:"ann lee" | food*'),
        # an asterisk inside a word
        ("wom*n food ", "wom*n | food"),
        ("a*b 2*345 **all** ", "a*b | 2*345 | **all**"),
        # exclusions
        ("kyoto -food", "kyoto | ! NOT food"),
        ('kyoto -"night train"', 'kyoto | ! NOT "night train"'),
        ("-food kyoto", "kyoto* | ! NOT food"),
        ("-food", "food"),
        ('-"night train"', '"night train"'),
        ("-tar -rope", "tar | rope"),
        # options of a command
        ("-a -b", "-a | ! NOT b"),
        ("tar -x (boat -u) ", "tar | boat | ! NOT x | ! NOT u"),
        ("docker run -it -u -x1 ", "docker | run | -it | ! NOT u | ! NOT x1"),
        # a negative amount
        ("frost -2 °C ", "frost | -2 | °C"),
        ("frost -12.5° sale -20% ", "frost | -12.5° | sale | -20%"),
        ("boat -é -1 -木 ", "boat | ! NOT é | ! NOT 1 | ! NOT 木"),
        ("-", "-*"),
        ("a - b", "a | - | b*"),
        ("--flag", "--flag*"),
        ("state-of-the-art", "state-of-the-art*"),
        ("-東京 旅", "旅* | ! NOT 東京"),
        # operators of other query languages
        ("AND OR NOT NEAR(", "AND / NOT | NEAR(*"),
        ("AND NOT NEAR(", "AND | NOT | NEAR(*"),
        ("foo:bar c++ 20.04 don't", "foo:bar | c++ | 20.04 | don't*"),
        ("#tag [[link]] a/b.md x@y.z", "#tag | [[link]] | a/b.md | x@y.z*"),
        ("* ^ ( ) { } %", "* | ^ | ( | ) | { | } | %*"),
        ("tag:npc AND tag:villain", "! tag:npc | ! tag:villain"),
        ("kyoto AND food", "kyoto | food*"),
        # an operator whose right side is still to come
        ("kyoto AND ", "kyoto"),
        ("kyoto AND", "kyoto"),
        ("kyoto NOT", "kyoto"),
        ("kyoto OR", "kyoto"),
        ('"night train" OR ', '"night train"'),
        ("(kyoto OR osaka) NOT ", "kyoto / osaka"),
        ("kyoto OR osaka OR", "kyoto / osaka"),
        ("kyoto NOT food", "kyoto | ! NOT food"),
        ("kyoto AND NOT tag:food ", "kyoto | ! NOT tag:food"),
        ('kyoto NOT "night train" NOT (a OR b)', 'kyoto | ! NOT "night train" | ! NOT a | ! NOT b'),
        ("kyoto AND -food ", "kyoto | ! NOT food"),
        ("(kyoto NOT) food", "kyoto | NOT | food*"),
        # words in capitals are texts
        ("create table IF NOT EXISTS ", "create | table | IF | NOT | EXISTS"),
        ("do NOT ENTER ", "do | NOT | ENTER"),
        ("column NOT NULL ", "column | NOT | NULL"),
        ("NOT food ", "NOT | food"),
        ("NOT tag:food ", "! NOT tag:food"),
        ("kyoto OR NOT tag:food", "! kyoto / NOT tag:food"),
        ("NASA NOT moon ", "NASA | ! NOT moon"),
        # alternatives: OR joins its two neighbours
        ("kyoto OR osaka", "kyoto / osaka*"),
        ("kyoto OR osaka OR nara ", "kyoto / osaka / nara"),
        ("food kyoto OR osaka map", "food | kyoto / osaka | map*"),
        ('"night train" OR bus ', '"night train" / bus'),
        ("OR kyoto", "OR | kyoto*"),
        ("a OR OR b", "a | OR / b*"),
        ("kyoto or osaka", "kyoto | or | osaka*"),
        # parentheses
        ("(kyoto OR osaka) food", "kyoto / osaka | food*"),
        ("(kyoto food)", "kyoto | food"),
        ("(night train) OR bus ", "night / bus | train / bus"),
        ("((kyoto))", "kyoto"),
        ("kyoto -(food OR drink)", "kyoto | ! NOT food | ! NOT drink"),
        ("kyoto -(food drink)", "kyoto | ! NOT food / NOT drink"),
        ("f(x) (a f(y))", "f(x) | a | f(y)"),
        # unclosed, unopened and empty parentheses
        ("(kyoto", "(kyoto*"),
        ("kyoto) food", "kyoto) | food*"),
        ("(a (b OR c) ", "(a | b / c"),
        ("() a", "() | a*"),
        (":-) (-:", ":-) | (-:*"),
        # prefixes
        ("recip* ", "recip*"),
        ('"night tr"* ', '"night tr"*'),
        ("* a*b **bold** ", "* | a*b | **bold**"),
        ("kyoto -foo* ", "kyoto | ! NOT foo*"),
        # filters, and words that only look like filters
        ("path:travel kyoto", "kyoto* | ! path:travel"),
        ('PATH:"a b" kyoto', 'kyoto* | ! PATH:"a b"'),
        ("-tag:work", "! NOT tag:work"),
        ("tag:a OR tag:b", "! tag:a / tag:b"),
        ("tag:a OR", "! tag:a"),
        ("tag:a OR ", "! tag:a"),
        ("(tag:a OR tag:b) food ", "food | ! tag:a / tag:b"),
        ("-(tag:a tag:b) food ", "food | ! NOT tag:a / NOT tag:b"),
        ("kyoto OR tag:a food ", "food | ! kyoto / tag:a"),
        ('path:"trip to', '! path:"trip to'),
        ('prop:"due date">=2026-04', '! prop:"due date">=2026-04'),
        ("tag: food ", "tag: | food"),
        ("task:maybe has:wings ", "task:maybe | has:wings"),
        ("before:dinner after: ", "before:dinner | after:"),
        ("foo:bar https://x.org ", "foo:bar | https://x.org"),
        ("-food tag:a", "! NOT food | ! tag:a"),
        # empty queries
        ("", ""),
        ("   ", ""),
        ("\0", ""),
        ("\ud800", ""),
        ("\u202e\u200b\ufeff", ""),
        # invisible characters do not count
        ("kyo\0to", "kyo | to*"),
        ("\u202ekyoto\u202c", "kyoto*"),
        ("co\u00adoperate", "cooperate*"),
        ("kyoto\u3000food", "kyoto | food*"),
    ],
)
def test_parsing(typed: str, read: str) -> None:
    assert shown(parse(typed, TODAY)) == read


@pytest.mark.parametrize(
    ("typed", "without"),
    [
        ("rm -rf x", ("rf",)),
        ('boat -"two words" -paint -paint', ("two words", "paint")),
        ("boat -(paint OR tar)", ("paint", "tar")),
        ("boat -tag:work", ()),
        ("-rf", ()),
        ("boat (tea OR -milk)", ()),
    ],
)
def test_excluded_words(typed: str, without: tuple[str, ...]) -> None:
    assert parse(f"{typed} ", TODAY).excluded == without


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ("how do I cook rice", "cook | rice*"),
        ("what is the best tea?", "best | tea?"),
        ("tea and/or coffee", "tea | coffee*"),
        ("and/or", "and/or*"),
        ("to be or to be", "to | be | or | to | be*"),
        ("( the", "( | the*"),
        ('"to be" the', '"to be"'),
        ("Where? THE", "Where? | THE*"),
        ("why don't cats’ eyes shine", "cats’ | eyes | shine*"),
        ("what’s Anna's tea", "Anna's | tea*"),
        ("can't", "can't*"),
    ],
)
def test_stop_words_are_left_out_of_the_content(typed: str, content: str) -> None:
    query = parse(typed)
    assert shown(Query("", query.content)) == content


@pytest.mark.parametrize(("word", "common"), [("the", True), ("The,", True), ("tea", False)])
def test_stop_words(word: str, *, common: bool) -> None:
    assert is_stop_word(word) == common


def test_the_embedded_text_has_no_operators() -> None:
    text = '"night train" (oslo OR bergen*) -bus -(tram OR taxi) path:travel tag:x'
    assert parse(text).plain_text == "night train oslo bergen"


@pytest.mark.fault("F5")
@pytest.mark.parametrize(
    "typed",
    ["a" * 2_000_000, "ab " * 700_000, '"a" ' * 500_000, "-a " * 500_000, "(" * 2000, '"' * 9999],
    ids=lambda typed: f"{typed[:4]!r} {len(typed)}",
)
def test_a_huge_query_is_truncated(typed: str) -> None:
    query = parse(typed)
    assert len(query.text) <= LONGEST_QUERY
    assert len(query.terms) + len(query.required) <= MAX_TERMS


def test_the_beginning_and_the_end_of_a_long_query_count() -> None:
    frames = "".join(f'  File "/usr/lib/run{n}.py", line {n}, in (run)\n' for n in range(60))
    terms = [term.text for term in parse(f"Traceback\n{frames}Refused: no harbour ").terms]
    assert (terms[0], terms[-2:], len(terms) <= MAX_TERMS) == ("Traceback", ["no", "harbour"], True)
    words = parse(f"({' '.join(f'a{n}' for n in range(20))}) OR ({'b ' * 20}) -(c last) ").text
    assert words.endswith("last)")
    phrase = " ".join(f"w{n}" for n in range(60))
    assert parse(f'"{phrase}" oak ').plain_text == f"{phrase} oak"


def test_a_minus_in_a_long_query_excludes_only_the_word_after_it() -> None:
    half = MAX_TERMS // 2
    words = [f"word{number}" for number in range(MAX_TERMS + 8)]
    for negated, excluded in ((half, ()), (-half, (words[-half],))):
        query = parse(" ".join([*words[:negated], f"-{words[negated]}", *words[negated:][1:]]))
        assert query.excluded == excluded


@pytest.mark.fault("F6")
@given(st.text(max_size=60) | st.text(alphabet='"- ab', max_size=30))
def test_any_string_is_a_query(typed: str) -> None:
    query = parse(typed)
    assert "\n" not in query.text
    for term in query.terms:
        assert term.text.strip()
        assert term.text.isprintable() or not term.text.isascii()
    assert sum(term.prefix for term in query.terms) <= 1 + typed.count("*")
    assert query.terms or not query.required


@pytest.mark.parametrize(
    ("typed", "embedded"),
    [
        ("(kyoto", "kyoto"),
        ("kyoto) food", "kyoto food"),
        ("use(state", "use state"),
        ("f(x) (a f(y)", "f(x) a f(y)"),
        ('5" disk', "5 disk"),
        ('5") disk', "5 disk"),
        ('("oak" ash', "oak ash"),
        ('say "a" "b', "say a b"),
        ("(", ""),
    ],
)
def test_the_embedded_text_has_no_unpaired_signs(typed: str, embedded: str) -> None:
    assert parse(typed).plain_text == embedded
