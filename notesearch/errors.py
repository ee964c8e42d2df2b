"""The known ways to fail: each a sentence for the user that says what to do."""


class NotesearchError(Exception):
    """A known failure; its text is one or two sentences a user understands."""


class VaultMissingError(NotesearchError):
    """The notes folder is not there or cannot be listed."""


class NoteMissingError(NotesearchError):
    """A note that was asked for is not in the vault."""


class SectionMissingError(NotesearchError):
    """No section of a note, or more than one, goes by the name asked for."""


class PageMissingError(NotesearchError):
    """A note that is read page by page is not what it was at the first of them."""


class IndexBusyError(NotesearchError):
    """Another process is indexing this vault."""


class IndexFileError(NotesearchError):
    """The index file cannot be used: damaged, not writable, no space left."""


class IndexingError(NotesearchError):
    """Something nobody thought of went wrong while indexing; it is tried again by itself."""


class ModelError(NotesearchError):
    """The embedding model cannot be loaded or used; search by words goes on."""


class SettingsError(NotesearchError):
    """The settings file cannot be read or holds a value that makes no sense."""


class IndexDamagedError(IndexFileError):
    """The index file is damaged or foreign; it is set aside and made again."""


class WatchingError(NotesearchError):
    """Changes cannot be noticed as they happen; the folder is compared from time to time."""


class ServingError(NotesearchError):
    """Programs cannot be served: the port is taken, or the token cannot be kept."""


class DisplayMissingError(NotesearchError):
    """There is no desktop to show a window on."""


class SearchCancelledError(NotesearchError):
    """A newer query took the place of this one."""


MEANING_NOT_READY = "Meaning is not ready yet; “notesearch index” makes it so."
