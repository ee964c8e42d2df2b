"""One instance: later starts send it requests, and it drops anything else."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.system import instance_server, single_instance
from notesearch.gui.system.instance_server import InstanceServer, activation_token, parse
from notesearch.gui.system.single_instance import COMMANDS, InstanceLock, address, ask
from tests.folders import write
from tests.limits import WAIT_S, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sockets of POSIX")

PROGRAM = [sys.executable, "-m", "notesearch"]


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A private runtime folder with a short path."""
    folder = tempfile.mkdtemp(prefix="ns-")
    monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    yield Path(folder)
    shutil.rmtree(folder)


@pytest.fixture
def server(qapp: object) -> Iterator[InstanceServer]:
    """The server, in this process."""
    listening = InstanceServer()
    listening.listen()
    yield listening
    listening.close()


class Wishes:
    """Collects the requests that the server passes on."""

    def __init__(self, server: InstanceServer) -> None:
        self.taken: list[tuple[str, str, str]] = []
        server.requested.connect(lambda *wish: self.taken.append(wish))


def meanwhile(qtbot: QtBot, work: Callable[[], object]) -> object:
    """Run ``work`` in a thread while the event loop runs; return its result."""
    done: list[object] = []
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    qtbot.waitUntil(lambda: not thread.is_alive())
    return done[0]


def connected() -> socket.socket:
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.settimeout(10)
    peer.connect(address())
    return peer


class TestRequests:
    def test_a_request_arrives_and_is_answered(self, qtbot: QtBot, server: InstanceServer) -> None:
        wishes = Wishes(server)
        assert meanwhile(qtbot, lambda: ask("search", "kyoto “food” 🍜")) is True
        assert wishes.taken == [("search", "kyoto “food” 🍜", "")]

    def test_the_activation_token_is_passed_on(
        self, qtbot: QtBot, server: InstanceServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wishes = Wishes(server)
        monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "kwin-7")
        meanwhile(qtbot, lambda: ask("show"))
        monkeypatch.delenv("XDG_ACTIVATION_TOKEN")
        assert wishes.taken == [("show", "", "kwin-7")]
        if sys.platform == "linux":
            with activation_token("kwin-7"):
                assert os.environ["XDG_ACTIVATION_TOKEN"] == "kwin-7"
        assert "XDG_ACTIVATION_TOKEN" not in os.environ

    def test_a_closed_server_leaves_no_socket(self) -> None:
        server = InstanceServer()
        server.listen()
        assert Path(address()).is_socket()
        server.close()
        assert not Path(address()).exists()

    def test_without_a_running_program_ask_returns_false(self) -> None:
        assert ask("show") is False

    def test_a_program_that_hangs_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(single_instance, "_ANSWER_S", 0.1)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as hanging:
            hanging.bind(address())
            hanging.listen()
            with pytest.raises(single_instance.InstanceError, match="does not answer"):
                ask("show")

    def test_a_program_that_ends_meanwhile_counts_as_not_running(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as ending:
            ending.bind(address())
            ending.listen()
            with ThreadPoolExecutor() as threads:
                asked = threads.submit(ask, "show")
                ending.accept()[0].close()
                assert asked.result() is False


@pytest.mark.fault(
    "H1",
    fault="The socket of a killed program",
    outcome="Its lock is free; the next program replaces it",
)
def test_h1_the_socket_of_a_dead_process_is_replaced(qtbot: QtBot) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as died:
        died.bind(address())
    assert Path(address()).exists()
    assert ask("show") is False
    server = InstanceServer()
    server.listen()
    assert meanwhile(qtbot, lambda: ask("show")) is True
    server.close()


@pytest.mark.fault(
    "H3",
    row="H3, H16",
    fault="Another user connects, takes the place first, or looks into our folders",
    outcome="Modes 0700 and 0600, also of older files; foreign sockets are left alone",
)
class TestH3OtherUsers:
    def test_the_socket_is_private(self, server: InstanceServer, runtime: Path) -> None:
        assert Path(address()).parent == runtime / "notesearch"
        assert (runtime / "notesearch").stat().st_mode & 0o777 == 0o700
        assert Path(address()).stat().st_mode & 0o077 == 0

    @pytest.mark.skipif(
        os.getuid() != 0 or not shutil.which("setpriv"), reason="becomes another user: needs root"
    )
    def test_other_users_cannot_connect(self, server: InstanceServer, runtime: Path) -> None:
        runtime.chmod(0o755)
        code = f"import socket; socket.socket(socket.AF_UNIX).connect({address()!r})"
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        done = subprocess.run(
            [*nobody, "/usr/bin/env", "python3", "-S", "-c", code], capture_output=True, text=True,
            check=False, cwd="/", env={"PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        if "No such file or directory" in done.stderr and "env:" in done.stderr:
            pytest.skip("no Python that another user can run")
        assert "PermissionError" in done.stderr

    def test_the_permissions_of_an_open_folder_are_tightened(self, runtime: Path) -> None:
        (runtime / "notesearch").mkdir(mode=0o755)
        assert address().startswith(str(runtime))
        assert (runtime / "notesearch").stat().st_mode & 0o777 == 0o700

    def test_a_symlink_in_place_of_the_folder_is_not_followed(self, runtime: Path) -> None:
        (runtime / "notesearch").symlink_to(runtime)
        assert not address().startswith(str(runtime / "notesearch"))

    @pytest.mark.skipif(os.getuid() != 0, reason="makes a folder of another user: needs root")
    def test_a_folder_of_another_user_is_not_used(
        self, runtime: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (runtime / "notesearch").mkdir()
        os.chown(runtime / "notesearch", 65534, 65534)
        assert not address().startswith(str(runtime / "notesearch"))

    def test_a_socket_of_another_user_is_not_used(
        self, server: InstanceServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if os.getuid() != 0:
            pytest.skip("gives a file to another user: needs root")
        os.chown(address(), 65534, 65534)
        assert ask("show") is False


@pytest.mark.fault(
    "H4",
    row="H4, H5",
    fault="A peer sends nothing, half a message, 100 MB or other requests",
    outcome="Dropped after 2 s or 64 KB; only show, toggle and search exist",
)
class TestH4HostilePeers:
    @pytest.mark.parametrize("sent", [b"", b"1\tsh"], ids=["nothing", "half"])
    def test_slow_peers_are_dropped(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, sent: bytes
    ) -> None:
        monkeypatch.setattr(instance_server, "_PATIENCE_MS", 100)
        server = InstanceServer()
        server.listen()
        wishes = Wishes(server)
        with connected() as slow:
            slow.sendall(sent)
            assert meanwhile(qtbot, lambda: ask("show")) is True, "nobody waits for them"
            assert meanwhile(qtbot, lambda: slow.recv(1)) == b""
        assert wishes.taken == [("show", "", "")]
        server.close()

    def test_a_peer_that_sends_endlessly_is_dropped(
        self, qtbot: QtBot, server: InstanceServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(instance_server, "_PATIENCE_MS", 60_000)

        def flood() -> int:
            sent = 0
            with connected() as peer:
                try:
                    while sent < 100_000_000:
                        sent += peer.send(b"x" * 65536)
                except OSError:
                    return sent
            return sent

        wishes = Wishes(server)
        sent = meanwhile(qtbot, flood)
        assert isinstance(sent, int)
        assert sent < 2_000_000
        assert wishes.taken == []

    def test_many_peers_block_nobody_for_long(self, qtbot: QtBot, server: InstanceServer) -> None:
        crowd = [connected() for _ in range(40)]
        qtbot.waitUntil(lambda: server.findChildren(QLocalSocket) != [])
        for peer in crowd:
            peer.close()
        qtbot.waitUntil(lambda: server.findChildren(QLocalSocket) == [])
        assert meanwhile(qtbot, lambda: ask("show")) is True


@pytest.mark.usefixtures("chosen")
@pytest.mark.skipif(sys.platform != "linux", reason="a desktop that is not there")
def test_without_a_display_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    done = subprocess.run([*PROGRAM, "quick"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    sentence = "notesearch could not be started. “notesearch open” shows why."
    assert done.stderr == f"notesearch: {sentence}\n"


@pytest.mark.fault("J14")
@pytest.mark.usefixtures("home")
@pytest.mark.skipif(sys.platform != "linux", reason="a desktop that is not there")
def test_without_a_display_the_folder_is_remembered(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    done = subprocess.run([*PROGRAM, str(vault)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    told = "There is no display for a window here. “notesearch search” searches in the terminal."
    assert done.stderr == f"notesearch: {told}\n"
    asked = [*PROGRAM, "vaults", "--json"]
    known = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert str(vault) in known.stdout


@pytest.mark.fault("H5")
class TestH5Parsing:
    @pytest.mark.parametrize(
        ("line", "wish"),
        [
            ("1\tshow\t\t", ("show", "", "")),
            ("1\ttoggle\t\t", ("toggle", "", "")),
            ("1\tsearch\t\t two words ", ("search", "two words", "")),
            ("1\tsearch\tkwin-7\tnoodles 🍜", ("search", "noodles 🍜", "kwin-7")),
            ("1\tsearch\t\ta\0b\x1b[31mc", ("search", "a b [31mc", "")),
            ("1\tshow\ta bé\t", ("show", "", "")),
            (f"1\tshow\t{'x' * 257}\t", ("show", "", "")),
            ("1\topen\t\t/etc/passwd", None),
            ("1\trun\t\trm", None),
            ("1\tshow\t\t\t/etc/passwd", None),
            ("2\tshow\t\t", None),
            ("1\tshow", None),
            ("show", None),
            ("", None),
            ("\t" * 60_000, None),
            ('{"v": 1, "cmd": "show"}', None),
            ("GET / HTTP/1.1\r", None),
        ],
    )
    def test_only_known_commands_are_accepted(
        self, line: str, wish: tuple[str, str, str] | None
    ) -> None:
        assert parse(line.encode() + b"\n") == wish

    def test_a_long_query_is_truncated(self) -> None:
        line = "1\tsearch\t\t" + "x" * 5000
        assert parse(line.encode()) == ("search", "x" * 1000, "")

    @settings(max_examples=50)
    @given(st.binary() | st.lists(st.text(), max_size=5).map(lambda f: "\t".join(f).encode()))
    def test_any_bytes_are_parsed_or_refused(self, line: bytes) -> None:
        wish = parse(line)
        assert wish is None or wish[0] in COMMANDS

    @given(st.text())
    def test_any_query_arrives(self, query: str) -> None:
        wish = parse(single_instance._message("search", query))
        assert wish is not None
        if query.isprintable():
            assert wish[1] == " ".join(query.split())[:1000]


@pytest.mark.fault("H6", fault="A path too long for a socket", outcome="A shorter place is used")
class TestH6LongPaths:
    def test_a_long_path_is_avoided(
        self, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        long = tmp_path / ("x" * 60) / ("y" * 60)
        long.mkdir(parents=True)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
        monkeypatch.setenv("TMPDIR", str(long))
        assert len(os.fsencode(address())) <= 103
        server = InstanceServer()
        server.listen()
        assert meanwhile(qtbot, lambda: ask("show")) is True
        server.close()

    def test_the_longest_accepted_path_works(
        self, qtbot: QtBot, runtime: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room = single_instance._MAX_PATH - len(f"{runtime}//notesearch/0123456789ab.socket")
        longest = runtime / ("x" * room)
        longest.mkdir()
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(longest))
        assert len(os.fsencode(address())) == single_instance._MAX_PATH
        server = InstanceServer()
        server.listen()
        assert meanwhile(qtbot, lambda: ask("show")) is True
        server.close()

    def test_a_missing_runtime_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_RUNTIME_DIR", "/nowhere/at/all")
        assert address()
        assert not address().startswith("/nowhere")


class TestTheWindow:
    @pytest.fixture
    def desktop(self, app: App) -> Iterator[Desktop]:
        desktop = Desktop(app)
        yield desktop
        desktop.close()

    def test_a_later_start_shows_the_window(self, app: App, desktop: Desktop) -> None:
        app.window.hide()
        desktop.server.requested.emit("show", "", "")
        assert app.window.isVisible()
        app.window.showMinimized()
        desktop.server.requested.emit("show", "", "")
        assert not app.window.isMinimized()

    def test_a_later_start_opens_its_folder(
        self, qtbot: QtBot, app: App, desktop: Desktop, tmp_path: Path, words_only: Settings
    ) -> None:
        other = tmp_path / "other"
        other.mkdir()
        words_only.with_vault(other).save(Paths.choose())
        desktop.server.requested.emit("show", "", "")
        assert app.vault.path == other
        app.open(tmp_path)
        desktop.server.requested.emit("show", "", "")
        assert app.vault.path == tmp_path, "it was given that folder once"


def test_a_file_named_notesearch_in_the_current_folder_is_not_run(tmp_path: Path) -> None:
    write(tmp_path, {"notesearch.py": "raise SystemExit('not the program')"})
    command = [*single_instance.program(), "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("notesearch, version"), done.stderr


def test_each_home_has_its_own_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    first = address()
    monkeypatch.setenv("NOTESEARCH_HOME", "/somewhere/else")
    assert address() != first


def test_one_process_holds_the_lock() -> None:
    one, other = InstanceLock(), InstanceLock()
    assert one.acquire()
    assert not other.acquire()
    one.release()
    assert other.acquire()
    other.release()


@pytest.fixture
def chosen(vault: Path, home: Path, words_only: Settings) -> Path:
    """The vault, chosen in the settings."""
    write(vault, {"a.md": "# A\n\nfood\n"})
    words_only.with_vault(vault).save(Paths.choose(home))
    return vault


def end_programs(*programs: "subprocess.Popen[bytes]") -> list[int]:
    """End the programs and return their exit statuses."""
    for program in programs:
        program.send_signal(signal.SIGTERM)
    return [program.wait(WAIT_S) for program in programs]


@pytest.mark.usefixtures("chosen")
class TestProcesses:
    @pytest.mark.fault("H2", fault="Ten programs start together", outcome="One runs; nine ask it")
    def test_h2_of_ten_starts_at_once_one_runs(self) -> None:
        command = [*PROGRAM, "open", "--background"]
        ten = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(10)]
        until(lambda: sum(program.poll() is not None for program in ten) == 9)
        (one,) = (program for program in ten if program.poll() is None)
        until(lambda: ask("show"))
        assert end_programs(one) == [0]
        assert [program.returncode for program in ten] == [0] * 10
        assert [program.communicate()[1] for program in ten] == [b""] * 10

    @pytest.mark.fault("H1")
    def test_h1_after_a_kill_the_next_start_runs(self) -> None:
        with subprocess.Popen([*PROGRAM, "open", "--background"]) as first:
            until(lambda: ask("show"))
            first.kill()
        assert Path(address()).exists()
        with subprocess.Popen([*PROGRAM, "open", "--background"]) as second:
            until(lambda: ask("show"))
            assert end_programs(second) == [0]

    def test_quick_asks_before_slow_imports(self, qtbot: QtBot, server: InstanceServer) -> None:
        code = (
            "import sys; sys.argv = ['notesearch', 'quick', 'two', 'words'];"
            "from notesearch.__main__ import main; main();"
            "print(sorted({'PySide6', 'click', 'platformdirs', 'pathlib'} & set(sys.modules)))"
        )
        wishes = Wishes(server)

        def run() -> str:
            command = [
                sys.executable,
                "-I",
                "-S",
                "-c",
                f"import sys; sys.path = {sys.path}; {code}",
            ]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout

        assert meanwhile(qtbot, run) == "[]\n"
        assert wishes.taken == [("search", "two words", "")]
