"""The real window with somebody typing in it: ``python -m tests.load.window_program FOLDER``.

It says ``idle`` once it is up to date. At SIGTERM it is closed as by the desktop, and prints what
its user would have seen go wrong.
"""

import json
import sys
import time
from itertools import cycle
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot

from notesearch.cli.main import main
from notesearch.errors import NotesearchError
from notesearch.gui.app import App
from notesearch.gui.session.search_worker import SearchAnswer

QUERIES = ("extract an archive", "disk usage", "list files", "convert video", "undo last commit")
_KEY_MS = 150
_BEAT_MS = 20


class Typist(QObject):
    """Types one query after the other, and measures how long the window does not answer."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._app = app
        self._letters = cycle(q[:end] for q in QUERIES for end in range(1, len(q) + 1))
        self._expected = 0.0
        self.late: list[float] = []
        self.milliseconds: list[float] = []
        self.problems: list[str] = []
        self._keys, self._beats = QTimer(self), QTimer(self)
        for timer, pause, slot in (
            (self._keys, _KEY_MS, self._type),
            (self._beats, _BEAT_MS, self._beat),
        ):
            timer.setInterval(pause)
            timer.timeout.connect(slot)
            timer.start()
        assert app.vault.session
        for worker in (app.vault.session.main.words, app.vault.session.main.meaning):
            worker.answered.connect(self._on_answer)
        app.vault.session.index_failed.connect(self._on_failed)
        app.vault.idle.connect(self._on_idle)

    @Slot()
    def _type(self) -> None:
        self._app.window.field.set_text(next(self._letters))

    @Slot()
    def _beat(self) -> None:
        now = time.monotonic()
        if self._expected:
            self.late.append(max(0.0, now - self._expected) * 1000)
        self._expected = now + _BEAT_MS / 1000

    @Slot()
    def _on_idle(self) -> None:
        self._app.vault.idle.disconnect(self._on_idle)
        print("idle", flush=True)

    @Slot(object)
    def _on_answer(self, answer: SearchAnswer) -> None:
        if answer.problem:
            self.problems.append(answer.problem)
        else:
            self.milliseconds.append((time.monotonic() - answer.request.typed_at) * 1000)

    @Slot(object)
    def _on_failed(self, error: NotesearchError) -> None:
        self.problems.append(str(error))


def run(folder: str) -> None:
    """Open the window as the command does, and report after it was closed."""
    typists: list[Typist] = []
    start = App.start

    def start_and_type(app: App, vault: Path | None) -> None:
        start(app, vault)
        typists.append(Typist(app))

    App.start = start_and_type  # type: ignore[assignment, method-assign]
    try:
        main(["open", folder])
    finally:
        for typist in typists:
            lists = ("late", "milliseconds", "problems")
            print(json.dumps({name: getattr(typist, name) for name in lists}))


if __name__ == "__main__":
    run(sys.argv[1])
