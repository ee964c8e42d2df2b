"""NoteLibraries: several vaults, for programs and the command line."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

from notesearch.config import Paths, Settings, vault_names
from notesearch.errors import VaultNameError
from notesearch.library import AnyQuery, NoteLibrary, query_in
from notesearch.merged_answers import answers_of, merged_result
from notesearch.note_addresses import known_vault, vault_holding
from notesearch.results import Mode, SearchResult, SectionText
from notesearch.sentences import Sentence

if TYPE_CHECKING:
    from notesearch.embedding.embedder import Embedder


class NoteLibraries:
    """Several vaults, each with a name of its own; thread-safe.

    Each result has the name of its vault in a field, and a path relative to that vault.
    (``JoinedLibrary``, for windows, puts the name before the path.)
    """

    def __init__(self, libraries: Mapping[str, NoteLibrary]) -> None:
        """Join open libraries, given by name. ``close`` closes them."""
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
        """Open several vaults, which share one loaded model.

        ``vaults`` are notes folders, or their names in the settings; by default, all folders in the
        settings. The other arguments are as for ``NoteLibrary.open``.

        Raises:
            SettingsError: The settings file cannot be read.
            VaultNameError: No vault is given, and none is in the settings.
        """
        paths = home if isinstance(home, Paths) else Paths.choose(home)
        settings = settings or Settings.load(paths)
        chosen = list(vaults) or [listed.path for listed in settings.listed]
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
        """Return the library of the vault called ``name``; case is ignored.

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

        The result lists vaults that cannot answer in ``unanswered``.

        Raises:
            SearchCancelledError: ``cancelled()`` returned True.
            NotesearchError: No vault can answer; this is the error of the first vault.
        """
        answers = answers_of(
            self._libraries,
            lambda name: self._libraries[name].search(
                self.query_for(name, text),
                limit=limit,
                per_note=per_note,
                mode=mode,
                newest=newest,
                cancelled=cancelled,
            ),
        )
        return merged_result(*answers, limit=limit, newest=newest)

    def query_for(self, vault: str, text: str) -> AnyQuery:
        """Return ``text`` as the vault of this name reads it: a path may begin with the name."""
        if len(self._libraries) == 1:
            return text
        return query_in(vault, text, self._libraries)

    def sharpen(self, result: SearchResult) -> SearchResult:
        """Return ``result`` with better snippets, as ``NoteLibrary.sharpen`` does."""
        from notesearch.joined_library import JoinedLibrary

        return JoinedLibrary(self._libraries).sharpen(result)

    def why_absent(self, text: str, note: str) -> tuple[Sentence, ...]:
        """Return sentences on the rank of a note or section in all vaults, or why it has none.

        Arguments and errors are as for ``NoteLibrary.why_absent``.
        """
        from notesearch.joined_library import JoinedLibrary

        first, *others = self
        library = JoinedLibrary(self._libraries) if others else first
        return library.why_absent(text, note)

    def place(self, address: str) -> tuple[str, str]:
        """Return the name of the vault with the note at ``address``, and the note's address in it.

        Raises:
            NoteMissingError: No vault has this note, or several vaults have it.
        """
        calls = {name: library.note_path for name, library in self._libraries.items()}
        return vault_holding(address, calls)

    def read(self, address: str, section: str | None = None) -> SectionText:
        """Read a note, or a section with its subsections, from the vault that has the note.

        ``address`` may begin with the name of a vault: ``work/japan.md``. Else arguments and errors
        are as for ``NoteLibrary.read``.
        """
        name, inside = self.place(address)
        return self._libraries[name].read(inside, section)
