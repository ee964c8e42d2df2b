"""Asks ``notesearch`` on behalf of a launcher: one running search for all queries, and opening."""

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

IDLE_S = 60.0
"""How long the running search stays after a query. The next one reads the notes afresh."""

NOT_INSTALLED = "notesearch was not found: install it, or add its folder to PATH."
_SNIPPET_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Section:
    """A section that was found.

    Attributes:
        name: The note's title and the headings, “Japan › Food › Ramen”.
        text: The beginning of its best passage, on one line.
        vault: The notes folder.
        place: The passage in the folder, ``travel/japan.md:30-31``.
        percent: The score, from 0 to 100. Below 25 nothing is close.
    """

    name: str
    text: str
    vault: str
    place: str
    percent: int


class SearchError(Exception):
    """The search failed. The text is one sentence for the user."""


class RunningSearch:
    """A ``notesearch search`` that keeps running, so only the first query waits for its start."""

    def __init__(self, limit: int = 9, command: Sequence[str] = ("notesearch",)) -> None:
        """Start nothing yet. All folders of the list are searched, unless one is named.

        Args:
            limit: The greatest number of sections in an answer.
            command: The program and its options, such as ``--vault``, without a subcommand.
        """
        is_named = "--vault" in command or os.environ.get("NOTESEARCH_VAULT")
        scope = () if is_named else ("--all",)
        self._command = (*command, "search", "--stdin", "--json", *scope, "--limit", str(limit))
        self._process: subprocess.Popen[str] | None = None
        self._timer: threading.Timer | None = None
        self._lock = threading.RLock()

    def ask(self, query: str) -> list[Section]:
        """Return the sections that ``query`` finds, the best first.

        Raises:
            SearchError: notesearch is not installed, or failed.
        """
        line = " ".join(query.split())
        if not line:
            return []
        with self._lock:
            self._stop_timer()
            answer = self._answer(line)
            self._timer = threading.Timer(IDLE_S, self.close)
            self._timer.daemon = True
            self._timer.start()
        return list(_sections(json.loads(answer)))

    def close(self) -> None:
        """End the search; the next query starts another."""
        with self._lock:
            self._stop_timer()
            if self._process:
                self._process.kill()
                self._process.communicate()
                self._process = None

    def _answer(self, line: str) -> str:
        try:
            process = self._process or self._start()
            assert process.stdin
            assert process.stdout
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except FileNotFoundError:
            raise SearchError(NOT_INSTALLED) from None
        except OSError:
            answer = ""
        return answer or self._fail()

    def _start(self) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - no shell reads the query
            self._command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8"
        )
        return self._process

    def _fail(self) -> str:
        """Raise ``SearchError`` with the program's last message."""
        process, self._process = self._process, None
        said = process.communicate()[1].strip() if process else ""
        raise SearchError(said.rpartition("\n")[2] or "notesearch ended: run it in a terminal.")

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


def opening(vault: str, place: str, command: Sequence[str] = ("notesearch",)) -> list[str]:
    """Return the command that opens a place at its line in the editor of the settings."""
    return [*command, "read", "--open", "--vault", vault, "--", place]


def start(command: Sequence[str]) -> None:
    """Run a program in the background; it may outlive this process."""
    threading.Thread(target=_run, args=(command,), name="opening", daemon=True).start()


def _run(command: Sequence[str]) -> None:
    with contextlib.suppress(FileNotFoundError):  # a search has already said so
        subprocess.run(command, start_new_session=True, check=False)  # noqa: S603 - no shell


def _sections(answer: dict[str, Any]) -> Iterator[Section]:
    for note in answer["results"]:
        for section in note["sections"]:
            headings = [one for one in section["section_path"] if one != note["title"]]
            text = " ".join(section["snippet"].split())
            yield Section(
                name=" › ".join([note["title"], *headings]),
                text=text[:_SNIPPET_LENGTH],
                vault=answer["folders"][note["vault"]],
                place=f"{note['path']}:{section['passage_line']}-{section['passage_end_line']}",
                percent=section["percent"],
            )
