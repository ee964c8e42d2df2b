"""Which files are notes, and which are ignored or skipped with a reason."""

import errno
import os
import socket
import tempfile
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.errors import VaultMissingError
from notesearch.index import scan
from notesearch.index.ignore_rules import IgnoreRules
from tests.file_permissions import denied
from tests.folders import write

DEFAULTS = Settings()


def listed(vault: Path, settings: Settings = DEFAULTS) -> list[str]:
    return sorted(scan.list_vault(vault, settings).files)


def skipped(vault: Path) -> dict[str, str]:
    return {item.path: item.reason for item in scan.list_vault(vault, DEFAULTS).skipped}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", True),
        ("a.markdown", True),
        ("UPPER.MD", True),
        ("deep/er/a.md", True),
        (" spaces and ümläuts .md", True),
        ("--dash.md", True),
        ("100%#?'\".md", True),
        ("a.log", False),
        ("a.txt", True),
        ("a.md~", False),
        ("a.md.tmp", False),
        ("md", False),
        (".md", False),
        (".hidden.md", False),
        (".obsidian/a.md", False),
        (".git/a.md", False),
        ("deep/.trash/a.md", False),
        ("node_modules/a.md", False),
        ("deep/node_modules/er/a.md", False),
        ("node_modules.md", True),
    ],
)
def test_what_is_a_note(vault: Path, path: str, expected: bool) -> None:
    write(vault, {path: "text"})
    assert listed(vault) == ([path] if expected else [])
    assert IgnoreRules(vault, DEFAULTS).is_note(path) is expected


def test_settings_choose_other_suffixes_and_patterns(vault: Path) -> None:
    write(vault, {"a.txt": "", "b.md": "", "drafts/c.txt": "", "old-d.txt": "", ".e.txt": ""})
    chosen = Settings(suffixes=(".txt",), ignore=("drafts", "old-*"))
    assert listed(vault, chosen) == [".e.txt", "a.txt"]


def test_a_folder_can_be_named_like_a_note(vault: Path) -> None:
    write(vault, {"folder.md/a.md": ""})
    assert listed(vault) == ["folder.md/a.md"]


def test_names_can_be_long_and_strange(vault: Path) -> None:
    names = {
        f"{'x' * 250}.md",
        "line\nbreak.md",
        "\u202efdp.md",
        "日本語.md",
        "🦭.md",
        "e\u0301.md",
        "é.md",
    }
    write(vault, dict.fromkeys(names, ""))
    assert set(listed(vault)) == names


def test_paths_can_be_longer_than_the_systems_limit(vault: Path) -> None:
    folder = "/".join(["x" * 200] * 15)
    write(vault, {f"{folder}/a.md": ""})
    assert listed(vault) == [f"{folder}/a.md"]


class TestWhatIsSkippedWithAReason:
    def test_links(self, vault: Path, tmp_path: Path) -> None:
        write(tmp_path, {"outside/secret.md": "secret", "vault/real.md": "text"})
        (vault / "inside.md").symlink_to("real.md")
        (vault / "outside.md").symlink_to(tmp_path / "outside" / "secret.md")
        (vault / "broken.md").symlink_to("nothing.md")
        (vault / "folder").symlink_to(tmp_path / "outside")
        (vault / "loop").symlink_to(".")
        (vault / "circle").symlink_to("circle")
        assert listed(vault) == ["real.md"]
        assert set(skipped(vault)) == {
            "inside.md", "outside.md", "broken.md", "folder", "loop",
        }  # fmt: skip

    def test_pipes_and_sockets(self, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        os.mkfifo(vault / "pipe.md")
        monkeypatch.chdir(vault)  # the name of a socket has to be short
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("socket.md")
            assert skipped(vault) == dict.fromkeys(
                ("pipe.md", "socket.md"), "It is not a regular file."
            )

    def test_names_that_are_not_unicode(self, vault: Path) -> None:
        (vault / os.fsdecode(b"caf\xe9.md")).write_text("text")
        folder = vault / os.fsdecode(b"f\xe9")
        folder.mkdir()
        (folder / "a.md").write_text("text")
        assert listed(vault) == []
        assert set(skipped(vault)) == {r"caf\udce9.md", r"f\udce9/a.md"}

    def test_folders_that_cannot_be_listed(self, vault: Path) -> None:
        write(vault, {"closed/a.md": "", "open/b.md": ""})
        with denied(vault / "closed"):
            listing = scan.list_vault(vault, DEFAULTS)
        assert list(listing.files) == ["open/b.md"]
        assert listing.is_unknown("closed/a.md")
        assert not listing.is_unknown("open/gone.md")
        assert listing.skipped[0].path == "closed"
        assert "Permission denied" in listing.skipped[0].reason

    def test_folders_that_only_list_names(self, vault: Path) -> None:
        write(vault, {"names/a.md": "", "names/deeper/b.md": ""})
        with denied(vault / "names", 0o400):
            listing = scan.list_vault(vault, DEFAULTS)
        assert not listing.files
        assert listing.is_unknown("names/a.md")
        assert listing.is_unknown("names/deeper/b.md")


def test_a_path_that_is_too_long_is_no_matter_of_permissions() -> None:
    error = OSError(errno.ENAMETOOLONG, "File name too long")
    assert scan.why_unreadable(error, "folder_unreadable") == (
        "It cannot be read: File name too long."
    )


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(VaultMissingError, match="nowhere is missing"):
        scan.list_vault(tmp_path / "nowhere", DEFAULTS)


def test_a_link_to_another_drive_is_no_mount_point(vault: Path) -> None:
    folders = [Path(folder) for folder in ("/dev/shm", "/var/tmp") if Path(folder).is_dir()]
    others = [folder for folder in folders if folder.stat().st_dev != vault.stat().st_dev]
    if not others:
        pytest.skip("there is no other drive")
    with tempfile.TemporaryDirectory(dir=others[0]) as other:
        write(Path(other), {"a.md": "", "deeper/b.md": "", "empty/c.log": ""})
        (vault / "linked").symlink_to(other)
        listing = scan.list_vault(vault, Settings(follow_links=True))
        assert sorted(listing.files) == ["linked/a.md", "linked/deeper/b.md"]
        assert listing.mounts == ()


@pytest.mark.parametrize(
    ("folder", "notes", "ignored", "unseen"),
    [
        ("drive", (), (), {"drive"}),
        ("drive", ("drive/a.md",), (), set()),
        ("drive", (), ("drive",), set()),
        ("gone", (), (), set()),
    ],
    ids=["without notes", "with a note", "ignored", "deleted"],
)
def test_a_former_mount_point_may_have_notes_while_it_is_empty(
    vault: Path, folder: str, notes: tuple[str, ...], ignored: tuple[str, ...], unseen: set[str]
) -> None:
    (vault / "drive").mkdir()
    write(vault, dict.fromkeys(notes, "text"))
    listing = scan.list_vault(vault, Settings(ignore=ignored), mounts=[folder])
    assert listing.unseen == unseen
    assert listing.mounts == tuple(unseen)
