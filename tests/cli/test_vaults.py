"""The list of vaults on the command line."""

import json
import sys
import tomllib
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from notesearch.cli import vaults
from notesearch.cli.main import main
from notesearch.cli.output import ProgressLines
from notesearch.config import Paths, Settings, Vault
from notesearch.opened_sections import Openings
from notesearch.status import Phase, Progress
from notesearch.store.lock import WriterLock
from tests.command_line import Run


def test_an_unknown_command_of_a_group_is_answered_with_its_commands(run: Run) -> None:
    """“vaults rename” was once answered with “Did you mean 'remove'?”."""
    done = run("vaults", "rename", "birds", "fowl")
    assert done.exit_code == 2
    told = "There is no command “vaults rename”. The commands are: add, remove."
    assert told in " ".join(done.stderr.split())


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


def test_the_first_vault_is_the_one_that_the_window_opens(
    run: Run, home: Path, tmp_path: Path
) -> None:
    Paths.choose(home).settings_file.unlink()
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    for folder in (first, second):
        Path(folder).mkdir()
        run("vaults", "add", folder)
    listed = json.loads(run("vaults", "--json").stdout)
    assert [(one["path"], one["current"]) for one in listed] == [(first, True), (second, False)]


def test_the_vault_may_be_given_before_the_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "third").mkdir()
    (tmp_path / "other" / "owls.md").write_text("A quokka.")
    other, third = str(tmp_path / "other"), str(tmp_path / "third")
    search = ("search", "quokka", "--mode", "words")
    assert run("--vault", other, *search, NOTESEARCH_VAULT=third).exit_code == 0
    assert run("--vault", third, *search, "--vault", other).exit_code == 0
    assert run(*search, NOTESEARCH_VAULT=other).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [("--vault", "birds"), ("--vault", "birds", "open"), ("--vault", "birds", "quick", "owl")],
)
def test_the_window_opens_a_vault_by_its_name(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "other").mkdir()
    run("vaults", "add", str(tmp_path / "other"), "--name", "Birds")
    file = Paths.choose(home).settings_file
    lines = file.read_text().replace("results = 200", 'results = "many"').splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith("paused")))
    run(*words)  # the folder is remembered even without a display
    after = tomllib.loads(file.read_text())
    assert after["vault"] == str((tmp_path / "other").resolve())
    assert (after["results"], "paused" in after) == ("many", False)


def test_removes_a_vault_and_its_index_but_no_notes(run: Run, vault: Path, home: Path) -> None:
    paths = Paths.choose(home)
    run("index")
    assert paths.index_file(vault.resolve()).is_file()
    recents = Openings(paths.recents_file(vault.resolve()))
    recents.add((), "river.md", ("Reeds",))
    assert run("vaults", "remove", "VAULT", "--delete-index").exit_code == 0
    assert recents.all() == (), "titles of its notes stayed"
    assert list((home / "data" / "indexes").iterdir()) == []
    assert (vault / "river.md").is_file()
    assert Settings.load(paths).listed == ()


def test_a_vault_is_removed_where_the_libraries_of_windows_are_missing(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers often lack libGL, so importing QtWidgets fails there."""
    run("index")
    for name in [name for name in sys.modules if name.startswith("notesearch.gui")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("QtGui", "QtWidgets"):
        monkeypatch.setitem(sys.modules, f"PySide6.{name}", None)
    assert run("vaults", "remove", "VAULT", "--delete-index").exit_code == 0


def test_an_index_in_use_is_not_deleted(run: Run, vault: Path, home: Path) -> None:
    run("index")
    index = Paths.choose(home).index_file(vault.resolve())
    with WriterLock(index).held():
        done = run("vaults", "remove", "vault", "--delete-index")
    assert done.exit_code == 2
    assert f"{index} cannot be deleted: another notesearch is indexing" in done.stderr
    assert index.is_file()
    assert run("vaults").exit_code == 0


@pytest.mark.parametrize("named", ["Birds", "folder"])
def test_a_vault_whose_path_was_written_by_hand_is_removed(
    run: Run, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "birds").mkdir()
    for path in (f"{tmp_path}/birds/", "~/birds"):
        Settings(vault=path, vaults=(Vault(path, "Birds"),)).save(Paths.choose(home))
        assert json.loads(run("vaults", "--json").stdout)[0]["current"]
        given = named if named == "Birds" else str(tmp_path / "birds")
        assert run("vaults", "remove", given).exit_code == 0
        assert run("vaults").exit_code == 1


def test_an_unlisted_vault_is_an_error(run: Run, home: Path) -> None:
    before = Settings.load(Paths.choose(home)).listed
    done = run("vaults", "remove", "nowhere")
    assert (done.exit_code, Settings.load(Paths.choose(home)).listed) == (2, before)
    assert "not in the list" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("named", ["~nobody here/notes", "loop", "loop/inside"])
def test_a_path_that_leads_nowhere_is_an_error(run: Run, tmp_path: Path, named: str) -> None:
    """Such a path once ended every command in a traceback."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for words in (("search", "x", "--vault"), ("index", "--vault"), ("vaults", "remove")):
        assert run(*words, named).exit_code == 2
    for words in (("models", "use"), ("models", "compare")):
        assert run(*words, named).exit_code == 2
    assert run("stats", NOTESEARCH_HOME="~nobody here/home").exit_code in {0, 2}


def test_the_library_accepts_a_name(run: Run, vault: Path, home: Path) -> None:
    from notesearch.library import NoteLibrary

    settings = Settings(vaults=(Vault(str(vault), "Rivers"),))
    with NoteLibrary.open("rivers", home=home, settings=settings) as library:
        assert library.vault == vault.resolve()


@pytest.fixture
def two(run: Run, tmp_path: Path) -> dict[str, str]:
    """Another listed vault; the folders of both, by name."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "reeds.md").write_text("# Reeds\n\nA reed for the oboe.\n")
    (tmp_path / "work" / "river.md").write_text("# River\n\nThe Thames.\n")
    run("vaults", "add", str(tmp_path / "work"))
    return {"vault": str(tmp_path / "vault"), "work": str(tmp_path / "work")}


class TestSeveralVaults:
    """``--vault`` repeated, or ``--all``."""

    @pytest.mark.parametrize("words", [("--all",), ("--vault", "vault", "--vault", "work")])
    def test_are_searched_as_one(
        self, run: Run, two: dict[str, str], words: tuple[str, ...]
    ) -> None:
        search = ("search", "reeds", "--mode", "words", *words)
        found = json.loads(run(*search, "--json").stdout)
        places = {(one["vault"], one["path"]) for one in found["results"]}
        assert places == {("work", "reeds.md"), ("vault", "river.md")}
        told = run(*search).stdout
        assert "work/reeds.md" in told
        assert "vault/river.md" in told
        assert "(<work/reeds.md>)" in run(*search, "--format", "markdown").stdout
        lines = run(*search, "--format", "paths").stdout.splitlines()
        assert sorted(lines) == [f"{two['vault']}/river.md", f"{two['work']}/reeds.md"]

    def test_a_note_has_a_rank_among_those_of_all(self, run: Run, two: dict[str, str]) -> None:
        search = ("search", "reeds", "--all", "--mode", "words", "--why-not")
        told = [run(*search, note).stdout for note in ("work/reeds.md", "vault/river.md")]
        ranks = sorted(line.partition(",")[0] for line in told)
        assert ranks == ["It is number 1 of 2 notes", "It is number 2 of 2 notes"]

    def test_a_note_is_read_from_whichever_has_it(self, run: Run, two: dict[str, str]) -> None:
        assert "oboe" in run("read", "reeds", "--all").stdout
        assert "Thames" in run("read", "work/river.md", "--all").stdout
        assert "Thames" in run("read", "work/river.md").stdout
        assert "oboe" in run("read", "work/reeds.md:3").stdout
        assert "Reeds" in run("sections", "work/reeds").stdout
        done = run("read", "river.md", "--all")
        assert (done.exit_code, "vault/river.md, work/river.md" in done.stderr) == (1, True)

    def test_an_address_with_the_name_of_the_only_vault(
        self, run: Run, two: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "work" / "Work").mkdir()
        (tmp_path / "work" / "Work" / "wage.md").write_text("# Wage\n\nMonthly.\n")
        only = ("--vault", two["work"])
        assert "oboe" in run("read", "work/reeds.md", *only).stdout
        assert "Reeds" in run("sections", "[[work/reeds]]", *only).stdout
        assert "Monthly" in run("read", "Work/wage.md", *only).stdout
        assert "Monthly" in run("read", "work/Work/wage.md", *only).stdout
        assert run("read", "work/gone.md", *only).exit_code == 1

    def test_a_damaged_index_is_rebuilt_before_a_title_is_looked_up(
        self, run: Run, two: dict[str, str], home: Path
    ) -> None:
        run("search", "reeds", "--all", "--mode", "words")
        index = Paths.choose(home).index_file(Path(two["vault"]))
        index.write_bytes(b"no index" * 1000)
        done = run("read", "The peak", "--all")
        assert "Snow lies on it." in done.stdout, done.stderr

    def test_an_address_of_all_needs_no_usual_folder(
        self, run: Run, two: dict[str, str], home: Path
    ) -> None:
        Settings(vaults=tuple(map(Vault, two.values()))).save(Paths.choose(home))
        assert "Thames" in run("read", "work/river.md").stdout
        assert run("read", "river.md").exit_code == 2

    def test_a_full_path_finds_its_vault(self, run: Run, two: dict[str, str]) -> None:
        assert "oboe" in run("read", f"{two['work']}/reeds.md:3").stdout
        assert "Thames" in run("read", f"{two['work']}/river.md").stdout

    def test_a_path_in_a_query_may_begin_with_the_name_of_a_vault(
        self, run: Run, two: dict[str, str]
    ) -> None:
        search = ("search", "river path:work/river", "--mode", "words", "--format", "paths")
        found = run(*search, "--all")
        assert found.stdout.split() == [f"{two['work']}/river.md"]

    def test_an_address_may_begin_with_a_name_that_has_a_slash(
        self, run: Run, two: dict[str, str]
    ) -> None:
        run("vaults", "add", two["work"], "--name", "at desk/old")
        assert "oboe" in run("read", "at desk/old/reeds.md").stdout

    def test_a_vault_that_is_gone_stops_no_answer_of_the_others(
        self, run: Run, two: dict[str, str], tmp_path: Path
    ) -> None:
        (tmp_path / "gone").mkdir()
        run("vaults", "add", str(tmp_path / "gone"))
        (tmp_path / "gone").rmdir()
        for words in (
            ("search", "oboe"),
            ("search", "oboe", "--format", "line"),
            ("read", "reeds.md"),
            ("read", "work/reeds.md"),
            ("sections", "reeds.md"),
        ):
            done = run(*words, "--all")
            assert (done.exit_code, done.stdout != "") == (0, True), done.stderr
        assert "“gone” was not searched" in run("search", "oboe", "--all").stderr
        queries = ["search", "--stdin", "--json", "--all", "--mode", "words"]
        many = CliRunner().invoke(main, queries, input="oboe\nreed\n")
        answers = [json.loads(line) for line in many.stdout.splitlines()]
        assert [one["unanswered"][0]["vault"] for one in answers] == ["gone", "gone"]
        assert many.stderr.count("“gone” was not searched") == 1

    def test_a_deleted_current_folder_is_in_no_vault(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "brief").mkdir()
        monkeypatch.chdir(tmp_path / "brief")
        (tmp_path / "brief").rmdir()
        assert run("search", "reeds", "--mode", "words").exit_code == 0

    def test_contradicting_options_are_refused(self, run: Run, two: dict[str, str]) -> None:
        done = run("search", "x", "--all", "--vault", two["work"])
        assert (done.exit_code, "either --vault or --all" in done.stderr) == (2, True)
        done = run("--vault", two["work"], "search", "x", "--all")
        assert (done.exit_code, "either --vault or --all" in done.stderr) == (2, True)

    @pytest.mark.parametrize("words", [("search", "reeds", "--all"), ("read", "reeds", "--all")])
    def test_all_is_more_than_the_usual_one(
        self, run: Run, two: dict[str, str], words: tuple[str, ...]
    ) -> None:
        assert "oboe" in run(*words, NOTESEARCH_VAULT=two["vault"]).stdout


def test_names_are_unique(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a" / "vault").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    assert run("vaults", "add", str(tmp_path / "a" / "vault")).exit_code == 0
    names = [one["name"] for one in json.loads(run("vaults", "--json").stdout)]
    assert names == ["vault", "vault (a)"]
    (tmp_path / "c" / "a" / "vault").mkdir(parents=True)
    assert run("vaults", "add", str(tmp_path / "c" / "a" / "vault")).exit_code == 0
    names = [one["name"] for one in json.loads(run("vaults", "--json").stdout)]
    assert len(set(names)) == 3
    done = run("vaults", "add", str(tmp_path / "b"), "--name", "VAULT")
    assert (done.exit_code, "another folder" in done.stderr) == (2, True)


def test_folders_of_the_same_name_are_told_apart(run: Run, tmp_path: Path, home: Path) -> None:
    """The window adds a folder without a name of its own."""
    paths = [tmp_path / above / "notes" for above in "ab"]
    for path in paths:
        path.mkdir(parents=True)
        (path / f"{path.parent.name}.md").write_text("A quokka.")
    Settings(vaults=tuple(Vault(str(path)) for path in paths)).save(Paths.choose(home))
    names = [one["name"] for one in json.loads(run("vaults", "--json").stdout)]
    assert names == ["notes", "notes (b)"]
    for name, file in zip(names, "ab", strict=True):
        done = run("search", "quokka", "--vault", name, "--mode", "words", "--json")
        assert [one["path"] for one in json.loads(done.stdout)["results"]] == [f"{file}.md"]
    assert "quokka" in run("read", "notes (b)/b.md").stdout


def test_progress_off_a_terminal_is_a_line_every_five_seconds() -> None:
    told: list[str] = []
    times = iter([0.0, 1.0, 5.0, 5.0, 9.0, 10.5, 10.5])
    tell = ProgressLines(told.append, lambda: next(times))
    for done in (100, 1500, 1600, 2400):
        tell(Progress(Phase.WORDS, done, 4000))
    assert told == ["Indexing notes: 1,500 of 4,000.", "Indexing notes: 2,400 of 4,000."]


def test_an_update_waits_for_another_one(
    run: Run, home: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []

    def print_and_release(sentence: str) -> None:
        printed.append(sentence)
        other.close()

    with ExitStack() as other:
        other.enter_context(WriterLock(Paths.choose(home).index_file(vault)).held())
        monkeypatch.setattr(vaults, "print_error", print_and_release)
        assert run("index").exit_code == 0
    assert printed == [
        "Another notesearch is indexing this folder. This one waits until that has finished."
    ]
