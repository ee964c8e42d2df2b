"""Turns the text of a PDF into Markdown: a section for each entry of its outline and each page."""

import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from notesearch.errors import NotANoteError
from notesearch.formats.markdown_writing import front_matter, literal, literal_block, one_line
from notesearch.messages import NO_SENTENCE, Sentence

if TYPE_CHECKING:
    import pypdfium2

READING_S = 11.0
"""Seconds for reading; pages that are not read by then are left out."""
PAGES = 4_000
CHARACTERS = 8_000_000
ENTRIES = 2_000
"""Maximum number of entries of an outline."""

_TOP = 2
_PAGE_LEVEL = 6
"""Levels of headings. A heading of level 1 could be taken for the title of the note."""

_SHORT_LINE = 0.75
"""A line shorter than this share of the longest line of its page does not run on into the next."""

_HYPHEN = re.compile("[\x02\xad\ufffe]\n?")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufeff\ufffe\uffff]")
_SENTENCE_END = re.compile(r"[.!?…:。！？]['\"”»)\]]*$")
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)")
_PROGRAM = re.compile(r"^(?:Microsoft (?:Word|PowerPoint|Excel) - |slide \d+$)", re.IGNORECASE)
_FILE_TYPE = re.compile(
    r"\.(?:docx?|odt|rtf|tex|dvi|html?|pdf|pptx?|xlsx?|indd|pages|md|qxd)$", re.IGNORECASE
)
_NO_TITLES = frozenset(
    ("", "untitled", "unknown", "document", "title", "none", "powerpoint presentation")
)


def to_markdown(content: bytes) -> tuple[str, Sentence]:
    """Return the text of a PDF as Markdown, and a remark, empty if no page was left out.

    Raises:
        NotANoteError: The PDF is damaged, encrypted, or has no text.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        is_locked = getattr(error, "err_code", 0) == _PASSWORD or "password" in str(error).lower()
        raise NotANoteError("file_encrypted" if is_locked else "file_damaged") from error
    with closing(document):
        return _text(document)


_PASSWORD = 4
"""PDFium's code for a document that asks for a password."""


def _text(document: "pypdfium2.PdfDocument") -> tuple[str, Sentence]:
    count = len(document)
    if not count:
        raise NotANoteError("file_damaged")
    entries = _outline(document)
    lines = _properties(document.get_metadata_dict(skip_empty=True))
    has_text = False
    size = 0
    until = time.monotonic() + READING_S
    number = 0
    for number in range(count):
        if number >= PAGES or size > CHARACTERS or time.monotonic() > until:
            break
        page = _page_lines(document, number)
        has_text = has_text or any(page)
        size += sum(map(len, page))
        lines += _sections(page, entries.get(number, ()), _label(document, number))
    else:
        number = count
    if not has_text:
        raise NotANoteError("file_without_text" if number == count else "file_too_costly")
    over = NO_SENTENCE if number == count else Sentence("file_pages_over", limit=number)
    return "\n".join(lines), over


def _properties(metadata: Mapping[str, str]) -> list[str]:
    shown = {key: _CONTROLS.sub("", value).strip() for key, value in metadata.items()}
    created = _DATE.match(shown.get("CreationDate", ""))
    return front_matter(
        {
            "title": _title(shown.get("Title", "")),
            "author": one_line(shown.get("Author", "")),
            "subject": one_line(shown.get("Subject", "")),
            "keywords": one_line(shown.get("Keywords", "")),
            "created": "-".join(created.groups()) if created else "",
        }
    )


def _title(written: str) -> str:
    """Return the title if a person chose it; empty if a program wrote a file name or the like."""
    title = one_line(_PROGRAM.sub("", written), 200)
    if _FILE_TYPE.search(title) or title.strip("() ").casefold() in _NO_TITLES:
        return ""
    return PurePosixPath(title).name if title.startswith("/") else title


def _outline(document: "pypdfium2.PdfDocument") -> dict[int, list[tuple[int, str]]]:
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for entry in islice(document.get_toc(max_depth=_PAGE_LEVEL), ENTRIES):
        destination = entry.get_dest()
        page = destination.get_index() if destination else None
        title = one_line(_CONTROLS.sub("", entry.get_title()))
        if page is not None and title:
            found[page].append((min(_TOP + entry.level, _PAGE_LEVEL - 1), title))
    return found


def _label(document: "pypdfium2.PdfDocument", number: int) -> str:
    """Return the label of a page in the document, such as ``iv``; else its number from 1."""
    return one_line(_CONTROLS.sub("", document.get_page_label(number) or "")) or str(number + 1)


def _page_lines(document: "pypdfium2.PdfDocument", number: int) -> list[str]:
    import pypdfium2

    try:
        with closing(document[number]) as page, closing(page.get_textpage()) as words:
            text = words.get_text_range(errors="replace")
    except pypdfium2.PdfiumError:
        return [""]
    text = _HYPHEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return [" ".join(_CONTROLS.sub(" ", line).split()) for line in text.split("\n")]


def _sections(page: Sequence[str], entries: Sequence[tuple[int, str]], label: str) -> Iterator[str]:
    """Yield the Markdown of a page. ``entries`` are the entries of the outline for this page.

    The section of an entry begins at the line that equals its title; without such a line, at the
    top of the page or where the previous entry begins.
    """
    starts: dict[int, list[tuple[int, str]]] = defaultdict(list)
    at = 0
    anchor = f"{{#page={re.sub('[{}]', '', label)}}}"
    for level, title in entries:
        at = next((n for n in range(at, len(page)) if _alike(page[n], title)), at)
        starts[at].append((level, title))
    if 0 not in starts:
        yield from (f"{'#' * _PAGE_LEVEL} Page {literal(label)}", "")
    longest = max(map(len, page))
    above = ""
    for number, line in enumerate(page):
        for level, title in starts.get(number, ()):
            yield from ("", f"{'#' * level} {literal(title)} {anchor}", "")
            above = ""
        if starts.get(number) and _alike(line, starts[number][-1][1]):
            continue
        yield from _shown(line, above, longest)
        above = line
    yield ""


def _shown(line: str, above: str, longest: int) -> Iterator[str]:
    shown = literal_block(literal(line), above)
    if not line or len(line) >= _SHORT_LINE * longest:
        yield shown
    elif _SENTENCE_END.search(line):
        yield from (shown, "")
    else:
        yield f"{shown}  "


def _alike(line: str, title: str) -> bool:
    """Return whether a line has the words of ``title``, with or without a chapter's number."""
    words, wanted = (re.sub(r"^[\d.\s]+|\W+$", "", text).casefold() for text in (line, title))
    return bool(wanted) and words == wanted
