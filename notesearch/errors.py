"""The expected errors. Each has a code, fields, and one English sentence that says what to do."""

from notesearch.messages import Field, Sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class NotesearchError(Exception):
    """An expected error; front ends recognise it by class and code, never by its sentence."""

    def __init__(self, sentence: str | Sentence, /, **fields: Field) -> None:
        """Make an error from a sentence, or from the code and the fields of a sentence."""
        self.sentence = sentence if isinstance(sentence, Sentence) else Sentence(sentence, **fields)
        super().__init__(self.sentence)

    @property
    def code(self) -> str:
        """The code of the sentence, such as ``note_gone``."""
        return self.sentence.code

    @property
    def fields(self) -> "Mapping[str, Field]":
        """The values in the sentence, by name."""
        return self.sentence.fields


class VaultMissingError(NotesearchError):
    """The notes folder does not exist, is a file, or cannot be listed."""


class VaultNameError(NotesearchError):
    """No vault has the requested name."""


class NoteMissingError(NotesearchError):
    """The vault does not have the requested note, or has several of that name."""


UNREADABLE = frozenset({"note_unreadable", "note_unusable"})
"""Codes of a ``NoteMissingError`` about a file that is there, but cannot be read."""


class SectionMissingError(NotesearchError):
    """The note has no section of the requested name, or more than one."""


class ParameterError(NotesearchError):
    """A parameter of a request to a server is missing, unknown or invalid."""


class PageMissingError(NotesearchError):
    """There is no page for this continuation token, or the note changed after the first page."""


class NotANoteError(NotesearchError, ValueError):
    """A file has the suffix of a note, but its content cannot be read as one."""


class IndexBusyError(NotesearchError):
    """Another process is indexing this vault."""


class IndexFileError(NotesearchError):
    """The index file cannot be used: missing, damaged, not writable, or the disk is full."""


class IndexDamagedError(IndexFileError):
    """The index file is damaged or of another program; it is renamed, and a new one is built."""


class IndexingError(NotesearchError):
    """Indexing failed because of a bug; the program tries again by itself."""


class ModelError(NotesearchError):
    """A model or reranker cannot be loaded or used; search by words works nevertheless."""


class SettingsError(NotesearchError):
    """The settings, or a file beside them, cannot be used, written or deleted."""


class WatchingError(NotesearchError):
    """The system does not report changed files, so the program checks the folder regularly."""


class ServingError(NotesearchError):
    """The server cannot start: its port is taken, or the token cannot be stored."""


class EditorError(NotesearchError):
    """No program could open the note."""


class DisplayMissingError(NotesearchError):
    """There is no desktop to show a window on."""


class SearchCancelledError(NotesearchError):
    """A newer query replaced this one."""


class TaskStoppedError(NotesearchError):
    """The user stopped a long task."""
