"""A pytest plugin: the program under test sees every vault on a read-only mount, tests do not.

``pytest -p tests.read_only`` makes two mount namespaces that differ in this alone. A thread is
moved into the one where vaults are read-only whenever it enters the program, and back when it
leaves it; threads and processes that the program starts stay there. ``make test-isolated`` runs
the suite so, with the network off. Linux only, and with the right to mount.
"""

import contextlib
import ctypes
import errno
import fcntl
import functools
import os
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from notesearch.config import resources
from notesearch.gui.preview.vault_images import VaultImages
from notesearch.index.indexer import Indexer
from notesearch.index.live_index import LiveIndex
from notesearch.library import NoteLibrary

_NEW_FILES, _NEW_MOUNTS = 0x200, 0x20000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE = 1, 32, 4096, 16384
_PRIVATE, _FOLLOWING, _SHARED = 1 << 18, 1 << 19, 1 << 20
_DETACH = 2
_OURS = ("notesearch", "tests.faults.")

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc, name)(*arguments):
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


def _mount(folder: Path | None, place: Path, flags: int) -> None:
    source = os.fsencode(folder) if folder else None
    _call("mount", source, os.fsencode(place), None, ctypes.c_ulong(flags), None)


def _here() -> str:
    return str(Path("/proc/thread-self/ns/mnt").readlink())


def _current_folder() -> Path:
    """Return the current folder of this thread, which a test may have deleted."""
    return Path("/proc/thread-self/cwd").readlink()


class ReadOnly:
    """The namespace in which vaults are read-only, and what was done in it."""

    def __init__(self) -> None:
        _call("unshare", _NEW_MOUNTS)
        _mount(None, Path("/"), _RECURSIVE | _PRIVATE)
        _mount(None, Path("/"), _RECURSIVE | _SHARED)
        self._writable = os.open("/proc/thread-self/ns/mnt", os.O_RDONLY)
        folder = _current_folder()
        _call("unshare", _NEW_MOUNTS)
        # What a test mounts, a small disk, is there for the program too; not the other way round.
        _mount(None, Path("/"), _RECURSIVE | _FOLLOWING)
        self._name = _here()
        self._shut = os.open("/proc/thread-self/ns/mnt", os.O_RDONLY)
        self._move(self._writable, folder)
        self.vaults = self.entered = 0

    def _move(self, namespace: int, folder: Path) -> None:
        _call("unshare", _NEW_FILES)  # a thread that shares its folder with others may not move
        _call("setns", namespace, _NEW_MOUNTS)
        with contextlib.suppress(OSError):
            os.chdir(folder)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """Let the calling thread see vaults as read-only during the block."""
        if _here() == self._name:
            yield
            return
        folder = _current_folder()
        self._move(self._shut, folder)
        self.entered += 1
        try:
            yield
        finally:
            self._move(self._writable, folder)

    def shut(self, vault: Path) -> None:
        """Make ``vault`` read-only for the program, and check that it is."""
        with self.inside():
            _mount(vault, vault, _BIND)
            _mount(None, vault, _REMOUNT | _BIND | _READ_ONLY)
            with pytest.raises(OSError, match=os.strerror(errno.EROFS)):
                (vault / "written").touch()
        self.vaults += 1

    def open(self, vault: Path) -> None:
        """Remove the mount, unless it was removed with its folder."""
        with self.inside():
            _libc.umount2(os.fsencode(vault), _DETACH)

    def enter(self, owner: type, name: str) -> None:
        """Make ``owner.name`` always run in the read-only namespace."""
        function: Callable[..., object] = getattr(owner, name)

        @functools.wraps(function)
        def inside(*arguments: Any, **named: Any) -> object:
            with self.inside():
                return function(*arguments, **named)

        setattr(owner, name, inside)

    def enter_processes(self) -> None:
        """Start every process of the program in the read-only namespace."""
        begin = subprocess.Popen.__init__

        @functools.wraps(begin)
        def started(process: Any, command: Any, *arguments: Any, **named: Any) -> None:
            words = [command] if isinstance(command, str | bytes | os.PathLike) else command
            ours = any(str(word).startswith(_OURS) for word in words)
            with self.inside() if ours else contextlib.nullcontext():
                begin(process, command, *arguments, **named)

        setattr(subprocess.Popen, "__init__", started)  # noqa: B010


_STATE = pytest.StashKey[ReadOnly]()


def _talk_to_ourselves() -> None:
    """Turn on the loopback interface, through which tests ask servers without a network."""
    up, running, set_flags = 0x1, 0x40, 0x8914
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        wanted = struct.pack("16sH22x", b"lo", up | running)
        fcntl.ioctl(any_socket, set_flags, wanted)


def pytest_configure(config: pytest.Config) -> None:
    """Make the namespaces before any thread is started, and guard the ways into the program."""
    try:
        _talk_to_ourselves()
        state = ReadOnly()
        state.shut(resources() / "sample-vault")
    except OSError as error:
        raise pytest.UsageError(f"no read-only vaults here: {error}") from error
    for owner in (NoteLibrary, Indexer, LiveIndex, VaultImages):
        for name, value in vars(owner).copy().items():
            if not name.startswith("_") and callable(value):
                state.enter(owner, name)
    state.enter_processes()
    config.stash[_STATE] = state


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: "pytest.FixtureDef[object]", request: pytest.FixtureRequest
) -> Iterator[None]:
    """Make the vault of a test read-only for the program."""
    made = yield
    state = request.config.stash[_STATE]
    is_vault = fixturedef.argname == "vault" and isinstance(made, Path)
    if is_vault and not request.node.get_closest_marker("writes_from_within"):
        assert isinstance(made, Path)
        state.shut(made)
        fixturedef.addfinalizer(functools.partial(state.open, made))
    return made


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    """Print how often vaults were made read-only."""
    state = config.stash[_STATE]
    terminalreporter.write_line(
        f"{state.vaults:,} vaults were read-only to the program, which was entered"
        f" {state.entered:,} times"
    )
