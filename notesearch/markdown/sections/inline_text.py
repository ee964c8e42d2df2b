"""Finds the words a reader sees in inline Markdown and HTML, by regular expressions.

This takes linear time. The inline parser of markdown-it takes ten times as long, to build a tree
that search does not need. Only certain syntax is removed: a single ``*`` or ``[`` stays.
Expressions for searching begin with fixed characters, because Python finds these fastest.
"""

import re
from collections.abc import Collection, Iterable
from functools import partial
from html import unescape
from urllib.parse import unquote

from notesearch.markdown.sections.code_spans import (
    GUARD_MARK,
    LINE_END,
    guarded,
    replaced,
    replaced_outside_code,
    with_line_ends,
)
from notesearch.markdown.sections.foreign_syntax import (
    ADDRESS,
    cut,
    with_usual_syntax,
    without_icons,
    without_marks,
)
from notesearch.notes import BLOCK_REFERENCE, ELLIPSIS, REFERENCE_ID, BlockNames

_SPECIAL = re.compile(rf"[\\`*_\[\]<&~=%^{{†\ue202\0{LINE_END}]")
_FORMULA = re.compile(
    r"(?<![\w$\\])(\$\$?)(?=[^\s$])(?:\\[^\n]|[^$\n\0\\]){0,500}(?<=[^\s$])\1(?![\w$])"
)
_TEX_SCRIPT = re.compile(r"(?<=\w)\$((?:[_^](?:\{[\w+−-]{1,20}\}|\w)){1,2})\$")
"""A subscript or superscript that follows a word: ``H$_2$O``, ``10$^{-5}$``."""

_SPACES = re.compile(" +")
_WORD_OVER_LINES = re.compile(rf"(?<!\S)\S*{LINE_END}\S*")
_BROKEN = re.compile(r"[^\W\d_]-\Z")
"""The end of a line at which a word goes on, as in the text of a scanned page."""

_CONJUNCTION = re.compile(r"(?:and|or|to|und|oder|bis)\b")
"""A word that follows one whose end is left out: "pre- and postwar"."""

_WIKILINK = re.compile(r"(?:!\[\[|\[\[)([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_SIZE = re.compile(r"\|?\d+(?:x\d+)?\Z")
_FOOTNOTE = re.compile(r"\[\^[^\s\[\]]{1,200}\]:?")
_CALLOUT = re.compile(r"\A\[!([\w-]+)(?:\|[^\[\]\n]*)?\][+-]?[ \t]*(?=(\S?))")
_NAMED_BLOCK = re.compile(rf"\x03({REFERENCE_ID})\x03", re.ASCII)
"""A reference to a block in text that ``plain`` returns if it ``names_blocks``."""

_EMBED_MACRO = re.compile(r"\{\{(?:\[\[)?embed(?:\]\])?:?[ \t]++([^{}\n]*+)\}\}")
"""An embed of Logseq or Roam."""

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
_PERMALINK = re.compile(r"(?:\[\\?[#¶§🔗]\]\([^()\n]*#[^()\n]*\)|¶)\Z")
"""The sign with which web pages link a heading to itself, as clippers copy it."""

HTML_TAG = re.compile(
    r"""<(?:/([A-Za-z][A-Za-z0-9-]*)\s*
    |([A-Za-z][A-Za-z0-9-]*)
     ((?:\s++[A-Za-z_:@#][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^'<]*+'|"[^"<]*+"))?)*)
     \s*+/?)>""",
    re.VERBOSE,
)

COMPONENT = re.compile(
    r"""</?[A-Za-z][\w-]*+(?:\s++[:@#A-Za-z][\w.:-]*+(?:\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))?)+\s*+/?>"""
)
"""A tag that may have attributes such as Vue's ``@click="save"``, which HTML does not have."""

_BLOCK_TAG = re.compile(
    r"""<[/!]?(?!\w+://)([A-Za-z][\w.:-]*)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*)>"""
)

_CLOSED = re.compile(r"</([A-Za-z][\w.:-]*)")
_COMPONENT_TEXT = re.compile(
    r"""(?<![\w:-])(?:sub)?(?:title|label|caption|header|heading|description|summary)
    \s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""",
    re.VERBOSE,
)
"""The attributes whose text a component such as ``<Card title="…">`` shows."""

_RUBY = re.compile(r"<ruby\b[^<>]*>(.{1,1000}?)</ruby>", re.DOTALL | re.IGNORECASE)
_READING = re.compile(
    r"<(?:rp\b[^<>]*>[^<]*(?:</rp>)?|rt\b[^<>]*>([^<]*)(?:</rt>)?)", re.IGNORECASE
)
"""A word with its reading above it, such as ``<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>``."""

_ALT = re.compile(r"""\balt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""", re.IGNORECASE)

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_UNREADABLE = re.compile(r"<(script|style)\b[^<>]*>", re.IGNORECASE)
_INSIDE_WORDS = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr".split()
)

HTML_ELEMENTS = _INSIDE_WORDS | frozenset(
    "address applet area article aside audio base basefont blink blockquote body br button canvas"
    " caption center col colgroup dd details dialog div dl dt embed fieldset figcaption figure"
    " footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe input label"
    " legend li link main map marquee math menu meta meter nav noembed noframes noscript object ol"
    " optgroup option output p param picture plaintext pre progress rp rt script search section"
    " select slot source style summary svg table tbody td template textarea tfoot th thead title tr"
    " track ul video xmp".split()
)

_ALONE = frozenset(
    "align allowfullscreen alt async autofocus autoplay border checked class clear compact"
    " controls default defer disabled download draggable grid hidden inert ismap itemscope loop"
    " markdown multiple muted nomodule noshade novalidate nowrap open playsinline popover readonly"
    " required reversed scoped selected setup".split()
)
"""Attributes that HTML elements have without a value."""

_OFTEN_OPEN = frozenset(
    "br hr wbr p li dt dd rt rp tr td th thead tbody tfoot colgroup option optgroup a abbr b bdi"
    " bdo big del dfn em i ins kbd nobr q s samp small span strike strong sub sup tt u".split()
)
"""HTML elements that authors often leave without an end tag, and that have no attributes: elements
that need no end tag, and formats of letters."""

_EMPTY = frozenset("area base col embed img input link meta param source track".split())
"""HTML elements that have no content, and so mean nothing without attributes."""


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
    is_plain = _SPECIAL.search(source) is None and ":::" not in source and "((" not in source
    if is_plain and not source.startswith(("import ", "+++ {")):
        return _single_spaced(source)
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
        text = _without_tags(text)
    text = without_marks(text)
    if _DELIMITER.search(text):
        text = _without_emphasis(text)
    text = _characters(text)
    if literals:
        if code_space != " ":
            literals[codes] = [_SPACES.sub(code_space, one) for one in literals[codes]]
        text = GUARD_MARK.sub(lambda match: literals[int(match[1])], text)
    return _single_spaced(text)


def _single_spaced(text: str) -> list[str]:
    if LINE_END in text:
        text = _WORD_OVER_LINES.sub(_whole_word, text)
    return [" ".join(line.split()) for line in text.split("\n")]


def _whole_word(found: re.Match[str]) -> str:
    """Return a word within which lines end, on the first of them that shows something."""
    below = found[0].lstrip(LINE_END)
    word = below.replace(LINE_END, "")
    return "\n" * (len(found[0]) - len(below)) + word + "\n" * (len(below) - len(word))


def _with_formulas_guarded(text: str, literals: list[str]) -> str:
    def mark(formula: re.Match[str]) -> str:
        literals.append(formula[0])
        return f"\0{len(literals) - 1}\0"

    return replaced_outside_code(_FORMULA, mark, text, escapes=False)


def without_block_names(text: str) -> tuple[str, BlockNames]:
    """Return a text from ``plain`` with an ellipsis for each reference to a block, and these."""
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


def _without_links(text: str, references: Collection[str]) -> str:
    if "[[" in text:
        text = _WIKILINK.sub(_wikilink_text, text)
    if "[!" in text:
        text = _CALLOUT.sub(lambda match: "" if match[2] else match[1], text)
    if "[^" in text:
        text = _FOOTNOTE.sub("", text)
    return _without_brackets(text, references) if "]" in text else text


def _wikilink_text(match: re.Match[str]) -> str:
    target, alias = match[1], match[2]
    if alias and not _SIZE.match(alias):
        return alias
    return " ".join(target.replace("#", " ").replace(" ^", " ").split())


def _without_brackets(text: str, references: Collection[str]) -> str:
    pieces: list[str] = []
    opened: list[tuple[int, int]] = []
    position = 0
    caption = ""
    for match in BRACKET.finditer(text):
        pieces.append(text[position : match.start()])
        position = match.end()
        if match[0].endswith("["):
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
                    pieces[-1] = _SIZE.sub("", pieces[-1]) if "|" in pieces[-1] else pieces[-1]
                    shown = "".join(pieces[piece + 1 :])
                    caption = _caption(match[1] or "", inside, shown)
                pieces.append(with_line_ends(caption, match[0]))
                pieces[piece] = caption = ""
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
                if (both or opener[2]) and _odd_three(end - start, opener[1] - opener[0]):
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


def _odd_three(one: int, other: int) -> bool:
    return (one + other) % 3 == 0 and one % 3 != 0


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


def plain_html(source: str) -> list[str]:
    """Return the text of each line of HTML, without comments, scripts and styles."""
    text = cut(source, "<!--", "-->").replace("<!--", "")
    text = replaced(_RUBY, _word_and_reading, text)
    text = without_content(_UNREADABLE, text)
    closed = closed_tags(text)
    text = replaced(_BLOCK_TAG, partial(_block_tag_text, closed), text)
    return _single_spaced(_characters(text))


def _without_tags(text: str) -> str:
    if "<!--" in text:
        text = cut(text, "<!--", "-->").replace("<!--", "")
    text = replaced(_RUBY, _word_and_reading, text)
    tags = list(HTML_TAG.finditer(text))
    paired = {tag[1] for tag in tags} & {tag[2] for tag in tags}
    return replaced(HTML_TAG, partial(_tag_text, paired), text) if tags else text


def _word_and_reading(ruby: re.Match[str]) -> str:
    reading = "".join(_READING.findall(ruby[1]))
    return f"{_READING.sub('', ruby[1]).strip()}({reading})"


def _characters(text: str) -> str:
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda entity: unescape(entity[0]).replace("\0", ""), text)


def without_content(elements: re.Pattern[str], source: str) -> str:
    """Return HTML without ``elements`` and their content; those without an end stay.

    ``elements`` matches an opening tag, with the name in its first group.
    """
    pieces: list[str] = []
    position = at = 0
    without_end: set[str] = set()
    while (opened := elements.search(source, at)) is not None:
        at = opened.end()
        name = opened[1].lower()
        end = re.compile(f"</{re.escape(name)}", re.IGNORECASE)
        closed = None if name in without_end else end.search(source, at)
        if closed is None:
            without_end.add(name)
            continue
        lines = source.count("\n", opened.start(), closed.start())
        pieces += source[position : opened.start()], "\n" * lines
        position = at = closed.start()
    pieces.append(source[position:])
    return "".join(pieces)


def closed_tags(source: str) -> Collection[str]:
    """Return the names of the HTML tags that ``source`` closes."""
    return set(_CLOSED.findall(source))


def _block_tag_text(closed: Collection[str], match: re.Match[str]) -> str:
    name = match[1].lower()
    if name == "img":
        return alt_text(match[2])
    is_opened = match[0][1] not in "/!" and match[1] not in closed
    if is_opened and is_placeholder(match[1], match[2], is_block=True):
        return match[0]
    text = component_text(match[1], match[2], is_block=True)
    if text:
        return f" {text} "
    return "" if name in _INSIDE_WORDS else " "


def _tag_text(paired: Collection[str], match: re.Match[str]) -> str:
    """Return the text to show for an HTML tag in a line: an unknown, unpaired one stays."""
    name = (match[1] or match[2]).lower()
    if name == "img":
        return alt_text(match[3] or "")
    if (
        match[2]
        and match[2] not in paired
        and is_placeholder(match[2], match[0][len(name) + 1 : -1])
    ):
        return match[0]
    if name in _INSIDE_WORDS or match[3]:
        text = component_text(match[2], match[3]) if match[3] else ""
        return f"{text} " if text else ""
    is_component_end = match[1] and match[1][0].isupper()
    if name in HTML_ELEMENTS or is_component_end:
        return " "
    return "" if (match[1] or match[2]) in paired else match[0]


def is_placeholder(name: str, attributes: str, *, is_block: bool = False) -> bool:
    """Return whether ``<name attributes>`` without an end tag is text that looks like a tag.

    In a sentence, ``<source file>`` and ``<output>`` are text; ``<details open>`` and ``<br>`` are
    tags. The caller decides on unknown names without attributes.
    """
    words = attributes.strip()
    is_element = name.lower() in HTML_ELEMENTS
    if not words:
        return name.lower() in (_EMPTY if is_block else HTML_ELEMENTS - _OFTEN_OPEN)
    if "=" in words or "/" in words:
        return False
    if is_element:
        said = words.lower().split()
        return not is_block and all(map(str.isalpha, said)) and _ALONE.isdisjoint(said)
    if words[0] in ":@#":  # a directive of Vue belongs to a component
        return name.islower() and "-" not in name
    return not is_block or name[0].islower() or not words[0].islower()


def component_text(name: str, attributes: str, *, is_block: bool = False) -> str:
    """Return the texts that a component such as ``<TabItem label="…">`` shows.

    The title of a link in a sentence is a tooltip, as in HTML.
    """
    is_link = "href" in attributes and not is_block
    if not name[:1].isupper() or name.lower() in HTML_ELEMENTS or is_link:
        return ""
    texts = (one or other for one, other in _COMPONENT_TEXT.findall(attributes))
    return ". ".join(unescape(text) for text in texts if text.strip())


def alt_text(attributes: str) -> str:
    """Return the text that stands for a picture, in the attributes of its tag; or empty."""
    alt = _ALT.search(attributes)
    return (alt[1] or alt[2] or "") if alt else ""
