"""Pictures of the other windows: quick search, the menu of the tray, and the settings."""

import contextlib
import re
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from notesearch.config import Settings
from notesearch.gui.quick.quick_search import QuickSearch
from notesearch.gui.settings.models_page import ModelsPage
from notesearch.gui.settings.settings_dialog import SettingsDialog
from notesearch.gui.system.global_shortcut import PROPOSED
from notesearch.gui.system.portal_shortcut import PortalShortcut
from notesearch.gui.translation import translate
from tests.gui import private_bus
from tests.screens.searching import FOOD, dialog, open_some
from tests.screens.stage import Pictures, Stage
from tests.screens.state import Desk, Shoot, State
from tests.screens.troubles import tray_indexing

_SMALL = Desk(points=30.0, screen=(1366, 768))
_OPENS = Settings(editor="true {path}")
PAGES = ("Notes", "Search", "Models", "Quick search", "Editor", "Appearance", "About")


def quick(*keys: str, query: str = FOOD, settings: Settings = _OPENS) -> Shoot:
    """Return a function that types into quick search and presses keys."""

    def shoot(stage: Stage) -> Pictures:
        stage.start(stage.notes(), settings)
        shown = _shown(stage)
        page = shown.window.page
        before = page.page
        stage.type(query)
        stage.until(lambda: shown.pane.preview.content is not None or page.page != before)
        stage.settle(1_500)
        stage.press(*keys)
        return stage.picture(shown.window)

    return shoot


def _digits(stage: Stage) -> Pictures:
    stage.start(stage.notes(), _OPENS)
    shown = _shown(stage)
    stage.type(FOOD)
    stage.until(lambda: shown.pane.preview.content is not None)
    stage.hold_alt()
    return stage.picture(shown.window)


def _shown(stage: Stage) -> QuickSearch:
    quick = stage.desktop.quick
    quick.show()
    stage.until(quick.window.isActiveWindow)
    return quick


def _ready(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    shown = _shown(stage)
    stage.settle(1_000)
    return stage.picture(shown.window)


def _without_folder(stage: Stage) -> Pictures:
    stage.start(None)
    shown = _shown(stage)
    stage.settle(1_000)
    return stage.picture(shown.window)


def quick_recents(stage: Stage) -> Pictures:
    """Open quick search after some sections were opened."""
    stage.start(stage.notes(), _OPENS)
    open_some(stage)
    shown = _shown(stage)
    stage.settle(1_000)
    return stage.picture(shown.window)


def settings(title: str) -> Shoot:
    """Return a function that shows a page of the settings."""

    def shoot(stage: Stage) -> Pictures:
        stage.start(stage.notes())
        return stage.picture(_turned_to(stage, title))

    return shoot


def _turned_to(stage: Stage, title: str) -> SettingsDialog:
    stage.app.actions.settings.trigger()
    shown = next(w for w in QApplication.topLevelWidgets() if isinstance(w, SettingsDialog))
    shown.show_page(translate(title))
    stage.settle(1_000)
    return shown


def _unreadable_value(stage: Stage) -> Pictures:
    """Write invalid values into the settings file."""
    stage.start(stage.notes())
    file = stage.paths.settings_file
    file.write_text(re.sub("(?m)^results = .*", 'results = "many"', file.read_text()))
    stage.app.preferences.read_file()
    stage.settle()
    return stage.picture(_turned_to(stage, "Search"))


def _model_missing(stage: Stage) -> Pictures:
    """Look up a model that does not exist: the error appears below the field."""
    stage.start(stage.notes())
    shown = _turned_to(stage, "Models")
    page = shown.page
    assert isinstance(page, ModelsPage)
    page.another.setFocus()
    stage.type("./nosuchfolder")
    stage.press("Return")
    job = page.another_job
    stage.until(lambda: bool(job.outcome.text()) and job.bar.isHidden())
    return stage.picture(shown)


def licences(stage: Stage) -> Pictures:
    """Show the licences of all parts."""
    stage.start(stage.notes())
    about = _turned_to(stage, "About")
    named = translate("All licences…")
    next(b for b in about.page.findChildren(QPushButton) if b.text() == named).click()
    stage.settle(3_000)
    return stage.picture(dialog())


@contextlib.contextmanager
def _granted(stage: Stage) -> Iterator[None]:
    """Let a portal, on a bus of its own, give the program its shortcut."""
    with pytest.MonkeyPatch.context() as surroundings:
        bus = private_bus.started(stage.folder, surroundings)
        next(bus)
        portals = private_bus.portals()
        next(portals)()
        flow = stage.desktop.shortcut
        flow._make = PortalShortcut
        flow.choose(PROPOSED)
        stage.until(lambda: flow.is_active)
        yield
        flow.close()
        for started in (portals, bus):
            next(started, None)


def tray(stage: Stage) -> Pictures:
    """Open the menu of the tray icon while quick search has a shortcut."""
    stage.start(stage.notes())
    with _granted(stage):
        return stage.tray_menu()


def _shortcut(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    with _granted(stage):
        return stage.picture(_turned_to(stage, "Quick search"))


OTHER_WINDOWS = (
    State("quick", "quick", quick()),
    State("quick-actions", "", quick("Ctrl+K")),
    State("quick-outline", "", quick("Ctrl+Shift+O")),
    State("quick-digits", "", _digits),
    State("quick-none", "", quick(query="xyzzy")),
    State("quick-failed", "", quick("Return", settings=Settings(editor="nosuchprogram {path}"))),
    State("quick-ready", "", _ready),
    State("quick-no-folder", "", _without_folder),
    State("quick-recents", "quickready", quick_recents),
    State("quick-large", "var/big_quick.png", quick(), Desk(points=14.0)),
    State("quick-three-times", "", quick(), Desk(points=30.0)),
    State("quick-three-times-small", "", quick(), _SMALL),
    State("quick-contrast", "", quick(), Desk(contrast=True)),
    State("tray", "tray", tray),
    State("tray-indexing", "tray", tray_indexing),
    *(
        State(f"settings-{title.lower().replace(' ', '-')}", "settings", settings(title))
        for title in PAGES
    ),
    State("settings-three-times-small", "", settings("Models"), _SMALL),
    State("settings-shortcut", "", _shortcut),
    State("settings-unreadable", "", _unreadable_value),
    State("settings-model-missing", "", _model_missing),
    State("licences", "", licences),
)
