"""The list of vaults on the command line."""

import json
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings, Vault
from tests.commands import Run


def test_lists_vaults_and_marks_the_one_used_last(run: Run, vault: Path) -> None:
    done = run("vaults", "--json")
    assert json.loads(done.stdout) == [{"name": "vault", "path": str(vault), "current": True}]
    assert run("vaults").stdout.startswith("* vault")


def test_a_new_vault_is_searched_by_its_name(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "owls.md").write_text("A quokka.")
    assert run("vaults", "add", str(other), "--name", "Birds").exit_code == 0
    done = run("search", "quokka", "--vault", "birds", "--mode", "words", "--json")
    assert json.loads(done.stdout)["results"][0]["path"] == "owls.md"
    assert run("search", "quokka", "--mode", "words").exit_code == 1, "another one is used still"


def test_the_vault_may_be_given_before_the_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "third").mkdir()
    (tmp_path / "other" / "owls.md").write_text("A quokka.")
    other, third = str(tmp_path / "other"), str(tmp_path / "third")
    search = ("search", "quokka", "--mode", "words")
    assert run("--vault", other, *search, NOTESEARCH_VAULT=third).exit_code == 0
    assert run("--vault", third, *search, "--vault", other).exit_code == 0
    assert run(*search, NOTESEARCH_VAULT=other).exit_code == 0


@pytest.mark.parametrize("words", [("--vault", "birds"), ("--vault", "birds", "open")])
def test_the_window_opens_a_vault_by_its_name(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "other").mkdir()
    run("vaults", "add", str(tmp_path / "other"), "--name", "Birds")
    run(*words)  # the folder is remembered even without a display
    assert Settings.load(Paths.choose(home)).vault == str((tmp_path / "other").resolve())


def test_removes_a_vault_and_its_index_but_no_notes(run: Run, vault: Path, home: Path) -> None:
    paths = Paths.choose(home)
    run("index")
    assert paths.index_file(vault.resolve()).is_file()
    assert run("vaults", "remove", "VAULT", "--delete-index").exit_code == 0
    assert list((home / "data" / "indexes").iterdir()) == []
    assert (vault / "river.md").is_file()
    assert Settings.load(paths).listed == ()


def test_an_unlisted_vault_is_an_error(run: Run, home: Path) -> None:
    before = Settings.load(Paths.choose(home)).listed
    done = run("vaults", "remove", "nowhere")
    assert (done.exit_code, Settings.load(Paths.choose(home)).listed) == (2, before)
    assert "not in the list" in done.stderr


def test_the_library_accepts_a_name(run: Run, vault: Path, home: Path) -> None:
    from notesearch.library import NoteLibrary

    settings = Settings(vaults=(Vault(str(vault), "Rivers"),))
    with NoteLibrary.open("rivers", home=home, settings=settings) as library:
        assert library.vault == vault.resolve()
