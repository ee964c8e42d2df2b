"""Structures that took Qt longest to lay out, each as large as a note may be."""

from random import Random

_CHOSEN = Random(3)
_WORDS = "lorem ipsum dolor sit amet tide consectetur adipiscing elit".split()


def _words(count: int) -> str:
    return " ".join(_CHOSEN.choice(_WORDS) for _ in range(count))


def _row(cells: int, cell: str = "a") -> str:
    return "|" + f"{cell}|" * cells + "\n"


STRUCTURES = {
    "table 2000 columns": _row(2000) + "|" + "-|" * 2000 + "\n" + _row(2000) * 5,
    "table 60 columns 60 rows": _row(60) + "|" + "-|" * 60 + "\n" + _row(60) * 60,
    "table 12 columns 900 rows": _row(12) + "|" + "-|" * 12 + "\n" + _row(12) * 900,
    "table 2 columns 4000 rows": _row(2) + "|-|-|\n" + _row(2, "some words") * 4000,
    "table 1000 columns long words": _row(1000, "abcdefghij" * 5)
    + "|"
    + "-|" * 1000
    + "\n"
    + _row(1000, "b" * 60) * 2,
    "many small tables": (_row(3) + "|-|-|-|\n" + _row(3) * 2 + "\n") * 600,
    "long word 200k": "x" * 200000,
    "long word nbsp": "\u00a0".join(["word"] * 40000),
    "long word CJK": "漢字" * 90000,
    "long thai": "ภาษาไทย" * 25000,
    "images 5000": "".join(f"![a](pic{i}.png)\n" for i in range(5000)),
    "images one paragraph": " ".join(f"![a](p{i}.png)" for i in range(1500)),
    "remote images": "".join(f"![a](https://h{i}.example/p.png)\n\n" for i in range(3000)),
    "footnotes 5000": "".join(f"a[^{i}] " for i in range(5000))
    + "\n\n"
    + "".join(f"[^{i}]: note {i}\n" for i in range(5000)),
    "code long lines": "```\n" + ("z" * 5000 + "\n") * 30 + "```\n",
    "code 5000 lines": "```python\n" + "a = foo(b, 'c') # d\n" * 5000 + "```\n",
    "code one 190k line": "```js\n" + "a=1;" * 47000 + "\n```\n",
    "many code blocks": "```\na\n```\n\n" * 3000,
    "inline code": "`a` " * 40000,
    "bidi": ("\u202e" + "שלום abc " * 3 + "\u202c") * 5000,
    "bidi isolates nested": "\u2067a" * 60 + "x " * 10 + ("עברית english " * 6000),
    "arabic": "السلام عليكم ورحمة الله " * 7000,
    "combining": "a" + "\u0301" * 50000,
    "combining words": ("e" + "\u0301\u0323" * 20 + " ") * 4000,
    "zalgo lines": (("Z" + "\u0336\u0334\u0322" * 30) * 20 + "\n\n") * 80,
    "emoji zwj": "👨‍👩‍👧‍👦" * 15000,
    "emoji zwj spaced": "👨‍👩‍👧‍👦 " * 15000,
    "math inline": "$x^2$ " * 20000,
    "math display": "$$\n\\frac{a}{b}\n$$\n\n" * 2000,
    "math huge": "$$\n" + "\\frac{a}{b} + " * 3000 + "c\n$$\n",
    "callouts nested": "\n".join(">" * d + " [!tip] a\n" + ">" * d + " text" for d in range(1, 60)),
    "callouts nested rows": "> > > > > [!note] x\n> > > > > body words\n\n" * 800,
    "quotes tables": "> > > > "
    + _row(20).strip()
    + "\n> > > > |"
    + "-|" * 20
    + "\n"
    + ("> > > > " + _row(20)) * 40,
    "front matter 1MB": "---\n" + "key: value\n" * 90000 + "---\ntext",
    "nested lists": "".join("  " * (i % 40) + "- a\n" for i in range(5000)),
    "ordered nested": "".join("   " * (i % 12) + "1. a\n" for i in range(4500)),
    "tasks": "- [ ] a task\n" * 4900,
    "html nested tables": "<table><tr><td>" * 200 + "x",
    "html spans": "<span style='color:red'>" * 20000 + "x",
    "html fonts": "<b><i><u>a</u></i></b> " * 8000,
    "html colspan": "<table>" + ("<tr>" + "<td colspan=19 rowspan=19>x</td>" * 10 + "</tr>") * 100,
    "html rowspans": "<table>"
    + "".join(
        "<tr>" + "".join(f"<td rowspan={1 + (i + j) % 19}>x</td>" for j in range(8)) + "</tr>"
        for i in range(200)
    ),
    "html details": "<details><summary>a</summary>" * 3000,
    "sub sup nested": "<sub><sup>" * 3000 + "x",
    "kbd many": "<kbd>a</kbd>+" * 4000,
    "marks": "==a== " * 8000,
    "links": "[a](b.md) " * 9000,
    "wikilinks": "[[a|b]] " * 9000,
    "broken refs": "[a][b] " * 9000,
    "headings": "".join("#" * (1 + i % 6) + " head\n" for i in range(5000)),
    "setext": "a\n=\n" * 2500,
    "hr": "---\n\n" * 2500,
    "br": "a<br>" * 15000,
    "definition": "term\n: def\n\n" * 2500,
    "tabs": "a\tb\t" * 20000,
    "zero width": "a\u200b" * 80000,
    "soft hyphens": "a\u00ad" * 80000,
    "control": "".join(map(chr, range(1, 32))) * 3000,
    "surrogates like": "\U0001f600" * 40000,
    "para of 20k letters": "ab " * 6600,
    "paras 5000": "some words\n\n" * 2490,
    "matches": "tide " * 38000,
    "list items long": ("- " + _words(400) + "\n") * 60,
    "mixed scripts": "aб漢עا한ท " * 20000,
    "tags": "#tag/sub " * 9000,
    "superscript deep": "x<sup>" * 40 + "y",
    "dl html": "<dl>" + "<dt>a<dd>b" * 4000,
    "align": "<p align=center>" * 4000 + "x",
    "ol start": "99999999. a\n\n\n" * 2000,
    "embeds": "![[Note]]\n\n" * 4000,
    "img widths": "".join(f'<img src="a{i}.png" width="99999999">' for i in range(3000)),
    "table pipes in code": _row(400, "`a`")
    + "|"
    + "-|" * 400
    + "\n"
    + _row(400, "`b` **c** [d](e)") * 8,
    "table images": _row(30, "![](a.png)") + "|" + "-|" * 30 + "\n" + _row(30, "![](b.png)") * 60,
    "table wide cells": _row(4) + "|-|-|-|-|\n" + _row(4, _words(300)) * 30,
    "table math": _row(10, "$x$") + "|" + "-|" * 10 + "\n" + _row(10, "$y^2$") * 100,
    "mermaid": "```mermaid\n" + "A-->B\n" * 4000 + "```",
    "comment": "%%" + "a " * 60000 + "%%",
    "html comment": "<!--" + "a " * 60000,
    "list in quote in list": ("- > - > - > a\n") * 900,
    "admonition": "!!! note\n    text\n\n" * 1500,
    "containers": "::: tip\ntext\n:::\n\n" * 1500,
    "formulas, all other": "".join(f"$$\n\\frac{{a_{{{i}}}}}{{b}}\n$$\n\n" for i in range(2000)),
    "formulas in lines, all other": "".join(f"$x_{{{i}}}$ is " for i in range(9000)),
    "pictures that are there": "".join(f"![a|20](there{i}.png) " for i in range(3000)),
}
