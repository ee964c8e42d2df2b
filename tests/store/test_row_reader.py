"""Rows by their ids, before and after a change."""

import time

from notesearch.store.reader import Reader
from notesearch.store.rows import SectionPlace
from notesearch.store.writer import Writer
from tests.store.note_writing import DIMENSIONS, put

NOTE = "# Trip\n\nNishiki market\n\n## Packing\n\nsocks"


def test_rows_are_up_to_date(reader: Reader, writer: Writer) -> None:
    put(writer, "trip.md", NOTE)
    first = reader.rows.note_sections("trip.md")
    ids = [row.id for row in first]
    outlines = reader.rows.sections(ids, with_body=False)
    assert [outlines[id_].heading for id_ in ids] == ["Trip", "Packing"]
    places = {row.id: SectionPlace("trip.md", row.ordinal, row.note_id) for row in first}
    assert reader.rows.places(ids) == places
    assert reader.rows.notes([first[0].note_id])[first[0].note_id].title == "Trip"
    put(writer, "trip.md", NOTE.replace("Trip", "Journey").replace("Packing", "Luggage"))
    now = reader.rows.note_sections("trip.md")
    again = [row.id for row in now]
    outlines = reader.rows.sections({*ids, *again}, with_body=False)
    assert [outlines[id_].heading for id_ in again] == ["Journey", "Luggage"]
    assert outlines.keys() == set(again)
    places = {row.id: SectionPlace("trip.md", row.ordinal, row.note_id) for row in now}
    assert reader.rows.places({*ids, *again}) == places
    assert reader.rows.notes([now[0].note_id])[now[0].note_id].title == "Journey"


def test_passages_of_several_sections_are_read_together(reader: Reader, writer: Writer) -> None:
    market = " ".join(f"Stall {n} sells tea." for n in range(40))
    put(writer, "trip.md", NOTE.replace("Nishiki market", market))
    top, packing = (row.id for row in reader.rows.note_sections("trip.md"))
    found = reader.rows.passages([packing, top, 999])
    assert found.keys() == {top, packing}
    assert [passage.number for passage in found[packing]] == [0]
    assert [passage.number for passage in found[top]] == list(range(len(found[top])))
    starts = [passage.span[0] for passage in found[top]]
    assert len(starts) > 2
    assert starts == sorted(starts)


def test_sections_that_wait_for_vectors_are_found_at_once(reader: Reader, writer: Writer) -> None:
    writer.vectors.set_model("test", DIMENSIONS)
    for path in ("north.md", "south.md"):
        parts = (f"# Stall {n}\n\n{path} {n} sells tea.\n" for n in range(1400))
        put(writer, path, "\n".join(parts))
    sections = [row.id for row in reader.rows.note_sections("north.md")]
    began = time.perf_counter()
    assert reader.vectors.waiting(sections) == {*sections}
    assert time.perf_counter() - began < 0.5
