"""The finder gives the same spans as cutting every text whole, without doing so."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from notesearch.config import resources
from notesearch.notes import Span
from notesearch.search.patterns import MatchFinder, Word, beginnings, find
from notesearch.search.query import parse
from notesearch.search.query_resolution import build_patterns
from notesearch.store.reader import Reader
from tests.search.conftest import ReaderOf

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
