"""The examples of the CommonMark specification, checked in two ways.

markdown-it's full parse tells the lines of headings. The HTML that the specification itself
expects tells, independently of any parser of ours, which headings and words a reader sees.
"""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import TypedDict

import pytest
from markdown_it import MarkdownIt

from notesearch.markdown.sections.note_parser import parse_note
from notesearch.notes import Section

EXAMPLES = Path(__file__).resolve().parents[2] / "build" / "commonmark.json"

WORDS_NOT_SHOWN = {170, 172, 176, 178}
"""The HTML contains scripts and styles, which no reader sees."""

ADDRESSES_OF_LINKS_IN_LINKS = {518, 519, 520, 532, 533}
"""An invalid outer link shows its address; our parser reads it as a link."""

HTML_THAT_ALMOST_IS = {632}

TREES_OF_BULLETS = {9, 294, 307, 326}
"""Lists alone with lists below their items: these are sections of ours."""


class Example(TypedDict):
    markdown: str
    html: str
    example: int


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    if not EXAMPLES.exists():
        pytest.skip("build/commonmark.json is missing: run `python tests/fetch_commonmark.py`")
    found: list[Example] = json.loads(EXAMPLES.read_text("utf-8"))
    assert len(found) == 652
    return found


def sections_of(markdown: str) -> tuple[Section, ...]:
    """Parse below an empty line, so that no example is taken for front matter."""
    return parse_note("\n" + markdown, "example.md").sections


def test_top_level_headings_and_lines_match_markdown_it(examples: list[Example]) -> None:
    parser = MarkdownIt("commonmark")
    for example in examples:
        expected = [
            (int(token.tag[1]), token.map[0] + 2)
            for token in parser.parse(example["markdown"])
            if token.type == "heading_open" and token.level == 0 and token.map
        ]
        found = [(s.level, s.line) for s in sections_of(example["markdown"]) if s.level]
        assert found == expected or example["example"] in TREES_OF_BULLETS, example


def test_headings_match_the_specification(examples: list[Example]) -> None:
    for example in examples:
        page = Page(example["html"])
        found = [(s.level, s.heading) for s in sections_of(example["markdown"]) if s.level]
        assert found == page.headings or example["example"] in TREES_OF_BULLETS, example


def test_no_word_in_the_specification_is_lost(examples: list[Example]) -> None:
    exempt = WORDS_NOT_SHOWN | ADDRESSES_OF_LINKS_IN_LINKS | HTML_THAT_ALMOST_IS
    for example in examples:
        shown = "\n".join(
            f"{section.heading if section.level else ''}\n{section.text}"
            for section in sections_of(example["markdown"])
        )
        lost = words(Page(example["html"]).text) - words(shown)
        assert not lost or example["example"] in exempt, example


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W_]+", text))


class Page(HTMLParser):
    """The top-level headings and the words of an HTML page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.headings: list[tuple[int, str]] = []
        self.text = ""
        self._depth = 0
        self._heading: str | None = None
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._depth += tag in ("blockquote", "ul", "ol")
        if re.fullmatch("h[1-6]", tag) and self._depth == 0:
            self._heading = ""
        if tag == "img":
            self.handle_data(dict(attrs).get("alt") or "")
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag in ("blockquote", "ul", "ol")
        if self._heading is not None and re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), " ".join(self._heading.split())))
            self._heading = None
        self._part(tag)

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._heading is not None:
            self._heading += data

    def _part(self, tag: str) -> None:
        if tag not in ("em", "strong", "code", "a", "img"):
            self.text += " "
