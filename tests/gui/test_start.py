"""The program creates its parts after the first paint, and tells the user of bugs."""

import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notesearch.config import Paths, Settings
from notesearch.gui.app import App
from notesearch.gui.desktop import Desktop
from notesearch.gui.start import Program
from notesearch.gui.system import hooks
from notesearch.gui.system.single_instance import address
from notesearch.gui.window.main_window import FirstPaint
from tests.gui.using_window import write_pdf

Begin = Callable[..., Program]


@pytest.fixture
def quits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records each request to end the program, with its status."""
    asked: list[str] = []
    monkeypatch.setattr(QApplication, "quit", lambda: asked.append("quit"))
    monkeypatch.setattr(QApplication, "exit", lambda status: asked.append(str(status)))
    return asked


@pytest.fixture
def begin(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, words_only: Settings, quits: list[str]
) -> Iterator[Begin]:
    """Start the program; ``typed`` is in the field before the rest is created."""
    monkeypatch.setattr(hooks, "start_log", lambda _: None)
    begun: list[Program] = []

    def begin(vault: Path | None, typed: str = "", *, background: bool = False) -> Program:
        program = Program(FirstPaint(words_only, Paths.choose()), vault, background=background)
        begun.append(program)
        window = program._first.window
        qtbot.addWidget(window)
        window.painted.connect(lambda: window.field.set_text(typed))
        program.begin()
        return program

    yield begin
    for program in begun:
        program.close()


def test_the_start_creates_all_parts_and_answers_the_typed_query(
    qtbot: QtBot, begin: Begin, notes: Path
) -> None:
    program = begin(notes, "food")
    assert program.app is not None
    assert program.desktop is not None
    app = program.app
    qtbot.waitUntil(lambda: app.model.rowCount() > 0)


def test_without_a_folder_all_parts_exist(begin: Begin) -> None:
    assert begin(None).desktop is not None


@pytest.mark.skipif(sys.platform == "win32", reason="sockets of POSIX")
def test_an_early_request_of_a_later_start_is_answered_at_once(
    qtbot: QtBot, begin: Begin, notes: Path
) -> None:
    program = begin(notes, "food")
    assert program.desktop is not None
    quick = program.desktop.quick
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(address())
        peer.sendall(b"1\tsearch\t\tdashi\n")
        qtbot.waitUntil(quick.window.isVisible)
        assert quick.window.field.text == "dashi"


@pytest.mark.parametrize(("close_to_tray", "ends"), [(False, ["quit"]), (True, [])])
def test_closing_the_window_early_ends_the_program_or_keeps_the_tray(
    begin: Begin,
    notes: Path,
    quits: list[str],
    monkeypatch: pytest.MonkeyPatch,
    close_to_tray: bool,
    ends: list[str],
) -> None:
    monkeypatch.setattr("notesearch.gui.quick.tray.Tray.present", True)
    program = begin(notes, "food")
    assert program.app is not None
    program.app.preferences.change(close_to_tray=close_to_tray)
    program.app.window.close()
    assert program.desktop is not None
    assert quits == ends
    program.app.window.show()
    program.app.window.close()
    assert quits == ends * 2


def test_quitting_early_ends_the_program(begin: Begin, notes: Path, quits: list[str]) -> None:
    program = begin(notes, "food")
    assert program.app is not None
    program.app.actions.quit.trigger()
    assert quits == ["quit"]


def test_a_failure_while_creating_parts_ends_the_program(
    begin: Begin, notes: Path, quits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no desktop")

    monkeypatch.setattr("notesearch.gui.desktop.Desktop.__init__", fail)
    with pytest.raises(RuntimeError, match="no desktop"):
        begin(notes, "food")
    assert quits == ["1"]


def slip(*_: object, **__: object) -> None:
    raise ZeroDivisionError("a bug")


SLIPS: dict[str, tuple[str, Callable[[App], None]]] = {
    "opening a section": (
        "notesearch.gui.system.editors.checked",
        lambda app: app.actions.open_section.trigger(),
    ),
    "starting the editor": (
        "notesearch.gui.system.editors.start",
        lambda app: app.actions.open_section.trigger(),
    ),
    "showing the file": (
        "notesearch.gui.system.editors.check_there",
        lambda app: app.actions.reveal.trigger(),
    ),
    "copying a link": (
        "notesearch.gui.system.obsidian_link.vault_of",
        lambda app: app.actions.copy_link.trigger(),
    ),
    "opening a dropped folder": (
        "notesearch.gui.window.folder_chooser.count_notes",
        lambda app: app.window.folder_dropped.emit(str(app.vault.path)),
    ),
    "writing a PDF": (
        "notesearch.gui.session.section_printer.PrintedSection.paint_page",
        lambda app: write_pdf(app, Paths.choose().data / "food.pdf"),
    ),
    "enlarging a picture": (
        "notesearch.gui.preview.preview_pane.PreviewPane.enlarge_first",
        lambda app: app.actions.enlarge.trigger(),
    ),
    "reading related sections": (
        "notesearch.gui.session.pane_popovers.part_of",
        lambda app: app.actions.backlinks.trigger(),
    ),
}


@pytest.mark.parametrize("in_quick_search", [False, True])
def test_a_bug_anywhere_is_told_in_the_window_in_use(
    qtbot: QtBot, begin: Begin, notes: Path, monkeypatch: pytest.MonkeyPatch, in_quick_search: bool
) -> None:
    program = begin(notes, "stalls")
    app = program.app
    assert app is not None
    qtbot.waitUntil(lambda: app.pane.preview.is_complete)
    app.preferences.change(copied_link="obsidian")
    assert program.desktop is not None
    quick = program.desktop.quick
    if in_quick_search:
        quick.show()
    running = [program]  # a thread of Python keeps the hook that it began with

    def report() -> None:
        running[0].report_bug()

    bar = quick.window.notice if in_quick_search else app.window.banner
    for what, (function, act) in SLIPS.items():
        bar.close_message()
        with monkeypatch.context() as patch, hooks.installed(report, QApplication.quit):
            patch.setattr(function, slip)
            act(app)
            qtbot.waitUntil(bar.isVisible)
        assert bar.text == (
            f"Something went wrong. Your notes are safe. Details are in {Paths.choose().log_file}."
        ), what
        assert bar.buttons == ["Show details"], what
        if what == "writing a PDF":  # the next one is written
            write_pdf(app, file := Paths.choose().data / "food.pdf")
            qtbot.waitUntil(file.exists)
    running.clear()


def test_settings_are_written_before_anything_that_may_hang(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, seen = begin(None), list[bool]()
    assert program.app is not None
    program.app.preferences.change(newest_first=True)
    with monkeypatch.context() as patch:
        for part in (Desktop, App):
            patch.setattr(
                part, "close", lambda _: seen.append(Settings.load(Paths.choose()).newest_first)
            )
        program.close()
    assert seen == [True, True]
