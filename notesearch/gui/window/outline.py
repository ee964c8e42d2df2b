"""The outline of a note as choices: headings indented, with how often the query matches below."""

from collections.abc import Sequence

from notesearch.gui.translation import translate
from notesearch.gui.widgets.choice_popover import Choice
from notesearch.results import SectionLink


def outline_choices(
    outline: Sequence[SectionLink], current: int, matches: Sequence[int] = ()
) -> list[Choice]:
    """Return a row for each section of ``outline``.

    Args:
        outline: In the order of the note.
        current: The section that is on show.
        matches: How often the query matches in each with all below it, where that is known.
    """
    choices, levels = list[Choice](), list[int]()
    for at, link in enumerate(outline):
        while levels and levels[-1] >= link.level:
            levels.pop()
        count = matches[at] if at < len(matches) else 0
        choices.append(
            Choice(
                link.heading or translate("window", "Untitled"),
                badge=f"{count:,}" if count else "",
                depth=len(levels),
                strong=at == current,
            )
        )
        levels.append(link.level)
    return choices


def section_at(outline: Sequence[SectionLink], line: int) -> int:
    """Return which section of ``outline`` holds ``line``."""
    return max((at for at, link in enumerate(outline) if link.line <= line), default=0)
