"""Cuts text into words, each with its place in the text.

Text with spaces goes to SQLite's own ``unicode61`` after NFKC, which folds case, width and
ligatures. Scripts without spaces are cut into overlapping pairs of characters, so that a phrase
finds any run of two or more. An emoji, an arrow, a mathematical sign or a currency is a word.

Some words have further forms: "use" and "state" for "useState", "email" for "e-mail", "2.1" for
"v2.1", and "1250" for "1,250". "c++" and ".env" are words of their own.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from itertools import pairwise
from operator import itemgetter

from notesearch.store.folding import (
    ACCENTS,
    folded,
    folded_in_place,
    has_accents,
    is_folded_in_place,
    is_unchanged,
    non_ascii,
    with_ascii_digits,
)

Token = tuple[int, int, str]
"""Start and end of a word (bytes of UTF-8), and the word without its case, width and ligatures."""

SqliteTokenizer = Callable[[bytes], list[Token]]
"""A tokenizer of SQLite, which cuts text that has spaces."""

_SIGNS = (
    "\xa2\xa3\xa5\u20a0-\u20c0"  # currencies
    "\u2190-\u2307\u230c-\u2328\u232b-\u23ff"  # arrows, mathematics, technical
    "\u25a0-\u2767\u2794-\u27e5\u27f0-\u2982\u2999-\u29d7\u29dc-\u29fb\u29fe-\u2bff"
    "\U0001f000-\U0001f0ff\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
"""Symbols, for a character class. It lacks the lines and blocks that draw tables and trees, and
letters in circles."""

_ONE = f"(?:[{_SIGNS}]|[=<>]\u0338|[\U0001f1e6-\U0001f1ff]{{1,2}})"
_SKIN_TONES = "\U0001f3fb-\U0001f3ff"
_MODIFIERS = f"[\u0338\u20e3\ufe0e\ufe0f{_SKIN_TONES}\U000e0020-\U000e007f]*"

SYMBOL = f"{_ONE}{_MODIFIERS}(?:\u200d{_ONE}{_MODIFIERS})*"
"""Matches one drawn symbol, which may be several characters: a family, a flag, a dark thumb."""

_SYMBOL = re.compile(SYMBOL)
_STYLE = re.compile(f"[\ufe0e\ufe0f{_SKIN_TONES}]")

UNSPACED = (
    "\u0e00-\u0e4f\u0e5a-\u0ecf\u0eda-\u0eff"  # Thai, Lao; digits are as in other scripts
    "\u1000-\u103f\u104a-\u108f\u109a-\u109f\u1780-\u17df\u17ea-\u17ff"  # Myanmar, Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana, radicals
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"  # Han, half-width kana
    "\U00020000-\U0003ffff"
)
UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_JOINS_PREVIOUS = re.compile("[\u1160-\u11ff\uff9e\uff9f]")  # Hangul vowels and ends, voicing

_LETTERLIKE = "™℠℃℉№\u3200-\u33ff"  # each a word of its own: "Kindle™" is still Kindle
_SEPARATORS = (
    "\\s\x00-/:-@\\[-`{-\x7f\u2010-\u2027\u2030-\u205e\u3001-\u3004\u3008-\u303f"
    "\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
# A word with at least one character beyond ASCII. The look-behind keeps the search from starting
# again at each character of a long ASCII word.
_NON_ASCII_WORD = re.compile(
    f"[{_LETTERLIKE}]|(?<![0-9A-Za-z])[0-9A-Za-z]*+[^\x00-\x7f{_SEPARATORS}{_LETTERLIKE}][^{_SEPARATORS}{_LETTERLIKE}]*"
)


def is_single_unspaced(token: str) -> bool:
    """Return whether ``token`` is one character of a script that is indexed in pairs."""
    return len(token) == 1 and UNSPACED_RUN.fullmatch(token) is not None


_SAME_CHARACTERS = {
    **{code: code - 0x60 for code in range(0x30A1, 0x30F7)},  # the hiragana of each katakana
    **str.maketrans("髙﨑邉濵", "高崎辺浜"),  # in Japanese names
}
"""Characters, of the same length in UTF-8, that people write for each other: りんご, リンゴ."""


def folded_run(run: str) -> str:
    """Return the characters of ``run``, in a script without spaces, as the index has them."""
    return unicodedata.normalize("NFKC", run).translate(_SAME_CHARACTERS)


def tokens(sqlite: SqliteTokenizer, utf8: bytes) -> list[Token]:
    """Return the tokens of ``utf8``, with byte offsets; ``sqlite`` cuts text that has spaces."""
    other = "" if utf8.isascii() else non_ascii(utf8)
    if not (UNSPACED_RUN.search(other) or _SYMBOL.search(other)) and is_unchanged(other):
        return sqlite(utf8)
    text = folded_in_place(utf8.decode("utf-8", "replace"))
    found: list[Token] = []
    at = 0
    base = 0
    for run in UNSPACED_RUN.finditer(text):
        base = _spaced(sqlite, text[at : run.start()], base, found)
        base = _spanned_pairs(run.group(), base, found)
        at = run.end()
    _spaced(sqlite, text[at:], base, found)
    return found


def _spaced(sqlite: SqliteTokenizer, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which starts at byte ``base``, to ``found``; return its end."""
    at = 0
    for symbol in _SYMBOL.finditer(text):
        start = _between_symbols(sqlite, text[at : symbol.start()], base, found)
        base = start + len(symbol.group().encode())
        found.append((start, base, as_word(symbol.group())))
        at = symbol.end()
    return _between_symbols(sqlite, text[at:], base, found)


def _between_symbols(sqlite: SqliteTokenizer, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which has no symbols, to ``found``; return its end."""
    if is_folded_in_place(text):
        return _as_it_is(sqlite, text, base, found)
    # Folding changes lengths. So each word it changes is folded alone; its tokens span the word.
    at = 0
    for word in _NON_ASCII_WORD.finditer(text):
        plain = folded(word.group())
        if plain == word.group():
            continue
        start = _as_it_is(sqlite, text[at : word.start()], base, found)
        base = start + len(word.group().encode())
        at = word.end()
        cut = tokens(sqlite, plain.encode("utf-8", "replace"))
        found += [(start, base, token) for _, _, token in cut]
    return _as_it_is(sqlite, text[at:], base, found)


def _as_it_is(sqlite: SqliteTokenizer, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which needs no folding, to ``found``; return the text's end."""
    if not text:
        return base
    utf8 = text.encode()
    tokens = sqlite(utf8)
    if has_accents(text):  # an accent without a letter is not a word
        tokens = [token for token in tokens if token[2].strip(ACCENTS)]
    found += [(base + start, base + end, token) for start, end, token in tokens] if base else tokens
    return base + len(utf8)


def _spanned_pairs(run: str, base: int, found: list[Token]) -> int:
    """Add the pairs of characters in ``run``, from byte ``base``, to ``found``; return its end."""
    characters = list(_folded_characters(run, base))
    end = characters[-1][1]
    if len(characters) == 1:
        found.append(characters[0])
        return end
    for (start, _, first), (_, stop, second) in pairwise(characters):
        found.append((start, stop, first + second))
    return end


def _folded_characters(run: str, base: int) -> Iterator[Token]:
    if unicodedata.is_normalized("NFKC", run):
        for character in run.translate(_SAME_CHARACTERS):
            width = len(character.encode())
            yield base, base + width, character
            base += width
        return
    at = 0
    while at < len(run):
        end = at + 1
        while end < len(run) and _joins(run[end]):
            end += 1
        width = len(run[at:end].encode())
        for character in folded_run(run[at:end]):
            yield base, base + width, character
        base += width
        at = end


def _joins(character: str) -> bool:
    return bool(unicodedata.combining(character)) or bool(_JOINS_PREVIOUS.match(character))


def as_word(symbol: str) -> str:
    """Return ``symbol`` in the form of the index: without skin tone and drawing style."""
    return unicodedata.normalize("NFC", _STYLE.sub("", symbol))


def is_symbol(token: str) -> bool:
    """Return whether a word of the index is a symbol."""
    return _SYMBOL.match(token) is not None


def holds_word(text: str) -> bool:
    """Return whether ``text`` has a letter, a digit or a symbol."""
    return any(c.isalnum() for c in text) or _SYMBOL.search(text) is not None


_SPACES_IN_NUMBERS = " \u00a0\u2009\u202f"
"""Spaces that separate thousands; for the character class of a regular expression."""

LONGEST_WORD = 80
"""Bytes. A longer word gets no further forms: nobody wrote it by hand."""

_LONGEST_RUN = 4
"""Neighbouring parts of a name in code that are also found as one word."""

_AFTER_A_LETTER = rb"(?<![\xc3-\xdf][\x80-\xbf]%s)"  # a letter beyond ASCII
# The first three patterns begin with a plain character, so that they scan a text fast.
_DOTTED = re.compile(
    rb"\.(?:(?<![\w.)\]]\.)" + _AFTER_A_LETTER % rb"\." + rb"[A-Za-z][0-9A-Za-z]*+(?![\xc3-\xdf])"
    rb"|(?<=[0-9A-Za-z]\.)[A-Z]{2,}+(?![0-9a-z\xc3-\xdf]))"  # ".net" finds "ASP.NET"
)
_PLUS = re.compile(rb"\+\+(?<=[0-9A-Za-z]\+\+)")
_SHARP = re.compile(rb"#(?<=[A-Za-z]#)(?![\w#\x80-\xff])")
_WITH_OTHERS = re.compile(
    rb"(?<![0-9A-Za-z])"
    + _AFTER_A_LETTER % b""
    + rb"[0-9A-Za-z]++(?:\+\+|(?<=[A-Za-z])#(?![\w#\x80-\xff]))"
)

# Each pattern begins with a small set of characters and then looks behind: this scans fast.
_CAPITAL = re.compile(rb"[A-Z](?:(?<=[a-z][A-Z])|(?<=[A-Z][A-Z])(?=[a-z]{2}))")
_BETWEEN = re.compile(rb"(?:-(?<=[A-Za-z\x80-\xff]-)|\xe2\x80[\x90\x91])(?=[0-9A-Za-z\xc3-\xf4])")
_NEVER_JOINED = re.compile(rb"[^\x80-\xff0-9-]*")
_PARTS = re.compile(rb"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[\x80-\xff]+")
_HYPHEN = rb"(?:-|\xe2\x80[\x90\x91])"
"""A hyphen: "-", or one that typesetters use: U+2010, or U+2011, after which no line ends."""

_LETTERS = rb"(?:[A-Za-z]++|(?!\xe2\x80[\x90\x91])[\x80-\xff])+"
_HYPHENED = re.compile(
    rb"%s(?:%s[0-9]{1,4}|(?:%s%s){1,2})(?![-\w\x80-\xff])" % (_LETTERS, _HYPHEN, _HYPHEN, _LETTERS)
)
VERSION = re.compile(rb"[vV](?<![.0-9A-Za-z_\x80-\xff].)[0-9]{1,4}(?=\.[0-9])")
_CAMEL = re.compile(rb"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_BEFORE = b"-_" + bytes(range(0x80, 0x100))

_ZWNJ = b"\xe2\x80\x8c"
_ARABIC = rb"(?:[\xd8-\xdb][\x80-\xbf])+"
_JOINED_ARABIC = re.compile(rb"%s(?:%s%s)+" % (_ARABIC, _ZWNJ, _ARABIC))
"""A Persian word with a zero-width non-joiner (ZWNJ) between its parts."""

_DIGIT = "[0-9]"
_NUMBER = re.compile(  # begins with a plain "[1-9]", so that the scan is fast
    rf"[1-9](?<![\w.,'’].)(?:{_DIGIT}{{3,}}(?=[.,]{_DIGIT})"
    rf"|{_DIGIT}{{0,2}}(?:(?:,{_DIGIT}{{2,3}})*,{_DIGIT}{{3}}(?!,{_DIGIT})"
    rf"|(?:\.{_DIGIT}{{3}})+(?!\.{_DIGIT})"
    rf"|(?:[{_SPACES_IN_NUMBERS}'’_٬]{_DIGIT}{{3}}){{1,9}}"
    rf"(?![{_SPACES_IN_NUMBERS}'’_٬]{_DIGIT}))(?!\w))"
)
"""A number of 1,000 or more: its digits stand in groups, or decimals follow.

More than ten groups with spaces are a row of numbers. Each of them may begin a number, so that
without this bound a long row took quadratic time.
"""

_TIMES = re.compile(" ?× ?| x ")
_SIZE = re.compile(
    rf"{_DIGIT}(?<![\w.,'’].){_DIGIT}{{0,5}}(?:(?:(?:{_TIMES.pattern}){_DIGIT}{{1,6}})+(?:[A-Za-z]{{1,3}})?"
    rf"(?!\w|[.,]{_DIGIT})| ?×(?! ?{_DIGIT}))"
)
"""A size such as "3×4" or "3 x 4", perhaps with a unit: "3×4cm". Or a count such as "3×"."""

_DECIMALS = re.compile(rf"([.,])({_DIGIT}{{1,9}})(?!\w|[.,]{_DIGIT})")

_FurtherForm = tuple[int, tuple[bytes, ...], bytes]
"""The index of a token, the parts of its word, and the word with its signs ("c++") if any."""

_JoinedWord = tuple[int, int, bytes]
"""Start and end (bytes) of a word with hyphens or a number with separators, and its joined form."""

_Word = tuple[int, int, *tuple[str, ...]]
_start: Callable[[_Word], int] = itemgetter(0)


def with_sign(word: bytes) -> str:
    """Return the form in the index of a word that is written with punctuation, such as "c++"."""
    return folded(word.decode("utf-8", "replace")).lower()


def signed_words(utf8: bytes) -> list[re.Match[bytes]]:
    """Return the words that are written with signs, such as "c++" and ".env", in order."""
    words = list(_DOTTED.finditer(utf8)) if b"." in utf8 else []
    if (b"++" in utf8 and _PLUS.search(utf8)) or (b"#" in utf8 and _SHARP.search(utf8)):
        words += _WITH_OTHERS.finditer(utf8)
        words.sort(key=re.Match.start)
    return [word for word in words if word.end() - word.start() <= LONGEST_WORD]


def numbers_as_words(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each number of 1,000 or more and each size as one word, in their order.

    Each item has the start and end in ``text`` (characters), and the word. "1,250" and "1.250"
    become "1250", "3×4" becomes "3x4", and "3×" becomes "3x". With decimals, "1250.75" and
    "1.250,75" also become "1250dot75": a point or comma would cut the word in two.
    """
    text = with_ascii_digits(text)
    sizes = _SIZE.finditer(text) if "×" in text or " x " in text else ()
    as_words = ((*size.span(), _TIMES.sub("x", size[0])) for size in sizes)
    yield from merge(_large_numbers(text), as_words)


def _large_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    for number in _NUMBER.finditer(text):
        digits = "".join(filter(str.isdigit, number[0]))
        if digits != number[0]:
            yield (*number.span(), digits)
        decimals = _DECIMALS.match(text, number.end())
        if decimals and decimals[1] not in number[0]:
            yield number.start(), decimals.end(), f"{digits}dot{decimals[2]}"


def with_plain_hyphens(utf8: bytes) -> bytes:
    """Return ``utf8`` with "-" for the hyphens of typesetters."""
    return utf8.replace(b"\xe2\x80\x90", b"-").replace(b"\xe2\x80\x91", b"-")


def parts_and_joined(word: bytes) -> tuple[bytes, ...]:
    """Return further forms of ``word``; empty if it has none or is too long.

    "camelCase" has the forms "camel" and "Case"; "maxRetryCount" also has "maxRetry" and
    "RetryCount"; "e-mail" has the form "email". A Persian word has the form without its zero-width
    non-joiners.
    """
    if len(word) > LONGEST_WORD:
        return ()
    if _ZWNJ in word:
        return tuple(whole[0].replace(_ZWNJ, b"") for whole in _JOINED_ARABIC.finditer(word))
    if b"-" not in word and not _CAMEL.search(word):
        return ()
    forms: list[bytes] = []
    for piece in word.split(b"-"):
        if _CAMEL.search(piece):
            parts = _PARTS.findall(piece)
            forms += [part for part in parts if len(part) > 1]
            forms += _runs_of(parts)
    if _HYPHENED.fullmatch(word):
        forms.append(word.replace(b"-", b""))
    return tuple(dict.fromkeys(forms))


def _runs_of(parts: Sequence[bytes]) -> Iterator[bytes]:
    """Yield two to four neighbouring ``parts`` as one word, but not all parts."""
    for start in range(len(parts)):
        for end in range(start + 2, min(start + _LONGEST_RUN, len(parts)) + 1):
            if end - start < len(parts):
                yield b"".join(parts[start:end])


def further_forms(utf8: bytes, tokens: Sequence[_Word]) -> Iterator[_FurtherForm]:
    """Yield the parts of identifiers and versions in ``utf8``, and the words with signs."""
    last = -1
    for capital in _CAPITAL.finditer(utf8):
        at = capital.start()
        number = bisect_right(tokens, at, key=_start) - 1
        if number >= 0 and number != last and at < tokens[number][1]:
            yield number, parts_and_joined(utf8[slice(*tokens[number][:2])]), b""
            last = number
    for version in VERSION.finditer(utf8):
        number = bisect_right(tokens, version.start(), key=_start) - 1
        if number >= 0 and tokens[number][:2] == version.span():
            yield number, (version[0][1:],), b""
    for word in signed_words(utf8):
        first = word.start() + word[0].startswith(b".")  # a point before a word is no token
        number = bisect_right(tokens, first, key=_start) - 1
        if number >= 0 and word.start() <= tokens[number][0] < word.end():
            yield number, (), word[0]


def joined(utf8: bytes, tokens: Sequence[_Word]) -> Iterator[_JoinedWord]:
    """Yield words with hyphens and numbers with separators, each as one word without them."""
    if _NEVER_JOINED.fullmatch(utf8):  # most words
        return
    text = utf8.decode("utf-8", "replace")
    at = 0
    before = 0
    for start, end, digits in numbers_as_words(text):
        before += len(text[at:start].encode())
        at = start
        yield before, before + len(text[start:end].encode()), digits.encode()
    for word in _JOINED_ARABIC.finditer(utf8):
        yield *word.span(), word[0].replace(_ZWNJ, b"")
    for hyphen in _BETWEEN.finditer(utf8):
        number = bisect_right(tokens, hyphen.start(), key=_start) - 1
        if number < 0 or tokens[number][1] != hyphen.start():
            continue
        start = tokens[number][0]
        if start and utf8[start - 1] in _BEFORE:
            continue
        hyphened = _HYPHENED.match(utf8, start, start + LONGEST_WORD)
        if hyphened is None:
            continue
        parts = with_plain_hyphens(hyphened.group()).split(b"-")
        last = number + len(parts) - 1
        if last < len(tokens) and tokens[last][1] == hyphened.end():
            yield start, hyphened.end(), b"".join(parts)
