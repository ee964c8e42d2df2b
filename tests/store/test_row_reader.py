"""Rows by their ids, before and after a change."""

from notesearch.store.reader import Reader
from notesearch.store.writer import Writer
from tests.store.note_writing import put

NOTE = "# Trip\n\nNishiki market\n\n## Packing\n\nsocks"


def test_rows_are_up_to_date(reader: Reader, writer: Writer) -> None:
    put(writer, "trip.md", NOTE)
    first = reader.rows.note_sections("trip.md")
    ids = [row.id for row in first]
    outlines = reader.rows.sections(ids, with_body=False)
    assert [outlines[id_].heading for id_ in ids] == ["Trip", "Packing"]
    assert reader.rows.note_ids(ids) == dict.fromkeys(ids, first[0].note_id)
    assert reader.rows.notes([first[0].note_id])[first[0].note_id].title == "Trip"
    put(writer, "trip.md", NOTE.replace("Trip", "Journey").replace("Packing", "Luggage"))
    now = reader.rows.note_sections("trip.md")
    again = [row.id for row in now]
    outlines = reader.rows.sections({*ids, *again}, with_body=False)
    assert [outlines[id_].heading for id_ in again] == ["Journey", "Luggage"]
    assert outlines.keys() == set(again)
    assert reader.rows.note_ids({*ids, *again}) == dict.fromkeys(again, now[0].note_id)
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
