"""The windows use the user's language, and every text is translated; numbers, dates, paths."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from notesearch.config import resources
from notesearch.gui import translation
from notesearch.gui.results.results_model import CapRow
from notesearch.gui.translation import (
    day_text,
    folder_text,
    location_text,
    modified_text,
    moment_text,
    notes_text,
    path_text,
    shortened,
)
from notesearch.gui.widgets.keys import caps_of
from notesearch.gui.widgets.status_bar import ProgressLine
from tests.gui.sample_results import section

PACKAGING = Path(__file__).parents[2] / "packaging"
PLACES = re.compile(r"\{\w*\}|%L?n")
MESSAGES = list(ET.parse(resources() / "translations" / "notesearch_de.ts").iter("message"))


@pytest.fixture
def german(qapp: QCoreApplication) -> Iterator[str]:
    locale, others = QLocale(), qapp.findChildren(QTranslator)
    yield translation.install(qapp, QLocale("de_AT"))
    for translator in set(qapp.findChildren(QTranslator)) - set(others):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(locale)


def test_the_translation_files_are_up_to_date() -> None:
    command = [sys.executable, str(PACKAGING / "translations.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def faults(message: ET.Element) -> Iterator[str]:
    """Yield what is wrong with the translation of one text."""
    translated = message.find("translation")
    if translated is None or translated.get("type") is not None:
        yield "not translated"
        return
    wanted = set(PLACES.findall(message.findtext("source") or ""))
    forms = [form.text or "" for form in translated.findall("numerusform")]
    for form in forms or [translated.text or ""]:
        if not form.strip():
            yield "empty"
        places = set(PLACES.findall(form))
        # "one note" need not say the number.
        if not places <= wanted <= places | ({"%n", "%Ln"} if forms else set()):
            yield f"other places than in the source: {form}"


def test_every_text_is_translated() -> None:
    found = {message.findtext("source"): list(faults(message)) for message in MESSAGES}
    assert {source: wrong for source, wrong in found.items() if wrong} == {}
    assert len(found) > 500


def test_apostrophes_are_typographic_as_the_quotes_are() -> None:
    texts = [text for message in MESSAGES for text in message.itertext()]
    assert [text for text in texts if re.search(r"\w'\w", text)] == []


@pytest.mark.usefixtures("german")
def test_a_window_speaks_german() -> None:
    assert ProgressLine().accessibleName() == "Indexierung läuft"


@pytest.mark.usefixtures("german")
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS writes keys as signs")
def test_keys_are_named_as_on_a_german_keyboard() -> None:
    assert caps_of("Ctrl+Enter") == ("Strg", "Eingabe")
    assert caps_of("Alt+Shift+Up") == ("Alt", "Umschalt", "↑")


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(("notes", "text"), [(1, "1 Notiz"), (3, "3 Notizen"), (0, "0 Notizen")])
def test_counts_use_the_languages_plural_forms(notes: int, text: str) -> None:
    assert notes_text(notes) == text


@pytest.mark.usefixtures("german")
def test_the_last_row_of_a_list_is_not_longer_than_in_english() -> None:
    assert len(CapRow(200).text) <= len("Showing the best 200. Add a word to narrow it down.")


@pytest.mark.usefixtures("german")
def test_dates_follow_the_language() -> None:
    assert day_text(datetime(2023, 3, 4, tzinfo=UTC)) == "4. März 2023"


def test_numbers_follow_the_users_country(german: str) -> None:
    assert german == "de"
    assert QLocale().name() == "de_AT"


@pytest.mark.parametrize("asked", ["xx", "C", "ja_JP"])
def test_other_languages_get_english(qapp: QCoreApplication, asked: str) -> None:
    before = QLocale()
    assert translation.install(qapp, QLocale(asked)) == "en"
    QLocale.setDefault(before)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = datetime(2026, 4, 12, 18, 0, tzinfo=UTC)
    monkeypatch.setattr(translation, "_now", lambda: evening)


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 4, 12, 14, 5, tzinfo=UTC), "14:05"),
        (datetime(2026, 4, 11, 14, 5, tzinfo=UTC), "11 Apr"),
        (datetime(2023, 11, 4, 14, 5, tzinfo=UTC), "4 Nov 2023"),
    ],
)
def test_dates_are_short(moment: datetime, text: str) -> None:
    assert modified_text(moment.timestamp()) == text


@pytest.mark.parametrize("moment", [1e18, -1e18, float("nan"), float("inf")])
def test_a_date_outside_the_calendar_is_empty(moment: float) -> None:
    assert modified_text(moment) == ""


def test_a_path_in_the_home_folder_begins_with_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna"))
    assert path_text(Path("/home/anna/My notes")) == "~/My notes"
    assert path_text(Path("/home/anna")) == "~"
    assert path_text(Path("/media/usb/notes")) == str(Path("/media/usb/notes"))


def test_moments_include_the_time() -> None:
    assert moment_text(datetime(2026, 4, 12, 9, 30, tzinfo=UTC).timestamp()) == "today 09:30"
    assert moment_text(datetime(2026, 4, 2, 9, 30, tzinfo=UTC).timestamp()) == "2 Apr, 09:30"


def test_a_query_of_several_lines_becomes_one() -> None:
    assert shortened(" kyoto\nfood\r\n\ttea ") == "kyoto food tea"


def test_locations() -> None:
    assert folder_text("travel/japan/Trip.md") == "travel/japan/"
    assert folder_text("Trip.md") == ""
    assert location_text(section("Trip.md", "Kyoto > Food")) == "Trip, Kyoto, Food"
    assert location_text(section("Trip.md", "Trip")) == "Trip"
    referring = replace(section("Trip.md", "… > Food"), resolved_path=("Kyoto", "Food"))
    assert location_text(referring) == "Trip, Kyoto, Food"
