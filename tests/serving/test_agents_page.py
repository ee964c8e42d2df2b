"""docs/agents.md names all tools, addresses and commands as they are."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from notesearch.cli.main import main
from notesearch.serving.http_api import OPERATIONS
from notesearch.serving.mcp_tools import TOOLS, NoteTool

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text("utf-8")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_tool_is_named_with_its_arguments(tool: NoteTool) -> None:
    (signature,) = re.findall(rf"`{tool.name}\((.*?)\)`", PAGE)
    named = [argument.partition("=")[0].strip() for argument in signature.split(",") if argument]
    assert {*named, "vault"} == set(tool.parameters.model_fields)


def test_each_address_is_named() -> None:
    for operation in OPERATIONS:
        assert f"{operation.method} /api/v1{operation.path}" in PAGE


def test_examples_are_well_formed() -> None:
    for language, text in re.findall(r"```(json|toml)\n(.*?)```", PAGE, re.DOTALL):
        assert json.loads(text) if language == "json" else tomllib.loads(text)


def test_commands_and_options_exist() -> None:
    for script in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        for command, rest in re.findall(r"notesearch (\w+)([^|>#\n]*)", script):
            options = {option for known in main.commands[command].params for option in known.opts}
            assert set(re.findall(r"(?<=\s)--?[a-z0-9]+(?:-[a-z]+)*", rest)) <= options, command
