"""The pages of the first paint, which need nothing of the library: a first run, an empty query."""

from notesearch.gui.translation import translate
from notesearch.gui.widgets.message_page import Page


def no_folder_page() -> Page:
    """Return the page of the first run."""
    text = translate(
        "window",
        "Pick the folder that contains your Markdown notes. notesearch only reads it:"
        " your files stay as they are, and nothing leaves this computer.",
    )
    title = translate("window", "Choose your notes folder")
    return Page("folder", title, text, tone="accent", asks_folder=True, is_first=True)


def start_page(title: str = "") -> Page:
    """Return the page of an empty query; its title tells how many notes there are, once known."""
    text = translate("window", "Type a few words, or describe what the note is about.")
    example = translate("window", "For example: the trip where we stayed near the river")
    return Page("search", title or translate("window", "Search your notes"), text, example)
