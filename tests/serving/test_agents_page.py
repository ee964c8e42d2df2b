"""docs/agents.md names all tools, addresses and commands as they are."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from mcp_types import TextContent

from notesearch.cli.main import main
from notesearch.config import resources
from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from notesearch.serving.http_api import OPERATIONS
from notesearch.serving.mcp_tools import TOOLS, NoteTool
from notesearch.serving.served_vaults import ServedVault, ServedVaults

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text("utf-8")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_tool_is_named_with_its_arguments(tool: NoteTool) -> None:
    (signature,) = re.findall(rf"`{tool.name}\((.*?)\)`", PAGE)
    named = [argument.partition("=")[0].strip() for argument in signature.split(",") if argument]
    assert {*named, "vault"} == set(tool.parameters.model_fields)


def test_each_address_is_named() -> None:
    for operation in OPERATIONS:
        assert f"{operation.method} /api/v1{operation.path}" in PAGE


def spoken(text: str) -> str:
    """Return an answer without its marks, and without what other sample notes would change."""
    return re.sub(r"[0-9a-f]{8}(?=>)|of \d+ sections|score \d+|changed [\d-]+", "…", text).strip()


def test_the_session_is_as_recorded(embedder: Embedder, tmp_path: Path) -> None:
    vault = resources() / "sample-vault"
    ((_, session),) = re.findall(r"## A session\n(.*?)```\n(.*?)```", PAGE, re.DOTALL)
    parts = re.split(r"^> (\w+) ({.*})$", session, flags=re.MULTILINE)[1:]
    with NoteLibrary.open(vault, home=tmp_path / "home", embedder=embedder) as library:
        library.refresh()
        vaults = ServedVaults({"sample-vault": ServedVault(library)})
        for name, arguments, told in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            tool = next(tool for tool in TOOLS if tool.name == name)
            (answer,) = tool.call(vaults, json.loads(arguments), structured=False).content
            assert isinstance(answer, TextContent)
            assert spoken(answer.text) == spoken(told)
        vaults.close()


def test_examples_are_well_formed() -> None:
    for language, text in re.findall(r"```(json|toml)\n(.*?)```", PAGE, re.DOTALL):
        assert json.loads(text) if language == "json" else tomllib.loads(text)


def test_commands_and_options_exist() -> None:
    for script in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        for command, rest in re.findall(r"notesearch (\w+)([^|>#\n]*)", script):
            options = {option for known in main.commands[command].params for option in known.opts}
            assert set(re.findall(r"(?<=\s)--?[a-z0-9]+(?:-[a-z]+)*", rest)) <= options, command
