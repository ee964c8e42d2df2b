"""Releases: one version, a changelog that tells it, and old files that stay readable."""

import re
from datetime import date
from pathlib import Path

import pytest

from notesearch import __version__
from notesearch.config import Paths, Settings
from notesearch.library import NoteLibrary
from notesearch.store.db import SCHEMA_VERSION, Connection
from tests.command_line import NOTES
from tests.folders import write

ROOT = Path(__file__).resolve().parent.parent
RELEASED = sorted((ROOT / "tests" / "released").iterdir())
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
NOT_YET = "not released yet"


def versions() -> list[tuple[str, str]]:
    """Return the versions and days of the changelog's headings, the newest first."""
    return re.findall(r"^## \[(\S+)\] - (.+)$", CHANGES, re.MULTILINE)


def as_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


class TestChangelog:
    def test_tells_this_version_first(self) -> None:
        assert versions()[0][0] == __version__

    def test_lists_versions_from_new_to_old(self) -> None:
        numbers = [as_numbers(version) for version, _ in versions()]
        assert numbers == sorted(set(numbers), reverse=True)

    def test_names_the_day_of_every_version_but_the_next(self) -> None:
        days = [day for _, day in versions()]
        days = days[1:] if days[0] == NOT_YET else days
        assert days == [date.fromisoformat(day).isoformat() for day in days]

    def test_has_nothing_but_known_kinds_of_changes(self) -> None:
        assert set(re.findall(r"^### (.+)$", CHANGES, re.MULTILINE)) <= KINDS
        assert len(re.findall(r"^## ", CHANGES, re.MULTILINE)) == len(versions())


def test_the_version_stands_in_one_place() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'dynamic = ["version"]' in project
    assert not re.search(r'^version = "', project, re.MULTILINE)
    templates = [file for file in (ROOT / "packaging").rglob("*") if file.is_file()]
    told = [
        file.name
        for file in templates
        if file.suffix not in {".pyc", ".iss"}
        and re.search(rf'version\W+"?{re.escape(__version__)}', file.read_text("utf-8"), re.I)
    ]
    assert told == []


class TestOlderVersions:
    def test_each_that_was_released_is_kept(self) -> None:
        released = {version for version, day in versions() if day != NOT_YET}
        assert released | {__version__} == {folder.name for folder in RELEASED}

    @pytest.mark.parametrize("folder", RELEASED, ids=lambda folder: folder.name)
    def test_settings_are_understood(self, folder: Path, home: Path) -> None:
        paths = Paths.choose(home)
        paths.settings_file.parent.mkdir(parents=True)
        paths.settings_file.write_bytes((folder / "settings.toml").read_bytes())
        found = Settings.read(paths)
        assert found.problems == {}
        chosen = found.settings
        assert (chosen.theme, chosen.editor, chosen.ignore) == ("dark", "code", ("drafts",))
        assert (chosen.vault, chosen.quick_keep_s) == ("/home/somebody/notes", 5)

    def test_an_index_of_another_version_is_made_anew_without_a_word_of_damage(
        self, home: Path, vault: Path, words_only: Settings
    ) -> None:
        write(vault, NOTES)
        with NoteLibrary.open(vault, home=home, settings=words_only) as library:
            library.refresh()
        index = Connection(Paths.choose(home).index_file(vault.resolve()), writer=True)
        index.sql.execute(f"pragma user_version = {SCHEMA_VERSION + 1}")
        index.close()
        with NoteLibrary.open(vault, home=home, settings=words_only) as library:
            library.refresh()
            assert "another version" in library.rebuilt
            assert "damaged" not in library.rebuilt
            assert [hit.path for hit in library.search("snow").sections] == ["hills/peak.md"]
            assert [hit.section for hit in library.search("reeds").sections] == ["Reeds", "Banks"]


CALLS_OUT = re.compile(
    r"^\s*(from|import) (urllib import request|urllib\.request|http\.client|ftplib|smtplib|requests"
    r"|httpx|aiohttp|huggingface_hub)|QNetworkAccessManager",
    re.MULTILINE,
)


def test_nothing_looks_for_updates_or_calls_home() -> None:
    """Only a model that the user has chosen is fetched."""
    files = (ROOT / "notesearch").rglob("*.py")
    calling = [file.name for file in files if CALLS_OUT.search(file.read_text("utf-8"))]
    assert calling == ["download.py"]
