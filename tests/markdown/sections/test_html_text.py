"""The words a reader sees in HTML."""

import pytest

from notesearch.markdown.sections.html_text import plain_html


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("<div>\n  <p>One</p>\n</div>", "One"),
        ("<div>\n<https://example.org/a> <b>b</b>\n</div>", "<https://example.org/a> b"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
        ("<!-- hidden\n\nlines -->\nshown", "shown"),
        ("<!-- never closed\nshown", "never closed\nshown"),
        ("<script>\nlet a = 1\n</script>\nshown", "shown"),
        ("İİİ <script>let a = 1</SCRIPT>shown", "İİİ shown"),
        ("<style>p { }</style>", ""),
        ("<script>never closed", "never closed"),
        ('<Comp :a="b > c" @click="() => d">text</Comp>', "text"),
        ("<summary>Title &amp; more</summary>", "Title & more"),
        ("a < b", "a < b"),
    ],
)
def test_text_of_html_blocks(source: str, shown: str) -> None:
    assert "\n".join(filter(None, plain_html(source))) == shown
