"""The layout that Qt gives a document is corrected: rules, margins, tabs and captions."""

from math import floor

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextFormat
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.document import all_tables, blocks_from, line_top, text_rectangles
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.results import SectionText
from tests.gui.preview_contents import show_text
from tests.gui.trip_note import shown

_RULE = QTextFormat.Property.BlockTrailingHorizontalRulerWidth.value


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> PreviewPane:
    return shown(qtbot, qapp)


def laid_out(pane: PreviewPane, source: str) -> list[tuple[QTextBlock, QRectF]]:
    """Show ``source``; return its paragraphs and where they are."""
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source))
    document = pane.browser.document()
    layout = document.documentLayout()
    return [(block, layout.blockBoundingRect(block)) for block in blocks_from(document.begin())]


@pytest.mark.parametrize("before", ["| a |\n|---|\n| 1 |", "> a", "```\na\n```"])
def test_a_rule_is_below_a_table_and_as_wide_as_the_text(pane: PreviewPane, before: str) -> None:
    blocks = laid_out(pane, f"Oak\n\n{before}\n\n---\n\nElm")
    _, text = blocks[0]
    (rule,) = [area for block, area in blocks if block.blockFormat().hasProperty(_RULE)]
    assert (rule.left(), rule.right()) == (text.left(), text.right())
    table = list(all_tables(pane.browser.document()))[-1]
    document = pane.browser.document()
    assert (
        rule.top()
        >= document.documentLayout().blockBoundingRect(table.lastCursorPosition().block()).bottom()
    )


@pytest.mark.parametrize(
    "kind", ["```\n{}\n```", "> {}", "> [!note] T\n> {}", "> [!tip]\n> ```\n> {}\n> ```"]
)
def test_two_boxes_do_not_add_their_margins(pane: PreviewPane, kind: str) -> None:
    def distance(source: str) -> float:
        areas = {block.text(): area for block, area in laid_out(pane, source)}
        return areas["elm"].top() - areas["oak"].bottom()

    above, below = kind.format("oak"), kind.format("elm")
    apart = distance(f"{above}\n\n<!-- -->\n\n{below}")
    assert apart < distance(f"{above}\n\nelm") + distance(f"oak\n\n{below}")


def test_a_tab_in_code_is_four_spaces_wide(pane: PreviewPane) -> None:
    laid_out(pane, "```\n\toak\n    oak\n```")
    document = pane.browser.document()
    text = document.toPlainText()
    ends = [text.index("oak"), text.rindex("oak")]
    tabbed, spaced = (next(text_rectangles(document, (at, at + 3))) for at in ends)
    assert tabbed.left() == pytest.approx(spaced.left(), abs=1)


@pytest.mark.parametrize(
    "lone",
    [
        "![Oak](https://example.org/a.png)",
        "[![Oak](https://example.org/a.png)](https://example.org)",
        '- tree\n\n<img alt="Oak" src="https://example.org/a.png">',
    ],
)
def test_the_caption_of_a_picture_alone_is_below_it(pane: PreviewPane, lone: str) -> None:
    laid_out(pane, f"{lone}\n\nAn ![elm](https://example.org/b.png)")
    document = pane.browser.document()
    text = document.toPlainText()

    def top(words: str) -> float:
        at = text.index(words)
        return next(text_rectangles(document, (at, at + len(words)))).top()

    picture = document.documentLayout().blockBoundingRect(document.findBlock(text.index("Oak")))
    assert top("Oak") > picture.top() + picture.height() / 2
    assert top("elm") < top("An") + picture.height() / 2


@pytest.mark.parametrize("height", [150, 170, 190, 210])
def test_no_line_is_cut_at_the_top_after_scrolling_to_a_match(
    pane: PreviewPane, height: int
) -> None:
    pane.resize(400, height)
    words = "a few words which fill lines " * 20
    text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, f"# A\n\n{words} needle {words}")
    show_text(pane, text, query="needle")
    document, top = pane.browser.document(), pane.browser.verticalScrollBar().value()
    assert top > 0
    assert top == floor(line_top(document, top + 1))


@pytest.mark.parametrize(
    "item", ["1. Oak\n\n   {}\n   {}\n   {}\n", "- A\n  - Oak\n\n    {}\n    {}\n    {}\n"]
)
def test_a_table_in_a_list_begins_where_the_text_of_its_item_does(
    pane: PreviewPane, item: str
) -> None:
    laid_out(pane, item.format("| Elm |", "|-----|", "| Fir |"))
    document = pane.browser.document()
    found = (document.find(word).selectionStart() for word in ("Oak", "Elm"))
    item_text, cell_text = (next(text_rectangles(document, (at, at + 3))) for at in found)
    assert cell_text.left() == item_text.left()
