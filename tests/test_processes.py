"""A child process answers line by line and is replaced if it is late; servers take short turns."""

import io
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from notesearch.processes import Child, serve

ECHO = """
import sys, time
from notesearch.processes import serve

def answer(question):
    time.sleep(question.get("sleep", 0))
    if "end" in question:
        sys.stdout.write(question["end"])
        sys.exit()
    return question

serve(answer, memory=1 << 30, seconds=5, questions=sys.stdin, answers=sys.stdout)
"""


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    (tmp_path / "echo_child.py").write_text(ECHO)
    root = str(Path(__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{root}")
    child = Child("echo_child", 1.0)
    yield child
    child.close()


def test_it_answers_once_it_has_started(echo: Child) -> None:
    assert echo.ask({"a": 1}) is None, "it is being started; nobody waits"
    assert echo.ready(60)
    assert echo.ask({"a": "é\n"}) == {"a": "é\n"}
    assert echo.ask({"a": 2}) == {"a": 2}


def test_nobody_waits_for_a_closed_process(echo: Child) -> None:
    echo.close()
    assert echo.ready(600)
    assert echo.ask({}) is None


@pytest.mark.parametrize("line", ["", "no question", "[1]", "[" * 100_000])
def test_an_invalid_line_gets_an_empty_answer(line: str) -> None:
    asked, answers = io.StringIO(f'{line}\n{{"a": 1}}\n'), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "resource", None)  # do not limit this process
        serve(dict, memory=1, seconds=60, questions=asked, answers=answers)
    assert answers.getvalue() == 'ready\n{}\n{"a": 1}\n'


@pytest.mark.parametrize("question", [{"sleep": 60}, {"end": ""}, {"end": '{"a"'}])
def test_a_late_or_dead_process_is_replaced(echo: Child, question: dict[str, object]) -> None:
    assert echo.ready(60)
    started = time.monotonic()
    assert echo.ask(question) is None
    assert time.monotonic() - started < 30
    assert echo.ready(60)
    assert echo.ask({"a": 1}) == {"a": 1}


def test_nobody_waits_for_a_process_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    child = Child("no_such_module", 1.0)
    assert child.ready(60)
    assert child.ask({}) is None
    assert child.ask({}) is None
    child.close()
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    assert Child("json", 1.0).ready(0)


def test_it_answers_on_a_system_that_refuses_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    refused = []

    def refuse(kind: int, _limits: tuple[int, int]) -> None:
        refused.append(kind)
        raise ValueError("current limit exceeds maximum limit")  # as macOS says

    monkeypatch.setattr(resource, "setrlimit", refuse)
    answers = io.StringIO()
    serve(dict, memory=1 << 20, seconds=30, questions=io.StringIO('{"a": 1}\n'), answers=answers)
    assert answers.getvalue() == 'ready\n{"a": 1}\n'
    assert refused == [resource.RLIMIT_AS, resource.RLIMIT_CORE]


def test_it_ends_when_it_is_closed(echo: Child) -> None:
    assert echo.ready(60)
    process = echo._process
    assert process is not None
    echo.close()
    assert process.poll() is not None


@pytest.mark.usefixtures("echo")
def test_nobody_waits_for_an_answer_when_it_is_closed() -> None:
    child = Child("echo_child", 60.0)  # in the folder of the fixture
    assert child.ready(60)
    with ThreadPoolExecutor(1) as other:
        answer = other.submit(child.ask, {"sleep": 60})
        while not child._lock.locked():
            pass
        child.close()
        assert answer.result(30) is None
    assert child.ask({}) is None


_SAID = """
import gc, sys
from pathlib import Path
from notesearch.cli.server_commands import _served_vaults
from notesearch.config import Paths, Settings
vault = Path(sys.argv[1])
Settings(vault=str(vault), meaning=False).save(Paths.choose())
with _served_vaults((vault,), all_vaults=False):
    print(sys.getswitchinterval(), gc.get_threshold()[0])
"""


def test_a_server_switches_threads_often_and_collects_garbage_seldom(vault: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SAID, str(vault)], capture_output=True, text=True, check=True
    )
    turn, objects = map(float, done.stdout.split())
    assert turn <= 0.001
    assert objects >= 10_000
