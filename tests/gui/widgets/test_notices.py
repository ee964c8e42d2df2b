"""Messages and banners: their texts, links and buttons."""

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.gui.widgets.answer_texts import (
    empty_query_message,
    failed_message,
    interpretation_text,
    no_results_message,
    not_yet_message,
    unmet_text,
)
from notesearch.gui.widgets.notices import (
    Banner,
    Message,
    MessagePage,
    SearchLink,
    choose_folder_message,
    scrolling,
)
from notesearch.gui.widgets.theme import DARK, LIGHT
from notesearch.gui.window.index_display import UnreadList
from notesearch.messages import Sentence
from notesearch.results import Unanswered, Unmet
from notesearch.status import Phase, Progress, Unread
from tests.gui.sample_results import result
from tests.gui.window.test_index_display import GOOD


def shown(qtbot: QtBot, page: Message, *actions: QAction) -> MessagePage:
    made = MessagePage(LIGHT)
    made.set_theme(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show_page(page, actions)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_first_button_is_the_primary_one_and_triggers_its_action(qtbot: QtBot) -> None:
    choose, sample = QAction("Choose folder…"), QAction("Try the sample notes")
    made = shown(qtbot, choose_folder_message(), choose, sample)
    assert [b.property("primary") for b in made.buttons] == [True, False]
    made.focus_action()
    chosen = QSignalSpy(choose.triggered)
    QTest.keyClick(made.buttons[0], Qt.Key.Key_Space)
    assert chosen.count() == 1


def test_another_message_replaces_the_buttons(qtbot: QtBot) -> None:
    made = shown(qtbot, choose_folder_message(), QAction("Choose folder…"))
    old = made.buttons[0]
    made.show_page(empty_query_message(GOOD))
    assert list(made.buttons) == []
    assert not old.isVisible()


def test_a_query_without_results_names_the_filter_that_matches_nothing() -> None:
    unmet = (Unmet("tag:tr", ("tag:travel", "tag:trips")),)
    page = no_results_message(replace(result("tag:tr"), unmet=unmet), None)
    assert page.text == "No notes tagged #tr."
    assert page.detail == "Try removing the filter."
    assert no_results_message(result("tr"), None).detail.startswith("Try another word, or")
    assert no_results_message(result("tr ip"), None).detail.startswith("Try fewer words, or")


def test_while_notes_are_read_nothing_is_said_of_all_notes() -> None:
    page = not_yet_message("kyotto", Progress(Phase.WORDS, 3, 1204))
    assert page.title == "Nothing found yet for “kyotto”"
    assert (page.text, page.detail) == ("3 of 1,204 notes have been read so far.", "")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (
            Sentence("index_busy_here"),
            (
                "“Work” was not searched: This folder is already being indexed."
                " Wait until that has finished."
            ),
        ),
        (Sentence("index_missing", vault="/work"), ""),
    ],
)
def test_a_vault_that_does_not_answer_is_named_unless_it_is_new(
    reason: Sentence, told: str
) -> None:
    silent = replace(result("tr"), unanswered=(Unanswered("Work", reason),))
    assert no_results_message(silent, None).text == told
    assert told in interpretation_text(silent, silent.query)[0]


def test_no_line_has_a_single_word(qtbot: QtBot) -> None:
    made = shown(qtbot, no_results_message(result("xyzzy", missing=("xyzzy",)), GOOD))
    detail = next(label for label in made.findChildren(QLabel) if label.text() == made.page.detail)
    width, height = detail.width(), detail.height()
    detail.setMinimumSize(0, 0)
    assert detail.heightForWidth(width - 1) > height, "all lines are about as long"


LONG = "xyzzy " * 60


@pytest.mark.parametrize(
    "page",
    [
        choose_folder_message(),
        empty_query_message(None),
        empty_query_message(GOOD),
        no_results_message(result("kyotto", missing=("kyotto",)), GOOD),
        no_results_message(replace(result("kyotto"), suggestion="kyoto & food"), GOOD),
        no_results_message(result(LONG, missing=(LONG,)), None),
        no_results_message(result("<b>not</b> rich"), None),
        no_results_message(result("w" * 40, missing=("w" * 40,)), GOOD),
        failed_message("The index folder cannot be written."),
    ],
)
@pytest.mark.parametrize("width", [560, 1120])
def test_no_text_is_cut(qtbot: QtBot, page: Message, width: int) -> None:
    made = shown(qtbot, page)
    made.resize(width, 600)
    made.set_theme(DARK)
    labels = [label for label in made.findChildren(QLabel) if label.isVisible() and label.text()]
    assert page.title in [label.text() for label in labels]
    for label in labels:
        assert label.textFormat() == Qt.TextFormat.PlainText
        assert label.height() >= label.heightForWidth(label.width())
        assert widest_word(label) <= label.width()


def widest_word(label: QLabel) -> int:
    return max(map(label.fontMetrics().horizontalAdvance, label.text().split()), default=0)


@pytest.mark.parametrize("query", ["w" * 5000, "lorem ipsum " * 400])
def test_a_long_pasted_query_is_shortened(qtbot: QtBot, query: str) -> None:
    made = shown(qtbot, no_results_message(result(query, missing=(query,)), GOOD))
    for label in filter(QLabel.isVisible, made.findChildren(QLabel)):
        assert made.rect().contains(label.geometry())
        assert label.height() < made.height() / 5
        assert widest_word(label) <= label.width()


def test_a_banner_offers_actions(qtbot: QtBot) -> None:
    banner = Banner()
    banner.set_theme(LIGHT)
    qtbot.addWidget(banner)
    assert banner.isHidden()
    first, second = QAction("Choose folder…"), QAction("Try again")
    banner.show_message("The notes folder is not reachable.", [first, second])
    assert banner.buttons == ["Choose folder…", "Try again"]
    banner.show_message("Something else.", [second])
    assert banner.buttons == ["Try again"]
    assert banner.text == "Something else."


def test_a_button_can_be_clicked_while_the_text_changes(qtbot: QtBot) -> None:
    """Examples are Cancel during a download, and the actions offered while notes are read."""
    cancel, banner, page = QAction("Cancel"), Banner(), MessagePage(LIGHT)
    offers = (SearchLink("Did you mean…", "kyoto"),)
    for shown in (banner, page):
        qtbot.addWidget(shown)
    for share in ("1 %", "2 %"):
        banner.show_message(share, [cancel])
        page.show_page(Message("search", "Reading", share, offers=offers), [cancel])
        if share == "1 %":
            pressed = [*banner.findChildren(QPushButton), *page.findChildren(QPushButton)]
            assert len(pressed) == 3
            for button in pressed:
                QTest.mousePress(button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignals([cancel.triggered, cancel.triggered, page.offered]):
        for button in pressed:
            QTest.mouseRelease(button, Qt.MouseButton.LeftButton)


def test_the_buttons_of_a_narrow_banner_stand_below_its_text(qtbot: QtBot) -> None:
    banner = Banner()
    banner.set_theme(LIGHT)
    qtbot.addWidget(banner)
    banner.show_message("The folder is away. " * 8, [QAction("Choose folder…"), QAction("Again")])
    text, button = banner.findChildren(QLabel)[1], banner.findChildren(QPushButton)[0]

    def stands(*, below: bool) -> bool:
        return (button.y() >= text.geometry().bottom()) is below

    for width, below in ((900, False), (300, True), (900, False)):
        banner.resize(width, 300)
        qtbot.waitUntil(partial(stands, below=below))
        assert text.height() >= text.heightForWidth(text.width())


@pytest.mark.parametrize(("text", "below"), [("It is away.", False), ("It is away. " * 40, True)])
def test_the_buttons_stand_where_the_banner_is_lower(qtbot: QtBot, text: str, below: bool) -> None:
    banner = Banner()
    banner.set_theme(LIGHT)
    qtbot.addWidget(banner)
    banner.resize(560, 300)
    banner.show_message(text, [QAction("Choose folder…"), QAction("Try again")])
    label, button = banner.findChildren(QLabel)[1], banner.findChildren(QPushButton)[0]
    qtbot.waitUntil(lambda: (button.y() >= label.geometry().bottom()) is below)


def test_an_offer_looks_like_no_warning(qtbot: QtBot) -> None:
    icons = []
    for kind in ("banner", "offer", "notice"):
        bar = Banner(kind)
        bar.set_theme(LIGHT)
        qtbot.addWidget(bar)
        icons.append(bar.findChildren(QLabel)[0].pixmap().toImage())
    assert icons[0] != icons[1] != icons[2]


def test_a_message_scrolls_where_large_text_needs_more_room(qtbot: QtBot) -> None:
    page = MessagePage(LIGHT)
    page.set_theme(LIGHT)
    page.show_page(Message("search", "A title", "A text of several words. " * 12, "A detail"))
    area = scrolling(page)
    qtbot.addWidget(area)
    for height, hidden in ((600, False), (120, True)):
        area.resize(300, height)
        area.grab()
        assert bool(area.verticalScrollBar().maximum()) is hidden
    labels = [label for label in page.findChildren(QLabel) if label.text()]
    assert all(label.height() >= label.heightForWidth(label.width()) for label in labels)


def rows(dialog: UnreadList) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def test_unread_notes_are_listed_with_their_reasons(qtbot: QtBot) -> None:
    made = UnreadList(
        (Unread("a.md", Sentence("file_not_text")), Unread("b/c.md", Sentence("file_special")))
    )
    qtbot.addWidget(made)
    assert made.windowTitle() == "Notes that could not be read"
    assert rows(made) == ["a.md\nIt is not a text file.", "b/c.md\nIt is not a regular file."]


def test_warnings_come_after_unread_notes(qtbot: QtBot) -> None:
    remark = Unread("a.md", Sentence("file_guessed_encoding", encoding="KOI8-R"), remark=True)
    made = UnreadList((remark, Unread("b.md", Sentence("file_not_text"))))
    qtbot.addWidget(made)
    assert rows(made) == ["b.md\nIt is not a text file.", f"a.md\n{remark.reason}"]
    only = UnreadList((remark,))
    qtbot.addWidget(only)
    assert only.windowTitle() == "Notes with warnings"
    assert only.head.text() == "1 note searched, but with warnings."


def test_a_correction_is_a_link(qtbot: QtBot) -> None:
    page = no_results_message(replace(result("kyotto"), suggestion="kyoto"), GOOD)
    made = shown(qtbot, page)
    accepted = QSignalSpy(made.offered)
    made.focus_action()
    link = made.focusWidget()
    assert isinstance(link, QPushButton)
    assert link.text() == "Did you mean kyoto?"
    QTest.keyClick(link, Qt.Key.Key_Return)
    assert accepted.count() == 1
    assert accepted.at(0) == ["kyoto"]


def test_filters_like_one_that_matches_nothing_are_links(qtbot: QtBot) -> None:
    unmet = (Unmet("tag:tr", ("tag:travel", 'tag:"far trips"')),)
    found = replace(result("river tag:tr"), unmet=unmet)
    made = shown(qtbot, no_results_message(found, GOOD))
    links = [one for one in made.findChildren(QPushButton) if one.isVisible()]
    assert [link.text() for link in links] == [
        "Did you mean #travel?",
        "Did you mean #far trips?",
    ]
    accepted = QSignalSpy(made.offered)
    QTest.mouseClick(links[1], Qt.MouseButton.LeftButton)
    assert accepted.at(0) == ['river tag:"far trips"']


def test_filters_like_a_misspelt_one_are_links(qtbot: QtBot) -> None:
    found = replace(
        result("tga:trips river"),
        not_filters=("tga:trips",),
        near_filters={"tga:trips": ("tag:trips",)},
    )
    page = no_results_message(found, GOOD)
    assert page.text == "Not a filter, searched as text: “tga:trips”."
    assert [(one.text, one.query) for one in page.offers] == [
        ("Did you mean #trips?", "tag:trips river")
    ]


@pytest.mark.parametrize(
    ("near", "told"),
    [
        (("tag:travel",), "No notes tagged #tr."),
        # notes elsewhere may have the tag
        ((), ""),
    ],
)
def test_a_filter_in_a_folder_is_named_if_no_note_anywhere_matches_it(
    near: tuple[str, ...], told: str
) -> None:
    found = replace(result("tag:tr"), unmet=(Unmet("tag:tr", near),))
    page = no_results_message(found, GOOD, "trips/")
    assert (page.text, len(page.offers)) == (told, len(near))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("tag:#featur", "No notes tagged #featur."),
        ("path:trav", "No notes in a folder “trav”."),
        ('file:"a b"', "No notes named “a b”."),
        ("lang:xx", "No notes or code in “xx”."),
        ("has:table", "No notes match the filter “has:table”."),
        ("tag:a OR tag:b", "No notes match the filter “tag:a OR tag:b”."),
    ],
)
def test_a_filter_that_matches_nothing_is_named(typed: str, said: str) -> None:
    assert unmet_text(Unmet(typed)) == said


def test_punctuation_alone_is_nothing_to_search_for() -> None:
    page = no_results_message(replace(result("?!"), is_empty=True), None)
    assert (page.title, page.text) == (
        "Nothing to search for in “?!”",
        "Type a word or a filter.",
    )


def test_phrases_that_match_nothing_together_are_no_filters() -> None:
    both = Unmet('"a b" "c d"', together=('"a b"', '"c d"'))
    page = no_results_message(replace(result(both.filter), unmet=(both,)), None)
    assert page.detail == "Try fewer words, or describe what the note is about."
    both = Unmet("tag:a c", together=("tag:a", "c"))
    page = no_results_message(replace(result(both.filter), unmet=(both,)), None)
    assert page.detail == "Try removing the filter."


def test_filters_that_match_nothing_together_are_quoted_one_by_one() -> None:
    filters = "tag:a", "-path:b", f"has:{'x' * 100}"
    said = unmet_text(Unmet(" ".join(filters), together=filters))
    assert said == f"No notes match “tag:a” and “-path:b” and “{filters[2][:80]}…” together."


@pytest.mark.parametrize(
    ("within", "said"),
    [
        ("", "Searched 1,204 notes. "),
        ("travel/", "Only searched in travel."),
        ("travel/Trip.md", "Only searched in travel/Trip.md."),
    ],
)
def test_a_message_without_results_says_what_was_searched(within: str, said: str) -> None:
    status = replace(GOOD, notes=1204, folders=("travel",))
    assert no_results_message(result("xyzzy"), status, within).detail.startswith(said)
