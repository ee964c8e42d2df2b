"""Which Python the program is installed with: the one that was called, or a faster one."""

import sys
from pathlib import Path

import pytest

from tests.folders import write
from tests.scripts import script

interpreter = script("interpreter")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts stand in")


def named(folder: Path, name: str, told: str) -> str:
    """Return a program that tells that of itself: version, whether it fills environments, time."""
    write(folder, {name: f"#!/bin/sh\n{told}\n"})
    (folder / name).chmod(0o755)
    return str(folder / name)


@pytest.mark.parametrize(
    ("other", "is_taken"),
    [
        ("echo 3 11 1 0.010", True),
        ("echo 3 13 1 0.010", True),
        ("echo 3 11 1 0.019", False),  # hardly faster: who called the other meant it
        ("echo 3 11 1 0.030", False),
        ("echo 3 10 1 0.010", False),  # too old
        ("echo 3 11 0 0.010", False),  # cannot fill an environment
        ("echo nonsense", False),
        ("exit 1", False),
    ],
)
def test_the_other_is_taken_where_it_is_clearly_faster(
    tmp_path: Path, other: str, is_taken: bool
) -> None:
    own = named(tmp_path, "own", "echo 3 11 1 0.020")
    found = named(tmp_path, "other", other)
    assert interpreter.chosen(own, found) == (found if is_taken else own)


def test_one_that_is_not_there_is_not_taken(tmp_path: Path) -> None:
    own = named(tmp_path, "own", "echo 3 11 1 0.020")
    assert interpreter.chosen(own, str(tmp_path / "none")) == own


def test_an_own_one_that_does_not_suit_gives_way(tmp_path: Path) -> None:
    own = named(tmp_path, "own", "echo 3 10 1 0.010")
    other = named(tmp_path, "other", "echo 3 11 1 0.020")
    assert interpreter.chosen(own, other) == other


def test_a_real_one_says_what_it_takes() -> None:
    assert 0 < interpreter.seconds(sys.executable) < 10


def test_the_path_alone_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = named(tmp_path, "other", "echo 3 11 1 0")
    monkeypatch.setattr(interpreter, "SYSTEM", Path(other))
    interpreter.main()
    told = capsys.readouterr()
    assert told.out == f"{other}\n"
    assert sys.executable in told.err


def test_nothing_is_said_where_there_is_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interpreter, "SYSTEM", tmp_path / "none")
    interpreter.main()
    assert capsys.readouterr() == (f"{sys.executable}\n", "")
