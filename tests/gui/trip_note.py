"""Shows the note of a trip in the preview pane."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import LIGHT, palette
from notesearch.library import NoteLibrary
from notesearch.results import Scope, SectionText
from tests.gui.preview_contents import show_text, shown_pane
from tests.gui.sample_results import section

NOTES = Path(__file__).parent / "notes_to_preview"
TRIP = "travel/Trip to Japan.md"
FOOD = 14


def opened(vault: Path) -> Iterator[NoteLibrary]:
    """Yield the library of the notes, copied into ``vault``."""
    shutil.copytree(NOTES, vault, dirs_exist_ok=True)
    with NoteLibrary.open(vault) as library:
        yield library


def shown(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    """Return a pane on the screen of a light desktop."""
    qapp.setPalette(palette(LIGHT))
    return shown_pane(qtbot)


def show(
    pane: PreviewPane,
    library: NoteLibrary,
    line: int = FOOD,
    *,
    query: str = "kyoto food",
    scope: Scope = Scope.SECTION,
) -> SectionText:
    """Show the section at ``line`` of the note, with the words of ``query`` marked."""
    text = library.read_at(TRIP, line, scope)
    own = library.read_at(TRIP, line)
    result = section(TRIP, " > ".join(own.section_path), line=own.line)
    outline = library.sections(TRIP)
    show_text(pane, text, result, query, scope=scope, modified=1_744_455_600, outline=outline)
    return text


def counter(pane: PreviewPane) -> str:
    """Return the text about the matches; empty if it is hidden."""
    label = pane.head.findChild(type(pane.head._matches), "matches")
    assert label is not None
    return label.text() if label.isVisible() else ""
