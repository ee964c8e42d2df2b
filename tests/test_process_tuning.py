"""The threads of a server take short turns."""

import subprocess
import sys
from pathlib import Path

_SAID = """
import gc, sys
from pathlib import Path
from notesearch.cli.server_commands import _served_vaults
from notesearch.config import Paths, Settings
vault = Path(sys.argv[1])
Settings(vault=str(vault), meaning=False).save(Paths.choose())
with _served_vaults((vault,), all_vaults=False):
    print(sys.getswitchinterval(), gc.get_threshold()[0])
"""


def test_a_server_switches_threads_often_and_collects_garbage_seldom(vault: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SAID, str(vault)], capture_output=True, text=True, check=True
    )
    turn, objects = map(float, done.stdout.split())
    assert turn <= 0.001
    assert objects >= 10_000
