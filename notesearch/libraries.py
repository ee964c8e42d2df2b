"""NoteLibraries: asks several vaults, and joins their answers into one answer."""

import contextlib
import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, Unpack

from notesearch.config import Paths, Settings, vault_names
from notesearch.embedding.model_loader import ModelLoader
from notesearch.errors import (
    IndexFileError,
    ModelError,
    NotesearchError,
    SearchCancelledError,
    VaultNameError,
)
from notesearch.library import DEFAULT_LIMIT, AnyQuery, NoteLibrary, SearchOptions
from notesearch.note_addresses import known_vault, naming_vault, vault_holding, within_vaults
from notesearch.results import (
    Found,
    Mode,
    NoteResult,
    PassageResult,
    PassagesFound,
    Respelling,
    SearchResult,
    SectionResult,
    SectionText,
    Unanswered,
    Unmet,
)
from notesearch.search.filters import same_names
from notesearch.search.query import as_read_by, parse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder

_Answer = TypeVar("_Answer")
_Ranked = TypeVar("_Ranked", SectionResult, NoteResult, PassageResult)

Queries = str | Mapping[str, AnyQuery]
"""A query for all vaults; or the query for each vault to search, by the vault's name."""


class Ask(Protocol):
    """A way to ask a library a question, such as one that makes a missing index first."""

    def __call__(self, library: NoteLibrary, question: Callable[[], _Answer], /) -> _Answer:
        """Return the answer to ``question``, which asks ``library``."""
        ...


def _ask_at_once(_library: NoteLibrary, question: Callable[[], _Answer]) -> _Answer:
    """Return the answer to ``question``."""
    return question()


class NoteLibraries:
    """One or several vaults, each with a name of its own; thread-safe.

    Each result has the name of its vault in a field, and a path relative to that vault.
    """

    def __init__(self, libraries: Mapping[str, NoteLibrary], ask: Ask = _ask_at_once) -> None:
        """Join open libraries, given by name. ``ask`` asks each of them; ``close`` closes them."""
        self._libraries = dict(libraries)
        self._ask = ask

    @classmethod
    def open(
        cls,
        vaults: Iterable[Path | str] = (),
        *,
        home: Path | str | Paths | None = None,
        settings: Settings | None = None,
        embedder: "Embedder | None" = None,
        model: ModelLoader | None = None,
        ask: Ask = _ask_at_once,
    ) -> Self:
        """Open vaults, by default all in the settings, which share one loaded model.

        Arguments are as for ``NoteLibrary.open``, which raises errors, too.

        Raises:
            VaultNameError: No vault is given, and none is in the settings.
        """
        paths = home if isinstance(home, Paths) else Paths.choose(home)
        settings = settings or Settings.load(paths)
        chosen = list(vaults) or [listed.path for listed in settings.listed]
        if not chosen:
            raise VaultNameError("vaults_unlisted")
        opened: dict[Path, NoteLibrary] = {}
        model = model or ModelLoader.of(settings, paths, embedder)
        for vault in chosen:
            library = NoteLibrary.open(vault, home=paths, settings=settings, model=model)
            opened.setdefault(library.vault, library)
        names = vault_names(opened, settings)
        return cls({names[folder]: library for folder, library in opened.items()}, ask)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all libraries; no other thread may use them any more."""
        for library in self._libraries.values():
            library.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the vaults."""
        return tuple(self._libraries)

    def __iter__(self) -> Iterator[NoteLibrary]:
        return iter(self._libraries.values())

    def __getitem__(self, name: str) -> NoteLibrary:
        """Return the library of the vault called ``name``; raises VaultNameError."""
        return self._libraries[known_vault(name, self._libraries)]

    def answers(
        self, question: Callable[[str, NoteLibrary], _Answer], names: Iterable[str] | None = None
    ) -> tuple[dict[str, _Answer], tuple[Unanswered, ...]]:
        """Ask ``question`` of all vaults, or of those called ``names``, as ``answers_of``."""

        def answer(name: str) -> _Answer:
            library = self._libraries[name]
            return self._ask(library, lambda: question(name, library))

        return answers_of(self._libraries if names is None else names, answer)

    def search(self, text: Queries, **options: Unpack[SearchOptions]) -> SearchResult:
        """Find sections in all vaults, in one ranking; options are as for ``NoteLibrary.search``.

        ``early`` is called only if one vault is searched. ``unanswered`` of the result has the
        vaults that cannot answer.

        Raises:
            SearchCancelledError: ``cancelled()`` returned True.
            NotesearchError: No vault can answer; this is the error of the first vault.
        """
        queries = self._queries(text)
        needs_meaning = Mode(options.get("mode", Mode.HYBRID)) is Mode.MEANING
        limit = options.get("limit", DEFAULT_LIMIT)
        newest = options.get("newest", False)
        merge = partial(merged_result, limit=limit, newest=newest)
        early = options.pop("early", None)
        if early is not None and len(queries) == 1:
            (only,) = queries
            options["early"] = lambda result: early(merge({only: result}))

        def search_in(name: str, library: NoteLibrary) -> SearchResult:
            result = library.search(queries[name], **options)
            if needs_meaning:
                _check_meaning(library, result)
            return result

        return merge(*self.answers(search_in, queries))

    def passages(self, text: Queries, *, limit: int = 10, per_note: int = 2) -> PassagesFound:
        """Find passages in all vaults, as ``NoteLibrary.passages`` does; raises as ``search``."""
        queries = self._queries(text)

        def passages_in(name: str, library: NoteLibrary) -> PassagesFound:
            found = library.passages(queries[name], limit=limit, per_note=per_note)
            _check_meaning(library, found)
            return found

        return _merged_passages(*self.answers(passages_in, queries), limit=limit)

    def related(
        self,
        vault: str,
        path: str,
        section: str | None = None,
        *,
        limit: int = 10,
        other_notes_only: bool = True,
        vaults: Iterable[str] | None = None,
    ) -> tuple[SectionResult, ...]:
        """Find sections similar in meaning to a note, or a section, of ``vault``.

        They are in all vaults, or only in ``vaults``. Vaults that cannot answer, or have another
        model, are left out. Raises as ``NoteLibrary.related``.
        """
        own = self._libraries[vault]
        others = [name for name in vaults or self._libraries if name != vault]

        def find() -> tuple[tuple[SectionResult, ...], "tuple[str, NDArray[np.float32]] | None"]:
            sections = own.related(path, section, limit=limit, other_notes_only=other_notes_only)
            return sections, own.vectors_of(path, section) if others else None

        with naming_vault(vault, self._libraries):
            sections, of_model = self._ask(own, find)
        found = {vault: sections}
        if of_model:
            model, vectors = of_model
            with contextlib.suppress(NotesearchError):  # no other vault can answer
                near, _ = self.answers(
                    lambda _, library: library.near(vectors, model, limit=limit), others
                )
                found |= near
        return tuple(_in_order(found, lambda section: section.score)[:limit])

    def _queries(self, text: Queries) -> Mapping[str, AnyQuery]:
        if not isinstance(text, str):
            return text
        if len(self._libraries) == 1:
            return dict.fromkeys(self._libraries, text)
        return {name: query_in(name, text, self._libraries) for name in self._libraries}

    def sharpen(
        self, result: SearchResult, *, cancelled: Callable[[], bool] | None = None
    ) -> SearchResult:
        """Return ``result`` with better snippets, as ``NoteLibrary.sharpen`` does.

        The first vault with an index does it for the results of all: they share one model.
        """
        error = IndexFileError("index_missing", vault="")
        for library in self._libraries.values():
            try:
                return library.sharpen(result, cancelled=cancelled)
            except IndexFileError as problem:
                error = problem
        raise error

    def find_vault(self, address: str, vaults: Iterable[str] | None = None) -> tuple[str, str]:
        """Return the name of the vault that has the note, and the note's address in it.

        If only one vault is asked, and ``address`` does not begin with its name, the note need not
        exist. Raises as ``vault_holding``.
        """
        names = [*(self._libraries if vaults is None else vaults)]
        if len(names) == 1 and not any(within_vaults(address, names)):
            return names[0], address
        return vault_holding(address, {name: partial(self._note_path, name) for name in names})

    def _note_path(self, vault: str, address: str) -> str:
        library = self._libraries[vault]
        return self._ask(library, lambda: library.note_path(address))

    def read(self, address: str, section: str | None = None) -> SectionText:
        """Read a note, or a section; ``address`` may begin with the name of a vault."""
        name, inside = self.find_vault(address)
        with naming_vault(name, self._libraries):
            return self._libraries[name].read(inside, section)


def _check_meaning(library: NoteLibrary, answer: SearchResult | PassagesFound) -> None:
    """Raise ModelError if search by meaning took no part in ``answer``, with the reason."""
    if not answer.meaning:
        raise ModelError(library.status().meaning_problem or "meaning_not_ready")


def answers_of(
    names: Iterable[str], question: Callable[[str], _Answer]
) -> tuple[dict[str, _Answer], tuple[Unanswered, ...]]:
    """Ask the vaults called ``names``; return answers by name, and the vaults that cannot answer.

    Raises:
        SearchCancelledError: The search was cancelled.
        NotesearchError: No vault can answer; this is the error of the first vault.
    """
    answers: dict[str, _Answer] = {}
    errors: dict[str, NotesearchError] = {}
    for name in names:
        try:
            answers[name] = question(name)
        except SearchCancelledError:
            raise
        except NotesearchError as error:
            errors[name] = error
    if errors and not answers:
        raise next(iter(errors.values()))
    return answers, tuple(Unanswered(name, error.sentence) for name, error in errors.items())


def query_in(vault: str, text: str, vaults: Iterable[str], filters: str = "") -> AnyQuery:
    """Return the query of ``text`` and ``filters`` for the index of ``vault``, one of ``vaults``.

    In ``text``, the value of a filter for paths may begin with the name of a vault (see
    ``as_read_by``).
    """
    query = as_read_by(vault, parse(text), vaults)
    more = parse(f"{filters} ")
    return replace(
        query, text=f"{more.text} {query.text}".strip(), required=(*more.required, *query.required)
    )


def merged_result(
    answers: Mapping[str, SearchResult],
    unanswered: Sequence[Unanswered] = (),
    *,
    limit: int,
    newest: bool = False,
) -> SearchResult:
    """Return the results of several vaults as one, best first.

    Sections whose name is the query stay in front. A vault without vectors gives lower scores than
    others, so percents are compared.
    """
    each = tuple(answers.values())
    dates = {(name, note.path): note.date for name in answers for note in answers[name].notes}
    by_date = newest or not any(section.signals for result in each for section in result.sections)
    sections = _in_order(
        {name: result.sections for name, result in answers.items()},
        lambda section: (
            (dates[section.vault, section.path], 0.0)
            if by_date
            else (section.percent, section.score)
        ),
    )[:limit]
    notes = _in_order(
        {name: result.notes for name, result in answers.items()},
        lambda note: note.date if by_date else _percent(note),
    )
    suggestions = [result.suggestion for result in each if result.suggestion]
    return replace(
        each[0],
        **_joined_fields(each, unanswered, is_found=bool(sections)),
        sections=tuple(sections),
        notes=tuple(_notes_with(notes, sections)),
        missing=tuple(
            word for word in each[0].missing if all(word in result.missing for result in each)
        ),
        spelling=_spelling(each),
        near_filters=_near_filters([result.near_filters for result in each]),
        suggestion=suggestions[0] if suggestions and not sections else "",
    )


def _percent(note: NoteResult) -> float:
    """Return the score of ``note`` in percent, on the scale of its best section; not rounded."""
    best = note.sections[0]
    return note.score * best.percent / best.score if best.score else 0.0


def _merged_passages(
    answers: Mapping[str, PassagesFound], unanswered: Sequence[Unanswered] = (), *, limit: int
) -> PassagesFound:
    """Return the passages that several vaults have found for one query as one result."""
    each = tuple(answers.values())
    passages = _in_order({name: answers[name].passages for name in answers}, lambda p: p.score)
    fields = _joined_fields(each, unanswered, is_found=bool(passages))
    return replace(each[0], **fields, passages=tuple(passages[:limit]))


def _joined_fields(
    each: Sequence[Found], unanswered: Iterable[Unanswered], *, is_found: bool
) -> dict[str, Any]:
    """Return the fields of ``Found`` for the answers of ``each`` vault together."""
    return {
        "took_ms": sum(found.took_ms for found in each),
        "total": sum(found.total for found in each),
        "meaning": all(found.meaning for found in each),
        "unmet": () if is_found else _unmet([found.unmet for found in each]),
        "unanswered": tuple(unanswered),
    }


def merged_tags(answers: Iterable[Iterable[tuple[str, int]]]) -> Sequence[tuple[str, int]]:
    """Return the tags of several vaults, each with its number of notes, the most used first."""
    counts = same_names(chain(*answers))
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _in_order(
    lists: Mapping[str, Sequence[_Ranked]], value: Callable[[_Ranked], Any]
) -> list[_Ranked]:
    """Return the lists by vault as one, sorted by ``value``, the greatest first.

    The order within each list stays: each item counts at least as much as the items after it.
    """
    valued = []
    for name, items in lists.items():
        own: list[_Ranked] = [replace(item, vault=name) for item in items]
        values = [*accumulate(map(value, reversed(own)), max)]
        valued.append(zip(reversed(values), own, strict=True))
    return [item for _, item in heapq.merge(*valued, key=itemgetter(0), reverse=True)]


def _notes_with(
    notes: Iterable[NoteResult], sections: Sequence[SectionResult]
) -> Iterator[NoteResult]:
    """Yield the notes of ``sections``, each with only these; ``more`` counts its other sections."""
    shown = {section.place: section for section in sections}
    for note in notes:
        keys = [(note.vault, note.path, section.line) for section in note.sections]
        own = tuple(shown[key] for key in keys if key in shown)
        if own:
            more = note.more + len(note.sections) - len(own)
            yield replace(note, sections=own, more=more)


def _near_filters(lists: Sequence[Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    words = dict.fromkeys(chain.from_iterable(lists))
    return {word: _joined(near.get(word, ()) for near in lists) for word in words}


def _joined(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def _unmet(lists: Sequence[tuple[Unmet, ...]]) -> tuple[Unmet, ...]:
    """Return the filters and words that match nothing in any vault, with similar filters."""
    every = {unmet.filter: unmet for unmet in chain.from_iterable(lists)}
    return tuple(
        replace(unmet, near=_joined(near.near for near in chain(*lists) if near.filter == typed))
        for typed, unmet in every.items()
        if all(any(_parts(other) <= _parts(unmet) for other in each) for each in lists)
    )


def _parts(unmet: Unmet) -> set[str]:
    return set(unmet.together or (unmet.filter,))


def _spelling(answers: Sequence[SearchResult]) -> tuple[Respelling, ...]:
    """Return the corrections of all answers; ``also`` is true if a vault has the typed word."""
    corrections = {word.typed: word for answer in answers for word in answer.spelling}
    as_typed = {
        typed
        for typed in corrections
        for answer in answers
        if answer.sections
        and typed not in answer.missing
        and all(word.typed != typed for word in answer.spelling)
    }
    return tuple(
        replace(word, also=word.also or word.typed in as_typed) for word in corrections.values()
    )
