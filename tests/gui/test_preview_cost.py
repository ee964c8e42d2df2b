"""What one section costs the window's thread, counted and not timed: a machine may be busy."""

import gc

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QUrl
from PySide6.QtGui import QTextFrame
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.browser import SectionBrowser
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import LIGHT
from notesearch.markdown.render.section_html import FirstLook, rendered
from notesearch.results import SectionText
from tests.benchmarks.structures import STRUCTURES

TEXT = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "")
LONG = "<p>Some words of a paragraph.</p>" * 99
WIDE = '<table class="grid"><tr>' + "<td>a wide cell</td>" * 30 + "</tr></table>"
SHORT = "<p>Some words.</p>"

COSTS = {"<td": 45, "<th": 45, "<table": 20, "<h": 22, "<img": 40, "<li": 12, "<p": 5}
"""Microseconds that Qt and we took for one on an idle machine, from its HTML to painted."""
MOST = 60_000


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    shown = PreviewPane(LIGHT)
    qtbot.addWidget(shown)
    shown.resize(680, 640)
    shown.show()
    return shown


def laid_out(pane: PreviewPane, html: str, *, again: bool = False) -> int:
    """Show ``html``; return how often its document was laid out for it."""
    document = pane.browser.document()
    layout, times = document.documentLayout(), []

    def told() -> None:
        times.append(document.characterCount())

    layout.update.connect(told)
    pane.show_section(TEXT, None, "", html=html, again=again)
    layout.update.disconnect(told)
    return sum(count > 1 for count in times)


@pytest.mark.parametrize("html", [LONG, WIDE, SHORT], ids=["long", "wide", "short"])
def test_a_section_is_laid_out_once(pane: PreviewPane, html: str) -> None:
    """The first one, too, and whether a scroll bar comes or goes or is where it was."""
    shown = [laid_out(pane, part + html) for part in ("", LONG, SHORT)]
    shown += [laid_out(pane, html), laid_out(pane, html + SHORT, again=True)]
    assert shown == [1] * 5


def test_what_was_shown_leaves_nothing_to_python(pane: PreviewPane) -> None:
    """Who reads all day shows thousands of sections in the same document."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # panes of other tests
    for number in range(5):
        html = f'<table class="quote grid"><tr><td>{number}</td></tr></table>{LONG}'
        pane.show_section(TEXT, None, "", html=html)
    gc.collect()
    assert [frame for frame in gc.get_objects() if isinstance(frame, QTextFrame)] == []


def test_what_is_on_show_is_not_laid_out_again(pane: PreviewPane) -> None:
    """While somebody types, the best section is often the same for some letters."""
    assert laid_out(pane, LONG) == 1
    pane.browser.verticalScrollBar().setValue(50)
    assert laid_out(pane, LONG) == 0
    assert pane.browser.verticalScrollBar().value() == 0, "another query is read from the start"
    pane.show_message("Nothing is selected.")
    assert laid_out(pane, LONG) == 1


def test_what_is_not_laid_out_again_has_nothing_selected_and_is_at_its_left(
    pane: PreviewPane,
) -> None:
    laid_out(pane, WIDE)
    browser, bar = pane.browser, pane.browser.horizontalScrollBar()
    for again, stays in ((True, True), (False, False)):
        browser.selectAll()
        bar.setValue(50)
        assert laid_out(pane, WIDE, again=again) == 0
        assert (browser.textCursor().hasSelection(), bar.value() > 0) == (stays, stays)


@pytest.mark.parametrize(
    "source",
    [
        "".join(f"![a](https://h{i}.example/p.png)\n\n" for i in range(150)),
        "".join(f"![a](pic{i}.png)\n\n" for i in range(150)),
        "".join(f"so $x_{{{i}}}$ is\n\n" for i in range(90)),
    ],
    ids=["of other computers", "not found", "formulas"],
)
def test_pictures_that_tell_their_room_are_drawn_when_they_are_seen(
    pane: PreviewPane, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    load = SectionBrowser.loadResource

    def counted(browser: SectionBrowser, kind: int, name: QUrl | str) -> object:
        drawn.append(QUrl(name).toString())
        return load(browser, kind, name)

    monkeypatch.setattr(SectionBrowser, "loadResource", counted)
    pane.show_section(TEXT, None, "", html=rendered(source, seconds=60).html)
    assert drawn == []
    pane.browser.viewport().grab()
    assert 5 < len(set(drawn)) < 40
    bar = pane.browser.verticalScrollBar()
    bar.setValue(bar.maximum())
    pane.browser.viewport().grab()
    assert len(set(drawn)) == len(drawn) < 80


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
def test_what_qt_is_given_is_bounded(name: str) -> None:
    """All of it, and of the first look at it."""
    for look in (None, FirstLook(40)):
        html = rendered(STRUCTURES[name], seconds=-1, look=look).html
        assert sum(cost * html.count(tag) for tag, cost in COSTS.items()) < MOST


def test_headings_of_no_text_are_bounded() -> None:
    """Each has an anchor, a margin and a line of its own."""
    html = rendered("###### a\n" * 20_000, seconds=-1).html
    assert html.count("<h") > 800
    assert sum(cost * html.count(tag) for tag, cost in COSTS.items()) < MOST
