"""A private D-Bus session bus for one test."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Process = subprocess.Popen[str]
StartPortal = Callable[..., Process]
"""The fixture ``portal``: starts a mock portal with the given quirks."""

CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen>{services}<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>
"""


def started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, services: Path | None = None
) -> Iterator[str]:
    """Start a bus, which starts the ``services`` of a folder when called; yield its address."""
    config, address = tmp_path / "bus.conf", f"unix:path={tmp_path}/bus"
    folder = f"<servicedir>{services}</servicedir>" if services else ""
    config.write_text(CONFIG.format(path=tmp_path / "bus", services=folder))
    command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        assert daemon.stdout.readline().startswith(address)
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address
        daemon.terminate()


def portals() -> Iterator[StartPortal]:
    """Yield a function that starts a mock portal on the bus."""
    running: list[Process] = []

    def start(*manners: str) -> Process:
        command = [sys.executable, str(Path(__file__).with_name("mock_portal.py")), *manners]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        running.append(process)
        assert next_line(process) == "ready"
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def next_line(portal: Process) -> str:
    """Return the next line that the portal printed."""
    assert portal.stdout is not None
    return portal.stdout.readline().strip()


def do(what: str) -> None:
    """Call a method of ``mock_portal``, as if the user did something."""
    from jeepney import DBusAddress, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    from tests.gui import mock_portal

    at = DBusAddress(mock_portal.PATH, mock_portal.NAME, "test.User")
    with open_dbus_connection("SESSION") as connection:
        connection.send_and_get_reply(new_method_call(at, what))
