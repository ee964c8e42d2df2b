"""Calls about models for ``FileCall``: they are slow, and the windows make them in threads."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from notesearch.config import Paths, Settings
from notesearch.errors import IndexFileError, TaskStoppedError, VaultMissingError
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.translation import bytes_text, decimal_text, number_text, translate
from notesearch.status import ModelVectors

if TYPE_CHECKING:
    from notesearch.library import NoteLibrary
    from notesearch.models import Measurement, Model, Offer

_SAMPLE = 100
"""Number of the user's passages with which two models are compared."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ModelInventory:
    """The available models, their vectors, and whether sentence-transformers is installed."""

    models: "tuple[Model, ...]"
    vectors: tuple[ModelVectors, ...]
    extra: bool


def inventory(paths: Paths, settings: Settings) -> ModelInventory:
    """Return the available models, and the vectors in the indexes of the searched folders."""
    from notesearch import models

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
    """Look the model ``name`` up, and download it; see ``download``."""
    from notesearch import models

    return download(models.look_up(name), paths, show_share)


def download(offer: "Offer", paths: Paths, show_share: Callable[[float], None]) -> str:
    """Download a model, and return its name; ``show_share`` gets the share that arrived, 0 to 1.

    An interrupted download can be continued later.
    """
    from notesearch import models

    def progressed(arrived: int, total: int) -> None:
        if FileCall.is_ending():
            raise TaskStoppedError("task_stopped")
        show_share(arrived / max(total, 1))

    progressed(0, 1)  # the user may have cancelled while the model was looked up
    models.download(offer, paths.models, progressed)
    return offer.name


def compare(paths: Paths, settings: Settings, name: str) -> str:
    """Compare speed, memory and agreement of a model with the one in use; return sentences.

    Raises an ``IndexFileError`` if the searched folders have no passages yet.
    """
    from notesearch import models

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


def remove(paths: Paths, settings: Settings, name: str) -> str:
    """Delete the installed model ``name``; return a sentence with the size that is free now."""
    from notesearch import models

    size = models.remove(paths, settings, name)
    return translate("Freed {size}.", size=bytes_text(size))


def delete_vectors(paths: Paths, settings: Settings, fingerprint: str) -> None:
    """Delete a model's vectors from the indexes of the searched folders."""
    for library in _libraries(paths, settings):
        if fingerprint in {own.fingerprint for own in _read(library.vectors.all)}:
            library.vectors.forget(fingerprint)
