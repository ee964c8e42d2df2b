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

WAIT_S = 30.0
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config"],
}
PREPARATIONS = {
    "bash": "bind 'set bell-style none'",
    "zsh": "autoload -Uz compinit; compinit -u -D",
}

COMPLETIONS = [
    ("rel", "related"),
    ("related riv", "river.md"),
    ("related river.md ba", "Banks"),
    ("read river.md old", "Old mill, its wheel"),
    ("search tag:riv", "tag:riverside"),
    ("stats --vault my", "My notes"),
]
"""What is typed after ``notesearch``, and the word that Tab completes."""


@pytest.fixture
def folder(tmp_path: Path, vault: Path, home: Path, words_only: Settings) -> Path:
    """A folder with the command ``notesearch``, and an indexed vault, which the settings name."""
    river = "# River\n\n#riverside\n\n## Banks\n\nReeds.\n\n## Old mill, its wheel\n\nTurns.\n"
    write(vault, {"river.md": river, "hills/peak.md": "Snow.\n"})
    settings = words_only.with_vault(vault).with_name(str(vault), "My notes")
    settings.save(Paths.choose(home))
    root = Path(__file__).resolve().parents[2]
    python = f'PYTHONPATH="{root}" exec "{sys.executable}" -m notesearch "$@"'
    write(tmp_path, {"notesearch": f"#!/bin/sh\n{python}\n"})
    (tmp_path / "notesearch").chmod(0o755)
    subprocess.run([tmp_path / "notesearch", "index"], check=True, capture_output=True)
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    """Return an environment without settings of the user, where ``notesearch`` is found."""
    return {
        **os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder), "TERM": "dumb", "PS1": "$ ",
    }  # fmt: skip


def write_script(folder: Path, shell: str) -> Path:
    """Write the completion script of ``shell`` to a file and return it; skip without the shell."""
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    script = subprocess.run(
        [folder / "notesearch", "completion", shell], check=True, capture_output=True
    )
    (folder / "script").write_bytes(script.stdout)
    return folder / "script"


class Terminal:
    """A terminal in which a shell runs; ``descriptor`` is the end of the person who types."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._output = ""

    def type(self, text: str) -> None:
        self._output = ""
        os.write(self._descriptor, text.encode())

    def wait_for(self, text: str) -> None:
        """Wait until ``text`` appears in the output since the last input."""
        deadline = time.monotonic() + WAIT_S
        while text not in self._output:
            left = deadline - time.monotonic()
            assert left > 0, self._output
            assert select.select([self._descriptor], [], [], left)[0], self._output
            self._output += os.read(self._descriptor, 65_536).decode(errors="replace")


@contextlib.contextmanager
def open_terminal(shell: str, folder: Path) -> Iterator[Terminal]:
    """Run ``shell`` in a terminal, with the completion of ``notesearch`` loaded."""
    script = write_script(folder, shell)
    person, program = pty.openpty()
    with subprocess.Popen(
        SHELLS[shell], stdin=program, stdout=program, stderr=program, env=environment(folder),
        cwd=folder, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(program)
        try:
            terminal = Terminal(person)
            terminal.type(f"{PREPARATIONS[shell]}\n. {script}\necho set''up\n")
            terminal.wait_for("setup")
            yield terminal
        finally:
            process.kill()
    os.close(person)


CLEAR_LINE = "\x15"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_tab_completes_commands_notes_and_headings(folder: Path, shell: str) -> None:
    with open_terminal(shell, folder) as terminal:
        for typed, word in COMPLETIONS:
            terminal.type(f"{CLEAR_LINE}notesearch {typed}\t")
            completed = word.replace(" ", "\\ ")
            terminal.wait_for(completed if shell == "bash" else completed.partition(",")[0])


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_completed_heading_of_several_words_is_one_argument(folder: Path, shell: str) -> None:
    with open_terminal(shell, folder) as terminal:
        terminal.type("notesearch read river.md old\t")
        terminal.wait_for("Old\\ mill")
        terminal.type("\r")
        terminal.wait_for("Turns.")


def test_fish_completes_commands_notes_and_headings(folder: Path) -> None:
    script = write_script(folder, "fish")
    for typed, word in COMPLETIONS:
        command = f"source {script}; complete -C 'notesearch {typed}'"
        completion = subprocess.run(
            [*SHELLS["fish"], "-c", command],
            capture_output=True, text=True, check=True, env=environment(folder), timeout=WAIT_S,
        )  # fmt: skip
        assert [line.split("\t")[0] for line in completion.stdout.splitlines()] == [word]


def completions(shell: str, *words: str) -> list[str]:
    """Return what ``shell`` gets as completions of the last of ``words``."""
    *before, typed = words
    kind = get_completion_class(shell)
    assert kind
    found = kind(main, {}, "notesearch", "").get_completions(before, typed)
    return [item.value for item in found]


def test_each_of_several_equal_headings_is_completed_with_its_line(vault: Path) -> None:
    write(vault, {"river.md": "# Otters\n\n## Where\n\nHere.\n\n# Herons\n\n## Where\n\n# Who\n"})
    words = ["read", "--vault", str(vault), "river.md"]
    headings = completions("zsh", *words, "wh")
    assert headings == ["Where (line 3)", "Where (line 9)", "Who"]
    for heading in headings:
        assert CliRunner().invoke(main, [*words, heading]).exit_code == 0


@pytest.fixture
def two_folders(vault: Path) -> None:
    """The folder of the test, and “work” with a note; both are known and indexed."""
    work = vault.with_name("work")
    write(work, {"river plan.md": "---\ntags: riverbed\n---\n# Dam\n\n## Walls\n\nStone.\n"})
    for folder in (vault, work):
        for words in (("vaults", "add", str(folder)), ("index", str(folder))):
            assert CliRunner().invoke(main, words).exit_code == 0


@pytest.mark.usefixtures("two_folders")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("read", "--all", "work/riv"), ["work/river plan.md"]),
        (("read", "--all", "dam"), ["work/river plan.md"]),
        (("read", "--all", "work/river plan.md", "w"), ["Walls"]),
        (("search", "--all", "tag:riv"), ["tag:riverbed"]),
        (("vaults", "remove", "w"), ["work"]),
        (("models", "use", "all-"), ["all-MiniLM-L6-v2"]),
    ],
)
def test_notes_of_all_folders_are_completed_with_the_name_of_their_folder(
    words: tuple[str, ...], expected: list[str]
) -> None:
    assert completions("zsh", *words) == expected


@pytest.mark.parametrize("words", ["search tag:", "read riv", "read river.md ba"])
def test_nothing_is_completed_where_no_folder_is_known(words: str) -> None:
    assert completions("bash", *words.split(" ")) == []
