"""Loads models: a single one by name or folder, and the models of a library at their first use."""

import threading
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch.config import BUILTIN_MODEL, PAIR_PREFIX, Paths, Settings
from notesearch.embedding.embedder import Embedder, TwoModels, engine_name, is_weaker_in_english
from notesearch.errors import ModelError
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.processes import has_little_memory

if TYPE_CHECKING:
    from notesearch.embedding.model_folder import ModelFolder

# The window imports this module before it is drawn, so the others are imported at the first use.


def load_embedder(name_or_folder: str, *places: Path, devices: Path | None = None) -> Embedder:
    """Load a model by its name in one of ``places``, or by its folder; never use the network.

    The file ``devices`` remembers which device is fastest.

    Raises:
        ModelError: The model is missing, damaged, or of an unsupported kind.
    """
    from notesearch.embedding.model_folder import ModelFolder, model_path

    return load_folder(ModelFolder.read(model_path(name_or_folder, *places)), devices)


def load_folder(folder: "ModelFolder", devices: Path | None = None) -> Embedder:
    """Load the model in a folder with the folder's engine; raises as ``load_embedder`` does."""
    from notesearch.embedding.model_folder import Engine

    if has_little_memory():  # the libraries would end the process
        raise ModelError("model_memory_full")
    if folder.engine is Engine.ONNX:
        from notesearch.embedding.onnx_engine import OnnxEmbedder

        return OnnxEmbedder(folder, devices)
    from notesearch.embedding.torch_engine import TorchEmbedder

    return TorchEmbedder(folder)


class ModelLoader:
    """Loads each model at its first use.

    Attributes:
        problem: Why the chosen model cannot be used; empty while it can.
        failure: Why the last search could not use a loaded model; empty if it could.
    """

    def __init__(
        self,
        name: str,
        places: tuple[Path, ...],
        embedder: Embedder | None = None,
        off: Sentence = NO_SENTENCE,
        devices: Path | None = None,
    ) -> None:
        """Remember what to load, as for ``load_embedder``; nothing is loaded yet.

        ``embedder`` is used instead of a model; ``off`` says why none may be used, or is empty.
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
        self._preloads: dict[Callable[[], object], threading.Thread] = {}

    @classmethod
    def of(cls, settings: Settings, paths: Paths, embedder: Embedder | None = None) -> Self:
        """Return the loader of the model in ``settings``, or of ``embedder`` if it is given."""
        off = NO_SENTENCE if settings.meaning else Sentence("meaning_off")
        return cls(settings.model, paths.model_folders, embedder, off, paths.devices_file)

    def get(self) -> Embedder | None:
        """Return the chosen model; None if it cannot be used; then ``problem`` says why."""
        with self._lock:
            if self._chosen is None and not self.problem:
                try:
                    self._chosen = self._load_chosen()
                except ModelError as error:
                    self.problem = error.sentence
            return None if self.problem else self._chosen

    def _load_chosen(self) -> Embedder:
        from notesearch.embedding.model_folder import ModelFolder, model_name, model_path

        path = model_path(self.name, *self._places)
        if path.is_dir() and is_weaker_in_english(model_name(path)):
            folder = ModelFolder.read(path)
            return self._beside_builtin(folder, partial(self._load_other, folder))
        return self._load_named(self.name)

    def _load_named(self, name: str) -> Embedder:
        return load_embedder(name, *self._places, devices=self._devices)

    def _beside_builtin(self, folder: "ModelFolder", load: Callable[[], Embedder]) -> Embedder:
        load = cache(load)
        return TwoModels(
            folder.fingerprint,
            folder.kept_dimensions or folder.dimensions or load().dimensions,
            load,
            partial(self._load_named, BUILTIN_MODEL),
        )

    def _load_other(self, folder: "ModelFolder") -> Embedder:
        """Load the model beside the built-in one; if that fails, neither is used."""
        try:
            return load_folder(folder, self._devices)
        except ModelError as error:
            self.problem = error.sentence
            raise

    def preload(self, load: Callable[[], object] | None = None) -> None:
        """Start a thread that loads the chosen model: by ``load`` if given, else by ``get``."""
        is_loaded = load is None and self._chosen is not None
        load = load or self.get
        if not (is_loaded or self.problem or load in self._preloads):
            thread = threading.Thread(target=self._preload, args=(load,), name="notesearch-model")
            thread.start()
            self._preloads[load] = thread

    def _preload(self, load: Callable[[], object]) -> None:
        try:
            load()
        except Exception:  # the first use meets the same failure
            import logging

            logging.getLogger(__name__).info("the model was not preloaded", exc_info=True)

    def close(self) -> None:
        """Wait for the threads of ``preload``."""
        for thread in tuple(self._preloads.values()):
            thread.join()

    @property
    def loaded(self) -> Embedder | None:
        """The chosen model; None if it is not loaded."""
        return self._chosen

    @property
    def engine(self) -> str:
        """The engine that runs the chosen model; empty until it is loaded."""
        return engine_name(self._chosen) if self._chosen and not self.problem else ""

    def by_fingerprint(self, fingerprint: str, name: str) -> Embedder | None:
        """Return the model that made the vectors of an index; None if it is unusable.

        ``name`` is its name in the settings at that time.
        """
        chosen = self.get()
        if chosen is not None and chosen.fingerprint == fingerprint:
            self._former = "", None
            return chosen
        if isinstance(chosen, TwoModels) and chosen.fingerprint == PAIR_PREFIX + fingerprint:
            self._former = "", None
            try:
                return chosen.other
            except ModelError:
                return None
        if self._is_off or not fingerprint or not name:
            return None
        with self._lock:
            if self._former[0] != fingerprint:
                self._former = fingerprint, self._load(fingerprint, name)
            return self._former[1]

    def _load(self, fingerprint: str, name: str) -> Embedder | None:
        from notesearch.embedding.model_folder import Engine, ModelFolder, model_path

        path = model_path(name, *self._places)
        try:
            folders = [ModelFolder.read(path, engine) for engine in Engine]
            own = fingerprint.removeprefix(PAIR_PREFIX)
            former = next((folder for folder in folders if folder.fingerprint == own), None)
            if former is None:
                return None
            load = partial(load_folder, former, self._devices)
            return load() if own == fingerprint else self._beside_builtin(former, load)
        except ModelError:
            return None
