"""Every example of docs/searching.md is parsed as it says and finds the section it names."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import resources
from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from notesearch.search.query import parse
from tests.search.query_text import TODAY, shown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "searching.md"

READ = {
    "boat paint": "boat | paint*",
    '"stepping stones"': '"stepping stones"',
    "tomatoes -blight": "tomatoes | ! NOT blight",
    "miso OR dashi": "miso / dashi*",
    "(kyoto OR nara) garden": "kyoto / nara | garden*",
    "sard* toast": "sard* | toast*",
    "path:travel budget": "budget* | ! path:travel",
    "path:journal/2025-05* allotment": "allotment* | ! path:journal/2025-05*",
    "file:recipes soup": "soup* | ! file:recipes",
    "tag:journal boat": "boat* | ! tag:journal",
    "tag:travel breakfast": "breakfast* | ! tag:travel",
    "section:pickles sugar": "sugar* | ! section:pickles",
    "prop:status": "! prop:status",
    "prop:category=meeting labels": "labels* | ! prop:category=meeting",
    "prop:budget>5000 worktop": "worktop* | ! prop:budget>5000",
    'prop:attendees="mr holt" money': 'money* | ! prop:attendees="mr holt"',
    "task:todo flour": "flour* | ! task:todo",
    "has:table savings": "savings* | ! has:table",
    "lang:de teig": "teig* | ! lang:de",
    "lang:bash copy": "copy* | ! lang:bash",
    "path:journal after:2025-04": "! path:journal | ! after:2025-04",
    "path:journal before:2024-11-08": "! path:journal | ! before:2024-11-08",
    "-path:journal -tag:home after:2025-03 before:2025-04": (
        "! NOT path:journal | ! NOT tag:home | ! after:2025-03 | ! before:2025-04"
    ),
    'links:"book club" eight': 'eight* | ! links:"book club"',
    "linked-by:recipes teig": "teig* | ! linked-by:recipes",
    "tag:garden": "! tag:garden",
}


def examples() -> dict[str, str]:
    """Return the first and the last column of the page's table, without its header."""
    rows = re.findall(r"^`(.+?)` \| .+ \| (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    return dict(rows)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Iterator[NoteLibrary]:
    folder = tmp_path_factory.mktemp("sample")
    shutil.copytree(resources() / "sample-vault", folder / "vault")
    with NoteLibrary.open(folder / "vault", home=folder / "home", embedder=embedder) as library:
        library.refresh()
        yield library


def test_the_table_has_all_examples_of_the_page() -> None:
    assert set(examples()) == set(READ)


@pytest.mark.parametrize(("example", "read"), READ.items())
def test_an_example_is_parsed_as_the_page_says(example: str, read: str) -> None:
    assert shown(parse(example, TODAY)) == read


@pytest.mark.parametrize(("example", "section"), examples().items())
def test_an_example_finds_what_the_page_says(
    sample: NoteLibrary, example: str, section: str
) -> None:
    for mode in ("words", "hybrid"):
        result = sample.search(example, mode=mode, limit=20, per_note=5)
        assert section in [found.section for found in result.sections]
        assert not result.missing
