"""The preview pane with real notes: what it shows, its links, its look."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QColor, QFont, QFontInfo, QImage, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.gui.preview.document import inline_boxes, text_rectangles
from notesearch.gui.preview.layout import KEY_SPACING
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.widgets.theme import DARK, LIGHT, palette, scaled
from notesearch.library import NoteLibrary
from notesearch.results import Scope, SectionLink, SectionText
from tests.gui.preview_contents import content_of, show_text, table_bars
from tests.gui.trip_note import FOOD, TRIP, counter, opened, show, shown


@pytest.fixture
def library(vault: Path) -> Iterator[NoteLibrary]:
    yield from opened(vault)


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication, library: NoteLibrary) -> PreviewPane:
    return shown(qtbot, qapp)


def crumbs(pane: PreviewPane) -> list[str]:
    return [
        part.text() for part in pane.head.breadcrumb.findChildren(QPushButton) if part.isVisible()
    ]


def crumb(pane: PreviewPane, text: str) -> QPushButton:
    return next(p for p in pane.head.breadcrumb.findChildren(QPushButton) if p.text() == text)


def link_at(pane: PreviewPane, text: str) -> QPoint:
    """Return where to click on the link with this ``text``."""
    cursor = pane.browser.document().find(text)
    assert not cursor.isNull()
    place = next(
        text_rectangles(cursor.document(), (cursor.selectionStart(), cursor.selectionEnd()))
    )
    bar = pane.browser.verticalScrollBar()
    bar.setValue(int(place.top()) - 100)
    return QPoint(int(place.center().x()), int(place.center().y()) - bar.value())


def click_link(pane: PreviewPane, text: str) -> None:
    QTest.mouseClick(pane.browser.viewport(), Qt.MouseButton.LeftButton, pos=link_at(pane, text))


# What is shown


def test_only_the_section_is_shown(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    text = pane.browser.toPlainText()
    assert text.startswith("Food\nWe walked to Nishiki market before nine")
    assert "Book ahead" in text, "a short section includes its subsections"
    for elsewhere in ("Four nights", "Rain until noon", "tags:", "# "):
        assert elsewhere not in text


def test_the_text_is_rendered(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    text = pane.browser.toPlainText()
    assert "Nishiki, stall 14\nsoy-milk doughnuts\n¥350" in text
    assert "\ufffc Kaiseki dinner, Friday 19:00\n\ufffc Tofu lunch" in text
    assert "More in the budget, in Recipes and on the market's site." in text
    assert '    """Food budget in yen."""' in text


def test_the_head_shows_the_place_of_the_section(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    assert crumbs(pane) == ["Trip to Japan", "Kyoto", "Food"]
    assert pane.head._description.text() == f"travel/ · line {FOOD} · 12 Apr 2025"
    assert pane.head.breadcrumb.accessibleName() == "Location: Trip to Japan, Kyoto, Food"


def test_a_note_with_an_impossible_date_is_shown(pane: PreviewPane, library: NoteLibrary) -> None:
    """A file can have any number as its date, even one beyond the calendar."""
    text = library.read_at(TRIP, FOOD)
    pane.show_content(content_of(text, "<p>Food</p>", modified=1e17))
    assert pane.head._description.text() == f"travel/ · line {FOOD}"


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("## Food", "papers/"),
        ("## Food {#page=12}", "papers/ · page 12"),
        ("###### Page A\\_iv", "papers/ · page A_iv"),
    ],
)
def test_a_pdf_has_pages_and_no_lines(
    pane: PreviewPane, library: NoteLibrary, heading: str, shown: str
) -> None:
    read = library.read_at(TRIP, FOOD)
    text = replace(read, path="papers/Tides.PDF", text=f"{heading}\n\nwords")
    pane.show_content(content_of(text, "<p>Food</p>"))
    assert pane.head._description.text() == shown


def test_the_place_of_a_preamble_is_the_note(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library, 6)
    assert crumbs(pane) == ["Trip to Japan"]


def test_formulas_in_headings_are_readable(pane: PreviewPane) -> None:
    outline = (SectionLink("The $x^2$ law", ("The $x^2$ law",), 1, 3, 9, 5),)
    path = ("The $x^2$ law", "Costs $5")
    text = SectionText("a.md", "On $\\alpha$", path[-1], path, 2, 4, 9, "## Costs $5")
    show_text(pane, text, None, "", outline=outline)
    assert crumbs(pane) == ["On α", "The x² law", "Costs $5"]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (900, ["A note", "A chapter with a long heading", "One more that is long", "Own heading"]),
        (460, ["A note", "…", "One more that is long", "Own heading"]),
        (260, ["A note", "…", "Own heading"]),
        (140, ["…", "Own heading"]),
    ],
)
def test_whole_headings_give_way_in_a_narrow_row(
    pane: PreviewPane, width: int, shown: list[str]
) -> None:
    path = ("A chapter with a long heading", "One more that is long", "Own heading")
    outline = (SectionLink(path[0], path[:1], 1, 3, 9, 5),)
    text = SectionText("a.md", "A note", path[-1], path, 4, 9, 9, "#### Own heading")
    show_text(pane, text, None, "", outline=outline)
    pane.head.breadcrumb.resize(width, 30)
    assert crumbs(pane) == shown


@pytest.mark.parametrize(
    ("width", "title"), [(300, "Every plan of the…"), (200, "Every plan…"), (150, "…")]
)
def test_the_first_words_of_a_long_title_stay_in_sight(
    pane: PreviewPane, width: int, title: str
) -> None:
    path = ("A chapter", "Own heading")
    outline = (SectionLink(path[0], path[:1], 1, 3, 9, 5),)
    text = SectionText("a.md", "Every plan of the shipyard", path[-1], path, 4, 9, 9, "#### Own")
    show_text(pane, text, None, "", outline=outline)
    pane.head.breadcrumb.resize(width, 30)
    assert crumbs(pane) == [title, "Own heading"]
    hidden = "Every plan of the shipyard › A chapter" if title == "…" else text.title
    assert crumb(pane, title).toolTip() == hidden


@pytest.mark.parametrize(
    "source", ["also **不成立** hier", "### 不成立", "不成立\n: sie gilt nicht"]
)
def test_emphasis_shows_in_fonts_with_one_weight(pane: PreviewPane, source: str) -> None:
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source))
    weight = pane.browser.document().find("不成立").charFormat().fontWeight()
    assert weight >= QFont.Weight.Bold, "Qt thickens no letters for a semibold face"


def test_the_lines_of_a_long_heading_are_close(pane: PreviewPane) -> None:
    source = "# " + "A heading of many words " * 5
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source))
    pane.browser.viewport().grab()
    heading = pane.browser.document().find("heading")
    first, second = (heading.block().layout().lineAt(number) for number in (0, 1))
    size = QFontInfo(heading.charFormat().font()).pixelSize()
    assert size <= second.y() - first.y() <= 1.3 * size


def test_a_heading_that_is_too_long_ends_after_a_word(pane: PreviewPane) -> None:
    heading = " ".join(f"unabbreviated{n}" for n in range(12))
    text = SectionText("a.md", "A note", heading, (heading,), 1, 1, 9, f"# {heading}")
    show_text(pane, text, None, "")
    for width in range(200, 400, 20):
        pane.head.breadcrumb.resize(width, 30)
        shown = crumbs(pane)[-1]
        assert shown.endswith("…")
        assert all(word in heading.split() for word in shown[:-1].split()), shown


def test_the_file_does_not_touch_the_number_of_matches(
    pane: PreviewPane, library: NoteLibrary
) -> None:
    show(pane, library)
    label = pane.head._description
    for width in range(480, 680, 7):
        pane.resize(width, 640)
        text = label.fontMetrics().horizontalAdvance(label.shown)
        assert pane.head._matches.x() - label.x() - text >= 12


@pytest.mark.parametrize(
    ("width", "height", "scope", "description"),
    [(680, 640, True, True), (300, 640, False, True), (680, 100, False, False)],
)
def test_what_does_not_fit_beside_the_text_is_hidden(
    pane: PreviewPane,
    library: NoteLibrary,
    width: int,
    height: int,
    scope: bool,
    description: bool,
) -> None:
    show(pane, library)
    pane.setMinimumSize(1, 1)  # as in a window that large text makes as large as the screen
    pane.resize(width, height)
    assert pane.head.scope.isVisible() is scope
    assert pane.head._description.isVisible() is description
    assert pane.head.breadcrumb.isVisible()


def test_large_text_in_the_head_makes_no_narrow_pane_wider(
    pane: PreviewPane, library: NoteLibrary, qapp: QApplication
) -> None:
    usual = qapp.font()
    try:
        qapp.setFont(scaled(usual, 300))
        pane.set_theme(LIGHT)
        show(pane, library, query="ramen")
        pane.resize(380, 640)
        QApplication.processEvents()
        assert pane.width() == 380
        assert pane.head.open_button.isVisible()
        for part in pane.head.findChildren(QPushButton):
            edge = part.mapTo(pane, part.rect().topRight()).x()
            assert not part.isVisible() or edge < 380, part.text()
    finally:
        qapp.setFont(usual)


def test_the_words_of_the_scope_switch_are_never_cut(
    pane: PreviewPane, library: NoteLibrary
) -> None:
    show(pane, library)
    pane.setMinimumSize(1, 1)
    buttons = pane.head.scope.findChildren(QPushButton)
    for width in range(320, 680):
        pane.resize(width, 640)
        QApplication.processEvents()  # lays out what has just been shown or hidden
        if pane.head.scope.isVisible():
            described = pane.head._description.isVisible()
            assert described or pane.head.open_button.geometry().right() > width - 20
            assert [b.width() >= b.sizeHint().width() for b in buttons] == [True] * 3, width


def test_the_breadcrumb_leads_to_the_headings_above(
    qtbot: QtBot, pane: PreviewPane, library: NoteLibrary
) -> None:
    show(pane, library)
    with qtbot.waitSignal(pane.head.breadcrumb.chosen) as chosen:
        QTest.mouseClick(crumb(pane, "Kyoto"), Qt.MouseButton.LeftButton)
    assert chosen.args == [10]
    with qtbot.waitSignal(pane.head.breadcrumb.note_chosen):
        QTest.mouseClick(crumb(pane, "Trip to Japan"), Qt.MouseButton.LeftButton)
    assert not crumb(pane, "Food").isEnabled()


def test_without_an_outline_only_the_note_is_a_link(pane: PreviewPane) -> None:
    show_text(pane, SectionText("a.md", "A", "C", ("B", "C"), 3, 9, 9, "### C"), None, "")
    assert [crumb(pane, name).isEnabled() for name in ("A", "B", "C")] == [True, False, False]


def test_titles_are_plain_text(pane: PreviewPane) -> None:
    title = "<img src=x> <b>A & B</b>"
    show_text(pane, SectionText(f"{title}.md", title, title, (title,), 1, 1, 1, "x"), None, "")
    assert crumbs(pane) == [title.replace("&", "&&")]
    assert pane.head._description.textFormat() == Qt.TextFormat.PlainText
    tip = crumb(pane, title.replace("&", "&&")).toolTip()
    assert QTextDocumentFragment.fromHtml(tip).toPlainText() == title


def test_the_switch_chooses_the_scope(
    qtbot: QtBot, pane: PreviewPane, library: NoteLibrary
) -> None:
    show(pane, library)
    for scope in (Scope.PARENT, Scope.NOTE, Scope.SECTION):
        button = next(
            b for b in pane.head.scope.findChildren(QPushButton) if b.text().lower() == scope.value
        )
        with qtbot.waitSignal(pane.head.scope.chosen) as chosen:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert chosen.args == [scope]
    with qtbot.assertNotEmitted(pane.head.scope.chosen):
        show(pane, library, scope=Scope.NOTE)
    assert pane.head.scope.scope() is Scope.NOTE


@pytest.mark.parametrize(
    ("scope", "heading", "starts"),
    [
        (Scope.PARENT, "Kyoto", "Kyoto\nFour nights"),
        (Scope.NOTE, "Trip to Japan", "Trip to Japan\nTwo"),
    ],
)
def test_the_result_is_pointed_out_in_a_wider_scope(
    pane: PreviewPane, library: NoteLibrary, scope: Scope, heading: str, starts: str
) -> None:
    pane.resize(680, 320)
    show(pane, library, scope=scope)
    assert crumbs(pane)[-1] == heading
    assert pane.browser.toPlainText().startswith(starts)
    top = pane.browser.cursorForPosition(QPoint(30, 20)).block().text()
    assert top == "Food", "the result is at the top"
    assert pane.browser.grab().toImage().pixelColor(10, 60) == QColor(LIGHT.accent)
    assert not counter(pane).startswith("1 of"), "the current match is in the result"


def test_long_sections_link_to_their_subsections(qtbot: QtBot, pane: PreviewPane) -> None:
    below = (
        SectionLink("Day <3>", ("B", "Day 3"), 3, 42, 50, 120),
        SectionLink("Evening", ("B", "Day 3", "Evening"), 4, 47, 50, 0),
    )
    show_text(
        pane, SectionText("a.md", "A", "B", ("B",), 2, 9, 12, "## B\n\nown text", below), None, ""
    )
    assert (
        pane.browser.toPlainText().rstrip()
        == "B\nown text\nIn this section\nDay <3> 120 words\nEvening"
    )
    with qtbot.waitSignal(pane.browser.link_activated) as activated:
        click_link(pane, "Evening")
    assert activated.args == ["section:47"]


def test_a_message_replaces_the_section(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    pane.show_message("This note was moved or deleted.")
    assert pane.browser.toPlainText() == ""
    assert not pane.head.isVisible()
    assert pane._message.isVisible()
    show(pane, library)
    assert pane.head.isVisible()
    pane.show_message("")
    assert pane.browser.toPlainText() == ""


# Links


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("the budget", "note:Japan%20budget%23Meals"),
        ("Recipes", "note:..%2Fkitchen%2FRecipes.md"),
        ("the market's site", "https://market.example/nishiki"),
    ],
)
def test_a_click_only_emits_the_address(
    qtbot: QtBot, pane: PreviewPane, library: NoteLibrary, text: str, address: str
) -> None:
    show(pane, library)
    before = pane.browser.toPlainText()
    with qtbot.waitSignal(pane.browser.link_activated) as activated:
        click_link(pane, text)
    assert activated.args == [address]
    assert pane.browser.toPlainText() == before


def test_footnotes_are_followed_inside_the_text(qtbot: QtBot, pane: PreviewPane) -> None:
    source = "claim[^1]\n\n" + "filler\n\n" * 60 + "[^1]: proof\n"
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 0, 1, 99, source), None, "")
    with qtbot.assertNotEmitted(pane.browser.link_activated):
        click_link(pane, "1")
    assert pane.browser.verticalScrollBar().value() > 0


# Looks


def test_another_theme_keeps_the_position(
    qapp: QApplication, pane: PreviewPane, library: NoteLibrary
) -> None:
    pane.resize(680, 300)
    show(pane, library, scope=Scope.NOTE)
    QTest.keyClick(pane, Qt.Key.Key_F3)
    before = (pane.browser.verticalScrollBar().value(), counter(pane), pane.browser.toPlainText())
    qapp.setPalette(palette(DARK))
    pane.set_theme(DARK)
    assert before == (
        pane.browser.verticalScrollBar().value(),
        counter(pane),
        pane.browser.toPlainText(),
    )
    colours = {
        pane.browser.grab().toImage().pixelColor(10, y).name().upper() for y in range(20, 120, 10)
    }
    assert DARK.accent in colours


def test_pictures_fit_the_pane_and_are_not_enlarged(
    qtbot: QtBot, pane: PreviewPane, library: NoteLibrary
) -> None:
    picture = QImage(1200, 300, QImage.Format.Format_RGB32)
    picture.fill(QColor("#31577d"))
    assert picture.save(str(library.vault / "travel" / "stall.png"))
    show_text(
        pane,
        SectionText(TRIP, "A", "A", ("A",), 0, 1, 3, "![[stall.png]]\n\n![[stall.png|100]]"),
        vault=library.vault,
    )
    pane.resize(1400, 640)
    qtbot.waitUntil(lambda: blue(pane) > 700)
    assert blue(pane) <= 780, "lines stay readable"
    pane.resize(500, 640)
    qtbot.waitUntil(lambda: 400 < blue(pane) < 480)
    assert blue(pane, row=-1) == 100


@pytest.mark.parametrize(("columns", "wider"), [(3, False), (5, False), (14, True)])
def test_a_table_with_many_columns_breaks_no_words(
    pane: PreviewPane, columns: int, wider: bool
) -> None:
    source = "\n".join(
        f"|{f'{word}|' * columns}" for word in ("Heading", "---", "information", "a few words")
    )
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 0, 1, 9, source))
    pane.browser.viewport().grab()
    assert lines_of(pane, "information") == {1}
    assert bool(table_bars(pane.browser)) is wider
    assert pane.browser.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize(
    "cell", ["40000000", "WWWWMMMM", "**Wednesday**", "<ul><li>MMMMM</li></ul>"]
)
def test_columns_are_as_wide_as_their_widest_word(pane: PreviewPane, cell: str) -> None:
    months = "January February March September November December".split()
    rows = ("Expenses in Euro", *months), ["---"] * 7, ("Rent of the flat", *[cell] * 6)
    source = "\n".join(f"|{'|'.join(row)}|" for row in rows)
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 0, 1, 9, source))
    assert lines_of(pane, re.sub(r"\*|<[^>]*>", "", cell)) == {1}


@pytest.mark.parametrize("words", ["a long task", "משימה ארוכה"])
def test_the_lines_of_a_task_stand_beside_its_box(pane: PreviewPane, words: str) -> None:
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 0, 1, 9, f"- [ ] {words * 20}\n"))
    block = pane.browser.document().begin()
    first, second = (block.layout().lineAt(line) for line in (0, 1))
    after_box, below = first.cursorToX(2), second.cursorToX(second.textStart())
    ends = [x[0] if isinstance(x, tuple) else x for x in (after_box, below)]
    assert ends[0] == pytest.approx(ends[1], abs=2)


def test_a_table_is_measured_again_in_a_narrower_pane(qtbot: QtBot, pane: PreviewPane) -> None:
    source = "\n".join(f"|{f'{word}|' * 4}" for word in ("Heading", "---", "informations"))
    pane.resize(1000, 640)
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 0, 1, 9, source))
    assert lines_of(pane, "informations") == {1}
    pane.resize(330, 640)
    qtbot.waitUntil(lambda: lines_of(pane, "informations") == {1})


def lines_of(pane: PreviewPane, text: str) -> set[int]:
    """Return how many lines the paragraphs with this ``text`` take."""
    block, found = pane.browser.document().begin(), set[int]()
    while block.isValid():
        if block.text() == text:
            found.add(block.layout().lineCount())
        block = block.next()
    return found


def test_keys_beside_each_other_have_a_box_each(pane: PreviewPane) -> None:
    source = "<kbd>Shift</kbd><kbd>F12</kbd>"
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 0, 1, 9, source))
    boxes = list(inline_boxes(pane.browser.document().begin()))
    assert [end - start for (start, end), _ in boxes] == [len("Shift"), len("F12")]
    pane.browser.selectAll()
    assert pane.browser.selected_text() == "ShiftF12"


def test_keys_do_not_touch_the_letters_beside_them(pane: PreviewPane) -> None:
    keys = "<kbd>F1</kbd>+<kbd>F2</kbd>"
    show_text(pane, SectionText("a.md", "A", "A", ("A",), 0, 1, 9, f"a+b\n\n{keys}"))
    document = pane.browser.document()
    assert pane.browser.toPlainText() == "a+b\nF1+F2"
    usual, between = (next(text_rectangles(document, (at, at + 1))) for at in (1, 6))
    assert between.width() == pytest.approx(usual.width() + KEY_SPACING, abs=0.5)


def blue(pane: PreviewPane, row: int = 0) -> int:
    """Return the width of the first (0) or last (-1) blue picture; 0 if there is none."""
    image = pane.browser.viewport().grab().toImage()
    widths = [
        sum(image.pixelColor(x, y) == QColor("#31577d") for x in range(image.width()))
        for y in range(0, image.height(), 5)
    ]
    return ([width for width in widths if width] or [0])[row]


def test_the_keyboard_of_another_widget_can_scroll(pane: PreviewPane, library: NoteLibrary) -> None:
    pane.resize(680, 240)
    show(pane, library, query="")
    bar = pane.browser.verticalScrollBar()
    pane.scroll_lines(3)
    assert bar.value() > 0
    pane.scroll_pages(-1)
    assert bar.value() == 0


def test_the_menu_copies_the_selection_and_web_links(
    qapp: QApplication, qtbot: QtBot, pane: PreviewPane, library: NoteLibrary
) -> None:
    def offered(place: QPoint) -> dict[str, QAction]:
        return {a.text(): a for a in pane.browser.context_menu(place).actions() if a.text()}

    show(pane, library)
    menu = offered(link_at(pane, "the market's site"))
    assert not menu["Copy"].isEnabled()
    with qtbot.waitSignal(pane.browser.copied):
        menu["Copy web address"].trigger()
    assert qapp.clipboard().text() == "https://market.example/nishiki"
    assert "Copy web address" not in offered(link_at(pane, "Recipes"))
    menu["Select all"].trigger()
    menu = offered(QPoint(5, 5))
    menu["Copy"].trigger()
    assert qapp.clipboard().text().startswith("Food\nWe walked to Nishiki market")


def test_tab_moves_through_the_links_and_leaves(pane: PreviewPane, library: NoteLibrary) -> None:
    show(pane, library)
    pane.browser.setFocus()
    hovered: list[str] = []
    pane.browser.link_hovered.connect(hovered.append)
    for _ in range(3):
        QTest.keyClick(pane.browser, Qt.Key.Key_Tab)
    assert [address.partition(":")[0] for address in hovered] == ["note", "note", "https"]
    QTest.keyClick(pane.browser, Qt.Key.Key_Tab)
    assert hovered[-1] == ""


def test_the_hovering_of_a_link_ends_with_the_focus_and_outside(
    pane: PreviewPane, library: NoteLibrary
) -> None:
    show(pane, library)
    pane.browser.setFocus()
    hovered: list[str] = []
    pane.browser.link_hovered.connect(hovered.append)
    QTest.keyClick(pane.browser, Qt.Key.Key_Tab)
    pane.head.open_button.setFocus()
    assert [bool(address) for address in hovered] == [True, False]
    QTest.mouseMove(pane.browser.viewport(), link_at(pane, "the market's site"))
    QApplication.sendEvent(pane.browser, QEvent(QEvent.Type.Leave))
    assert [bool(address) for address in hovered] == [True, False, True, False]


def test_another_section_ends_the_hovering_of_a_link(
    qtbot: QtBot, pane: PreviewPane, library: NoteLibrary
) -> None:
    show(pane, library)
    with qtbot.waitSignal(pane.browser.link_hovered) as hovered:
        show(pane, library, 6)
    assert hovered.args == [""]
