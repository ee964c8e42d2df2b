"""Every tool and resource, by the inspector from the npm registry."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving.servers import TOKEN, command, environment, listening, write_vault

INSPECTOR = ["npx", "--yes", "@modelcontextprotocol/inspector@2.12.0", "--cli"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("npx"), reason="there is no npx"),
]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_vault(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module", params=["stdio", "http"])
def server(request: pytest.FixtureRequest, vault: Path) -> Iterator[list[str]]:
    """The arguments that tell the inspector which server to use."""
    words = ["mcp", "--structured", "--vault", str(vault)]
    if request.param == "stdio":
        yield command(*words)
        return
    with listening([*words, "--http"], vault.parent / "home") as address:
        yield [
            f"{address}/mcp", "--transport", "http",
            "--header", f"Authorization: Bearer {TOKEN}",
        ]  # fmt: skip


def inspect(server: list[str], vault: Path, method: str, *words: str) -> dict[str, Any]:
    home = environment(vault.parent / "home")
    kept = [f"{name}={home[name]}" for name in ("NOTESEARCH_HOME", "PYTHONPATH")]
    patience = ["--connect-timeout", "90000"]  # on a busy machine
    variables = [word for one in kept for word in ("-e", one)] if len(server) > 3 else []
    done = subprocess.run(
        [*INSPECTOR, *patience, *variables, *server, "--method", method, *words],
        capture_output=True, text=True, check=False, timeout=100, env=home,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search_notes", ["query=reeds"], "river.md:15 > Banks > Reeds"),
        ("read_note", ["path=river.md", "section=Banks"], "Reeds grow there."),
        ("list_sections", ["path=river.md"], "## Banks"),
        ("vault_stats", [], "7 notes"),
        ("reindex", [], "7 notes are indexed."),
        ("related_sections", ["path=river", "section=Banks"], "pond.md:5 > Edge"),
    ],
)
def test_each_tool_answers(
    server: list[str], vault: Path, tool: str, arguments: list[str], told: str
) -> None:
    words = [word for argument in arguments for word in ("--tool-arg", argument)]
    answer = inspect(server, vault, "tools/call", "--tool-name", tool, *words)
    assert told in answer["content"][0]["text"]
    assert answer["structuredContent"]


def test_tools_and_resources_are_listed(server: list[str], vault: Path) -> None:
    assert len(inspect(server, vault, "tools/list")["tools"]) == 10
    assert len(inspect(server, vault, "resources/list")["resources"]) == 7
