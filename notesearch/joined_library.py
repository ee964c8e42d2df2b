"""JoinedLibrary: several vaults as one library for windows, with the vault's name in each path."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from notesearch.config import Paths, Settings
from notesearch.embedding.model_loader import ModelLoader
from notesearch.errors import IndexDamagedError, NoteMissingError, NotesearchError
from notesearch.libraries import NoteLibraries
from notesearch.library import NoteLibrary, SearchOptions
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.note_addresses import split_vault
from notesearch.results import FilterChoice, SearchResult, SectionResult
from notesearch.search.filters import joint_choices, quoted_value
from notesearch.search.query import as_read_by, parse
from notesearch.status import LanguageShare, Phase, Progress, Report, Status

if TYPE_CHECKING:
    from notesearch.index.live_index import Listener
    from notesearch.search.absence import Sought
    from notesearch.search.reranking import Reranking


class JoinedLibrary:
    """Several vaults, with the methods of ``NoteLibrary`` that a window calls.

    Each path begins with the name of its vault: ``work/trips/osaka.md``. For a single note, the
    window calls the library of its vault, which is in ``parts``.
    """

    def __init__(self, libraries: Mapping[str, NoteLibrary]) -> None:
        """Join open libraries, given by name. ``close`` closes them."""
        self.parts: Mapping[str, NoteLibrary] = dict(libraries)
        """The library of each vault by name; the paths of its results begin with the name."""
        self._vaults = NoteLibraries(libraries)
        first = next(iter(self._vaults))
        self.settings: Settings = first.settings
        self.reranking: Reranking = first.reranking

    @classmethod
    def open(cls, folders: Mapping[str, Path], *, home: Paths, settings: Settings) -> Self:
        """Return a library of the vaults in ``folders``, by name, which share one model."""
        model = ModelLoader.of(settings, home)
        return cls(
            {
                name: NoteLibrary.open(folder, home=home, settings=settings, model=model)
                for name, folder in folders.items()
            }
        )

    def close(self) -> None:
        """Close all libraries; no other thread may use them any more."""
        self._vaults.close()

    def search(self, text: str, **options: Unpack[SearchOptions]) -> SearchResult:
        """Find sections as ``NoteLibraries.search`` does; paths in filters begin with a vault."""
        query = parse(text)
        name, options["within"] = split_vault(options.get("within", ""), self.parts)
        queries = {
            vault: as_read_by(vault, query, self.parts, are_folders=True)
            for vault in ([name] if name else self.parts)
        }
        early = options.get("early")
        if early:
            options["early"] = lambda result: early(_with_vaults(result, text))
        return _with_vaults(self._vaults.search(queries, **options), text)

    def sharpen(
        self, result: SearchResult, *, cancelled: Callable[[], bool] | None = None
    ) -> SearchResult:
        """Return ``result`` with better snippets, as ``NoteLibrary.sharpen`` does."""
        return self._vaults.sharpen(result, cancelled=cancelled)

    def by_likeness(
        self,
        result: SearchResult,
        liked: Sequence[tuple[str, int]],
        unliked: Sequence[tuple[str, int]] = (),
    ) -> SearchResult:
        """Return ``result`` sorted by likeness, as ``NoteLibrary.by_likeness`` does."""
        from notesearch.search.likeness import by_likeness

        places = ((section.path, section.line) for section in result.sections)
        own = self._by_vault([*places, *liked, *unliked])
        answers, _ = self._vaults.answers(lambda name, library: library.vectors_at(own[name]), own)
        of_models = Counter[str]()
        for model, vectors in answers.values():
            of_models[model] += len(vectors)
        usual = max(of_models, key=of_models.__getitem__, default="")
        comparable = {  # a vault may still have the vectors of an earlier model
            (f"{name}/{path}", line): rows
            for name, (model, vectors) in answers.items()
            for (path, line), rows in vectors.items()
            if model == usual
        }
        return by_likeness(comparable, result, liked, unliked)

    def related(
        self, path: str, section: str | None = None, *, limit: int = 10
    ) -> tuple[SectionResult, ...]:
        """Find sections of all vaults with a similar meaning, as ``NoteLibrary.related`` does.

        Raises:
            NoteMissingError: There is no such note.
        """
        vault, inside = split_vault(path, self.parts)
        if not vault:
            raise NoteMissingError("note_name_unknown", name=path)
        found = self._vaults.related(vault, inside, section, limit=limit)
        return tuple(replace(_with_vault(one), vault="") for one in found)

    def facets(self, sections: Sequence[SectionResult]) -> tuple[tuple[FilterChoice, ...], ...]:
        """Return filters that narrow these results, as ``NoteLibrary.facets`` does."""
        from notesearch.search.filters import facets

        own = self._by_vault((section.path, section.line) for section in sections)
        labels, _ = self._vaults.answers(lambda name, library: library.labels(own[name]), own)
        return facets(
            [row._replace(path=f"{name}/{row.path}") for name in labels for row in labels[name]]
        )

    def complete_filter(self, typed: str, limit: int = 12) -> tuple[FilterChoice, ...]:
        """Return filters that begin with ``typed``, with the number of notes in all vaults."""
        answers, _ = self._vaults.answers(lambda _, library: library.complete_filter(typed, limit))
        return (*self._vault_filters(typed), *joint_choices(answers.values()))[:limit]

    def _vault_filters(self, typed: str) -> Iterator[FilterChoice]:
        sign, name, value = typed.rpartition("path:")
        if name and sign in {"", "-"}:
            begun = value.strip('"').lstrip("/").casefold()
            for vault in self.parts:
                if vault.casefold().startswith(begun):
                    yield FilterChoice(f"{sign}path:{quoted_value(f'/{vault}/')}", 0)

    def why_absent(self, text: str, note: str, *, within: str = "") -> tuple[Sentence, ...]:
        """Return sentences on the rank of a note or section in all vaults, or why it has none."""
        from notesearch.search.absence import absence

        name, inside = split_vault(within, self.parts)
        try:
            vault, address = self._vaults.find_vault(note)
            addresses = {vault: address}
        except NoteMissingError:  # a vault may know the file or a heading nevertheless
            addresses = dict.fromkeys(self.parts, note)
        if name:
            addresses = {vault: address for vault, address in addresses.items() if vault == name}
        missed: list[Sought] = []
        problems: list[Sentence] = []
        for vault, address in addresses.items():
            try:
                sections = self.parts[vault].sought_sections(address, within=inside)
            except NotesearchError as error:
                problems.append(error.sentence)
            else:
                missed += (replace(section, path=f"{vault}/{section.path}") for section in sections)
        if missed:
            return absence(self.search, text, missed, within)
        outside = Sentence("absence_outside", folder=within.rstrip("/"))
        return (min(problems, key=_vagueness, default=outside),)

    def status(self) -> Status:
        """Return the states of all indexes as one; raises as ``NoteLibrary.status`` does."""
        statuses, unanswered = self._vaults.answers(lambda _, library: library.status())
        return _total(statuses, complete=not unanswered)

    def watch(self, listener: "Listener", *, paused: bool = False) -> "JoinedWatch":
        """Index changes in all vaults, each in a thread of its own, until the result is closed."""
        return JoinedWatch(self.parts, listener, paused=paused)

    def _by_vault(self, places: Iterable[tuple[str, int]]) -> dict[str, list[tuple[str, int]]]:
        own: dict[str, list[tuple[str, int]]] = {}
        for path, line in places:
            name, inside = split_vault(path, self.parts)
            if name:
                own.setdefault(name, []).append((inside, line))
        return own


def _with_vaults(result: SearchResult, query: str) -> SearchResult:
    result = result.with_sections(map(_with_vault, result.sections))
    notes = (replace(note, path=f"{note.vault}/{note.path}") for note in result.notes)
    return replace(result, query=query, notes=tuple(notes))


def _with_vault(section: SectionResult) -> SectionResult:
    return replace(section, path=f"{section.vault}/{section.path}")


def _total(statuses: Mapping[str, Status], *, complete: bool) -> Status:
    """Return the states of several indexes as one; ``complete`` says that each vault has one."""
    each = tuple(statuses.values())
    first = next((status for status in each if status.meaning_problem), each[0])
    counts = {name: sum(getattr(status, name) for status in each) for name in _COUNTS}
    shares = defaultdict[str, float](float)
    for status in each:
        for language in status.languages:
            shares[language.language] += language.share * status.words / (counts["words"] or 1)
    return replace(
        first,
        **counts,
        vault=", ".join(status.vault for status in each),
        vault_missing=all(status.vault_missing for status in each),
        unread=tuple(
            replace(note, path=f"{name}/{note.path}")
            for name, status in statuses.items()
            for note in status.unread
        ),
        meaning=any(status.meaning for status in each),
        last_scan=min(status.last_scan for status in each) if complete else 0.0,
        rebuilt=next((status.rebuilt for status in each if status.rebuilt), NO_SENTENCE),
        former_model=next((status.former_model for status in each if status.former_model), ""),
        folders=(),
        languages=tuple(
            LanguageShare(name, share)
            for name, share in sorted(shares.items(), key=lambda pair: -pair[1])
        ),
    )


_COUNTS = ("notes", "sections", "passages", "words", "pending", "index_bytes", "note_bytes")


class JoinedWatch:
    """Watches several vaults, and reports to one listener as if they were one vault.

    For a listener, a change means that the failure has ended. So after a change in one vault, the
    failures of other vaults are reported again.
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
        """Compare all folders with their indexes soon, and report failures again."""
        for watch in self._watches:
            watch.refresh_now()

    def rebuild(self) -> None:
        """Delete all indexes and build them again, as the user asked."""
        for watch in self._watches:
            watch.rebuild()

    def pause_briefly(self) -> None:
        """Stop indexing for a moment, so that a request has the processor."""
        for watch in self._watches:
            watch.pause_briefly()

    def pause(self) -> None:
        """Stop indexing after the current notes; other processes may index."""
        for watch in self._watches:
            watch.pause()

    def resume(self) -> None:
        """Continue after ``pause``, with a comparison of all folders."""
        for watch in self._watches:
            watch.resume()

    def close(self) -> None:
        """Stop after the current notes and wait for the threads."""
        for watch in self._watches:
            watch.close()

    def progressed(self, vault: str, progress: Progress) -> None:
        """Report the progress of all vaults together."""
        with self._lock:
            self._progress[vault] = progress
            self._listener.progressed(joint_progress(self._progress.values()))

    def updated(self, vault: str, report: Report) -> None:
        """Report an update of ``vault``, and again the errors of vaults that are not up to date."""
        with self._lock:
            self._failures.pop(vault, None)
            self._listener.updated(report)
            for error in self._failures.values():
                self._listener.failed(error)

    def failed(self, vault: str, error: NotesearchError) -> None:
        """Report the failure of ``vault``, and report it again after changes in other vaults.

        A damaged index is reported only once, because it is being rebuilt.
        """
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
    """Passes the reports on one vault on to a ``JoinedWatch``."""

    def __init__(self, whole: JoinedWatch, vault: str) -> None:
        self._whole = whole
        self._vault = vault

    def progressed(self, progress: Progress) -> None:
        self._whole.progressed(self._vault, progress)

    def updated(self, report: Report) -> None:
        self._whole.updated(self._vault, _report_of(self._vault, report))

    def failed(self, error: NotesearchError) -> None:
        self._whole.failed(self._vault, error)


def _report_of(vault: str, report: Report) -> Report:
    def named(paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{vault}/{path}" for path in paths)

    return replace(
        report,
        added=named(report.added),
        changed=named(report.changed),
        moved=named(report.moved),
        moved_from=named(report.moved_from),
        removed=named(report.removed),
        unread=tuple(replace(note, path=f"{vault}/{note.path}") for note in report.unread),
    )


def _vagueness(problem: Sentence) -> int:
    """Return how vague a sentence about a missing note is: 0 is the most specific."""
    return {"absence_unknown_near": 1, "absence_unknown": 2}.get(problem.code, 0)


def joint_progress(parts: Iterable[Progress]) -> Progress:
    """Return the progress of several indexers as one: of those that are in the earliest phase."""
    parts = tuple(parts)
    for phase in (Phase.WORDS, Phase.MEANING, Phase.SCAN):
        same = [part for part in parts if part.phase is phase]
        if same:
            return Progress(phase, sum(part.done for part in same), sum(p.total for p in same))
    return Progress(Phase.IDLE)
