"""The Models page does what “notesearch models” does without blocking the window."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from notesearch.config import BUILTIN_MODEL, Paths, Settings, Vault
from notesearch.embedding.download import Offer, Progressed, RemoteFile
from notesearch.errors import ModelError
from notesearch.gui.app import App
from notesearch.gui.settings import model_calls
from notesearch.gui.settings.models_page import ModelsPage
from notesearch.library import NoteLibrary
from notesearch.model_comparison import Measurement
from tests.embedding import tiny_model
from tests.folders import write
from tests.gui.made import StartApp
from tests.gui.settings_use import dialog_of

OFFER = Offer(
    "some/model", "0123456789abcdef", (RemoteFile("onnx/model.onnx", 90_000_000, "", ""),)
)


@pytest.fixture
def models() -> Path:
    """A folder with two small models and a reranker."""
    folder = Paths.choose().models
    folder.mkdir(parents=True)
    tiny_model.write(folder / "three")
    tiny_model.write(folder / "owner--six", pooling=["mean", "max"])
    (folder / "owner--six" / "notesearch.json").write_text(json.dumps({"name": "owner/six"}))
    (folder / "judge").mkdir()
    described = {"architectures": ["BertForSequenceClassification"]}
    (folder / "judge" / "config.json").write_text(json.dumps(described))
    return folder


@pytest.fixture
def earlier_vectors(notes: Path, models: Path) -> None:
    """Let the notes have vectors of a model that is not used any more."""
    for model in ("owner/six", "three"):
        with NoteLibrary.open(notes, settings=Settings(model=model)) as library:
            library.refresh()


@pytest.fixture
def page(start: StartApp, notes: Path, models: Path, qtbot: QtBot) -> ModelsPage:
    """The visible Models page of a window that uses the model “three”."""
    app = start(notes, Settings(model="three", vault=str(notes)))
    return shown(qtbot, app)


def shown(qtbot: QtBot, app: App) -> ModelsPage:
    dialog_of(app).show_page("Models")
    found = dialog_of(app).page
    assert isinstance(found, ModelsPage)
    qtbot.waitUntil(lambda: found.list.count() > 0)
    return found


def shown_texts(page: QWidget) -> str:
    """Return the texts of all visible labels of the page."""
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def about(page: ModelsPage, name: str) -> str:
    select(page.list, name)
    return page.about.text()


def select(entries: QListWidget, name: str) -> str:
    """Select the entry that starts with ``name`` and return its text."""
    texts = [entries.item(row).text() for row in range(entries.count())]
    row = next(row for row, text in enumerate(texts) if text.startswith(name))
    entries.setCurrentRow(row)
    return texts[row]


def named(page: ModelsPage, text: str) -> QPushButton:
    return next(b for b in page.findChildren(QPushButton) if b.text() == text)


def press(page: ModelsPage, text: str) -> None:
    assert named(page, text).isEnabled(), text
    QTest.mouseClick(named(page, text), Qt.MouseButton.LeftButton)


def answer(page: ModelsPage, text: str) -> str:
    """Press the button ``text`` of the open question and return the question."""
    box = page.findChildren(QMessageBox)[-1]
    choice = next(button for button in box.buttons() if button.text().replace("&", "") == text)
    QTest.mouseClick(choice, Qt.MouseButton.LeftButton)
    return box.text()


def settled(qtbot: QtBot, page: ModelsPage, done: Callable[[], bool]) -> None:
    qtbot.waitUntil(done)
    qtbot.waitUntil(lambda: not page.job.bar.isVisible())


class TestList:
    def test_shows_installed_used_and_suggested_models(self, page: ModelsPage) -> None:
        assert about(page, BUILTIN_MODEL).startswith("Built in · ")
        assert "MB" in about(page, BUILTIN_MODEL)
        assert about(page, "three").startswith("In use · ")
        assert about(page, "owner/six").startswith("Installed · ")
        mpnet = about(page, "sentence-transformers/all-mpnet")
        assert mpnet.startswith("Available to download · ")
        assert mpnet.endswith("Apache-2.0 · retrieval score .438 · not measured")

    def test_says_why_there_is_none(
        self, start: StartApp, notes: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise ModelError("library_unloadable", library="ONNX Runtime", error="no such file")

        monkeypatch.setattr("notesearch.models.listed", fail)
        dialog = dialog_of(start(notes, Settings(vault=str(notes))))
        dialog.show_page("Models")
        qtbot.waitUntil(lambda: "ONNX Runtime" in shown_texts(dialog.page))

    def test_enables_the_possible_actions(self, page: ModelsPage) -> None:
        texts = ("Use", "Download…", "Compare", "Remove…")
        for name, offered in (
            (BUILTIN_MODEL, {"Use", "Compare"}),
            ("three", set[str]()),
            ("owner/six", {"Use", "Compare", "Remove…"}),
            ("judge", {"Use", "Remove…"}),
            ("sentence-transformers/all-mpnet", {"Download…"}),
        ):
            select(page.list, name)
            assert {text for text in texts if named(page, text).isEnabled()} == offered, name

    @pytest.mark.parametrize("extra", [False, True])
    def test_says_what_the_extra_costs(
        self,
        start: StartApp,
        notes: Path,
        qtbot: QtBot,
        monkeypatch: pytest.MonkeyPatch,
        extra: bool,
    ) -> None:
        monkeypatch.setattr("notesearch.models.extra_is_installed", lambda: extra)
        found = shown(qtbot, start(notes, Settings(model="none", vault=str(notes))))
        assert ("1.2 GB" in found.extra.text()) is not extra


class TestChoosing:
    def test_another_model_is_used_at_once(self, page: ModelsPage, qtbot: QtBot) -> None:
        select(page.list, "owner/six")
        press(page, "Use")
        settled(qtbot, page, lambda: page.preferences.settings.model == "owner/six")
        qtbot.waitUntil(lambda: "In use" in about(page, "owner/six"))
        qtbot.waitUntil(lambda: page.vectors.item(0).text().startswith("owner/six"))

    def test_a_model_folder_anywhere_can_be_used(
        self, page: ModelsPage, qtbot: QtBot, tmp_path: Path
    ) -> None:
        folder = tiny_model.write(tmp_path / "mine")
        type_name(page, str(folder))
        settled(qtbot, page, lambda: page.preferences.settings.model == str(folder))

    def test_an_unusable_model_is_not_chosen(
        self, page: ModelsPage, models: Path, qtbot: QtBot
    ) -> None:
        (models / "owner--six" / "modules.json").write_text("[")
        select(page.list, "owner/six")
        press(page, "Use")
        settled(qtbot, page, lambda: "damaged" in page.job.outcome.text())
        assert page.preferences.settings.model == "three"

    def test_a_reranker_does_not_replace_the_model(self, page: ModelsPage, qtbot: QtBot) -> None:
        select(page.list, "judge")
        press(page, "Use")
        settled(qtbot, page, lambda: page.preferences.settings.reranker == "judge")
        assert page.preferences.settings.model == "three"
        qtbot.waitUntil(lambda: page.reranker.currentText() == "judge")


def type_name(page: ModelsPage, name: str) -> None:
    field = page.findChild(QLineEdit)
    assert field is not None
    field.setText(name)
    QTest.keyClick(field, Qt.Key.Key_Return)


class TestDownload:
    @pytest.fixture
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
        """Set it to let the second half of the download arrive."""
        more = threading.Event()

        def download(_offer: Offer, _models: Path, progressed: Progressed) -> Path:
            progressed(45, 90)
            while not more.wait(0.01):
                progressed(45, 90)
            folder = tiny_model.write(Paths.choose().models / "some--model")
            (folder / "notesearch.json").write_text(json.dumps({"name": OFFER.name}))
            return folder

        monkeypatch.setattr("notesearch.models.look_up", lambda _name: OFFER)
        monkeypatch.setattr("notesearch.models.download", download)
        yield more
        more.set()

    def test_the_size_is_shown_before_the_download(
        self, page: ModelsPage, sent: threading.Event, qtbot: QtBot
    ) -> None:
        type_name(page, "some/model")
        qtbot.waitUntil(lambda: bool(page.findChildren(QMessageBox)))
        assert answer(page, "Cancel") == "Download some/model, 90.0 MB?"
        settled(qtbot, page, lambda: not page.another_job.cancel.isVisible())

    def test_shows_progress_and_outcome(
        self, page: ModelsPage, sent: threading.Event, qtbot: QtBot
    ) -> None:
        self.begin(page, qtbot)
        qtbot.waitUntil(lambda: page.another_job.bar.value() == 500)
        assert not named(page, "Use").isEnabled(), "one thing at a time"
        sent.set()
        settled(qtbot, page, lambda: "some/model is downloaded" in page.another_job.outcome.text())
        qtbot.waitUntil(lambda: page.list.currentItem().text() == "some/model")
        assert named(page, "Use").isEnabled(), "as the outcome says"

    def test_can_be_cancelled(self, page: ModelsPage, sent: threading.Event, qtbot: QtBot) -> None:
        self.begin(page, qtbot)
        page.another_job.cancel.setFocus()
        QTest.keyClick(page.another_job.cancel, Qt.Key.Key_Space)
        settled(qtbot, page, lambda: not page.another_job.cancel.isVisible())
        assert page.another_job.outcome.text() == ""
        focused = page.window().focusWidget()
        assert focused is named(page, "Look up…"), "not a control of another row"

    def test_cancelled_then_continued_then_used_then_taken_back(
        self, page: ModelsPage, sent: threading.Event, qtbot: QtBot
    ) -> None:
        self.begin(page, qtbot)
        QTest.mouseClick(page.another_job.cancel, Qt.MouseButton.LeftButton)
        settled(qtbot, page, lambda: not page.another_job.cancel.isVisible())
        self.begin(page, qtbot)
        sent.set()
        qtbot.waitUntil(lambda: page.list.currentItem().text() == "some/model")
        press(page, "Use")
        settled(qtbot, page, lambda: page.preferences.settings.model == "some/model")
        qtbot.waitUntil(lambda: page.vectors.item(0).text().startswith("some/model"))
        qtbot.waitUntil(lambda: "In use" in about(page, "some/model"))
        select(page.list, "three")
        press(page, "Use")
        settled(qtbot, page, lambda: page.preferences.settings.model == "three")
        qtbot.waitUntil(lambda: "kept in case" in select(page.vectors, "some/model"))

    @staticmethod
    def begin(page: ModelsPage, qtbot: QtBot) -> None:
        type_name(page, "some/model")
        qtbot.waitUntil(lambda: bool(page.findChildren(QMessageBox)))
        answer(page, "Download")
        qtbot.waitUntil(page.another_job.cancel.isVisible)

    def test_the_program_ends_in_the_middle_of_one(
        self, page: ModelsPage, sent: threading.Event, qtbot: QtBot
    ) -> None:
        self.begin(page, qtbot)  # what checks for threads left behind does the rest

    def test_disabled_downloads_are_reported(
        self, page: ModelsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        type_name(page, "some/model")
        settled(qtbot, page, lambda: bool(page.another_job.outcome.text()))
        assert "HF_HUB_OFFLINE" in page.another_job.outcome.text()
        assert page.job.outcome.text() == "", "the field that caused it is elsewhere"
        QTest.keyClicks(page.another, "s")
        assert page.another_job.outcome.text() == "", "the name was changed"


def test_a_model_is_removed(page: ModelsPage, models: Path, qtbot: QtBot) -> None:
    select(page.list, "owner/six")
    press(page, "Remove…")
    assert answer(page, "Delete").startswith("Delete owner/six")
    settled(qtbot, page, lambda: "Freed" in page.job.outcome.text())
    assert not (models / "owner--six").exists()


def test_a_removed_reranker_is_not_offered_any_more(page: ModelsPage, qtbot: QtBot) -> None:
    assert page.reranker.findData("judge") > 0
    select(page.list, "judge")
    press(page, "Remove…")
    answer(page, "Delete")
    settled(qtbot, page, lambda: "Freed" in page.job.outcome.text())
    qtbot.waitUntil(lambda: page.reranker.findData("judge") < 0)
    assert page.reranker.currentText() == "None"


def test_models_are_compared(page: ModelsPage, qtbot: QtBot) -> None:
    select(page.list, "owner/six")
    press(page, "Compare")
    settled(qtbot, page, lambda: "passages per second" in page.job.outcome.text())
    assert "of the ten nearest passages" in page.job.outcome.text()


@pytest.mark.usefixtures("earlier_vectors")
def test_vectors_of_an_earlier_model_can_be_deleted_while_indexing(
    page: ModelsPage, qtbot: QtBot
) -> None:
    assert "in use" in select(page.vectors, "three")
    assert not named(page, "Delete vectors").isEnabled()
    assert "kept in case" in select(page.vectors, "owner/six")
    press(page, "Delete vectors")
    settled(qtbot, page, lambda: page.vectors.count() == 1)


@pytest.mark.usefixtures("models")
def test_all_searched_folders_are_compared_and_their_vectors_are_one_entry_for_each_model(
    start: StartApp,
    notes: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = tmp_path / "work"
    write(work, {"Plan.md": "# Plan\n\nBuild a boat.\n"})
    gone = tmp_path / "gone"  # never indexed, and listed before the others
    settings = Settings(
        model="three",
        vault=str(work),
        vaults=(Vault(str(gone)), Vault(str(notes)), Vault(str(work))),
        all_vaults=True,
    )
    kept = []
    for folder in (notes, work):
        for model in ("owner/six", "three"):
            with NoteLibrary.open(folder, settings=replace(settings, model=model)) as library:
                library.refresh()
                kept += [own.vectors for own in library.vectors.all() if not own.searched]
    page = shown(qtbot, start(work, settings))
    measured = list[str]()

    def compare(_paths: Paths, names: Sequence[str], texts: Sequence[str], _: object) -> object:
        measured.extend(texts)
        return [Measurement(name, "", 0.1, 1.0, 1.0, 1.0, 1.0) for name in names]

    monkeypatch.setattr("notesearch.model_comparison.compare", compare)
    monkeypatch.setattr(model_calls, "_SAMPLE", 2)  # fewer passages than folders
    select(page.list, "owner/six")
    press(page, "Compare")
    settled(qtbot, page, lambda: bool(page.job.outcome.text()))
    for folder in (notes, work):
        with NoteLibrary.open(folder, settings=settings) as library:
            assert set(library.vectors.sample(9)) & set(measured), folder
    assert len(kept) == 2
    assert f"owner/six · {sum(kept)} vectors" in select(page.vectors, "owner/six")
    press(page, "Delete vectors")
    settled(qtbot, page, lambda: page.vectors.count() == 1)
    assert "in use" in select(page.vectors, "three")


def test_no_reranker_any_more(page: ModelsPage, qtbot: QtBot) -> None:
    page.preferences.change(reranker="judge")
    assert page.reranker.currentText() == "judge"
    page.reranker.setFocus()
    QTest.keyClick(page.reranker, Qt.Key.Key_Home)
    assert page.preferences.settings.reranker == ""
