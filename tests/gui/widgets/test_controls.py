"""Labels in narrow windows: whole words, folders and parts give way, never letters."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeySequence, QShortcut
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notesearch.gui.widgets.controls import DropDown, ElidedLabel, TickBox, set_margins
from notesearch.gui.widgets.marked_line import fitted


def shown(label: ElidedLabel, as_wide_as: str) -> str:
    label.resize(label.fontMetrics().horizontalAdvance(as_wide_as), 20)
    return label.shown


@pytest.mark.parametrize(
    ("as_wide_as", "text"),
    [
        ("Getting ready to search", "Getting ready to search"),
        ("Getting ready to sear…", "Getting ready to…"),
        ("Getting ready…", "Getting ready…"),
        ("Getting read…", "Getting…"),
    ],
)
def test_words_at_the_end_give_way(qapp: QApplication, as_wide_as: str, text: str) -> None:
    metrics = QFontMetrics(qapp.font())
    room = metrics.horizontalAdvance(as_wide_as)
    assert fitted("Getting ready to search", metrics, room) == text


@pytest.mark.parametrize(
    ("as_wide_as", "text"),
    [
        ("a/b/c/ · line 4 · today", "a/b/c/ · line 4 · today"),
        ("a/b/c/ · line 4 · toda", "a/b/c/ · line 4"),
        ("a/b/c/ · line", "a/b/c/"),
        ("…/c/", "…/c/"),
        ("c/", ""),
    ],
)
def test_parts_give_way_then_folders(qtbot: QtBot, as_wide_as: str, text: str) -> None:
    label = ElidedLabel(path=True)
    qtbot.addWidget(label)
    label.set_texts("a/b/c/ · line 4 · today", "")
    assert shown(label, as_wide_as) == text


def test_a_shorter_text_stands_for_it(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.set_texts("38 sections in 11 notes", "38 sections", "38")
    texts = ("38 sections in 11 notes", "38 sections in 11 note", "38 section", "38")
    assert [shown(label, text) for text in texts] == [
        "38 sections in 11 notes",
        "38 sections",
        "38",
        "38",
    ]


def inked(label: ElidedLabel) -> list[int]:
    """Return the columns with letters in them, counted from the first one."""
    image = label.grab().toImage()
    rows = range(image.height())
    dark = [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y).lightness() < 128 for y in rows)
    ]
    return [x - dark[0] for x in dark]


@pytest.mark.parametrize("text", ["39 sections in 9 notes", "39 קטעים"])
def test_a_mirrored_label_reads_in_the_direction_of_its_text(qtbot: QtBot, text: str) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.resize(300, 30)
    label.setText(text)
    usual = inked(label)
    label.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    mirrored = inked(label)
    assert all(any(abs(x - other) <= 1 for other in mirrored) for x in usual)
    assert mirrored[-1] == pytest.approx(usual[-1], abs=1)


def test_a_path_of_thousands_of_folders_is_shortened_at_once(qtbot: QtBot) -> None:
    label = ElidedLabel(path=True)
    qtbot.addWidget(label)
    label.resize(300, 30)
    label.set_texts("/".join(f"{number}" for number in range(100_000)), "")
    assert label.shown.startswith("0/…/")
    assert label.shown.endswith("/99998/99999")


def test_a_box_stands_beside_the_first_line_of_its_text(qtbot: QtBot) -> None:
    box = TickBox("Sections that you opened for a query rank higher for it")
    qtbot.addWidget(box)
    box.setChecked(True)
    accent = box.palette().highlight().color().name()

    def top_of_box(width: int) -> int:
        box.resize(width, box.heightForWidth(width))
        image = box.grab().toImage()
        rows = range(image.height())
        return next(y for y in rows if image.pixelColor(8, y).name() == accent)

    assert box.heightForWidth(200) > box.heightForWidth(900)
    assert top_of_box(200) == top_of_box(900)


@pytest.mark.parametrize(("direction", "left"), [("LeftToRight", 9), ("RightToLeft", 2)])
def test_margins_are_mirrored(qapp: QApplication, direction: str, left: int) -> None:
    row = QHBoxLayout()
    qapp.setLayoutDirection(Qt.LayoutDirection[direction])
    set_margins(row, 9, 0, 2, 0)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert row.contentsMargins().left() == left


def test_alt_and_down_open_a_drop_down_in_any_window(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    drop_down = DropDown()
    drop_down.setParent(window)
    drop_down.addItems(["one", "two"])
    taken = QShortcut(QKeySequence("Alt+Down"), window)
    pressed = QSignalSpy(taken.activated)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    drop_down.setFocus()
    QTest.keySequence(drop_down, QKeySequence("Alt+Down"))
    assert drop_down.view().isVisible()
    assert pressed.count() == 0
    drop_down.hidePopup()
