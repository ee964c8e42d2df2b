"""Scores of words equal FTS5's own; counts and short prefixes of many words."""

import pytest

from notesearch.store import full_text_index, lexicon, word_reader
from notesearch.store.reader import Reader
from notesearch.store.writer import Writer
from tests.store.note_writing import put

WEIGHTS = (1.0, 2.0, 4.0, 4.0, 3.0, 6.0, 3.0)
NOTES = {
    "lake.md": "# Lake\n\nA lake trout, a lake perch and one eel of the lake.",
    "river.md": "# Trout of the river\n\nTrout, treats, trains.\n\n## Truth\n\nTry again, trout.",
    "train.md": "---\naliases: [tram]\ntags: [travel]\n---\n# Travel\n\nThe train to the lake.",
    "bread.md": "# Bread\n\nFlour, water, salt, and a long night. " + "Knead and fold it. " * 30,
}


@pytest.fixture
def trips(reader: Reader, writer: Writer) -> Reader:
    """A reader of an index with a few notes."""
    for path, text in NOTES.items():
        put(writer, path, text)
    return reader


WORDS = ('"lake"', '("trout" OR "tr"*)', '("knead" + "and" OR "eel")', '"nowhere"')


@pytest.mark.parametrize("among", ["", '"trout" OR "knead"'])
def test_words_in_some_sections_have_the_scores_of_fts5(trips: Reader, among: str) -> None:
    some = [id_ for id_, _ in trips.words.scored('"trout" OR "knead"', WEIGHTS, 100)]
    found = trips.words.scored_of(WORDS, WEIGHTS, some, among=among)
    for word, hits in zip(WORDS, found, strict=True):
        expected = trips.words.scored(f'{word} NOT "perhaps"', WEIGHTS, 100)
        assert sorted(hits) == sorted(hit for hit in expected if hit[0] in some)
    assert [len(hits) for hits in found] == [1, 3, 2, 0]


def test_a_few_sections_have_the_scores_of_fts5(trips: Reader) -> None:
    for match in ('"trout" AND ("lake" OR "eel")', '"the" + "lake"', '"nowhere"'):
        assert sorted(trips.words.scored_few(match, WEIGHTS)) == sorted(
            trips.words.scored(match, WEIGHTS, 100)
        )


def test_forms_in_several_languages_count_once_in_a_section(reader: Reader, writer: Writer) -> None:
    german = "\n\nDie Kinder spielen im Garten und das Kind spielt mit dem Hund und der Katze."
    put(writer, "de.md", f"# Kinder{german}")
    put(writer, "de2.md", f"# Spiel{german}")
    put(writer, "en.md", "# Play\n\nThe kinder of the two, and the dogs of the house.")
    put(writer, "cat.md", "# Cat\n\nA cat, and another.")
    assert "de" in reader.lexicon.languages()
    assert len(reader.lexicon.query_forms("spielen")[0][1]) > 1
    for match in ('"kinder"', '"spielen"', '"spielt"', '"dogs"'):
        some = [id_ for id_, _ in reader.words.scored(match, WEIGHTS, 100)]
        assert sorted(reader.words.scored_of((match,), WEIGHTS, some)[0]) == sorted(
            reader.words.scored(match, WEIGHTS, 100)
        )


@pytest.mark.parametrize(
    ("match", "sections"),
    [
        ('"Häuser"', 4),
        ('("Häuser" OR "boats")', 5),
        ('(("häuser")) AND ((("boat" OR "see")))', 3),
        ('"boat" NOT "häuser"', 1),
        ('{title aliases heading tags} : "häuser"', 2),
        ('"boats" + "and"', 1),
        ('("boat"* OR "häuser")', 5),
    ],
)
def test_words_with_several_forms_are_counted_like_they_are_found(
    reader: Reader, writer: Writer, match: str, sections: int
) -> None:
    put(writer, "de.md", "---\nlang: de\n---\n# Das Haus\n\nAm See.\n\n## Häuser\n\nDas Boot.")
    put(writer, "en.md", "# Boats\n\nA boat, boats and a Haus.\n\n## Oars\n\nOf a boat.")
    put(writer, "both.md", "---\nlang: de\n---\n# Rest\n\nDie Boats am See, im Haus.")
    assert len(reader.lexicon.query_forms("häuser")[0][1]) > 1
    assert (
        reader.words.count(match, 100) == len(reader.words.scored(match, WEIGHTS, 100)) == sections
    )


def test_replaced_and_deleted_notes_do_not_count(trips: Reader, writer: Writer) -> None:
    before = trips.words.scored_few('"lake"', WEIGHTS)
    put(writer, "lake.md", "# Pond\n\nNo trout, and the lake is far.\n\n## Perch\n\nOf the lake.")
    writer.delete_notes(["train.md"])
    after = trips.words.scored_few('"lake"', WEIGHTS)
    assert sorted(after) == sorted(trips.words.scored('"lake"', WEIGHTS, 100))
    assert sorted(after) != sorted(before)
    holding = [trips.words.most_holding(word) for word in ('"nowhere"', '"lake"', '"trout"')]
    assert holding == sorted(holding)
    assert holding[0] == 0 < holding[1] < holding[2]


def test_no_more_sections_are_scored_than_asked_for(trips: Reader) -> None:
    whole = dict(trips.words.scored('"t"*', WEIGHTS, 100))
    some = trips.words.scored('"t"*', WEIGHTS, 2)
    assert trips.words.count('"t"*', 2) == len(some) == 2 < len(whole)
    assert all(whole[id_] == score for id_, score in some)


@pytest.mark.parametrize(
    ("match", "is_assumed"),
    [
        ('("t"* OR "t")', True),
        ('("zz"* OR "zz")', True),
        ('(("lake")) AND ((("tr"* OR "tr")))', True),
        ('{title heading} : ("t"* OR "t")', True),
        ('"tro"*', False),
        ('("lake" + "t"* OR "eel")', False),
        ('"é"*', True),
        ('"ль"*', True),
        ('"文"*', False),
        ('"文件"*', False),
        ('"le"', False),
    ],
)
def test_letters_that_begin_many_words_are_not_counted(
    trips: Reader, monkeypatch: pytest.MonkeyPatch, match: str, is_assumed: bool
) -> None:
    expected = {id_ for id_, _ in trips.words.scored(match, WEIGHTS, 100)}
    monkeypatch.setattr(word_reader, "_MANY_PAGES", -1)
    trips.state.forget()
    assert trips.words.count(match, 77) == (77 if is_assumed else len(expected))
    assert trips.words.known(match) == (is_assumed or bool(expected))
    assert {id_ for id_, _ in trips.words.best(match, WEIGHTS, 100)} == expected
    cut = 2 if " AND " in match else 1
    assert len(trips.words.best(match, WEIGHTS, 1)) == min(cut, len(expected))


def test_a_whole_word_scores_higher_than_words_that_begin_so(
    trips: Reader, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(writer, "go.md", "# Go\n\nA game of two.")
    put(writer, "gone.md", "# Gone goods\n\nGold, goods, goats.")
    monkeypatch.setattr(word_reader, "_MANY_PAGES", -1)
    scores = dict(trips.words.best('("go"* OR "go")', WEIGHTS, 100))
    whole = {id_ for id_, _ in trips.words.scored('"go"', WEIGHTS, 100)}
    assert len(whole) == 1
    assert max(scores, key=scores.__getitem__) in whole
    assert len(scores) == 2


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ('("go"* OR "go")', '("go")'),
        ('("go"* OR "go" OR "goes")', '("go" OR "goes")'),
        ('{title heading} : ("c"* OR "c")', '{title heading} : ("c")'),
        ('("go"*)', ""),
        ('(("lake")) AND ((("tr"* OR "tr")))', ""),
    ],
)
def test_whole_words_of_an_expression(match: str, expected: str) -> None:
    assert word_reader.whole_words(match) == expected


def test_a_whole_word_is_found_in_any_section(
    reader: Reader, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        put(writer, f"{number}.md", f"# Gold {number}\n\nGoats.")
    put(writer, "z.md", "# Played go\n\nOf two.")
    monkeypatch.setattr(word_reader, "_MANY_PAGES", -1)
    ((expected, _),) = reader.words.scored('"go"', WEIGHTS, 100)
    for match in ('("go"* OR "go")', '{title heading} : ("go"* OR "go")'):
        best = dict(reader.words.best(match, WEIGHTS, 3))
        assert len(best) == 3
        assert max(best, key=best.__getitem__) == expected


@pytest.mark.parametrize(
    ("letters", "many"),
    [("c", True), ("co", True), ("Ço", True), ("cx", False), ("b", False), ("", False)],
)
def test_pages_tell_how_many_words_begin_with_some_letters(
    reader: Reader, writer: Writer, monkeypatch: pytest.MonkeyPatch, letters: str, many: bool
) -> None:
    words = " ".join(f"co{number}" for number in range(5000))
    put(writer, "many.md", f"# Many\n\nbread {words} cx dough")
    monkeypatch.setattr(word_reader, "_MANY_PAGES", 3)
    assert reader.words.begins_many(letters) == many
    monkeypatch.setattr(word_reader, "_MANY_PAGES", 64)
    reader.state.forget()
    assert not reader.words.begins_many(letters)


def test_pages_of_all_segments_count(reader: Reader, writer: Writer) -> None:
    pages = []
    for note in range(3):
        words = " ".join(f"co{note}x{number}" for number in range(5000))
        put(writer, f"{note}.md", f"# Many\n\n{words}")
        pages.append(full_text_index.pages_of(reader.state.sql, "co"))
    assert 0 < pages[0] < pages[1] < pages[2]
    assert pages[2] > 2 * pages[0]


def test_pages_of_the_word_before_do_not_count(reader: Reader, writer: Writer) -> None:
    put(writer, "t.md", "# Note\n\n" + "t " * 60_000 + "t0")
    assert full_text_index.pages_of(reader.state.sql, "t0") <= 1
    assert full_text_index.pages_of(reader.state.sql, "s") == 0


def test_pages_tell_how_large_the_vocabulary_is(
    reader: Reader, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(writer, "many.md", "# Many\n\n" + " ".join(f"co{number}" for number in range(5000)))
    assert not reader.lexicon.vocabulary().is_large
    monkeypatch.setattr(lexicon, "_LARGE", 3)
    reader.lexicon._vocabulary = None
    assert reader.lexicon.vocabulary().is_large
