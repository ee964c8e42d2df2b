"""The thread of the models' settings: it lists, brings, measures and removes, none of it quick."""

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
"""Passages of the user's own that two models are compared on."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The models that there are.

    Attributes:
        models: The built-in one, those installed, those suggested.
        vectors: What the index of the open folder keeps of each.
        extra: What models without an ONNX file need is installed.
    """

    models: "tuple[Model, ...]"
    vectors: tuple[ModelVectors, ...]
    extra: bool


@dataclass(frozen=True, slots=True)
class _Job:
    """Something to do, and whether somebody waits for its end."""

    work: Callable[[], None]
    is_awaited: bool = True


class ModelWorker(QThread):
    """Does what is asked in the order in which it is asked.

    Signals of this object are emitted in the thread: connect them to methods of objects that
    live in the GUI thread.

    Signals:
        listed: A ``Shelf``.
        offered: An ``Offer`` of the hub: what a download would bring.
        arrived: The share of a download that has arrived, 0 to 1.
        brought: The name of a model that was downloaded.
        usable: The name of a model that can be used, and whether it is a reranker.
        told: What came of something, in a sentence.
        failed: The same, where it came to nothing.
        rested: What was asked is done, well or not; not told of a listing.
    """

    listed = Signal(object)
    offered = Signal(object)
    arrived = Signal(float)
    brought = Signal(str)
    usable = Signal(str, bool)
    told = Signal(str)
    failed = Signal(str)
    rested = Signal()

    def __init__(self, paths: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paths = paths
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._cancelled = threading.Event()
        self._stopped = False

    def look(self, settings: Settings) -> None:
        """Have the models listed."""
        self._jobs.put(_Job(lambda: self._list(settings), is_awaited=False))

    def look_up(self, name: str) -> None:
        """Have the hub asked for the model ``name``."""
        self._ask(lambda: self._look_up(name))

    def choose(self, settings: Settings, name: str) -> None:
        """Have it found out whether a model that is here can be used."""
        self._ask(lambda: self._choose(settings, name))

    def bring(self, offer: "Offer") -> None:
        """Have a model downloaded; ``cancel`` ends that."""
        self._ask(lambda: self._bring(offer))

    def compare(self, settings: Settings, name: str) -> None:
        """Have a model measured beside the one that the settings name; ``cancel`` ends that."""
        self._ask(lambda: self._compare(settings, name))

    def export(self, settings: Settings, name: str) -> None:
        """Have an ONNX file in int8 made of a model that PyTorch runs."""
        self._ask(lambda: self._export(settings, name))

    def remove(self, settings: Settings, name: str) -> None:
        """Have an installed model deleted."""
        self._ask(lambda: self._remove(settings, name))

    def forget(self, settings: Settings, fingerprint: str) -> None:
        """Have the vectors deleted that the index of the open folder keeps of a model."""
        self._ask(lambda: self._forget(settings, fingerprint))

    def cancel(self) -> None:
        """End a download, which goes on from there the next time, or a comparison."""
        self._cancelled.set()

    def stop(self) -> None:
        """Let the thread end soon; ``wait`` for it."""
        self._stopped = True
        self.cancel()
        self._jobs.put(None)

    def run(self) -> None:
        """Work until stopped."""
        while (job := self._jobs.get()) is not None and not self._stopped:
            try:
                job.work()
            except NotesearchError as error:
                if not self._cancelled.is_set():
                    self.failed.emit(error_text(error))
            except Exception as error:
                log.exception("a model could not be seen to")
                self.failed.emit(
                    translate("settings", "This failed ({error}).").format(error=error)
                )
            if job.is_awaited:
                self.rested.emit()

    def _ask(self, job: Callable[[], None]) -> None:
        self._cancelled.clear()
        self._jobs.put(_Job(job))

    def _list(self, settings: Settings) -> None:
        from notesearch import models

        shelf = Shelf(
            models.listed(self._paths, settings),
            _vectors(self._paths, settings),
            models.extra_is_installed(),
        )
        self.listed.emit(shelf)

    def _look_up(self, name: str) -> None:
        from notesearch import models

        self.offered.emit(models.look_up(name))

    def _choose(self, settings: Settings, name: str) -> None:
        from notesearch import models

        chosen = models.choose(self._paths, settings, name)
        self.usable.emit(name, chosen.model == settings.model)

    def _bring(self, offer: "Offer") -> None:
        from notesearch import models

        def progressed(arrived: int, total: int) -> None:
            if self._cancelled.is_set():
                raise TaskStoppedError("task_stopped")
            self.arrived.emit(arrived / max(total, 1))

        models.bring(offer, self._paths, progressed)
        self.brought.emit(offer.name)

    def _compare(self, settings: Settings, name: str) -> None:
        from notesearch import models

        texts = self._sample(settings)
        stopped = self._cancelled.is_set
        both = [models.measure(self._paths, one, texts, stopped) for one in (settings.model, name)]
        near = models.agreement(*(one["vectors"] for one in both))
        self.told.emit(_compared(settings.model, name, both[0], both[1], near))

    def _export(self, settings: Settings, name: str) -> None:
        from notesearch import models

        made = models.export(self._paths, name, self._sample(settings))
        text = translate(
            "settings",
            "Exported: {size}, {faster} times as fast. It finds {shared} of the original's"
            " ten nearest passages.",
        )
        size, shared = wording.bytes_text(made.size), f"{10 * made.agreement:.1f}"
        self.told.emit(text.format(size=size, faster=f"{made.faster:.1f}", shared=shared))

    def _sample(self, settings: Settings) -> tuple[str, ...]:
        """Return passages of the open folder.

        Raises:
            IndexFileError: There are none.
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
        self.told.emit(free.format(size=wording.bytes_text(size)))

    def _forget(self, settings: Settings, fingerprint: str) -> None:
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
    """Return what measuring two models found, in a few sentences."""
    text = translate(
        "settings",
        "{name}: {speed} passages per second, {query} ms per query, {memory} MB of memory.",
    )
    lines = [
        text.format(
            name=name,
            speed=wording.number(round(float(str(found["passages_per_s"])))),
            query=wording.number(round(float(str(found["query_ms"])))),
            memory=wording.number(round(float(str(found["memory_mb"])))),
        )
        for name, found in ((chosen, one), (other, two))
    ]
    share = translate("settings", "On average they agree on {shared} of the ten nearest passages.")
    return "\n".join([*lines, share.format(shared=f"{10 * near:.1f}")])
