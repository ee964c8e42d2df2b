"""The command line as a process: pipes, exit statuses, locales and signals."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from notesearch.cli.main import main
from notesearch.config import Paths, Settings
from notesearch.library import NoteLibrary
from tests.folders import write

NOTESEARCH = [sys.executable, "-m", "notesearch"]


@pytest.fixture(autouse=True)
def notes(vault: Path, no_meaning: None) -> None:
    """Twenty notes with umlauts and emoji, and their index."""
    write(vault, {f"{n}.md": f"# Möwe {n}\n\nDie Möwe 🕊 Nr. {n}.\n" for n in range(20)})
    with NoteLibrary.open(vault, settings=Settings(meaning=False)) as library:
        library.refresh()


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*NOTESEARCH, *words],
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def shell(script: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", script.replace("notesearch", " ".join(NOTESEARCH))],
        capture_output=True,
        check=False,
    )


def test_exit_statuses(vault: Path) -> None:
    assert run("search", "möwe").returncode == 0
    assert run("search", "albatros").returncode == 1
    assert run("search", "möwe", "--mode", "magic").returncode == 2
    assert run("search").returncode == 2
    assert run("search", "möwe", "--vault", str(vault / "gone")).returncode == 2
    assert run("--version").stdout.startswith(b"notesearch, version ")


def test_every_command_is_found_by_its_name() -> None:
    assert [command.name for command in main.commands.values()] == list(main.commands)
    assert {"search", "index", "open", "quick", "models", "completion"} <= set(main.commands)


def test_standard_output_is_only_json(vault: Path, home: Path) -> None:
    write(vault, {"bad.md": b"M\xf6we"})
    Paths.choose(home).settings_file.write_text("theme = \n")
    done = run("search", "--json", "--mode", "words", "möwe", NOTESEARCH_VAULT=str(vault))
    assert json.loads(done.stdout)["query"] == "möwe"
    assert b"The defaults are used." in done.stderr


@pytest.mark.fault(
    "H13",
    fault="head -1 behind a pipe, a full output, an ASCII locale",
    outcome="No traceback; JSON stays JSON",
)
@pytest.mark.parametrize(
    ("command", "reader"),
    [
        ("search --json möwe -n 200", "head -1"),
        ("search --json möwe -n 200", "head -c 1"),
        ("search --json möwe -n 200", "true"),
        ("search möwe -n 200", "head -1"),
        ("read 1", "head -c 1"),
        ("stats", "true"),
    ],
)
def test_a_reader_may_close_the_pipe(command: str, reader: str) -> None:
    done = shell(f"notesearch {command} | {reader}")
    assert done.stderr == b""
    assert done.returncode == 0


@pytest.mark.fault("H13")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", ["search --json möwe", "search möwe", "index", "--help"])
def test_a_full_disk_is_reported(command: str) -> None:
    done = shell(f"notesearch {command} > /dev/full")
    assert done.stderr.decode() == (
        "notesearch: The output cannot be written: No space left on device."
        " Send it to another file.\n"
    )
    assert done.returncode == 2


@pytest.mark.parametrize(
    "command",
    ["search --json möwe", "search möwe", "search --format paths möwe", "read 1", "stats"],
)
def test_an_answer_needs_an_open_output(command: str) -> None:
    done = shell(f"notesearch {command} >&-")
    told = "notesearch: Standard output is closed. Send it to a file or a program.\n"
    assert done.stderr.decode() == told
    assert done.returncode == 2


def test_indexing_needs_no_output() -> None:
    done = shell("notesearch index >&-")
    assert (done.stderr, done.returncode) == (b"", 0)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("search möwe --vault {}", "“{}” cannot be used: File name too long. Check the path."),
        ("models use {}", "cannot be used: File name too long. Check the path."),
        ("vaults add /{}", "The notes folder /{} is missing. Check its path, or"),
    ],
)
def test_a_name_may_be_too_long(command: str, told: str) -> None:
    done = shell(f"notesearch {command.format('x' * 300)}")
    assert told.format("x" * 300) in done.stderr.decode()
    assert (done.stderr.count(b"\n"), done.returncode) == (1, 2)


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.fault("H13")
def test_an_ascii_locale_prints_umlauts() -> None:
    done = run("search", "m", "-n", "1", **ASCII)
    assert done.stdout.isascii()
    assert b"M\\xf6we" in done.stdout
    # Notes are printed unchanged, because programs read them.
    assert run("read", "1", **ASCII).stdout.decode() == "# Möwe 1\n\nDie Möwe 🕊 Nr. 1.\n"


def test_json_is_json_in_any_locale() -> None:
    plain = json.loads(run("search", "--json", "-n", "1", "m").stdout)
    bare = json.loads(run("search", "--json", "-n", "1", "m", **ASCII).stdout)
    latin = run("search", "--json", "-n", "1", "m", PYTHONIOENCODING="latin-1").stdout
    for found in (plain, bare, json.loads(latin.decode("latin-1"))):
        assert "Möwe 🕊" in found["results"][0]["sections"][0]["snippet"]


NOT_NEEDED = {
    "numpy", "onnxruntime", "markdown_it", "watchdog", "filelock", "pathspec", "rapidfuzz",
    "subprocess", "logging", "concurrent.futures", "notesearch.embedding.onnx_engine",
    "notesearch.markdown.sections.inline_text",
}  # fmt: skip


def test_a_search_by_words_without_changes_imports_little(vault: Path, home: Path) -> None:
    Settings(vault=str(vault)).save(Paths.choose(home))
    words = [*NOTESEARCH[:1], "-X", "importtime", *NOTESEARCH[1:], "search", "--mode", "words"]
    loaded = []
    write(vault, {"new.md": "Möwe\n"})
    for _ in ("changed", "as it was"):
        done = subprocess.run([*words, "--json", "möwe"], capture_output=True, check=True)
        assert json.loads(done.stdout)["total"] == 21
        modules = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
        loaded.append(modules & NOT_NEEDED)
    assert {"onnxruntime", "markdown_it", "filelock"} <= loaded[0]
    assert not loaded[1]


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("notesearch.cli.terminal", ["search", "--no-update", "möwe"]),
        ("notesearch.cli.main", ["search", "--no-update", "möwe"]),
        ("click", ["search", "--no-update", "möwe"]),
        ("notesearch.library", ["search", "--no-update", "möwe"]),
        ("notesearch.index.indexer", ["index"]),
        ("notesearch.gui.system.single_instance", ["quick"]),
        ("notesearch.cli.opening", ["open"]),
    ],
)
def test_an_interrupt_during_imports_is_quiet(module: str, words: list[str]) -> None:
    """During imports, some modules mistake an interrupt for a missing module."""
    script = f"""
import os, signal, sys
from notesearch.__main__ import main

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            try:
                os.kill(os.getpid(), signal.SIGINT)
                sum(range(1000))
            except BaseException:
                raise ImportError("it seems to be broken") from None

sys.meta_path.insert(0, Interrupting())
sys.argv = ["notesearch", *{words!r}]
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_an_interrupt_is_quiet(vault: Path) -> None:
    write(vault, {f"many/{n}.md": f"# {n}\n\n{'Many words. ' * 500}" for n in range(500)})
    index = Paths.choose().index_file(vault)
    index.unlink()
    with subprocess.Popen(
        [*NOTESEARCH, "index"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while not index.exists() and process.poll() is None:
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")
    assert json.loads(run("index", "--json").stdout)["added"]
    assert run("search", "--no-update", "möwe").returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit addresses")
@pytest.mark.parametrize("command", ["related 1.md", "doctor", "mcp", "serve --port 0"])
def test_too_little_memory_is_told_in_a_sentence(command: str) -> None:
    """NumPy would end the process with a message of its own; mcp once ended with a traceback."""
    ended = shell(f"ulimit -v 110000; notesearch {command} </dev/null")
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr == b"notesearch: There is not enough memory for this.\n"


@pytest.mark.skipif(os.name != "posix", reason="a current folder cannot be deleted here")
def test_a_deleted_current_folder_is_told(tmp_path: Path) -> None:
    ended = shell(
        f"mkdir {tmp_path}/cwd; cd {tmp_path}/cwd; rmdir ../cwd; notesearch stats ../notes"
    )
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr == (
        b"notesearch: The current folder was deleted. Change to another folder.\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode elsewhere")
def test_a_folder_may_have_a_name_that_is_not_unicode(tmp_path: Path) -> None:
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    write(Path(folder), {"a.md": "# Heron\n"})
    read = run("read", f"{folder}/a.md", "--vault", folder)
    assert (read.returncode, read.stdout) == (0, b"# Heron\n")
    done = run("search", "möwe", "--vault", folder, NOTESEARCH_HOME=f"{folder}/home")
    assert done.returncode == 2
    assert done.stderr.endswith(b"Set NOTESEARCH_HOME to another folder.\n")
