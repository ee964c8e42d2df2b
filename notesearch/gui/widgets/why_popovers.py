"""Popovers that say why a section is a result, and why a note is not."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout

from notesearch.gui import wording
from notesearch.gui.translation import translate
from notesearch.gui.widgets.controls import PromptField, text_label
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
        """Open with the reasons for ``result``; ``compared`` says if meaning was compared, too."""
        self.make_card()
        title = translate("Why “{section}” is a result")
        self._title.setText(title.format(section=wording.shortened(result.section)))
        self._text.setText("\n".join(why_sentences(result, compared=compared)))
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
        self.field = PromptField(translate("Name or heading of the missing note"))
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
        self.field.fit()

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


def _ordinal(value: int) -> str:
    """Return a rank as the user's language writes it: 1st, 2nd, 3rd, 11th."""
    endings = {
        1: translate("{number}st"),
        2: translate("{number}nd"),
        3: translate("{number}rd"),
    }
    last = 0 if value % 100 in {11, 12, 13} else value % 10
    written = endings.get(last, translate("{number}th"))
    return written.format(number=wording.number(value))


def _field_text(field: str) -> str:
    """Return the name that users see for ``field``, a part of a note from ``Why.fields``."""
    names = {
        "path": translate("the file name"),
        "title": translate("the note title"),
        "aliases": translate("another name for the note"),
        "headings": translate("the heading"),
        "tags": translate("a tag"),
        "properties": translate("a property"),
        "body": translate("the text"),
    }
    return names.get(field, field)


_WORTH_TELLING = 0.1
"""A preference counts as a reason if its value is at least this."""


def why_sentences(result: SectionResult, *, compared: bool = True) -> list[str]:
    """Return a sentence for each reason why a section was found.

    ``compared`` says whether the search compared meaning as well as words.
    """
    why = result.why
    reasons = list[str]()
    if why.named:
        reasons.append(translate("It is listed first because its name is your query."))
    if why.words_rank is not None:
        reasons.append(translate("Ranked {rank} for your words.", rank=_ordinal(why.words_rank)))
    places = [_field_text(field) for field in why.fields if field != "links"]
    if places:
        reasons.append(translate("Your words are in: {places}.", places=", ".join(places)))
    elif why.words_rank is None and why.meaning_rank is not None:
        reasons.append(translate("It contains none of your words."))
    if "links" in why.fields:
        reasons.append(translate("It contains a link to the address in your query."))
    if why.meaning_rank is not None:
        reasons.append(translate("Ranked {rank} by meaning.", rank=_ordinal(why.meaning_rank)))
    elif why.words_rank is not None and compared:
        reasons.append(translate("Not a close match in meaning."))
    preferred = {
        "opened": translate("You opened it for this query before."),
        "recent": translate("Its note changed recently, and you prefer recent notes."),
        "folder": translate("It is in a folder that you prefer."),
    }
    reasons += [
        preferred[signal.name]
        for signal in result.signals
        if signal.name in preferred and signal.value >= _WORTH_TELLING
    ]
    if why.filters:
        reasons.append(
            translate("It matches your filters: {filters}.", filters=", ".join(why.filters))
        )
    return reasons or [translate("You opened or changed it recently.")]
