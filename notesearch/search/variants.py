"""Other ways to write the terms of a query: "5 mg" for "5mg", "don't" for "dont".

A variant becomes an alternative of its term if the index has it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain

from notesearch.markdown.sections.written_values import ENGLISH_WORDS, month_names, period
from notesearch.search.query import Groups, Term
from notesearch.store.reader import Reader

_FREQUENT = 20
"""A term in so many sections is not read as two words."""

_LONGEST = 24
"""Maximum number of letters of a word that is read as two words."""

_SHORTEST_PART = 2
"""Minimum number of letters of each of two neighbours that are searched for as one word, too."""

_NUMBER = r"\d+(?:[.,]\d+)?"
_DECIMAL = re.compile(rf"{_NUMBER}(?:[-–]{_NUMBER})?")
_UNIT = re.compile(r"°?[^\W\d_]{1,4}(?:/[^\W\d_]{1,4})?")
_AMOUNT = re.compile(rf"({_DECIMAL.pattern})({_UNIT.pattern})")
"""A number, or a range, and its unit."""

_SIZE = re.compile(rf"(\d+(?:[x×]\d+)+){_UNIT.pattern}")
_MICRO = re.compile(r"(\d*(?:[.,]\d+)?)u([gmlsLMAVFW])")
"""An amount with "u" for "μ": "5um"."""

_DOI = re.compile(r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_DASHED_NUMBER = re.compile(r"\d+(?:-\d+){2,}")
"""An ISBN, a telephone number, a date."""

_NUMBERED = re.compile(r"([^\W\d_]+)(\d\S*)")
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+\.?")
_LONGEST_INITIALS = 6

_IDENTIFIER = re.compile(r"\+?(?=[^\W_]*\d)[^\W_]{4,34}")
"""A telephone number, an account, a number plate, the address of a device."""

_MOST_GROUPS = 8
"""Maximum number of groups in which such an identifier is written."""

_NEGATED = re.compile(
    r"((?:are|ca|could|did|does|do|had|has|have|is|must|need|should|was|were|wo|would)n)(['’]?)t",
    re.IGNORECASE,
)

_INNER_CAPITAL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
"""Where a part of a name in code begins: before the "C" and the "F" of "parseConfigFile"."""

_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’ʼ](?=[^\W\d_])(?!(?:s|t|d|m|re|ve|ll)\b)", re.IGNORECASE)
"""An apostrophe that may be left out: "obrien" for "O'Brien", but not "well" for "we'll"."""

_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "₀₁₂₃₄₅₆₇₈₉"
_PLAIN = str.maketrans(_RAISED + _LOWERED, "0123456789+-n" + "0123456789")
_SCRIPT = re.compile(f"([{_RAISED}]+)|([{_LOWERED}]+)")
_TYPED_SCRIPT = re.compile(r"\^\{?|(?<=[^\W_])_(?:\{|(?=\d)|(?=\w(?!\w)))|\}")
"""The signs of a superscript or subscript as people type them: ``mc^2``, ``x_1``, ``a_{n+1}``."""

_GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
        " sigma tau upsilon phi chi psi omega".split(),
        "αβγδεζηθικλμνξοπρστυφχψω",
        strict=True,
    )
)
_GREEK_NAMES = {letter: name for name, letter in _GREEK.items()}
_GREEK_NAME = re.compile(rf"(?<![^\W_])(?:{'|'.join(_GREEK)})(?![^\W_])", re.IGNORECASE)
_GREEK_LETTER = re.compile("(?<![Ͱ-Ͽ])[α-ωΑ-Ω](?![Ͱ-Ͽ])")

_OPEN = "".join(map(chr, range(ord("가"), ord("힣"), 28)))
"""The syllables of Korean that end in a vowel."""
_OTHER = "에서는 에서 에게 에는 으로 부터 까지 한테 께서 처럼 보다 이랑 에 의 로 도 만".split()
_KOREAN_SMALL_WORDS = (*"을은이과를는가와", *_OTHER)
AFTER_KOREAN = re.compile(
    f"([가-힣]+?)((?<![{_OPEN}])[을은이과]|(?<=[{_OPEN}])[를는가와]|{'|'.join(_OTHER)})"
)
"""A Korean word, and a small word that is joined to it: "book" may be 책을, 책이 or 책은."""

_UMLAUTS = {"ae": "ä", "oe": "ö", "ue": "ü"}
_AS_TWO = re.compile("|".join(_UMLAUTS), re.IGNORECASE)
_TWO_LETTERS = str.maketrans({umlaut: letters for letters, umlaut in _UMLAUTS.items()})

_LIKE_COLOUR = (
    "arm|behavi|clam|col|discol|endeav|fav|flav|glam|harb|hon|hum|lab|neighb|od|parl|rum|sav|splend"
    "|tum|vap|vig"
)
_LIKE_CENTRE = "calib|cent|(?:centi|kilo|milli)?met|fib|lit|lust|somb|spect|theat"
_SPELLINGS = tuple(
    (re.compile(f"({before})({british}|{american})({after})"), british, american)
    for before, british, american, after in (
        (_LIKE_COLOUR, "our", "or", "[a-z]*"),
        (_LIKE_CENTRE, "re", "er", "[ds]?"),
        ("[a-z]{3,}", "is", "iz", "e[drs]?|ers|ing|ations?"),
        ("[a-z]+l", "ys", "yz", "e[drs]?|ing"),
        ("[a-z]{2,}e", "ll", "l", "ed|ing|ers?|ors?"),
        ("ana|cata|dia|epi|mono|pro", "logue", "log", "s?"),
        ("ana|cata|dia", "logu", "log", "ed|ing"),
        ("defen|licen|offen|practi|preten", "c", "s", "e[ds]?|ing"),
        ("gr", "e", "a", "ys?|yish"),
        ("jewel", "lery", "ry", ""),
        ("program", "me", "", "s?"),
        ("math", "s", "", ""),
        ("co", "s", "z", "y"),
        ("m", "ou", "o", "ld[a-z]*"),
        ("alumin", "ium", "um", ""),
    )
)
"""What stands before, in and after the letters in which British and American words differ."""

_MAY_BE_A_DAY = re.compile(r"\d{1,4}[./_-]\d{1,2}[./_-]\d|\d{8}|\d.*\d{4}|\d{4}.*\d")
_DAY_AND_MONTH = re.compile(
    r"(?P<first>\d{1,2})(?P<sign>[./-])(?P<second>\d{1,2})(?P=sign)(?P<year>\d{2}|\d{4})"
)
_NO_MONTH = rf"(?!.*\b(?:{ENGLISH_WORDS})\b)"
"""English words beside a number: "set 3", "gen 2", "out 2024"."""
_WITHOUT_YEAR = re.compile(
    rf"{_NO_MONTH}"
    r"(?:\d{1,2}(?:st|nd|rd|th|\.)? [^\W\d_]{3,12}\.?|[^\W\d_]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?)",
    re.IGNORECASE,
)
"""What may be a day and a month: "17 Feb", "April 12th"."""
_DOTTED = re.compile(r"\d{1,2}\. ?\d{1,2}\.")
"""A day and a month as in German: "17.2.", "17. 2."."""
_LEAP_YEAR = 2024
_MAY_BE_A_MONTH = re.compile(rf"{_NO_MONTH}[^\W\d_]{{3,12}}\.? \d{{4}}", re.IGNORECASE)
_SHORT_MONTHS = {
    one: other
    for full, short, *_ in map(month_names, range(1, 13))
    for one, other in ((full, short), (short, full))
    if full.startswith(short)
}
"""The English names of months and their short forms, both ways; without "May"."""
_ENGLISH_MONTHS = {*_SHORT_MONTHS, "may", "sep"}

_YEAR_LENGTH = 4
_ORDINALS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}

_AFTER_A_WORD = ",;:!?"


def with_variants(groups: Groups, reader: Reader) -> Groups:
    """Return ``groups``, each with the other ways to write its terms that are in the index."""
    extended = [(*group, *_known(_of_group(group, reader), reader)) for group in groups]
    runs = list(_of_neighbours(groups, reader))
    there = _known(chain.from_iterable(variants for _, variants in runs), reader)
    for run, variants in runs if there else ():
        known = tuple(variant for variant in dict.fromkeys(variants) if variant in there)
        for number in run:
            extended[number] += known
    return tuple(extended)


def has_variant(term: Term, reader: Reader) -> bool:
    """Return whether the index has another way to write ``term``."""
    return bool(_known(_of_group((term,), reader), reader))


def _known(terms: Iterable[Term], reader: Reader) -> tuple[Term, ...]:
    """Return the ``terms`` that are in the index, each once."""
    every = dict.fromkeys(terms)
    if not every or not reader.words.known(_any_of(every)):
        return ()
    return tuple(t for t in every if len(every) == 1 or reader.words.known(t.expression))


def _any_of(terms: Iterable[Term]) -> str:
    """Return the FTS5 expression of any of ``terms``."""
    return " OR ".join(term.expression for term in terms)


def _of_group(group: Sequence[Term], reader: Reader) -> Iterator[Term]:
    for term in group:
        if term.phrase:
            continue
        text = term.text.rstrip(_AFTER_A_WORD)
        of_kind = tuple(_of_kind(text))
        yield from of_kind
        if not of_kind:
            yield from _more_often(_as_two_words(text), term, reader)
        if not reader.words.known(term.expression):
            if month := _SHORT_MONTHS.get(text.lower().rstrip(".")):
                yield Term(month)
            yield from _spaced(text, reader)
            yield from _of_umlauts(text)
        yield from _of_spelling(text.lower(), term)
        yield from _of_identifier(text)
        yield from _of_korean(text)
        yield from _of_science(text)
        yield from _of_date(text, reader)


def _of_kind(text: str) -> Iterator[Term]:
    """Yield other ways to write a size, an amount, a shortened word or initials."""
    if size := _SIZE.fullmatch(text):
        yield Term(size[1].replace("×", "x"))
    elif amount := _AMOUNT.fullmatch(text):
        number, unit = amount.groups()
        yield _phrase(f"{number} {unit}")
        if len(unit) > 1:
            yield _phrase(f"{number} {' '.join(unit)}")  # "5 p.m." for "5pm"
    elif negated := _NEGATED.fullmatch(text):
        yield Term(f"{negated[1]}t") if negated[2] else _phrase(f"{negated[1]}'t")
    elif apostrophe := _APOSTROPHE.search(text):
        yield Term(text.replace(apostrophe[0], ""))
    elif initials := _INITIALS.fullmatch(text):
        yield Term("".join(filter(str.isalpha, initials[0])))


def _of_identifier(text: str) -> Iterator[Term]:
    """Yield other ways to write a name in code.

    They are "parse Config File" for "parseConfigFile", and "parseconfigfile" for
    "parse_config_file".
    """
    words = _INNER_CAPITAL.sub(" ", text)
    if words != text:
        yield _phrase(words)
    if "_" in text:
        yield Term(text.replace("_", ""))


def _phrase(text: str) -> Term:
    return Term(text, phrase=True)


def _more_often(ways: Sequence[Term], term: Term, reader: Reader) -> Iterator[Term]:
    """If ``term`` is rare, yield the ``ways`` to write it that are in more sections than it is."""
    sections = reader.words.count(term.expression, _FREQUENT) if ways else _FREQUENT
    if sections < _FREQUENT and reader.words.known(_any_of(ways)):
        yield from (w for w in ways if reader.words.count(w.expression, sections + 1) > sections)


def _as_two_words(word: str) -> list[Term]:
    """Return each way to read ``word`` as two words, such as "user name" for "username".

    A short word may also be initials: "USA" for "U.S.A.".
    """
    if numbered := _NUMBERED.fullmatch(word):
        return [_phrase(f"{numbered[1]} {numbered[2]}")]
    if not _has_case(word):
        return []
    cuts = range(1, len(word)) if len(word) <= _LONGEST else ()
    pairs = [(word[:cut], word[cut:]) for cut in cuts]
    initials = [_phrase(" ".join(word))] if len(word) <= _LONGEST_INITIALS else []
    return initials + [
        _phrase(f"{first} {second}") for first, second in pairs if not Term(first).is_stop_word
    ]


def _has_case(text: str) -> bool:
    """Return whether ``text`` has only letters, and its script has capitals.

    Scripts with capitals put spaces between words.
    """
    return text.isalpha() and text.lower() != text.upper()


def _spaced(text: str, reader: Reader) -> Iterator[Term]:
    """Yield each way in which the index has an identifier in groups.

    Examples are "+49 170 1234567", "DE89 3704 0044 0532 0130 00" and "00:1A:2B:3C:4D:5E".
    """
    letters = text.removeprefix("+")
    begun: list[tuple[str, ...]] = [()] if _IDENTIFIER.fullmatch(text) else []
    while begun:
        groups = begun.pop()
        start = sum(map(len, groups))
        for end in range(start + 1, len(letters) + 1):
            run = (*groups, letters[start:end])
            term = _phrase(" ".join(run))
            if len(run) > _MOST_GROUPS or not reader.words.known(term.expression):
                continue
            if end < len(letters):
                begun.append(run)
            elif len(run) > 1:
                yield term


def _of_korean(text: str) -> Iterator[Term]:
    """Yield a Korean word with each other small word that may be joined to it.

    The last syllable of 회의, 종이 or 속도 looks like a small word, but belongs to the word.
    """
    joined = AFTER_KOREAN.fullmatch(text)
    if joined and (len(joined[1]) > 1 or joined[2] not in "이과가와의로도만"):
        others = (joined[1] + small for small in _KOREAN_SMALL_WORDS)
        yield from (Term(other) for other in others if AFTER_KOREAN.fullmatch(other))


def _of_umlauts(text: str) -> Iterator[Term]:
    """Yield ``text`` with "ü" for "ue", or the other way round: for names in any language."""
    if _AS_TWO.search(text) and text.isalpha():
        yield Term(_AS_TWO.sub(lambda letters: _UMLAUTS[letters[0].lower()], text))
    composed = unicodedata.normalize("NFC", text.lower())
    if composed.translate(_TWO_LETTERS) != composed:
        yield Term(composed.translate(_TWO_LETTERS))


def _of_spelling(word: str, term: Term) -> Iterator[Term]:
    """Yield an English ``word`` of ``term`` as Americans write it, or as the British do."""
    for shape, british, american in _SPELLINGS:
        if parts := shape.fullmatch(word):
            other = american if parts[2] == british else british
            yield replace(term, text=f"{parts[1]}{other}{parts[3]}")


def _of_science(text: str) -> Iterator[Term]:
    """Yield other ways to write ``text`` if it is an identifier, a quantity or a formula."""
    if micro := _MICRO.fullmatch(text):
        yield Term(f"{micro[1]}μ{micro[2]}")
        yield _phrase(f"{micro[1]} μ{micro[2]}".strip())
    elif doi := _DOI.fullmatch(text):
        yield Term(doi[1])
    elif _DASHED_NUMBER.fullmatch(text):
        yield Term(text.replace("-", ""))
    if _SCRIPT.search(text):
        typed = _SCRIPT.sub(lambda it: ("^" if it[1] else "_") + it[0].translate(_PLAIN), text)
        yield _phrase(typed)
        yield _phrase(typed.replace("_", ""))
    elif _TYPED_SCRIPT.search(text.strip("^_")):
        yield Term(_TYPED_SCRIPT.sub("", text))
    yield from _with_greek(text)


def _with_greek(text: str) -> Iterator[Term]:
    """Yield ``text`` with the names of Greek letters as letters, and the other way round."""
    lettered = _GREEK_NAME.sub(lambda name: _GREEK[name[0].lower()], text)
    if lettered != text:
        yield _phrase(lettered)
        yield Term(lettered.replace("-", ""))
    named = _GREEK_LETTER.sub(lambda letter: f" {_GREEK_NAMES[letter[0].lower()]} ", text)
    if named != text:
        yield _phrase(" ".join(named.split()))


# Dates


def _of_date(text: str, reader: Reader) -> Iterator[Term]:
    """Yield other ways to write a date, such as "15.03.2026" for "March 15, 2026".

    "15 March" is also "15.3." and a part of "2026-03-15"; "15.3." is also "15 March". "March 2026"
    is "2026-03".
    """
    numbers = _DAY_AND_MONTH.fullmatch(text)
    if numbers and len(numbers["year"]) < _YEAR_LENGTH:
        if reader.words.known(Term(text).expression):  # a version, or a part of an address
            return
        text = f"{text[: numbers.start('year')]}20{numbers['year']}"
    day = _day(text)
    if day:
        yield from _ways_to_write(day, reader)
    elif numbers:  # "4/12/2026" may mean April or December
        yield from _with_zeros(*numbers.group("first", "second", "year"))
    elif _DOTTED.fullmatch(text) and (named := period(f"{text}{_LEAP_YEAR}")):
        yield from _with_zeros(str(named[0].day), str(named[0].month))
        yield from _with_month_names(named[0], "", reader)
    elif not _may_name_month(text, reader):
        return
    elif _WITHOUT_YEAR.fullmatch(text) and (named := period(f"{text} {_LEAP_YEAR}")):
        yield from _with_zeros(str(named[0].day), str(named[0].month))
        yield from _with_zeros(str(named[0].month), str(named[0].day))
        yield from _with_month_names(named[0], "", reader)
    elif _MAY_BE_A_MONTH.fullmatch(text) and (named := period(text)):
        yield _phrase(f"{named[0]:%Y %m}")
        for name in _known(map(Term, month_names(named[0].month)), reader):
            yield _phrase(f"{name.text} {named[0].year}")


def _may_name_month(text: str, reader: Reader) -> bool:
    """Return whether a word of ``text`` may be a month in a language of the notes.

    "Mars 2020" is a month in French; in English notes, it is a planet.
    """
    if any(word.strip(".") in _ENGLISH_MONTHS for word in text.lower().split()):
        return True
    return any(language not in {"", "en"} for language in reader.lexicon.languages())


def _day(text: str) -> datetime | None:
    named = period(text) if _MAY_BE_A_DAY.search(text) else None
    return named[0] if named and named[1] - named[0] == timedelta(days=1) else None


def _ways_to_write(day: datetime, reader: Reader) -> Iterator[Term]:
    """Yield phrases that mean ``day``. Signs between the words of a phrase do not matter."""
    number, month, year = str(day.day), str(day.month), str(day.year)
    yield Term(f"{day:%Y%m%d}")
    yield _phrase(f"{year} {day:%m %d}")
    yield _phrase(f"{year} {month} {number}")
    for written in (year, year[2:]):
        yield from _with_zeros(number, month, written)
        yield from _with_zeros(month, number, written)
    yield from _with_month_names(day, year, reader)


def _with_month_names(day: datetime, year: str, reader: Reader) -> Iterator[Term]:
    """Yield the day with each name of its month that the index has; ``year`` may be empty."""
    for name in _known(map(Term, month_names(day.month)), reader):
        for written in (str(day.day), f"{day.day}{_ORDINALS.get(day.day, 'th')}"):
            yield _phrase(f"{written} {name.text} {year}".rstrip())
            yield _phrase(f"{name.text} {written} {year}".rstrip())


def _with_zeros(first: str, second: str, year: str = "") -> Iterator[Term]:
    """Yield a date of numbers, with and without zeros before single digits."""
    yield _phrase(f"{first.zfill(2)} {second.zfill(2)} {year}".rstrip())
    yield _phrase(f"{int(first)} {int(second)} {year}".rstrip())


# Neighbours


def _of_neighbours(groups: Groups, reader: Reader) -> Iterator[tuple[range, list[Term]]]:
    """Yield runs of single terms, and the ways to write each as one word or as another date.

    A run is given by the indexes of its groups.
    """
    lone = [
        group[0].text.rstrip(_AFTER_A_WORD) if len(group) == 1 and not group[0].phrase else ""
        for group in groups
    ]
    for start in range(len(lone)):
        for end in range(start + 2, min(len(lone), start + _MOST_GROUPS) + 1):
            if not all(lone[start:end]):
                break
            yield (
                range(start, end),
                [*_as_one(lone[start:end]), *_of_date(" ".join(lone[start:end]), reader)],
            )


def _as_one(words: Sequence[str]) -> Iterator[Term]:
    """Yield the word that ``words`` make: "5mg" for "5 mg", "ΔG" for "delta G", an identifier."""
    whole = "".join(words)
    if len(words) == 2:
        yield from _pair_as_one(*words)
    if whole.removeprefix("+").isalnum() and _IDENTIFIER.fullmatch(whole):
        yield Term(whole.removeprefix("+"))


def _pair_as_one(first: str, second: str) -> Iterator[Term]:
    unit = second.replace(".", "").removeprefix("°")
    if _DECIMAL.fullmatch(first) and _UNIT.fullmatch(unit):
        yield Term(first + unit)
    is_numbered = _has_case(first) and _DECIMAL.fullmatch(second)
    is_word = min(len(first), len(second)) >= _SHORTEST_PART and _has_case(first + second)
    if is_numbered or is_word:
        yield Term(first + second)
    if letter := _GREEK.get(first.lower()):
        yield Term(letter + second)
    if letter := _GREEK.get(second.lower()):
        yield Term(first + letter)
