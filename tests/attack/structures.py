"""Hostile notes of any size, each made of one structure of Markdown that is repeated.

The cost of a note depends on its structures, so each structure fills a note by itself.
"""

from collections.abc import Callable, Iterator
from itertools import count

Structure = Callable[[int], str]
"""A function that returns a note of about a given number of characters."""


def _lines(line: Callable[[int], str], before: str = "", after: str = "") -> Structure:
    """Return the structure of ``line(0)``, ``line(1)`` and so on."""

    def note(size: int) -> str:
        return before + "".join(_up_to(size - len(before) - len(after), line)) + after

    return note


def _up_to(size: int, line: Callable[[int], str]) -> Iterator[str]:
    for number in count():
        made = line(number)
        if (size := size - len(made)) < 0:
            return
        yield made


def _same(line: str, before: str = "", after: str = "") -> Structure:
    return _lines(lambda _: line, before, after)


def _nested(opening: str, closing: str = "") -> Structure:
    """Return the structure of many ``opening``, then as many ``closing``, on one line."""
    both = len(opening) + len(closing)
    return lambda size: opening * (size // both) + "x" + closing * (size // both)


def _deep(opening: str, closing: str = "") -> Structure:
    """Return the structure of front matter with one deeply nested value."""
    inner = _nested(opening, closing)
    return lambda size: f"---\nkey: {inner(size - 20)}\n---\ntext\n"


def _prose(number: int) -> str:
    words = "tide boat harbour rope sail anchor keel mast".split()
    return " ".join(f"{words[(number * 7 + n) % 8]}{number * n % 997}" for n in range(60)) + ".\n\n"


def _everything(number: int) -> str:
    """Return a section with many kinds of syntax. For its emoji, Python uses 4 bytes a letter."""
    return (
        f"# h{number} #t{number}\n\n> [!note] [[l{number}]] *a **b** `c`*\n"
        f"> - [ ] x \U0001f4c5 2024-01-01 $x_{number}$ [^f{number}]\n\n"
        f"| a{number} | b |\n|-|-|\n| ==c== | ~~d~~ |\n\n[^f{number}]: note\n"
    )


STRUCTURES: dict[str, Structure] = {
    "prose": _lines(_prose),
    "everything": _lines(_everything),
    "one line": _same("word "),
    "one word": _same("w"),
    "one word beside code": _same("w", "`a b` "),
    "other words": _lines(lambda n: f"w{n:x} "),
    "headings": _same("# h\n"),
    "headings, all other": _lines(lambda n: f"# h{n}\n"),
    "headings of all levels": _lines(lambda n: f"{'#' * (n % 6 + 1)} h{n}\n\ntext {n}\n\n"),
    "headings, wide and with two line ends": _lines(lambda n: f"# h{n}\r\n", "\U0001f600\n"),
    "headings without a space": _same("#h\n"),
    "underlined headings": _same("h\n=\n"),
    "headings in quotes": _same("> # h\n\n"),
    "long headings": _same("# " + "heading " * 900 + "\n"),
    "links": _lines(lambda n: f"[a{n}](https://example.org/{n}) "),
    "links in lines": _lines(lambda n: f"[a](https://example.org/{n})\n\n"),
    "addresses": _lines(lambda n: f"https://example.org/{n} "),
    "addresses in brackets": _lines(lambda n: f"<https://example.org/{n}>\n"),
    "links in HTML": _lines(lambda n: f'<a href="https://example.org/{n}">a</a>\n'),
    "one link over all": lambda size: "[" + "word " * (size // 5) + "](https://example.org)",
    "wikilinks": _lines(lambda n: f"[[n{n}]] "),
    "embeds": _lines(lambda n: f"![[n{n}]]\n\n"),
    "pictures": _lines(lambda n: f"![a](p{n}.png)\n"),
    "unknown tags": _lines(lambda n: f"<x{n}> "),
    "formulas in brackets without an end": _same("\\[ "),
    "formulas in escaped brackets": _same("\\(x^2 "),
    "tags": _lines(lambda n: f"#t{n} "),
    "tags in lines": _lines(lambda n: f"#t{n}\n\n"),
    "deep tags": _nested("#a/", ""),
    "footnotes": _lines(lambda n: f"a[^{n}]\n\n[^{n}]: note\n\n"),
    "footnotes, used once": _lines(lambda n: f"[^{n}]: note\n"),
    "footnotes in a row": _same("[^1]: note\n"),
    "abbreviations": _same("*[a]: x\n"),
    "abbreviations, all other": _lines(lambda n: f"*[a{n}]: x\n"),
    "definitions of links": _lines(lambda n: f"[a{n}]: https://example.org/{n}\n"),
    "definitions, used": _lines(lambda n: f"[a{n}]: /u{n}\n\n[a{n}]\n\n"),
    "references": _same("[a][b] ", "[b]: https://example.org\n\n"),
    "definition lists": _same("term\n: text\n\n"),
    "lists": _same("- a\n"),
    "numbered lists": _same("1. a\n"),
    "nested lists": _lines(lambda n: "  " * (n % 40) + "- a\n"),
    "lists in a line": _nested("- "),
    "steps of lists": _lines(lambda n: " " * n + "- a\n"),
    "tasks": _same("- [ ] a task\n"),
    "quotes": _same("> a\n\n"),
    "nested quotes": _nested("> "),
    "steps of quotes": _lines(lambda n: ">" * (n % 200) + " a\n"),
    "lists in quotes": _same("- > - > - > a\n"),
    "deep lists in deep quotes": _lines(lambda n: "> " * (n % 60) + "- " * (n % 60) + "a\n"),
    "empty items": _same("-\n"),
    "callouts": _same("> [!note] title\n> text\n\n"),
    "admonitions": _same("!!! note\n    text\n\n"),
    "tabs": _same('=== "Tab"\n    text\n\n'),
    "containers": _same("::: tip\ntext\n:::\n\n"),
    "wide table": lambda size: (
        "|a" * (size // 6) + "|\n" + "|-" * (size // 6) + "|\n" + "|b" * (size // 6) + "|\n"
    ),
    "long table": _same("|a|b|\n", "|a|b|\n|-|-|\n"),
    "many tables": _same("|a|b|\n|-|-|\n|c|d|\n\n"),
    "wide and short rows": lambda size: (
        "|a" * (size // 8) + "|\n" + "|-" * (size // 8) + "|\n" + "|b|\n" * (size // 8)
    ),
    "emphasis": _same("*a* **b** "),
    "nested emphasis": _nested("*a ", "*"),
    "emphasis without an end": _same("*a _b "),
    "stars": _same("*"),
    "underscores": _same("_a"),
    "strikes and marks": _same("~~a~~ ==b== "),
    "brackets": _same("["),
    "closing brackets": _same("]"),
    "nested brackets": _nested("[", "]"),
    "nested links": _nested("[a](", ")"),
    "picture openings": _same("!["),
    "tags of HTML": _same("<b>a</b> "),
    "nested HTML": _nested("<div>\n", "</div>\n"),
    "nested HTML in a line": _nested("a<b>", "</b>"),
    "HTML blocks": _same("<div>a</div>\n\n"),
    "HTML without an end": _same("<a "),
    "attributes": lambda size: "<div " + "a=b " * (size // 4) + ">\n",
    "comments": _same("<!-- a -->\n\n"),
    "comments without an end": _same("<!-- a\n\n"),
    "hidden blocks": _same("%%\na\n%%\n\n"),
    "hidden without an end": _same("%%a\n\n"),
    "declarations": _same("<!A "),
    "scripts without an end": _same("<script>\n\n"),
    "tables of HTML": _nested("<table><tr><td>"),
    "entities": _same("&amp;&#65;"),
    "entities without an end": _same("&"),
    "escapes": _same("\\*"),
    "code fences": _same("```\na\n```\n\n"),
    "code fences without an end": _same("```a\n\n~~~\n\n"),
    "languages of code": _lines(lambda n: f"```l{n}\na\n```\n"),
    "code spans": _same("`a` "),
    "code spans of any length": _lines(lambda n: "`" * (n % 500 + 1) + "a"),
    "indented code": _same("    a\n\n"),
    "formulas": _same("$x^2$ "),
    "formulas in blocks": _same("$$\nx\n$$\n\n"),
    "formulas without an end": _same("$$x\n\n"),
    "ids of blocks": _lines(lambda n: f"text ^id{n}\n\n"),
    "rules": _same("---\n\n"),
    "line breaks": _same("a  \n"),
    "empty lines": _same("\n"),
    "short lines": _same("ab\n"),
    "blanks": _same(" "),
    "lines with a no-break space": _same("\u00a0\n"),
    "tab characters": _same("\t"),
    "front matter: keys": _lines(lambda n: f"k{n}: v\n", "---\n", "---\ntext\n"),
    "front matter: one list": _lines(lambda n: f"- v{n}\n", "---\nkey:\n", "---\ntext\n"),
    "front matter: tags": _lines(lambda n: f"t{n}, ", "---\ntags: [", "t]\n---\ntext\n"),
    "front matter: aliases": _lines(lambda n: f"- alias {n}\n", "---\naliases:\n", "---\ntext\n"),
    "front matter: deep": _deep("[", "]"),
    "front matter: deep keys": _deep("{a: ", "}"),
    "front matter: one value": lambda size: f"---\nkey: {'word ' * (size // 5)}\n---\ntext\n",
    "front matter without an end": _same("key: value\n", "---\n"),
    "front matter: anchors": _lines(lambda n: f"k{n}: &a{n} v\n", "---\n", "---\ntext\n"),
    "pages of Logseq": _lines(lambda n: f"k{n}:: v\n", "", "- text\n"),
    "properties of Logseq": _lines(lambda n: f"- a\n  k{n}:: v\n"),
    "characters of Chinese": _same("漢字"),
    "letters of Thai": _same("ภาษาไทย"),
    "marks on a letter": _same("\u0301", "a"),
    "directions": _same("\u202eab \u202c"),
    "emoji": _same("👨‍👩‍👧‍👦"),
    "control characters": _same("\x01a"),
    "NUL characters": _same("\0a"),
    "carriage returns": _same("a\r"),
}
"""All structures by their names."""
