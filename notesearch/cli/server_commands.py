"""The commands for servers: ``mcp`` for agents, ``serve`` for an HTTP API."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from notesearch.cli.library_access import vault_folders
from notesearch.cli.options import all_option, several_vaults_option
from notesearch.cli.terminal import load_settings, require_memory_for_vectors
from notesearch.config import Paths

if TYPE_CHECKING:
    from notesearch.serving.served_vaults import ServedVaults

_PORT = click.IntRange(0, 65535)

_port = click.option(
    "--port", type=_PORT, default=8765, show_default=True, help="The port; 0 for any free one."
)


@click.command()
@several_vaults_option
@all_option
@click.option("--http", is_flag=True, help="Serve over HTTP on this computer, not stdio.")
@_port
@click.option("--structured", is_flag=True, help="Also answer in JSON; this doubles the tokens.")
def mcp(
    vaults: tuple[Path, ...], all_vaults: bool, http: bool, port: int, structured: bool
) -> None:
    """Serve AI agents through the Model Context Protocol (MCP), on standard input and output.

    docs/agents.md shows how to set up common clients.
    """
    if http:
        _serve_mcp_over_http(vaults, port, all_vaults=all_vaults, structured=structured)
        return
    from notesearch.serving.mcp_stdio import ending_with_client, reserve_stdout

    output = reserve_stdout()
    with ending_with_client(), _served_vaults(vaults, all_vaults=all_vaults) as served:
        from notesearch.serving.mcp_server import serve_stdio

        serve_stdio(served, output, structured=structured)


@click.command()
@several_vaults_option
@all_option
@_port
def serve(vaults: tuple[Path, ...], all_vaults: bool, port: int) -> None:
    """Serve an HTTP API to programs on this computer that know the token."""
    from notesearch.serving import http_server

    token = http_server.read_token(Paths.choose())
    with (
        http_server.listening(port) as listener,
        _served_vaults(vaults, all_vaults=all_vaults) as served,
    ):
        from notesearch.serving.http_api import OPEN_PATHS, application

        number = listener.getsockname()[1]
        app = http_server.Guard(application(served), number, token, OPEN_PATHS)
        _announce(f"http://{http_server.HOST}:{number}/api/v1/openapi.json describes the API")
        http_server.serve(app, listener)


def _serve_mcp_over_http(
    vaults: tuple[Path, ...], port: int, *, all_vaults: bool, structured: bool
) -> None:
    from notesearch.serving import http_server

    token = http_server.read_token(Paths.choose())
    with (
        http_server.listening(port) as listener,
        _served_vaults(vaults, all_vaults=all_vaults) as served,
    ):
        from notesearch.serving.mcp_server import http_application

        number = listener.getsockname()[1]
        app = http_server.Guard(http_application(served, structured=structured), number, token)
        _announce(f"agents connect to http://{http_server.HOST}:{number}/mcp")
        http_server.serve(app, listener)


def _announce(where: str) -> None:
    chosen = os.environ.get("NOTESEARCH_TOKEN")
    place = "NOTESEARCH_TOKEN" if chosen else Paths.choose().token_file
    click.echo(f"Serving: {where}; the token is in {place}.", err=True)


@contextlib.contextmanager
def _served_vaults(vaults: tuple[Path, ...], *, all_vaults: bool) -> Iterator["ServedVaults"]:
    from notesearch.processes import END_S, ended_after, tune_server_process

    require_memory_for_vectors()
    tune_server_process()
    from notesearch.serving.served_vaults import ServedVaults

    settings = load_settings(Paths.choose())
    folders = vault_folders(vaults, settings, all_vaults=all_vaults)
    with contextlib.ExitStack() as open_vaults:
        yield open_vaults.enter_context(ServedVaults.opened(folders, settings))
        with ended_after(END_S):
            open_vaults.close()
