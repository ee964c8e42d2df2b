"""Tests of single parts of a package, run by ``smoke.py``: servers, models, the preview.

The preview is compared with the wheel's: the same note has to look the same, including formulas,
MkDocs' own notation, and the window's German texts.
"""

import json
import os
import re
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

Command = list[str]
Run = Callable[..., str]

SITE = {
    "mkdocs.yml": "markdown_extensions:\n  - admonition\n  - pymdownx.arithmatex\n"
    "  - pymdownx.superfences\n  - pymdownx.details\n",
    "lens.md": "# Lens\n\n## The thin one\n\n!!! note \"Signs\"\n    Light comes from the left.\n\n"
    "??? tip \"Half of it\"\n    Folded at first.\n\n"
    "$$\\frac{1}{f} = \\frac{1}{a} + \\frac{1}{b}$$\n\nso $a = \\sqrt{b}$ for one.\n\n"
    "```python\nprint(1 / f)\n```\n",
}  # fmt: skip
HELLO = (
    {
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "smoke", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)  # fmt: skip
BUILT_IN = "all-MiniLM-L6-v2"
_YEAR_2025 = 1_735_732_800
_TRIES = 3


class FailedError(Exception):
    """A package did not do what it should."""


def pictures_are_alike(run: Run, program: Command, other: Command, folder: Path) -> None:
    """Check that ``program`` and ``other`` draw a note the same, in each of two languages."""
    site = folder / "site"
    site.mkdir()
    for name, text in SITE.items():
        (site / name).write_text(text, "utf-8")
        os.utime(site / name, (_YEAR_2025, _YEAR_2025))

    def drawn(command: Command, language: str) -> bytes:
        picture = folder / f"{command is program}-{language}.png"
        speaking = {"LC_ALL": f"{language}.UTF-8", "LANGUAGE": language}
        words = [*command, "picture", "--vault", str(site), str(picture), "thin"]
        run(words, folder / f"home-{command is program}", **speaking)
        return picture.read_bytes()

    languages = ("en_GB", "de_DE")
    for language in languages:
        # A process that draws may answer too late on a busy machine: once has to be enough.
        if not any(drawn(program, language) == drawn(other, language) for _ in range(_TRIES)):
            raise FailedError(f"the window in {language} does not look as the wheel's")
    if len({drawn(program, language) for language in languages}) < len(languages):
        raise FailedError("German texts are not there")


def models_are_measured(run: Run, program: Command, vault: str, home: Path) -> None:
    """Check that the built-in model agrees with itself, measured in a separate process."""
    words = ["models", "compare", BUILT_IN, BUILT_IN, "--json", "--vault", vault]
    agreements = [model["agreement"] for model in json.loads(run([*program, *words], home))]
    if agreements != [1.0, 1.0]:
        raise FailedError(f"the same model agrees with itself at {agreements}")


def agents_are_answered(
    program: Command, vault: str, environment: Mapping[str, str], asked: str, found: str
) -> None:
    """Check that the server for agents answers one search over pipes."""
    call = {"name": "search_notes", "arguments": {"query": asked, "n": 3}}
    talk = [*HELLO, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}]
    with subprocess.Popen(
        [*program, "mcp", "--vault", vault], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        assert server.stdin
        assert server.stdout
        for message in talk:
            server.stdin.write(json.dumps(message) + "\n")
        server.stdin.flush()
        answers: dict[object, object] = {}
        while 1 not in answers:
            line = server.stdout.readline()
            if not line:
                raise FailedError(f"the server for agents ended after {answers}")
            answer = json.loads(line)
            answers[answer.get("id")] = answer
        server.stdin.close()
        if server.wait(20):
            raise FailedError(f"the server for agents ended with {server.returncode}")
    if found not in json.dumps(answers[1]):
        raise FailedError(f"the server for agents answered {answers[1]}")


def http_is_answered(
    program: Command, vault: str, environment: Mapping[str, str], asked: str, found: str
) -> None:
    """Check that the HTTP API answers one search with its token."""
    command = [*program, "serve", "--vault", vault, "--port", "0"]
    with subprocess.Popen(command, env=environment, text=True, stderr=subprocess.PIPE) as server:
        assert server.stderr
        try:
            said = server.stderr.readline()
            told = re.search(r"(http://[\d.:]+/api/v1)/.* is in (.+)\.$", said.strip())
            if not told:
                raise FailedError(f"the HTTP API said {said}")
            token = Path(told[2]).read_text("utf-8").strip()
            query = urllib.parse.quote(asked)
            request = urllib.request.Request(
                f"{told[1]}/search?q={query}", headers={"Authorization": f"Bearer {token}"}
            )
            answer = _answer(request)
        finally:
            server.terminate()
            server.wait(20)
    if found not in answer:
        raise FailedError(f"the HTTP API answered {answer}")


def _answer(request: urllib.request.Request) -> str:
    """Return the answer to ``request``; retries until the server listens."""
    for _ in range(100):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text: str = answer.read().decode()
                return text
        except ConnectionError:
            time.sleep(0.1)
    raise FailedError("the HTTP API does not answer")
