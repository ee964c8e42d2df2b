"""Runs the program and writes what its user sees to a file, for tests on a real desktop.

python -m tests.gui.observed_program FILE open --background
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from notesearch.gui.desktop import Desktop
from notesearch.gui.quick.quick_search import _SWALLOWED_S, QuickSearch
from notesearch.gui.widgets.popovers import Popover
from notesearch.gui.window.main_window import MainWindow

_LOOK_MS = 25


class Observer(QObject):
    """Observes the program from time to time without changing it."""

    def __init__(self, desktop: Desktop, file: Path) -> None:
        super().__init__(desktop)
        self._desktop, self._file, self._last = desktop, file, ""
        self._look = QTimer(self)
        self._look.timeout.connect(self._write)
        self._look.start(_LOOK_MS)

    @Slot()
    def _write(self) -> None:
        text = json.dumps(seen(self._desktop))
        if text != self._last:
            self._last = text
            new = self._file.with_suffix(".new")
            new.write_text(text)
            os.replace(new, self._file)  # noqa: PTH105


def seen(desktop: Desktop) -> dict[str, object]:
    """Return the contents of quick search if it is visible, else of the main window."""
    app, quick = desktop._app, desktop.quick
    in_quick = quick.window.isVisible()
    window, reading = (
        (quick.window, quick.pane.preview) if in_quick else (app.window, app.pane.preview)
    )
    preview = quick.window.preview if in_quick else app.window.preview
    search = quick.pane.search if in_quick else app.pane.search
    section, popup = window.results.view.section, QApplication.activePopupWidget()
    handle = popup.windowHandle() if popup else None
    active, focus = QApplication.activeWindow(), QApplication.focusWidget()
    edit = window.field.findChild(QLineEdit)
    assert edit is not None
    shown = {_title(w) for w in QApplication.topLevelWidgets() if w.isVisible()}
    cards = [card for card in window.findChildren(Popover) if card.isVisible()]
    return {
        "window": _title(active) if active else "",
        "width": window.width(),
        "shown": sorted(shown - {""}),  # an icon in a panel has no title, and is none
        "focus": _name(focus) if focus else "",
        "query": window.field.text,
        "answered": search.answered and search.is_listed,
        "pointed": window.field.underMouse(),
        "cursor": edit.cursorPosition(),
        "marked": edit.selectedText(),
        "chip": window.field.chip,
        "selected": section.section if section and window.shows_results else "",
        "digits": len(window.results.view._delegate._digits),
        "heading": reading.content.text.heading if reading.content else "",
        "scope": reading.content.scope.value if reading.content else "",
        "scroll": preview.browser.verticalScrollBar().value(),
        "match": preview.head._matches.text(),
        "preview": preview.isVisible(),
        "zoom": preview.zoom,
        "card": cards[0].accessibleName() if cards else "",
        "menu": handle is not None and handle.isExposed() and not cards,
        "notice": window.notice.text if window.notice.isVisible() else "",
        "clipboard": QApplication.clipboard().text(),
        "busy": app.display.line.text,
        "status": app.window.bar.text,
        "rested": _rested(quick),
    }


def _rested(quick: QuickSearch) -> bool:
    """Return whether quick search would respond to another request now."""
    last = max(quick._toggled_at, quick._left_at)
    return time.monotonic() - last >= _SWALLOWED_S


def _title(window: QWidget) -> str:
    """Return the title of a window; that of the main window without the query."""
    return "notesearch" if isinstance(window, MainWindow) else window.windowTitle()


def _name(widget: QWidget) -> str:
    accessible = QAccessible.queryAccessibleInterface(widget)
    return accessible.text(QAccessible.Text.Name) if accessible else ""


def _observe_into(file: Path) -> None:
    create = Desktop.__init__

    def created(desktop: Desktop, *given: Any, **named: Any) -> None:
        create(desktop, *given, **named)
        Observer(desktop, file)

    Desktop.__init__ = created  # type: ignore[assignment, method-assign]


if __name__ == "__main__":
    from notesearch.cli.main import main

    _observe_into(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
