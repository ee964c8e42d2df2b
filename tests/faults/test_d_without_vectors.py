"""Fault D21: sqlite-vec cannot be loaded; words answer alone until it can."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from notesearch.cli.main import main
from notesearch.config import Paths, Settings
from notesearch.errors import ModelError
from notesearch.library import NoteLibrary
from notesearch.results import Mode
from notesearch.status import Part, Phase
from notesearch.store import db
from tests import index_contents
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.indexing_listener import IndexingListener

NOTES = {f"{n}.md": f"# Note {n}\n\nOtters swim {n} times.\n" for n in range(20)}
SETTINGS = Settings()

Opened = Callable[..., NoteLibrary]


@pytest.fixture
def opened(vault: Path) -> Iterator[Opened]:
    """Open the folder as a new process would; each time with a model that counts."""
    write(vault, NOTES)
    libraries = []

    def open_(model: QuickModel) -> NoteLibrary:
        libraries.append(NoteLibrary.open(vault, settings=SETTINGS, embedder=model))
        return libraries[-1]

    yield open_
    for library in libraries:
        library.close()


@pytest.fixture(params=["not there", "another platform's", "not installed"])
def missing(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> pytest.MonkeyPatch:
    """Let sqlite-vec be missing until undone."""
    if request.param == "not installed":
        monkeypatch.setitem(sys.modules, "sqlite_vec", None)
        return monkeypatch
    file = tmp_path / "vec0.so"
    if request.param == "another platform's":
        file.write_bytes(b"MZ" + bytes(4096))
    monkeypatch.setattr(db, "_vec0", lambda: str(file))
    return monkeypatch


def index_of(library: NoteLibrary) -> Path:
    return Path(library.status().index_path)


@pytest.mark.fault(
    "D21",
    fault="sqlite-vec is missing",
    outcome="Words answer; doctor says why; meaning returns by itself",
)
def test_d21_words_answer_alone(opened: Opened, missing: pytest.MonkeyPatch) -> None:
    model = QuickModel()
    library = opened(model)
    report = library.refresh()
    assert len(report.added) == len(NOTES)
    assert (report.embedded, model.embedded) == (0, [])
    for mode in Mode:
        found = library.search("otters", mode=mode, limit=100)
        assert found.total == (0 if mode is Mode.MEANING else len(NOTES))
        assert not found.meaning
    status = library.status()
    assert (status.meaning, status.meaning_problem) == (False, db.VECTORS_MISSING)
    with pytest.raises(ModelError, match="sqlite-vec cannot be loaded"):
        library.related("1.md")


@pytest.mark.fault("D21")
def test_d21_an_index_with_vectors_goes_on_by_words(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, vault: Path
) -> None:
    opened(QuickModel()).refresh()
    monkeypatch.setattr(db, "_vec0", lambda: "/nowhere/vec0")
    library = opened(QuickModel())
    assert library.search("otters", limit=100).total == len(NOTES)
    write(vault, {"1.md": "# Changed\n\nWeasels.\n"})
    (vault / "2.md").unlink()
    library.refresh()
    assert library.search("weasels", mode="words").notes[0].path == "1.md"
    assert library.search("otters", limit=100).total == len(NOTES) - 2
    assert library.status().rebuilt == ""


def test_d21_the_check_says_so_and_repairs_nothing(
    opened: Opened, missing: pytest.MonkeyPatch
) -> None:
    library = opened(QuickModel())
    library.refresh()
    for found in (library.check(), library.repair()):
        assert [(one.part, one.text) for one in found.problems] == [
            (Part.PROGRAM, db.VECTORS_MISSING)
        ]
        assert found.repaired == found.set_aside == ()


@pytest.mark.fault("D21")
def test_d21_meaning_comes_back_by_itself(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, vault: Path
) -> None:
    opened(QuickModel()).refresh()
    with monkeypatch.context() as gone:
        gone.setattr(db, "_vec0", lambda: "/nowhere/vec0")
        library = opened(QuickModel())
        write(vault, {"1.md": "# Changed\n\nWeasels.\n", "new.md": "# New\n\nBeavers.\n"})
        (vault / "2.md").unlink()
        library.refresh()
        library.close()
    model = QuickModel()
    library = opened(model)
    assert library.refresh().embedded == 2
    assert sorted(model.embedded) == ["Changed", "New", "[Changed] Weasels.", "[New] Beavers."]
    assert library.search("beavers", mode=Mode.MEANING).meaning
    assert library.status().meaning_problem == ""
    assert library.check().problems == ()
    index = index_of(library)
    library.close()
    assert index_contents.of(index) == index_contents.from_scratch(vault, SETTINGS, QuickModel())


def test_d21_an_index_that_began_without_it_gets_its_vectors(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, vault: Path
) -> None:
    with monkeypatch.context() as gone:
        gone.setattr(db, "_vec0", lambda: "/nowhere/vec0")
        library = opened(QuickModel())
        library.refresh()
        library.close()
    library = opened(QuickModel())
    report = library.refresh()
    assert (report.added, report.changed, report.embedded) == ((), (), len(NOTES))
    index = index_of(library)
    library.close()
    assert index_contents.of(index) == index_contents.from_scratch(vault, SETTINGS, QuickModel())


def test_d21_the_folder_is_followed_by_words(
    opened: Opened, missing: pytest.MonkeyPatch, vault: Path
) -> None:
    listener = IndexingListener()
    library = opened(QuickModel())
    library.watch(listener)
    listener.until_idle()
    write(vault, {"new.md": "Beavers."})
    listener.until(lambda: "new.md" in listener.paths)
    listener.until_idle()
    assert listener.errors == []
    assert Phase.MEANING not in listener.phases
    assert library.search("beavers").notes[0].path == "new.md"


@pytest.mark.fault("D21")
def test_d21_in_the_terminal(missing: pytest.MonkeyPatch, vault: Path) -> None:
    write(vault, NOTES)
    SETTINGS.with_vault(vault).save(Paths.choose())

    def run(*words: str) -> tuple[int, str, str]:
        done = CliRunner().invoke(main, words)
        return done.exit_code, done.stdout, done.stderr

    run("index")
    code, out, err = run("search", "otters")
    assert (code, err) == (0, f"notesearch: Only words were searched. {db.VECTORS_MISSING}\n")
    assert "Otters" in out
    assert run("search", "otters", "--mode", "meaning") == (
        2, "", f"notesearch: {db.VECTORS_MISSING}\n"
    )  # fmt: skip
    assert db.VECTORS_MISSING in run("stats")[1]
    assert json.loads(run("stats", "--json")[1])["meaning_problem"] == db.VECTORS_MISSING
    assert run("doctor")[:2] == (1, f"{db.VECTORS_MISSING}\n")
