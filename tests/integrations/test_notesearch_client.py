"""What the Python launchers share: one running search, and the command that opens a place."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch_client import NOT_INSTALLED, RunningSearch, SearchError, Section, opening
from tests.folders import write


@pytest.fixture
def search() -> Iterator[RunningSearch]:
    search = RunningSearch()
    yield search
    search.close()


def test_finds_sections_for_one_query_after_another(search: RunningSearch, vault: Path) -> None:
    (ramen,) = search.ask("ramen bowl")
    assert ramen.percent > 25
    assert ramen == Section(
        name="Japan › Food › Ramen",
        text="A bowl of ramen costs 900 yen & more.",
        vault=str(vault),
        place="travel/japan.md:9-9",
        percent=ramen.percent,
    )
    assert [one.name for one in search.ask("pickled")] == ["Odd"]
    assert search.ask("nothinglikeit") == []


def test_finds_sections_in_all_folders_of_the_list(vault: Path, tmp_path: Path) -> None:
    write(tmp_path / "work", {"noodles.md": "# Noodles\n\nA bowl of soba.\n"})
    for folder in (vault, tmp_path / "work"):
        subprocess.run(["notesearch", "vaults", "add", str(folder)], check=True)
    everywhere = RunningSearch()
    assert {one.vault for one in everywhere.ask("bowl")} == {str(vault), str(tmp_path / "work")}
    everywhere.close()


@pytest.mark.parametrize("query", ["", " \n", '"', "$(touch x); `y`", "--json", "a\nb\0c", "\\'("])
def test_takes_any_query(search: RunningSearch, query: str) -> None:
    assert isinstance(search.ask(query), list)
    assert [one.name for one in search.ask("pickled")] == ["Odd"]


def test_a_search_after_its_end_reads_the_notes_again(search: RunningSearch, vault: Path) -> None:
    search.ask("ramen")
    search.close()
    (vault / "new.md").write_text("# Ramen at home\n")
    assert "Ramen at home" in [one.name for one in search.ask("ramen")]


def test_says_that_the_program_is_missing() -> None:
    search = RunningSearch(command=("no-such-notesearch",))
    with pytest.raises(SearchError, match=NOT_INSTALLED):
        search.ask("ramen")


def test_says_why_the_program_failed_and_recovers(vault: Path) -> None:
    search = RunningSearch(command=(sys.executable, "-m", "notesearch", "--vault", "travels"))
    with pytest.raises(SearchError, match="travels"):
        search.ask("ramen")
    vault.rename(vault.with_name("travels"))
    assert search.ask("ramen")
    search.close()


def test_opens_the_line_in_the_editor(vault: Path, editor_log: Path) -> None:
    subprocess.run(opening(str(vault), "it's #1; odd $(name).md:3-3"), check=True)
    assert editor_log.read_text() == f"{vault}/it's #1; odd $(name).md\n3"
