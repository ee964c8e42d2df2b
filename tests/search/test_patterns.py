"""The words of a text that a query marks; ``[…]`` shows the marks.

The finder gives the same spans as cutting every text whole, without doing so.
"""

import re
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from notesearch.config import resources
from notesearch.notes import Span
from notesearch.results import Marked
from notesearch.search.patterns import MatchFinder, Punctuation, Word, beginnings, find
from notesearch.search.query import parse
from notesearch.search.query_resolution import build_patterns
from notesearch.search.search import matches
from notesearch.store.reader import Reader
from tests.search.conftest import ReaderOf
from tests.search.marks import shown


def marked(query: str, text: str, reader_of: ReaderOf) -> str:
    """Return ``text`` with the marks of ``query``, in an index of just this text."""
    return shown(Marked(text, matches(reader_of(text), query, text)))


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


# Matches in long texts

WORDS = """
    the happy skies say hoping relational ties running useState app-level e-mail email co-operate
    c++ .env v2.1 C# AT&T don't app level handler handlers sensibility foo foo-bar my_name 5 mg
    v-bind v v2 Weak<T> t's ties I 2 T-shirt _t naïve cafés ﬁle — “quoted” 🚀 東京 𝐁old
    файл 파일 αρχείο फ़ाइल fileを ｆｏｏ Kelvin
""".split()
GAPS = (" ", "\n", " - ", " — ", "\t", "\u00a0", " // ", "")


def whole(query: str, text: str, reader: Reader) -> list[tuple[Span, int]]:
    """Return the spans that cutting all of ``text`` finds."""
    patterns = build_patterns(parse(query).terms, reader)
    return find(patterns, reader.lexicon.forms(text, ""), text)


def found(query: str, text: str, reader: Reader) -> list[tuple[Span, int]]:
    return MatchFinder(build_patterns(parse(query).terms, reader), reader).find(text, "")


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("happy hope ", "In happiness and hoping.", ["happiness", "hoping"]),
        ("state ", "call useState, then restate it", ["useState"]),
        ("email ", "by e-mail", ["e-mail"]),
        ("app-level handler ", "an app - level one, a level app", ["app - level"]),
        ("app-level ", "an app at each level", ["app", "level"]),
        ('"night train" ', "night, and the train; the night — train", ["night — train"]),
        ("sk", "the skies and the sea", ["skies"]),
        ("sky ", "the skies and the ski", ["skies"]),
        ("die ", "a dying fire, di and did", ["dying"]),
        ("use one ", "using us for ones on it", ["using", "ones"]),
        ("cafe ", "two cafés and a file", ["cafés"]),
        ("c++ ", "C++ and C", ["C++"]),
        ("retry close() ", "retry close() after it", ["retry", "close"]),
        ("x ", "an x is one letter", ["x"]),
        ("weak<t> ", "a weak T of two types, t", ["weak T"]),
        ("weak<t> ", "T, weaken; vest", ["T"]),
        ("t", "what types", ["types"]),
        ("東京", "to 東京 and back", ["東京"]),
        ("nothing ", "There is not a thing.", []),
        ("", "There is not a thing.", []),
    ],
)
def test_spans_in_english(query: str, text: str, marked: list[str], reader_of: ReaderOf) -> None:
    reader = reader_of(text)
    assert [text[slice(*span)] for span, _ in found(query, text, reader)] == marked


@pytest.mark.parametrize(
    ("language", "query", "text", "marked"),
    [
        ("de", "häuser ", "Ein Haus, viele Häuser, das Hausboot.", ["Haus", "Häuser"]),
        ("de", "vux ", "Vuex und vue", ["Vuex"]),
        ("fr", "canal ", "Des canaux et un canal.", ["canaux", "canal"]),
        ("es", "canciones ", "Una canción, dos canciones", ["canción", "canciones"]),
        ("nl", "halen ", "Wij halen en haalden het op", ["halen", "haalden"]),
        ("id", "sedia ", "untuk menyediakan", ["menyediakan"]),
        ("ru", "files café ", "Файлы, file и файл; cafés", ["file", "cafés"]),
        ("ru", "файл file ", "Файлы, file и файл", ["Файлы", "file", "файл"]),
        ("ko", "file ", "파일은 files와 ｆｉｌｅ 파일", ["files", "ｆｉｌｅ"]),
        ("el", "file ", "Το αρχείο file", ["file"]),
    ],
)
def test_spans_in_other_languages(
    language: str, query: str, text: str, marked: list[str], reader_of: ReaderOf
) -> None:
    reader = reader_of(f"---\nlang: {language}\n---\n{text}")
    patterns = build_patterns(parse(query).terms, reader)
    spots = MatchFinder(patterns, reader).find(text, language)
    assert [text[slice(*span)] for span, _ in spots] == marked
    assert spots == find(patterns, reader.lexicon.forms(text, language), text)


@pytest.mark.parametrize(("language", "marked"), [("", ["Häuser"]), ("en", [])])
def test_spans_in_a_text_without_a_language(
    language: str, marked: list[str], reader_of: ReaderOf
) -> None:
    """Its words have the stems of the other notes' languages; those of an English text do not."""
    reader = reader_of("---\nlang: de\n---\n# Haus")
    text = "Häuser, Hausboot"
    spots = MatchFinder(build_patterns(parse("haus ").terms, reader), reader).find(text, language)
    assert [text[slice(*span)] for span, _ in spots] == marked


@given(
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    text=st.lists(st.sampled_from([*WORDS, *GAPS]), max_size=30).map(" ".join),
    typed=st.sampled_from(("", " ", '"')),
)
@example(query="app-level", text="app level x app", typed=" ")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_spans_are_those_of_cutting_the_whole_text(
    query: str, text: str, typed: str, holding_words: Reader
) -> None:
    query = f'"{query}"' if typed == '"' else query + typed
    assert found(query, text, holding_words) == whole(query, text, holding_words)


@pytest.fixture(scope="module")
def holding_words(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    from notesearch.store.store import Store

    store = Store(tmp_path_factory.mktemp("words") / "index.sqlite")
    store.prepare()
    return store.reader()


def test_every_word_of_the_sample_notes_has_the_beginning_of_its_stem(
    reader_of: ReaderOf,
) -> None:
    reader = reader_of("x")
    texts = [path.read_text("utf-8") for path in (resources() / "sample-vault").rglob("*.md")]
    suffixes = ("s es ed ing ies ied y ational enci izer bli entli ousli ation alism biliti logi"
                " icate alize iciti ical ful ness ability ling sses eed").split()  # fmt: skip
    made = (f"{base}{end}" for base in ("hop", "ti", "sa", "ab", "bet", "oo") for end in suffixes)
    for text in (*texts, " ".join(made)):
        for (start, end), forms in reader.lexicon.forms(text, ""):
            word = text[start:end].lower()
            joined = re.sub(r"(?<=\w)[-,._](?=\w)", "", word)
            for form in forms:
                if len(form) == 1 and form.isalpha() and word.isascii():
                    assert word.startswith(form), "of one letter is what stands alone"
                has_beginning = any(letters in joined for letters in beginnings(form))
                assert has_beginning or not word.isascii(), (word, form)


def test_only_pieces_that_may_match_are_cut(
    reader_of: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = reader_of("market")
    text = "Rain on the hills and in the valleys. " * 50 + "The market opens."
    finder = MatchFinder(build_patterns(parse("market ").terms, reader), reader)
    forms, cut = reader.lexicon.forms, list[str]()

    def counted(text: str, language: str | None = None) -> Sequence[Word]:
        cut.append(text)
        return forms(text, language)

    monkeypatch.setattr(reader.lexicon, "forms", counted)
    assert len(finder.find(text, "en")) == 1
    assert cut == ["market"]
    finder.find(text, "de")
    assert cut[1:] == ["market"], "a German word begins as its stem"
    finder.find(text, "nl")
    assert cut[2:] == [text], "a Dutch word need not begin as its stem"
