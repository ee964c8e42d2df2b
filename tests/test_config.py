"""The settings file: comments survive writing, and invalid values are reported."""

import contextlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.config import Paths, Settings, Vault, resources
from notesearch.errors import SettingsError
from notesearch.files import expanded
from tests.file_permissions import denied
from tests.unreadable_files import UNREADABLE, link_to_itself


@pytest.fixture
def paths(home: Path) -> Paths:
    return Paths.choose(home)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of the user, which ``~`` stands for."""
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def put(paths: Paths, text: str | bytes) -> None:
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.settings_file.write_bytes(text if isinstance(text, bytes) else text.encode())


class TestPaths:
    def test_are_below_notesearch_home(self, home: Path) -> None:
        paths = Paths.choose()
        assert (paths.config, paths.data) == (home / "config", home / "data")

    def test_an_explicit_home_wins(self, tmp_path: Path) -> None:
        assert Paths.choose(tmp_path / "other").config == tmp_path / "other" / "config"

    def test_a_relative_home_is_below_the_current_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("NOTESEARCH_HOME", "here")
        assert Paths.choose().data == tmp_path / "here" / "data"

    def test_are_the_platform_s_without_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("NOTESEARCH_HOME")
        monkeypatch.setenv("XDG_CONFIG_HOME", "/somewhere")
        for folder in (Paths.choose().config, Paths.choose().data):
            assert folder.is_absolute()
            assert "notesearch" in str(folder).lower()

    @pytest.mark.parametrize("name", ["notes", "Мои заметки", "a b/c", "." * 3, "x" * 200])
    def test_each_vault_has_its_own_index_file(self, paths: Paths, name: str) -> None:
        one = paths.index_file(Path("/one") / name)
        other = paths.index_file(Path("/other") / name)
        assert one != other
        assert one.parent == paths.data / "indexes"
        assert len(os.fsencode(one.name)) < 200
        assert one == paths.index_file(Path("/one") / name)

    def test_a_vaults_name_may_be_any_bytes(self, paths: Paths) -> None:
        name = paths.index_file(Path(os.fsdecode(b"/caf\xe9"))).name
        assert name.encode()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_a_folder_of_all_programs_keeps_its_permissions(tmp_path: Path) -> None:
    paths = Paths(tmp_path / ".config/notesearch", tmp_path / ".local/share/notesearch")
    for folder in (paths.config, paths.data, paths.config.parent, paths.data.parent):
        folder.mkdir(exist_ok=True, parents=True)
        folder.chmod(0o755)
    paths.tighten()
    shared = (paths.config.parent, paths.data.parent)
    assert [folder.stat().st_mode & 0o777 for folder in shared] == [0o755, 0o755]


def test_the_sample_vault_is_among_the_resources() -> None:
    assert list((resources() / "sample-vault").glob("*.md"))


class TestLoading:
    def test_without_a_file_defaults_apply(self, paths: Paths) -> None:
        assert Settings.load(paths) == Settings()

    def test_missing_settings_have_defaults(self, paths: Paths) -> None:
        put(paths, 'theme = "dark"\n[of_a_later_version]\nkey = 1\n')
        assert Settings.load(paths) == Settings(theme="dark")

    def test_with_a_byte_order_mark(self, paths: Paths) -> None:
        put(paths, '\ufefftheme = "dark"\n')
        assert Settings.load(paths) == Settings(theme="dark")

    def test_a_folder_may_be_written_as_people_do(self, paths: Paths, own: Path) -> None:
        """Once, the folder was listed twice, and no editor found a note in “~”."""
        put(paths, 'vault = "~/notes"\nvaults = [{path = "~/notes/"}, {path = "/w/", name = "W"}]')
        read = Settings.load(paths)
        assert read.listed == (Vault(str(own / "notes")), Vault(str(Path("/w")), "W"))
        assert read.with_vault(own / "notes") == read

    def test_a_folder_stays_written_as_people_do(self, paths: Paths, own: Path) -> None:
        table = '[[vaults]]\npath = "~/notes"  # mine\ncolour = "red"\n'
        put(paths, table)
        changed = Settings.load(paths).with_vault(Path("/w"))
        changed.save(paths)
        assert table in paths.settings_file.read_text("utf-8")
        assert Settings.load(paths).listed == changed.listed

    def test_the_case_of_file_types_does_not_count(self, paths: Paths) -> None:
        put(paths, 'suffixes = [".MD", ".txt"]')
        assert Settings.load(paths).suffixes == (".md", ".txt")

    @pytest.mark.parametrize(
        ("text", "named"),
        [
            ("vault = 1", "vault"),
            ("theme = true", "theme"),
            ('theme = ["dark"]', "theme"),
            ('theme = "purple"', "theme"),
            ('vault = "\\u0000"', "vault"),
            ('model = "a\\u0000"', "model"),
            ('model = " "', "model"),
            ('ignore = ["\\u0000"]', "ignore"),
            ('vaults = [{path = "/a\\u0000"}]', "vaults"),
            ('ignore = "drafts"', "ignore"),
            ("ignore = [1]", "ignore"),
            ("suffixes = []", "suffixes"),
            ('suffixes = [""]', "suffixes"),
            ('max_note_bytes = "1 MB"', "max_note_bytes"),
            ("max_note_bytes = 1.5", "max_note_bytes"),
            ("max_note_bytes = true", "max_note_bytes"),
            ("max_note_bytes = -1", "max_note_bytes"),
            ("follow_links = 1", "follow_links"),
            ("[editor]\ncommand = 1", "editor"),
            ("text_size = 10", "text_size"),
            ('density = "tight"', "density"),
            ('vaults = ["/notes"]', "vaults"),
            ("vaults = [{name = 'Work'}]", "vaults"),
            ("vaults = [{path = '/work', name = 1}]", "vaults"),
        ],
    )
    def test_an_invalid_value_is_named(self, paths: Paths, text: str, named: str) -> None:
        put(paths, text)
        with pytest.raises(SettingsError) as raised:
            Settings.load(paths)
        message = str(raised.value)
        assert f"“{named}” in {paths.settings_file}" in message
        assert "\n" not in message

    @pytest.mark.parametrize(
        "content", ["theme = ", "= 1", "[", b"theme = '\xff'", "\0", "theme = 'dark'\ntheme = 'x'"]
    )
    def test_invalid_toml_is_an_error(self, paths: Paths, content: str | bytes) -> None:
        put(paths, content)
        with pytest.raises(SettingsError, match="cannot be read") as raised:
            Settings.load(paths)
        assert not any(word in str(raised.value) for word in ("\n", "codec"))

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            ("[" + "a." * 50_000 + "a]", "it is nested too deeply"),
            ("#" * 131_073, "Larger than 131,072 bytes"),
            ("results = " + "1" * 5_000, "a number in it is too long"),
        ],
    )
    def test_a_costly_file_is_not_read(self, paths: Paths, content: str, reason: str) -> None:
        put(paths, content)
        with pytest.raises(SettingsError, match=f"cannot be read .{reason}."):
            Settings.load(paths)

    def test_an_unreadable_file_is_an_error(self, paths: Paths) -> None:
        put(paths, "")
        with denied(paths.settings_file), pytest.raises(SettingsError, match="Permission denied"):
            Settings.load(paths)

    def test_a_folder_in_its_place_is_an_error(self, paths: Paths) -> None:
        paths.settings_file.mkdir(parents=True)
        with pytest.raises(SettingsError, match="cannot be read"):
            Settings.load(paths)


class TestReading:
    def test_keeps_valid_values_and_reports_the_rest(self, paths: Paths) -> None:
        put(paths, 'theme = "purple"\neditor = "vi"\nresults = 5\n')
        found = Settings.read(paths)
        assert found.settings == Settings(editor="vi")
        assert found.problems.keys() == {"theme", "results"}
        assert 'must be "system", "light" or "dark".' in found.problems["theme"]
        assert "200, a whole number from 10 to 1000" in found.problems["results"]

    def test_reports_invalid_toml(self, paths: Paths) -> None:
        put(paths, "theme = ")
        found = Settings.read(paths)
        assert found.settings == Settings()
        assert "cannot be read" in found.problems[""]

    @pytest.mark.parametrize(
        ("content", "remarks"),
        [
            ('them = "dark"', [("setting_unknown_near", "them", "theme")]),
            ("Text-Size = 120", [("setting_unknown_near", "Text-Size", "text_size")]),
            ("a = 1\nb = 2", [("setting_unknown", "a", ""), ("setting_unknown", "b", "")]),
            ("[ui]\ntheme = 1", [("setting_unknown", "ui", "")]),
            ('[[vaults]]\npath = "/a"\ntheme = 1', [("setting_below_vaults", "theme", "")]),
            ('[[vaults]]\npath = "/a"\nnam = 1', [("setting_unknown_near", "nam", "name")]),
            ('vaults = ["/a"]', []),
            ('theme = "dark"', []),
        ],
    )
    def test_tells_of_keys_that_are_no_settings(
        self, paths: Paths, content: str, remarks: list[tuple[str, str, str]]
    ) -> None:
        put(paths, content)
        found = Settings.read(paths)
        told = [(r.code, r.fields["name"], r.fields.get("near", "")) for r in found.remarks]
        assert told == remarks
        if not found.problems:
            assert Settings.load(paths) == found.settings


class TestVaults:
    HAS_TWO = Settings(vault="/b", vaults=(Vault("/a/notes"), Vault("/b", "Work")))

    @pytest.mark.parametrize(
        ("name", "folder"), [("notes", "/a/notes"), ("WORK", "/b"), ("b", None), ("", None)]
    )
    def test_are_found_by_name(self, name: str, folder: str | None) -> None:
        assert self.HAS_TWO.folder(name) == (Path(folder) if folder else None)

    def test_the_one_used_last_is_always_listed(self) -> None:
        assert Settings(vault="/c", vaults=self.HAS_TWO.vaults).listed[-1] == Vault("/c")
        assert self.HAS_TWO.listed == self.HAS_TWO.vaults

    def test_the_previous_one_stays_in_the_list(self) -> None:
        chosen = Settings(vault="/old").with_vault(Path("/new"))
        assert (chosen.vault, chosen.vaults) == ("/new", (Vault("/old"), Vault("/new")))
        assert chosen.with_vault(Path("/old")).vaults == chosen.vaults

    def test_removing_the_current_one_selects_the_next(self) -> None:
        left = self.HAS_TWO.without_vault("/b")
        assert (left.vault, left.vaults) == ("/a/notes", (Vault("/a/notes"),))
        assert left.without_vault("/a/notes") == Settings()
        assert self.HAS_TWO.without_vault("/a/notes").vault == "/b"

    def test_can_be_renamed(self) -> None:
        named = self.HAS_TWO.with_name("/a/notes", "Home")
        assert named.folder("home") == Path("/a/notes")
        assert [vault.label for vault in named.with_name("/b", "").listed] == ["Home", "b"]


COMMENTED = """\
# My settings

theme = "dark"  # easy on the eyes

# Folders I never search
ignore = ["drafts", ".*"]

[of_a_later_version]
key = 1  # leave it
"""


_TYPED = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
"""Text of any kind but NUL, which no setting may hold."""


class TestSaving:
    def test_loading_returns_what_was_saved(self, paths: Paths) -> None:
        chosen = Settings(
            vault="/notes/“mine”",
            vaults=(Vault("/notes/“mine”", "Mine"), Vault("/work")),
            all_vaults=True,
            ignore=("a*",),
            suffixes=(".txt",),
            other_files=False,
            max_note_bytes=1,
            follow_links=True,
            code_blocks=False,
            language="de",
            paused=True,
            meaning=False,
            model="model",
            reranker="owner/reranker",
            reranker_ms=900,
            passage_tokens=128,
            passage_overlap=10,
            results=50,
            newest_first=True,
            learning=False,
            prefer_recent=True,
            preferred_folders=("journal",),
            related_tag=False,
            theme="light",
            text_size=125,
            density="compact",
            snippets=False,
            preview_font="serif",
            dialect="mkdocs",
            editor="vi {path}",
            second_editor="obsidian",
            copied_link="obsidian",
            close_to_tray=True,
            asked_to_stay=True,
            quick_shortcut="F9",
            quick_keep_s=-1,
            quick_hides=False,
            quick_escape_hides=True,
            quick_screen="primary",
        )
        default = Settings()
        for field in fields(chosen):
            assert getattr(chosen, field.name) != getattr(default, field.name), field.name
        chosen.save(paths)
        assert Settings.load(paths) == chosen

    @given(
        chosen=st.builds(
            Settings,
            vault=_TYPED.map(lambda text: text and str(expanded(text))),
            ignore=st.tuples(_TYPED),
            editor=_TYPED,
            max_note_bytes=st.integers(1, 2**40),
            follow_links=st.booleans(),
        )
    )
    def test_any_text_survives(
        self, tmp_path_factory: pytest.TempPathFactory, chosen: Settings
    ) -> None:
        paths = Paths.choose(tmp_path_factory.getbasetemp() / "any")
        chosen.save(paths)
        assert Settings.load(paths) == chosen

    def test_keeps_comments_and_unknown_keys(self, paths: Paths) -> None:
        put(paths, COMMENTED)
        Settings.load(paths).with_vault(Path("/notes")).save(paths)
        text = paths.settings_file.read_text()
        for line in COMMENTED.splitlines():
            assert line in text
        assert Settings.load(paths) == Settings(
            vault="/notes", vaults=(Vault("/notes"),), theme="dark", ignore=("drafts", ".*")
        )
        before = text
        Settings.load(paths).save(paths)
        assert paths.settings_file.read_text() == before

    def test_only_changed_settings_are_written(self, paths: Paths) -> None:
        put(paths, 'theme = "purple"  # hm\n')
        Settings(text_size=125).write(paths, ["text_size"])
        assert paths.settings_file.read_text() == 'theme = "purple"  # hm\ntext_size = 125\n'
        assert [file.name for file in paths.config.iterdir()] == ["settings.toml"]

    def test_a_number_instead_of_a_boolean_is_replaced(self, paths: Paths) -> None:
        put(paths, "follow_links = 1\n")
        Settings(follow_links=True).write(paths, ["follow_links"])
        assert Settings.load(paths).follow_links

    @pytest.mark.parametrize(
        "text",
        [
            'vaults = [{path = "/a", name = "A"}]\ntheme = "dark"\n[later]\nk = 1\n',
            '[[vaults]]\npath = "/a"  # mine\nmore = 3\n\n[later]\nk = 1\n',
            '[later]\nk = 1\n[[vaults]]\npath = "/b"\n',
            '[vaults]\npath = "/a"\n[later]\nk = 1\n',
            "vaults = 3\n[later]\nk = 1\n",
        ],
    )
    @pytest.mark.parametrize("wanted", [(), ("/a",), ("/b", "/a")])
    def test_the_list_of_vaults_replaces_any_other_value(
        self, paths: Paths, text: str, wanted: tuple[str, ...]
    ) -> None:
        put(paths, text)
        chosen = replace(Settings.read(paths).settings, vaults=tuple(map(Vault, wanted)))
        chosen.write(paths, ["vaults"])
        written = paths.settings_file.read_text()
        assert Settings.load(paths) == chosen
        assert tomllib.loads(written)["later"] == {"k": 1}
        if "/a" in wanted and "mine" in text:
            assert 'path = "/a"  # mine\nmore = 3\n' in written

    def test_vaults_added_one_by_one_leave_one_blank_line_between_them(self, paths: Paths) -> None:
        put(paths, '# mine\ntheme = "dark"\n\n[[vaults]]\npath = "/a"  # first\n')
        for name in ("/b", "/c", "/d"):
            Settings.load(paths).with_vault(Path(name)).write(paths, ["vaults"])
        Settings.load(paths).without_vault("/d").write(paths, ["vaults"])
        assert paths.settings_file.read_text() == (
            '# mine\ntheme = "dark"\n\n[[vaults]]\npath = "/a"  # first\n'
            '\n[[vaults]]\npath = "/b"\n\n[[vaults]]\npath = "/c"\n'
        )

    def test_the_permissions_of_the_file_stay(self, paths: Paths) -> None:
        put(paths, "")
        paths.settings_file.chmod(0o600)
        Settings(theme="dark").save(paths)
        assert paths.settings_file.stat().st_mode & 0o777 == 0o600

    def test_a_broken_file_is_kept(self, paths: Paths) -> None:
        put(paths, "theme = dark  # oops\n")
        Settings(theme="dark").save(paths)
        assert Settings.load(paths).theme == "dark"
        kept = paths.settings_file.with_name("settings.toml.broken")
        assert kept.read_text() == "theme = dark  # oops\n"

    def test_a_vault_with_an_invalid_name(self, paths: Paths) -> None:
        vault = Path(os.fsdecode(b"/caf\xe9"))
        with pytest.raises(SettingsError, match="a name in them is not valid Unicode"):
            Settings().with_vault(vault).save(paths)
        assert Settings.load(paths) == Settings()

    @pytest.mark.parametrize("mistake", ['theme = "purple"', "max_note_bytes = 'much'"])
    def test_a_file_with_a_mistake_is_kept(self, paths: Paths, mistake: str) -> None:
        put(paths, f'editor = "vi"\n{mistake}\n')
        Settings().save(paths)
        assert Settings.load(paths) == Settings()
        kept = paths.settings_file.with_name("settings.toml.broken")
        assert kept.read_text() == f'editor = "vi"\n{mistake}\n'

    def test_follows_a_link(self, paths: Paths, tmp_path: Path) -> None:
        paths.config.mkdir(parents=True)
        (tmp_path / "dotfiles.toml").write_text(COMMENTED)
        (tmp_path / "dotfiles.toml").chmod(0o640)
        paths.settings_file.symlink_to(tmp_path / "dotfiles.toml")
        Settings(theme="light").save(paths)
        assert paths.settings_file.is_symlink()
        assert (tmp_path / "dotfiles.toml").stat().st_mode & 0o777 == 0o640
        assert 'theme = "light"' in (tmp_path / "dotfiles.toml").read_text()

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
    @pytest.mark.parametrize("make", UNREADABLE)
    def test_anything_in_its_place_is_named_and_left(
        self, paths: Paths, make: Callable[[Path], None]
    ) -> None:
        paths.config.mkdir(parents=True)
        make(paths.settings_file)
        found = Settings.read(paths)
        assert found.settings == Settings()
        is_there = paths.settings_file.exists() or make is link_to_itself
        assert bool(found.problems) == is_there
        with contextlib.suppress(SettingsError):
            Settings(theme="dark").save(paths)
            assert not is_there
            assert Settings.load(paths).theme == "dark"

    def test_never_makes_a_file_that_would_not_be_read(self, paths: Paths) -> None:
        vaults = tuple(Vault(f"/notes/{number:0100}") for number in range(1_500))
        Settings(theme="dark").save(paths)
        with pytest.raises(SettingsError, match="Larger than 131,072 bytes"):
            Settings(vaults=vaults).save(paths)
        assert Settings.load(paths) == Settings(theme="dark")

    def test_leaves_no_draft(self, paths: Paths) -> None:
        Settings().save(paths)
        assert [file.name for file in paths.config.iterdir()] == ["settings.toml"]

    def test_is_all_or_nothing(self, paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
        put(paths, COMMENTED)

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(SettingsError, match="cannot be written: No space left on device"):
            Settings(theme="light").save(paths)
        assert paths.settings_file.read_text() == COMMENTED

    def test_another_process_may_write_meanwhile(
        self, paths: Paths, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(paths, COMMENTED)
        other = """
import sys
from notesearch.config import Paths, Settings
Settings(editor="vi").save(Paths.choose(sys.argv[1]))
"""

        def other_writes(_: int) -> None:
            monkeypatch.undo()
            subprocess.run([sys.executable, "-c", other, str(home)], check=True)

        monkeypatch.setattr(os, "fsync", other_writes)
        Settings(theme="light").save(paths)
        assert Settings.load(paths).theme == "light"

    def test_a_read_only_folder_is_an_error(self, paths: Paths) -> None:
        paths.config.parent.mkdir(parents=True)
        with (
            denied(paths.config.parent, 0o500),
            pytest.raises(SettingsError, match="cannot be written: Permission denied"),
        ):
            Settings().save(paths)
