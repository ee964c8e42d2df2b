"""All that is photographed: each state as somebody would come to it, and again in other places."""

from collections.abc import Collection
from dataclasses import replace

from tests.screens.other_windows import OTHER_WINDOWS
from tests.screens.searching import SEARCHING
from tests.screens.state import Desk, State
from tests.screens.troubles import TROUBLES

_STATES = (*SEARCHING, *TROUBLES, *OTHER_WINDOWS)
_GERMAN = {
    "main", "actions", "none", "menu", "narrow", "smallest", "keys", "about", "first", "missing",
    "full", "no-index", "damaged", "indexing", "unread-list", "editor-failed", "words-only",
    "other-indexes", "paused", "quick", "quick-recents", "quick-failed", "tray",
    *(state.name for state in OTHER_WINDOWS if state.name.startswith("settings-")),
}  # fmt: skip
_REVERSED = {
    "main", "parent", "outline", "actions", "menu", "digits", "narrow", "first", "missing",
    "kinds", "right-to-left", "quick", "quick-recents", "tray", "settings-search",
    "settings-notes", "keys",
}  # fmt: skip


def _elsewhere(place: str, names: Collection[str], **different: object) -> list[State]:
    """Return the states called ``names``, seen on another desktop."""
    chosen = [state for state in _STATES if state.name in names]
    return [
        replace(one, name=f"{place}-{one.name}", sketch="", desk=replace(one.desk, **different))  # type: ignore[arg-type]
        for one in chosen
    ]


STATES = (
    *_STATES,
    *_elsewhere("german", _GERMAN, locale="de_DE"),
    *_elsewhere("reversed", _REVERSED, reverse=True),
)

__all__ = ["STATES", "Desk", "State"]
