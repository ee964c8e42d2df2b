"""Reads the properties of a note: its front matter, and ``name:: value`` in its text.

Front matter is written in one of these forms:

* YAML between ``---``; Hexo needs only the line below it. A fence may name another language, as in
  Eleventy's ``---js``.
* TOML between ``+++``, or a JSON object: Hugo.
* ``key:: value``: Logseq.
* ``Title: value``: MultiMarkdown, Pelican, and the head of a mail.
* ``% title``: Pandoc.
* Lines below the title of the note: Notion. Some people write only ``Date: …`` there.
* Lines at the end of the note: Joplin.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import PurePosixPath
from textwrap import dedent

from notesearch.files import parse_toml
from notesearch.markdown.sections.html_text import with_characters
from notesearch.markdown.sections.inline_metadata import listed_tags
from notesearch.markdown.sections.written_values import amount, date_of_property, start_of
from notesearch.markdown.sections.yaml_mapping import (
    DEPTH_LIMIT,
    VALUES_LIMIT,
    Value,
    add_value,
    flat_text,
    items_of,
    listed_value,
    mapping,
    unquoted,
)
from notesearch.notes import Property

SIZE_LIMIT = 1024 * 1024

_BLOCK = re.compile(
    r"\n{0,3}---[ \t]*(ya?ml|toml|json|js|javascript)?[ \t]*\n(.*?)"
    r"^(?:-{3,}|\.\.\.)[ \t]*(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_TOML_BLOCK = re.compile(r"(\+)\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML_PAIR = re.compile(r"^([\w.-]+|\"[^\"\n]+\")[ \t]*=[ \t]*(.*)$", re.MULTILINE)

_LINKED = re.compile(r"\[\[([^\[\]|\n]+)\]\]")
_SENTENCE = re.compile(r"\s*\S+\s+\S+\s+\S")
"""The beginning of a key of three words or more."""

_WIDE_COMMA = re.compile("[，；、،؛]")
"""A comma of another script, which separates nothing in YAML."""

_TAG_SEPARATORS = re.compile(rf"(?:[,;\s]|{_WIDE_COMMA.pattern})+")

_LOGSEQ_PROPERTY = re.compile(r"([^\W\d][\w./-]*)::(?:[ \t]+([^\n]*))?\n")
_LOGSEQ_BODY = re.compile(r"[ \t]*\n\s*\S|[-*] |#{1,6} ")
"""The start of a page's blocks or a heading; without it, ``key:: value`` lines are text."""

_TITLED = re.compile(
    r"(?:(?:\*\*)?[^\W\d_][^:\n]{0,40}:(?:\*\*)?[ \t]+\S[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){2,}"
    r"(?=[ \t]*\n|\Z)"
)
"""``key: value`` lines and the lines that continue them, up to an empty line."""

_SENDERS = frozenset("from von de van da от 差出人 发件人 寄件者 보낸사람".split())
_SUBJECTS = frozenset(
    "subject betreff objet asunto assunto oggetto onderwerp тема 件名 主题 主旨 제목".split()
)
"""The names of the properties with the sender and the subject of a mail."""

_JOPLIN_LINES = re.compile(r"\n\nid: [0-9a-f]{32}\n(?:[a-z_]+:[^\n]*\n){3,60}type_: \d+\s*\Z")
"""What Joplin writes at the end of each file of its export as "RAW"."""

_JOPLIN_PAIR = re.compile(
    r"^(id|author|source_url|created_time|updated_time|latitude|longitude|altitude):[ \t]+"
    r"(?!0\.0+$)(\S[^\n]*)$",
    re.MULTILINE,
)
_UNOPENED = re.compile(r"(?=title:)((?:[^\n]+\n){2,200}?)---[ \t]*(?:\n|\Z)", re.IGNORECASE)
"""YAML with a fence only below it, as Hexo accepts it."""

_PANDOC_LINES = re.compile(
    r"%[ \t]+(?P<title>\S[^\n]*)\n%(?P<author>[^\n%]*)\n(?:%(?P<date>[^\n%]*)\n)?(?=[ \t]*\n|\Z)"
)
NOTION_ID = re.compile(r"(?<=\S) (?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z")
"""What Notion adds to the name of each file."""

_BELOW_TITLE = re.compile(
    r"# [^\n]+\n\n((?:[ \t]*(?:\*\*)?[^\W\d_][^:\n]{0,40}:(?:\*\*)? \S[^\n]*\n)+)(?=\n|\Z)"
)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The properties at the top of a note.

    Attributes:
        lines: The number of lines of the front matter, with its fences; 0 for none.
        values: The values of all properties; a list with three items has three entries.
        end: The position at which properties at the end of the note begin; 0 if there are none.
    """

    lines: int = 0
    title: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    category: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    values: tuple[Property, ...] = ()
    end: int = 0


def read_front_matter(text: str, path: str = "") -> FrontMatter:
    """Read the front matter of ``text``, whose lines end in line feeds; empty if it has none.

    A block counts as text if it is unclosed, too large, or has text but no property. ``path`` shows
    whether Notion wrote the file.
    """
    for pattern in (_BLOCK, _TOML_BLOCK):
        match = pattern.match(text, 0, SIZE_LIMIT) if text[:1] in {"-", "+", "\n"} else None
        found = _READERS.get(match[1], mapping)(match[2]) if match else None
        if match and found and match[2].startswith("\n") and any(map(_SENTENCE.match, found)):
            break  # a letter between horizontal rules
        if match and (found or (found is not None and not match[2].strip())):
            return _front_matter(found, match[0].count("\n") + (not match[0].endswith("\n")))
    exported = _joplin_properties(text) if "type_: " in text[-40:] else None
    if exported:
        return exported
    if text.startswith(("{\n", '{"')):
        return _front_matter(*_json(text[:SIZE_LIMIT]))
    if text.startswith("% "):
        return _front_matter(*_pandoc_title(text))
    if text.startswith("# "):
        return _front_matter(_notion_properties(text, path), 0)
    if text[:1].isalpha() or text.startswith("**"):
        titled = _TITLED.match(text, 0, SIZE_LIMIT)
        named = _front_matter(_pairs(titled[0]) if titled else {}, 0)
        if named.title:
            return named
        unopened = _UNOPENED.match(text, 0, SIZE_LIMIT)
        found = mapping(unopened[1]) if unopened else None
        if unopened and found and len(found) > 1:
            return _front_matter(found, unopened[0].count("\n"))
    return _front_matter(*_logseq_properties(text))


def _joplin_properties(text: str) -> FrontMatter | None:
    last = _JOPLIN_LINES.search(text, max(0, text.rfind("\n\nid: ")))
    if not last:
        return None
    title, _, rest = text.partition("\n")
    found = _front_matter(dict(_JOPLIN_PAIR.findall(last[0])), 0)
    named = one_line(title) if rest.startswith("\n") else ""
    return replace(found, title=named, end=last.start() + 1)


def without_exported(source: str) -> str:
    """Return a section without the properties that Joplin writes at the end of a note."""
    return _JOPLIN_LINES.sub("", source) if "type_: " in source[-40:] else source


def _toml(block: str) -> dict[str, Value] | None:
    try:
        return _mapped(parse_toml(block))
    except ValueError:  # also a number that Python cannot write: more than 4,300 digits
        pairs = _TOML_PAIR.findall(block)[:VALUES_LIMIT]
        return {unquoted(key): listed_value(value) for key, value in pairs} or None


_READERS = {"+": _toml, "toml": _toml}
"""The function that reads a block, by its fence or the language after it; other blocks are YAML."""


def _json(text: str) -> tuple[dict[str, Value], int]:
    try:
        found, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}, 0
    rest, _, following = text[end:].partition("\n")
    is_apart = "\n" in text[:end] or not following.partition("\n")[0].strip()
    if not isinstance(found, dict) or not found or rest.strip() or not is_apart:
        return {}, 0
    return _mapped(found), text.count("\n", 0, end) + 1


def _mapped(found: Mapping[str, object]) -> dict[str, Value]:
    return {str(key): _as_value(value) for key, value in found.items()}


def _as_value(value: object, depth: int = 0) -> Value:
    if depth > DEPTH_LIMIT or value is None:
        return ""
    if isinstance(value, dict):
        return {str(key): _as_value(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_value(inner, depth + 1) for inner in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _logseq_properties(text: str) -> tuple[dict[str, Value], int]:
    properties: dict[str, Value] = {}
    at = 0
    while at < SIZE_LIMIT and (line := _LOGSEQ_PROPERTY.match(text, at)) is not None:
        properties[line[1]] = _logseq_values(line[1].lower(), (line[2] or "").strip())
        at = line.end()
    if _LOGSEQ_BODY.match(text, at) is None:
        return {}, 0
    return properties, text.count("\n", 0, at)


def _pandoc_title(text: str) -> tuple[dict[str, Value], int]:
    found = _PANDOC_LINES.match(text, 0, SIZE_LIMIT)
    if not found:
        return {}, 0
    written = {key: value.strip() for key, value in found.groupdict("").items()}
    values: dict[str, Value] = {key: value for key, value in written.items() if value}
    return values, found[0].count("\n")


def _subject(found: Mapping[str, Value]) -> str:
    keys = {key.strip().lower(): value for key, value in found.items()}
    if _SENDERS.isdisjoint(keys):
        return ""
    return next((flat_text(value) for key, value in keys.items() if key in _SUBJECTS), "")


def _notion_properties(text: str, path: str) -> dict[str, Value]:
    found = _BELOW_TITLE.match(text, 0, SIZE_LIMIT)
    pairs = _pairs(dedent(found[1])) if found else {}
    is_single = len(pairs) == 1
    pairs.pop("Title", None)
    has_known_name = not is_single and any(key.lower() in _KNOWN for key in pairs)
    has_date = any(date_of_property(key, str(value)) for key, value in pairs.items())
    is_exported = NOTION_ID.search(PurePosixPath(path).stem)
    return pairs if has_known_name or has_date or is_exported else {}


def _pairs(lines: str) -> dict[str, Value]:
    pairs: dict[str, Value] = {}
    for entry in re.split(r"\n(?=\S)", lines.rstrip("\n")):
        key, _, value = entry.partition(":")
        if key.startswith("**"):
            key = key.strip("*")
            value = value.removeprefix("**")
        pairs.setdefault(key, one_line(value))
    return pairs


def _front_matter(found: dict[str, Value], lines: int) -> FrontMatter:
    inner = found.get("taxonomies")
    if isinstance(inner, dict):  # Zola's tags and categories
        del found["taxonomies"]
        for key, value in inner.items():
            add_value(found, key, value)
    known: dict[str, list[Value]] = {name: [] for name in _KNOWN.values()}
    properties: dict[str, str] = {}
    for key, value in found.items():
        name = unicodedata.normalize("NFC", key).strip().lower()
        if name in _KNOWN:
            known[_KNOWN[name]].append(value)  # a note may have both "alias" and "aliases"
        else:
            properties[one_line(key)] = _LINK.sub(_words_of_link, flat_text(value))
    titles = (
        one_line(with_characters(flat_text(value)))  # WordPress exports "&#8217;"
        for value in [*known["title"], _subject(found)]
    )
    aliases = chain(*map(_aliases, known["aliases"]))
    return FrontMatter(
        lines=lines,
        title=next(filter(None, titles), ""),
        aliases=_unique(one_line(flat_text(value)) for value in aliases),
        tags=_unique(chain(*map(_tags, known["tags"]))),
        category=one_line(flat_text(known["category"])),
        properties=properties,
        values=tuple(islice(_properties_of(found), VALUES_LIMIT)),
    )


_NAMES = {
    "title": """title, titel, titre, título, titulo, titolo, tytuł, název, nadpis, cím, otsikko,
        tittel, başlık, заголовок, название, назва, τίτλος, 标题, 標題, 题目, 題目, タイトル, 題名,
        제목, عنوان, العنوان, כותרת, शीर्षक, ชื่อเรื่อง, หัวข้อ, tiêu đề, judul""",
    "aliases": "aliases, alias, aliase, 别名, 別名, エイリアス, 별칭, псевдоним, псевдонимы",
    "tags": """tags, tag, keywords, labels, schlagwort, schlagworte, schlagwörter, stichwort,
        stichworte, stichwörter, étiquette, étiquettes, mots-clés, mots clés, etiqueta, etiquetas,
        palabras clave, palavras-chave, etichetta, etichette, parole chiave, trefwoorden, nyckelord,
        taggar, emneord, stikord, tagi, słowa kluczowe, štítky, címkék, etiketler, тег, теги,
        метки, ключевые слова, мітки, ετικέτες, 标签, 標籤, 关键词, 關鍵詞, 关键字, 關鍵字, タグ,
        キーワード, 태그, 키워드, وسوم, الوسوم, תגיות, תגים, برچسب, برچسب‌ها, टैग, แท็ก, thẻ,
        tag(s)""",
    "category": """category, categories, kategorie, kategorien, catégorie, catégories, categoría,
        categorías, categoria, categorias, categorie, kategori, kategoria, категория, категории,
        категорія, κατηγορία, 分类, 分類, 类别, 類別, カテゴリ, カテゴリー, 카테고리, 분류, الفئة,
        קטגוריה, श्रेणी, หมวดหมู่""",
}
_KNOWN = {name.strip(): known for known, names in _NAMES.items() for name in names.split(",")}
"""The field of ``FrontMatter`` for each name of a property, in several languages."""


def _aliases(value: Value) -> Iterable[Value]:
    return value.split(",") if isinstance(value, str) else items_of(value)


def _tags(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        linked = _LINKED.findall(value)
        value = [*linked, *_TAG_SEPARATORS.split(_LINKED.sub(" ", value))]
    for item in chain(*map(_names_of_tags, items_of(value))):
        tag = one_line(flat_text(item))
        several = tag.startswith("#") and " #" in tag
        for one in tag.split(" ") if several else _WIDE_COMMA.split(tag):
            name = one.lstrip("#").strip("/[] ")
            yield name if name.strip("*•-+") else ""


def _names_of_tags(item: Value) -> Iterable[Value]:
    """Return the tags that an item of a list names; it may have a name beside an address."""
    if not isinstance(item, dict):
        return [item]
    named = [item[key] for key in ("label", "name") if key in item]
    return named[:1] or item


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


# Values

_BETWEEN_COMMAS = re.compile(r"(?:\[\[[^\[\]\n]*+\]\]|[^,])+")
"""A value in a list; a comma in a link such as ``[[June 3rd, 2024]]`` does not end it."""

_LINK = re.compile(
    r"!?\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]|\[([^\[\]\n]+)\]\((?:<[^<>\n]*>|[^()\s]*)\)"
)
_ONLY_LINKS = re.compile(rf"(?:(?:{_LINK.pattern})[\s,;]*)+")
"""A value that consists of links to notes: ``[[Note|words]]`` or ``[words](note.md)``."""

_YEAR_LENGTH = 4
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def one_line(text: str, limit: int = 300) -> str:
    """Return ``text`` as one line of at most ``limit`` characters, without invisible ones."""
    return _INVISIBLE.sub("", " ".join(text[: limit * 8].split())).strip()[:limit].rstrip()


def _logseq_values(name: str, value: str) -> list[Value]:
    """Return the values of a property; only tags, aliases and links are split at commas."""
    is_alias = name in {"alias", "aliases"}
    if name in {"tags", "tag"}:
        return [*listed_tags(value)]
    if not is_alias and "[[" not in value:
        return [value]
    parts = [part.strip().removeprefix("#") for part in _BETWEEN_COMMAS.findall(value)]
    return [*chain(*map(_names_of_links, parts))] if is_alias else [*parts]


def _names_of_links(text: str) -> list[str]:
    """Return the names by which the links in a value are found: their notes and their words."""
    if "[" not in text or not _ONLY_LINKS.fullmatch(text):
        return [text]
    names: list[str] = []
    for note, alias, words in _LINK.findall(text):
        names += [note.strip(), note.rpartition("/")[2].strip(), alias.strip(), words.strip()]
    return [*dict.fromkeys(filter(None, names))]


def _words_of_link(link: re.Match[str]) -> str:
    """Return the words that a match of ``_LINK`` shows."""
    return link[2] or link[3] or link[1]


def inline_values(name: str, value: str) -> Iterator[Property]:
    """Yield a property for each value in ``name:: value``, which stands in a note's text."""
    for item in _logseq_values(name.lower(), value):
        if isinstance(item, str):
            yield from (replace(one, inline=True) for one in _named(one_line(name), item))


def _properties_of(found: dict[str, Value], above: str = "") -> Iterator[Property]:
    """Yield a property for each value.

    The key of a value in a mapping begins with ``above`` and the key of the mapping.
    """
    for name, value in found.items():
        key = one_line(f"{above}{name}")
        for item in items_of(value):
            if isinstance(item, dict):
                yield from _properties_of(item, f"{key}.")
                inner = (flat_text(one) for one in item.values() if isinstance(one, str))
                yield from (_property_of(key, text) for text in filter(None, inner))
            elif key:
                text = f"[[{flat_text(item)}]]" if isinstance(item, list) else flat_text(item)
                yield from _named(key, text)


def _named(key: str, text: str) -> Iterator[Property]:
    """Yield a property for each name in a value; of a link, only the words it shows are shown."""
    names = _names_of_links(text)
    shown = {_words_of_link(link).strip() for link in _LINK.finditer(text)}
    for name in names:
        yield replace(_property_of(key, name), hidden=len(names) > 1 and name not in shown)


def _property_of(key: str, text: str) -> Property:
    """Return the property ``key`` with ``text``, and with its number or date if it is one."""
    text = _LINK.sub(lambda link: link[2] or link[1] or link[0], text)
    text = one_line(text.removeprefix("[[").removesuffix("]]"), VALUES_LIMIT)
    day = date_of_property(key, text)
    number = amount(text) if day is None or len(text) == _YEAR_LENGTH else None
    # "2026 Jan" is a date, although it looks like a number with a unit.
    named = start_of(text) if not day and (number is None or text[-1].isalpha()) else None
    return Property(key, text, None if named else number, named or day)
