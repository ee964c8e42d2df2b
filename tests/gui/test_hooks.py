"""The log: in its file, and nowhere else."""

import subprocess
import sys
from pathlib import Path

LOGGING = """
import logging, sys
from pathlib import Path
from notesearch.gui import hooks
hooks.start_log(Path(sys.argv[1]))
logging.debug("a library that writes to the root")
hooks.qt_log.info("no font has these letters")
"""


def test_nothing_of_the_log_goes_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "own.log"
    command = [sys.executable, "-c", LOGGING, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""
    assert file.read_text().endswith("INFO notesearch.qt: no font has these letters\n")
