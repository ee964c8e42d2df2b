"""Asks the store for sections by meaning, and says in its language what stands for a word."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from notesearch.search.matching import Pattern
from notesearch.store.conditions import Condition, quoted
from notesearch.store.reader import Reader
from notesearch.store.rows import MeaningHit
from notesearch.store.tokenizer import is_single_unspaced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cancelled = Callable[[], bool] | None

SIMILAR = 0.25
"""Least cosine of a passage that is worth showing."""


SIMILAR_ALONE = 0.31
"""Least cosine of the nearest passage where no section holds any word of the query: nonsense comes
as near as 0.305, right answers begin at 0.31 (docs/quality.md)."""


def by_meaning(
    reader: Reader,
    vector: "NDArray[np.float32]",
    condition: Condition | None,
    limit: int,
    cancelled: Cancelled,
) -> tuple[MeaningHit, ...]:
    """Rank sections by their passage nearest to ``vector``; far ones are left out.

    Args:
        reader: Of the index.
        vector: Of the query, shape (dimensions,).
        condition: What sections must fulfil; None for all.
        limit: Passages that are looked at.
        cancelled: Asked from time to time: whether to end.

    Raises:
        SearchCancelledError: ``cancelled()`` became true.
    """
    best: dict[int, MeaningHit] = {}
    for hit in reader.vectors.nearest(vector, limit, cancelled, condition):
        if hit.similarity >= SIMILAR:
            best.setdefault(hit.section_id, hit)
    return tuple(best.values())


_PIECES_OF_A_LETTER = 0.75
"""More is spelling: the model knows the letters of a word and not the word."""


_IN_CODE = re.compile(r"\w(?:[_.:/\\@#$]+|\(\)\.?)\w|\w\(\)|[a-z][A-Z]|[^\W\d]\d")
"""Signs inside a word, brackets after it, capitals or digits in it: a name, as programs have."""


def understood(text: str, count_pieces: Callable[[str], int]) -> float:
    """Return the share, 0 to 1, of the letters of ``text`` that are in words the model may know.

    A model has a piece of its own for what it learned often. A word of another language or script
    falls into its letters, and its vector says nothing; nor does that of a name in code.

    Args:
        text: What is asked.
        count_pieces: Of the model.
    """
    letters = known = 0
    for written in text.split():
        in_code = _IN_CODE.search(written) is not None
        for (alphabetic, unspaced), run in groupby(written, _kind):
            word = "".join(run)
            if alphabetic and (unspaced or len(word) > 1):
                letters += len(word)
                known += len(word) * (not in_code and _is_known(word, count_pieces))
    return known / letters if letters else 1.0


def _is_known(word: str, count_pieces: Callable[[str], int]) -> bool:
    pieces = count_pieces(word)
    # What has no pieces at all, not even letters, is one unknown thing, however long it is.
    return pieces <= _PIECES_OF_A_LETTER * len(word) and count_pieces(2 * word) > pieces


def _kind(character: str) -> tuple[bool, bool]:
    return character.isalpha(), is_single_unspaced(character)


def parts(pattern: Pattern) -> list[tuple[str, str]]:
    """Return what of a term is worth finding alone, as typed and as an FTS5 expression.

    That is the term itself, or each telling word of an unquoted run such as "state-of-the-art",
    or each pair of characters of a run without spaces.
    """
    if pattern.term.phrase or pattern.whole or len(pattern.tokens) == 1:
        return [(pattern.term.text, expression(pattern))]
    return [(piece, _part(pattern, piece)) for piece in pattern.parts]


def _part(pattern: Pattern, piece: str) -> str:
    if piece == pattern.pieces[-1]:
        joined = [quoted(pattern.joined)] if pattern.joined else []
        return f"({' OR '.join(_endings(pattern) + joined)})"
    return quoted(piece, prefix=is_single_unspaced(piece))


def expression(pattern: Pattern) -> str:
    """Return the FTS5 expression of a term; all that was typed is quoted in it."""
    head = "".join(f"{quoted(piece)} + " for piece in pattern.pieces[:-1])
    runs = [head + end for end in _endings(pattern)]
    runs += [quoted(pattern.joined)] if pattern.joined else []
    return f"({' OR '.join(runs)})"


def phrase(patterns: Sequence[Pattern], begins_many: Callable[[str], bool]) -> str:
    """Return the FTS5 expression of ``patterns`` one after the other.

    The last may go on while it is typed, unless it ``begins_many`` words: that takes longest.
    """
    *before, last = (piece for pattern in patterns for piece in pattern.pieces)
    prefix = bool(patterns[-1].begun) and not begins_many(last)
    return "".join(f"{quoted(piece)} + " for piece in before) + quoted(last, prefix=prefix)


def _endings(pattern: Pattern) -> list[str]:
    """Return the expressions of what the last word of a term may be."""
    last = pattern.pieces[-1]
    begun = (last, *pattern.begun_otherwise) if pattern.begun else ()
    found = [quoted(beginning, prefix=True) for beginning in begun]
    found.append(quoted(last, prefix=is_single_unspaced(pattern.tokens[-1])))
    return found + [quoted(whole) for whole in pattern.endings]
