"""What counts as a word: for the index, for queries and for highlights."""

import unicodedata
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notesearch.config import CHOICES
from notesearch.function_words import FUNCTION_WORDS
from notesearch.store.folding import folded
from notesearch.store.reader import Reader
from notesearch.store.stemming import (
    SNOWBALL,
    Term,
    has_own_stems,
    stemmer,
    without_accents,
)
from notesearch.store.store import Store
from notesearch.store.word_cutting import is_single_unspaced
from notesearch.store.writer import Writer
from tests.limits import processor_seconds
from tests.store.note_writing import put


def test_settings_offer_english_and_every_language_with_a_stemmer() -> None:
    words = (chr(first) + chr(second) for first in range(97, 123) for second in range(97, 123))
    own = {word for word in words if has_own_stems(word)}
    assert set(CHOICES["language"]) == own | {"auto", "en"}


def forms(language: str) -> Callable[[str], set[str]]:
    """Return a function that gives all forms of a word of ``language``."""
    stem = stemmer(language)

    def of_word(word: str) -> set[str]:
        term = stem(word)
        return {term} if isinstance(term, str) else {*term}

    return of_word


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ar", "مسؤول مسئول"),
        ("ar", "كلمه كلمات"),
        ("cs", "konec konce"),
        ("da", "gaffel gafler"),
        ("el", "βιβλιο βιβλια"),
        ("el", "τιμολογιο τιμολογια"),
        ("el", "εκδοτικος εκδοτικα"),
        ("es", "luz luces"),
        ("es", "lápiz lápices"),
        ("fi", "kaupunki kaupungissa"),
        ("fi", "kenkä kengät"),
        ("fi", "laatta laatat"),
        ("fi", "porkkana porkkanat"),
        ("fi", "vakuutus vakuutuksen"),
        ("fi", "rikkaus rikkauden"),
        ("fi", "munuainen munuaiset"),
        ("fi", "ranta rannan"),
        ("fi", "kultakala kultakaloja"),
        ("he", "דג דגים"),
        ("he", "רפואי רפואית"),
        ("he", "רפואי רפואיים"),
        ("hi", "रुपये रुपए"),
        ("hi", "नयी नई"),
        ("hu", "alma almák"),
        ("hu", "tud tudom"),
        ("ja", "澤 沢"),
        ("nb", "sykkel sykler"),
        ("pl", "rynek rynku"),
        ("pl", "książki książek"),
        ("pt", "cao cães"),
        ("pt", "cançao canções"),
        ("ru", "отец отца"),
        ("ru", "кошки кошек"),
        ("ru", "роман романы"),
        ("nb", "avdeling avdelingenes"),
        ("pt", "nacional nacionalmente"),
        ("ro", "copii copiilor"),
        ("sv", "fördelning fördelningarnas"),
        ("sv", "cykel cyklar"),
        ("sv", "himmel himlar"),
        ("sv", "hår håret"),
        ("tr", "deniz denizde"),
        ("uk", "теплі теплими"),
        ("uk", "рахунок рахунків"),
        ("uk", "сусід сусідові"),
        ("uk", "новий нової"),
        ("uk", "читати читається"),
        ("tr", "su suyu"),
        ("tr", "yumurta yumurtalar"),
        ("vi", "lý lí"),
        ("vi", "quý quí"),
    ],
)
def test_two_spellings_of_a_word_have_a_form_in_common(language: str, words: str) -> None:
    one, other = map(forms(language), words.split())
    assert one & other


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("da", "sommer som"),
        ("de", "Note not"),
        ("de", "sicher sich"),
        ("el", "ναός να"),
        ("es", "pared para"),
        ("es", "menos men"),
        ("fr", "mènent men"),
        ("it", "meno men"),
        ("hu", "egyetem egy"),
        ("nl", "geniet niet"),
        ("pt", "comida com"),
        ("ru", "имя им"),
        ("sv", "motor mot"),
        ("tr", "deniz de"),
        # the only vowel of a word does not come and go
        ("da", "del dl"),
        ("nb", "hel hl"),
        ("sv", "del dl"),
        # stems of two letters
        ("el", "κάνω κει"),
        ("hu", "munka működik"),
        ("tr", "günaydın güneş"),
    ],
)
def test_words_that_snowball_confuses_have_no_form_in_common(language: str, words: str) -> None:
    one, other = map(forms(language), words.lower().split())
    assert not one & other


@pytest.mark.parametrize("language", sorted({*SNOWBALL} & {*FUNCTION_WORDS}))
def test_function_words_are_found_without_their_accents(language: str) -> None:
    stems = forms(language)
    for word in map(folded, FUNCTION_WORDS[language]):
        assert stems(word) & stems(without_accents(word)), word


def test_a_vietnamese_vowel_of_two_letters_is_kept() -> None:
    assert stemmer("vi")("thủy") == "thuy"


@pytest.mark.parametrize(
    ("language", "word", "term"),
    [
        ("de", "hauses", "haus"),
        ("he", "ספרים", "ספר"),
        ("sr", "књиге", ("knjig", "књиге")),
        ("nl", "getekende", ("teek", "getekende")),
        ("id", "berpendapat", ("pendapat", "berpendapat")),
        ("ar", "القصائد", ("قصايد", "القصائد")),
    ],
)
def test_a_word_that_does_not_begin_with_its_stem_is_kept_beside_it(
    language: str, word: str, term: Term
) -> None:
    """Only such words: the index of other languages would become larger."""
    assert stemmer(language)(word) == term


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A reader of an empty index, to cut text with."""
    store = Store(tmp_path_factory.mktemp("tokenizer") / "index.sqlite")
    store.prepare()
    yield store.reader()
    store.close()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # English: case, stems, punctuation
        ("Cooking cooks COOKED", "cook cook cook"),
        ("relations relational", "relat relat"),
        ("one ones on, using use us, ides id", "one one on use use us ide id"),
        ("universe university news new", "univers universiti news new"),
        ("PDFs CPUs menus urls, css bus this", "pdf cpu menu url css bus this"),
        ("don't e-mail", "don t e mail"),
        ("C++ 20.04 #tag [[Link|x]]", "c 20 04 tag link x"),
        ("snake_case ~/notes/a.md", "snake case note a md"),
        ("", ""),
        ("?! … — ‘’ ° ─ │ █", ""),
        # symbols: one word each, in any colour, however many characters they are made of
        ("🍜 soup🍜🍜", "🍜 soup 🍜 🍜"),
        ("👩‍👩‍👧 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩‍👩‍👧 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ("❤️ ❤ 👍🏽 👍", "❤ ❤ 👍 👍"),
        ("a→b ⇒ x ≤ y ≠ z", "a → b ⇒ x ≤ y ≠ z"),
        ("=\u0338 ∃\u0338", "≠ ∄"),
        ("東京🚀タワー", "東京 🚀 たわ わー"),
        # diacritics of Latin letters, in one code point or two
        ("Café CAFE\u0301 naïve Ångström", "cafe cafe naiv angstrom"),
        ("Ελλάδα Привет Тёплый", "ελλαδα привет теплый"),
        # NFKC: ligatures, width, superscripts
        ("ﬁne ofﬁce", "fine offic"),
        ("Ｎｏｔｅｓ　２０２４", "note 2024"),
        ("km² ½", "km2 1 2"),
        ("Kindle™ №5 25℃", "kindl tm no 5 25 c"),
        ("co\u00adoperate", "cooper"),
        # scripts without spaces: overlapping pairs
        ("東京都", "東京 京都"),
        ("東", "東"),
        ("東京タワー", "東京 京た たわ わー"),
        ("ＡＰＩ：東京", "api 東京"),
        ("使用Python入門", "使用 python 入門"),
        ("ภาษาไทย", "ภา าษ ษา าไ ไท ทย"),
        ("한국어 책", "한국 국어 책"),
        ("ｶﾞﾗｽ", "がら らす"),
        (unicodedata.normalize("NFD", "ガラス"), "がら らす"),
        (unicodedata.normalize("NFD", "한국어"), "한국 국어"),
        ("𠀀𠀁𠀂", "𠀀𠀁 𠀁𠀂"),
        # characters that no file should hold, though some do
        ("a\0b", "a b"),
        ("a\ud800b", "a b"),
        ("\u202edrow\u202c", "drow"),
    ],
)
def test_the_words_of_a_text(reader: Reader, text: str, tokens: str) -> None:
    assert [token for _, token in reader.lexicon.tokens(text)] == tokens.split()


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("The cafés, open.", ["The", "cafés", "open"]),
        ("Python（入門）", ["Python", "入門"]),
        ("wait…what ﬁne!", ["wait", "what", "ﬁne"]),
        ("Kindle™.", ["Kindle", "™"]),
        ("½ cup", ["½", "½", "cup"]),
        ("東京都へ", ["東京", "京都", "都へ"]),
        ("👩‍👩‍👧 naïve 𠀀𠀁", ["👩‍👩‍👧", "naïve", "𠀀𠀁"]),
        ("❤️, 👍🏽!", ["❤️", "👍🏽"]),
        ("ｶﾞﾗｽ", ["ｶﾞﾗ", "ﾗｽ"]),
    ],
)
def test_a_token_spans_the_characters_it_stands_for(
    reader: Reader, text: str, covered: list[str]
) -> None:
    assert [text[start:end] for (start, end), _ in reader.lexicon.tokens(text)] == covered


def test_a_word_being_typed_has_no_stem(reader: Reader) -> None:
    assert reader.lexicon.tokens("Dress") == (((0, 5), "dress"),)
    assert reader.lexicon.tokens("Dres", begun=True) == (((0, 4), "dres"),)
    assert reader.lexicon.tokens("Cafés", begun=True) == (((0, 5), "cafes"),)


@pytest.mark.parametrize("word", ["東", "ร", "한", "カ"])
def test_one_character_of_an_unspaced_script(word: str) -> None:
    assert is_single_unspaced(word)


@pytest.mark.parametrize("word", ["", "a", "я", "é", "東京", "1", "…"])
def test_other_words_are_not_single_unspaced_characters(word: str) -> None:
    assert not is_single_unspaced(word)


@pytest.mark.parametrize(
    ("text", "match", "found"),
    [
        ("I live in 東京都 now", '"京都"', True),
        ("I live in 東京都 now", '"東京都"', True),
        ("I live in 東京都 now", '"京東"', False),
        ("I live in 東京都 now", '"都"*', True),
        ("I live in 東京都 now", '"京"*', True),
        ("入門Python", '"入門Python"', True),
        ("入門Python", '"門" + "Python"', True),
        ("入門 and Python", '"入門Python"', False),
        ("ﬁne Ｎｏｔｅｓ", '"fine notes"', True),
        ("ἡ ἀρετὴ τῆς ψυχῆς", '"η αρετη της ψυχης"', True),
        ("αρετή", '"ἀρετή"', True),
        ("a dress", '"dres"*', True),
        ("a dream", '"dres"*', False),
        ("the 🚀 launch", '"🚀 launch"', True),
        ("the launch", '"🚀"', False),
        ("東京🚀で", '"🚀"', True),
        ("=\u0338", '"≠"', True),
        ("the cookies", '"cooking"*', False),
        ("he cooked", '"cooking"', True),
    ],
)
def test_full_text_search_finds_the_same_words(
    store: Store, writer: Writer, text: str, match: str, *, found: bool
) -> None:
    put(writer, "a.md", text)
    assert store.reader().words.known(match) == found


@pytest.mark.parametrize(
    "text",
    [
        "… " + "a" * 300_000,
        "ﬁ" * 100_000,
        "e\u0301" * 100_000,
        "a" + "\u0301" * 100_000,
        "東京（" * 70_000,
        "か\u3099" * 70_000,
        "\u00ad" * 100_000,
        "™" * 100_000,
        "a™" * 100_000,
        "👩\u200d" * 100_000,
        "🇩" * 100_000,
        "🚀" + "\ufe0f" * 100_000,
    ],
    ids=lambda text: f"{text[:4]!r} {len(text)}",
)
def test_hostile_texts_take_time_in_proportion_to_their_length(reader: Reader, text: str) -> None:
    with processor_seconds(5):
        reader.lexicon.tokens(text)


_PIECES = st.sampled_from(
    [
        "cook",
        "Cooking",
        "ﬁ",
        "…",
        "™",
        "½",
        "東",
        "京都",
        "か\u3099",
        "ｶﾞ",
        "\u1112\u1161\u11ab",
        "é",
        "e\u0301",
        "\u0301",
        "ไทย",
        "ำ",
        "🍜",
        "👩‍👩‍👧",
        "👍🏽",
        "❤️",
        "\u200d",
        "🇩",
        "→",
        "≠",
        "=\u0338",
        "\u00ad",
        "\0",
        "\ud800",
        "\u202e",
        "（",
        "２",
        " ",
        "\n",
        "\u3000",
        "-",
        "'",
        "_",
        "Å",
        "ß",
        "İ",
        "ǅ",
        "\U000e0001",
    ]
)
_TEXTS = st.one_of(st.text(max_size=80), st.lists(_PIECES, max_size=30).map("".join))


@given(_TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_tokens_lie_inside_the_text_and_in_order(reader: Reader, text: str) -> None:
    for begun in (False, True):
        tokens = reader.lexicon.tokens(text, begun=begun)
        for (start, end), token in tokens:
            assert 0 <= start < end <= len(text)
            assert token
        starts = [start for (start, _), _ in tokens]
        assert starts == sorted(starts)


@given(_TEXTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_composed_and_decomposed_texts_have_the_same_tokens(reader: Reader, text: str) -> None:
    def tokens(form: str) -> list[str]:
        return [token for _, token in reader.lexicon.tokens(form)]

    if "\ud800" not in text:
        composed = unicodedata.normalize("NFC", text)
        assert tokens(unicodedata.normalize("NFD", text)) == tokens(composed)


def test_every_connection_has_the_tokenizer(store: Store) -> None:
    with store.writing() as writer:
        put(writer, "a.md", "東京 cafés")
    store.close()
    assert store.reader().words.known('"京"*')
