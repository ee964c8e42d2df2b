"""Folders and files for this user alone: at creation, later, and on drives without permissions."""

import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import notesearch
from notesearch import private_files
from notesearch.config import Settings
from notesearch.index.vault_index import VaultIndex
from notesearch.store.store import Store
from tests.command_line import Run

MODES = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")


@pytest.fixture(autouse=True)
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@MODES
def test_folders_are_private_with_all_that_were_missing_above(tmp_path: Path) -> None:
    private_files.make_folder(tmp_path / "a" / "b" / "c")
    private_files.make_folder(tmp_path / "a" / "b" / "c")
    assert [mode(tmp_path / name) for name in ("a", "a/b", "a/b/c")] == [0o700] * 3


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in ("file", "file/inside"):
        with pytest.raises(OSError, match="file"):
            private_files.make_folder(tmp_path / folder)


@MODES
@pytest.mark.parametrize("how", ["wb", "ab", "r+b"])
def test_what_is_opened_for_writing_is_closed_to_others(tmp_path: Path, how: str) -> None:
    file = tmp_path / "file"
    if how == "r+b":
        file.touch(0o666)
    with private_files.opened(file, how) as opened:
        assert mode(file) == 0o600
        opened.write(b"text")
    assert file.read_bytes() == b"text"
    file.chmod(0o644)
    with private_files.opened(file, how):
        assert mode(file) == 0o600


@MODES
@pytest.mark.parametrize("how", ["wb", "ab"])
def test_a_pipe_in_the_place_of_a_file_is_an_error_at_once(tmp_path: Path, how: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"\S"):
        private_files.opened(tmp_path / "pipe", how)


@MODES
def test_a_file_that_exists_keeps_its_content_and_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "file"
    private_files.make_file(file)
    assert (mode(file), file.read_bytes()) == (0o600, b"")
    file.write_bytes(b"text")
    file.chmod(0)
    private_files.make_file(file)
    file.chmod(0o600)
    assert file.read_bytes() == b"text"


@MODES
@pytest.mark.parametrize(
    ("before", "after"),
    [(0o644, 0o600), (0o755, 0o700), (0o600, 0o600), (0o400, 0o400), (0o666, 0o600), (0o070, 0)],
)
def test_tightening_takes_only_what_others_have(tmp_path: Path, before: int, after: int) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "file").touch()
    (folder / "file").chmod(before)
    private_files.tighten(folder)
    assert (mode(folder / "file"), mode(folder)) == (after, 0o700)


def test_a_folder_that_is_missing_needs_no_tightening(tmp_path: Path) -> None:
    private_files.tighten(tmp_path / "missing")
    assert private_files.is_private(tmp_path / "missing")


def test_windows_has_no_modes_to_look_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mode 0700 makes Python give a folder an access list, which the files inherit."""
    folder, given = tmp_path / "a" / "b", dict[str, int]()
    make = Path.mkdir

    def mkdir(path: Path, mode: int = 0o777, **more: bool) -> None:
        given[path.name] = mode
        make(path, mode, **more)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(sys, "platform", "win32")
    private_files.make_folder(folder)
    private_files.tighten(folder)
    private_files.make_file(folder / "file")
    private_files.write(folder / "other", b"text")
    assert given == {"a": 0o700, "b": 0o700}


@pytest.mark.parametrize(
    ("version", "sets"),
    [
        ((3, 11, 9), False),
        ((3, 11, 10), True),
        ((3, 12, 0), False),
        ((3, 12, 3), False),
        ((3, 12, 4, "final", 0), True),
        ((3, 13, 0, "final", 0), True),
        ((3, 14, 1), True),
    ],
)
def test_an_index_outside_the_profile_of_windows_may_be_open(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: tuple[object, ...],
    sets: bool,
) -> None:
    index = VaultIndex(home, Settings(), Store(home / "data" / "index.sqlite"), lambda: None)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setenv("HOME", str(home))
    assert not index.remark
    monkeypatch.setenv("HOME", str(home / "elsewhere"))
    assert ("is not in your profile" in index.remark) is not sets


@MODES
def test_a_drive_that_keeps_no_modes_is_named(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On FAT, a change of the mode is accepted but has no effect."""
    monkeypatch.setattr(Path, "chmod", lambda *_: None)
    folder = home / "data" / "indexes"
    folder.mkdir(parents=True)
    told = f"the drive of {folder} does not support permissions"
    assert told in run("index").stderr
    assert told in run("stats").stdout
    assert told in run("doctor").stderr
    assert told not in run("search", "water").stderr


PACKAGE = Path(notesearch.__file__).parent
_CREATES = re.compile(
    r"""\.(mkdir|write_text|write_bytes)\(|\.touch\(\)|\bos\.(mkdir|makedirs)\(|\bO_CREAT\b|QSaveFile\("""
    r"""|\b(?:open|fdopen)\([^()]*,\s*["'][rwaxb+]*[wax+]|copytree\(|copyfile\("""
)
_ELSEWHERE = {
    "cli/main.py": 1,  # the folder of a picture, which its user names
    "gui/session/section_printer.py": 1,  # a PDF, which its user names
    "gui/system/single_instance.py": 3,  # gives the same modes, without this module
    "models.py": 1,  # into a folder that is closed before and after
    "serving/http_server.py": 2,  # the token, which must not exist yet
    "cli/server_commands.py": 1,  # standard output
}
"""Lines that create something without ``private_files``, by module, and why they may."""


def test_everything_else_is_created_by_this_module() -> None:
    found = {
        file.relative_to(PACKAGE).as_posix(): sum(
            bool(_CREATES.search(line)) for line in file.read_text("utf-8").splitlines()
        )
        for file in PACKAGE.rglob("*.py")
        if file.name != "private_files.py"
    }
    assert {name: lines for name, lines in found.items() if lines} == _ELSEWHERE
