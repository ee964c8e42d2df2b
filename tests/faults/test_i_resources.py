"""Faults I: no space, no memory, no file descriptors, a disk that fails, a log that grows."""

import logging
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from notesearch.config import Paths, Settings
from notesearch.gui.system import hooks
from notesearch.index import note_files, note_reader
from notesearch.library import NoteLibrary
from notesearch.markdown.sections import note_parser
from notesearch.notes import Note
from tests import index_contents
from tests.faults.follower import Follower, following, in_namespace
from tests.folders import write
from tests.watched_vault import digests, indexed_digests

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")

ROOT = Path(__file__).resolve().parents[2]
NOTES = {f"{n}.md": f"# Note {n}\n\nOtters swim {n} times.\n" for n in range(40)}
LARGE = {
    f"big{n}.md": "".join(f"# Part {i}\n\n{os.urandom(120).hex()}\n" for i in range(500))
    for n in range(6)
}


@pytest.fixture
def follower(vault: Path, tmp_path: Path) -> Iterator[Follower]:
    """A process that follows forty notes and looks at them ten times a second."""
    write(vault, NOTES)
    with following(vault, tmp_path / "index.sqlite", check_s=0.1) as follower:
        follower.until_converged()
        yield follower


def limit(follower: Follower, what: int, to: int) -> None:
    """Limit a resource of the process from now on; the limit may be raised again."""
    _, most = resource.prlimit(follower.process.pid, what)
    resource.prlimit(follower.process.pid, what, (to, most))


def unlimited(follower: Follower, what: int) -> None:
    _, most = resource.prlimit(follower.process.pid, what)
    resource.prlimit(follower.process.pid, what, (most, most))


@pytest.mark.fault(
    "I1, I2, I4",
    row="I1 to I4",
    fault="A disk is full, or a folder cannot be written",
    outcome="One message; nothing is lost; it is retried",
)
def test_i01_no_space_is_left(vault: Path, tmp_path: Path) -> None:
    if not shutil.which("nsenter"):
        pytest.skip("nsenter is missing")
    disk = tmp_path / "disk"
    disk.mkdir()
    prefix = in_namespace("-m", setup=f"mount -t tmpfs -o size=2m none {disk}")
    write(vault, NOTES)
    with following(vault, disk / "index.sqlite", prefix, check_s=0.1) as follower:
        follower.until(lambda: {"phase": "idle"} in follower.events)
        write(vault, LARGE)
        follower.until(lambda: bool(follower.failures()))
        assert follower.failures()[0].startswith("There is no space left for the index in ")
        inside = ["nsenter", f"--mount=/proc/{follower.process.pid}/ns/mnt"]
        room = [*inside, "mount", "-o", "remount,size=60m", "none", str(disk)]
        subprocess.run(room, check=True)
        known = len(follower.events)
        follower.until(lambda: {"phase": "idle"} in follower.events[known:])
        seen = Path(f"/proc/{follower.process.pid}/root{disk}")
        shutil.copytree(seen, tmp_path / "copy")
        assert indexed_digests(tmp_path / "copy/index.sqlite") == digests(vault)
        assert len(set(follower.failures())) == 1


_FULL = "dd if=/dev/zero of={0}/fill bs=4k 2>/dev/null || true"
_SHUT = "mount -o remount,ro {0}"
_SEARCH = """{index}; {spoil}; for mode in words meaning; do {search} --mode $mode; done
echo More. >> {vault}/1.md; echo EDITED >&2; {search}; {doctor} || true"""


@pytest.mark.fault(
    "I10",
    fault="A full disk or read-only folder, an index without a log",
    outcome="Searched as it is; a sentence says why",
)
@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (_FULL, ["There is no space left for the index in "] * 2),
        (_SHUT, ["Read-only file system", "because its disk is read-only"]),
    ],
    ids=["full", "read-only"],
)
def test_i10_what_is_there_can_be_searched(
    vault: Path, tmp_path: Path, spoil: str, told: list[str]
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    prefix = in_namespace("-m", setup=f"mount -t tmpfs -o size=8m none {disk}")
    write(vault, {"1.md": "# Note\n\nOtters swim.\n"})
    notesearch = f"{sys.executable} -m notesearch"
    script = _SEARCH.format(
        index=f"{notesearch} index --vault {vault}",
        spoil=spoil.format(disk),
        search=f"{notesearch} search otters --vault {vault}",
        doctor=f"{notesearch} doctor --vault {vault}",
        vault=vault,
    )
    done = subprocess.run(
        [*prefix, "sh", "-ec", script],
        env={**os.environ, "NOTESEARCH_HOME": str(disk / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.count("Otters swim.") == 3
    assert "Check the permissions of its folder" not in done.stderr
    before, _, after = done.stderr.partition("EDITED")
    assert not any(one in before for one in told)
    searched, checked = after.splitlines()[-2:]
    assert told[0] in searched
    assert told[1] in checked


@pytest.mark.fault("I1, I2, I4")
def test_i04_a_disk_that_fails(follower: Follower, vault: Path) -> None:
    limit(follower, resource.RLIMIT_FSIZE, 200_000)
    write(vault, LARGE)
    follower.until(lambda: bool(follower.failures()))
    assert "cannot be opened or written" in follower.failures()[0]
    unlimited(follower, resource.RLIMIT_FSIZE)
    follower.assert_like_new()


@pytest.mark.fault(
    "I6",
    fault="No file descriptors left",
    outcome="One message; nothing counts as deleted",
)
def test_i06_no_file_descriptors(follower: Follower, vault: Path) -> None:
    limit(follower, resource.RLIMIT_NOFILE, 3)
    write(vault, {"1.md": "Changed.", "new/deep/new.md": "New."})
    (vault / "2.md").unlink()
    follower.until(lambda: bool(follower.failures()))
    assert "Too many open files" in follower.failures()[0]
    unlimited(follower, resource.RLIMIT_NOFILE)
    follower.assert_like_new()


@pytest.mark.fault("I6")
def test_i06_a_note_that_could_not_be_opened_is_tried_again(
    vault: Path, words_only: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(vault, NOTES)
    read = note_files.read_file

    def none_left(
        vault: Path, path: str, limit: int, *, follow: bool = False
    ) -> note_files.NoteFile:
        if path == "3.md":
            raise OSError(24, "Too many open files")
        return read(vault, path, limit, follow=follow)

    with NoteLibrary.open(vault, settings=words_only) as library:
        with monkeypatch.context() as few:
            few.setattr(note_reader, "read_file", none_left)
            library.refresh()
        (unread,) = library.status().unread
        assert (unread.path, unread.reason) == ("3.md", "It cannot be read: Too many open files.")
        assert library.refresh().unread == library.status().unread == ()
        assert library.search("otters", limit=100).total == len(NOTES)


@pytest.mark.fault(
    "I5",
    fault="Little memory",
    outcome="1.5 GB suffice; a note that does not fit is named",
)
def test_i05_all_of_it_fits_into_little_memory(vault: Path) -> None:
    write(vault, {**NOTES, "big.md": "# Big\n\n" + "Otters swim in rivers.\n" * 20_000})
    done = subprocess.run(
        ["prlimit", "--as=1500000000", sys.executable, "-m", "notesearch", "index", "--vault",
         str(vault)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    progress = ("notesearch: Indexing notes: ", "notesearch: Embedding: ")  # on a slow machine
    told = [line for line in done.stderr.splitlines() if not line.startswith(progress)]
    assert (done.returncode, told) == (0, [])
    assert done.stdout.startswith(f"{len(NOTES) + 1} added, ")


@pytest.mark.fault("I5")
def test_i05_too_little_for_the_model_is_one_sentence(vault: Path) -> None:
    write(vault, NOTES)
    for command, statuses, is_told in (
        ("index", {0}, True), ("stats", {0}, False), ("search otters", {0}, False),
        ("doctor", {0, 1}, False), ("sections 3", {0}, False), ("related 3", {2}, True),
        ("models", {0, 2}, False),
    ):  # fmt: skip
        done = subprocess.run(
            ["prlimit", "--as=300000000", sys.executable, "-m", "notesearch", *command.split()],
            cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
            env=os.environ | {"PYTHONPATH": str(ROOT), "NOTESEARCH_VAULT": str(vault)},
        )  # fmt: skip
        assert done.returncode in statuses, command
        assert "Traceback" not in done.stderr
        assert "memory" in done.stderr or not is_told, command


@pytest.mark.fault("I5")
def test_i05_too_little_for_the_model_that_made_the_vectors(vault: Path) -> None:
    write(vault, NOTES)
    env = os.environ | {"PYTHONPATH": str(ROOT), "NOTESEARCH_VAULT": str(vault)}
    command = [sys.executable, "-m", "notesearch"]
    subprocess.run([*command, "index"], env=env, capture_output=True, check=True, timeout=100)
    done = subprocess.run(
        ["prlimit", "--as=300000000", *command, "search", "swimming"],
        env=env, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    (told,) = done.stderr.splitlines()
    assert done.returncode == 0
    assert "searched. There is not enough memory for the embedding model." in told


@pytest.mark.fault("I5")
def test_i05_a_note_for_which_there_is_not_enough_keeps_out_no_other(
    vault: Path, words_only: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_one_note_is_kept_out(vault, words_only, monkeypatch, MemoryError(), "file_memory_full")


def test_a_fault_of_the_parser_keeps_out_no_other_note(
    vault: Path,
    words_only: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    fault = KeyError("a word of the note")
    assert_one_note_is_kept_out(vault, words_only, monkeypatch, fault, "parser_fault")
    assert "3.md cannot be parsed: KeyError" in caplog.text
    assert "a word of the note" not in caplog.text


def assert_one_note_is_kept_out(
    vault: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    fault: Exception,
    code: str,
) -> None:
    """Let parsing one note raise ``fault``; all others are indexed, and later this one, too."""
    write(vault, NOTES)
    whole = note_parser.parse_note

    def parse(text: str, path: str, *_: object) -> Note:
        if path == "3.md":
            raise fault
        return whole(text, path)

    with NoteLibrary.open(vault, settings=settings) as library:
        with monkeypatch.context() as faulty:
            faulty.setattr(note_parser, "parse_note", parse)
            library.refresh()
        (unread,) = library.status().unread
        assert (unread.path, unread.reason.code) == ("3.md", code)
        assert library.search("otters", limit=100).total == len(NOTES) - 1
        assert library.refresh().unread == ()
        index = Path(library.status().index_path)
    assert index_contents.of(index) == index_contents.from_scratch(vault, settings, None)


@pytest.mark.fault("I5")
def test_i05_memory_runs_out_while_the_folder_is_followed(follower: Follower, vault: Path) -> None:
    size = int(Path(f"/proc/{follower.process.pid}/statm").read_text().split()[0])
    limit(follower, resource.RLIMIT_AS, size * resource.getpagesize() + 3_000_000)
    known = len(follower.events)
    # With one emoji each character takes four bytes. Long lines take little time.
    write(vault, {"big.md": "# Big 🦦\n\n" + f"{'Otters swim in rivers. ' * 1_000}\n" * 1_200})
    follower.until(
        lambda: {"phase": "idle"} in follower.events[known:] or bool(follower.failures())
    )
    assert follower.process.poll() is None
    assert not follower.converged()
    unlimited(follower, resource.RLIMIT_AS)
    write(vault, {"big.md": "# Big\n\nOtters swim no more.\n"})
    follower.assert_like_new()


@pytest.mark.fault("I9", fault="Growth of the log", outcome="Two files of 1 MB at most")
def test_i09_the_log_stays_small(tmp_path: Path) -> None:
    file = Paths.choose(tmp_path).log_file
    before = hooks.log.handlers[:]
    hooks.start_log(file)
    (handler,) = set(hooks.log.handlers) - set(before)
    try:
        for n in range(30_000):
            logging.getLogger("notesearch.index.watcher").warning("Message %d: %s", n, "x" * 80)
    finally:
        hooks.log.removeHandler(handler)
        handler.close()
    logs = [found.stat() for found in file.parent.iterdir()]
    assert len(logs) == 2
    assert max(log.st_size for log in logs) <= 1_000_000
    assert not any(log.st_mode & 0o077 for log in logs) or sys.platform == "win32"
    assert "Message 29999" in file.read_text()


@pytest.mark.fault("I9")
def test_i09_a_storm_in_the_folder_is_no_storm_in_the_log(
    follower: Follower, vault: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for n in range(300):
        write(vault, {f"d/{n}.md": "Words."})
        shutil.rmtree(vault / "d")
    follower.until_converged()
    assert len(capfd.readouterr().err.splitlines()) < 10
