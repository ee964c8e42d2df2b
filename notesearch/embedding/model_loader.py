"""Loads the models of a library: the chosen one, and the one that made the index's vectors."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import ModelError
from notesearch.sentences import NO_SENTENCE, Sentence

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


class ModelLoader:
    """Loads each model at its first use.

    Attributes:
        name: The chosen model, by its name or folder.
        problem: Why the chosen model cannot be used; empty while it can.
        failure: Why the last search could not use a loaded model; empty if it could.
    """

    def __init__(
        self,
        name: str,
        places: tuple[Path, ...],
        embedder: "Embedder | None" = None,
        off: Sentence = NO_SENTENCE,
        devices: Path | None = None,
    ) -> None:
        """Remember what to load; nothing is loaded yet.

        Args:
            name: The chosen model, by its name or folder.
            places: Folders of installed models.
            embedder: A loaded model to use instead.
            off: Why no model is used at all; empty if one is.
            devices: The file that remembers which device is fastest.
        """
        self.name = name
        self.problem = off
        self.failure = NO_SENTENCE
        self._places = places
        self._devices = devices
        self._is_off = bool(off)
        self._chosen = None if off else embedder
        self._former: tuple[str, Embedder | None] = "", None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def get(self) -> "Embedder | None":
        """Return the chosen model; None if it cannot be used, which ``problem`` explains."""
        with self._lock:
            if self._chosen is None and not self.problem:
                from notesearch.embedding.embedder import load_embedder

                try:
                    self._chosen = load_embedder(self.name, *self._places, devices=self._devices)
                except ModelError as error:
                    self.problem = error.sentence
            return self._chosen

    def preload(self) -> None:
        """Start to load the chosen model in a thread, so that its first use waits less."""
        if self._thread is None and self._chosen is None and not self.problem:
            self._thread = threading.Thread(target=self._preload, name="notesearch-model")
            self._thread.start()

    def _preload(self) -> None:
        try:
            self.get()
        except Exception:  # the first use meets the same failure
            import logging

            logging.getLogger(__name__).info("the model was not preloaded", exc_info=True)

    def close(self) -> None:
        """Wait for the thread of ``preload``."""
        if self._thread is not None:
            self._thread.join()

    @property
    def loaded(self) -> "Embedder | None":
        """The chosen model; None if it is not loaded."""
        return self._chosen

    @property
    def engine(self) -> str:
        """The engine that runs the chosen model, or would; empty if none can."""
        if self._is_off or self.problem:
            return ""
        from notesearch.embedding.embedder import engine_name, likely_engine_name

        if self._chosen is not None:
            return engine_name(self._chosen)
        return likely_engine_name(self.name, *self._places, devices=self._devices)

    def by_fingerprint(self, fingerprint: str, name: str) -> "Embedder | None":
        """Return the model that made the vectors of an index; None if it cannot be used.

        Args:
            fingerprint: The fingerprint in the index.
            name: The name of the model in the settings at that time.
        """
        chosen = self.get()
        if chosen is not None and chosen.fingerprint == fingerprint:
            self._former = "", None
            return chosen
        if self._is_off or not fingerprint or not name:
            return None
        with self._lock:
            if self._former[0] != fingerprint:
                self._former = fingerprint, self._load(fingerprint, name)
            return self._former[1]

    def _load(self, fingerprint: str, name: str) -> "Embedder | None":
        """Load the model ``name`` with the engine that gives it ``fingerprint``, or return None."""
        from notesearch.embedding.embedder import load_folder, model_path
        from notesearch.embedding.model_folder import Engine, ModelFolder

        path = model_path(name, *self._places)
        try:
            folders = [ModelFolder.read(path, engine) for engine in Engine]
            former = next((folder for folder in folders if folder.fingerprint == fingerprint), None)
            return load_folder(former, self._devices) if former is not None else None
        except ModelError:
            return None
