"""The token of the HTTP servers, and the port they listen on."""

import socket
import sys
from pathlib import Path

import pytest

from notesearch.config import Paths
from notesearch.errors import ServingError
from notesearch.serving.http_server import read_token
from tests.command_line import Run
from tests.folders import write
from tests.serving.servers import TOKEN, listening


@pytest.fixture
def paths(home: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.delenv("NOTESEARCH_TOKEN", raising=False)
    return Paths.choose(home)


class TestToken:
    def test_is_created_once(self, paths: Paths) -> None:
        made = read_token(paths)
        assert len(made) >= 40
        assert read_token(paths) == made

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
    def test_is_readable_by_the_user_only(self, paths: Paths) -> None:
        read_token(paths)
        assert paths.token_file.stat().st_mode & 0o777 == 0o600

    def test_can_be_chosen(self, paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NOTESEARCH_TOKEN", "a token of my own choice")
        assert read_token(paths) == "a token of my own choice"
        assert not paths.token_file.exists()

    @pytest.mark.parametrize("kept", ["", "short", "ein Schlüssel mit Umlauten", b"\xff" * 40])
    def test_must_be_long_enough_and_ascii(self, paths: Paths, kept: str | bytes) -> None:
        write(paths.data, {"token": kept})
        with pytest.raises(ServingError, match="token") as raised:
            read_token(paths)
        assert "codec" not in str(raised.value)


@pytest.mark.parametrize("words", [("serve",), ("mcp", "--http")])
def test_a_taken_port_is_an_error(run: Run, words: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run(*words, "--port", str(port))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Port {port} cannot be used" in result.stderr
    assert "Choose another one with --port." in result.stderr


@pytest.mark.parametrize("words", [("serve",), ("mcp", "--http")])
def test_an_unknown_folder_is_not_served(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    gone = tmp_path / "gone"
    result = run(*words, "--port", "0", "--vault", str(gone))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"notesearch: The notes folder {gone} is missing.")


@pytest.mark.parametrize("chosen", [True, False])
def test_the_place_of_the_token_is_printed(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, chosen: bool
) -> None:
    monkeypatch.setattr("notesearch.serving.http_server.serve", lambda *_: None)
    told = run("serve", "--port", "0", NOTESEARCH_TOKEN="chosen by oneself" * chosen).stderr
    place = "NOTESEARCH_TOKEN" if chosen else str(Paths.choose(home).token_file)
    assert told.strip().endswith(f"the token is in {place}.")


@pytest.mark.parametrize("words", [("serve",), ("mcp", "--http")])
def test_a_client_that_breaks_off_leaves_no_traceback(words: tuple[str, ...], home: Path) -> None:
    vault = home.parent / "notes"
    write(vault, {"a.md": "text"})
    with listening([*words, "--vault", str(vault)], home) as address:
        port = int(address.rpartition(":")[2])
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
            "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
            "Content-Length: 1000\r\n\r\n{"
        )
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(head.encode())
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: other\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 421")
