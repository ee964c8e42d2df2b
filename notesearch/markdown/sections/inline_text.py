"""Finds the words a reader sees in inline Markdown and HTML, by regular expressions.

This takes linear time. The inline parser of markdown-it takes ten times as long, to build a tree
that search does not need. Only certain syntax is removed: a single ``*`` or ``[`` stays.
Expressions for searching begin with fixed characters, because Python finds these fastest.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import partial
from html import unescape

from notesearch.notes import (
    BLOCK_ANCHOR,
    BLOCK_ID,
    BLOCK_REFERENCE,
    ELLIPSIS,
    REFERENCE_ID,
    BlockNames,
    Span,
)

_SPECIAL = re.compile(r"[\\`*_\[\]<&~=%^{\0]")
_GUARDED = re.compile(
    r"""\\([!-/:-@\[-`{-~])  # an escaped character
    |<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@`]+@[^\s<>@]+)>  # an address
    |``*""",
    re.VERBOSE,
)
_ESCAPE_OR_CODE = re.compile(r"\\([!-/:-@\[-`{-~])()|``*")
_GUARD = re.compile("\0(\\d+)\0")
_FORMULA = re.compile(r"(?<![\w$])(\$\$?)(?=[^\s$])[^$\n\0]{0,500}(?<=[^\s$])\1(?![\w$])")
_TEX = re.compile(
    r"\\\(((?:[^`$\\]|\\[^`$()\[\]]){1,500})\\\)|\\\[((?:[^`$\\]|\\[^`$\[\]]){1,1500})\\\]"
)
_TEX_SIGN = re.compile(r"\\[A-Za-z]{2}|\^|\b[A-Za-z]_[\w{]|\A\s.*=.*\s\Z", re.DOTALL)
"""A sign that the text in escaped brackets is a formula."""

_RUN = re.compile(r"``*")
_SPACES = re.compile(" +")
_WIKILINK = re.compile(r"(?:!\[\[|\[\[)([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_SIZE = re.compile(r"\|?\d+(?:x\d+)?\Z")
_FOOTNOTE = re.compile(r"\[\^[^\s\[\]]{1,200}\]:?")
_CALLOUT = re.compile(r"\A\[!([\w-]+)(?:\|[^\[\]\n]*)?\][+-]?[ \t]*(?=(\S?))")
_INLINE_FOOTNOTE = re.compile(r"\^\[([^\[\]]+)\]")
_CONTAINER = re.compile(
    r"^:{3,}[ \t]*(?:(?P<attributes>\{[^{}\n]*\})|[\w-]+\[(?P<title>[^\[\]\n]*)\])?"
    r"(?:(?<=\})(?P<below>[^\n]*)(?:\n:[\w-]+:(?!:)[^\n]*)+)?",
    re.MULTILINE,
)
_TITLE = re.compile(r"title=(?:\"([^\"]*)\"|'([^']*)')")
_GRID_RULE = re.compile(r"\+(?:[-=:]{2,}\+)+")
_MAX_DEPTH = 6
"""Maximum depth of parentheses in the address of a link; CommonMark wants three or more."""


def _address_pattern() -> str:
    """Return the pattern of an address without spaces, in which parentheses are in pairs."""
    within = r"[^\s()]*+"
    for _ in range(1, _MAX_DEPTH):
        within = rf"[^\s()]*+(?:\({within}\)[^\s()]*+)*"
    return rf"[^\s()<>]*+(?:\({within}\)[^\s()<>]*+)*"


ADDRESS = _address_pattern()
_SPAN_ATTRIBUTES = re.compile(
    r":contentReference\[[^\[\]\n]*\]\{[^{}\n]*\}|(?:(?<!\])\[(?P<span>[^\[\]\n]*)\]"
    rf"|(?P<end>\]\((?:[^()\n]*|{ADDRESS})\)"
    r"|\]\]|[`\0]|[*_](?!\{[\w-]+=[^\"'])|\w(?=\{:)))"
    r"\{(?::?[ \t]*(?:[#.][A-Za-z_-]|[\w-]+=)[^{}\n]*|=[a-z][\w+-]*"
    r"|:(?:height|width)[ ]\d+(?:,[ ]:(?:height|width)[ ]\d+)?)\}"
    r"|[ \t]\{#(?:fig|tbl|eq|sec|lst):[\w:.-]+(?:[ \t]+[\w-]+=[^\s{}]+)*[ \t]*\}"
)
"""The attributes of a link, of code or of ``[words]``, as Pandoc and Python-Markdown write them;
the size of a picture, as Logseq writes it; the label of a caption; and what ChatGPT cites. In
``sum_{i=1}``, the braces are an index."""

_ATTRIBUTE = r"(?:[#.][A-Za-z_][\w-]*|[\w-]+=(?:\"[^\"\n]*\"|[^\s\"{}]+))"
_FILE = r"[ \t]*+;?[ \t]*+(?:[^\s\"'./]*+[./][^\s\"']*+|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+"
"""The name of an included file. Other text between scissors (``8<``) is not a name, and stays."""

_BLOCK_ATTRIBUTES = re.compile(
    rf"^[ \t]*(?:\{{(?::[ \t]*|[ \t]*(?=[#.])){_ATTRIBUTE}(?:[ \t]+{_ATTRIBUTE})*[ \t]*\}}"
    r"|\([\w-]{2,}\)=|\+{3}[ ]\{[ ]*\"[^\n]*\}|#\+(?i:(?:begin|end)_\w+"
    r"|begin_(?:src|export)[ \t]+[\w+-]{1,20})"
    r"|;?-{1,10}8<-{1,10}(?:[ \t]+(?:'[^'\n]*'|\"[^\"\n]*\")"
    rf"|\n(?:{_FILE}\n){{1,20}}?-{{1,10}}8<-{{1,10}})"
    r"|(?:TOC\n[ \t]*)?\{:toc\b[^{}\n]*\}|\[(?:TOC|toc)\]|\[\[(?:_TO(?:C|SP)_|TOC|toc)\]\]"
    r"|@\[(?:TOC|toc)\](?:\([^()\n]*\))?|\$\{toc\}|\{\{>?(?:TOC|toc)\}\}"
    r"|import[ ](?:[A-Z{*][^\n'\"]{0,200}[ ]from[ ]|(?:\w{1,50}[ ]from[ ])?(?=['\"][\w@.-]*[./]))"
    r"(?:'[^'\s]+'|\"[^\"\s]+\");?)"
    r"[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
"""Attributes of a paragraph, MyST's name for what follows or its end of a cell, a frame of Org, an
included file, a place for the table of contents, or an import of Docusaurus, on their own lines."""

_PAGE_OR_TEMPLATE = re.compile(
    r"\]\((?:\[\[(?P<page>[^\[\]\n]+)\]\]|denote:(?P<id>[\dT]+)"
    r"|(?P<image>[^\s()<>]+)[ ]+=\d*x\d*"
    r"|\{(?:\{[<%]|%)[ \t]*(?:(?:rel)?ref|link|post_url|post_link)[ \t]+"
    r"\"?(?P<file>[^\s\"<>%{}]++)[^\n{}]*\}{1,2})\)"
)
_UNUSUAL_LINK_SIGNS = ("]([[", "]({", "](denote:", " =")
_BLOCK_SIGNS = (")=", "TO", "[toc]", "import ", "+++ {", "#+", "8<-")
_ROLE = re.compile(
    r"(?<![\w`{$\\])\{(?P<kind>[A-Za-z][\w:.+-]{0,40})\}(?P<ticks>``?)(?!`)"
    r"(?P<text>[^`]+)(?P=ticks)(?!`)"
)
_ROLES_OF_CODE = frozenset(
    "code command file literal program kbd samp option envvar regexp".split()
)
_SHORTCODE_TEXT = re.compile(
    r"""(?<![\w-])(?:sub)?(?:title|caption|alt|label|header|heading|summary|text|description)
    \s*=\s*(?:"([^"]*+)"|'([^']*+)')|=\s*(?:"[^"]*+"|'[^']*+')|"([^"]*+)"|'([^']*+)'""",
    re.VERBOSE,
)
_CLOZE = re.compile(r"\{\{(?:c\d+::|cloze )([^{}]*+)\}\}")
"""A gap in a card of Anki, perhaps with a hint, or of Logseq."""

_CHANGE = re.compile(r"\{(?:(\+\+|--|==|~~)|>>)([^{}\n]*?)(?(1)\1|<<)\}")
"""A change or a remark of CriticMarkup."""

_BLOCK_ANCHOR = re.compile(rf"(?:^|[ \t]){BLOCK_ANCHOR}\s*\Z")
_NAMED_BLOCK = re.compile(rf"\x03({REFERENCE_ID})\x03", re.ASCII)
"""A reference to a block in text that ``plain`` returns if it ``names_blocks``."""

_DISPLAY = (
    r"(?:collapsed:: (?:true|false)|heading:: (?:true|[1-6])|background-color:: [#\w-]+"
    r"|(?:query-(?:table|properties|sort-\w+)|ls-type|hl-(?:page|color|type|stamp)"
    r"|card-(?:last-(?:interval|reviewed|score)|next-schedule|repeats|ease-factor)):: [^\n]*"
    r"|logseq\.[\w.-]+:: [^\n]*)[ \t]*(?:\n|\Z)"
)
_BLOCK_MARK = re.compile(
    rf"^[ \t]*(?:(?:id:: {BLOCK_ID}|(?:custom_|u)id:: \S+)[ \t]*(?:\n|\Z)|{_DISPLAY})", re.MULTILINE
)
_LOGBOOK = re.compile(
    r"^[ \t]*:LOGBOOK:[ \t]*\n(?:[ \t]*(?:CLOCK:|[*-][ ]State[ ])[^\n]*\n){0,500}"
    r"[ \t]*:END:[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
"""The times at which somebody worked on a task."""


_EMBED_MACRO = re.compile(r"\{\{(?:\[\[)?embed(?:\]\])?:?[ \t]++([^{}\n]*+)\}\}")
"""An embed of Logseq or Roam."""

SCRIPT = re.compile(r"(?<=[\w)\]~^])([~^])([\w+−-]{1,20})\1(?!\1)")
"""A subscript ``~2~`` or superscript ``^2^`` that follows a word."""

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
_IMAGE_TITLE = re.compile(r"""\s(["'])([^"']+)\1\)\Z""")
_ATTRIBUTES = re.compile(r"\{(?::|[ \t]*[#.])[^{}\n]*\}")
_HEADING_ATTRIBUTES = re.compile(r"\{\s*(?:[#.:]|-\}|[\w-]+=)")
_HASHTAG = re.compile(
    r"#(?:(?<![^\s>]#)|(?<=(?<!\S)[(（]#))(?:\[\[([^\[\]|\n]{1,200})\]\]"
    r"|([^\W\d_][\w/-]{0,40}(?: [\w/-]{1,40}){0,3} [\w/-]{0,40}\w\w)#(?![^\s.,;:!?)])"  # Bear
    r"|([^\s\x00-,.:-@\[-^`{-\x7f]{1,200}))"
)
_PROPERTY_LINE = re.compile(
    rf"^[ \t]*(?!{_DISPLAY})[*_]{{0,3}}([^\W\d][\w./-]*+(?: [\w./-]++){{0,2}})\**::[ \t]+(\S.*)$",
    re.MULTILINE,
)
_PROPERTY_WITHIN = re.compile(
    r"\[([^\W\d][\w ./-]{0,60})::[ \t]+((?:[^\[\]\n]|\[\[[^\[\]\n]*\]\])+)\]"
    r"|\(([^\W\d][\w ./-]{0,60})::[ \t]+([^()\n]+)\)"
)
_TAG_PROPERTY = re.compile(r"^[ \t]*tags?::[ \t]+(.+)$", re.MULTILINE | re.IGNORECASE)
_LISTED_TAG = re.compile(r"\[\[([^\[\]\n]+)\]\]|([^,#\[\]\n]+)")
_TAG_JOINERS = "\u200c\u200d·・"
"""Characters that join letters or emoji, and the dots within Catalan and Japanese words."""

_BOX = re.compile(r"\[([^\[\]\n])\]\s+")
_LINE_BOX = re.compile(r"^[ \t]*\[([ xX])\][ \t]+(?=\S)", re.MULTILINE)
"""A box at the start of a line that is no list item."""

_HEADING_BOX = re.compile(r"\[[ xX/-]\][ \t]+\S")
_ROAM_TASK = re.compile(r"\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\}\s+")
_LOGSEQ_TASK = re.compile(
    r"(?:(TODO|LATER|WAITING|WAIT)|(DOING|NOW|IN-PROGRESS|STARTED)|(DONE)|(CANCELL?ED))(?!\S)"
)
_DRAWN_TASK = re.compile(
    "(?:([☐🔲⬜◻])|([☑✅✔🗹])|([☒❌✗✘🗷]))[\ufe0e\ufe0f]?[ \t]*(?=[^\\s☐🔲⬜◻☑✅✔🗹☒❌✗✘🗷])"
)
_DRAWN_STATES = ("", "open", "done", "cancelled")
_LOGSEQ_STATES = ("", "open", "started", "done", "cancelled")

_TAG = re.compile(
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

_BLOCK_TAG = re.compile(r"""<[/!]?([A-Za-z][\w.:-]*)((?:[^<>"']|"[^"<]*+"|'[^'<]*+')*)>""")
_CLOSED = re.compile(r"</([A-Za-z][\w.:-]*)")
_COMPONENT_TEXT = re.compile(r"""(?<![\w:-])label\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""")
"""The label of a component; a title is a tooltip, as in HTML."""

_ALT = re.compile(r"""\balt=(?:"([^"<>]*)"|'([^'<>]*)')""")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_UNREADABLE = re.compile(r"<(script|style)\b[^<>]*>", re.IGNORECASE)

_INSIDE_WORDS = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr".split()
)
_HTML_ELEMENTS = frozenset(
    "address area article aside audio blockquote body br button canvas caption center col colgroup"
    " dd details dialog div dl dt embed figcaption figure footer form h1 h2 h3 h4 h5 h6 head header"
    " hr html iframe input label legend li link main map meta nav noscript object ol optgroup"
    " option p param picture pre progress script section select source style summary svg table"
    " tbody td template textarea tfoot th thead tr track ul video".split()
)
_ALONE = frozenset(
    "align allowfullscreen alt async autofocus autoplay border checked class clear compact"
    " controls default defer disabled download draggable grid hidden inert ismap itemscope loop"
    " markdown multiple muted nomodule noshade novalidate nowrap open playsinline popover readonly"
    " required reversed scoped selected setup".split()
)
"""Attributes that HTML elements have without a value."""


def plain(
    source: str,
    references: Collection[str] = (),
    code_space: str = " ",
    *,
    names_blocks: bool = False,
) -> str:
    """Return the visible words of a paragraph, list item or cell, on one line.

    Args:
        source: Inline Markdown.
        references: Normalised labels of the note's link reference definitions.
        code_space: Replaces each space in inline code.
        names_blocks: Whether to keep the ids of referenced blocks, for ``without_block_names``;
            otherwise an ellipsis stands for each block.
    """
    is_plain = _SPECIAL.search(source) is None and ":::" not in source and "((" not in source
    if is_plain and not source.startswith(("import ", "+++ {")):
        return " ".join(source.split())
    if "}`" in source or "\\(" in source or "\\[" in source:
        source = with_dollars(without_roles(source))
    literals: list[str] = []
    text = _guard(source.replace("\0", "\ufffd").replace("\\\n", "\n"), literals)
    codes = len(literals)
    if "$" in text and text.find("$") < text.rfind("$"):
        text = _FORMULA.sub(partial(_guarded_formula, literals=literals), text)
    if "%%" in text:
        text = _cut(text, "%%", "%%")
    if "((" in text or "{{" in text:
        block = "\x03\\1\x03" if names_blocks else ELLIPSIS
        text = _EMBED_MACRO.sub(r"\1", BLOCK_REFERENCE.sub(block, text))
    text = _without_foreign_marks(text)
    if "[" in text:
        text = _without_links(text, references)
    if "<" in text:
        text = _without_tags(text)
    text = _without_marks(text)
    if _DELIMITER.search(text):
        text = _without_emphasis(text)
    text = _characters(text)
    if literals:
        if code_space != " ":
            literals[:codes] = [_SPACES.sub(code_space, one) for one in literals[:codes]]
        text = _GUARD.sub(lambda match: literals[int(match[1])], text)
    return " ".join(text.split())


def _guarded_formula(formula: re.Match[str], literals: list[str]) -> str:
    literals.append(formula[0])
    return f"\0{len(literals) - 1}\0"


def without_block_names(text: str) -> tuple[str, BlockNames]:
    """Return a text from ``plain`` with an ellipsis for each block, and where the blocks are."""
    if "\x03" not in text:
        return text, ()
    *pieces, last = _NAMED_BLOCK.split(text)
    shown, names = "", []
    for before, name in zip(pieces[::2], pieces[1::2], strict=True):
        shown += before
        names.append((len(shown), name))
        shown += ELLIPSIS
    return shown + last, tuple(names)


def _without_foreign_marks(text: str) -> str:
    """Return text without the change marks, attributes and shortcodes of other programs."""
    has_braces = "{" in text
    if has_braces:
        text = _CHANGE.sub(_changed, _CLOZE.sub(_filled, text))
        text = _SPAN_ATTRIBUTES.sub(lambda found: found["span"] or found["end"] or "", text)
    text = without_attributes(text)
    if "](" in text:
        text = with_usual_links(text)
    return without_shortcodes(text) if has_braces else text


def _without_marks(text: str) -> str:
    """Return text without the marks of containers, rules, block ids, footnotes, ``~`` and ``^``."""
    if ":::" in text:
        text = _CONTAINER.sub(_container_title, text)
    if "+=" in text or "+-" in text:
        text = _GRID_RULE.sub(" ", text)
    if "^" in text:
        text = _INLINE_FOOTNOTE.sub(r" (\1)", _BLOCK_ANCHOR.sub("", text))
    if "^" in text or "~" in text:
        text = SCRIPT.sub(r"\2", text)
    return text


def with_dollars(source: str) -> str:
    r"""Return inline Markdown with ``$x$`` and ``$$x$$`` for TeX's ``\(x\)`` and ``\[x\]``.

    AI assistants write formulas like this. In Markdown these are escaped brackets, and they stay so
    around text that is not a formula.
    """
    if "\\(" not in source and "\\[" not in source:
        return source
    shown = blanked(source.replace("\\", "/"))  # escapes are not code

    def formula(found: re.Match[str]) -> str:
        inner = found[1] or found[2]
        if "\0" in shown[slice(*found.span())] or not _TEX_SIGN.search(inner):
            return found[0]
        dollars = "$" if found[1] else "$$"
        return f"{dollars}{' '.join(inner.split())}{dollars}"

    return _TEX.sub(formula, source)


def with_usual_links(source: str) -> str:
    """Return inline Markdown with ``[words](<page>)`` for the links of some programs.

    Logseq writes ``[words]([[Page]])``, Hugo ``[words]({{< ref "page.md" >}})``, Jekyll
    ``[words]({% link page.md %})`` and Denote ``[words](denote:20260412T103000)``. HackMD and wikis
    write ``![words](image.png =300x200)``; the size is left out.
    """
    if not any(map(source.__contains__, _UNUSUAL_LINK_SIGNS)):
        return source
    return _outside_code(
        _PAGE_OR_TEMPLATE, lambda link: f"](<{link[link.lastgroup or 'page']}>)", source
    )


def without_attributes(source: str) -> str:
    """Return a paragraph without lines such as ``{: .note }``, ``{.is-info}`` and ``(name)=``.

    ``[TOC]`` and similar placeholders for a list of headings are also left out.
    """
    if "{" not in source and not any(map(source.__contains__, _BLOCK_SIGNS)):
        return source
    return _outside_code(_BLOCK_ATTRIBUTES, lambda _: "", source)


def without_span_attributes(source: str) -> str:
    """Return inline Markdown without the attributes of links, pictures, code and words."""
    if "{" not in source:
        return source
    shown = blanked(source)

    def bare(found: re.Match[str]) -> str:
        start, end = found.span()
        if found["end"] == "`":
            is_code = shown[start] != "\0" or "\0" in shown[start + 1 : end]
        else:
            is_code = "\0" in shown[start:end]
        return found[0] if is_code else found["span"] or found["end"] or ""

    return _SPAN_ATTRIBUTES.sub(bare, source)


def without_roles(source: str) -> str:
    """Return inline Markdown with the text of each role of MyST, such as ``{ref}`text <label>` ``.

    ``{doc}`` becomes a link and ``{math}`` a formula. A role whose text is code stays code.
    """
    if "}`" not in source or not _ROLE.search(source):
        return source
    shown = blanked(source)
    return _ROLE.sub(lambda role: _role(role) if shown[role.start()] == "{" else role[0], source)


def _role(role: re.Match[str]) -> str:
    kind, text = role["kind"], role["text"].strip()
    if kind in _ROLES_OF_CODE:
        return role[0][len(kind) + 2 :]
    if kind == "math":
        return f"${text}$"
    before, opened, after = text.removesuffix(">").rpartition("<")
    is_named = before.strip() and opened and text.endswith(">")
    words, target = (before.strip(), after) if is_named else (text, text)
    words = words.lstrip("!~")
    return f"[{words}](<{target}>)" if kind == "doc" else words


def without_shortcodes(source: str) -> str:
    """Return Markdown without the shortcodes of Hugo and the tags of Jekyll outside code.

    The text between two of them stays, and so do titles and other texts that they show.
    """
    if "{{<" not in source and "{%" not in source:
        return source
    for start, end in (("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}")):
        if start in source:
            source = _cut(source, start, end, _shortcode_texts, blanked(source))
    return source


def _shortcode_texts(inner: str) -> str:
    """Return a space and the texts that a shortcode shows."""
    texts = [""]
    for named, also_named, *unnamed in _SHORTCODE_TEXT.findall(inner):
        texts += filter(None, (named, also_named, *(text for text in unnamed if " " in text)))
    return " ".join([*texts, ""])


def _outside_code(
    pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], source: str
) -> str:
    """Replace the matches of ``pattern`` in ``source`` that have no code and no escape in them."""
    shown = blanked(source)
    return pattern.sub(
        lambda found: found[0] if "\0" in shown[slice(*found.span())] else replacement(found),
        source,
    )


def with_usual_changes(source: str) -> str:
    """Return inline Markdown with common marks for CriticMarkup's changes, and gaps filled in."""
    if "{" not in source:
        return source
    source = _outside_code(_CLOZE, _filled, source)
    return _outside_code(_CHANGE, _marked_change, source)


def _filled(gap: re.Match[str]) -> str:
    """Return the words of a cloze gap, and its hint in parentheses."""
    words, _, hint = gap[1].partition("::")
    return f"{words} ({hint})" if hint else words


def _marked_change(change: re.Match[str]) -> str:
    kind, words = change[1], change[2]
    if kind == "~~" and "~>" in words:
        old, _, new = words.partition("~>")
        return f"~~{old}~~ {new}"
    mark = {"--": "~~", "==": "=="}.get(kind, "")
    return f"{mark}{words}{mark}" if kind else f" {words}"


def _changed(change: re.Match[str]) -> str:
    """Return the words of a change or comment in CriticMarkup: deleted words, then added ones."""
    words = change[2].replace("~>", " ") if change[1] == "~~" else change[2]
    return words if change[1] else f" {words}"


def _container_title(container: re.Match[str]) -> str:
    """Return the title of a container, after its kind (Docusaurus) or in its attributes (Quarto).

    A space follows the title; empty without a title.
    """
    if container["title"] or (container["below"] or "").strip():
        return f"{container['title'] or container['below']} "
    title = title_in(container["attributes"] or "")
    return f"{title} " if title else ""


def title_in(attributes: str) -> str:
    """Return the value of ``title="…"`` in the attributes of a container; empty for none."""
    title = _TITLE.search(attributes)
    return (title[1] or title[2]) if title else ""


def plain_heading(
    source: str, references: Collection[str] = (), *, names_blocks: bool = False
) -> str:
    """Return the visible words of a heading, without ``{#custom-id}`` and the like at its end.

    The arguments are those of ``plain``.
    """
    if source.endswith("}"):
        start = source.rfind("{")
        if _HEADING_ATTRIBUTES.match(source, start):
            source = source[:start]
    return plain(source, references, names_blocks=names_blocks)


def inline_tags(source: str) -> Iterator[str]:
    """Yield the names of ``#tags`` in inline Markdown, and of the tags in Logseq's ``tags::``.

    A ``#name`` in code, in attributes such as ``{ .class #name }`` or in HTML is not a tag.
    """
    if "`" in source or "\\" in source:
        source = _guard(source, [])
    if "<" in source:
        source = _TAG.sub(">", source)  # keeps the ends of HTML tags
    if "{" in source:
        source = _ATTRIBUTES.sub("", source)
    yield from (tag for _, tag in hashtags(source))
    if "::" in source:
        for listed in _TAG_PROPERTY.findall(source):
            yield from listed_tags(listed)


def hashtags(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the span and the name of each tag in ``text``.

    A tag is ``#tag``, ``#[[tag of several words]]``, or ``#tag of several words#`` as in Bear,
    after a space or in parentheses. As in Obsidian, a name has letters of any script with their
    accents, digits, emoji, ``_``, ``-`` and ``/``; a name of digits only is not a tag.
    """
    for match in _HASHTAG.finditer(text):
        name = match[1] or match[2] or _tag_name(match[3])
        tag = unicodedata.normalize("NFC", name).strip("/ ")
        if any(map(_says_something, tag)) and not tag.replace("/", "").isdigit():
            end = match.start(3) + len(name) if match[3] else match.end()
            yield (match.start(), end), tag


def listed_tags(source: str) -> Iterator[str]:
    """Yield the names of the tags in a list such as ``one, [[two words]], #three``."""
    for linked, word in _LISTED_TAG.findall(source):
        tag = (linked or word).strip("/ \t")
        if tag:
            yield tag


def inline_properties(source: str) -> Iterator[tuple[str, str]]:
    """Yield names and values of properties in inline Markdown.

    Logseq and Dataview write ``name:: value`` on a line of its own. Dataview also writes
    ``[name:: value]`` and ``(name:: value)`` within a line. On a line of its own, a name has three
    words at most, so that a sentence with two colons is not a property.
    """
    source = without_code(source)
    for line in _PROPERTY_LINE.finditer(source):
        yield line[1].rstrip("_"), line[2].strip()
    for found in _PROPERTY_WITHIN.finditer(source):
        yield (found[1] or found[3]).strip(), (found[2] or found[4]).strip()


def _tag_name(word: str) -> str:
    """Return the beginning of ``word`` that can be a tag's name."""
    if word.isascii():
        return word
    for at, character in enumerate(word):
        if character > "\x7f" and character not in _TAG_JOINERS:
            kind = unicodedata.category(character)
            if kind[0] not in "LMN" and kind not in {"So", "Sk", "Pc"}:
                return word[:at].rstrip(_TAG_JOINERS)
    return word.rstrip(_TAG_JOINERS)


def _says_something(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) == "So"


def without_block_marks(source: str) -> str:
    """Return the source of a block without lines that give its id, its style or its log of times.

    Logseq writes such lines; Org gives ids to headings with them.
    """
    if ":: " in source:
        source = _BLOCK_MARK.sub("", source)
    return _LOGBOOK.sub("", source) if ":LOGBOOK:" in source else source


def task_state(source: str) -> tuple[str, int] | None:
    """Return the state of a task, and the position in ``source`` at which its text begins.

    The states are ``open``, ``started``, ``done`` and ``cancelled``. Returns None if the list item
    ``source`` is not a task. In a box, only ``x`` means done; Roam writes ``{{[[TODO]]}}`` for a
    box. A keyword of Logseq such as ``TODO`` and a sign such as ☐ belong to the text, so the
    position is 0.
    """
    box = _BOX.match(source)
    if box:
        states = {"x": "done", "-": "cancelled", "/": "started"}
        return states.get(box[1].lower(), "open"), box.end()
    roam = _ROAM_TASK.match(source)
    if roam:
        return "open" if roam[1] == "TODO" else "done", roam.end()
    if source[:1] > "\x7f":
        drawn = _DRAWN_TASK.match(source)
        return (_DRAWN_STATES[drawn.lastindex or 0], 0) if drawn else None
    keyword = _LOGSEQ_TASK.match(source)
    return (_LOGSEQ_STATES[keyword.lastindex or 0], 0) if keyword else None


def heading_task(source: str) -> tuple[str, int] | None:
    """Return the same as ``task_state`` for a heading that begins with a box; None for others.

    Fewer signs count as a box than in a list: ``[1]`` and ``[A]`` are usually the number of a
    heading.
    """
    return task_state(source) if _HEADING_BOX.match(source) else None


def drawn_tasks(source: str) -> set[str]:
    """Return the states of the tasks in a paragraph: lines that begin with a box: ``[ ]``, ☐."""
    boxes = _LINE_BOX.findall(source) if "]" in source else []
    states = {"open" if box == " " else "done" for box in boxes}
    if not source.isascii() and _DRAWN_TASK.search(source):
        lines = (line for line in map(str.lstrip, source.split("\n")) if line[:1] > "\x7f")
        states |= {state for state, _ in filter(None, map(task_state, lines))}
    return states


def without_code(source: str) -> str:
    """Return inline Markdown without its code spans and escaped characters."""
    if "`" not in source and "\\" not in source:
        return source
    return _GUARD.sub("", _guard(source.replace("\0", "\ufffd"), [], _ESCAPE_OR_CODE))


def blanked(source: str) -> str:
    """Return ``source`` with each character of code spans and escapes replaced by a NUL."""
    if "`" not in source and "\\" not in source:
        return source
    closing = _closing_runs(source)
    pieces: list[str] = []
    position = 0
    while (match := _ESCAPE_OR_CODE.search(source, position)) is not None:
        pieces.append(source[position : match.start()])
        end = match.end()
        if not match[1]:
            found = closing(len(match[0]), end)
            end = found + len(match[0]) if found >= 0 else end
        pieces.append("\0" * (end - match.start()))
        position = end
    pieces.append(source[position:])
    return "".join(pieces)


def _guard(text: str, literals: list[str], guarded: re.Pattern[str] = _GUARDED) -> str:
    """Return ``text`` with a numbered mark in place of each code span, address and escape.

    The replaced texts are appended to ``literals``; a mark has the index of its text there.
    """
    if "`" not in text and "\\" not in text and "<" not in text:
        return text
    if guarded is _GUARDED and "\\" not in text and "<" not in text and "``" not in text:
        return _guard_simple(text, literals)
    closing = _closing_runs(text)
    pieces: list[str] = []
    position = 0
    while (match := guarded.search(text, position)) is not None:
        pieces.append(text[position : match.start()])
        position = match.end()
        literal = match[1] or match[2]
        if not literal:
            end = closing(len(match[0]), position)
            if end < 0:
                pieces.append(match[0])
                continue
            literal = _code(text[position:end])
            position = end + len(match[0])
        pieces.append(f"\0{len(literals)}\0")
        literals.append(literal)
    pieces.append(text[position:])
    return "".join(pieces)


def _guard_simple(text: str, literals: list[str]) -> str:
    """Replace code spans as ``_guard`` does, in a text where each has one backtick at each end."""
    parts = text.split("`")
    lone = "`" + parts.pop() if len(parts) % 2 == 0 else ""
    for at in range(1, len(parts), 2):
        literal, parts[at] = _code(parts[at]), f"\0{len(literals)}\0"
        literals.append(literal)
    return "".join(parts) + lone


def _code(source: str) -> str:
    """Return the text that is shown for the source between the backticks of a code span."""
    shown = source.replace("\n", " ")
    if shown.startswith(" ") and shown.endswith(" ") and shown.strip():
        return shown[1:-1]
    return shown


def _closing_runs(text: str) -> Callable[[int, int], int]:
    """Return a function of (n, position) that returns where the next run of n backticks is, or -1.

    The position must not decrease from call to call.
    """
    starts: dict[int, list[int]] = {}
    for run in _RUN.finditer(text):
        starts.setdefault(run.end() - run.start(), []).append(run.start())
    for runs in starts.values():
        runs.reverse()

    def closing(length: int, position: int) -> int:
        runs = starts.get(length, [])
        while runs and runs[-1] < position:
            runs.pop()
        return runs[-1] if runs else -1

    return closing


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
    """Reduce links and images to their text; keep all other brackets."""
    pieces: list[str] = []
    opened: list[tuple[int, int]] = []
    position = 0
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
                    pieces.append(_caption(match[1] or "", inside))
                pieces[piece] = ""
            else:
                pieces.append(match[0])
    pieces.append(text[position:])
    return "".join(pieces)


def _caption(destination: str, alternative: str) -> str:
    """Return a space and an image's title; empty if there is none or it equals ``alternative``."""
    title = _IMAGE_TITLE.search(destination) if destination[-2:-1] in _QUOTES else None
    return f" {title[2]}" if title and title[2] != alternative else ""


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
    """Return whether CommonMark's rule of three forbids pairing ``one`` and ``other`` asterisks."""
    return (one + other) % 3 == 0 and one % 3 != 0


def _flanks(kind: str, before: str, after: str) -> tuple[bool, bool]:
    """Return whether a delimiter can open emphasis, and whether it can close it.

    ``kind`` is its character; ``before`` and ``after`` are the characters beside it, or empty.
    """
    opens = bool(after) and not after.isspace()
    closes = bool(before) and not before.isspace()
    if kind != "_" or not (opens and closes):
        return opens, closes
    return opens and not before.isalnum(), closes and not after.isalnum()


def plain_html(source: str) -> str:
    """Return the text of an HTML block, line by line, without comments, scripts and styles."""
    text = _cut(source, "<!--", "-->").replace("<!--", "")
    text = _without_unreadable(text)
    text = _BLOCK_TAG.sub(partial(_block_tag_text, closed_tags(text)), text)
    lines = (" ".join(line.split()) for line in _characters(text).split("\n"))
    return "\n".join(line for line in lines if line)


def _without_tags(text: str) -> str:
    """Return a line of Markdown without its HTML tags and comments."""
    if "<!--" in text:
        text = _cut(text, "<!--", "-->").replace("<!--", "")
    tags = list(_TAG.finditer(text))
    paired = {tag[1] for tag in tags} & {tag[2] for tag in tags}
    return _TAG.sub(partial(_tag_text, paired), text) if tags else text


def _characters(text: str) -> str:
    """Return ``text`` with characters in place of HTML entities."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _cut(
    text: str,
    start: str,
    end: str,
    instead: Callable[[str], str] | None = None,
    shown: str = "",
) -> str:
    """Return ``text`` without all parts from a ``start`` to the next ``end``, both included.

    ``instead`` returns a replacement for the text inside a part. If ``shown`` is given, which is
    ``text`` with its code blanked out, it is searched for ``start`` and ``end`` instead.
    """
    pieces: list[str] = []
    position = 0
    shown = shown or text
    while (opened := shown.find(start, position)) >= 0:
        inside = opened + len(start)
        closed = shown.find(end, inside)
        if closed < 0:
            break
        pieces.append(text[position:opened])
        if instead:
            pieces.append(instead(text[inside:closed]))
        position = closed + len(end)
    pieces.append(text[position:])
    return "".join(pieces)


def _character(entity: re.Match[str]) -> str:
    return unescape(entity[0]).replace("\0", "")


def _without_unreadable(text: str) -> str:
    """Return HTML without the content of scripts and style sheets."""
    pieces: list[str] = []
    position = 0
    lowered = text.lower()
    while (match := _UNREADABLE.search(text, position)) is not None:
        closed = lowered.find(f"</{match[1].lower()}", match.end())
        if closed < 0:
            break
        pieces.append(text[position : match.start()])
        position = closed
    pieces.append(text[position:])
    return "".join(pieces)


def closed_tags(source: str) -> Collection[str]:
    """Return the names of the HTML tags that ``source`` closes."""
    return set(_CLOSED.findall(source))


def _block_tag_text(closed: Collection[str], match: re.Match[str]) -> str:
    name = match[1].lower()
    if name == "img":
        return _alt_text(match[2])
    is_opened = match[0][1] not in "/!" and match[1] not in closed
    if is_opened and is_placeholder(match[1], match[2], is_block=True):
        return match[0]
    text = component_text(match[1], match[2])
    return f" {text} " if text else "" if name in _INSIDE_WORDS else " "


def _tag_text(paired: Collection[str], match: re.Match[str]) -> str:
    """Return the text to show for an HTML tag in a line.

    An unknown tag without attributes stays unless it is ``paired``, that is opened and closed:
    ``List<String>`` is rarely meant as HTML.
    """
    name = (match[1] or match[2]).lower()
    if name == "img":
        return _alt_text(match[3] or "")
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
    if name in _HTML_ELEMENTS or is_component_end:
        return " "
    return "" if (match[1] or match[2]) in paired else match[0]


def is_placeholder(name: str, attributes: str, *, is_block: bool = False) -> bool:
    """Return whether ``<name attributes>`` is text, such as ``<Media omitted>``, not a tag.

    Alone in a block, ``<Tabs sticky>`` is more likely a component that another block closes.
    """
    words = attributes.strip()
    if not words or "=" in words or "/" in words:
        return False
    if name.lower() in _HTML_ELEMENTS:  # <source file> is text, <details open> a tag
        said = words.lower().split()
        return not is_block and all(map(str.isalpha, said)) and _ALONE.isdisjoint(said)
    if words[0] in ":@#":  # a directive of Vue belongs to a component
        return name.islower() and "-" not in name
    return not is_block or name[0].islower() or not words[0].islower()


def component_text(name: str, attributes: str) -> str:
    """Return the label that a component such as ``<TabItem label="…">`` shows."""
    if not name[:1].isupper() or name.lower() in _HTML_ELEMENTS | _INSIDE_WORDS:
        return ""
    text = _COMPONENT_TEXT.search(attributes)
    return unescape(text[1] or text[2] or "") if text else ""


def _alt_text(attributes: str) -> str:
    alt = _ALT.search(attributes)
    return (alt[1] or alt[2] or "") if alt else ""
