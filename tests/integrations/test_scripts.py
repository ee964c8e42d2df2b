"""Shell scripts for Raycast, Alfred and menus. The menus are faked, the search is the real one."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.gui.x11 import desktop, needs_x11, tool
from tests.integrations.conftest import INTEGRATIONS, opened
from tests.limits import until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no sh")


def run(script: str, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a script below ``integrations``."""
    return subprocess.run(
        [str(INTEGRATIONS / script), *words],
        env={**os.environ, "HOME": "/nowhere", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def without_program(tmp_path: Path) -> dict[str, str]:
    """A path with what the scripts need, but without notesearch."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "env", "jq", "mktemp", "dirname", "tail", "rm"):
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    return {"PATH": str(folder)}


class TestMenu:
    @pytest.fixture
    def typed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A rofi that types a query, and then chooses the first line; the file holds the query."""
        query, rofi = tmp_path / "query", tmp_path / "rofi" / "rofi"
        rofi.parent.mkdir()
        rofi.write_text(f'#!/bin/sh\n[ "$4" = Notes ] && cat "{query}" || head -n 1\n')
        rofi.chmod(0o755)
        monkeypatch.setenv("PATH", f"{rofi.parent}{os.pathsep}{os.environ['PATH']}")
        return query

    def test_opens_the_chosen_section_at_its_line(
        self, typed: Path, vault: Path, editor_log: Path
    ) -> None:
        typed.write_text("ramen bowl")
        assert run("menu/notesearch-menu").returncode == 0
        assert editor_log.read_text() == f"{vault}/travel/japan.md\n9"

    def test_opens_a_note_of_any_name(self, typed: Path, vault: Path, editor_log: Path) -> None:
        typed.write_text("pickled")
        assert run("menu/notesearch-menu", "rofi").returncode == 0
        assert editor_log.read_text() == f"{vault}/it's #1; odd $(name).md\n3"

    @pytest.mark.parametrize("query", ["", "nothinglikeit", "$(touch x); '\"", "--json"])
    def test_opens_nothing_else(
        self, typed: Path, editor_log: Path, tmp_path: Path, query: str
    ) -> None:
        typed.write_text(query)
        assert run("menu/notesearch-menu").returncode == 0
        assert not editor_log.exists()
        assert not (tmp_path / "x").exists()

    def test_says_what_is_wrong(self, without_program: dict[str, str]) -> None:
        done = run("menu/notesearch-menu", "fzf", **without_program)
        assert (done.returncode, "install it" in done.stderr) == (127, True)
        assert "Choose rofi" in run("menu/notesearch-menu", "other").stderr


@needs_x11
@pytest.mark.parametrize("menu", ["rofi", "dmenu"])
def test_a_real_menu(
    menu: str, vault: Path, editor_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which(menu):
        pytest.skip(f"there is no {menu}")
    for start in desktop(monkeypatch):
        start(str(INTEGRATIONS / "menu" / "notesearch-menu"), menu)
        until(lambda: tool("search", "--onlyvisible", "--class", menu))
        tool("type", "ramen bowl")
        until(lambda: tool("key", "Return") or editor_log.exists())
        assert opened(editor_log) == f"{vault}/travel/japan.md\n9"


@pytest.mark.skipif(not shutil.which("jq"), reason="there is no jq")
class TestAlfred:
    def test_lists_sections_and_opens_one_at_its_line(self, vault: Path, editor_log: Path) -> None:
        (ramen,) = json.loads(run("alfred/find.sh", "ramen bowl").stdout)["items"]
        assert ramen == {
            "title": "Japan › Food › Ramen",
            "subtitle": "A bowl of ramen costs 900 yen & more.",
            "arg": "travel/japan.md:9-9",
            "variables": {"vault": str(vault)},
        }
        assert run("alfred/open.sh", ramen["arg"], vault=str(vault)).returncode == 0
        assert editor_log.read_text() == f"{vault}/travel/japan.md\n9"

    @pytest.mark.parametrize(
        ("query", "variables", "title"),
        [
            ("nothinglikeit", {}, "Nothing was found."),
            ("$(touch x)", {}, "Nothing was found."),
            ("ramen", {"NOTESEARCH_VAULT": "no such folder"}, "no such folder"),
        ],
    )
    def test_says_why_there_is_nothing(
        self, query: str, variables: dict[str, str], title: str
    ) -> None:
        (item,) = json.loads(run("alfred/find.sh", query, **variables).stdout)["items"]
        assert title in item["title"]
        assert item["valid"] is False

    def test_says_that_the_program_is_missing(self, without_program: dict[str, str]) -> None:
        (item,) = json.loads(run("alfred/find.sh", "ramen", **without_program).stdout)["items"]
        assert "install it" in item["title"]


class TestRaycast:
    def test_shows_sections(self) -> None:
        done = run("raycast/find-in-notes.sh", "ramen bowl")
        assert (done.returncode, "Food › Ramen" in done.stdout) == (0, True)

    def test_says_that_nothing_was_found(self) -> None:
        done = run("raycast/find-in-notes.sh", "$(nothinglikeit)")
        assert (done.returncode, "No sections match" in done.stdout) == (0, True)

    def test_opens_the_best_section_at_its_line(self, vault: Path, editor_log: Path) -> None:
        assert run("raycast/open-in-notes.sh", "ramen bowl").returncode == 0
        assert editor_log.read_text() == f"{vault}/travel/japan.md\n9"

    @pytest.mark.parametrize("script", ["find-in-notes", "open-in-notes"])
    def test_says_what_is_wrong(self, script: str, without_program: dict[str, str]) -> None:
        done = run(f"raycast/{script}.sh", "ramen", **without_program)
        assert (done.returncode, "install it" in done.stdout) == (1, True)


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="there is no shellcheck")
def test_shellcheck_finds_nothing() -> None:
    scripts = ["menu/notesearch-menu", "alfred/find.sh", "alfred/open.sh"]
    scripts += ["raycast/find-in-notes.sh", "raycast/open-in-notes.sh"]
    done = subprocess.run(
        ["shellcheck", *scripts], cwd=INTEGRATIONS, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
