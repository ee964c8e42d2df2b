"""Turns Excalidraw's drawings into Markdown; their texts are below the names of their frames."""

import re
from collections.abc import Iterable, Iterator

from notesearch.formats.json_values import Item, items, number, parsed, text_at
from notesearch.formats.markdown_text import literal, literal_block, one_line

_DATA = re.compile(r"#{1,2} (?:Excalidraw Data|Text Elements)[ \t]*")
_TEXTS = re.compile(r"#{1,2} Text Elements[ \t]*")
_OTHER = re.compile(r"#{1,2} (?:Element Links|Embedded Files|Drawing)[ \t]*|%%[ \t]*")
_ELEMENT_ID = re.compile(r"[ \t]*\^[\w-]{8}[ \t]*$")
_BANNER = re.compile(r"==.*EXCALIDRAW VIEW.*")


def to_markdown(text: str) -> str:
    """Return the texts of a drawing as Markdown, in reading order, under the names of their frames.

    Raises:
        NotANoteError: ``text`` is not a drawing, or has too many values.
    """
    elements = [item for item in items(parsed(text), "elements") if not item.get("isDeleted")]
    frames = {
        text_at(item, "id"): text_at(item, "name")
        for item in elements
        if text_at(item, "type") == "frame"
    }
    texts = [item for item in elements if text_at(item, "type") == "text"]
    texts.sort(key=lambda item: (number(item, "y"), number(item, "x")))
    shown = list(_paragraphs(item for item in texts if text_at(item, "frameId") not in frames))
    for frame, name in frames.items():
        shown += [f"## {one_line(literal(name)) or 'Frame'}", ""]
        shown += _paragraphs(item for item in texts if text_at(item, "frameId") == frame)
    return "\n".join(shown)


def _paragraphs(texts: Iterable[Item]) -> Iterator[str]:
    for item in texts:
        written = text_at(item, "originalText") or text_at(item, "text")
        lines = [literal_block(literal(line, for_notes=True)) for line in written.split("\n")]
        address = text_at(item, "link")
        yield from ("  \n".join(lines), "")
        if address:
            yield from (address if address.startswith("[[") else f"<{address}>", "")


def note_to_markdown(text: str) -> str:
    """Return the note of a drawing without the drawing's data, with the same number of lines.

    The texts of the drawing stay.
    """
    shown: list[str] = []
    has_begun, is_kept = False, True
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        is_heading = bool(_DATA.fullmatch(line) or (has_begun and _OTHER.fullmatch(line)))
        if is_heading:
            has_begun, is_kept = True, bool(_TEXTS.fullmatch(line))
        if is_heading or not is_kept or _BANNER.match(line):
            shown.append("")
        else:
            shown.append(_ELEMENT_ID.sub("", line))
    return "\n".join(shown)
