"""markdown-it's block pass with less work: the same tokens in two thirds of the time.

Of its sixteen rules all but three can match only a line that begins with certain characters, but
each is asked about every line, and again whether it ends the paragraph above.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from operator import add
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

_BEGINNINGS = {
    "fence": "`~", "blockquote": ">", "hr": "*-_", "list": "*+-0123456789", "reference": "[",
    "footnote_def": "[", "html_block": "<", "heading": "#", "admonition": "!?",
    "comment_block": "%", "formula": "$", "tab": "=", "code": "",
}  # fmt: skip
"""What a line that is not indented begins with where a rule may match; others are always asked."""

_BELOW_HEADER = frozenset("|-:")
_UNDERLINE = re.compile(r"\n[ \t>]*(?:=+|-+)[ \t]*(?:\n|\Z)")
_CODE_INDENT = 4

_new_token = Token.__new__

_Named = tuple[str, RuleFuncBlockType]


def tokens(parser: MarkdownIt, text: str, environment: dict[str, Any]) -> list[Token]:
    """Return the block tokens of normalised ``text``; references go into the environment."""
    found: list[Token] = []
    if text:
        state = _State(text, parser, environment, found)
        parser.block.tokenize(state, 0, state.lineMax)
    return found


def quicken(parser: MarkdownIt) -> MarkdownIt:
    """Let ``parser``, once it has all its rules, ask only those that may match."""
    parser.block.ruler = _QuickRuler(parser.block.ruler)
    return parser


class _State(StateBlock):
    """Finds lines and makes tokens quickly; knows whether any heading may be underlined."""

    def __init__(
        self, text: str, parser: MarkdownIt, environment: dict[str, Any], found: list[Token]
    ) -> None:
        super().__init__("", parser, environment, found)
        self.src = text
        self.may_underline = _UNDERLINE.search(text) is not None
        lines = text.split("\n")
        if not lines[-1].strip(" \t"):
            lines.pop()
        sizes = list(map(len, lines))
        # After the last line stands an empty one, so that nobody has to look for the end.
        starts = accumulate((size + 1 for size in sizes), initial=0)
        self.bMarks = [*islice(starts, len(sizes)), len(text)]
        self.eMarks = [*map(add, self.bMarks, sizes), len(text)]
        self.tShift = [*(len(line) - len(line.lstrip(" \t")) for line in lines), 0]
        self.sCount = [
            len(lines[number][:shift].expandtabs(4)) if shift and "\t" in lines[number] else shift
            for number, shift in enumerate(self.tShift)
        ]
        self.bsCount = [0] * len(self.bMarks)
        self.lineMax = len(lines)

    def getLines(  # noqa: N802 - the library calls it so
        self,
        begin: int,
        end: int,
        indent: int,
        keepLastLF: bool,  # noqa: N803
    ) -> str:
        """Return lines without the indent of what they stand in; tabs are left to the library."""
        source, cut = self.src, []
        for line in range(begin, end):
            start = self.bMarks[line]
            if indent:
                text = start + self.tShift[line]
                if "\t" in source[start : text + 1] or source[text : text + 1] == " ":
                    return super().getLines(begin, end, indent, keepLastLF)
                start = min(start + indent, text)
            cut.append(source[start : self.eMarks[line] + 1])
        if cut and not keepLastLF:
            cut[-1] = source[start : self.eMarks[line]]
        return "".join(cut)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Add a token; its own constructor takes twice as long."""
        token = _new_token(Token)
        token.type = ttype
        token.tag = tag
        token.nesting = nesting
        token.content = token.markup = token.info = ""
        token.map = token.children = None
        token.attrs = {}
        token.meta = {}
        token.block = True
        token.hidden = False
        level = self.level
        if nesting > 0:
            self.level = level + 1
        elif nesting:
            level -= 1
            self.level = level
        token.level = level
        self.tokens.append(token)
        return token


class _QuickRuler(Ruler[RuleFuncBlockType]):
    """Gives for each chain of rules one that asks those in question."""

    def __init__(self, rules: Ruler[RuleFuncBlockType]) -> None:
        super().__init__()
        self._active = rules.get_active_rules()
        names = dict(zip(rules.getRules(), self._active, strict=True))
        self._chains = {
            chain: [_asking([(names[rule], rule) for rule in rules.getRules(chain)])]
            for chain in ("", "paragraph", "reference", "blockquote", "list")
        }

    def getRules(  # noqa: N802
        self,
        chainName: str = "",  # noqa: N803
    ) -> list[RuleFuncBlockType]:
        return self._chains.get(chainName, [])

    def get_active_rules(self) -> list[str]:
        return self._active


def _asking(rules: Sequence[_Named]) -> RuleFuncBlockType:
    """Return one rule for all ``rules``: the first of them that matches."""
    every = [rule for _, rule in rules]
    first_characters = set("".join(_BEGINNINGS.get(name, "") for name, _ in rules))
    above_text = _by_first(first_characters, [one for one in rules if one[0] != "table"])
    above_ruler = _by_first(first_characters, rules)

    def ask(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if state.sCount[start] - state.blkIndent >= _CODE_INDENT:
            return any(rule(state, start, end, silent) for rule in every)
        source, marks, shifts = state.src, state.bMarks, state.tShift
        below = ""
        if start + 1 < end:
            at = marks[start + 1] + shifts[start + 1]
            below = source[at : at + 1]
        at = marks[start] + shifts[start]
        by_first, others = above_ruler if below in _BELOW_HEADER else above_text
        for rule in by_first.get(source[at : at + 1], others):
            if rule(state, start, end, silent):
                return True
        return False

    return ask


def _by_first(
    characters: Iterable[str], rules: Sequence[_Named]
) -> tuple[dict[str, list[RuleFuncBlockType]], list[RuleFuncBlockType]]:
    """Return the rules to ask by a line's first character, and those for all other characters."""

    def asked(character: str) -> list[RuleFuncBlockType]:
        return [
            _underlined(rule) if name == "lheading" else rule
            for name, rule in rules
            if name not in _BEGINNINGS or character in _BEGINNINGS[name]
        ]

    return {character: asked(character) for character in characters}, asked("\n")


def _underlined(lheading: RuleFuncBlockType) -> RuleFuncBlockType:
    """Return the rule for underlined headings, asked only where a line may underline one."""

    def ask(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if isinstance(state, _State) and not state.may_underline:
            state.parentType = "paragraph"  # as it leaves it behind
            return False
        if start + 1 >= end or state.isEmpty(start + 1):
            state.parentType = "paragraph"
            return False
        return lheading(state, start, end, silent)

    return ask
