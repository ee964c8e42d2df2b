"""What the preview shows, or is about to show: what actions on the section ask for."""

from PySide6.QtCore import QObject

from notesearch.gui.session.read_worker import Reading, ReadRequest
from notesearch.results import SectionLink


class OnShow(QObject):
    """The section in the preview, as it was asked for and as it was read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._request: ReadRequest | None = None
        self._shown: Reading | None = None

    @property
    def request(self) -> ReadRequest | None:
        """What the preview shows, or is about to show."""
        return self._request

    @property
    def place(self) -> tuple[str, int] | None:
        """Path and line of what is on show."""
        if self._shown is not None and self._shown.text is not None:
            text, request = self._shown.text, self._shown.request
            same = text.path == request.path and not request.link
            return text.path, request.line if same else text.line
        return (self._request.path, self._request.line) if self._request else None

    @property
    def markdown(self) -> str:
        """The source of what is on show; empty where nothing is."""
        text = self._shown.text if self._shown is not None else None
        return text.text if text is not None else ""

    @property
    def title(self) -> str:
        """The title of the note that is on show."""
        if self._shown is not None and self._shown.text is not None:
            return self._shown.text.title
        return self._request.result.title if self._request else ""

    @property
    def section_path(self) -> tuple[str, ...]:
        """The headings down to what is on show."""
        if self._shown is not None and self._shown.text is not None:
            return self._shown.text.section_path
        return self._request.result.section_path if self._request else ()

    @property
    def outline(self) -> tuple[SectionLink, ...]:
        """The sections of the note that is on show."""
        return self._shown.outline if self._shown else ()

    @property
    def query(self) -> str:
        """Whose words are marked."""
        return self._request.query if self._request else ""
