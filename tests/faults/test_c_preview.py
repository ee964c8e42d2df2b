"""Faults C5 to C11 and C13 in the preview: structures that hang a renderer cost a bounded time."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.config import Settings
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.library import NoteLibrary
from notesearch.markdown.bounds import MAX_COST
from notesearch.markdown.render import render
from notesearch.markdown.render import section_html as rendering
from notesearch.results import SectionText
from tests.folders import write
from tests.gui.preview_contents import content_of, shown_pane
from tests.markdown.safe_html import check

TEXT = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, "")
HELD_S = 0.1
RENDERED_S = 3.0
"""Limit of processor time for the window's thread and the reading thread."""

STRUCTURES = {
    "c05 lists in lists": "- " * 600 + "a",
    "c05 indented lists": "".join("  " * depth + "- a\n" for depth in range(300)),
    "c05 quotes in quotes": "".join(">" * depth + " a\n" for depth in range(300)),
    "c06 stars": "*" * 2000 + "a" + "*" * 2000,
    "c06 elements with Markdown": "<div markdown=1>" * 2000,
    "c07 brackets": "[" * 4000,
    "c07 declarations": "<![" * 8000,
    "c07 links": "[a](b " * 5000,
    "c07 wikilinks": "[[" * 30_000,
    "c07 formulas": "$\\frac{" * 3000,
    "c07 many formulas": "$x^2$ " * 5000,
    "c08 a declaration": "<![",
    "c08 an open comment": "<!--" + "x" * 50_000,
    "c08 an open hidden comment": "%% " * 30_000,
    "c09 tables in tables": "<table><tr><td>" * 20 + "x",
    "c09 tables in callouts": "> [!tip]\n> | a |\n> |---|\n> | b |\n\n" * 300,
    "c09 tables in deep quotes": (
        "> > > > | a | b |\n> > > > |---|---|\n" + "> > > > | c | d |\n" * 30 + "\n"
    )
    * 20,
    "c09 text in deep quotes": "> > > > > " + "some words of a note " * 1000,
    "c09 cells over many": "<table>" + "<tr><td colspan=19 rowspan=19>x</td></tr>" * 900,
    "c10 headings": "# a\n" * 10_000,
    "c10 elements": "<div>" * 50_000,
    "c10 bold": "<b>" * 50_000,
    "c10 paragraphs": "a\n\n" * 50_000,
    "c11 a long section": "Some words of a long note. " * 15_000,
    "c11 a long run": "x" * 200_000,
    "c11 many lines": "- [ ] task\n" * 20_000,
    "c11 a table of many cells": "|" + "a|" * 60 + "\n|" + "-|" * 60 + ("\n|" + "a|" * 60) * 60,
    "c11 footnotes": "a[^1] " * 500 + "\n\n" + "".join(f"[^{n}]: a\n" for n in range(5000)),
    "c11 pictures from the internet": "![a](https://a.example/a.png)\n\n" * 3000,
    "c11 a line of code": "```js\n" + "a=1;" * 47_000 + "\n```\n",
    "c11 a wide table": "|"
    + "a|" * 2000
    + "\n|"
    + "-|" * 2000
    + "\n"
    + ("|" + "a|" * 2000 + "\n") * 5,
}


@pytest.fixture
def pane(qtbot: QtBot) -> PreviewPane:
    return shown_pane(qtbot)


def shown(pane: PreviewPane, html: str) -> float:
    """Show and paint ``html``; return the processor time of the GUI thread."""
    content = content_of(TEXT, html)
    started = time.thread_time()
    pane.show_content(content)
    pane.browser.viewport().grab()
    return time.thread_time() - started


def marked(pane: PreviewPane, html: str) -> float:
    """Mark every ``a`` and go to the last one; return the processor time of the GUI thread."""
    spans = [match.span() for match in re.finditer("a", pane.browser.toPlainText())]
    content = replace(content_of(TEXT, html), marks=tuple(spans))
    started = time.thread_time()
    pane.show_content(content, keep_position=True)
    pane.previous_match()
    pane.browser.viewport().grab()
    return time.thread_time() - started


@pytest.mark.fault("C14", fault="A parser with memory errors", outcome="Ours is pure Python")
@pytest.mark.fault(
    "C11",
    fault="A section of 200 KB, a run of 200,000 letters",
    outcome="Its beginning appears first",
)
@pytest.mark.fault("C9, C10")
@pytest.mark.fault("C8")
@pytest.mark.fault(
    "C7",
    row="C7, C8",
    fault="Brackets, declarations, links, formulas without an end",
    outcome="Linear time; Python-Markdown gets 0.3 s",
)
@pytest.mark.fault(
    "C5, C6",
    row="C5, C6, C9, C10",
    fault="Deep lists, emphasis, HTML and tables; thousands of elements",
    outcome="Limited before Qt lays them out",
)
@pytest.mark.parametrize("name", STRUCTURES)
def test_c05_to_c11_are_shown_in_bounded_time(pane: PreviewPane, name: str) -> None:
    """The limits are for an idle machine; a busy one takes up to three times as long."""
    started = time.thread_time()
    html = render(STRUCTURES[name])
    assert time.thread_time() - started < RENDERED_S
    check(html)
    assert min(shown(pane, html) for _ in range(2)) < 3 * HELD_S
    assert min(marked(pane, html) for _ in range(2)) < 3 * HELD_S


@pytest.mark.fault("C5, C6")
def test_c05_text_is_shown_if_a_parser_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from notesearch.markdown.render import default_dialect

    def fail(*_: object, **__: object) -> str:
        raise RecursionError

    monkeypatch.setattr(default_dialect, "to_html", fail)
    assert render("# <b>a</b>\n*b*") == "<p># &lt;b&gt;a&lt;/b&gt;</p><p>*b*</p>"


@pytest.mark.fault("C11")
def test_c11_a_long_section_says_where_the_rest_is() -> None:
    html = render(STRUCTURES["c11 a long section"])
    assert len(html) < 2 * rendering.MAX_SOURCE
    assert "Open the note in the editor" in html


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteLibrary]:
    folder = tmp_path_factory.mktemp("embedding")
    write(folder / "vault", {
        "A.md": "of A\n\n![[B]]\n\n![[A]]\n", "B.md": "of B\n\n![[A]]\n\n![[B]]\n",
        "Many.md": "![[Huge]]\n\n" * 100, "Huge.md": "words " * 50_000,
        "Tasks.md": "![[List]]\n\n" * 20, "List.md": "- [ ] a\n" * 2500,
        "Deep.md": "> > > ![[In]]\n", "In.md": "> > > > > in\n",
    })  # fmt: skip
    settings = Settings(model=str(folder / "none"))
    with NoteLibrary.open(folder / "vault", home=Path(folder) / "home", settings=settings) as made:
        made.refresh(patience=0)
        yield made


@pytest.mark.fault("C13")
def test_c13_notes_that_embed_each_other_are_shown_once(library: NoteLibrary) -> None:
    text = library.read_at("A.md", 1)
    html = render(text.text, around=library.links("A.md"))
    assert html.count("of A") == 2, "the note, and the note in itself"
    assert html.count("of B") == 1


@pytest.mark.fault("C13")
def test_c13_many_embeds_of_a_huge_note_are_bounded(
    pane: PreviewPane, library: NoteLibrary
) -> None:
    text = library.read_at("Many.md", 1)
    html = render(text.text, around=library.links("Many.md"))
    assert len(html) < 1.2 * rendering.MAX_SOURCE, "embeds count as if they stood there"
    assert min(shown(pane, html) for _ in range(2)) < 3 * HELD_S


@pytest.mark.fault("C13")
def test_c13_embeds_spend_the_sections_budget(library: NoteLibrary) -> None:
    html = render(library.read_at("Tasks.md", 1).text, around=library.links("Tasks.md"))
    assert html.count("<") < 1.5 * MAX_COST
    assert "Open the note in the editor" in html
    first = rendering.rendered(
        library.read_at("Many.md", 1).text,
        context=library.links("Many.md"),
        seconds=0,
        at_once=rendering.AT_ONCE,
    )
    assert len(first.html) < 2 * rendering.AT_ONCE
    assert not first.whole, "the rest comes when the first is on show"


@pytest.mark.fault("C13")
def test_c13_embeds_obey_the_sections_nesting_limit(library: NoteLibrary) -> None:
    html = render(library.read_at("Deep.md", 1).text, around=library.links("Deep.md"))
    assert check(html).deepest_tables <= 5
    assert "in" in html
