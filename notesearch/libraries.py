"""NoteLibraries: asks several vaults, and joins their answers into one answer."""

import contextlib
import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    NoteMissingError,
    NotesearchError,
    SearchCancelledError,
    VaultNameError,
)
from notesearch.library import DEFAULT_LIMIT, AnyQuery, NoteLibrary, SearchOptions
from notesearch.messages import Sentence
from notesearch.note_addresses import (
    known_vault,
    naming_vault,
    split_vault,
    vault_holding,
    within_vaults,
)
from notesearch.results import (
    FilterChoice,
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
from notesearch.search.filters import joint_choices, quoted_value, same_names
from notesearch.search.query import Query, as_read_by, parse
from notesearch.status import Status, total

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder
    from notesearch.search.reranking import Reranking
    from notesearch.search.unmet import Sought

Place = tuple[str, int]
"""The path of a note, and the line of a section."""

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

    Each result has the name of its vault in a field, and a path relative to that vault. In windows,
    the vaults are ``joined`` like folders: each path, also that of a filter, begins with the name
    of its vault: ``work/trips/osaka.md``.
    """

    def __init__(
        self,
        libraries: Mapping[str, NoteLibrary],
        ask: Ask = _ask_at_once,
        *,
        joined: bool = False,
    ) -> None:
        """Search open libraries, given by name; ``ask`` asks each of them."""
        self.parts: Mapping[str, NoteLibrary] = dict(libraries)
        """The library of each vault by name."""
        self._ask = ask
        self._joined = joined

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

    @classmethod
    def open_joined(cls, folders: Mapping[str, Path], *, home: Paths, settings: Settings) -> Self:
        """Open the vaults in ``folders``, given by name, as a window searches them."""
        model = ModelLoader.of(settings, home)
        return cls(
            {
                name: NoteLibrary.open(folder, home=home, settings=settings, model=model)
                for name, folder in folders.items()
            },
            joined=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all libraries; no other thread may use them any more."""
        for library in self.parts.values():
            library.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the vaults."""
        return tuple(self.parts)

    @property
    def settings(self) -> Settings:
        """The settings, which all vaults share."""
        return next(iter(self)).settings

    @property
    def reranking(self) -> "Reranking":
        """The reranker of the settings, which all vaults share."""
        return next(iter(self)).reranking

    def __iter__(self) -> Iterator[NoteLibrary]:
        return iter(self.parts.values())

    def __getitem__(self, name: str) -> NoteLibrary:
        """Return the library of the vault called ``name``; raises VaultNameError."""
        return self.parts[known_vault(name, self.parts)]

    def answer(self, name: str, question: Callable[[NoteLibrary], _Answer]) -> _Answer:
        """Ask ``question`` of the vault called ``name``; its errors name notes with their vault."""
        library = self[name]
        with naming_vault(name, self.parts):
            return self._ask(library, lambda: question(library))

    def answers(
        self, question: Callable[[str, NoteLibrary], _Answer], names: Iterable[str] | None = None
    ) -> tuple[dict[str, _Answer], tuple[Unanswered, ...]]:
        """Ask ``question`` of all vaults, or of those called ``names``, as ``answers_of``."""
        return answers_of(
            self.parts if names is None else names,
            lambda name: self.answer(name, lambda library: question(name, library)),
        )

    def search(self, text: Queries, **options: Unpack[SearchOptions]) -> SearchResult:
        """Find sections in all vaults, in one ranking; options are as for ``NoteLibrary.search``.

        ``early`` is called only if one vault is searched. ``unanswered`` of the result has the
        vaults that cannot answer.

        Raises:
            SearchCancelledError: ``cancelled()`` returned True.
            NotesearchError: No vault can answer; this is the error of the first vault.
        """
        within = ""
        if self._joined:
            within, options["within"] = split_vault(options.get("within", ""), self.parts)
        queries = self._queries(text, [within] if within else self.parts)
        needs_meaning = Mode(options.get("mode", Mode.HYBRID)) is Mode.MEANING
        limit = options.get("limit", DEFAULT_LIMIT)
        newest = options.get("newest", False)

        def joint(
            answers: Mapping[str, SearchResult], unanswered: Sequence[Unanswered] = ()
        ) -> SearchResult:
            result = merged_result(answers, unanswered, limit=limit, newest=newest)
            return _with_vaults(result, str(text)) if self._joined else result

        early = options.pop("early", None)
        if early is not None and len(queries) == 1:
            (only,) = queries
            options["early"] = lambda result: early(joint({only: result}))

        def search_in(name: str, library: NoteLibrary) -> SearchResult:
            result = library.search(queries[name], **options)
            if needs_meaning:
                _check_meaning(library, result)
            return result

        answers, unanswered = self.answers(search_in, queries)
        known = _known_words(map(_parsed, queries.values()), answers.values())
        if known:
            wrong = [name for name in answers if known & _respelt(answers[name])]
            as_typed = {name: replace(_parsed(queries[name]), known=known) for name in wrong}
            queries = {**queries, **as_typed}
            answers |= self.answers(search_in, wrong)[0]
        return joint(answers, unanswered)

    def passages(self, text: Queries, *, limit: int = 10, per_note: int = 2) -> PassagesFound:
        """Find passages in all vaults, as ``NoteLibrary.passages`` does; raises as ``search``."""
        queries = self._queries(text, self.parts)

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
        others = [name for name in vaults or self.parts if name != vault]

        own = self.answer(
            vault,
            lambda library: library.related(
                path, section, limit=limit, other_notes_only=other_notes_only
            ),
        )
        found = {vault: own}
        if others:
            model, vectors = self.answer(vault, lambda library: library.vectors_of(path, section))
            with contextlib.suppress(NotesearchError):  # no other vault can answer
                near, _ = self.answers(
                    lambda _, library: library.near(vectors, model, limit=limit), others
                )
                found |= near
        related = _in_order(found, lambda section: section.score)[:limit]
        return tuple(map(_with_vault, related) if self._joined else related)

    def _queries(self, text: Queries, names: Iterable[str]) -> Mapping[str, AnyQuery]:
        if not isinstance(text, str):
            return text
        if len(self.parts) == 1 and not self._joined:
            return dict.fromkeys(names, text)
        query = parse(text)
        return {
            name: as_read_by(name, query, self.parts, are_folders=self._joined) for name in names
        }

    def sharpen(
        self, result: SearchResult, *, cancelled: Callable[[], bool] | None = None
    ) -> SearchResult:
        """Return ``result`` with better snippets, as ``NoteLibrary.sharpen`` does.

        The first vault with an index does it for the results of all: they share one model.
        """
        error = IndexFileError("index_missing", vault="")
        for library in self.parts.values():
            try:
                return library.sharpen(result, cancelled=cancelled)
            except IndexFileError as problem:
                error = problem
        raise error

    def by_likeness(
        self,
        result: SearchResult,
        liked: Sequence[Place],
        unliked: Sequence[Place] = (),
    ) -> SearchResult:
        """Return ``result`` of joined vaults sorted as ``NoteLibrary.by_likeness`` does."""
        from notesearch.search.likeness import by_likeness

        places = [(section.path, section.line) for section in result.sections]
        own = self._by_vault([*liked, *unliked, *places])
        answers, _ = self.answers(lambda name, library: library.vectors_at(own[name]), own)
        models = [model for model, _ in answers.values()]  # first that of a liked section
        comparable = {  # a vault may still have the vectors of an earlier model
            (f"{name}/{path}", line): rows
            for name, (model, vectors) in answers.items()
            for (path, line), rows in vectors.items()
            if model == models[0]
        }
        return by_likeness(comparable, result, liked, unliked)

    def facets(self, sections: Sequence[SectionResult]) -> tuple[tuple[FilterChoice, ...], ...]:
        """Return filters that narrow these results of joined vaults, as ``NoteLibrary.facets``."""
        from notesearch.search.filters import facets

        own = self._by_vault((section.path, section.line) for section in sections)
        labels, _ = self.answers(lambda name, library: library.labels(own[name]), own)
        return facets(
            [row._replace(path=f"{name}/{row.path}") for name in labels for row in labels[name]]
        )

    def _by_vault(self, places: Iterable[Place]) -> dict[str, list[Place]]:
        own: dict[str, list[Place]] = {}
        for path, line in places:
            name, inside = split_vault(path, self.parts)
            if name:
                own.setdefault(name, []).append((inside, line))
        return own

    def complete_filter(self, typed: str, limit: int = 12) -> tuple[FilterChoice, ...]:
        """Return filters that begin with ``typed``, with the number of notes in all vaults."""
        answers, _ = self.answers(lambda _, library: library.complete_filter(typed, limit))
        return (*self._vault_filters(typed), *joint_choices(answers.values()))[:limit]

    def _vault_filters(self, typed: str) -> Iterator[FilterChoice]:
        sign, name, value = typed.rpartition("path:")
        if self._joined and name and sign in {"", "-"}:
            begun = value.strip('"').lstrip("/").casefold()
            for vault in self.parts:
                if vault.casefold().startswith(begun):
                    yield FilterChoice(f"{sign}path:{quoted_value(f'/{vault}/')}", 0)

    def why_absent(self, text: str, note: str, *, within: str = "") -> tuple[Sentence, ...]:
        """Return sentences on the rank of a note in joined vaults, or why it has none."""
        from notesearch.search.unmet import absence

        vault, inside = split_vault(within, self.parts)
        try:
            addresses = dict([self.find_vault(note)])
        except NoteMissingError:  # a vault may know the file or a heading nevertheless
            addresses = dict.fromkeys(self.parts, note)
        missed: list[Sought] = []
        problems: list[Sentence] = []
        for name, address in addresses.items():
            if vault not in {"", name}:
                continue
            try:
                sections = self.parts[name].sought_sections(address, within=inside)
            except NotesearchError as error:
                problems.append(error.sentence)
            else:
                missed += (replace(section, path=f"{name}/{section.path}") for section in sections)
        if missed:
            return absence(self.search, text, missed, within)
        outside = Sentence("absence_outside", folder=within.rstrip("/"))
        return (min(problems, key=_vagueness, default=outside),)

    def status(self) -> Status:
        """Return the states of all indexes as one; raises as ``NoteLibrary.status`` does."""
        statuses, unanswered = self.answers(lambda _, library: library.status())
        return total(statuses, complete=not unanswered)

    def find_vault(self, address: str, vaults: Iterable[str] | None = None) -> tuple[str, str]:
        """Return the name of the vault that has the note, and the note's address in it.

        If only one vault is asked, and ``address`` does not begin with its name, the note need not
        exist. Raises as ``vault_holding``.
        """
        names = [*(self.parts if vaults is None else vaults)]
        if len(names) == 1 and not any(within_vaults(address, names)):
            return names[0], address
        return vault_holding(address, {name: partial(self._note_path, name) for name in names})

    def _note_path(self, vault: str, address: str) -> str:
        library = self.parts[vault]
        return self._ask(library, lambda: library.note_path(address))

    def read(self, address: str, section: str | None = None) -> SectionText:
        """Read a note, or a section; ``address`` may begin with the name of a vault."""
        name, inside = self.find_vault(address)
        return self.answer(name, lambda library: library.read(inside, section))


def _with_vaults(result: SearchResult, query: str) -> SearchResult:
    result = result.with_sections(map(_with_vault, result.sections))
    notes = (replace(note, path=f"{note.vault}/{note.path}") for note in result.notes)
    return replace(result, query=query, notes=tuple(notes))


def _with_vault(section: SectionResult) -> SectionResult:
    return replace(section, path=f"{section.vault}/{section.path}")


def _vagueness(problem: Sentence) -> int:
    """Return how vague a sentence about a missing note is: 0 is the most specific."""
    return {"absence_unknown_near": 1, "absence_unknown": 2}.get(problem.code, 0)


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


def _respelt(answer: SearchResult) -> frozenset[str]:
    return frozenset(word.typed for word in answer.spelling)


def _known_words(queries: Iterable[Query], answers: Collection[SearchResult]) -> frozenset[str]:
    """Return the words that some of the ``answers`` corrected, and that another one found.

    Alternatives are left out: an answer does not say which of them it found.
    """
    groups = chain.from_iterable(query.groups for query in queries)
    required = {group[0].text for group in groups if len(group) == 1}
    return frozenset(
        typed
        for typed in required.intersection(chain.from_iterable(map(_respelt, answers)))
        for answer in answers
        if answer.sections and typed not in _respelt(answer)
        if not any(word in typed for word in answer.missing)  # "boat" of the typed "boat,"
    )


def _parsed(query: AnyQuery) -> Query:
    return parse(query) if isinstance(query, str) else query


def _spelling(answers: Iterable[SearchResult]) -> tuple[Respelling, ...]:
    """Return the corrections of all answers, each word once."""
    words = chain.from_iterable(answer.spelling for answer in answers)
    return tuple({word.typed: word for word in words}.values())
