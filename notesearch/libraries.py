"""NoteLibraries: several vaults, searched as one."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from heapq import merge
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

from notesearch.config import Paths, Settings, vault_names
from notesearch.errors import (
    NoteMissingError,
    NotesearchError,
    SearchCancelledError,
    VaultNameError,
)
from notesearch.library import NoteLibrary
from notesearch.results import (
    Mode,
    NoteResult,
    PassageResult,
    PassagesFound,
    Respelling,
    SearchResult,
    SectionResult,
    SectionText,
    Unanswered,
)

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder

_Answer = TypeVar("_Answer")
_Item = TypeVar("_Item")
_Ranked = TypeVar("_Ranked", SectionResult, NoteResult, PassageResult)


class NoteLibraries:
    """Several vaults, each with a name of its own. Several threads may use it."""

    def __init__(self, libraries: Mapping[str, NoteLibrary]) -> None:
        """Take open libraries, by the names that results carry. ``close`` closes them."""
        self._libraries = dict(libraries)

    @classmethod
    def open(
        cls,
        vaults: Iterable[Path | str] = (),
        *,
        home: Path | str | Paths | None = None,
        settings: Settings | None = None,
        embedder: "Embedder | None" = None,
    ) -> Self:
        """Open ``vaults``, folders or names in the settings; without any, all in the settings.

        They share one loaded model. ``home``, ``settings`` and ``embedder`` are as for
        ``NoteLibrary.open``.

        Raises:
            SettingsError: The settings file cannot be read.
            VaultNameError: There are none.
        """
        paths = home if isinstance(home, Paths) else Paths.choose(home)
        settings = settings or Settings.load(paths)
        chosen = list(vaults) or [one.path for one in settings.listed]
        if not chosen:
            raise VaultNameError("vaults_unlisted")
        opened: dict[Path, NoteLibrary] = {}
        for vault in chosen:
            first = next(iter(opened.values()), None)
            library = NoteLibrary.open(
                vault, home=paths, settings=settings, embedder=embedder, beside=first
            )
            opened.setdefault(library.vault, library)
        names = vault_names(opened, settings)
        return cls({names[folder]: library for folder, library in opened.items()})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all libraries."""
        for library in self._libraries.values():
            library.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the vaults."""
        return tuple(self._libraries)

    def __iter__(self) -> Iterator[NoteLibrary]:
        return iter(self._libraries.values())

    def __getitem__(self, name: str) -> NoteLibrary:
        """Return the library of the vault called ``name``, in any case.

        Raises:
            VaultNameError: No vault has this name; the sentence names similar ones.
        """
        return self._libraries[known_name(name, self._libraries)]

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        per_note: int = 2,
        mode: Mode | str = Mode.HYBRID,
        newest: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> SearchResult:
        """Find sections in all vaults, in one ranking; arguments are as for ``NoteLibrary.search``.

        Each result carries the name of its vault. A vault that cannot answer is among
        ``unanswered``.

        Raises:
            SearchCancelledError: ``cancelled()`` returned True.
            NotesearchError: No vault can answer; this is the error of the first one.
        """
        answers = answers_of(
            self._libraries,
            lambda name: self._libraries[name].search(
                text,
                limit=limit,
                per_note=per_note,
                mode=mode,
                newest=newest,
                cancelled=cancelled,
            ),
        )
        return merged(*answers, limit=limit, newest=newest)

    def sharpen(self, result: SearchResult) -> SearchResult:
        """Return ``result`` with better snippets, as ``NoteLibrary.sharpen`` does."""
        better: dict[tuple[str, str, int], SectionResult] = {}
        for name, library in self._libraries.items():
            own = tuple(one for one in result.sections if one.vault == name)
            part = library.sharpen(replace(result, sections=own, notes=()))
            better |= {_place(section): section for section in part.sections}
        sections = tuple(better[_place(one)] for one in result.sections)
        return replace(result, sections=sections, notes=tuple(_shown(result.notes, sections)))

    def place(self, address: str) -> tuple[str, str]:
        """Return the name of the vault that holds the note at ``address``, and its address there.

        Raises:
            NoteMissingError: No vault has this note, or several have.
        """
        calls = {name: library.note_path for name, library in self._libraries.items()}
        return vault_of(address, calls)

    def read(self, address: str, section: str | None = None) -> SectionText:
        """Read a note, or one full section, from whichever vault has it.

        ``address`` may begin with the name of a vault: ``work/japan.md``. Otherwise it is as for
        ``NoteLibrary.read``, which also tells the errors.
        """
        name, inside = self.place(address)
        return self._libraries[name].read(inside, section)


def known_name(name: str, names: Iterable[str]) -> str:
    """Return the one of ``names`` that is ``name`` in any case.

    Raises:
        VaultNameError: There is none; the sentence names similar ones.
    """
    known = {one.casefold(): one for one in names}
    wanted = name.strip().casefold()
    if wanted in known:
        return known[wanted]
    near = get_close_matches(wanted, known, n=3, cutoff=0.5) or list(known)
    raise VaultNameError("vault_name_unknown", name=name, near=tuple(known[one] for one in near))


def vault_of(address: str, paths: Mapping[str, Callable[[str], str]]) -> tuple[str, str]:
    """Return the name of the vault that holds the note at ``address``, and its address there.

    An address may begin with the name of a vault and a slash, as results are cited. Any other one
    is looked up in all vaults.

    Args:
        address: As ``NoteLibrary.read`` takes it.
        paths: For each vault, a function that returns the path of a note, or raises as
            ``NoteLibrary.note_path`` does.

    Raises:
        NoteMissingError: No vault has this note, or several have.
    """
    holding: dict[str, str] = {}
    problems: list[NoteMissingError] = []
    for name, inside in within_vaults(address, paths):
        try:
            paths[name](inside)
        except NoteMissingError as error:
            problems.append(error)
        else:
            return name, inside
    for name, path_of in paths.items():
        try:
            holding[name] = path_of(address)
        except NoteMissingError as error:
            problems.append(error)
    exact = [name for name, path in holding.items() if path == address]
    for found in (exact, list(holding)):
        if len(found) == 1:
            return found[0], address
    if holding:
        places = tuple(f"{name}/{path}" for name, path in holding.items())
        raise NoteMissingError("note_name_ambiguous", count=len(places), name=address, paths=places)
    told = {error.code: error for error in reversed(problems)}
    raise told.get("note_name_ambiguous") or told.get("note_name_unknown_near") or problems[0]


_LEAD = re.compile(r"\s*(?:note:///|!?\[\[|<)?/?")


def within_vaults(address: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each vault that ``address`` names, with the address inside of it.

    It does so at its beginning, or as links of Obsidian do.
    """
    start = _LEAD.match(address)
    at = start.end() if start else 0
    for name in names:
        for written in dict.fromkeys((name, quote(name))):
            begun = f"{written}/"
            if address[at : at + len(begun)].casefold() == begun.casefold():
                yield name, address[:at] + address[at + len(begun) :]
    if address.startswith("obsidian:") and "vault" in (given := parse_qs(urlsplit(address).query)):
        wanted = given["vault"][0].casefold()
        yield from ((name, address) for name in names if name.casefold() == wanted)


# One answer of several


def answers_of(
    names: Iterable[str], question: Callable[[str], _Answer]
) -> tuple[dict[str, _Answer], tuple[Unanswered, ...]]:
    """Return the answers to ``question`` by the names of vaults, and those that cannot answer.

    Raises:
        SearchCancelledError: Nobody waits for the answers any more.
        NotesearchError: No vault can answer; this is the error of the first one.
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


def merged(
    answers: Mapping[str, SearchResult],
    unanswered: Sequence[Unanswered] = (),
    *,
    limit: int,
    newest: bool = False,
) -> SearchResult:
    """Return the answers of several vaults to one query as one.

    Scores mean the same in each vault, so they order the sections of all. In a vault, what is named
    exactly as in the query comes first whatever its score; it then also comes before all that it
    is before in its own vault.

    Args:
        answers: By the names of the vaults, at least one.
        unanswered: The vaults that could not answer.
        limit: Sections at most.
        newest: The answers are sorted by date instead of by score.
    """
    first = next(iter(answers.values()))
    of = answers.items()
    dates = {(name, note.path): note.date for name, one in of for note in one.notes}
    by_date = newest or not any(
        section.signals for one in answers.values() for section in one.sections
    )
    sections = _in_order(
        {name: one.sections for name, one in of},
        lambda one: dates[one.vault, one.path] if by_date else one.score,
    )[:limit]
    notes = _in_order(
        {name: one.notes for name, one in of}, lambda one: one.date if by_date else one.score
    )
    suggestions = [one.suggestion for one in answers.values() if one.suggestion]
    return replace(
        first,
        took_ms=sum(one.took_ms for one in answers.values()),
        total=sum(one.total for one in answers.values()),
        sections=tuple(sections),
        notes=tuple(_shown(notes, sections)),
        meaning=all(one.meaning for one in answers.values()),
        missing=_in_all([one.missing for one in answers.values()]),
        spelling=_spelling(tuple(answers.values())),
        unmet=() if sections else _in_all([one.unmet for one in answers.values()]),
        suggestion=suggestions[0] if suggestions and not sections else "",
        unanswered=tuple(unanswered),
    )


def merged_passages(answers: Mapping[str, PassagesFound], *, limit: int) -> PassagesFound:
    """Return the passages of several vaults as one list; see ``merged``."""
    passages = _in_order({name: one.passages for name, one in answers.items()}, lambda p: p.score)
    return PassagesFound(
        query=next(iter(answers.values())).query,
        took_ms=sum(one.took_ms for one in answers.values()),
        total=sum(one.total for one in answers.values()),
        passages=tuple(passages[:limit]),
        meaning=all(one.meaning for one in answers.values()),
    )


def _in_order(
    lists: Mapping[str, Sequence[_Ranked]], value: Callable[[_Ranked], float]
) -> list[_Ranked]:
    """Return the lists of several vaults as one by ``value``, the greatest first.

    Each list keeps its order: an item counts for as much as any that comes after it.
    """
    valued = []
    for name, items in lists.items():
        own: list[_Ranked] = [replace(item, vault=name) for item in items]
        values = [*accumulate(map(value, reversed(own)), max)]
        valued.append(zip(reversed(values), own, strict=True))
    return [item for _, item in merge(*valued, key=itemgetter(0), reverse=True)]


def _shown(notes: Iterable[NoteResult], sections: Sequence[SectionResult]) -> Iterator[NoteResult]:
    """Yield ``notes`` with those of ``sections`` that are theirs."""
    shown = {_place(section): section for section in sections}
    for note in notes:
        places = [(note.vault, note.path, section.line) for section in note.sections]
        own = tuple(shown[place] for place in places if place in shown)
        if own:
            more = note.more + len(note.sections) - len(own)
            yield replace(note, sections=own, more=more)


def _place(section: SectionResult) -> tuple[str, str, int]:
    return section.vault, section.path, section.line


def _in_all(lists: Sequence[tuple[_Item, ...]]) -> tuple[_Item, ...]:
    return tuple(one for one in lists[0] if all(one in other for other in lists[1:]))


def _spelling(answers: Sequence[SearchResult]) -> tuple[Respelling, ...]:
    """Return the corrections of all answers; a word that some vault has was searched for, too."""
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
