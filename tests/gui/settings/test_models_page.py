"""The Models page does what “notesearch models” does without blocking the window."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListWidget, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from notesearch.config import BUILTIN_MODEL, Paths, Settings, Vault
from notesearch.embedding.download import Offer, Progressed, RemoteFile
from notesearch.errors import ModelError
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.settings.models_page import JobProgress, ModelsPage
from notesearch.library import NoteLibrary
from notesearch.models import Measurement
from tests.embedding import tiny_model
from tests.folders import write
from tests.gui.fixture_types import StartApp
from tests.gui.settings_use import dialog_of

MPNET = "sentence-transformers/all-mpnet"
OFFER = Offer(
    "some/model", "0123456789abcdef", (RemoteFile("onnx/model.onnx", 90_000_000, "", ""),)
)


class PageUser:
    """A person at the Models page, who selects entries, presses buttons and reads texts."""

    def __init__(self, page: ModelsPage, qtbot: QtBot) -> None:
        self.page = page
        self._qtbot = qtbot

    @property
    def settings(self) -> Settings:
        return self.page.preferences.settings

    def wait_until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition)

    def select_model(self, name: str) -> None:
        _select(self.page.list, name)

    def description(self, model: str) -> str:
        """Select ``model`` and return the line about it."""
        self.select_model(model)
        return self.page.about.text()

    def select_vectors(self, model: str) -> str:
        """Select the vectors of ``model`` and return the text of their entry."""
        return _select(self.page.vectors, model)

    def button(self, text: str) -> QPushButton:
        return next(b for b in self.page.findChildren(QPushButton) if b.text() == text)

    def press(self, text: str) -> None:
        assert self.button(text).isEnabled(), text
        QTest.mouseClick(self.button(text), Qt.MouseButton.LeftButton)

    def use(self, model: str) -> None:
        self.select_model(model)
        self.press("Use")

    def enter_name(self, name: str) -> None:
        """Type ``name`` into the field for another model and press Return."""
        self.page.another.setText(name)
        QTest.keyClick(self.page.another, Qt.Key.Key_Return)

    def answer(self, choice: str) -> str:
        """Wait for a question, press its button ``choice`` and return the question."""
        self.wait_until(lambda: bool(self.page.findChildren(QMessageBox)))
        question = self.page.findChildren(QMessageBox)[-1]
        buttons = {button.text().replace("&", ""): button for button in question.buttons()}
        QTest.mouseClick(buttons[choice], Qt.MouseButton.LeftButton)
        return question.text()

    def begin_download(self) -> None:
        self.enter_name(OFFER.name)
        self.answer("Download")
        self.wait_until(self.page.another_job.cancel.isVisible)

    def wait_for_outcome(self, text: str, job: JobProgress | None = None) -> None:
        """Wait until the job below the list, or ``job``, has ended and says ``text``."""
        shown = job or self.page.job
        self.wait_until(lambda: text in shown.outcome.text() and not shown.bar.isVisible())

    def wait_for_cancelled(self) -> None:
        """Wait until the job below the field for another model has ended."""
        self.wait_until(lambda: not self.page.another_job.cancel.isVisible())


def _select(entries: QListWidget, name: str) -> str:
    texts = [entries.item(row).text() for row in range(entries.count())]
    row = next(row for row, text in enumerate(texts) if text.startswith(name))
    entries.setCurrentRow(row)
    return texts[row]


OpenPage = Callable[[Path, Settings], PageUser]


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
def open_page(start: StartApp, qtbot: QtBot) -> OpenPage:
    """Start the program on a folder, open the Models page and wait for its list."""

    def open_on(folder: Path, settings: Settings) -> PageUser:
        dialog = dialog_of(start(folder, settings))
        dialog.show_page("Models")
        page = dialog.page
        assert isinstance(page, ModelsPage)
        qtbot.waitUntil(lambda: page.list.count() > 0)
        return PageUser(page, qtbot)

    return open_on


@pytest.fixture
def user(open_page: OpenPage, notes: Path, models: Path) -> PageUser:
    """A person at the Models page of a window that uses the model “three”."""
    return open_page(notes, Settings(model="three", vault=str(notes)))


def index_with_both(folder: Path, settings: Settings) -> int:
    """Index with “owner/six”, then with “three”; return the number of vectors of the former."""
    for model in ("owner/six", "three"):
        with NoteLibrary.open(folder, settings=replace(settings, model=model)) as library:
            library.refresh()
            _current, *former = library.vectors.all()
    return sum(vectors.vectors for vectors in former)


class TestList:
    @pytest.mark.parametrize(
        ("model", "beginning", "end"),
        [
            (BUILTIN_MODEL, "Built in · ", ""),
            ("three", "In use · ", ""),
            ("owner/six", "Installed · ", ""),
            (MPNET, "Available to download · ", "Apache-2.0 · retrieval score .438 · not measured"),
        ],
    )
    def test_describes_each_model(
        self, user: PageUser, model: str, beginning: str, end: str
    ) -> None:
        description = user.description(model)
        assert description.startswith(beginning)
        assert "KB" in description or "MB" in description
        assert description.endswith(end)

    @pytest.mark.parametrize(
        ("model", "actions"),
        [
            (BUILTIN_MODEL, {"Use", "Compare"}),
            ("three", set[str]()),
            ("owner/six", {"Use", "Compare", "Remove…"}),
            ("judge", {"Use", "Remove…"}),
            (MPNET, {"Download…"}),
        ],
    )
    def test_offers_the_actions_that_are_possible(
        self, user: PageUser, model: str, actions: set[str]
    ) -> None:
        user.select_model(model)
        all_actions = ("Use", "Download…", "Compare", "Remove…")
        assert {text for text in all_actions if user.button(text).isEnabled()} == actions

    def test_says_why_it_is_empty(
        self, start: StartApp, notes: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise ModelError("library_unloadable", library="ONNX Runtime", error="no such file")

        monkeypatch.setattr("notesearch.models.listed", fail)
        dialog = dialog_of(start(notes, Settings(vault=str(notes))))
        dialog.show_page("Models")
        labels = dialog.page.findChildren(QLabel)
        qtbot.waitUntil(
            lambda: any("ONNX Runtime" in label.text() for label in labels if label.isVisible())
        )

    @pytest.mark.parametrize(
        ("installed", "text"),
        [
            (True, "The extra is installed, so you can also use models without an ONNX file."),
            (False, "It takes about 1.2 GB (5 GB with CUDA)"),
        ],
    )
    def test_says_whether_the_extra_is_installed(
        self,
        open_page: OpenPage,
        notes: Path,
        monkeypatch: pytest.MonkeyPatch,
        installed: bool,
        text: str,
    ) -> None:
        monkeypatch.setattr("notesearch.models.extra_is_installed", lambda: installed)
        user = open_page(notes, Settings(model="none", vault=str(notes)))
        assert text in user.page.extra.text()


class TestUse:
    def test_switches_to_another_model_at_once(self, user: PageUser) -> None:
        user.use("owner/six")
        user.wait_until(lambda: user.settings.model == "owner/six")
        user.wait_until(lambda: "In use" in user.description("owner/six"))
        user.wait_until(lambda: user.page.vectors.item(0).text().startswith("owner/six"))

    def test_takes_a_model_folder_from_anywhere(self, user: PageUser, tmp_path: Path) -> None:
        folder = tiny_model.write(tmp_path / "mine")
        user.enter_name(str(folder))
        user.wait_until(lambda: user.settings.model == str(folder))

    def test_refuses_a_damaged_model(self, user: PageUser, models: Path) -> None:
        (models / "owner--six" / "modules.json").write_text("[")
        user.use("owner/six")
        user.wait_for_outcome("damaged")
        assert user.settings.model == "three"

    def test_adds_a_reranker_to_the_model(self, user: PageUser) -> None:
        user.use("judge")
        user.wait_until(lambda: user.settings.reranker == "judge")
        assert user.settings.model == "three"
        user.wait_until(lambda: user.page.reranker.currentText() == "judge")


class TestDownload:
    @pytest.fixture
    def second_half(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
        """A model to download, whose second half arrives when the event is set."""
        may_arrive = threading.Event()

        def download(_offer: Offer, _models: Path, progressed: Progressed) -> Path:
            progressed(45, 90)
            while not may_arrive.wait(0.01):
                progressed(45, 90)
            folder = tiny_model.write(Paths.choose().models / "some--model")
            (folder / "notesearch.json").write_text(json.dumps({"name": OFFER.name}))
            return folder

        monkeypatch.setattr("notesearch.models.look_up", lambda _name: OFFER)
        monkeypatch.setattr("notesearch.models.download", download)
        yield may_arrive
        may_arrive.set()

    @pytest.mark.usefixtures("second_half")
    def test_asks_before_it_begins_and_says_the_size(self, user: PageUser) -> None:
        user.enter_name(OFFER.name)
        assert user.answer("Cancel") == "Download some/model, 90.0 MB?"
        user.wait_for_cancelled()
        assert not user.page.another_job.isVisible()

    def test_asks_nothing_after_the_settings_were_closed(
        self, user: PageUser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The question appeared out of nowhere when Hugging Face had answered."""
        may_answer = threading.Event()

        def look_up(_name: str) -> Offer:
            may_answer.wait()
            return OFFER

        monkeypatch.setattr("notesearch.models.look_up", look_up)
        user.enter_name(OFFER.name)
        user.page.window().close()
        may_answer.set()
        user.wait_until(lambda: not user.page.findChildren(FileCall))
        assert not user.page.findChildren(QMessageBox)

    def test_shows_its_progress_and_its_end(
        self, user: PageUser, second_half: threading.Event
    ) -> None:
        user.begin_download()
        job = user.page.another_job
        user.wait_until(lambda: job.bar.value() == job.bar.maximum() / 2)
        assert not user.button("Use").isEnabled(), "only one job runs at a time"
        second_half.set()
        user.wait_for_outcome("some/model is downloaded. Press “Use” to switch to it.", job)
        user.wait_until(lambda: user.page.list.currentItem().text() == OFFER.name)
        assert user.button("Use").isEnabled()

    @pytest.mark.usefixtures("second_half")
    def test_can_be_cancelled_by_keyboard(self, user: PageUser) -> None:
        user.begin_download()
        user.page.another_job.cancel.setFocus()
        QTest.keyClick(user.page.another_job.cancel, Qt.Key.Key_Space)
        user.wait_for_cancelled()
        assert user.page.another_job.outcome.text() == ""
        assert user.page.window().focusWidget() is user.button("Look up…"), "it stays in its row"

    def test_can_be_continued_after_it_was_cancelled(
        self, user: PageUser, second_half: threading.Event
    ) -> None:
        user.begin_download()
        QTest.mouseClick(user.page.another_job.cancel, Qt.MouseButton.LeftButton)
        user.wait_for_cancelled()
        user.begin_download()
        second_half.set()
        user.wait_until(lambda: user.page.list.currentItem().text() == OFFER.name)

    def test_gives_a_model_whose_vectors_stay_when_the_former_one_is_used_again(
        self, user: PageUser, second_half: threading.Event
    ) -> None:
        second_half.set()
        user.enter_name(OFFER.name)
        user.answer("Download")
        user.wait_until(lambda: user.page.list.currentItem().text() == OFFER.name)
        user.press("Use")
        user.wait_until(lambda: user.page.vectors.item(0).text().startswith(OFFER.name))
        user.use("three")
        user.wait_until(lambda: user.settings.model == "three")
        user.wait_until(lambda: "kept in case" in user.select_vectors(OFFER.name))

    @pytest.mark.usefixtures("second_half")
    def test_ends_with_the_program(self, user: PageUser) -> None:
        user.begin_download()  # a fixture of all tests finds a thread that still runs at the end

    def test_says_in_its_own_row_that_downloads_are_off(
        self, user: PageUser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        user.enter_name(OFFER.name)
        user.wait_for_outcome("HF_HUB_OFFLINE", user.page.another_job)
        assert user.page.job.outcome.text() == ""
        QTest.keyClicks(user.page.another, "s")
        assert user.page.another_job.outcome.text() == "", "it is about the former name"


class TestRemove:
    def test_deletes_the_model_after_a_question(self, user: PageUser, models: Path) -> None:
        user.select_model("owner/six")
        user.press("Remove…")
        assert user.answer("Delete").startswith("Delete owner/six")
        user.wait_for_outcome("Freed")
        assert not (models / "owner--six").exists()

    def test_takes_a_reranker_out_of_the_choice(self, user: PageUser) -> None:
        assert user.page.reranker.findData("judge") > 0
        user.select_model("judge")
        user.press("Remove…")
        user.answer("Delete")
        user.wait_for_outcome("Freed")
        user.wait_until(lambda: user.page.reranker.findData("judge") < 0)
        assert user.page.reranker.currentText() == "None"


def test_a_comparison_measures_both_models(user: PageUser) -> None:
    user.select_model("owner/six")
    user.press("Compare")
    user.wait_for_outcome("of the ten nearest passages")
    first, second, _ = user.page.job.outcome.text().splitlines()
    assert first.startswith("three: ")
    assert second.startswith("owner/six: ")
    assert "passages per second" in second


@pytest.mark.usefixtures("impatient")
def test_vectors_of_a_former_model_can_be_deleted(
    open_page: OpenPage, notes: Path, models: Path
) -> None:
    settings = Settings(model="three", vault=str(notes))
    index_with_both(notes, settings)
    user = open_page(notes, settings)
    assert "in use" in user.select_vectors("three")
    assert not user.button("Delete vectors").isEnabled()
    assert "kept in case" in user.select_vectors("owner/six")
    user.press("Delete vectors")
    user.wait_until(lambda: user.page.vectors.count() == 1)


@pytest.mark.usefixtures("models", "impatient")
class TestSeveralFolders:
    @pytest.fixture
    def settings(self, notes: Path, tmp_path: Path) -> Settings:
        """All of three folders are searched, and the first one is missing."""
        work = tmp_path / "work"
        write(work, {"Plan.md": "# Plan\n\nBuild a boat.\n"})
        folders = tuple(Vault(str(folder)) for folder in (tmp_path / "missing", notes, work))
        return Settings(model="three", vault=str(work), vaults=folders, all_vaults=True)

    @pytest.fixture
    def folders(self, notes: Path, settings: Settings) -> tuple[Path, Path]:
        """The two folders that exist."""
        return notes, Path(settings.vault)

    def test_a_comparison_takes_passages_from_each_folder(
        self,
        open_page: OpenPage,
        folders: tuple[Path, Path],
        settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        for folder in folders:
            index_with_both(folder, settings)
        user = open_page(folders[1], settings)
        compared = list[str]()

        def compare(_paths: Paths, names: Sequence[str], texts: Sequence[str], _: object) -> object:
            compared.extend(texts)
            return [Measurement(name, "", 0.1, 1.0, 1.0, 1.0, 1.0) for name in names]

        monkeypatch.setattr("notesearch.models.compare", compare)
        monkeypatch.setattr("notesearch.gui.settings.models_page._SAMPLE", 2)  # fewer than folders
        user.select_model("owner/six")
        user.press("Compare")
        user.wait_for_outcome("agree")
        for folder in folders:
            with NoteLibrary.open(folder, settings=settings) as library:
                assert set(library.vectors.sample(9)) & set(compared), folder

    def test_the_vectors_of_a_model_are_one_entry_and_deleted_together(
        self, open_page: OpenPage, folders: tuple[Path, Path], settings: Settings
    ) -> None:
        number = sum(index_with_both(folder, settings) for folder in folders)
        user = open_page(folders[1], settings)
        assert f"owner/six · {number} vectors" in user.select_vectors("owner/six")
        user.press("Delete vectors")
        user.wait_until(lambda: user.page.vectors.count() == 1)
        assert "in use" in user.select_vectors("three")


def test_only_installed_rerankers_are_offered_as_rerankers(user: PageUser) -> None:
    user.wait_until(lambda: user.page.reranker.count() > 1)
    choices = [user.page.reranker.itemText(row) for row in range(user.page.reranker.count())]
    assert choices == ["None", "judge"]


def test_the_reranker_can_be_switched_off(user: PageUser) -> None:
    user.page.preferences.change(reranker="judge")
    assert user.page.reranker.currentText() == "judge"
    user.page.reranker.setFocus()
    QTest.keyClick(user.page.reranker, Qt.Key.Key_Home)
    assert user.settings.reranker == ""
