"""NoteLibrary: one vault and its index. This is the public Python API, which all front ends use."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypedDict

from notesearch.config import Paths, Settings
from notesearch.embedding.model_loader import ModelLoader
from notesearch.errors import (
    IndexBusyError,
    IndexFileError,
    ModelError,
    NoteMissingError,
    NotesearchError,
    SectionMissingError,
)
from notesearch.files import real
from notesearch.index import note_files, vault_folder
from notesearch.index.ignore_rules import IgnoreRules
from notesearch.index.vault_index import VaultIndex, VectorSets
from notesearch.markdown.render.mkdocs import MkDocs
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.note_addresses import NoteAddress
from notesearch.note_lookup import NoteLookup
from notesearch.notes import ELLIPSIS, Linked, Span
from notesearch.opened_sections import MOST_RECENT, Openings
from notesearch.results import (
    FilterChoice,
    LastKnown,
    LinkingSection,
    Mode,
    NoteLink,
    NoteResult,
    OpenedSection,
    PassagesFound,
    Scope,
    SearchResult,
    SectionLink,
    SectionResult,
    SectionText,
    View,
)
from notesearch.search.query import Query, as_phrase, parse
from notesearch.status import Checkup, Progress, Report, Status
from notesearch.store.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder
    from notesearch.index.live_index import Listener, LiveIndex
    from notesearch.note_links import NoteLinks, NotePictures
    from notesearch.search.likeness import Vectors
    from notesearch.search.reranking import Reranking
    from notesearch.search.unmet import Sought
    from notesearch.store.reader import Reader
    from notesearch.store.rows import LabelledSection

    Watch = LiveIndex
    """The result of ``NoteLibrary.watch``, with ``refresh_now()``, ``pause()`` and ``close()``."""


AnyQuery = str | Query
DEFAULT_LIMIT = 10


class SearchOptions(TypedDict, total=False):
    """The arguments of ``NoteLibrary.search`` besides the query, for callers that pass them on."""

    limit: int
    per_note: int
    mode: Mode | str
    within: str
    newest: bool
    cancelled: Callable[[], bool] | None
    early: Callable[[SearchResult], None] | None
    view: View | None


class NoteLibrary:
    """Searches one folder of notes and maintains its index; thread-safe. ``open`` creates one."""

    def __init__(
        self,
        folder: Path,
        paths: Paths,
        settings: Settings,
        model: ModelLoader,
    ) -> None:
        paths.tighten()
        self.vault = vault = real(folder)
        self.paths = paths
        self.settings = settings
        self._model = model
        remark = vault_folder.remark_on_index(paths.index_file(vault).parent)
        store = Store(paths.index_file(vault), shares_memory=not remark)
        self._index = VaultIndex(vault, settings, store, self._model.get, remark)
        self._lookup = NoteLookup(self._index)
        self._openings = Openings(paths.openings_file(vault))
        self._recents = Openings(paths.recents_file(vault), MOST_RECENT)
        self._mkdocs = MkDocs()
        self.vectors = VectorSets(self._index)

    @classmethod
    def open(
        cls,
        vault: Path | str,
        *,
        home: Path | str | Paths | None = None,
        settings: Settings | None = None,
        embedder: "Embedder | None" = None,
        model: ModelLoader | None = None,
    ) -> Self:
        """Return the library of the folder ``vault``; neither index nor model is loaded yet.

        Args:
            vault: The notes folder, or its name in the settings. It need not exist right now.
            home: The folder for the program's own files; by default ``NOTESEARCH_HOME``, else the
                usual folders of the platform.
            settings: The settings to use instead of the settings file.
            embedder: The embedder to use instead of the model in the settings.
            model: The loader to use for the model, which libraries may share.

        Raises:
            SettingsError: The settings file cannot be read.
        """
        paths = home if isinstance(home, Paths) else Paths.choose(home)
        settings = settings or Settings.load(paths)
        model = model or ModelLoader.of(settings, paths, embedder)
        named = settings.folder(vault) if isinstance(vault, str) else None
        return cls(Path(named or vault), paths, settings, model)

    @property
    def parts(self) -> "Mapping[str, NoteLibrary]":
        """This library under an empty name; ``NoteLibraries.parts`` has one for each vault."""
        return {"": self}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every watch and close the index. After that, no thread may use the library."""
        self._model.close()
        self._mkdocs.close()
        self._index.close()

    # Indexing

    def refresh(
        self,
        progress: Callable[[Progress], None] | None = None,
        *,
        patience: float | None = None,
        takes_over: bool = False,
    ) -> Report:
        """Update the index from the folder, and return what changed. This may take minutes.

        Args:
            progress: Called with the progress.
            patience: How many seconds to spend on embedding at most; the next call continues. None
                for no limit.
            takes_over: Whether to stop another process that watches the folder meanwhile, instead
                of raising IndexBusyError.

        Raises:
            VaultMissingError: The folder does not exist.
            IndexBusyError: Another process is indexing this folder.
            IndexFileError: The index cannot be written.
        """
        show = progress or _NoListener().progressed
        try:
            report = self._index.refresh(show, patience)
        except IndexBusyError:
            if not (takes_over and self._is_watched()):
                raise
            with self._index.claimed():
                report = self._index.refresh(show, patience)
        self._update_openings(report)
        return report

    def _is_watched(self) -> bool:
        """Return whether a process watches the folder; False if the index cannot tell."""
        with contextlib.suppress(IndexFileError):
            return bool(self._index.watching())
        return False

    def watch(self, listener: "Listener | None" = None, *, paused: bool = False) -> "Watch":
        """Index changes in a thread until the result is closed or the main thread has ended.

        With ``paused``, the thread waits until ``resume()`` is called.
        """
        from notesearch.index.live_index import LiveIndex

        both = _OpeningsListener(self._update_openings, listener or _NoListener())
        return LiveIndex.started(self._index, both, paused=paused)

    def is_current(self, *, meaning: bool) -> bool:
        """Return whether the index is up to date, or another process watches the folder.

        With ``meaning``, missing vectors count. Raises as ``refresh`` does.
        """
        return self._index.is_current(meaning=meaning)

    def wait_for_other(self, seconds: float) -> bool:
        """Wait until another process that watches the folder has indexed it.

        Returns whether it has within ``seconds``; False at once if there is no such process.
        """
        return self._index.wait_for_other(seconds)

    def delete_index(self) -> None:
        """Delete the index file and all files beside it; the next refresh makes a new index.

        Raises:
            IndexBusyError: A process is indexing this folder.
            IndexFileError: The index cannot be deleted.
        """
        self._index.delete()

    def check(self) -> Checkup:
        """Check the index for faults and compare it with the folder; raises as ``refresh`` does."""
        from notesearch.index import doctor

        return self._with_model(doctor.check(self._index))

    def repair(self, progress: Callable[[Progress], None] | None = None) -> Checkup:
        """Repair what ``check`` finds, and check again; raises as ``refresh`` does."""
        from notesearch.index import doctor

        return self._with_model(doctor.repair(self._index, progress or _NoListener().progressed))

    def _with_model(self, checkup: Checkup) -> Checkup:
        self.load_model()
        if not self.settings.meaning or not self._model.problem:
            return checkup
        return replace(checkup, remarks=(*checkup.remarks, self._model.problem))

    # The state of the index

    def status(self) -> Status:
        """Return the state of the index.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        with self._index.reading() as reader:
            counts = reader.counts()
            unread = reader.unread()
            last_scan = reader.last_scan()
            languages = reader.language_shares()
            folders = reader.labels.folders()
            meaning_problem = self._model.problem or reader.vectors.problem or self._model.failure
            switches = bool(self._model.problem or reader.vectors.next_model())
            former = _former_model(reader, self._model) if switches else ""
            vault_missing = self._is_vault_missing(reader)
        return Status(
            vault=str(self.vault),
            vault_missing=vault_missing,
            notes=counts.notes,
            sections=counts.sections,
            passages=counts.passages,
            words=counts.words,
            pending=counts.pending,
            unread=unread,
            index_path=str(self._index.store.path),
            index_bytes=self._index.store.bytes_on_disk(),
            note_bytes=counts.note_bytes,
            model=self._model.name,
            meaning=counts.embedded > 0 and bool(former or not meaning_problem),
            meaning_problem=meaning_problem,
            last_scan=last_scan,
            rebuilt=self._index.store.rebuilt,
            watching=self._index.watching(),
            index_remark=self._index.remark,
            folders=tuple(sorted(folders, key=str.casefold)),
            engine=self._model.engine,
            former_model=former,
            languages=languages,
        )

    @property
    def indexed(self) -> bool:
        """Whether there is an index to search."""
        return self._index.store.exists

    @property
    def rebuilt(self) -> Sentence:
        """Why the former index file was replaced; empty if it was not."""
        return self._index.store.rebuilt

    @property
    def vault_missing(self) -> bool:
        """Whether the folder is missing or another one is in its place; raises as ``status``."""
        with self._index.reading() as reader:
            return self._is_vault_missing(reader)

    def _is_vault_missing(self, reader: "Reader") -> bool:
        return vault_folder.is_missing(
            self.vault, reader.root(), lambda: [path for path, _ in reader.rows.note_names()]
        )

    # The models

    def preload_model(self) -> None:
        """Start to load the model in a thread, so that the next search by meaning is faster."""
        self._model.preload(self.load_model)

    def load_model(self) -> None:
        """Load the model now, so that ``status`` describes it.

        With two models side by side, load only what the languages of the notes need.
        """
        self._index.load_model()

    @cached_property
    def reranking(self) -> "Reranking":
        """The model that sorts the best results again, if the settings name one."""
        from notesearch.search.reranking import Reranking

        return Reranking(
            self.settings.reranker,
            self.settings.reranker_ms / 1000,
            *self.paths.model_folders,
            devices=self.paths.devices_file,
        )

    def _index_model(self, reader: "Reader") -> "Embedder | None":
        return self._model.by_fingerprint(reader.vectors.model(), reader.vectors.model_name())

    # Searching

    def search(
        self,
        text: AnyQuery,
        *,
        limit: int = DEFAULT_LIMIT,
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
            text: Any text (docs/searching.md describes the query language), or a parsed query.
            limit: How many sections to return at most.
            per_note: How many sections of one note to return at most.
            mode: ``hybrid``, ``words`` or ``meaning``.
            within: The path of a folder (``travel/``) or note to search in; empty for all notes.
            newest: Whether to sort by the date of the note, the newest first, instead of by score.
            cancelled: Called from time to time; the search ends if it returns True.
            early: Called with a first result; only its sections in ``view`` have snippets (see
                ``SectionResult.complete``).
            view: The part of the list that is visible at first.

        Raises:
            SearchCancelledError: ``cancelled()`` returned True.
            IndexFileError: There is no index yet, or it cannot be read.
            ModelError: The model failed in a search by meaning; other searches continue by words.
        """
        from notesearch.search.habits import Habits
        from notesearch.search.presentation import SearchRun
        from notesearch.search.search import search

        mode = Mode(mode)
        run = SearchRun(
            limit=_clamped(limit),
            per_note=_clamped(per_note),
            within=within,
            newest=newest,
            view=view,
            cancelled=cancelled,
            early=early,
        )
        habits = Habits(
            self._openings.all() if self.settings.learning else (),
            self.settings.prefer_recent,
            self.settings.preferred_folders,
        )
        with self._index.reading() as reader:
            ask = partial(search, reader, text, mode, run, habits=habits)
            while True:
                embedder = None if mode is Mode.WORDS else self._index_model(reader)
                try:
                    result = ask(embedder)
                except ModelError as error:
                    if mode is Mode.MEANING:
                        raise
                    self._model.failure = error.sentence
                    return ask(None)
                if result.meaning:
                    self._model.failure = NO_SENTENCE
                # The index may have switched to another model meanwhile: then search with that.
                if result.meaning or not embedder or reader.vectors.model() == embedder.fingerprint:
                    return result

    def passages(
        self, text: AnyQuery, *, limit: int = DEFAULT_LIMIT, per_note: int = 2
    ) -> PassagesFound:
        """Find the passages nearest in meaning to ``text``, which may be a parsed query.

        Several passages may be from one section. At most ``limit`` passages are returned, and at
        most ``per_note`` of one note. Raises as ``search`` does.
        """
        from notesearch.search.search import find_passages

        with self._index.reading() as reader:
            embedder = self._index_model(reader)
            return find_passages(reader, text, _clamped(limit), _clamped(per_note), embedder)

    def sharpen(
        self, result: SearchResult, *, cancelled: Callable[[], bool] | None = None
    ) -> SearchResult:
        """Return ``result`` with better snippets for sections that only meaning has found.

        Each becomes the sentence nearest to the query. A snippet stays if there is no model, if
        the model fails, or if its turn does not come within 0.3 s. Raises as ``search`` does.
        """
        from notesearch.search.nearest_sentence import sharpened

        with self._index.reading() as reader:
            embedder = self._index_model(reader) if result.meaning else None
        if embedder is None:
            return result
        with contextlib.suppress(ModelError):
            return sharpened(result, embedder, cancelled or (lambda: False))
        return result

    def nearest_sentence(self, query: str, passage: str, stopped: Callable[[], bool]) -> str:
        """Return the sentence of ``passage`` nearest to ``query``; empty without a model."""
        from notesearch.search.nearest_sentence import nearest_sentence

        embedder = self._model.get()
        return nearest_sentence(query, passage, embedder, stopped) if embedder else ""

    def matches(self, query: str, text: str, links: Sequence[Linked] = ()) -> tuple[Span, ...]:
        """Return the spans of ``text`` that match ``query``.

        These are words of the query, and those of ``links`` whose addresses it contains.
        """
        from notesearch.search.search import matches

        with self._index.reading() as reader:
            return matches(reader, query, text, links)

    def lost_meaning(self, result: SearchResult | PassagesFound) -> str:
        """Return a sentence that only words were searched, or by a former model; otherwise ""."""
        mode = result.mode if isinstance(result, SearchResult) else Mode.MEANING
        if mode is Mode.WORDS or not self.settings.meaning:
            return ""
        if not result.meaning:
            problem = self.status().meaning_problem
            return f"Only words were searched. {problem}" if problem else ""
        with self._index.reading() as reader:
            former = _former_model(reader, self._model)
        if not former:
            return ""
        return f"Search by meaning still uses the model {former}. {self._model.problem}".strip()

    def why_absent(self, text: str, note: str, *, within: str = "") -> tuple[Sentence, ...]:
        """Return sentences on the rank of a note or section, or on why a query does not find it.

        Args:
            text: The query.
            note: The note, as for ``read``; or a heading of any note, or a part of one.
            within: As for ``search``.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        from notesearch.search.unmet import absence

        try:
            missed = self.sought_sections(note, within=within)
        except (NoteMissingError, SectionMissingError) as error:
            return (error.sentence,)
        return absence(self.search, text, missed, within)

    def sought_sections(self, name: str, *, within: str = "") -> "tuple[Sought, ...]":
        """Return the note or section that ``name`` means, or all sections with this heading.

        Arguments are as for ``why_absent``; raises as ``NoteLookup.sought_sections``.
        """
        return self._lookup.sought_sections(name, within, self.read)

    # Learning from opened sections

    def learn(self, text: str, path: str, section_path: tuple[str, ...]) -> None:
        """Rank a section higher for the query ``text`` from now on: the user has opened it."""
        from notesearch.search.habits import content_words

        if self.settings.learning:
            with self._index.reading() as reader:
                words = content_words(reader, parse(f"{text} ").plain_text)
            if words:
                self._openings.add(words, path, section_path)

    def record_opened(self, path: str, section_path: tuple[str, ...], when: float = 0.0) -> None:
        """Record for ``opened_last`` that a section was opened ``when`` (Unix time); 0 for now."""
        self._recents.add((), path, section_path, when)

    def opened_last(self) -> tuple[OpenedSection, ...]:
        """Return the sections that were opened last and still exist, the last one first."""
        from notesearch.search.presentation import opened_sections

        recents = self._recents.all()
        with contextlib.suppress(IndexFileError), self._index.reading() as reader:
            return opened_sections(reader, recents)
        return ()

    def forget_openings(self) -> None:
        """Forget which sections were opened, for which query and last.

        Raises:
            SettingsError: The file in which this is stored cannot be deleted.
        """
        self._openings.forget()
        self._recents.forget()

    def _update_openings(self, report: Report) -> None:
        """Let records of opened sections follow renamed notes; delete those of missing notes."""
        moved = dict(zip(report.moved_from, report.moved, strict=True))
        with contextlib.suppress(IndexFileError):
            for record in (self._openings, self._recents):
                record.move(moved, self._heading_paths)
                if gone := self._missing(record.paths()):
                    record.drop(gone)

    def _heading_paths(self, path: str) -> list[tuple[str, ...]]:
        with self._index.reading() as reader:
            return [section.path for section in reader.rows.note_sections(path)]

    def _missing(self, paths: Collection[str]) -> set[str]:
        """Return those of ``paths`` at which there is no note; none before the first indexing."""
        if not paths:
            return set()
        with self._index.reading() as reader:
            is_complete = bool(reader.last_scan())
            return {*paths} - reader.note_states(paths).keys() if is_complete else set()

    # Similar sections

    def related(
        self,
        path: str,
        section: str | None = None,
        *,
        limit: int = 10,
        other_notes_only: bool = True,
    ) -> tuple[SectionResult, ...]:
        """Find sections similar in meaning to a section; if ``section`` is None, to the whole note.

        ``path`` and ``section`` are as for ``read``.

        Raises:
            NoteMissingError: There is no such note.
            SectionMissingError: There is no such section.
            ModelError: No section has a vector yet, or meaning is off.
        """
        from notesearch.search.likeness import related

        note, section = self._note_and_section(path, section)
        with self._index.reading() as reader:
            if not reader.vectors.has_any():
                raise ModelError(
                    reader.vectors.problem or self._model.problem or "meaning_not_ready"
                )
            limit = _clamped(limit)
            return related(reader, note, section, limit, other_notes_only=other_notes_only)

    def _note_and_section(self, path: str, section: str | None) -> tuple[str, str | None]:
        address = self.resolved(path)
        if (section and section.strip()) or not (address.heading or address.lines[0]):
            return address.name, section
        from notesearch.markdown.sections import section_texts

        text = self._text(address.name)
        return address.name, section_texts.section_name(address.name, text, address)

    def vectors_of(
        self, path: str, section: str | None = None
    ) -> "tuple[str, NDArray[np.float32]]":
        """Return the fingerprint of the model in the index, and the vectors of a section or note.

        The vectors are the rows of a matrix. Arguments and errors are as for ``related``.
        """
        from notesearch.search.likeness import vectors_of

        note, section = self._note_and_section(path, section)
        with self._index.reading() as reader:
            return reader.vectors.model(), vectors_of(reader, note, section)

    def near(
        self, vectors: "NDArray[np.float32]", model: str, *, limit: int = 10
    ) -> tuple[SectionResult, ...]:
        """Find the sections nearest to ``vectors``, the rows of a matrix.

        ``model`` is the fingerprint of their model; if the index has another one, nothing is found.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        from notesearch.search.likeness import near

        with self._index.reading() as reader:
            is_same = reader.vectors.has_any() and reader.vectors.model() == model
            return near(reader, vectors, _clamped(limit)) if is_same else ()

    def by_likeness(
        self,
        result: SearchResult,
        liked: Sequence[tuple[str, int]],
        unliked: Sequence[tuple[str, int]] = (),
    ) -> SearchResult:
        """Return ``result`` with its sections sorted by similar meaning; no model is needed.

        Sections that are like ``liked`` and unlike ``unliked`` come first. Both list sections by
        path and line.
        """
        from notesearch.search.likeness import by_likeness

        own = [(section.path, section.line) for section in result.sections]
        _, vectors = self.vectors_at([*own, *liked, *unliked])
        return by_likeness(vectors, result, liked, unliked)

    def vectors_at(self, sections: Iterable[tuple[str, int]]) -> "tuple[str, Vectors]":
        """Return the fingerprint of the model in the index, and the vectors of ``sections``.

        A section is a path and a line; those without a vector are left out.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        from notesearch.search.likeness import vectors_at

        with self._index.reading() as reader:
            return reader.vectors.model(), vectors_at(reader, sections)

    # Lists of notes, tags and filters

    def note_names(self) -> tuple[tuple[str, str], ...]:
        """Return the path and title of every indexed note; raises as ``status`` does."""
        with self._index.reading() as reader:
            return tuple(reader.rows.note_names())

    def list_notes(
        self, filters: AnyQuery = "", limit: int = 50
    ) -> tuple[tuple[NoteResult, ...], int]:
        """Return the newest notes that match ``filters``, a query, and how many match in all."""
        from notesearch.search.search import list_notes

        with self._index.reading() as reader:
            return list_notes(reader, filters, _clamped(limit))

    def tags(self, beginning: str = "") -> tuple[tuple[str, int], ...]:
        """Return the tags with this ``beginning``, the most used first, with numbers of notes."""
        with self._index.reading() as reader:
            return reader.labels.tag_counts(beginning.strip().lstrip("#"))

    def complete_filter(self, typed: str, limit: int = 12) -> tuple[FilterChoice, ...]:
        """Return filters that begin with ``typed``, such as ``tag:tr``, and match some note.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        from notesearch.search.filters import complete_filter

        with self._index.reading() as reader:
            return complete_filter(reader, typed, limit)

    def facets(self, sections: Sequence[SectionResult]) -> tuple[tuple[FilterChoice, ...], ...]:
        """Return filters that some of ``sections`` match, in groups: tag, folder, kind and year.

        Raises:
            IndexFileError: There is no index yet, or it cannot be read.
        """
        from notesearch.search.filters import facets

        return facets(self.labels([(section.path, section.line) for section in sections]))

    def labels(self, places: Sequence[tuple[str, int]]) -> "list[LabelledSection]":
        """Return the labels, for ``facets``, of the sections at ``places``: pairs of path and line.

        Raises as ``facets`` does.
        """
        with self._index.reading() as reader:
            return reader.labels.of_sections(places)

    # Reading notes

    def read(self, path: str, section: str | None = None) -> SectionText:
        """Read a note, or one section of it with its subsections, from its file.

        Args:
            path: The note's path in the vault; or its name, title or alias if only one note has
                that; or any address of ``note_addresses``, such as ``path:10-40``.
            section: A heading, or ``Parent/Child`` if several sections have the heading; ``^`` with
                a block's id; None for the whole note.

        Raises:
            NoteMissingError: There is no such note.
            SectionMissingError: There is no such section, or several; the sentence lists them.
        """
        from notesearch.markdown.sections import section_texts

        address = self.resolved(path)
        name = address.name
        if section and section.strip():
            found = self._read_section(name, section)
        elif address.heading:
            found = section_texts.read_linked(name, self._text(name), address.heading)
        elif address.lines[0]:
            found = section_texts.read_lines(name, self._text(name), *address.lines)
        else:
            found = section_texts.read(name, self._text(name), None)  # which frees it early
        shown = self._resolved_paths(name, {found.line: found.section_path}).get(found.line)
        return replace(found, heading=shown[-1], section_path=shown) if shown else found

    def _read_section(self, name: str, section: str) -> SectionText:
        from notesearch.markdown.sections import section_texts

        block = section.strip().removeprefix("#")
        if block.startswith("^"):
            # A heading may begin with "^" or "#^", too.
            with contextlib.suppress(SectionMissingError):
                return section_texts.read_linked(name, self._text(name), block)
        return section_texts.read(name, self._text(name), section)

    def read_at(self, path: str, line: int, scope: Scope = Scope.SECTION) -> SectionText:
        """Return what the preview shows for the section that contains ``line``, from 1.

        ``scope`` may widen it to the parent section or the note. Raises as ``read`` does.
        """
        from notesearch.markdown.sections import section_texts

        return section_texts.read_at(path, self._text(path), line, scope)

    def place_found(self, result: SectionResult) -> tuple[int, int]:
        """Return line and column, from 1, of the first match in the snippet of ``result``.

        If the section no longer has that text, return the place of its heading. Raises as ``read``
        does.
        """
        from notesearch.markdown.render.source_place import find_snippet, line_and_column

        section = self.read_at(result.path, result.line)
        position = find_snippet(section.text, result)
        if position is None:
            return result.line, 1
        line, column = line_and_column(section.text, position)
        return section.line + line - 1, section.indent + column

    def sections(self, path: str) -> tuple[SectionLink, ...]:
        """Return the outline of a note, from its file.

        Raises:
            NoteMissingError: There is no such note.
        """
        from notesearch.markdown.sections import section_texts

        note = self.note_path(path)
        links = section_texts.outline(note, self._text(note))
        shown = self._resolved_paths(note, {link.line: link.path for link in links})
        return tuple(
            replace(link, heading=shown[link.line][-1], path=shown[link.line])
            if link.line in shown
            else link
            for link in links
        )

    def _resolved_paths(
        self, path: str, paths: Mapping[int, Sequence[str]]
    ) -> dict[int, tuple[str, ...]]:
        """Return those of ``paths`` with a reference to a block, with the text of the block.

        ``paths`` and the result have the heading path of sections, by the section's line.
        """
        from notesearch.search.presentation import shown_headings

        lines = [line for line, headings in paths.items() if ELLIPSIS in "".join(headings)]
        if not lines:
            return {}
        with contextlib.suppress(IndexFileError), self._index.reading() as reader:
            ids = reader.rows.at_lines((path, line) for line in lines)
            rows = reader.rows.sections(ids.values(), with_body=False).values()
            # The file may have changed since it was indexed.
            same = (row for row in rows if row.path == tuple(paths.get(row.line, ())))
            return {row.line: shown_headings(reader, row) for row in same}
        return {}

    def last_known(self, path: str, line: int, scope: Scope) -> LastKnown:
        """Return a section from the index, for the preview while the folder is out of reach.

        Raises:
            NoteMissingError: The note is not in the index.
        """
        from notesearch.search.presentation import last_known

        with self._index.reading() as reader, reader.snapshot():
            return last_known(reader, path, line, scope)

    def file(self, path: str) -> Path:
        """Return the file of the note at ``path``.

        Raises:
            NoteMissingError: The file is outside the vault, or ``path`` is not valid.
        """
        return self._lookup.file(path)

    def note_path(self, path: str) -> str:
        """Return the path of the note that ``path`` names, in any form that ``read`` accepts.

        Raises:
            NoteMissingError: There is no such note, or more than one.
        """
        return self.resolved(path).name

    def resolved(self, address: str) -> NoteAddress:
        """Return the parts of ``address``, with the note's path; raises as ``note_path`` does."""
        return self._lookup.resolved(address)

    def _text(self, path: str) -> str:
        return self._index.notes.current_text(path)

    # Links

    def links(self, path: str) -> "NoteLinks":
        """Return the resolver of links, embeds and pictures in the note at ``path``."""
        from notesearch.note_links import NoteLinks

        return NoteLinks(self._index, self._pictures, self._mkdocs, path)

    @cached_property
    def _pictures(self) -> "NotePictures":
        from notesearch.note_links import NotePictures

        return NotePictures(self.vault, lambda: IgnoreRules(self.vault, self.settings))

    def outgoing(self, path: str) -> tuple[NoteLink, ...]:
        """Return the links to other notes in the note at ``path``; raises as ``read`` does."""
        return tuple(self.links(self.note_path(path)).outgoing())

    def backlinks(self, path: str) -> tuple[NoteLink, ...]:
        """Return the links in other notes to the note at ``path``, from the index.

        Raises as ``read`` and ``status`` do.
        """
        return tuple(self.links(self.note_path(path)).incoming())

    def linking_sections(self, path: str) -> tuple[LinkingSection, ...]:
        """Return the sections of other notes that link to this note, by path and line.

        Raises as ``read`` does.
        """
        from notesearch.search.presentation import shown_headings

        links = self.backlinks(path)
        with self._index.reading() as reader, reader.snapshot():
            ids = reader.rows.at_lines((link.path, link.line) for link in links)
            rows = reader.rows.sections(ids.values(), with_body=False)
            notes = reader.rows.notes({row.note_id for row in rows.values()})
            found: dict[int, LinkingSection] = {}
            for link in links:
                row = rows.get(ids.get((link.path, link.line), 0))
                if row is not None and row.id not in found:
                    title = notes[row.note_id].title
                    headings = shown_headings(reader, row)
                    found[row.id] = LinkingSection(link.path, title, headings, link.line)
        return tuple(found.values())


def understands(query_filter: str) -> bool:
    """Return whether ``query_filter``, such as ``tag:work``, is a filter of the query language."""
    return not parse(query_filter + " ").terms


def words_of(query: str) -> str:
    """Return the words of a query, without filters, operators, quotes and excluded words."""
    return parse(query + " ").plain_text


def has_folder(vault: Path, path: str) -> bool:
    """Return whether the folder ``path`` exists in ``vault``, ignoring case and accents."""
    return note_files.has_folder(vault, path)


def phrase_of(text: str) -> str:
    """Return a query for the words of ``text`` side by side."""
    return as_phrase(text)


class _NoListener:
    def progressed(self, progress: Progress) -> None: ...
    def updated(self, report: Report) -> None: ...
    def failed(self, error: NotesearchError) -> None: ...


class _OpeningsListener:
    """Calls ``update`` with each report, then ``listener``."""

    def __init__(self, update: Callable[[Report], None], listener: "Listener") -> None:
        self._update = update
        self._listener = listener
        self.progressed = listener.progressed
        self.failed = listener.failed

    def updated(self, report: Report) -> None:
        self._update(report)
        self._listener.updated(report)


def _clamped(limit: int) -> int:
    """Return ``limit``, but at least 1 and not more than SQLite accepts."""
    return max(1, min(limit, 1 << 31))


def _former_model(reader: "Reader", model: ModelLoader) -> str:
    """Return the name of the former model if search still uses it, else ""."""
    name = reader.vectors.model_name()
    used = model.by_fingerprint(reader.vectors.model(), name)
    return name if used is not None and used is not model.get() else ""
