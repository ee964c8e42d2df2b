"""What agents wait for and pay: calls of tools, memory of the server, tokens; and a cold start."""

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from pydantic import BaseModel

from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from notesearch.embedding.model_loader import load_embedder
from notesearch.library import NoteLibrary
from notesearch.serving import mcp_tools
from notesearch.wire import OutlineEntry, ReadPage, outline_entries
from tests.benchmarks import vaults
from tests.benchmarks.measured import Figure, percentile, spread
from tests.benchmarks.searching import AsIfReal, distinct_queries
from tests.quality import labels
from tests.quality.labels import LabelledQuery

_ROUNDS = 7
_QUESTIONS = 150
_FEW_QUESTIONS = 8
_STRUCTURED: Any = {"notesearch/structured": True}


def serving(work: Path, passages: int) -> Iterator[Figure]:
    """Call the tools of a server, start the command line, and look at the server's memory."""
    vault, home = vaults.large(work, passages).resolve(), (work / "home of agents").resolve()
    embedder = AsIfReal(load_embedder(BUILTIN_MODEL, resources() / "models"))
    settings = Settings(vault=str(vault))
    with NoteLibrary.open(vault, home=home, settings=settings, embedder=embedder) as library:
        library.refresh()
        where = f"{library.status().notes:,} notes, {library.status().passages:,} passages"
    settings.save(Paths.choose(home))
    yield _cold_start(home, vault, where)
    yield from _calls(home, vault, where)


def _cold_start(home: Path, vault: Path, where: str) -> Figure:
    search = ["search", "git undo last commit", "--json", "--vault", str(vault)]
    times = []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "notesearch", *search],
            env=_environment(home), stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip
        times.append((time.perf_counter() - started) * 1000)
    name = "`notesearch search`, from exec to its end"
    return Figure(name, spread(times, "ms"), "<= 600 ms", where, median(times) <= 600)


def _calls(home: Path, vault: Path, where: str) -> Iterator[Figure]:
    with start_blocking_portal() as portal, _connected(portal, home, vault) as client:

        def call(tool: str, arguments: dict[str, object]) -> float:
            started = time.perf_counter()
            portal.call(client.call_tool, tool, arguments)
            return (time.perf_counter() - started) * 1000

        call("search_notes", {"query": "warm up"})
        searches = [call("search_notes", {"query": query}) for query in distinct_queries()]
        stats = [call("vault_stats", {}) for _ in range(20)]
        memory = _memory_of_children()
    for name, times in (("search_notes", searches), ("vault_stats", stats)):
        p95 = percentile(times, 0.95)
        told = f"p50 {percentile(times, 0.5):.0f} ms, p95 {p95:.0f} ms"
        yield Figure(
            f"MCP over stdio, `{name}`", told, "p95 <= 60 ms", f"{where}, {len(times)} calls",
            p95 <= 60,
        )  # fmt: skip
    value = f"{memory:.0f} MB"
    yield Figure("memory of the MCP server", value, "<= 180 MB", where, memory <= 180)


def _memory_of_children() -> float:
    """Return the resident megabytes of the largest child of this process; 0 except on Linux."""
    found = [0.0]
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:
            continue
        if lines["PPid"].strip() == str(os.getpid()) and "VmRSS" in lines:
            found.append(int(lines["VmRSS"].split()[0]) / 1024)
    return max(found)


def _environment(home: Path) -> dict[str, str]:
    # An installed program keeps its bytecode.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "NOTESEARCH_HOME": str(home)}


def _connected(portal: BlockingPortal, home: Path, vault: Path) -> AbstractContextManager[Client]:
    """Start a server for ``vault``, and connect a client to it."""
    words = ["-m", "notesearch", "mcp", "--vault", str(vault)]
    server = StdioServerParameters(command=sys.executable, args=words, env=_environment(home))
    return portal.wrap_async_context_manager(Client(stdio_client(server)))


def questions(work: Path) -> Iterator[Figure]:
    """Count the calls and characters that the answers to a few labelled questions take.

    The characters are those of the list of tools and of all answers, as they are sent.
    """
    for name in (labels.SAMPLE, "til"):
        for task in labels.tasks(name, (labels.TYPED,)):
            vault, home = task.vault(work), (work / f"home of {name} asked").resolve()
            with NoteLibrary.open(vault, home=home) as library:
                library.refresh()
                notes = library.status().notes
            asked = [query for query in task.queries if query.split.endswith("question")]
            asked = asked[:_FEW_QUESTIONS]
            calls, characters, right = _conversation(home, vault, asked)
            yield Figure(
                f"questions of an agent, {name}",
                f"{calls} calls, {characters:,} characters, {right} right",
                f"{len(asked)} right",
                f"{len(asked)} questions, {notes:,} notes",
                right == len(asked),
            )


def _conversation(
    home: Path, vault: Path, queries: Sequence[LabelledQuery]
) -> tuple[int, int, int]:
    """Ask as an agent does; return the calls, the characters and the right answers.

    A search that does not list the right section is made again for more results; then the section
    is read.
    """
    with start_blocking_portal() as portal, _connected(portal, home, vault) as client:

        def call(tool: str, **arguments: object) -> tuple[int, dict[str, Any]]:
            """Call a tool; return the characters of the answer, and the answer as JSON."""
            asked = partial(client.call_tool, tool, arguments, meta=_STRUCTURED)
            answer = portal.call(asked)
            shown = answer.model_copy(update={"structured_content": None})
            return _characters(shown), answer.structured_content

        calls = right = 0
        characters = sum(map(_characters, portal.call(client.list_tools).tools))
        for query in queries:
            for n in (5, 15):
                cost, found = call("search_notes", query=query.text, n=n)
                calls, characters = calls + 1, characters + cost
                place = _place(query, found["results"])
                if place:
                    break
            if place and n > 5:
                calls, characters = calls + 1, characters + call("read_note", path=place)[0]
            right += bool(place)
    return calls, characters, right


def _characters(answer: BaseModel) -> int:
    return len(answer.model_dump_json(by_alias=True, exclude_none=True))


def _place(query: LabelledQuery, notes: Iterable[dict[str, Any]]) -> str:
    """Return path and line of the first right answer; empty if there is none."""
    places = (
        f"{note['path']}:{section['passage_line']}"
        for note in notes
        for section in note["sections"]
        for answer in query.answers
        if answer.grade == labels.BEST
        and answer.is_section(note["path"], section["line"], section["section"])
    )
    return next(places, "")


def tokens(work: Path) -> Iterator[Figure]:
    """Count the tokens of the answers to labelled questions: sections, whole notes and searches.

    They are tokens of the built-in model; with those of another model, the ratios are similar.
    """
    count = load_embedder(BUILTIN_MODEL, resources() / "models").count_tokens
    for vault in vaults.real():
        tasks = labels.tasks(vault.name, (labels.SECTIONS,))
        asked_here = [query for task in tasks for query in task.queries]
        if not asked_here:
            continue  # nobody has labelled the sample notes
        questions = asked_here[:: max(1, len(asked_here) // _QUESTIONS)]
        sections, notes, searches = [], [], []
        settings = Settings(model="none")  # the size of an answer is the same without meaning
        with NoteLibrary.open(vault, home=work / "home of tokens", settings=settings) as library:
            library.refresh()
            for question in questions:
                answer = question.answers[0]
                listed = outline_entries(library.sections(answer.file))
                entry = next(
                    (e for e in listed if answer.is_section(answer.file, e.line, e.section)), None
                )
                if entry is None:
                    continue
                whole = library.read(answer.file).text
                text = (vault / answer.file).read_text("utf-8").splitlines()
                part = "\n".join(text[entry.line - 1 : entry.full_end_line])
                notes.append(count(_page(answer.file, entry, whole)))
                sections.append(count(_page(answer.file, entry, part)))
                found = library.search(question.text, limit=5)
                searches.append(
                    count(mcp_tools.search_text(found, (), ["notes"], mcp_tools.Quotation()))
                )
        ratio = sum(notes) / sum(sections)
        costs = f"section {median(sections):.0f}, note {median(notes):,.0f}"
        yield Figure(
            f"tokens, {vault.name}",
            f"{costs}, search {median(searches):.0f}",
            "",
            f"medians of {len(notes)} questions; in all, whole notes take {ratio:.1f} x the tokens",
        )


def _page(path: str, entry: OutlineEntry, text: str) -> str:
    """Return the answer of ``read_note`` with ``text``, a note or a section."""
    return mcp_tools.page_text(
        ReadPage(
            path, path, entry.section, entry.section_path, entry.level, entry.line,
            entry.full_end_line, text, entry.full_words, entry.full_words,
        ),
        mcp_tools.Quotation(),
    )  # fmt: skip
