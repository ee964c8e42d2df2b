"""The arguments or link that each editor receives, for any name of a note."""

import contextlib
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.errors import EditorError
from notesearch.gui.system import editors, obsidian_link
from notesearch.gui.system.editors import CODE_EDITORS, OpenFile, OpenLink, RunCommand
from notesearch.gui.system.obsidian_link import NoteLocation

NASTY = "Trip to Japan; rm -rf $HOME `x` 'y' \"z\" %41 100% ü 日本 & | --goto"
FOLDER = Path("/home/me/My notes")
NOTE = FOLDER / "travel" / f"{NASTY}.md"
SIGNS = st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
PLACE = NoteLocation(NOTE, FOLDER, 42, ("Kyoto", "Food"))


@pytest.mark.parametrize(
    ("template", "arguments"),
    [
        ("code --goto {path}:{line}", ["code", "--goto", f"{NOTE}:42"]),
        ("subl {path}:{line}:{column}", ["subl", f"{NOTE}:42:1"]),
        ("subl", ["subl", str(NOTE)]),
        ("vim +{line} {path}", ["vim", "+42", str(NOTE)]),
        ("emacsclient -n +{line}:{column} {path}", ["emacsclient", "-n", "+42:1", str(NOTE)]),
        ("'/opt/My Editor/run' -l {line} -c {column} {path}",
         ["/opt/My Editor/run", "-l", "42", "-c", "1", str(NOTE)]),
        ("edit --set={x} {path}", ["edit", "--set={x}", str(NOTE)]),
        ("edit {path} --at={heading}", ["edit", str(NOTE), "--at=Food"]),
        ("edit {vault} {vault_path} {path}", ["edit", "My notes", str(FOLDER), str(NOTE)]),
        ("{path} {line}", ["{path}", "42"]),
    ],
)  # fmt: skip
def test_custom_commands(template: str, arguments: list[str]) -> None:
    assert editors.how_to_open(template, PLACE) == RunCommand(tuple(arguments))


@pytest.mark.parametrize(
    ("command", "on_windows", "elsewhere"),
    [
        (r"C:\Windows\notepad.exe {path}", [r"C:\Windows\notepad.exe", "{path}"],
         ["C:Windowsnotepad.exe", "{path}"]),
        (r'"C:\Program Files\Vim\gvim.exe" +{line}', [r"C:\Program Files\Vim\gvim.exe", "+{line}"],
         [r"C:\Program Files\Vim\gvim.exe", "+{line}"]),
        (r'"\\server\tools\edit.exe"', [r"\\server\tools\edit.exe"], [r"\server\tools\edit.exe"]),
        (r"my\ editor # -n", ["my\\", "editor", "#", "-n"], ["my editor", "#", "-n"]),
    ],
)  # fmt: skip
def test_backslashes_in_a_command(
    command: str, on_windows: list[str], elsewhere: list[str]
) -> None:
    assert editors.words_of(command, "win32") == on_windows
    assert editors.words_of(command, "linux") == elsewhere


@pytest.mark.parametrize("name", ["{line}", "{heading} {path}", "%s {0}"])
def test_a_note_name_that_looks_like_a_placeholder_is_not_replaced(name: str) -> None:
    place = NoteLocation(Path(f"/n/{name}.md"), Path("/n"), 3, ("{vault_path}",))
    assert editors.command("edit {path} -h={heading}", place) == [
        "edit",
        f"/n/{name}.md",
        "-h={vault_path}",
    ]


@pytest.mark.parametrize(
    ("heading", "argument"),
    [("--exec=evil", "exec=evil"), ("-rf", "rf"), ("a -b", "a -b"), ("—", "—")],
)
def test_text_from_a_note_never_becomes_an_option(heading: str, argument: str) -> None:
    place = NoteLocation(Path("/-v/-n.md"), Path("/-v"), 1, (heading,))
    assert editors.command("edit {heading} {vault} {path}", place) == [
        *("edit", argument, "v", "/-v/-n.md"),
    ]


@pytest.mark.parametrize(
    ("template", "reason"), [("code 'unclosed", "unclosed quote"), ("''  'x", "unclosed quote")]
)
def test_invalid_commands_are_refused(template: str, reason: str) -> None:
    with pytest.raises(EditorError, match=reason):
        editors.how_to_open(template, PLACE)


@given(st.text(max_size=40))
def test_any_command_gives_arguments_or_an_error(template: str) -> None:
    with contextlib.suppress(EditorError):
        assert editors.how_to_open(template, PLACE)


@pytest.mark.parametrize(
    ("editor", "label"),
    [
        ("", "Open note"),
        ("obsidian", "Open in Obsidian"),
        ("code", "Open in VS Code"),
        ("codium", "Open in VSCodium"),
        ("code --goto {path}:{line}", "Open at line"),
        ("gedit {path}", "Open note"),
    ],
)
def test_labels_of_the_open_action(editor: str, label: str) -> None:
    assert editors.label(editor) == label


@pytest.mark.parametrize("name", ["paper.pdf", "Board.canvas", "Sketch.EXCALIDRAW"])
@pytest.mark.parametrize("editor", ["", "code", "gvim +{line} {path}"])
def test_what_no_editor_shows_opens_in_its_own_program(name: str, editor: str) -> None:
    file = NOTE.with_name(name)
    assert editors.how_to_open(editor, replace(PLACE, file=file)) == OpenFile(file)


def test_the_system_default_gets_the_file() -> None:
    assert editors.how_to_open("  ", PLACE) == OpenFile(NOTE)


class TestVSCodeFamily:
    @pytest.mark.parametrize(
        ("editor", "installed", "words"),
        [
            ("code", "code", ("code", "--goto", f"{NOTE}:42:1")),
            ("codium", "codium", ("codium", "--goto", f"{NOTE}:42:1")),
            ("codium", "vscodium", ("vscodium", "--goto", f"{NOTE}:42:1")),
            ("cursor", "cursor", ("cursor", "--goto", f"{NOTE}:42:1")),
        ],
    )
    def test_its_executable_gets_file_and_line(
        self, monkeypatch: pytest.MonkeyPatch, editor: str, installed: str, words: tuple[str, ...]
    ) -> None:
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setattr(shutil, "which", lambda name: name if name == installed else None)
        assert editors.how_to_open(editor, PLACE) == RunCommand(words)

    @pytest.mark.parametrize("editor", sorted(CODE_EDITORS))
    def test_without_the_executable_a_link_is_used(
        self, monkeypatch: pytest.MonkeyPatch, editor: str
    ) -> None:
        monkeypatch.setattr(shutil, "which", lambda _: None)
        how = editors.how_to_open(editor, PLACE)
        assert isinstance(how, OpenLink)
        assert how.program == CODE_EDITORS[editor].name
        scheme, rest = how.url.split("://file")
        assert scheme == CODE_EDITORS[editor].scheme
        assert unquote(rest) == f"{NOTE}:42:1"
        assert how.url.isascii()
        assert not set(how.url) & set(" '\"`&;|$#?")

    def test_on_windows_no_batch_file_is_started(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.setattr(shutil, "which", lambda name: name)
        assert isinstance(editors.how_to_open("code", PLACE), OpenLink)


@pytest.fixture
def obsidian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An Obsidian vault that Obsidian does not list."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(sys, "platform", "linux")
    folder = tmp_path / "My vault"
    (folder / ".obsidian" / "plugins").mkdir(parents=True)
    return folder


def link(vault: Path, note: str = "travel/Trip.md", *headings: str, line: int = 42) -> str:
    how = editors.how_to_open("obsidian", NoteLocation(vault / note, vault, line, headings))
    assert isinstance(how, OpenLink)
    return how.url


def install(vault: Path, *, on: bool | None = None) -> None:
    """Install the plugin that opens lines."""
    (vault / ".obsidian/plugins/obsidian-advanced-uri").mkdir()
    if on is not None:
        enabled = ["dataview", *(["obsidian-advanced-uri"] if on else [])]
        (vault / ".obsidian/community-plugins.json").write_text(json.dumps(enabled))


class TestObsidian:
    @pytest.mark.parametrize(
        ("headings", "anchor"),
        [
            (("Kyoto", "Food"), "#Kyoto#Food"),
            ((), ""),
            (("Kyoto", "C# for cooks"), "#Kyoto"),
            (("Kyoto", "a|b", "Food"), "#Kyoto"),
            (("x^2",), ""),
            (("See [[Osaka]]",), ""),
            (("Kyoto: food",), ""),
            (("100%",), ""),
            (("Straße & 日本",), "#Straße & 日本"),
        ],
    )
    def test_the_link_names_the_nearest_heading_without_link_syntax(
        self, obsidian: Path, headings: tuple[str, ...], anchor: str
    ) -> None:
        url = link(obsidian, "travel/Trip to Japan.md", *headings)
        query = parse_qs(urlsplit(url).query, strict_parsing=True)
        assert query == {"vault": ["My vault"], "file": [f"travel/Trip to Japan{anchor}"]}
        assert "/" not in url.partition("?")[2]
        assert "#" not in url

    @given(
        note=st.text(
            st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1
        ),
        heading=st.text(st.characters(exclude_categories=["Cs"])),
    )
    def test_any_name_and_heading_are_encoded(self, note: str, heading: str) -> None:
        folder = Path("/notes/v")
        url = obsidian_link.heading_uri(
            NoteLocation(folder / "a" / f"{note}.md", folder, 1, (heading,)), folder
        )
        assert url.isascii()
        query = parse_qs(urlsplit(url).query, strict_parsing=True, keep_blank_values=True)
        assert query["file"][0].partition("#")[0] == f"a/{note}".partition("#")[0]

    def test_a_vault_name_that_is_not_unicode(self) -> None:
        folder = Path("/notes/caf\udce9")
        url = obsidian_link.heading_uri(NoteLocation(folder / "a.md", folder), folder)
        assert url == "obsidian://open?vault=caf%E9&file=a"

    def test_the_exact_link(self, obsidian: Path) -> None:
        assert link(obsidian, "travel/Trip to Japan.md", "Kyoto", "Food") == (
            "obsidian://open?vault=My%20vault&file=travel%2FTrip%20to%20Japan%23Kyoto%23Food"
        )

    @pytest.mark.parametrize("on", [None, True])
    def test_with_the_plugin_the_link_names_the_line(self, obsidian: Path, on: bool | None) -> None:
        install(obsidian, on=on)
        assert link(obsidian, "a & b.md", "C# for cooks") == (
            "obsidian://adv-uri?vault=My%20vault&filepath=a%20%26%20b.md&line=42&column=1"
        )

    def test_a_disabled_plugin_is_not_used(self, obsidian: Path) -> None:
        install(obsidian, on=False)
        assert link(obsidian).startswith("obsidian://open?")

    @pytest.mark.parametrize("content", ["[", "7", "\xff", "{}"])
    def test_an_unreadable_list_of_plugins_is_ignored(self, obsidian: Path, content: str) -> None:
        install(obsidian)
        (obsidian / ".obsidian/community-plugins.json").write_text(content, encoding="latin-1")
        assert link(obsidian).startswith("obsidian://adv-uri?")

    def test_the_innermost_vault_is_used(self, obsidian: Path) -> None:
        inner = obsidian / "inner"
        (inner / ".obsidian").mkdir(parents=True)
        note = inner / "sub" / "a.md"
        assert obsidian_link.vault_of(note) == inner
        how = editors.how_to_open("obsidian", NoteLocation(note, obsidian))
        assert how == OpenLink("obsidian://open?vault=inner&file=sub%2Fa", "Obsidian")

    def test_a_notes_folder_inside_a_vault_is_not_a_vault(self, obsidian: Path) -> None:
        how = editors.how_to_open(
            "obsidian", NoteLocation(obsidian / "travel/a.md", obsidian / "travel")
        )
        assert how == OpenLink("obsidian://open?vault=My%20vault&file=travel%2Fa", "Obsidian")

    @pytest.mark.parametrize(
        "listed", ["config/obsidian", "home/.var/app/md.obsidian.Obsidian/config/obsidian"]
    )
    def test_vaults_with_the_same_name_are_told_apart_by_id(
        self, obsidian: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: str
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        config = tmp_path / listed
        config.mkdir(parents=True)
        vaults = {"0123456789abcdef": {"path": str(obsidian)}, "f": {"path": "/x/My vault"}, "g": 7}
        (config / "obsidian.json").write_text(json.dumps({"vaults": vaults}))
        assert link(obsidian).startswith("obsidian://open?vault=0123456789abcdef&")

    @pytest.mark.parametrize("content", ["", "[]", '{"vaults": 3}', '{"vaults": {"a": {}}}'])
    def test_an_invalid_list_of_vaults_is_ignored(
        self, obsidian: Path, tmp_path: Path, content: str
    ) -> None:
        config = tmp_path / "config" / "obsidian"
        config.mkdir(parents=True)
        (config / "obsidian.json").write_text(content)
        assert obsidian_link.listed_vaults(config / "obsidian.json") == {}
        assert link(obsidian).startswith("obsidian://open?vault=My")

    def test_a_note_outside_any_vault_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(EditorError, match="not in an Obsidian vault"):
            editors.how_to_open("obsidian", NoteLocation(tmp_path / "a.md", tmp_path))


@pytest.mark.parametrize(
    ("headings", "written"),
    [
        (("Kyoto", "Food"), "[[Trip to Japan#Kyoto#Food]]"),
        ((), "[[Trip to Japan]]"),
        (("Kyoto", "a]b"), "[[Trip to Japan#Kyoto]]"),
    ],
)
def test_wikilinks(headings: tuple[str, ...], written: str) -> None:
    place = NoteLocation(Path("/n/Trip to Japan.md"), Path("/n"), 1, headings)
    assert obsidian_link.wikilink(place) == written
