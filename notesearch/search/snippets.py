"""Cuts snippets, about 160 characters around the densest matches, and makes them readable."""

import bisect
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

from notesearch.markdown.render.formulas import FORMULA, unicode_of
from notesearch.notes import SENTENCE_ENDS, UNSPACED_SENTENCE_ENDS, Span
from notesearch.results import Marked

if TYPE_CHECKING:
    from notesearch.search.patterns import MatchFinder

LENGTH = 160
_WINDOW = 110
_MATCHES = 6
"""More matches than this do not make a window better."""

_BLOCK = 2_000
"""An earlier block of this many characters is preferred to one with more matches of the terms."""
_MOST_CHARACTERS = 1_000_000
"""A longer section is searched up to here, or as a whole if that has no match and is quick."""
_AROUND = 2_000
"""Characters before and after the beginning of a snippet that can matter for it."""
_READ = 2 * LENGTH
"""Characters that are made readable for a snippet: long addresses become short."""
_LONGEST_PART = 1_200
"""Maximum characters of a part, about as many as the built-in model reads in a passage."""
_PART_ENDS = ("\n\n", "\n", " ")
_LEAD_WORDS = 4
_LEAD = 40
_LEAD_OF_A_SENTENCE = 90
"""A sentence that begins at most this many characters before a match is shown from its start."""
_LEAST = 100
"""A snippet of this many characters may end with a sentence, without the next one's beginning."""
_LEAD_OF_A_WORD = 12
_ENDS = SENTENCE_ENDS + UNSPACED_SENTENCE_ENDS
_BEFORE_A_NUMBER = "|".join(rf"(?<=\b[^\W\d]{{{letters}}}\.)" for letters in (2, 3, 4))
_TITLE = r"\b[A-Z][b-df-hj-np-tv-xz]\."
END_OF_SENTENCE = rf"(?<!\b\w\.)(?<!\b\d\d\.)(?<!{_TITLE})(?!(?:{_BEFORE_A_NUMBER}) ?\d)"
"""Matches after a sign that ends a sentence. The point of "p. 7", "24. April", "Dr. Kern" or
"Art. 5" does not: one letter, a day, a capital and a small consonant, a word before a number."""
# These begin with a set of characters, for which re scans a text several times as fast.
_SENTENCE = re.compile(rf"[{_ENDS}](?:(?<=[{UNSPACED_SENTENCE_ENDS}])|{END_OF_SENTENCE}(?=\s))")
_SENTENCE_START = re.compile(
    rf"[{_ENDS}\n](?:(?<=[{UNSPACED_SENTENCE_ENDS}\n])\s*|{END_OF_SENTENCE}\s+)"
)
_WORD = re.compile(r"\S+")
_SPACES = re.compile(r"\s(?:\s+|(?<=[^ \n]))")
_ASCII_WORD = re.compile("[0-9A-Za-z]{2}")
_JOINER = "\u200d"

BOXES = {"open": "☐ ", "started": "◧ ", "done": "☑ ", "cancelled": "☒ "}
"""How a snippet shows the states of tasks."""


_BEFORE_ELLIPSIS = " ,;:·–—-|"
"""Characters that would look odd before an ellipsis."""

Edit = tuple[int, int, str]
"""A change of a text: start and end of what is replaced, and the text instead of it."""


class Edits:
    """Changes of one text that do not overlap; converts positions to the changed text."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = sorted(edits)
        self._starts = [start for start, _, _ in self._edits]
        self._ends = [end for _, end, _ in self._edits]
        self._shifts = [0, *accumulate(len(new) - (b - a) for a, b, new in self._edits)]

    def applied(self, text: str) -> str:
        """Return the changed ``text``."""
        pieces = list[str]()
        at = 0
        for start, end, new in self._edits:
            pieces += text[at:start], new
            at = end
        return "".join([*pieces, text[at:]])

    def place(self, at: int) -> int:
        """Return where ``at`` is in the changed text; before what is inserted there."""
        return at + self._shifts[bisect.bisect_left(self._starts, at)]

    def span(self, span: Span) -> Span:
        """Return where ``span`` is in the changed text, without what is inserted at its ends."""
        start, end = span
        return start + self._shifts[bisect.bisect_right(self._ends, start)], self.place(end)


def merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return spans in order; those that overlap or touch are joined."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def snippet(
    text: str, matches: Sequence[tuple[Span, int]], start_at: int = 0, at: int | None = None
) -> Marked:
    """Return about 160 characters of ``text`` on one line, with its matches marked.

    Args:
        text: The plain text of a section.
        matches: Spans that match, each with the number of its term, in order.
        start_at: Where to begin if nothing matches: the start of the best passage.
        at: Where ``matches`` is densest; None to find that out.
    """
    outside = _outside_addresses(text, matches)
    if len(outside) < len(matches):
        matches = outside
        at = None
    marks = merged([span for span, _ in matches])
    if matches:
        begin = _lead_in(text, densest(matches)[0] if at is None else at, marks)
    else:
        begin = boundary(text, start_at)
    first = _WORD.search(text, begin)
    if not first:
        return Marked("")
    lead = f"{_box_of(text, begin)}… " if _WORD.search(text, 0, begin) else ""
    start = first.start()
    last = first.start() + _READ
    window = text[start:last].rstrip()
    shown = [(a - start, min(b - start, len(window))) for a, b in marks if start <= a < last]
    spaces = [
        (*found.span(), "\n" if "\n" in found[0] else " ") for found in _SPACES.finditer(window)
    ]
    line = with_edits(Marked(window, tuple(shown)), spaces)
    line = readable(line, has_table=_is_table(text, start))
    line = _shortened(line, goes_on=_WORD.search(text, last) is not None)
    return with_edits(line, [(0, 0, lead)])


def with_edits(text: Marked, edits: Sequence[Edit]) -> Marked:
    """Return ``text`` with ``edits``; its marks stay on their words."""
    if not edits:
        return text
    changes = Edits(edits)
    return Marked(changes.applied(text.text), tuple(map(changes.span, text.marks)))


def _outside_addresses(
    text: str, matches: Sequence[tuple[Span, int]]
) -> Sequence[tuple[Span, int]]:
    """Return ``matches`` without those in addresses and in paths of included files.

    If all matches of a term are there, they stay.
    """
    if not matches:
        return matches
    first = max(0, matches[0][0][0] - _AROUND)
    last = matches[-1][0][1] + _AROUND
    if not any(text.find(sign, first, last) >= 0 for sign in _ADDRESS_SIGNS):
        return matches
    found = chain(_ADDRESS.finditer(text, first, last), _INCLUDED.finditer(text, first, last))
    spans = merged([address.span() for address in found])
    # An odd number of ends up to a place: it is inside a span.
    ends = list(chain.from_iterable(spans))
    outside = [m for m in matches if bisect.bisect_right(ends, m[0][0]) % 2 == 0]
    elsewhere = {term for _, term in outside}
    return sorted(outside + [m for m in matches if m[1] not in elsewhere])


def part_around(text: str, at: int) -> Span:
    """Return the span of the paragraphs around ``at``, as much as fits into a passage.

    Without a model, no section is cut into passages, and a section may be a book.
    """
    if len(text) <= _LONGEST_PART:
        return 0, len(text)
    first = max(0, at - _LONGEST_PART // 3)
    last = min(len(text), first + _LONGEST_PART)
    begins = (text.find(mark, first, at) + len(mark) for mark in _PART_ENDS if first)
    half = (at + last) // 2
    ends = (text.rfind(mark, half, last) for mark in _PART_ENDS if last < len(text))
    start = next((index for index in begins if index > first), first)
    end = next((index for index in ends if index > at), last)
    return start, end


def _box_of(text: str, begin: int) -> str:
    start = text.rfind("\n", max(0, begin - _AROUND), begin) + 1
    box = text[start : start + 2]
    return box if box in BOXES.values() and start + 1 < begin else ""


def _shortened(line: Marked, *, goes_on: bool) -> Marked:
    """Return ``line``, cut to the length of a snippet; ``goes_on`` says whether text follows it.

    It is cut after a sentence if that leaves enough, else after a word. An ellipsis follows.
    """
    text = line.text
    end = min(len(text), LENGTH + 2 * text.count(_SEPARATOR, 0, LENGTH))
    if end == len(text) and not goes_on:
        return line
    if end < len(text) and not text[end].isspace():
        space = text.rfind(" ", 0, end)
        if end - space <= LENGTH // 4:
            end = space
        else:  # a long word, which is not cut inside a short mark
            crossing = [a for a, b in line.marks if a < end < b and b - a < LENGTH // 2]
            end = boundary(text, min([end, *crossing]), least=space + 2)
    last = max((min(b, end) for a, b in line.marks if a < end), default=0)
    sentences = [found.end() for found in _SENTENCE.finditer(text, max(last, _LEAST))]
    whole_ones = [at for at in sentences if at <= end]
    words = text[:end].rstrip(_BEFORE_ELLIPSIS)
    if whole_ones:
        end = whole_ones[-1]
        shown = f"{text[:end]} …"
    else:
        shown = f"{words}…" if len(words) >= last else f"{text[:end]}…"
    return Marked(shown, tuple((a, min(b, end)) for a, b in line.marks if a < end))


def _is_table(text: str, begin: int) -> bool:
    """Return whether the snippet from ``begin`` on has rows of a table.

    These are two neighbouring lines with the same number of cells. The snippet can be a part of one
    line. So the whole lines are compared, and one more line on each side.
    """
    end = begin + LENGTH
    above = text[max(0, begin - _AROUND) : begin].rsplit("\n", 2)[-2:]
    below = text[end : end + _AROUND].split("\n", 2)[:2]
    lines = "\n".join(above) + text[begin:end] + "\n".join(below)
    rows = [f"{line} ".count(CELL) for line in lines.split("\n")]  # the last cell can be empty
    return any(cells and cells == other for cells, other in pairwise(rows))


def densest_matches(
    finder: "MatchFinder", text: str, language: str | None = None
) -> tuple[list[tuple[Span, int]], int | None]:
    """Return the matches around the place of ``text`` that has the most different terms.

    Also returns that place, or None without matches. Each match has the number of its term. The
    beginning of a long text is searched first, and more only if it does not have all terms close
    together.
    """
    for end in (_BLOCK, _MOST_CHARACTERS, len(text)):
        matches = finder.find(text[:end], language)
        at, terms = densest(matches)
        if terms == finder.terms or end >= len(text):
            break
        if end == _MOST_CHARACTERS and (terms or not finder.is_quick(text, language)):
            break
    around = [match for match in matches if -_AROUND < match[0][0] - at < _AROUND]
    return around, at if terms else None


def densest(matches: Sequence[tuple[Span, int]]) -> tuple[int, int]:
    """Return the start of the window with the most different terms, and their number."""
    best = (0, 0, 0)
    place = 0
    within = Counter[int]()
    end = 0
    for i, ((start, _), number) in enumerate(matches):
        while end < len(matches) and matches[end][0][0] <= start + _WINDOW:
            within[matches[end][1]] += 1
            end += 1
        value = len(within), -(start // _BLOCK), min(end - i, _MATCHES)
        if value > best:
            best = value
            place = start
        within[number] -= 1
        if not within[number]:
            del within[number]
    return place, best[0]


def _lead_in(text: str, start: int, marks: Sequence[Span]) -> int:
    """Return where a snippet begins: a few words before ``start``, in the same sentence or line.

    Near the end of ``text``, it begins at the first sentence or line from which all the rest fits.
    """
    if start <= _LEAD:
        return 0
    first = max(0, min(start - _LEAD_OF_A_SENTENCE, len(text) - LENGTH))
    starts = [sentence.end() for sentence in _SENTENCE_START.finditer(text, first, start)]
    starts = starts if first else [0, *starts]
    if starts:
        fitting = (at for at in starts if len(text) - at <= LENGTH)
        return next(fitting, starts[-1])
    words = list(_WORD.finditer(text, max(0, start - 2 * _LEAD), start))
    at = start
    for word in reversed(words[-_LEAD_WORDS:]):
        if word.group()[-1] in _ENDS and word.end() < start:
            break
        if start - word.start() > _LEAD:
            return at if word.end() < at else _inside_a_word(text, at, word.start(), marks)
        at = word.start()
    return at


def _inside_a_word(text: str, start: int, word_start: int, marks: Sequence[Span]) -> int:
    """Return where to cut the long word that begins at ``word_start``, before ``start``."""
    at = max(word_start, start - _LEAD_OF_A_WORD)
    sentence = max(text.rfind(end, at, start) for end in _ENDS)
    at = boundary(text, at if sentence < 0 else sentence + 1)
    while at < start and _ASCII_WORD.match(text, at - 1, at + 1):
        at += 1
    at = boundary(text, at)
    return max([at, *(end for begin, end in marks if begin < at < end <= start)])


def boundary(text: str, at: int, *, least: int = 0) -> int:
    """Return the last index from ``least`` to ``at`` that splits no visible character in two."""
    while least < at < len(text) and (text[at - 1] == _JOINER or _joins_the_last(text[at])):
        at -= 1
    return at


def _joins_the_last(character: str) -> bool:
    return (
        character == _JOINER
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
    )


# Prose: short addresses, Unicode for formulas, no paths of included files

CELL = " | "
_CELL_END = re.compile(re.escape(CELL))
"""The separator that the index writes between the cells of a table."""
_SEPARATOR = " · "
_ADDRESS = re.compile(
    r"http(?<=\bhttp)s?://(?:www\.)?([^\s/?#:…]+(?<![.,;!?)\]'\"]))(?:[/?#:][^\s…]*(?<![.,;:!?)\]'\"]))?"
)
_INCLUDED = re.compile(
    r"--8<--\s*(?:[\"'][^\"']*[\"'])?\s?|\{%-?\s*include\b.*?%\}\s?|\{\{\s*#\w*include\b.*?\}\}\s?"
    r"|\{!>?\s*[^\s{}]+!\}\s?"
)
_ADDRESS_SIGNS = ("://", "--8<--", "{%", "{{", "{!")
_LINE = re.compile(
    r"(?:… )?((?:note|abstract|summary|tldr|info|todo|tip|hint|important|success|check|done"
    r"|question|help|faq|warning|caution|attention|failure|fail|missing|danger|error|bug|example"
    r"|quote|cite|seealso|details"
    r"|(?:\S+|Pasted image \d+)\.(?:avif|bmp|gif|jpe?g|png|svg|webp))\n)|[^\n]*\n?",
    re.IGNORECASE,
)
"""A line; the group is the type of a callout without a title, or the name of a picture."""
_LINE_END = re.compile(r"\n(?<![\s.!?…:;,。！？：；，、(\[{]\n)(?![\s)\]}])")
"""The end of a list item, a paragraph or a line of code without punctuation there."""


def readable(cut: Marked, *, has_table: bool = False) -> Marked:
    """Return the snippet ``cut`` in a form that is easier to read.

    Addresses are shortened to their host, simple formulas become Unicode; dots separate lines, such
    as list items, and cells if it ``has_table``; paths of included files and names of pictures and
    of callouts' types are left out. Text that matches the query is not changed.
    """
    text = cut.text
    found = list[Edit]()
    if "://" in text:
        found += ((*address.span(), address[1]) for address in _ADDRESS.finditer(text))
    if "$" in text:
        found += ((*formula.span(), unicode_of(formula)) for formula in FORMULA.finditer(text))
    if "{" in text or "-8<-" in text:
        found += ((*included.span(), "") for included in _INCLUDED.finditer(text))
    if "\n" in text:
        found += ((*line.span(1), "") for line in _LINE.finditer(text) if line[1])
        found += ((*end.span(), _SEPARATOR) for end in _LINE_END.finditer(text))
    if has_table:
        found += ((*end.span(), _SEPARATOR) for end in _CELL_END.finditer(text))
    edits = list[Edit]()
    at = 0
    for start, end, instead in sorted(found):
        if start >= at and not any(a < end and start < b for a, b in cut.marks):
            edits.append((start, end, instead))
            at = end
    line = with_edits(cut, edits)
    return Marked(line.text.replace("\n", " "), line.marks)
