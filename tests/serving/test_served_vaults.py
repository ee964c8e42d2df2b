"""One server for several vaults."""

from collections.abc import Iterator
from typing import Any

import pytest
from mcp_types import TextContent

from notesearch.errors import VaultNameError
from notesearch.serving.mcp_tools import TOOLS
from notesearch.serving.parameters import SearchParameters
from notesearch.serving.served_vaults import ServedVaults
from tests.folders import write
from tests.indexed import words_only
from tests.test_libraries import HOME, WORK

CALLS = {tool.name: tool for tool in TOOLS}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVaults]:
    folder = tmp_path_factory.mktemp("several")
    write(folder / "private", HOME)
    write(folder / "work", WORK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOTESEARCH_HOME", str(folder / "home"))
        folders = [folder / "private", folder / "work"]
        with ServedVaults.opened(folders, words_only(folder)) as served:
            served.reindex()
            yield served


def call(served: ServedVaults, tool: str, **arguments: Any) -> str:
    answer = CALLS[tool].call(served, arguments, structured=False)
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return f"ERROR {content.text}" if answer.is_error else content.text


def places(served: ServedVaults, **arguments: Any) -> set[str]:
    answer = CALLS["search_notes"].call(served, {"mode": "words", **arguments}, structured=True)
    assert answer.structured_content
    return {f"{one['vault']}/{one['path']}" for one in answer.structured_content["results"]}


ALL = {"private/japan.md", "work/trips/osaka.md", "work/todo.md"}


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({}, ALL),
        ({"vault": "private"}, {"private/japan.md"}),
        ({"vault": "WORK"}, ALL - {"private/japan.md"}),
        ({"path": "work"}, ALL - {"private/japan.md"}),
        ({"path": "work/trips/"}, {"work/trips/osaka.md"}),
        ({"path": "trips"}, {"work/trips/osaka.md"}),
    ],
)
def test_a_search_asks_all_vaults_or_one(
    served: ServedVaults, arguments: dict[str, str], found: set[str]
) -> None:
    assert places(served, query="trains", **arguments) == found


def test_an_answer_speaks_of_the_vaults_that_were_asked(served: ServedVaults) -> None:
    told = call(served, "search_notes", query="trains", mode="words", path="work")
    assert " in work. " in told
    assert "private" not in told


def test_every_place_in_an_answer_is_read_again(served: ServedVaults) -> None:
    told = call(served, "search_notes", query="trains", mode="words", n=9)
    cited = [line.split(" > ")[0].partition(". ")[2] for line in told.splitlines() if " > " in line]
    assert len(cited) == 3
    listed = call(served, "list_notes", n=9).splitlines()[2:-1]
    cited += [line.partition(";")[0] for line in listed]
    for place in cited:
        assert call(served, "read_note", path=place).startswith(place.partition(":")[0]), place
    assert not call(served, "read_notes", places=cited[:8]).startswith("ERROR")
    for path, _ in served.notes():
        assert not call(served, "read_note", path=f"note:///{path}").startswith("ERROR")


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("read_note", {"path": "boat.md"}, "private/boat.md:1-3"),
        ("read_note", {"path": "todo.md", "vault": "work"}, "work/todo.md:1-3"),
        ("read_note", {"path": "todo.md"}, "ERROR 2 notes are called “todo.md”: private/todo.md"),
        (
            "read_note",
            {"path": "x", "vault": "wrok"},
            "ERROR No notes folder is called “wrok”. Use one",
        ),
        ("list_sections", {"path": "work/todo.md"}, "work/todo.md: 1 section,"),
        ("linked_notes", {"path": "japan"}, "private/japan.md. Paths"),
        ("list_tags", {"vault": "nowhere"}, "ERROR No notes folder is called"),
        ("vault_stats", {"vault": "work"}, "work ("),
        ("vault_stats", {}, "private ("),
        ("reindex", {}, "Nothing has changed. 5 notes are indexed."),
    ],
)
def test_a_tool_finds_the_vault(
    served: ServedVaults, tool: str, arguments: dict[str, str], told: str
) -> None:
    assert call(served, tool, **arguments).startswith(told)


def test_numbers_are_sums(served: ServedVaults) -> None:
    totals = served.stats()
    assert totals.notes == 5 == sum(one.notes for one in totals.vaults)
    assert [one.name for one in totals.vaults] == ["private", "work"]


def test_an_unknown_vault_is_an_error(served: ServedVaults) -> None:
    filters = SearchParameters(q="x", vault="nowhere")
    with pytest.raises(VaultNameError, match="private, work"):
        served.search("x", filters, limit=1, per_note=1, mode="words")


def test_only_several_vaults_have_the_argument() -> None:
    for tool in TOOLS:
        one = tool.describe(structured=False, vaults=["notes"]).input_schema
        several = tool.describe(structured=False, vaults=["notes", "work"]).input_schema
        assert "vault" not in one["properties"]
        assert "vault" in several["properties"]
