"""The server loads of the SDK only its own part; whoever imports the SDK gets all of it."""

import subprocess
import sys

import pytest

from notesearch.serving.sdk import modules_alone

_SAID = """
import sys
from notesearch.serving.mcp_server import MCPError, Server
print(*sys.modules)
import mcp, mcp.server
assert (mcp.MCPError, mcp.server.Server) == (MCPError, Server)
assert mcp.ClientSession and mcp.server.MCPServer
"""


def test_the_server_loads_neither_a_client_nor_a_framework() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SAID], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    loaded = set(done.stdout.split())
    assert "mcp.server.lowlevel" in loaded
    assert not loaded & {"mcp.client", "mcp.server.mcpserver", "httpx2", "cryptography"}


def test_what_was_imported_before_is_left_as_it_is() -> None:
    import email

    with modules_alone("email"):
        assert sys.modules["email"] is email
    assert sys.modules["email"] is email


def test_what_is_not_installed_is_named_as_ever() -> None:
    with pytest.raises(ModuleNotFoundError) as raised, modules_alone("no_such_package"):
        pass
    assert raised.value.name == "no_such_package"
    assert "no_such_package" not in sys.modules
