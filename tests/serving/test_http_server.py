"""Idle connections do not block others for long."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from notesearch.serving import http_server

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
SOME_S = 0.2
Opened = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def answer(request: Request) -> Response:
    """If the path asks for it, take longer than a client may take for its request."""
    await request.body()
    if "slow" in request.url.path:
        await asyncio.sleep(3 * SOME_S)
    return PlainTextResponse("here")


APP = Starlette(routes=[Route("/{rest:path}", answer, methods=["GET", "POST"])])


def served(use: Callable[[Callable[[], Awaitable[Opened]]], Awaitable[None]]) -> None:
    """Serve ``APP`` while ``use`` runs, which gets a function that opens a connection."""

    async def both() -> None:
        with http_server.listening(0) as listener:
            server = uvicorn.Server(http_server.server_config(APP))
            port = listener.getsockname()[1]
            running = asyncio.create_task(server.serve(sockets=[listener]))
            await use(lambda: asyncio.open_connection(http_server.HOST, port))
            server.should_exit = True
            await running

    asyncio.run(both())


@pytest.fixture(autouse=True)
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "_REQUEST_TIMEOUT_S", SOME_S)


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"G",
        b"GET / HTTP/1.1\r\nHost: lo",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf",
        GET + b"G",
    ],
)
def test_idle_connections_are_closed(begun: bytes) -> None:
    async def use(open_one: Callable[[], Awaitable[Opened]]) -> None:
        silent = [await open_one() for _ in range(64)]
        for _, writer in silent:
            writer.write(begun)
        ended = [asyncio.wait_for(_all(reader), 20) for reader, _ in silent]
        await asyncio.gather(*ended)
        reader, writer = await open_one()
        writer.write(GET)
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        for _, open_still in [*silent, (reader, writer)]:
            open_still.close()

    served(use)


def test_a_slow_answer_is_not_interrupted() -> None:
    async def use(open_one: Callable[[], Awaitable[Opened]]) -> None:
        reader, writer = await open_one()
        for path in (b"slow", b"slow/again"):
            writer.write(GET.replace(b"/", b"/" + path, 1))
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            assert await reader.readexactly(4) == b"here"
        writer.close()

    served(use)


async def _all(reader: asyncio.StreamReader) -> None:
    """Read until the other side closes."""
    with suppress(ConnectionError):
        while await reader.read(1000):
            pass
