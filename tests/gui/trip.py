"""A note of a trip in the preview pane, as its tests show it and read it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import LIGHT, palette
from notesearch.library import NoteLibrary
from notesearch.notes import Span
from notesearch.results import Scope, SectionText
from tests.gui.made import section
from tests.gui.shown import show_text

NOTES = Path(__file__).parent / "notes_to_preview"
TRIP = "travel/Trip to Japan.md"
FOOD = 14


def opened(vault: Path) -> Iterator[NoteLibrary]:
    """Yield the library of the notes, copied into ``vault``."""
    shutil.copytree(NOTES, vault, dirs_exist_ok=True)
    with NoteLibrary.open(vault) as library:
        yield library


def shown(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    """Return a pane on the screen that finds its matches itself."""
    qapp.setPalette(palette(LIGHT))
    pane = PreviewPane(LIGHT)
    qtbot.addWidget(pane)
    pane.matches_wanted.connect(
        lambda ticket, query, text, _: pane.show_matches(ticket, found(query, text))
    )
    pane.resize(680, 640)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


def found(query: str, text: str) -> tuple[Span, ...]:
    """Whole words, as the library finds them but without an index."""
    return tuple(m.span() for m in re.finditer(rf"\b(?:{query.replace(' ', '|')})\b", text, re.I))


def show(
    pane: PreviewPane,
    library: NoteLibrary,
    line: int = FOOD,
    *,
    query: str = "kyoto food",
    scope: Scope = Scope.SECTION,
) -> SectionText:
    """Show what stands at ``line`` of the note of the trip."""
    text = library.read_at(TRIP, line, scope)
    own = library.read_at(TRIP, line)
    hit = section(TRIP, " > ".join(own.section_path), line=own.line)
    show_text(
        pane, text, hit, query, scope=scope, modified=1_744_455_600, outline=library.sections(TRIP)
    )
    return text


def counter(pane: PreviewPane) -> str:
    """Return what is said of the matches; empty where nothing is."""
    label = pane.head.findChild(type(pane.head._matches), "matches")
    assert label is not None
    return label.text() if label.isVisible() else ""
