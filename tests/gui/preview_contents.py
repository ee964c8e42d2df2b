"""Contents for a preview pane, made as the reading thread and the preview controller do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QScrollBar, QTextBrowser
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.document import PreviewContent, body_html, parse_html, utf16_spans
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.svg import DrawingProcess
from notesearch.gui.preview.vault_images import Limits, Pictures, VaultImages
from notesearch.gui.widgets.theme import LIGHT
from notesearch.markdown.render import render
from notesearch.markdown.render.section_html import rendered
from notesearch.notes import Span
from notesearch.results import Scope, SectionResult, SectionText

NO_HURRY = Limits(30.0)


@contextmanager
def patient_drawings() -> Iterator[DrawingProcess]:
    """Start the process that draws, with time limits for a busy machine."""
    drawings = DrawingProcess(60)
    assert drawings.ready(60)
    yield drawings
    drawings.close()


def find_words(query: str, text: str) -> tuple[Span, ...]:
    """Find whole words, as the library does but without an index."""
    if not query.strip():
        return ()
    pattern = rf"\b(?:{query.replace(' ', '|')})\b"
    return tuple(match.span() for match in re.finditer(pattern, text, re.I))


def marks_in(html: str, query: str) -> tuple[Span, ...]:
    """Return the matches of ``query`` as positions in the document of ``html``."""
    text = parse_html(html).toPlainText()
    return tuple(utf16_spans(text, find_words(query, text)))


def content_of(
    text: SectionText,
    html: str,
    result: SectionResult | None = None,
    query: str = "",
    *,
    scope: Scope = Scope.SECTION,
    **more: Any,
) -> PreviewContent:
    """Return what the reading thread would make of ``text``, rendered as ``html``."""
    body = body_html(html, text.subsections)
    is_result_here = result is not None and result.path == text.path
    return PreviewContent(
        text,
        body,
        result.line if result and is_result_here else text.line,
        scope,
        is_result_pointed_out=is_result_here and scope is not Scope.SECTION,
        marks=marks_in(body, query),
        **more,
    )


def show_note(pane: PreviewPane, source: str) -> None:
    """Show the Markdown ``source`` with its formulas."""
    page = rendered(source, seconds=60)
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source)
    pane.show_content(content_of(text, page.html, pictures=Pictures(formulas=page.formulas)))


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
    pictures = Pictures()
    if vault:
        drawings = DrawingProcess()
        pictures = VaultImages(vault, drawings).read_all(html, text.path, NO_HURRY)
        drawings.close()
    pane.show_content(content_of(text, html, result, query, pictures=pictures, **more))


def read_picture(images: VaultImages, target: str, note: str) -> QImage | None:
    """Return the picture that ``note`` calls ``target``; None if it cannot be read."""
    html = f'<img src="image:{quote(target)}">'
    return images.read_all(html, note, NO_HURRY).images.get(target)


def show_html(pane: PreviewPane, html: str) -> None:
    """Show ``html`` as it is, as if it had come through the sanitizer."""
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "")
    pane.browser.show_content(PreviewContent(text, html, 1))


def table_bars(browser: QTextBrowser) -> list[QScrollBar]:
    """Return the scroll bars of the wide tables in view."""
    bars = browser.viewport().findChildren(QScrollBar)
    return [bar for bar in bars if not bar.isHidden()]


def marked(content: PreviewContent) -> list[str]:
    """Return the marked words of a content."""
    text = parse_html(content.html).toPlainText()
    return [text[start:end] for start, end in content.marks]


def shown_pane(qtbot: QtBot) -> PreviewPane:
    """Return a light pane of 680 x 640 pixels, on the screen."""
    pane = PreviewPane(LIGHT)
    qtbot.addWidget(pane)
    pane.resize(680, 640)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane
