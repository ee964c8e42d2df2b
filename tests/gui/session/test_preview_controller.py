"""The preview follows the selection: one request for each, and only its answers are shown."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.preview.document import PreviewContent
from notesearch.gui.preview.preview_pane import PreviewPane
from notesearch.gui.session.preview_controller import PreviewController
from notesearch.gui.session.section_reader import PreviewAnswer, PreviewRequest
from notesearch.gui.widgets.theme import LIGHT
from notesearch.results import Scope, SectionResult, SectionText, Why
from tests.gui.preview_contents import content_of
from tests.gui.sample_results import section
from tests.gui.using_window import typed

ONE, TWO, THREE = (section("a.md", name, line=n) for n, name in enumerate(("One", "Two", "Three")))


class Thread(QObject):
    """Stands in for the reading thread: a test decides when it answers."""

    answered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[PreviewRequest] = []
        self.version = "first"

    @property
    def reading(self) -> "Thread":
        return self

    def read(self, request: PreviewRequest) -> None:
        self.requests.append(request)

    @property
    def names(self) -> list[str]:
        return [request.result.section for request in self.requests]

    def content(self, request: PreviewRequest, *, complete: bool = True) -> PreviewContent:
        heading = request.result.section
        text = SectionText(
            request.path, "Title", heading, (heading,), 2, request.line, 5, self.version
        )
        html = f"<h2>{heading}</h2><p>{self.version}</p>" + "<p>The rest.</p>" * complete
        return replace(content_of(text, html), scope=request.scope, complete=complete)

    def answer(self, request: PreviewRequest | None = None, *, complete: bool = True) -> None:
        request = request or self.requests[-1]
        self.answered.emit(PreviewAnswer(request, self.content(request, complete=complete)))


@pytest.fixture
def pane(qtbot: QtBot) -> PreviewPane:
    made = PreviewPane(LIGHT)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def thread() -> Thread:
    return Thread()


@pytest.fixture
def preview(pane: PreviewPane, thread: Thread) -> PreviewController:
    controller = PreviewController(pane, pane)
    controller.attach(thread)  # type: ignore[arg-type]
    return controller


def test_each_selection_is_one_request(preview: PreviewController, thread: Thread) -> None:
    for selected in (ONE, TWO, THREE):
        preview.show(selected, "q")
    assert thread.names == ["One", "Two", "Three"]
    assert preview.request is thread.requests[-1] or preview.request == thread.requests[-1]


def test_only_the_newest_request_is_shown(
    preview: PreviewController, pane: PreviewPane, thread: Thread
) -> None:
    shown = QSignalSpy(preview.shown)
    for selected in (ONE, TWO, THREE):
        preview.show(selected, "q")
    for request in thread.requests:
        thread.answer(request)
    assert shown.count() == 1
    assert pane.browser.toPlainText().startswith("Three")


def test_a_better_answer_is_shown_too(
    preview: PreviewController, pane: PreviewPane, thread: Thread
) -> None:
    preview.show(ONE, "q")
    thread.answer(complete=False)
    assert "The rest." not in pane.browser.toPlainText()
    assert not preview.is_complete
    thread.answer()
    assert "The rest." in pane.browser.toPlainText()
    assert preview.is_complete


def test_a_section_found_again_keeps_its_scope(preview: PreviewController, thread: Thread) -> None:
    preview.show(ONE, "q")
    thread.answer()
    preview.show_note()
    thread.answer()
    again = replace(ONE, score=0.5)
    preview.show(again, "q")
    assert preview.request is not None
    assert (preview.request.scope, preview.request.result) == (Scope.NOTE, again)
    preview.show(ONE, "another")
    assert thread.requests[-1].scope is Scope.SECTION


def test_the_same_section_is_read_once_until_its_note_changes(
    preview: PreviewController, thread: Thread
) -> None:
    shown = QSignalSpy(preview.shown)
    preview.show(ONE, "q")
    thread.answer(complete=False)
    preview.show(ONE, "q")
    assert thread.names == ["One", "One"], "a part of it is missing"
    thread.answer()
    again = replace(ONE, score=2.0, why=Why(1, 4, ("body",)))
    preview.show(again, "q")
    assert thread.names == ["One", "One"]
    assert preview.shows(again)
    preview.reload()
    thread.answer()
    assert shown.count() == 2, "nothing changed"
    thread.version = "second"
    preview.reload()
    thread.answer()
    assert shown.count() == 3, "its note changed"


def test_typing_and_a_changed_note_read_the_section_once_each(
    qtbot: QtBot, app: App, notes: Path
) -> None:
    typed(qtbot, app, "dashi")
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    workers, section = app.vault.main_workers(), app.window.results.view.section
    assert workers is not None
    asked = QSignalSpy(workers.requested)
    app.window.results.view.selected.emit(section)
    assert asked.count() == 0
    file = notes / "kitchen/Recipes.md"
    file.write_text(file.read_text("utf-8").replace("Dashi", "Dashi\n\nA quokka.", 1), "utf-8")
    app.actions.update_index.trigger()
    qtbot.waitUntil(lambda: "quokka" in app.window.preview.browser.toPlainText())


@pytest.mark.parametrize(
    ("result", "passage"),
    [
        (ONE, ""),
        (replace(ONE, why=Why(None, 1), passage="Nearest."), "Nearest."),
        (replace(ONE, why=Why(1, 1, ("body",)), passage="Nearest."), ""),
    ],
)
def test_the_nearest_sentence_is_wanted_where_no_word_matches(
    preview: PreviewController, thread: Thread, result: SectionResult, passage: str
) -> None:
    preview.show(ONE, "q")
    preview.show(result, "q")
    assert thread.requests[-1].passage == passage
    preview.widen()
    assert thread.requests[-1].passage == passage
    preview.go_to(("b.md", 3))
    assert thread.requests[-1].passage == ""


def test_a_slow_section_is_replaced_by_a_sentence(
    qtbot: QtBot, preview: PreviewController, pane: PreviewPane, thread: Thread
) -> None:
    preview.show(ONE, "q")
    thread.answer()
    preview.show(TWO, "q")
    assert pane.browser.toPlainText().startswith("One")
    qtbot.waitUntil(lambda: preview.content is None)
    assert pane._message.text() == "Rendering…"
    thread.answer()
    assert pane.browser.toPlainText().startswith("Two")


def test_a_section_still_on_screen_is_not_replaced_by_a_sentence(
    preview: PreviewController, pane: PreviewPane, thread: Thread
) -> None:
    preview.show(ONE, "q")
    thread.answer()
    preview.go_to(("b.md", 3))
    assert preview._late.isActive()
    preview.back()
    assert not preview._late.isActive()
    assert preview.content is not None
    assert pane.browser.toPlainText().startswith("One")


def test_a_problem_is_shown_and_read_again_on_request(
    preview: PreviewController, pane: PreviewPane, thread: Thread
) -> None:
    missing = QSignalSpy(preview.note_missing)
    preview.show(ONE, "q")
    request = thread.requests[-1]
    thread.answered.emit(PreviewAnswer(request, problem="It was moved.", note_missing=True))
    assert missing.at(0) == ["a.md", True]
    assert preview.content is None
    pane.update_button.click()
    assert thread.names == ["One", "One"]
    thread.answer()
    assert missing.at(1) == ["a.md", False]


def test_links_are_followed_back_and_forward(preview: PreviewController, thread: Thread) -> None:
    def place() -> tuple[str, int]:
        return thread.requests[-1].path, thread.requests[-1].line

    preview.show(ONE, "q")
    thread.answer()
    for line in (7, 8):
        preview.go_to(("b.md", line))
        thread.answer()
    places = []
    for step in (preview.back, preview.back, preview.forward):
        step()
        places.append(place())
    assert places == [("b.md", 7), ("a.md", 0), ("b.md", 7)]
    preview.show(TWO, "q")
    preview.back()
    assert thread.names[-1] == "Two", "another selection starts a new history"


def test_another_vault_shows_nothing_of_the_former(
    preview: PreviewController, pane: PreviewPane, thread: Thread
) -> None:
    """The vaults can have the same note, and late answers must not be shown."""
    preview.show(ONE, "q")
    former, other = thread.requests[-1], Thread()
    preview.attach(other)  # type: ignore[arg-type]
    thread.answer(former)
    assert preview.content is None
    other.version = "of the other vault"
    preview.show(ONE, "q")
    other.answer()
    assert "of the other vault" in pane.browser.toPlainText()
    preview.attach(None)
    preview.show(TWO, "q")
    assert other.names == ["One"]


def test_pictures_are_requested_in_the_width_of_the_window(qtbot: QtBot, app: App) -> None:
    """Before the first section is shown, the preview is hidden."""
    with qtbot.waitSignal(app.pane.preview.shown):
        typed(qtbot, app, "dashi")
    browser = app.window.preview.browser
    assert app.pane.preview.request is not None
    assert app.pane.preview.request.image_width == browser.picture_width(browser.width())
