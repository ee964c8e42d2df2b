"""Starts a process that follows a folder, under the limits of a test."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests import index_contents
from tests.limits import WAIT_S
from tests.watched_vault import SETTINGS, digests, indexed_digests

ROOT = Path(__file__).resolve().parent.parent.parent


class Follower:
    """A process with an indexing thread, and all its reports."""

    def __init__(self, vault: Path, index: Path, process: "subprocess.Popen[str]") -> None:
        self.vault = vault
        self.index = index
        self.process = process
        self.events: list[dict[str, object]] = []
        self._news = threading.Condition()
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self._news:
                self.events.append(json.loads(line))
                self._news.notify_all()

    def until(self, condition: Callable[[], bool], seconds: float = WAIT_S) -> None:
        """Wait until ``condition()`` holds; it is called after each report."""
        with self._news:
            met = self._news.wait_for(condition, seconds)
        assert met, self.events[-10:]

    def converged(self) -> bool:
        return indexed_digests(self.index) == digests(self.vault)

    def until_converged(self) -> None:
        """Wait until the process rests and the index knows every note as it is now."""
        self.until(lambda: self.events[-1:] == [{"phase": "idle"}] and self.converged())

    def failures(self) -> list[str]:
        return [str(event["failed"]) for event in self.events if "failed" in event]

    def watching(self) -> str:
        """Ask the process how it notices changes."""
        assert self.process.stdin
        before = len(self.events)
        self.process.stdin.write("?\n")
        self.process.stdin.flush()
        # It may tell more after its answer, before somebody looks.
        self.until(lambda: any("watching" in event for event in self.events[before:]))
        return next(str(event["watching"]) for event in self.events[before:] if "watching" in event)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the process during the block, as if the computer slept."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def assert_like_new(self) -> None:
        self.until_converged()
        self.close()
        assert self.process.returncode == 0
        held = index_contents.of(self.index)
        new = index_contents.from_scratch(self.vault, SETTINGS, None)
        assert held == new, index_contents.differences(held, new)

    def close(self) -> None:
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(WAIT_S)
        finally:
            self.process.kill()
            self._reading.join()
            assert self.process.stdout
            self.process.stdout.close()


@contextlib.contextmanager
def following(
    vault: Path, index: Path, prefix: Sequence[str] = (), check_s: float = 5
) -> Iterator[Follower]:
    """Follow ``vault`` in another process, started by the command ``prefix``."""
    command = [*prefix, sys.executable, "-m", "tests.faults.follower_program"]
    process = subprocess.Popen(
        [*command, str(vault), str(index), str(check_s)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    follower = Follower(vault, index, process)
    try:
        yield follower
    finally:
        follower.close()


def in_namespace(*arguments: str, setup: str = "") -> list[str]:
    """Return a command prefix that runs in its own namespaces; skip the test without the right."""
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("there are no namespaces here (unshare)")
    trial = subprocess.run(
        ["unshare", *arguments, "sh", "-c", f"{setup or ':'}"], capture_output=True, check=False
    )
    if trial.returncode:
        pytest.skip(f"no right to: unshare {' '.join(arguments)} {setup}")
    return ["unshare", *arguments, "sh", "-c", f'{setup or ":"}; exec "$@"', "sh"]
