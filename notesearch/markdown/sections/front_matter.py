"""Front matter: the properties at the top of a note.

They are YAML between ``---``, of which Hexo needs only the one below it; TOML between ``+++`` or a
JSON object, as Hugo writes them; a language that the fence names, as ``---js`` of Eleventy; or
lines without a fence: Logseq's ``key:: value``, ``Title: value`` of MultiMarkdown and Pelican, the
headers of a mail, Pandoc's ``% title``, the lines below a title by Notion, or only ``Date: …``
there, and those at the end of a note by Joplin.
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
from notesearch.markdown.sections.amounts import amount
from notesearch.markdown.sections.inline_metadata import listed_tags
from notesearch.markdown.sections.note_dates import date_of_property, start_of
from notesearch.notes import Property

SIZE_LIMIT = 1024 * 1024
DEPTH_LIMIT = 16
VALUE_LIMIT = 4_000
VALUES_LIMIT = 500

_BLOCK = re.compile(
    r"\n{0,3}---[ \t]*(ya?ml|toml|json|js|javascript)?[ \t]*\n(.*?)"
    r"^(?:-{3,}|\.\.\.)[ \t]*(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_TOML_BLOCK = re.compile(r"(\+)\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML_PAIR = re.compile(r"^([\w.-]+|\"[^\"\n]+\")[ \t]*=[ \t]*(.*)$", re.MULTILINE)
_BARE_PAIR = re.compile(
    r"^([ \t]*(?:- +)?[^\s:#'\"\[{-][^:\n]*:)[ \t]+((?!\{(?!\{))[^\s|>'\"&!*\[].*)$", re.MULTILINE
)
_LEFT_OPEN = re.compile(r"^([^\s:#'\"\[{-][^:\n]*:)[ \t]+(\{\{.*)$", re.MULTILINE)
"""A template's value such as ``{{title}}``, which YAML would read as a mapping in a mapping."""

_BARE_HASH = re.compile(
    r"^([ \t]*(?:[^\s:#'\"\[{-][^:\n]*:|-)[ \t]+)(#[^\s#][^\n]*)$", re.MULTILINE
)
"""A value such as ``#tag`` or ``#ff8800``, which YAML would read as a comment."""

_LITERAL = re.compile(r"^(\S[^\n]*:[ \t]+[|>][-+\d]*[ \t]*\n(?:(?:[ \t][^\n]*)?\n)*)", re.MULTILINE)
"""An entry whose text YAML keeps as it is, because of a ``|`` or ``>`` above it."""

_ENTRY = re.compile(
    r"""(?=^(?:[^\s#"'\[\]{}|>:,*&!%@`<(+~=-][^:\n]*:(?:[ \t]|$)
        |"[^"\n]+"[ \t]*:|'[^'\n]+'[ \t]*:
        |[^\W\d][\w-]*:(?!//)))""",
    re.MULTILINE | re.VERBOSE,
)
_CONTINUED = re.compile(r"[ \t#\]}-]|$")
"""The start of a line that belongs to the entry above it."""

_SENTENCE = re.compile(r"\s*\S+\s+\S+\s+\S")
"""The beginning of a key of three words or more."""

_TIGHT_ITEM = re.compile(r"^([ \t]*)-(?=[^\s-])", re.MULTILINE)
"""The start of a list item without a space after its dash; YAML would add it to the line above."""

_ITEM = re.compile(r"[ \t]*[-*•](?:[ \t]+(.*))?")
_LISTED_PART = re.compile(r"\s*(?:\[\[[^\[\]]*\]\]|\"[^\"]*\"|'[^']*'|[^,\[\]]+)")
_LINKED = re.compile(r"\[\[([^\[\]|\n]+)\]\]")
_BETWEEN_COMMAS = re.compile(r"(?:\[\[[^\[\]\n]*+\]\]|[^,])+")
"""A value in a list; a comma in a link such as ``[[June 3rd, 2024]]`` does not end it."""
_LINKS = re.compile(r"(?:\[\[[^\[\]\n]*\]\][ \t,;]*){2,}")
_LINK = r"!?\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]|\[([^\[\]\n]+)\]\((?:<[^<>\n]*>|[^()\s]*)\)"
_ONE_LINK = re.compile(_LINK)
_ONLY_LINKS = re.compile(rf"(?:(?:{_LINK})[\s,;]*)+")
"""A value that consists of links to notes: ``[[Note|words]]`` or ``[words](note.md)``."""
_COMMENT = re.compile(r"(?<![ \t])[ \t]++#[ \t].*")

_CONFLICT_MARK = re.compile(r"^(?:[<>|]{7} [^\n]*|\|{7}|={7})\n", re.MULTILINE)
"""A mark of a conflict of Git: both sides of the conflict are read."""

_REFUSED_BY_YAML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_WIDE_COMMA = re.compile("[，；、،؛]")
"""A comma of another script, which separates nothing in YAML."""
_TAG_SEPARATORS = re.compile(rf"(?:[,;\s]|{_WIDE_COMMA.pattern})+")
_NULLS = frozenset(("~", "null"))
"""What YAML reads as no value, if it stands without quotes."""

_YEAR_LENGTH = 4
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

_LOGSEQ_PROPERTY = re.compile(r"([^\W\d][\w./-]*)::(?:[ \t]+([^\n]*))?\n")
_LOGSEQ_BODY = re.compile(r"[ \t]*\n\s*\S|[-*] |#{1,6} ")
"""The start of a page's blocks or a heading; without it, ``key:: value`` lines are text."""

_TITLED = re.compile(
    r"(?:(?:\*\*)?[^\W\d_][^:\n]{0,40}:(?:\*\*)?[ \t]+\S[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){2,}"
    r"(?=[ \t]*\n|\Z)"
)
"""Lines ``key: value`` and those that continue them, up to an empty line."""

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

_PANDOC_LINES = re.compile(r"%[ \t]+(\S[^\n]*)\n%([^\n%]*)\n(?:%([^\n%]*)\n)?(?=[ \t]*\n|\Z)")
NOTION_ID = re.compile(r"(?<=\S) (?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z")
"""What Notion adds to the name of each file."""

_BELOW_TITLE = re.compile(
    r"# [^\n]+\n\n((?:[ \t]*(?:\*\*)?[^\W\d_][^:\n]{0,40}:(?:\*\*)? \S[^\n]*\n)+)(?=\n|\Z)"
)
_WIDE_COLON = re.compile(r"^([^\s:：#-][^:：\n]{0,20})：[ \t]*", re.MULTILINE)
"""A colon as Chinese and Japanese keyboards write it, after a key."""

_Value = str | list["_Value"] | dict[str, "_Value"]


class _UnusableError(Exception):
    """The block of YAML is not a mapping, is nested too deeply, or has an alias."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The properties at the top of a note.

    Attributes:
        lines: The number of lines of the front matter, with its fences; 0 for none.
        values: The values of all properties; a list with three items has three entries.
        end: The position at which properties at the end of the note begin; 0 without such.
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
    if text.startswith("{\n"):
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


def one_line(text: str, limit: int = 300) -> str:
    """Return ``text`` as one line of at most ``limit`` characters, without invisible ones."""
    return _INVISIBLE.sub("", " ".join(text[: limit * 8].split())).strip()[:limit].rstrip()


def mapping(block: str) -> dict[str, _Value] | None:
    """Read a YAML mapping, also entries that YAML refuses; None if ``block`` is not one."""
    pieces = _LITERAL.split(_CONFLICT_MARK.sub("", block))
    pieces[::2] = map(_readable, pieces[::2])
    block = "".join(pieces)
    found = _yaml(block)
    return _by_entries(block) if found is None else found


def _readable(block: str) -> str:
    """Return ``block``, rewritten where YAML would misread what people usually mean."""
    block = _LEFT_OPEN.sub(_quoted_pair, _WIDE_COLON.sub(r"\1: ", block))
    return _TIGHT_ITEM.sub(r"\1- ", _BARE_HASH.sub(_quoted_pair, block))


def _yaml(block: str) -> dict[str, _Value] | None:
    """Read a mapping; if YAML rejects it, try again with quotes around values; else None."""
    import yaml

    for attempt in (str, _with_values_quoted):
        try:
            return _load(attempt(block))
        except yaml.YAMLError:
            continue
        except _UnusableError:
            return None
    return None


def _by_entries(block: str) -> dict[str, _Value] | None:
    """Read each entry by itself, or line by line; None if it is more like a letter."""
    before, *entries = _ENTRY.split(block)
    others = sum(not _CONTINUED.match(line) for entry in entries for line in entry.split("\n")[1:])
    is_text = any(line.strip() and not line.startswith("#") for line in before.split("\n"))
    if not entries or others > len(entries) or is_text:
        return None
    found: dict[str, _Value] = {}
    for entry in entries[:VALUES_LIMIT]:
        for key, value in _entry(entry).items():
            _add(found, key, value)
    return found


def _entry(source: str) -> dict[str, _Value]:
    first, *rest = source.split("\n")
    own = "\n".join([first, *filter(_CONTINUED.match, rest)])
    others = " ".join(line for line in rest if not _CONTINUED.match(line))
    read = _yaml(own)
    values = _by_lines(own) if read is None else read
    return {
        key: f"{value} {others}".strip() if isinstance(value, str) else value
        for key, value in values.items()
    }


def _by_lines(entry: str) -> dict[str, _Value]:
    first, *rest = _REFUSED_BY_YAML.sub(" ", entry.replace("\t", " ")).split("\n")
    key, _, value = first.partition(":")
    more = [line for line in rest if line.strip() and not line.lstrip().startswith("# ")]
    items = [_ITEM.fullmatch(line) for line in more]
    if more and all(items):
        values: list[_Value] = [_bare(item[1] or "") for item in items if item]
        return {_bare(key): [_listed(value), *values] if value.strip() else values}
    return {_bare(key): _listed(" ".join([value, *map(str.strip, more)]))}


def _listed(source: str) -> _Value:
    source = _COMMENT.sub("", source).strip()
    inner = source[1:-1] if source.startswith("[") and source.endswith("]") else ""
    if _LINKS.fullmatch(source):
        inner = source
    elif source.startswith("[["):
        inner = ""
    parts = [_bare(part) for part in _LISTED_PART.findall(inner)]
    return [*filter(None, parts)] or _bare(source)


def _bare(source: str) -> str:
    source = source.strip()
    quote = source[:1]
    if quote not in {'"', "'"}:
        return source
    if source.endswith(quote) and source.count(quote) == 2:
        return source[1:-1]
    return source[1:] if source.count(quote) == 1 else source


def _add(found: dict[str, _Value], key: str, value: _Value) -> None:
    if not found.get(key):
        found[key] = value
    elif key.strip().lower() == "title":
        if value and value != found[key]:
            _add(found, "aliases", value)
    elif value:
        several = _items(found[key])
        several += _items(value)
        found[key] = several


def _toml(block: str) -> dict[str, _Value] | None:
    try:
        return _mapped(parse_toml(block))
    except ValueError:  # also a number that Python cannot write: more than 4,300 digits
        pairs = _TOML_PAIR.findall(block)[:VALUES_LIMIT]
        return {_bare(key): _listed(value) for key, value in pairs} or None


_READERS = {"+": _toml, "toml": _toml}
"""How to read a block, by its fence or the language that this names; all others are YAML."""


def _json(text: str) -> tuple[dict[str, _Value], int]:
    try:
        found, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}, 0
    rest = text[end : text.find("\n", end) + 1 or None]
    if not isinstance(found, dict) or not found or rest.strip():
        return {}, 0
    return _mapped(found), text.count("\n", 0, end) + 1


def _mapped(found: Mapping[str, object]) -> dict[str, _Value]:
    return {str(key): _as_value(value) for key, value in found.items()}


def _as_value(value: object, depth: int = 0) -> _Value:
    if depth > DEPTH_LIMIT or value is None:
        return ""
    if isinstance(value, dict):
        return {str(key): _as_value(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_value(inner, depth + 1) for inner in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _logseq_properties(text: str) -> tuple[dict[str, _Value], int]:
    properties: dict[str, _Value] = {}
    at = 0
    while at < SIZE_LIMIT and (line := _LOGSEQ_PROPERTY.match(text, at)) is not None:
        properties[line[1]] = logseq_values(line[1].lower(), (line[2] or "").strip())
        at = line.end()
    if _LOGSEQ_BODY.match(text, at) is None:
        return {}, 0
    return properties, text.count("\n", 0, at)


def _pandoc_title(text: str) -> tuple[dict[str, _Value], int]:
    found = _PANDOC_LINES.match(text, 0, SIZE_LIMIT)
    if not found:
        return {}, 0
    values: dict[str, _Value] = {"title": found[1].strip()}
    for key, value in (("author", found[2]), ("date", found[3])):
        if value and value.strip():
            values[key] = value.strip()
    return values, found[0].count("\n")


def _subject(found: Mapping[str, _Value]) -> str:
    keys = {key.strip().lower(): value for key, value in found.items()}
    if _SENDERS.isdisjoint(keys):
        return ""
    return next((_flat(value) for key, value in keys.items() if key in _SUBJECTS), "")


def _notion_properties(text: str, path: str) -> dict[str, _Value]:
    found = _BELOW_TITLE.match(text, 0, SIZE_LIMIT)
    pairs = _pairs(dedent(found[1])) if found else {}
    is_single = len(pairs) == 1
    pairs.pop("Title", None)
    has_known_name = not is_single and any(key.lower() in _KNOWN for key in pairs)
    has_date = any(date_of_property(key, str(value)) for key, value in pairs.items())
    is_exported = NOTION_ID.search(PurePosixPath(path).stem)
    return pairs if has_known_name or has_date or is_exported else {}


def _pairs(lines: str) -> dict[str, _Value]:
    pairs: dict[str, _Value] = {}
    for entry in re.split(r"\n(?=\S)", lines.rstrip("\n")):
        key, _, value = entry.partition(":")
        if key.startswith("**"):
            key = key.strip("*")
            value = value.removeprefix("**")
        pairs.setdefault(key, one_line(value))
    return pairs


def logseq_values(name: str, value: str) -> list[_Value]:
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
    for note, alias, words in _ONE_LINK.findall(text):
        names += [note.strip(), note.rpartition("/")[2].strip(), alias.strip(), words.strip()]
    return [*dict.fromkeys(filter(None, names))]


def _link_text(link: re.Match[str]) -> str:
    return link[2] or link[3] or link[1]


def _with_values_quoted(block: str) -> str:
    block = _REFUSED_BY_YAML.sub(" ", block.replace("\t", "    "))
    return _BARE_PAIR.sub(_quoted_pair, block)


def _quoted_pair(pair: re.Match[str]) -> str:
    value = _COMMENT.sub("", pair[2]).strip().replace("'", "''")
    return f"{pair[1]} '{value}'"


def _load(block: str) -> dict[str, _Value]:
    """Read a YAML mapping, with all scalars as text, from YAML events.

    PyYAML's own loaders recurse in C, so hostile input can crash the process. They also guess
    types, which alters dates and version numbers.
    """
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    stack: list[list[_Value]] = [[]]
    for event in yaml.parse(block, loader):
        if isinstance(event, yaml.ScalarEvent):
            is_null = event.value in _NULLS and not event.style
            written = "" if is_null else event.value
            stack[-1].append(_with_sign(written, event.anchor or "", event.tag or ""))
        elif isinstance(event, yaml.AliasEvent) or len(stack) > DEPTH_LIMIT:
            raise _UnusableError
        elif isinstance(event, yaml.CollectionStartEvent):
            stack.append([])
        elif isinstance(event, yaml.SequenceEndEvent):
            items = stack.pop()
            stack[-1].append(items)
        elif isinstance(event, yaml.MappingEndEvent):
            pairs = stack.pop()
            mapped: dict[str, _Value] = {}
            for key, value in zip(map(_flat, pairs[::2]), pairs[1::2], strict=True):
                _add(mapped, key, value)
            stack[-1].append(mapped)
    found = stack[0][0] if stack[0] else {}
    if isinstance(found, str) and not found:
        return {}
    if not isinstance(found, dict) or len(stack[0]) > 1:
        raise _UnusableError
    return found


def _with_sign(value: str, anchor: str, tag: str) -> str:
    if tag.startswith("!") and tag != "!":
        return f"{tag} {value}".strip()
    return f"&{anchor}" if anchor and not value else value


def _front_matter(found: dict[str, _Value], lines: int) -> FrontMatter:
    inner = found.get("taxonomies")
    if isinstance(inner, dict):  # Zola's tags and categories
        del found["taxonomies"]
        for key, value in inner.items():
            _add(found, key, value)
    known: dict[str, list[_Value]] = {name: [] for name in _KNOWN.values()}
    properties: dict[str, str] = {}
    for key, value in found.items():
        name = unicodedata.normalize("NFC", key).strip().lower()
        if name in _KNOWN:
            known[_KNOWN[name]].append(value)  # a note may have both "alias" and "aliases"
        else:
            properties[one_line(key)] = _ONE_LINK.sub(_link_text, _flat(value))
    titles = (one_line(_flat(value)) for value in [*known["title"], _subject(found)])
    aliases = chain(*map(_aliases, known["aliases"]))
    return FrontMatter(
        lines=lines,
        title=next(filter(None, titles), ""),
        aliases=_unique(one_line(_flat(value)) for value in aliases),
        tags=_unique(chain(*map(_tags, known["tags"]))),
        category=one_line(_flat(known["category"])),
        properties=properties,
        values=tuple(islice(_values(found), VALUES_LIMIT)),
    )


def inline_values(name: str, value: str) -> Iterator[Property]:
    """Yield a property for each value in ``name:: value``, which stands in a note's text."""
    for item in logseq_values(name.lower(), value):
        if isinstance(item, str):
            yield from (replace(one, inline=True) for one in _named(one_line(name), item))


def _values(found: dict[str, _Value], above: str = "") -> Iterator[Property]:
    """Yield a property for each value.

    The key of a value in a mapping begins with ``above`` and the key of the mapping.
    """
    for name, value in found.items():
        key = one_line(f"{above}{name}")
        for item in _items(value):
            if isinstance(item, dict):
                yield from _values(item, f"{key}.")
                inner = (_flat(one) for one in item.values() if isinstance(one, str))
                yield from (property_of(key, text) for text in filter(None, inner))
            elif key:
                text = f"[[{_flat(item)}]]" if isinstance(item, list) else _flat(item)
                yield from _named(key, text)


def _named(key: str, text: str) -> Iterator[Property]:
    """Yield a property for each name in a value; of a link, only the words it shows are shown."""
    names = _names_of_links(text)
    shown = {_link_text(link).strip() for link in _ONE_LINK.finditer(text)}
    for name in names:
        yield replace(property_of(key, name), hidden=len(names) > 1 and name not in shown)


def property_of(key: str, text: str) -> Property:
    """Return the property ``key`` with ``text``, and with its number or date if it is one."""
    text = one_line(text.removeprefix("[[").removesuffix("]]"), VALUES_LIMIT)
    day = date_of_property(key, text)
    number = amount(text) if day is None or len(text) == _YEAR_LENGTH else None
    # "2026 Jan" is a date, although it looks like a number with a unit.
    named = start_of(text) if not day and (number is None or text[-1].isalpha()) else None
    return Property(key, text, None if named else number, named or day)


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
"""The properties that search knows by name, as people call them in several languages."""


def _items(value: _Value) -> list[_Value]:
    return value if isinstance(value, list) else [value]


def _aliases(value: _Value) -> Iterable[_Value]:
    return value.split(",") if isinstance(value, str) else _items(value)


def _tags(value: _Value) -> Iterator[str]:
    if isinstance(value, str):
        linked = _LINKED.findall(value)
        value = [*linked, *_TAG_SEPARATORS.split(_LINKED.sub(" ", value))]
    for item in chain(*map(_names_of_tags, _items(value))):
        tag = one_line(_flat(item))
        several = tag.startswith("#") and " #" in tag
        for one in tag.split(" ") if several else _WIDE_COMMA.split(tag):
            name = one.lstrip("#").strip("/[] ")
            yield name if name.strip("*•-+") else ""


def _names_of_tags(item: _Value) -> Iterable[_Value]:
    """Return the tags that an item of a list names; it may have a name beside an address."""
    if not isinstance(item, dict):
        return [item]
    named = [item[key] for key in ("label", "name") if key in item]
    return named[:1] or item


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


def _flat(value: _Value) -> str:
    if isinstance(value, list):
        value = ", ".join(filter(None, map(_flat, value)))
    elif isinstance(value, dict):
        value = ", ".join(f"{key}: {_flat(inner)}" for key, inner in value.items())
    return value.strip()[:VALUE_LIMIT]
