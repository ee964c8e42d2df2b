"""One vault is open at a time: the threads of the last one end while the next one opens."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.errors import NotesearchError
from notesearch.gui.session.search_worker import OpenLibrary
from notesearch.gui.session.vault_session import VaultSession
from notesearch.gui.translation import error_text


class SessionTurns(QObject):
    """Holds the session of the open vault, and those before it until their threads are gone.

    Attributes:
        current: The session of the open vault.

    Signals:
        retired: The threads of a vault that was open have ended.
        refused: An index could not be deleted, in a sentence.
    """

    retired = Signal()
    refused = Signal(str)

    def __init__(
        self, opener: Callable[[Path], OpenLibrary], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._opener = opener
        self.current: VaultSession | None = None
        self._retiring: list[VaultSession] = []
        self._deleted: list[Path] = []
        self._paused = False

    @property
    def paused(self) -> bool:
        """Changed notes wait."""
        return self._paused

    def set_paused(self, paused: bool) -> None:
        """Have changed notes wait, or indexed, in this vault and those opened later."""
        self._paused = paused
        if self.current:
            self.current.set_paused(paused)

    def next(self, vault: Path) -> VaultSession:
        """Put a session on ``vault`` in place of the current one; it waits for ``begin``."""
        self.retire()
        self.current = VaultSession(self._opener(vault), self, paused=self._paused)
        return self.current

    @Slot()
    def begin(self) -> None:
        """Start the current session; the last one may still write the same index."""
        if self.current and not self._retiring:
            self.current.start()

    def retire(self) -> None:
        """End the threads of the open vault, without waiting for them."""
        if self.current:
            self._retiring.append(self.current)
            self.current.ended.connect(self._on_ended)
            self.current.retire()
            self.current = None

    @Slot(str, bool)
    def drop(self, path: str, with_index: bool) -> None:
        """Delete the index of a vault, if that is wanted, as soon as no thread of ours uses it."""
        if with_index:
            self._deleted.append(Path(path))
            self._delete()

    def close(self) -> None:
        """End all threads, and return when they are gone."""
        for session in filter(None, (*self._retiring, self.current)):
            session.close()
            session.deleteLater()
        self._retiring.clear()
        self.current = None

    @Slot()
    def _on_ended(self) -> None:
        for session in [one for one in self._retiring if one.has_ended]:
            self._retiring.remove(session)
            session.deleteLater()
        self._delete()
        self.begin()
        self.retired.emit()

    def _delete(self) -> None:
        if not self._deleted or self._retiring:
            return
        from notesearch.library import delete_index

        while self._deleted:
            library = self._opener(self._deleted.pop())()
            try:
                delete_index(library)
            except NotesearchError as error:
                self.refused.emit(error_text(error))
            finally:
                library.close()
