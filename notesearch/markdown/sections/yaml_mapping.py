"""Reads a mapping in YAML as people write it, also where YAML refuses it.

All values are text: YAML's own types would alter dates and version numbers. What YAML refuses is
read entry by entry, and an entry that YAML refuses is read line by line.
"""

import re

DEPTH_LIMIT = 16
VALUE_LIMIT = 4_000
"""Maximum number of characters of a value."""

VALUES_LIMIT = 500
"""Maximum number of values of a note."""

_LEFT_OPEN = re.compile(r"^([^\s:#'\"\[{-][^:\n]*:)[ \t]+(\{\{.*)$", re.MULTILINE)
"""A template's value such as ``{{title}}``, which YAML would read as a mapping in a mapping."""

_BARE_HASH = re.compile(
    r"^([ \t]*(?:[^\s:#'\"\[{-][^:\n]*:|-)[ \t]+)(#[^\s#][^\n]*)$", re.MULTILINE
)
"""A value such as ``#tag`` or ``#ff8800``, which YAML would read as a comment."""

_LITERAL = re.compile(r"^(\S[^\n]*:[ \t]+[|>][-+\d]*[ \t]*\n(?:(?:[ \t][^\n]*)?\n)*)", re.MULTILINE)
"""An entry whose text YAML keeps as it is, because of a ``|`` or ``>`` above it."""

_ENTRY = re.compile(
    r"""(?=^(?:[^\s#"'\[\]{}|>:,*&!<(+~=-][^:\n]*:(?:[ \t]|$)
        |"[^"\n]+"[ \t]*:|'[^'\n]+'[ \t]*:
        |[^\W\d][\w-]*:(?!//)))""",
    re.MULTILINE | re.VERBOSE,
)
_CONTINUED = re.compile(r"[ \t#\]}-]|$")
"""The start of a line that belongs to the entry above it."""

_TIGHT_ITEM = re.compile(r"^([ \t]*)-(?=[^\s-])", re.MULTILINE)
"""The start of a list item without a space after its dash; YAML would add it to the line above."""

_ITEM = re.compile(r"[ \t]*[-*•](?:[ \t]+(.*))?")
_LISTED_PART = re.compile(r"\s*(?:\[\[[^\[\]]*\]\]|\"[^\"]*\"|'[^']*'|[^,\[\]]+)")
_LINKS = re.compile(r"(?:\[\[[^\[\]\n]*\]\][ \t,;]*){2,}")
_COMMENT = re.compile(r"(?<![ \t])[ \t]++#[ \t].*")
_CONFLICT_MARK = re.compile(r"^(?:[<>|]{7} [^\n]*|\|{7}|={7})\n", re.MULTILINE)
"""A mark of a conflict of Git: both sides of the conflict are read."""

_REFUSED_BY_YAML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_NULLS = frozenset(("~", "null"))
"""What YAML reads as no value, if it stands without quotes."""

_WIDE_COLON = re.compile(r"^([^\s:：#-][^:：\n]{0,20})：[ \t]*", re.MULTILINE)
"""A colon as Chinese and Japanese keyboards write it, after a key."""

Value = str | list["Value"] | dict[str, "Value"]
"""A value of a property: a text, a list of values, or values by their keys."""


class _UnusableError(Exception):
    """The block of YAML is not a mapping, is nested too deeply, or has an alias."""


def mapping(block: str) -> dict[str, Value] | None:
    """Read a YAML mapping, also entries that YAML refuses; None if ``block`` is not one."""
    pieces = _LITERAL.split(_CONFLICT_MARK.sub("", block))
    pieces[::2] = map(_readable, pieces[::2])
    block = "".join(pieces)
    found = _yaml(block)
    return _by_entries(block) if found is None else found


def _readable(block: str) -> str:
    """Return ``block``, rewritten where YAML would misread what people usually mean."""
    block = block.replace("\t", "    ")  # YAML refuses tabs
    block = _LEFT_OPEN.sub(_quoted_pair, _WIDE_COLON.sub(r"\1: ", block))
    return _TIGHT_ITEM.sub(r"\1- ", _BARE_HASH.sub(_quoted_pair, block))


def _yaml(block: str) -> dict[str, Value] | None:
    """Read a mapping; None if YAML rejects it."""
    import yaml

    try:
        return _load(block)
    except (yaml.YAMLError, _UnusableError):
        return None


def _by_entries(block: str) -> dict[str, Value] | None:
    """Read each entry by itself, or line by line; None if the block is text rather than entries."""
    before, *entries = _ENTRY.split(block)
    others = sum(not _CONTINUED.match(line) for entry in entries for line in entry.split("\n")[1:])
    is_text = any(line.strip() and not line.startswith("#") for line in before.split("\n"))
    if not entries or others > len(entries) or is_text:
        return None
    found: dict[str, Value] = {}
    for entry in entries[:VALUES_LIMIT]:
        for key, value in _entry(entry).items():
            add_value(found, key, value)
    return found


def _entry(source: str) -> dict[str, Value]:
    first, *rest = source.split("\n")
    own = "\n".join([first, *filter(_CONTINUED.match, rest)])
    others = " ".join(line for line in rest if not _CONTINUED.match(line))
    read = _yaml(own)
    values = _by_lines(own) if read is None else read
    return {
        key: f"{value} {others}".strip() if isinstance(value, str) else value
        for key, value in values.items()
    }


def _by_lines(entry: str) -> dict[str, Value]:
    first, *rest = _REFUSED_BY_YAML.sub(" ", entry).split("\n")
    key, _, value = first.partition(":")
    more = [line for line in rest if line.strip() and not line.lstrip().startswith("# ")]
    items = [_ITEM.fullmatch(line) for line in more]
    if more and all(items):
        values: list[Value] = [unquoted(item[1] or "") for item in items if item]
        return {unquoted(key): [listed_value(value), *values] if value.strip() else values}
    return {unquoted(key): listed_value(" ".join([value, *map(str.strip, more)]))}


def listed_value(source: str) -> Value:
    """Return the value on a line: a list if it is ``[a, b]`` or several links, else a text."""
    source = _COMMENT.sub("", source).strip()
    inner = source[1:-1] if source.startswith("[") and source.endswith("]") else ""
    if _LINKS.fullmatch(source):
        inner = source
    elif source.startswith("[["):
        inner = ""
    parts = [unquoted(part) for part in _LISTED_PART.findall(inner)]
    return [*filter(None, parts)] or unquoted(source)


def unquoted(source: str) -> str:
    """Return ``source`` without the quotes around it, and without a quote that is never closed."""
    source = source.strip()
    quote = source[:1]
    if quote not in {'"', "'"}:
        return source
    if source.endswith(quote) and source.count(quote) == 2:
        return source[1:-1]
    return source[1:] if source.count(quote) == 1 else source


def add_value(found: dict[str, Value], key: str, value: Value) -> None:
    """Add ``value`` to the values that ``key`` has in ``found``; a second title is an alias."""
    if not found.get(key):
        found[key] = value
    elif key.strip().lower() == "title":
        if value and value != found[key]:
            add_value(found, "aliases", value)
    elif value:
        several = items_of(found[key])
        several += items_of(value)
        found[key] = several


def _quoted_pair(pair: re.Match[str]) -> str:
    value = _COMMENT.sub("", pair[2]).strip().replace("'", "''")
    return f"{pair[1]} '{value}'"


def _load(block: str) -> dict[str, Value]:
    """Read a YAML mapping, with all scalars as text, from YAML events.

    PyYAML's own loaders recurse in C, so hostile input can crash the process. They also guess
    types, which alters dates and version numbers.
    """
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    stack: list[list[Value]] = [[]]
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
            mapped: dict[str, Value] = {}
            for key, value in zip(map(flat_text, pairs[::2]), pairs[1::2], strict=True):
                add_value(mapped, key, value)
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


def items_of(value: Value) -> list[Value]:
    """Return the items of a list, or a list with the one ``value``."""
    return value if isinstance(value, list) else [value]


def flat_text(value: Value) -> str:
    """Return ``value`` as one text, with commas between the items of a list or mapping."""
    if isinstance(value, list):
        value = ", ".join(filter(None, map(flat_text, value)))
    elif isinstance(value, dict):
        value = ", ".join(f"{key}: {flat_text(inner)}" for key, inner in value.items())
    return value.strip()[:VALUE_LIMIT]
