"""Patterns: query terms as the index would hold them.

A pattern gives the FTS5 expression that finds its term, and finds the term in the words of a text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from notesearch.notes import Linked, Span
from notesearch.search.query import ELIDED, Term, is_stop_word
from notesearch.store.conditions import AnyOf, Condition, LinksTo, Matching, quoted
from notesearch.store.folding import ZWNJ
from notesearch.store.links import host_end, leads_to, normalized, shortest_form
from notesearch.store.reader import Reader
from notesearch.store.tokenizer import is_single_unspaced, numbers_as_words

TokenSpan = tuple[Span, str]
"""The span of a word in a text (characters), and its token: folded and stemmed."""

Word = tuple[Span, tuple[str, ...]]
"""The span of a word in a text (characters), and all tokens by which it can be found."""

Spots = list[tuple[Span, int]]
"""Spans (characters) that match, each with the number of its pattern."""

_BEGINNING = 3
"""Each word begins with this many first letters of its stem."""

COMMON = 500
"""A word that is in more sections is common."""

_PUNCTUATION_BEFORE = re.compile(r"[^\s'\"«“„(\[{]*$")
_PUNCTUATION_AFTER = re.compile(r"[^\s'\"»”)\]},.;:!?、。！？）」』]*")


@dataclass(frozen=True, slots=True)
class Punctuation:
    """Punctuation right before and after the words of a term, as in "c++", ".env", "50%".

    It belongs to what was typed, but to no word. Punctuation of sentences does not count.
    """

    before: str = ""
    after: str = ""

    @staticmethod
    def of(text: str, words: Span) -> "Punctuation":
        """Return the punctuation in ``text`` that touches its words.

        Args:
            text: The text of a term.
            words: Where its first word starts and its last word ends, in characters.
        """
        before, after = (
            _PUNCTUATION_BEFORE.search(text, 0, words[0]),
            _PUNCTUATION_AFTER.match(text, words[1]),
        )
        return Punctuation(before[0] if before else "", after[0] if after else "")

    def extend(self, spans: Iterable[Span], text: str) -> list[Span]:
        """Return ``spans`` of ``text``, each extended by this punctuation if it is next to it."""
        if not self.before and not self.after:
            return list(spans)
        return [
            (
                start - len(self.before) * text.endswith(self.before, 0, start),
                end + len(self.after) * text.startswith(self.after, end),
            )
            for start, end in spans
        ]


NO_PUNCTUATION = Punctuation()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A term as a run of words. If the term is a prefix, its last word may continue.

    Attributes:
        term: The term.
        tokens: Its words, folded and stemmed.
        forms: For each word, the tokens by which the index may hold it: stems of all languages.
        pieces: The words as typed; characters without spaces between them are one piece.
        beginning: How the last word begins, folded but not stemmed; empty if it is complete.
        other_beginnings: Other ways in which the last word may begin.
        other_words: Other words that match in place of the last one: completions whose stem does
            not begin with it ("cook" does not begin with "cookin"), compounds that end with it.
        other_tokens: The tokens of ``other_words``.
        content_words: The words of an unquoted term that are worth finding alone, as typed.
        content_tokens: The tokens of ``content_words``.
        joined: The term without its hyphens, if the index has that word; else empty.
        joined_tokens: The tokens of ``joined``.
        is_verbatim: The index has the whole run as typed, so its words alone do not match.
        punctuation: The punctuation around its words.
        target: The target of links that match in its place, if the index has any.
    """

    term: Term
    tokens: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    pieces: tuple[str, ...]
    beginning: str
    other_words: tuple[str, ...]
    other_tokens: frozenset[str]
    content_words: tuple[str, ...]
    content_tokens: frozenset[str]
    joined: str = ""
    joined_tokens: frozenset[str] = frozenset()
    is_verbatim: bool = False
    punctuation: Punctuation = NO_PUNCTUATION
    other_beginnings: tuple[str, ...] = ()
    target: LinksTo | None = None

    @property
    def expression(self) -> str:
        """The FTS5 expression that finds the term."""
        head = "".join(f"{quoted(piece)} + " for piece in self.pieces[:-1])
        runs = [head + ending for ending in self._endings()]
        runs += [quoted(self.joined)] if self.joined else []
        return f"({' OR '.join(runs)})"

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The parts of the term that are worth finding alone, each with its FTS5 expression.

        It is the term itself, or each content word of an unquoted run such as "state-of-the-art",
        or each pair of characters of a run without spaces.
        """
        if self.term.phrase or self.is_verbatim or len(self.tokens) == 1:
            return [(self.term.text, self.expression)]
        return [(word, self._part(word)) for word in self.content_words]

    def _part(self, word: str) -> str:
        if word == self.pieces[-1]:
            joined = [quoted(self.joined)] if self.joined else []
            return f"({' OR '.join(self._endings() + joined)})"
        return quoted(word, prefix=is_single_unspaced(word))

    def _endings(self) -> list[str]:
        """Return FTS5 expressions for what the last word may be."""
        last = self.pieces[-1]
        beginnings = (last, *self.other_beginnings) if self.beginning else ()
        endings = [quoted(beginning, prefix=True) for beginning in beginnings]
        endings.append(quoted(last, prefix=is_single_unspaced(self.tokens[-1])))
        return endings + [quoted(word) for word in self.other_words]

    @property
    def condition(self) -> Condition:
        """The condition that a section has the term, or links to its target."""
        words = Matching(self.expression)
        return AnyOf((words, self.target)) if self.target else words

    @property
    def address_as_one(self) -> "Pattern":
        """A copy that matches an address only as a whole, not by its words."""
        return replace(self, is_verbatim=self.is_verbatim or self.target is not None)

    def complete(self) -> "Pattern":
        """Return the pattern with its last word taken as complete."""
        return replace(
            self, beginning="", other_words=(), other_tokens=frozenset(), other_beginnings=()
        )

    def find(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans in ``words`` that match the whole run."""
        last = len(self.tokens) - 1
        if last == 0:
            if is_single_unspaced(self.tokens[0]):
                return _characters(self.tokens[0], words)
            return self._find_last(words)
        spans = [
            (words[i][0][0], words[i + last][0][1])
            for i in self._starts(words[:-last])
            if all(self._is(j, words[i + j][1]) for j in range(1, last))
            and self._find_last(words[i + last : i + last + 1])
        ]
        if self.joined:
            spans += [span for span, forms in words if not self.joined_tokens.isdisjoint(forms)]
        return spans

    def find_parts(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans of single words of an unquoted run, for a text that lacks the run."""
        if self.term.phrase or self.is_verbatim or len(self.tokens) == 1:
            return []
        spans = [span for span, forms in words if not self.content_tokens.isdisjoint(forms)]
        if self.beginning and self.pieces[-1] in self.content_words:
            spans += self._find_last(words)
        for single in filter(is_single_unspaced, self.content_tokens):
            spans += _characters(single, words)
        return spans

    def _starts(self, words: Sequence[Word]) -> list[int]:
        """Return the indexes of the words that may be the first of the run."""
        if is_single_unspaced(self.tokens[0]):
            return [i for i, (_, forms) in enumerate(words) if self._is(0, forms)]
        differs = self.forms[0].isdisjoint
        return [i for i, (_, forms) in enumerate(words) if not differs(forms)]

    def _is(self, number: int, forms: tuple[str, ...]) -> bool:
        """Return whether a word with ``forms`` matches the word at index ``number`` of the run."""
        token = self.tokens[number]
        if not self.forms[number].isdisjoint(forms):
            return True
        return is_single_unspaced(token) and any(form.endswith(token) for form in forms)

    def _find_last(self, words: Sequence[Word]) -> list[Span]:
        """Return the spans of ``words`` that match the last word of the run."""
        last = self.tokens[-1]
        matching = self.other_tokens | self.forms[-1]
        beginnings = filter(None, (self.beginning, last if is_single_unspaced(last) else ""))
        prefixes = (*beginnings, *self.other_beginnings)
        if prefixes:  # compare each form once: a text repeats its words
            every = set(chain.from_iterable(forms for _, forms in words))
            matching = matching.union(form for form in every if form.startswith(prefixes))
        differs = matching.isdisjoint
        return [span for span, forms in words if not differs(forms)]


def _characters(character: str, words: Sequence[Word]) -> list[Span]:
    """Return the spans of ``character`` inside pairs of characters."""
    pairs = [(span, form) for span, forms in words for form in forms]
    starts = [(start, start + 1) for (start, _), form in pairs if form.startswith(character)]
    return starts + [(end - 1, end) for (_, end), form in pairs if form.endswith(character)]


def find(patterns: Sequence[Pattern], words: Sequence[Word], text: str = "") -> Spots:
    """Return the spans of ``words`` that match, each with the number of its pattern.

    If the ``text`` of the words is given, spans include the punctuation around them.
    """
    spots: Spots = []
    for number, pattern in enumerate(patterns):
        spans = pattern.punctuation.extend(pattern.find(words), text)
        spots += [(span, number) for span in spans or pattern.find_parts(words)]
    return sorted(spots)


def beginnings(stem: str) -> tuple[str, ...]:
    """Return the texts with which words that have this ``stem`` may begin.

    The stemmer cuts an ending off, and may change the end of the rest: "happy" to "happi", "hoping"
    to "hope".
    """
    first = stem[:_BEGINNING]
    return (first, f"{first[:-1]}y") if first.endswith("i") else (first,)


_INNER_SIGNS = re.compile(r"\+\+|#|(?<!\w)\.")
_MAY_BE_VERBATIM = re.compile(r"[A-Za-z]{1,2}-\w+|[!-~]*(?:[\d_@\\]|\w[.&]\w|::|://)[!-~]*")
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}", re.IGNORECASE)
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
    """Return the patterns of ``terms``; terms of nothing but punctuation have none."""
    patterns = (_build(term, reader) for term in terms)
    return tuple(pattern for pattern in patterns if pattern is not None)


def _build(term: Term, reader: Reader) -> Pattern | None:
    text = term.text
    tokens, words = reader.lexicon.tokens(text), reader.lexicon.query_forms(text)
    if not tokens:
        return None
    has_signs = _INNER_SIGNS.search(text) and [s for s, _ in tokens] != [s for s, _ in words]
    if has_signs and not reader.words.known(quoted(text, prefix=term.prefix)):
        # No note has the word with its punctuation: search for the word alone.
        return _build(replace(term, text=_INNER_SIGNS.sub(" ", text)), reader)
    pieces = tuple(text[slice(*span)] for span in _joined_spans(words))
    is_verbatim = len(tokens) > 1 and _is_in_index(term, pieces, reader)
    joined, joined_tokens = _without_hyphens(term, reader)
    if not is_verbatim and not joined and _VERSION.fullmatch(text):
        # The single numbers of a version are everywhere. In place of "1.2.9", search for "1.2".
        shorter = _build(Term(text.rpartition(".")[0]), reader)
        if shorter and shorter.is_verbatim:
            return shorter
    content = _worth_alone(words, text)
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
        is_verbatim=is_verbatim or not content,
        punctuation=Punctuation.of(text, (tokens[0][0][0], tokens[-1][0][1])),
        other_beginnings=_with_small_word_beginning(beginning, reader) if beginning else (),
    )


def _worth_alone(words: Sequence[Word], text: str) -> list[Word]:
    """Return those ``words`` of a term that are worth finding alone.

    They are neither stop words, unless all are, nor parts of a shortened form: "t" of "can't".
    """
    short = [found.span() for found in _SHORTENED.finditer(text)]
    whole = [
        (span, forms)
        for span, forms in words
        if not any(start <= span[0] and span[1] <= end for start, end in short)
    ]
    return [word for word in whole if not is_stop_word(text[slice(*word[0])])] or (
        [] if short else whole
    )


def _joined_spans(words: Sequence[Word]) -> list[Span]:
    """Return the spans of ``words``, joined where they overlap: pairs of characters do."""
    spans: list[Span] = []
    for (start, end), _ in words:
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _is_in_index(term: Term, pieces: Sequence[str], reader: Reader) -> bool:
    """Return whether ``term``, as typed, is in the index: a version, an address, "e-mail".

    ``pieces`` are its words as typed.
    """
    if len(pieces) == 1 or not _MAY_BE_VERBATIM.fullmatch(term.text.strip("/.:")):
        return False
    *first, last = pieces
    head = "".join(f"{quoted(piece)} + " for piece in first)
    if reader.words.known(f"{head}{quoted(last)}"):
        return True
    # Very many words begin with a given single letter: looking these up takes longest.
    longer = f"{head}{quoted(last, prefix=True)}"
    return term.prefix and len(last) > 1 and reader.words.known(longer)


def _beginning(piece: str, token: TokenSpan, word: Word, reader: Reader) -> str:
    """Return how the unfinished last word begins. "c++" keeps its "++".

    ``piece`` is the word as typed; ``token`` and ``word`` are its token and its forms.
    """
    if word[0] != token[0]:
        return word[1][0]
    return reader.lexicon.tokens(piece, begun=True)[-1][1]


def _joined(text: str) -> str:
    """Return ``text`` as one word: "email" for "e-mail", "1250" for "1,250"; else an empty text."""
    if _HYPHENATED.fullmatch(text):
        return text.replace("-", "")
    if ZWNJ in text:
        return text.replace(ZWNJ, "")
    whole = (digits for start, end, digits in numbers_as_words(text) if end - start == len(text))
    return next(whole, "")


def _without_hyphens(term: Term, reader: Reader) -> tuple[str, frozenset[str]]:
    """Return ``term`` as one word, and its tokens: "email" for "e-mail", "1250" for "1,250".

    Both are empty if the term is not such a word, or if the index does not have the one word.
    """
    joined = _joined(term.text)
    if not joined or not reader.words.known(quoted(joined)):
        return "", frozenset()
    return joined, frozenset(
        form for _, forms in reader.lexicon.query_forms(joined) for form in forms
    )


_SUFFIXES = tuple(
    """
    able ally ance ation ational ations ed ement ence er es est fully fulness ible ied ies ing
    ings ion ions ism ist ities ity ive iveness ization ize less ly ment ments ness ous ousness
    """.split()
)
_SHORTEST_STEM = 3
_DOUBLED = re.compile(r"^[a-z]{2,5}([bdfgmnprt])\1$", re.IGNORECASE)
"""A word typed as far as a doubled letter, such as "rigg" for "rigging". The stem is "rig"."""


def _completions(word: str, beginning: str, reader: Reader) -> dict[str, str]:
    """Return, by stem, words that ``word`` begins but whose stems do not begin with ``beginning``.

    "rigg" begins "rigging", whose stem is one letter shorter. Longer endings are guessed only for a
    word that is not in the index and begins no word there: "opera" does not become "operation" if a
    note has "opera".
    """
    if not word.isascii():
        return {}
    completed = [word + ending for ending in ("ing", "ed") if _DOUBLED.search(word)]
    # Ask for the word before the prefix: a prefix takes long, and mostly the word is there.
    if not (reader.words.known(quoted(word)) or reader.words.known(quoted(word, prefix=True))):
        completed += _with_suffixes(word)
    return {
        token: whole
        for whole in completed
        for _, token in reader.lexicon.tokens(whole)
        if not token.startswith(beginning)
    }


def _with_suffixes(word: str) -> Iterator[str]:
    """Yield ``word`` with a suffix completed, for each suffix that it may have begun."""
    for suffix in _SUFFIXES:
        for typed in range(1, len(suffix)):
            stem = word[: len(word) - typed]
            if len(stem) >= _SHORTEST_STEM and word[len(stem) :].lower() == suffix[:typed]:
                yield stem + suffix


# Hebrew and Arabic write "the", "and", "in", "to" as one with the next word. The index holds Hebrew
# words as they stand, so a search for "house" also looks for "the house". The stem of an Arabic
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
    """Return index words that end with one of ``forms``: compounds, or forms with small words.

    Small words are those that Hebrew and Arabic write as one with the next word.
    """
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
    """Return other beginnings of the word: without its article, and with small words before it."""
    article = _WITH_ARTICLE.fullmatch(beginning)
    bare = article[1] if article else beginning
    return (*((bare,) if article else ()), *_longer(bare, reader, prefix=True))


def _longer(word: str, reader: Reader, *, prefix: bool) -> Iterator[str]:
    for letters, small_words in _SMALL_WORDS:
        if letters.fullmatch(word):
            for longer in (small + word for small in small_words):
                if reader.words.known(quoted(longer, prefix=prefix)):
                    yield longer


# Queries of stop words, like "to be or not to be"

_LONGEST_STOP_WORD_PHRASE = 8
"""Most words of a query that is searched as one phrase."""


@dataclass(frozen=True, slots=True)
class StopWordPhrase:
    """A query that is little more than stop words, as one phrase.

    Attributes:
        expression: The FTS5 expression of the phrase.
        has_content: One of its words is not a stop word.
    """

    expression: str
    has_content: bool


def build_stop_word_phrase(terms: Sequence[Term], reader: Reader) -> StopWordPhrase | None:
    """Return ``terms`` as one phrase.

    None for a single word, for over eight words, or for more than one content word.
    """
    if sum(term.text.isalpha() and not term.is_stop_word for term in terms) > 1:
        return None
    patterns = build_patterns(terms, reader)
    content = [pattern.term for pattern in patterns if not pattern.term.is_stop_word]
    if not 1 < len(patterns) <= _LONGEST_STOP_WORD_PHRASE or len(content) > 1:
        return None
    *first, last = (piece for pattern in patterns for piece in pattern.pieces)
    # The last word may be unfinished, unless too many words begin with it to look them up.
    prefix = bool(patterns[-1].beginning) and not reader.words.begins_many(last)
    words = [*map(Term, first), Term(last, prefix=prefix)]
    phrase = " + ".join(word.expression for word in words)
    return StopWordPhrase(
        phrase, has_content=any(term.text.casefold() != "not" for term in content)
    )


# Addresses: the links that lead there match, too

_WHOLE = re.compile(r"(?:https?:|[a-z][a-z0-9+.-]{1,31}:)//\S+|mailto:\S+|www\.\S+", re.IGNORECASE)
"""An address with its scheme. It may be in brackets or inside a Markdown link."""

_LABEL = r"\w(?:[\w-]*\w)?"
_HOST = re.compile(
    rf"(?:{_LABEL}(?:\.{_LABEL})*\.(?P<top>[^\W\d_][\w-]*)|localhost(?=:\d))(?::\d+)?"
    r"(?P<path>[/?#]\S*)?",
    re.IGNORECASE,
)
_MAILBOX = re.compile(r"[\w.%+-]*\w@[\w.-]*")
_AROUND = "<>()[]{}\"'.,;:!?"
_TRACKING = re.compile(
    r"#?:~:.*|(?<=[?&])(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|igsh|mc_[ce]id|si|_ga)=[^&#]*&?",
    re.IGNORECASE,
)
"""Parameters that trackers add to addresses, and text fragments."""

_EMPTY_QUERY = re.compile(r"[?&]+(?=#|\Z)")

_SEPARATORS = tuple("/?#")
"""An address that ends with one of these is complete."""

_SHORTEST_ADDRESS = 3
"""An unfinished address is looked up from this many characters on; fewer begin most links."""


def build_with_links(terms: Iterable[Term], reader: Reader) -> tuple[Pattern, ...]:
    """Return the patterns of ``terms``, each with the link target that also matches.

    If links lead to an address, its words alone do not match, and the address may be written with
    another scheme or with ``www.``, as the link may.
    """
    patterns: list[Pattern] = []
    for term in terms:
        target, text, is_complete = _target(term, reader)
        patterns += (
            replace(pattern, target=target, is_verbatim=pattern.is_verbatim or is_complete)
            for pattern in build_patterns((replace(term, text=text),), reader)
        )
    return tuple(patterns)


def spans_of_links(links: Iterable[Linked], patterns: Iterable[Pattern]) -> list[Span]:
    """Return the spans of those ``links`` that lead to the target of a pattern."""
    targets = [pattern.target for pattern in patterns if pattern.target]
    return [
        span
        for span, address in (links if targets else ())
        if any(_leads_to(normalized(address), target) for target in targets)
    ]


def _leads_to(address: str, target: LinksTo) -> bool:
    if target.exact:
        return address == target.address
    return leads_to(address, target.address, begun=target.begun)


def _target(term: Term, reader: Reader) -> tuple[LinksTo | None, str, bool]:
    """Return the target that ``term`` means, if any link leads there, and the text to search for.

    Returns:
        The target or None, the text of the term without its scheme, and whether the text is one
        address and nothing else.
    """
    for target, text, is_certain in _possible_targets(term):
        if reader.links.sections_linking_to(target):
            is_complete = is_certain or bool(
                reader.links.sections_linking_to(replace(target, begun=False))
            )
            return target, text, is_complete
    return None, term.text, False


def _possible_targets(term: Term) -> Iterator[tuple[LinksTo, str, bool]]:
    """Yield targets that ``term`` may mean, each with its text, and whether it is surely one.

    First the address as typed, then without tracking parameters, then the page without the
    fragment. All other parameters tell pages apart.
    """
    text = term.text.strip()
    if " " in text or not ("." in text or "@" in text or ":" in text):
        return
    written, is_certain = _address_in(text, begun=term.prefix)
    if not written:
        return
    ends = not text.rstrip(".").endswith(written) or written.endswith(_SEPARATORS)
    begun = term.prefix and not ends
    address = normalized(written)
    if len(address) < (_SHORTEST_ADDRESS if begun else 1):
        return
    yield LinksTo(address, begun), shortest_form(written), is_certain
    shorter = _EMPTY_QUERY.sub("", _TRACKING.sub("", written))
    if normalized(shorter) != address:
        yield LinksTo(normalized(shorter)), shortest_form(shorter), is_certain
    page, _, fragment = shorter.partition("#")
    if fragment and "/" not in fragment and host_end(normalized(page)):
        yield LinksTo(normalized(page), exact=True), shortest_form(page), is_certain


def _address_in(text: str, *, begun: bool) -> tuple[str, bool]:
    """Return the address in ``text`` or "", and whether it is surely one.

    If ``begun``, the address may be unfinished.
    """
    whole = _WHOLE.search(text)
    if whole:
        address = whole[0].rstrip(_AROUND.replace(")", ""))
        # A parenthesis that opened before the address closes after it.
        while address.endswith(")") and address.count(")") > address.count("("):
            address = address[:-1].rstrip(_AROUND.replace(")", ""))
        return address, True
    text = text.strip(_AROUND)
    if _MAILBOX.fullmatch(text):
        return text, True
    host = _HOST.fullmatch(text)
    if not host or (host["top"] and len(host["top"]) == 1 and not begun):  # as in "e.g."
        return "", False
    return text, bool(host["path"])
