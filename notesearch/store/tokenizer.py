"""The FTS5 tokenizer: what counts as a word in the index, in queries and in highlights.

Text with spaces goes to SQLite's own ``unicode61`` after NFKC, which folds case, width and
ligatures. Words lose their accents, and are stemmed in the language of their note, otherwise as
English. Scripts without spaces are cut into overlapping pairs of characters, so that a phrase finds
any run of two or more. An emoji, an arrow, a mathematical sign or a currency is a word.

A word may have several forms: its stem, and further forms such as "use" and "state" for "useState",
"email" for "e-mail", "2.1" for "v2.1" and "1250" for "1,250". "c++" and ".env" are words of their
own. The index stores all forms at the position of the word. A query looks for any of its own forms:
the word's stems in all languages of the vault.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from heapq import merge
from itertools import chain, pairwise, zip_longest
from operator import add, itemgetter
from typing import cast

import apsw

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
from notesearch.store.stemming import (
    COMPOUNDING,
    ENGLISH,
    Term,
    has_own_stems,
    simplified,
    stemmer,
    unmarked,
    without_accents,
)

Token = tuple[int, int, str]
"""Start and end (bytes of UTF-8), and the folded and stemmed form."""

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

_RUNS = re.compile(f"([{UNSPACED}]+)")
_SEPARATED = bytes(
    ord(" ") if code < 0x80 and not chr(code).isalnum() and chr(code) != "-" else code
    for code in range(0x100)
)
_CACHED = 100_000
_DIFFERENT = 300_000
"""Maximum number of different words of one section: nearly twice those of a large dictionary."""

PORTION = 1 << 17
"""A huge text is cut into words in portions of this many bytes."""

_END_OF_WORD = re.compile(rb"\s|\xe3\x80[\x80-\x82]")
_CHARACTER = re.compile(rb"[\x00-\x7f\xc0-\xff]")

BACKWARDS = "~"
"""Begins a reversed word: so words with the same ending stand together in the vocabulary."""

_SHORTEST_COMPOUND = 7

_SEPARATOR = "."
"""Stands between a text and the further forms of its words, so that no phrase spans both."""

_SPACES_IN_NUMBERS = " \u00a0\u2009\u202f"
"""Spaces that separate thousands; for the character class of a regular expression."""

_LONGEST = 80
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
_VERSION = re.compile(rb"[vV](?<![.0-9A-Za-z_\x80-\xff].)[0-9]{1,4}(?=\.[0-9])")
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

NAME = "notesearch"

_WORDS = 1 << 15
"""Words whose forms are cached, for the highlights of the next search."""

_QUERIES = 1024
"""Queries whose words are cached: FTS5 asks for them again with each statement."""

Forms = tuple[int, int, tuple[str, ...]]
"""Start and end (bytes of UTF-8), and all forms of the word there."""

# Combining marks, such as Indic vowels, are part of a word. Accents are not. Neither are marks that
# only change how a character is drawn.
_CATEGORIES = (
    "categories",
    "L* N* Co Mn Mc",
    "separators",
    "".join(map(chr, (*range(0x300, 0x370), *range(0x20D0, 0x20F1), *range(0xFE00, 0xFE10)))),
)
_AUX = apsw.FTS5_TOKENIZE_AUX


def carry_on() -> None:
    """Do nothing: the ``check`` of work that is never stopped."""


class Tokenizer:
    """Cuts text into words for one connection.

    Attributes:
        check: Called from time to time while a huge text is cut; it may raise to stop.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        """Register the tokenizer with ``connection``."""
        options = ["remove_diacritics", "0", *_CATEGORIES]
        sqlite = connection.fts5_tokenizer("unicode61", options)
        self._sqlite = cast("SqliteTokenizer", partial(sqlite, flags=_AUX, locale=None))
        self._terms_in = cache(partial(IndexTerms, self._sqlite))
        self._languages: tuple[str, ...] = (ENGLISH,)
        self.check: Callable[[], None] = carry_on
        self._forms_of_word = lru_cache(_WORDS)(self._word_in)
        self._forms_of_part = lru_cache(_WORDS)(self._part_in)
        self._query_forms = lru_cache(_QUERIES)(self._cut_query)

        def factory(
            _: apsw.Connection, __: list[str]
        ) -> Callable[[bytes, int, str | None], object]:
            return self._tokenize

        connection.register_fts5_tokenizer(NAME, factory)  # type: ignore[arg-type]

    def _tokenize(self, utf8: bytes, flags: int, locale: str | None) -> Iterable[object]:
        """Return the words of a text for FTS5, which calls this for notes and for queries."""
        if not utf8:
            return ()
        if flags & apsw.FTS5_TOKENIZE_DOCUMENT:
            terms = self._terms_in(locale or ENGLISH)
            return (
                terms.in_text(utf8) if len(utf8) < PORTION else terms.in_huge_text(utf8, self.check)
            )
        words = self._query_forms(utf8, bool(flags & apsw.FTS5_TOKENIZE_PREFIX))
        return [(start, end, *forms) for start, end, forms in words]

    def tokens(self, utf8: bytes, *, begun: bool = False) -> list[Token]:
        """Return the words of ``utf8`` with English stems, or without any if it is ``begun``."""
        cut = tokens(self._sqlite, utf8)
        if begun:
            return [(start, end, without_accents(word)) for start, end, word in cut]
        stem = self._terms_in(ENGLISH).stem
        return [(start, end, _as_tuple(stem(word))[0]) for start, end, word in cut]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the vault's notes that are not stemmed as English."""
        return self._languages[1:]

    @languages.setter
    def languages(self, spoken: tuple[str, ...]) -> None:
        self._languages = (ENGLISH, *spoken)
        self._query_forms.cache_clear()

    def query_forms(self, utf8: bytes) -> Sequence[Forms]:
        """Return the words of a query, each with the forms that find it in the index."""
        return self._query_forms(utf8, False)

    def _cut_query(self, utf8: bytes, begun: bool) -> tuple[Forms, ...]:
        cut = tokens(self._sqlite, utf8)
        words = [(start, end, self._typed_forms(word, begun)) for start, end, word in cut]
        for number, _, word in _further_forms(utf8, cut):
            if word:
                start, end, _ = cut[number]
                # The token lacks the signs: the point of ".NET", the "++" of "c++".
                begin = start - word.startswith(b".")
                words[number] = (begin, max(end, begin + len(word)), (with_sign(word),))
        return tuple(words)

    def forms(self, utf8: bytes, language: str | None = None) -> tuple[list[Forms], list[Forms]]:
        """Return the words of a note's text, and its hyphenated words joined into one.

        Each word comes with its span in ``utf8`` and all forms that the index may store.
        ``language`` is the language of the note, whose words may be English, too; None allows for
        all languages of the vault.
        """
        languages = self._languages
        if language is not None:
            languages = tuple(dict.fromkeys((ENGLISH, locale_of(language))))
        cut = tokens(self._sqlite, utf8)
        words = [(start, end, self._forms_of_word(word, languages)) for start, end, word in cut]
        for number, parts, word in _further_forms(utf8, cut):
            start, end, more = words[number]
            more += tuple(form for part in parts for form in self._forms_of_part(part, languages))
            if word:
                more += (with_sign(word),)
            words[number] = (start, end, more)
        wholes = [
            (start, end, self._forms_of_part(whole, languages))
            for start, end, whole in joined(utf8, cut)
        ]
        return words, wholes

    def _typed_forms(self, word: str, begun: bool) -> tuple[str, ...]:
        """Return the forms that find a typed word, or one that is ``begun``, in the index."""
        plain = without_accents(word)
        forms = [] if begun else list(self._forms_of_word(word, self._languages))
        if begun or self.languages:
            forms.append(plain)
        if begun:
            forms += (simplified(plain, language) for language in self._languages)
        return tuple(dict.fromkeys(forms))

    def _word_in(self, word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
        stems: list[str] = []
        like_function_words: set[str] = set()
        for language in languages:
            own = _flat([self._terms_in(language).stem(word)])
            marked = {unmarked(stem) for stem in own if stem != unmarked(stem)}
            stems += own
            like_function_words |= marked.difference(own)
        # A Spanish "pared" is no "para" (for), even if it might be a word of another language.
        kept = (stem for stem in stems if stem == word or stem not in like_function_words)
        return tuple(dict.fromkeys(kept))

    def _part_in(self, part: bytes, languages: tuple[str, ...]) -> tuple[str, ...]:
        forms = (self._terms_in(language).forms_of_part(part) for language in languages)
        return tuple(dict.fromkeys(chain.from_iterable(forms)))


def locale_of(language: str) -> str:
    """Return the FTS5 locale of notes in ``language``, by which they are stemmed."""
    return language if has_own_stems(language) else ENGLISH


def is_single_unspaced(token: str) -> bool:
    """Return whether ``token`` is one character of a script that is indexed in pairs."""
    return len(token) == 1 and UNSPACED_RUN.fullmatch(token) is not None


class IndexTerms:
    """Cuts notes of one language into terms for the index."""

    def __init__(self, sqlite: SqliteTokenizer, language: str) -> None:
        """Cut with ``sqlite``; words get the stems of ``language``."""
        self._sqlite = sqlite
        self.stem = stemmer(language)
        self._language = language
        self._is_compounding = language in COMPOUNDING
        self._further = lru_cache(_CACHED)(self._further_forms)

    def in_text(self, utf8: bytes) -> Sequence[Term]:
        """Return all words of a text in order, then their further forms, each once."""
        words = self._in_order(utf8)
        forms = self._forms(utf8)
        return [*words, _SEPARATOR, (_SEPARATOR, *forms)] if forms else words

    def in_huge_text(self, utf8: bytes, check: Callable[[], None]) -> Iterator[Term]:
        """Yield the terms of a huge text, and call ``check`` after each portion.

        FTS5 keeps all of a row in memory. So only the first ``_DIFFERENT`` different words are
        kept.
        """
        seen: set[Term] = set()
        forms: dict[str, None] = {}
        for portion in _portions(utf8):
            for term in self._in_order(portion):
                if len(seen) < _DIFFERENT:
                    seen.add(term)
                elif term not in seen:
                    continue
                yield term
            if len(forms) < _CACHED:
                forms |= self._forms(portion)
            check()
        if forms:
            yield _SEPARATOR
            yield (_SEPARATOR, *forms)
        self._further.cache_clear()  # hardly any of its words come again

    def _forms(self, utf8: bytes) -> dict[str, None]:
        pieces = _with_plain_hyphens(utf8).translate(_SEPARATED).split()
        short = (piece for piece in pieces if len(piece) <= _LONGEST)
        forms = dict.fromkeys(chain.from_iterable(map(self._further, short)))
        for _, _, digits in numbers_as_words(utf8.decode("utf-8", "replace")):
            forms[digits] = None
        return forms

    def forms_of_part(self, part: bytes) -> tuple[str, ...]:
        """Return the forms of a part of a word, such as "State" in "useState"."""
        return _flat(self._words(part)[:1])

    def _further_forms(self, piece: bytes) -> tuple[str, ...]:
        """Return the forms, besides its words, by which a text without spaces is found."""
        forms: tuple[str, ...] = ()
        if b"-" in piece or not (piece.islower() or piece.istitle() or piece.isupper()):
            parts = _parts_and_joined(piece)
            forms = _flat(self._words(b" ".join(parts))) if parts else ()
        if self._is_compounding:
            forms += tuple(
                f"{BACKWARDS}{form[::-1]}"
                for form in _flat(self._words(piece))
                if len(form) >= _SHORTEST_COMPOUND and form.isalpha()
            )
        return forms

    def _in_order(self, utf8: bytes) -> Sequence[Term]:
        terms: list[Term] = []
        at = 0
        forms = [(word, with_sign(word.group())) for word in _signed(utf8)]
        forms += [(word, word.group()[1:].decode()) for word in _VERSION.finditer(utf8)]
        for word, form in sorted(forms, key=lambda pair: pair[0].start()):
            terms += self._words(utf8[at : word.start()])
            *before, last = self._words(word.group())
            terms += (*before, (*_as_tuple(last), form))
            at = word.end()
        if not at:
            return self._words(utf8)
        terms += self._words(utf8[at:])
        return terms

    def _words(self, utf8: bytes) -> Sequence[Term]:
        if not utf8.isascii() and UNSPACED_RUN.search(non_ascii(utf8)):
            return self._runs(utf8.decode("utf-8", "replace"))
        return [self.stem(word) for _, _, word in tokens(self._sqlite, utf8)]

    def _runs(self, text: str) -> Sequence[Term]:
        """Return the words of a text in a script without spaces, twice as fast as ``tokens``."""
        terms: list[Term] = []
        runs = _RUNS.split(text)
        for between, run in zip_longest(runs[::2], runs[1::2]):
            terms += self._words(between.encode())
            if run:
                characters = _characters(run)
                terms += _pairs(simplified(characters, self._language))
        return terms


def _portions(utf8: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(utf8):
        word = _END_OF_WORD.search(utf8, start + PORTION, start + 2 * PORTION)
        character = _CHARACTER.search(utf8, start + PORTION)
        end = word.end() if word else character.start() if character else len(utf8)
        yield utf8[start:end]
        start = end


def _flat(words: Iterable[Term]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_as_tuple, words)))


def _as_tuple(word: Term) -> tuple[str, ...]:
    return (word,) if isinstance(word, str) else word


def with_sign(word: bytes) -> str:
    """Return the form in the index of a word that is written with punctuation, such as "c++"."""
    return folded(word.decode("utf-8", "replace")).lower()


_SAME_CHARACTERS = {
    **{code: code - 0x60 for code in range(0x30A1, 0x30F7)},  # the hiragana of each katakana
    **str.maketrans("髙﨑邉濵", "高崎辺浜"),  # in Japanese names
}
"""Characters, of the same length in UTF-8, that people write for each other: りんご, リンゴ."""


def _characters(run: str) -> str:
    return unicodedata.normalize("NFKC", run).translate(_SAME_CHARACTERS)


def _pairs(characters: str) -> Sequence[Term]:
    """Return the overlapping pairs of ``characters``; the last pair also has the last character.

    A query of one character finds a pair that begins with it. If the last character were a term of
    its own, it would shift the positions of later words.
    """
    if len(characters) == 1:
        return [characters]
    pairs: list[Term] = list(map(add, characters, characters[1:]))
    pairs[-1] = (characters[-2:], characters[-1])
    return pairs


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
        return _unfolded(sqlite, text, base, found)
    # Folding changes lengths. So each word it changes is folded alone; its tokens span the word.
    at = 0
    for word in _NON_ASCII_WORD.finditer(text):
        plain = folded(word.group())
        if plain == word.group():
            continue
        start = _unfolded(sqlite, text[at : word.start()], base, found)
        base = start + len(word.group().encode())
        at = word.end()
        cut = tokens(sqlite, plain.encode("utf-8", "replace"))
        found += [(start, base, token) for _, _, token in cut]
    return _unfolded(sqlite, text[at:], base, found)


def _unfolded(sqlite: SqliteTokenizer, text: str, base: int, found: list[Token]) -> int:
    """Add the tokens of ``text``, which is folded already, to ``found``; return the text's end."""
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
        for character in _characters(run[at:end]):
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


def _signed(utf8: bytes) -> list[re.Match[bytes]]:
    words = list(_DOTTED.finditer(utf8)) if b"." in utf8 else []
    if (b"++" in utf8 and _PLUS.search(utf8)) or (b"#" in utf8 and _SHARP.search(utf8)):
        words += _WITH_OTHERS.finditer(utf8)
        words.sort(key=re.Match.start)
    return [word for word in words if word.end() - word.start() <= _LONGEST]


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


def _with_plain_hyphens(utf8: bytes) -> bytes:
    return utf8.replace(b"\xe2\x80\x90", b"-").replace(b"\xe2\x80\x91", b"-")


def _parts_and_joined(word: bytes) -> tuple[bytes, ...]:
    """Return further forms of ``word``; empty if it has none or is too long.

    "camelCase" has the forms "camel" and "Case"; "maxRetryCount" also has "maxRetry" and
    "RetryCount"; "e-mail" has the form "email". A Persian word has the form without its zero-width
    non-joiners.
    """
    if len(word) > _LONGEST:
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


def _further_forms(utf8: bytes, tokens: Sequence[_Word]) -> Iterator[_FurtherForm]:
    """Yield the parts of identifiers and versions in ``utf8``, and the words with signs."""
    last = -1
    for capital in _CAPITAL.finditer(utf8):
        at = capital.start()
        number = bisect_right(tokens, at, key=_start) - 1
        if number >= 0 and number != last and at < tokens[number][1]:
            yield number, _parts_and_joined(utf8[slice(*tokens[number][:2])]), b""
            last = number
    for version in _VERSION.finditer(utf8):
        number = bisect_right(tokens, version.start(), key=_start) - 1
        if number >= 0 and tokens[number][:2] == version.span():
            yield number, (version[0][1:],), b""
    for word in _signed(utf8):
        number = bisect_right(tokens, word.start() + (word[0][:1] == b"."), key=_start) - 1
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
        hyphened = _HYPHENED.match(utf8, start, start + _LONGEST)
        if hyphened is None:
            continue
        parts = _with_plain_hyphens(hyphened.group()).split(b"-")
        last = number + len(parts) - 1
        if last < len(tokens) and tokens[last][1] == hyphened.end():
            yield start, hyphened.end(), b"".join(parts)
