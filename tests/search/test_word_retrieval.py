"""Retrieval by words: shares of the query, common words and short prefixes."""

from pathlib import Path

import pytest

from notesearch.markdown.sections.note_parser import parse_note
from notesearch.search import query_resolution, word_retrieval
from notesearch.search.correction import correct
from notesearch.search.query import parse
from notesearch.search.query_resolution import ResolvedQuery, resolve
from notesearch.search.word_retrieval import WordRanking, retrieve_words
from notesearch.store import word_reader
from notesearch.store.reader import Reader
from notesearch.store.rows import FileState
from notesearch.store.store import Store


def index(folder: Path, texts: list[str]) -> Reader:
    """Return a reader of an index of one note per text, whose sections are 1, 2, ..."""
    store = Store(folder / "index.sqlite")
    store.prepare()
    with store.writing() as writer:
        for number, text in enumerate(texts, 1):
            note = parse_note(text, f"{number}.md")
            writer.put_note(note, (), FileState(1, 1, 1, number), bytes([number % 256]))
    return store.reader()


def resolved(reader: Reader, text: str) -> ResolvedQuery:
    return resolve(correct(parse(text), reader), reader)


def found(reader: Reader, text: str, limit: int = 10) -> WordRanking:
    return retrieve_words(reader, resolved(reader, f"{text} "), frozenset(), limit)


def sections(ranking: WordRanking) -> list[int]:
    return [hit.section_id for hit in ranking.hits]


TEXTS = [
    "Trout and salmon in the river.",
    "Trout for supper.",
    "The river in flood, the river at rest.",
    "Bread.",
    *["Nothing to see."] * 8,
]


@pytest.mark.parametrize(
    ("query", "with_all", "others"),
    [
        ("trout", {1, 2}, set()),
        ("trout river", {1}, {2, 3}),
        ("salmon river flood", set(), {1, 3}),
        ("trout OR bread", {1, 2, 4}, set()),
        ("(trout OR bread) river", {1}, {2, 3, 4}),
        ('"the river" trout', {1}, {3}),
        ("sturgeon", set(), set()),
        ("sturgeon river", set(), {1, 3}),
        ("", set(), set()),
    ],
)
def test_sections_with_all_words_and_with_some(
    tmp_path: Path, query: str, with_all: set[int], others: set[int]
) -> None:
    ranking = found(index(tmp_path, TEXTS), query)
    assert ranking.with_all == with_all
    assert set(sections(ranking)) == with_all | others


def test_the_rarer_word_counts_for_more(tmp_path: Path) -> None:
    ranking = found(index(tmp_path, TEXTS), "salmon river")
    assert ranking.shares_of(1).held == 1.0
    assert 0 < ranking.shares_of(3).held < 0.5, "the river is in two sections, salmon in one"


def test_a_share_is_of_all_that_the_query_can_reach(tmp_path: Path) -> None:
    reader = index(tmp_path, TEXTS)
    alone = found(reader, "salmon").shares_of(1)
    with_another = found(reader, "salmon zeppelin").shares_of(1)
    assert alone.held == 1.0
    assert 0.3 < alone.words < 1.0, "once in the text is not in every name"
    assert with_another.words < alone.words / 2
    assert with_another.held < 0.5


def test_a_word_in_a_heading_is_stronger_than_in_the_text(tmp_path: Path) -> None:
    ranking = found(index(tmp_path, ["# Otter\n\nA swimmer.", "An otter swims."]), "otter")
    assert ranking.shares_of(1).words > ranking.shares_of(2).words


def test_of_alternatives_the_better_one_counts(tmp_path: Path) -> None:
    reader = index(tmp_path, TEXTS)
    either = found(reader, "salmon OR zeppelin").shares_of(1)
    assert either.held == 1.0
    assert either.words == found(reader, "salmon").shares_of(1).words


class TestCommonWords:
    @pytest.fixture
    def reader(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
        monkeypatch.setattr(word_retrieval, "COMMON", 20)
        texts = [f"The boat, entry {n}." for n in range(40)]
        texts[7] = "The boat has a keel."
        texts[33] = "# Boat\n\nWhat she is."
        texts += ["A keel is laid."] * 3
        return index(tmp_path, texts)

    def test_are_looked_up_in_sections_with_rare_ones(self, reader: Reader) -> None:
        ranking = found(reader, "boat keel")
        assert ranking.with_all == {8}
        assert {8, 41, 42, 43} <= set(sections(ranking)[:5])

    def test_alone_are_found_in_names_first(self, reader: Reader) -> None:
        ranking = found(reader, "boat", limit=5)
        assert sections(ranking)[0] == 34
        assert len(ranking.hits) == 5
        assert ranking.with_all == set(sections(ranking))

    def test_together_find_sections_with_all_of_them(self, reader: Reader) -> None:
        ranking = found(reader, "boat entry", limit=5)
        assert len(ranking.hits) == 5
        assert ranking.with_all == set(sections(ranking))

    @pytest.mark.parametrize(
        "query", ["zzqx boat entry", "boat zzqx-vvbn entry", "zzqx entry boat vvbn"]
    )
    def test_are_found_together_beside_a_missing_word(
        self, query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(word_retrieval, "COMMON", 20)
        texts = ["# Boat\n\nWhat she is."] * 40 + ["# Entry\n\nA door."] * 40
        reader = index(tmp_path, [*texts, "A boat at the entry of the harbour."])
        ranking = found(reader, query, limit=60)
        assert 81 in sections(ranking)
        assert max(sections(ranking), key=lambda id_: ranking.shares_of(id_).held) == 81
        assert ranking.with_all == set(), "one word is nowhere"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("fetch_by_id", 2),
        ("not to be", 4),
    ],
)
def test_a_verbatim_run_scores_more(tmp_path: Path, query: str, first: int) -> None:
    texts = [
        "Fetch, fetch it by the id, by the id.",
        "Call fetch_by_id when in doubt.",
        "Not this, not that, not now: it is to last, and may it be.",
        "To be, or not to be, he said.",
    ]
    assert sections(found(index(tmp_path, texts), query))[0] == first


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("t", {1, 2}),
        ("river t", {1, 3}),
        ("river tr", {1, 2, 3}),
        ("bread r", {4}),
    ],
)
def test_a_single_letter_is_a_prefix_only_alone(
    tmp_path: Path, typed: str, found: set[int]
) -> None:
    reader = index(tmp_path, TEXTS[:4])
    ranking = retrieve_words(reader, resolved(reader, typed), frozenset(), 10)
    assert set(sections(ranking)) - {3} == found - {3}


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("tide ", [1, 2]),
        ("tide c", [2, 1, 3]),
        ("tide s", [1, 2, 4]),
        ("tide s ", [4, 1, 2]),
    ],
)
def test_an_unfinished_letter_does_not_come_before_the_word_beside_it(
    tmp_path: Path, typed: str, order: list[int]
) -> None:
    texts = ["Tide, tide, tide.", "The tide in bay C.", "C.", "S.", *["Nothing to see."] * 8]
    reader = index(tmp_path, texts)
    assert sections(retrieve_words(reader, resolved(reader, typed), frozenset(), 10)) == order


def test_a_common_last_word_counts_the_same_with_a_space_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (query_resolution, word_retrieval):
        monkeypatch.setattr(module, "COMMON", 3)
    reader = index(tmp_path, ["Mud.", "River.", *["River mud."] * 3, "Trout."])
    worths = [
        retrieve_words(reader, resolved(reader, typed), frozenset(), 10).worths
        for typed in ("mud river", "mud river ")
    ]
    assert worths[0] == worths[1]


@pytest.mark.parametrize(
    ("typed", "with_all", "first"),
    [
        ("r", {1, 3, 4, 5}, 5),
        ("ri", {1, 3, 5}, 5),
        ("zz", set(), None),
        ("river tr", {1, 5}, 5),
        ("trout ri", {1, 5}, 5),
        ("river ro", set(), 5),
        ("riv", {1, 3, 5}, 5),
    ],
)
def test_short_prefixes_that_are_not_counted_find_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    with_all: set[int],
    first: int | None,
) -> None:
    texts = [*TEXTS[:3], "Rye bread.", "# River\n\nTrout and treats.", "Nothing."]
    reader = index(tmp_path, texts)
    query = resolved(reader, typed)
    for pages in (64, -1):
        monkeypatch.setattr(word_reader, "_MANY_PAGES", pages)
        reader.state.forget()
        ranking = retrieve_words(reader, query, frozenset(), 10)
        assert ranking.with_all == with_all
        assert next(iter(sections(ranking)), None) == first


def test_of_many_sections_with_all_words_the_best_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_retrieval, "COMMON", 5)
    monkeypatch.setattr(word_reader, "_MANY_PAGES", -1)
    texts = ["The boat and the coast."] * 15 + ["# Boat and coast\n\nA boat."]
    ranking = found(index(tmp_path, texts), "boat co*", limit=50)
    assert len(ranking.with_all) == 16
    assert sections(ranking)[0] == 16


@pytest.mark.parametrize(
    ("typed", "many", "expected"),
    [
        ("not to be", False, '"not" + "to" + "be"*'),
        ("not to be", True, '"not" + "to" + "be"'),
        ("not to be ", False, '"not" + "to" + "be"'),
    ],
)
def test_a_frequent_prefix_is_complete_in_a_saying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, many: bool, expected: str
) -> None:
    reader = index(tmp_path, TEXTS)
    monkeypatch.setattr(reader.words, "begins_many", {"be": many}.__getitem__)
    assert resolved(reader, typed).stop_word_phrase == expected
