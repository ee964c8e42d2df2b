"""Colours in raw HTML become one of a few names, which each theme shows in a readable way."""

import pytest

from notesearch.markdown.render.sanitizer import colour_name
from notesearch.markdown.render.section_html import rendered


@pytest.mark.parametrize(
    ("css", "name"),
    [
        ("red", "red"),
        ("DarkRed", "red"),
        ("#f00", "red"),
        ("#FFB86CA6", "orange"),
        ("gold", "yellow"),
        ("rgb(0, 128, 0)", "green"),
        ("rgba(0,0,255,.5)", "blue"),
        ("rgb(510, 0, 0)", "red"),
        ("rgb(999, 999, 999)", ""),
        ("hsl(0, 80%, 50%)", "red"),
        ("hsl(-240deg 90% 40% / 50%)", "green"),
        ("hsla(220.5, 90%, 80%, .4)", "blue"),
        ("hsl(120, 5%, 50%)", "grey"),
        ("hsl(120, 50%, 0%)", ""),
        ("hsl(0.5turn 80% 40%)", ""),
        ("red !important", "red"),
        ("royalblue", "blue"),
        ("#8e44ad", "purple"),
        ("hotpink", "pink"),
        ("#888", "grey"),
        ("lightgray", "grey"),
        ("#000", ""),
        ("white", ""),
        ("#ffffff", ""),
        ("inherit", ""),
        ("var(--own)", ""),
        ("rgb(1,2", ""),
        ("#12", ""),
    ],
)
def test_a_colour_has_a_name(css: str, name: str) -> None:
    assert colour_name(css) == name


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ('a <font color="#00aa00">b</font>', 'a <span class="green">b</span>'),
        ('a <span style="color: blue">b</span>', 'a <span class="blue">b</span>'),
        ('a <mark style="background: #FFB86CA6;">b</mark>', '<span class="mark-orange">b</span>'),
        ('a <mark class="hltr-green">b</mark>', '<span class="mark-green">b</span>'),
        ("a <mark>b</mark>", 'a <span class="mark">b</span>'),
        (
            'a <span style="background-color:yellow;color:red">b</span>',
            '<span class="red mark-yellow">b</span>',
        ),
        ('<p style="color:red">b</p>', '<p><span class="red">b</span></p>'),
        ('a <span style="color: expression(1)">b</span>', "a <span>b</span>"),
        ('a <span class="note" onclick="x">b</span>', "a <span>b</span>"),
        ('a <span title="color:red">b</span>', "a <span>b</span>"),
        ('a <span class="infrared" data-color="red">b</span>', "a <span>b</span>"),
        ('a <span style="border-color: red">b</span>', "a <span>b</span>"),
    ],
)
def test_coloured_text_has_the_class_of_its_colour(source: str, html: str) -> None:
    assert html in rendered(source).html
