"""The query language: what was typed, read into a tree; any string is a valid query."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from notesearch.search.dates import period_of
from notesearch.search.filters import NAMES, read_filter
from notesearch.store.conditions import Condition
from notesearch.store.symbols import holds_word

MAX_TERMS = 32
MAX_DEPTH = 12

_NAME = re.compile(rf"({'|'.join(NAMES)}):", re.IGNORECASE)
_HALF_A_GROUP = re.compile(rf"\(+(?=(?:{'|'.join(NAMES)}):\S)", re.IGNORECASE)
"""Opens before a filter what is not closed yet: somebody types."""

_WORDS_OF_A_DATE = 3
_BEGINNING = re.compile(r"[^*]*\w[^*]*\*")
_OPENS_QUOTE_AFTER = " (-:=<>"
_ENDS_A_WORD = tuple(")]}>,;!?€")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for.

    Attributes:
        text: As typed, without quotes and signs.
        phrase: It was quoted: its words stand together and in order.
        prefix: Longer words that begin so match too: it is still being typed, or ends in ``*``.
    """

    text: str
    phrase: bool = False
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """What a section must fulfil, as it was typed and as the store understands it."""

    text: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Without:
    """``part`` must not hold."""

    part: "Tree"


@dataclass(frozen=True, slots=True)
class Either:
    """One of ``parts`` is enough."""

    parts: "tuple[Tree, ...]"


@dataclass(frozen=True, slots=True)
class Every:
    """All of ``parts`` are asked for."""

    parts: "tuple[Tree, ...]"


Tree = Term | Filter | Without | Either | Every


def read(text: str, *, unfinished: bool, today: date) -> Every:
    """Read ``text``: one line, words apart by one space each.

    Args:
        text: What was typed.
        unfinished: Its last word may go on.
        today: What dates such as "last week" are counted from.
    """
    return _Reading(text, unfinished, today).everything()


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the text: one of ``( ) - |`` or an operand."""

    sign: str
    operand: Term | Filter | None = None


class _Reading:
    """Reads one query by recursive descent over its tokens."""

    def __init__(self, text: str, unfinished: bool, today: date) -> None:
        self._tokens = list(_tokens(text, unfinished, today))
        signs = [token.sign for token in self._tokens]
        self._is_open = signs.count("(") > signs.count(")")
        self._at = 0

    def everything(self) -> Every:
        """Return what stands from here to the end, or to the end of the group."""
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
        found = tuple(part for part in parts if part is not None)
        return Either(found) if len(found) > 1 else found[0] if found else None

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
        # An "OR" with nothing to join is a word like any other, unless that is still to come.
        if token.sign == "|":
            return None if self._is_open and self._at == len(self._tokens) else Term("OR")
        return token.operand


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
        elif (half := _HALF_A_GROUP.match(text, at)) and groups.isdisjoint(range(*half.span())):
            at = half.end()
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
    """Return where parentheses stand that group: closed, not empty, not inside of a word.

    Behind a minus one need not be closed yet: what is left out must not be found until then.
    """
    if "(" not in text:
        return frozenset()
    found: set[int] = set()
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
            inner = at - 1 in opened[-1:] or at - 1 in found
            if before in ("", " ") or inner or _is_minus(text, at - 1):
                opened.append(at)
            else:
                inside_word += 1
        elif sign == ")" and inside_word:
            inside_word -= 1
        elif sign == ")" and opened:
            start = opened.pop()
            if len(opened) < MAX_DEPTH and text[start + 1 : at].strip(" ()"):
                found |= {start, at}
        at += 1
    minus = (n for n, start in enumerate(opened) if start and _is_minus(text, start - 1))
    negated = next(minus, len(opened))
    for start in opened[negated:MAX_DEPTH]:
        if text[start + 1 :].strip(" ()"):
            found.add(start)
    return frozenset(found)


def _is_open(text: str, groups: frozenset[int]) -> bool:
    """Return whether a group is not closed yet: it is one behind a minus."""
    return sum(1 if text[at] == "(" else -1 for at in groups) > 0


def _is_minus(text: str, at: int) -> bool:
    return text[at] == "-" and text[at - 1 : at] in ("", " ", "(")


def _quote_end(text: str, at: int) -> int:
    """Return where the quote that opens at ``at`` ends, behind its sign, or the text does."""
    end = text.find('"', at + 1)
    return len(text) if end < 0 else end + 1


def _end(text: str, at: int, groups: frozenset[int], today: date) -> int:
    """Return where the operand that begins at ``at`` ends."""
    if text[at] == '"':
        end = _quote_end(text, at)
        return end + 1 if text[end : end + 1] == "*" else end
    named = _NAME.match(text, at)
    if named:
        end = _value_end(text, named.end(), groups)
        is_date = named[1].lower() in ("before", "after")
        return _date_end(text, named.end(), end, groups, today) if is_date else end
    space = text.find(" ", at)
    end = space if space >= 0 else len(text)
    return min((place for place in groups if at <= place < end), default=end)


def _value_end(text: str, at: int, groups: frozenset[int]) -> int:
    while at < len(text) and text[at] != " " and at not in groups:
        at = _quote_end(text, at) if text[at] == '"' else at + 1
    return at


def _date_end(text: str, start: int, end: int, groups: frozenset[int], today: date) -> int:
    """Return where a date ends that may be of several words: "last month", "7 days ago"."""
    found = end
    for _ in range(_WORDS_OF_A_DATE - 1):
        if text[end : end + 1] != " " or end + 1 in groups:
            break
        end = _value_end(text, end + 1, groups)
        found = end if period_of(text[start:end], today) else found
    return found


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
