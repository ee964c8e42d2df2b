"""Faults J: starting, stopping, sleeping, other versions, other folders."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.errors import IndexDamagedError, IndexFileError
from notesearch.library import NoteLibrary
from notesearch.status import Part, Phase, Progress
from notesearch.store.db import Connection
from notesearch.store.lock import WriterLock
from tests import index_contents
from tests.command_line import Run
from tests.faults.quick_model import QuickModel
from tests.folders import write
from tests.indexing_listener import IndexingListener
from tests.limits import processor_seconds

SETTINGS = Settings()
NOTES = {f"{n}.md": f"# Note {n}\n\nOtters swim {n} times.\n" for n in range(10)}


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    write(vault, NOTES)
    with NoteLibrary.open(vault, settings=SETTINGS, embedder=QuickModel()) as library:
        yield library


def notesearch(*words: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "notesearch", *words],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def watching(vault: Path, words_only: Settings) -> Iterator["subprocess.Popen[str]"]:
    """``notesearch watch`` on ten notes, after its first comparison."""
    words_only.with_vault(vault).save(Paths.choose())
    write(vault, NOTES)
    process = notesearch("watch")
    assert process.stderr
    assert process.stderr.readline().endswith(" 10 added\n")
    yield process
    process.kill()
    process.communicate()


@pytest.mark.fault("J2", fault="SIGTERM, SIGINT", outcome="An orderly end, even within a huge note")
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_j02_a_signal_ends_the_watch(
    watching: "subprocess.Popen[str]", number: signal.Signals
) -> None:
    watching.send_signal(number)
    assert watching.communicate(timeout=10) == ("", "")
    assert watching.returncode == 0


@pytest.mark.fault("J2")
def test_j02_a_huge_note_is_given_up(library: NoteLibrary) -> None:
    """It takes twenty seconds of the processor. Nothing is written; a new start begins again."""
    write(library.vault, {"huge.md": " ".join(f"word{n % 70_000}" for n in range(3_000_000))})
    listener = IndexingListener()
    watch = library.watch(listener)
    listener.until(lambda: listener.phases.count(Phase.WORDS) > len(NOTES))
    with processor_seconds(8):  # a third of what the note would take
        watch.close()
    assert {path for path, _ in library._index.store.reader().rows.note_names()} == set(NOTES)


@pytest.mark.fault("J2")
def test_j02_a_conversion_is_given_up(library: NoteLibrary) -> None:
    """It may take sixteen seconds; the next start converts the file again."""
    write(library.vault, {"slow.org": "* " + "[[" * 50_000})
    listener = IndexingListener()
    watch = library.watch(listener)
    listener.until(lambda: listener.phases.count(Phase.WORDS) > len(NOTES))
    began = time.monotonic()
    watch.close()
    assert time.monotonic() - began < 8
    assert {path for path, _ in library._index.store.reader().rows.note_names()} == set(NOTES)
    assert library.status().unread == ()


def test_watch_prints_a_line_for_each_update(
    watching: "subprocess.Popen[str]", vault: Path
) -> None:
    write(vault, {"new.md": "Beavers."})
    assert watching.stderr
    assert watching.stderr.readline()[9:] == "added new.md\n"


@pytest.mark.fault("J9")
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_j09_what_happens_while_it_sleeps(
    watching: "subprocess.Popen[str]", vault: Path, words_only: Settings
) -> None:
    watching.send_signal(signal.SIGSTOP)
    (vault / "3.md").unlink()
    write(vault, {"new.md": "Beavers."})
    watching.send_signal(signal.SIGCONT)
    index = Paths.choose().index_file(vault)
    assert watching.stderr
    told = ""
    while "new.md" not in told or "3.md" not in told:
        told += watching.stderr.readline()
    watching.send_signal(signal.SIGTERM)
    watching.communicate(timeout=10)
    assert index_contents.of(index) == index_contents.from_scratch(vault, words_only, None)


@pytest.mark.fault("J3", fault="A bug in the program", outcome="Reported, logged, tried again")
def test_j03_a_bug_while_indexing_is_reported_and_survived(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notesearch.index.live_index._CHECK_S", 0.05)
    listener = IndexingListener()
    slips = iter([ZeroDivisionError(), ZeroDivisionError()])
    progressed = listener.progressed

    def slip(progress: Progress) -> None:
        if progress.phase is Phase.WORDS:
            for error in slips:
                raise error
        progressed(progress)

    monkeypatch.setattr(listener, "progressed", slip)
    library.watch(listener)
    listener.until_idle()
    assert [str(error)[:67] for error in listener.errors] == [
        "Indexing failed because of a bug in notesearch (ZeroDivisionError) "
    ]
    assert library.search("otters").total == len(NOTES)


def index_of_version(library: NoteLibrary, version: int) -> Path:
    """Index the notes, and let another version of the program have made the index."""
    library.refresh()
    index = Path(library.status().index_path)
    library.close()
    connection = Connection(index, writer=True)
    connection.sql.execute(f"pragma user_version = {version}")
    connection.close()
    return index


@pytest.mark.fault(
    "J5, J6",
    fault="An index of an older or newer version",
    outcome="Set aside and rebuilt, with a message",
)
@pytest.mark.parametrize("version", [0, 99])
def test_j05_j06_an_index_of_another_version_is_kept_beside(
    library: NoteLibrary, version: int
) -> None:
    index_of_version(library, version)
    library.refresh()
    assert library.status().rebuilt.endswith("was made by another version and is being rebuilt.")
    assert library.check().set_aside
    assert library.search("otters").total == len(NOTES)


@pytest.mark.fault("J5, J6")
def test_j06_a_newer_index_is_neither_whole_nor_read(library: NoteLibrary) -> None:
    index_of_version(library, 9999)
    assert [problem.part for problem in library.check().problems] == [Part.FILE]
    with pytest.raises(IndexDamagedError, match="made by another version"):
        library.search("otters")


@pytest.mark.fault("J5, J6")
def test_j06_an_index_that_another_version_still_writes_is_left_to_it(
    library: NoteLibrary, run: Run
) -> None:
    index = index_of_version(library, 9999)
    with WriterLock(index).held():
        with pytest.raises(IndexFileError, match="Another version of notesearch is using the"):
            library.search("otters")
        told = run("search", "otters", "--vault", str(library.vault))
        assert (told.exit_code, told.stderr.count("\n")) == (2, 1)
        assert "Quit that version" in told.stderr
    library.refresh()
    assert library.search("otters").total == len(NOTES)


@pytest.mark.fault(
    "J8", row="J8, J9", fault="The clock jumps a day; sleep and resume", outcome="Changes are found"
)
@pytest.mark.parametrize("days", [-1, 1])
def test_j08_the_clock_jumps(
    library: NoteLibrary, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    listener = IndexingListener()
    library.watch(listener)
    listener.until_idle()
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + days * 86400)
    write(library.vault, {"new.md": "Beavers."})
    listener.until(lambda: "new.md" in listener.paths)
    listener.until(lambda: listener.reports[-1].embedded > 0)
    monkeypatch.setattr(time, "time", now)
    index = Path(library.status().index_path)
    library.close()
    assert index_contents.of(index) == index_contents.from_scratch(
        library.vault, SETTINGS, QuickModel()
    )


@pytest.mark.fault("J10", fault="Two vaults, one inside the other", outcome="Independent")
def test_j10_a_vault_inside_another(library: NoteLibrary, vault: Path) -> None:
    write(vault, {"inner/weasel.md": "Weasels."})
    library.refresh()
    with NoteLibrary.open(vault / "inner", settings=SETTINGS, embedder=QuickModel()) as inner:
        inner.refresh()
        assert inner.status().notes == 1
        assert inner.search("otters", mode="words").total == 0
        assert inner.search("weasels", mode="words").notes[0].path == "weasel.md"
        assert inner.status().index_path != library.status().index_path
    assert library.search("weasels", mode="words").notes[0].path == "inner/weasel.md"


@pytest.mark.fault(
    "J13",
    fault="A home folder of any name, or read-only",
    outcome="Works, or one clear error",
)
@pytest.mark.parametrize("name", ["Zoë 東京", "with space", "it's 100% [x]"])
def test_j13_a_home_of_any_name(vault: Path, tmp_path: Path, name: str) -> None:
    write(vault, NOTES)
    home = tmp_path / name
    done = notesearch("stats", "--json", "--vault", str(vault), NOTESEARCH_HOME=str(home))
    out, _ = done.communicate(timeout=60)
    assert json.loads(out)["notes"] == len(NOTES)
    assert list((home / "data" / "indexes").glob("*.sqlite"))


@pytest.mark.fault("J13")
@pytest.mark.skipif(os.name != "posix", reason="paths as POSIX has them")
def test_j13_a_home_that_cannot_be(vault: Path) -> None:
    write(vault, NOTES)
    done = notesearch("search", "otters", "--vault", str(vault), NOTESEARCH_HOME="/dev/null/home")
    out, err = done.communicate(timeout=60)
    assert (out, done.returncode) == ("", 2)
    *settings, problem = err.splitlines()
    assert problem.startswith("notesearch: The index folder /dev/null/home/data/indexes cannot be")
    assert all(line.endswith("The defaults are used.") for line in settings)


BROKEN_SETTINGS = {
    "half-written": b'vault = "/no',
    "empty": b"",
    "binary": bytes(range(256)),
    "nested without end": b"x = " + b"[" * 100_000,
    "a number of 5,000 digits": b"x = " + b"9" * 5_000,
    "in UTF-16": "theme = 'dark'".encode("utf-16"),
    "from the future": b'shape_of_things = "to come"\nmodel = 7\n',
}


@pytest.mark.fault(
    "J12",
    fault="Broken settings",
    outcome="A sentence and the defaults; the file is never half written",
)
@pytest.mark.parametrize("content", BROKEN_SETTINGS.values(), ids=BROKEN_SETTINGS)
def test_j12_settings_that_are_broken(
    run: Run, vault: Path, home: Path, words_only: Settings, content: bytes
) -> None:
    """The defaults are used, a sentence says why, and the old file is kept under another name."""
    file = Paths.choose(home).settings_file
    file.write_bytes(content)
    done = run("search", "reeds", "--vault", str(vault), "--mode", "words", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["results"][0]["path"] == "river.md"
    assert bool(re.search(r"The default(s are| is) used\.", done.stderr)) == (content != b"")
    assert file.read_bytes() == content
    words_only.with_vault(vault).save(Paths.choose(home))
    assert Settings.load(Paths.choose(home)).vault == str(vault)
    kept = [one.read_bytes() for one in file.parent.iterdir() if one != file]
    assert kept == ([content] if content else [])
