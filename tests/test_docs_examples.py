"""The examples in the documentation work: commands, Python, settings and targets of make."""

import contextlib
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from notesearch.cli.main import main
from notesearch.config import Paths, Settings, resources
from notesearch.embedding.embedder import Embedder
from notesearch.library import NoteLibrary
from tests.test_docs import PAGES, ROOT

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
TEXTS = {page: page.read_text("utf-8") for page in (*PAGES, ROOT / "CONTRIBUTING.md")}
SHELL = [
    line.partition("  #")[0].strip()
    for text in TEXTS.values()
    for language, block in BLOCK.findall(text)
    if language in {"bash", "sh"}
    for line in block.replace("\\\n", " ").splitlines()
]
INLINE = re.findall(r"`(notesearch [a-z][^`]*)`", "\n".join(TEXTS.values()))
COMMANDS = sorted({line for line in SHELL if line.startswith("notesearch ")})
SHOWN = sorted({line for line in INLINE if not re.search(r"[A-Z]{3}|…|[{]", line)})
STAY = {"open", "quick", "watch", "mcp", "serve", "models"}
"""Commands that show a window, serve, or use the network. Only their words are checked."""


def words_of(line: str) -> list[str]:
    """Return the words of a line of a shell for ``notesearch``, without pipes and redirections."""
    words = shlex.split(line, posix=True)[1:]
    ends = [at for at, word in enumerate(words) if word in {"|", ">", ">>", "<", "#"}]
    return [str(Path(word).expanduser()) if word[:1] == "~" else word
            for word in words[: min(ends, default=len(words))]]  # fmt: skip


def understood(words: list[str]) -> str:
    """Parse ``words`` without running anything, and return the name of the command."""
    group = click.Context(main, help_option_names=["-h", "--help"])
    name, command, rest = main.resolve_command(group, list(words))
    assert command
    first = name
    while isinstance(command, click.Group) and rest:
        name, command, rest = command.resolve_command(group, rest)
        assert command
    if rest or not isinstance(command, click.Group):
        command.make_context(name, rest, parent=group)
    return str(first)


@pytest.fixture(scope="module")
def somebody(tmp_path_factory: pytest.TempPathFactory, embedder: Embedder) -> Path:
    """The home of a user who has searched the sample notes before."""
    home = tmp_path_factory.mktemp("somebody")
    shutil.copytree(resources() / "sample-vault", home / "notes")
    settings = Settings(editor="true {path}").with_vault(home / "notes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("USERPROFILE", str(home))
        patch.setenv("NOTESEARCH_HOME", str(home / "own"))
        settings.save(Paths.choose())
        with NoteLibrary.open(home / "notes", embedder=embedder) as library:
            library.refresh()
    return home


@pytest.fixture
def used(somebody: Path, loaded: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(somebody))
    monkeypatch.setenv("USERPROFILE", str(somebody))
    monkeypatch.setenv("NOTESEARCH_HOME", str(somebody / "own"))
    return somebody


def test_there_are_examples() -> None:
    assert len(COMMANDS) > 20
    assert len(SHOWN) > 15


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_to_be_copied_does_what_it_should(used: Path, line: str) -> None:
    words = words_of(line)
    if words[0] == str(used / "notes"):
        words.insert(0, "open")
    if understood(words) in STAY:
        return
    given = "boat\n" if "--stdin" in words else None
    if "--vault" in words and words[words.index("--vault") + 1] == "Notes":
        CliRunner().invoke(main, ["vaults", "add", str(used / "notes"), "--name", "Notes"])
    done = CliRunner().invoke(main, words, input=given, catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("line", SHOWN)
@pytest.mark.usefixtures("used")
def test_a_command_that_is_mentioned_exists(line: str) -> None:
    words = words_of(line)
    # What the reader alone knows may be left out.
    with contextlib.suppress(click.MissingParameter):
        understood(words)


def test_python_to_be_copied_runs(used: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [block for text in TEXTS.values() for name, block in BLOCK.findall(text)
              if name == "python"]  # fmt: skip
    assert blocks
    for block in blocks:
        exec(compile(block, "the documentation", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    "block", BLOCK.findall(TEXTS[ROOT / "docs" / "editors.md"]), ids=lambda one: one[0]
)
def test_settings_to_be_copied_are_understood(block: tuple[str, str], home: Path) -> None:
    language, text = block
    assert language == "toml"
    paths = Paths.choose(home)
    paths.settings_file.parent.mkdir(parents=True)
    paths.settings_file.write_text(text, "utf-8")
    read = Settings.read(paths)
    assert read.problems == {}
    assert {name: getattr(read.settings, name) for name in tomllib.loads(text)} == (
        tomllib.loads(text)
    )


def test_targets_of_make_exist_and_all_are_named() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    lines = [*SHELL, *re.findall(r"`(make [^`]+)`", "\n".join(TEXTS.values()))]
    named = {
        word
        for line in lines
        if line.startswith("make ")
        for word in shlex.split(line)[1:]
        if "=" not in word
    }
    assert named == set(phony.split()) - {"libraries"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in phony.split())


def test_removing_everything_names_the_folders_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NOTESEARCH_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (block,) = BLOCK.findall(TEXTS[ROOT / "docs" / "privacy.md"])
    removed = {Path(word).expanduser() for word in block[1].split() if word.startswith("~")}
    paths = Paths.choose()
    if tmp_path in paths.data.parents and paths.data != paths.config:  # as on Linux
        assert removed == {paths.config, paths.data}


def test_variables_are_named_and_there_are_no_others() -> None:
    sources = "\n".join(
        file.read_text("utf-8") for file in sorted((ROOT / "notesearch").rglob("*.py"))
    )
    used = set(re.findall(r"\bNOTESEARCH_[A-Z]+\b", sources)) - {"NOTESEARCH_COMPLETE"}
    assert set(re.findall(r"\bNOTESEARCH_[A-Z]+\b", "\n".join(TEXTS.values()))) == used
    manual = (ROOT / "packaging" / "linux" / "notesearch.1").read_text("utf-8")
    assert set(re.findall(r"\bNOTESEARCH_[A-Z]+\b", manual)) == used


def test_the_list_of_decisions_is_complete() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\(([\w-]+\.md)\)", (folder / "README.md").read_text("utf-8"))
    assert sorted([*listed, "README.md"]) == sorted(page.name for page in folder.iterdir())
