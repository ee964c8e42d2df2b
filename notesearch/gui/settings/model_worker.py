"""The worker thread of the Models page: lists, downloads, compares, exports, removes models."""

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal

from notesearch.config import Paths, Settings
from notesearch.errors import IndexFileError, NotesearchError, TaskStoppedError, VaultMissingError
from notesearch.gui import wording
from notesearch.gui.translation import error_text, translate
from notesearch.status import ModelVectors

if TYPE_CHECKING:
    from notesearch.models import Model, Offer

log = logging.getLogger(__name__)

_SAMPLE = 100
"""Number of the user's passages with which two models are compared."""


@dataclass(frozen=True, slots=True)
class ModelInventory:
    """The available models, and their vectors.

    Attributes:
        models: The built-in, the installed and the suggested models.
        vectors: The vectors of each model in the index of the open folder.
        extra: Whether sentence-transformers is installed.
    """

    models: "tuple[Model, ...]"
    vectors: tuple[ModelVectors, ...]
    extra: bool


@dataclass(frozen=True, slots=True)
class _Job:
    """A task, and whether ``idle`` is emitted at its end."""

    work: Callable[[], None]
    emits_idle: bool = True


class ModelWorker(QThread):
    """Carries out tasks one after the other. Its methods queue a task, and return at once.

    The signals are emitted in the thread: connect them to bound slots of objects in the GUI thread.

    Signals:
        listed: The models are listed; carries a ``ModelInventory``.
        offered: A model was looked up; carries what its download contains (``Offer``).
        progressed: Part of a download has arrived; carries its share, 0 to 1.
        downloaded: A model was downloaded; carries its name.
        checked: A model can be used; carries its name and whether it is a reranker.
        reported: A task has an outcome; carries it in sentences.
        failed: A task failed; carries the reason in a sentence.
        idle: A task other than listing has ended, successfully or not.
    """

    listed = Signal(object)
    offered = Signal(object)
    progressed = Signal(float)
    downloaded = Signal(str)
    checked = Signal(str, bool)
    reported = Signal(str)
    failed = Signal(str)
    idle = Signal()

    def __init__(self, paths: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paths = paths
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._cancelled = threading.Event()
        self._stopped = False

    def list_models(self, settings: Settings) -> None:
        """Queue the listing of the available models, for ``listed``."""
        self._jobs.put(_Job(lambda: self._list(settings), emits_idle=False))

    def look_up(self, name: str) -> None:
        """Queue a look-up of the model ``name`` on Hugging Face for ``offered``."""
        self._ask(lambda: self._look_up(name))

    def choose(self, settings: Settings, name: str) -> None:
        """Queue a check whether the installed model ``name`` can be used, for ``checked``."""
        self._ask(lambda: self._choose(settings, name))

    def download(self, offer: "Offer") -> None:
        """Queue a download for ``downloaded``; ``cancel`` stops it."""
        self._ask(lambda: self._download(offer))

    def compare(self, settings: Settings, name: str) -> None:
        """Queue a comparison of the model ``name`` with the model in use.

        Both embed some indexed passages; ``reported`` tells speed, memory and agreement in
        sentences. ``cancel`` stops the comparison.
        """
        self._ask(lambda: self._compare(settings, name))

    def export(self, settings: Settings, name: str) -> None:
        """Queue the export of the model ``name`` to an int8 ONNX file, for ``reported``."""
        self._ask(lambda: self._export(settings, name))

    def remove(self, settings: Settings, name: str) -> None:
        """Queue the deletion of the installed model ``name``, for ``reported``."""
        self._ask(lambda: self._remove(settings, name))

    def delete_vectors(self, settings: Settings, fingerprint: str) -> None:
        """Queue the deletion of a model's vectors from the index of the open folder."""
        self._ask(lambda: self._delete_vectors(settings, fingerprint))

    def cancel(self) -> None:
        """Stop the running download or comparison; a download continues the next time."""
        self._cancelled.set()

    def stop(self) -> None:
        """Make the thread end soon; then ``wait`` for it."""
        self._stopped = True
        self.cancel()
        self._jobs.put(None)

    def run(self) -> None:
        """Carry out tasks until ``stop``."""
        while (job := self._jobs.get()) is not None and not self._stopped:
            try:
                job.work()
            except NotesearchError as error:
                if not self._cancelled.is_set():
                    self.failed.emit(error_text(error))
            except Exception as error:
                log.exception("a task of the models page failed")
                self.failed.emit(
                    translate("settings", "That did not work ({error}).").format(error=error)
                )
            if job.emits_idle:
                self.idle.emit()

    def _ask(self, job: Callable[[], None]) -> None:
        self._cancelled.clear()
        self._jobs.put(_Job(job))

    def _list(self, settings: Settings) -> None:
        from notesearch import models

        inventory = ModelInventory(
            models.listed(self._paths, settings),
            _vectors(self._paths, settings),
            models.extra_is_installed(),
        )
        self.listed.emit(inventory)

    def _look_up(self, name: str) -> None:
        from notesearch import models

        self.offered.emit(models.look_up(name))

    def _choose(self, settings: Settings, name: str) -> None:
        from notesearch import models

        chosen = models.choose(self._paths, settings, name)
        self.checked.emit(name, chosen.model == settings.model)

    def _download(self, offer: "Offer") -> None:
        from notesearch import models

        def progressed(arrived: int, total: int) -> None:
            if self._cancelled.is_set():
                raise TaskStoppedError("task_stopped")
            self.progressed.emit(arrived / max(total, 1))

        models.download(offer, self._paths.models, progressed)
        self.downloaded.emit(offer.name)

    def _compare(self, settings: Settings, name: str) -> None:
        from notesearch import models

        texts = self._sample(settings)
        stopped = self._cancelled.is_set
        names = settings.model, name
        both = [models.measure(self._paths, each, texts, stopped) for each in names]
        near = models.agreement(*(measured["vectors"] for measured in both))
        self.reported.emit(_compared(settings.model, name, both[0], both[1], near))

    def _export(self, settings: Settings, name: str) -> None:
        from notesearch import models

        exported = models.export(self._paths, name, self._sample(settings))
        text = translate(
            "settings",
            "Exported: {size}, {faster} times as fast. It finds {shared} of the original's"
            " ten nearest passages.",
        )
        size, shared = wording.bytes_text(exported.size), f"{10 * exported.agreement:.1f}"
        self.reported.emit(text.format(size=size, faster=f"{exported.faster:.1f}", shared=shared))

    def _sample(self, settings: Settings) -> tuple[str, ...]:
        """Return some passages of the open folder.

        Raises:
            IndexFileError: Nothing is indexed yet.
        """
        from notesearch.library import NoteLibrary

        with NoteLibrary.open(Path(settings.vault), home=self._paths, settings=settings) as library:
            texts = library.vectors.sample(_SAMPLE)
        if not texts:
            raise IndexFileError("passages_missing")
        return texts

    def _remove(self, settings: Settings, name: str) -> None:
        from notesearch import models

        size = models.remove(self._paths, settings, name)
        free = translate("settings", "Freed {size}.")
        self.reported.emit(free.format(size=wording.bytes_text(size)))

    def _delete_vectors(self, settings: Settings, fingerprint: str) -> None:
        from notesearch.library import NoteLibrary

        with NoteLibrary.open(Path(settings.vault), home=self._paths, settings=settings) as library:
            library.vectors.forget(fingerprint)


def _vectors(paths: Paths, settings: Settings) -> tuple[ModelVectors, ...]:
    from notesearch.library import NoteLibrary

    if not settings.vault:
        return ()
    try:
        with NoteLibrary.open(Path(settings.vault), home=paths, settings=settings) as library:
            return library.vectors.all()
    except (IndexFileError, VaultMissingError):
        return ()  # nothing is indexed yet


def _compared(
    chosen: str, other: str, one: dict[str, object], two: dict[str, object], near: float
) -> str:
    """Return sentences on the measurements of two models, by their names.

    ``near`` is the share of the ten nearest passages that both find, 0 to 1.
    """
    text = translate(
        "settings",
        "{name}: {speed} passages per second, {query} ms per query, {memory} MB of memory.",
    )
    lines = [
        text.format(
            name=name,
            speed=wording.number(round(float(str(measured["passages_per_s"])))),
            query=wording.number(round(float(str(measured["query_ms"])))),
            memory=wording.number(round(float(str(measured["memory_mb"])))),
        )
        for name, measured in ((chosen, one), (other, two))
    ]
    share = translate("settings", "On average they agree on {shared} of the ten nearest passages.")
    return "\n".join([*lines, share.format(shared=f"{10 * near:.1f}")])
