"""The words of a text that a query marks; ``[…]`` shows the marks."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notesearch.search.patterns import Punctuation
from notesearch.search.query import parse
from notesearch.search.query_resolution import build_patterns
from notesearch.search.search import matches
from notesearch.search.snippets import merged
from tests.search.conftest import ReaderOf


def marked(query: str, text: str, reader_of: ReaderOf) -> str:
    """Return ``text`` with the marks of ``query``, in an index of just this text."""
    found = matches(reader_of(text), query, text)
    shown, at = "", 0
    for start, end in found:
        shown += f"{text[at:start]}[{text[start:end]}]"
        at = end
    return shown + text[at:]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        # whole words in any form
        ("market ", "The [Market], the [markets]; a supermarket"),
        ("cooking ", "[Cook] what is [cooked]; the [cooking] of a cookie"),
        ("cafe ", "[Café] and [CAFÉ]"),
        ("naïve", "a [naive] one"),
        ("fine office", "a [ﬁne] [oﬃce]"),
        ("2024", "in [２０２４]"),
        ("я ", "[я] не знаю"),
        # an unfinished word
        ("mark", "The [Market], the [marks]; a supermarket"),
        ("cook", "[Cook] a [cookie]"),
        ("cooking", "[Cook] what is [cooked]; no cookie"),
        ("cookin", "[Cook] what is [cooked]; [cooking]"),
        ("runni", "[run] and [running]"),
        ("happines", "[happy] and [happiness]"),
        ("universit", "the [university]"),
        ("organis", "an [organisation]"),
        ("dres", "a [dress], no dream"),
        ("k", "[Kyoto] is in Japan: [kaiseki]"),
        # but not if the index has it as a complete word
        ("opera", "an [opera], no operation"),
        ("wine", "the [wine] we win"),
        ("care", "take [care] of the car"),
        ("taxi ", "a [taxi], no tax"),
        ("taxi", "a [taxi], no tax"),
        # more than one word; common words mark nothing
        ("kyoto food", "[Food] in [Kyoto] is [food]"),
        ("the food in kyoto", "[Food] in the [Kyoto] of the north"),
        ("to be", "[to] [be] or not [to] [be]"),
        # phrases
        ('"night train"', "a [night train], a night, a train"),
        ('"night train"', "[night-train] by night"),
        ('"night trains"', "the [night train]"),
        ('"night tra', "a [night train] or [night trams] at night"),
        ('"in the"', "Lunch [in the] park, in fact"),
        ('"night train" oslo', "[night train] to [Oslo]"),
        # runs of words and signs
        ("state-of-the-art", "a [state-of-the-art] thing"),
        ("state-of-the-art", "the [art] of the [state]"),
        ("state-of-the-ar", "a [state-of-the-art] thing"),
        ("notes/japan.md", "see [notes/japan.md] or the notes"),
        ("don't ", "We [don’t] and [don't]"),
        ("c++ ", "in [C++] or C, not in cc"),
        ("c++ ", "in [C] alone, not in cc"),
        ("5%", "some [5%] or [5].2, not 15"),
        # excluded words mark nothing
        ("kyoto -food", "[Kyoto] food"),
        # scripts without spaces
        ("京都", "東[京都]へ。[京都]"),
        ("東京都", "[東京都]、東京"),
        ("東京タ", "[東京タ]ワー"),
        ("京", "東[京]都と[京]都"),
        ("都 ", "東京[都]"),
        ("使用Python", "他[使用Python]入門"),
        ("Python入門", "使用[Python入門]書"),
        ('"入門 Python"', "[入門Python]"),
        ("ガラス", "[ｶﾞﾗｽ]の"),
        ("ไทย", "ภาษา[ไทย]"),
        ("한국", "[한국]어"),
        # no marks
        ("", "anything"),
        ("?!", "what?!"),
        ("zebra", "no such animal"),
    ],
)
def test_marks(query: str, text: str, reader_of: ReaderOf) -> None:
    plain = text.replace("[", "").replace("]", "")
    assert marked(query, plain, reader_of) == text


def test_a_single_character_matches_inside_a_word(reader_of: ReaderOf) -> None:
    assert marked("食", "和食と食べ物", reader_of) == "和[食]と[食]べ物"


@pytest.mark.parametrize(
    ("indexed", "typed", "guessed"),
    [
        ("an operation", "operati", {"oper"}),
        ("an operation", "opera", {"oper"}),
        ("an operation at the opera", "opera", set()),
        ("an operation", "op", set()),
        ("an operation", "operation", set()),
        ("an operation", "opération", set()),
    ],
)
def test_completions_are_guessed_only_if_no_word_begins_so(
    indexed: str, typed: str, guessed: set[str], reader_of: ReaderOf
) -> None:
    (pattern,) = build_patterns(parse(typed).terms, reader_of(indexed))
    assert pattern.other_tokens & {"oper"} == guessed


@pytest.mark.parametrize(
    ("indexed", "typed", "content"),
    [
        ("素数和它的定义", "素数的定义 ", ("素数", "定义")),  # "的" is "of"
        ("目的", "目的 ", ("目的",)),
        ("这本书", "哪本书", ("哪本", "本书")),
        ("换弦以后", "何时换", ("何时", "时换", "时", "换")),
        ("밥을 먹는다", "먹었다 ", ("먹었", "었다", "먹", "었", "다")),
    ],
)
def test_characters_that_no_pair_finds_are_looked_for_alone(
    indexed: str, typed: str, content: tuple[str, ...], reader_of: ReaderOf
) -> None:
    (pattern,) = build_patterns(parse(typed).terms, reader_of(indexed))
    assert pattern.content_words == content


def test_terms_of_nothing_but_signs_have_no_pattern(reader_of: ReaderOf) -> None:
    found = build_patterns(parse("a + b …").terms, reader_of(""))
    assert [pattern.term.text for pattern in found] == ["a", "b"]


@pytest.mark.parametrize(
    ("spans", "joined"),
    [
        ([], ()),
        ([(0, 2), (5, 7)], ((0, 2), (5, 7))),
        ([(0, 2), (1, 3), (3, 4)], ((0, 4),)),
        ([(5, 7), (0, 9)], ((0, 9),)),
    ],
)
def test_joining_spans(spans: list[tuple[int, int]], joined: tuple[tuple[int, int], ...]) -> None:
    assert merged(spans) == joined


_WORDS = st.sampled_from(
    ["cook", "cooking", "cookie", "-x", '"a b"', '"', "a-b", "東京", "京", "ｶﾞ", "ﬁ", "½", "(", "*",
     "é", "👩‍👩‍👧", "don't", "the", "\u00ad", "…", "™"]
)  # fmt: skip
_QUERIES = st.lists(_WORDS, max_size=5).map(" ".join) | st.text(max_size=20)


@given(query=_QUERIES, text=st.lists(_WORDS, max_size=12).map(" ".join) | st.text(max_size=80))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_marks_are_inside_the_text_in_order_without_overlap(
    query: str, text: str, reader_of: ReaderOf
) -> None:
    ends = [0]
    for start, end in matches(reader_of(text), query, text):
        assert ends[-1] <= start < end <= len(text)
        ends.append(end)


@given(text=st.lists(_WORDS, min_size=1, max_size=6).map(" ".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_text_finds_itself(text: str, reader_of: ReaderOf) -> None:
    reader = reader_of(text)
    if reader.lexicon.tokens(text) and not parse(text).required:
        assert matches(reader, text, text)


@pytest.mark.parametrize(
    ("typed", "words", "before", "after"),
    [
        ("kyoto", (0, 5), "", ""),
        ("c++", (0, 1), "", "++"),
        (".env", (1, 4), ".", ""),
        ("~/a.md", (2, 6), "~/", ""),
        ("50%", (0, 2), "", "%"),
        # punctuation of the sentence
        ("(kyoto),", (1, 6), "", ""),
        ("“kyoto”?", (1, 6), "", ""),
        ("京都。", (0, 2), "", ""),
        ("- kyoto -", (2, 7), "", ""),
    ],
)
def test_signs_of_a_term(typed: str, words: tuple[int, int], before: str, after: str) -> None:
    assert Punctuation.of(typed, words) == Punctuation(before, after)


def test_signs_extend_spans_beside_them() -> None:
    text = "C++, C and c++"
    spans = Punctuation("", "++").extend([(0, 1), (5, 6), (11, 12)], text)
    assert [text[start:end] for start, end in spans] == ["C++", "C", "c++"]


@given(typed=st.text(max_size=20), text=st.text(max_size=20), data=st.data())
def test_spans_only_grow_and_stay_inside_the_text(
    typed: str, text: str, data: st.DataObject
) -> None:
    def span(of: str) -> tuple[int, int]:
        start = data.draw(st.integers(0, len(of)))
        return start, data.draw(st.integers(start, len(of)))

    (start, end), (first, last) = span(text), span(typed)
    ((wide_start, wide_end),) = Punctuation.of(typed, (first, last)).extend([(start, end)], text)
    assert 0 <= wide_start <= start <= end <= wide_end <= len(text)
