"""Opening a note: no shell reads the arguments, nothing outside the vault is opened."""

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.gui import editor
from notesearch.gui.editor import EditorError

NOTE = Path("/notes/Trip to Japan; rm -rf $HOME `x` 'y'.md")


@pytest.mark.parametrize(
    ("template", "arguments"),
    [
        ("code --goto {path}:{line}", ["code", "--goto", f"{NOTE}:42"]),
        ("subl", ["subl", str(NOTE)]),
        ("vim +{line} {path}", ["vim", "+42", str(NOTE)]),
        ("'/opt/My Editor/run' -l {line} -c {column} {path}",
         ["/opt/My Editor/run", "-l", "42", "-c", "1", str(NOTE)]),
        ("edit --set={x} {path}", ["edit", "--set={x}", str(NOTE)]),
    ],
)  # fmt: skip
def test_commands(template: str, arguments: list[str]) -> None:
    assert editor.command(template, NOTE, 42) == arguments


def test_a_note_that_looks_like_a_placeholder_is_not_one() -> None:
    assert editor.command("edit {path}", Path("/n/{line}.md"), 3) == ["edit", "/n/{line}.md"]


@pytest.mark.parametrize("template", ["code 'unclosed", "   "])
def test_commands_that_make_no_sense(template: str) -> None:
    with pytest.raises(EditorError):
        editor.command(template, NOTE, 1)


def test_which_editors_know_lines() -> None:
    assert editor.knows_lines("code --goto {path}:{line}")
    assert not editor.knows_lines("gedit {path}")
    assert not editor.knows_lines("")


def test_a_command_gets_path_and_line(qtbot: QtBot, vault: Path, tmp_path: Path) -> None:
    script, seen = tmp_path / "my editor.py", tmp_path / "seen"
    script.write_text("import sys\nopen(sys.argv[1], 'w').write('|'.join(sys.argv[2:]))\n")
    note = vault / "Trip to Japan.md"
    note.write_text("# Food\n")
    template = f"'{sys.executable}' '{script}' '{seen}' {{path}} {{line}}"
    editor.open_note(note, vault, 7, template)
    qtbot.waitUntil(lambda: seen.exists() and seen.read_text() == f"{note}|7")


def test_what_is_outside_the_vault_stays_closed(vault: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("x")
    (vault / "link.md").symlink_to(secret)
    for path in (secret, vault / ".." / "secret.md", vault / "link.md"):
        with pytest.raises(EditorError, match="outside the notes folder"):
            editor.open_note(path, vault, 1, "")


def test_a_followed_link_is_opened_by_its_own_name(
    qtbot: QtBot, vault: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/program.desktop").write_text("[Desktop Entry]")
    link, seen = vault / "note.md", tmp_path / "seen"
    link.symlink_to(tmp_path / "elsewhere/program.desktop")
    template = f"'{sys.executable}' -c \"open('{seen}', 'w').write('{{path}}')\""
    editor.open_note(link, vault, 7, template, follow_links=True)
    qtbot.waitUntil(lambda: seen.exists() and seen.read_text() == str(link))
    with pytest.raises(EditorError, match="outside the notes folder"):
        editor.open_note(vault / ".." / "secret.md", vault, 1, "", follow_links=True)


@pytest.mark.parametrize(
    ("template", "reason"),
    [("no-such-editor {path}", "“no-such-editor” was not found."), ("", None)],
)
def test_failures_are_named(vault: Path, template: str, reason: str | None) -> None:
    note = vault / "a.md"
    with pytest.raises(EditorError, match="moved or deleted"):
        editor.open_note(note, vault, 1, template)
    if reason:
        note.write_text("x")
        with pytest.raises(EditorError, match=reason):
            editor.open_note(note, vault, 1, template)
