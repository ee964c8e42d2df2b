"""Parses the query language. Any string is a valid query.

docs/searching.md describes the language. A query is cut into tokens, parsed into a tree by
recursive descent, and turned into clauses that must all match.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, product
from math import prod

from notesearch.search.filters import NAMES, date_period, read_filter
from notesearch.search.query import (
    MAX_TERMS,
    Clause,
    Either,
    Every,
    Filter,
    Query,
    Term,
    Tree,
    Without,
)
from notesearch.store.folding import INVISIBLE, QUOTES, ZWNJ
from notesearch.store.tokenizer import SYMBOL, holds_word

MAX_CHARACTERS = 1000
MAX_DEPTH = 12
_MAX_CLAUSES = 64

_INVISIBLE = re.compile(f"[{INVISIBLE}]|{ZWNJ}(?!\\w)|(?<!\\w){ZWNJ}")
_SIGNS = str.maketrans(
    f"{QUOTES}\uff08\uff09\uff0d\uff0a\uff1c\uff1e\uff1d",
    '"' * len(QUOTES) + "()-*<>=",
)
"""The signs of the language, by the quotes and wide signs that other keyboards type for them."""

_HYPHEN = re.compile("(?<=\\w)[\u2010\u2011](?=\\w)")
"""A hyphen of typesetters, as in text that was copied from a web page."""

_GROUPED = re.compile(r"(?<![\w.,'-])[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d{1,9})?(?![\w.,'-]| \d)")
"""A number with spaces between its thousands."""

_SYMBOLS = re.compile(f"({SYMBOL})")

_NAME = re.compile(rf"({'|'.join(NAMES)}):", re.IGNORECASE)
_WIDE_COLON = re.compile(rf"(?<!\w)({'|'.join(NAMES)})\uff1a", re.IGNORECASE)
_OPEN_GROUP = re.compile(rf"\(+(?=(?:{'|'.join(NAMES)}):\S)", re.IGNORECASE)
"""Parentheses before a filter. The parser skips them until the user has closed them."""

_LIKE_A_FILTER = re.compile(r"-?(?:[a-z][a-z-]+):(?![:/\\])(?!\d+$)\S+", re.IGNORECASE)
"""A word like a filter with a value, but unlike an address, "std::vector" or "host:8080"."""

_SIGN = re.compile("[<>=]")
_SPACED_SIGN = re.compile(r" (?:[<>]=?|==?) ?(?=[^\s<>=])")
"""An operator after the name of a property, with a space before it, and then a value."""

_WORDS_OF_A_DATE = 3
_BEGINNING = re.compile(r"[^*]*\w[^*]*\*")
_OPENS_QUOTE_AFTER = " (-:=<>"
_ENDS_A_WORD = tuple(")]}>,;!?€")


def parse(text: str, today: date | None = None) -> Query:
    """Parse a query.

    Args:
        text: Any string. Its last word may be unfinished, unless white space follows it.
        today: The day that dates such as "yesterday" are relative to; by default today.
    """
    cleaned = _clean(text)
    unfinished = not text[-1:].isspace()
    whole = _GROUPED.sub(lambda number: number[0].replace(" ", "'"), cleaned)
    tree = parse_tree(whole, unfinished=unfinished, today=today or date.today())
    not_filters = tuple(dict.fromkeys(t.text for t in _terms(tree) if _looks_like_a_filter(t)))
    clauses = _clauses(tree, holds=True)
    groups = tuple(terms for clause in clauses if (terms := _only_terms(clause)))
    required = tuple(clause for clause in clauses if not _only_terms(clause))
    if required and not any(holds_word(term.text) for term in chain(*groups)):
        groups = ()  # punctuation beside filters
    if required and not groups and not _has_filter(tree):
        # The query is nothing but "-x": search for that text.
        return Query(cleaned, tuple((term,) for term in _terms(tree)), (), not_filters)
    return Query(cleaned, groups, required, not_filters)


def _looks_like_a_filter(term: Term) -> bool:
    named = _NAME.match(term.text)
    return not term.phrase and bool(named or _LIKE_A_FILTER.fullmatch(term.text))


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
    """Return the parts of a clause if all of them are terms, else an empty tuple."""
    terms = tuple(part for part in clause if isinstance(part, Term))
    return terms if len(terms) == len(clause) else ()


def _distributed(tree: Tree, below: Sequence[tuple[Clause, ...]]) -> tuple[Clause, ...]:
    """Return the clauses of an alternative: one for each combination of its parts' clauses.

    ``below`` has the clauses of each part. If there are too many combinations, return one clause:
    all terms of the alternative, or ``tree`` itself if it is not only terms.
    """
    if prod(map(len, below)) <= _MAX_CLAUSES:
        combined = (dict.fromkeys(chain(*choice)) for choice in product(*below))
        return tuple(dict.fromkeys(tuple(clause) for clause in combined))
    if all(isinstance(part, Term) for clauses in below for clause in clauses for part in clause):
        return (tuple(_terms(tree)),)
    return ((tree,),)


def _terms(tree: Tree) -> Iterator[Term]:
    if isinstance(tree, Term):
        yield tree
    elif isinstance(tree, Without):
        yield from _terms(tree.part)
    elif isinstance(tree, Either | Every):
        for part in tree.parts:
            yield from _terms(part)


def _has_filter(tree: Tree) -> bool:
    if isinstance(tree, Without):
        return _has_filter(tree.part)
    if isinstance(tree, Either | Every):
        return any(map(_has_filter, tree.parts))
    return isinstance(tree, Filter)


def _clean(text: str) -> str:
    looked_at = text[: 4 * MAX_CHARACTERS]
    if looked_at.isascii() and looked_at.isprintable():
        return " ".join(looked_at.split())[:MAX_CHARACTERS]
    looked_at = _WIDE_COLON.sub(r"\1:", looked_at.translate(_SIGNS))
    # Invisible characters hold some symbols together, so symbols are left as they are.
    pieces = enumerate(_SYMBOLS.split(looked_at))
    shown = "".join(piece if number % 2 else _printable(piece) for number, piece in pieces)
    return " ".join(shown.split())[:MAX_CHARACTERS]


def _printable(text: str) -> str:
    text = _HYPHEN.sub("-", _INVISIBLE.sub("", text))
    return "".join(" " if unicodedata.category(c) in {"Cc", "Cs"} else c for c in text)


def as_phrase(text: str) -> str:
    """Return a phrase of the query language with the words of ``text``, whatever its signs."""
    words = text.translate(_SIGNS).replace('"', " ").split()
    return f'"{" ".join(words)}"'


def parse_tree(text: str, *, unfinished: bool, today: date) -> Every:
    """Parse ``text``, one line with single spaces, into a tree.

    Args:
        text: The query.
        unfinished: Its last word may be unfinished.
        today: The day that dates such as "last week" are relative to.
    """
    return _Parser(text, unfinished, today).everything()


@dataclass(frozen=True, slots=True)
class _Token:
    """A token: one of the signs ``( ) - |``, or an operand."""

    sign: str
    operand: Term | Filter | None = None


class _Parser:
    """A recursive-descent parser over the tokens of one query."""

    def __init__(self, text: str, unfinished: bool, today: date) -> None:
        self._tokens = list(_tokens(text, unfinished, today))
        signs = [token.sign for token in self._tokens]
        self._is_open = signs.count("(") > signs.count(")")
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
        while self._sign() == "|" and self._sign(1) not in ("", ")", "|") and parts[0] is not None:
            self._at += 1
            parts.append(self._operand())
        operands = tuple(part for part in parts if part is not None)
        return Either(operands) if len(operands) > 1 else operands[0] if operands else None

    def _operand(self) -> Tree | None:
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
        # An "OR" without two sides is an ordinary word, unless its right side is still to come.
        if token.sign == "|":
            return None if self._may_go_on() else Term("OR")
        return token.operand

    def _may_go_on(self) -> bool:
        """Return whether an "OR" at the end is in an open group, or follows a filter."""
        before = self._tokens[self._at - 2].operand if self._at > 1 else None
        return self._at == len(self._tokens) and (self._is_open or isinstance(before, Filter))


def _tokens(text: str, unfinished: bool, today: date) -> Iterator[_Token]:
    groups = _groups(text)
    goes_on = unfinished and not _is_open(text, groups)
    at = operands = 0
    negated = False
    while at < len(text) and operands < MAX_TERMS:
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
            end = _end(text, at, groups, today)
            may_go_on = goes_on and end == len(text) and not negated
            operand = _operand(text[at:end], may_go_on, today)
            at, negated = end, False
            is_or = isinstance(operand, Term) and operand.text == "OR" and not operand.phrase
            operands += not is_or
            yield _Token("|") if is_or else _Token("operand", operand)


def _can_be_negated(text: str, at: int, groups: frozenset[int]) -> bool:
    sign = text[at : at + 1]
    return sign == '"' or holds_word(sign) or (sign == "(" and at in groups)


def _groups(text: str) -> frozenset[int]:
    """Return the positions of the parentheses that form groups.

    Such parentheses are closed, not empty and not inside a word. After a minus, a group may be
    unclosed: while the user types it, its words must not be searched for.
    """
    if "(" not in text:
        return frozenset()
    grouping: set[int] = set()
    opened: list[int] = []
    inside_word = 0
    at = 0
    while at < len(text):
        sign, before = text[at], text[at - 1 : at]
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
    """Return whether one of ``groups``, the positions of parentheses, is not closed yet."""
    return sum(1 if text[at] == "(" else -1 for at in groups) > 0


def _is_minus(text: str, at: int) -> bool:
    return text[at] == "-" and text[at - 1 : at] in ("", " ", "(")


def _quote_end(text: str, at: int) -> int:
    """Return the position after the quote that opens at ``at``, or the end of the text."""
    end = text.find('"', at + 1)
    return len(text) if end < 0 else end + 1


def _end(text: str, at: int, groups: frozenset[int], today: date) -> int:
    """Return the end of the operand that begins at ``at``; ``groups`` are the parentheses."""
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
    space = text.find(" ", at)
    end = space if space >= 0 else len(text)
    return min((group for group in groups if at <= group < end), default=end)


def _value_end(text: str, at: int, groups: frozenset[int]) -> int:
    """Return the end of a filter's value: a space outside of quotes and of a link ``[[a b]]``."""
    if text.startswith("[[", at):
        at = max(at, text.find("]]", at))
    while at < len(text) and text[at] != " " and at not in groups:
        at = _quote_end(text, at) if text[at] == '"' else at + 1
    return at


def _date_end(text: str, start: int, end: int, groups: frozenset[int], today: date) -> int:
    """Return the end of a date, which may have several words: "last month", "7 days ago".

    ``start`` and ``end`` are the bounds of its first word.
    """
    last = end
    for _ in range(_WORDS_OF_A_DATE - 1):
        if text[end : end + 1] != " " or end + 1 in groups:
            break
        end = _value_end(text, end + 1, groups)
        last = end if date_period(text[start:end], today) else last
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
