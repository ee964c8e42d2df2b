"""What the vault around a note tells its preview: asked while it is rendered, never by a click."""

from typing import Protocol

from notesearch.markdown.portions import Check, carry_on
from notesearch.results import SectionText


class Surroundings(Protocol):
    """Answers for the links, embeds and pictures of one note."""

    def link(self, target: str, *, beside: bool) -> str | None:
        """Return ``target`` as ``/path from the top of the vault#heading``; None if it is broken.

        Args:
            target: What the link says, not percent-encoded.
            beside: It is a path from the note's folder first: Markdown's own links.
        """

    def embedded(self, target: str) -> "tuple[SectionText, Surroundings] | None":
        """Return what ``![[target]]`` shows, with the surroundings of its own note."""

    def picture(self, target: str) -> str | None:
        """Return the path in the vault of a picture; None when there is none."""

    def html(self, source: str, first_line: int, check: Check = carry_on) -> str | None:
        """Return ``source`` in the vault's own dialect, not cleaned; None for the default one."""

    def ready(self, seconds: float) -> bool:
        """Wait some ``seconds`` for whatever makes ``html``; until then it tells nothing."""
