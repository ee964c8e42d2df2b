"""What Logseq writes into notes beside their text: properties of pages, marks of blocks."""

import re

_PROPERTY = re.compile(r"([^\W\d][\w./-]*)::(?:[ \t]+([^\n]*))?\n")
_AFTER = re.compile(r"[ \t]*\n\s*\S|[-*] ")
"""What follows a page's properties: its blocks. Else such a line begins a text, or is all of it."""

_MARK = re.compile(
    r"^[ \t]*(?:id:: [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|collapsed:: (?:true|false)"
    r"|logseq\.[\w.-]+:: [^\n]*)[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
_LARGEST = 64 * 1024


def page_properties(text: str) -> tuple[dict[str, list[str]], int]:
    """Return the ``key:: value`` lines that open a page, and how many there are.

    Commas are between values where these are tags, other names or links.
    """
    found: dict[str, list[str]] = {}
    at = 0
    while at < _LARGEST and (line := _PROPERTY.match(text, at)) is not None:
        found[line[1]] = _values(line[1].lower(), (line[2] or "").strip())
        at = line.end()
    if _AFTER.match(text, at) is None:
        return {}, 0
    return found, text.count("\n", 0, at)


def _values(name: str, value: str) -> list[str]:
    if name not in {"tags", "tag", "alias", "aliases"} and "[[" not in value:
        return [value]
    parts = (part.strip().removeprefix("#") for part in value.split(","))
    return [part.removeprefix("[[").removesuffix("]]") for part in parts]


def without_marks(source: str) -> str:
    """Return inline Markdown without what numbers a block or says how it is shown."""
    return _MARK.sub("", source) if ":: " in source else source
