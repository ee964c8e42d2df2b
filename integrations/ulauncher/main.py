"""Finds sections of notes in Ulauncher: type ``n `` and what you look for."""

from ulauncher.api.client.EventListener import EventListener
from ulauncher.api.client.Extension import Extension
from ulauncher.api.shared.action.ExtensionCustomAction import ExtensionCustomAction
from ulauncher.api.shared.action.HideWindowAction import HideWindowAction
from ulauncher.api.shared.action.RenderResultListAction import RenderResultListAction
from ulauncher.api.shared.event import ItemEnterEvent, KeywordQueryEvent
from ulauncher.api.shared.item.ExtensionResultItem import ExtensionResultItem

from notesearch_client import RunningSearch, SearchError, Section, opening, start

_ICON = "images/notesearch.svg"


class NoteSearchExtension(Extension):  # type: ignore[misc]  # Ulauncher has no types
    """The extension. Ulauncher runs it in a process of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.search = RunningSearch()
        self.subscribe(KeywordQueryEvent, ListSections())
        self.subscribe(ItemEnterEvent, OpenSection())


class ListSections(EventListener):  # type: ignore[misc]
    """Answers a query. Ulauncher drops the answer if the query was changed."""

    def on_event(
        self, event: KeywordQueryEvent, extension: NoteSearchExtension
    ) -> RenderResultListAction:
        """Return the sections as a list."""
        try:
            items = [_item(section) for section in extension.search.ask(event.get_argument() or "")]
        except SearchError as error:
            items = [_row("notesearch", str(error), HideWindowAction())]
        return RenderResultListAction(items)


class OpenSection(EventListener):  # type: ignore[misc]
    """Opens the section that was chosen."""

    def on_event(self, event: ItemEnterEvent, _extension: NoteSearchExtension) -> None:
        """Start the editor, and do not wait for it."""
        start(opening(*event.get_data()))


def _item(section: Section) -> ExtensionResultItem:
    return _row(section.name, section.text, ExtensionCustomAction([section.vault, section.place]))


def _row(name: str, description: str, on_enter: object) -> ExtensionResultItem:
    return ExtensionResultItem(icon=_ICON, name=name, description=description, on_enter=on_enter)


if __name__ == "__main__":
    NoteSearchExtension().run()
