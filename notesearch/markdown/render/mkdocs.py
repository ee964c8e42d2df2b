"""The MkDocs dialect: Python-Markdown in a child process, which is killed if it takes too long.

The ``mkdocs.yml`` of a site names extensions of Python-Markdown. The program does not trust that
file, which belongs to the vault: it uses only extensions that read no file and run no program,
without their options.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from notesearch.processes import Child

if TYPE_CHECKING:
    from markdown_it.token import Token

TIME_LIMIT = 0.3
MAX_CONFIG = 200_000
MAX_TAGS = 20_000
MAX_DEPTH = 60

Extensions = tuple[tuple[str, Mapping[str, object]], ...]

_BUILTIN = frozenset(
    "abbr admonition attr_list def_list extra fenced_code footnotes md_in_html nl2br sane_lists"
    " smarty tables wikilinks".split()
)
_PYMDOWNX = frozenset(
    "arithmatex betterem caret critic details extra highlight inlinehilite keys magiclink mark"
    " smartsymbols superfences tabbed tasklist tilde".split()
)
_DEFAULTS = ("tables", "fenced_code")
_FIXED: Mapping[str, Mapping[str, object]] = {
    "pymdownx.arithmatex": {"generic": True},
    "pymdownx.highlight": {"use_pygments": False},
    "pymdownx.tabbed": {"alternate_style": True},
}
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)[^<>]*?(/?)>", re.IGNORECASE)
_HEADING = re.compile(r"<(/?)h([1-6])\b[^<>]*>")
_VOID = frozenset("br hr img input".split())


def extensions(config: str) -> Extensions:
    """Return the default extensions, and the safe ones that the text of an ``mkdocs.yml`` names."""
    from notesearch.markdown.sections.yaml_mapping import mapping

    found = (mapping(config[:MAX_CONFIG]) or {}).get("markdown_extensions", [])
    listed = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    chosen: dict[str, Mapping[str, object]] = {name: {} for name in _DEFAULTS}
    for entry in listed:
        for name in filter(None, map(_safe_name, entry if isinstance(entry, dict) else [entry])):
            chosen[name] = _FIXED.get(name, {})
    if "pymdownx.superfences" in chosen or "pymdownx.extra" in chosen:
        del chosen["fenced_code"]
        chosen["pymdownx.highlight"] = _FIXED["pymdownx.highlight"]
    return tuple(chosen.items())


def _safe_name(name: object) -> str:
    short = str(name).strip().removeprefix("markdown.extensions.")
    family, _, own = short.rpartition(".")
    is_known = (not family and own in _BUILTIN) or (family == "pymdownx" and own in _PYMDOWNX)
    return short if is_known else ""


class MkDocs:
    """Renders sections in a child process; thread-safe.

    A section that takes longer than ``seconds`` is given up.
    """

    def __init__(self, seconds: float = TIME_LIMIT) -> None:
        self._child = Child("notesearch.markdown.render.mkdocs_process", seconds)

    def ready(self, seconds: float) -> bool:
        """Start the process if necessary; return whether it is ready within ``seconds``."""
        return self._child.ready(seconds)

    def to_html(self, source: str, first_line: int, chosen: Extensions) -> str | None:
        """Return Markdown as HTML by the ``chosen`` extensions; the caller must sanitise it.

        Each heading gets an anchor with its line in the note; ``source`` begins at ``first_line``.
        Returns None if that fails, takes too long, or makes too many or too deep tags.
        """
        from notesearch.markdown.block_rules import NO_CELL_END, whole_cells
        from notesearch.markdown.sections.inline_syntax import without_icons
        from notesearch.markdown.sections.note_parser import block_tokens

        tokens, _ = block_tokens(source)
        tables = [token.map for token in tokens if token.type == "table_open" and token.map]
        text = source
        if tables:
            lines = source.split("\n")
            text = "\n".join(whole_cells(lines, ((first, end) for first, end in tables)))
        answer = self._child.ask({"text": without_icons(text), "extensions": chosen})
        html = answer.get("html") if answer else None
        if not isinstance(html, str) or not _is_bounded(html):
            return None
        return _with_lines(html.replace(NO_CELL_END, "|"), tokens, first_line)

    def close(self) -> None:
        """End the process."""
        self._child.close()


def _is_bounded(html: str) -> bool:
    depth = 0
    for count, (slash, name, closed) in enumerate(_TAG.findall(html)):
        if name.lower() not in _VOID and not closed:
            depth += -1 if slash else 1
        if depth > MAX_DEPTH or count > MAX_TAGS:
            return False
    return True


def _with_lines(html: str, tokens: "Sequence[Token]", first_line: int) -> str:
    """Give headings an anchor with their line, and raise the highest to level 2.

    Python-Markdown reports no lines, so they come from ``tokens`` of our own parser, if it found
    the same headings.
    """
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
