"""The MkDocs dialect: Python-Markdown in a child process that is ended when it takes too long.

Which extensions a site uses stands in its ``mkdocs.yml``. That file belongs to the vault, so that
nothing in it is believed: only extensions that are known to read no file and run no program are
taken, and of their options only words and numbers.
"""

import re
from collections.abc import Mapping

from notesearch.child import Child

TIME_LIMIT = 0.3
"""Seconds for one section; until the process has started the default dialect answers."""
MAX_CONFIG = 200_000
MAX_TAGS = 20_000
MAX_DEPTH = 60

Extensions = tuple[tuple[str, Mapping[str, object]], ...]

_OWN = frozenset(
    "abbr admonition attr_list def_list extra fenced_code footnotes md_in_html nl2br sane_lists"
    " smarty tables wikilinks".split()
)
_PYMDOWNX = frozenset(
    "arithmatex betterem caret critic details extra highlight inlinehilite keys magiclink mark"
    " smartsymbols superfences tabbed tasklist tilde".split()
)
_USUAL = ("tables", "fenced_code")
_FIXED: Mapping[str, Mapping[str, object]] = {
    "pymdownx.arithmatex": {"generic": True},
    "pymdownx.highlight": {"use_pygments": False},
    "pymdownx.tabbed": {"alternate_style": True},
}
_OPTIONS = {
    "pymdownx.arithmatex": {"smart_dollar"},
    "pymdownx.betterem": {"smart_enable"},
    "pymdownx.tilde": {"subscript", "delete", "smart_delete"},
    "pymdownx.caret": {"superscript", "insert", "smart_insert"},
    "smarty": {"smart_quotes", "smart_dashes", "smart_ellipses"},
}
_WORDS: Mapping[str, object] = {"true": True, "false": False}
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)[^<>]*?(/?)>", re.IGNORECASE)
_HEADING = re.compile(r"<(/?)h([1-6])\b[^<>]*>")
_VOID = frozenset("br hr img input".split())


def extensions(config: str) -> Extensions:
    """Return the extensions that the text of an ``mkdocs.yml`` names, and the usual ones."""
    from notesearch.markdown.frontmatter import mapping

    found = (mapping(config[:MAX_CONFIG]) or {}).get("markdown_extensions", [])
    listed = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    chosen: dict[str, Mapping[str, object]] = {name: {} for name in _USUAL}
    for entry in listed:
        pairs = entry.items() if isinstance(entry, dict) else [(entry, {})]
        for name, options in pairs:
            short = _known(name) if isinstance(name, str) else ""
            if short:
                chosen[short] = _bounded(short, options) | dict(_FIXED.get(short, {}))
    if "pymdownx.superfences" in chosen or "pymdownx.extra" in chosen:
        del chosen["fenced_code"]
        chosen["pymdownx.highlight"] = _FIXED["pymdownx.highlight"]
    return tuple(chosen.items())


def _known(name: str) -> str:
    short = name.strip().removeprefix("markdown.extensions.")
    family, _, own = short.rpartition(".")
    is_known = (not family and own in _OWN) or (family == "pymdownx" and own in _PYMDOWNX)
    return short if is_known else ""


def _bounded(name: str, options: object) -> dict[str, object]:
    kept = _OPTIONS.get(name, set())
    if not isinstance(options, dict):
        return {}
    return {
        key: _WORDS.get(value.lower(), value)
        for key, value in options.items()
        if key in kept and isinstance(value, str)
    }


class MkDocs:
    """Asks the child process, which may take ``seconds``. Safe from several threads."""

    def __init__(self, seconds: float = TIME_LIMIT) -> None:
        self._child = Child("notesearch.markdown.mkdocs_child", seconds)

    def ready(self, seconds: float) -> bool:
        """Have the process started, and wait some ``seconds`` until it answers."""
        return self._child.ready(seconds)

    def to_html(self, source: str, first_line: int, chosen: Extensions) -> str | None:
        """Return ``source`` as HTML to be cleaned; None when it cannot be had in time."""
        answer = self._child.ask({"text": source, "extensions": chosen})
        html = answer.get("html") if answer else None
        if not isinstance(html, str) or not _is_bounded(html):
            return None
        return _with_lines(html, source, first_line)

    def close(self) -> None:
        """End the process."""
        self._child.close()


def _is_bounded(html: str) -> bool:
    """Return whether the cleaner may have ``html``: its time grows with depth and tags."""
    depth = 0
    for count, (slash, name, closed) in enumerate(_TAG.findall(html)):
        if name.lower() not in _VOID and not closed:
            depth += -1 if slash else 1
        if depth > MAX_DEPTH or count > MAX_TAGS:
            return False
    return True


def _with_lines(html: str, source: str, first_line: int) -> str:
    """Name headings by their line, and let the section's own heading lead.

    Python-Markdown knows no lines: where it sees other headings than we do, none is named.
    """
    from notesearch.markdown.blocks import block_tokens

    tokens, _ = block_tokens(source)
    found = [token for token in tokens if token.type == "heading_open"]
    levels = [int(level) for slash, level in _HEADING.findall(html) if not slash]
    if not levels:
        return html
    lift = max(0, min(levels) - 2)
    same = [int(token.tag[1]) for token in found] == levels
    lines = [t.map[0] + first_line if t.map and t.level == 0 else 0 for t in found]
    named = iter(lines if same else ())

    def replaced(tag: re.Match[str]) -> str:
        level = int(tag[2]) - lift
        if tag[1]:
            return f"</h{level}>"
        line = next(named, 0)
        return f'<h{level} id="line-{line}">' if line else f"<h{level}>"

    return _HEADING.sub(replaced, html)
