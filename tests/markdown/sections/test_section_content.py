"""What a section contains besides text: tasks, code, tables, images, links, tags."""

import re
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.markdown import bounds
from notesearch.markdown.render import render
from notesearch.markdown.sections.note_parser import parse_note
from notesearch.notes import Feature, Section
from tests.limits import processor_seconds

CODE, TABLE, IMAGE, LINK = Feature.CODE, Feature.TABLE, Feature.IMAGE, Feature.LINK
TODO, DONE, NONE = Feature.TODO, Feature.DONE, Feature.NONE


FILLER = "Some more words to make the section longer than one line of text is. " * 4


@pytest.mark.parametrize(
    ("text", "words", "lines"),
    [
        ("# T\n\nfirst here\n", "first here", (3, 3)),
        ("---\na: 1\n---\n\n# T\nfirst here", "first here", (6, 6)),
        ("# T\n\n\n\none\ntwo\nthree\n", "one two three", (5, 7)),
        (f"# T\n\n{FILLER}\n\nthe second\n", "the second", (5, 5)),
        (f"# T\n\none\ntwo *{FILLER}*\nthree\n\nlast one", "last one", (7, 7)),
        (f"# T\n\n{FILLER}\nthe **second line** here\nthird", "second line", (4, 4)),
        (f"{FILLER}\n\n- a\n- b\n  - [ ] the task\n- c", "the task", (5, 5)),
        (f"{FILLER}\n\n> quoted\n> words\n>\n> here", "here", (6, 6)),
        (f"{FILLER}\n\n```sh\nls\n\nfind it\n```\nend", "find it", (6, 6)),
        (f"{FILLER}\n\n    indented\n    code here", "code here", (4, 4)),
        (f"{FILLER}\n\n```{{code}} c\n:name: x\nint y\n```", "int y", (5, 5)),
        (f"{FILLER}\n\n|a|b|\n|-|-|\n|c|d|\n|e|f|", "e | f", (6, 6)),
        (f"{FILLER}\n\n<p>\nhtml\n</p>\n\nafter it", "after it", (7, 7)),
        (f"{FILLER}\n\n%% a\nb %% seen\n\nafter it", "after it", (6, 6)),
        (f"{FILLER}\n\n!!! note\n\n    inside it", "inside it", (5, 5)),
        (f"{FILLER}\r\n\r\none\r\n\r\nand two", "and two", (5, 5)),
        (f"{FILLER}\n\n[a]: b\n[c]: d\n\nafter it", "after it", (6, 6)),
    ],
)
def test_text_knows_its_lines(text: str, words: str, lines: tuple[int, int]) -> None:
    section = only_section(text)
    at = section.text.index(words)
    first, last = section.source.lines_of(section.text, (at, at + len(words)))
    assert (section.line + first, section.line + last) == lines


MARKUP = (
    "plain words here", "*the* **strong**", "`code with <signs>` and more", "[words](https://a.b/c)",
    "see [here][ref]", "[[Note|shown]] x", "<https://ex.org/page>", "_between_ and", "a &amp; b",
    "the tag `<a>` `[x]`", "==marked== ~~gone~~", "“quoted” — dash", "#tag and", "$x_1$ or \\*",
)  # fmt: skip


def test_lines_begin_one_after_the_other_within_the_text() -> None:
    wrapped = "`a` `b` **c** [d](https://example.org/of/a/long/address)\n..\n" * 20
    section = only_section(f"{wrapped}\n\n:::")
    starts = [at for at, _ in section.source.lines]
    assert starts == sorted(starts)
    assert starts[-1] < len(section.text)


@given(st.lists(st.tuples(st.sampled_from(MARKUP), st.sampled_from(MARKUP)), min_size=12))
def test_each_word_of_a_wrapped_paragraph_knows_its_line(lines: list[tuple[str, str]]) -> None:
    wrapped = "\n".join(f"{a} word{n}first {b} word{n}last" for n, (a, b) in enumerate(lines))
    section = only_section(f"{wrapped}\n\n[ref]: https://example.org")
    for number in range(len(lines)):
        for word in (f"word{number}first", f"word{number}last"):
            at = section.text.index(word)
            span = section.source.lines_of(section.text, (at, at + len(word)))
            assert span == (number, number), word


OVER_LINES = (
    "@", "**@\n@**", "`@\n@`", "[@\n@](https://a.b)", "[@](\nhttps://a.b\n'a\ntitle')",
    "![@\n@](a.png)", "[@][the\nref]", "<span\nclass='a'>@</span>",
    "<a\nhref='b'\ntitle='c'>@\n@</a>", "<br\n/>@", "<ruby>\n@<rp>(</rp>\n<rt>x</rt>\n</ruby>",
    "<Card\n title='@'\n/>", "<style\n>\na</style>@", "\\(x^2\n= y_1\\) @", "\\[x^2\n+\ny_1\\] @",
    "<!-- a\nb -->@", "%% a\nb\nc %%@", "{/* a\nb */}@", "\n{: .a }\n@", "\n{#a .b}\n@",
    "\n(label)=\n@", "\n[TOC]\n@", '\n--8<-- "a.md"\n@', '{{< fig\n title="@"\n>}} @',
    "{{% a\n%}} @", "{% include\na %}@", "{{#include\na}}@", "{% comment %}\na\n{% endcomment %}@",
    "{ref}`@\n@`", "{doc}`@\n@`", "{doc}`@ <a\nb>`", "{{c1::@\n@::hint}}",
    "<ac:link>\n<ri:page ri:content-title='@'\n/></ac:link>", "<![CDATA[@\n@]]>",
    "[@\n@]{.smallcaps}", "^[@\n@]", "\\\n@", "\nid:: a-b\ncollapsed:: true\n@",
    "\n:LOGBOOK:\nCLOCK: [a]\n:END:\n@", "\n#+begin_quote\n@\n#+end_quote\n@",
    "\n::: a\n@\n:::\n@", "\nimport A from 'b.js'\n@",
)  # fmt: skip
"""Syntax that may stand over several lines of a paragraph; ``@`` stands for words."""

AROUND = ("", "> ", "- ", "1. ", "- [ ] ", "> [!note] ", "[^1]: ", "word\n: ", "!!! note\n    ")


@given(st.lists(st.tuples(st.sampled_from(AROUND), st.lists(st.sampled_from(OVER_LINES)))))
def test_each_word_knows_its_line_after_syntax_of_several_lines(
    blocks: list[tuple[str, list[str]]],
) -> None:
    text = FILLER
    for around, pieces in blocks:
        first = around.rpartition("\n")[2]
        below = "> " if first.startswith(">") else " " * min(len(first), 4)
        text += f"\n\n{around}" + " ".join([*pieces, "@ @"]).replace("\n", f"\n{below}")
    text += "\n\n[the ref]: https://example.org"
    numbers = count()
    text = re.sub("@", lambda _: f"word{next(numbers)}end", text)
    section = only_section(text)
    for number, line in enumerate(text.split("\n")):
        for word in re.findall(r"word\d+end", line):
            at = section.text.find(word)  # some blocks of HTML leave words out
            span = section.source.lines_of(section.text, (at, at + len(word)))
            assert at < 0 or span == (number, number), word


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        (
            "- [ ] one\n- two\n- [x] three\n  - [/] four\n- [-] five",
            "open one|done three|started four|cancelled five",
        ),
        (
            "Words.\n\n1. [X] *done* it\n2. [?] what\n\n> - [ ] within",
            "done done it|open what|open within",
        ),
        ("☐ a sign that is text", ""),
        ("- TODO said by a word\n- [ ]\n- [a](b.md)\n\n[ ] no list", ""),
    ],
)
def test_text_knows_its_tasks(text: str, tasks: str) -> None:
    section = only_section(text)
    lines = [f"{state} {section.text[at:].splitlines()[0]}" for at, state in section.source.tasks]
    assert "|".join(lines) == tasks


def only_section(text: str) -> Section:
    (section,) = parse_note(text, "note.md").sections
    return section


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("Words, *emphasis*, `code` and [brackets].", NONE),
        ("```\nx\n```", CODE),
        ("    indented", CODE),
        ("- item\n\n  ~~~ js\n  x\n  ~~~", CODE),
        ("|a|b|\n|-|-|\n|1|2|", TABLE),
        ("<table><tr><td>1</td></tr></table>", TABLE),
        ("![a boat](boat.png)", IMAGE),
        ("![[boat.png|200]]", IMAGE),
        ('<img src="boat.png">', IMAGE),
        ("![[Another note]]", LINK),
        ("[a](b.md)", LINK),
        ("[[a]] and [[b|c]]", LINK),
        ("https://example.org", LINK),
        ("<https://example.org> <me@example.org>", LINK),
        ('See <a href="x">there</a>.', LINK),
        ("[a][b]\n\n[b]: c.md", LINK),
        ("[b]\n\n[b]: c.md", LINK),
        ("# On [[Kyoto]]", LINK),
        ("[![a](b.png)](c.md)", IMAGE | LINK),
        ("`[a](b.md)` `https://example.org` `<https://x.org>` \\[[a]]", NONE),
        ("```\n[a](b.md) - [ ] x\n```", CODE),
        ("- [ ] do it", TODO),
        ("1. [x] done\n2. [X] done", DONE),
        ("- [/] begun\n- [x] done", TODO | DONE),
        ("- [-] given up", NONE),
        ("> - [ ] inside", TODO),
        ("[ ] no list", TODO),
        ("To do:\n[ ] this\n[x] that", TODO | DONE),
        ("see [ ] here [x](y.md)\n[a] b\n[ ](c.md)", LINK),
        ("- [ ]", NONE),
        ("- [ ] read [a](b.md)", TODO | LINK),
    ],
)
def test_features(text: str, features: Feature) -> None:
    assert only_section(text).features == features


@pytest.mark.parametrize(
    ("fence", "languages"),
    [
        ("", ()),
        ("python", ("python",)),
        ("py title=x", ("python",)),
        ("{.python .numberLines}", ("python",)),
        ("{r, echo=FALSE}", ("r",)),
        ("C++", ("cpp",)),
        ("sh", ("bash",)),
        ("js:line", ("javascript",)),
        ("{code-cell} ipython3", ("python",)),
    ],
)
def test_the_language_of_code(fence: str, languages: tuple[str, ...]) -> None:
    assert only_section(f"```{fence}\nx\n```").code == languages


@pytest.mark.parametrize(
    ("opened", "closed", "language"),
    [
        ('{{< highlight go "linenos=table" >}}', "{{< / highlight >}}", "go"),
        ("{{% highlight go %}}", "{{% /highlight %}}", "go"),
        ("{%- highlight c++ linenos -%}", "{%- endhighlight -%}", "cpp"),
        ("{% codeblock A keel lang:js %}", "{% endcodeblock %}", "javascript"),
    ],
)
def test_code_between_the_tags_of_a_template(opened: str, closed: str, language: str) -> None:
    section = only_section(f"oak\n{opened}\n\n  # ash\n[x](y)\n{closed}\nend")
    assert section.text == "oak\n\n  # ash\n[x](y)\n\nend"
    assert section.code == (language,)


def test_code_between_tags_does_not_leave_its_quote() -> None:
    section = only_section("> {% highlight go %}\n> oak\n\nash\n\n{% endhighlight %}\n\nend")
    assert section.text == "oak\n\nash\n\nend"
    assert section.code == ()


def test_tags_of_code_in_many_quotes_take_linear_time() -> None:
    with processor_seconds(5):
        parse_note("> {% highlight x %}\n\n" * 40_000 + "{% endhighlight %}\n", "n.md")


@pytest.mark.parametrize(
    ("info", "title"),
    [
        *((' title="src/__a__.js"', "src/__a__.js"), (" [config.js]", "config.js")),
        *(("js {1,3} title='a b.js' showLines", "a b.js"), ('{.py filename="c.py"}', "c.py")),
        *(("java title:A.class fold", "A.class"), ("js title: b.js", ""), ("js title=b", "")),
        *(("js", ""), ("js title=", ""), ("r [1] x", ""), ("{code-block} py", "")),
    ],
)
def test_the_title_of_code_is_text(info: str, title: str) -> None:
    text = f"oak\n\n```{info}\nash\n```\n"
    assert only_section(text).text == "\n\n".join(filter(None, ("oak", title, "ash")))


def test_the_bytes_of_a_large_picture_are_not_text() -> None:
    address = f"data:image/png;base64,{'aB3/' * bounds.PORTION}"
    shown = f"![a keel]({address})\n\n| {address} | oak |\n|--|--|\n\n`{address}`\n"
    text = "a keel\n\ndata:image/png;base64, | oak\n\ndata:image/png;base64,"
    assert only_section(shown).text == text
    assert only_section("`data:image/png;base64,aB3/`").text == "data:image/png;base64,aB3/"


def test_the_settings_of_columns_are_not_text() -> None:
    columns = "--- start-multi-column: a\n```column-settings\nBorder: off\n```\n"
    assert only_section(f"oak\n\n{columns}\nash\n\n--- end-multi-column\n").text == "oak\n\nash"


def test_a_directive_with_brackets_in_its_title_is_not_code() -> None:
    text = "```{note} See [here]\nThe *oak*.\n```\n"
    assert only_section(text).text == "See [here]\nThe oak."


def test_each_section_has_its_own_features() -> None:
    note = parse_note("#all\n\n# A\n\n#one `#none`\n\n## B #two\n\n- [ ] x #ONE\n", "note.md")
    assert [section.tags for section in note.sections] == [("all",), ("one",), ("two", "ONE")]
    assert [section.features for section in note.sections] == [NONE, NONE, TODO]
    assert note.tags == ("all", "one", "two")


@pytest.mark.parametrize(
    ("text", "common"),
    [
        ("---\ntags: [a]\n---\n#b\n\n## C\n\n#d", ("a", "b")),
        ("# Title\n\n#a\n\n## B\n\n#c", ("a",)),
        ("#a\n\n# One\n\n#b\n\n# Two\n\n#c", ("a",)),
        ("## A\n\n#b", ()),
        ("# Title\n\ntags: `a` `b c`\n\n## B\n\n#c", ("a", "b c")),
    ],
)
def test_tags_of_the_whole_note(text: str, common: tuple[str, ...]) -> None:
    assert parse_note(text, "note.md").common_tags == common


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ("| [[week 9|nine]] | Ann |", "nine | Ann"),
        ("| [[week 9\\|nine]] | Ann |", "nine | Ann"),
        ("| ![[p.png|100]] | Ann |", "p.png | Ann"),
        ("[[a|b]] | [[c|d]]", "b | d"),
        ("| [[a|b]] |", "b"),
        ("| `a|b` | Ann |", "a|b | Ann"),
        ("| ``a|`b`` | Ann |", "a|`b | Ann"),
        ("| `a\\|b` | Ann |", "a|b | Ann"),
        ("| ` | a backtick |", "` | a backtick"),
        ("| a \\| b | c |", "a | b | c"),
        ("| a | b | c | d |", "a | b | c | d"),
        ("| a | b | [[c|d]] | `e|f`", "a | b | d | e|f"),
        ("| a", "a"),
        ("| | b |", "b"),
        ("|||", ""),
        ("| a | b |\n| [[c|d]] | e | f", "a | b\nd | e | f"),
    ],
)
def test_no_word_of_a_table_is_lost(rows: str, text: str) -> None:
    table = f"| [[one|x]] | y |\n|---|---|\n{rows}\n"
    for indent, before in (("", ""), ("> ", "> "), ("- \n  ", "  ")):
        lines = f"\n{before}".join(table.split("\n"))
        (section,) = parse_note(f"{indent}{lines}\n\nafter", "x.md").sections
        assert section.features & Feature.TABLE
        assert section.text == f"x | y\n{text}".strip() + "\n\nafter"


def test_markdown_in_html_is_read_where_mkdocs_reads_it() -> None:
    html = "<figure{}>\n![A *gull*](a.png)\n<figcaption>**At** sea #bird</figcaption>\n</figure>\n"
    (section,) = parse_note(html.format(" markdown"), "x.md").sections
    assert section.text == "A gull\nAt sea #bird"
    assert section.features & Feature.IMAGE
    assert section.tags == ("bird",)
    (section,) = parse_note(html.format(""), "x.md").sections
    assert section.text == "![A *gull*](a.png)\n**At** sea #bird"


@pytest.mark.parametrize(
    ("source", "heading"),
    [
        ("Heading\n---", "Heading"),
        ("[[a|b]]\n---", "b"),
        ("`a|b`\n---", "a|b"),
        ("a: b\n---", "a: b"),
    ],
)
def test_a_line_above_a_rule_is_a_heading(source: str, heading: str) -> None:
    (section,) = parse_note(f"{source}\ntext", "x.md").sections
    assert (section.heading, section.text) == (heading, "text")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("NAME   STATE\n------------\nkeel   oak", "NAME STATE\n\nkeel oak"),
        ("  --- ---\n  keel      oak\n  -------\n", "keel oak"),
        ("---\nlayout: two\n  a b\n---\nkeel", "layout: two a b\n\nkeel"),  # of a slide
    ],
)
def test_a_table_or_properties_above_a_rule_are_no_heading(source: str, text: str) -> None:
    (section,) = parse_note(f"of oak\n\n{source}", "x.md").sections
    assert section.text == f"of oak\n\n{text}"
    assert "<h" not in render(f"of oak\n\n{source}").replace("<hr>", "")


@pytest.mark.parametrize(
    ("item", "features"),
    [
        ("- TODO a", Feature.TODO),
        ("- DOING a", Feature.TODO),
        ("- DONE a", Feature.DONE),
        ("- CANCELED a", Feature.NONE),
        ("1. [ ] a", Feature.TODO),
        ("2) [X] a", Feature.DONE),
        ("> * [!] a", Feature.TODO),
        ("+ [\u00a0] a", Feature.TODO),
        ("- ## TODO a", Feature.TODO),
        ("- ☐ a", Feature.TODO),
        ("☐ a\n☑ b", Feature.TODO | Feature.DONE),
        ("a\n✅ b", Feature.DONE),
        ("- ❌ a\n- ☒ b", Feature.NONE),
        ("- ✅✅ a ☐", Feature.NONE),
        ("TODO a", Feature.NONE),
    ],
)
def test_tasks_in_lists(item: str, features: Feature) -> None:
    (section,) = parse_note(item, "x.md").sections
    assert section.features == features


def test_marks_of_direction_before_a_box_hide_no_task() -> None:
    section = only_section("\u200f- \u200f[x] משימה\n- \u2067[ ] עוד\n")
    assert (section.text, section.features) == ("משימה\nעוד", Feature.TODO | Feature.DONE)


@pytest.mark.parametrize("space", ["\xa0", "\u3000"])
def test_a_wide_space_after_a_dash_is_a_space(space: str) -> None:
    section = only_section(
        f"-{space}[ ]{space}one\n  *{space}two\n\n> 1.{space}three\n> 2.{space}four"
    )
    assert section.text == "one\ntwo\n\nthree\nfour"
    assert section.features == Feature.TODO


ID = "64f0c0de-1111-4222-8333-444455556666"


def test_marks_of_logseqs_blocks_are_not_text() -> None:
    (section,) = parse_note(
        f"- # Hull\n  id:: {ID}\n  collapsed:: true\n\t- Made of larch.\n\t  id:: {ID}\n"
        f"\t- status:: done\n\t  logseq.order-list-type:: number\n- id:: {ID}\n  Last.\n",
        "x.md",
    ).sections  # fmt: skip
    assert section.text == "Hull\nMade of larch.\nstatus:: done\nLast."


@pytest.mark.parametrize("text", [f"the id:: {ID}", "id:: mine", "collapsed:: true story"])
def test_text_that_looks_like_a_mark_is_text(text: str) -> None:
    (section,) = parse_note(f"- {text}\n", "x.md").sections
    assert section.text == text
