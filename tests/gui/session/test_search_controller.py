"""How the list takes answers: old ones are dropped, late ones leave the selection in place."""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.gui.results.results_model import ResultRow
from notesearch.gui.results.results_pane import best_first, finding_related, newest_first
from notesearch.gui.session.search_worker import SearchAnswer, SearchRequest
from notesearch.gui.widgets.controls import ElidedLabel
from notesearch.gui.widgets.keys import Move
from notesearch.results import Marked, Mode, NoteResult, Respelling, SearchResult, Why
from notesearch.status import Phase, Progress, Status
from tests.gui.sample_results import marked, note, result
from tests.gui.session.search_bench import Bench
from tests.gui.using_window import seen_correction, seen_order


def incomplete(told: NoteResult) -> NoteResult:
    """Return a note as it comes first: sections out of view have no snippets yet."""
    bare = (replace(s, complete=False, snippet=Marked(""), passage="") for s in told.sections)
    return replace(told, sections=tuple(bare))


MANY = [note(f"n{number}.md", f"Section {number}") for number in range(30)]


def test_an_answer_to_an_older_query_is_dropped(bench: Bench) -> None:
    bench.type("ky")
    old = bench.requests[-1]
    bench.type("kyoto")
    bench.answer(note("a.md", "Kyoto"))
    bench.controller.answer(SearchAnswer(old, result("ky", note("b.md", "Kyrie")), final=True))
    assert bench.sections == ["Kyoto"]


def test_a_new_query_selects_the_best_section(bench: Bench) -> None:
    bench.type("ky")
    bench.answer(*MANY)
    for _ in range(9):
        bench.press(Qt.Key.Key_Down)
    bench.type("kyoto")
    bench.answer(*reversed(MANY))
    assert bench.selected == "Section 29"
    assert bench.window.results.view.verticalScrollBar().value() == 0


def test_until_the_user_moves_the_best_section_is_selected_and_in_sight(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*MANY)
    bench.answer(note("new.md", "Better"), *reversed(MANY), final=True)
    assert bench.selected == "Better"
    assert bench.window.results.view.verticalScrollBar().value() == 0
    bench.controller.repeat()
    bench.answer(note("newest.md", "Best"), note("new.md", "Better"), *MANY, final=True)
    assert bench.selected == "Best"
    assert bench.window.results.view.verticalScrollBar().value() == 0


@pytest.mark.parametrize("way", ["keys", "wheel", "click"])
def test_after_the_user_moved_the_selected_row_stays_where_it_is(bench: Bench, way: str) -> None:
    bench.type("kyoto")
    bench.answer(*MANY)
    view = bench.window.results.view
    if way == "keys":
        bench.press(Qt.Key.Key_Down)
    elif way == "click":
        box = view.visualRect(bench.model.index(5))
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    else:
        view.touched.emit()
        view.verticalScrollBar().setValue(30)
    before = bench.selected, bench.y
    bench.answer(note("new.md", "Better"), *reversed(MANY), final=True)
    assert (bench.selected, bench.y) == before


def test_enter_opens_the_row_that_was_first_until_a_moment_ago(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("notesearch.gui.session.search_controller.time.monotonic", lambda: now)
    for pause, opened in ((0.1, "Section 0"), (0.2, "Better")):
        bench.type("")
        bench.type("kyoto")
        bench.answer(*MANY)
        bench.answer(note("new.md", "Better"), *MANY, final=True)
        now += pause
        bench.press(Qt.Key.Key_Return)
        assert bench.opened[-1] == opened


def test_after_the_user_moved_new_sections_are_added_below(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*MANY[:4])
    bench.press(Qt.Key.Key_Down)
    y = bench.y
    bench.answer(note("new.md", "Better"), *reversed(MANY[:4]), final=True)
    assert bench.sections == ["Section 0", "Section 1", "Section 2", "Section 3", "Better"]
    assert (bench.selected, bench.y) == ("Section 1", y)


def test_better_snippets_move_nothing_and_old_ones_are_dropped(bench: Bench) -> None:
    bench.type("soup")
    bench.answer(note("a.md", "Broth"), note("b.md", "Stock~"), final=True)
    asked, listed, place = bench.requests[-1], bench.sections, bench.y
    sharper = note("b.md", "Stock~")
    sharper = replace(sharper, sections=(replace(sharper.sections[0], snippet=marked("Bones.")),))

    def shown() -> list[str]:
        return [r.result.snippet.text for r in bench.model.rows if isinstance(r, ResultRow)]

    bench.controller.update_snippets(SearchAnswer(asked, result("soup", sharper), final=True))
    assert shown() == ["Some text", "Bones."]
    assert (bench.sections, bench.y, bench.selected) == (listed, place, "Broth")
    bench.type("soups")
    bench.answer(note("b.md", "Stock~"), final=True)
    bench.controller.update_snippets(SearchAnswer(asked, result("soup", sharper), final=True))
    assert shown() == ["Some text"]


def test_late_snippets_change_no_position_or_height(bench: Bench) -> None:
    bench.type("kyoto")
    ranked = [incomplete(one) if number > 3 else one for number, one in enumerate(MANY)]
    bench.answer(*ranked, final=True)
    for _ in range(6):
        bench.press(Qt.Key.Key_Down)
    view = bench.window.results.view
    rows = [view.visualRect(bench.model.index(row)) for row in range(bench.model.rowCount())]
    selected, listed = bench.selected, bench.sections
    resets = QSignalSpy(bench.model.modelReset)
    whole = result("kyoto", *MANY, mode=Mode.HYBRID)
    bench.controller.update_snippets(SearchAnswer(bench.requests[-1], whole, final=True))
    assert all(row.result.complete for row in bench.model.rows if isinstance(row, ResultRow))
    assert (bench.selected, bench.sections, resets.count()) == (selected, listed, 0)
    assert rows == [view.visualRect(bench.model.index(row)) for row in range(len(rows))]


def test_the_first_snippet_stays_until_the_final_one_arrives(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(note("a.md", "A"), note("b.md", "B"))
    bench.answer(note("new.md", "New"), incomplete(note("b.md", "B")), final=True)
    rows = {
        row.result.section: row.result for row in bench.model.rows if isinstance(row, ResultRow)
    }
    assert rows["B"].snippet.text == "Some text"
    words = result("kyoto", note("b.md", "B"), mode=Mode.WORDS)
    before = list(bench.model.rows)
    bench.controller.update_snippets(SearchAnswer(bench.requests[-1], words, final=False))
    assert list(bench.model.rows) == before  # what words told late is out of date


def test_requests_say_how_many_rows_are_visible(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*MANY)
    view = bench.window.results.view
    seen = [
        row
        for row in range(bench.model.rowCount())
        if isinstance(bench.model.rows[row], ResultRow)
        and view.visualRect(bench.model.index(row)).top() < view.viewport().height()
    ]
    asked = bench.requests[-1].view
    assert asked is not None
    assert len(seen) <= asked.sections < len(MANY)
    assert asked.per_note == 3


def test_a_changed_index_keeps_the_selection_in_place(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*MANY, final=True)
    bench.window.results.view.move_selection(Move.LAST)
    y = bench.y
    bench.controller.repeat()
    assert bench.requests[-1].repeat
    bench.answer(note("new.md", "New"), *MANY, final=True)
    assert (bench.selected, bench.y) == ("Section 29", y)


def test_words_answer_though_the_index_changes_before_they_have(bench: Bench) -> None:
    """Nothing was listed until the search by meaning answered."""
    bench.type("kyoto")
    bench.controller.repeat()
    assert not bench.requests[-1].repeat
    bench.answer(*MANY)
    assert bench.selected == "Section 0"


def test_the_selection_follows_a_renamed_note(bench: Bench) -> None:
    """It jumped to the first row when somebody renamed the note that was shown."""
    bench.type("kyoto")
    bench.answer(*MANY[:3], final=True)
    bench.press(Qt.Key.Key_Down)
    bench.controller.follow_note(MANY[1].path, "new name.md")
    bench.controller.repeat()
    bench.answer(MANY[0], MANY[2], note("new name.md", "Section 1"), final=True)
    assert bench.selected == "Section 1"


def test_the_selection_follows_a_note_found_before_its_new_name_is_reported(bench: Bench) -> None:
    """It stayed on the first row if an answer came between the change and its report."""
    bench.type("kyoto")
    bench.answer(*MANY[:3], final=True)
    bench.press(Qt.Key.Key_Down)
    found = MANY[0], MANY[2], note("new name.md", "Section 1")
    bench.controller.repeat()
    bench.answer(*found, final=True)
    bench.controller.follow_note(MANY[1].path, "new name.md")
    bench.controller.repeat()
    bench.answer(*found, final=True)
    assert bench.selected == "Section 1"


def test_when_the_selected_section_disappears_the_best_is_selected(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(*MANY[:3], final=True)
    bench.press(Qt.Key.Key_Down)
    bench.controller.repeat()
    bench.answer(MANY[0], MANY[2], final=True)
    assert bench.selected == "Section 0"


READ = Status(vault="/notes", model="m", notes=5, last_scan=1.0)


def test_before_the_first_reading_nothing_is_said_of_all_notes(bench: Bench) -> None:
    """It said that the words are not in the notes, of which none had been read."""
    bench.type("xyzzy")
    bench.answer(final=True)
    assert bench.window.page.page.title == "Searching for “xyzzy”…"
    bench.controller.set_state(replace(READ, last_scan=0.0), Progress(Phase.WORDS, 2, 5))
    assert bench.window.page.page.text == "2 of 5 notes have been read so far."
    bench.controller.set_state(READ, None)
    assert bench.window.page.page.title == "No sections match “xyzzy”"


def test_the_empty_page_names_no_place_that_was_not_searched_yet(bench: Bench) -> None:
    bench.controller.set_state(replace(READ, last_scan=0.0), Progress(Phase.WORDS, 2, 5))
    bench.type("xyzzy")
    bench.answer(final=True)
    bench.controller.set_within("travel/")
    bench.controller.set_state(READ, None)
    assert "travel" not in bench.window.page.page.detail


def test_results_of_a_half_read_index_are_those_so_far(bench: Bench) -> None:
    bench.type("kyoto")
    bench.answer(MANY[0], final=True)
    bench.controller.set_state(replace(READ, last_scan=0.0), None)
    assert bench.window.results.summary.count_text == "1 section so far"
    bench.controller.set_state(replace(READ, last_scan=0.0), None, stuck=True)
    assert bench.window.results.summary.count_text == "1 section in 1 note"
    bench.controller.set_state(READ, None)
    assert bench.window.results.summary.count_text == "1 section in 1 note"


def test_the_empty_page_waits_for_words_and_meaning(bench: Bench) -> None:
    bench.controller.set_state(READ, None)
    bench.type("ky")
    bench.answer(*MANY[:2], final=True)
    bench.type("xyzzy")
    bench.answer()
    assert bench.window.shows_results
    assert bench.sections == ["Section 0", "Section 1"]
    bench.answer(final=True)
    assert not bench.window.shows_results
    assert bench.window.page.page.title == "No sections match “xyzzy”"
    bench.type("ky")
    bench.answer(*MANY[:2])
    assert bench.window.shows_results


def test_enter_waits_for_the_answer(bench: Bench) -> None:
    bench.type("ky")
    bench.answer(*MANY[:2], final=True)
    bench.type("kyoto")
    bench.press(Qt.Key.Key_Return)
    assert bench.opened == []
    bench.answer(MANY[1], MANY[0])
    assert bench.opened == ["Section 1"]
    bench.answer(MANY[0], MANY[1], final=True)
    assert bench.opened == ["Section 1"]


def test_arrows_pressed_before_the_answer_apply_to_it(bench: Bench) -> None:
    bench.type("ky")
    bench.answer(*MANY, final=True)
    bench.type("kyoto")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        bench.press(key)
    bench.answer(*reversed(MANY))
    assert bench.selected == "Section 28", "one below the first"
    bench.answer(*MANY, final=True)
    assert bench.selected == "Section 28", "and only once"
    bench.type("kyoto f")
    bench.press(Qt.Key.Key_Down)
    bench.type("kyoto fo")
    bench.answer(*MANY)
    assert bench.selected == "Section 0", "they belong to the text they were pressed at"


def test_down_and_enter_before_the_answer_open_the_second_row(bench: Bench) -> None:
    bench.type("kyoto")
    bench.press(Qt.Key.Key_Down)
    bench.press(Qt.Key.Key_Return)
    bench.answer(*MANY[:3])
    assert bench.opened == ["Section 1"]


def test_escape_and_typing_cancel_a_waiting_enter(bench: Bench) -> None:
    bench.type("kyoto")
    bench.press(Qt.Key.Key_Return)
    bench.press(Qt.Key.Key_Escape)
    assert bench.window.field.text == "kyoto"
    bench.press(Qt.Key.Key_Return)
    bench.type("kyoto f")
    bench.answer(*MANY[:2], final=True)
    assert bench.opened == []
    bench.press(Qt.Key.Key_Escape)
    assert bench.window.field.text == ""


def test_a_slow_search_skips_keystrokes(
    qtbot: QtBot, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()  # for the program, the keys follow one another at once
    monkeypatch.setattr("notesearch.gui.session.search_controller.time.monotonic", lambda: now)
    bench.type("k")
    bench.answer(*MANY[:2], took_ms=60)
    bench.answer(*MANY[:2], final=True, took_ms=3000)
    bench.window.field.set_text("ky")
    bench.window.field.set_text("kyo")
    assert [request.text for request in bench.requests] == ["k"]
    qtbot.waitUntil(lambda: len(bench.requests) == 2)
    assert [request.text for request in bench.requests] == ["k", "kyo"]


def test_after_a_pause_a_slow_search_starts_at_once(qtbot: QtBot, bench: Bench) -> None:
    bench.type("k")
    bench.answer(*MANY[:2], took_ms=60)
    qtbot.waitUntil(lambda: time.monotonic() - bench.requests[-1].typed_at > 0.06)
    bench.type("ky")
    assert [request.text for request in bench.requests] == ["k", "ky"]


def test_a_blank_query_is_not_searched(bench: Bench) -> None:
    bench.type("   ")
    bench.controller.repeat()
    assert bench.requests == []
    bench.press(Qt.Key.Key_Return)
    assert bench.opened == []


def test_the_list_stays_while_the_index_cannot_answer(bench: Bench) -> None:
    bench.type("ky")
    bench.answer(*MANY[:2], final=True)
    bench.type("kyo")
    bench.controller.answer(SearchAnswer(bench.requests[-1], None, final=True))
    assert bench.sections == ["Section 0", "Section 1"]


def test_before_the_first_index_the_page_says_that_nothing_is_found_yet(bench: Bench) -> None:
    """It said so beside “Opening your notes…”, before any note had been looked at."""
    bench.type("kyo")
    bench.controller.answer(SearchAnswer(bench.requests[-1], None, final=True))
    assert not bench.window.shows_results
    assert bench.window.page.page.title == "Searching for “kyo”…"
    bench.controller.set_state(replace(READ, last_scan=0.0), Progress(Phase.WORDS, 2, 5))
    bench.type("kyot")
    bench.controller.answer(SearchAnswer(bench.requests[-1], None, final=True))
    assert bench.window.page.page.title == "Nothing found yet for “kyot”"


def test_a_slow_search_shows_that_it_has_no_answer_yet(qtbot: QtBot, bench: Bench) -> None:
    """As in many folders at once, or in one on a slow disk."""
    page, view = bench.window.page, bench.window.results.view
    bench.type("kyo")
    qtbot.waitUntil(lambda: page.page.title == "Searching for “kyo”…")
    bench.answer(*MANY[:2])
    bench.answer(*MANY[:2], final=True)
    answered = view.grab().toImage()
    bench.type("kyot")
    assert view.grab().toImage() == answered
    qtbot.waitUntil(lambda: view.grab().toImage() != answered)
    bench.answer(*MANY[:2], final=True)
    assert view.grab().toImage() == answered


def test_another_vault_shows_nothing_before_it_answers(bench: Bench) -> None:
    bench.type("food")
    bench.answer(note("A", "One", "Two"), final=True)
    assert bench.window.results.summary.count_text == "2 sections in 1 note"
    bench.window.results.set_correction("Searched for “food”.", "Search for “foot”")
    bench.controller.forget()
    assert not bench.sections
    assert not bench.window.shows_results
    assert bench.window.page.page.title == "Searching for “food”…"
    assert bench.window.results.summary.count_text == ""
    assert seen_correction(bench.window.results) == ""


def test_a_shortened_list_says_so(bench: Bench) -> None:
    bench.type("k")
    found: SearchResult = result("k", *MANY, total=900)
    bench.controller.answer(SearchAnswer(bench.requests[-1], found, final=True))
    last = bench.model.index(bench.model.rowCount() - 1)
    assert last.data() == "Showing the best 30. Add a word to narrow it down."


def test_the_search_for_related_sections_is_mentioned_only_if_slow(
    qtbot: QtBot, bench: Bench
) -> None:
    pane = bench.window.results
    bench.type("kyoto")
    bench.answer(*MANY[:2])
    assert seen_order(pane.summary) == best_first()
    qtbot.waitUntil(lambda: seen_order(pane.summary) == finding_related())
    bench.answer(*MANY[:2], final=True)
    assert seen_order(pane.summary) == best_first()


def test_a_corrected_word_is_mentioned_and_can_be_searched_as_typed(bench: Bench) -> None:
    bench.type("recieve mail")
    spelling = (Respelling("recieve", "receive"),)
    found = replace(result("recieve mail", note("a.md", "Kyoto")), spelling=spelling)
    bench.controller.answer(SearchAnswer(bench.requests[-1], found, final=True))
    pane = bench.window.results
    assert seen_correction(pane) == "Showing results for “receive”. Search for “recieve” instead"
    button = pane.findChild(QPushButton)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert bench.requests[-1].text == '"recieve" mail'
    bench.answer(note("a.md", "Kyoto"), final=True)
    assert seen_correction(pane) == ""


def test_a_filter_like_a_misspelt_one_can_be_searched(bench: Bench) -> None:
    bench.type("tga:trips river")
    near = {"tga:trips": ("tag:trips",)}
    found = result("tga:trips river", note("a.md", "Kyoto"))
    found = replace(found, not_filters=tuple(near), near_filters=near)
    bench.controller.answer(SearchAnswer(bench.requests[-1], found, final=True))
    pane = bench.window.results
    said = "Not a filter, searched as text: “tga:trips”. Did you mean #trips?"
    assert seen_correction(pane) == said
    QTest.mouseClick(pane.offer_button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert bench.requests[-1].text == "tag:trips river"


def test_words_excluded_by_a_minus_are_mentioned(bench: Bench) -> None:
    bench.type("rm -rf x")
    found = replace(result("rm -rf x", note("a.md", "Kyoto")), without=("rf",))
    bench.controller.answer(SearchAnswer(bench.requests[-1], found, final=True))
    assert seen_correction(bench.window.results) == "Excluding “rf”."
    bench.type("rm x")
    bench.answer(note("a.md", "Kyoto"), final=True)
    assert seen_correction(bench.window.results) == ""


def test_long_corrected_words_do_not_widen_the_list(bench: Bench) -> None:
    long = "x" * 80
    bench.type(long)
    bench.answer(note("a.md", "Kyoto"))
    before = bench.window.panes.sizes()
    spelling = (Respelling(long, f"{long}y"), Respelling(f"a{long}", f"b{long}"))
    found = replace(result(long, note("a.md", "Kyoto")), spelling=spelling)
    bench.controller.answer(SearchAnswer(bench.requests[-1], found, final=True))
    assert bench.window.results.minimumSizeHint().width() < 300
    assert bench.window.panes.sizes() == before


@pytest.mark.parametrize(("typed", "is_below"), [("vi", False), ("kyotto restaurant", True)])
def test_the_offer_is_below_a_correction_that_leaves_it_no_room(
    bench: Bench, typed: str, is_below: bool
) -> None:
    bench.window.resize(1_120, 400)
    bench.type(typed)
    spelling = (Respelling(typed, f"{typed}x"),)
    answer = replace(result(typed, note("a.md", "Kyoto")), spelling=spelling)
    bench.controller.answer(SearchAnswer(bench.requests[-1], answer, final=True))
    pane = bench.window.results
    offer, correction = pane.offer_button, pane.findChild(ElidedLabel, "correction")
    assert correction is not None
    QApplication.processEvents()
    assert (offer.y() > correction.y()) == is_below
    assert offer.text() == f"Search for “{typed}” instead"
    assert offer.width() >= offer.sizeHint().width(), "nothing is cut off"
    assert correction.shown == correction.text()


def test_an_offer_wider_than_the_list_ends_with_an_ellipsis(bench: Bench) -> None:
    long = "x" * 80
    bench.type(long)
    spelling = (Respelling(long, f"{long}y"),)
    answer = replace(result(long, note("a.md", "Kyoto")), spelling=spelling)
    bench.controller.answer(SearchAnswer(bench.requests[-1], answer, final=True))
    offer = bench.window.results.offer_button
    assert offer.text().endswith("…")
    assert offer.toolTip() == f"Search for “{long}” instead"
    bench.window.resize(3_000, 400)
    assert offer.text() == offer.toolTip()


def test_the_line_above_the_list_names_the_order(bench: Bench) -> None:
    listed = note("a.md", "Kyoto")
    by_rules = replace(listed, sections=tuple(replace(s, why=Why()) for s in listed.sections))
    bench.type("tag:travel")
    bench.answer(by_rules)
    assert seen_order(bench.window.results.summary) == newest_first()
    bench.answer(by_rules, final=True)
    assert seen_order(bench.window.results.summary) == newest_first()
    bench.type("tag:travel kyoto")
    bench.answer(listed, final=True)
    assert seen_order(bench.window.results.summary) == best_first()


class Order(QObject):
    """Writes down when a field is painted and when something is searched for."""

    def __init__(self, bench: Bench, field: QLineEdit) -> None:
        super().__init__(field)
        self.seen: list[str] = []
        bench.workers.listener = self._asked
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.seen.append("painted")
        return False

    def _asked(self, request: SearchRequest) -> None:
        self.seen.append(f"asked for {request.text}")


@pytest.mark.parametrize("letters", ["k", "kyoto"])
def test_letters_are_painted_before_the_search_for_them_begins(bench: Bench, letters: str) -> None:
    field = bench.window.findChild(QLineEdit)
    assert field is not None
    QApplication.processEvents()
    order = Order(bench, field)
    QTest.keyClicks(field, letters)
    QApplication.processEvents()
    assert order.seen == ["painted", f"asked for {letters}"]


def test_the_key_down_waits_for_completions(bench: Bench) -> None:
    field = bench.window.findChild(QLineEdit)
    assert field is not None
    left = QSignalSpy(bench.controller.left_field)
    QTest.keyClicks(field, "tag:")
    QApplication.processEvents()
    bench.answer(final=True)
    bench.press(Qt.Key.Key_Down)
    assert left.count() == 0
    bench.window.field.offer("tag:", [])  # there are none
    bench.press(Qt.Key.Key_Down)
    assert left.count() == 1
