"""The command ``doctor``: its findings, repairs and exit status."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from notesearch.cli.main import main
from notesearch.config import Paths, Settings
from notesearch.store import lock
from notesearch.store.db import Connection
from notesearch.store.lock import WriterLock
from notesearch.store.store import Store
from tests.file_permissions import denied
from tests.folders import snapshot, write

Run = Callable[..., Result]


@pytest.fixture
def run(vault: Path, home: Path, words_only: Settings) -> Run:
    """Run a command on three notes, by words only, which is faster."""
    write(vault, {f"{n}.md": f"# Note {n}\n\nOtters swim.\n" for n in range(3)})
    words_only.with_vault(vault).save(Paths.choose(home))
    return lambda *words: CliRunner().invoke(main, words, catch_exceptions=False)


@pytest.fixture
def index(vault: Path) -> Path:
    """The index file."""
    return Paths.choose().index_file(vault)


def test_a_folder_that_was_never_indexed(run: Run, vault: Path) -> None:
    result = run("doctor")
    assert result.exit_code == 1
    assert result.stdout == f"The notes in {vault} are not indexed yet. Run “notesearch index”.\n"
    assert "--repair" in result.stderr


def test_all_is_well(run: Run, no_meaning: None) -> None:
    run("index")
    result = run("doctor")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "The index is sound and up to date with the folder.\n"


def test_a_note_that_cannot_be_read_needs_no_repair(
    run: Run, vault: Path, no_meaning: None
) -> None:
    with denied(vault / "1.md"):
        run("index")
        assert run("doctor").exit_code == 0
        write(vault, {"2.md": "Changed."})
        assert run("doctor").stdout == "1 note has changed since the last update.\n"


def test_notes_that_wait_to_be_read_again_are_told(run: Run, no_meaning: None, index: Path) -> None:
    run("index")
    with Store(index).writing() as writer:
        writer.read_as("other settings")  # and then the process is killed
    assert run("doctor").stdout == "3 notes have changed since the last update.\n"
    run("index")
    assert run("doctor").exit_code == 0


def test_a_note_that_can_be_read_again_is_told(run: Run, vault: Path, no_meaning: None) -> None:
    with denied(vault / "1.md"):
        run("index")
    assert run("doctor").stdout == "1 note has changed since the last update.\n"


def test_waiting_passages_are_counted_as_in_stats(run: Run, vault: Path, home: Path) -> None:
    Settings().with_vault(vault).save(Paths.choose(home))
    assert json.loads(run("stats", "--json").stdout)["pending"] == 3
    assert run("doctor").stdout == "3 passages wait for a vector.\n"


def test_outdated_notes_are_counted_and_repaired(run: Run, vault: Path) -> None:
    run("index")
    write(vault, {"new.md": "New.", "1.md": "Changed."})
    (vault / "2.md").unlink()
    before = snapshot(vault)
    result = run("doctor")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "1 note is not indexed yet.",
        "1 note has changed since the last update.",
        "1 note is gone but still indexed.",
    ]
    result = run("doctor", "--repair")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "The index was brought up to date with the folder.",
        "The index is sound and up to date with the folder.",
    ]
    assert run("doctor").exit_code == 0
    assert snapshot(vault) == before


def test_as_json(run: Run, no_meaning: None, index: Path) -> None:
    run("index")
    connection = Connection(index, writer=True)
    connection.sql.execute("delete from words where rowid = 2")
    connection.close()
    result = run("doctor", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "index_path": str(index),
        "problems": [
            {
                "part": "file",
                "text": "The index is inconsistent. Your notes are not affected.",
            }
        ],
        "repaired": [],
        "set_aside": [],
        "remarks": [],
    }
    repaired = json.loads(run("doctor", "--repair", "--json").stdout)
    assert repaired["problems"] == []
    assert repaired["repaired"] == [
        "The damaged index file was set aside and the index was rebuilt."
    ]


def test_a_damaged_file_is_kept_and_rebuilt(run: Run, index: Path) -> None:
    run("index")
    index.write_bytes(b"no index" * 1000)
    assert run("doctor").stdout == "The index file is damaged. Your notes are not affected.\n"
    result = run("doctor", "--repair")
    assert result.exit_code == 0
    assert "set aside and the index was rebuilt" in result.stdout
    assert "Kept from an earlier index: " in result.stderr


def test_a_folder_that_is_missing_is_an_error(run: Run, vault: Path) -> None:
    run("index")
    vault.rename(vault.with_name("away"))
    result = run("doctor")
    assert result.exit_code == 2
    assert "is missing" in result.stderr


def test_repair_fails_while_another_process_indexes(
    run: Run, vault: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "_CLAIM_PATIENCE_S", 0.1)
    run("index")
    write(vault, {"new.md": "New."})
    with WriterLock(index).held():
        result = run("doctor", "--repair")
        assert result.exit_code == 2
        assert "Another notesearch is indexing this folder" in result.stderr


def test_passages_cut_as_the_settings_say_are_no_fault(run: Run, vault: Path, home: Path) -> None:
    write(vault, {"long.md": "# Long\n\n" + "Otters swim in cold rivers. " * 200})
    Settings(passage_overlap=5).with_vault(vault).save(Paths.choose(home))
    run("index")
    assert run("doctor").exit_code == 0


@pytest.mark.parametrize(
    "command", [("doctor",), ("stats",), ("search", "otters"), ("read", "a"), ("sections", "a")]
)
def test_a_misspelt_setting_is_told(
    run: Run, vault: Path, home: Path, command: tuple[str, ...]
) -> None:
    write(vault, {"a.md": "# Otters\n\nThey swim.\n"})
    Settings().with_vault(vault).save(Paths.choose(home))
    run("index")
    file = Paths.choose(home).settings_file
    file.write_text("them = 1\n" + file.read_text("utf-8"), "utf-8")
    told = run(*command).stderr
    assert told.count("is not a setting and has no effect. Did you mean “theme”?") == 1
