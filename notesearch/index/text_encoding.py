"""Turns the bytes of a note into text: Unicode, or the most likely of the encodings before it.

The right encoding is recognised by the characters that are not ASCII: most are letters of one
language. With a wrong encoding, they become signs, capitals within words, or rare letters.
"""

import codecs
import contextlib
import re
from functools import cache

from notesearch.errors import NotANoteError
from notesearch.messages import NO_SENTENCE, Sentence

_BOMS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_NAMES = {
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1252": "Windows-1252",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "mac_roman": "Mac Roman",
    "cp850": "DOS (850)",
    "koi8_r": "KOI8-R",
    "cp866": "DOS (866)",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp949": "EUC-KR",
}
_WESTERN = ("cp1252", "mac_roman", "cp850")
_CYRILLIC = ("cp1251", "koi8_r", "cp866")
_KANA = "".join(map(chr, (*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), 0x30FC)))
_LETTERS = {
    "de": (_WESTERN, "äöüß"),
    "fr": (_WESTERN, "éèàçêùôîâëïœû"),
    "ca": (_WESTERN, "àéèíòóúüïç·"),
    "es": (_WESTERN, "áéíóúñü¿¡"),
    "sv fi": (_WESTERN, "åäöé"),
    "da no nb": (_WESTERN, "åæøé"),
    "pt": (_WESTERN, "ãõçáéíóúâêôà"),
    "it": (_WESTERN, "àèéìòù"),
    "nl": (_WESTERN, "ëïéèöüáó"),
    "is": (_WESTERN, "áéíóúýþæðö"),
    "pl": (("cp1250",), "ąćęłńóśźż"),
    "cs": (("cp1250",), "áčďéěíňóřšťúůýž"),
    "sk": (("cp1250",), "áäčéíľĺňóôšťúýž"),
    "hu": (("cp1250",), "áéíóöőúüű"),
    "hr bs sh sl": (("cp1250",), "čšžćđ"),
    "ro": (("cp1250",), "ăâîşţ"),
    "tr": (("cp1254",), "çğıöşü"),
    "ru": (_CYRILLIC, "оеаинтсрвлкм"),
    "uk be": (_CYRILLIC, "оаиніртевслїє"),
    "el": (("cp1253",), "αοιετσνηυρπκάίόέής"),
    "he": (("cp1255",), "יוהלאתרמבשנם"),
    "ar fa": (("cp1256",), "اليمنورتبةهد"),
    "ja": (("cp932", "euc_jp"), _KANA + "、。"),
    "zh": (
        ("gb18030",),
        (
            "的一是不了人我在有他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
            "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前"
            "开但因只从想实日，。、：；“”（）"
        ),
    ),
    "zh-Hant": (
        ("big5",),
        (
            "的一是不了人我在有他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
            "發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前"
            "開但因只從想實日，。、：；「」（）"
        ),
    ),
    "ko": (
        ("cp949",),
        (
            "이다는에의가을를로하고은한지기도사시리어나자서그인해대일정전수있아라게스것과니으면만여부제들보상"
            "안구장주원했습요우오세비적동성무소유조"
        ),
    ),
}
"""For languages with the same letters: encodings, the most usual first, and frequent letters."""

_USUAL = {
    "cp932": (0x88, 0x97, 0x40),
    "euc_jp": (0xB0, 0xCF, 0xA1),
    "gb18030": (0xB0, 0xD7, 0xA1),
    "big5": (0xA4, 0xC6, 0x40),
    "cp949": (0xB0, 0xC8, 0xA1),
}
"""The bytes of an encoding's usual characters: the first byte's range, and the least second one."""

_SIGNS = "’‘“”„«»–—…•°€£§©®×±²³½¼¾µ\u00a0"
"""Signs that are not ASCII and usual in all of these languages."""

_OF_A_SIGN = 0.9
_OF_A_FIRST_CAPITAL = 0.9
_OF_A_CAPITAL = 0.8
_HALF = 0.5
_OF_A_RARE_LETTER = 0.3
"""How much a character counts in the score, against 1 for a frequent letter."""

_OF_AN_ENCODING = {"mac_roman": 0.85, "koi8_r": 0.85, "cp850": 0.8, "cp866": 0.8}
"""Factors of the scores of encodings that are less usual than those of Windows."""
_NEAR = 0.16
"""Among scores that differ by less from the best, the language of the words decides."""

_BINARY_NULS = 0.02
_FEW = 3
_FEW_OF_MANY = 0.1
_MOSTLY = 0.9
_SAMPLE = 4_000
_NOT_ASCII = re.compile(rb"[\x80-\xff][^\n\r]{0,4000}")  # a cut may split a character
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_OTHER_CHARACTER = re.compile(r"[^\x00-\x7f]")
_BESIDE_ASCII = re.compile(r"[A-Za-z][^\x00-\x7f]|[^A-Za-z]?[^\x00-\x7f][A-Za-z]")
_LAST_LATIN = "\u024f"
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]")
_OF_UTF8 = re.compile("[^\0-\x7f\udc80-\udcff]")
_WESTERN_ODD = 4
"""If a Western file has more odd bytes for each character of UTF-8, it is no UTF-8 at all."""


def decode(content: bytes) -> tuple[str, Sentence]:
    """Return the text of a note, and the problem of its encoding or an empty sentence.

    Tries a byte-order mark, then UTF-8, then the most likely of older encodings. Line ends become
    line feeds before decoding where possible, because a copy of the text may take four times as
    much memory as a copy of the bytes.

    Raises NotANoteError if the bytes are not text.
    """
    for mark, encoding, name in _BOMS:
        if content.startswith(mark):
            content = content[len(mark) :]
            if mark == codecs.BOM_UTF8:
                content = _with_line_feeds(content)
                return _decode_utf8(content)
            text = content.decode(encoding, "replace")
            remark = Sentence("file_partly_text", encoding=name)
            return text, remark if "\ufffd" in text else NO_SENTENCE
    if content.count(0) > len(content) * _BINARY_NULS and not _has_few_nuls(content):
        return _decode_wide(content)
    content = _with_line_feeds(content)
    try:
        return content.decode(), NO_SENTENCE
    except UnicodeDecodeError as error:
        return _decode_other(content, error)


def _decode_utf8(content: bytes) -> tuple[str, Sentence]:
    """Decode UTF-8 with odd bytes, of which other programs add a few, as Windows-1252."""
    with contextlib.suppress(UnicodeDecodeError):
        return content.decode(), NO_SENTENCE
    return content.decode("utf-8", "odd bytes"), Sentence("file_partly_text", encoding="UTF-8")


def _decode_odd(error: UnicodeError) -> tuple[str, int]:
    """Decode an odd byte, or several at the beginning of a character that is cut off."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    odd = error.object[error.start : error.end]
    return odd.decode("cp1252", "replace") if len(odd) == 1 else "\ufffd", error.end


codecs.register_error("odd bytes", _decode_odd)


def _with_line_feeds(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _has_few_nuls(content: bytes) -> bool:
    """Return whether ``content`` is UTF-8 with only a few NULs, in all or compared with its size.

    UTF-16 of non-Latin letters has as few NULs, but also control characters.
    """
    if content.count(0) > max(_FEW, len(content) * _FEW_OF_MANY) or not content.strip(b"\0"):
        return False
    with contextlib.suppress(UnicodeDecodeError):
        content.decode()
        controls = _CONTROLS.findall(content.replace(b"\0", b""))
        return len(controls) <= len(content) * _BINARY_NULS
    return False


def _decode_wide(content: bytes) -> tuple[str, Sentence]:
    """Decode UTF-16 without a mark, in which every other byte of Latin letters is NUL."""
    even = content[::2].count(0)
    odd = content[1::2].count(0)
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    if max(even, odd) > max(_FEW, _MOSTLY * (even + odd)):
        text = content.decode(encoding, "replace")
        if len(_NOT_TEXT.findall(text)) <= len(text) * _BINARY_NULS:
            return text, Sentence("file_guessed_utf16")
    raise NotANoteError("file_not_text")


def _decode_other(content: bytes, error: UnicodeDecodeError) -> tuple[str, Sentence]:
    """Decode bytes that are not valid UTF-8: as UTF-8 with odd bytes, or in another encoding.

    Text of another encoding has more odd bytes than characters that are valid UTF-8.
    """
    text = content.decode("utf-8", "ignore")
    odd = len(content) - len(text.encode())
    valid = len(text) - len(text.encode("ascii", "ignore"))
    if odd <= valid or 1 < odd == error.end - error.start:
        return _decode_utf8(content)
    if len(_CONTROLS.findall(content)) > len(content) * _BINARY_NULS:
        raise NotANoteError("file_not_text")
    encoding = _most_likely(content)
    if odd <= _WESTERN_ODD * valid and encoding not in _USUAL:
        start = content[error.start :][: 16 * _SAMPLE].decode("utf-8", "surrogateescape")
        others = _OF_UTF8.sub("", start).encode("utf-8", "surrogateescape")
        if _most_likely(others) in _WESTERN:
            return _decode_utf8(content)
    remark = Sentence("file_guessed_encoding", encoding=_NAMES[encoding])
    return content.decode(encoding, "replace"), remark


def _most_likely(content: bytes) -> str:
    """Return the most likely encoding from before UTF-8, by the first lines that are not ASCII."""
    from notesearch.markdown.sections.language_detection import detected_language

    sample = _sample(content)
    texts = {encoding: sample.decode(encoding, "replace") for encoding in _NAMES}
    scores = [
        (_score(texts[encoding], letters, encoding), languages.split(), encoding)
        for languages, (encodings, letters) in _LETTERS.items()
        for encoding in encodings
    ]
    scores.sort(key=lambda found: -found[0])
    likely = [found for found in scores if found[0] > scores[0][0] - _NEAR]
    if len({texts[encoding] for _, _, encoding in likely}) > 1:
        start = content[:_SAMPLE]
        for _, languages, encoding in likely:
            if detected_language([start.decode(encoding, "replace")]) in languages:
                return encoding
    return likely[0][2]


def _sample(content: bytes) -> bytes:
    lines = []
    size = 0
    at = 0
    for rest in _NOT_ASCII.finditer(content):
        before = content[max(at, rest.start() - 500) : rest.start()]
        at = rest.end()
        lines.append(re.split(rb"[\n\r]", before)[-1] + rest[0])
        size += len(lines[-1])
        if size > _SAMPLE:
            break
    return b"\n".join(lines)


@cache
def _others(encoding: str) -> frozenset[str]:
    """Return the usual two-byte characters of ``encoding``; the alphabet of a one-byte encoding."""
    if encoding in _USUAL:
        first, last, lowest = _USUAL[encoding]
        codes = (bytes((one, two)) for one in range(first, last + 1) for two in range(lowest, 0xFF))
        return frozenset(b"".join(codes).decode(encoding, "ignore"))
    characters = bytes(range(0x80, 0x100)).decode(encoding, "ignore")
    return frozenset(c for c in characters if c.isalpha() and c > _LAST_LATIN)


def _score(text: str, letters: str, encoding: str) -> float:
    """Return how well ``text``, decoded by ``encoding``, looks like a text; usually 0 to 1.

    This is the share of the frequent ``letters`` among its characters that are not ASCII. Capitals,
    rarer letters and signs count in part. A capital after a small letter does not count, nor does a
    letter beside one of another alphabet.
    """
    is_latin = letters[0] <= _LAST_LATIN
    is_alphabet = encoding not in _USUAL
    capitals = letters.upper()
    others = _others(encoding)
    first_capital = _OF_A_FIRST_CAPITAL if is_latin else _HALF
    capital = _OF_A_CAPITAL if is_latin else _HALF
    rare_letter = _OF_A_RARE_LETTER if is_alphabet else _HALF
    found = 0.0
    count = 0
    for match in _OTHER_CHARACTER.finditer(text):
        before = text[match.start() - 1 : match.start()]
        character = match[0]
        count += 1
        if character in _SIGNS:
            found += _OF_A_SIGN * before.isascii()
        elif is_latin and before.isalpha() and not before.isascii():
            found += _HALF * (character in letters)  # two such letters are seldom together
        elif is_alphabet and not is_latin and _BESIDE_ASCII.match(text, max(match.start() - 1, 0)):
            pass
        elif character in letters:
            found += 1
        elif is_alphabet and character.isupper() and before.islower():
            pass
        elif character in capitals:
            found += capital if before.isalpha() else first_capital
        elif character in others:
            found += rare_letter
    return found / count * _OF_AN_ENCODING.get(encoding, 1.0)
