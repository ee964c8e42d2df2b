"""The start at login. ``test_desktop_files.py`` tests the entry in the menus."""

import configparser
import plistlib
import re
import sys
from pathlib import Path

import pytest

from notesearch.gui.system.desktop_entry import AutostartFile, LaunchAgent, login_item


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty configuration folder."""
    folder = tmp_path / "config"
    folder.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder


class TestLoginItem:
    def test_the_command_survives_both_levels_of_quoting(
        self, tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home = tmp_path / 'a "b" $c `d` \\e 50%'
        monkeypatch.setenv("NOTESEARCH_HOME", str(home))
        AutostartFile().set()
        entry = configparser.RawConfigParser(interpolation=None)
        entry.read(config / "autostart" / "notesearch.desktop", encoding="utf-8")
        line = entry["Desktop Entry"]["Exec"].replace("%%", "%").replace("\\\\", "\\")
        assert "50%%" in entry["Desktop Entry"]["Exec"]
        quoted = re.findall(r'"((?:\\.|[^"\\])*)"', line)
        assert [re.sub(r"\\(.)", r"\1", word) for word in quoted] == [
            "/usr/bin/env",
            f"NOTESEARCH_HOME={home}",
            sys.executable,
            *("-P", "-m", "notesearch", "open", "--background"),
        ]

    @pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled = false"])
    def test_an_entry_disabled_by_the_desktop_is_off(self, config: Path, line: str) -> None:
        item = AutostartFile()
        assert not item.is_set()
        item.set()
        assert item.is_set()
        with (config / "autostart" / "notesearch.desktop").open("a") as file:
            file.write(f"{line}\n")
        assert not item.is_set()
        item.set()
        assert item.is_set()

    def test_a_launch_agent_is_a_property_list(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        item = LaunchAgent()
        item.set()
        file = tmp_path / "Library" / "LaunchAgents" / "notesearch.plist"
        agent = plistlib.loads(file.read_bytes())
        assert agent["RunAtLoad"] is True
        assert agent["ProgramArguments"][-2:] == ["open", "--background"]
        assert item.is_set()
        item.clear()
        item.clear()
        assert not item.is_set()

    def test_each_platform_has_a_login_item(self) -> None:
        assert login_item().is_set() is False
