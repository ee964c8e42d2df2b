"""The MCP tools and resources, by the official client over stdio and HTTP."""

import itertools
import json
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from notesearch.serving.mcp_tools import TOOLS
from tests.folders import snapshot, write
from tests.serving.servers import (
    ESCAPES,
    LONG,
    SECRET,
    TOKEN,
    command,
    environment,
    escapes,
    listening,
    write_vault,
)

REINDEX = "reindex"
REEDS = "### Reeds\n\nThey bend."
"""The section ``Banks / Reeds`` of the note ``river.md``."""


class Agent:
    """An MCP client whose calls wait for the answer."""

    def __init__(self, portal: BlockingPortal, client: Client, vault: Path) -> None:
        self.portal = portal
        self.client = client
        self.vault = vault

    def request(self, method: str, *arguments: Any) -> Any:
        """Call a method of the client, such as ``list_tools``."""
        return self.portal.call(getattr(self.client, method), *arguments)

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool and return its whole answer."""
        result = self.request("call_tool", tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    def json(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the structured content of its answer."""
        result = self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def text(self, tool: str, **arguments: Any) -> str:
        """Call a tool and return the text of its answer."""
        result = self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    def error(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail, and return its message."""
        result = self.call(tool, **arguments)
        assert result.is_error, text_of(result)
        return text_of(result)

    def wait_for(self, tool: str, key: str, value: object) -> None:
        """Call ``tool`` until its answer has ``value`` at ``key``."""
        while self.json(tool)[key] != value:
            time.sleep(0.02)

    @contextmanager
    def with_notes(self, notes: dict[str, str]) -> Iterator[None]:
        """Add notes to the vault until the block ends; wait for the index both times."""
        before = self.json("list_notes")["total"]
        write(self.vault, notes)
        self.wait_for("list_notes", "total", before + len(notes))
        yield
        for path in notes:
            (self.vault / path).unlink()
        self.wait_for("list_notes", "total", before)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@contextmanager
def over_stdio(vault: Path, home: Path, *options: str) -> Iterator[Agent]:
    """Start a server for ``vault`` and connect to it by its standard input and output."""
    _, *words = command("mcp", *options, "--vault", str(vault))
    server = StdioServerParameters(command=sys.executable, args=words, env=environment(home))
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(server))) as client,
    ):
        yield Agent(portal, client, vault)


@asynccontextmanager
async def over_http(address: str) -> AsyncIterator[Client]:
    """Connect to the server that listens at ``address``."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent of a vault whose passages all have vectors."""
    folder = tmp_path_factory.mktemp("served")
    with over_stdio(write_vault(folder), folder / "home", "--structured") as agent:
        agent.wait_for("vault_stats", "state", "current")
        yield agent


@pytest.mark.fault("H15")
def test_over_http_another_server_gives_the_same_answers(agent: Agent) -> None:
    words = ["mcp", "--http", "--structured", "--vault", str(agent.vault)]
    with (
        listening(words, agent.vault.parent / "home") as address,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(over_http(address)) as client,
    ):
        other = Agent(portal, client, agent.vault)
        for tool, arguments in CALLS:
            here, there = agent.json(tool, **arguments), other.json(tool, **arguments)
            for answer in (here, there):
                answer.pop("took_ms", None)
                answer.pop("elsewhere", None)
            assert here == there
        missing = other.json("search_notes", query='"heron"', mode="words")
        assert missing["remarks"] == ["Not in any note: heron."]
        assert other.request("list_tools").tools == agent.request("list_tools").tools
        assert (
            other.request("list_resources").resources == agent.request("list_resources").resources
        )
        assert (
            other.request("read_resource", "note:///river.md")
            .contents[0]
            .text.startswith("# River")
        )
        with pytest.raises(MCPError):
            other.request("read_resource", "note:///../secret.md")
        assert other.error("read_note", path="../secret.md")


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search_notes", {"query": "reeds"}),
    ("search_notes", {"query": "plants in a lake", "mode": "meaning", "n": 2}),
    ("read_note", {"path": "river.md", "section": "Banks"}),
    ("read_note", {"path": "long.md"}),
    ("read_notes", {"places": ["river.md#Reeds", "long.md:3-9"]}),
    ("list_sections", {"path": "trips"}),
    ("list_notes", {"tags": "water"}),
    ("list_tags", {}),
    ("linked_notes", {"path": "river.md"}),
    ("related_sections", {"path": "river", "section": "Banks"}),
    ("vault_stats", {}),
    (REINDEX, {}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS[:-2])
def test_each_result_names_its_vault(agent: Agent, tool: str, arguments: dict[str, Any]) -> None:
    about_notes = [*_with_path(agent.json(tool, **arguments))]
    assert bool(about_notes) is (tool != "list_tags")
    assert {each["vault"] for each in about_notes} <= {"vault"}


def _with_path(answer: Any) -> Iterator[dict[str, Any]]:
    """Yield every JSON object in ``answer`` that has a path, except links."""
    for part in answer.values() if isinstance(answer, dict) else answer:
        if isinstance(part, dict | list):
            yield from _with_path(part)
    if isinstance(answer, dict) and "path" in answer and "written" not in answer:
        yield answer


class TestTools:
    def test_have_descriptions(self, agent: Agent) -> None:
        tools = {tool.name: tool for tool in agent.request("list_tools").tools}
        assert list(tools) == [
            "search_notes", "read_note", "read_notes", "list_sections", "list_notes", "list_tags",
            "related_sections", "linked_notes", "vault_stats", REINDEX,
        ]  # fmt: skip
        for name, tool in tools.items():
            assert "Example" in tool.description
            assert "description" not in tool.input_schema
            assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
            assert tool.annotations.read_only_hint is (name != REINDEX)
            assert not tool.annotations.destructive_hint
            assert "null" not in json.dumps(tool.input_schema)
            for schema in (tool.input_schema, tool.output_schema):
                assert '"title": "' not in json.dumps(schema)

    @pytest.mark.parametrize("vaults", [["notes"], ["notes", "work"]])
    def test_are_listed_in_few_characters(self, vaults: list[str]) -> None:
        listed = [tool.describe(structured=False, vaults=vaults) for tool in TOOLS]
        assert all(tool.output_schema is None for tool in listed)
        dumped = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
        assert len(json.dumps(dumped)) <= 6_000

    @pytest.mark.fault("H11")
    @pytest.mark.parametrize(
        ("tool", "arguments", "message"),
        [
            ("search_notes", {}, "“query” is missing. Give a text of up to 20,000 characters."),
            ("search_notes", {"query": [7]}, "“query” is not valid. Give a text of up to 20,000"),
            (
                "search_notes",
                {"query": "", "property": {"a": 1, "b": 2}},
                "“property” is not valid. Give a text of up to 1,000 characters.",
            ),
            (
                "search_notes",
                {"query": "x", "n": -1},
                "“n” is not valid. Give a whole number from 1 to 50.",
            ),
            (
                "search_notes",
                {"query": "x", "n": 10**9},
                "“n” is not valid. Give a whole number from 1 to 50.",
            ),
            (
                "search_notes",
                {"query": "x", "max_sections_per_note": 6},
                "Give a whole number from 1 to 5.",
            ),
            ("search_notes", {"query": "x" * 20_001}, "Give a text of up to 20,000 characters."),
            (
                "search_notes",
                {"query": "x", "mode": "magic"},
                "“mode” is not valid. Give hybrid or words or meaning.",
            ),
            (
                "search_notes",
                {"query": "x", "tags": 1},
                "“tags” is not valid. Give a list of up to 10",
            ),
            (
                "search_notes",
                {"query": "x", "after": "soon"},
                "“after” is not a date. Give one",
            ),
            ("read_note", {"path": ""}, "“path” is not valid. Give a text of 1 to 4,096"),
            (
                "read_notes",
                {"places": []},
                "Give a list of 1 to 10 texts of up to 1,000 characters.",
            ),
        ],
    )
    def test_explain_wrong_arguments(
        self, agent: Agent, tool: str, arguments: dict[str, Any], message: str
    ) -> None:
        assert message in agent.error(tool, **arguments)

    @pytest.mark.parametrize(
        ("tool", "arguments", "shown"),
        [
            ("search_notes", {"query": "reeds", "sessionId": "s"}, "unknown arguments: sessionId."),
            ("read_note", {"path": "river.md", "lines": 3}, "The parameters are: path, section"),
            ("vault_stats", {"a": 1, "b": []}, "unknown arguments: a, b. The parameters are: none"),
            ("search_notes", {"query": "reeds", "n": "2"}, "river.md"),
            ("search_notes", {"query": "reeds", "n": 2.0, "path": None}, "river.md"),
            ("search_notes", {"query": "reeds", "mode": "Words "}, "river.md"),
            ("search_notes", {"query": "reeds", "tags": "[]"}, "river.md"),
            ("search_notes", {"query": "", "tags": '["water"]'}, "river.md"),
            ("search_notes", {"query": "", "tags": "#water,"}, "river.md"),
            ("search_notes", {"query": "", "tags": ["water"]}, "river.md"),
            ("search_notes", {"query": " "}, "The query is empty. Add a word or a filter."),
            ("search_notes", {"query": "", "tags": "water, nowhere"}, "No notes match"),
            ("search_notes", {"query": 7}, "long.md"),
            ("search_notes", {"query": "reeds", "mode": "", "n": "", "after": ""}, "river.md"),
            ("related_sections", {"path": "river.md", "own_note": ""}, "pond.md"),
            ("related_sections", {"path": "river.md", "own_note": "true", "n": "3"}, "pond.md"),
        ],
    )
    def test_may_be_more_or_of_another_kind(
        self, agent: Agent, tool: str, arguments: dict[str, Any], shown: str
    ) -> None:
        assert shown in agent.text(tool, **arguments)

    @pytest.mark.parametrize(
        ("query", "reason"),
        [(" ", "The query is empty."), ("*", "There is nothing to search for in “*”.")],
    )
    def test_an_empty_query_is_explained_once(self, agent: Agent, query: str, reason: str) -> None:
        assert agent.text("search_notes", query=query) == f"{reason} Add a word or a filter."
        remarks = agent.json("search_notes", query=query)["remarks"]
        assert remarks == [f"{reason} Add a word or a filter."]

    def test_that_are_unknown_are_a_protocol_error(self, agent: Agent) -> None:
        with pytest.raises(MCPError, match="The tools are: search_notes, read_note"):
            agent.call("delete_note")


class TestSearch:
    def test_returns_whole_passages_with_their_place(self, agent: Agent) -> None:
        found = agent.json("search_notes", query="reeds", n=10, mode="words")
        assert found["total"] == 3
        river = next(note for note in found["results"] if note["path"] == "river.md")
        assert (river["tags"], river["category"], river["page_word_count"]) == (
            ["water"],
            "land",
            7,
        )
        assert river["modified"].startswith("20")
        best = river["sections"][0]
        assert best["section"] == "Reeds"
        assert best["section_path"] == ["Banks", "Reeds"]
        assert (best["line"], best["end_line"]) == (13, 15)
        assert (best["chunk_index"], best["total_chunks"]) == (0, 1)
        assert best["snippet"] == "They bend."

    def test_reads_well(self, agent: Agent) -> None:
        shown = agent.text("search_notes", query="section:reeds", max_sections_per_note=1)
        head, place, mark, passage, end = shown.replace("\n\n", "\n").splitlines()
        assert head.startswith("1 of 1 section in vault. Paths, headings, tags and the text")
        assert place.startswith(
            "1. river.md:15 > Banks > Reeds (section: lines 13-15; note: 7 words; tags: water"
        )
        assert passage == "They bend."
        assert (mark[1:-1], mark) == (end[2:-1], head.split()[13])
        scored = agent.text("search_notes", query="reeds that bend", n=1)
        assert re.search(r"\n1\. river\.md:15 > Banks > Reeds \(score \d{2}; section", scored)

    @pytest.mark.parametrize(
        ("arguments", "paths"),
        [
            ({"query": "reeds", "path": "hills"}, []),
            ({"query": "snow", "path": "hills"}, ["hills/peak.md"]),
            ({"query": "", "tags": ["water"]}, ["river.md"]),
            ({"query": "", "property": "category=land"}, ["river.md"]),
            ({"query": "", "property": {"category": "land"}}, ["river.md"]),
            ({"query": "", "property": '{"category": "land"}'}, ["river.md"]),
            ({"query": ["reeds", "-path:pond"]}, ["river.md"]),
            ({"query": "reeds", "section": "edge"}, ["pond.md"]),
            ({"query": "reeds", "after": "tomorrow"}, []),
            ({"query": "reeds", "before": "2001"}, []),
            ({"query": "reeds -path:pond"}, ["river.md"]),
            ({"query": "reeds OR", "path": "hills"}, []),
            ({"query": "snow", "n": None, "tags": None, "after": None}, ["hills/peak.md"]),
            ({"query": "snow", "path": "/", "section": "", "tags": [""]}, ["hills/peak.md"]),
        ],
    )
    def test_accepts_all_filters(
        self, agent: Agent, arguments: dict[str, Any], paths: list[str]
    ) -> None:
        found = agent.json("search_notes", mode="words", **arguments)
        assert [note["path"] for note in found["results"]] == paths

    def test_keeps_within_bounds(self, agent: Agent) -> None:
        for n, per_note in ((1, 5), (5, 1), (5, None), (7, 5)):
            found = agent.json(
                "search_notes", query="many words", n=n, max_sections_per_note=per_note
            )
            counts = [len(note["sections"]) for note in found["results"]]
            assert sum(counts) <= n
            assert max(counts) == min(n, per_note or 2)

    def test_by_meaning(self, agent: Agent) -> None:
        found = agent.json("search_notes", query="plants in a lake", mode="meaning")
        assert found["results"][0]["path"] in {"pond.md", "river.md"}

    @pytest.mark.parametrize(
        ("tool", "arguments", "message"),
        [
            ("search_notes", {"query": "tag:wat"}, "No notes match “tag:wat”. Did you mean tag:w"),
            ("search_notes", {"query": "reeds", "tags": "watre"}, "Did you mean tag:water?"),
            ("search_notes", {"query": "", "property": "category:lnad"}, "prop:category=land?"),
            ("search_notes", {"query": "", "property": "categroy: land"}, "prop:category=land?"),
            ("list_notes", {"property": "categroy"}, "Did you mean prop:category?"),
            ("list_notes", {"path": "hlils/"}, "Did you mean path:hills?"),
            ("list_notes", {"section": "reedz"}, "Did you mean section:reeds?"),
            ("list_tags", {"beginning": "#watre"}, "Did you mean tag:water?"),
            ("list_tags", {"beginning": "!"}, "There is no such tag."),
        ],
    )
    def test_explains_an_empty_result(
        self, agent: Agent, tool: str, arguments: dict[str, Any], message: str
    ) -> None:
        assert message in agent.text(tool, **arguments)

    def test_finds_saved_changes(self, agent: Agent) -> None:
        try:
            for word in ("ottera", "otterb", "otterc", "otterd", "ottere"):
                write(agent.vault, {"fresh.md": f"The {word} swims.\n"})
                self.search_until(agent, word, ["fresh.md"])
        finally:
            (agent.vault / "fresh.md").unlink()
        self.search_until(agent, "ottere", [])

    def search_until(self, agent: Agent, word: str, paths: list[str]) -> None:
        """Search for ``word`` until exactly the notes ``paths`` have it.

        A busy system reports a saved note late.
        """
        deadline = time.monotonic() + 60
        found = None
        while found != paths:
            assert time.monotonic() < deadline
            answer = agent.json("search_notes", query=f'"{word}"', mode="words")
            found = [note["path"] for note in answer["results"]]


class TestRead:
    @pytest.mark.parametrize(
        ("path", "section", "read", "lines"),
        [
            ("river.md", "banks", f"## Banks\n\nReeds grow there.\n\n{REEDS}", (9, 15)),
            ("river", "Banks/Reeds", REEDS, (13, 15)),
            ("River", "Bank", f"## Banks\n\nReeds grow there.\n\n{REEDS}", (9, 15)),
            ("RIVER.MD", "## Reeds", REEDS, (13, 15)),
            ("trips.md", "oslo/food", "## Food\n\nFish.", (11, 13)),
            ("trips.md", "trips", "Before we left.", (1, 1)),
            ("hills/peak", None, "Snow lies on it.", (4, 4)),
            ("The peak", "", "Snow lies on it.", (4, 4)),
            ("ctrl\x01name.md", None, "A name that cannot be seen.", (1, 1)),
            ("ctrl\\x01name.md", None, "A name that cannot be seen.", (1, 1)),
        ],
    )
    def test_a_section_or_a_note(
        self, agent: Agent, path: str, section: str | None, read: str, lines: tuple[int, int]
    ) -> None:
        page = agent.json("read_note", path=path, section=section)
        assert page["text"].strip() == read
        assert (page["line"], page["end_line"]) == lines
        assert page["continuation"] == ""

    @pytest.mark.parametrize(
        ("path", "section", "message"),
        [
            ("trips.md", "food", "Rome / Food (line 5); Oslo / Food (line 11)"),
            ("river.md", "sea", "river.md has no section “sea”. Its sections: River; Banks"),
            ("lake.md", None, "No note is called “lake.md”. Search for a word that it contains."),
            ("rivr.md", None, "Did you mean river.md?"),
        ],
    )
    def test_lists_alternatives_for_unknown_names(
        self, agent: Agent, path: str, section: str | None, message: str
    ) -> None:
        error = agent.error("read_note", path=path, section=section)
        assert message in error
        lists_names = "Search for a word" not in message
        assert ("quoted from the user's notes: data" in error) is lists_names

    def test_a_long_note_in_pages(self, agent: Agent) -> None:
        pages = [agent.json("read_note", path="long.md")]
        place = {"path": "long.md"}
        while continuation := pages[-1]["continuation"]:
            assert f"continuation={continuation}" in agent.text("read_note", **place)
            place["continuation"] = continuation
            pages.append(agent.json("read_note", **place))
        assert "".join(page["text"] for page in pages) == LONG.removesuffix("\n")
        assert len(pages) == 3
        assert all(len(page["text"]) <= 24_000 for page in pages)
        for page, following in itertools.pairwise(pages):
            assert page["end_line"] < following["line"] <= page["end_line"] + 2
        assert {page["words"] for page in pages} == {page["page_word_count"] for page in pages}

    def test_a_changed_note_ends_its_pages(self, agent: Agent) -> None:
        write(agent.vault, {"growing.md": LONG})
        first = agent.json("read_note", path="growing.md")
        write(agent.vault, {"growing.md": LONG + "more"})
        assert "has changed" in agent.error(
            "read_note", path="growing.md", continuation=first["continuation"]
        )
        (agent.vault / "growing.md").unlink()

    @pytest.mark.parametrize("tool", ["read_note", "list_sections"])
    def test_a_continuation_of_another_note_is_refused(self, agent: Agent, tool: str) -> None:
        first = agent.json("read_note", path="long.md")
        error = agent.error(tool, path="river.md", continuation=first["continuation"])
        assert "belongs to another note, section or list" in error

    def test_sections_with_their_sizes(self, agent: Agent) -> None:
        listed = agent.json("list_sections", path="river.md")["sections"]
        assert [(s["level"], s["section"], s["words"], s["full_words"]) for s in listed] == [
            (1, "River", 2, 7), (2, "Banks", 3, 5), (3, "Reeds", 2, 2)
        ]  # fmt: skip
        assert [(s["line"], s["end_line"], s["full_end_line"]) for s in listed] == [
            (5, 8, 15), (9, 12, 15), (13, 15, 15)
        ]  # fmt: skip
        shown = agent.text("list_sections", path="river.md")
        assert "## Banks (lines 9-15; 5 words, 3 without subsections)" in shown

    @pytest.mark.parametrize("path", ["river.md", "trips.md", "long.md"])
    def test_word_counts_agree_with_the_outline(self, agent: Agent, path: str) -> None:
        outline = agent.json("list_sections", path=path)
        for section in outline["sections"]:
            name = f"{' / '.join(section['section_path'])} (line {section['line']})"
            read = agent.json("read_note", path=path, section=name)
            assert read["words"] == section["full_words"]
        whole = agent.json("read_note", path=path)
        assert whole["words"] == whole["page_word_count"] == outline["page_word_count"]

    def test_related_sections(self, agent: Agent) -> None:
        found = agent.json("related_sections", path="river", section="Banks")["sections"]
        assert (found[0]["path"], found[0]["section"]) == ("pond.md", "Edge")
        shown = agent.text("related_sections", path="river", section="Banks")
        assert "1. pond.md:5 > Edge (score " in shown
        assert "section: lines 3-5)" in shown


class TestWithoutStructure:
    """Text alone, unless the client asks for more: clients send both to the model."""

    @pytest.fixture
    def plain(self, tmp_path: Path) -> Iterator[Agent]:
        with over_stdio(write_vault(tmp_path), tmp_path / "home") as agent:
            yield agent

    def test_answers_are_text_and_one_call_may_ask_for_json(self, plain: Agent) -> None:
        assert all(tool.output_schema is None for tool in plain.request("list_tools").tools)
        for tool, arguments in CALLS:
            if tool != "related_sections":  # its vectors may still be missing
                assert plain.call(tool, **arguments).structured_content is None
        meta: Any = {"notesearch/structured": True}
        answer = plain.portal.call(partial(plain.client.call_tool, "list_tags", {}, meta=meta))
        assert answer.structured_content["tags"][0] == {"tag": "water", "notes": 1}


class TestLists:
    @pytest.mark.parametrize(
        ("arguments", "paths"),
        [
            ({"tags": "water"}, ["river.md"]),
            ({"path": "hills"}, ["hills/peak.md"]),
            ({"property": "category=land"}, ["river.md"]),
            ({"section": "edge"}, ["pond.md"]),
            ({"after": "tomorrow"}, []),
        ],
    )
    def test_notes(self, agent: Agent, arguments: dict[str, Any], paths: list[str]) -> None:
        found = agent.json("list_notes", **arguments)
        assert [note["path"] for note in found["notes"]] == paths
        assert found["total"] == len(paths)

    def test_a_list_without_notes_says_which_filter_none_fulfils(self, agent: Agent) -> None:
        shown = agent.text("list_notes", tags="wat", path="/")
        assert shown == 'No notes match “tag:"wat"”. Did you mean tag:water?'
        shown = agent.text("list_notes", path="hills", tags="water")
        assert shown == 'No notes match “path:"/hills/"” and “tag:"water"” together.'

    def test_all_notes_are_counted(self, agent: Agent) -> None:
        found = agent.json("list_notes", n=2)
        assert (len(found["notes"]), found["total"]) == (2, 7)
        assert "2 of 7 notes, the newest first." in agent.text("list_notes", n=2)

    def test_empty_notes_are_listed_too(self, agent: Agent) -> None:
        with agent.with_notes({"hills/blank.md": "", "hills/gone.md": "\n"}):
            found = agent.json("list_notes", path="hills", after="today")
            paths = {note["path"] for note in found["notes"]}
            assert {"hills/blank.md", "hills/gone.md"} <= paths
            assert agent.json("list_notes", section="blank")["total"] == 0

    def test_tags(self, agent: Agent) -> None:
        assert {"tag": "water", "notes": 1} in agent.json("list_tags")["tags"]
        assert agent.json("list_tags", beginning="#Wat")["total"] == 1
        assert agent.text("list_tags", beginning="none") == 'No notes match “tag:"none"”.'

    def test_links(self, agent: Agent) -> None:
        text = "See [[river#Banks|the river]]\n\nand [p](pond.md), [[no]]\n"
        with agent.with_notes({"map.md": text}):
            links = agent.json("linked_notes", path="map.md")
            assert [(link["line"], link["target"]) for link in links["outgoing"]] == [
                (1, "river.md"), (3, "pond.md"), (3, None)
            ]  # fmt: skip
            (back,) = agent.json("linked_notes", path="river")["backlinks"]
            assert (back["path"], back["line"]) == ("map.md", 1)
            shown = agent.text("linked_notes", path="river")
            assert "links to it (1):\nmap.md:1" in shown

    def test_several_places_are_read_at_once(self, agent: Agent) -> None:
        places = ["river.md#Reeds", "long.md:3-9", "no such note", "note:///hills/peak.md"]
        read = agent.json("read_notes", places=places)
        assert [(page["path"], page["line"]) for page in read["pages"]] == [
            ("river.md", 13), ("long.md", 3), ("hills/peak.md", 4)
        ]  # fmt: skip
        assert len(read["problems"]) == 1
        assert agent.error("read_notes", places=["nothing", "none"])


class TestPrompts:
    def test_are_listed_and_filled_in(self, agent: Agent) -> None:
        (first, _) = agent.request("list_prompts").prompts
        assert first.name == "answer_from_notes"
        shown = agent.request("get_prompt", first.name, {"question": "Where do reeds grow?"})
        assert "Where do reeds grow?" in shown.messages[0].content.text
        assert "[path:first-last]" in shown.messages[0].content.text
        with pytest.raises(MCPError, match="The prompts are: answer_from_notes"):
            agent.request("get_prompt", "none", {})
        for without in ({}, {"question": " "}):
            with pytest.raises(MCPError, match="“question” is missing"):
                agent.request("get_prompt", first.name, without)


class TestSafety:
    @pytest.mark.fault(
        "H7",
        fault="A program asks for ../, absolute paths, links, NUL",
        outcome="No such note",
    )
    @pytest.mark.parametrize("number", range(len(ESCAPES)), ids=lambda n: repr(ESCAPES[n]))
    def test_no_path_leads_outside(self, agent: Agent, number: int) -> None:
        path = escapes(agent.vault)[number]
        if not path.isprintable():  # JSON needs escapes for it
            path = path.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        for tool in ("read_note", "list_sections", "related_sections"):
            assert SECRET not in agent.error(tool, path=path)
        with pytest.raises(MCPError):
            agent.request("read_resource", f"note:///{path}")

    @pytest.mark.fault(
        "H8",
        row="H8, H14",
        fault="A note gives orders, or hides characters in its text or titles",
        outcome="Quoted between unpredictable marks; such characters are spelt out",
    )
    def test_hidden_characters_are_spelt_out(self, agent: Agent) -> None:
        for answer in (
            agent.text("read_note", path="hostile.md"),
            agent.text("search_notes", query="zerowidth path:hostile"),
            agent.json("read_note", path="hostile.md")["text"],
            agent.request("read_resource", "note:///hostile.md").contents[0].text,
        ):
            for sign in ("\u200b", "\U000e0041", "\x1b", "\u202e"):
                assert sign not in answer
            assert "zero\\u200bwidth \\U000e0041\\U000e0042 " in answer
            assert " \\u202eabc" in answer

    @pytest.mark.fault("H8")
    def test_a_note_cannot_end_its_own_quotation(self, agent: Agent) -> None:
        marks = set()
        for _ in range(3):
            lines = agent.text("read_note", path="hostile.md").splitlines()
            assert lines[2] == lines[-1].replace("/", "")
            marks.add(lines[2])
        assert len(marks) == 3

    @pytest.mark.fault("H8")
    def test_nothing_is_written_to_the_vault(self, agent: Agent) -> None:
        before = snapshot(agent.vault)
        for tool in ("vault_stats", REINDEX):
            agent.call(tool)
        agent.call("search_notes", query="reeds")
        assert snapshot(agent.vault) == before


class TestIndex:
    def test_is_reported(self, agent: Agent) -> None:
        stats = agent.json("vault_stats")
        assert stats["vault"] == str(agent.vault)
        assert (stats["notes"], stats["pending"], stats["problem"]) == (7, 0, "")
        assert stats["sections"] > 20
        assert stats["passages"] > 10
        assert 1 < stats["average_passage_words"] < 200
        assert stats["last_scan"].startswith("20")
        assert (stats["state"], stats["watching"]) == ("current", "live")
        assert stats["unread_count"] == len(stats["unread"]) == 2  # the links

    def test_is_updated_on_demand(self, agent: Agent) -> None:
        done = agent.json(REINDEX)
        assert (done["finished"], done["notes"]) == (True, 7)
        assert "7 notes are indexed." in agent.text(REINDEX)


class TestResources:
    def test_are_the_notes(self, agent: Agent) -> None:
        listed = agent.request("list_resources")
        assert [resource.uri for resource in listed.resources][:3] == [
            "note:///ctrl%01name.md", "note:///hills/peak.md", "note:///hostile.md"
        ]  # fmt: skip
        assert listed.next_cursor is None
        for resource in listed.resources:
            (content,) = agent.request("read_resource", resource.uri).contents
            assert content.mime_type == "text/markdown"
            assert content.text

    def test_sections_are_resources(self, agent: Agent) -> None:
        (template,) = agent.request("list_resource_templates").resource_templates
        assert template.uri_template == "note:///{+path}{#section}"
        (content,) = agent.request("read_resource", "note:///river.md#Banks/Reeds").contents
        assert content.text.strip() == REEDS

    def test_a_long_note_says_how_to_read_on(self, agent: Agent) -> None:
        (content,) = agent.request("read_resource", "note:///long.md").contents
        continuation = agent.json("read_note", path="long.md")["continuation"]
        read_on = f"[Continued: read_note with continuation={continuation}]"
        assert content.text.endswith(read_on)

    @pytest.mark.parametrize("uri", ["note:///lake.md", "note:///", "file:///etc/passwd", "x"])
    def test_that_are_not_there_are_an_error(self, agent: Agent, uri: str) -> None:
        with pytest.raises(MCPError):
            agent.request("read_resource", uri)

    def test_with_a_path_that_is_too_long_say_so(self, agent: Agent) -> None:
        with pytest.raises(MCPError, match="“path” is not valid"):
            agent.request("read_resource", f"note:///{'x' * 5000}")
