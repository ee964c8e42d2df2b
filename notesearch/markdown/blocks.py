"""Blocks of a note: markdown-it's block pass, and the plain text of a run of its tokens."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from notesearch.markdown.code_language import code_language
from notesearch.markdown.features import html_features, inline_features, task_feature
from notesearch.markdown.logseq import without_marks
from notesearch.markdown.plain import inline_tags, plain
from notesearch.markdown.plain_html import plain_html
from notesearch.markdown.portions import PORTION, Check, carry_on, portions
from notesearch.markdown.targets import Target, html_targets, inline_targets, placed
from notesearch.notes import Feature, Link

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

NESTING_LIMIT = 100

_CHECK = "check"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_TELLING = frozenset({
    "list_item_open", "admonition_open", "fence", "code_block", "html_block", "tr_open", "tr_close",
})  # fmt: skip
_TASK = re.compile(r"\[([^\[\]])\][ \t]+")


def block_tokens(text: str, check: Check = carry_on) -> "tuple[list[Token], dict[str, Any]]":
    """Return the block tokens of normalised ``text`` and the environment with its references.

    Inline content is left as source: it is nine tenths of a full parse. ``check`` is called at
    every line of a huge text.
    """
    environment: dict[str, Any] = {_CHECK: check}
    tokens: list[Token] = []
    parser = _parser(asking=len(text) > PORTION)
    parser.block.parse(text, parser, environment, tokens)
    return tokens, environment


@cache
def _parser(*, asking: bool) -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.admon import admon_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    from notesearch.markdown import block_rules, obsidian

    parser = MarkdownIt("commonmark", {"maxNesting": NESTING_LIMIT}).enable("table")
    parser.use(admon_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(obsidian.plugin).use(block_rules.plugin)
    if asking:
        block_rules.asking(parser, _CHECK)
    return parser


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a section's tokens hold: its plain text, the ``#tags`` in it, and what else.

    Attributes:
        code: Languages of the blocks of code, each once.
        links: Where it points at.
    """

    text: str
    tags: tuple[str, ...]
    features: Feature
    code: tuple[str, ...]
    links: tuple[Link, ...]


class PlainText:
    """Gathers the plain text of one section after the other from its tokens.

    Top-level blocks are set apart by an empty line, list items, rows and lines of code by a line.

    Args:
        lines: The lines the tokens were made from.
        references: Addresses by the normalised labels of the note's link reference definitions.
        check: Called now and then.
        code: Gather blocks of code, too.
    """

    def __init__(
        self,
        lines: Sequence[str],
        references: Mapping[str, str],
        check: Check = carry_on,
        *,
        code: bool = True,
    ) -> None:
        self._check = check
        self._takes_code = code
        self._tags: list[str] = []
        self._features = Feature.NONE
        self._code: dict[str, None] = {}
        self._targets: list[Target] = []
        self._lines = lines
        self._references = references
        self._blocks: list[str] = []
        self._inside: list[str] = []
        self._cells: list[str] | None = None
        self._item_opened = False
        self._is_title = False
        self._truncated: list[int] | None = None
        self._top: list[int] | None = None

    def take(self, tokens: "Sequence[Token]") -> Gathered:
        """Return what ``tokens`` hold."""
        for token in tokens:
            if token.level == 0:
                if token.nesting >= 0:
                    self._end_block()
                    self._top = token.map
            elif token.level >= NESTING_LIMIT - 1:
                self._truncated = self._top
            if token.type == "inline":
                self._inline(token.content)
            elif token.type in _TELLING:
                self._take_other(token)
        self._end_block()
        text = _CONTROL.sub(" ", "\n\n".join(self._blocks)).strip()
        code = tuple(filter(None, self._code))
        links = tuple(placed(self._targets, text))
        found = Gathered(text, tuple(self._tags), self._features, code, links)
        self._blocks, self._tags, self._features, self._code = [], [], Feature.NONE, {}
        self._targets = []
        return found

    def _take_other(self, token: "Token") -> None:
        self._check()
        kind = token.type
        if kind == "list_item_open":
            self._item_opened = True
        elif kind == "admonition_open":
            self._admonition(token)
        elif kind in ("fence", "code_block"):
            if self._takes_code:
                self._inside.append(token.content.strip("\n"))
            self._features |= Feature.CODE
            self._code[code_language(token.info)] = None
        elif kind == "html_block":
            self._inside.append(plain_html(token.content))
            self._features |= html_features(token.content)
            self._targets += html_targets(token.content)
        elif kind == "tr_open":
            self._cells = []
            self._features |= Feature.TABLE
        elif kind == "tr_close":
            self._end_row()

    def _inline(self, source: str) -> None:
        if self._is_title:
            self._is_title = False
            return
        if self._item_opened:
            self._item_opened = False
            task = _TASK.match(source)
            if task is not None:
                self._features |= task_feature(task[1])
                source = source[task.end() :]
        source = without_marks(source)
        if len(source) <= PORTION:
            text = self._plain(source)
        else:
            text = "".join(self._portion(source[start:end]) for start, end in portions(source))
        if self._cells is not None:
            self._cells.append(text)
        else:
            self._inside.append(text)

    def _plain(self, source: str) -> str:
        self._check()
        if "#" in source:
            self._tags.extend(inline_tags(source))
        found = inline_features(source, self._references)
        if found is not Feature.NONE:
            self._features |= found
            self._targets += inline_targets(source, self._references)
        return plain(source, self._references)

    def _portion(self, source: str) -> str:
        return self._plain(source) + " " * source[-1].isspace()

    def _admonition(self, token: "Token") -> None:
        """Show the title of ``!!! note "Title"``, else all that stands there."""
        self._inside.append(plain(token.content if '"' in token.info else token.info))
        self._is_title = bool(token.content)

    def _end_row(self) -> None:
        if self._cells is not None:
            self._inside.append(" | ".join(filter(None, self._cells)))
            self._cells = None

    def _end_block(self) -> None:
        if self._truncated is not None:
            # Beyond the nesting limit the parser drops what follows: show it as it stands.
            first, end = self._truncated
            self._inside = [plain(line, self._references) for line in self._lines[first:end]]
            self._truncated = None
        text = "\n".join(filter(None, self._inside))
        if text:
            self._blocks.append(text)
        self._inside = []
