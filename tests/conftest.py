"""What every test gets: own folders, a vault to write to, the model, and no stray threads."""

import gc
import os
import shutil
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from click.testing import CliRunner, Result
from pytestqt.qtbot import QtBot

from notesearch.cli.main import main
from notesearch.config import BUILTIN_MODEL, Paths, Settings, resources
from tests.command_line import NOTES, Run
from tests.folders import write
from tests.indexed import without_model
from tests.patient_bot import PatientBot

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder
    from tests.watched_vault import WatchedVault

# Each worker is busy with its own tests, and a thread of NumPy that waits keeps a core busy, too.
# NumPy reads this when it is imported, which nothing above does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The machines that run the suite are busy: how long one example takes says nothing.
hypothesis.settings.register_profile("suite", deadline=None, max_examples=40)
hypothesis.settings.register_profile("many", deadline=None, max_examples=400)
hypothesis.settings.load_profile("suite")


def pytest_configure() -> None:
    """Keep the folders of tests in memory, as a disk takes long to create ten thousand of them."""
    memory = Path("/dev/shm")
    if not memory.is_dir():
        return
    has_room = shutil.disk_usage(memory).free > 4 << 30
    runs_programs = not os.statvfs(memory).f_flag & os.ST_NOEXEC
    if has_room and runs_programs:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def pytest_xdist_auto_num_workers() -> int:
    """Twice as many as cores: half of its time a test waits, for a window, folder or process."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the thousands of test objects, so that the garbage collector does not look at them."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for index and settings, so that no test meets those of the user or of another."""
    folder = tmp_path / "home"
    monkeypatch.setenv("NOTESEARCH_HOME", str(folder))
    monkeypatch.delenv("NOTESEARCH_VAULT", raising=False)
    return folder


@pytest.fixture(autouse=True)
def outside_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the project's folder, where a command would take the documentation for notes."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def no_thread_is_left_behind() -> Iterator[None]:
    """Fail a test after which a thread of ours or of watchdog still runs."""
    before = set(threading.enumerate())
    yield
    # Threads that Qt started show up as dummies for good once they have run Python code.
    left = [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread)
    ]
    # Transformers tells the threads that read weights to end, without waiting until they have. So
    # does asyncio with those that wait for a process.
    # A cancelled timer ends a moment later.
    for thread in left:
        is_cancelled = isinstance(thread, threading.Timer) and thread.finished.is_set()
        if is_cancelled or thread.name.startswith(("ThreadPoolExecutor-", "waitpid-")):
            thread.join(10)
    left = [thread for thread in left if thread.is_alive()]
    assert left == [], "threads still run"


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> QtBot:
    """A user of windows who waits patiently."""
    return PatientBot(request)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """An empty folder for notes."""
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> "Embedder":
    """The model that comes with the program; all workers share the vectors that it has made."""
    from notesearch.embedding.model_loader import load_embedder
    from tests.cached_embedder import CachedEmbedder

    own = tmp_path_factory.getbasetemp()
    shared = own.parent if own.name.startswith("popen-") else own
    return CachedEmbedder(load_embedder(BUILTIN_MODEL, resources() / "models"), shared / "vectors")


@pytest.fixture
def loaded(embedder: "Embedder", monkeypatch: pytest.MonkeyPatch) -> None:
    """All code that loads the built-in model gets this one."""

    def load(name: str, *_places: Path, **_devices: object) -> "Embedder":
        assert name == BUILTIN_MODEL
        return embedder

    monkeypatch.setattr("notesearch.embedding.model_loader.load_embedder", load)


@pytest.fixture
def words_only(tmp_path: Path) -> Settings:
    """Settings with a missing model: notes are found by words alone, which is quicker."""
    return without_model(tmp_path)


@pytest.fixture
def no_meaning(home: Path, vault: Path) -> None:
    """Settings with search by meaning off, so that no command reports a missing model."""
    Settings(meaning=False).with_vault(vault).save(Paths.choose(home))


@pytest.fixture
def watched(vault: Path, tmp_path: Path) -> Iterator["WatchedVault"]:
    """A folder, its index, and the thread between them, not started yet."""
    from tests.watched_vault import WatchedVault

    watched = WatchedVault(vault, tmp_path / "index.sqlite")
    yield watched
    watched.index.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check folder and watcher all the time instead of every few seconds."""
    monkeypatch.setattr("notesearch.index.live_index._CHECK_S", 0.05)
    monkeypatch.setattr("notesearch.index.watcher._MIN_INTERVAL_S", 0.05)


@pytest.fixture
def run(vault: Path, home: Path, words_only: Settings) -> Run:
    """Run a command on a vault of two notes; words only, which is quicker."""
    write(vault, NOTES)
    words_only.with_vault(vault).save(Paths.choose(home))

    def command(*words: str, **environment: str) -> Result:
        return CliRunner(env=environment).invoke(main, words, catch_exceptions=False)

    return command
