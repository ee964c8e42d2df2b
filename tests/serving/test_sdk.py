"""The server loads of the SDK only its own part; whoever imports the SDK gets all of it."""

import subprocess
import sys
from pathlib import Path

import pytest

from notesearch.serving.sdk import modules_alone, names_alone
from tests.folders import write

_SAID = """
import sys
from notesearch.serving.mcp_server import MCPError, Server
print(*sys.modules)
import mcp, mcp.server
assert mcp.MCPError is MCPError
assert mcp.ClientSession and mcp.server.MCPServer
assert mcp.server.Server("whole").streamable_http_app().routes
"""

_NEEDED_AT_ONCE = """
import sys
from notesearch.serving import sdk
sdk._Name.__init_subclass__ = None  # it fails
from notesearch.serving.mcp_server import Server
assert Server("whole").streamable_http_app().routes
"""


def test_the_server_loads_neither_a_client_nor_a_framework_nor_what_is_for_http() -> None:
    loaded = set(_done(_SAID).split())
    assert "mcp.server.runner" in loaded
    assert not loaded & {"mcp.client", "mcp.server.mcpserver", "httpx2", "cryptography"}
    assert not loaded & {"starlette", "uvicorn", "sse_starlette", "mcp.server.streamable_http"}


def test_an_sdk_that_needs_all_of_it_at_once_gets_it() -> None:
    _done(_NEEDED_AT_ONCE)


def _done(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_what_was_loaded_with_names_alone_is_loaded_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"names_it/__init__.py": "from names_it.part import Part",
                     "names_it/part.py": "from named.inner import Part\nimport names_it.other",
                     "names_it/other.py": "", "named/inner.py": "class Part: ..."})  # fmt: skip
    monkeypatch.syspath_prepend(tmp_path)
    with names_alone("named"):
        from names_it import Part as Nothing  # type: ignore[import-not-found]
    assert not {"named", "named.inner", "names_it", "names_it.part"} & set(sys.modules)
    assert "names_it.other" in sys.modules
    from named.inner import Part  # type: ignore[import-not-found]
    from names_it import Part as Whole

    assert Whole is Part is not Nothing
    with names_alone("named"):
        from named.inner import Part as Same
    assert Same is Part


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
