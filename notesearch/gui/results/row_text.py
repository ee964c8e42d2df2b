"""The lines of a result row: breadcrumb and snippet turned into runs, marks and an elided text."""

from collections.abc import Callable
from dataclasses import dataclass

from notesearch.gui.widgets.marked_line import ELLIPSIS, Line, Run, clip
from notesearch.gui.widgets.theme import Theme
from notesearch.notes import Span
from notesearch.results import Marked

SEPARATOR = " › "
_LEAST_PARENT = 4

Measure = Callable[[Line], float]


@dataclass(frozen=True, slots=True)
class Crumbs:
    """A breadcrumb as one text: ``own`` is where the section's own heading starts."""

    text: str
    own: int
    marks: tuple[Span, ...]

    @classmethod
    def join(cls, breadcrumb: tuple[Marked, ...]) -> "Crumbs":
        """Return the headings of ``breadcrumb`` joined, their marks moved along."""
        text, own = "", 0
        marks: list[Span] = []
        for heading in breadcrumb:
            if text:
                text += SEPARATOR
            own = len(text)
            marks += clip(heading.marks, 0, len(heading.text), offset=own)
            text += heading.text
        return cls(text, own, tuple(marks))

    def line(self, theme: Theme) -> Line:
        """Return the text with quiet parents and a strong own heading."""
        parents = (Run((0, self.own), theme.text2),) if self.own else ()
        own = Run((self.own, len(self.text)), theme.text, strong=True)
        return Line(self.text, (*parents, own), self.marks)

    def elide(self, kept: int) -> "Crumbs":
        """Return the breadcrumb with ``kept`` characters of its parents, cut in the middle."""
        end = self.own - len(SEPARATOR)
        left, right = (kept + 1) // 2, end - kept // 2
        head = self.text[:left].rstrip() + ELLIPSIS
        marks = clip(self.marks, 0, min(left, len(head) - 1))
        marks += clip(self.marks, right, len(self.text), offset=len(head) - right)
        return Crumbs(head + self.text[right:], self.own - right + len(head), marks)

    def without_parents(self) -> "Crumbs":
        """Return only the own heading."""
        marks = clip(self.marks, self.own, len(self.text), offset=-self.own)
        return Crumbs(self.text[self.own :], 0, marks)


def breadcrumb_line(
    breadcrumb: tuple[Marked, ...], theme: Theme, width: float, measure: Measure
) -> Line:
    """Return a breadcrumb that fits ``width``.

    Its parents are cut in the middle; the own heading is touched only when no parent is left.
    """
    crumbs = Crumbs.join(breadcrumb)
    line = crumbs.line(theme)
    if not crumbs.own or measure(line) <= width:
        return line
    low, high = 0, crumbs.own - len(SEPARATOR) - 1
    while low < high:
        kept = (low + high + 1) // 2
        fits = measure(crumbs.elide(kept).line(theme)) <= width
        low, high = (kept, high) if fits else (low, kept - 1)
    shortened = crumbs.elide(low) if low >= _LEAST_PARENT else crumbs.without_parents()
    return shortened.line(theme)


def snippet_line(snippet: Marked, theme: Theme) -> Line:
    """Return the snippet as one quiet line with its marks."""
    marks = clip(snippet.marks, 0, len(snippet.text))
    return Line(snippet.text, (Run((0, len(snippet.text)), theme.text2),), marks)
