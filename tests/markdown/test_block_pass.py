"""The quickened block pass gives exactly the tokens that markdown-it gives by itself."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.footnote import footnote_plugin

from notesearch.markdown import block_rules, obsidian
from notesearch.markdown.blocks import NESTING_LIMIT, block_tokens
from notesearch.markdown.portions import carry_on
from notesearch.markdown.source import normalise

VAULTS = Path(__file__).resolve().parents[3] / "shared" / "eval" / "vaults"

PIECES = [
    *"-*+=#>|`~:!?%$0[<\\", " ", "    ", "\t", "\n", "\n", "\n\n", "text", "été", "1. ", "12) ",
    "- ", "> ", "# ", "```", "~~~", "---", "===", "***", "|a|b|", "|-|-|", "---|---", "[x]: /u",
    "[^1]: ", "!!! note", '??? x "T"', '=== "Tab"', "$$", "%%", "<div>", "</div>", "<!--", "-->",
    ":::", "[ ] ",
]  # fmt: skip


@pytest.fixture(scope="module")
def slow() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": NESTING_LIMIT}).enable("table")
    parser.use(admon_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    return parser.use(obsidian.plugin).use(block_rules.plugin)


def parsed(parser: MarkdownIt, text: str) -> tuple[list[Token], dict[str, Any]]:
    tokens: list[Token] = []
    environment: dict[str, Any] = {"check": carry_on}
    parser.block.parse(text, parser, environment, tokens)
    return tokens, environment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "  ",
        "text\n  ",
        "one\ntwo\n===\n",
        "one\n\n===\n",
        "> one\n> ---\n> two",
        "> one\n---",
        "- one\n  ---\n- two\n---",
        "one\n     ---\ntwo\n   ---  ",
        "|a|b|\n|-|-|\n|1|2|\n# heading",
        "a|b\n-|-\n1|2",
        "```\nopen\n  ",
        "- |a|\n  |-|\n\n  |b|",
        "text\n|a|\n|-|",
        "\tcode\n\n \tmore\n>\tquoted",
        "1.\tone\n\n\t\tcode in it\n\n10. ten",
        "- ```\n  x\n\ty\n  ```\n- \t\tz",
        "[x]: /u\n'title\nmore'\n# [x]",
        "[^1]: note\n\n    more\n- [ ] task",
        '!!! note "Title"\n    text\n\n    - one\n\n        two',
        '=== "One"\n    text\n    ---\n=== "Two"\n\tmore',
        "text\n$$\na\n=\nb\n$$\ntext",
        "%% hidden\n\n---\n%%\ntext",
        "<div>\n---\n\n</div>\n2. two\n1. one",
        "- a\n - b\n  - c\n   - d\n    - e",
    ],
)
def test_what_stands_in_notes(slow: MarkdownIt, text: str) -> None:
    assert block_tokens(text) == parsed(slow, text)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_mixture_of_marks(slow: MarkdownIt, text: str) -> None:
    assert block_tokens(text) == parsed(slow, text)


@pytest.mark.skipif(not VAULTS.is_dir(), reason="the evaluation vaults are not here")
@pytest.mark.parametrize("vault", ["vue-docs", "obsidian-tasks-docs"])
def test_real_notes(slow: MarkdownIt, vault: str) -> None:
    for file in sorted((VAULTS / vault).rglob("*.md")):
        text = normalise(file.read_text("utf-8"))
        assert block_tokens(text) == parsed(slow, text), file


def test_a_rule_that_nobody_knows_is_asked_about_every_line(slow: MarkdownIt) -> None:
    from notesearch.markdown import block_pass

    asked: list[int] = []

    def curious(_: object, start: int, *__: object) -> bool:
        asked.append(start)
        return False

    parser = MarkdownIt("commonmark")
    parser.block.ruler.before("fence", "curious", curious)
    block_pass.tokens(block_pass.quicken(parser), "# one\ntwo\n\n- three\n", {})
    assert {0, 1, 3} <= set(asked)
