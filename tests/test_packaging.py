"""``make run`` on a fresh machine: what it needs of the system, and what a missing display does."""

import os
import struct
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.specifiers import SpecifierSet

from notesearch.config import resources
from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from tests.folders import snapshot, write
from tests.packaging_scripts import PACKAGING, script


@pytest.fixture
def system_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    module = script("system_packages")
    write(tmp_path, {"fonts/a.ttf": ""})
    monkeypatch.setattr(module, "FONT_FOLDERS", (str(tmp_path / "fonts"),))
    return module


def pretend(monkeypatch: pytest.MonkeyPatch, folder: Path, commands: dict[str, str]) -> None:
    """Let only these commands be found, each a shell script."""
    folder.mkdir()
    for name, text in commands.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.skipif(sys.platform != "linux", reason="Qt brings all it needs elsewhere")
class TestLibraries:
    @pytest.fixture(autouse=True)
    def one_is_missing(self, system_packages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            system_packages, "LIBRARIES", {"libc.so.6": "libc6", "libno.so.1": "libno1"}
        )

    def test_are_looked_for(self, system_packages: ModuleType) -> None:
        assert system_packages.missing_packages() == ["libno1"]

    def test_and_so_is_a_font(
        self, system_packages: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        fonts = tmp_path / "other"
        monkeypatch.setattr(system_packages, "FONT_FOLDERS", (str(fonts), "/not/there"))
        assert system_packages.missing_packages() == ["libno1", "fonts-dejavu-core"]
        write(fonts, {"deep/er/font.otf": ""})
        assert system_packages.missing_packages() == ["libno1"]

    def test_and_so_is_what_makes_environments(
        self, system_packages: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(system_packages, "FILLS_ENVIRONMENTS", "no_such_module")
        own = "python{}.{}-venv".format(*sys.version_info)
        assert system_packages.missing_packages() == [own, "libno1"]

    def test_what_checks_packages_is_asked_for_where_some_are_made(
        self, system_packages: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        commands = {"no-such-command": "checker", Path(sys.executable).name: "python3"}
        monkeypatch.setattr(system_packages, "COMMANDS", commands)
        monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
        assert system_packages.missing_packages() == ["libno1"]
        assert system_packages.missing_packages(release=True) == ["libno1", "checker"]

    def test_are_named_where_they_cannot_be_installed(
        self,
        system_packages: ModuleType,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        pretend(monkeypatch, tmp_path / "bin", {"apt-get": "exit 9", "sudo": "exit 1"})
        assert system_packages.main() == 1
        said = capsys.readouterr().out
        assert "    sudo apt-get update && sudo apt-get install -y libno1\n" in said

    @pytest.mark.parametrize("sudo", [False, True])
    def test_are_installed_where_nobody_has_to_be_asked(
        self,
        system_packages: ModuleType,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        sudo: bool,
    ) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000 if sudo else 0)
        log = tmp_path / "log"
        pretend(
            monkeypatch,
            tmp_path / "bin",
            {
                "apt-get": f'echo "apt-get $DEBIAN_FRONTEND $@" >> {log}',
                "sudo": f'shift; if [ "$1" != true ]; then echo sudo >> {log}; "$@"; fi',
                "true": "",
            },
        )
        assert system_packages.main() == 1
        commands = log.read_text().splitlines()
        assert [line for line in commands if line != "sudo"] == [
            "apt-get noninteractive update -qq",
            "apt-get noninteractive install -y libno1 -qq",
        ]
        assert commands.count("sudo") == (2 if sudo else 0)
        said = capsys.readouterr().out.splitlines()
        assert said == [
            "Installing what is missing: libno1", "These could not be installed: libno1"
        ]  # fmt: skip

    def test_that_are_all_there_are_not_mentioned(
        self,
        system_packages: ModuleType,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setattr(system_packages, "LIBRARIES", {"libc.so.6": "libc6"})
        assert system_packages.main() == 0
        assert capsys.readouterr().out == ""


def try_out(*words: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    return subprocess.run(
        [sys.executable, str(PACKAGING / "try_out.py"), *words],
        capture_output=True,
        check=False,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**kept, "NOTESEARCH_HOME": str(home), "COLUMNS": "100", **environment},
    )


def size_of(picture: Path) -> tuple[int, int]:
    """Return width and height of a PNG file."""
    content = picture.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    return width, height


@pytest.mark.skipif(sys.platform != "linux", reason="there is always a display elsewhere")
class TestWithoutADisplay:
    def test_it_searches_in_the_terminal_and_draws_the_window(
        self, home: Path, tmp_path: Path, embedder: Embedder
    ) -> None:
        with NoteLibrary.open(resources() / "sample-vault", home=home, embedder=embedder) as sample:
            sample.refresh()  # the command finds all vectors there
        picture = tmp_path / "deep" / "window.png"
        done = try_out("--picture", str(picture), home=home)
        lines = done.stdout.splitlines()
        assert lines[0] == (
            "There is no display here: searching in the terminal;"
            f" the window is drawn to {picture}."
        )
        assert lines.index("$ notesearch index") < lines.index("$ notesearch search 'kyoto food'")
        assert done.stderr.splitlines()[-1] == f"Saved {picture}"
        assert "Trip to Japan travel/Trip to Japan.md" in lines
        assert done.returncode == 0
        width, height = size_of(picture)
        assert width >= 800
        assert height >= 500

    def test_it_takes_any_folder_and_any_query(
        self, home: Path, vault: Path, tmp_path: Path
    ) -> None:
        write(vault, {"--a.md": "# Otters\n\nThey swim.\n", "b.md": b"\xff"})
        before = snapshot(vault)
        picture = tmp_path / "window.png"
        done = try_out(
            "--vault", str(vault), "--query=-otters", "--picture", str(picture), home=home
        )
        assert "Otters --a.md" in done.stdout
        assert done.returncode == 0, done.stderr
        assert picture.is_file()
        assert snapshot(vault) == before

    @pytest.mark.parametrize(
        ("notes", "query"),
        [
            ({"a.md": "# One\n## Two\n## Three\n", "b.md": "x"}, "Two"),
            ({"a.md": "x"}, "a"),
            ({"a.md": bytes(100)}, "kyoto food"),
            ({".hidden/a.md": "# One\n"}, "kyoto food"),
            ({}, "kyoto food"),
        ],
    )
    def test_it_knows_something_to_ask_for(
        self, vault: Path, notes: dict[str, str | bytes], query: str
    ) -> None:
        write(vault, notes)
        assert script("try_out").heading_of(vault) == query

    def test_a_display_that_does_not_answer_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
        module = script("try_out")
        monkeypatch.setenv("DISPLAY", ":987")
        assert not module.has_display()
        monkeypatch.delenv("DISPLAY")
        assert not module.has_display()


def test_a_folder_that_is_not_there_is_said_so(home: Path, tmp_path: Path) -> None:
    done = try_out("--vault", str(tmp_path / "gone"), home=home)
    assert (done.returncode, done.stdout) == (
        2,
        f"There is no folder {tmp_path / 'gone'}. Check its path.\n",
    )


def test_pinned_versions_run_on_the_python_that_is_asked_for() -> None:
    """Debian 12 has Python 3.11.2, on which a package for 3.11.5 cannot be installed."""
    pins = (PACKAGING.parent / "constraints.txt").read_text("utf-8").split()
    assert len(pins) == len(set(pins))
    installed = {one.name.lower(): one.metadata.json for one in metadata.distributions()}
    wanted = {
        name: str(installed[name].get("requires_python", ""))
        for name in (pin.partition("==")[0].lower() for pin in pins)
        if name in installed
    }
    assert len(wanted) > 50
    assert [name for name, one in wanted.items() if "3.11.2" not in SpecifierSet(one)] == []
