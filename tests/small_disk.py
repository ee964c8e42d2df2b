"""A disk of few megabytes in memory, which only some users may mount."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Callable[[int], None]]:
    """Mount a disk at ``folder``, which exists; yield a function that sets its megabytes.

    Skips the test if this user may not mount disks.
    """

    def mount(options: str) -> int:
        command = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
        return subprocess.run(command, check=False, capture_output=True).returncode

    if sys.platform != "linux" or mount(f"size={megabytes}m"):
        pytest.skip("no right to mount a small disk")

    def resize(size: int) -> None:
        assert not mount(f"remount,size={size}m")

    try:
        yield resize
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
