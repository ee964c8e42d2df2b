"""JoinedLibrary: several vaults as one library whose top-level folders are the vaults."""

import contextlib
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from notesearch.config import Paths, Settings
from notesearch.errors import (
    IndexDamagedError,
    IndexFileError,
    NoteMissingError,
    NotesearchError,
)
from notesearch.joint_answers import answers_of, joint_result
from notesearch.library import NoteLibrary
from notesearch.note_addresses import split_vault, vault_holding
from notesearch.results import (
    Facet,
    FilterChoice,
    Mode,
    NoteResult,
    SearchResult,
    SectionResult,
    View,
)
from notesearch.search.filters import as_read_by
from notesearch.search.grammar import parse
from notesearch.sentences import NO_SENTENCE, Sentence
from notesearch.status import LanguageShare, Phase, Progress, Report, Status

if TYPE_CHECKING:
    from notesearch.index.live_index import Listener
    from notesearch.search.reranking import Reranking

_Item = TypeVar("_Item")


class JoinedLibrary:
    """Several vaults behind the methods of ``NoteLibrary`` that a window calls.

    A window lists paths, so each path begins with the name of its vault: ``work/trips/osaka.md``.
    For what concerns a single note, the window calls the library of its vault, one of ``parts``.
    (``NoteLibraries`` is for programs and the command line: there a path is the one in the vault,
    and the name of the vault is a field of its own.)
    """

    def __init__(self, libraries: Mapping[str, NoteLibrary]) -> None:
        """Take open libraries by name. ``close`` closes them."""
        self._libraries = dict(libraries)
        first = next(iter(self._libraries.values()))
        self.settings: Settings = first.settings
        self.reranking: Reranking = first.reranking

    @classmethod
    def open(cls, folders: Mapping[str, Path], *, home: Paths, settings: Settings) -> Self:
        """Open the vaults in ``folders``, which share one loaded model; read nothing yet."""
        libraries: dict[str, NoteLibrary] = {}
        for name, folder in folders.items():
            first = next(iter(libraries.values()), None)
            libraries[name] = NoteLibrary.open(folder, home=home, settings=settings, beside=first)
        return cls(libraries)

    def close(self) -> None:
        """Close all libraries; no other thread may use them any more."""
        for library in self._libraries.values():
            library.close()

    @property
    def parts(self) -> Mapping[str, NoteLibrary]:
        """The libraries of the vaults by name, which is the first part of the paths of results."""
        return self._libraries

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
        """Find sections in all vaults, in one ranking; arguments are as for ``NoteLibrary.search``.

        Results carry the name of their vault, and ``path:work/trips`` searches the folder "trips"
        of the vault "work" only. ``early`` is called only for a search in one vault.

        Raises:
            SearchCancelledError: ``cancelled()`` returned True.
            NotesearchError: No vault can answer; this is the error of the first one.
        """
        query = parse(text)
        name, inside = split_vault(within, self._libraries)

        def emit(found: SearchResult) -> None:
            if early is not None:
                early(joint_result({name: _with_vault(name, found)}, limit=limit, newest=newest))

        def of_vault(vault: str) -> SearchResult:
            found = self._libraries[vault].search(
                as_read_by(vault, query, self._libraries),
                limit=limit,
                per_note=per_note,
                mode=mode,
                within=inside,
                newest=newest,
                cancelled=cancelled,
                early=emit if early is not None and name else None,
                view=view,
            )
            return _with_vault(vault, found)

        asked = [name] if name else self._libraries
        found = joint_result(*answers_of(asked, of_vault), limit=limit, newest=newest)
        return replace(found, query=text)

    def sharpen(
        self, result: SearchResult, *, cancelled: Callable[[], bool] | None = None
    ) -> SearchResult:
        """Return ``result`` with better snippets, as ``NoteLibrary.sharpen`` does."""
        error = IndexFileError("index_missing", vault="")
        for library in self._libraries.values():  # they share the model
            try:
                return library.sharpen(result, cancelled=cancelled)
            except IndexFileError as problem:
                error = problem
        raise error

    def by_likeness(
        self,
        result: SearchResult,
        liked: Sequence[tuple[str, int]],
        unliked: Sequence[tuple[str, int]] = (),
    ) -> SearchResult:
        """Return ``result`` sorted by likeness, as ``NoteLibrary.by_likeness`` does."""
        from notesearch.search.reranking import by_likeness

        places = [*((one.path, one.line) for one in result.sections), *liked, *unliked]
        own = self._by_vault(places, lambda place: place[0])
        found, _ = answers_of(
            own,
            lambda name: self._libraries[name].vectors_at(
                (split_vault(path, (name,))[1], line) for path, line in own[name]
            ),
        )
        vectors = {
            (f"{name}/{path}", line): rows
            for name, answer in found.items()
            for (path, line), rows in answer.items()
        }
        widths = Counter(rows.shape[1] for rows in vectors.values())
        usual = max(widths, key=widths.__getitem__, default=0)  # one may have an older model
        alike = {place: rows for place, rows in vectors.items() if rows.shape[1] == usual}
        return by_likeness(alike, result, liked, unliked)

    def related(
        self, path: str, section: str | None = None, *, limit: int = 10
    ) -> tuple[SectionResult, ...]:
        """Find sections of all vaults with a similar meaning, as ``NoteLibrary.related`` does.

        Raises:
            NoteMissingError: There is no such note.
            SectionMissingError: There is no such section.
            ModelError: No section of its vault has a vector yet, or meaning is off.
        """
        vault, inside = split_vault(path, self._libraries)
        if not vault:
            raise NoteMissingError("note_name_unknown", name=path)
        own = self._libraries[vault]
        found = {vault: own.related(inside, section, limit=limit)}
        model, vectors = own.vectors_of(inside, section)
        others = [name for name in self._libraries if name != vault]
        with contextlib.suppress(NotesearchError):  # none of the others can answer
            found |= answers_of(
                others, lambda name: self._libraries[name].near(vectors, model, limit=limit)
            )[0]
        sections = [_with_name(name, one) for name in found for one in found[name]]
        return tuple(sorted(sections, key=lambda one: -one.score)[:limit])

    def facets(self, sections: Sequence[SectionResult]) -> tuple[tuple[Facet, ...], ...]:
        """Return filters that narrow these results, as ``NoteLibrary.facets`` does."""
        from notesearch.search.filters import facets

        own = self._by_vault(sections, lambda section: section.path)
        found, _ = answers_of(
            own,
            lambda name: self._libraries[name].labels(
                [_without_vault(name, one) for one in own[name]]
            ),
        )
        return facets(
            [row._replace(path=f"{name}/{row.path}") for name in found for row in found[name]]
        )

    def complete_filter(self, typed: str, limit: int = 12) -> tuple[FilterChoice, ...]:
        """Return filters that begin with ``typed``, with the notes of all vaults together."""
        found, _ = answers_of(
            self._libraries, lambda name: self._libraries[name].complete_filter(typed, limit)
        )
        counts, places = Counter[str](), dict[str, int]()
        for answer in found.values():
            for place, choice in enumerate(answer):
                counts[choice.filter] += choice.count
                places[choice.filter] = min(place, places.get(choice.filter, place))
        best = sorted(places, key=lambda one: (places[one], -counts[one]))
        choices = *self._vault_filters(typed), *(FilterChoice(one, counts[one]) for one in best)
        return choices[:limit]

    def _vault_filters(self, typed: str) -> Iterator[FilterChoice]:
        """Yield the filters by vault that begin with ``typed``."""
        sign, name, value = typed.rpartition("path:")
        if name and sign in {"", "-"}:
            begun = value.strip('"').lstrip("/").casefold()
            for vault in self._libraries:
                if vault.casefold().startswith(begun):
                    quote = '"' if " " in vault else ""
                    yield FilterChoice(f"{sign}path:{quote}/{vault}/{quote}", 0)

    def why_absent(self, text: str, note: str, *, within: str = "") -> tuple[Sentence, ...]:
        """Return the rank of a note among those of all vaults, or why it is not among the results.

        Arguments and errors are as for ``NoteLibrary.why_absent``.
        """
        from notesearch.search.unmatched import absence

        calls = {name: library.note_path for name, library in self._libraries.items()}
        name, inside = split_vault(within, self._libraries)
        try:
            vault, address = vault_holding(note, calls)
        except NoteMissingError:  # the vault may know the file nevertheless
            vault, address = name or next(iter(self._libraries)), note
        if name and vault != name:
            return (Sentence("absence_outside", folder=within.rstrip("/")),)
        path, reason = self._libraries[vault].why_unsearched(address, within=inside)
        return (reason,) if reason else absence(self.search, text, f"{vault}/{path}", within)

    def status(self) -> Status:
        """Return the state of all indexes together; IndexFileError if there is none."""
        found, _ = answers_of(self._libraries, lambda name: self._libraries[name].status())
        return _total(found, complete=len(found) == len(self._libraries))

    def watch(self, listener: "Listener", *, paused: bool = False) -> "JoinedWatch":
        """Index changes in all vaults until closed, each in a thread."""
        return JoinedWatch(self._libraries, listener, paused=paused)

    def _by_vault(
        self, items: Iterable[_Item], path: Callable[[_Item], str]
    ) -> dict[str, list[_Item]]:
        """Return ``items`` by the names of their vaults; ``path`` returns the path of one."""
        own: dict[str, list[_Item]] = {}
        for item in items:
            name, _ = split_vault(path(item), self._libraries)
            if name:
                own.setdefault(name, []).append(item)
        return own


def _with_vault(vault: str, result: SearchResult) -> SearchResult:
    """Return ``result`` with ``vault`` before each path."""
    section = partial(_with_name, vault)

    def note(one: NoteResult) -> NoteResult:
        own = tuple(map(section, one.sections))
        return replace(one, path=f"{vault}/{one.path}", sections=own)

    return replace(
        result,
        sections=tuple(map(section, result.sections)),
        notes=tuple(map(note, result.notes)),
    )


def _with_name(vault: str, one: SectionResult) -> SectionResult:
    return replace(one, path=f"{vault}/{one.path}")


def _without_vault(vault: str, section: SectionResult) -> SectionResult:
    """Return ``section`` with the path that it has in ``vault``."""
    return replace(section, path=split_vault(section.path, (vault,))[1])


def _total(found: Mapping[str, Status], *, complete: bool) -> Status:
    """Return the states of several indexes as one.

    Without ``complete`` some vaults have no index yet, so that not all have been scanned.
    """
    each = tuple(found.values())
    first = next((one for one in each if one.meaning_problem), each[0])
    words = sum(one.words for one in each) or 1
    shares = defaultdict[str, float](float)
    for one in each:
        for language in one.languages:
            shares[language.language] += language.share * one.words / words
    return replace(
        first,
        vault=", ".join(one.vault for one in each),
        vault_missing=all(one.vault_missing for one in each),
        notes=sum(one.notes for one in each),
        sections=sum(one.sections for one in each),
        passages=sum(one.passages for one in each),
        words=sum(one.words for one in each),
        pending=sum(one.pending for one in each),
        unread=tuple(
            replace(note, path=f"{name}/{note.path}")
            for name, one in found.items()
            for note in one.unread
        ),
        index_bytes=sum(one.index_bytes for one in each),
        note_bytes=sum(one.note_bytes for one in each),
        meaning=any(one.meaning for one in each),
        last_scan=min(one.last_scan for one in each) if complete else 0.0,
        rebuilt=next((one.rebuilt for one in each if one.rebuilt), NO_SENTENCE),
        former_model=next((one.former_model for one in each if one.former_model), ""),
        folders=(),
        languages=tuple(
            LanguageShare(name, share)
            for name, share in sorted(shares.items(), key=lambda one: -one[1])
        ),
    )


class JoinedWatch:
    """Follows several vaults, and reports to one listener as if they were one.

    The vaults call the listener from their own threads, one at a time. A listener takes a change
    for the end of a failure, so the failures of the other vaults are reported again after it.
    """

    def __init__(
        self, libraries: Mapping[str, NoteLibrary], listener: "Listener", *, paused: bool
    ) -> None:
        self._listener = listener
        self._lock = threading.Lock()
        self._progress = dict.fromkeys(libraries, Progress(Phase.SCAN))
        self._failures: dict[str, NotesearchError] = {}
        self._watches = [
            library.watch(_VaultListener(self, name), paused=paused)
            for name, library in libraries.items()
        ]

    def refresh_now(self) -> None:
        """Compare all folders soon, and report failures again."""
        for watch in self._watches:
            watch.refresh_now()

    def start_over(self, error: IndexDamagedError) -> None:
        """Rebuild all indexes."""
        for watch in self._watches:
            watch.start_over(error)

    def stand_back(self) -> None:
        """Leave the processor to a request for a moment."""
        for watch in self._watches:
            watch.stand_back()

    def pause(self) -> None:
        """Stop after the current notes, and let other processes index."""
        for watch in self._watches:
            watch.pause()

    def resume(self) -> None:
        """Continue, with a comparison of all folders."""
        for watch in self._watches:
            watch.resume()

    def close(self) -> None:
        """Stop after the current notes and wait for the threads."""
        for watch in self._watches:
            watch.close()

    def progressed(self, vault: str, progress: Progress) -> None:
        """Report how far all vaults together are."""
        with self._lock:
            self._progress[vault] = progress
            self._listener.progressed(joint_progress(self._progress.values()))

    def updated(self, vault: str, report: Report) -> None:
        """Report that the index of ``vault`` changed, and which others still fail."""
        with self._lock:
            self._failures.pop(vault, None)
            self._listener.updated(report)
            for error in self._failures.values():
                self._listener.failed(error)

    def failed(self, vault: str, error: NotesearchError) -> None:
        """Report that ``vault`` failed. A damaged index is no failure: it is being rebuilt."""
        with self._lock:
            if isinstance(error, IndexDamagedError):
                self._listener.failed(error)
                return
            outdated = NotesearchError("vault_outdated", vault=vault, reason=error.sentence)
            self._failures[vault] = outdated
            self._progress[vault] = Progress(Phase.IDLE)
            self._listener.failed(outdated)
            self._listener.progressed(joint_progress(self._progress.values()))


class _VaultListener:
    """Listens to one vault of a ``JoinedWatch``."""

    def __init__(self, whole: JoinedWatch, vault: str) -> None:
        self._whole = whole
        self._vault = vault

    def progressed(self, progress: Progress) -> None:
        self._whole.progressed(self._vault, progress)

    def updated(self, report: Report) -> None:
        self._whole.updated(self._vault, report)

    def failed(self, error: NotesearchError) -> None:
        self._whole.failed(self._vault, error)


def joint_progress(parts: Iterable[Progress]) -> Progress:
    """Return the progress of several indexers as one: the sum of those in the earliest phase."""
    parts = tuple(parts)
    for phase in (Phase.WORDS, Phase.MEANING, Phase.SCAN):
        same = [one for one in parts if one.phase is phase]
        if same:
            return Progress(phase, sum(one.done for one in same), sum(one.total for one in same))
    return Progress(Phase.IDLE)
