"""GNOME's overview and KRunner, on a private bus that starts the service at the first call."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jeepney import DBusAddress, DBusErrorResponse, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from tests.gui import private_bus
from tests.integrations.conftest import INTEGRATIONS, opened

pytestmark = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="there is no dbus-daemon")

FOLDER = INTEGRATIONS / "desktop_search"
NAME, PATH = "org.notesearch.DesktopSearch", "/org/notesearch/DesktopSearch"
GNOME = DBusAddress(PATH, NAME, "org.gnome.Shell.SearchProvider2")
KRUNNER = DBusAddress(PATH, NAME, "org.kde.krunner1")


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DBusConnection]:
    services = tmp_path / "services"
    services.mkdir()
    text = (FOLDER / f"{NAME}.service").read_text()
    started = f"{sys.executable} {FOLDER}/notesearch_desktop_search.py"
    text = text.replace("/usr/bin/env notesearch-desktop-search", started)
    (services / f"{NAME}.service").write_text(text)
    for _ in private_bus.started(tmp_path, monkeypatch, services):
        with open_dbus_connection("SESSION") as connection:
            yield connection


def ask(bus: DBusConnection, to: DBusAddress, method: str, signature: str, *values: object) -> Any:
    """Call a method and return the values of its answer."""
    return unwrap_msg(bus.send_and_get_reply(new_method_call(to, method, signature, values)))


def test_gnome_finds_describes_and_opens(
    bus: DBusConnection, vault: Path, editor_log: Path
) -> None:
    (found,) = ask(bus, GNOME, "GetInitialResultSet", "as", ["ramen", "bowl"])
    assert len(found) == 1
    ((meta,),) = ask(bus, GNOME, "GetResultMetas", "as", found)
    assert meta["id"] == ("s", found[0])
    assert meta["name"] == ("s", "Japan › Food › Ramen")
    assert meta["description"] == ("s", "A bowl of ramen costs 900 yen & more.")
    assert ask(bus, GNOME, "GetSubsearchResultSet", "asas", found, ["pickled"]) != (found,)
    ask(bus, GNOME, "ActivateResult", "sasu", found[0], ["ramen"], 0)
    assert opened(editor_log) == f"{vault}/travel/japan.md\n9"


def test_krunner_matches_and_runs(bus: DBusConnection, vault: Path, editor_log: Path) -> None:
    assert ask(bus, KRUNNER, "Actions", "") == ([],)
    assert ask(bus, KRUNNER, "Match", "s", "nothinglikeit") == ([],)
    ((match,),) = ask(bus, KRUNNER, "Match", "s", "ramen bowl")
    name, text, _icon, _category, relevance, properties = match
    assert text == "Japan › Food › Ramen"
    assert 0.25 <= relevance <= 1
    assert properties["subtext"] == ("s", "A bowl of ramen costs 900 yen & more.")
    ask(bus, KRUNNER, "Run", "ss", name, "")
    assert opened(editor_log) == f"{vault}/travel/japan.md\n9"


@pytest.mark.parametrize(
    ("method", "signature", "values"),
    [("Guess", "s", ("ramen",)), ("Run", "s", ("{",)), ("Run", "ss", ("no JSON", ""))],
)
def test_what_it_does_not_know_is_an_error(
    bus: DBusConnection, method: str, signature: str, values: tuple[str, ...]
) -> None:
    with pytest.raises(DBusErrorResponse):
        ask(bus, KRUNNER, method, signature, *values)


def test_a_missing_program_is_told_as_a_result(
    bus: DBusConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = {"PATH": "/nowhere"}
    bus.send_and_get_reply(message_bus.UpdateActivationEnvironment(path))
    ((match,),) = ask(bus, KRUNNER, "Match", "s", "ramen")
    assert "install it" in match[-1]["subtext"][1]
