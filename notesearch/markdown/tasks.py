"""Task boxes of the default dialect: list items that start with ``[ ]``, ``[x]`` or the like."""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

_MARK = re.compile(r"\[([^\[\]\n])\][ \t]+(?=\S)")
_CLASSES = {" ": "open", "-": "cancelled", "/": "started"}
_DONE = "done"


def plugin(parser: MarkdownIt) -> None:
    """Let ``parser`` show the boxes."""
    parser.core.ruler.before("inline", "task_marks", _find_marks)
    parser.core.ruler.after("inline", "task_boxes", _put_boxes)
    parser.add_render_rule("task_box", _render_box)


def _find_marks(state: StateCore) -> None:
    """Take the mark out of the text before ``[x]`` could be read as a link."""
    tokens = state.tokens
    for at in range(2, len(tokens)):
        if tokens[at].type != "inline" or tokens[at - 2].type != "list_item_open":
            continue
        mark = _MARK.match(tokens[at].content)
        if mark:
            tokens[at].content = tokens[at].content[mark.end() :]
            tokens[at].meta["task"] = _CLASSES.get(mark[1], _DONE)
            tokens[at - 2].attrJoin("class", "task")


def _put_boxes(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and "task" in token.meta and token.children is not None:
            token.children.insert(0, Token("task_box", "input", 0, meta=token.meta))


def _render_box(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<input type="checkbox" class="{tokens[at].meta["task"]}"> '
