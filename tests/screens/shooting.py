"""Takes one picture: ``python -m tests.screens.shooting STATE THEME FOLDER TARGET``."""

import sys
from pathlib import Path

from PySide6.QtGui import QFont

from notesearch.gui.start import make_application
from tests.screens.stage import Stage
from tests.screens.states import STATES

_POINTS = 10.0


def main(name: str, theme: str, folder: str, target: str) -> None:
    """Bring the program into a state and save how it looks."""
    application = make_application()
    font = QFont(application.font())
    font.setPointSizeF(_POINTS)
    application.setFont(font)
    state = next(state for state in STATES if state.name == name)
    stage = Stage(Path(folder), theme)
    picture = state.shoot(stage)
    picture.save(target)
    stage.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
