"""The range of a model's cosines: when it is measured, and how it is brought into the usual one."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from notesearch.config import BUILTIN_DIMENSIONS, PAIR_PREFIX
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.markdown.sections.passage_cutting import heading_paths
from notesearch.notes import Passage
from notesearch.store.cosine_ranges import (
    BESIDE,
    USUAL,
    CosineRange,
    CosineRanges,
    RangeSample,
    ranges_key,
)
from notesearch.store.reader import Reader
from notesearch.store.vector_reader import SectionVectors, VectorReader
from notesearch.store.writer import Writer
from tests.store.note_writing import (
    DIMENSIONS,
    WINDOW,
    count_words,
    digest,
    embed,
    file_state,
    put,
    vector,
)

Vectors = npt.NDArray[np.float32]

TRIP = "# Trip\n\n## Kyoto\n\nTemples.\n\n## Tokyo\n\nTowers.\n"
GERMAN = "# Reise\n\nDer Tempel ist am Morgen noch leer, und wir sind nicht müde.\n"
TABLE = "# Trip\n\n| Kyoto | 12:40 |\n|---|---|\n| Tokyo | 17:05 |\n"
WIDE = CosineRange(0.8, 0.9)
RANGES = CosineRanges(WIDE, CosineRange(0.82, 0.92), CosineRange(0.85, 0.9))


def birds(writer: Writer, does: str) -> None:
    """Write and embed thirty notes of two sections."""
    for number in range(30):
        text = f"# Bird {number}\n\nNumber {number} {does}.\n\n## Eggs\n\nIt {does} on {number}.\n"
        put(writer, f"{does}/{number}.md", text)
    embed(writer)


@pytest.fixture
def model(writer: Writer) -> None:
    """A model whose vectors can be stored."""
    writer.vectors.set_model("test", DIMENSIONS)


def measured(writer: Writer, *, growing: bool = False) -> RangeSample | None:
    """Store ranges if a measurement is due, and return its sample."""
    sample = writer.vectors.range_sample(growing=growing)
    if sample:
        writer.vectors.put_ranges(sample, RANGES)
    return sample


def test_growing_vectors_are_measured_once_and_again_when_they_have_doubled(
    writer: Writer, reader: Reader, model: None
) -> None:
    put(writer, "trip.md", TRIP)
    embed(writer)
    assert measured(writer, growing=True) is None, "too few"
    birds(writer, "sings")
    sample = measured(writer, growing=True)
    assert sample is not None
    assert len(sample.passages) == sample.vectors
    assert len(sample.headings) > 20
    assert set(sample.headings.values()) <= {section for _, section, _ in sample.passages}
    assert measured(writer, growing=True) is None
    birds(writer, "flies")
    assert measured(writer, growing=True) is None, "not quite doubled"
    birds(writer, "swims")
    assert measured(writer, growing=True) is not None


def test_the_measurement_depends_on_the_notes_and_not_on_their_history(
    writer: Writer, reader: Reader, model: None
) -> None:
    birds(writer, "sings")
    first = measured(writer)
    assert first is not None
    assert measured(writer) is None, "nothing has changed"
    birds(writer, "flies")
    assert measured(writer) is not None
    writer.delete_notes(f"{does}/{n}.md" for does in ("flies", "sings") for n in range(30))
    assert measured(writer) is None
    assert not reader.state.meta(ranges_key("test")), "too few vectors have the usual ranges"
    birds(writer, "sings")
    again = measured(writer)
    assert again is not None
    assert again.digest == first.digest


def test_headings_are_measured_with_title_and_headings_of_their_section(
    writer: Writer, model: None
) -> None:
    put(writer, "trip.md", TRIP)
    birds(writer, "sings")
    sample = writer.vectors.range_sample()
    assert sample is not None
    paths = dict(zip(sample.headings, sample.heading_paths, strict=True))
    assert paths.items() >= {("Kyoto", "Trip > Kyoto"), ("Bird 3 Eggs", "Bird 3 > Eggs")}
    assert paths["Bird 3"] == "Bird 3"


def test_heading_paths_have_a_range_of_their_own(
    writer: Writer, reader: Reader, model: None
) -> None:
    """It is measured with the cosines that searches get."""
    birds(writer, "sings")
    note = parse_note(TRIP, "trip.md")
    paths = heading_paths(note, count_words, WINDOW)
    writer.put_note(note, (), file_state(TRIP), digest(TRIP), paths=paths)
    rows = np.stack([vector(id_) for id_, _ in writer.vectors.pending(1000)])
    embed(writer)
    query, sections = vector(1)[None], range(1, 100)
    before = reader.vectors.near_paths(query, sections)
    ((*cosines,),) = writer.vectors.path_cosines(query, rows[-len(paths) :]).tolist()
    assert sorted(before.values()) == pytest.approx(sorted(cosines))
    measured(writer)
    after = reader.vectors.near_paths(query, sections)
    assert after == pytest.approx({id_: RANGES.of_path(near) for id_, near in before.items()})


def test_a_heading_of_several_notes_stands_with_the_title(writer: Writer, model: None) -> None:
    put(writer, "trip.md", TRIP)
    birds(writer, "sings")
    sample = writer.vectors.range_sample()
    assert sample is not None
    assert {"Kyoto", "Bird 3", "Bird 3 Eggs"} <= sample.headings.keys()
    assert "Eggs" not in sample.headings


def test_passages_of_a_single_section_say_nothing_about_distant_texts(
    writer: Writer, model: None
) -> None:
    put(writer, "long.md", "# Long\n\n" + "\n\n".join(f"Word {n} " * 120 for n in range(60)))
    embed(writer)
    assert measured(writer) is None


def test_cosines_are_brought_into_the_usual_range(
    writer: Writer, reader: Reader, model: None
) -> None:
    birds(writer, "sings")
    query = vector(1)
    before = {hit.section_id: hit.similarity for hit in reader.vectors.nearest(query, 100)}
    measured(writer)
    for hit in reader.vectors.nearest(query, 100):
        assert hit.similarity == pytest.approx(RANGES.of_query(before[hit.section_id]))


def test_the_next_model_is_measured_before_it_takes_over(
    writer: Writer, reader: Reader, model: None
) -> None:
    birds(writer, "sings")
    writer.vectors.use_model("next", DIMENSIONS, "next")
    for id_, note in writer.vectors.uncut_notes(1000):
        passages = tuple(Passage(s.ordinal, 0, (0, 1), f"{id_} {s.heading}") for s in note.sections)
        writer.vectors.put_cut_notes([(id_, passages, ())])
    embed(writer)
    sample = measured(writer)
    assert sample is not None
    assert sample.model == "next"
    assert reader.vectors.model() == "test"


@pytest.mark.parametrize(
    ("cosine", "usual"), [(0.8, 0.11), (0.9, 0.45), (0.85, 0.28), (0.7, -0.23), (1.0, 0.79)]
)
def test_distant_and_near_texts_have_the_usual_cosines(cosine: float, usual: float) -> None:
    assert RANGES.of_query(cosine) == pytest.approx(usual)


def test_the_usual_ranges_stay_as_they_are() -> None:
    assert [USUAL.of_query(0.3), USUAL.of_path(0.3), USUAL.of_pair(0.3)] == [0.3, 0.3, 0.3]


def test_ranges_are_measured_with_headings_and_passages() -> None:
    """Two headings on two axes, each with a passage near to it; a third passage is between."""
    rows = [
        (heading, section, np.array(row, np.int8).tobytes())
        for heading, section, row in (
            ("One", 1, [100, 0]),
            ("", 2, [60, 80]),
            ("Two", 3, [0, 100]),
        )
    ]
    sample = RangeSample("test", 3, rows, {1: "Note > One", 2: "Note", 3: "Note > Two"})
    assert sample.heading_paths == ["Note > One", "Note > Two"]
    of_paths = np.array([[0.8, 0.6], [0.4, 0.9]], np.float32)
    english = np.array([[0.28, 0.0]], np.float32)
    ranges = sample.measure(np.eye(2, dtype=np.float32), of_paths, english)
    assert ranges.queries.distant == pytest.approx(0.3)
    assert ranges.queries.near == pytest.approx(1)
    assert ranges.paths.distant == pytest.approx(0.5)
    assert ranges.paths.near == pytest.approx(0.85)
    assert ranges.english == pytest.approx(0.3 - 0.28 * 0.6, abs=0.01)
    assert ranges.pairs.distant == pytest.approx(0.6)
    assert CosineRanges.from_text(ranges.to_text()) == ranges


def test_a_range_without_width_divides_by_no_zero() -> None:
    flat = CosineRange(0.5, 0.5)
    ranges = CosineRanges(flat, flat, flat)
    assert ranges.of_query(0.5) == pytest.approx(0.11)
    assert ranges.of_query(0.9) == 1


@pytest.fixture
def pair(writer: Writer) -> None:
    """The built-in model and another one beside it; a vector has the numbers of both in a row."""
    writer.vectors.set_model(f"{PAIR_PREFIX}other", BUILTIN_DIMENSIONS + DIMENSIONS)


def by_other(vectors: npt.ArrayLike) -> Vectors:
    """Return vectors of the pair that the other model alone has made."""
    made = np.asarray(vectors, np.float32)
    return np.hstack([np.zeros((len(made), BUILTIN_DIMENSIONS), np.float32), made])


def embed_by_other(writer: Writer, like: Vectors) -> None:
    """Let the other model give this vector to each text that waits for one."""
    ids = [id_ for id_, _ in writer.vectors.pending(1000)]
    writer.vectors.put(ids, by_other([like] * len(ids)))


def put_by_both(writer: Writer, other: Vectors) -> Vectors:
    """Store a note of which the built-in model read only the first text; return all vectors.

    ``other`` is the vector by the other model of each text after the first.
    """
    put(writer, "trip.md", TRIP)
    ids = [id_ for id_, _ in writer.vectors.pending(1000)]
    rows = by_other(np.stack([np.zeros_like(other), *[other] * (len(ids) - 1)]))
    rows[0, 0] = 1
    writer.vectors.put(ids, rows)
    return rows


@pytest.mark.usefixtures("pair")
def test_of_two_models_only_the_other_one_has_ranges_of_its_own(
    writer: Writer, reader: Reader
) -> None:
    """With few notes, the other model's greater cosines would put all of its notes first."""
    rows = put_by_both(writer, vector(1))
    english = np.zeros_like(rows[:1])
    english[0, :2] = 0.6, 0.8
    german = 0.84 * rows[1:2]
    moved = BESIDE.queries.converted(0.84, USUAL.queries)
    expected = sorted([0.6, *[moved] * (len(rows) - 1)], reverse=True)
    hits = reader.vectors.nearest(np.vstack([english, german]), 10)
    assert [hit.similarity for hit in hits] == pytest.approx(expected, abs=0.01)
    assert reader.vectors.nearest(english, 10)[0].similarity == pytest.approx(0.6, abs=0.01)
    assert reader.vectors.near_notes(german, [1]).keys() == {1}


def test_likeness_of_sections_read_by_two_models_is_in_one_range() -> None:
    """Two vectors of the model beside the built-in one have the cosine 0.83 without being alike."""

    def section(ranges: CosineRanges, *row: float) -> SectionVectors:
        return SectionVectors(np.array([row], np.float32), ranges)

    def near(cosine: float) -> tuple[float, float]:
        return cosine, math.sqrt(1 - cosine**2)

    german, english = section(BESIDE, 0, 0, 1, 0), section(USUAL, 1, 0, 0, 0)
    liked = (german, english)
    other_german = section(BESIDE, 0, 0, *near(0.83)).likeness(liked)
    assert other_german == pytest.approx(BESIDE.of_pair(0.83))
    assert section(USUAL, *near(0.3), 0, 0).likeness(liked) > other_german
    assert german.likeness([english]) == german.likeness([]) == 0


@pytest.mark.usefixtures("pair")
def test_a_note_read_by_two_models_is_related_in_the_range_of_each(
    writer: Writer, reader: Reader
) -> None:
    """An English note has a section in German, which every German note would be like."""
    rows = put_by_both(writer, np.eye(1, DIMENSIONS, dtype=np.float32)[0])
    mixed = np.zeros((2, rows.shape[1]), np.float32)
    mixed[0, :2] = 0.3, math.sqrt(1 - 0.3**2)
    mixed[1, BUILTIN_DIMENSIONS : BUILTIN_DIMENSIONS + 2] = 0.83, math.sqrt(1 - 0.83**2)
    expected = sorted([0.3, *[BESIDE.of_pair(0.83)] * (len(rows) - 1)], reverse=True)
    for passages in (mixed, mixed[::-1]):
        near = [hit.similarity for hit in reader.vectors.near_passages(passages, 10)]
        assert near == pytest.approx(expected, abs=0.02)


def cosines_with_first_note(reader: Reader, vectors: VectorReader, query: Vectors) -> list[float]:
    """Return the cosines from each of the ways to ask: nearest sections, given ones, notes."""
    near = {hit.section_id: hit.similarity for hit in vectors.nearest(query, 10)}
    (section,) = (id_ for id_, place in reader.rows.places(near).items() if place.note_id == 1)
    (again,) = vectors.nearest_of(query, [section])
    return [near[section], again.similarity, vectors.near_notes(query, [1])[1]]


@pytest.mark.usefixtures("pair")
@pytest.mark.parametrize(
    ("text", "language", "lower"),
    [(GERMAN, "en", 0.04), (GERMAN, "de", 0.0), (GERMAN, "", 0.0), (TABLE, "en", 0.0)],
)
def test_english_queries_are_compared_in_a_range_of_their_own(
    writer: Writer, reader: Reader, text: str, language: str, lower: float
) -> None:
    """Two texts in two languages are less alike than in one: English questions found nothing.

    In the range for these, tables without a language came before all English notes.
    """
    autumn = "# Herbst\n\nWir haben das Laub noch nicht zusammengerecht.\n"
    winter = "# Winter\n\nIm Keller sind die Leitungen über Nacht eingefroren.\n"
    for number, note in enumerate((text, autumn, winter), start=1):
        put(writer, f"{number}.md", note)
        embed_by_other(writer, vector(number))
    query = 0.84 * by_other([vector(1)])
    asked = cosines_with_first_note(reader, reader.vectors.asked_in(language), query)
    usual = cosines_with_first_note(reader, reader.vectors, query)
    assert asked == pytest.approx([BESIDE.of_query(0.84 + lower)] * 3, abs=0.01)
    assert usual == pytest.approx([BESIDE.of_query(0.84)] * 3, abs=0.01)


@pytest.mark.usefixtures("pair")
def test_paths_of_headings_in_other_languages_have_a_range_for_english_queries(
    writer: Writer, reader: Reader
) -> None:
    for text in (GERMAN, TABLE):
        note = parse_note(text, f"{digest(text).hex()}.md")
        paths = heading_paths(note, count_words, WINDOW)
        writer.put_note(note, (), file_state(text), digest(text), paths=paths)
    ids = [id_ for id_, _ in writer.vectors.pending(1000)]
    rows = by_other([vector(id_) for id_ in ids])
    writer.vectors.put(ids, rows)
    usual = reader.vectors.near_paths(-rows[:1], range(9))
    asked = reader.vectors.asked_in("en").near_paths(-rows[:1], range(9))
    notes = {id_: place.note_id for id_, place in reader.rows.places(usual).items()}
    assert set(notes.values()) == {1, 2}
    assert {notes[id_] for id_ in usual if asked[id_] > usual[id_]} == {1}


def test_one_model_has_one_range_for_all_queries(
    writer: Writer, reader: Reader, model: None
) -> None:
    assert reader.vectors.asked_in("en") is reader.vectors
