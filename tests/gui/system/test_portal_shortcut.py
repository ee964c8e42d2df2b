"""The shortcut on Wayland, on a private bus with a mock portal."""

import configparser
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

jeepney = pytest.importorskip("jeepney")

from notesearch.config import resources  # noqa: E402
from notesearch.gui.system import portal_shortcut  # noqa: E402
from notesearch.gui.system.desktop_entry import make_known  # noqa: E402
from notesearch.gui.system.global_shortcut import Keys, Kind, Remedy, parse_keys  # noqa: E402
from notesearch.gui.system.portal_shortcut import PortalShortcut, trigger  # noqa: E402
from notesearch.gui.system.single_instance import APP_ID  # noqa: E402
from tests.gui.private_bus import StartPortal, do, next_line  # noqa: E402

KEYS = Keys("Space", ("Ctrl", "Shift"))


@pytest.fixture(autouse=True)
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "system"))
    return tmp_path / "data"


@pytest.fixture
def shortcut(qtbot: QtBot) -> Iterator[PortalShortcut]:
    asked = PortalShortcut()
    yield asked
    asked.close()


def granted(qtbot: QtBot, shortcut: PortalShortcut) -> None:
    """Register the keys and wait until they are active."""
    shortcut.grab(KEYS)
    settled(qtbot, shortcut, Kind.ACTIVE)


def settled(qtbot: QtBot, shortcut: PortalShortcut, kind: Kind) -> None:
    qtbot.waitUntil(lambda: shortcut.state.kind is kind)


@pytest.mark.parametrize(
    ("keys", "written"),
    [
        ("Ctrl+Shift+Space", "CTRL+SHIFT+space"),
        ("Meta+N", "LOGO+n"),
        ("Alt+PgUp", "ALT+Page_Up"),
        ("F9", "F9"),
    ],
)
def test_keys_in_the_portals_notation(keys: str, written: str) -> None:
    found = parse_keys(keys)
    assert found is not None
    assert trigger(found) == written


def test_the_program_registers_before_it_asks(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut
) -> None:
    running = portal("strict")
    shortcut.grab(KEYS)
    assert shortcut.state.kind is Kind.WAITING
    settled(qtbot, shortcut, Kind.ACTIVE)
    assert (shortcut.state.keys, shortcut.state.remedy) == ("Ctrl+Shift+Space", Remedy.CONFIGURE)
    assert [next_line(running) for _ in range(3)] == [
        f"Register {APP_ID}",
        "CreateSession",
        "BindShortcuts quick-search CTRL+SHIFT+space",
    ]


@pytest.mark.parametrize("manners", [["no-registry"], ["hasty", "strict"], ["old"]])
def test_different_portals_work(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut, manners: list[str]
) -> None:
    portal(*manners)
    granted(qtbot, shortcut)


def test_a_key_press_carries_an_activation_token(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut
) -> None:
    portal("strict")
    granted(qtbot, shortcut)
    with qtbot.waitSignal(shortcut.pressed) as pressed:
        do("Press")
    assert pressed.args == ["token-quick-search"], "not those of other programs"


def test_the_user_can_choose_other_keys_in_the_desktop(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut
) -> None:
    portal()
    granted(qtbot, shortcut)
    with qtbot.waitSignal(shortcut.changed):
        shortcut.configure()
    assert shortcut.state.sentence == "Active: Super+N opens quick search from anywhere."


def test_without_a_dialog_the_settings_are_described(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut
) -> None:
    portal("old")
    granted(qtbot, shortcut)
    with qtbot.waitSignal(shortcut.changed):
        shortcut.configure()
    assert "desktop’s keyboard settings" in shortcut.state.sentence


def test_asking_again_closes_the_previous_session(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut
) -> None:
    running = portal("strict")
    granted(qtbot, shortcut)
    shortcut.grab(Keys("N", ("Meta",)))
    settled(qtbot, shortcut, Kind.ACTIVE)
    assert [next_line(running) for _ in range(7)][3:] == [
        "Close",
        f"Register {APP_ID}",
        "CreateSession",
        "BindShortcuts quick-search LOGO+n",
    ]


def test_a_restarted_portal_is_asked_again(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut
) -> None:
    first = portal("strict")
    granted(qtbot, shortcut)
    first.kill()
    settled(qtbot, shortcut, Kind.WAITING)
    second = portal("strict")
    settled(qtbot, shortcut, Kind.ACTIVE)
    assert next_line(second) == f"Register {APP_ID}"
    with qtbot.waitSignal(shortcut.pressed):
        do("Press")


@pytest.mark.parametrize(
    ("manners", "remedy", "words"),
    [
        (["refuse"], Remedy.TRY_AGAIN, "was declined"),
        (["no-key"], Remedy.CONFIGURE, "has not assigned a key to the shortcut"),
        (["no-registry", "strict"], Remedy.CHOOSE, "notesearch quick"),
    ],
)
def test_refusals_of_the_desktop(
    qtbot: QtBot,
    portal: StartPortal,
    shortcut: PortalShortcut,
    manners: list[str],
    remedy: Remedy,
    words: str,
) -> None:
    portal(*manners)
    shortcut.grab(KEYS)
    settled(qtbot, shortcut, Kind.UNAVAILABLE)
    assert shortcut.state.remedy is remedy
    assert words in shortcut.state.sentence


def test_a_silent_portal_times_out(
    qtbot: QtBot,
    portal: StartPortal,
    shortcut: PortalShortcut,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    portal("mute")
    monkeypatch.setattr(portal_shortcut, "_PATIENCE_S", 0.05)
    shortcut.grab(KEYS)
    settled(qtbot, shortcut, Kind.UNAVAILABLE)
    assert "does not answer" in shortcut.state.sentence


@pytest.mark.parametrize("end", ["EndSession", "SendNonsense"])
def test_a_closed_session_and_a_malformed_message_are_reported(
    qtbot: QtBot, portal: StartPortal, shortcut: PortalShortcut, end: str
) -> None:
    portal()
    granted(qtbot, shortcut)
    do(end)
    settled(qtbot, shortcut, Kind.UNAVAILABLE)


def test_without_a_portal_there_is_no_shortcut(
    qtbot: QtBot, bus: str, shortcut: PortalShortcut
) -> None:
    shortcut.grab(KEYS)
    settled(qtbot, shortcut, Kind.UNAVAILABLE)
    assert shortcut.state.remedy is Remedy.CHOOSE


@pytest.mark.parametrize("address", ["unix:path=/nowhere/bus", "nonsense", ""])
def test_without_a_bus_there_is_no_shortcut(
    qtbot: QtBot, shortcut: PortalShortcut, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    shortcut.grab(KEYS)
    settled(qtbot, shortcut, Kind.UNAVAILABLE)


class TestDesktopEntry:
    def read(self, file: Path) -> configparser.RawConfigParser:
        entry = configparser.RawConfigParser(interpolation=None)
        assert entry.read(file, encoding="utf-8")
        return entry

    def test_it_is_written_unless_installed(self, data_home: Path) -> None:
        make_known()
        entry = self.read(data_home / "applications" / f"{APP_ID}.desktop")
        program = f'"{sys.executable}" "-P" "-m" "notesearch" open'
        assert entry["Desktop Entry"]["Exec"].endswith(program)
        assert entry["Desktop Action quick"]["Exec"].endswith('"notesearch" quick')

    def test_an_installed_entry_is_kept(self, data_home: Path, tmp_path: Path) -> None:
        folder = tmp_path / "system" / "applications"
        folder.mkdir(parents=True)
        shipped = resources() / "applications" / f"{APP_ID}.desktop"
        shutil.copy(shipped, folder)
        make_known()
        assert not data_home.exists()
        assert self.read(shipped)["Desktop Entry"]["Exec"] == "notesearch open"

    def test_a_failed_write_is_ignored(self, data_home: Path) -> None:
        data_home.touch()
        make_known()
