"""The query language: parses a query into terms, filters, and how they are combined.

Any string is a valid query; docs/searching.md describes the language. A query is cut into tokens,
parsed into a tree by recursive descent, and turned into clauses that must all match.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import chain, product
from math import prod

from notesearch.function_words import FUNCTION_WORDS
from notesearch.markdown.sections.written_values import ENGLISH_WORDS
from notesearch.results import LONGEST_QUERY, Respelling
from notesearch.search.filters import NAMES, date_period, read_filter
from notesearch.store.conditions import (
    All,
    Condition,
    InPath,
    InSections,
    LinkedFrom,
    LinksToNote,
    quoted,
)
from notesearch.store.folding import INVISIBLE, QUOTES, ZWNJ
from notesearch.store.word_cutting import SYMBOL, holds_word

MAX_TERMS = 32

_REMEMBERED = 4096
"""Number of words whose answer is cached: words of titles and headings come up in most searches."""

_MAY_DISTINGUISH = frozenset(
    "back go him not off once only out over such those too use using very while".split()
)
"""English function words that show a note's language, but may distinguish its sections, too."""

_STOP_WORDS = FUNCTION_WORDS["en"] - _MAY_DISTINGUISH | {"am", "whose"}

_SHORTENED = re.compile(r"(\w+?)(?:n['’]t|['’](?:s|re|ve|ll|d|m))")
"""Matches two words written as one. Its group is the first: "do" in "don't", "ca" in "can't"."""

ELIDED = (
    "(?:[^\\W\\d_]{1,2}|aujourd|jusqu|lorsqu|presqu|puisqu|quelqu|quoiqu|anch|bell|coll|cos|dall|dell"
    "|dov|mezz|nell|nient|quell|quest|sant|senz|sull|tutt)['’](?=\\w)(?!(?:s|t|d|m|re|ve|ll)\\b)"
)
"""Matches a small word of French, Italian or Catalan that has lost its end: "qu'" in "qu'est-ce".

Two letters that end in a form of English, as in "TV's", do not match.
"""

_PARTS = re.compile(r"['’ʼ\-/]")
_BEFORE_A_WORD = re.compile(rf"\b{ELIDED}", re.IGNORECASE)

_PUNCTUATION = ".,;:!?'’«»„“”、。！？"


@lru_cache(_REMEMBERED)
def is_stop_word(word: str) -> bool:
    """Return whether ``word`` is too common in English to distinguish sections."""
    word = word.casefold().strip(".,;:!?'’")
    shortened = _SHORTENED.fullmatch(word)
    if shortened:
        return shortened[1] in _STOP_WORDS | {"ca", "wo"}
    return word in _STOP_WORDS


@dataclass(frozen=True, slots=True)
class Term:
    """One word or phrase to look for.

    Attributes:
        phrase: Whether it was quoted, so that its words must stand together and in order.
        prefix: Whether longer words that begin with it match, too: it ends in ``*``, or is the last
            word and may still be unfinished.
    """

    text: str
    phrase: bool = False
    prefix: bool = False

    @property
    def expression(self) -> str:
        """The FTS5 expression that finds the term as typed; for a prefix, also the whole word.

        The index has the stem "definit", which does not begin with the prefix "definitions". The
        expression is written like that of a pattern, so that the index is asked only once.
        """
        begun = f"{quoted(self.text, prefix=True)} OR " if self.prefix else ""
        return f"({begun}{quoted(self.text)})"

    @property
    def is_stop_word(self) -> bool:
        """Whether the text is a single stop word."""
        return is_stop_word(self.text)

    @property
    def has_content(self) -> bool:
        """Whether the term is more than stop words; "and/or" is only stop words."""
        return self.phrase or not all(map(is_stop_word, self.text.split("/")))


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter: its text as typed, and the condition that sections must match."""

    text: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Without:
    """The negation of ``part``."""

    part: "Tree"


@dataclass(frozen=True, slots=True)
class Either:
    """Alternatives: one of ``parts`` is enough."""

    parts: "tuple[Tree, ...]"


@dataclass(frozen=True, slots=True)
class Every:
    """A conjunction of ``parts``."""

    parts: "tuple[Tree, ...]"


Tree = Term | Filter | Without | Either | Every

Clause = tuple[Tree, ...]
"""Alternatives, one of which must hold: terms, filters and negations."""

Groups = tuple[tuple[Term, ...], ...]
"""Groups of terms. The terms of one group are alternatives to each other."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    Attributes:
        groups: The terms that rank sections.
        required: The clauses that every result must match.
        not_filters: Words that look like filters but are searched as plain text.
        known: Words that another vault has, so that they are not misspelt.

    These are known once it is corrected. Then ``groups`` have the right words for misspelt ones:

    Attributes:
        searched: The content terms, with other ways to write them as alternatives.
        function_words: Stop words of the languages of the notes, in lower case.
        language: The language it is written in; empty if unknown.
        spelling: The misspelt words; very rare words only get an alternative.
        suggestion: The text with the misspelt words of quoted phrases corrected; empty if there are
            none. It is only offered, if nothing is found.
    """

    text: str
    groups: Groups = ()
    required: tuple[Clause, ...] = ()
    not_filters: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    searched: Groups = ()
    function_words: frozenset[str] = frozenset()
    language: str = ""
    spelling: tuple[Respelling, ...] = ()
    suggestion: str = ""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of all groups in order; an alternative of several groups comes once."""
        terms: list[Term] = []
        alternatives: set[Term] = set()
        for group in self.groups:
            terms += [term for term in group if term not in alternatives]
            if len(group) > 1:
                alternatives.update(group)
        return tuple(terms)

    @property
    def content(self) -> Groups:
        """The groups without stop words; all groups if nothing else is left."""
        content = _content_of(self.groups, lambda term: term.has_content)
        return _content_of(content, self._is_meant)

    def _is_meant(self, term: Term) -> bool:
        """Return whether ``term`` is more than function words; "n'est-ce" is only such words."""
        text = term.text.lower().strip(_PUNCTUATION)
        if term.phrase or not self.function_words:
            return True
        parts = _PARTS.split(_BEFORE_A_WORD.sub("", text))
        return text not in self.function_words and not self.function_words.issuperset(parts)

    def is_stop_word(self, word: str) -> bool:
        """Return whether ``word`` is a stop word in English or a function word of the notes."""
        return is_stop_word(word) or word.lower() in self.function_words

    @property
    def plain_text(self) -> str:
        """The text to embed: the terms without quotes, operators and filters."""
        return " ".join(filter(None, (_without_loose_ends(term.text) for term in self.terms)))

    @property
    def filters(self) -> tuple[str, ...]:
        """The required clauses as typed."""
        return tuple(" OR ".join(map(_as_typed, clause)) for clause in self.required)

    @property
    def excluded(self) -> tuple[str, ...]:
        """The words and phrases that a minus excludes, as typed."""
        lone = (clause[0] for clause in self.required if len(clause) == 1)
        parts = (part.part for part in lone if isinstance(part, Without))
        return tuple(dict.fromkeys(part.text for part in parts if isinstance(part, Term)))


def _with_conditions(tree: Tree, changed: Callable[[Condition], Condition]) -> Tree:
    if isinstance(tree, Filter):
        return replace(tree, condition=changed(tree.condition))
    if isinstance(tree, Without):
        return Without(_with_conditions(tree.part, changed))
    if isinstance(tree, Either | Every):
        return replace(tree, parts=tuple(_with_conditions(part, changed) for part in tree.parts))
    return tree


def _content_of(groups: Groups, is_content: Callable[[Term], bool]) -> Groups:
    of_groups = (tuple(filter(is_content, group)) for group in groups)
    content = tuple(terms for terms in of_groups if terms)
    has_word = any(holds_word(term.text) for term in chain(*content))
    return content if has_word else groups


_PAIR = re.compile(r"\(([^()]*)\)")
_WITHOUT_UNPAIRED = str.maketrans("()\x01\x02", "  ()")


def _without_loose_ends(text: str) -> str:
    """Return ``text`` without quotes around it, unpaired parentheses and needless spaces."""
    while pair := _PAIR.search(text):
        text = f"{text[: pair.start()]}\x01{pair[1]}\x02{text[pair.end() :]}"
    return " ".join(text.translate(_WITHOUT_UNPAIRED).strip('" ').split())


def _as_typed(tree: Tree) -> str:
    if isinstance(tree, Without):
        return f"-{_as_typed(tree.part)}"
    if isinstance(tree, Either | Every):
        between = " OR " if isinstance(tree, Either) else " "
        return f"({between.join(map(_as_typed, tree.parts))})"
    return f'"{tree.text}"' if isinstance(tree, Term) and tree.phrase else tree.text


def as_read_by(
    vault: str, query: Query, vaults: Iterable[str], *, are_folders: bool = False
) -> Query:
    """Return ``query`` as one of several vaults reads it: a path may begin with a vault's name.

    In the vault "work", ``path:work/trips`` means ``path:/trips``; in every other vault it matches
    nothing. If the vaults ``are_folders``, the beginning of a vault's name is enough, and
    ``path:/trips`` means the vault "trips".
    """
    own = vault.casefold()
    known = {name.casefold() for name in vaults}

    def parts(path: str) -> tuple[str, str]:
        """Return the longest vault's name that starts ``path``, or an empty text, and the rest."""
        ends = (slash.start() for slash in re.finditer("/", path))
        end = max((end for end in ends if path[:end].casefold() in known), default=-1)
        return path[: max(end, 0)].casefold(), path[end + 1 :]

    def inside(condition: Condition) -> Condition:
        if isinstance(condition, LinksToNote | LinkedFrom):
            name, rest = parts(condition.name)
            return InSections(()) if name not in {"", own} else replace(condition, name=rest)
        if not isinstance(condition, InPath):
            return condition
        path = condition.text.removeprefix("/")
        name, rest = parts(path)
        begun = path.casefold()
        if not name and (own == begun or (are_folders and own.startswith(begun))):
            return All(())
        if name == own:
            return InPath(f"/{rest.lstrip('/')}") if rest.strip("/") else All(())
        is_elsewhere = name or (are_folders and condition.text.startswith("/"))
        return InSections(()) if is_elsewhere else condition

    required = (tuple(_with_conditions(part, inside) for part in c) for c in query.required)
    return replace(query, required=tuple(required))


# From a text to a query

MAX_DEPTH = 12
_MAX_CLAUSES = 64

_INVISIBLE = re.compile(f"[{INVISIBLE}]|{ZWNJ}(?!\\w)|(?<!\\w){ZWNJ}")
_SIGNS = str.maketrans(
    f"{QUOTES}\uff08\uff09\uff0d\uff0a\uff1c\uff1e\uff1d",
    '"' * len(QUOTES) + "()-*<>=",
)
"""Replaces the quotes and wide signs of other keyboards by the signs of the query language."""

_HYPHEN = re.compile("(?<=\\w)[\u2010\u2011](?=\\w)")
"""A hyphen of typesetters, as in text that was copied from a web page."""

_GROUPED = re.compile(r"(?<![\w.,'-])[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d{1,9})?(?![\w.,'-]| \d)")
"""A number with spaces between its thousands."""

_SYMBOLS = re.compile(f"({SYMBOL})")

_NAME = re.compile(rf"({'|'.join(NAMES)}):(?!//)", re.IGNORECASE)
"""The name of a filter; ``file://`` begins an address."""
_WIDE_COLON = re.compile(rf"(?<!\w)({'|'.join(NAMES)})\uff1a", re.IGNORECASE)
_OPEN_GROUP = re.compile(rf"\(+(?=(?:{'|'.join(NAMES)}):\S)", re.IGNORECASE)
"""Parentheses before a filter. The parser skips them until the user has closed them."""

_LIKE_A_FILTER = re.compile(r"-?(?:[a-z][a-z-]+):(?![:/\\])(?!\d[\d.]*$)\S+", re.IGNORECASE)
"""A word like a filter with a value, but unlike an address, "std::vector", "host:8080" or
"python:3.11"."""
_QUOTED_VALUE = re.compile(r'[a-z][a-z-]+:"[^"]+"', re.IGNORECASE)
"""The same with a value of several words: ``author:"Ann Lee"``."""

_SIGN = re.compile("[<>=]")
_SPACED_SIGN = re.compile(r" (?:[<>]=?|==?) ?(?=[^\s<>=])")
"""An operator after the name of a property, with a space before it, and then a value."""

_AMOUNT = re.compile("\\d+(?:[.,]\\d+)? ?[°%]")
_WORDS_OF_A_DATE = 3
_BEGINNING = re.compile(r"[^*]*\w[^*]*\*")
"""A word with an asterisk at its end."""
_OPENS_QUOTE_AFTER = " (-:=<>"
_ENDS_A_WORD = tuple(")]}>,;!?€")


def parse(text: str, today: date | None = None) -> Query:
    """Parse any string; its last word may be unfinished, unless white space follows it.

    Dates such as "yesterday" are relative to ``today``.
    """
    cleaned = _clean(text)
    unfinished = not text[-1:].isspace()
    whole = _GROUPED.sub(lambda number: number[0].replace(" ", "'"), cleaned)
    tree = parse_tree(whole, unfinished=unfinished, today=today or date.today())
    leaves = tuple(_leaves(tree))
    terms = [leaf for leaf in leaves if isinstance(leaf, Term)]
    not_filters = tuple(dict.fromkeys(t.text for t in terms if _looks_like_a_filter(t)))
    clauses = _clauses(tree, holds=True)
    groups = tuple(filter(None, map(_only_terms, clauses)))
    required = tuple(clause for clause in clauses if not _only_terms(clause))
    if required and not any(holds_word(term.text) for term in chain(*groups)):
        groups = ()  # punctuation beside filters
    if required and not groups and len(terms) == len(leaves):
        # The query is only "-x": search for that text.
        return Query(cleaned, tuple((term,) for term in terms), (), not_filters)
    return Query(cleaned, groups, required, not_filters)


def _looks_like_a_filter(term: Term) -> bool:
    named = _NAME.match(term.text)
    shapes = (_LIKE_A_FILTER, _QUOTED_VALUE)
    return not term.phrase and bool(named or any(s.fullmatch(term.text) for s in shapes))


def _clauses(tree: Tree, *, holds: bool) -> tuple[Clause, ...]:
    """Return clauses that together mean ``tree``, or its negation if ``holds`` is false."""
    if isinstance(tree, Without):
        return _clauses(tree.part, holds=not holds)
    if isinstance(tree, Term | Filter):
        return ((tree if holds else Without(tree),),)
    below = [_clauses(part, holds=holds) for part in tree.parts]
    if isinstance(tree, Every) == holds:
        return tuple(chain(*below))
    return _distributed(tree if holds else Without(tree), below)


def _only_terms(clause: Clause) -> tuple[Term, ...]:
    terms = tuple(part for part in clause if isinstance(part, Term))
    return terms if len(terms) == len(clause) else ()


def _distributed(tree: Tree, below: Sequence[tuple[Clause, ...]]) -> tuple[Clause, ...]:
    """Return the clauses of an alternative: one for each combination of its parts' clauses.

    If there are too many, return one clause: all its terms, or ``tree`` itself.
    """
    if prod(map(len, below)) <= _MAX_CLAUSES:
        combined = (dict.fromkeys(chain(*choice)) for choice in product(*below))
        return tuple(dict.fromkeys(tuple(clause) for clause in combined))
    parts = tuple(chain(*chain(*below)))
    if all(isinstance(part, Term) for part in parts):
        return (tuple(_leaves(tree)),)
    return ((tree,),)


def _leaves(tree: Tree) -> Iterator[Term | Filter]:
    if isinstance(tree, Term | Filter):
        yield tree
    elif isinstance(tree, Without):
        yield from _leaves(tree.part)
    else:
        for part in tree.parts:
            yield from _leaves(part)


def _clean(text: str) -> str:
    half = LONGEST_QUERY // 2
    looked_at = text if len(text) <= 8 * half else f"{text[: 4 * half]} {text[-4 * half :]}"
    if looked_at.isascii() and looked_at.isprintable():
        return _shortened(" ".join(looked_at.split()))
    looked_at = _WIDE_COLON.sub(r"\1:", looked_at.translate(_SIGNS))
    # Invisible characters hold some symbols together, so symbols are left as they are.
    pieces = enumerate(_SYMBOLS.split(looked_at))
    shown = "".join(piece if number % 2 else _printable(piece) for number, piece in pieces)
    return _shortened(" ".join(shown.split()))


def _shortened(text: str) -> str:
    half = LONGEST_QUERY // 2
    return text if len(text) <= LONGEST_QUERY else f"{text[: half - 1]} {text[-half:]}"


def _printable(text: str) -> str:
    text = _HYPHEN.sub("-", _INVISIBLE.sub("", text))
    return "".join(" " if unicodedata.category(c) in {"Cc", "Cs"} else c for c in text)


def as_phrase(text: str) -> str:
    """Return a phrase of the query language with the words of ``text``, whatever its signs."""
    words = text.translate(_SIGNS).replace('"', " ").split()
    return f'"{" ".join(words)}"'


def parse_tree(text: str, *, unfinished: bool, today: date) -> Every:
    """Parse ``text``, one line with single spaces, into a tree; its last word may be unfinished."""
    return _Parser(text, unfinished, today).everything()


@dataclass(frozen=True, slots=True)
class _Token:
    sign: str
    operand: Term | Filter | None = None


class _Parser:
    def __init__(self, text: str, unfinished: bool, today: date) -> None:
        self._tokens = _first_and_last(list(_tokens(text, unfinished, today)))
        self._at = 0

    def everything(self) -> Every:
        """Parse up to the end of the group or of the text."""
        parts: list[Tree] = []
        while self._sign() not in ("", ")"):
            part = self._either()
            if part is not None:
                parts.append(part)
        return Every(tuple(parts))

    def _sign(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at].sign if at < len(self._tokens) else ""

    def _either(self) -> Tree | None:
        parts = [self._operand()]
        while self._sign() == "|" and self._sign(1) not in (")", "|") and parts[0] is not None:
            self._at += 1  # the right side may be still to come
            parts.append(self._operand())
        operands = tuple(part for part in parts if part is not None)
        if len(operands) > 1:
            return Either(operands)
        return operands[0] if operands else None

    def _operand(self) -> Tree | None:
        if self._sign() == "":
            return None
        token = self._tokens[self._at]
        self._at += 1
        if token.sign == "-":
            part = self._operand()
            return Without(part) if part is not None else None
        if token.sign == "(":
            inner = self.everything()
            self._at += 1
            if len(inner.parts) < 2:
                return inner.parts[0] if inner.parts else None
            return inner
        # An "OR" without two sides is an ordinary word.
        return Term("OR") if token.sign == "|" else token.operand


def _tokens(text: str, unfinished: bool, today: date) -> Iterator[_Token]:
    groups = _groups(text)
    goes_on = unfinished and not _is_open(text, groups)
    at = 0
    negated = False
    while at < len(text):
        if text[at] == " ":
            at += 1
        elif at in groups:
            yield _Token(text[at])
            at += 1
            negated = False
        elif (opening := _OPEN_GROUP.match(text, at)) and groups.isdisjoint(range(*opening.span())):
            at = opening.end()
        elif text[at] == "-" and _can_be_negated(text, at + 1, groups):
            yield _Token("-")
            at += 1
            negated = True
        else:
            end = _word_end(text, at, groups, today)
            word = text[at:end]
            if word in ("AND", "NOT") and _is_operator(text, at, end):
                negated = word == "NOT"
                if negated:
                    yield _Token("-")
            else:
                may_go_on = goes_on and end == len(text) and not negated
                negated = False
                if word == "OR":
                    yield _Token("|")
                else:
                    yield _Token("operand", _operand(word, may_go_on, today))
            at = end


def _is_operator(text: str, start: int, end: int) -> bool:
    """Return whether the "AND" or "NOT" from ``start`` to ``end`` joins what is beside it.

    Before a word in capitals it is a word itself, such as in "DO NOT ENTER" and "NOT NULL". After
    the last word, its right side is still to come. Before a filter, it needs no left side.
    """
    before = text[:start].split()
    following = text[end:].lstrip().partition(" ")[0]
    if _NAME.match(following):
        return True
    if not before or before[-1] == "OR" or before[-1].endswith("("):
        return False
    is_in_capitals = len(following) > 1 and following.isupper()
    return not following.startswith(")") and (following == "NOT" or not is_in_capitals)


def _first_and_last(tokens: list[_Token]) -> list[_Token]:
    """Return ``tokens``; if there are more than ``MAX_TERMS`` operands, only the first and last.

    Then parentheses are left out. The last line of a pasted error says what is wrong.
    """
    places = [at for at, token in enumerate(tokens) if token.sign == "operand"]
    if len(places) <= MAX_TERMS:
        return tokens
    half = MAX_TERMS // 2
    cuts = (places[half], places[-half])
    # A minus belongs to the operand after it.
    first, last = (at - 1 if tokens[at - 1].sign == "-" else at for at in cuts)
    return [token for token in (*tokens[:first], *tokens[last:]) if token.sign not in ("(", ")")]


def _can_be_negated(text: str, at: int, groups: frozenset[int]) -> bool:
    """Return whether a minus before ``at`` excludes what follows.

    It does not in ``run -it`` and "-2 °C".
    """
    sign = text[at : at + 1]
    if not holds_word(sign):
        return sign == '"' or (sign == "(" and at in groups)
    if _AMOUNT.match(text, at):
        return False
    word = re.split(r"[ ()]", text[at:], maxsplit=1)[0]
    return word.casefold() not in _STOP_WORDS


def _groups(text: str) -> frozenset[int]:
    """Return the positions of the parentheses that form groups: closed, not empty, not in a word.

    After a minus, a group may be unclosed: while the user types it, its words must not be searched
    for.
    """
    if "(" not in text:
        return frozenset()
    grouping: set[int] = set()
    opened: list[int] = []
    inside_word = 0
    at = 0
    while at < len(text):
        sign = text[at]
        before = text[at - 1 : at]
        if sign == " ":
            inside_word = 0
        elif sign == '"' and before in _OPENS_QUOTE_AFTER:
            at = _quote_end(text, at) - 1
        elif sign == "(":
            inner = at - 1 in opened[-1:] or at - 1 in grouping
            if before in ("", " ") or inner or _is_minus(text, at - 1):
                opened.append(at)
            else:
                inside_word += 1
        elif sign == ")" and inside_word:
            inside_word -= 1
        elif sign == ")" and opened:
            start = opened.pop()
            if len(opened) < MAX_DEPTH and text[start + 1 : at].strip(" ()"):
                grouping |= {start, at}
        at += 1
    minus = (n for n, start in enumerate(opened) if start and _is_minus(text, start - 1))
    negated = next(minus, len(opened))
    for start in opened[negated:MAX_DEPTH]:
        if text[start + 1 :].strip(" ()"):
            grouping.add(start)
    return frozenset(grouping)


def _is_open(text: str, groups: frozenset[int]) -> bool:
    return sum(1 if text[at] == "(" else -1 for at in groups) > 0


def _is_minus(text: str, at: int) -> bool:
    return text[at] == "-" and text[at - 1 : at] in ("", " ", "(")


def _quote_end(text: str, at: int) -> int:
    end = text.find('"', at + 1)
    return len(text) if end < 0 else end + 1


def _word_end(text: str, at: int, groups: frozenset[int], today: date) -> int:
    if text[at] == '"':
        end = _quote_end(text, at)
        return end + 1 if text[end : end + 1] == "*" else end
    named = _NAME.match(text, at)
    if named:
        end = _value_end(text, named.end(), groups)
        is_bare = named[1].lower() == "prop" and not _SIGN.search(text, named.end(), end)
        if is_bare and (spaced := _SPACED_SIGN.match(text, end)):
            end = _value_end(text, spaced.end(), groups)
        is_date = named[1].lower() in ("before", "after")
        return _date_end(text, named.end(), end, groups, today) if is_date else end
    if quoted := _QUOTED_VALUE.match(text, at):
        return quoted.end()
    space = text.find(" ", at)
    end = space if space >= 0 else len(text)
    return min((group for group in groups if at <= group < end), default=end)


def _value_end(text: str, at: int, groups: frozenset[int]) -> int:
    """Return the end of a filter's value: a space outside of quotes and of a link ``[[a b]]``."""
    while at < len(text) and text[at] != " " and at not in groups:
        if text.startswith("[[", at):
            at = max(at + 1, text.find("]]", at))
        else:
            at = _quote_end(text, at) if text[at] == '"' else at + 1
    return at


_NO_MONTH = re.compile(rf"\d{{4}} (?:{ENGLISH_WORDS})\b", re.IGNORECASE)
"""A year before an English word that is a month elsewhere: ``after:2024 out of office``."""


def _date_end(text: str, start: int, end: int, groups: frozenset[int], today: date) -> int:
    """Return the end of the longest date that begins with the word at ``start``: "7 days ago".

    Returns ``end``, which is the end of that word, if no longer text is a date. A date does not go
    beyond ``groups``, the positions of parentheses.
    """
    last = end
    for _ in range(_WORDS_OF_A_DATE - 1):
        if text[end : end + 1] != " " or end + 1 in groups:
            break
        end = _value_end(text, end + 1, groups)
        if date_period(text[start:end], today) and not _NO_MONTH.match(text, start, end):
            last = end
    return last


def _operand(piece: str, unfinished: bool, today: date) -> Term | Filter | None:
    if piece[0] == '"':
        return _phrase(piece, unfinished)
    named = _NAME.match(piece)
    condition = read_filter(named[1].lower(), piece[named.end() :], today) if named else None
    if condition is not None:
        return Filter(piece, condition)
    if _BEGINNING.fullmatch(piece):
        return Term(piece[:-1], prefix=True)
    return Term(piece, prefix=unfinished and not piece.endswith(_ENDS_A_WORD))


def _phrase(piece: str, unfinished: bool) -> Term | None:
    text = piece.strip('"*').strip() if piece.endswith('"*') else piece.strip('"').strip()
    closed = len(piece) > 1 and piece.endswith(('"', '"*'))
    prefix = piece.endswith('"*') or (unfinished and not closed)
    return Term(text, phrase=True, prefix=prefix) if text else None
