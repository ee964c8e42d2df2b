"""The MCP server in a process: only protocol on its output, any input, and an end in time."""

import json
import os
import random
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.folders import write
from tests.serving.servers import command, environment, write_vault

ENDS_WITHIN_S = 2.0
"""Processor time if the system tells it, because a busy machine takes longer."""
HANGS_S = 60.0
LINUX = sys.platform == "linux"
HELLO: list[dict[str, Any]] = [
    {
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]  # fmt: skip


class Raw:
    """A server connected by two pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        assert process.stdin
        assert process.stdout
        self._in, self._out = process.stdin, process.stdout
        self._next = 1000

    def send(self, line: bytes) -> None:
        self._in.write(line + b"\n")
        self._in.flush()

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Return the answer to a request; every line before it must be protocol."""
        self._next += 1
        message = {"jsonrpc": "2.0", "id": self._next, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        while True:
            answer = json.loads(self._out.readline())
            assert answer["jsonrpc"] == "2.0"
            if answer.get("id") == self._next:
                assert isinstance(answer, dict)
                return answer

    def end(self) -> float:
        """Close the input, and return how many seconds the process continues."""
        late = threading.Timer(HANGS_S, self.process.kill)
        late.start()
        started = seconds_of(self.process.pid)
        self._in.close()
        for line in self._out.read().splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"
        if LINUX:
            os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
        took = seconds_of(self.process.pid) - started
        assert self.process.wait() == 0
        late.cancel()
        late.join()
        return took


def seconds_of(process: int) -> float:
    """Return the processor time of ``process``; outside Linux, the time of day."""
    if not LINUX:
        return time.monotonic()
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def server(home: Path, tmp_path: Path) -> Iterator[Raw]:
    """An initialised server that searches by words only."""
    vault = write_vault(tmp_path)
    write(home, {"config/settings.toml": 'model = "none"\n'})
    with subprocess.Popen(
        command("mcp", "--vault", str(vault)),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home),
    ) as process:  # fmt: skip
        server = Raw(process)
        for message in HELLO:
            server.send(json.dumps(message).encode())
        yield server
        process.kill()


def call(tool: str, **arguments: object) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0", "id": 5, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }  # fmt: skip


MALFORMED = [
    b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe\x00", b"\x00", b"{}", b'{"jsonrpc": "1.0"}',
    b'{"jsonrpc": "2.0"}', b'{"jsonrpc": "2.0", "id": 1}',
    b'{"jsonrpc": "2.0", "id": {}, "method": 1}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": "x"}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "nothing/like/it"}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\\ud800"}}',
    b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
    b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}',
    b"[" * 100_000, b'{"a":' * 100_000, b"x" * 10_000_000,
    json.dumps(call("search_notes", query="x" * 1_000_000)).encode(),
    json.dumps(call("search_notes", query={"deep": [[[[1]]]]}, n=1e300)).encode(),
    json.dumps(call("read_note", path="../secret.md")).encode(),
    json.dumps(call("", a=1)).encode(),
]  # fmt: skip


def mutated(chance: random.Random) -> bytes:
    """Return a request with some bytes removed, doubled or changed."""
    known = [call("search_notes", query="reeds"), call("vault_stats"), *HELLO]
    text = bytearray(json.dumps(chance.choice(known)).encode())
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(text))
        text[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
    return bytes(text).replace(b"\n", b"")


@pytest.mark.fault(
    "H11",
    fault="Malformed, huge, deep JSON; wrong types and limits",
    outcome="An error or no answer; the server survives",
)
@pytest.mark.fault("H9")
def test_no_input_ends_the_server(server: Raw) -> None:
    chance = random.Random(7)
    for line in [*MALFORMED, *(mutated(chance) for _ in range(150))]:
        server.send(line)
    answer = server.ask("tools/call", name="search_notes", arguments={"query": "reeds"})
    assert "pond.md:5 > Edge" in answer["result"]["content"][0]["text"]
    assert server.end() < ENDS_WITHIN_S


def test_requests_from_a_pipe_are_answered_though_it_is_closed(home: Path, tmp_path: Path) -> None:
    requests = [*HELLO, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]
    done = subprocess.run(
        command("mcp", "--vault", str(write_vault(tmp_path))),
        input="".join(f"{json.dumps(request)}\n" for request in requests).encode(),
        capture_output=True, env=environment(home), check=True,
    )  # fmt: skip
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1]


LOUD = """import os, sys
class Loud:
    def find_spec(name, *_):
        if name in {"notesearch.serving.served_vaults", "mcp", "mcp.server.stdio", "watchdog"}:
            print("a library that talks")
            os.write(1, b"to whoever listens\\n")
sys.meta_path.insert(0, Loud)
"""


@pytest.mark.fault(
    "H9",
    fault="Something prints to standard output",
    outcome="It goes to standard error",
)
def test_printing_libraries_do_not_disturb_the_protocol(home: Path, tmp_path: Path) -> None:
    write(tmp_path, {"loud/sitecustomize.py": LOUD})
    write(home, {"config/settings.toml": 'model = "none"\n'})
    variables = environment(home)
    variables["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "loud"), variables["PYTHONPATH"]])
    with subprocess.Popen(
        command("mcp", "--vault", str(write_vault(tmp_path))),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables,
    ) as process:  # fmt: skip
        server = Raw(process)
        for message in HELLO:
            server.send(json.dumps(message).encode())
        assert server.ask("ping")["result"] == {}
        server.end()
        assert process.stderr
        told = process.stderr.read()
    assert told.count(b"a library that talks") == told.count(b"to whoever listens") == 4


NEVER_SILENT = """import os, sys, threading
def talk():
    while True:
        print("a thread that talks")
        os.write(1, b"to whoever listens\\n")
class Loud:
    def find_spec(name, *_):
        if name == "notesearch.serving.served_vaults":
            threading.Thread(target=talk, daemon=True).start()
sys.meta_path.insert(0, Loud)
"""


def test_a_printing_thread_does_not_disturb_the_protocol(home: Path, tmp_path: Path) -> None:
    write(tmp_path, {"loud/sitecustomize.py": NEVER_SILENT})
    write(home, {"config/settings.toml": 'model = "none"\n'})
    variables = environment(home)
    variables["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "loud"), variables["PYTHONPATH"]])
    with (
        (tmp_path / "told").open("wb") as told,
        subprocess.Popen(
            command("mcp", "--vault", str(write_vault(tmp_path))),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=told, env=variables,
        ) as process,
    ):  # fmt: skip
        server = Raw(process)
        for message in HELLO:
            server.send(json.dumps(message).encode())
        assert server.ask("ping")["result"] == {}
        server.end()
    assert b"to whoever listens\n" in (tmp_path / "told").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell there")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_streams_are_an_error(home: Path, vault: Path, closed: str) -> None:
    script = f"{' '.join(command('mcp', '--vault', str(vault)))} {closed}"
    done = subprocess.run(
        ["bash", "-c", script], input=b"", capture_output=True, check=False, env=environment(home)
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"notesearch: Standard input or output is closed")
    assert done.stderr.count(b"\n") == 1


def test_an_unknown_folder_ends_the_server(home: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    input_end, client_end = os.pipe()  # the client stays connected
    try:
        done = subprocess.run(
            command("mcp", "--vault", str(gone)),
            stdin=input_end,
            capture_output=True,
            check=False,
            env=environment(home),
        )
    finally:
        os.close(input_end)
        os.close(client_end)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"notesearch: The notes folder {gone} is missing.")


@pytest.mark.fault(
    "H10",
    fault="The client or its parent dies",
    outcome="The server ends within 2 s, even while indexing",
)
def test_it_ends_with_its_client_even_while_it_works(home: Path, tmp_path: Path) -> None:
    many = {f"{n}.md": f"# {n}\n\n{'Many words. ' * 300}" for n in range(1500)}
    write(tmp_path / "vault", many)
    with subprocess.Popen(
        command("mcp", "--vault", str(tmp_path / "vault")),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home),
    ) as process:  # fmt: skip
        server = Raw(process)
        for message in HELLO:
            server.send(json.dumps(message).encode())
        assert server.ask("ping")["result"] == {}
        server.send(json.dumps(call("search_notes", query="words")).encode())
        assert server.end() < ENDS_WITHIN_S


@pytest.mark.skipif(sys.platform == "win32", reason="the end is read there, behind all questions")
def test_half_a_character_gets_an_answer(server: Raw) -> None:
    """Some programs cut texts inside a character; the SDK drops such messages."""
    for query, told in [("reeds \ud83d", "pond.md:5 > Edge"), ("zebra \ud83d", "“zebra ?”")]:
        arguments = {"query": query, "mode": "words"}
        found = server.ask("tools/call", name="search_notes", arguments=arguments)
        assert told in found["result"]["content"][0]["text"]
    assert server.ask("nothing \ud83d\ud83d")["error"]["code"] == -32601
    server.send(b'{"jsonrpc": "2.0", "id": 5, "method": "\\ud83d')
    assert server.ask("ping")["result"] == {}


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_an_interrupt_ends_it_while_it_reads(server: Raw) -> None:
    server.ask("ping")
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(HANGS_S) == 130


def test_it_ends_with_its_client_despite_waiting_requests(server: Raw) -> None:
    assert server.ask("ping")["result"] == {}
    read = json.dumps(call("read_note", path="long.md")).encode()
    server.send(b"\n".join([read] * (60_000 // len(read))))  # fills a pipe
    assert server.end() < ENDS_WITHIN_S


@pytest.mark.fault("H10")
@pytest.mark.skipif(sys.platform == "win32", reason="a process there does not know its parent")
def test_it_ends_with_its_parent_even_if_its_input_stays_open(home: Path, tmp_path: Path) -> None:
    vault = write_vault(tmp_path)
    write(home, {"config/settings.toml": 'model = "none"\n'})
    reading, writing = os.pipe()
    answers, answering = os.pipe()
    script = (
        f"import subprocess, sys; p = subprocess.Popen({command('mcp', '--vault', str(vault))})"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", f"{script}; p.wait()"],
        stdin=reading, stdout=answering, env=environment(home),
    )  # fmt: skip
    os.close(answering)
    with parent, os.fdopen(writing, "wb") as to, os.fdopen(answers, "rb") as answered:
        for message in HELLO:
            to.write(json.dumps(message).encode() + b"\n")
        to.flush()
        assert json.loads(answered.readline())["id"] == 0
        os.kill(parent.pid, signal.SIGKILL)
        assert select.select([answered], [], [], HANGS_S)[0], "it goes on without its parent"
        assert answered.read() == b""  # reads until all writers are closed
    os.close(reading)
