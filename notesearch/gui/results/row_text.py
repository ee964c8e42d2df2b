"""The text of a result row: breadcrumb and snippet as lines with runs and marks."""

from collections.abc import Callable
from dataclasses import dataclass

from notesearch.gui.widgets.marked_line import ELLIPSIS, Line, Run, clip
from notesearch.gui.widgets.theme import Theme
from notesearch.notes import Span
from notesearch.results import Marked

SEPARATOR = " › "
_MIN_PARENTS = 4
"""With fewer characters left, the parent headings are dropped."""

Measure = Callable[[Line], float]


@dataclass(frozen=True, slots=True)
class BreadcrumbText:
    """A breadcrumb as one text; ``own`` is where the section's own heading starts."""

    text: str
    own: int
    marks: tuple[Span, ...]

    @classmethod
    def join(cls, breadcrumb: tuple[Marked, ...]) -> "BreadcrumbText":
        """Join the headings of ``breadcrumb`` and their marks."""
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
        """Return a line with quiet parent headings and a strong own heading."""
        parents = (Run((0, self.own), theme.text2),) if self.own else ()
        own = Run((self.own, len(self.text)), theme.text, strong=True)
        return Line(self.text, (*parents, own), self.marks)

    def elide(self, length: int) -> "BreadcrumbText":
        """Cut the middle of the parent headings, so that ``length`` of their characters stay."""
        end = self.own - len(SEPARATOR)
        left, right = (length + 1) // 2, end - length // 2
        head = self.text[:left].rstrip() + ELLIPSIS
        marks = clip(self.marks, 0, min(left, len(head) - 1))
        marks += clip(self.marks, right, len(self.text), offset=len(head) - right)
        return BreadcrumbText(head + self.text[right:], self.own - right + len(head), marks)

    def without_parents(self) -> "BreadcrumbText":
        """Return only the own heading."""
        marks = clip(self.marks, self.own, len(self.text), offset=-self.own)
        return BreadcrumbText(self.text[self.own :], 0, marks)


def breadcrumb_line(
    breadcrumb: tuple[Marked, ...], theme: Theme, width: float, measure: Measure
) -> Line:
    """Return a breadcrumb that fits into ``width`` if its parent headings can be shortened enough.

    The own heading stays whole.
    """
    full = BreadcrumbText.join(breadcrumb)
    line = full.line(theme)
    if not full.own or measure(line) <= width:
        return line
    low, high = 0, full.own - len(SEPARATOR) - 1
    while low < high:
        length = (low + high + 1) // 2
        fits = measure(full.elide(length).line(theme)) <= width
        low, high = (length, high) if fits else (low, length - 1)
    shortened = full.elide(low) if low >= _MIN_PARENTS else full.without_parents()
    return shortened.line(theme)


def snippet_line(snippet: Marked, theme: Theme) -> Line:
    """Return the snippet as one quiet line with its marks."""
    marks = clip(snippet.marks, 0, len(snippet.text))
    return Line(snippet.text, (Run((0, len(snippet.text)), theme.text2),), marks)
