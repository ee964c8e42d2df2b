"""Inline syntax other than CommonMark's, and the code around which it is replaced.

The words of Hugo, MyST, Pandoc, Logseq and other programs stay, or become usual Markdown for the
preview. Text keeps its lines: ``LINE_END`` stands for each line end that a replacement lacks.
Regular expressions begin with fixed characters, because Python finds these fastest.
"""

import re
import string
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from notesearch.notes import BLOCK_ANCHOR, BLOCK_ID, Span

_GUARDED = re.compile(
    r"""\\([!-/:-@\[-`{-~])  # an escaped character
    |<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@`]+@[^\s<>@]+)>  # an address
    |``*""",
    re.VERBOSE,
)

_ESCAPE_OR_CODE = re.compile(r"\\([!-/:-@\[-`{-~])|``*")
GUARD_MARK = re.compile("\0(\\d+)\0")
"""The mark that ``guarded`` leaves; its number is the index of the replaced text."""

_RUN = re.compile(r"``*")

_WORD = re.compile(r"\w+")

LINE_END = "\ufdd1"
"""Stands for a line end in syntax that was removed. No normalised text has this character."""

_WORD_OVER_LINES = re.compile(rf"(?<!\S)\S*{LINE_END}\S*")


def with_line_ends(text: str, source: str) -> str:
    """Return ``text``, which replaces ``source``, with a ``LINE_END`` for each line end it lacks.

    The marks stand before ``text`` if its words begin on a later line of ``source``.
    """
    lost = _line_ends(source) - _line_ends(text)
    if lost <= 0:
        return text
    word = _WORD.search(text)
    start = source.find(word[0]) if word else 0
    before = min(_line_ends(source[: max(start, 0)]), lost)
    return f"{LINE_END * before}{text}{LINE_END * (lost - before)}"


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count(LINE_END)


def replaced(
    pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], source: str
) -> str:
    """Replace the matches of ``pattern`` in ``source``; its lines keep their numbers."""
    return pattern.sub(lambda found: with_line_ends(replacement(found), found[0]), source)


def replaced_outside_code(
    pattern: re.Pattern[str],
    replacement: Callable[[re.Match[str]], str],
    source: str,
    *,
    escapes: bool = True,
) -> str:
    """Replace the matches of ``pattern`` in ``source`` that begin and end outside of code.

    A match may end with code. If ``escapes``, escaped characters count as code.
    """
    if not pattern.search(source):
        return source
    shown = blanked(source if escapes else source.replace("\\", "/"))

    def outside(found: re.Match[str]) -> str:
        last = "" if found[0].endswith("`") else shown[found.end() - 1]
        return found[0] if "\0" in shown[found.start()] + last else replacement(found)

    return replaced(pattern, outside, source)


def without_code(source: str) -> str:
    """Return inline Markdown without its code spans and escaped characters."""
    return blanked(source).replace("\0", "")


def blanked(source: str) -> str:
    """Return ``source`` with each character of code spans and escapes replaced by a NUL."""
    if "`" not in source and "\\" not in source:
        return source
    pieces: list[str] = []
    position = 0
    for (start, end), _ in _literals(_ESCAPE_OR_CODE, source):
        pieces += source[position:start], "\0" * (end - start)
        position = end
    return "".join([*pieces, source[position:]])


def guarded(text: str, literals: list[str]) -> str:
    """Return ``text`` with a mark in place of each code span, address and escaped character.

    Their texts are added to ``literals``; the mark has the index there, between two NULs.
    """
    if "`" not in text and "\\" not in text and "<" not in text:
        return text
    pieces: list[str] = []
    position = 0
    for (start, end), literal in _literals(_GUARDED, text):
        if literal:
            pieces += text[position:start], f"\0{len(literals)}\0"
            literals.append(literal)
            position = end
    return "".join([*pieces, text[position:]])


def _literals(pattern: re.Pattern[str], text: str) -> Iterator[tuple[Span, str]]:
    """Yield the span and the text of each match and code span; an unclosed one has no text."""
    closing = _closing_runs(text)
    position = 0
    while (match := pattern.search(text, position)) is not None:
        start, position = match.span()
        literal = match[match.lastindex] if match.lastindex else ""
        if not literal and (end := closing(len(match[0]), position)) >= 0:
            literal = _code(text[position:end])
            position = end + len(match[0])
        yield (start, position), literal


def _code(source: str) -> str:
    if source.startswith((" ", "\n")) and source.endswith((" ", "\n")) and source.strip():
        return source[1:-1]
    return source


def _closing_runs(text: str) -> Callable[[int, int], int]:
    """Return a function that finds runs of backticks in ``text``.

    It takes the length of a run and a position, which must grow from call to call. It returns where
    the next run of exactly that length begins, or -1.
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


def single_spaced(text: str) -> list[str]:
    """Return the lines of ``text``, without indentation and with single spaces between words."""
    if LINE_END in text:
        text = _WORD_OVER_LINES.sub(_whole_word, text)
    return [" ".join(line.split()) for line in text.split("\n")]


def _whole_word(found: re.Match[str]) -> str:
    """Return a word with line ends in it: the whole word, with the line ends before or after it.

    The word stands on the first line that shows a part of it.
    """
    below = found[0].lstrip(LINE_END)
    word = below.replace(LINE_END, "")
    return "\n" * (len(found[0]) - len(below)) + word + "\n" * (len(below) - len(word))


_TEX = re.compile(
    r"\\\(((?:[^`$\\]|\\[^`$()\[\]]){1,500})\\\)|\\\[((?:[^`$\\]|\\[^`$\[\]]){1,1500})\\\]"
)

_GITLAB_FORMULA = re.compile(r"(?<![\w$`\\])\$`([^`$\n]{1,500})`\$(?![\w$])")
_TEX_SIGN = re.compile(r"\\[A-Za-z]{2}|\^|\b[A-Za-z]_[\w{]|\A\s.*=.*\s\Z", re.DOTALL)
"""A sign that the text in escaped brackets is a formula."""

_CITED_BY_CHATGPT = re.compile(
    r"(?<![ \t])[ \t]*+【\d+(?::\d+)?†"
    r"(?:source|embed_image|L\d+(?:-L\d+)?|(?P<name>[^【】\n]{0,300}))】"
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
    rf"|(?P<end>:{{3,}}[\w-]+\[[^\[\]\n]*\]|\]\((?:[^()\n]*|{ADDRESS})\)"
    r"|\]\]|(?<=`)|[*_>](?!\{(?:=|[\w-]+=[^\"']))|\w(?=\{:)))"
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

_TITLED_SHORTCODE = re.compile(
    r"[-\s]*(?:tab|details|expand|collapse|fold|spoiler|badge|step|blockquote)\s+[\"']?"
    r"([^\s=\"'-][^=\n]*)"
)
"""A shortcode that shows all that follows its name, up to ``_END_OF_SHORTCODE``."""

_END_OF_SHORTCODE = f"{string.whitespace}\"'-"

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


class _Syntax(NamedTuple):
    """Syntax to replace by its words; a text with it contains one of ``signs``."""

    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    words: Callable[[re.Match[str]], str]
    escapes: bool = True


def _with_dollars(formula: re.Match[str]) -> str:
    inner = formula[1] or formula[2]
    if not _TEX_SIGN.search(inner):
        return formula[0]
    dollars = "$" if formula[1] else "$$"
    return f"{dollars}{' '.join(inner.split())}{dollars}"


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


def _cited(cited: re.Match[str]) -> str:
    name = f" ({cited['name']})" if cited["name"] else cited["words"] or ""
    return f"{name} " if cited.string[cited.end() : cited.end() + 1].isalnum() else name


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


_ROLES = _Syntax(("}`",), _ROLE, _role)
_LINKS = _Syntax(
    ("]([[", "]({", "](denote:", " ="),
    _PAGE_OR_TEMPLATE,
    lambda link: f"](<{link[link.lastgroup or 'page']}>)",
)
"""Links of some programs, which become ``[words](<page>)``.

Logseq writes ``[words]([[Page]])``, Hugo ``[words]({{< ref "page.md" >}})``, Jekyll
``[words]({{ site.baseurl }}{% link page.md %})`` or ``[words]({{ "/page" | relative_url }})``, and
Denote ``[words](denote:20260412T103000)``. HackMD and wikis write ``![words](image.png =300x200)``,
and Outline has quotes around the size; it is left out.
"""

_ATTRIBUTES = _Syntax(
    ("{", ")=", "TO", "[toc]", "import ", "+++ {", "#+", "8<-", "--- ", "=== ", "\n?"),
    _BLOCK_ATTRIBUTES,
    lambda _: "",
)
_ICONS = _Syntax((":",), _ICON, lambda _: "")
_SYNTAXES = (
    _Syntax(("$`",), _GITLAB_FORMULA, lambda formula: f"${formula[1]}$"),
    _Syntax(("\\(", "\\["), _TEX, _with_dollars, escapes=False),
    _ROLES,
    _Syntax(("†", "\ue202"), _CITED_BY_CHATGPT, _cited),
    _Syntax(("</", "/>"), _NAMESPACED, lambda tag: tag["name"] or tag["text"] or " "),
    _Syntax(("{{",), _CLOZE, _filled),
    _Syntax(("@{",), _KANBAN_DATE, lambda date: date[1]),
    _Syntax(("{",), _CHANGE, _marked_change),
    _Syntax(("{",), _SPAN_ATTRIBUTES, lambda found: found["span"] or found["end"] or ""),
    _LINKS,
    _ATTRIBUTES,
)


def _replace(source: str, syntaxes: Iterable[_Syntax]) -> str:
    for syntax in syntaxes:
        if any(sign in source for sign in syntax.signs):
            source = replaced_outside_code(
                syntax.pattern, syntax.words, source, escapes=syntax.escapes
            )
    return source


def with_usual_syntax(source: str) -> str:
    """Return inline Markdown with the syntax of other programs removed or made usual Markdown.

    Code stays. ``without_icons`` and ``without_marks`` do the rest.
    """
    return _without_shortcodes(_replace(source, _SYNTAXES))


def with_usual_links(source: str) -> str:
    """Return inline Markdown with the links of some programs written as usual."""
    return _replace(source, (_ROLES, _ATTRIBUTES, _LINKS))


def without_icons(source: str) -> str:
    """Return Markdown without icons such as ``:material-anchor:{ .lg }``."""
    return _replace(source, (_ICONS,))


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
    titled = _TITLED_SHORTCODE.fullmatch(inner.rstrip(_END_OF_SHORTCODE))
    if titled:
        return f" {titled[1]} "
    texts = [""]
    for named, also_named, *unnamed in _SHORTCODE_TEXT.findall(inner):
        texts += filter(None, (named, also_named, *(text for text in unnamed if " " in text)))
    return " ".join([*texts, ""])


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
