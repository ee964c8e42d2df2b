"""Measures how long hostile structures block the window's thread, each in a new process.

    python -m tests.benchmarks.hostile NAME ...   # the steps of some structures, by themselves

The figure is processor time of that thread, in the worst of some rounds; in the first round,
nothing is cached. A round shows the visible part of a section, then all of it, then marks matches,
steps through them and scrolls. A step counts together with the painting after it, because nothing
comes between them. Each event after that counts by itself.
"""

import gc
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tests.benchmarks.measured import Figure
from tests.benchmarks.structures import STRUCTURES

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from notesearch.gui.preview.vault_images import Pictures
    from notesearch.markdown.render.section_html import Rendered

ROUNDS = 3
_MOST_MS = 100
_TOLD = 5
_EVENTS = 40
_MARKED = 3000
_PAGE = 500
_SIDE, _COLOUR = 700, 0x336699

Steps = dict[str, float]


def costs() -> Iterator[Figure]:
    """Yield the longest time for which a structure blocks the thread."""
    worst: list[tuple[float, str, str]] = []
    for name in STRUCTURES:
        steps = _in_a_program(name)
        step = max(steps, key=lambda step: steps[step])
        worst.append((steps[step], name, step))
        print(f"{steps[step]:6.0f} ms  {name}, {step}", file=sys.stderr, flush=True)
    worst.sort(reverse=True)
    told = "; ".join(f"{name}, {step}: {ms:.0f} ms" for ms, name, step in worst[:_TOLD])
    load = f"load average {os.getloadavg()[0]:.1f}"
    note = f"{len(worst)} structures, the worst of {ROUNDS} rounds each; {load}; {told}"
    yield Figure(
        "the window's thread, held by the worst hostile structure",
        f"{worst[0][0]:.0f} ms of processor time",
        f"<= {_MOST_MS} ms",
        note,
        met=worst[0][0] <= _MOST_MS,
    )


def _in_a_program(name: str) -> Steps:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.benchmarks.hostile", name]
    shown = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    steps: dict[str, list[float]] = json.loads(shown.stdout)[name]
    return {step: max(rounds) for step, rounds in steps.items()}


def _steps(name: str) -> dict[str, list[float]]:
    """Return the milliseconds of each step with one structure, round by round."""
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QApplication

    class Timed(QApplication):
        """Times each event of the event loop, but not events that another event sends."""

        longest = 0.0
        _within = False

        def notify(self, receiver: QObject, event: QEvent, /) -> bool:
            if self._within:
                return super().notify(receiver, event)
            self._within, started = True, time.thread_time()
            try:
                return super().notify(receiver, event)
            finally:
                self._within = False
                self.longest = max(self.longest, time.thread_time() - started)

    application = Timed(["notesearch"])
    found: dict[str, list[float]] = {}

    def timed(kind: str, work: Callable[[], object], place: "QWidget") -> None:
        started = time.thread_time()
        work()
        place.grab()
        found.setdefault(kind, []).append((time.thread_time() - started) * 1000)
        application.longest = 0.0
        for _ in range(_EVENTS):
            application.processEvents()
        found.setdefault(f"events after {kind}", []).append(application.longest * 1000)

    shown = _Shown(STRUCTURES[name])
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()  # the program, too, chooses when to collect garbage
        for kind, work in shown.steps():
            timed(kind, work, shown.pane.browser.viewport())
        gc.enable()
    return found


class _Shown:
    """One structure in a preview, step by step."""

    def __init__(self, source: str) -> None:
        from notesearch.gui.preview.preview_pane import PreviewPane
        from notesearch.gui.widgets.theme import LIGHT
        from notesearch.markdown.render import render
        from notesearch.markdown.render.section_html import warm_up
        from notesearch.results import SectionText

        warm_up()
        render("$a$")  # a formula was seen before
        self.pane = PreviewPane(LIGHT)
        self.pane.resize(680, 640)
        self.pane.show()
        self._text = SectionText("a.md", "A", "A", ("A",), 1, 1, 9, source)

    def steps(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Yield the steps of a reader, each by name; the next one when a step has been done."""
        from notesearch.markdown.render.section_html import rendered

        at_once = self.pane.browser.visible_lines() * 80
        first = rendered(self._text.text, seconds=0.01, at_once=at_once)
        whole = rendered(self._text.text)
        bar = self.pane.browser.verticalScrollBar()
        yield "first look", self._show(first, keep_position=False)
        yield "all of it", self._show(whole, keep_position=True)
        yield "marks", self._show(whole, keep_position=True, marked=True)
        yield "next match", self.pane.next_match
        yield "last match", self.pane.previous_match
        yield "the one before", self.pane.previous_match
        yield "end", lambda: bar.setValue(bar.maximum())
        yield "page up", lambda: bar.setValue(bar.value() - _PAGE)
        yield "all of it, below", self._show(whole, keep_position=True, marked=True)

    def _show(
        self, page: "Rendered", *, keep_position: bool, marked: bool = False
    ) -> Callable[[], object]:
        from notesearch.gui.preview.document import PreviewContent, body_html, parse_html

        content = PreviewContent(self._text, body_html(page.html, ()), 1, pictures=_pictures(page))
        if marked:
            text = parse_html(content.html).toPlainText()
            content = replace(content, marks=tuple(_spans(text)))
        return partial(self.pane.show_content, content, keep_position=keep_position)


def _pictures(page: "Rendered") -> "Pictures":
    """Return the formulas of ``page``, and its pictures in the folder, read before it is shown."""
    from PySide6.QtGui import QImage

    from notesearch.gui.preview.vault_images import MAX_PICTURES, Pictures

    names = re.findall(r'"image:(there\d+\.png)', page.html)[:MAX_PICTURES]
    image = QImage(_SIDE, _SIDE, QImage.Format.Format_RGB32)
    image.fill(_COLOUR)
    return Pictures(images=dict.fromkeys(names, image), formulas=page.formulas)


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the query's word in ``text``; without that word, of a letter."""
    word = "tide" if "tide" in text else "a"
    spans: list[tuple[int, int]] = []
    at = text.find(word)
    while at >= 0 and len(spans) < _MARKED:
        spans.append((at, at + len(word)))
        at = text.find(word, at + len(word))
    return spans


if __name__ == "__main__":
    print(json.dumps({name: _steps(name) for name in sys.argv[1:]}))
