"""Works on an index in one process after another, and kills each with SIGKILL after some seconds.

``python -m tests.attack.killed_program VAULT INDEX`` reads lines ``[SECONDS, WORK, …]`` (JSON) from
standard input. For each line it forks a process, which takes a millisecond, while a start takes a
second. It prints ``killed``, or ``done`` and the exit status if the process ended in time.
"""

import json
import os
import signal
import sys
from pathlib import Path

from notesearch.cli import main as cli
from notesearch.cli import vault_commands  # noqa: F401 - before the forks
from notesearch.config import Settings
from notesearch.index import doctor, indexer, note_files, scan  # noqa: F401 - before the forks
from notesearch.index.vault_index import VaultIndex
from notesearch.store.store import Store
from tests.faults.quick_model import OtherModel, QuickModel


def work(vault: Path, file: Path, what: str, *words: str) -> int:
    """Do the work ``what``: ``index``, ``repair``, ``change`` (the model), or ``notesearch``.

    ``words`` is a command of ``notesearch``. Returns the exit status.
    """
    if what == "notesearch":
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        return int(cli.main(list(words), standalone_mode=False) or 0)
    model = OtherModel if what == "change" else QuickModel
    index = VaultIndex(vault, Settings(), Store(file), model)
    if what == "repair":
        doctor.repair(index, lambda _: None)
    else:
        index.refresh(lambda _: None)
    return 0


def main() -> None:
    """Do the work in each line of standard input."""
    vault, file = map(Path, sys.argv[1:3])
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    for line in sys.stdin:
        seconds, *words = json.loads(line)
        child = os.fork()
        if not child:
            code = 1
            try:
                code = work(vault, file, *words)
            finally:
                os._exit(code)
        done = signal.sigtimedwait([signal.SIGCHLD], seconds)
        if not done:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not done:
            signal.sigtimedwait([signal.SIGCHLD], 0)
        print("killed" if os.WIFSIGNALED(status) else f"done {os.WEXITSTATUS(status)}", flush=True)


if __name__ == "__main__":
    main()
