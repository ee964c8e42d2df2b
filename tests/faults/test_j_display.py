"""Fault J14: the display goes away while the window is open."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.library import NoteLibrary
from tests import index_contents
from tests.folders import write
from tests.limits import WAIT_S, until
from tests.watched_vault import digests, indexed_digests

ROOT = Path(__file__).resolve().parents[2]
NOTES = {f"{n}.md": f"# Note {n}\n\nOtters swim {n} times.\n" for n in range(30)}


@pytest.fixture
def display() -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """An X server without a screen, and its name."""
    if not shutil.which("Xvfb"):
        pytest.skip("Xvfb is missing")
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-nolisten", "tcp"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert server.stdout
    yield server, f":{server.stdout.readline().strip()}"
    server.kill()
    server.communicate()


def wait_until_indexed(process: "subprocess.Popen[str]", vault: Path, index: Path) -> None:
    until(lambda: indexed_digests(index) == digests(vault) or process.poll() is not None)
    if indexed_digests(index) != digests(vault):
        _, told = process.communicate()
        pytest.skip(f"no window here: {told[-200:]}")


@pytest.mark.fault(
    "J14",
    fault="No display, or a lost one",
    outcome="The terminal answers; the index is intact",
)
def test_j14_the_display_is_lost(
    display: tuple["subprocess.Popen[str]", str], vault: Path, words_only: Settings
) -> None:
    server, name = display
    write(vault, NOTES)
    words_only.with_vault(vault).save(Paths.choose())
    index = Paths.choose().index_file(vault)
    window = subprocess.Popen(
        [sys.executable, "-m", "notesearch", str(vault)],
        cwd=ROOT, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"DISPLAY": name, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        wait_until_indexed(window, vault, index)
        write(vault, {"new.md": "Beavers."})
        server.kill()
        _, told = window.communicate(timeout=WAIT_S)
    finally:
        window.kill()
    assert window.returncode == 1, told
    assert "Traceback" not in told
    with NoteLibrary.open(vault, settings=words_only) as library:
        library.refresh()
        assert library.check().problems == ()
    assert index_contents.of(index) == index_contents.from_scratch(vault, words_only, None)
