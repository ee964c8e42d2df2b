"""The answers that programs get."""

from dataclasses import replace

import pytest

from notesearch.results import NoteResult, PassageResult, PassagesFound
from notesearch.serving.mcp_tools import Quotation, notes_text
from notesearch.wire import iso_time, note_list, semantic_search_response

EDGE = PassageResult(
    path="by the/pond 1.md",
    title="Pond",
    section="Edge",
    section_path=("Edge",),
    line=3,
    end_line=9,
    text="Reeds grow.",
    passage_line=5,
    passage_end_line=5,
    score=0.754,
    percent=68,
    cosine=0.61234,
    chunk_index=1,
    total_chunks=4,
    tags=("water",),
    category="land",
    modified=0.0,
    last_updated="2024-11-30",
    page_word_count=90,
)  # fmt: skip


def _found(total: int, passage: PassageResult) -> PassagesFound:
    return PassagesFound(query="q", took_ms=1.0, total=total, meaning=True, passages=(passage,))


def test_a_passage() -> None:
    (found,) = semantic_search_response(_found(7, EDGE)).results
    assert found.id == "by the/pond 1.md::chunk_1"
    assert found.snippet == "[Pond > Edge] Reeds grow."
    assert (found.distance, found.cosine, found.percent) == (0.246, 0.6123, 68)
    assert found.url == "/api/v1/pages/by%20the/pond%201.md?section=Edge%20%28line%203%29"
    assert found.last_updated == "2024-11-30"


def test_the_id_of_a_passage_names_its_vault_among_several() -> None:
    passage = replace(EDGE, vault="land")
    answer = _found(1, passage)
    (found,) = semantic_search_response(answer, named=True).results
    assert found.url.endswith("&vault=land")
    assert found.id == "land/by the/pond 1.md::chunk_1"


@pytest.mark.parametrize("updated", ["2024-11-30", ""])
def test_without_a_date_in_the_front_matter_it_is_that_of_the_file(updated: str) -> None:
    passage = replace(EDGE, last_updated=updated)
    (found,) = semantic_search_response(_found(1, passage)).results
    assert found.last_updated == (updated or "1970-01-01")


def test_listed_notes_show_the_date_they_are_sorted_by() -> None:
    diary = NoteResult("diary.md", "diary", 0.0, (), "", 86_400.0, 9, (), date=1_700_000_000.0)
    listed = note_list([diary], 1)
    assert (listed.notes[0].date, listed.notes[0].modified[:10]) == ("2023-11-14", "1970-01-02")
    assert "diary.md; 2023-11-14; 9 words\n" in notes_text(listed, Quotation())


def test_a_diary_may_be_older_than_the_clock_of_the_system() -> None:
    assert iso_time(-86_400.5) == "1969-12-30T23:59:59+00:00"
