"""NoteLibrary: one vault and its index; what every front end uses, and the public Python API."""

import contextlib
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch.config import Paths, Settings, resources
from notesearch.embedding.model_loader import ModelLoader
from notesearch.errors import (
    ModelError,
    NoteMissingError,
    NotesearchError,
)
from notesearch.index import doctor, mounts, note_files, vault_identity
from notesearch.index.attachments import Attachments
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.vault_index import VaultIndex
from notesearch.index.vector_sets import VectorSets
from notesearch.markdown.render.mkdocs import MkDocs
from notesearch.notes import Linked, Span
from notesearch.results import (
    LastKnown,
    Mode,
    Scope,
    SearchResult,
    SectionLink,
    SectionResult,
    SectionText,
    View,
)
from notesearch.search.grammar import parse
from notesearch.search.refinement import Reranking
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.status import Checkup, Progress, Report, Status
from notesearch.store.store import Store

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder
    from notesearch.index.live_index import Listener, LiveIndex
    from notesearch.store.reader import Reader
    from notesearch.vault_links import VaultLinks

    Watch = LiveIndex
    """What ``NoteLibrary.watch`` returns: ``refresh_now()``, ``pause()``, ``close()`` and more."""


class NoteLibrary:
    """Searches one folder of notes and keeps its index; safe to use from several threads."""

    def __init__(
        self, vault: Path, paths: Paths, settings: Settings, embedder: "Embedder | None" = None
    ) -> None:
        """Use ``open`` instead, which finds the folders."""
        self.vault = vault
        self.paths = paths
        self.settings = settings
        self._model = _models(settings, paths, embedder)
        remark = mounts.remark_on_index(paths.index_file(vault).parent)
        store = Store(paths.index_file(vault), shares_memory=not remark)
        self._index = VaultIndex(vault, settings, store, self._model.get, remark)
        self._mkdocs = MkDocs()
        self.vectors = VectorSets(self._index)
        self.reranking = Reranking(settings.reranker, settings.reranker_ms / 1000, *_places(paths))
        self._attachments = Attachments(vault, lambda: IgnoreRules(vault, settings))

    @classmethod
    def open(
        cls,
        vault: Path | str,
        *,
        home: Path | str | Paths | None = None,
        settings: Settings | None = None,
        embedder: "Embedder | None" = None,
    ) -> Self:
        """Open the library of the folder ``vault``; nothing is read or loaded yet.

        Args:
            vault: The notes folder, which need not be there now, or its name in the settings.
            home: Where the program keeps its files, else ``NOTESEARCH_HOME`` or as usual here.
            settings: Instead of those in the settings file.
            embedder: Instead of the model that the settings name.

        Raises:
            SettingsError: The settings file cannot be read.
        """
        paths = home if isinstance(home, Paths) else Paths.choose(home)
        settings = settings or Settings.load(paths)
        return cls(_folder(vault, settings), paths, settings, embedder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every watch and close the index; no other thread may be using it."""
        self._model.close()
        self._mkdocs.close()
        self._index.close()

    # The write path

    def refresh(
        self, progress: Callable[[Progress], None] | None = None, *, patience: float | None = None
    ) -> Report:
        """Bring the index in line with the folder: scan, index, embed; wait until it is done.

        Args:
            progress: Is told how far it is.
            patience: Seconds to spend on embedding; what is left waits for the next time.

        Raises:
            VaultMissingError: The folder is not there.
            IndexBusyError: Another program is indexing this folder.
            IndexFileError: The index cannot be written.
        """
        return self._index.refresh(progress or _silent, patience)

    def watch(self, listener: "Listener | None" = None, *, paused: bool = False) -> "Watch":
        """Index in a thread, whenever something changes, until closed; ``paused`` waits first."""
        return self._index.watch(listener or _Nobody(), paused=paused)

    def check(self) -> Checkup:
        """Check the index inside and against the folder; raises as ``refresh`` does."""
        return doctor.check(self._index)

    def repair(self, progress: Callable[[Progress], None] | None = None) -> Checkup:
        """Repair what ``check`` finds and check again; raises as ``refresh`` does."""
        return doctor.repair(self._index, progress or _silent)

    # The read path

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        per_note: int = 2,
        mode: Mode | str = Mode.HYBRID,
        within: str = "",
        newest: bool = False,
        cancelled: Callable[[], bool] | None = None,
        early: Callable[[SearchResult], None] | None = None,
        view: View | None = None,
    ) -> SearchResult:
        """Find sections.

        Args:
            text: Any string; docs/searching.md tells the language of queries.
            limit: Sections in all.
            per_note: Sections of one note.
            mode: ``hybrid``, ``words`` or ``meaning``.
            within: Only in this folder (``travel/``) or note.
            newest: The notes that were changed last first, not the best.
            cancelled: Asked from time to time: whether to end.
            early: Is told the ranking before; ``SectionResult.cut`` is false outside ``view``.
            view: Whose snippets are cut first.

        Raises:
            SearchCancelledError: ``cancelled()`` became true.
            IndexFileError: There is no index yet, or it cannot be read.
        """
        from notesearch.search.presentation import Bounds
        from notesearch.search.search import search

        mode, bounds = Mode(mode), Bounds(_most(limit), _most(per_note), within, newest, view)
        with self._index.reading() as reader:
            while True:
                embedder = None if mode is Mode.WORDS else _index_model(self._model, reader)
                result = search(reader, text, mode, bounds, embedder, cancelled, early=early)
                if result.meaning or not embedder or reader.vectors.model() == embedder.fingerprint:
                    return result  # else another model took over just then

    def sharpen(
        self,
        result: SearchResult,
        *,
        seconds: float = 0.3,
        cancelled: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Show the sentence nearest to the query where meaning alone found a section.

        The same sections in the same order, with other snippets; raises as ``search`` does.
        """
        from notesearch.search.refinement import sharpened

        with self._index.reading() as reader:
            embedder = _index_model(self._model, reader) if result.meaning else None
        if embedder is None:
            return result
        return sharpened(result, embedder, seconds=seconds, stopped=cancelled or _never)

    def nearest(self, query: str, passage: str, stopped: Callable[[], bool]) -> str:
        """Return the sentence of ``passage`` nearest to ``query``; empty where meaning is off."""
        from notesearch.search.refinement import nearest_sentence

        embedder = self._model.get()
        return nearest_sentence(query, passage, embedder, stopped) if embedder else ""

    def related(
        self,
        path: str,
        section: str | None = None,
        *,
        limit: int = 10,
        other_notes_only: bool = True,
    ) -> tuple[SectionResult, ...]:
        """Find sections near a section or a whole note, both named as ``read`` takes them.

        Raises:
            NoteMissingError: No such note.
            SectionMissingError: No such section.
            ModelError: No section has a vector yet, or meaning is off.
        """
        from notesearch.search.search import related

        found = self.note_path(path)
        with self._index.reading() as reader:
            if not reader.vectors.has_any():
                raise ModelError(
                    reader.vectors.problem or self._model.problem or "meaning_not_ready"
                )
            return related(reader, found, section, _most(limit), other_notes_only=other_notes_only)

    def read(self, path: str, section: str | None = None) -> SectionText:
        """Read a note, or one full section of it, as its file is now.

        Args:
            path: The note's path in the vault; its name or title when only one note has it.
            section: A heading, or ``Parent/Child`` where a heading alone is ambiguous.

        Raises:
            NoteMissingError: No such note.
            SectionMissingError: No such section, or several; the text lists them.
        """
        from notesearch.markdown.sections import section_texts

        found = self.note_path(path)
        return section_texts.read(found, _text(self, found), section)

    def read_at(self, path: str, line: int, scope: Scope = Scope.SECTION) -> SectionText:
        """Read what a preview shows of the section at ``line``, now; raises as ``read`` does."""
        from notesearch.markdown.sections import section_texts

        return section_texts.read_at(path, _text(self, path), line, scope)

    def sections(self, path: str) -> tuple[SectionLink, ...]:
        """Return the outline of a note, as its file is now.

        Raises:
            NoteMissingError: No such note.
        """
        from notesearch.markdown.sections import section_texts

        found = self.note_path(path)
        return section_texts.outline(found, _text(self, found))

    def note_names(self) -> tuple[tuple[str, str], ...]:
        """Return path and title of every indexed note; raises as ``status`` does."""
        with self._index.reading() as reader:
            return tuple(reader.rows.note_names())

    def links(self, path: str) -> "VaultLinks":
        """Return where links, embeds and pictures of the note at ``path`` lead."""
        from notesearch.vault_links import VaultLinks

        return VaultLinks(self._index, partial(_text, self), self._attachments, self._mkdocs, path)

    def matches(self, query: str, text: str, links: Sequence[Linked] = ()) -> tuple[Span, ...]:
        """Return the spans (characters) of ``text``, and ``links`` in it, that match ``query``."""
        from notesearch.search.search import matches

        with self._index.reading() as reader:
            return matches(reader, query, text, links)

    def file(self, path: str) -> Path:
        """Return where the note at ``path`` lies; NoteMissingError where that is not inside."""
        return note_files.locate(self.vault, path, follow=self.settings.follow_links)

    def status(self) -> Status:
        """Return the state of the index; raises ``IndexFileError`` where there is none to read."""
        return _status(self.vault, self._index, self._model)

    @property
    def indexed(self) -> bool:
        """Whether there is an index to search."""
        return self._index.store.exists

    @property
    def rebuilt(self) -> Sentence:
        """Why the previous index file was set aside, in a sentence; empty when it was not."""
        return self._index.store.rebuilt

    def note_path(self, path: str) -> str:
        """Return the path of the note that ``path`` means, as ``read`` takes and raises."""
        return _meant(self, path)


def _text(library: NoteLibrary, path: str) -> str:
    return note_files.current_text(library.vault, path, library.settings)


def _folder(vault: Path | str, settings: Settings) -> Path:
    """Return the folder that is meant by a path, or by a name in the settings."""
    named = settings.folder(vault) if isinstance(vault, str) else None
    return (named or Path(os.path.expanduser(vault))).resolve()  # noqa: PTH111 - leaves what it cannot


def understands(query_filter: str) -> bool:
    """Return whether ``name:value`` is a filter; what is none is searched for as it stands."""
    return not parse(query_filter + " ").terms


def is_current(library: NoteLibrary, *, meaning: bool) -> bool:
    """Return whether a refresh would find nothing to do, which is quicker to tell.

    Where another process follows the folder it would not either. ``meaning`` asks for the vectors
    too.

    Raises:
        VaultMissingError: The folder is not there.
    """
    return library._index.is_current(meaning=meaning)


def preload_model(library: NoteLibrary) -> None:
    """Begin to load the model in a thread, for a search by meaning that is about to come."""
    library._model.preload()


def wait_for_other(library: NoteLibrary, seconds: float) -> bool:
    """Wait until another process that follows the folder has taken up what was saved so far.

    Returns whether it has; at once where none follows the folder as it changes.
    """
    return library._index.wait_for_other(seconds)


def delete_index(library: NoteLibrary) -> None:
    """Delete the index file and all beside it; the next refresh makes a new one.

    Raises:
        IndexBusyError: Some program is indexing this folder.
        IndexFileError: It cannot be deleted.
    """
    library._index.delete()


def last_known(library: NoteLibrary, path: str, line: int, scope: Scope) -> LastKnown:
    """Return what the index holds of a section; ``read_at`` for where the folder is not there.

    Raises:
        NoteMissingError: The index does not hold the note.
    """
    from notesearch import indexed_text

    with library._index.reading() as reader:
        return indexed_text.last_known(reader, path, line, scope)


class _Nobody:
    """A listener that does not listen."""

    def progressed(self, progress: Progress) -> None: ...
    def updated(self, report: Report) -> None: ...
    def failed(self, error: NotesearchError) -> None: ...


def _meant(library: NoteLibrary, path: str) -> str:
    """Return the path of the note whose file ``path`` names, else of the one that is called so."""
    with contextlib.suppress(NoteMissingError, OSError):
        file = library.file(path)
        inside = file.relative_to(library.vault).as_posix()
        if IgnoreRules(library.vault, library.settings).is_note(inside) and file.is_file():
            return inside
    if not library.indexed:
        raise NoteMissingError("note_unknown", path=path, vault=str(library.vault))
    from notesearch.markdown.sections import lookup

    return lookup.find_note(path, library.note_names())


def _silent(_progress: Progress) -> None:
    """Nobody wants to know."""


def _never() -> bool:
    return False


def _most(limit: int) -> int:
    """Return ``limit`` as a number of sections that SQLite can reckon with."""
    return max(1, min(limit, 1 << 31))


def _models(settings: Settings, paths: Paths, embedder: "Embedder | None") -> ModelLoader:
    off = NO_SENTENCE if settings.meaning else Sentence("meaning_off")
    return ModelLoader(settings.model, _places(paths), embedder, off)


def _places(paths: Paths) -> tuple[Path, Path]:
    return resources() / "models", paths.models


def _index_model(models: ModelLoader, reader: "Reader") -> "Embedder | None":
    """Return the model whose vectors are searched."""
    return models.by_fingerprint(reader.vectors.model(), reader.vectors.model_name())


def _status(vault: Path, index: VaultIndex, model: ModelLoader) -> Status:
    with index.reading() as reader:
        counts, unread, last_scan = reader.counts(), reader.unread(), reader.last_scan()
        former = reader.vectors.model_name() if reader.vectors.next_model() else ""
        folders = {path.split("/")[0] for path, _ in reader.rows.note_names() if "/" in path}
        meaning_problem = model.problem or reader.vectors.problem
        vault_missing = vault_identity.is_missing(
            vault, reader.root(), lambda: [path for path, _ in reader.rows.note_names()]
        )
    return Status(
        vault=str(vault),
        vault_missing=vault_missing,
        notes=counts.notes,
        sections=counts.sections,
        passages=counts.passages,
        words=counts.words,
        pending=counts.pending,
        unread=unread,
        index_path=str(index.store.path),
        index_bytes=index.store.bytes_on_disk(),
        note_bytes=counts.note_bytes,
        model=model.name,
        meaning=counts.embedded > 0 and not meaning_problem,
        meaning_problem=meaning_problem,
        last_scan=last_scan,
        rebuilt=index.store.rebuilt,
        watching=index.watching(),
        index_remark=index.remark,
        folders=tuple(sorted(folders, key=str.casefold)),
        engine=model.engine,
        former_model=former,
    )
