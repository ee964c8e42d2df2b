"""The log goes to its file and nowhere else."""

import subprocess
import sys
from pathlib import Path

import pytest

from notesearch.gui.system import hooks

LOGGING = """
import logging, sys
from pathlib import Path
from notesearch.gui.system import hooks
hooks.start_log(Path(sys.argv[1]))
logging.debug("a library that writes to the root")
hooks.qt_log.info("no font has these letters")
"""


def test_the_log_is_not_printed_to_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "own.log"
    command = [sys.executable, "-c", LOGGING, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""
    assert file.read_text().endswith("INFO notesearch.qt: no font has these letters\n")


def test_a_log_that_cannot_be_written_is_not_printed_either(tmp_path: Path) -> None:
    """It printed a traceback for each line, on a full disk and on one that is read-only."""
    file = tmp_path / "own.log"
    file.mkdir()  # no user may write it like a file
    command = [sys.executable, "-c", LOGGING, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


THREAD = """
import sys, threading
from pathlib import Path
from notesearch.gui.system import hooks
hooks.start_log(Path(sys.argv[1]))
def slip():
    raise ZeroDivisionError("in a thread")
with hooks.installed(report=lambda: sys.exit("told of what the user cannot help"), leave=exit):
    thread = threading.Thread(target=slip, name="notesearch-index")
    thread.start()
    thread.join()
"""


def test_an_uncaught_error_in_a_thread_is_logged(tmp_path: Path) -> None:
    """If the program was started from a menu, nobody reads its standard error."""
    file = tmp_path / "own.log"
    command = [sys.executable, "-c", THREAD, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "ZeroDivisionError: in a thread" in done.stderr
    assert "ZeroDivisionError: in a thread" in file.read_text()


def test_python_keeps_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error refers to the parts of the window that it passed, which would then never end."""
    error, names = ValueError("slip"), ("last_exc", "last_value", "last_traceback")
    for name in names:
        monkeypatch.setattr(sys, name, error, raising=False)
    with hooks.installed(report=lambda: None, leave=lambda: None):
        sys.excepthook(ValueError, error, None)
    assert [getattr(sys, name) for name in names] == [None, None, None]
