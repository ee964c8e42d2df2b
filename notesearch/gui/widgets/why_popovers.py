"""Popovers that say why a section is a result, and why a note is not."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets.controls import text_label
from notesearch.gui.widgets.popover import Popover
from notesearch.gui.widgets.theme import px
from notesearch.results import SectionResult

_WHY_WIDTH = 340


def _set_wrap_width(label: QLabel) -> None:
    label.setFixedWidth(px(_WHY_WIDTH))
    label.setMinimumHeight(max(0, label.heightForWidth(px(_WHY_WIDTH))))


class WhyPopover(Popover):
    """Shows why a section is a result, with a sentence for each reason."""

    def fill_card(self) -> None:
        """Put the labels for the title and the sentences into the card."""
        self._title = text_label(role="strong")
        self._text = text_label(tone="text2")
        self._column = QVBoxLayout(self.card)
        for label in (self._title, self._text):
            self._column.addWidget(label)
        self.card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def text(self) -> str:
        """The shown sentences, one on each line."""
        return self._text.text()

    def explain(self, result: SectionResult, *, compared: bool) -> None:
        """Open with the reasons for ``result``; ``compared`` if it was compared by meaning, too."""
        self.make_card()
        title = translate("window", "Why “{section}” is a result")
        self._title.setText(title.format(section=wording.shortened(result.section)))
        self._text.setText("\n".join(wording.why_sentences(result, compared=compared)))
        for label in (self._title, self._text):
            _set_wrap_width(label)
        self.card.setAccessibleName(f"{self._title.text()}. {self.text}")
        self._fit()
        self.pop_up(self.card)

    def _fit(self) -> None:
        self._column.setContentsMargins(px(16), px(14), px(16), px(14))
        self._column.setSpacing(px(8))


class WhyNotPopover(Popover):
    """Asks why a note is not a result, and shows the answer; ``asked`` carries its name."""

    asked = Signal(str)

    def fill_card(self) -> None:
        """Put the field and the answer into the card."""
        self.field = QLineEdit()
        self.field.setObjectName("filter")
        self.field.setPlaceholderText(translate("window", "Name or heading of the missing note"))
        self.field.setAccessibleName(translate("window", "Name or heading of the missing note"))
        self.field.textEdited.connect(self._forget_answer)
        self.field.returnPressed.connect(self._ask)
        self._text = text_label(tone="text2")
        self._column = QVBoxLayout(self.card)
        for part in (self.field, self._text):
            self._column.addWidget(part)

    @property
    def text(self) -> str:
        """The shown answer; empty before there is one."""
        return self._text.text()

    @Slot()
    def ask(self) -> None:
        """Open with an empty field."""
        self.make_card()
        self.field.clear()
        self._fit()
        self._show("")
        self.pop_up(self.field)

    def answer(self, note: str, reasons: Sequence[str]) -> None:
        """Show the reasons, unless the field no longer has the name ``note``."""
        if self.is_open and note == self.field.text().strip():
            self._show("\n".join(reasons))
            self.place_card()

    def _fit(self) -> None:
        self._column.setContentsMargins(px(14), px(14), px(14), px(14))
        self._column.setSpacing(px(10))
        self.field.setFixedWidth(px(_WHY_WIDTH))
        self.field.setMinimumHeight(px(30))

    @Slot()
    def _forget_answer(self) -> None:
        """Hide the answer, which is about another name."""
        if self.text:
            self._show("")
            self.place_card()

    @Slot()
    def _ask(self) -> None:
        self.asked.emit(self.field.text())

    def _show(self, text: str) -> None:
        self._text.setText(text)
        self._text.setVisible(bool(text))
        _set_wrap_width(self._text)
        self.card.setAccessibleName(text)
        self._column.activate()
