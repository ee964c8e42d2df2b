"""Shows a text in a preview pane as the reading thread and the pane do it together."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from notesearch.gui.preview.drawings import Drawings
from notesearch.gui.preview.images import Patience, VaultImages
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.markdown.render.section_html import render
from notesearch.results import SectionResult, SectionText

PATIENCE = Patience(30.0)


@contextmanager
def patient_drawings() -> Iterator[Drawings]:
    """Give the process that draws, running, with time enough for a busy machine."""
    made = Drawings()
    made._child._seconds = 60
    assert made.ready(60)
    yield made
    made.close()


def show_text(
    pane: PreviewPane,
    text: SectionText,
    result: SectionResult | None = None,
    query: str = "",
    *,
    vault: Path | None = None,
    **more: Any,
) -> None:
    """Show ``text`` with the pictures of ``vault``."""
    html = render(text.text, first_line=text.line)
    drawings = Drawings()
    images = VaultImages(vault, drawings) if vault else None
    pictures = images.all_of(html, text.path, PATIENCE) if images else None
    drawings.close()
    pane.show_section(text, result, query, html=html, pictures=pictures, **more)
