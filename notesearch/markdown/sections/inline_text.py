"""Finds the words a reader sees in inline Markdown, by regular expressions.

This takes linear time. The inline parser of markdown-it takes ten times as long, to build a tree
that search does not need. Only certain syntax is removed: a single ``*`` or ``[`` stays.
Regular expressions begin with fixed characters, because Python finds these fastest.
"""

import re
from collections.abc import Collection, Iterable
from urllib.parse import unquote

from notesearch.markdown.sections.html_text import with_characters, without_tags
from notesearch.markdown.sections.inline_syntax import (
    ADDRESS,
    GUARD_MARK,
    LINE_END,
    cut,
    guarded,
    replaced_outside_code,
    single_spaced,
    with_line_ends,
    with_usual_syntax,
    without_icons,
    without_marks,
)
from notesearch.notes import BLOCK_REFERENCE, ELLIPSIS, REFERENCE_ID, BlockNames

_SPECIAL = re.compile(rf"[\\`*_\[\]<&~=%^{{†\ue202\0{LINE_END}]")
_SIGNS = (":::", "((", "++", "--- ", "=== ", "\n?")
_FORMULA = re.compile(
    r"(?<![\w$\\])(\$\$?)(?=[^\s$])(?:\\[^\n]|[^$\n\0\\]){0,500}(?<=[^\s$])\1(?![\w$])"
)
_TEX_SCRIPT = re.compile(r"(?<=\w)\$((?:[_^](?:\{[\w+−-]{1,20}\}|\w)){1,2})\$")
"""A subscript or superscript that follows a word: ``H$_2$O``, ``10$^{-5}$``."""

_SPACES = re.compile(" +")
_BROKEN = re.compile(r"[^\W\d_]-\Z")
"""The end of a line at which a word goes on, as in the text of a scanned page."""

_CONJUNCTION = re.compile(r"(?:and|or|to|und|oder|bis)\b")
"""A word that follows one whose end is left out: "pre- and postwar"."""

_WIKILINK = re.compile(r"(?:!\[\[|\[\[)([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_SIZE = re.compile(r"\|\s*\d+(?:x\d+)?\s*\Z")
_FOOTNOTE = re.compile(r"\[\^[^\s\[\]]{1,200}\]:?")
_CALLOUT = re.compile(r"\A\[!([\w-]+)(?:\|[^\[\]\n]*)?\][+-]?[ \t]*(?=(\S?))")
_NAMED_BLOCK = re.compile(rf"\x03({REFERENCE_ID})\x03", re.ASCII)
"""A reference to a block in text that ``plain`` returns if it ``names_blocks``."""

_EMBED_MACRO = re.compile(
    r"\{\{(?:\[\[)?(?:embed|query|video|youtube|vimeo|bilibili|twitter|tweet|pdf)(?:\]\])?"
    r":?[ \t]++([^{}\n]*+)\}\}"
)
"""An embed or a query of Logseq or Roam."""

_SPACE = re.compile(r"\s")
_DELIMITER = re.compile(r"\*\**|__*|~~+|==+|\^\^+")
BRACKET = re.compile(
    rf"""!\[|\[|\](?:
        (\([ \t\n]*+(?:<[^<>\n]*+>|{ADDRESS})                                 # destination
            (?:\s++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?\s*+\))                  # its title
        |\[([^\[\]]*+)\])?""",
    re.VERBOSE,
)

_QUOTES = ('"', "'")
_IMAGE_FILE = re.compile(
    r"\(\s*(?![<\s]*(?:\w{1,20}:|//))(?:<(?:[^<>/\n]*/)*([^<>/\\\n]+)>|(?:[^\s()/]*/)*([^\s()/\\]+))"
)
"""The destination of an image that is a file; its name is without folders."""
_IMAGE_TITLE = re.compile(r"""\s(["'])([^"']+)\1\)\Z""")

_HEADING_ATTRIBUTES = re.compile(r"(?<!\])\{(?:\s*(?:[#.:]|[\w-]+=)[^{}]*|-)\}\Z")
_PERMALINK = re.compile(r"(?:\[\\?[#¶§🔗]\]\([^()\n]*#[^()\n]*\)|(?<=\S)¶)\Z")
"""The sign with which web pages link a heading to itself, as clippers copy it."""


def plain(source: str, references: Collection[str] = (), *, names_blocks: bool = False) -> str:
    """Return the visible words of a paragraph, list item or cell, on one line.

    The arguments are as for ``plain_lines``.
    """
    return joined_lines(plain_lines(source, references, names_blocks=names_blocks))


def joined_lines(lines: Iterable[str]) -> str:
    """Return the lines of a paragraph as one line."""
    above, *others = [*filter(None, lines)] or [""]
    text = above
    for line in others:
        text += line_gap(above, line) + line
        above = line
    return text


def line_gap(above: str, line: str) -> str:
    """Return what separates two lines: a space, or nothing if a hyphen breaks a word there."""
    goes_on = line[0].isalpha() and not _CONJUNCTION.match(line)
    return "" if _BROKEN.search(above) and goes_on else " "


def plain_lines(
    source: str,
    references: Collection[str] = (),
    *,
    code_space: str = " ",
    names_blocks: bool = False,
) -> list[str]:
    """Return the visible words of each line of a paragraph, list item or cell.

    ``references`` are the labels of the note's link definitions. ``code_space`` replaces each space
    in code. With ``names_blocks``, the ids of referenced blocks stay, for ``without_block_names``.
    """
    source = without_icons(source)
    is_plain = not (_SPECIAL.search(source) or any(map(source.__contains__, _SIGNS)))
    if is_plain and not source.startswith(("import ", "+++ {")):
        return single_spaced(source)
    literals: list[str] = []
    text = with_usual_syntax(source.replace("\0", "\ufffd").replace("\\\n", "\n"))
    if "$" in text and text.find("$") < text.rfind("$"):
        text = replaced_outside_code(_TEX_SCRIPT, lambda s: re.sub(r"[_^{}]", "", s[1]), text)
        text = _with_formulas_guarded(text, literals)
    formulas = len(literals)
    text = guarded(text, literals)
    codes = slice(formulas, len(literals))
    if "%%" in text:
        text = cut(text, "%%", "%%")
    if "((" in text or "{{" in text:
        block = "\x03\\1\x03" if names_blocks else ELLIPSIS
        text = _EMBED_MACRO.sub(r"\1", BLOCK_REFERENCE.sub(block, text))
    if "[" in text:
        text = _without_links(text, references)
    if "<" in text:
        text = without_tags(text)
    text = without_marks(text)
    if _DELIMITER.search(text):
        text = _without_emphasis(text)
    text = with_characters(text)
    if literals:
        if code_space != " ":
            literals[codes] = [_SPACES.sub(code_space, one) for one in literals[codes]]
        text = GUARD_MARK.sub(lambda match: literals[int(match[1])], text)
    return single_spaced(text)


def _with_formulas_guarded(text: str, literals: list[str]) -> str:
    def mark(formula: re.Match[str]) -> str:
        literals.append(formula[0])
        return f"\0{len(literals) - 1}\0"

    return replaced_outside_code(_FORMULA, mark, text, escapes=False)


def without_block_names(text: str) -> tuple[str, BlockNames]:
    """Return a text from ``plain`` with an ellipsis for each reference to a block.

    The second value has the references.
    """
    if "\x03" not in text:
        return text, ()
    *pieces, last = _NAMED_BLOCK.split(text)
    shown = ""
    names: list[tuple[int, str]] = []
    for before, name in zip(pieces[::2], pieces[1::2], strict=True):
        shown += before
        names.append((len(shown), name))
        shown += ELLIPSIS
    return shown + last, tuple(names)


def plain_heading(
    source: str, references: Collection[str] = (), *, names_blocks: bool = False
) -> str:
    """Return the visible words of a heading."""
    return plain(without_heading_attributes(source), references, names_blocks=names_blocks)


def without_heading_attributes(source: str) -> str:
    """Return a heading without ``{#custom-id}`` or a link to itself at its end."""
    if source.endswith((")", "¶")):
        return _PERMALINK.sub("", source).rstrip()
    return _HEADING_ATTRIBUTES.sub("", source).rstrip(" \t") if source.endswith("}") else source


_LETTER = re.compile(r"[^\W\u2e80-\uffff]")
"""A letter or digit of a script that is written with spaces between words."""


def _without_links(text: str, references: Collection[str]) -> str:
    if "[[" in text:
        text = _WIKILINK.sub(_wikilink_text, text.replace("]][[", "]] [["))
    if "[!" in text:
        text = _CALLOUT.sub(lambda match: "" if match[2] else match[1], text)
    if "[^" in text:
        text = _FOOTNOTE.sub("", text)
    return _without_brackets(text, references) if "]" in text else text


def _wikilink_text(match: re.Match[str]) -> str:
    alias = _SIZE.sub("", f"|{match[2] or ''}")[1:].strip()
    return alias or " ".join(match[1].replace("#", " ").replace(" ^", " ").split())


def _without_brackets(text: str, references: Collection[str]) -> str:
    pieces: list[str] = []
    opened: list[tuple[int, int]] = []
    position = 0
    end_of_link = -1
    caption = ""
    for match in BRACKET.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        if match[0].endswith("["):
            if match.start() == end_of_link and _LETTER.match(text, position):
                pieces.append(" ")  # a row of links, as clippers copy it
            opened.append((len(pieces), position))
            pieces.append(match[0])
        elif not opened:
            pieces.append(match[0])
        else:
            piece, start = opened.pop()
            inside = text[start : match.start()]
            if match[1] is not None or (
                references and reference_label(inside, match[2]) in references
            ):
                if pieces[piece] == "![":
                    pieces[-1] = _SIZE.sub("", pieces[-1]).rstrip()
                    shown = "".join(pieces[piece + 1 :])
                    caption = _caption(match[1] or "", inside, shown)
                pieces.append(with_line_ends(caption, match[0]))
                pieces[piece] = caption = ""
                end_of_link = position if match[1] else -1
            else:
                pieces.append(match[0])
    pieces.append(text[position:])
    return "".join(pieces)


def _caption(destination: str, alternative: str, shown: str) -> str:
    """Return the title of a picture; its file's name if neither title nor ``shown`` says more."""
    title = _IMAGE_TITLE.search(destination) if destination[-2:-1] in _QUOTES else None
    if title and title[2] != alternative:
        return f" {title[2]}"
    file = None if shown.strip() else _IMAGE_FILE.match(destination)
    return unquote(file[1] or file[2]) if file else ""


def reference_label(text: str, named: str | None) -> str:
    """Return the normalised label of a link ``[text][named]``; ``[text]`` has no ``named``."""
    return " ".join((named or text[:1000]).split()).lower().upper()


def _without_emphasis(text: str) -> str:
    """Return ``text`` without paired delimiters of emphasis, strike-through and highlight."""
    removed: list[tuple[int, int]] = []
    openers: dict[str, list[list[int]]] = {}
    for match in _DELIMITER.finditer(text):
        start, end = match.span()
        kind = text[start]
        opens, closes = _flanks(kind, text[start - 1 : start], text[end : end + 1])
        both = opens and closes
        if closes:
            stack = openers.get(kind)
            while stack and start < end:
                opener = stack[-1]
                length, opened = end - start, opener[1] - opener[0]
                if (both or opener[2]) and (length + opened) % 3 == 0 and length % 3:
                    break
                if kind in "=^" and opener[2] and _SPACE.search(text, opener[1], start):
                    break  # ``a==b and c==d`` is a comparison
                count = min(opener[1] - opener[0], end - start)
                removed += [(opener[1] - count, opener[1]), (start, start + count)]
                opener[1] -= count
                start += count
                if opener[0] == opener[1]:
                    stack.pop()
        if opens and start < end:
            openers.setdefault(kind, []).append([start, end, closes])
    if not removed:
        return text
    pieces: list[str] = []
    position = 0
    for start, end in sorted(removed):
        pieces.append(text[position:start])
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def _flanks(kind: str, before: str, after: str) -> tuple[bool, bool]:
    """Return whether a delimiter can open emphasis, and whether it can close it.

    This is simpler than CommonMark: only a space beside the delimiter counts; for ``_``, a letter
    or digit, too. ``before`` and ``after`` are the neighbouring characters, empty at an end.
    """
    opens = bool(after) and not after.isspace()
    closes = bool(before) and not before.isspace()
    if kind != "_" or not (opens and closes):
        return opens, closes
    return opens and not before.isalnum(), closes and not after.isalnum()
