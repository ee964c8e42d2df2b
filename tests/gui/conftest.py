"""Fixtures for real windows on real folders. No thread of Qt may outlive its test."""

import gc
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QThread
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

from notesearch.config import Paths, Settings
from notesearch.gui import translation
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.window.main_window import FirstPaint
from tests.gui import private_bus
from tests.gui.fixture_types import StartApp, StartQuick
from tests.gui.mock_tray import MockTray
from tests.gui.opened_files import OpenedFiles, OpenedLinks
from tests.gui.preview_contents import patient_drawings
from tests.gui.private_bus import StartPortal

TRIP = """# Trip to Japan

Two weeks in April.

## Kyoto

Four nights near the river.

### Food

The stalls open before nine and the food is still warm.

### Day 3

Rain until noon, lunch in the food hall.

### Temples

Go at opening time.

## Packing

### Snacks

Plane food is bad on this route.

### Shoes

One pair, and food for the moths stays at home.
"""

RECIPES = """# Recipes

## Pickles

Goes with any fried food.

## Dashi

Base for miso soup.
"""

BUDGET = "## Meals\n\nFood 4,500 yen a day, coffee 600.\n"


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["notesearch"]


@pytest.fixture(autouse=True, scope="package")
def nothing_old_is_collected() -> Iterator[None]:
    """Let the collector skip objects older than the first window, which makes it quick.

    It runs in the GUI thread when a test with windows ends, and never in the middle of one.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True, scope="package")
def english(qapp: QApplication) -> None:
    """Show the windows in English, whatever the locale."""
    translation.install(qapp, QLocale("en_US"))


@pytest.fixture(autouse=True)
def no_window_or_thread_is_left_behind(
    request: pytest.FixtureRequest, qapp: QApplication
) -> Iterator[None]:
    """Collect what a test with windows leaves, and fail the test if a thread of Qt still runs.

    What is left then is older than the next window, so that neither looks at it again.
    """
    yield
    if "qtbot" not in request.fixturenames:
        return
    threads = [o for o in gc.get_objects() if isinstance(o, QThread) and Shiboken.isValid(o)]
    running = [thread for thread in threads if thread.isRunning()]
    assert [thread for thread in running if thread is not qapp.thread()] == []
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def empty_clipboard(qapp: QApplication) -> Iterator[None]:
    """Clear the clipboard: offscreen, Qt crashes at exit over data made by Python."""
    yield
    qapp.clipboard().clear()


@pytest.fixture(scope="module")
def drawings(qapp: QApplication) -> Iterator[DrawingProcess]:
    """The process that draws pictures, for all tests of a file."""
    with patient_drawings() as started:
        yield started


@pytest.fixture
def notes(vault: Path) -> Path:
    """A small vault with something to find."""
    for path, text in {
        "travel/Trip to Japan.md": TRIP,
        "kitchen/Recipes.md": RECIPES,
        "travel/Japan budget.md": BUDGET,
    }.items():
        file = vault / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return vault


@pytest.fixture
def start(qtbot: QtBot, words_only: Settings) -> Iterator[StartApp]:
    """Start the program on a folder and wait until its index is up to date."""
    started: list[App] = []

    def start_app(vault: Path | None, settings: Settings = words_only) -> App:
        app = App(FirstPaint(settings, Paths.choose()))
        started.append(app)
        qtbot.addWidget(app.window)
        with qtbot.waitExposed(app.window):
            app.window.show()
        app.window.activateWindow()
        if vault is None:
            app.start(None)
        else:
            with qtbot.waitSignal(app.vault.idle):
                app.start(vault)
        return app

    yield start_app
    for app in reversed(started):  # each restores the font that it found
        app.close()


@pytest.fixture
def start_quick(start: StartApp, words_only: Settings) -> Iterator[StartQuick]:
    """Start the program with quick search on a folder."""
    started: list[Desktop] = []

    def start_quick(vault: Path | None, settings: Settings = words_only) -> QuickSearch:
        app = start(vault, settings)
        desktop = Desktop(app)
        started.append(desktop)
        return desktop.quick

    yield start_quick
    for desktop in started:
        desktop.close()


@pytest.fixture
def app(start: StartApp, notes: Path) -> App:
    """The program on the small vault, searching by words alone."""
    return start(notes)


@pytest.fixture
def quick(qtbot: QtBot, start_quick: StartQuick, notes: Path) -> QuickSearch:
    """Quick search on the small vault, visible."""
    shown = start_quick(notes)
    shown.show()
    qtbot.waitUntil(shown.window.isActiveWindow)
    return shown


@pytest.fixture
def desktop_tray(monkeypatch: pytest.MonkeyPatch) -> MockTray:
    """A desktop with a tray, which the test may take away."""
    mock = MockTray()
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: mock.is_available)
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _: None)  # offscreen it complains
    return mock


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desktop with programs for two link schemes, text and PDF files."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "system"))
    for folder, name, types in (
        ("system", "mimeinfo.cache", ("x-scheme-handler/obsidian", "text/plain")),
        ("data", "own.desktop", ("x-scheme-handler/vscodium", "application/pdf")),
    ):
        (tmp_path / folder / "applications").mkdir(parents=True)
        file = tmp_path / folder / "applications" / name
        file.write_text("".join(f"{type_}=x.desktop;\n" for type_ in types))


@pytest.fixture
def opened(qapp: QApplication, programs: None) -> Iterator[OpenedFiles]:
    desktop = OpenedFiles()
    QDesktopServices.setUrlHandler("file", desktop, "open")  # type: ignore[arg-type]
    yield desktop
    QDesktopServices.unsetUrlHandler("file")


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A session bus for this test alone."""
    if not shutil.which("dbus-daemon") or sys.platform != "linux":
        pytest.skip("needs dbus-daemon")
    yield from private_bus.started(tmp_path, monkeypatch)


@pytest.fixture
def portal(bus: str) -> Iterator[StartPortal]:
    """Start a portal of a desktop that behaves as named."""
    yield from private_bus.portals()


@pytest.fixture
def links(qapp: QApplication, programs: None) -> Iterator[OpenedLinks]:
    """The desktop as a program for three link schemes, one of which is in no list."""
    taken = OpenedLinks()
    for scheme in ("obsidian", "vscodium", "vscode"):
        QDesktopServices.setUrlHandler(scheme, taken, "open")  # type: ignore[arg-type]
    yield taken
    for scheme in ("obsidian", "vscodium", "vscode"):
        QDesktopServices.unsetUrlHandler(scheme)
