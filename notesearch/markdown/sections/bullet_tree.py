"""Notes that consist of one tree of bullets, as in Logseq: their blocks become sections.

A block is a list item. A block with blocks below it is like a heading with text below it. So the
tokens of a heading replace its first line, and a section begins there.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from markdown_it.token import Token

from notesearch.markdown.bounds import NESTING_LIMIT
from notesearch.markdown.sections.inline_metadata import task_state
from notesearch.markdown.sections.inline_text import plain

DEEPEST = 6
"""Levels of sections. A deeper block belongs to the section around it."""
LONGEST_HEADING = 120
"""Maximum characters of a heading. If a line is longer, the heading is its beginning, and the text
has the whole line."""
_MIN_SHARE = 0.9
_MIN_PARENTS = 2
"""Minimum number of blocks with blocks below them, in a note outside Logseq's folders."""

PAGES = "pages"
_LOGSEQ_FOLDERS = {PAGES, "journals"}
TASK = "task"
"""The key in ``Token.meta`` of a heading's text under which it has the state of its task."""

BELOW = "below"
"""The key in ``Token.meta`` that marks the lines of a block below its heading."""

_PROPERTY = re.compile(r"[ \t]*(?:[^\W\d][\w./-]*::[ \t]+\S.*|\{)")
"""A property, or the line at which the code of a query begins."""

_QUERY_TITLE = re.compile(r"[ \t]*+(?:\{[ \t]*+)?:title[ \t]+(?:\[[^\"\n]*)?\"([^\"\n]+)\".*")
"""The title in the code of a query."""

_FRAME = re.compile(r"[ \t]*#\+(?:begin|end)_\w+.*", re.IGNORECASE)
"""A line around a quote or a note, as Logseq writes it."""


def bullet_tree(tokens: Sequence[Token], path: str) -> list[Token] | None:
    """Return the tokens of a tree of bullets, with headings for its blocks; None for other notes.

    In a tree, at least nine tenths of the lines are in bullets. Outside Logseq's folders, at least
    two blocks have blocks below them, so that a plain list stays a list.
    """
    if not _is_tree(tokens):
        return None
    parents = _parents(tokens)
    if len(parents) < (1 if PurePosixPath(path).parent.name in _LOGSEQ_FOLDERS else _MIN_PARENTS):
        return None
    return list(_with_headings(tokens, _headed(tokens, parents)))


def _is_tree(tokens: Sequence[Token]) -> bool:
    bullets = others = 0
    for token in tokens:
        if token.level >= NESTING_LIMIT - 1 or (not token.level and token.type == "heading_open"):
            return False
        if token.level == 0 and token.map and token.nesting >= 0:
            lines = token.map[1] - token.map[0]
            if token.type == "bullet_list_open":
                bullets += lines
            elif token.type != "hr":  # which Logseq writes as "- ---"
                others += lines
    return bullets >= _MIN_SHARE * (bullets + others)


def _parents(tokens: Sequence[Token]) -> set[int]:
    found: set[int] = set()
    items: list[int] = []
    for index, token in enumerate(tokens):
        if token.type == "list_item_open":
            items.append(index)
        elif token.type == "list_item_close":
            items.pop()
        elif token.type == "bullet_list_open":
            found.update(item for item in items[-1:] if tokens[item].level == token.level - 1)
    return found


def _headed(tokens: Sequence[Token], parents: set[int]) -> dict[int, int]:
    """Return the depth, from 1, of each list item that becomes a section, by its token's index.

    An item without children is a section only below a section of the same list, because it would
    belong to that section otherwise.
    """
    found: dict[int, int] = {}
    lists: list[bool] = []  # for each list around the token: whether it has a section already
    for index, token in enumerate(tokens):
        if token.type == "bullet_list_open" and token.level == 2 * len(lists):
            lists.append(False)
        elif token.type == "bullet_list_close" and token.level == 2 * (len(lists) - 1):
            lists.pop()
        elif token.type == "list_item_open" and token.level == 2 * len(lists) - 1 <= 2 * DEEPEST:
            begins = tokens[index + 1].type
            lists[-1] |= index in parents or begins == "heading_open"
            is_empty = begins in {"list_item_close", "bullet_list_open"}  # as Logseq leaves them
            if lists[-1] and not is_empty:
                found[index] = len(lists)
    return found


def _with_headings(tokens: Sequence[Token], headed: dict[int, int]) -> Iterator[Token]:
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if index not in headed:
            yield token
            index += 1
            continue
        first = tokens[index + 1]
        has_line = first.type in {"paragraph_open", "heading_open"}
        line = token.map[0] if token.map else 0
        content = tokens[index + 2].content if has_line else _beginning(tokens, index)
        yield from _heading(content, headed[index], line, token)
        index += 4 if has_line else 1


def _beginning(tokens: Sequence[Token], index: int) -> str:
    """Return the heading for a list item that does not begin with text.

    It is the first line of a code block, or the words of the first row of a table.
    """
    words: list[str] = []
    for token in tokens[index + 1 :]:
        if token.type in {"bullet_list_open", "list_item_close", "tr_close"}:
            break
        if token.content.strip():
            first = token.content.strip().split("\n")[0][:LONGEST_HEADING]
            is_code = token.type in {"fence", "code_block"}
            words.append(f"`` {first.replace('``', '')} ``" if is_code else plain(first))
        if words and not token.type.startswith(("inline", "t")):
            break
    return " | ".join(words)


def _heading(content: str, depth: int, line: int, item: Token) -> Iterator[Token]:
    """Yield the tokens of a list item's heading, its first line of text, then its other lines."""
    lines = content.split("\n")
    at = min(range(len(lines)), key=lambda number: _rank(lines[number]))
    state = task_state(lines[at])
    query = _QUERY_TITLE.fullmatch(lines[at])
    heading = query[1] if query else lines[at][state[1] :] if state else lines[at]
    cut = plain(heading) if len(heading) > LONGEST_HEADING else heading
    is_long = len(cut) > LONGEST_HEADING
    lines[at] = heading if is_long else ""
    if is_long:
        end = cut.rfind(" ", LONGEST_HEADING // 2, LONGEST_HEADING)
        heading = f"{cut[: end if end > 0 else LONGEST_HEADING]} …"
    opened = _copy(item, "heading_open", "", item.map[0] if item.map else line)
    opened.tag, opened.level, opened.nesting = f"h{depth}", 0, 1
    yield opened
    named = _copy(item, "inline", heading, line + at)
    named.meta = {TASK: state[0]} if state else {}
    yield named
    yield _copy(item, "heading_close", "", line)
    first = at == 0 and not is_long
    if lines[first:]:
        yield item
        below = _copy(item, "inline", "\n".join(lines[first:]), line + first)
        below.meta = {} if is_long else {BELOW: True}
        yield below


def _rank(line: str) -> int:
    """Return 0 if a line is text, 1 if it is a property, 2 if it begins or ends a ``#+`` block."""
    return 2 if _FRAME.fullmatch(line) else int(_PROPERTY.fullmatch(line) is not None)


def _copy(item: Token, kind: str, content: str, line: int) -> Token:
    return item.copy(type=kind, content=content, map=[line, line + 1], nesting=0, children=[])
