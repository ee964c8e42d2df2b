"""Cuts sections into passages: texts that fit the embedding model's window, with nothing lost."""

from collections.abc import Callable, Iterator, Sequence

from notesearch.markdown.cancellation import Check, never_cancel, portions
from notesearch.markdown.sections.measured_text import MeasuredText, TokenCounts
from notesearch.notes import HeadingPath, Note, Passage, Section, Span

SPECIAL_TOKENS = 2
OVERLAP_WORDS = 35
STUB_TOKENS = 65
"""A shorter section is a stub. Embedded alone, stubs cost 7 of 100 labelled questions to
documentation their first rank."""
TINY_TOKENS = 25
"""A shorter stub is extended with its siblings, too; a longer one only with its subsections."""
STUB_FOLLOWERS = 12
CHARACTERS_PER_TOKEN = 16


def chunk(
    note: Note, count_tokens: Callable[[str], int], window: int, check: Check = never_cancel
) -> tuple[Passage, ...]:
    """Cut the sections of ``note`` into passages for a model that reads ``window`` tokens.

    Args:
        note: The parsed note.
        count_tokens: Returns the tokens of a text without special ones; a ``TokenCounts`` caches
            them across notes.
        window: The tokens that a passage may have, special ones included.
        check: Called now and then.
    """
    return tuple(_Chunker(note, count_tokens, window, check).passages())


def heading_paths(
    note: Note, count_tokens: Callable[[str], int], window: int, check: Check = never_cancel
) -> tuple[HeadingPath, ...]:
    """Return the heading path of each section in ``note`` to embed; arguments as for ``chunk``."""
    return tuple(_Chunker(note, count_tokens, window, check).heading_paths())


class _Chunker:
    """Chunks one note."""

    def __init__(
        self, note: Note, count_tokens: Callable[[str], int], window: int, check: Check
    ) -> None:
        self._note = note
        self._check = check
        if not isinstance(count_tokens, TokenCounts):
            count_tokens = TokenCounts(count_tokens)
        self._counts = count_tokens
        self._room = max(window - SPECIAL_TOKENS, 1)
        self._characters = self._room * CHARACTERS_PER_TOKEN
        # Renaming a file must not cause a new embedding. So a title that is only the file's name
        # gets a fixed room, and the cuts do not depend on it.
        self._reserved = self._room // 12 if note.title_from_name else 0
        self._title = self._shortened(note.title, self._reserved or self._room // 8)

    def passages(self) -> Iterator[Passage]:
        """Yield the passages of every section in order."""
        sections = self._note.sections
        for section in sections:
            self._check()
            named = section.level > 0 and section.heading
            if section.text or named or len(sections) == 1:
                yield from self._section(section)

    def heading_paths(self) -> Iterator[HeadingPath]:
        """Yield the note's title and the headings above each section, in order.

        A title that is only the file's name is left out: renaming must not cause a new embedding,
        and notes with the same headings share one.
        """
        title = () if self._note.title_from_name else (self._title,)
        for section in self._note.sections:
            self._check()
            named = section.path != (self._note.title,)
            crumbs = self._crumbs(section.path) if named else []
            shown = (*title, *crumbs)
            kind = "path" if title else "headings"
            if shown:
                yield HeadingPath(section.ordinal, " > ".join(shown), "\0".join((kind, *shown)))

    def _section(self, section: Section) -> Iterator[Passage]:
        crumbs = self._crumbs(section.path) if self._has_breadcrumb(section) else []
        head, identity_head = self._heads(crumbs)
        budget = max(self._room - self._reserved - self._counts.of(identity_head), 1)
        text = section.text
        short = len(text) <= self._characters
        if short and (cost := self._counts.of(text)) <= budget:
            more = self._extension(section, cost, budget - cost) if cost < STUB_TOKENS else ""
            shown = f"{text}\n{more}".strip() if more else text
            if self._fits(head + shown, self._counts.of(head + shown)):
                yield self._passage(section, 0, (0, len(text)), head, identity_head, shown)
                return
        for index, (start, end) in enumerate(self._spans(text, head, budget)):
            shown = text[start:end]
            yield self._passage(section, index, (start, end), head, identity_head, shown)

    def _passage(
        self, section: Section, index: int, span: Span, head: str, identity_head: str, shown: str
    ) -> Passage:
        text = (head + shown).rstrip()
        identity = (identity_head + shown).rstrip() if shown or identity_head else text
        return Passage(section.ordinal, index, span, text, identity)

    def _heads(self, crumbs: Sequence[str]) -> tuple[str, str]:
        """Return the breadcrumb to embed and the one that is part of the passage's identity."""
        head = f"[{' > '.join([self._title, *crumbs])}] "
        if not self._note.title_from_name:
            return head, head
        return head, f"[{' > '.join(crumbs)}] " if crumbs else ""

    def _has_breadcrumb(self, section: Section) -> bool:
        """Return whether the heading path says more than the title."""
        if self._note.title_from_name and section.level and section.heading:
            return True
        return section.path != (self._note.title,)

    def _crumbs(self, path: Sequence[str]) -> list[str]:
        """Return ``path`` within an eighth of the window: drop the middle first, then shorten."""
        limit = self._room // 8
        crumbs = list(path)
        if self._counts.of(" > ".join(crumbs)) <= limit:
            return crumbs
        if len(crumbs) > 2:
            crumbs = [crumbs[0], "…", crumbs[-1]]
            if self._counts.of(" > ".join(crumbs)) <= limit:
                return crumbs
            crumbs = ["…", crumbs[-1]]
        each = max(limit - 4, 1) // max(len(path[:2]), 1)
        return [self._shortened(crumb, each) for crumb in crumbs]

    def _shortened(self, heading: str, tokens: int) -> str:
        if self._counts.of(heading) <= tokens or not heading:
            return heading
        measured = MeasuredText(heading, self._counts, tokens)
        _, end = measured.span(0, measured.fit(0, tokens, self._characters))
        return heading[:end]

    def _extension(self, section: Section, cost: int, room: int) -> str:
        """Return the text to add to a stub of ``cost`` tokens: the following sections, in ``room``.

        A heading with one line below it says too little to be found by meaning.
        """
        highest = section.level if cost < TINY_TOKENS else section.level + 1
        shown: list[str] = []
        first = section.ordinal + 1
        for follower in self._note.sections[first : first + STUB_FOLLOWERS]:
            if follower.level < highest or room <= STUB_TOKENS // 4:
                break
            added = f"{follower.heading}: {follower.text[: self._characters]}".strip(": ")
            cost = self._counts.of(added)
            if cost > room:
                measured = MeasuredText(added, self._counts, room)
                last = measured.fit(0, room, self._characters)
                _, end = measured.span(0, measured.best_end(last // 2, last))
                shown.append(added[:end])
                break
            shown.append(added)
            room -= cost
        return "\n".join(filter(None, shown))

    def _spans(self, text: str, head: str, budget: int) -> Iterator[Span]:
        """Yield overlapping spans that cover every word of ``text``, portion by portion."""
        for start, stop in portions(text):
            self._check()
            for first, end in self._spans_of_portion(text[start:stop], head, budget):
                yield start + first, start + end

    def _spans_of_portion(self, text: str, head: str, budget: int) -> Iterator[Span]:
        measured = MeasuredText(text, self._counts, budget)
        first = end = 0
        while end < len(measured):
            last = measured.fit(first, budget, self._characters)
            if last <= end:
                first = end
                last = measured.fit(first, budget, self._characters)
            first, end = self._fitted(measured, head, first, end, last)
            yield measured.span(first, end)
            first = measured.overlap_start(first, end, OVERLAP_WORDS, budget // 4)

    def _fitted(
        self, measured: MeasuredText, head: str, first: int, previous_end: int, last: int
    ) -> tuple[int, int]:
        """Return a run of atoms that fits and ends well; it may give up overlap to fit."""
        end = measured.best_end(max(previous_end, (first + last) // 2), last)
        cost = self._counts.of(head)
        while end - first > 1:
            start, stop = measured.span(first, end)
            estimate = cost + measured.sums[end] - measured.sums[first]
            if self._fits(head + measured.text[start:stop], estimate, exact=not measured.chopped):
                break
            if first < previous_end:
                first = previous_end
            else:
                end -= max((end - first) // 8, 1)
        return first, end

    def _fits(self, text: str, estimate: int, *, exact: bool = True) -> bool:
        """Return whether ``text`` fits; count it as a whole only if the estimate may be wrong."""
        if estimate > self._room:
            return False
        return (exact and self._counts.adds_up) or self._counts(text) <= self._room
