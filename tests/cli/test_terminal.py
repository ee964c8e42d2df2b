"""The command line in a terminal: links to the notes, and a progress bar."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.folders import write

if sys.platform == "win32":
    pytest.skip("terminals are made otherwise there", allow_module_level=True)

import pty

LINK = re.compile(r"\x1b\]8;id=\d+;(.+?)\x1b\\")
ESCAPES = re.compile(r"\x1b\]8;.*?\x1b\\|\x1b\[[0-9;?]*[a-zA-Z]")


@pytest.fixture(autouse=True)
def notes(vault: Path, no_meaning: None) -> None:
    """Notes, one of which tries to steer the terminal with its title and file name."""
    write(vault, {
        "two words.md": "# Otters\n\n## Holts\n\nThey sleep there.\n",
        "\x1b]52;c;evil\x07.md": "# Owls \x1b]8;;http://evil.example\x1b\\here\x9b31m\n\nHoot.\n",
        **{f"many/{n}.md": f"# {n}\n\n{'Words. ' * 200}" for n in range(200)},
    })  # fmt: skip


def shown(*words: str, **environment: str) -> tuple[str, str]:
    """Return what ``notesearch`` writes to its standard output and error in a terminal."""
    terminals = [pty.openpty() for _ in range(2)]
    with subprocess.Popen(
        [sys.executable, "-m", "notesearch", *words],
        stdin=subprocess.DEVNULL, stdout=terminals[0][1], stderr=terminals[1][1],
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", **environment},
    ) as process:  # fmt: skip
        for _, its in terminals:
            os.close(its)
        texts = [_read(ours) for ours, _ in reversed(terminals)]
    assert process.returncode == 0
    return texts[1], texts[0]


def _read(descriptor: int) -> str:
    """Read until the other end is closed, which Linux reports as an error."""
    read = b""
    with os.fdopen(descriptor, "rb", buffering=0) as terminal:
        try:
            while piece := terminal.read(65_536):
                read += piece
        except OSError:
            pass
    return read.decode()


def test_titles_and_headings_link_to_their_files(vault: Path) -> None:
    found, _ = shown("search", "holts")
    target = f"{vault.as_uri()}/two%20words.md"
    assert set(LINK.findall(found)) == {target}
    assert "\x1b[1m" in found
    assert ESCAPES.sub("", found).startswith("Otters two words.md\r\n  Holts line 3\r\n")


def test_a_title_cannot_steer_the_terminal(vault: Path) -> None:
    found, _ = shown("search", "hoot")
    assert all(target.startswith(vault.as_uri()) for target in LINK.findall(found))
    plain = ESCAPES.sub("", found)
    assert not set(plain) & {"\x1b", "\x07", "\x9b"}
    assert "Owls ]8;;http://evil.example\\here31m" in plain
    assert "\\x1b]52;c;evil\\x07.md" in plain


def test_no_color_is_respected() -> None:
    found, _ = shown("search", "holts", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", found)


def test_indexing_shows_a_progress_bar() -> None:
    told, progress = shown("index")
    assert told.startswith("202 added")
    plain = ESCAPES.sub("", progress)
    assert "Indexing notes" in plain
    assert re.search(r"━.* \d+/202 +(\d:\d\d:\d\d|-:--:--)", plain)
    assert ESCAPES.sub("", progress.rpartition("\x1b[2K")[2]).strip() == ""  # it is gone in the end


def test_an_interrupt_removes_the_bar_and_shows_the_cursor() -> None:
    ours, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "notesearch", "index"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"},
    ) as process:  # fmt: skip
        os.close(its)
        begun = b""
        while b"\x1b[?25l" not in begun:
            begun += os.read(ours, 65_536)
        process.send_signal(signal.SIGINT)
        rest = _read(ours)
    assert process.returncode == 130
    assert "Traceback" not in rest
    assert rest.rfind("\x1b[?25h") > rest.rfind("\x1b[?25l")


def test_a_first_search_says_which_command_makes_the_index(vault: Path) -> None:
    _, beside = shown("search", "otters")
    assert "“notesearch index”" in " ".join(ESCAPES.sub("", beside).split())
    found, beside = shown("search", "otters")
    assert "Otters" in found
    assert "notesearch index" not in beside
