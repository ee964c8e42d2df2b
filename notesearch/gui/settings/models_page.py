"""The Models page: use, download, compare and remove models, each by a call in a thread."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from notesearch import models
from notesearch.config import BOUNDS, Paths, Settings
from notesearch.errors import IndexFileError, NotesearchError, TaskStoppedError, VaultMissingError
from notesearch.files import expanded
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.settings.settings_page import (
    ChoiceSetting,
    EntryList,
    NumberSetting,
    SettingsPage,
    button,
)
from notesearch.gui.translation import (
    bytes_text,
    decimal_text,
    error_text,
    number_text,
    sentence_text,
    tr,
    translate,
)
from notesearch.gui.widgets.controls import show_text, text_label
from notesearch.gui.widgets.dialogs import question
from notesearch.gui.window.index_display import meaning_text
from notesearch.status import ModelVectors

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary
    from notesearch.models import Measurement, Model, Offer

_STEPS = 1000
_SAMPLE = 100
"""Number of the user's passages with which two models are compared."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ModelInventory:
    """The available models, their vectors, and whether sentence-transformers is installed."""

    models: "tuple[Model, ...]"
    vectors: tuple[ModelVectors, ...]
    extra: bool


class JobProgress(QWidget):
    """Shows the progress of a job with a Cancel button, and later the outcome of the job.

    The button emits ``cancelled``.
    """

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(translate("Progress"))
        self.bar.setTextVisible(False)
        self.cancel: QPushButton = button(translate("Cancel"), self._cancel)
        self.outcome = text_label("")
        line = QHBoxLayout()
        line.addWidget(self.bar, 1)
        line.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(line)
        column.addWidget(self.outcome)
        self.end()

    def begin(self, *, known_share: bool, can_cancel: bool) -> None:
        """Show that a job has started; the bar fills only with ``known_share``."""
        self.show_outcome("")
        self.bar.setRange(0, _STEPS if known_share else 0)
        self.bar.setValue(0)
        self.bar.show()
        self.cancel.setVisible(can_cancel)
        self.cancel.setEnabled(True)
        self.show()

    @Slot(float)
    def show_share(self, share: float) -> None:
        """Show the share of the job that is done, 0 to 1."""
        self.bar.setValue(round(share * _STEPS))

    @Slot()
    def end(self) -> None:
        """Hide the bar and Cancel, as the job has ended; without an outcome, hide everything."""
        self.bar.hide()
        self._leave_cancel()
        self.cancel.hide()
        self.setVisible(bool(self.outcome.text()))

    def show_outcome(self, text: str, tone: str = "text2") -> None:
        """Show the outcome; empty clears it. The tone of a failure is ``danger``."""
        show_text(self.outcome, text, tone)
        self.outcome.setAccessibleName(text)
        self.outcome.setVisible(bool(text))
        self.setVisible(bool(text) or not self.bar.isHidden())

    def _leave_cancel(self) -> None:
        """Move the focus from Cancel to the control before; Qt would choose one of another row."""
        if self.window().focusWidget() is self.cancel:
            self.focusPreviousChild()

    @Slot()
    def _cancel(self) -> None:
        self._leave_cancel()
        self.cancel.setEnabled(False)
        self.cancelled.emit()


def about(model: "Model") -> str:
    """Return the state, size, remarks, licence and measures of a model, in one line."""
    kinds = {
        "built-in": translate("built in"),
        "installed": translate("installed"),
        "suggested": translate("available to download"),
    }
    parts = [translate("in use") if model.chosen else kinds[model.kind]]
    parts += [bytes_text(model.size)] if model.size else []
    parts += [sentence_text(model.remark)] if model.remark else []
    parts += [model.licence] if model.licence else []
    if model.score:
        parts.append(translate("retrieval score {score}", score=model.score))
    parts += [sentence_text(model.measured)] if model.measured else []
    line = " · ".join(parts)
    return line[:1].upper() + line[1:]


def _vectors_text(vectors: ModelVectors) -> str:
    """Return the number, size and use of one model's vectors, in one line."""
    use = translate("in use") if vectors.searched else translate("kept in case you use it again")
    number = tr("%Ln vector(s)", vectors.vectors, comment="of a model, in the index")
    return f"{vectors.name} · {number} · {bytes_text(vectors.size)} · {use}"


class ModelsPage(SettingsPage):
    """The page with the lists of models and vectors. Its jobs run in threads, one at a time."""

    _share_arrived = Signal(float)  # from the thread of a download

    def __init__(self, preferences: Preferences, vault: OpenVault) -> None:
        super().__init__(preferences)
        self._vault = vault
        self._busy = False
        self._listing: FileCall | None = None  # the newest call that lists the models
        self._downloaded = ""  # the model to select when the list has it
        self.list: EntryList[Model] = EntryList(translate("Models"), 5)
        self.about = text_label("", role="meta", tone="text2")
        self._state = text_label("", role="meta", tone="text2")
        self._use = button(translate("Use"), self._use_selected)
        self._download = button(translate("Download…"), self._look_up_selected)
        self._compare = button(translate("Compare"), self._compare_selected)
        self._remove = button(translate("Remove…"), self._ask_to_remove)
        line = self.make_line(self._use, self._download, self._compare, self._remove)
        self.job = JobProgress()
        self.job.cancelled.connect(self._cancel_job)
        controls = (self.list, self.about, line, self.job, self._state)
        self.add_row(translate("Model"), *controls, setting="model")
        self._job = self.job  # shows the job that runs or ran last
        self._add_another()
        self._none = "", translate("None", comment="no model")
        self.reranker = ChoiceSetting(preferences, "reranker", [self._none])
        self.add_row(
            translate("Reranker"),
            self.reranker,
            hint=translate(
                "A second model that re-reads the best results and improves their order."
            ),
            setting="reranker",
        )
        time_limit = NumberSetting(preferences, "reranker_ms", *BOUNDS["reranker_ms"])
        self.add_row(
            translate("Time limit"),
            self.make_line(time_limit, text_label("ms")),
            hint=translate(
                "Sections that it cannot reach in this time keep their order, below the others."
            ),
            setting="reranker_ms",
        )
        self._add_vectors()
        self.list.currentRowChanged.connect(self._enable_buttons)
        self.vectors.currentRowChanged.connect(self._enable_buttons)
        self._share_arrived.connect(self._show_share)
        preferences.changed.connect(self._refresh)
        vault.state_changed.connect(self._show_state)
        vault.idle.connect(self._refresh)  # there may be more vectors
        self._show_state()
        self._enable_buttons()

    def showEvent(self, event: QShowEvent) -> None:
        """Refresh the lists, and clear the outcomes of earlier jobs."""
        super().showEvent(event)
        if not self._busy:
            self._forget_outcomes()
        self._refresh()

    def end(self) -> None:
        """End the threads; an interrupted download can be continued."""
        FileCall.end_all(self)

    def _add_another(self) -> None:
        self.another = QLineEdit()
        self.another.setAccessibleName(translate("Another model"))
        self.another.returnPressed.connect(self._use_another)
        self.another.textEdited.connect(self._forget_outcomes)
        self.another_job = JobProgress()
        self.another_job.cancelled.connect(self._cancel_job)
        look_up = button(translate("Look up…"), self._use_another)
        self.add_row(
            translate("Another model"),
            self.make_line(self.another, look_up, stretch=False),
            self.another_job,
            hint=translate(
                "OWNER/NAME of a sentence-transformers model on Hugging Face, or a folder with"
                " one. You see the size before anything is downloaded."
            ),
        )

    def _add_vectors(self) -> None:
        self.vectors: EntryList[ModelVectors] = EntryList(translate("Vectors in the index"), 2)
        self._delete_vectors = button(translate("Delete vectors"), self._delete_selected_vectors)
        self.add_row(
            translate("Vectors"),
            self.vectors,
            self.make_line(self._delete_vectors),
            hint=translate("Vectors of earlier models are kept, so switching back is quick."),
        )
        self.extra = text_label("", role="meta", tone="text2")
        self.add_foot(self.extra)

    @property
    def _model(self) -> "Model | None":
        return self.list.current()

    @property
    def _selected(self) -> str:
        """The name of the selected model, for the buttons that need one."""
        return self._model.name if self._model else ""

    @property
    def _current(self) -> tuple[Paths, Settings]:
        return self.preferences.paths, self.preferences.settings

    def _begin(
        self,
        call: Callable[[], object],
        then: Callable[..., None] | None = None,
        *,
        job: JobProgress | None = None,
        is_download: bool = False,
        can_cancel: bool = False,
    ) -> None:
        """Make ``call`` in a thread, show on ``job`` that it runs, and pass its answer to ``then``.

        ``then`` is a slot of this page; without it, the answer is a text to show as the outcome.
        """
        self._busy = True
        self._forget_outcomes()
        self._job = job or self.job
        self._job.begin(known_share=is_download, can_cancel=is_download or can_cancel)
        self._enable_buttons()
        running = FileCall(call, self)
        running.answered.connect(then or self._show_outcome)
        running.failed.connect(self._show_failure)
        running.finished.connect(self._on_finished)
        running.start()

    @Slot()
    def _refresh(self) -> None:
        if self.isVisible():
            self._listing = FileCall(partial(find_inventory, *self._current), self)
            self._listing.answered.connect(self._show_inventory)
            self._listing.failed.connect(self._show_failure)
            self._listing.start()

    @Slot()
    def _use_selected(self) -> None:
        self._use_model(self._selected, self.job)

    def _use_model(self, name: str, job: JobProgress) -> None:
        self._begin(partial(models.choose, *self._current, name), self._on_chosen, job=job)

    @Slot()
    def _look_up_selected(self) -> None:
        self._look_up_model(self._selected, self.job)

    def _look_up_model(self, name: str, job: JobProgress) -> None:
        self._begin(partial(models.look_up, name), self._ask_to_download, job=job)

    @Slot()
    def _compare_selected(self) -> None:
        compare = partial(compare_models, *self._current, self._selected)
        self._begin(compare, can_cancel=True)

    @Slot()
    def _use_another(self) -> None:
        name = self.another.text().strip()
        if name and not self._busy:
            use = self._use_model if expanded(name).is_dir() else self._look_up_model
            use(name, self.another_job)

    @Slot()
    def _forget_outcomes(self) -> None:
        for job in (self.job, self.another_job):
            job.show_outcome("")

    @Slot(float)
    def _show_share(self, share: float) -> None:
        self._job.show_share(share)

    @Slot(object)
    def _show_outcome(self, text: str) -> None:
        self._job.show_outcome(text)

    @Slot(object)
    def _show_failure(self, error: NotesearchError) -> None:
        if not isinstance(error, TaskStoppedError):
            self._job.show_outcome(error_text(error), "danger")

    @Slot()
    def _delete_selected_vectors(self) -> None:
        selected = self.vectors.current()
        if selected:
            fingerprint = selected.fingerprint
            delete = partial(delete_vectors, *self._current, fingerprint)
            self._begin(delete, self._forget_outcomes)

    @Slot()
    def _cancel_job(self) -> None:
        for call in self.findChildren(FileCall):
            call.requestInterruption()

    @Slot(object)
    def _show_inventory(self, inventory: ModelInventory) -> None:
        if self.sender() is not self._listing:
            return  # a newer list follows
        self.list.show_entries([(m, m.name, m.chosen) for m in inventory.models])
        if self._downloaded:
            self.list.select(self._downloaded)
            self._downloaded = ""
        self.vectors.show_entries([(v, _vectors_text(v), v.searched) for v in inventory.vectors])
        local = [(m.name, m.name) for m in inventory.models if m.reranks and m.kind != "suggested"]
        self.reranker.offer([self._none, *local])
        extra = translate(
            "The extra is installed, so you can also use models without an ONNX file."
        )
        no_extra = translate(
            "Models without an ONNX file, and GPUs, need the extra"
            " “notesearch[sentence-transformers]”. It takes about 1.2 GB (5 GB with CUDA)"
            " and makes the first search a few seconds slower."
        )
        self.extra.setText(extra if inventory.extra else no_extra)
        self._enable_buttons()

    @Slot()
    def _enable_buttons(self) -> None:
        model = self._model
        is_free = not self._busy
        is_local = model is not None and model.kind != "suggested"
        is_unused = model is not None and not model.chosen
        embeds = model is not None and not model.reranks
        self.about.setText(about(model) if model else "")
        self._use.setEnabled(is_free and is_local and is_unused)
        self._download.setEnabled(is_free and model is not None and not is_local)
        self._compare.setEnabled(is_free and is_local and is_unused and embeds)
        is_own = model is not None and model.kind == "installed"
        self._remove.setEnabled(is_free and is_own and is_unused)
        selected = self.vectors.current()
        self._delete_vectors.setEnabled(is_free and selected is not None and not selected.searched)

    @Slot()
    def _show_state(self) -> None:
        self._state.setText(meaning_text(self._vault.status, self._vault.progress))

    @Slot(object)
    def _ask_to_download(self, offer: "Offer") -> None:
        if not self.window().isVisible():
            return  # the user closed the settings meanwhile
        text = translate("Download {name}, {size}?")
        details = translate(
            "The download is verified and stays at revision {revision}. After that, no"
            " network is used."
        )
        paths = self.preferences.paths
        download = partial(download_offer, offer, paths, self._share_arrived.emit)
        question(
            self,
            translate("Models"),
            text.format(name=offer.name, size=bytes_text(offer.size)),
            details.format(revision=offer.revision[:12]),
            translate("Download"),
            partial(self._begin, download, self._on_downloaded, job=self._job, is_download=True),
        ).open()

    @Slot()
    def _ask_to_remove(self) -> None:
        model = self._model
        if model is None:
            return
        text = translate("Delete {name}, {size}?")
        remove = partial(remove_model, *self._current, model.name)
        question(
            self,
            translate("Models"),
            text.format(name=model.name, size=bytes_text(model.size)),
            "",
            translate("Delete"),
            partial(self._begin, remove),
        ).open()

    @Slot(object)
    def _on_downloaded(self, name: str) -> None:
        self._downloaded = name
        self._job.show_outcome(
            translate("{name} is downloaded. Press “Use” to switch to it.", name=name)
        )

    @Slot(object)
    def _on_chosen(self, chosen: Settings) -> None:
        self.another.clear()
        self.preferences.change(model=chosen.model, reranker=chosen.reranker)

    @Slot()
    def _on_finished(self) -> None:
        self._busy = False
        self._job.end()
        self._enable_buttons()
        self._refresh()


def find_inventory(paths: Paths, settings: Settings) -> ModelInventory:
    """Return the available models, and the vectors in the indexes of the searched folders."""
    listed = models.listed(paths, settings)
    vectors = _vectors(paths, settings)
    return ModelInventory(listed, vectors, models.extra_is_installed())


def _vectors(paths: Paths, settings: Settings) -> tuple[ModelVectors, ...]:
    by_model: dict[str, ModelVectors] = {}
    for library in _libraries(paths, settings):
        for own in _read(library.vectors.all):
            other = by_model.get(own.fingerprint, replace(own, vectors=0, size=0))
            by_model[own.fingerprint] = replace(
                own,
                searched=own.searched or other.searched,
                vectors=own.vectors + other.vectors,
                size=own.size + other.size,
            )
    return tuple(by_model.values())


def _libraries(paths: Paths, settings: Settings) -> "Iterator[NoteLibrary]":
    """Yield the library of each folder that the windows search; it is open until the next one."""
    from notesearch.library import NoteLibrary

    for folder in _searched(settings):
        with NoteLibrary.open(folder, home=paths, settings=settings) as library:
            yield library


def _read(call: Callable[[], tuple[Item, ...]]) -> tuple[Item, ...]:
    """Return what ``call`` reads from an index; nothing if there is no index yet."""
    try:
        return call()
    except (IndexFileError, VaultMissingError):
        return ()


def _searched(settings: Settings) -> tuple[Path, ...]:
    """Return the folders that the windows search: one, all, or none yet."""
    one = (Path(settings.vault),) if settings.vault else ()
    return tuple(settings.joined.values()) or one


def download_named(name: str, paths: Paths, show_share: Callable[[float], None]) -> str:
    """Look the model ``name`` up, and download it; see ``download_offer``."""
    return download_offer(models.look_up(name), paths, show_share)


def download_offer(offer: "Offer", paths: Paths, show_share: Callable[[float], None]) -> str:
    """Download a model, and return its name; ``show_share`` gets the share that arrived, 0 to 1.

    An interrupted download can be continued later.
    """

    def progressed(arrived: int, total: int) -> None:
        if FileCall.is_ending():
            raise TaskStoppedError("task_stopped")
        show_share(arrived / max(total, 1))

    progressed(0, 1)  # the user may have cancelled while the model was looked up
    models.download(offer, paths.models, progressed)
    return offer.name


def compare_models(paths: Paths, settings: Settings, name: str) -> str:
    """Compare speed, memory and agreement of a model with the one in use; return sentences.

    Raises an ``IndexFileError`` if the searched folders have no passages yet.
    """
    names = (settings.model, name)
    texts = _sample(paths, settings)
    return _compared(models.compare(paths, names, texts, FileCall.is_ending))


def _sample(paths: Paths, settings: Settings) -> tuple[str, ...]:
    """Return up to ``_SAMPLE`` passages, about the same number from each searched folder."""
    left = len(_searched(settings))
    texts: list[str] = []
    for library in _libraries(paths, settings):
        most = -(-(_SAMPLE - len(texts)) // left)  # rounded up: each folder gives at least one
        texts += _read(partial(library.vectors.sample, most))
        left -= 1
    if not texts:
        raise IndexFileError("passages_missing")
    return tuple(texts)


def _compared(measured: "Sequence[Measurement]") -> str:
    """Return sentences on the figures of two models."""
    text = translate(
        "{name}: {speed} passages per second, {query} ms per query, {memory} MB of memory."
    )
    lines = [
        text.format(
            name=model.name,
            speed=number_text(round(model.passages_per_s)),
            query=number_text(round(model.query_ms)),
            memory=number_text(round(model.memory_mb)),
        )
        for model in measured
    ]
    agreed = translate("On average they agree on {shared} of the ten nearest passages.")
    return "\n".join([*lines, agreed.format(shared=decimal_text(10 * measured[-1].agreement))])


def remove_model(paths: Paths, settings: Settings, name: str) -> str:
    """Delete the installed model ``name``; return a sentence with the size that is free now."""
    size = models.remove(paths, settings, name)
    return translate("Freed {size}.", size=bytes_text(size))


def delete_vectors(paths: Paths, settings: Settings, fingerprint: str) -> None:
    """Delete a model's vectors from the indexes of the searched folders."""
    for library in _libraries(paths, settings):
        if fingerprint in {own.fingerprint for own in _read(library.vectors.all)}:
            library.vectors.forget(fingerprint)
