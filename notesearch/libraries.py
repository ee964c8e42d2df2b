"""NoteLibraries: several vaults, for programs and the command line."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch.config import Paths, Settings, vault_names
from notesearch.errors import VaultNameError
from notesearch.joint_answers import answers_of, joint_result, notes_with, place_of
from notesearch.library import NoteLibrary
from notesearch.note_addresses import known_vault, vault_holding
from notesearch.results import Mode, SearchResult, SectionResult, SectionText
from notesearch.sentences import Sentence

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


class NoteLibraries:
    """Several vaults, each with a name of its own. Several threads may use it.

    A result names its vault in a field, and its path is the one in that vault. (``JoinedLibrary``,
    for windows, puts the name before the path.)
    """

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
        return self._libraries[known_vault(name, self._libraries)]

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
        return joint_result(*answers, limit=limit, newest=newest)

    def sharpen(self, result: SearchResult) -> SearchResult:
        """Return ``result`` with better snippets, as ``NoteLibrary.sharpen`` does."""
        better: dict[tuple[str, str, int], SectionResult] = {}
        for name, library in self._libraries.items():
            own = tuple(one for one in result.sections if one.vault == name)
            part = library.sharpen(replace(result, sections=own, notes=()))
            better |= {place_of(section): section for section in part.sections}
        sections = tuple(better[place_of(one)] for one in result.sections)
        return replace(result, sections=sections, notes=tuple(notes_with(result.notes, sections)))

    def why_absent(self, text: str, note: str) -> tuple[Sentence, ...]:
        """Return the rank of a note among those of all vaults, or why it is not among the results.

        Arguments and errors are as for ``NoteLibrary.why_absent``.
        """
        from notesearch.joined_library import JoinedLibrary

        first, *others = self
        library = JoinedLibrary(self._libraries) if others else first
        return library.why_absent(text, note)

    def place(self, address: str) -> tuple[str, str]:
        """Return the name of the vault that holds the note at ``address``, and its address there.

        Raises:
            NoteMissingError: No vault has this note, or several have.
        """
        calls = {name: library.note_path for name, library in self._libraries.items()}
        return vault_holding(address, calls)

    def read(self, address: str, section: str | None = None) -> SectionText:
        """Read a note, or one full section, from the vault that has it.

        ``address`` may begin with the name of a vault: ``work/japan.md``. Otherwise it is as for
        ``NoteLibrary.read``, which also tells the errors.
        """
        name, inside = self.place(address)
        return self._libraries[name].read(inside, section)
