"""The targets of links in Markdown and HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.markdown.sections.link_targets import html_targets, inline_targets, note_targets
from notesearch.markdown.sections.note_parser import parse_note
from tests.limits import processor_seconds

FENCE, TILDES = "```", "~~~"
REFERENCES = {"REF": "https://ref.example.org", "A NOTE": "note.md"}


def found(source: str) -> list[tuple[str, str]]:
    """Return address and words of each link in the only section of ``source``."""
    (section,) = parse_note(source, "note.md").sections
    return [
        (link.address, section.text[slice(*link.span)] if link.span else "")
        for link in section.links
    ]


@pytest.mark.parametrize(
    ("source", "targets"),
    [
        ("a [b c](https://e.org/x) d", [("https://e.org/x", "b c")]),
        ('[b](https://e.org "The (title)")', [("https://e.org", "b")]),
        ("[b](<https://e.org/a b>)", [("https://e.org/a b", "b")]),
        ("[b](https://e.org/a_(b))", [("https://e.org/a_(b)", "b")]),
        ("[b](https://e.org/?a=b(c(d(e)f))g)", [("https://e.org/?a=b(c(d(e)f))g", "b")]),
        (r"[b](https://e.org/a\_b&amp;c)", [("https://e.org/a_b&c", "b")]),
        ("[**b** `c`](https://e.org)", [("https://e.org", "b c")]),
        ("**[b](https://e.org)**", [("https://e.org", "b")]),
        ("![b](https://e.org/p.png)", [("https://e.org/p.png", "b")]),
        ("![](https://e.org/p.png)", [("https://e.org/p.png", "")]),
        ("[![b](//i.org/p)](//e.org)", [("//e.org", "b"), ("//i.org/p", "b")]),
        ("[b](mailto:x@e.org)", [("mailto:x@e.org", "b")]),
        ("[b](www.e.org)", [("www.e.org", "b")]),
        ("[b](zotero://select/1)", [("zotero://select/1", "b")]),
        ("[b][r] [r] [r][]\n\n[r]: https://e.org",
         [("https://e.org", "b"), ("https://e.org", "r"), ("https://e.org", "r")]),
        ("<a href='https://e.org?a&amp;b'>c <b>d</b></a> e", [("https://e.org?a&b", "c d")]),
        ("<div><a class=x href=https://e.org>c</a></div>", [("https://e.org", "c")]),
        ('<img alt="c d" src="https://e.org/p">', [("https://e.org/p", "c d")]),
        ("| [b](https://e.org) | c |\n|--|--|\n| d | [e](https://f.org) |",
         [("https://e.org", "b"), ("https://f.org", "e")]),
        ("scrap [rap](https://e.org)", [("https://e.org", "rap")]),
        ("- [ ] [b](https://e.org)", [("https://e.org", "b")]),
        ("> [b](https://e.org)", [("https://e.org", "b")]),
        ("`[b](https://e.org)`", []),
        ("    [b](https://e.org)", []),
        (r"\[b](https://e.org)", []),
        ("[b](note.md#x) [[c]] ![](p.png)", []),
        ("![b](data:image/png;base64,AAAA//BBBB)", []),
        ("[b](javascript://e.org/%0aalert(1))", []),
        ("<https://e.org> https://f.org", []),
        ("[b](C:\\notes\\x.md)", []),
        ("[^1]\n\n[^1]: not one", []),
    ],
)  # fmt: skip
def test_targets_of_a_section(source: str, targets: list[tuple[str, str]]) -> None:
    assert found(source) == targets


def test_targets_in_a_heading_and_in_front_matter() -> None:
    text = "---\nsource: https://clip.org/x\nother: text\n---\n# A\n\nb\n\n## [C](https://e.org)\n\nd\n"
    links = [[link.address for link in s.links] for s in parse_note(text, "n.md").sections]
    assert links == [["https://clip.org/x"], ["https://e.org"]]


def test_a_link_in_a_table_has_its_alias_behind_an_escaped_sign() -> None:
    note = parse_note(
        "| a | b |\n|-|-|\n| [[Oban\\|port]] ![[i.png\\|9]] | `[[x\\|y]]` |\n", "a.md"
    )
    assert [target for _, target, _ in note.targets] == ["Oban", "i.png"]


def test_definitions_and_html_lead_to_notes() -> None:
    text = (
        "[a][x] <a class='b' href='c.md'>d</a>\n\n[x]: e.md 'f'\n[y]: <g h.md>\n[^1]: i\n[j]: k l\n"
    )
    note = parse_note(f"{text}[//]: # (m)\n<a href='#n'>o</a> <a href='//p.q'>r</a>", "n.md")
    assert [target for _, target, _ in note.targets] == ["c.md", "e.md", "g h.md"]


COMMENTS = """a <!-- [[No]] --> [[A]]
<!--
[[No]]
```
--> [[B]] `<!--` [[C]] `-->`
%% [[D]] %%
```
<!--
```
[[E]]
"""


def test_links_in_html_comments_do_not_count() -> None:
    note = parse_note(COMMENTS, "a.md")
    assert [target for _, target, _ in note.targets] == list("ABCDE")
    unclosed = parse_note("<!-- [[A]] -->\n\n<!-- see [[B]]\n\n[[C]]\n", "a.md")
    assert [target for _, target, _ in unclosed.targets] == ["B", "C"]


def test_the_name_of_a_note_may_have_parentheses() -> None:
    note = parse_note("[b](a((1)x).md) and [c](d(2).md)", "n.md")
    assert [target for _, target, _ in note.targets] == ["a((1)x).md", "d(2).md"]


@given(st.text(alphabet="[]()<>!`\\\"' aR=:/.\n&#;", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    list(inline_targets(f"{text}//", REFERENCES))
    list(html_targets(f"<a href='//x'{text}<img src={text}>"))
    for section in parse_note(f"# a\n\n{text} //\n", "n.md").sections:
        for link in section.links:
            assert link.span is None or link.span[1] <= len(section.text)


HOSTILE = {
    "data": f"![x](data:image/png;base64,{'A' * 1_000_000})",
    "long": f"[x](https://e.org/{'a' * 1_000_000})",
    "parentheses": f"[x](https://e.org/{'(' * 50_000}",
    "pairs": f"[x](https://e.org/{'((a)(b))' * 50_000}",
    "brackets": "[" * 50_000 + "](https://e.org)" * 5_000,
    "tags": "<a href='//x' " * 50_000,
    "anchors": "<a href='//x'>" * 20_000,
    "quotes": "<a " + 'href="' * 50_000 + ">//",
    "pages": "</a> <ri:page " + '="a"' * 50_000,
    "links": "[a](https://e.org) " * 20_000,
    "unmatched": "[zz](https://e.org/`) " * 20_000,
    "references": "[b] " * 50_000 + "\n\n[b]: https://e.org\n",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_links_take_linear_time(source: str) -> None:
    with processor_seconds(5):
        parse_note(source, "n.md")


@pytest.mark.parametrize(
    ("lines", "targets"),
    [
        ([FENCE, "[[code]]", FENCE, "[[oak]]"], ["oak"]),
        ([FENCE, TILDES, "[[code]]", FENCE, "[[oak]]"], ["oak"]),
        ([FENCE, f"{FENCE}python", "[[code]]", FENCE, "[[oak]]"], ["oak"]),
        ([f"{FENCE}`", FENCE, "[[code]]", f"{FENCE}`", "[[oak]]"], ["oak"]),
        ([TILDES, "[[code]]", f"{TILDES}~~", "[[oak]]"], ["oak"]),
        ([FENCE, "[[code]]"], []),
    ],
)
def test_code_between_fences_links_to_no_note(lines: list[str], targets: list[str]) -> None:
    assert [target for _, target, _ in note_targets(lines)] == targets


@pytest.mark.parametrize(
    "line",
    [
        "[[toc]]",
        "[[_TOC_]]",
        "[[{{title}}]]",
        "[a]({{url}})",
        "[[<% tp.date.now() %>|a]]",
        "{{[[TODO]]}} a",
    ],
)
def test_a_place_that_a_program_fills_is_no_link(line: str) -> None:
    assert not [*note_targets(["", line, ""])]
    assert [target for _, target, _ in note_targets(["See [[toc]]"])] == ["toc"]
