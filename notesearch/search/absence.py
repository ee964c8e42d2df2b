"""Why a note is not among the results of a query, or which place it has."""

from collections.abc import Callable

from notesearch.results import Mode, SearchResult
from notesearch.search.grammar import parse
from notesearch.search.query import Query, Term, Without
from notesearch.sentences import Sentence

_RANKED = 500
"""Notes among which a rank is looked for."""

Search = Callable[..., SearchResult]
"""``NoteLibrary.search``."""


def absence(search: Search, text: str, path: str, within: str = "") -> tuple[Sentence, ...]:
    """Return the rank of the note at ``path`` for the query ``text``, or why it has none.

    ``within`` is the folder that is searched.
    """
    found = search(text, limit=_RANKED, per_note=1, within=within).notes
    for rank, note in enumerate(found, 1):
        if note.path == path:
            section = note.sections[0].section
            return (Sentence("absence_ranked", rank=rank, count=len(found), section=section),)
    query = parse(f"{text} ")
    unmet = tuple(one for one in _filters(query) if not _has(search, one, path))
    held = tuple(one for one in query.excluded if _has(search, f'"{one}"', path))
    reasons = []
    if unmet:
        reasons.append(Sentence("absence_filtered", filters=unmet))
    if held:
        reasons.append(Sentence("absence_excluded", words=held))
    if query.terms and not any(_has(search, term.text, path) for term in query.terms):
        reasons.append(Sentence("absence_wordless"))
    return tuple(reasons) or (Sentence("absence_beyond", count=_RANKED),)


def _filters(query: Query) -> tuple[str, ...]:
    """Return the clauses that every result must fulfil, as typed, except excluded words."""
    return tuple(
        typed
        for typed, clause in zip(query.filters, query.required, strict=True)
        if not any(isinstance(one, Without) and isinstance(one.part, Term) for one in clause)
    )


def _has(search: Search, text: str, path: str) -> bool:
    return bool(search(f"{text} ", limit=1, within=path, mode=Mode.WORDS).sections)
