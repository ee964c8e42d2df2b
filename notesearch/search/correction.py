"""Corrects a query: misspelt words, abbreviated names, names of files."""

import math
import re
import string
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from urllib.parse import unquote

from notesearch.config import BUILTIN_MODEL, resources
from notesearch.files import read_bytes
from notesearch.function_words import FUNCTION_WORDS
from notesearch.markdown.sections.language_detection import query_language
from notesearch.results import Respelling
from notesearch.search.query import Filter, Groups, Query, Term, Without
from notesearch.search.query_resolution import COMMON, build_patterns, condition_of
from notesearch.search.variants import has_variant, with_variants
from notesearch.store.conditions import All, AnyOf, InSections, Matching, WithProperty
from notesearch.store.lexicon import Vocabulary
from notesearch.store.reader import Reader

_SHARE = 0.1
"""A language's function words are stop words if more than this share of the notes is in it."""

_ENGLISH_TOO = frozenset(
    """also art as come den dot fin for gen has hat her him man mas men met min mine no once or
    over par per plus pour set she sin sob son top van via vice war were won""".split()
)
"""Function words of other languages that are content words in English."""

_AFTER_A_NAME = ",;:!?"


def correct(query: Query, reader: Reader) -> Query:
    """Correct ``query`` with the words of the index.

    A word that no section has is replaced. A very rare word gets an alternative.
    """
    query = _with_signs(_unescaped(query, reader), reader)
    query = _with_names(_with_options(query, reader), reader)
    language = query_language(query.plain_text)
    respellings = _respellings(query, language, reader)
    query = replace(
        query,
        groups=tuple(tuple(_alternatives(group, respellings)) for group in query.groups),
        function_words=_function_words(language, reader),
        language=language,
    )
    return replace(
        query,
        searched=_with_file_names(with_variants(query.content, reader), reader),
        spelling=tuple(respellings.values()),
        suggestion=_suggestion(query, reader),
    )


# Texts that only look like something else

_MOST_OPTIONS = 16
"""At most this many excluded words are looked for. A pasted command hardly has more options."""

_LOOKED_AT = 20
"""Maximum number of sections whose text is searched for an excluded word with its minus."""

_LONGEST_COMMAND = 200
"""Maximum number of characters between a word of a command and an option."""

_FEWEST_SIGNS = 2
"""A single sign, such as a comma, is in nearly every section."""

_ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
_ADDRESS_OF_NOTE = re.compile(r"obsidian://[\w-]+\?(?:\S*&)?file(?:path)?=([^&\s]+)", re.IGNORECASE)


def _unescaped(query: Query, reader: Reader) -> Query:
    """Return ``query`` with the words of file names that are percent-encoded, as links have them.

    Obsidian's address of a note (``obsidian://open?vault=a&file=b%20c``) becomes the note's name. A
    name or address that notes have in this form stays as it is, and so does a web address.
    """
    groups: list[tuple[Term, ...]] = []
    for group in query.groups:
        term = group[0]
        link = _ADDRESS_OF_NOTE.match(term.text)
        name = link[1] if link else term.text
        is_encoded = _ESCAPE.search(name) and "://" not in name
        is_single = len(group) == 1 and not term.phrase
        if is_single and (link or is_encoded) and _is_new(term, reader):
            groups += ((Term(word),) for word in unquote(name).split())
        else:
            groups.append(group)
    return replace(query, groups=tuple(groups))


def _with_signs(query: Query, reader: Reader) -> Query:
    """Return ``query`` as a filter for its text if that has several signs and no word: ``=>``."""
    signs = query.text.strip('"')
    if len(signs) < _FEWEST_SIGNS or query.required or reader.lexicon.tokens(signs):
        return query
    ids = reader.rows.with_text(signs)
    found = Filter(signs, InSections(ids))
    return replace(query, groups=(), required=((found,),)) if ids else query


def _with_options(query: Query, reader: Reader) -> Query:
    """Return ``query`` with excluded words searched for, if notes have them with their minus.

    The query is then probably a pasted command, such as ``rm -rf build``.
    """
    words = dict.fromkeys(p for clause in query.required for p in clause if isinstance(p, Without))
    excluded = [p.part for p in words if isinstance(p.part, Term) and not p.part.phrase]
    looked_for = excluded[:_MOST_OPTIONS] if query.groups else []
    options = [term for term in looked_for if _is_option(term, query, reader)]
    if not options:
        return query
    required = tuple(c for c in query.required if c not in {(Without(term),) for term in options})
    groups = (*query.groups, *((Term(f"-{term.text}"),) for term in options))
    return replace(query, groups=groups, required=required)


def _is_option(term: Term, query: Query, reader: Reader) -> bool:
    """Return whether a section has ``term`` with its minus after a word of ``query``.

    Both must be in one line, because ``-john`` may be a signature. A number with its minus needs no
    word before it.
    """
    others = AnyOf(tuple(Matching(other.expression) for other in query.terms))
    has_both = All((Matching(term.expression), others))
    found = reader.rows.newest(has_both, _LOOKED_AT, _LOOKED_AT)
    words = "|".join(re.escape(word) for other in query.terms for word in other.text.split())
    command = rf"(?<!\w)(?i:{words})(?!\w).{{0,{_LONGEST_COMMAND}}}?"
    before = "" if term.text[0].isdigit() else command
    option = re.compile(rf"{before}(?<![\w-])[-\u2212]{re.escape(term.text)}(?!\w)")
    rows = reader.rows.sections(row.section_id for row in found)
    return any(option.search(row.body) for row in rows.values())


def _with_names(query: Query, reader: Reader) -> Query:
    """Return ``query`` with filters for words that are in no text.

    Such a word may be in the target of a link: "Lee" in ``[[Ann Lee|she]]``. With a colon, it may
    be the name of a property: ``rating: 4``. If no word is in a text, all may be such names.
    """
    words = [g[0].text if len(g) == 1 and not g[0].phrase else "" for g in query.groups]
    unknown = [n for n, group in enumerate(query.groups) if words[n] and _is_new(group[0], reader)]
    names = [word.rstrip(":") for word in words]
    named = [Filter(f"prop:{name}", WithProperty(name)) for name in names]
    if unknown and len(unknown) == len(words) and all(_matches((f,), reader) for f in named):
        return replace(query, groups=(), required=(*query.required, *((f,) for f in named)))
    found: dict[int, Filter] = {}
    for number in unknown:
        found |= _linked(words, number, reader)
    keys = (number for number in unknown if words[number].endswith(":"))
    found |= {number: named[number] for number in keys if _matches((named[number],), reader)}
    rest = [group for number, group in enumerate(query.groups) if number not in found]
    filters = tuple(dict.fromkeys(found.values()))
    words_left = replace(query, groups=tuple(rest))
    if not filters or not _matches(filters, reader, tuple(chain(*words_left.content))):
        return query
    return replace(words_left, required=(*query.required, *((f,) for f in filters)))


def _is_new(term: Term, reader: Reader) -> bool:
    patterns = build_patterns((term,), reader)
    return bool(patterns) and not reader.words.known(patterns[0].expression)


def _linked(words: Sequence[str], number: int, reader: Reader) -> dict[int, Filter]:
    """Return a filter for links with a word in their target, by the word's number.

    It is there also by the number of a neighbour that belongs to the name in the link.
    """
    runs = [range(number, number + 1), range(number - 1, number + 1), range(number, number + 2)]
    found: dict[int, Filter] = {}
    for run in runs:
        if run.start < 0 or run.stop > len(words) or not all(words[run.start : run.stop]):
            continue
        name = " ".join(words[run.start : run.stop])
        link = Filter(name, reader.links.with_words(name))
        if _matches((link,), reader):
            found = dict.fromkeys(run, link)
        elif len(run) == 1:
            break  # no longer name has the word, either
    return found


def _matches(filters: Iterable[Filter], reader: Reader, terms: Sequence[Term] = ()) -> bool:
    """Return whether a section matches all ``filters``, and one of ``terms`` if there are any."""
    conditions = tuple(each.condition for each in filters)
    words = (condition_of(terms, reader),) if terms else ()
    return reader.rows.has_match(All((*conditions, *words)))


def _function_words(language: str, reader: Reader) -> frozenset[str]:
    """Return the function words of the languages, other than English, that many notes are in.

    ``language`` is that of the query. If many notes are in English, words such as "war" that are
    content words in English are left out, unless many notes are in the query's language.
    """
    notes = reader.lexicon.languages()
    least = _SHARE * sum(notes.values())
    others = [name for name, count in notes.items() if count > least and name != "en"]
    words = frozenset[str]().union(*(FUNCTION_WORDS.get(name, ()) for name in others))
    if language in others or notes.get("en", 0) <= least:
        return words
    return words - _ENGLISH_TOO


# Misspelt words
#
# A slip is a typing error: a letter added, missing or wrong, or two neighbouring letters swapped
# (Damerau 1964).

_RARE = 1
"""A word in at most this many sections may be a typing error in the notes."""

_FREQUENT = 20
"""A rare word of the notes is corrected only to a word in at least this many sections: a word in so
many sections is hardly a typing error itself."""

_MOST_CORRECTED = 8
"""At most this many words are corrected: a pasted text in another language has dozens of words that
the notes lack, and looking for similar ones takes 5 ms for each."""

_COMPARED = 4
_LONGEST = 24
_SHORTEST = 4
_TWO_SLIPS_FROM = 8
_NEAREST = 96

_OFTEN = 0.12
"""Discount for a word in ten times as many sections."""

_KEYS = {
    key: (row, column + row * 0.5)
    for row, keys in enumerate(("qwertyuiop", "asdfghjkl", "zxcvbnm"))
    for column, key in enumerate(keys)
}
"""The place of each letter on the keyboard: its row, and how far to the right it is."""


def _respellings(query: Query, language: str, reader: Reader) -> dict[Term, Respelling]:
    """Return the corrections of the misspelt words of ``query``."""
    respellings: dict[Term, Respelling] = {}
    unquoted = (t for t in query.terms if not t.phrase and t.text not in query.known)
    doubtful = (term for term in unquoted if _is_doubtful(term, reader))
    for term in islice(doubtful, _MOST_CORRECTED):
        others = [other for other in query.terms if other != term]
        respelling = _respelling(term, others, language, reader)
        if respelling:
            respellings[term] = respelling
    return respellings


def _alternatives(group: Iterable[Term], respellings: Mapping[Term, Respelling]) -> Iterator[Term]:
    for term in group:
        respelling = respellings.get(term)
        if respelling is None or respelling.also:
            yield term
        if respelling is not None:
            yield Term(respelling.meant)


def _is_doubtful(term: Term, reader: Reader) -> bool:
    """Return whether ``term`` is one word that may be misspelt, as hardly any section has it."""
    tokens = reader.lexicon.tokens(term.text)
    if len(tokens) != 1:
        return False
    (start, end), stem = tokens[0]
    word = term.text[start:end]
    if not allowed_slips(stem) or not word.isalpha() or Term(word).is_stop_word:
        return False
    if is_common(word.lower()):
        return False
    _, sections = _sections_with(word, term, reader)
    return sections <= _RARE and not has_variant(term, reader)


def _sections_with(word: str, term: Term, reader: Reader) -> tuple[str, int]:
    """Return the FTS5 expression of ``word``, and the number of sections that match it.

    If ``term`` is unfinished, ``word`` is, too. Counting ends at ``COMMON`` + 1, as in retrieval,
    which then finds the count in the cache.
    """
    (pattern,) = build_patterns([replace(term, text=word)], reader)
    return pattern.expression, reader.words.count(pattern.expression, COMMON + 1)


def _respelling(
    term: Term, others: Sequence[Term], language: str, reader: Reader
) -> Respelling | None:
    """Return the correction of a doubtful ``term``; None if no similar word is found.

    It is the likeliest word that stands in a section with one of the ``others``, which are the
    other terms of the query; if none does, the likeliest of all. If the ``language`` of the query,
    or of the only note with the word, is known, only words from notes in it are corrections:
    "backt" in a German question does not become "back". Without ``others``, the term may also
    consist of the first letters of a note's name (see ``abbreviated_name``).
    """
    (start, end), stem = reader.lexicon.tokens(term.text)[0]
    word = term.text[start:end]
    expression, sections = _sections_with(word, term, reader)
    if sections and not language:
        language = _language_of(expression, reader)
    if not others and not sections:
        name = abbreviated_name(word, reader.rows.note_names_from(word[0]))
        if name:
            return Respelling(term.text, name)
    typed = _folded(word, reader)
    is_compound = is_made_of_common(word.lower())  # only a doubled letter is corrected: "formater"
    costs: dict[str, float] = {}
    for written, count in _candidates(typed, stem, language, reader).items():
        intended = _folded(written, reader)
        if (
            is_mistyped(typed, intended)
            and not Term(written).is_stop_word
            and (not sections or (count >= _FREQUENT and slips_between(typed, intended) == 1))
            and (not is_compound or is_doubled(typed, intended))
        ):
            costs[written] = cost(typed, intended, count)
    likeliest = sorted(costs, key=costs.__getitem__)
    beside = " OR ".join(other.expression for other in others if not other.is_stop_word)
    together = (
        word
        for word in likeliest
        if beside and reader.words.known(f"{Term(word).expression} AND ({beside})")
    )
    best = next(chain(together, likeliest), None)
    return Respelling(term.text, best, also=bool(sections)) if best else None


def _language_of(expression: str, reader: Reader) -> str:
    """Return the language of the newest note that matches ``expression``."""
    ids = [found.section_id for found in reader.rows.newest(Matching(expression), 1, 1)]
    notes = reader.rows.notes(place.note_id for place in reader.rows.places(ids).values())
    return next((note.language for note in notes.values()), "")


def _folded(word: str, reader: Reader) -> str:
    """Return the token of ``word``, without accents but not stemmed."""
    return reader.lexicon.tokens(word, begun=True)[0][1]


def _candidates(typed: str, stem: str, language: str, reader: Reader) -> dict[str, int]:
    """Return words that ``typed`` may stand for, in lower case, each with its number of sections.

    Only notes in ``language`` or in an unknown one count; if ``language`` is empty, all notes.

    A typing error in the ending can keep the stemmer from cutting it off, as in "renovaton". So not
    only stems near ``stem`` are looked up, but also words one error away from ``typed``.
    """
    near = nearest_stems(typed, stem, allowed_slips(typed), reader.lexicon.vocabulary())
    candidates = {
        word.lower(): sections
        for term, sections in near.items()
        for word in reader.lexicon.spellings(term, language)
    }
    if typed.isascii() and len(typed) <= _LONGEST:
        candidates |= _one_slip_away(typed, stem, language, reader)
    return candidates


def _one_slip_away(typed: str, stem: str, language: str, reader: Reader) -> dict[str, int]:
    guesses = list(dict.fromkeys(one_slip_from(typed)))
    count = reader.lexicon.vocabulary().count
    stems: dict[str, str] = {}
    for guess, (_, forms) in zip(
        guesses, reader.lexicon.query_forms(" ".join(guesses)), strict=True
    ):
        likeliest = max(forms, key=count)
        if likeliest != stem and count(likeliest):
            stems[guess] = likeliest
    candidates: dict[str, int] = {}
    for guess in sorted(stems, key=lambda g: cost(typed, g, count(stems[g])))[:_COMPARED]:
        spellings = map(str.lower, reader.lexicon.spellings(stems[guess], language))
        words = [word for word in spellings if _folded(word, reader) == guess]
        is_english = language in {"", "en"} and is_common(guess)
        if not words and is_english and reader.lexicon.spellings(stems[guess], "en"):
            words = [guess]  # another form of a word that notes have
        candidates |= dict.fromkeys(words, count(stems[guess]))
    return candidates


def allowed_slips(word: str) -> int:
    """Return how many typing errors may be corrected in ``word``; 0 for none."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return 2 if len(word) >= _TWO_SLIPS_FROM else 1


def nearest_stems(word: str, stem: str, slips: int, vocabulary: Vocabulary) -> Mapping[str, int]:
    """Return a few stems that ``word`` may be a misspelling of, nearest first.

    Each comes with the number of sections that have it. ``stem`` is the stem of ``word``. The
    returned stems differ from it by 1 to ``slips`` typing errors, and begin with the first or the
    second letter of ``word``. If there are none, the first letter may be mistyped: they then begin
    with a letter whose key is next to the first key of ``word``. In a large vocabulary, or if
    ``stem`` is short, this is then the only error. At last, only the first letter is missing.
    """

    def near(letters: str, slips: int) -> list[str]:
        lengths = range(len(stem) - slips, len(stem) + slips + 1)
        choices = vocabulary.near(letters, lengths)
        return [term for term in closest(stem, choices, slips, _NEAREST) if term != stem]

    found = near(word[:2], slips)
    if not found:
        neighbours = "".join(key for key in _KEYS if key != word[0] and _is_beside(word[0], key))
        if allowed_slips(stem) == 1 or vocabulary.is_large:
            found = vocabulary.existing(with_other_start(stem, neighbours))
        else:
            found = near(neighbours, allowed_slips(stem))
    if not found and len(word) > _SHORTEST:
        found = vocabulary.existing(letter + stem for letter in string.ascii_lowercase)
    costs = {term: cost(stem, term, vocabulary.sections[term]) for term in found}
    best = sorted(costs, key=costs.__getitem__)[:_COMPARED]
    return {term: vocabulary.sections[term] for term in best}


def _is_beside(key: str, other: str) -> bool:
    if key not in _KEYS or other not in _KEYS:
        return False
    (row, column), (other_row, other_column) = _KEYS[key], _KEYS[other]
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


def with_other_start(stem: str, letters: str) -> Iterator[str]:
    """Yield every string one error away from ``stem`` that begins with one of ``letters``.

    ``stem`` begins with another letter, so the error is at its start and the rest is known.
    """
    first, rest = stem[0], stem[1:]
    for letter in letters.replace(first, ""):
        if rest[0] == letter:
            yield rest
            yield rest[0] + first + rest[1:]
        yield letter + rest
        yield letter + stem


def one_slip_from(word: str) -> Iterator[str]:
    """Yield every string one typing error away from ``word`` that has the same first letter."""
    for at in range(1, len(word) + 1):
        before, letter, after = word[:at], word[at : at + 1], word[at + 1 :]
        if letter:
            yield before + after
        if after:
            yield before + after[0] + letter + after[1:]
        for other in string.ascii_lowercase:
            yield before + other + letter + after
            if letter and other != letter:
                yield before + other + after


def is_mistyped(typed: str, intended: str) -> bool:
    """Return whether ``typed``, a word that no note has, is a likely misspelling of ``intended``.

    In a word of four letters, only a missing letter or two swapped letters are likely errors;
    otherwise it is usually a different word. An extra first letter is likely only if its key is
    beside the key of the next letter: "wget" is not "get".
    """
    if slips_between(typed, intended) > allowed_slips(typed):
        return False
    if len(typed) == _SHORTEST:
        return len(intended) > _SHORTEST or sorted(typed) == sorted(intended)
    if typed[1:] == intended:
        return typed[0] == typed[1] or _is_beside(typed[0], typed[1])
    return True


def is_doubled(typed: str, intended: str) -> bool:
    """Return whether ``typed`` has two equal letters where ``intended`` has one, or the reverse."""
    shorter, longer = sorted((typed, intended), key=len)
    return len(longer) == len(shorter) + 1 and any(
        longer[at] == longer[at - 1] and longer[:at] + longer[at + 1 :] == shorter
        for at in range(1, len(longer))
    )


def slips_between(one: str, other: str) -> int:
    """Return how many letters are added, missing, wrong or swapped between the two words."""
    from rapidfuzz import distance  # most searches do not need it

    return distance.OSA.distance(one, other)


def closest(word: str, others: Collection[str], slips: int, limit: int) -> list[str]:
    """Return the ``others`` at most ``slips`` errors away from ``word``, nearest first."""
    from rapidfuzz import distance, process

    scorer = distance.OSA.distance
    near = process.extract(word, others, scorer=scorer, score_cutoff=slips, limit=limit)
    return [name for name, _, _ in near]


def cost(typed: str, intended: str, sections: int) -> float:
    """Return the cost of taking ``typed`` for ``intended``, a word in ``sections`` sections.

    It is the number of typing errors, less for a frequent word. If the error is a doubled letter,
    or a letter that should be doubled, the word counts as if a hundred times as many sections had
    it. The word with the least cost is the likeliest.
    """
    likely = math.log10(max(1, sections)) + 2 * is_doubled(typed, intended)
    return slips_between(typed, intended) - _OFTEN * likely


def _suggestion(query: Query, reader: Reader) -> str:
    """Return ``Query.suggestion``."""
    text = query.text
    phrases = (term.text for term in query.terms if term.phrase)
    for word in dict.fromkeys(word for phrase in phrases for word in phrase.split()):
        term = Term(word, prefix=True)
        is_doubtful = _is_doubtful(term, reader)
        respelling = _respelling(term, (), query.language, reader) if is_doubtful else None
        if respelling and not respelling.also:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", respelling.meant, text)
    return "" if text == query.text else text


# Abbreviated names: "smco" stands for "Smart Connections"

_FEWEST_LETTERS = 4
_MOST_LETTERS = 8
_MOST_WORDS = 6
_WORD = re.compile(r"[^\W_]+")


def abbreviated_name(typed: str, notes: Iterable[tuple[str, str]]) -> str:
    """Return the title of the note whose name ``typed`` abbreviates; empty without one.

    ``notes`` are pairs of path and title. Each word of the name gives one or more of its first
    letters, in order; function words may be left out. Among several notes, the one with the
    shortest title is chosen.
    """
    letters = typed.casefold()
    if not (_FEWEST_LETTERS <= len(letters) <= _MOST_LETTERS and letters.isalpha()):
        return ""
    titles = [title for path, title in notes if _is_meant(letters, path, title)]
    return min(titles, key=len, default="")


def _is_meant(letters: str, path: str, title: str) -> bool:
    file_stem = path.rpartition("/")[2].rpartition(".")[0]
    names = (name for name in (title, file_stem) if name[:1].casefold() == letters[0])
    return any(stands_for(letters, _words(name)) for name in names)


def _words(name: str) -> list[str]:
    words = [word for word in _WORD.findall(name.casefold()) if not Term(word).is_stop_word]
    return words if 1 < len(words) <= _MOST_WORDS else []


def stands_for(letters: str, words: Sequence[str]) -> bool:
    """Return whether ``letters`` consist of the beginnings of all ``words``, in order."""
    if not words:
        return not letters
    most = len(letters) - len(words) + 1
    return any(
        words[0].startswith(letters[:n]) and stands_for(letters[n:], words[1:])
        for n in range(1, most + 1)
    )


def _with_file_names(groups: Groups, reader: Reader) -> Groups:
    """Return ``groups`` with the names of files also without their type: "ideas" for "ideas.md".

    A type alone is left out: the parentheses of "notes (old).md" part ".md" from the name.
    """
    types = reader.rows.suffixes()
    named = [tuple(chain.from_iterable(_without_type(t, types) for t in group)) for group in groups]
    return tuple(filter(None, named)) or groups


def _without_type(term: Term, types: Sequence[str]) -> tuple[Term, ...]:
    stem, dot, suffix = term.text.rstrip(_AFTER_A_NAME).rpartition(".")
    if term.phrase or not dot or f".{suffix}".lower() not in types:
        return (term,)
    return (term, Term(stem)) if stem else ()


def is_common(word: str) -> bool:
    """Return whether ``word`` is a common English word or name. It must be in lower case."""
    vocabulary = _vocabulary(resources() / "models" / BUILTIN_MODEL / "vocab.txt")
    return word.isalpha() and b"\n%b\n" % word.encode() in vocabulary


_ENDINGS = "ers er ors or ing ed es s able ible less ful ness ment ly back".split()
_BEGINNINGS = (
    "anti auto back fore front inter micro mini multi over pre sub super under out".split()
)
_SHORTEST_BASE = 4
"""Minimum number of letters before an ending, with a doubled consonant: the "sett" of "setter"."""


def is_made_of_common(word: str) -> bool:
    """Return whether ``word``, in lower case, is a common word with another beginning or ending."""
    return any(map(is_common, _without_ending(word))) or any(
        word.startswith(start) and len(word) > len(start) + 2 and is_common(word[len(start) :])
        for start in _BEGINNINGS
    )


def _without_ending(word: str) -> Iterator[str]:
    for ending in _ENDINGS:
        base = word.removesuffix(ending)
        if base == word or len(base) < _SHORTEST_BASE or base[-1] == ending[0]:
            continue
        yield base
        if ending[0] in "aei":
            yield f"{base}e"  # the ending may have replaced the "e"
            if base[-1] == base[-2] != base[-3]:
                yield base[:-1]


@cache
def _vocabulary(file: Path) -> bytes:
    """Return the model's tokens, one per line; empty if the file is missing.

    A set would take 15 times as much memory, and more time to build than to search these bytes.
    """
    try:
        return b"\n%b\n" % read_bytes(file).replace(b"\r\n", b"\n")
    except OSError:
        return b""
