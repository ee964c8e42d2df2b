"""The terms that FTS5 stores for a text: its words in order, then their further forms."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notesearch.store import tokenizer
from notesearch.store.db import Connection
from notesearch.store.word_cutting import joined, numbers_as_words
from tests.limits import processor_seconds

Terms = Callable[[str], list[tuple[int, str]]]


def test_long_rows_of_numbers_take_bounded_time() -> None:
    """Eighty thousand numbers once took a quarter of an hour."""
    text = ("1,250 é " * 20_000).encode()
    with processor_seconds(30):
        assert [*numbers_as_words("111 " * 50_000 + "1")] == []
        *_, (start, end, digits) = joined(text, ())
    assert (text[start:end], digits) == (b"1,250", b"1250")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,250,000 boards of 3×4", [("1,250,000", "1250000"), ("3×4", "3x4")]),
        ("3 x 4 m for 1,250", [("3 x 4", "3x4"), ("1,250", "1250")]),
        (
            "é 1.250,75 × 3, 4×5×6, 7,000",
            [("1.250", "1250"), ("1.250,75", "1250dot75"), ("4×5×6", "4x5x6"), ("7,000", "7000")],
        ),
    ],
)
def test_numbers_and_sizes_are_words_in_their_order(
    text: str, expected: list[tuple[str, str]]
) -> None:
    """Sizes once came before numbers, and the byte offsets of later ones were wrong."""
    utf8 = text.encode()
    words = [(utf8[start:end].decode(), word.decode()) for start, end, word in joined(utf8, ())]
    assert words == expected


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A full-text index of one column."""
    made = Connection(tmp_path_factory.mktemp("terms") / "index.sqlite", writer=True)
    made.sql.execute("create virtual table indexed using fts5 (text, tokenize = 'notesearch')")
    made.sql.execute("create virtual table token using fts5vocab (indexed, instance)")
    yield made
    made.close()


@pytest.fixture(scope="module")
def terms(connection: Connection) -> Terms:
    """A function that indexes one text and returns its terms and their positions, in order."""

    def of(text: str) -> list[tuple[int, str]]:
        connection.sql.execute("delete from indexed")
        connection.sql.execute("insert into indexed (text) values (?)", (text,))
        connection.sql.execute("insert into indexed (indexed, rank) values ('integrity-check', 1)")
        rows = connection.sql.execute("select offset, term from token").fetchall()
        return sorted((int(str(offset)), str(term)) for offset, term in rows)

    return of


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Cooking fish", [{"cook"}, {"fish"}]),
        ("useState now", [{"usest"}, {"now"}, {"."}, {".", "use", "state"}]),
        (
            "parseHTMLNow",
            [{"parsehtmlnow"}, {"."}, {".", "pars", "html", "now", "parsehtml", "htmlnow"}],
        ),
        ("HTMLParser", [{"htmlparser"}, {"."}, {".", "html", "parser"}]),
        ("fooBar fooBar", [{"foobar"}, {"foobar"}, {"."}, {".", "foo", "bar"}]),
        ("an e-mail", [{"an"}, {"e"}, {"mail"}, {"."}, {".", "email"}]),
        ("Since v2.10", [{"sinc"}, {"v2", "2"}, {"10"}]),
        ("in UTF-8", [{"in"}, {"utf"}, {"8"}, {"."}, {".", "utf8"}]),
        ("C++ and C#", [{"c", "c++"}, {"and"}, {"c", "c#"}]),
        ("使用C++的", [{"使用", "用"}, {"c", "c++"}, {"的"}]),
        ("put .env in", [{"put"}, {"env", ".env"}, {"in"}]),
        ("ASP.NET, a.b", [{"asp"}, {"net", ".net"}, {"a"}, {"b"}]),
        ("東京都, Ok", [{"東京"}, {"京都", "都"}, {"ok"}]),
        ("“Ofﬁce” — naïve", [{"offic"}, {"naiv"}]),
        ("TODO Todo todos", [{"todo"}, {"todo"}, {"todo"}]),
    ],
)
def test_the_forms_of_a_text(terms: Terms, text: str, forms: list[set[str]]) -> None:
    found: dict[int, set[str]] = {}
    for place, form in terms(text):
        found.setdefault(place, set()).add(form)
    assert [found[place] for place in sorted(found)] == forms


_PIECES = st.sampled_from(
    [
        "cook",
        "Cooking",
        "useState",
        "e-mail",
        "v2.1",
        "C++",
        "C#",
        "#tag",
        ".env",
        "ASP.NET",
        "ﬁ",
        "…",
        "™",
        "½",
        "東",
        "京都",
        "か\u3099",
        "ｶﾞ",
        "é",
        "e\u0301",
        "\u0301",
        "größe",
        "ไทย",
        "🍜",
        "\u00ad",
        "ёлка",
        "हिन्दी",
        "ज़रूरी",
        "أحمد",
        "（",
        "２",
        " ",
        "\n",
        "\u3000",
        "-",
        "'",
        "_",
        ".",
        "+",
        "ß",
        "“",
        "\xa0",
    ]
)


_BETWEEN = st.sampled_from([" ", ", ", "(", "\n", "-", "/"])


@given(st.lists(st.tuples(_PIECES, _BETWEEN).map("".join), max_size=20).map("".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_words_have_the_positions_that_highlights_use(
    connection: Connection, terms: Terms, text: str
) -> None:
    stands = set(terms(text))
    marked = connection.tokenizer.tokens(text.encode())
    assert {(place, token) for place, (_, _, token) in enumerate(marked)} <= stands


@pytest.mark.parametrize("cached", [0, 3, 100_000])
def test_deleting_a_text_deletes_all_its_terms(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, cached: int
) -> None:
    monkeypatch.setattr(tokenizer, "_CACHED", cached)
    texts = ["useState, e-mail 東京, x", "fooBar and useState, y", "bazQux e-mail 東京, x"]
    connection.sql.execute("delete from indexed")
    for number, text in enumerate(texts):
        connection.sql.execute("insert into indexed (rowid, text) values (?, ?)", (number, text))
    for number in (1, 0, 2):
        connection.sql.execute("delete from indexed where rowid = ?", (number,))
    assert connection.sql.execute("select term from token").fetchall() == []


def test_no_phrase_spans_a_text_and_its_further_forms(connection: Connection, terms: Terms) -> None:
    terms("useState here")

    def matches(match: str) -> bool:
        query = "select 1 from indexed where indexed match ?"
        return bool(connection.sql.execute(query, (match,)).fetchall())

    assert matches("state")
    assert not matches('"here state"')
    assert matches('"useState here"')


def test_a_huge_text_has_a_limited_number_of_different_words(
    terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FTS5 keeps the words of a row in memory until all of them are there."""
    monkeypatch.setattr(tokenizer, "_DIFFERENT", 1_000)
    words = [f"w{number:x}z" for number in range(30_000)]
    found = [form for _, form in terms(f"{' '.join(words)} w1z")]
    assert set(words[:1_000]) <= set(found)
    assert words[-1] not in found
    assert found.count("w1z") == 2
