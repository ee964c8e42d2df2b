"""Reads numbers as people write them in properties: ``1,250``, ``€5 000``, ``72 kg``, ``★★★``."""

import re
import unicodedata

_CURRENCIES = """
    aed ars aud bgn brl cad chf clp cny cop czk dkk egp eur fr gbp hkd huf idr ils inr isk jpy kč kr
    krw mxn myr nok nzd php pln ron rs rsd rub sar sek sgd thb try twd uah usd vnd zar zł руб грн
"""
_CURRENCY = rf"(?:(?:{'|'.join(_CURRENCIES.split())})\.?|[a-z]{{0,3}}[$¢-¥฿₠-⃀﷼])"
_UNIT = r"[^\W\d_]{1,4}[²³]?"

_AMOUNT = re.compile(
    rf"""
    (?P<sign> [+\-\u2212]? ) (?: (?P<before> {_CURRENCY} ) \s? )?
    (?P<digits> \d+ (?: [.,'’_\s٬٫] \d+ )* ) (?P<exponent> (?: e [+-]? \d{{1,2}} )? )
    (?: \s? (?P<after> {_CURRENCY} | [%‰°′″] | °?{_UNIT} (?: /{_UNIT} )? ) )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PRICED = re.compile(_CURRENCY, re.IGNORECASE)
_MARKS_OF_THOUSANDS = re.compile(r"['’_٬\s]")
_IN_GROUPS = re.compile(
    r"[1-9]\d{0,2}(?P<mark>[.,'])(?:(?:\d{3}|(?<=,)\d\d)(?P=mark))*\d{3}(?:(?!(?P=mark))[.,]\d+)?"
)
"""Digits with a mark between thousands, or between lakhs as in India."""

_AS_IN_YAML = re.compile(r"\d{1,3}\.\d{3}")
"""Either decimals after a point, or thousands as in ``1.250 €``."""

_DECIMAL = re.compile(r"\d+(?:[.,]\d+)?")

_FACTORS = frozenset(
    "k K M B bn mil mio Mio mld mln mrd Mrd tsd Tsd tys тыс млн млрд cr Cr".split()
)
"""Words that multiply a number. Such a number is text."""

_LONGEST = 40
_STARS = re.compile("(?P<full>(?:[★⭐🌟]\ufe0f?)+)[☆✩]*(?:/\\d+)?")


_RATED = re.compile(r"(\d+(?:[.,]\d)?)[ ]?/[ ]?(5|10|20|100)")
"""A number of points out of all: ``7/10``."""


def amount(text: str) -> float | None:
    """Return the number that ``text`` means; None if it is not a number.

    A currency, a per cent sign or a unit of up to four letters beside the number is ignored. A
    comma or point begins the decimals, but:

    * if there are both, the last one does;
    * a comma with three digits after it separates thousands;
    * so does a point in a price: ``1.250 €``. Otherwise ``1.250`` has decimals, as in YAML.

    Stars are counted: ``★★★☆☆`` is 3. Of ``7/10``, the 7 counts.
    """
    rated = _RATED.fullmatch(text.strip())
    if rated:
        text = rated[1]
    stars = _STARS.fullmatch(text.strip())
    if stars:
        return float(len(stars["full"].replace("\ufe0f", "")))
    written = _AMOUNT.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if written is None:
        return None
    after = written["after"] or ""
    if after in _FACTORS:
        return None
    is_price = bool(written["before"] or _PRICED.fullmatch(after))
    digits = _plain(written["digits"], is_price=is_price)
    return (
        float(written["sign"].replace("\u2212", "-") + digits + written["exponent"])
        if digits
        else None
    )


def _plain(digits: str, *, is_price: bool) -> str:
    """Return ``digits`` with only a decimal point between them; empty if they are not a number."""
    digits = _MARKS_OF_THOUSANDS.sub("'", digits).replace("٫", ".")
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in digits)
    grouped = _IN_GROUPS.fullmatch(digits)
    if grouped and (is_price or not _AS_IN_YAML.fullmatch(digits)):
        return digits.replace(grouped["mark"], "").replace(",", ".")
    return digits.replace(",", ".") if _DECIMAL.fullmatch(digits) else ""
