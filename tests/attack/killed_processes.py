"""Processes that work on an index or run a command, and are killed."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class KilledProcesses:
    """Starts one process after another with ``tests.attack.killed_program``, and kills each."""

    def __init__(self, vault: Path, index: Path) -> None:
        command = [sys.executable, "-m", "tests.attack.killed_program", str(vault), str(index)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def work_for(self, seconds: float, *work: str) -> str:
        """Start a process that does ``work``, and kill it after ``seconds``.

        Returns ``killed``, or ``done`` and the exit status if it ended in time. The work is
        ``index``, ``repair``, ``change`` (the model), or ``notesearch`` and the words of a command.
        """
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([seconds, *work]) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.process.communicate()
