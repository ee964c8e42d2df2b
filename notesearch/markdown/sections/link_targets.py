"""Finds link targets in Markdown and HTML: web and mail addresses, with the text of each link.

Addresses with their own content (``data:``) are left out. ``note_targets`` finds the links between
notes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from urllib.parse import unquote

from notesearch.markdown.sections.html_text import alt_text, plain_html
from notesearch.markdown.sections.inline_syntax import (
    ADDRESS,
    blanked,
    cut,
    with_usual_links,
)
from notesearch.markdown.sections.inline_text import BRACKET, plain, reference_label
from notesearch.notes import BLOCK_REFERENCE, Link, NoteTarget

_ADDRESS = re.compile(r"(?:[A-Z][A-Z0-9+.-]{1,31}:)?//[^\s/]|mailto:\S|www\.", re.IGNORECASE)
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|webp|bmp|svg|avif)$", re.IGNORECASE)
_SELF_CONTAINED = re.compile(r"(?:data|javascript|vbscript|blob):", re.IGNORECASE)
_TITLE = re.compile(r"\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\))\s*\Z")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(r"<(/?)(a|img|iframe|video|audio|source|embed)\b([^<>]*)>", re.IGNORECASE)
_TARGET = re.compile(r"""\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))""", re.IGNORECASE)

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_NOTE_LINK = re.compile(
    r"(?<!\{\{)\[\[(?P<wiki>[^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]"
    rf"|(?P<block>{BLOCK_REFERENCE.pattern})"
    r"|\{(?:\{[<%]|%-?)[ \t]*(?:(?:rel)?ref|link|post_url|post_link)[ \t]+(?:path=)?"
    r"\"?(?P<shortcode>[^\s\"<>%{}]+)"
    r"|<a\s[^<>]*?\bhref=[\"']?(?P<href>[^\s\"'<>#][^\"'<>]*)"
    r"|(?:\]\(|^ {0,3}\[(?![\^/])[^\[\]\n]{1,500}\]:(?=[ \t]*(?:<[^<>]*>|\S+)(?:[ \t]+[\"'(].*)?$))"
    rf"[ \t]*(?!https?:)(?:<(?P<angle>[^<>\n]+)>|(?=[^\s()<>])(?P<bare>{ADDRESS}))"
)
_LINK_SIGNS = "[[", "](", "((", "{{", "{%", "}`", "]:", "href="
_PLACEHOLDER = re.compile(r"\{\{|<%|\$\{")
"""What a template has in place of a note's name, such as ``{{title}}``."""

_DENDRON = re.compile(r"\s*dendron://[^/\s]+/")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")

Target = tuple[str, str]
"""An address, and the link's text as plain text."""

_Positioned = tuple[int, Target]
"""A target with the position in the source where its link's text begins."""

_MAX_TEXT = 1_000
"""A link with a text of more characters is listed without text."""

_SEARCH_RANGE = 20_000
"""Characters after a link in which the text of the next link is looked for."""


def is_address(target: str) -> bool:
    """Return whether ``target`` is a web or mail address rather than a file."""
    return _ADDRESS.match(target) is not None and _SELF_CONTAINED.match(target) is None


def is_image(target: str) -> bool:
    """Return whether ``target`` is the name of a picture."""
    return _IMAGE.search(target) is not None


def inline_targets(source: str, references: Mapping[str, str]) -> Iterator[Target]:
    """Yield the targets in inline Markdown, in order; ``references``: addresses by their labels."""
    has_address = "//" in source or "mailto:" in source or "www." in source
    found: list[_Positioned] = []
    if "]" in source and (references or has_address):
        found += _bracketed(source, references)
    if "<" in source and has_address:
        found += _in_tags(blanked(source), source)
    return (target for _, target in sorted(found))


def note_targets(lines: Iterable[str]) -> Iterator[NoteTarget]:
    """Yield the links to notes in the lines of a note, except links in code and in HTML comments.

    ``[[toc]]`` on its own line is the place for a table of contents, no link. Links between ``%%``
    count, as in Obsidian. A comment that is never closed is text.
    """
    lines = list(lines)
    last_end = max((number for number, line in enumerate(lines, 1) if "-->" in line), default=0)
    fence = ""
    is_comment = False
    for number, whole in enumerate(lines, 1):
        line = whole
        opens = not fence and number <= last_end and whole.lstrip().startswith("<!--")
        if is_comment or opens:
            _, end, line = whole.partition("-->")
            is_comment = not end
        opened = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if opened and (not fence or (opened[1].startswith(fence) and not line.strip("`~ \t"))):
            fence = "" if fence else opened[1]
        elif not fence and any(map(line.__contains__, _LINK_SIGNS)):
            # In a table, the sign before an alias is escaped: [[Note\|alias]].
            usual = with_usual_links(line)
            unescaped = usual.replace("\\|", "|")
            for link in _NOTE_LINK.finditer(cut(blanked(unescaped), "<!--", "-->")):
                named = link["wiki"] or link["block"]
                written = link["angle"] or link["bare"] or link["href"] or link["shortcode"]
                target = note_name(named or unescape(written or ""))
                leads_out = _ADDRESS if named else _SCHEME  # a name may have a colon
                is_note = not leads_out.match(target) and not _PLACEHOLDER.search(target)
                if is_note and "\0" not in target:
                    yield number, (target if named else unquote(target)).strip(), not link["wiki"]


def note_name(target: str) -> str:
    """Return the name of a note as other programs link to it.

    Windows writes backslashes; Dendron may write the vault: ``dendron://vault/name``.
    """
    return _DENDRON.sub("", target).replace("\\", "/")


def html_targets(source: str) -> Iterator[Target]:
    """Yield the targets in a block of HTML, in order."""
    return (target for _, target in _in_tags(source, source))


def _in_tags(source: str, shown: str) -> Iterator[_Positioned]:
    opened = ""
    start = 0
    for tag in _TAG.finditer(source):
        if opened and tag[2].lower() == "a":
            yield start, (opened, " ".join(filter(None, plain_html(shown[start : tag.start()]))))
            opened = ""
        target = _TARGET.search(tag[3]) if not tag[1] else None
        address = unescape(target[1] or target[2] or target[3] or "").strip() if target else ""
        if not is_address(address):
            continue
        if tag[2].lower() == "a":
            opened = address
            start = tag.end()
        else:
            yield tag.start(), (address, " ".join(unescape(alt_text(tag[3])).split()))
    if opened:
        yield start, (opened, " ".join(filter(None, plain_html(shown[start:]))))


def locate_links(targets: Iterable[Target], text: str) -> Iterator[Link]:
    """Yield a link for each of ``targets``, in order, with the span of its text in ``text``."""
    at = 0
    for address, words in targets:
        start = _find_words(words, text, at) if words else -1
        if start < 0:
            yield Link(address)
        else:
            yield Link(address, (start, start + len(words)))
            at = start


def _find_words(words: str, text: str, at: int) -> int:
    end = at + len(words) + _SEARCH_RANGE
    start = text.find(words, at, end)
    while start >= 0:
        around = text[start - 1 : start], text[start + len(words) : start + len(words) + 1]
        if not any(map(str.isalnum, around)):
            return start
        start = text.find(words, start + 1, end)
    return -1


def _bracketed(source: str, references: Mapping[str, str]) -> Iterator[_Positioned]:
    opened: list[int] = []
    for match in BRACKET.finditer(blanked(source)):
        if match[0].endswith("["):
            opened.append(match.end())
        elif opened:
            start = opened.pop()
            words = source[start : min(match.start(), start + _MAX_TEXT)]
            if match[1] is not None:
                address = _destination(source[slice(*match.span(1))])
            else:
                address = references.get(reference_label(words, match[2]), "")
            if is_address(address):
                yield start, (address, plain(words, references) if len(words) < _MAX_TEXT else "")


def _destination(source: str) -> str:
    inner = _TITLE.sub("", source[1:-1]).strip().removeprefix("<").removesuffix(">")
    return unescape(_ESCAPED.sub(r"\1", inner))
