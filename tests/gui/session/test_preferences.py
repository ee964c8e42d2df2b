"""Settings while the program runs: choices reach the file, and changes of the file take effect."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.gui.session.preferences import Preferences
from tests.file_permissions import denied
from tests.limits import WAIT_S


@pytest.fixture
def paths(home: Path) -> Paths:
    paths = Paths.choose(home)
    paths.config.mkdir(parents=True)
    return paths


@pytest.fixture
def preferences(qtbot: QtBot, paths: Paths) -> Iterator[Preferences]:
    put(paths, 'theme = "dark"  # easy on the eyes\nresults = 50\n')
    made = Preferences(Settings.load(paths), paths)
    yield made
    made.close()


def put(paths: Paths, text: str) -> None:
    """Write the file as most editors do: another file first, which then replaces it."""
    draft = paths.config / "draft"
    draft.write_text(text)
    draft.replace(paths.settings_file)


def test_a_choice_takes_effect_and_is_written(qtbot: QtBot, preferences: Preferences) -> None:
    with qtbot.waitSignal(preferences.changed) as told:
        preferences.change(theme="light", results=50)
    assert told.args == [{"theme"}]
    assert preferences.settings == Settings(theme="light", results=50)
    preferences.close()
    text = preferences.paths.settings_file.read_text()
    assert text == 'theme = "light"  # easy on the eyes\nresults = 50\n'


def test_a_choice_takes_effect_before_it_is_written(
    qtbot: QtBot, preferences: Preferences, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, write = Event(), Settings.write

    def slowly(*given: Any) -> None:
        disk.wait(WAIT_S)
        write(*given)

    monkeypatch.setattr(Settings, "write", slowly)
    preferences.change(theme="light")
    assert preferences.settings.theme == "light"
    preferences.read_file()  # what the file says is older: it changes nothing back
    preferences.change(theme="system", results=60)
    preferences.change(theme="light")
    assert preferences.settings == Settings(theme="light", results=60)
    assert Settings.load(preferences.paths) == Settings(theme="dark", results=50)
    disk.set()
    chosen = Settings(theme="light", results=60)
    qtbot.waitUntil(lambda: Settings.load(preferences.paths) == chosen)
    with qtbot.waitSignal(preferences.changed) as told:  # and the file is followed as before
        put(preferences.paths, 'theme = "light"\nresults = 70\n')
    assert told.args == [{"results"}]


def test_choosing_the_current_value_emits_nothing(qtbot: QtBot, preferences: Preferences) -> None:
    with qtbot.assertNotEmitted(preferences.changed):
        preferences.change(theme="dark")


def test_changes_of_the_file_take_effect(qtbot: QtBot, preferences: Preferences) -> None:
    with qtbot.waitSignal(preferences.changed) as told:
        put(preferences.paths, 'theme = "dark"\nresults = 80\neditor = "vi"\n')
    assert told.args == [{"results", "editor"}]
    with qtbot.waitSignal(preferences.changed) as told:  # and again: it is another file now
        preferences.paths.settings_file.write_text('theme = "dark"\nresults = 80\n')
    assert (told.args, preferences.settings.editor) == ([{"editor"}], "")


def test_changes_of_a_file_created_later_take_effect(qtbot: QtBot, paths: Paths) -> None:
    preferences = Preferences(Settings(), paths)
    with qtbot.waitSignal(preferences.changed):
        put(paths, 'theme = "dark"\n')
    assert preferences.settings.theme == "dark"


def test_the_file_is_not_read_after_the_end(qtbot: QtBot, preferences: Preferences) -> None:
    preferences.change(theme="light")
    with qtbot.assertNotEmitted(preferences.changed, wait=400):
        preferences.close()
        preferences.paths.settings_file.unlink()
    assert preferences.settings.theme == "light"


def test_changes_of_a_linked_file_take_effect(qtbot: QtBot, paths: Paths, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "notesearch.toml").write_text("")
    paths.settings_file.symlink_to(dotfiles / "notesearch.toml")
    preferences = Preferences(Settings(), paths)
    (dotfiles / "draft").write_text('theme = "dark"\n')
    with qtbot.waitSignal(preferences.changed):
        (dotfiles / "draft").replace(dotfiles / "notesearch.toml")
    assert preferences.settings.theme == "dark"


def test_invalid_values_change_nothing(qtbot: QtBot, preferences: Preferences) -> None:
    with qtbot.waitSignal(preferences.problems_changed):
        put(preferences.paths, 'theme = "purple"\nresults = 50\n')
    assert preferences.settings.theme == "dark"
    assert preferences.problems.keys() == {"theme"}
    with qtbot.waitSignal(preferences.changed):  # another choice leaves the word to its author
        preferences.change(results=60)
    assert 'theme = "purple"' in preferences.paths.settings_file.read_text()
    with qtbot.waitSignal(preferences.problems_changed):
        preferences.change(theme="light")
    assert preferences.problems == {}
    assert Settings.load(preferences.paths) == Settings(theme="light", results=60)


def test_a_corrected_value_takes_effect(qtbot: QtBot, preferences: Preferences) -> None:
    with qtbot.waitSignal(preferences.problems_changed):
        put(preferences.paths, 'theme = "purple"\nresults = 50\n')
    with qtbot.waitSignal(preferences.changed):
        put(preferences.paths, 'theme = "system"\nresults = 50\n')
    assert (preferences.settings.theme, preferences.problems) == ("system", {})


def test_invalid_toml_changes_nothing(qtbot: QtBot, preferences: Preferences) -> None:
    with qtbot.waitSignal(preferences.problems_changed):
        put(preferences.paths, "theme = \n")
    assert preferences.settings == Settings(theme="dark", results=50)
    assert "cannot be read" in preferences.problems[""]


def test_a_choice_replaces_invalid_toml_by_all_settings(
    qtbot: QtBot, preferences: Preferences
) -> None:
    with qtbot.waitSignal(preferences.problems_changed):
        put(preferences.paths, "theme = [\n")
    with qtbot.waitSignal(preferences.problems_changed):  # and it is looked at again
        preferences.change(density="compact")
    preferences.read_file()
    chosen = Settings(theme="dark", results=50, density="compact")
    assert preferences.settings == chosen == Settings.load(preferences.paths)
    kept = preferences.paths.settings_file.with_name("settings.toml.broken")
    assert kept.read_text() == "theme = [\n"


def test_settings_given_at_the_start_override_the_file(
    qtbot: QtBot, preferences: Preferences
) -> None:
    given = Preferences(Settings(model="none"), preferences.paths)
    with qtbot.waitSignal(given.changed):
        put(preferences.paths, 'theme = "light"\nresults = 50\n')
    assert given.settings == Settings(model="none", theme="light")


def test_a_choice_that_cannot_be_written_takes_effect_anyway(
    qtbot: QtBot, preferences: Preferences, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        denied(preferences.paths.config, 0o500),
        qtbot.waitSignal(preferences.failed) as told,
    ):
        preferences.change(theme="light")
    assert preferences.settings.theme == "light"
    assert "cannot be written" in told.args[0]
    assert told.args[0] in caplog.text
