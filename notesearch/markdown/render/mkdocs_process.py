"""The child process of the MkDocs dialect, which turns Markdown into HTML by Python-Markdown.

A few kilobytes can make Python-Markdown run forever or overflow its stack. A process of its own can
be killed.
"""

import re
import sys
from collections.abc import Iterable
from xml.etree.ElementTree import Element

import markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from notesearch.markdown.render.callouts import tone
from notesearch.processes import Answer, serve

MEMORY = 1 << 30
LONGEST = 5
_INLINE_MATH = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
_BLOCK_MATH = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)

Extensions = Iterable[tuple[str, dict[str, object]]]


def answer(question: Answer) -> Answer:
    """Return ``{"html": HTML of the text}``; the value is None if Python-Markdown fails."""
    try:
        return {"html": to_html(str(question["text"]), question["extensions"])}  # type: ignore[arg-type]
    except (RecursionError, MemoryError, ValueError, LookupError, AttributeError, TypeError):
        return {"html": None}


def to_html(source: str, extensions: Extensions) -> str:
    """Return ``source`` as unsafe HTML; skip extensions that are not installed."""
    converter = markdown.Markdown(extensions=[_Shapes()])
    for name, options in extensions:
        try:
            converter.registerExtensions([name], {name: options})
        except (ImportError, KeyError, TypeError, ValueError):
            continue
    html = converter.convert(source)
    html = _INLINE_MATH.sub(r'<var class="math">\1</var>', html)
    html = _BLOCK_MATH.sub(r'<div class="math">\1</div>', html)
    return html.replace('<li class="task-list-item">', '<li class="task">')


class _Shapes(Extension):
    """Gives the extensions' HTML the form that the default dialect produces."""

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802 - its name there
        """Add ``_Shaping`` as the last step."""
        md.treeprocessors.register(_Shaping(md), "shapes", -100)


class _Shaping(Treeprocessor):
    def run(self, root: Element) -> None:
        """Turn admonitions and tabs into callouts; remove the links of footnotes and headings."""
        for element in list(root.iter()):
            kinds = (element.get("class") or "").split()
            if element.tag == "details" or "admonition" in kinds:
                _make_callout(element, [kind for kind in kinds if kind != "admonition"])
            elif "tabbed-set" in kinds:
                _show_tabs(element)
            elif "footnote-ref" in kinds:
                element.tag = "span"
            elif "footnote-backref" in kinds or "headerlink" in kinds:
                element.clear()
                element.tag = "span"


def _make_callout(element: Element, kinds: list[str]) -> None:
    element.tag = "blockquote"
    element.set("class", f"callout {tone(kinds[0] if kinds else 'note')}")
    for child in element:
        if child.tag == "summary" or child.get("class") == "admonition-title":
            child.tag = "p"
            child.set("class", "callout-title")


def _show_tabs(element: Element) -> None:
    labels = list(element.iter("label"))
    blocks = [block for block in element.iter("div") if block.get("class") == "tabbed-block"]
    element.clear()
    element.tag = "div"
    for label, block in zip(labels, blocks, strict=False):
        title = Element("p", {"class": "callout-title"})
        title.text = "".join(label.itertext())
        block.tag = "blockquote"
        block.set("class", "callout quiet")
        block.insert(0, title)
        element.append(block)


if __name__ == "__main__":
    # Import the extensions now, so that no section has to wait for that.
    to_html("", (("extra", {}), ("pymdownx.extra", {})))
    serve(answer, memory=MEMORY, seconds=LONGEST, questions=sys.stdin, answers=sys.stdout)
