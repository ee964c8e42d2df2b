"""Errors on the command line: one clear line on standard error, nothing on standard output."""

import contextlib
import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from notesearch.cli.vaults import update
from notesearch.config import Paths, Settings
from notesearch.library import NoteLibrary
from notesearch.store.lock import WriterLock
from notesearch.store.store import Store
from tests.command_line import Run
from tests.file_permissions import denied
from tests.folders import write


@pytest.fixture(autouse=True)
def vault_is_untouched(vault: Path, run: Run, no_meaning: None) -> Iterator[None]:
    """No command may change a note."""
    yield
    assert not list(vault.rglob("*.sqlite*"))


class TestOneClearLine:
    """Whatever fails, there is no traceback, and everything else works."""

    def message(self, result: Result, code: int = 2) -> str:
        assert result.exit_code == code
        assert result.stderr.startswith("notesearch: ")
        assert result.stderr.count("\n") == 1, result.stderr
        return result.stderr.removeprefix("notesearch: ").strip()

    @pytest.mark.parametrize(
        "words",
        [("index",), ("search", "x"), ("search", "--json", "x"), ("stats",), ("read", "x"),
         ("sections", "x")],
    )  # fmt: skip
    def test_a_missing_folder(self, run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
        gone = tmp_path / "gone"
        result = run(*words, NOTESEARCH_VAULT=str(gone))
        assert result.stdout == ""
        expected = f"The notes folder {gone} is missing. Check its path, or connect its drive."
        assert self.message(result) == expected

    def test_a_vanished_folder_is_searched_by_its_last_index(self, run: Run, vault: Path) -> None:
        run("index")
        vault.rename(vault.with_name("away"))
        result = run("search", "reeds")
        assert "Banks" in result.stdout
        assert self.message(result, 0).endswith("The notes indexed before are searched.")
        assert "(not reachable)" in run("stats").stdout
        vault.with_name("away").rename(vault)

    def test_an_index_without_any_note_does_not_answer_for_a_vanished_folder(
        self, run: Run, tmp_path: Path
    ) -> None:
        bare = tmp_path / "bare"
        bare.mkdir()
        run("index", NOTESEARCH_VAULT=str(bare))
        bare.rmdir()
        result = run("search", "reeds", NOTESEARCH_VAULT=str(bare))
        assert self.message(result).startswith(f"The notes folder {bare} is missing.")

    def test_a_file_instead_of_a_folder(self, run: Run, vault: Path) -> None:
        result = run("index", "--vault", str(vault / "river.md"))
        assert self.message(result).endswith("is a file. Give the folder that contains it.")

    @pytest.mark.parametrize(("name", "told"), [("river.md", "is a file"), ("gone", "is missing")])
    def test_watching_no_folder(self, run: Run, vault: Path, name: str, told: str) -> None:
        result = run("watch", "--vault", str(vault / name))
        assert f"{vault / name} {told}." in self.message(result)

    def test_an_empty_variable_is_not_a_folder(self, run: Run) -> None:
        """Otherwise the current folder, with all its notes, would be indexed."""
        result = run("stats", "--vault", "")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "it is empty" in result.stderr

    def test_an_empty_folder(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        empty = str(tmp_path / "empty")
        assert run("index", NOTESEARCH_VAULT=empty).stdout.startswith("0 added")
        assert run("stats", NOTESEARCH_VAULT=empty).exit_code == 0
        assert run("search", "x", NOTESEARCH_VAULT=empty).exit_code == 1

    @pytest.mark.fault(
        "H12",
        fault="No index, or another program makes it",
        outcome="A message names the command",
    )
    def test_a_first_search_indexes_and_says_so(self, run: Run, vault: Path) -> None:
        first, then = run("search", "reeds"), run("search", "reeds")
        assert first.stdout == then.stdout != ""
        assert self.message(first, 0).startswith(f"The notes in {vault} had no index yet")
        assert "“notesearch index”" in first.stderr
        assert then.stderr == ""

    def test_a_first_search_says_what_is_still_missing(
        self, vault: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(vault, {f"{n}.md": f"# Otter {n}\n\nIt swims.\n" for n in range(80)})
        with NoteLibrary.open(vault, settings=Settings()) as library:
            update(library, patience=1e-9)
        made, lacking = capsys.readouterr().err.splitlines()
        assert made.startswith(f"notesearch: The notes in {vault} had no index yet")
        assert "Search by meaning cannot find" in lacking

    def test_an_unreadable_note(self, run: Run, vault: Path) -> None:
        with denied(vault / "river.md"):
            result = run("index")
            shown = run("read", "river.md")
        assert result.exit_code == 0
        assert result.stdout.startswith("1 added")
        assert result.stderr == "river.md: It cannot be read: Permission denied.\n"
        assert (
            self.message(shown)
            == "“river.md” cannot be read: Permission denied. Check its permissions."
        )
        assert "Not read   river.md: It cannot be read" in run("stats").stdout

    def test_an_unreadable_folder_inside(self, run: Run, vault: Path) -> None:
        with denied(vault / "hills"):
            result = run("index")
        assert (
            result.stderr
            == "hills: This folder cannot be listed: Permission denied. Check its permissions.\n"
        )

    @pytest.mark.parametrize("named", [("--vault", "{}"), ("{}",)])
    def test_a_closed_notes_folder(self, run: Run, vault: Path, named: tuple[str, ...]) -> None:
        with denied(vault):
            told = self.message(run("index", *(word.format(vault) for word in named)))
        assert told.startswith(f"The notes folder {vault} cannot be opened: Permission denied.")

    def test_invalid_utf_8(self, run: Run, vault: Path) -> None:
        write(vault, {"old.md": "Grüße, says the heron".encode("latin-1")})
        result = run("index")
        assert result.stderr == "old.md: It was read as Windows-1252, not UTF-8.\n"
        assert "the heron" in run("search", "heron").stdout
        assert "Grüße" in run("read", "old").stdout

    def test_a_binary_file(self, run: Run, vault: Path) -> None:
        write(vault, {"program.md": Path("/bin/sh").read_bytes()})
        assert run("index").stderr == "program.md: It is not a text file.\n"
        assert self.message(run("read", "program")) == (
            "“program.md” cannot be read. It is not a text file."
        )

    def test_a_file_that_is_too_large(self, run: Run, vault: Path) -> None:
        (vault / "huge.md").touch()
        os.truncate(vault / "huge.md", 10**12)
        assert run("index").stderr.startswith("huge.md: It is too large (1,000,000 MB; ")
        assert json.loads(run("stats", "--json").stdout)["note_bytes"] < 1000

    def test_a_note_of_12_mb(self, run: Run, vault: Path) -> None:
        paragraph = "The heron stands in the shallow water and waits for a long time. " * 40
        sections = [f"## Part {n}\n\n{paragraph}\n\nMark{n} here.\n\n" for n in range(4_500)]
        write(vault, {"large.md": "# Large\n\n" + "".join(sections)})
        assert (vault / "large.md").stat().st_size > 11e6
        assert run("index").exit_code == 0
        assert "Part 2123" in run("search", "mark2123").stdout
        assert run("read", "large", "part 2123").stdout.startswith("## Part 2123\n")
        assert run("search", "mark4123").exit_code == 0, "what is over the bound is text"

    def test_a_settings_file_with_a_mistake(self, run: Run, home: Path, vault: Path) -> None:
        run("index")
        Paths.choose(home).settings_file.write_text("theme = \n")
        result = run("search", "reeds", "--mode", "words", NOTESEARCH_VAULT=str(vault))
        assert "Banks" in result.stdout
        assert self.message(result, 0).endswith("The defaults are used.")

    def test_a_model_that_is_not_there(self, run: Run) -> None:
        assert run("search", "reeds").exit_code == 0

    def test_an_index_folder_that_cannot_be_written(self, run: Run, home: Path) -> None:
        with denied(home, 0o500):
            assert "cannot be written: Permission denied" in self.message(run("index"))

    @pytest.mark.fault("H12")
    def test_another_process_indexes(
        self, run: Run, home: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("notesearch.cli.vaults._OTHER_PROCESS_WAIT_S", 0.0)
        lock = WriterLock(Paths.choose(home).index_file(vault))
        with lock.held():
            assert self.message(run("search", "reeds")).startswith("Another notesearch is indexing")
        run("index")
        with lock.held():
            assert run("search", "reeds").stderr == ""

    def test_another_process_indexes_for_the_first_time(
        self, run: Run, home: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An empty index would report that no note has the words."""
        store = Store(Paths.choose(home).index_file(vault))
        store.prepare()
        store.close()

        def done_meanwhile(_: float) -> None:
            held.close()
            with NoteLibrary.open(vault, settings=Settings(meaning=False)) as other:
                other.refresh()

        with contextlib.ExitStack() as held:
            held.enter_context(WriterLock(store.path).held())
            with monkeypatch.context() as patched:
                patched.setattr("notesearch.cli.vaults._OTHER_PROCESS_WAIT_S", 0.0)
                assert "for the first time" in run("search", "reeds").stderr
            monkeypatch.setattr("notesearch.cli.vaults.time.sleep", done_meanwhile)
            result = run("search", "reeds")
        assert (result.exit_code, result.stderr) == (0, "")

    def test_a_path_with_line_ends_is_printed_on_one_line(self, run: Run, vault: Path) -> None:
        write(vault, {"a\nb\tc.md": "# Otters\n\nThey swim.\n", "no\ntext.md": b"\0\0\0\0"})
        assert run("index").stderr == "no\\ntext.md: It is not a text file.\n"
        assert run("search", "otters").stdout.splitlines()[0] == "Otters a\\nb\\tc.md"
        assert "\nNot read   no\\ntext.md: It is" in run("stats").stdout

    @pytest.mark.fault("H14")
    @pytest.mark.fault("A34")
    @pytest.mark.parametrize("note", ["river.md", "\x1b]52;c;x\x07.md"])
    def test_no_text_steers_the_terminal(self, run: Run, vault: Path, note: str) -> None:
        evil = "\x1b]0;owned\x07\x9b31m\u202e"
        write(vault, {note: f"# Title {evil}\n\nText {evil} here.\n", "b.md": b"\xff"})
        for words in (
            ["index"], ["search", "title"], ["search", f"nothing{evil}"], ["read", note],
            ["sections", note], ["search", "--json", "title"], ["read", "--json", note],
            ["read", evil], ["stats"],
        ):  # fmt: skip
            result = run(*words)
            for shown in (result.stdout, result.stderr):
                assert not set(shown) & {"\x1b", "\x07", "\x9b", "\u202e"}, words
        assert "\\x1b]0;owned\\x07" in run("read", note).stdout


NOISE = random.Random(1).randbytes(200_000)
BREAK: dict[str, Callable[[bytes], bytes]] = {
    "its header": lambda content: bytes(100) + content[100:],
    "every page": lambda content: content[:100] + NOISE[: len(content) - 100],
    "its end": lambda content: content[: len(content) // 2],
    "all but its first page": lambda content: content[:4096],
    "its last pages": lambda content: content[:-8192] + NOISE[:8192],
    "everything": lambda _: b"This is no database, it only lies in its place." * 100,
}


@pytest.mark.fault("D1")
class TestADamagedIndex:
    @pytest.mark.parametrize("what", BREAK)
    @pytest.mark.parametrize("words", [("search", "reeds"), ("stats",), ("index",)])
    def test_is_made_again(self, run: Run, home: Path, what: str, words: tuple[str, ...]) -> None:
        run("index")
        (index,) = (home / "data" / "indexes").glob("*.sqlite")
        index.write_bytes(BREAK[what](index.read_bytes()))
        result = run(*words)
        assert result.exit_code == 0
        assert all(
            line.startswith("notesearch: ") and "is being rebuilt" in line
            for line in result.stderr.splitlines()
        )
        assert "Banks" in run("search", "reeds").stdout
        assert json.loads(run("stats", "--json").stdout)["notes"] == 2

    @pytest.mark.parametrize("words", [("search", "--no-update", "reeds"), ("stats",)])
    def test_is_rebuilt_even_if_only_a_search_notices(
        self, run: Run, home: Path, words: tuple[str, ...]
    ) -> None:
        run("index")
        (index,) = (home / "data" / "indexes").glob("*.sqlite")
        index.write_bytes(b"x" * 10_000)
        result = run(*words)
        assert result.exit_code == 0
        assert result.stderr.count("is being rebuilt. Your notes are not affected.") == 1

    def test_an_empty_file_is_indexed(self, run: Run, home: Path) -> None:
        run("index")
        (index,) = (home / "data" / "indexes").glob("*.sqlite")
        index.write_bytes(b"")
        assert "Banks" in run("search", "reeds").stdout
