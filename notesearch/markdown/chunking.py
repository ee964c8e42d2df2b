"""Sections -> passages: pieces of text that fit the embedding model's window, none lost."""

from collections.abc import Callable, Iterator, Sequence

from notesearch.markdown.atoms import Atoms, PieceCounts
from notesearch.markdown.portions import Check, carry_on, portions
from notesearch.notes import HeadingPath, Note, Passage, Section, Span

SPECIAL_PIECES = 2
OVERLAP_WORDS = 35
STUB_PIECES = 65
"""Less is a stub; alone, it cost 7 of 100 labelled questions to documentation the top rank."""
TINY_PIECES = 25
"""Less is shown with sections beside it too, a longer stub only with those below it."""
STUB_FOLLOWERS = 12
CHARACTERS_PER_PIECE = 16


def chunk(
    note: Note, count_pieces: Callable[[str], int], window: int, check: Check = carry_on
) -> tuple[Passage, ...]:
    """Cut the sections of ``note`` into passages for a model that reads ``window`` word pieces.

    Args:
        note: The parsed note.
        count_pieces: Word pieces of a text, special pieces left out; ``PieceCounts`` of a model
            are kept from note to note.
        window: Word pieces a passage may have, special pieces included.
        check: Called now and then.
    """
    return tuple(_Chunker(note, count_pieces, window, check).passages())


def heading_paths(
    note: Note, count_pieces: Callable[[str], int], window: int, check: Check = carry_on
) -> tuple[HeadingPath, ...]:
    """Return what of each section's place in ``note`` is embedded; arguments as for ``chunk``."""
    return tuple(_Chunker(note, count_pieces, window, check).heading_paths())


class _Chunker:
    """Chunks one note."""

    def __init__(
        self, note: Note, count_pieces: Callable[[str], int], window: int, check: Check
    ) -> None:
        self._note = note
        self._check = check
        if not isinstance(count_pieces, PieceCounts):
            count_pieces = PieceCounts(count_pieces)
        self._counts = count_pieces
        self._room = max(window - SPECIAL_PIECES, 1)
        self._characters = self._room * CHARACTERS_PER_PIECE
        # A title that is only the file's name may change without a new embedding: what it may
        # take is set apart, so that the cuts do not move with it.
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
        """Yield the title that the note gives itself, and the headings, of every section in order.

        A file's name is no such title: it may change without a new embedding, and what other notes
        share must not hold the name of one.
        """
        title = () if self._note.title_from_name else (self._title,)
        for section in self._note.sections:
            self._check()
            named = section.path != (self._note.title,)
            crumbs = self._crumbs(section.path) if named else []
            shown = (*title, *crumbs)
            # Up to index version 17 "path" alone stood for headings below any file's name.
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
            more = self._extension(section, cost, budget - cost) if cost < STUB_PIECES else ""
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
        """Return the breadcrumb that is embedded and the one that decides the identity."""
        head = f"[{' > '.join([self._title, *crumbs])}] "
        if not self._note.title_from_name:
            return head, head
        return head, f"[{' > '.join(crumbs)}] " if crumbs else ""

    def _has_breadcrumb(self, section: Section) -> bool:
        """Tell whether the path says more than the title does."""
        if self._note.title_from_name and section.level and section.heading:
            return True
        return section.path != (self._note.title,)

    def _crumbs(self, path: Sequence[str]) -> list[str]:
        """Return ``path`` cut to an eighth of the window: its middle first, then each end."""
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

    def _shortened(self, heading: str, pieces: int) -> str:
        if self._counts.of(heading) <= pieces or not heading:
            return heading
        atoms = Atoms(heading, self._counts, pieces)
        _, end = atoms.span(0, atoms.fit(0, pieces, self._characters))
        return heading[:end]

    def _extension(self, section: Section, cost: int, room: int) -> str:
        """Return what follows a stub of ``cost`` pieces, while there is room.

        A heading with a line below it says too little to be found by meaning.
        """
        highest = section.level if cost < TINY_PIECES else section.level + 1
        shown: list[str] = []
        first = section.ordinal + 1
        for follower in self._note.sections[first : first + STUB_FOLLOWERS]:
            if follower.level < highest or room <= STUB_PIECES // 4:
                break
            added = f"{follower.heading}: {follower.text[: self._characters]}".strip(": ")
            cost = self._counts.of(added)
            if cost > room:
                atoms = Atoms(added, self._counts, room)
                last = atoms.fit(0, room, self._characters)
                _, end = atoms.span(0, atoms.best_end(last // 2, last))
                shown.append(added[:end])
                break
            shown.append(added)
            room -= cost
        return "\n".join(filter(None, shown))

    def _spans(self, text: str, head: str, budget: int) -> Iterator[Span]:
        """Yield overlapping spans that cover every word of ``text``; portions do not overlap."""
        for start, stop in portions(text):
            self._check()
            for first, end in self._spans_of_portion(text[start:stop], head, budget):
                yield start + first, start + end

    def _spans_of_portion(self, text: str, head: str, budget: int) -> Iterator[Span]:
        atoms = Atoms(text, self._counts, budget)
        first = end = 0
        while end < len(atoms):
            last = atoms.fit(first, budget, self._characters)
            if last <= end:
                first = end
                last = atoms.fit(first, budget, self._characters)
            first, end = self._fitted(atoms, head, first, end, last)
            yield atoms.span(first, end)
            first = atoms.overlap_start(first, end, OVERLAP_WORDS, budget // 4)

    def _fitted(
        self, atoms: Atoms, head: str, first: int, before: int, last: int
    ) -> tuple[int, int]:
        """Return a run that ends well and fits; ``before`` is where the previous one ended."""
        end = atoms.best_end(max(before, (first + last) // 2), last)
        cost = self._counts.of(head)
        while end - first > 1:
            start, stop = atoms.span(first, end)
            estimate = cost + atoms.sums[end] - atoms.sums[first]
            if self._fits(head + atoms.text[start:stop], estimate, certain=not atoms.chopped):
                break
            if first < before:
                first = before
            else:
                end -= max((end - first) // 8, 1)
        return first, end

    def _fits(self, text: str, estimate: int, *, certain: bool = True) -> bool:
        """Tell whether ``text`` fits; it is counted whole only where the sum of words may err."""
        if estimate > self._room:
            return False
        return (certain and self._counts.adds_up) or self._counts(text) <= self._room
