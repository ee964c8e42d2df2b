"""Takes pictures of a state: ``python -m tests.screens.shooting STATE FOLDER THEME=FILE ...``."""

import sys
from pathlib import Path
from unittest import mock

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from notesearch.gui.start import make_application
from notesearch.gui.window import appearance
from tests.screens.stage import Stage
from tests.screens.state import Desk
from tests.screens.states import STATES


def main(name: str, folder: str, *wanted: str) -> None:
    """Bring the program into a state and save how it looks in each theme."""
    state = next(state for state in STATES if state.name == name)
    application = make_application()
    _set_up(application, state.desk)
    files = dict(one.split("=", 1) for one in wanted)
    with mock.patch.object(appearance, "prefers_high_contrast", return_value=state.desk.contrast):
        stage = Stage(Path(folder), tuple(files))
        for theme, picture in state.shoot(stage).items():
            if not picture.save(files[theme]):
                sys.exit(f"{files[theme]} cannot be written")
        stage.end()


def _set_up(application: QApplication, desk: Desk) -> None:
    font = QFont(application.font())
    font.setPointSizeF(desk.points)
    application.setFont(font)
    if desk.reverse:
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)


if __name__ == "__main__":
    main(*sys.argv[1:])
