"""The main window while somebody searches: its list, its preview, and the cards above them."""

import json
from collections.abc import Callable

from PySide6.QtCore import QBuffer, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPageSize, QPainter, QPdfWriter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from notesearch.config import Settings, Vault
from notesearch.gui.preview.document import PreviewContent
from notesearch.gui.session.section_printer import PrintedSection
from tests.formats.other_files import with_fpdf
from tests.screens.stage import Pictures, Stage
from tests.screens.state import Desk, Shoot, State

FOOD = "kyoto food"
_PAPER = 2
"""Pixels for each of the points of a printed page."""
_SCRIPTS = """# Notes of a traveller 🧭

## 京都の食べ物

錦市場は朝九時に開きます。豆乳ドーナツ 🍩 と抹茶パフェ 🍵 がおすすめです。

## 去日本旅行 ✈️

我们在京都住了四个晚上，吃了很多好吃的东西 🍜。

## ירושלים

אכלנו חומוס בשוק מחנה יהודה, ואחר כך הלכנו ברגל.

## Ёлка и Ωμέγα

Снег идёт. Ο καφές είναι έτοιμος. Œuvre, naïve, straße. 👩‍👩‍👧‍👦 👍🏽 🇯🇵
"""
_KINDS = """# All kinds

Plain, **strong**, *slanted*, ~~struck~~, ==marked==, `code`, <kbd>Ctrl</kbd>, a
[[Other note#Part]], [a site](https://example.org) and a footnote.[^1]

> A quote of two lines,
> which says something.

> [!warning] Mind the gap
> A callout with `code` in it.

> [!tip]
> It has no title of its own.

> [!danger] Ice
> Walk on the path.

- one
- two
    - two and a half
1. first
2. second

- [x] done
- [ ] still to do

| Left | Middle | Right |
| :--- | :----: | ----: |
| a    |   b    |  1.00 |
| long |  cell  | 22.50 |
| $x^2$ | half $\\frac{a}{b}$ of it | $\\sqrt{x}$ |

```python
def tide(hours: float) -> float:
    \"\"\"How high the water stands.\"\"\"
    return 2.4 * cos(hours / 12.4)  # in metres
```

The tide is $h = a \\cos(\\omega t)$, and

$$\\int_0^T h \\, dt = 0$$

![From elsewhere](https://example.org/chart.png)

---

Term behind a rule.

[^1]: It stands at the end.
"""


_HEBREW_AND_ARABIC = """# מסע ליפן

## אוכל בקיוטו

אכלנו מרק מיסו בשוק נישיקי לפני תשע בבוקר. הדוכן הרביעי מוכר סופגניות סויה ב־350 ין.

> [!note] לזכור
> לקנות תה מאצ'ה.

- [x] להזמין מסעדה
- [ ] מתנות

| מקום | מנה | מחיר |
|---|---|---|
| נישיקי | מרק | 350 |

## الطعام في كيوتو

أكلنا حساء الميسو في السوق قبل التاسعة صباحا.
"""
_OUTLINE = """- [ ] Paint the boat
\t- blue for the hull
\t- white for the deck
- [x] Oil the oars
\t- twice, for the boat's first year
- TODO Caulk the boat
\t- before May
"""


def keys(query: str, *pressed: str, settings: Settings | None = None) -> Shoot:
    """Return a function that searches the sample notes and presses keys."""

    def shoot(stage: Stage) -> Pictures:
        stage.start(stage.notes(), settings)
        stage.search(query)
        stage.press(*pressed)
        return stage.picture()

    return shoot


def _does(query: str, action: str) -> Shoot:
    """Return a function that chooses an action of the selected section in the command palette."""

    def shoot(stage: Stage) -> Pictures:
        stage.start(stage.notes())
        stage.search(query)
        stage.press("Ctrl+K")
        stage.type(action)
        stage.press("Return")
        stage.settle(1_000)
        return stage.picture()

    return shoot


def narrow(stage: Stage) -> Pictures:
    """Show the list above the preview."""
    stage.start(stage.notes())
    stage.app.window.resize(600, 720)
    stage.search(FOOD)
    return stage.picture()


def _smallest(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.app.window.resize(stage.app.window.minimumSize())
    stage.search(FOOD)
    return stage.picture()


def _digits(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.search(FOOD)
    stage.hold_alt()
    return stage.picture()


def with_menu(opened: Callable[[Stage], None]) -> Shoot:
    """Return a function that takes a picture while a menu, with its own event loop, is open."""

    def shoot(stage: Stage) -> Pictures:
        stage.start(stage.notes())
        stage.search(FOOD)
        taken: list[Pictures] = []

        def take() -> None:
            taken.append(stage.picture())
            while menu := QApplication.activePopupWidget():
                menu.close()

        QTimer.singleShot(1_000, take)
        opened(stage)
        stage.until(lambda: bool(taken))
        return taken[0]

    return shoot


def _switch(stage: Stage) -> None:
    chosen = stage.app.vault.path
    assert chosen is not None
    stage.app.preferences.change(
        vault=str(chosen),
        vaults=(
            Vault(str(chosen)),
            Vault(str(stage.empty_folder("Work")), "Work"),
            Vault(str(stage.empty_folder("Recipes of four families"))),
        ),
    )
    stage.settle()
    stage.app.switcher.showMenu()


def _folders(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.search(FOOD)
    stage.app.window.folder.button.click()
    stage.settle()
    return stage.picture()


def _in_folder(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.app.actions.choose_scope.trigger()
    stage.type("travel")
    stage.press("Return")
    stage.search("food")
    return stage.picture()


def _newest(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.search("food")
    stage.app.window.results.summary.order_chosen.emit(True)
    stage.settle(1_000)
    return stage.picture()


def _expanded(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.search(FOOD)
    stage.press("Right")
    return stage.picture()


def _start(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    return stage.picture()


def _recents(stage: Stage) -> Pictures:
    stage.start(stage.notes(), Settings(editor="true {path}"))
    open_some(stage)
    stage.app.window.field.clear()
    stage.settle(1_000)
    return stage.picture()


def open_some(stage: Stage) -> None:
    """Open some sections, so that they are listed as recently opened."""
    for query in ("sourdough", "tide", "ryokan", "gift"):
        stage.search(query)
        stage.press("Return")


def _gone(stage: Stage) -> Pictures:
    """Delete a note without an update of the index."""
    vault = stage.notes()
    stage.start(vault)
    stage.app.vault.set_paused(True)
    stage.search(FOOD)
    result = stage.app.window.results.view.section
    assert result is not None
    (vault / result.path).unlink()
    stage.press("Down", "Up", "Alt+Shift+Up")
    stage.until(lambda: stage.app.pane.preview.content is None)
    stage.settle()
    return stage.picture()


def _note(text: str, query: str) -> Shoot:
    """Return a function that searches a folder of one note."""

    def shoot(stage: Stage) -> Pictures:
        vault = stage.empty_folder("One")
        (vault / "Note.md").write_text(text, encoding="utf-8")
        stage.start(vault)
        stage.app.window.resize(1120, 1400 if text is _KINDS else 720)
        stage.search(query)
        stage.press("Alt+Shift+Up")
        stage.settle(1_500)
        return stage.picture()

    return shoot


def _paper(*pressed: str) -> Shoot:
    """Return a function that searches a PDF with an outline and presses keys."""

    def shoot(stage: Stage) -> Pictures:
        vault = stage.empty_folder("Papers")
        first, second = "Bees keep the brood warm.", "A warm hive needs less honey."
        (vault / "Keeping bees.pdf").write_bytes(with_fpdf("Keeping bees", first, second))
        stage.start(vault)
        stage.search("warm")
        stage.press(*pressed)
        stage.settle(1_000)
        return stage.picture()

    return shoot


def _blocks(stage: Stage) -> Pictures:
    """Search an outline whose tasks are headings."""
    vault = stage.empty_folder("Graph")
    (vault / "pages").mkdir()
    (vault / "pages" / "Boat.md").write_text(_OUTLINE, encoding="utf-8")
    stage.start(vault)
    stage.search("boat")
    return stage.picture()


def _long(stage: Stage) -> Pictures:
    vault = stage.empty_folder("Long")
    parts = "".join(f"## Day {n}\n\n{'Rain on the river all day. ' * 40}\n\n" for n in range(1, 30))
    (vault / "Diary.md").write_text(f"# Diary\n\nA year by the river.\n\n{parts}", "utf-8")
    stage.start(vault)
    stage.search("diary")
    return stage.picture()


def keys_page(stage: Stage) -> Pictures:
    """Show the list of all keys."""
    stage.start(stage.notes())
    stage.press("F1")
    return stage.picture(dialog())


def _about(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.app.actions.about.trigger()
    stage.settle()
    return stage.picture(dialog())


def dialogs() -> list[QWidget]:
    """Return the dialogs that are open."""
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]


def dialog() -> QWidget:
    """Return the dialog that has the keyboard focus, else any open dialog."""
    active = QApplication.activeWindow()
    return active if isinstance(active, QDialog) else dialogs()[-1]


def _hover(stage: Stage) -> Pictures:
    """Hover over a row; the selection stays."""
    stage.start(stage.notes())
    stage.search(FOOD)
    view = stage.app.window.results.view
    third = view.visualRect(view.model().index(3, 0)).center()
    QTest.mouseMove(view.viewport(), third)
    stage.settle()
    return stage.picture()


def typing(text: str) -> Shoot:
    """Return a function that types into the empty field, and leaves the completions open."""

    def shoot(stage: Stage) -> Pictures:
        stage.start(stage.notes())
        stage.type(text)
        stage.settle(1_500)
        return stage.picture()

    return shoot


def _history(stage: Stage) -> Pictures:
    """Click the empty field after some queries, one of them with a star."""
    stage.start(stage.notes(), Settings(editor="true {path}"))
    open_some(stage)
    stage.press("Ctrl+D")
    field = stage.app.window.field
    field.clear()
    QTest.mouseClick(stage.keyboard(), Qt.MouseButton.LeftButton)
    stage.settle()
    return stage.picture()


def _picture(stage: Stage) -> Pictures:
    """Enlarge a picture."""
    vault = stage.empty_folder("Pictures")
    picture = QImage(1600, 900, QImage.Format.Format_RGB32)
    picture.fill(QColor("#7fa8c9"))
    picture.save(str(vault / "harbour.png"))
    (vault / "Harbour.md").write_text("# Harbour\n\n![The harbour](harbour.png)\n", "utf-8")
    stage.start(vault)
    stage.search("harbour")
    stage.settle(1_000)
    stage.press("Alt+E")
    return stage.picture()


def _found(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.search(FOOD)
    stage.press("Alt+F")
    stage.type("the")
    return stage.picture()


def _why_not(stage: Stage) -> Pictures:
    stage.start(stage.notes())
    stage.search(FOOD)
    stage.app.actions.why_not.trigger()
    stage.type("Sourdough")
    stage.press("Return")
    stage.settle(1_000)
    return stage.picture()


def _narrow_to(width: int) -> Shoot:
    """Return a function that shows results in a window of this width."""

    def shoot(stage: Stage) -> Pictures:
        stage.start(stage.notes())
        stage.app.window.resize(width, 720)
        stage.search(FOOD)
        return stage.picture()

    return shoot


def _canvas(stage: Stage) -> Pictures:
    """Show a card of a canvas."""
    vault = stage.empty_folder("Boards")
    card = {"id": "1", "type": "text", "text": "# Launch\n\nInvite the whole street."}
    (vault / "Party.canvas").write_text(json.dumps({"nodes": [card], "edges": []}), "utf-8")
    stage.start(vault)
    stage.search("street")
    return stage.picture()


def _printed(stage: Stage) -> Pictures:
    """Print a section, and look at its first page."""
    stage.start(stage.notes())
    stage.search(FOOD)
    content = stage.app.pane.preview.content
    assert content is not None
    page = first_page(content)
    return dict.fromkeys(stage.themes, page)


def first_page(content: PreviewContent) -> QPixmap:
    """Return the first page of a section on paper of the size A5."""
    paper = QBuffer()
    paper.open(QBuffer.OpenModeFlag.WriteOnly)
    device = QPdfWriter(paper)
    device.setPageSize(QPageSize(QPageSize.PageSizeId.A5))
    page = QPixmap(device.pageLayout().fullRectPoints().size() * _PAPER)
    page.fill(Qt.GlobalColor.white)
    with QPainter(page) as painter:
        painter.scale(_PAPER * 72 / device.logicalDpiX(), _PAPER * 72 / device.logicalDpiY())
        margins = device.pageLayout().marginsPixels(device.logicalDpiX())
        painter.translate(margins.left(), margins.top())
        PrintedSection(content, device, "").paint_page(painter, 0)
    return page


_COLUMNS = "\n".join(f"| {' | '.join(row)} |" for row in (
    [f"Column {n}" for n in range(12)], ["---"] * 12, [f"value {n} of it" for n in range(12)],
))  # fmt: skip
_WIDE = f"# Wide\n\nA table that is wider than the text:\n\n{_COLUMNS}\n\nThe text after it.\n"


SEARCHING = (
    State("main", "main", keys(FOOD)),
    State("parent", "parent", keys(FOOD, "Alt+Up")),
    State("note", "", keys(FOOD, "Alt+Shift+Up")),
    State("semantic-only", "", keys("where to sleep near the river")),
    State("outline", "outline", keys(FOOD, "Ctrl+Shift+O")),
    State("actions", "actions", keys(FOOD, "Ctrl+K")),
    State("in-note", "", keys(FOOD, "Ctrl+Shift+F")),
    State("in-folder", "", _in_folder),
    State("folders", "", _folders),
    State("newest", "", _newest),
    State("expanded", "", _expanded),
    State("cap", "", keys("the", "Ctrl+End", settings=Settings(results=10))),
    State("list-focus", "", keys(FOOD, "Tab")),
    State("hover", "", _hover),
    State("second-match", "", keys(FOOD, "F3")),
    State("no-preview", "", keys(FOOD, "Alt+P")),
    State("why", "", _does(FOOD, "why")),
    State("related", "", _does(FOOD, "related")),
    State("gone", "", _gone),
    State("kinds", "css_support.png", _note(_KINDS, "kinds")),
    State("scripts", "emoji_cjk.png", _note(_SCRIPTS, "traveller")),
    State("right-to-left", "", _note(_HEBREW_AND_ARABIC, "מרק")),
    State("paper", "", _paper()),
    State("paper-outline", "", _paper("Ctrl+Shift+O")),
    State("blocks", "", _blocks),
    State("star-name", "", keys(FOOD, "Ctrl+Shift+D")),
    State("long", "", _long),
    State("none", "none", keys("xyzzy")),
    State("spelling", "none", keys("sourdouhg")),
    State("suggestion", "none", keys("sourdouhg xyzzy")),
    State("completions", "", typing("tag:")),
    State("chips", "", typing("tag:travel/japan -path:journal food")),
    State("facets", "", keys("food", "Alt+N")),
    State("tips", "", keys(FOOD, "Shift+F1")),
    State("history", "", _history),
    State("backlinks", "", keys(FOOD, "Ctrl+Shift+B")),
    State("find", "", _found),
    State("enlarged", "", _picture),
    State("wide-table", "", _note(_WIDE, "11")),
    State("canvas", "", _canvas),
    State("why-not", "", _why_not),
    State("printed", "", _printed),
    State("width-760", "", _narrow_to(760)),
    State("digits", "", _digits),
    State("menu", "", with_menu(lambda stage: stage.press("F10"))),
    State("vaults", "", with_menu(_switch)),
    State("narrow", "narrow", narrow),
    State("smallest", "narrow", _smallest),
    State("start", "", _start),
    State("recents", "", _recents),
    State("keys", "", keys_page),
    State("about", "", _about),
    State("compact", "", keys(FOOD, settings=Settings(density="compact"))),
    State("large", "var/big_main.png", keys(FOOD), Desk(points=14.0)),
    State("three-times", "", keys(FOOD), Desk(points=30.0)),
    State("three-times-small", "", keys(FOOD), Desk(points=30.0, screen=(1366, 768))),
    State("contrast", "", keys(FOOD), Desk(contrast=True)),
)
