"""Finds sections of notes in Albert: type ``n `` and what you look for."""

import time
from collections.abc import Iterator
from pathlib import Path

from albert import (
    Action,
    GeneratorQueryHandler,
    Icon,
    Item,
    PluginInstance,
    QueryContext,
    StandardItem,
    makeThemeIcon,
    runDetachedProcess,
)

from .notesearch_client import (  # noqa: TID252 - Albert chooses the package's name
    RunningSearch,
    SearchError,
    Section,
    opening,
)

md_iid = "5.0"
md_version = "1.0"
md_name = "notesearch"
md_description = "Find sections in your notes"
md_license = "MIT"
md_authors = ["The notesearch authors"]

_PAUSE_S = 0.15
"""How long no key is pressed before a query is sent."""


class Plugin(PluginInstance, GeneratorQueryHandler):  # type: ignore[misc]  # Albert has no types
    """The plug-in. Albert makes one."""

    def __init__(self) -> None:
        PluginInstance.__init__(self)
        GeneratorQueryHandler.__init__(self)
        self._search = RunningSearch()

    def __del__(self) -> None:
        """End the search; Albert unloads the plug-in."""
        self._search.close()

    def defaultTrigger(self) -> str:  # noqa: N802 - Albert's name
        """Return what begins a query for this plug-in."""
        return "n "

    def synopsis(self, _query: str) -> str:
        """Return the hint that is shown behind the trigger."""
        return "words or meaning"

    def items(self, context: QueryContext) -> Iterator[list[Item]]:
        """Yield one list of results, unless the query was changed in the meantime."""
        time.sleep(_PAUSE_S)
        if not context.isValid:
            return
        try:
            found = [_item(section) for section in self._search.ask(context.query)]
        except SearchError as error:
            found = [StandardItem("error", md_name, str(error), _icon, [])]
        if found and context.isValid:
            yield found


def _item(section: Section) -> Item:
    command = opening(section.vault, section.place)
    folder = str(Path(section.vault, section.place.rpartition(":")[0]).parent)
    actions = [
        Action("open", "Open at the line", lambda: runDetachedProcess(command)),
        Action("folder", "Open the folder", lambda: runDetachedProcess(["xdg-open", folder])),
    ]
    return StandardItem(section.place, section.name, section.text, _icon, actions)


def _icon() -> Icon:
    return makeThemeIcon("org.notesearch.Notesearch")
