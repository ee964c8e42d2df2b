"""Writing, moving, deleting and embedding notes."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from notesearch.markdown.sections.note_parser import parse_note
from notesearch.messages import Sentence
from notesearch.status import Unread
from notesearch.store.reader import Reader
from notesearch.store.stemming import Term
from notesearch.store.store import Store
from notesearch.store.tokenizer import IndexTerms
from notesearch.store.writer import Writer
from tests.store import invariants
from tests.store.note_writing import DIMENSIONS, digest, embed, file_state, put, vector

TRIP = """---
title: Trip to Japan
aliases: [Honshu]
tags: [travel]
category: plans
season: spring
---
Booked in **March**.

## Kyoto

Temples.

### Food

Nishiki market.

## Tokyo

"""


@pytest.fixture
def model(writer: Writer) -> None:
    """A model whose vectors can be stored."""
    writer.vectors.set_model("test", DIMENSIONS)


def found(reader: Reader, match: str) -> set[str]:
    """Return the breadcrumbs of the sections that hold ``match``."""
    ids = [id_ for id_, _ in reader.words.scored(match, [1.0] * 7, 100)]
    return {" > ".join(row.path) for row in reader.rows.sections(ids).values()}


def test_a_note_is_read_back_as_it_was_written(writer: Writer, reader: Reader) -> None:
    put(writer, "travel/japan.md", TRIP)
    rows = reader.rows.note_sections("travel/japan.md")
    assert [(row.level, row.path, row.body, row.line, row.end_line) for row in rows] == [
        (0, ("Trip to Japan",), "Booked in March.", 8, 9),
        (2, ("Kyoto",), "Temples.", 10, 13),
        (3, ("Kyoto", "Food"), "Nishiki market.", 14, 17),
        (2, ("Tokyo",), "", 18, 19),
    ]
    note = reader.rows.notes([rows[0].note_id])[rows[0].note_id]
    assert (note.path, note.title, note.aliases) == (
        "travel/japan.md",
        "Trip to Japan",
        ("Honshu",),
    )
    assert (note.tags, note.category) == (("travel",), "plans")
    assert note.properties["season"] == "spring"
    assert reader.rows.note_names() == (("travel/japan.md", "Trip to Japan"),)


@pytest.mark.parametrize(
    ("match", "crumbs"),
    [
        ('"nishiki"', {"Kyoto > Food"}),
        ('"food"', {"Kyoto > Food"}),
        ('"kyoto"', {"Kyoto", "Kyoto > Food"}),
        ('"japan" AND "temple"', {"Kyoto"}),
        ('"honshu"', {"Trip to Japan", "Kyoto", "Kyoto > Food", "Tokyo"}),
        ('"travel"', {"Trip to Japan", "Kyoto", "Kyoto > Food", "Tokyo"}),
        ('title : "nishiki"', set()),
        ('body : "food"', set()),
    ],
)
def test_a_section_is_found_by_its_words_and_its_parent_headings(
    writer: Writer, reader: Reader, match: str, crumbs: set[str]
) -> None:
    put(writer, "travel/japan.md", TRIP)
    assert found(reader, match) == crumbs


@pytest.mark.parametrize("language", ["en", "de"])
def test_columns_without_text_are_not_tokenized(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    cut: list[bytes] = []
    as_it_is = IndexTerms.in_text

    def seen(words: IndexTerms, utf8: bytes) -> Sequence[Term]:
        cut.append(utf8)
        return as_it_is(words, utf8)

    monkeypatch.setattr(IndexTerms, "in_text", seen)
    put(writer, "reise.md", f"---\nlanguage: {language}\n---\n# Reise\n\nNach Kyoto.\n")
    assert cut == [b"Nach Kyoto.", b"reise", b"Reise"]


def test_notes_without_a_language_get_the_stems_of_the_usual_languages(
    store: Store, writer: Writer, reader: Reader
) -> None:
    """Two words seldom show that they are Finnish, but most notes beside them do."""
    put(writer, "a.md", "# Mökki\n\nSaunan kiuas, two stones\n")
    for number in range(4):
        put(writer, f"{number}.md", "---\nlanguage: fi\n---\n# Koira\n")
    put(writer, "5.md", "---\nlanguage: en\n---\n# Dog\n")
    assert found(reader, "sauna") == set()
    writer.finish_scan(1.0, (), "root")
    assert found(reader, "sauna") == found(reader, "stone") == {"Mökki"}
    put(writer, "b.md", "# Ranta\n\nSaunassa kylmä\n")
    assert found(reader, "sauna") == {"Mökki", "Ranta"}
    invariants.check(store.path, swept=True)

    writer.delete_notes([f"{number}.md" for number in range(4)])
    writer.finish_scan(2.0, (), "root")
    assert found(reader, "sauna") == set()
    assert found(reader, "saunan") == {"Mökki"}


def test_replacing_a_note_leaves_nothing_of_the_old_one(
    store: Store, writer: Writer, reader: Reader, model: None
) -> None:
    put(writer, "a.md", TRIP)
    embed(writer)
    put(writer, "a.md", "# Else\n\nnew text")
    writer.sweep(whole=False)
    embed(writer)
    assert not reader.words.known('"nishiki"')
    assert reader.counts().notes == 1
    assert reader.counts().embedded == reader.counts().passages == 1
    invariants.check(store.path, swept=True)


def test_deleted_notes_leave_no_rows(
    store: Store, writer: Writer, reader: Reader, model: None
) -> None:
    for name in ("a.md", "b.md", "c.md"):
        put(writer, name, f"text of {name}")
    embed(writer)
    writer.delete_notes(["a.md", "c.md", "never-there.md"])
    writer.sweep(whole=True)
    assert [path for path, _ in reader.rows.note_names()] == ["b.md"]
    assert reader.counts().embedded == 1
    invariants.check(store.path, swept=True)


def test_texts_of_a_deleted_note_stop_waiting(store: Store, writer: Writer, model: None) -> None:
    put(writer, "a.md", TRIP)
    assert writer.vectors.pending_count() > 0
    writer.delete_notes(["a.md"])
    writer.sweep(whole=False)
    assert writer.vectors.pending_count() == 0
    invariants.check(store.path, swept=True)


def test_equal_passages_share_one_vector(
    store: Store, writer: Writer, reader: Reader, model: None
) -> None:
    put(writer, "b/a.md", "---\ntitle: Same\n---\nequal words")
    put(writer, "a.md", "---\ntitle: Same\n---\nequal words")
    assert writer.vectors.pending_count() == 1
    assert embed(writer) == 1
    put(writer, "c/a.md", "---\ntitle: Same\n---\nequal words")
    assert writer.vectors.pending_count() == 0
    (key,) = {key for (key,) in writer._db.sql.execute("select identity_id from passage")}
    hits = reader.vectors.nearest(vector(key), 10)
    places = reader.rows.places(hit.section_id for hit in hits)
    paths = [places[hit.section_id].path for hit in hits]
    assert paths == ["a.md", "b/a.md", "c/a.md"]  # not in the order in which they were written
    writer.delete_notes(["a.md", "b/a.md"])
    writer.sweep(whole=False)
    assert len(reader.vectors.nearest(vector(key), 10)) == 1
    invariants.check(store.path, swept=True)


def test_moving_a_note_embeds_nothing(
    store: Store, writer: Writer, reader: Reader, model: None
) -> None:
    put(writer, "old/japan.md", TRIP)
    embed(writer)
    before = reader.rows.note_sections("old/japan.md")
    put(writer, "new/japan.md", TRIP)
    writer.delete_notes(["old/japan.md"])
    assert writer.vectors.pending_count() == 0
    after = reader.rows.note_sections("new/japan.md")
    assert len({row.note_id for row in after}) == 1
    ids = zip(after, before, strict=True)
    assert after == tuple(old._replace(id=new.id, note_id=new.note_id) for new, old in ids)
    assert reader.rows.note_sections("old/japan.md") == ()
    assert writer.note_states()["new/japan.md"].file == file_state(TRIP)
    assert not reader.words.known('"old"')
    assert reader.words.known('"new"')
    invariants.check(store.path, swept=True)


def test_renaming_a_note_whose_title_is_its_name_embeds_it_again(
    writer: Writer, reader: Reader, model: None
) -> None:
    text = "First thoughts.\n\n## Plan\n\nBuy socks."
    put(writer, "ideas.md", text)
    embed(writer)
    writer.delete_notes(["ideas.md"])
    put(writer, "thoughts.md", text)
    waiting = [text for _, text in writer.vectors.pending(10)]
    assert len(waiting) == 2
    assert all(text.startswith("[thoughts") for text in waiting)
    assert found(reader, '"ideas"') == set()
    assert "thoughts" in found(reader, '"thoughts"')


def test_an_unchanged_passage_is_not_embedded_again(writer: Writer, model: None) -> None:
    put(writer, "a.md", TRIP)
    embed(writer)
    put(writer, "a.md", TRIP.replace("Nishiki market.", "Nishiki market, stall 14."))
    waiting = [text for _, text in writer.vectors.pending(10)]
    assert waiting
    assert all("stall 14" in text for text in waiting)


def test_a_note_can_lose_and_regain_sections_and_tags(
    store: Store, writer: Writer, reader: Reader, model: None
) -> None:
    put(writer, "japan.md", TRIP)
    rows = reader.rows.note_sections("japan.md")
    with store.writing() as other:
        shorter = TRIP.replace("tags: [travel]\n", "").replace("\n## Tokyo\n", "")
        put(other, "japan.md", shorter.replace("Temples.", "Gardens."))
    again = reader.rows.note_sections("japan.md")
    assert [row.path for row in again] == [row.path for row in rows[:-1]]
    assert again[0].note_id == rows[0].note_id
    assert again[1].body == "Gardens."
    assert found(reader, '"temple"') == found(reader, '"tokyo"') == set()
    assert reader.labels.tag_counts() == ()
    put(writer, "japan.md", TRIP)
    assert reader.labels.tag_counts() == (("travel", 1),)
    assert [row.body for row in reader.rows.note_sections("japan.md")] == [row.body for row in rows]
    writer.sweep(whole=True)
    invariants.check(store.path, swept=True)


def test_tags_are_listed_as_they_are_written(writer: Writer, reader: Reader) -> None:
    put(writer, "a.md", "---\ntags: [Küche, Straße]\n---\nText\n\n## Part\n\n#café #Todo")
    put(writer, "b.md", "#strasse and #cafe")
    listed = (("café", 2), ("straße", 2), ("küche", 1), ("todo", 1))
    assert reader.labels.tag_counts() == listed
    for beginning in ("KU", "kü", "ku\u0308che"):
        assert reader.labels.tag_counts(beginning) == (("küche", 1),)
    assert reader.labels.tag_counts("strass") == reader.labels.tag_counts("STRAẞ")
    assert reader.labels.tag_counts("strass") == (("straße", 2),)
    assert reader.labels.tag_counts("\ud800") == ()
    (labelled,) = reader.labels.of_sections([("a.md", 6)])
    assert labelled.tags == ("café", "küche", "straße", "todo")


@pytest.mark.parametrize("name", ["Über Äpfel", "über äpfel", "ÜBER ÄPFEL", "uber apfel", "ÄON"])
def test_a_name_is_found_in_any_case(writer: Writer, reader: Reader, name: str) -> None:
    put(writer, "a.md", "---\ntitle: Über Äpfel\naliases: [Äon]\n---\nText\n\n## Über Äpfel\n\nx")
    put(writer, "b.md", "# Apples\n\nText")
    assert reader.links.notes_entitled(name) == ("a.md",)
    named = reader.rows.sections(reader.rows.named(name, 9))
    assert [row.ordinal for row in named.values()] == ([] if name == "ÄON" else [0, 1])
    assert reader.rows.note_names_from(name[0]) == (
        (("a.md", "Über Äpfel"), ("b.md", "Apples")) if name == "ÄON" else (("a.md", "Über Äpfel"),)
    )


def test_the_title_as_written_comes_first(writer: Writer, reader: Reader) -> None:
    put(writer, "a.md", "---\ntitle: resume\n---\nText")
    put(writer, "folder/b.md", "---\ntitle: Résumé\n---\nText")
    assert reader.links.notes_entitled("Résumé") == ("folder/b.md", "a.md")


def test_the_next_model_reads_only_the_latest_text_of_a_note(
    store: Store, writer: Writer, model: None
) -> None:
    put(writer, "japan.md", TRIP)
    embed(writer)
    writer.vectors.use_model("next", DIMENSIONS)
    for text in (TRIP, TRIP.replace("Temples.", "Gardens.")):
        put(writer, "japan.md", text)
    writer.sweep(whole=True)
    embed(writer)
    assert writer.vectors.finish_switch()
    invariants.check(store.path, swept=True)


def test_another_model_makes_all_vectors_again(
    store: Store, writer: Writer, reader: Reader, model: None
) -> None:
    put(writer, "a.md", TRIP)
    embed(writer)
    assert not writer.vectors.set_model("test", DIMENSIONS)
    assert reader.vectors.has_any()
    assert writer.vectors.set_model("other", DIMENSIONS)
    assert reader.vectors.model() == "other"
    assert not reader.vectors.has_any()
    assert writer.note_states()["a.md"].digest == b""
    assert reader.words.known('"nishiki"'), "words stay searchable"
    put(writer, "a.md", TRIP)
    embed(writer)
    assert reader.vectors.has_any()
    invariants.check(store.path, swept=True)


def test_notes_written_without_a_model_are_read_again_with_it(
    writer: Writer, reader: Reader, model: None
) -> None:
    put(writer, "with.md", TRIP)
    writer.put_note(parse_note(TRIP, "without.md"), (), file_state(TRIP), digest(TRIP))
    writer.vectors.set_model("test", DIMENSIONS)
    digests = {path: state.digest for path, state in writer.note_states().items()}
    assert digests == {"with.md": digest(TRIP), "without.md": b""}


@pytest.mark.parametrize("again", ["settings", "forgotten", "model"])
def test_a_note_to_read_again_keeps_its_date(
    writer: Writer, reader: Reader, model: None, again: str
) -> None:
    """After an update of the program, all results were of 1 January 1970 until they were read."""
    put(writer, "a.md", TRIP)
    before = reader.rows.notes([1])[1]
    match again:
        case "settings":
            writer.read_as("other settings")
        case "forgotten":
            writer.forget(["a.md"])
        case "model":
            writer.vectors.set_model("another", DIMENSIONS)
    after = reader.rows.notes([1])[1]
    assert (after.modified, after.date) == (before.modified, before.date)
    assert writer.note_states()["a.md"].differs(file_state(TRIP))


@pytest.mark.fault("D12")
@pytest.mark.parametrize(
    "bad",
    [
        np.full(DIMENSIONS, np.nan, np.float32),
        np.full(DIMENSIONS, np.inf, np.float32),
        np.zeros(DIMENSIONS, np.float32),
    ],
    ids=["NaN", "infinite", "zero"],
)
def test_an_unusable_vector_is_left_out_and_holds_up_no_other(
    store: Store, writer: Writer, reader: Reader, model: None, bad: NDArray[np.float32]
) -> None:
    put(writer, "a.md", "good words")
    put(writer, "b.md", "bad words")
    keys = [key for key, _ in writer.vectors.pending(10)]
    writer.vectors.put(keys, np.stack([vector(keys[0]), bad]))
    assert writer.vectors.pending_count() == 0
    assert reader.counts().embedded == 1
    assert [hit.similarity for hit in reader.vectors.nearest(vector(keys[0]), 10)] == [
        pytest.approx(1, abs=0.02)
    ]


def test_storing_vectors_takes_no_longer_when_many_texts_wait(
    store: Store, writer: Writer, model: None
) -> None:
    def steps(notes: range) -> int:
        for number in notes:
            put(writer, f"{number}.md", f"note {number}")
        counted = 0

        def count() -> bool:
            nonlocal counted
            counted += 1
            return False

        with store.writing() as same:
            same._db.sql.set_progress_handler(count, 10)
            embed(same, 5)
            same._db.sql.set_progress_handler(None)
        return counted

    steps(range(5))
    few, many = steps(range(5, 10)), steps(range(10, 400))
    assert many < 2 * few


def test_a_note_that_cannot_be_read_now_keeps_its_words(writer: Writer, reader: Reader) -> None:
    put(writer, "a.md", TRIP)
    writer.set_problem("a.md", file_state("x", 2), Sentence("file_special"))
    writer.set_problem("new/b.md", file_state("x", 2), Sentence("file_not_text"))
    assert reader.words.known('"nishiki"')
    assert set(reader.unread()) == {
        Unread("a.md", Sentence("file_special")),
        Unread("new/b.md", Sentence("file_not_text")),
    }
    assert dict(reader.rows.note_names())["new/b.md"] == "b"
    put(writer, "a.md", TRIP)
    assert reader.unread() == (Unread("new/b.md", Sentence("file_not_text")),)


def test_a_note_that_was_read_with_a_problem_has_a_remark(writer: Writer, reader: Reader) -> None:
    note = parse_note(TRIP, "a.md")
    remark = Sentence("file_guessed_encoding", encoding="KOI8-R")
    writer.put_note(note, (), file_state("x", 1), b"digest", remark)
    assert reader.unread() == (Unread("a.md", remark, remark=True),)
    writer.set_problem("a.md", file_state("x", 2), Sentence("file_special"))
    assert reader.unread() == (Unread("a.md", Sentence("file_special")),)
    assert not writer.note_states()["a.md"].is_readable


def test_results_of_a_scan_are_stored(writer: Writer, reader: Reader) -> None:
    assert reader.last_scan() == 0
    writer.finish_scan(12.5, [Unread("x.md", Sentence("link_dead"))], "")
    assert reader.last_scan() == 12.5
    assert reader.unread() == (Unread("x.md", Sentence("link_dead")),)


def test_a_checkpoint_empties_the_log(store: Store, writer: Writer) -> None:
    put(writer, "a.md", TRIP * 50)
    log = store.path.with_name(store.path.name + "-wal")
    assert log.stat().st_size > 0
    writer.checkpoint()
    assert log.stat().st_size == 0
