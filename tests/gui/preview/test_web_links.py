"""A section found by the address of a link: the preview marks the text of that link."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notesearch.gui.app import App
from notesearch.gui.preview.document import character_spans, utf16_spans
from tests.gui.fixture_types import StartApp
from tests.gui.trip_note import counter
from tests.gui.using_window import NONE, Key, heading, press

LINKING = """# Party 🎂

## Reading

Read [the **long** article](https://example.org/zebra-page) about 🦓, [another](https://example.org/okapi)
and [this one][z]. [[Trip to Japan]] says nothing.

[z]: http://www.example.org/zebra-page/
"""


@pytest.fixture
def linking(start: StartApp, notes: Path) -> App:
    (notes / "Linking.md").write_text(LINKING, encoding="utf-8")
    return start(notes)


def marked(app: App) -> list[str]:
    browser = app.window.preview.browser
    text = browser.toPlainText()
    spans = character_spans(text, browser._highlights.matches.spans)
    return [text[start:end] for start, end in spans]


def search(qtbot: QtBot, app: App, query: str) -> None:
    with qtbot.waitSignals([app.pane.search.settled, app.pane.preview.shown]):
        app.window.field.set_text(query)


def test_links_with_the_address_are_marked(qtbot: QtBot, linking: App) -> None:
    search(qtbot, linking, "https://example.org/zebra-page")
    assert heading(linking) == "Reading"
    assert marked(linking) == ["the long article", "this one"]
    assert counter(linking.window.preview) == "1 of 2 matches"
    press(qtbot, linking, Key.Key_F3, NONE)
    assert counter(linking.window.preview) == "2 of 2 matches"


def test_all_links_to_a_host_are_marked(qtbot: QtBot, linking: App) -> None:
    search(qtbot, linking, "example.org")
    assert marked(linking) == ["the long article", "another", "this one"]


def test_words_do_not_match_addresses(qtbot: QtBot, linking: App) -> None:
    search(qtbot, linking, "article zebra")
    assert marked(linking) == ["article"]


@pytest.mark.parametrize("text", ["plain", "a 🎂 b 🦓🦓 c"])
def test_utf16_spans_are_converted_back_to_characters(text: str) -> None:
    spans = [(start, end) for end in range(len(text) + 1) for start in range(end + 1)]
    assert character_spans(text, utf16_spans(text, spans)) == spans
