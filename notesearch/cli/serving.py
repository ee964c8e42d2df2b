"""The commands that serve other programs: ``mcp`` for agents, ``serve`` for HTTP."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from notesearch.cli.library import vault_folder
from notesearch.cli.options import vault_option
from notesearch.cli.settings import load_settings
from notesearch.config import Paths

if TYPE_CHECKING:
    from notesearch.serving.served import ServedVault

_PORT = click.IntRange(0, 65535)

_port = click.option(
    "--port", type=_PORT, default=8765, show_default=True, help="Of this computer; 0: any free."
)


@click.command()
@vault_option
@click.option("--http", is_flag=True, help="Serve over HTTP on this computer, not over stdio.")
@_port
def mcp(vault: Path | None, http: bool, port: int) -> None:
    """Serve agents by the Model Context Protocol, over standard input and output.

    docs/agents.md tells how to set up the common clients.
    """
    if http:
        _serve_mcp_over_http(vault, port)
        return
    from notesearch.serving.lifetime import of_client
    from notesearch.serving.protocol_output import output_alone

    output = output_alone()
    with of_client(), _served(vault) as served:
        from notesearch.serving.mcp_server import serve_stdio

        serve_stdio(served, output)


@click.command()
@vault_option
@_port
def serve(vault: Path | None, port: int) -> None:
    """Serve programs by an HTTP API, on this computer alone, to who knows the token."""
    from notesearch.serving import access, loopback

    token = access.token(Paths.choose())
    with loopback.listening(port) as listener, _served(vault) as served:
        from notesearch.serving.http_api import FREE, application

        number = listener.getsockname()[1]
        app = access.Guard(application(served), number, token, FREE)
        _announce(f"http://{loopback.HOST}:{number}/api/v1/openapi.json describes the API")
        loopback.serve(app, listener)


def _serve_mcp_over_http(vault: Path | None, port: int) -> None:
    from notesearch.serving import access, loopback

    token = access.token(Paths.choose())
    with loopback.listening(port) as listener, _served(vault) as served:
        from notesearch.serving.mcp_server import http_application

        number = listener.getsockname()[1]
        app = access.Guard(http_application(served), number, token)
        _announce(f"agents find it at http://{loopback.HOST}:{number}/mcp")
        loopback.serve(app, listener)


def _announce(where: str) -> None:
    chosen = os.environ.get("NOTESEARCH_TOKEN")
    place = "NOTESEARCH_TOKEN" if chosen else Paths.choose().token_file
    click.echo(f"Serving: {where}; the token is in {place}.", err=True)


@contextlib.contextmanager
def _served(vault: Path | None) -> Iterator["ServedVault"]:
    from notesearch.serving.allocating import sparingly
    from notesearch.serving.turns import short_turns

    sparingly()
    short_turns()
    from notesearch.serving.served import ServedVault

    settings = load_settings(Paths.choose())
    with ServedVault.opened(vault_folder(vault, settings), settings) as served:
        yield served
