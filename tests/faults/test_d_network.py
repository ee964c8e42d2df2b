"""Fault D24: the index lies on a file system over which processes cannot share memory."""

import errno
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from notesearch.cli.main import main
from notesearch.config import Paths, Settings
from notesearch.errors import IndexFileError, NotesearchError
from notesearch.index import vault_folder
from notesearch.library import NoteLibrary
from notesearch.status import Part
from notesearch.store.db import Connection
from tests import index_contents
from tests.faults.quick_model import QuickModel
from tests.folders import write

NOTES = {f"{n}.md": f"# Note {n}\n\nOtters swim {n} times.\n" for n in range(60)}
SETTINGS = Settings()
REMARK = (
    "The index is on a file system ({}) where programs cannot share memory, so writing takes"
    " longer. Set NOTESEARCH_HOME to a folder on a disk of this computer."
)


@pytest.fixture(params=["nfs4", "cifs", "9p", "fuse.sshfs"])
def on_network(
    request: pytest.FixtureRequest, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Pretend that the program's own folder, and no other, is on a network drive."""
    home.mkdir()
    table = tmp_path / "mountinfo"
    table.write_text(
        "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        f"22 21 0:44 / {home.resolve()} rw,relatime - {request.param} server:/homes rw\n"
    )
    monkeypatch.setattr(vault_folder, "_MOUNTS", table)
    return str(request.param)


@pytest.fixture
def library(vault: Path, on_network: str) -> Iterator[NoteLibrary]:
    write(vault, NOTES)
    with NoteLibrary.open(vault, settings=SETTINGS, embedder=QuickModel()) as library:
        yield library


def journal(index: Path) -> str:
    connection = Connection(index, writer=False)
    try:
        return str(connection.sql.execute("pragma journal_mode").fetchall()[0][0])
    finally:
        connection.close()


@pytest.mark.fault(
    "D24",
    fault="The index is on a network drive",
    outcome="A rollback journal; stats and doctor say so",
)
def test_d24_it_is_written_without_shared_memory(library: NoteLibrary, on_network: str) -> None:
    library.refresh()
    index = Path(library.status().index_path)
    assert journal(index) == "delete"
    assert {file.name for file in index.parent.iterdir()} <= {index.name, f"{index.name}.lock"}
    assert library.search("otters", limit=100).total == len(NOTES)
    assert library.check().problems == ()
    assert library.status().watching == ""
    library.close()
    assert index_contents.of(index) == index_contents.from_scratch(
        library.vault, SETTINGS, QuickModel()
    )


@pytest.mark.fault("D24")
def test_d24_it_is_said(library: NoteLibrary, on_network: str, vault: Path) -> None:
    library.refresh()
    remark = REMARK.format(on_network)
    assert library.status().index_remark == remark
    assert library.check().remarks == library.repair().remarks == (remark,)
    SETTINGS.with_vault(vault).save(Paths.choose())
    assert f"           {remark}\n" in CliRunner().invoke(main, ["stats"]).stdout
    doctor = CliRunner().invoke(main, ["doctor", "--repair"])
    assert remark in doctor.stderr
    assert remark not in doctor.stdout


@pytest.mark.fault("D24")
@pytest.mark.skipif(sys.platform == "win32", reason="locks files in another way")
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP])
def test_d24_without_locks_nothing_is_written(
    vault: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Two programs would write at once, or a killed one would keep all others out."""
    write(vault, NOTES)

    def refused(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with NoteLibrary.open(vault, settings=SETTINGS, embedder=QuickModel()) as library:
        library.refresh()
        write(vault, {"new.md": "# New\n\nHerons.\n"})
        with monkeypatch.context() as local:
            local.setattr("fcntl.flock", refused)
            with pytest.raises(IndexFileError, match=os.strerror(number)):
                library.refresh()
            assert library.search("otters").sections
        library.refresh()
        assert library.search("herons").sections


@pytest.mark.fault("D24")
@pytest.mark.parametrize("on_network", ["nfs4"], indirect=True)
def test_d24_an_index_that_was_moved_there_is_rewritten(
    vault: Path, on_network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, NOTES)
    with monkeypatch.context() as local:
        local.setattr(vault_folder, "_MOUNTS", Path("/nowhere"))
        with NoteLibrary.open(vault, settings=SETTINGS, embedder=QuickModel()) as library:
            library.refresh()
            index = Path(library.status().index_path)
            assert library.status().index_remark == ""
    assert journal(index) == "wal"
    model = QuickModel()
    with NoteLibrary.open(vault, settings=SETTINGS, embedder=model) as library:
        library.refresh()
    assert journal(index) == "delete"
    assert model.embedded == []


@pytest.mark.fault("D24")
@pytest.mark.parametrize("on_network", ["nfs4"], indirect=True)
def test_d24_searches_and_updates_wait_for_each_other(library: NoteLibrary, vault: Path) -> None:
    library.refresh()
    ended = threading.Event()
    found: list[int] = []
    slips: list[NotesearchError] = []

    def search() -> None:
        while not ended.is_set():
            try:
                found.append(library.search("otters", limit=1).total)
            except NotesearchError as error:
                slips.append(error)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for turn in range(5):
        write(vault, {name: f"{text}\nAnd {turn} more.\n" for name, text in NOTES.items()})
        library.refresh()
    ended.set()
    for thread in threads:
        thread.join()
    assert slips == []
    assert set(found) == {len(NOTES)}


@pytest.mark.parametrize("on_network", ["nfs4"], indirect=True)
def test_d24_what_is_set_aside_takes_its_journal_along(library: NoteLibrary) -> None:
    library.refresh()
    index = Path(library.status().index_path)
    library.close()
    index.write_bytes(b"no index" * 1000)
    journal_file = index.with_name(f"{index.name}-journal")
    journal_file.write_bytes(b"of the damaged one")
    assert {problem.part for problem in library.repair().problems} == set()
    assert not journal_file.exists()
    assert Part.FILE not in {problem.part for problem in library.check().problems}
