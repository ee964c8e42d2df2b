"""All of group G: of everything hostile the system sees no call, foreign file or program."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtNetwork import QHostAddress, QTcpServer

from tests.faults.preview_program import BEGIN, END

FOREIGN = re.compile(r'"(?:[^"]*/secret[^"/]*|/etc/(?:passwd|hostname)|/bin/[^"]*)"')
ROOT = Path(__file__).resolve().parents[2]
CALLS = re.compile(r"connect\(\d+, \{sa_family=AF_INET6?")


@pytest.mark.skipif(not shutil.which("strace"), reason="strace tells what the system is asked for")
def test_g_everything_hostile_reads_calls_and_starts_nothing(tmp_path: Path, qapp: object) -> None:
    """Qt does none of that, either: the recording includes its own code."""
    server = QTcpServer()
    assert server.listen(QHostAddress.SpecialAddress.LocalHost)
    log = tmp_path / "calls"
    watched = "trace=open,openat,connect,execve,stat,newfstatat,access,faccessat,faccessat2"
    done = subprocess.run(
        ["strace", "-f", "-qq", "-s", "300", "-e", watched, "-o", log, sys.executable, "-m",
         "tests.faults.preview_program", tmp_path, f"http://127.0.0.1:{server.serverPort()}"],
        capture_output=True, text=True, timeout=300, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout.strip() == "0", f"the desktop was asked to open something: {done.stderr}"
    lines = log.read_text("utf-8", "replace").split("\n")
    starts = [at for at, line in enumerate(lines) if str(BEGIN) in line]
    ends = [at for at, line in enumerate(lines) if str(END) in line]
    assert len(starts) == len(ends) == 2, "in the MkDocs dialect and in the usual one"
    caused = [line for start, end in zip(starts, ends, strict=True) for line in lines[start:end]]
    assert any("here.png" in line or "/travel/" in line for line in caused), "it reads the vault"
    opened = [line for line in caused if re.search(r"\bopen(?:at)?\(", line)]
    assert [line for line in opened if FOREIGN.search(line)] == []
    assert [line for line in caused if CALLS.search(line)] == []
    started = [line for line in caused if "execve(" in line and "= 0" in line]
    assert [line for line in started if "preview.svg" not in line] == []
    assert not server.hasPendingConnections()
    assert not server.waitForNewConnection(50)[0]
    server.close()
