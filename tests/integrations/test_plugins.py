"""The plug-ins in JavaScript: their own tests, with the real program and server."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrations.conftest import INTEGRATIONS

pytestmark = pytest.mark.skipif(
    not (shutil.which("node") and shutil.which("npm")), reason="there is no node"
)

TOKEN = "a token for the tests"


def npm(plugin: str, *words: str, **variables: str) -> str:
    """Run a script of a plug-in; it must pass. Return what it printed."""
    done = subprocess.run(
        ["npm", "--silent", *words],
        cwd=INTEGRATIONS / plugin,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_vscode(vault: Path) -> None:
    assert re.search(r"^# skipped 0$", npm("vscode", "test", VAULT=str(vault)), re.MULTILINE)


@pytest.mark.skipif(
    not (INTEGRATIONS / "obsidian" / "node_modules").is_dir(), reason="npm install was not run"
)
class TestObsidian:
    @pytest.fixture
    def port(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
        """The port of a server."""
        monkeypatch.setenv("NOTESEARCH_TOKEN", TOKEN)
        words = [sys.executable, "-m", "notesearch", "serve", "--port", "0"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr
            said = next(line for line in server.stderr if "Serving:" in line)
            port = re.search(r"127\.0\.0\.1:(\d+)", said)
            assert port
            yield port[1]
            server.terminate()
            server.stderr.read()

    def test_its_own_tests_pass(self, port: str) -> None:
        printed = npm("obsidian", "test", PORT=port, TOKEN=TOKEN)
        assert re.search(r"^# skipped 0$", printed, re.MULTILINE)

    def test_its_types_are_right_and_it_builds(self, tmp_path: Path) -> None:
        npm("obsidian", "run", "types")
        npm("obsidian", "run", "build", "--", f"--outfile={tmp_path}/main.js")
        assert (tmp_path / "main.js").stat().st_size < 20_000
