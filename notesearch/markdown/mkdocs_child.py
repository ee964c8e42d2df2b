"""The child process of the MkDocs dialect: Markdown in, the HTML of Python-Markdown out.

A process of its own because Python-Markdown may take for ever, or run out of stack, on a few
kilobytes; whoever asks ends it then.
"""

import re
import sys
from collections.abc import Iterable
from xml.etree.ElementTree import Element

import markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from notesearch.child import Answer, serve
from notesearch.markdown.callouts import tone

MEMORY = 1 << 30
LONGEST = 5
_INLINE_MATH = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)
_BLOCK_MATH = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)

Asked = tuple[str, dict[str, object]]


def answer(question: Answer) -> Answer:
    """Return the HTML of a text, or None where Python-Markdown gives up."""
    try:
        return {"html": to_html(str(question["text"]), question["extensions"])}  # type: ignore[arg-type]
    except (RecursionError, MemoryError, ValueError, LookupError, AttributeError, TypeError):
        return {"html": None}


def to_html(source: str, extensions: Iterable[Asked]) -> str:
    """Return ``source`` as HTML that is not yet safe; what is not installed is left out."""
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
    """Has what extensions made take the form that the default dialect gives it."""

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802 - its name there
        """Let the shaping be the last step."""
        md.treeprocessors.register(_Shaping(md), "shapes", -100)


class _Shaping(Treeprocessor):
    def run(self, root: Element) -> None:
        """Make callouts of admonitions and tabs; footnotes need no ways there and back."""
        for element in list(root.iter()):
            kinds = (element.get("class") or "").split()
            if element.tag == "details" or "admonition" in kinds:
                _be_callout(element, [kind for kind in kinds if kind != "admonition"])
            elif "tabbed-set" in kinds:
                _show_tabs(element)
            elif "footnote-ref" in kinds:
                element.tag = "span"
            elif "footnote-backref" in kinds or "headerlink" in kinds:
                element.clear()
                element.tag = "span"


def _be_callout(element: Element, kinds: list[str]) -> None:
    element.tag = "blockquote"
    element.set("class", f"callout {tone(kinds[0] if kinds else 'note')}")
    for child in element:
        if child.tag == "summary" or child.get("class") == "admonition-title":
            child.tag = "p"
            child.set("class", "callout-title")


def _show_tabs(element: Element) -> None:
    """Show the tabs one below the other, each under its label."""
    labels = list(element.iter("label"))
    blocks: list[Element] = []
    for kind in ("tabbed-block", "tabbed-content"):
        blocks = blocks or [block for block in element.iter("div") if block.get("class") == kind]
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
    to_html(
        "", (("extra", {}), ("pymdownx.extra", {}))
    )  # what is imported now keeps nobody waiting
    serve(answer, memory=MEMORY, seconds=LONGEST, asked=sys.stdin, answers=sys.stdout)
