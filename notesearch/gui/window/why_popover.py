"""A popover that says why a section is a result."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets.popover import Popover
from notesearch.gui.widgets.theme import Theme, px
from notesearch.results import SectionResult

_WIDTH = 340


class WhyPopover(Popover):
    """Gives each reason in a sentence."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._title, self._text = QLabel(), QLabel()
        self._title.setProperty("role", "strong")
        self._text.setProperty("tone", "text2")
        self._column = QVBoxLayout(self.card)
        for label in (self._title, self._text):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            self._column.addWidget(label)
        self.card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """The reasons."""
        return self._text.text()

    def explain(self, result: SectionResult) -> None:
        """Open with the reasons for ``result``."""
        self._title.setText(
            translate("window", "Why “{section}” is a result").format(section=result.section)
        )
        self._text.setText("\n".join(wording.why_sentences(result)))
        for label in (self._title, self._text):
            label.setFixedWidth(px(_WIDTH))
            label.setMinimumHeight(label.heightForWidth(px(_WIDTH)))
        self.card.setAccessibleName(f"{self._title.text()}. {self.text}")
        self.pop_up(self.card)

    def set_theme(self, theme: Theme) -> None:
        """Apply the font sizes."""
        self._column.setContentsMargins(px(16), px(14), px(16), px(14))
        self._column.setSpacing(px(8))
