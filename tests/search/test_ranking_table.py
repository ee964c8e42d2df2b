"""A table of queries, and the order of results that a person expects.

All notes of the table lie in one vault, searched with the real model; the rows are in
``rows_*.py``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from notesearch.library import NoteLibrary
from notesearch.results import SectionResult
from tests.folders import write
from tests.indexed import indexed
from tests.search import rows_links, rows_names, rows_scripts, rows_shapes, rows_words
from tests.search.rows import Row

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

THEMES = (
    *rows_names.THEMES, *rows_words.THEMES, *rows_scripts.THEMES, *rows_shapes.THEMES,
    *rows_links.THEMES,
)  # fmt: skip
SHOWN = 30


@pytest.fixture(scope="module")
def library(
    tmp_path_factory: pytest.TempPathFactory, embedder: "Embedder"
) -> Iterator[NoteLibrary]:
    """Give the notes of all themes, indexed with the real model."""
    folder = tmp_path_factory.mktemp("table")
    for theme in THEMES:
        write(folder / "vault", theme.notes)
    with indexed(folder, {}, embedder) as library:
        yield library


def _cases() -> Iterator[object]:
    for theme in THEMES:
        for row in theme.rows:
            for mode in row.modes:
                mending = row.mending and mode in row.mending_in
                marks = [pytest.mark.xfail(reason=row.mending, strict=True)] if mending else []
                name = f"{theme.name}: {row.query} ({mode})"
                yield pytest.param(row, mode, marks=marks, id=name)


@pytest.mark.parametrize(("row", "mode"), list(_cases()))
def test_the_order_that_a_person_expects(library: NoteLibrary, row: Row, mode: str) -> None:
    found = library.search(row.query, limit=SHOWN, per_note=3, mode=mode).sections
    shown = [f"{section.path}#{section.section}" for section in found[:8]]
    places = [_place(found, name) for name in row.order]
    assert None not in places, shown
    assert not places or places[0] == 0, shown
    assert places == sorted(place for place in places if place is not None), shown
    assert [name for name in row.absent if _place(found, name) is not None] == [], shown
    assert [name for name in row.below if _place(found, name) == 0] == [], shown


def _place(found: tuple[SectionResult, ...], name: str) -> int | None:
    path, _, heading = name.partition("#")
    return next(
        (
            i
            for i, section in enumerate(found)
            if section.path == path and heading in {"", section.section}
        ),
        None,
    )


def test_each_note_belongs_to_one_theme() -> None:
    names = [name for theme in THEMES for name in theme.notes]
    assert len(names) == len(set(names))


def test_the_rows_name_existing_notes() -> None:
    asked = {
        name.partition("#")[0]
        for theme in THEMES
        for row in theme.rows
        for name in (*row.order, *row.absent, *row.below)
    }
    assert asked <= {name for theme in THEMES for name in theme.notes}
