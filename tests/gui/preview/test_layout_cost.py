"""The cost of a section in the GUI thread, counted instead of timed: a machine can be busy."""

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QUrl
from PySide6.QtGui import QTextFrame
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.preview.section_browser import SectionBrowser
from notesearch.markdown.render.section_html import rendered
from notesearch.results import SectionText
from tests.benchmarks.structures import STRUCTURES
from tests.gui.preview_contents import content_of, show_note, shown_pane, table_bars

TEXT = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "")
LONG = "<p>Some words of a paragraph.</p>" * 99
WIDE = '<table class="grid"><tr>' + "<td>a wide cell</td>" * 30 + "</tr></table>"
SHORT = "<p>Some words.</p>"

COSTS = {"<td": 45, "<th": 45, "<table": 20, "<h": 22, "<img": 40, "<li": 12, "<p": 5}
"""Microseconds for one element on an idle machine, from HTML to paint."""
MOST = 60_000


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    return shown_pane(qtbot)


def layouts(pane: PreviewPane, html: str, *, keep: bool = False) -> int:
    """Show ``html`` and return how often its document was laid out."""
    document = pane.browser.document()
    layout, times = document.documentLayout(), []

    def count() -> None:
        times.append(document.characterCount())

    layout.update.connect(count)
    pane.show_content(content_of(TEXT, html), keep_position=keep)
    layout.update.disconnect(count)
    return sum(characters > 1 for characters in times)


@pytest.mark.parametrize("html", [LONG, WIDE, SHORT], ids=["long", "wide", "short"])
def test_a_section_is_laid_out_once(pane: PreviewPane, html: str) -> None:
    """The first one too, and whether or not the scroll bar appears or disappears."""
    shown = [layouts(pane, part + html) for part in ("", LONG, SHORT)]
    shown += [layouts(pane, html), layouts(pane, html + SHORT, keep=True)]
    assert shown == [1] * 5


def test_former_documents_leave_no_objects_in_python(pane: PreviewPane) -> None:
    """Someone who reads all day shows thousands of sections in the same document."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # panes of other tests
    for number in range(5):
        html = f'<table class="quote grid"><tr><td>{number}</td></tr></table>{LONG}'
        pane.show_content(content_of(TEXT, html))
    gc.collect()
    assert [frame for frame in gc.get_objects() if isinstance(frame, QTextFrame)] == []


def test_the_same_section_is_not_laid_out_again(pane: PreviewPane) -> None:
    """While the user types, the best section is often the same for several letters."""
    assert layouts(pane, LONG) == 1
    pane.browser.verticalScrollBar().setValue(50)
    assert layouts(pane, LONG) == 0
    assert pane.browser.verticalScrollBar().value() == 0, "another query starts at the top"
    pane.show_message("Nothing is selected.")
    assert layouts(pane, LONG) == 1


def test_the_same_section_is_deselected_and_its_tables_scrolled_back(pane: PreviewPane) -> None:
    layouts(pane, WIDE)
    pane.browser.viewport().grab()
    [bar] = table_bars(pane.browser)
    for keep, stays in ((True, True), (False, False)):
        pane.browser.selectAll()
        bar.setValue(50)
        assert layouts(pane, WIDE, keep=keep) == (0 if keep else 1)
        assert (pane.browser.textCursor().hasSelection(), bar.value() > 0) == (stays, stays)


@pytest.mark.parametrize(
    "source",
    [
        "".join(f"![a](https://h{i}.example/p.png)\n\n" for i in range(150)),
        "".join(f"![a](pic{i}.png)\n\n" for i in range(150)),
        "".join(f"so $x_{{{i}}}$ is\n\n" for i in range(90)),
    ],
    ids=["remote", "not found", "formulas"],
)
def test_pictures_of_known_size_are_drawn_only_in_view(
    pane: PreviewPane, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    load = SectionBrowser.loadResource

    def counted(browser: SectionBrowser, kind: int, name: QUrl | str) -> object:
        drawn.append(QUrl(name).toString())
        return load(browser, kind, name)

    monkeypatch.setattr(SectionBrowser, "loadResource", counted)
    show_note(pane, source)
    assert drawn == []
    pane.browser.viewport().grab()
    assert 5 < len(set(drawn)) < 40
    bar = pane.browser.verticalScrollBar()
    bar.setValue(bar.maximum())
    pane.browser.viewport().grab()
    assert len(set(drawn)) == len(drawn) < 80


def test_the_end_of_a_long_note_is_not_laid_out_to_paint_its_start(pane: PreviewPane) -> None:
    show_note(pane, "> [!tip] Tea\n> green\n\n" + "Words of a paragraph.\n\n" * 2000)
    pane.browser.viewport().grab()
    assert not pane.browser.document().lastBlock().layout().lineCount()


@pytest.mark.parametrize(
    "name",
    [
        "table 60 columns 60 rows",
        "table images",
        "table math",
        "math display",
        "setext",
        "many code blocks",
        "remote images",
        "nested lists",
    ],
)
def test_the_cost_of_hostile_structures_is_limited(name: str) -> None:
    """Of the whole section and of the first look at it."""
    for at_once in (None, 4800):
        html = rendered(STRUCTURES[name], seconds=-1, at_once=at_once).html
        assert sum(cost * html.count(tag) for tag, cost in COSTS.items()) < MOST


def test_the_cost_of_empty_headings_is_limited() -> None:
    """Each has an anchor, a margin and a line."""
    html = rendered("###### a\n" * 20_000, seconds=-1).html
    assert html.count("<h") > 800
    assert sum(cost * html.count(tag) for tag, cost in COSTS.items()) < MOST
