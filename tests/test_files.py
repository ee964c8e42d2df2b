"""Only ordinary files of a limited size are read, and nothing outside of its folder."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest

from notesearch import files
from tests.folders import write
from tests.unreadable_files import UNREADABLE, too_large

DEEP = "[" * 100_000


unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")


@unix
@pytest.mark.parametrize("make", UNREADABLE)
def test_anything_but_an_ordinary_file_is_an_error_at_once(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "a.json")
    for read in (files.read_bytes, files.read_text, files.read_json):
        with pytest.raises(OSError, match=r"\S"):
            read(tmp_path / "a.json")
    with pytest.raises(OSError, match=r"\S"):
        files.read_inside(tmp_path, "a.json", files.SMALL)
    if make is not too_large:
        with pytest.raises(OSError, match=r"\S"):
            files.open_ordinary(tmp_path / "a.json")


@pytest.mark.parametrize(
    "content", [b"", b"\0", b"\xff\xfe[\0]\0", b"[", DEEP.encode(), b"\xc3", b"{]"]
)
def test_broken_json_is_an_error_of_one_kind(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(ValueError, match=r"\S"):
        files.read_json(tmp_path / "a.json")


@pytest.mark.parametrize(
    "text",
    ["[" + "a." * 50 + "a]", "x = {b = 1, " + "'a' . " * 50 + "a = 1}", "x = " + "[" * 100_000],
)
def test_toml_that_is_nested_too_deeply_is_not_parsed(text: str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        files.parse_toml(text)


def test_many_dots_are_no_deep_key() -> None:
    text = f'[{"a." * 9}a]\nlisted = ["www.{"a." * 50}b", "1.2"]\nrow = [{"1.5, " * 50}]'
    assert files.parse_toml(text)["a"]


def test_toml_with_a_number_of_thousands_of_digits_is_an_error() -> None:
    with pytest.raises(ValueError, match="a number in it is too long"):
        files.parse_toml("x = " + "1" * 5000)


def test_a_mark_at_the_beginning_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf" + json.dumps({"a": "ä"}).encode())
    assert files.read_json(tmp_path / "a.json") == {"a": "ä"}


class TestInside:
    @pytest.fixture(autouse=True)
    def two_folders(self, tmp_path: Path) -> None:
        write(tmp_path, {"in/a/b.md": "inside", "out/b.md": "outside"})
        (tmp_path / "in" / "link").symlink_to("../out")
        (tmp_path / "in" / "b.md").symlink_to("../out/b.md")
        (tmp_path / "in" / "a" / "loop").symlink_to("../a")

    def test_is_read_by_its_path(self, tmp_path: Path) -> None:
        assert files.read_inside(tmp_path / "in", "a/b.md", 10) == b"inside"

    def test_the_folder_itself_may_be_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "notes").symlink_to("in")
        assert files.read_inside(tmp_path / "notes", "a/b.md", 10) == b"inside"

    @unix
    @pytest.mark.parametrize(
        "path",
        [
            "link/b.md",
            "b.md",
            "a/loop/b.md",
            "../out/b.md",
            "a/../b.md",
            "/etc/passwd",
            "",
            "a//b.md",
        ],
    )
    def test_no_link_and_no_way_up_is_followed(self, tmp_path: Path, path: str) -> None:
        with pytest.raises(OSError, match=r"\S"):
            files.read_inside(tmp_path / "in", path, 10)

    @pytest.mark.parametrize("path", ["link/b.md", "b.md"])
    def test_links_are_followed_where_the_user_wants_it(self, tmp_path: Path, path: str) -> None:
        descriptor = files.open_inside(tmp_path / "in", path, follow=True)
        with os.fdopen(descriptor) as opened:
            assert opened.read() == "outside"


class TestWhereFoldersAreNotOpenedOneByOne:
    """On Windows a file is opened, then the system reports its place; here ``/proc`` does."""

    @pytest.fixture(autouse=True)
    def without_folders(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        if sys.platform != "linux":
            pytest.skip("asks /proc where an open file is")
        write(tmp_path, {"in/a/b.md": "inside", "out/b.md": "outside"})
        (tmp_path / "in" / "link").symlink_to("../out")
        monkeypatch.setattr(files, "_OPENS_BESIDE", False)
        monkeypatch.setattr(files, "_real_path", lambda d: Path(f"/proc/self/fd/{d}").readlink())

    def test_what_is_inside_is_read(self, tmp_path: Path) -> None:
        assert files.read_inside(tmp_path / "in", "a/b.md", 10) == b"inside"

    @pytest.mark.parametrize("path", ["link/b.md", "../out/b.md", "a/../../out/b.md"])
    def test_what_is_outside_is_closed_again(self, tmp_path: Path, path: str) -> None:
        before = len(list(Path("/proc/self/fd").iterdir()))
        with pytest.raises(OSError, match=r"\S"):
            files.read_inside(tmp_path / "in", path, 10)
        assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize(
    ("told", "usual"),
    [
        (r"\\?\C:\notes\a.md", r"C:\notes\a.md"),
        (r"\\?\UNC\server\share\notes\a.md", r"\\server\share\notes\a.md"),
        (r"C:\notes", r"C:\notes"),
    ],
)
def test_a_path_of_windows_has_its_usual_form(told: str, usual: str) -> None:
    """Once, no note on a share was read, because its path seemed to be outside of the folder."""
    assert files._without_prefix(told) == usual
    assert PureWindowsPath(files._without_prefix(told)).is_absolute()


def test_an_unknown_user_and_a_circle_of_links_are_only_paths(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    try:
        loop.symlink_to(loop)
    except OSError:
        pytest.skip("no right to make links")
    assert files.expanded("~") == Path.home()
    assert files.expanded("~nobody here/notes") == Path("~nobody here/notes")
    assert files.real(loop / "a") == loop / "a"
    assert files.real(tmp_path / "x" / "..") == tmp_path
