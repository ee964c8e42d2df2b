"""Cuts snippets, about 160 characters around the densest matches, and makes them readable.

If no word matches, a model may sharpen the snippet: it then begins at the sentence nearest to the
query. This happens after the search, because it takes too long for the search itself.
"""

import bisect
import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from notesearch.errors import SearchCancelledError
from notesearch.markdown.render.formulas import FORMULA, unicode_of
from notesearch.markdown.sections.language_detection import detected_language
from notesearch.notes import SENTENCE_ENDS, UNSPACED_SENTENCE_ENDS, Span
from notesearch.results import Marked, SearchResult, SectionResult
from notesearch.search.query import parse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from notesearch.embedding.embedder import Embedder
    from notesearch.search.patterns import MatchFinder

LENGTH = 160
_WINDOW = 110
_MATCHES = 6
"""More matches than this do not make a window better."""

_BLOCK = 2_000
_ENOUGH = 6_000
_MOST_CHARACTERS = 1_000_000
"""Of a longer section, only as much is searched as has a match."""
_LONG_LINE = 2_000
"""Characters before and after a snippet in which the ends of its lines are looked for."""
_LONGEST_PART = 1_200
"""Maximum characters of a part, about as many as the built-in model reads in a passage."""
_PART_ENDS = ("\n\n", "\n", " ")
_LEAD_WORDS = 4
_LEAD = 40
_LEAD_OF_A_SENTENCE = 70
"""A sentence that begins at most this many characters before a match is shown from its start."""
_LEAST = 100
"""A snippet of this many characters may end with a sentence, without the next one's beginning."""
_LEAD_OF_A_WORD = 12
_ENDS = SENTENCE_ENDS + UNSPACED_SENTENCE_ENDS
_SENTENCE = re.compile(rf"[{SENTENCE_ENDS}](?=\s)|[{UNSPACED_SENTENCE_ENDS}]")
_SENTENCE_START = re.compile(rf"[{SENTENCE_ENDS}]\s+|[{UNSPACED_SENTENCE_ENDS}]\s*|\n\s*")
_WORD = re.compile(r"\S+")
_WORDS = re.compile(r"\S+(?:\s\S+)*")
_OTHER_SPACE = re.compile(r"[^\S\n]")
_ASCII_WORD = re.compile("[0-9A-Za-z]{2}")
_JOINER = "\u200d"

BOXES = {"open": "☐ ", "started": "◧ ", "done": "☑ ", "cancelled": "☒ "}
"""How a snippet shows the states of tasks."""


_BEFORE_ELLIPSIS = " ,;:·–—-|"
"""Characters that would look odd before an ellipsis."""


class _Piece(NamedTuple):
    """A piece of the text in the snippet, with its start and end in the text.

    Single spaces or line ends separate its words, so that all marks in it move by the same
    distance.

    Attributes:
        shown_at: Where it starts in the snippet.
    """

    start: int
    end: int
    shown_at: int


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
    if len(outside := _outside_addresses(text, matches)) < len(matches):
        matches, at = outside, None
    marks = merged([span for span, _ in matches])
    if matches:
        begin = _lead_in(text, densest(matches) if at is None else at, marks)
    else:
        begin = whole(text, start_at)
    pieces = list(_fitting_pieces(text, begin, marks))
    lead = f"{_box_of(text, begin)}… " if pieces and _WORD.search(text, 0, begin) else ""
    end = pieces[-1].end if pieces else begin
    tail = "…" if _WORD.search(text, end) else ""
    shown = _joined(text, pieces)
    cut = Marked(f"{lead}{shown}{tail}", tuple(_moved(marks, pieces, len(lead))))
    return readable(_ended(cut) if tail else cut, has_table=_is_table(text, begin, end))


def _outside_addresses(
    text: str, matches: Sequence[tuple[Span, int]]
) -> Sequence[tuple[Span, int]]:
    """Return ``matches`` without those in addresses and paths of included files.

    Those of a term that is nowhere else stay.
    """
    if not matches or not any(sign in text for sign in _ADDRESS_SIGNS):
        return matches
    around = max(0, matches[0][0][0] - _LONG_LINE), matches[-1][0][1] + _LONG_LINE
    found = chain(_ADDRESS.finditer(text, *around), _INCLUDED.finditer(text, *around))
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
    start = text.rfind("\n", max(0, begin - _LONG_LINE), begin) + 1
    box = text[start : start + 2]
    return box if box in BOXES.values() and start + 1 < begin else ""


def _joined(text: str, pieces: Sequence[_Piece]) -> str:
    """Return the pieces joined by spaces, or by a line end where the text has one."""
    shown, at = "", pieces[0].start if pieces else 0
    for piece in pieces:
        if piece.shown_at:
            shown += "\n" if "\n" in text[at : piece.start] else " "
        shown += _OTHER_SPACE.sub(" ", text[piece.start : piece.end])
        at = piece.end
    return shown


def _ended(cut: Marked) -> Marked:
    """Return the snippet ``cut`` without its unfinished last sentence, if enough is left."""
    last = max((end for _, end in cut.marks), default=0)
    ends = [sentence.end() for sentence in _SENTENCE.finditer(cut.text, max(last, _LEAST))]
    if not ends or ends[-1] >= len(cut.text) - 1:
        shown = cut.text[:-1].rstrip(_BEFORE_ELLIPSIS)
        return Marked(f"{shown}…", cut.marks) if len(shown) >= last else cut
    return Marked(f"{cut.text[: ends[-1]].rstrip()} …", cut.marks)


def _is_table(text: str, begin: int, end: int) -> bool:
    """Return whether two lines in a row have cells, and the same number of cells.

    A snippet, from ``begin`` to ``end``, can be a part of one line. So the whole lines are
    compared, and one more line on each side.
    """
    above = text[max(0, begin - _LONG_LINE) : begin].rsplit("\n", 2)[-2:]
    below = text[end : end + _LONG_LINE].split("\n", 2)[:2]
    lines = "\n".join(above) + text[begin:end] + "\n".join(below)
    rows = [f"{line} ".count(CELL) for line in lines.split("\n")]  # the last cell can be empty
    return any(cells and cells == other for cells, other in pairwise(rows))


def find_within(
    finder: "MatchFinder", text: str, language: str | None = None
) -> tuple[list[tuple[Span, int]], int | None]:
    """Return the spans of ``text`` that match, and where they are densest (None if none match).

    A long text is searched block by block until all words are close together, or until one block
    has all of them and enough was searched, because cutting a long section into words takes longer
    than finding it. The result then has only the spans around the snippet.
    """
    best: list[tuple[Span, int]] = []
    at: int | None = None
    most = 0
    seen = False
    terms_in_all = len(finder.patterns)
    for start, end in _blocks(text) if finder.patterns else ():
        block = text[start : end + LENGTH] if end < len(text) else text[start:end]
        matches = finder.find(block, language)
        seen = seen or len({number for _, number in matches}) == terms_in_all
        begin, terms = _densest(matches)
        if terms > most:
            best, at, most = matches, begin + start, terms
            if start:
                best = [((s + start, e + start), n) for (s, e), n in matches]
        if most == terms_in_all or (seen and end >= _ENOUGH) or (most and end >= _MOST_CHARACTERS):
            break
    return best, at


def _blocks(text: str) -> Iterator[Span]:
    start = 0
    while start < len(text):
        end = min(start + _BLOCK, len(text))
        space = text.rfind(" ", start + _BLOCK // 2, end) if end < len(text) else -1
        end = space if space >= 0 else end
        yield start, end
        start = end


def densest(matches: Sequence[tuple[Span, int]]) -> int:
    """Return the start of the window of text with the most different terms."""
    return _densest(matches)[0]


def _densest(matches: Sequence[tuple[Span, int]]) -> tuple[int, int]:
    """Return the start of the window with the most different terms, and their number."""
    best, most, many = 0, 0, 0
    starts = [start for (start, _), _ in matches]
    numbers = [number for _, number in matches]
    every, count = len(set(numbers)), len(matches)
    within: dict[int, int] = {}
    end = 0
    for i, start in enumerate(starts):
        while end < count and starts[end] <= start + _WINDOW:
            entering = numbers[end]
            within[entering] = within.get(entering, 0) + 1
            end += 1
        if (terms := len(within)) >= most and (terms > most or min(end - i, _MATCHES) > many):
            best, most, many = start, terms, min(end - i, _MATCHES)
            if most == every and many == _MATCHES:
                break
        leaving = numbers[i]
        within[leaving] -= 1
        if not within[leaving]:
            del within[leaving]
    return best, most


def _lead_in(text: str, start: int, marks: Sequence[Span]) -> int:
    """Return where a snippet begins: a few words before ``start``, in the same sentence or line.

    If little text follows, the snippet begins at the first sentence or line from which all fits.
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
    at = whole(text, at if sentence < 0 else sentence + 1)
    while at < start and _ASCII_WORD.match(text, at - 1, at + 1):
        at += 1
    at = whole(text, at)
    return max([at, *(end for begin, end in marks if begin < at < end <= start)])


def _fitting_pieces(text: str, begin: int, marks: Sequence[Span]) -> Iterator[_Piece]:
    """Yield the words from ``begin`` on that fit into the snippet."""
    shown_at = 0
    while shown_at < LENGTH and (first := _WORD.search(text, begin)):
        start = first.start()
        limit = start + LENGTH - shown_at
        words = _WORDS.match(text, start, limit + 1)
        end = words.end() if words else start
        if end > limit:  # the last word is too long for the rest of the snippet
            yield from _before_a_long_word(text, start, limit, shown_at, marks)
            return
        yield _Piece(start, end, shown_at)
        shown_at += end - start + 1
        begin = end


def _before_a_long_word(
    text: str, start: int, limit: int, shown_at: int, marks: Sequence[Span]
) -> Iterator[_Piece]:
    """Yield the words from ``start`` to ``limit``, and a part of the long word if much of it fits.

    The first word is shown at the index ``shown_at`` of the snippet.
    """
    before, *rest = text[start : limit + 1].rsplit(None, 1)
    if rest:
        yield _Piece(start, start + len(before), shown_at)
        start += len(before) + 1
        shown_at += len(before) + 1
    if limit - start > LENGTH // 4:
        yield _Piece(start, _cut(text, start, limit, marks), shown_at)


def _cut(text: str, start: int, end: int, marks: Sequence[Span]) -> int:
    """Return where to cut the word at ``start``: at ``end``, or before a short mark across it."""
    crossing = [b for b, e in marks if start < b < end < e and e - b < LENGTH // 2]
    return whole(text, min([end, *crossing]), least=start + 1)


def whole(text: str, at: int, *, least: int = 0) -> int:
    """Return the last index from ``least`` to ``at`` at which no visible character is split."""
    while least < at < len(text) and (text[at - 1] == _JOINER or _joins_the_last(text[at])):
        at -= 1
    return at


def _joins_the_last(character: str) -> bool:
    return (
        character == _JOINER
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
    )


def _moved(marks: Sequence[Span], pieces: Sequence[_Piece], by: int) -> Iterator[Span]:
    """Yield the ``marks`` that the snippet shows, as spans of the snippet, moved by ``by``."""
    if not pieces:
        return
    starts = [piece.start for piece in pieces]
    begin = bisect.bisect_right(marks, pieces[0].start, key=itemgetter(1))
    for start, end in marks[begin : bisect.bisect_left(marks, (pieces[-1].end,))]:
        first = max(bisect.bisect_right(starts, start) - 1, 0)
        shown = [
            (
                max(start, piece.start) - piece.start + piece.shown_at,
                min(end, piece.end) - piece.start + piece.shown_at,
            )
            for piece in _before(pieces, first, end)
            if piece.end > start
        ]
        if shown:
            yield shown[0][0] + by, shown[-1][1] + by


def _before(pieces: Sequence[_Piece], first: int, end: int) -> Iterator[_Piece]:
    for piece in pieces[first:]:
        if piece.start >= end:
            return
        yield piece


# Prose: short addresses, Unicode for formulas, no paths of included files

CELL = " | "
_CELL_END = re.compile(re.escape(CELL))
"""The separator that the index writes between the cells of a table."""
_SEPARATOR = " · "
_ADDRESS = re.compile(
    r"\bhttps?://(?:www\.)?([^\s/?#:…]+(?<![.,;!?)\]'\"]))(?:[/?#:][^\s…]*(?<![.,;:!?)\]'\"]))?"
)
_INCLUDED = re.compile(
    r"--8<--\s*(?:[\"'][^\"']*[\"'])?\s?|\{%-?\s*include\b.*?%\}\s?|\{\{\s*#\w*include\b.*?\}\}\s?"
    r"|\{!>?\s*[^\s{}]+!\}\s?"
)
_ADDRESS_SIGNS = ("://", "--8<--", "{%", "{{", "{!")
_TYPE = re.compile(
    r"(?:^|(?<=^… ))(?:note|abstract|summary|tldr|info|todo|tip|hint|important|success|check|done"
    r"|question|help|faq|warning|caution|attention|failure|fail|missing|danger|error|bug|example"
    r"|quote|cite|seealso|details)\n",
    re.IGNORECASE | re.MULTILINE,
)
"""The type of a callout without a title, which has a line of its own."""
_PICTURE = re.compile(
    r"(?:^|(?<=^… ))(?:\S+|Pasted image \d+)\.(?:avif|bmp|gif|jpe?g|png|svg|webp)\n",
    re.IGNORECASE | re.MULTILINE,
)
"""The name of a picture, which has a line of its own."""
_LINE_END = re.compile(r"(?<![\s.!?…:;,。！？：；，、(\[{])\n(?![\s)\]}])")
"""The end of a list item, a paragraph or a line of code without punctuation there."""


def readable(cut: Marked, *, has_table: bool = False) -> Marked:
    """Return the snippet ``cut`` in a form that is easier to read.

    Addresses are shortened to their host, simple formulas become Unicode; dots separate lines, such
    as list items, and cells if it ``has_table``; paths of included files and names of pictures and
    of callouts' types are left out. Text that matches the query is not changed.
    """
    patterns: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = []
    if "://" in cut.text:
        patterns.append((_ADDRESS, lambda match: match[1]))
    if "$" in cut.text:
        patterns.append((FORMULA, unicode_of))
    if "{" in cut.text or "-8<-" in cut.text:
        patterns.append((_INCLUDED, lambda _: ""))
    if "\n" in cut.text:
        patterns += [(_TYPE, lambda _: ""), (_PICTURE, lambda _: "")]
        patterns.append((_LINE_END, lambda _: _SEPARATOR))
    if has_table:
        patterns.append((_CELL_END, lambda _: _SEPARATOR))
    edits = [
        (match.span(), instead(match))
        for pattern, instead in patterns
        for match in pattern.finditer(cut.text)
    ]
    text, marks, at = "", list[Span](), 0
    waiting = list(cut.marks)
    for (start, end), instead in sorted(edits):
        if start < at or any(a < end and start < b for a, b in cut.marks):
            continue
        by = len(text) - at
        while waiting and waiting[0][1] <= start:
            marks.append((waiting[0][0] + by, waiting[0][1] + by))
            waiting.pop(0)
        text += cut.text[at:start] + instead
        at = end
    by = len(text) - at
    line = (text + cut.text[at:]).replace("\n", " ")
    return Marked(line, (*marks, *((a + by, b + by) for a, b in waiting)))


# Sharper snippets: a model finds the sentence nearest to the query

_LINE = re.compile(r"[^\n]+")
_WHOLE_SENTENCE = re.compile(
    rf"\S.*?(?:[{SENTENCE_ENDS}…][)\]\"'”’»]*(?=\s|\Z)|[{UNSPACED_SENTENCE_ENDS}]|(?=\s*\Z))"
)

_FEWEST_WORDS = 3
"""A sentence with fewer words, such as "Burnt bottom.", is joined to the next one."""

_SHARPENING_S = 0.3
"""Seconds for sharpening the snippets of a result."""

_MOST_SENTENCES = 24
"""At most this many sentences of a passage are compared."""

_AT_ONCE = 4
"""Sentences that a model reads in one call."""


def sharpened(
    result: SearchResult, embedder: "Embedder", stopped: Callable[[], bool]
) -> SearchResult:
    """Return ``result`` with sharper snippets for sections that meaning alone found.

    They have no matching word to cut a snippet around, so the new snippet starts at the sentence
    nearest to the query. Sections that are not reached in time keep their snippets.

    Args:
        result: The result of a search with meaning.
        embedder: The model that made the vectors of the index.
        stopped: Called before each section.

    Raises:
        SearchCancelledError: ``stopped()`` became true.
    """
    until = time.monotonic() + _SHARPENING_S
    snippets: dict[int, Marked] = {}
    queries: dict[Embedder, NDArray[np.float32]] = {}
    for number, section in enumerate(result.sections):
        if stopped():
            raise SearchCancelledError("search_cancelled")
        if time.monotonic() > until:
            break
        spans = sentences(section.passage)[:_MOST_SENTENCES] if section.by_meaning_alone else []
        if len(spans) > 1 and spans[-1][1] > LENGTH:
            model = _model_of(embedder, section.passage)
            if model not in queries:
                queries[model] = model.embed_query(parse(result.query).plain_text)
            vectors = model.embed_passages([section.passage[slice(*span)] for span in spans])
            best = spans[int((vectors @ queries[model]).argmax())]
            if best[1] > LENGTH:  # otherwise the snippet shows it already
                snippets[number] = _beginning_at(section, best[0], spans)
    return _with_snippets(result, snippets)


def nearest_sentence(
    query: str, passage: str, embedder: "Embedder", stopped: Callable[[], bool]
) -> str:
    """Return the sentence of ``passage`` that is nearest to ``query``; empty once ``stopped()``."""
    texts = [passage[slice(*span)] for span in sentences(passage)[:_MOST_SENTENCES]]
    text = parse(query).plain_text
    if not texts or not text or stopped():
        return ""
    embedder = _model_of(embedder, passage)
    vector = embedder.embed_query(text)
    best = (0.0, "")
    for start in range(0, len(texts), _AT_ONCE):
        if stopped():
            return ""
        batch = texts[start : start + _AT_ONCE]
        cosines = embedder.embed_passages(batch) @ vector
        best = max(best, (float(cosines.max()), batch[int(cosines.argmax())]))
    return best[1]


def _model_of(embedder: "Embedder", passage: str) -> "Embedder":
    from notesearch.embedding.two_models import model_of

    return model_of(embedder, detected_language((passage,)))


def sentences(text: str) -> list[Span]:
    """Return the spans of sentences. The end of a line ends a sentence, too."""
    return [span for line in _LINE.finditer(text) for span in _of_line(text, *line.span())]


def _of_line(text: str, at: int, end: int) -> Iterator[Span]:
    short = -1
    for match in _WHOLE_SENTENCE.finditer(text, at, end):
        start = match.start() if short < 0 else short
        sentence = text[start : match.end()]
        short = -1
        if (
            len(sentence.split()) < _FEWEST_WORDS
            and sentence[-1] not in UNSPACED_SENTENCE_ENDS
            and text[match.end() : end].strip()
        ):
            short = start
        else:
            yield start, match.end()


def _beginning_at(section: SectionResult, start: int, spans: list[Span]) -> Marked:
    """Return the snippet from the sentence at ``start``, or from an earlier one if all fits."""
    whole = len(section.passage)
    first = min([start, *(begin for begin, _ in spans if whole - begin <= LENGTH)])
    line = snippet(section.passage, (), first).text
    if section.chunk_index < section.total_chunks - 1 and not line.endswith("…"):
        line += "…"
    return Marked(line)


def _with_snippets(result: SearchResult, snippets: dict[int, Marked]) -> SearchResult:
    if not snippets:
        return result
    sections = tuple(
        replace(section, snippet=snippets.get(number, section.snippet))
        for number, section in enumerate(result.sections)
    )
    new = {section.place: section for section in sections}
    notes = tuple(
        replace(note, sections=tuple(new[section.place] for section in note.sections))
        for note in result.notes
    )
    return replace(result, sections=sections, notes=notes)
