"""Nothing that the program creates can be opened by another user, whatever the umask."""

import os
import random
import shlex
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from notesearch.config import Paths, Settings, resources
from tests.folders import write

FOLDERS_APPEAR = pytest.mark.filterwarnings(r"ignore::RuntimeWarning:watchdog\..*")
"""watchdog warns of a folder that appears while it begins to watch the folder above."""

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes"),
    FOLDERS_APPEAR,
]

NOTES = {f"{n}.md": f"# Pond {n}\n\nHerons and reeds.\n\n## Edge\n\nRushes.\n" for n in range(6)}
OTHERS = {
    "plan.canvas": '{"nodes": [{"id": "a", "type": "text", "text": "# Plan\\n\\nTadpoles."}]}',
    "diary.org": "* Pond\nFrogs.\n",
    "list.txt": "Newts.\n",
}
"""Files of other kinds, which a child process reads."""
MODEL = "all-MiniLM-L6-v2"
WAIT_S = 300.0
"""Ends a wait for what never happens: on a busy machine, four programs at once take long."""


class Session:
    """Runs the program with the umask 0, and checks the modes of all files that it creates."""

    def __init__(self, folder: Path, runtime: Path) -> None:
        self.vault, self.home, self.runtime = folder / "notes", folder / "home", runtime
        write(self.vault, {**NOTES, **OTHERS})
        self.other = folder / "other notes"
        write(self.other, {"sea.md": "# Sea\n\nSee [[0]].\n"})
        self.index = Paths.choose(self.home).index_file(self.vault)
        self.seen = set[str]()

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        environment = kept | {
            "HOME": str(self.vault.parent),
            "NOTESEARCH_HOME": str(self.home),
            "NOTESEARCH_VAULT": str(self.vault),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "notesearch", *words], env=environment, umask=0,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def run(self, *commands: str) -> None:
        """Run commands at the same time, and check what they have created."""
        for process in [self.start(*shlex.split(command)) for command in commands]:
            process.wait(WAIT_S)
        self.walk(*commands)

    def run_until(self, arrived: Callable[[], bool], *words: str) -> None:
        """Run a command that does not end; check when ``arrived()``, and again after its end."""
        with changes(self.home, self.runtime) as changed:
            process = self.start(*words)
            try:
                while not arrived():
                    assert changed.wait(WAIT_S), words
                    changed.clear()
                self.walk(*words, "while it runs")
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(WAIT_S)
        self.walk(*words)

    def walk(self, *when: str) -> None:
        assert list(open_to_others(self.home, self.runtime)) == [], when
        self.seen |= {path.name for path in self.home.rglob("*")}

    def damage(self) -> None:
        content = bytearray(self.index.read_bytes())
        content[random.Random(1).randrange(len(content) // 2)] ^= 1
        self.index.write_bytes(content)

    def has(self, ending: str) -> Callable[[], bool]:
        return self.index.with_name(self.index.name + ending).exists


@contextmanager
def changes(*folders: Path) -> Iterator[threading.Event]:
    """Yield an event that is set whenever something changes in ``folders``."""
    changed, observer, heard = threading.Event(), Observer(), FileSystemEventHandler()
    heard.dispatch = lambda event: changed.set()  # type: ignore[method-assign]
    for folder in folders:
        observer.schedule(heard, str(folder), recursive=True)
    observer.start()
    try:
        yield changed
    finally:
        observer.stop()
        observer.join()


def open_to_others(*folders: Path) -> Iterator[str]:
    """Yield the folders and files in ``folders`` that have a bit for group or others."""
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:
                continue  # a running program has removed it
            if mode & 0o077 and not stat.S_ISLNK(mode):
                yield f"{stat.filemode(mode)} {path.relative_to(folder.parent)}"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    # A socket's path must be short, which that of the test's own folder is not.
    with tempfile.TemporaryDirectory(dir="/tmp") as runtime:
        yield Session(tmp_path, Path(runtime))


@pytest.mark.fault("H16")
@pytest.mark.fault(
    "K6",
    fault="Programs create files with umask 0",
    tries="15 programs",
    outcome="Nothing is open to others",
)
@pytest.mark.timeout(600)
def test_h16_no_front_end_creates_anything_that_others_can_open(session: Session) -> None:
    session.run("index")
    session.run("search herons", f"vaults add {session.vault}", "models", "mcp")
    session.run(f"vaults add '{session.other}'", f"models add '{resources() / 'models' / MODEL}'")
    session.run("search --all herons", "read 0", "stats", "related 0", "completion bash")
    session.run(f"picture -- '{session.vault.parent / 'window.png'}' herons")
    session.run_until(session.has("-shm"), "watch")
    session.run_until(Paths.choose(session.home).token_file.exists, "serve", "--port", "0")
    session.run_until(
        lambda: (
            any(path.is_socket() for path in session.runtime.rglob("*")) and session.has("-shm")()
        ),
        "open",
        str(session.vault),
    )
    session.damage()
    session.run("doctor --repair")
    assert any(".set-aside-" in name for name in session.seen)
    assert session.seen >= {"settings.toml", "token", "window.json", MODEL, "tokenizer.json"}
    kinds = {name.rpartition(".sqlite")[2] for name in session.seen if ".sqlite" in name}
    assert kinds >= {"", "-wal", "-shm", ".lock"}


def test_what_an_earlier_version_left_open_is_closed_at_the_start(session: Session) -> None:
    session.run("index", f"vaults add {session.vault}")
    before = sorted(session.home.rglob("*"))
    for path in before:
        path.chmod(0o777 if path.is_dir() else 0o666)
    neighbour = session.home / "data" / "somebody" / "else.txt"
    neighbour.parent.mkdir(mode=0o755)
    neighbour.write_text("not ours")
    outside = session.vault.parent / "dotfile"
    outside.write_text("linked")
    outside.chmod(0o644)
    (session.home / "config" / "linked").symlink_to(outside)
    session.start("models").wait(WAIT_S)
    assert {path for path in before if path.lstat().st_mode & 0o077} == set()
    assert stat.S_IMODE(neighbour.stat().st_mode) & 0o044
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def test_the_settings_file_stays_as_closed_as_its_owner_made_it(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = Paths.choose(home)
    before = os.umask(0)
    try:
        Settings(theme="dark").save(paths)
        Settings(theme="light").save(paths)
        paths.settings_file.write_text("broken [")
        Settings(theme="dark").save(paths)
    finally:
        os.umask(before)
    assert list(open_to_others(home)) == []
    assert (paths.config / "settings.toml.broken").exists()
