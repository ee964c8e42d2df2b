"""What else may have been meant by a query that found nothing, for a person to say yes to.

Unlike the correction of misspelt words, which happens by itself, it looks into quoted phrases too
and goes one slip further.
"""

import re

from notesearch.search import spelling
from notesearch.search.query import Query
from notesearch.store.conditions import quoted
from notesearch.store.reader import Reader

_SHORTEST = 4
_MOST_SLIPS = 3
_COMPARED = 8


def suggestion(query: Query, reader: Reader) -> str:
    """Return the text of ``query`` with words that stand nowhere as the nearest that do.

    Empty where there is no such word, or none is near.
    """
    text = query.text
    for word in dict.fromkeys(word for term in query.terms for word in term.text.split()):
        meant = _meant(word, reader)
        if meant:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _, new=meant: new, text)  # type: ignore[misc]
    return "" if text == query.text else text


def _meant(word: str, reader: Reader) -> str:
    """Return the word of the notes that is nearest to ``word``, if that stands in none."""
    cut = reader.lexicon.tokens(word)
    if len(cut) != 1 or len(word) < _SHORTEST or not word.isalpha():
        return ""
    if reader.words.count(quoted(word, prefix=True), 1):
        return ""
    typed, stem = reader.lexicon.tokens(word, begun=True)[0][1], cut[0][1]
    slips = min(_MOST_SLIPS, spelling.slips_in(stem) + 1)
    near = list(spelling.near(typed, stem, slips, reader.lexicon.vocabulary()))[:_COMPARED]
    known = {form.lower() for term in near for form in reader.lexicon.written(term)}
    best = min(
        known, key=lambda form: (spelling.slips_between(word.lower(), form), form), default=""
    )
    return best if best and spelling.slips_between(word.lower(), best) <= slips else ""
