"""One server for several vaults."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp_types import TextContent

from notesearch.embedding.embedder import Embedder
from notesearch.errors import VaultMissingError, VaultNameError
from notesearch.serving import served_vaults
from notesearch.serving.mcp_tools import TOOLS
from notesearch.serving.parameters import Filters, SearchParameters, TagArguments
from notesearch.serving.served_vaults import ServedVault, ServedVaults
from notesearch.wire import TagCount, semantic_search_response
from tests.folders import write
from tests.indexed import indexed, without_model
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
        with ServedVaults.opened(folders, without_model(folder)) as served:
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
        ({"query": "trains path:work/trips"}, {"work/trips/osaka.md"}),
        ({"query": "trains -path:work/"}, {"private/japan.md"}),
        ({"query": "trains path:work/trips", "vault": "private"}, set()),
        ({"query": "trains path:work/trips", "path": "work"}, {"work/trips/osaka.md"}),
        ({"query": "trains path:work/trips", "path": "work/trips"}, {"work/trips/osaka.md"}),
        ({"query": "OR trains -path:work/trips", "path": "work/trips"}, set()),
    ],
)
def test_a_search_asks_all_vaults_or_one(
    served: ServedVaults, arguments: dict[str, str], found: set[str]
) -> None:
    assert places(served, **{"query": "trains", **arguments}) == found


def test_an_address_may_begin_with_the_name_of_the_only_vault(tmp_path: Path, home: Path) -> None:
    write(tmp_path / "diary", WORK)
    with ServedVaults.opened([tmp_path / "diary"], without_model(tmp_path)) as served:
        served.reindex()
        for path in ("diary/trips/osaka.md", "trips/osaka.md", "diary/osaka"):
            assert call(served, "read_note", path=path).startswith("trips/osaka.md")
        for path in ("diary/trips", "diary/trips/", "/diary/trips/osaka.md", "trips"):
            found = places(served, query="trains", path=path)
            assert found == {"diary/trips/osaka.md"}, path


@pytest.mark.parametrize(
    ("places", "read"),
    [
        ("todo.md", 1),
        ("todo.md, trips/osaka.md", 2),
        ("todo.md\ntrips/osaka.md\n", 2),
        ("one, two.md", 1),
        ("[[one, two]]", 1),
        ('["one, two.md", "todo.md"]', 2),
    ],
)
def test_a_list_of_places_may_come_as_one_text(
    tmp_path: Path, home: Path, places: str, read: int
) -> None:
    write(tmp_path / "work", {**WORK, "one, two.md": "# Both\n"})
    with ServedVaults.opened([tmp_path / "work"], without_model(tmp_path)) as served:
        served.reindex()
        answer = CALLS["read_notes"].call(served, {"places": places}, structured=True)
        assert answer.structured_content
        assert len(answer.structured_content["pages"]) == read
        assert answer.structured_content["problems"] == []


def test_an_empty_place_stops_no_other_from_being_read(tmp_path: Path, home: Path) -> None:
    write(tmp_path / "work", WORK)
    with ServedVaults.opened([tmp_path / "work"], without_model(tmp_path)) as served:
        served.reindex()
        answer = CALLS["read_notes"].call(served, {"places": ["todo.md", ""]}, structured=True)
        assert answer.structured_content
        assert [page["path"] for page in answer.structured_content["pages"]] == ["todo.md"]
        assert answer.structured_content["problems"] == [
            "“path” is not valid. Give a text of 1 to 4,096 characters."
        ]


def test_a_vault_that_is_gone_stops_no_answer_of_the_others(tmp_path: Path, home: Path) -> None:
    write(tmp_path / "work", WORK)
    folders = [tmp_path / "gone", tmp_path / "work"]
    with ServedVaults.opened(folders, without_model(tmp_path)) as served:
        gone = "“gone” was not searched: The notes folder"
        assert call(served, "search_notes", query="trains", mode="words").startswith(
            f"2 of 2 sections in work. {gone}"
        )
        for tool, path in (("list_notes", "/"), ("list_notes", "nowhere"), ("list_tags", "/")):
            told = call(served, tool, path=path)
            assert not told.startswith("ERROR")
            assert gone in told
        assert call(served, "read_note", path="osaka").startswith("work/trips/osaka.md")
        assert len(served.notes()) == 2
        stats = served.stats()
        assert [one.notes for one in (stats, *stats.vaults)] == [2, 0, 2]
        assert stats.vaults[0].problem.startswith("The notes folder")
        assert stats.vaults[0].state == "outdated"
        assert call(served, "reindex").startswith("ERROR “gone” is not up to date")
        assert call(served, "list_notes", vault="gone").startswith("ERROR The notes folder")
    with (
        pytest.raises(VaultMissingError),
        ServedVaults.opened(folders[:1], without_model(tmp_path)),
    ):
        pass


def test_an_answer_tells_that_the_index_cannot_be_updated(tmp_path: Path, home: Path) -> None:
    write(tmp_path / "work", WORK)
    with ServedVaults.opened([tmp_path / "work"], without_model(tmp_path)) as served:
        outdated = "The index cannot be updated, so notes may have changed. The notes folder"
        assert outdated not in call(served, "search_notes", query="trains")
        (tmp_path / "work").rename(tmp_path / "moved")
        stats = served.stats()
        assert stats.state == "outdated"
        assert stats.problem.startswith("The notes folder")
        assert call(served, "reindex").startswith("ERROR The notes folder")
        told = call(served, "search_notes", query="trains")
        assert outdated in told
        assert "trips/osaka.md" in told


def test_passages_tell_of_a_vault_without_them(
    tmp_path: Path, home: Path, embedder: Embedder
) -> None:
    with (
        indexed(tmp_path / "one", {"a.md": "# Boat\n\nVarnish.\n"}, embedder) as one,
        indexed(tmp_path / "two", {"b.md": "# Boat\n\nPaint.\n"}) as two,
    ):
        vaults = {"one": one, "two": two}
        served = ServedVaults({name: ServedVault(vaults[name]) for name in vaults})
        found = served.passages("boat", Filters(), limit=5, per_note=2)
        assert [silent.vault for silent in found.unanswered] == ["two"]
        (remark,) = semantic_search_response(found).remarks
        assert remark.startswith("“two” was not searched: ")
        served.close()


def test_several_vaults_wait_for_the_system_only_once(
    served: ServedVaults, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=waits.append)
    monkeypatch.setattr(served_vaults, "time", clock)
    assert places(served, query="trains") == ALL
    assert len(waits) == 1
    call(served, "list_notes", tags=["nobody"])
    assert len(waits) == 2, "the remark about the tag needs no second wait"


def test_similar_sections_come_from_all_vaults(
    tmp_path: Path, home: Path, embedder: Embedder
) -> None:
    soup, stew = "# Soup\n\nA soup of leeks and potatoes.\n", "# Stew\n\nA stew of leeks.\n"
    with (
        indexed(tmp_path / "one", {"soup.md": soup}, embedder) as one,
        indexed(tmp_path / "two", {"stew.md": stew, "tax.md": "# Tax\n"}, embedder) as two,
    ):
        vaults = {"one": one, "two": two}
        served = ServedVaults({name: ServedVault(vaults[name]) for name in vaults})
        assert "1. two/stew.md:3 > Stew" in call(served, "related_sections", path="soup")
        alone = call(served, "related_sections", path="soup", vault="one")
        assert alone == "No section has a similar meaning."
        served.close()


def test_tags_that_differ_in_spelling_are_one(tmp_path: Path) -> None:
    write(tmp_path / "one", {"a.md": "#café #Boat", "b.md": "#café"})
    write(tmp_path / "other", {"a.md": "#cafe\u0301 #BOAT", "b.md": "#CAFE"})
    with ServedVaults.opened(
        [tmp_path / "one", tmp_path / "other"], without_model(tmp_path)
    ) as both:
        both.reindex()
        tags = both.tags(TagArguments(n=9))
    assert [(each.tag, each.notes) for each in tags.tags] == [("café", 4), ("boat", 2)]
    assert tags.total == 2


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
        ("read_note", {"path": "todo.md", "vault": "Work/"}, "work/todo.md:1-3"),
        ("read_note", {"path": "work/"}, "ERROR No note is called “work/”."),
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
    private, work = (one.average_passage_words for one in totals.vaults)
    assert totals.average_passage_words == round((3 * private + 2 * work) / 5)
    assert [one.name for one in totals.vaults] == ["private", "work"]


def test_spellings_of_a_tag_in_several_vaults_are_one(tmp_path: Path, home: Path) -> None:
    write(tmp_path / "private", {"a.md": "Rice. #Küche\n", "b.md": "Oats. #Küche\n"})
    write(tmp_path / "work", {"c.md": "Tea. #kuche\n"})
    folders = [tmp_path / "private", tmp_path / "work"]
    with ServedVaults.opened(folders, without_model(tmp_path)) as served:
        served.reindex()
        listed = served.tags(TagArguments(n=10))
        assert (listed.total, listed.tags) == (1, [TagCount("küche", 3)])


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode elsewhere")
def test_a_vault_may_have_a_name_that_is_not_unicode(tmp_path: Path, home: Path) -> None:
    folders = [tmp_path / "work", Path(f"{tmp_path}/caf\udce9")]
    for folder in folders:
        write(folder, WORK)
    with ServedVaults.opened(folders, without_model(tmp_path)) as served:
        assert json.dumps(served.names, ensure_ascii=False).encode()
        named = served.search(
            "trains", Filters(vault=served.names[1]), limit=5, per_note=5, mode="words"
        )
        assert {section.vault for section in named.sections} == {"caf?"}


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
