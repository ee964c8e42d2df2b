"""Search tips: examples of the query language, made of the user's own notes; a click runs one."""

from PySide6.QtCore import QObject, Slot

from notesearch.gui.session.pane_actions import PaneActions
from notesearch.gui.session.reading_thread import Examples, ExamplesRequest
from notesearch.gui.session.search_controller import CurrentWorkers, PaneWindow
from notesearch.gui.translation import translate
from notesearch.gui.widgets.choices import Choice

Tip = tuple[str, str]
"""A query, and a text that explains it."""


class SearchTips(QObject):
    """Offers the tips in a popover below the “?” of the field."""

    def __init__(
        self,
        window: PaneWindow,
        actions: PaneActions,
        workers: CurrentWorkers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window, self._workers = window, workers
        self._tips: list[Tip] = []
        actions.tips.triggered.connect(self.ask)
        window.field.tips_button.clicked.connect(self.ask)
        window.tips.chosen.connect(self._search)

    @Slot()
    def ask(self) -> None:
        """Ask for examples from the notes; close the popover if it is open already."""
        workers = self._workers()
        if self._window.tips.is_open:
            self._window.tips.close_up()
        elif workers:
            workers.reading.ask(ExamplesRequest())

    @Slot(object)
    def offer(self, examples: Examples) -> None:
        """Open the popover with tips made of ``examples``."""
        self._tips = tips(examples)
        choices = [Choice(query, detail=meaning) for query, meaning in self._tips]
        self._window.tips.offer(
            [*choices, Choice(translate("window", "Related"), detail=_related())],
            prompt=translate("window", "Search tips: choose an example to try it"),
            anchor=self._window.field.tips_button,
        )

    @Slot(int)
    def _search(self, index: int) -> None:
        if index < len(self._tips):
            self._window.field.set_text(self._tips[index][0])
        self._window.field.focus_all()


def _related() -> str:
    return translate("window", "Close in meaning, though it has none of your words")


def tips(examples: Examples) -> list[Tip]:
    """Return the tips. A filter without an example in ``examples`` has no tip."""
    first, second, last = examples.words or ("kyoto", "food", "garden")
    phrase = f'"{examples.heading or f"{first} {second}"}"'
    word_tips = [
        (f"{first} {second}", translate("window", "Both words, or a similar meaning")),
        (phrase, translate("window", "These words side by side")),
        (f"{first} -{last}", translate("window", "Without the word after the minus")),
        (f"{first} OR {last}", translate("window", "One word or the other")),
        (f"{first[:3]}*", translate("window", "Words that begin like this")),
    ]
    meanings = {
        "tag": translate("window", "With this tag, or one below it"),
        "path": translate("window", "In this folder"),
        "section": translate("window", "Under a heading with these words"),
        "prop": translate("window", "With this in the front matter"),
        "lang": translate("window", "In this language"),
        "links": translate("window", "Sections that link to the named note"),
        "linked-by": translate("window", "Notes that the named note links to"),
    }
    return [
        *word_tips,
        *((text, meanings[text.partition(":")[0]]) for text in examples.filters),
        ("task:todo", translate("window", "With open tasks")),
        ("has:table", translate("window", "With a table; also has:code, has:image, has:link")),
        ("after:7d", translate("window", "From the last seven days; before: is the opposite")),
    ]
