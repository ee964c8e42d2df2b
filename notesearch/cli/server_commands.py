"""The commands for servers: ``mcp`` for agents, ``serve`` for an HTTP API.

With standard input and output, ``mcp`` writes nothing else there, and ends when its client ends.
"""

import contextlib
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
from click.core import ParameterSource

from notesearch.cli.options import Number, all_option, several_vaults_option
from notesearch.cli.terminal import (
    is_terminal,
    load_settings,
    print_error,
    require_memory_for_vectors,
)
from notesearch.cli.vaults import vault_folders
from notesearch.config import Paths
from notesearch.errors import ServingError
from notesearch.processes import END_S, ended_after, tune_server_process

if TYPE_CHECKING:
    from notesearch.serving.http_server import App
    from notesearch.serving.served_vaults import ServedVaults

_PORT = Number(0, 65535)

_port = click.option(
    "--port", type=_PORT, default=8765, show_default=True, help="The port; 0 for any free one."
)


@click.command()
@several_vaults_option
@all_option
@click.option("--http", is_flag=True, help="Serve over HTTP on this computer, not stdio.")
@_port
@click.option("--structured", is_flag=True, help="Also answer in JSON; this doubles the tokens.")
@click.pass_context
def mcp(
    ctx: click.Context,
    vaults: tuple[Path, ...],
    all_vaults: bool,
    http: bool,
    port: int,
    structured: bool,
) -> None:
    """Serve AI agents through the Model Context Protocol (MCP).

    It uses standard input and output. docs/agents.md shows how to set up common clients.
    """
    if http:
        from notesearch.serving.mcp_server import http_application

        make_app = partial(http_application, structured=structured)
        _serve_over_http(make_app, "agents connect to {}/mcp", vaults, port, all_vaults=all_vaults)
        return
    if ctx.get_parameter_source("port") is ParameterSource.COMMANDLINE:
        ctx.fail("--port works only with --http. Add --http.")
    if is_terminal(sys.stdin):
        print_error("Waiting for a client on standard input; Ctrl+C ends this.")
    output = _reserve_stdout()
    reading = _end_with_client()
    with _served_vaults(vaults, all_vaults=all_vaults, end_s=_GRACE_S) as served:
        from notesearch.serving.mcp_server import serve_stdio

        reading.set()
        serve_stdio(served, output, structured=structured)


@click.command()
@several_vaults_option
@all_option
@_port
def serve(vaults: tuple[Path, ...], all_vaults: bool, port: int) -> None:
    """Serve an HTTP API to programs on this computer.

    They need the token, whose place is printed at the start.
    """
    from notesearch.serving.http_api import OPEN_PATHS, application

    where = f"{{}}{OPEN_PATHS[0]} describes the API"
    _serve_over_http(application, where, vaults, port, OPEN_PATHS, all_vaults=all_vaults)


def _serve_over_http(
    make_app: "Callable[[ServedVaults], App]",
    where: str,
    vaults: tuple[Path, ...],
    port: int,
    open_paths: tuple[str, ...] = (),
    *,
    all_vaults: bool,
) -> None:
    """Serve an application; print ``where`` first, with the server's address in place of ``{}``."""
    from notesearch.serving import http_server

    token = http_server.read_token(Paths.choose())
    with (
        http_server.listening(port) as listener,
        _served_vaults(vaults, all_vaults=all_vaults) as served,
    ):
        number = listener.getsockname()[1]
        named = "NOTESEARCH_TOKEN"
        place = named if os.environ.get(named) else Paths.choose().token_file
        address = where.format(f"http://{http_server.HOST}:{number}")
        click.echo(f"Serving: {address}; the token is in {place}.", err=True)
        app = http_server.Guard(make_app(served), number, token, open_paths)
        http_server.serve(app, listener)


@contextlib.contextmanager
def _served_vaults(
    vaults: tuple[Path, ...], *, all_vaults: bool, end_s: float = END_S
) -> Iterator["ServedVaults"]:
    """Open the vaults during the block; to close them may take ``end_s`` seconds."""
    require_memory_for_vectors()
    tune_server_process()
    from notesearch.serving.served_vaults import ServedVaults

    settings = load_settings(Paths.choose())
    folders = vault_folders(vaults, settings, all_vaults=all_vaults)
    with contextlib.ExitStack() as open_vaults:
        yield open_vaults.enter_context(ServedVaults.opened(folders, settings))
        with ended_after(end_s):
            open_vaults.close()


# MCP over standard input and output

_CHECK_S = 0.5
_GRACE_S = 1.0


def _reserve_stdout() -> BinaryIO:
    """Return a stream to standard output; other output there goes to standard error.

    Raises:
        ServingError: Standard input or output is closed.
    """
    if not (sys.stdin and sys.stdout):
        raise ServingError("streams_closed")
    try:
        os.fstat(2)
    except OSError:  # standard error is closed, so the next opened file gets its number
        os.open(os.devnull, os.O_WRONLY)
    output = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(output, "wb", closefd=False)  # a thread may write to it until the end


def _end_with_client() -> threading.Event:
    """Start a thread that ends the process when its client ends, or soon after.

    The client has ended when the process gets another parent, or when standard input is closed. The
    result is an event, to be set before standard input is read. Until then, a closed input does not
    count: a shell may close it after writing all messages, before anybody has read them.
    """
    reading = threading.Event()
    watch = partial(_watch_client, os.getppid(), reading, _hang_up_detector())
    threading.Thread(target=watch, daemon=True).start()
    return reading


def _watch_client(parent: int, reading: threading.Event, is_closed: Callable[[], bool]) -> None:
    while os.getppid() == parent:
        if reading.is_set() and is_closed():
            time.sleep(_GRACE_S)  # usually the process ends by itself, and this thread with it
            break
        time.sleep(_CHECK_S)
    os._exit(0)


def _hang_up_detector() -> Callable[[], bool]:
    """Return a function that returns whether the other end of standard input is closed.

    Reading would notice that only after all earlier messages are answered. The function always
    returns False on systems that do not report it.
    """
    try:
        descriptor = os.dup(0)  # the protocol replaces standard input
    except OSError:  # standard input is closed
        descriptor = -1
    if descriptor < 0 or not hasattr(select, "poll"):
        return lambda: False
    poll = select.poll()
    poll.register(descriptor, 0)  # hang-ups are always reported
    return lambda: any(event & select.POLLHUP for _, event in poll.poll(0))
