"""Completion with the Tab key in real shells."""

import contextlib
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class
from click.testing import CliRunner

from notesearch.cli.main import main
from notesearch.config import Paths, Settings
from tests.folders import write

if sys.platform == "win32":
    pytest.skip("these shells are not of Windows", allow_module_level=True)

import pty

PATIENCE_S = 30.0
STARTED = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
BEFORE = {
    "bash": "bind 'set bell-style none'",
    "zsh": "autoload -Uz compinit; compinit -u -D",
}


@pytest.fixture
def place(tmp_path: Path, vault: Path, home: Path, words_only: Settings) -> Path:
    """A folder with ``notesearch`` and the script of each shell, and an indexed vault."""
    river = "# River\n\n#riverside\n\n## Banks\n\nReeds.\n\n## Old mill, its wheel\n\nTurns.\n"
    write(vault, {"river.md": river, "hills/peak.md": "Snow.\n"})
    settings = words_only.with_vault(vault).with_name(str(vault), "My notes")
    settings.save(Paths.choose(home))
    root = Path(__file__).resolve().parents[2]
    started = f'PYTHONPATH="{root}" exec "{sys.executable}" -m notesearch "$@"'
    write(tmp_path, {"notesearch": f"#!/bin/sh\n{started}\n"})
    (tmp_path / "notesearch").chmod(0o755)
    subprocess.run([tmp_path / "notesearch", "index"], check=True, capture_output=True)
    return tmp_path


def environment(place: Path) -> dict[str, str]:
    return {
        **os.environ, "PATH": f"{place}:{os.environ['PATH']}", "HOME": str(place),
        "XDG_CONFIG_HOME": str(place), "XDG_DATA_HOME": str(place), "TERM": "dumb", "PS1": "$ ",
    }  # fmt: skip


def script(place: Path, shell: str) -> Path:
    """Write the completion script of ``shell`` to a file, and return the file."""
    printed = subprocess.run(
        [place / "notesearch", "completion", shell], check=True, capture_output=True
    )
    (place / "script").write_bytes(printed.stdout)
    return place / "script"


class Terminal:
    """A shell in a terminal."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._shown = ""

    def type(self, text: str) -> None:
        self._shown = ""
        os.write(self._descriptor, text.encode())

    def until(self, wanted: str) -> str:
        """Wait until ``wanted`` appears, and return all output since the last input."""
        deadline = time.monotonic() + PATIENCE_S
        while wanted not in self._shown:
            left = deadline - time.monotonic()
            assert left > 0, self._shown
            assert select.select([self._descriptor], [], [], left)[0], self._shown
            self._shown += os.read(self._descriptor, 65_536).decode(errors="replace")
        return self._shown


@contextlib.contextmanager
def terminal(shell: str, place: Path) -> Iterator[Terminal]:
    ours, its = pty.openpty()
    with subprocess.Popen(
        STARTED[shell], stdin=its, stdout=its, stderr=its, env=environment(place), cwd=place,
        start_new_session=True,
    ) as process:  # fmt: skip
        os.close(its)
        try:
            yield Terminal(ours)
        finally:
            process.kill()
    os.close(ours)


@pytest.mark.parametrize("shell", STARTED)
def test_tab_completes_commands_notes_and_headings(place: Path, shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    source = script(place, shell)
    with terminal(shell, place) as shown:
        shown.type(f"{BEFORE[shell]}\n. {source}\necho set''up\n")
        shown.until("setup")
        shown.type("notesearch rel\t")
        shown.until("related ")
        shown.type("riv\t")
        shown.until("river.md")
        shown.type(" ba\t")
        shown.until("Banks")
        shown.type("\x15notesearch read river.md old\t")
        shown.until("Old\\ mill,\\ its\\ wheel" if shell == "bash" else "Old\\ mill")
        shown.type("\r")
        shown.until("Turns.")
        shown.type("notesearch search tag:riv\t")
        shown.until("tag:riverside")
        shown.type("\x15notesearch stats --vault my\t")
        shown.until("My\\ notes")


def test_each_of_several_equal_headings_is_completed_with_its_line(vault: Path, home: Path) -> None:
    write(vault, {"river.md": "# Otters\n\n## Where\n\nHere.\n\n# Herons\n\n## Where\n\n# Who\n"})
    kind = get_completion_class("zsh")
    assert kind
    typed = ["read", "--vault", str(vault), "river.md"]
    found = kind(main, {}, "notesearch", "").get_completions(typed, "wh")
    headings = [item.value for item in found]
    assert headings == ["Where (line 3)", "Where (line 9)", "Who"]
    for heading in headings:
        assert CliRunner().invoke(main, [*typed, heading]).exit_code == 0


def test_notes_of_all_folders_are_completed_with_the_name_of_their_folder(
    vault: Path, home: Path
) -> None:
    other = vault.with_name("work")
    write(other, {"river plan.md": "---\ntags: riverbed\n---\n# Dam\n\n## Walls\n\nStone.\n"})
    for folder in (vault, other):
        for words in (("vaults", "add", str(folder)), ("index", str(folder))):
            assert CliRunner().invoke(main, words).exit_code == 0
    kind = get_completion_class("zsh")
    assert kind

    def completed(*words: str) -> list[str]:
        *typed, begun = words
        shell = kind(main, {}, "notesearch", "")
        return [item.value for item in shell.get_completions(typed, begun)]

    assert completed("read", "--all", "work/riv") == ["work/river plan.md"]
    assert completed("read", "--all", "dam") == ["work/river plan.md"]
    assert completed("read", "--all", "work/river plan.md", "w") == ["Walls"]
    assert "tag:riverbed" in completed("search", "--all", "tag:riv")
    assert completed("vaults", "remove", "w") == ["work"]
    assert completed("models", "use", "all-") == ["all-MiniLM-L6-v2"]


@pytest.mark.parametrize("words", ["search tag:", "read riv", "read river.md ba"])
def test_nothing_is_completed_where_no_folder_is_known(words: str) -> None:
    kind = get_completion_class("bash")
    assert kind
    *before, begun = words.split(" ")
    assert kind(main, {}, "notesearch", "").get_completions(before, begun) == []


def test_fish_completes_commands_notes_and_headings(place: Path) -> None:
    if not shutil.which("fish"):
        pytest.skip("there is no fish")
    source = script(place, "fish")
    for typed, completed in (
        ("rel", "related"),
        ("read riv", "river.md"),
        ("read river.md ba", "Banks"),
        ("read river.md old", "Old mill, its wheel"),
        ("search tag:riv", "tag:riverside"),
        ("stats --vault my", "My notes"),
    ):
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source {source}; complete -C 'notesearch {typed}'"],
            capture_output=True, check=True, env=environment(place), timeout=PATIENCE_S,
        )  # fmt: skip
        assert [line.split("\t")[0] for line in done.stdout.decode().splitlines()] == [completed]
