"""Faults A25 and A26 with links followed; see test_a_names for links that are not."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from notesearch.config import Settings
from notesearch.errors import NoteMissingError
from notesearch.index import scan
from notesearch.library import NoteLibrary
from tests import index_contents
from tests.file_permissions import denied
from tests.folders import write
from tests.watched_vault import WatchedVault, indexed_digests

FOLLOWING = Settings(follow_links=True)
AGAIN = "It is a link to a {} that is already searched."


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder outside the vault."""
    folder = tmp_path / "outside"
    write(folder, {"b.md": "Beavers build.", "deep/c.md": "Cranes call.", "plain.log": "Plain."})
    return folder


@pytest.fixture
def linked(vault: Path, outside: Path, tmp_path: Path) -> Iterator[WatchedVault]:
    """A followed folder with a note of its own and a link to the folder outside."""
    write(vault, {"a.md": "Adders."})
    (vault / "link").symlink_to(outside)
    linked = WatchedVault(vault, tmp_path / "index.sqlite", FOLLOWING)
    yield linked
    linked.index.close()


def listed(vault: Path) -> list[str]:
    return sorted(scan.list_vault(vault, FOLLOWING).files)


def skipped(vault: Path) -> dict[str, tuple[str, bool]]:
    found = scan.list_vault(vault, FOLLOWING).skipped
    return {item.path: (item.reason, item.remark) for item in found}


@pytest.mark.fault("A25, A26")
def test_a25_links_to_folders_and_files_are_followed(vault: Path, outside: Path) -> None:
    write(vault, {"a.md": "Adders."})
    (vault / "link").symlink_to(outside)
    (vault / "one.md").symlink_to(outside / "plain.log")
    (vault / "relative").symlink_to("../outside/deep")
    assert listed(vault) == ["a.md", "link/b.md", "link/deep/c.md", "one.md"]
    assert skipped(vault) == {"relative": (AGAIN.format("folder"), True)}


def test_a25_links_are_followed_only_if_enabled(vault: Path, outside: Path) -> None:
    (vault / "link").symlink_to(outside)
    assert list(scan.list_vault(vault, Settings()).files) == []


def test_a25_ignore_rules_apply_behind_links(vault: Path, outside: Path) -> None:
    write(outside, {".hidden/x.md": "", "node_modules/x.md": ""})
    write(vault, {".notesearchignore": "link/deep\nprivate\n"})
    (vault / "link").symlink_to(outside)
    (vault / ".config").symlink_to(outside)
    (vault / "private").symlink_to(outside)
    assert listed(vault) == ["link/b.md"]


def test_a25_a_note_is_listed_once_preferably_by_its_real_path(vault: Path) -> None:
    write(vault, {"z/note.md": "Words."})
    (vault / "a").symlink_to("z")
    (vault / "b.md").symlink_to("z/note.md")
    assert listed(vault) == ["z/note.md"]
    assert skipped(vault) == {
        "a": (AGAIN.format("folder"), True), "b.md": (AGAIN.format("note"), True),
    }  # fmt: skip


def test_a25_two_links_to_the_same_place(vault: Path, outside: Path) -> None:
    for name in ("b", "a", "c"):
        (vault / name).symlink_to(outside)
        (vault / f"{name}.md").symlink_to(outside / "plain.log")
    assert listed(vault) == ["a.md", "a/b.md", "a/deep/c.md"]


def test_a25_a_link_into_the_target_of_another(vault: Path, outside: Path) -> None:
    (vault / "a").symlink_to(outside / "deep")
    (vault / "b").symlink_to(outside)
    assert listed(vault) == ["a/c.md", "b/b.md"]


def link_each_other(one: Path, other: Path) -> None:
    one.symlink_to(other)
    other.symlink_to(one)


LOOPS: dict[str, Callable[[Path, Path], None]] = {
    "to itself": lambda vault, _: (vault / "loop").symlink_to("loop"),
    "to the vault": lambda vault, _: (vault / "loop").symlink_to("."),
    "to a folder above": lambda vault, _: (vault / "loop").symlink_to(".."),
    "to the root": lambda vault, _: (vault / "loop").symlink_to("/"),
    "back from outside": lambda vault, out: (out / "deep/loop").symlink_to(vault),
    "in a circle": lambda _, out: (out / "deep/loop").symlink_to(".."),
    "between two": lambda vault, _: link_each_other(vault / "x", vault / "y"),
}  # fmt: skip


@pytest.mark.fault("A25, A26")
@pytest.mark.parametrize("make", LOOPS.values(), ids=LOOPS)
def test_a26_loops_end(vault: Path, outside: Path, make: Callable[[Path, Path], None]) -> None:
    write(vault, {"a.md": "Adders."})
    (vault / "link").symlink_to(outside)
    make(vault, outside)
    assert listed(vault) == ["a.md", "link/b.md", "link/deep/c.md"]
    assert skipped(vault)


def test_a26_a_link_to_a_parent_folder_is_reported(vault: Path) -> None:
    (vault / "up").symlink_to("..")
    reason = "It is a link to a folder that contains this one, so it is not followed."
    assert skipped(vault) == {"up": (reason, False)}


def test_a25_a_pipe_behind_a_link_is_never_read(vault: Path, outside: Path) -> None:
    os.mkfifo(outside / "pipe")
    (vault / "pipe.md").symlink_to(outside / "pipe")
    (vault / "null.md").symlink_to(os.devnull)
    assert listed(vault) == []
    assert {reason for reason, _ in skipped(vault).values()} == {"It is not a regular file."}


def test_a25_a_broken_folder_link_keeps_its_notes(linked: WatchedVault, outside: Path) -> None:
    with NoteLibrary.open(linked.vault, settings=FOLLOWING) as library:
        library.refresh()
        outside.rename(outside.with_name("unplugged"))
        library.refresh()
        assert library.status().notes == 3
        (lost,) = library.status().unread
        assert (lost.path, lost.reason) == (
            "link",
            "It is a link to something that does not exist right now.",
        )
        (linked.vault / "link").unlink()
        library.refresh()
        assert library.status().notes == 1


def test_a25_a_broken_note_link_loses_its_note(vault: Path, outside: Path) -> None:
    (vault / "one.md").symlink_to(outside / "plain.log")
    with NoteLibrary.open(vault, settings=FOLLOWING) as library:
        library.refresh()
        (outside / "plain.log").unlink()
        library.refresh()
        assert library.status().notes == 0


def test_a25_an_unreadable_folder_behind_a_link_keeps_notes(
    linked: WatchedVault, outside: Path
) -> None:
    with NoteLibrary.open(linked.vault, settings=FOLLOWING) as library:
        library.refresh()
        with denied(outside / "deep"):
            library.refresh()
        assert library.status().notes == 3


@pytest.mark.fault("A25, A26")
def test_a25_a_note_behind_a_link_is_read_through_the_link(
    linked: WatchedVault, outside: Path
) -> None:
    write(outside.parent, {"secret.md": "Secret."})
    (linked.vault / "up").symlink_to("..")
    with NoteLibrary.open(linked.vault, settings=FOLLOWING) as library:
        library.refresh()
        (found,) = library.search("cranes", mode="words").sections
        assert found.path == "link/deep/c.md"
        assert library.read(found.path).text == "Cranes call."
        assert library.read_at(found.path, 1).text == "Cranes call."
        assert library.file(found.path) == linked.vault / "link/deep/c.md"
        for path in ("../secret.md", "up/secret.md", "link/../../secret.md", str(outside / "b.md"),
                     "link/../../outside/b.md"):  # fmt: skip
            with pytest.raises(NoteMissingError):
                library.read_at(path, 1)


@pytest.mark.fault("A25, A26")
def test_a25_targets_of_links_cannot_be_read_by_default(linked: WatchedVault) -> None:
    with NoteLibrary.open(linked.vault, settings=Settings()) as library:
        library.refresh()
        for path in ("link/b.md", "link/deep/c.md"):
            with pytest.raises(NoteMissingError):
                library.read_at(path, 1)
            with pytest.raises(NoteMissingError):
                library.file(path)


def indexed_paths(linked: WatchedVault) -> set[str]:
    return set(indexed_digests(linked.index.store.path))


def assert_follows(linked: WatchedVault, paths: set[str]) -> None:
    """Wait until the index knows ``paths`` and equals one built from scratch."""
    linked.listener.until(lambda: indexed_paths(linked) == paths, 30)
    linked.listener.until_idle()
    linked.index.close()
    scratch = index_contents.from_scratch(linked.vault, FOLLOWING, None)
    assert index_contents.of(linked.index.store.path) == scratch


START = {"a.md", "link/b.md", "link/deep/c.md"}


def replace_link(vault: Path, target: Path) -> None:
    (vault / "link.new").symlink_to(target)
    (vault / "link.new").replace(vault / "link")


def put(file: Path, text: str) -> None:
    """Save like editors that replace a file at once."""
    draft = file.with_name(f".{file.name}.tmp")
    draft.write_text(text)
    draft.replace(file)


CHANGES: dict[str, tuple[Callable[[Path, Path], object], set[str]]] = {
    "a note is made": (lambda _, out: put(out / "new.md", "New."), START | {"link/new.md"}),
    "a folder is made": (
        lambda _, out: write(out, {"x/y/new.md": "New."}), START | {"link/x/y/new.md"},
    ),
    "a note is deleted": (lambda _, out: (out / "b.md").unlink(), START - {"link/b.md"}),
    "a note is renamed": (
        lambda _, out: (out / "b.md").rename(out / "d.md"), START - {"link/b.md"} | {"link/d.md"},
    ),
    "the link is deleted": (lambda vault, _: (vault / "link").unlink(), {"a.md"}),
    "a link is made": (
        lambda vault, out: (vault / "k").symlink_to(out.parent / "second"), START | {"k/s.md"},
    ),
    "a link to a note is made": (
        lambda vault, out: (vault / "one.md").symlink_to(out / "plain.log"), START | {"one.md"},
    ),
    "the link leads elsewhere": (
        lambda vault, out: replace_link(vault, out.parent / "second"), {"a.md", "link/s.md"},
    ),
    "another folder takes the place of the one it leads to": (
        lambda _, out: (
            out.rename(out.with_name("old")), (out.parent / "second").rename(out),
        ),
        {"a.md", "link/s.md"},
    ),
}  # fmt: skip


@pytest.mark.fault("A25, A26")
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("change", "paths"), CHANGES.values(), ids=CHANGES)
def test_a25_changes_behind_links_are_followed(
    linked: WatchedVault,
    outside: Path,
    change: Callable[[Path, Path], object],
    paths: set[str],
) -> None:
    write(outside.parent, {"second/s.md": "Swifts."})
    linked.start()
    linked.listener.until(lambda: indexed_paths(linked) == START)
    linked.listener.until_idle()
    change(linked.vault, outside)
    assert_follows(linked, paths)


@pytest.mark.parametrize("save", [put, Path.write_text], ids=["by renaming", "in place"])
def test_a25_a_save_behind_a_link_is_one_change_of_that_note(
    linked: WatchedVault, outside: Path, save: Callable[[Path, str], object]
) -> None:
    (linked.vault / "one.md").symlink_to(outside / "plain.log")
    watch = linked.start()
    linked.listener.until(lambda: indexed_paths(linked) == START | {"one.md"})
    linked.listener.until_idle()
    index = linked.index.store.path
    assert watch.watching == "live"
    for file, path in (
        (outside / "deep/c.md", "link/deep/c.md"),
        (outside / "plain.log", "one.md"),
    ):
        before = indexed_digests(index)
        linked.listener.reports.clear()
        save(file, "Changed words.")
        linked.listener.until(lambda b=before, p=path: indexed_digests(index)[p] != b[p])  # type: ignore[misc]
        linked.listener.until_idle()
        assert linked.listener.paths == {path}
    assert_follows(linked, START | {"one.md"})
    assert linked.listener.errors == []


@pytest.mark.usefixtures("impatient")
def test_a25_a_drive_that_comes_back_is_followed_again(linked: WatchedVault, outside: Path) -> None:
    linked.start()
    linked.listener.until(lambda: indexed_paths(linked) == START)
    away = outside.rename(outside.with_name("unplugged"))
    linked.listener.until(lambda: any(report.unread for report in linked.listener.reports))
    assert indexed_paths(linked) == START
    write(away, {"new.md": "New."})
    away.rename(outside)
    linked.listener.until(lambda: indexed_paths(linked) == START | {"link/new.md"})
    write(outside, {"newer.md": "Newer."})
    assert_follows(linked, START | {"link/new.md", "link/newer.md"})
