"""Which Python the program is installed with: the one that was called, or the system's own."""

import sys
import sysconfig
from pathlib import Path

import pytest

from tests.folders import write
from tests.packaging_scripts import script

interpreter = script("interpreter")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts stand in")


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Python of the system with which the program can be installed."""
    write(tmp_path, {"python3": "#!/bin/sh\nexit 0\n"})
    (tmp_path / "python3").chmod(0o755)
    monkeypatch.setattr(interpreter, "SYSTEM", tmp_path / "python3")
    return tmp_path / "python3"


def configured(monkeypatch: pytest.MonkeyPatch, options: str | None) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", {"CONFIG_ARGS": options}.get)


def test_the_system_s_takes_the_place_of_one_without_profiles(
    system: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(monkeypatch, "'--enable-shared' '--prefix=/home/me/.pyenv'")
    interpreter.main()
    told = capsys.readouterr()
    assert told.out == f"{system}\n"
    assert sys.executable in told.err


@pytest.mark.parametrize("options", ["'--enable-optimizations' '--with-lto'", None])
def test_one_with_profiles_or_that_does_not_say_stays(
    system: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: str | None,
) -> None:
    configured(monkeypatch, options)
    interpreter.main()
    assert capsys.readouterr() == (f"{sys.executable}\n", "")


@pytest.mark.parametrize("does", ["exit 1", None], ids=["too old", "not there"])
def test_one_that_does_not_suit_is_not_taken(
    system: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    does: str | None,
) -> None:
    configured(monkeypatch, "'--enable-shared'")
    if does:
        system.write_text(f"#!/bin/sh\n{does}\n")
    else:
        system.unlink()
    interpreter.main()
    assert capsys.readouterr() == (f"{sys.executable}\n", "")


def test_the_system_s_own_stays_whatever_it_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(monkeypatch, "'--enable-shared'")
    monkeypatch.setattr(interpreter, "SYSTEM", Path(sys.executable))
    interpreter.main()
    assert capsys.readouterr() == (f"{sys.executable}\n", "")


def test_what_suits_is_asked_of_a_real_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert interpreter.suits(Path(sys.executable))
    monkeypatch.setattr(interpreter, "_SUITS", interpreter._SUITS.replace("(3, 11)", "(9, 0)"))
    assert not interpreter.suits(Path(sys.executable))
