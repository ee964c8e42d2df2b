"""Replaces inline syntax of other programs, such as Hugo, MyST, Pandoc and Logseq.

The words stay, or become usual Markdown for the preview. Regular expressions begin with fixed
characters, because Python finds these fastest.
"""

import re
from collections.abc import Callable

from notesearch.markdown.sections.code_spans import (
    LINE_END,
    blanked,
    replaced,
    replaced_outside_code,
    with_line_ends,
)
from notesearch.notes import BLOCK_ANCHOR, BLOCK_ID

_TEX = re.compile(
    r"\\\(((?:[^`$\\]|\\[^`$()\[\]]){1,500})\\\)|\\\[((?:[^`$\\]|\\[^`$\[\]]){1,1500})\\\]"
)

_GITLAB_FORMULA = re.compile(r"(?<![\w$`\\])\$`([^`$\n]{1,500})`\$(?![\w$])")
_TEX_SIGN = re.compile(r"\\[A-Za-z]{2}|\^|\b[A-Za-z]_[\w{]|\A\s.*=.*\s\Z", re.DOTALL)
"""A sign that the text in escaped brackets is a formula."""

_CITED_BY_CHATGPT = re.compile(
    r"(?<![ \t])[ \t]*+【\d+(?::\d+)?†[^【】\n]{0,300}】"
    r"|\ue200entity\ue202\[\"[^\"\n]*\",[ ]?\"(?P<words>[^\"\n]*)\"[^\ue200\ue201\n]*\ue201"
    r"|(?<![ \t])[ \t]*+\ue200(?!entity\ue202)[a-z_]+\ue202[^\ue200\ue201\n]{0,1000}\ue201"
)
"""What ChatGPT writes instead of a link to its source, or around the name of a thing."""

_INLINE_FOOTNOTE = re.compile(r"\^\[([^\[\]]+)\]")
_CONTAINER = re.compile(
    rf"(?<![^\n{LINE_END}])"
    r":{3,}[ \t]*(?:(?P<attributes>\{[^{}\n]*\})|[\w-]+\[(?P<title>[^\[\]\n]*)\]"
    r"|(?:code-group|raw|v-pre)(?=[ \t]|$)|[\w-]+[ \t]+(?=[^\s:{]))?"
    r"(?:(?<=\})(?P<below>[^\n]*)(?:\n:[\w-]+:(?!:)[^\n]*)+)?",
    re.MULTILINE,
)

_KIND = re.compile(
    r"\{(?:[ \t]*\.callout-)?(note|tip|hint|important|warning|caution|attention|danger|error)\b"
)
_TITLE = re.compile(r"\b(?:title|name)=(?:\"([^\"]*)\"|'([^']*)')")
_MAX_DEPTH = 6
"""Maximum depth of parentheses in the address of a link; CommonMark wants three or more."""


def _address_pattern() -> str:
    within = r"[^\s()]*+"
    for _ in range(1, _MAX_DEPTH):
        within = rf"[^\s()]*+(?:\({within}\)[^\s()]*+)*"
    return rf"[^\s()<>]*+(?:\({within}\)[^\s()<>]*+)*"


ADDRESS = _address_pattern()
_SPAN_ATTRIBUTES = re.compile(
    r":contentReference\[[^\[\]\n]*\]\{[^{}\n]*\}|(?:(?<!\])\[(?P<span>[^\[\]\n]*)\]"
    rf"|(?P<end>\]\((?:[^()\n]*|{ADDRESS})\)"
    r"|\]\]|`|[*_>](?!\{(?:=|[\w-]+=[^\"']))|\w(?=\{:)))"
    r"\{(?::?[ \t]*(?:[#.][A-Za-z_-]|[\w-]+=)[^{}\n]*|=[a-z][\w+-]*"
    r"|:(?:height|width)[ ]\d+(?:,[ ]:(?:height|width)[ ]\d+)?)\}"
    r"|[ \t]\{#(?:fig|tbl|eq|sec|lst)[:-][\w:.-]+(?:[ \t]+[\w-]+=[^\s{}]+)*[ \t]*\}"
)
"""The attributes of a link, of code or of ``[words]``, as Pandoc and Python-Markdown write them;
the size of a picture, as Logseq writes it; the label of a caption; and what ChatGPT cites. In
``sum_{i=1}``, the braces are an index."""

_NAMESPACED = re.compile(
    r"<ri:(?:page|attachment)\b[^<>]{0,300}?=\"(?P<name>[^\"<>]+)\"[^<>]{0,300}>(?:</ri:\w+>)?(?=</ac:link>)"
    r"|</?[a-z]{1,3}:[a-z][\w-]*(?:\s+[\w:-]+=(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>"
    r"|<!\[CDATA\[(?P<text>.{0,5000}?)\]\]>",
    re.DOTALL,
)
"""XML of Confluence and Word: a tag with a namespace (``<ac:link>``, ``<o:p>``), the page to which
a link without words leads, or text in CDATA."""

_ICON = re.compile(r":(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^{}\n]*\})?[ \t]*")
"""A picture of Material for MkDocs."""

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
    r"|import[ ](?:[A-Z{*](?:[^\n'\"]{0,200}|[^{}'\"]{0,500}\})[ ]from[ ]"
    r"|(?:\w{1,50}[ ]from[ ])?(?=['\"][\w@.-]*[./]))"
    r"(?:'[^'\s]+'|\"[^\"\s]+\");?"
    r"|(?:---|===)[ ](?:(?:start|end)-multi-column|multi-column-(?:start|end)"
    r"|(?:end|break)-column|column-(?:end|break))\b[^\n]*|(?<=\S\n)\?\??(?=[ \t]*\n\s*\S))"
    r"[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
"""Attributes of a paragraph, MyST's name for what follows or its end of a cell, a frame of Org, an
included file, a place for the table of contents, an import of Docusaurus, an end of a column, or
the ``?`` between the sides of a flash card in Obsidian, on their own lines."""

_PAGE_OR_TEMPLATE = re.compile(
    r"\]\((?:\[\[(?P<page>[^\[\]\n]+)\]\]|denote:(?P<id>[\dT]+)"
    r"|(?P<image>[^\s()<>]+)[ ]+\"?[ ]*=\d*x\d*\"?"
    r"|\{(?:\{[<%]|%)[ \t]*(?:(?:rel)?ref|link|post_url|post_link)[ \t]+(?:path=)?"
    r"\"?(?P<file>[^\s\"<>%{}]++)[^\n{}]*\}{1,2}"
    r"|\{\{[ \t]*site\.[^{}\n]*\}\}(?:\{%[ \t]*link[ \t]+)?(?P<rest>[^\s()<>{}%]*)(?:[ \t]*%\})?"
    r"|\{\{[ \t]*['\"](?P<quoted>[^'\"<>{}\n]*)['\"][^{}\n]*\}\})\)"
)

_UNUSUAL_LINK_SIGNS = ("]([[", "]({", "](denote:", " =")
_BLOCK_SIGNS = (")=", "TO", "[toc]", "import ", "+++ {", "#+", "8<-", "--- ", "=== ", "\n?")
_ROLE = re.compile(
    r"(?<![\w`{$\\])\{(?P<kind>[A-Za-z][\w:.+-]{0,40})\}(?P<ticks>``?)(?!`)"
    r"(?P<text>[^`]+)(?P=ticks)(?!`)"
)

_ROLES_OF_CODE = frozenset(
    "code command file literal program kbd samp option envvar regexp".split()
)

COMMENTS = {
    "{/*": "*/}",
    "{% comment %}": "{% endcomment %}",
    "{::comment}": "{:/comment}",
}
"""What begins and ends a comment of MDX, Jekyll and kramdown."""

_SHORTCODE_TEXT = re.compile(
    r"""(?<![\w-])(?:sub)?
    (?:title|caption|alt|label|header|heading|summary|text|description|content)\s*=\s*(?:"([^"]*+)"|'([^']*+)')|=\s*(?:"[^"]*+"|'[^']*+')|"([^"]*+)"|'([^']*+)'""",
    re.VERBOSE,
)

_CLOZE = re.compile(
    r"\{\{(?:c\d+::|cloze |(?:bilibili|tweet|twitter|video|vimeo|youtube) (?=https?:))([^{}]*+)\}\}"
)
"""A gap in a card of Anki, perhaps with a hint, or of Logseq; or a film that Logseq shows."""

_KANBAN_DATE = re.compile(r"(?<![\w@])@@?\{(\d[\d:./ -]*)\}")
"""The date ``@{2024-03-02}`` or the time ``@@{14:30}`` of a card on a board of Kanban."""

_CHANGE = re.compile(r"\{(?:(\+\+|--|==|~~)|>>)([^{}\n]*?)(?(1)\1|<<)\}")
ANCHOR_AT_END = re.compile(rf"(?:^|\s){BLOCK_ANCHOR}\s*\Z")

DISPLAY = (
    r"(?:collapsed:: (?:true|false)|heading:: (?:true|[1-6])|background-color:: [#\w-]+"
    r"|(?:query-(?:table|properties|sort-\w+)|ls-type|hl-(?:page|color|type|stamp)"
    r"|card-(?:last-(?:interval|reviewed|score)|next-schedule|repeats|ease-factor)):: [^\n]*"
    r"|logseq\.[\w.-]+:: [^\n]*)[ \t]*(?:\n|\Z)"
)
"""A property with which Logseq stores how it shows a block or a card."""

_BLOCK_MARK = re.compile(
    rf"^[ \t]*(?:(?:id:: {BLOCK_ID}|(?:custom_|u)id:: \S+)[ \t]*(?:\n|\Z)|{DISPLAY}"
    r"|:(?:LOGBOOK|PROPERTIES):[ \t]*\n"
    r"(?:[ \t]*(?:CLOCK:|[*-][ ]State[ ]|:(?i:(?:custom_)?id|heading|collapsed|background-color"
    r"|ls-type|[\w-]+(?=:[ ]+\d{13}[ \t]*\n)):[ ])[^\n]*\n){0,500}"
    r"[ \t]*:END:[ \t]*(?:\n|\Z))",
    re.MULTILINE,
)
"""The id or style of a block, or the times at which somebody worked on a task. With other
properties, such as an author, the block ``:PROPERTIES:`` stays."""

SCRIPT = re.compile(r"(?<=[\w)\]~^])([~^])([\w+−-]{1,20})\1(?!\1)")
"""A subscript ``~2~`` or superscript ``^2^`` that follows a word."""


_TEX_WORDS = re.compile(
    r"\\(?:text(?:bf|it|tt|sc|sf)|emph|underline|(?:sub){0,2}section\*?|chapter\*?)"
    r"\{([^{}\n]{1,500})\}"
)
"""Words in a font, or a heading, as LaTeX writes them."""

_KEYS = re.compile(r"(?<![\w+])\+\+([a-z0-9-]+(?:\+[a-z0-9-]+)*)\+\+(?![\w+])")
"""The keys ``++ctrl+c++`` in MkDocs."""


def with_usual_syntax(source: str) -> str:
    """Return inline Markdown with the syntax of other programs removed or made usual Markdown.

    Code stays. ``without_icons`` and ``without_marks`` do the rest.
    """
    source = replaced_outside_code(_GITLAB_FORMULA, lambda formula: f"${formula[1]}$", source)
    source = without_roles(_with_dollars(source))
    if "†" in source or "\ue202" in source:
        source = replaced_outside_code(
            _CITED_BY_CHATGPT, lambda cited: cited["words"] or "", source
        )
    if "</" in source or "/>" in source:
        source = replaced_outside_code(
            _NAMESPACED, lambda tag: tag["name"] or tag["text"] or " ", source
        )
    if "{" in source:
        source = replaced_outside_code(_CLOZE, _filled, source)
        source = replaced_outside_code(_KANBAN_DATE, lambda date: date[1], source)
        source = replaced_outside_code(_CHANGE, _marked_change, source)
        source = _without_span_attributes(source)
    return _without_shortcodes(without_attributes(with_usual_links(source)))


def without_marks(text: str) -> str:
    """Return text without the marks of containers, block ids, footnotes, keys and fonts."""
    if ":::" in text:
        text = replaced(_CONTAINER, _container_title, text)
    if "\\" in text:
        text = _TEX_WORDS.sub(r"\1", text)
    if "++" in text:
        text = _KEYS.sub(r"\1", text)
    if "^" in text:
        text = _INLINE_FOOTNOTE.sub(r" (\1)", ANCHOR_AT_END.sub("", text))
    if "^" in text or "~" in text:
        text = SCRIPT.sub(r"\2", text)
    return text


def head_end(source: str) -> int:
    """Return where the first line of a callout or container ends; 0 if it has no other line."""
    found = _CONTAINER.match(source) if source.startswith(":::") else None
    if found:
        return max(source.find("\n", found.end()), 0)
    return max(source.find("\n"), 0) if source.startswith("[!") else 0


def _with_dollars(source: str) -> str:
    r"""Return inline Markdown with ``$x$`` for ``\(x\)`` and ``$$x$$`` for ``\[x\]``."""
    if "\\(" not in source and "\\[" not in source:
        return source

    def formula(found: re.Match[str]) -> str:
        inner = found[1] or found[2]
        if not _TEX_SIGN.search(inner):
            return found[0]
        dollars = "$" if found[1] else "$$"
        return f"{dollars}{' '.join(inner.split())}{dollars}"

    return replaced_outside_code(_TEX, formula, source, escapes=False)


def with_usual_links(source: str) -> str:
    """Return inline Markdown with ``[words](<page>)`` for the links of some programs.

    Logseq writes ``[words]([[Page]])``, Hugo ``[words]({{< ref "page.md" >}})``, Jekyll
    ``[words]({{ site.baseurl }}{% link page.md %})`` or ``[words]({{ "/page" | relative_url }})``,
    and Denote ``[words](denote:20260412T103000)``. HackMD and wikis write
    ``![words](image.png =300x200)``, and Outline has quotes around the size; it is left out.
    """
    if not any(map(source.__contains__, _UNUSUAL_LINK_SIGNS)):
        return source
    return replaced_outside_code(
        _PAGE_OR_TEMPLATE, lambda link: f"](<{link[link.lastgroup or 'page']}>)", source
    )


def without_attributes(source: str) -> str:
    """Return a paragraph without lines such as ``{: .note }``, ``(name)=`` and ``[TOC]``."""
    if "{" not in source and not any(map(source.__contains__, _BLOCK_SIGNS)):
        return source
    return replaced_outside_code(_BLOCK_ATTRIBUTES, lambda _: "", source)


def without_icons(source: str) -> str:
    """Return Markdown without icons such as ``:material-anchor:{ .lg }``."""
    return replaced_outside_code(_ICON, lambda _: "", source)


def _without_span_attributes(source: str) -> str:
    """Return inline Markdown without the attributes of links, pictures, code and words."""
    if not _SPAN_ATTRIBUTES.search(source):
        return source
    shown = blanked(source)

    def bare(found: re.Match[str]) -> str:
        start, end = found.span()
        if found["end"] == "`":
            is_code = shown[start] != "\0" or "\0" in shown[start + 1 : end]
        else:
            is_code = "\0" in shown[start:end]
        return found[0] if is_code else found["span"] or found["end"] or ""

    return replaced(_SPAN_ATTRIBUTES, bare, source)


def without_roles(source: str) -> str:
    """Return inline Markdown with the text of each role of MyST, such as ``{ref}`text```."""
    if "}`" not in source or not _ROLE.search(source):
        return source
    shown = blanked(source)

    def words(role: re.Match[str]) -> str:
        return _role(role) if shown[role.start()] == "{" else role[0]

    return replaced(_ROLE, words, source)


def _role(role: re.Match[str]) -> str:
    kind = role["kind"]
    text = role["text"].strip()
    if kind in _ROLES_OF_CODE:
        return role[0][len(kind) + 2 :]
    if kind == "math":
        return f"${text}$"
    before, opened, after = text.removesuffix(">").rpartition("<")
    is_named = before.strip() and opened and text.endswith(">")
    words = (before.strip() if is_named else text).lstrip("!~")
    target = after if is_named else " ".join(text.split())
    return f"[{words}](<{target}>)" if kind == "doc" else words


def _without_shortcodes(source: str) -> str:
    """Return Markdown without ``COMMENTS``, and with only the texts of the tags of templates."""
    if not any(sign in source for sign in ("{{<", "{%", "{/*", "{{#", "{::")):
        return source
    for start, end in COMMENTS.items():
        if start in source:
            source = cut(source, start, end, shown=blanked(source))
    for start, end in (("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}"), ("{{#", "}}")):
        if start in source:
            source = cut(source, start, end, _shortcode_texts, blanked(source))
    return source


def _shortcode_texts(inner: str) -> str:
    texts = [""]
    for named, also_named, *unnamed in _SHORTCODE_TEXT.findall(inner):
        texts += filter(None, (named, also_named, *(text for text in unnamed if " " in text)))
    return " ".join([*texts, ""])


def _filled(gap: re.Match[str]) -> str:
    words, _, hint = gap[1].partition("::")
    return f"{words} ({hint})" if hint else words


def _marked_change(change: re.Match[str]) -> str:
    kind, words = change[1], change[2]
    if kind == "~~" and "~>" in words:
        old, _, new = words.partition("~>")
        return f"~~{old}~~ {new}"
    mark = {"--": "~~", "==": "=="}.get(kind, "")
    return f"{mark}{words}{mark}" if kind else f" {words}"


def _container_title(container: re.Match[str]) -> str:
    if container["title"] or (container["below"] or "").strip():
        return f"{container['title'] or container['below']} "
    attributes = container["attributes"] or ""
    kind = _KIND.match(attributes)
    title = title_in(attributes) or (kind[1].capitalize() if kind else "")
    return f"{title} " if title else ""


def title_in(attributes: str) -> str:
    """Return the value of ``title="…"`` in the attributes of a container; empty for none."""
    title = _TITLE.search(attributes)
    return (title[1] or title[2]) if title else ""


def without_block_marks(source: str) -> str:
    """Return a block without the lines of Logseq and Org for its id, style, log or properties."""
    if ":: " in source or ":END:" in source:
        return replaced(_BLOCK_MARK, lambda _: "", source)
    return source


def cut(
    text: str, start: str, end: str, instead: Callable[[str], str] | None = None, shown: str = ""
) -> str:
    """Return ``text`` without all parts from a ``start`` to the next ``end``, both included.

    ``instead`` returns the replacement for a part. ``shown`` is ``text`` with blanks for its code,
    where no part begins or ends.
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
        position = closed + len(end)
        replacement = instead(text[inside:closed]) if instead else ""
        pieces.append(with_line_ends(replacement, text[opened:position]))
    pieces.append(text[position:])
    return "".join(pieces)
