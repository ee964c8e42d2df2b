"""Resolves a corrected query against the index: patterns to rank by, and a condition to match."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from notesearch.notes import Span
from notesearch.search.patterns import Pattern, Punctuation, Word
from notesearch.search.query import (
    ELIDED,
    Clause,
    Either,
    Filter,
    Query,
    Term,
    Tree,
    Without,
    is_stop_word,
)
from notesearch.search.variants import AFTER_KOREAN
from notesearch.store.conditions import All, AnyOf, Condition, LinksTo, Not, Within, joined, quoted
from notesearch.store.folding import ZWNJ
from notesearch.store.reader import Reader
from notesearch.store.web_addresses import MAILBOX, WHOLE_ADDRESS, possible_targets
from notesearch.store.word_cutting import (
    UNSPACED_RUN,
    holds_word,
    is_single_unspaced,
    numbers_as_words,
)

COMMON = 500
"""A word that is in more sections is common."""


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """The patterns and conditions to look up in the index.

    Attributes:
        parsed: The corrected query.
        groups: The patterns that rank sections. The patterns of one group are alternatives.
        condition: The condition that every result must match; None for all sections.
        missing: Quoted phrases, dates and addresses that no section has and no file is called.
            Their words are among the groups, like those of a phrase that is the name of a file.
        stop_word_phrase: A query of stop words as one phrase, an FTS5 expression; else empty.
    """

    parsed: Query
    groups: tuple[tuple[Pattern, ...], ...]
    condition: Condition | None
    missing: tuple[str, ...]
    stop_word_phrase: str

    @property
    def is_only_filters(self) -> bool:
        """Whether the query has filters but no terms to rank by."""
        return self.condition is not None and not self.parsed.groups

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all groups, each once."""
        return tuple(dict.fromkeys(chain(*self.groups)))


def resolve(query: Query, reader: Reader, folder: str = "") -> ResolvedQuery:
    """Resolve a corrected query for sections in ``folder``, or in the note of this path.

    A quoted phrase is required, unless no section has it: then its words rank like all others.
    """
    conditions = [condition_of(clause, reader) for clause in query.required]
    groups: list[tuple[Pattern, ...]] = []
    missing: list[str] = []
    for terms in query.searched:
        phrase = terms[0] if len(terms) == 1 and terms[0].phrase else None
        group = build_with_links(terms, reader)
        if phrase and group:
            has_phrase = group[0].condition
            if not reader.rows.has_match(has_phrase):
                if not reader.rows.named(phrase.text, 1):
                    missing.append(phrase.text)
                words = build_with_links(_content_words(phrase), reader)
                groups += [(word,) for word in words]
                continue
            conditions.append(has_phrase)
        if group and not phrase and _MEANT_AS_ONE.fullmatch(terms[0].text):
            if len(group) > 1:
                # Notes have "14.6." as "14 June": other places with a 14 and a 6 are chance.
                group = (replace(group[0], is_verbatim=True), *group[1:])
            elif terms[0].text.startswith(f"{group[0].term.text}.") or not (
                reader.rows.has_match(group[0].condition) or reader.rows.named(terms[0].text, 1)
            ):
                missing.append(terms[0].text.rstrip("."))
        groups.append(group)
    groups = [group for group in groups if group]
    if len(groups) > 1:
        groups = [tuple(_complete_if_frequent(p, reader) for p in group) for group in groups]
    if folder:
        conditions.append(Within(folder))
    return ResolvedQuery(
        query,
        tuple(groups),
        joined(*conditions),
        tuple(missing),
        build_stop_word_phrase(query.terms, reader),
    )


def _content_words(phrase: Term) -> list[Term]:
    words = [Term(word) for word in phrase.text.split()]
    words[-1] = Term(words[-1].text, prefix=phrase.prefix)
    return [word for word in words if not word.is_stop_word] or words


def _complete_if_frequent(pattern: Pattern, reader: Reader) -> Pattern:
    """Return ``pattern``; but if too many words begin with its last word, treat that as complete.

    This affects single letters and common words. Nearly every section has a word that begins with
    one of them. To look up all these words would take long, and would hardly distinguish sections.
    """
    if not pattern.beginning:
        return pattern
    complete = pattern.complete()
    is_letter = len(pattern.beginning) == 1 and pattern.beginning.isascii()
    if is_letter or reader.words.count(complete.expression, COMMON + 1) > COMMON:
        return complete
    return pattern


def condition_of(clause: Clause | Iterable[Tree], reader: Reader) -> Condition:
    """Return the condition that one of the alternatives in ``clause`` holds."""
    parts = tuple(_condition(part, reader) for part in clause)
    return parts[0] if len(parts) == 1 else AnyOf(parts)


def _condition(tree: Tree, reader: Reader) -> Condition:
    if isinstance(tree, Filter):
        return reader.links.looked_up(tree.condition)
    if isinstance(tree, Without):
        return Not(_condition(tree.part, reader))
    if isinstance(tree, Either):
        return condition_of(tree.parts, reader)
    if isinstance(tree, Term):
        patterns = build_with_links((tree,), reader)
        return patterns[0].condition if patterns else All(())
    return All(tuple(_condition(part, reader) for part in tree.parts))


# Terms as patterns

_TokenSpan = tuple[Span, str]
"""The span of a word in a text (characters), and its token: folded and stemmed."""

_INNER_SIGNS = re.compile(r"\+\+|#|(?<!\w)\.")
_MAY_BE_VERBATIM = re.compile(r"[^\W\d_]+-[\w-]*\w|[!-~]*(?:[\d_@\\]|\w[.&]\w|::|://)[!-~]*")
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}(?::\d+)?", re.IGNORECASE)
"""A version, or an address such as 10.0.0.1 and its port."""
_LAST_NUMBER = re.compile(r"[.:]\d+$")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-\d{1,4}|(?:-[^\W\d_]+){1,2})")
_SHORTENED = re.compile(
    "[\u0400-\u04ff\u05d0-\u05ea]+['’ʼ׳][\u0400-\u04ff\u05d0-\u05ea]+"
    rf"|\b[^\W\d_]+n['’]t\b|\b{ELIDED}|(?<=\w)['’](?:[^\W\d_]|re|ve|ll)\b",
    re.IGNORECASE,
)
"""A word, or a part of one, that means nothing alone: "can't", "l'" in "l'eau", "'s" in "Ann's".

An apostrophe in a Cyrillic or Hebrew word is like a letter, so all of the word counts.
"""


def build_patterns(terms: Iterable[Term], reader: Reader) -> tuple[Pattern, ...]:
    """Return the patterns of ``terms``; terms that are only punctuation have none."""
    patterns = (_build(term, reader) for term in terms)
    return tuple(pattern for pattern in patterns if pattern is not None)


def _build(term: Term, reader: Reader) -> Pattern | None:
    text = term.text
    tokens = reader.lexicon.tokens(text)
    words = reader.lexicon.query_forms(text)
    if not tokens:
        return None
    has_signs = _INNER_SIGNS.search(text) and [s for s, _ in tokens] != [s for s, _ in words]
    if has_signs and not reader.words.known(quoted(text, prefix=term.prefix)):
        # No note has the word with its punctuation: search for the word alone.
        return _build(replace(term, text=_INNER_SIGNS.sub(" ", text)), reader)
    is_wild = not term.phrase and _WITH_WILDCARDS.fullmatch(text) is not None
    matching = _matching_words(term, reader) if is_wild else ()
    if matching:
        return _matching_any(term, matching, reader)
    usual = "" if term.phrase else _usual_form(text, reader, prefix=term.prefix)
    if usual:
        return _build(replace(term, text=usual), reader)
    pieces = tuple(text[slice(*span)] for span in _joined_spans(words))
    is_verbatim = len(tokens) > 1 and _is_in_index(term, pieces, reader)
    joined, joined_tokens = _without_hyphens(term, reader)
    if not is_verbatim and not joined and _VERSION.fullmatch(text):
        # The single numbers of a version are everywhere. In place of "1.2.9:80", search for "1.2".
        shorter = _build(Term(_LAST_NUMBER.sub("", text)), reader)
        if shorter and shorter.is_verbatim:
            return shorter
    content = _worth_alone(words, text)
    if len(tokens) > 1:
        content += _lone_characters(content, text, reader)
    beginning = _beginning(pieces[-1], tokens[-1], words[-1], reader) if term.prefix else ""
    others = _completions(pieces[-1], beginning, reader) if beginning else {}
    if len(tokens) == 1 and not term.phrase:
        others |= {word: word for word in _longer_words(words[0][1], reader)}
    return Pattern(
        term=term,
        tokens=tuple(token for _, token in tokens),
        forms=tuple(frozenset(forms) for _, forms in words),
        pieces=pieces,
        beginning=beginning,
        other_words=tuple(others.values()),
        other_tokens=frozenset(others),
        content_words=tuple(dict.fromkeys(text[slice(*span)] for span, _ in content)),
        content_tokens=frozenset(form for _, forms in content for form in forms),
        joined=joined,
        joined_tokens=joined_tokens,
        # A question mark may end a sentence: "which?and why".
        is_verbatim=is_verbatim or (is_wild and "*" in text) or not content,
        punctuation=Punctuation.of(text, (tokens[0][0][0], tokens[-1][0][1])),
        other_beginnings=_with_small_word_beginning(beginning, reader) if beginning else (),
    )


def _matching_any(term: Term, words: Sequence[str], reader: Reader) -> Pattern | None:
    """Return a pattern for ``term`` that matches each of ``words``."""
    pattern = _build(Term(words[0]), reader)
    if pattern is None:
        return None
    if len(pattern.tokens) > 1:  # a run without spaces, which is found as a whole
        return replace(pattern, term=term, is_verbatim=True, other_words=tuple(words[1:]))
    forms = chain(*(forms for _, forms in reader.lexicon.query_forms(" ".join(words))))
    return replace(pattern, term=term, forms=(frozenset(forms),), other_words=tuple(words[1:]))


_WITH_WILDCARDS = re.compile(r"[^\W\d_]+(?:[*?]+[^\W\d_]+)+")


def _matching_words(term: Term, reader: Reader) -> tuple[str, ...]:
    """Return the words of the notes that ``term`` matches: "woman" and "women" for "wom*n".

    None are returned for a text that notes have as it is: ``char *argv``. An unfinished term may
    match the beginnings of words.
    """
    if reader.words.known(quoted(term.text)):
        return ()
    found = reader.lexicon.matching(term.text)
    if not found and term.prefix:
        return reader.lexicon.matching(f"{term.text}*")
    return found


def _worth_alone(words: Sequence[Word], text: str) -> list[Word]:
    """Return the ``words`` of a term that say enough to be looked up by themselves.

    Parts of a shortened form, such as the "t" of "can't", are left out. Stop words and pairs with a
    Chinese particle are left out, too, unless there are no other words.
    """
    short = [found.span() for found in _SHORTENED.finditer(text)]
    whole = [
        (span, forms)
        for span, forms in words
        if not any(start <= span[0] and span[1] <= end for start, end in short)
    ]
    written = ((text[slice(*word[0])], word) for word in whole)
    content = [
        word for letters, word in written if not is_stop_word(letters) and _PARTICLE not in letters
    ]
    return content or ([] if short else whole)


_PARTICLE = "的"
"""The Chinese particle for "of". A pair of characters that contains it is hardly ever a word."""

_OF_FUNCTION_WORDS = frozenset(
    "的了是在和与或吗呢吧么会该要不把被就都也很怎什为何哪"
    "谁这那有没能可以我你他她它们得地着过之其而且但"
)
"""The characters of the commonest Chinese function words."""

_WORD_OF_ONE = re.compile("[\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")
"""A character of a script in which one character may be a word: Han, or Hangul syllables."""


def _lone_characters(pairs: Sequence[Word], text: str, reader: Reader) -> list[Word]:
    """Return the characters of ``text`` that are in some of the ``pairs``, but in no known one.

    Each may be a word that notes have beside other characters: "换" in "何时换" and in "换弦".
    """
    known = set[int]()
    unknown = set[int]()
    for (start, end), _ in pairs:
        if UNSPACED_RUN.fullmatch(text, start, end) and end - start == 2:
            places = known if reader.words.known(quoted(text[start:end])) else unknown
            places.update((start, start + 1))
    lone = sorted(
        at
        for at in unknown - known
        if _WORD_OF_ONE.match(text[at]) and text[at] not in _OF_FUNCTION_WORDS
    )
    words = ((at, reader.lexicon.query_forms(text[at])) for at in lone)
    return [((at, at + 1), forms) for at, found in words for _, forms in found]


def _joined_spans(words: Sequence[Word]) -> list[Span]:
    spans: list[Span] = []
    for (start, end), _ in words:
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _is_in_index(term: Term, pieces: Sequence[str], reader: Reader) -> bool:
    """Return whether ``term``, as typed, is in the index: a version, an address, "run-time"."""
    if len(pieces) == 1 or not _MAY_BE_VERBATIM.fullmatch(term.text.strip("/.:")):
        return False
    *first, last = pieces
    head = "".join(f"{quoted(piece)} + " for piece in first)
    if reader.words.known(f"{head}{quoted(last)}"):
        return True
    # Very many words begin with a given single letter: looking these up takes longest.
    longer = f"{head}{quoted(last, prefix=True)}"
    return term.prefix and len(last) > 1 and reader.words.known(longer)


def _beginning(piece: str, token: _TokenSpan, word: Word, reader: Reader) -> str:
    """Return the unfinished last word, ``piece``, as words of the index begin with it.

    It is folded, but not stemmed; "c++" keeps its "++".
    """
    if word[0] != token[0]:
        return word[1][0]
    return reader.lexicon.tokens(piece, begun=True)[-1][1]


def _joined(text: str) -> str:
    """Return ``text`` as one word: "email" for "e-mail", "1250" for "1,250"; else an empty text.

    "3×4" becomes "3x4". A zero-width non-joiner, which parts Persian words, is left out.
    """
    if _HYPHENATED.fullmatch(text):
        return text.replace("-", "")
    if ZWNJ in text:
        return text.replace(ZWNJ, "")
    whole = (digits for start, end, digits in numbers_as_words(text) if end - start == len(text))
    return next(whole, "")


def _without_hyphens(term: Term, reader: Reader) -> tuple[str, frozenset[str]]:
    """Return ``term`` as one word in the index and its tokens, or nothing: "email" for "e-mail"."""
    joined = _joined(term.text)
    if not joined or not reader.words.known(quoted(joined)):
        return "", frozenset()
    return joined, frozenset(chain(*(forms for _, forms in reader.lexicon.query_forms(joined))))


_SHORTEST_STEM = 3
_STEMS_TRIED = 2
"""An unfinished word is completed by one of so many stems of the index, the longest ones. Of 1,310
unfinished words, 1,294 had the longest stem, and all others the next one."""

_DOUBLED = re.compile(r"^[a-z]{2,5}([bdfgmnprt])\1$", re.IGNORECASE)
"""A word typed as far as a doubled letter, such as "rigg" for "rigging". The stem is "rig"."""


def _completions(word: str, beginning: str, reader: Reader) -> dict[str, str]:
    """Return a word of the index that the unfinished ``word`` may become, by its stem.

    ``beginning`` is ``word``, folded. Stems that begin with it are found without this function, so
    only others count: "rigg" may become "rigging", whose stem is "rig". Nothing is returned if the
    index has ``word``, or if it has stems that begin so and ``word`` ends in no doubled letter.
    """
    # Ask for the word before the prefix: a prefix takes long, and mostly the word is there.
    if reader.words.known(quoted(word)):
        return {}
    if not _DOUBLED.search(word) and reader.words.known(quoted(word, prefix=True)):
        return {}
    stems = chain.from_iterable(
        (beginning[:end], f"{beginning[:end]}e")  # "make" is the stem of "making"
        for end in range(len(beginning) - 1, _SHORTEST_STEM - 1, -1)
    )
    spelt = ((stem, reader.lexicon.spellings(stem)) for stem in stems)
    longest = islice(((stem, words) for stem, words in spelt if words), _STEMS_TRIED)
    for stem, words in longest:
        for word_of_stem in words:
            if reader.lexicon.tokens(word_of_stem, begun=True)[0][1].startswith(beginning):
                return {stem: word_of_stem}
    return {}


# Hebrew and Arabic write "the", "and", "in", "to" as one with the next word. The index holds Hebrew
# words with these, so a search for "house" also looks for "the house". The stem of an Arabic
# noun has lost its article and an "in", but not an "and the", and not an "as" or "to" without an
# article. Those two are not tried before words of three letters: "speech" would be "as mother".

_SMALL_WORDS = (
    (re.compile("[א-ת]{3,}"), tuple("ה ו ב ל כ מ ש וה וב ול וכ ומ וש שה מה כש".split())),
    (re.compile("[\u0621-\u064a]{3,}"), ("وال", "فال")),
    (re.compile("[\u0621-\u064a]{4,}"), ("ب", "ك", "ل")),
)
"""Words of a script, and the small words that may be written before them."""

_WITH_ARTICLE = re.compile("[وفبك]?ال([\u0621-\u064a]{2,})")


def _longer_words(forms: Sequence[str], reader: Reader) -> list[str]:
    """Return compounds of the index that end with one of ``forms``, and ``_longer`` words."""
    compounds = [word for form in forms for word in reader.lexicon.compounds(form)]
    longer = dict.fromkeys(word for form in forms for word in _longer(form, reader, prefix=False))
    # The stem of a longer word may have lost its small word: then ``forms`` find it already.
    return compounds + [
        word
        for word in longer
        if set(forms).isdisjoint(
            form for _, found in reader.lexicon.query_forms(word) for form in found
        )
    ]


def _with_small_word_beginning(beginning: str, reader: Reader) -> tuple[str, ...]:
    """Return the beginnings of words that are searched, too, for one in Hebrew or Arabic.

    These are ``beginning`` without its article, and this with each small word in front with which
    words of the index begin.
    """
    article = _WITH_ARTICLE.fullmatch(beginning)
    bare = article[1] if article else beginning
    return (*((bare,) if article else ()), *_longer(bare, reader, prefix=True))


def _longer(word: str, reader: Reader, *, prefix: bool) -> Iterator[str]:
    """Yield ``word`` with each small word in front that makes it a word of the index.

    With ``prefix``, it is enough that a word of the index begins so.
    """
    for letters, small_words in _SMALL_WORDS:
        if letters.fullmatch(word):
            for longer in (small + word for small in small_words):
                if reader.words.known(quoted(longer, prefix=prefix)):
                    yield longer


_GERMAN_VERB = re.compile(
    "(ab|an|auf|aus|be|bei|durch|ein|ent|er|her|hin|mit|nach|um|ver|vor|weg|zer|zu|zurück|)"
    "(?:ge)?([a-zäöüß]{2,}?)e?(?:te[nt]?|t|st)"
)
"""The parts of a German verb that its infinitive keeps: "ein", "kauf" in "eingekauft"."""


def _usual_form(text: str, reader: Reader, *, prefix: bool) -> str:
    """Return a form that notes have of ``text``, if none has ``text`` itself; else an empty text.

    The form is the infinitive of a German verb, or a Hebrew or Korean word without the small words
    that are joined to it.
    """
    forms = list(_usual_forms(text, reader.lexicon.languages()))
    if not forms or _has_word(text, reader, prefix=prefix):
        return ""
    return next((word for word in forms if _has_word(word, reader, prefix=prefix)), "")


def _usual_forms(text: str, languages: Container[str]) -> Iterator[str]:
    korean = AFTER_KOREAN.fullmatch(text)
    if korean:
        yield korean[1]
    verb = _GERMAN_VERB.fullmatch(text.lower()) if "de" in languages else None
    if verb:
        yield f"{verb[1]}{verb[2]}en"
    letters, small_words = _SMALL_WORDS[0]
    for small in small_words:
        bare = text.removeprefix(small)
        if bare != text and letters.fullmatch(bare):
            yield bare


def _has_word(word: str, reader: Reader, *, prefix: bool) -> bool:
    # A word that is complete may not begin like its stem.
    begun = {False, prefix or is_single_unspaced(word)}
    return any(reader.words.known(quoted(word, prefix=each)) for each in begun) or any(
        _longer(word, reader, prefix=prefix)
    )


# Queries of stop words, like "to be or not to be"

_LONGEST_STOP_WORD_PHRASE = 8
"""Maximum number of words of a query that is searched as one phrase."""


def build_stop_word_phrase(terms: Sequence[Term], reader: Reader) -> str:
    """Return two to eight stop words as one phrase, an FTS5 expression; empty for other terms."""
    words = [term for term in terms if holds_word(term.text)]
    if not all(term.is_stop_word or term.text.casefold() == "not" for term in words):
        return ""
    patterns = build_patterns(words, reader)
    if not 1 < len(patterns) <= _LONGEST_STOP_WORD_PHRASE:
        return ""
    *first, last = (piece for pattern in patterns for piece in pattern.pieces)
    # The last word may be unfinished, unless too many words begin with it to look them up.
    prefix = bool(patterns[-1].beginning) and not reader.words.begins_many(last)
    return " + ".join([*map(quoted, first), quoted(last, prefix=prefix)])


# Addresses: the links that lead there match, too

_MEANT_AS_ONE = re.compile(
    rf"\d+(?:[^\w\s]+\d+)+\.?|{MAILBOX.pattern}|{WHOLE_ADDRESS.pattern}", re.IGNORECASE
)
"""A date, an ISBN, a telephone number or an address, of which a part means nothing."""


def build_with_links(terms: Iterable[Term], reader: Reader) -> tuple[Pattern, ...]:
    """Return the patterns of ``terms``, each with the link target that also matches.

    If links lead to an address, its words alone do not match.
    """
    patterns: list[Pattern] = []
    for term in terms:
        target, text, is_complete = _target(term, reader)
        patterns += (
            replace(pattern, target=target, is_verbatim=pattern.is_verbatim or is_complete)
            for pattern in build_patterns((replace(term, text=text),), reader)
        )
    return tuple(patterns)


def _target(term: Term, reader: Reader) -> tuple[LinksTo | None, str, bool]:
    """Return the link target that ``term`` means, the text to search for, and if it is complete.

    The target is None if no link leads there. The text is a complete address if it is written like
    one, or if a link leads to exactly that address.
    """
    for target, text, is_certain in possible_targets(term.text, begun=term.prefix):
        if reader.links.sections_linking_to(target):
            is_complete = is_certain or bool(
                reader.links.sections_linking_to(replace(target, begun=False))
            )
            return target, text, is_complete
    return None, term.text, False
