"""The worker thread of the Models page: lists, downloads, compares, removes models."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

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
    """The available models, their vectors, and whether sentence-transformers is installed."""

    models: "tuple[Model, ...]"
    vectors: tuple[ModelVectors, ...]
    extra: bool


_Arguments = ParamSpec("_Arguments")


def _queued(
    task: "Callable[Concatenate[ModelWorker, _Arguments], None]",
) -> "Callable[Concatenate[ModelWorker, _Arguments], None]":
    """Make calls of ``task`` return at once; the worker's thread carries it out later."""

    @wraps(task)
    def queued(
        worker: "ModelWorker", /, *args: _Arguments.args, **named: _Arguments.kwargs
    ) -> None:
        worker.queue_up(partial(task, worker, *args, **named))

    return queued


class ModelWorker(QThread):
    """Carries out tasks one after the other. Methods that queue a task return at once.

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
        self._tasks: SimpleQueue[tuple[Callable[[], None], bool] | None] = SimpleQueue()
        self._cancelled = threading.Event()
        self._stopped = False

    def list_models(self, settings: Settings) -> None:
        """Queue the listing of the available models; ``listed`` reports them."""
        self._tasks.put((partial(self._list, settings), False))

    def queue_up(self, task: Callable[[], None]) -> None:
        """Let the thread carry out ``task`` after the waiting tasks, and then emit ``idle``."""
        self._cancelled.clear()
        self._tasks.put((task, True))

    def cancel(self) -> None:
        """Stop the running download or comparison; a download can be continued later."""
        self._cancelled.set()

    def stop(self) -> None:
        """Make the thread end soon; then ``wait`` for it."""
        self._stopped = True
        self.cancel()
        self._tasks.put(None)

    def run(self) -> None:
        """Carry out tasks until ``stop``."""
        while (waiting := self._tasks.get()) is not None and not self._stopped:
            task, emits_idle = waiting
            try:
                task()
            except NotesearchError as error:
                if not self._cancelled.is_set():
                    self.failed.emit(error_text(error))
            except Exception as error:
                log.exception("a task of the models page failed")
                self.failed.emit(
                    translate("settings", "That did not work ({error}).").format(error=error)
                )
            if emits_idle:
                self.idle.emit()

    def _list(self, settings: Settings) -> None:
        from notesearch import models

        inventory = ModelInventory(
            models.listed(self._paths, settings),
            _vectors(self._paths, settings),
            models.extra_is_installed(),
        )
        self.listed.emit(inventory)

    @_queued
    def look_up(self, name: str) -> None:
        """Look up the model ``name`` on Hugging Face; ``offered`` reports it."""
        from notesearch import models

        self.offered.emit(models.look_up(name))

    @_queued
    def choose(self, settings: Settings, name: str) -> None:
        """Check whether the installed model ``name`` can be used; if so, emit ``checked``."""
        from notesearch import models

        chosen = models.choose(self._paths, settings, name)
        self.checked.emit(name, chosen.model == settings.model)

    @_queued
    def download(self, offer: "Offer") -> None:
        """Download a model and emit ``downloaded``; ``cancel`` stops it."""
        from notesearch import models

        def progressed(arrived: int, total: int) -> None:
            if self._cancelled.is_set():
                raise TaskStoppedError("task_stopped")
            self.progressed.emit(arrived / max(total, 1))

        models.download(offer, self._paths.models, progressed)
        self.downloaded.emit(offer.name)

    @_queued
    def compare(self, settings: Settings, name: str) -> None:
        """Compare speed, memory and agreement of a model with the one in use; report the result."""
        from notesearch import models

        texts = self._sample(settings)
        stopped = self._cancelled.is_set
        names = settings.model, name
        measured = [models.measure(self._paths, each, texts, stopped) for each in names]
        agreement = models.agreement(*(model["vectors"] for model in measured))
        self.reported.emit(_compared(dict(zip(names, measured, strict=True)), agreement))

    def _sample(self, settings: Settings) -> tuple[str, ...]:
        """Return passages of the open folder; raises ``IndexFileError`` if it has none yet."""
        from notesearch.library import NoteLibrary

        if not settings.vault:
            raise IndexFileError("passages_missing")
        with NoteLibrary.open(Path(settings.vault), home=self._paths, settings=settings) as library:
            texts = library.vectors.sample(_SAMPLE)
        if not texts:
            raise IndexFileError("passages_missing")
        return texts

    @_queued
    def remove(self, settings: Settings, name: str) -> None:
        """Delete the installed model ``name``; ``reported`` carries the outcome."""
        from notesearch import models

        size = models.remove(self._paths, settings, name)
        free = translate("settings", "Freed {size}.")
        self.reported.emit(free.format(size=wording.bytes_text(size)))

    @_queued
    def delete_vectors(self, settings: Settings, fingerprint: str) -> None:
        """Delete a model's vectors from the index of the open folder."""
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


def _compared(measured: dict[str, dict[str, Any]], agreement: float) -> str:
    """Return sentences on two models; ``agreement``, 0 to 1, is what both find."""
    text = translate(
        "settings",
        "{name}: {speed} passages per second, {query} ms per query, {memory} MB of memory.",
    )
    lines = [
        text.format(
            name=name,
            speed=wording.number(round(figures["passages_per_s"])),
            query=wording.number(round(figures["query_ms"])),
            memory=wording.number(round(figures["memory_mb"])),
        )
        for name, figures in measured.items()
    ]
    agreed = translate("settings", "On average they agree on {shared} of the ten nearest passages.")
    return "\n".join([*lines, agreed.format(shared=wording.decimal(10 * agreement))])
