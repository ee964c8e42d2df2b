"""The models of a library: the chosen one, and the one that is searched until that is ready."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.errors import ModelError
from notesearch.sentences import NO_SENTENCE, Sentence

if TYPE_CHECKING:
    from notesearch.embedding.model import Embedder


class LoadedModels:
    """Models, each loaded at its first use; remembers why the chosen one cannot be."""

    def __init__(
        self,
        name: str,
        places: tuple[Path, ...],
        embedder: "Embedder | None" = None,
        off: Sentence = NO_SENTENCE,
    ) -> None:
        """Take the name of the chosen model and where models lie.

        Args:
            name: Of the chosen model, or its folder.
            places: Where models of a name are looked for.
            embedder: Instead of it.
            off: Why no model is to be used; empty where one is.
        """
        self.name = name
        self.problem = off
        self._places = places
        self._is_off = bool(off)
        self._chosen = None if off else embedder
        self._former: tuple[str, Embedder | None] = "", None
        self._lock = threading.Lock()
        self._ahead: threading.Thread | None = None

    def get(self) -> "Embedder | None":
        """Return the chosen model; None when it cannot be used, which ``problem`` explains."""
        with self._lock:
            if self._chosen is None and not self.problem:
                from notesearch.embedding.model import load_embedder

                try:
                    self._chosen = load_embedder(self.name, *self._places)
                except ModelError as error:
                    self.problem = error.sentence
            return self._chosen

    def load_ahead(self) -> None:
        """Begin to load the chosen model, so that who needs it waits for less."""
        if self._ahead is None and self._chosen is None and not self.problem:
            self._ahead = threading.Thread(target=self._get_ahead, name="notesearch-model")
            self._ahead.start()

    def _get_ahead(self) -> None:
        try:
            self.get()
        except Exception:  # who needs it meets the same
            import logging

            logging.getLogger(__name__).info("the model was not loaded ahead", exc_info=True)

    def close(self) -> None:
        """Wait for what is loaded ahead."""
        if self._ahead is not None:
            self._ahead.join()

    @property
    def loaded(self) -> "Embedder | None":
        """The chosen model where it was loaded already."""
        return self._chosen

    @property
    def engine(self) -> str:
        """What runs the chosen model, or would; empty where nothing does."""
        if self._is_off or self.problem:
            return ""
        from notesearch.embedding.model import engine_ahead, engine_of

        if self._chosen is not None:
            return engine_of(self._chosen)
        return engine_ahead(self.name, *self._places)

    def made_by(self, fingerprint: str, name: str) -> "Embedder | None":
        """Return the model that made the vectors of an index; None where it cannot be used.

        Args:
            fingerprint: Of that model.
            name: What the settings called it then.
        """
        chosen = self.get()
        if chosen is not None and chosen.fingerprint == fingerprint:
            self._former = "", None  # it is not needed any more
            return chosen
        if self._is_off or not fingerprint or not name:
            return None
        with self._lock:
            if self._former[0] != fingerprint:
                self._former = fingerprint, self._load(fingerprint, name)
            return self._former[1]

    def _load(self, fingerprint: str, name: str) -> "Embedder | None":
        from notesearch.embedding.folder import ModelFolder
        from notesearch.embedding.model import load_folder, model_path

        try:
            folder = ModelFolder.read(model_path(name, *self._places))
            known = (folder, folder.before_export())
            former = next((one for one in known if one.fingerprint == fingerprint), None)
            return load_folder(former) if former is not None else None
        except ModelError:
            return None
