"""Cuts the line of a result: about 160 characters around the densest matches."""

import bisect
import re
from collections.abc import Sequence

from notesearch.notes import Marked, Span

LENGTH = 160
_LEAD_WORDS = 4
_SPACE = re.compile(r"\s+")


def snippet(text: str, found: Sequence[tuple[Span, int]], start_at: int = 0) -> Marked:
    """Return one line of ``text`` with its matches marked.

    Args:
        text: Plain text of the section.
        found: Matching spans and which term each matches, in order.
        start_at: Where to begin when nothing matches: the best passage.
    """
    begin = _lead_in(text, densest(found)) if found else start_at
    end = min(len(text), begin + LENGTH + 60)
    return _one_line(text, begin, end, [span for span, _ in found])


def densest(found: Sequence[tuple[Span, int]]) -> int:
    """Return where the window of ``LENGTH`` characters with the most different terms begins."""
    starts = [span[0] for span, _ in found]
    best, best_worth = 0, (0, 0)
    for i, start in enumerate(starts):
        j = bisect.bisect_right(starts, start + LENGTH)
        worth = (len({number for _, number in found[i:j]}), min(j - i, 6))
        if worth > best_worth:
            best, best_worth = i, worth
    return starts[best]


def _lead_in(text: str, start: int) -> int:
    """Return the beginning of the few words before ``start``, within its sentence."""
    at = start
    for _ in range(_LEAD_WORDS):
        before = text[:at].rstrip()
        if not before or before[-1] in ".!?。！？\n" or "\n\n" in text[len(before) : at]:
            return at
        at = max(before.rfind(" "), before.rfind("\n")) + 1
        if start - at > LENGTH // 3:
            return start - min(start, 12)
    return at


def _one_line(text: str, begin: int, end: int, marks: Sequence[Span]) -> Marked:
    cut = text[begin:end]
    pieces: list[str] = []
    moved: list[int] = []  # new place of each character of `cut`, and of its end
    length = 0
    at = 0
    for space in _SPACE.finditer(cut):
        length = _keep(cut[at : space.start()], pieces, moved, length)
        filler = " " if pieces else ""
        moved.extend([length] * (space.end() - space.start()))
        pieces.append(filler)
        length += len(filler)
        at = space.end()
    length = _keep(cut[at:], pieces, moved, length)
    moved.append(length)
    lead = "… " if text[:begin].strip() else ""
    inside = [
        (max(s, begin) - begin, min(e, end) - begin) for s, e in marks if s < end and e > begin
    ]
    shifted = tuple((moved[s] + len(lead), moved[e] + len(lead)) for s, e in inside)
    tail = "…" if text[end:].strip() else ""
    return Marked(lead + "".join(pieces).rstrip() + tail, shifted)


def _keep(piece: str, pieces: list[str], moved: list[int], length: int) -> int:
    if piece:
        pieces.append(piece)
        moved.extend(range(length, length + len(piece)))
    return length + len(piece)
