"""Opening a note: without a shell, and only inside the vault."""

import contextlib
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.errors import EditorError
from notesearch.gui.system import editors
from notesearch.gui.system.editors import OpenLink
from notesearch.gui.system.obsidian_link import NoteLocation
from tests.gui.opened_files import OpenedFiles, OpenedLinks


@pytest.fixture
def recorder(tmp_path: Path) -> tuple[str, Path]:
    """A command that writes its arguments to a file, and that file."""
    script, seen = tmp_path / "my editor.py", tmp_path / "seen"
    script.write_text(
        "import sys\nwith open(sys.argv[1], 'w', encoding='utf-8') as file:\n"
        "    file.write('\\0'.join(sys.argv[2:]))\n"
    )
    return f"'{sys.executable}' '{script}' '{seen}'", seen


def open_note(place: NoteLocation, editor: str, *, follow_links: bool = False) -> None:
    """Open a note as the windows do, which look at its file in a thread."""
    there = editors.checked(place, follow_links=follow_links)
    editors.start(editors.how_to_open(editor, there), place.folder)


@pytest.mark.parametrize(
    "name",
    [
        "Trip to Japan.md",
        "-rf.md",
        'it\'s; touch x `y` $(z) "q" & | > w.md',
        "100% %41 {line} ünï 日本 🍜.md",
        "two\nlines.md",
    ],
)
def test_a_command_gets_the_path_of_any_note(
    qtbot: QtBot, vault: Path, recorder: tuple[str, Path], name: str
) -> None:
    template, seen = recorder
    note = vault / name
    note.write_text("# Food\n")
    place = NoteLocation(note, vault, 7, ("Food",))
    open_note(place, f"{template} {{path}} {{line}} {{heading}}")
    qtbot.waitUntil(lambda: seen.exists() and seen.read_text().split("\0") == [
        str(note), "7", "Food",
    ])  # fmt: skip


def test_links_reach_the_desktop_unchanged(links: OpenedLinks, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    note = vault / "a & b.md"
    note.write_text("# Food\n")
    open_note(NoteLocation(note, vault, 7, ("Food",)), "obsidian")
    assert links.urls == ["obsidian://open?vault=vault&file=a%20%26%20b%23Food"]
    editors.start(OpenLink("vscodium://file/n/a%23b.md:7:1", "VSCodium"), vault)
    assert links.urls[1:] == ["vscodium://file/n/a%23b.md:7:1"]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the lists of such a desktop")
def test_a_link_without_a_program_is_an_error(links: OpenedLinks, vault: Path) -> None:
    with pytest.raises(EditorError, match=r"^“VS Code” was not found\.$"):
        editors.start(OpenLink("vscode://file/n/a.md:7:1", "VS Code"), vault)
    assert links.urls == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the lists of such a desktop")
@pytest.mark.parametrize(
    ("name", "is_known"),
    [("a.md", True), ("a.txt", True), ("a.pdf", True), ("a.canvas", True), ("a.docx", False)],
)
def test_a_file_without_a_program_is_an_error(
    opened: OpenedFiles, vault: Path, name: str, is_known: bool
) -> None:
    """Qt reports success for every file, even for one that no program opens."""
    (vault / name).write_text("x")
    what = pytest.raises(EditorError, match=rf"^No program .* “{name}”\.$")
    with contextlib.nullcontext() if is_known else what:
        open_note(NoteLocation(vault / name, vault), "")
    assert opened.files == [name]


def test_files_outside_the_vault_are_refused(vault: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("x")
    (vault / "link.md").symlink_to(secret)
    for path in (secret, vault / ".." / "secret.md", vault / "link.md"):
        with pytest.raises(EditorError, match="outside the notes folder"):
            open_note(NoteLocation(path, vault), "")


def test_a_followed_link_is_opened_under_its_own_name(
    qtbot: QtBot, vault: Path, tmp_path: Path, recorder: tuple[str, Path]
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/program.desktop").write_text("[Desktop Entry]")
    template, seen = recorder
    link = vault / "note.md"
    link.symlink_to(tmp_path / "elsewhere/program.desktop")
    open_note(NoteLocation(link, vault), template, follow_links=True)
    qtbot.waitUntil(lambda: seen.exists() and seen.read_text() == str(link))
    with pytest.raises(EditorError, match="outside the notes folder"):
        open_note(NoteLocation(vault / ".." / "secret.md", vault), "", follow_links=True)


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("no-such-editor {path}", r"^“no-such-editor” was not found\.$"),
        ("/etc {path}", r"^“/etc” was not found\.$"),
        ("obsidian", "not in an Obsidian vault"),
        ("vi 'x", "unclosed quote"),
    ],
)
def test_each_failure_has_a_reason(vault: Path, template: str, reason: str) -> None:
    note = vault / "a.md"
    with pytest.raises(EditorError, match="moved or deleted"):
        open_note(NoteLocation(note, vault), template)
    note.write_text("x")
    with pytest.raises(EditorError, match=reason):
        open_note(NoteLocation(note, vault), template)


def test_a_note_of_a_missing_vault_is_not_called_deleted(vault: Path) -> None:
    away = vault / "away"
    with pytest.raises(EditorError, match=r"notes folder .*away is missing\. Check its path"):
        open_note(NoteLocation(away / "a.md", away), "vi")


def test_a_circular_link_is_refused(vault: Path) -> None:
    note = vault / "a.md"
    note.symlink_to(note)
    with pytest.raises(EditorError, match="moved or deleted"):
        open_note(NoteLocation(note, vault), "vi")
