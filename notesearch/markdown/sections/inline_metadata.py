"""Finds tags, properties, tasks, links and pictures in inline Markdown."""

import re
import unicodedata
from collections.abc import Collection, Iterator

from notesearch.markdown.sections.html_text import HTML_TAG
from notesearch.markdown.sections.inline_syntax import DISPLAY, guarded, without_code
from notesearch.markdown.sections.link_targets import is_image
from notesearch.notes import Feature, Span

_ATTRIBUTES = re.compile(r"\{(?::|[ \t]*[#.])[^{}\n]*\}")
_HASHTAG = re.compile(
    r"#(?:(?<![^\s>]#)|(?<=(?<!\S)[(（]#))(?:\[\[([^\[\]|\n]{1,200})\]\]"
    r"|([^\W\d_][\w/-]{0,40}(?: [\w/-]{1,40}){0,3} [\w/-]{0,40}\w\w)#(?![^\s.,;:!?)])"  # Bear
    r"|([^\s\x00-,.:-@\[-^`{-\x7f]{1,200}))"
)

_PROPERTY_LINE = re.compile(
    rf"^[ \t]*(?!{DISPLAY})[*_]{{0,3}}([^\W\d][\w./-]*+(?: [\w./-]++){{0,2}})\**::[ \t]+(\S.*)$",
    re.MULTILINE,
)

_PROPERTY_WITHIN = re.compile(
    r"\[([^\W\d][\w ./-]{0,60})::[ \t]+((?:[^\[\]\n]|\[\[[^\[\]\n]*\]\])+)\]"
    r"|\(([^\W\d][\w ./-]{0,60})::[ \t]+([^()\n]+)\)"
)

_TAG_PROPERTY = re.compile(r"^[ \t]*tags?::[ \t]+(.+)$", re.MULTILINE | re.IGNORECASE)
_HACKMD_TAGS = re.compile(r"tags:[ \t]*((?:`[^`\n]+`[ \t,]*)+)")
_LISTED_TAG = re.compile(r"\[\[([^\[\]\n]+)\]\]|([^,#\[\]\n]+)")
_TAG_JOINERS = "\u200c\u200d·・"
"""Characters that join letters or emoji, and the dots within Catalan and Japanese words."""

_BOX = re.compile(r"\[([^\[\]\n])\]\s+")
_LINE_BOX = re.compile(r"^[ \t]*\[([ xX])\][ \t]+(?=\S)", re.MULTILINE)
"""A box at the start of a line that is no list item."""

_HEADING_BOX = re.compile(r"\[[ xX/-]\][ \t]+\S")
# The name of the group that matches is the task's state.
_ROAM_TASK = re.compile(r"\{\{(?:\[\[)?(?:(?P<open>TODO)|(?P<done>DONE))(?:\]\])?\}\}\s+")
_LOGSEQ_TASK = re.compile(
    r"(?:(?P<open>TODO:?|LATER|WAITING|WAIT)|(?P<started>DOING|NOW|IN-PROGRESS|STARTED)"
    r"|(?P<done>DONE:?)|(?P<cancelled>CANCELL?ED))(?!\S)"
)
_DRAWN_TASK = re.compile(
    "(?:(?P<open>[☐🔲⬜◻])|(?P<done>[☑✅✔🗹])|(?P<cancelled>[☒❌✗✘🗷]))[\ufe0e\ufe0f]?[ \t]*"
    "(?=[^\\s☐🔲⬜◻☑✅✔🗹☒❌✗✘🗷])"
)

TASK_FEATURES = {
    "open": Feature.TODO,
    "started": Feature.TODO,
    "done": Feature.DONE,
    "cancelled": Feature.NONE,
}
"""The feature of a section with a task, by the state of the task."""

_ADDRESS = re.compile(r"https?://\S|<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]|[^\s<>@]+@[^\s<>@])")
_WIKILINK = re.compile(r"(!\[\[|\[\[)([^\[\]|#\n]+)")
_BRACKETED = re.compile(r"(!\[|\[)([^\[\]]*)\](\(|\[)?")
_HTML_FEATURES = {
    Feature.IMAGE: re.compile(r"<img[\s/>]", re.IGNORECASE),
    Feature.LINK: re.compile(r"<a\s", re.IGNORECASE),
    Feature.TABLE: re.compile(r"<table[\s>]", re.IGNORECASE),
}


def inline_tags(source: str) -> Iterator[str]:
    """Yield the names of ``#tags`` in inline Markdown, and of the tags that a line lists.

    Logseq lists them after ``tags::``, and HackMD as code after ``tags:``.
    """
    if "`" in source or "\\" in source:
        in_code = _HACKMD_TAGS.fullmatch(source)
        if in_code:
            yield from (tag.strip() for tag in in_code[1].split("`")[1::2])
        source = guarded(source, [])
    if "<" in source:
        source = HTML_TAG.sub(">", source)  # keeps the ends of HTML tags
    if "{" in source:
        source = _ATTRIBUTES.sub("", source)
    yield from (tag for _, tag in hashtags(source))
    if "::" in source:
        for listed in _TAG_PROPERTY.findall(source):
            yield from listed_tags(listed)


def hashtags(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the span and the name of each tag in ``text``.

    A tag is ``#tag``, ``#[[tag of several words]]``, or ``#tag of several words#`` as in Bear,
    after a space or in parentheses. A name of digits only is not a tag.
    """
    for match in _HASHTAG.finditer(text):
        name = match[1] or match[2] or _tag_name(match[3])
        tag = unicodedata.normalize("NFC", name).strip("/ ")
        says_something = (c.isalnum() or unicodedata.category(c) == "So" for c in tag)
        if any(says_something) and not tag.replace("/", "").isdigit():
            end = match.start(3) + len(name) if match[3] else match.end()
            yield (match.start(), end), tag


def listed_tags(source: str) -> Iterator[str]:
    """Yield the names of the tags in a list such as ``one, [[two words]], #three``."""
    for linked, word in _LISTED_TAG.findall(source):
        tag = (linked or word).strip("/ \t")
        if tag:
            yield tag


def inline_properties(source: str) -> Iterator[tuple[str, str]]:
    """Yield names and values of ``name:: value``, ``[name:: value]`` and ``(name:: value)``.

    On a line of its own, a name has three words at most: a sentence with two colons is no property.
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


def task_state(source: str) -> tuple[str, int] | None:
    """Return the state of a task, and the position of its text in ``source``; None for no task.

    The state is ``open``, ``started``, ``done`` or ``cancelled``. A keyword of Logseq, such as
    ``TODO``, belongs to the text.
    """
    box = _BOX.match(source)
    if box:
        states = {"x": "done", "-": "cancelled", "/": "started"}
        return states.get(box[1].lower(), "open"), box.end()
    roam = _ROAM_TASK.match(source)
    if roam:
        return roam.lastgroup or "", roam.end()
    sign = _DRAWN_TASK.match(source) or _LOGSEQ_TASK.match(source)
    return (sign.lastgroup or "", 0) if sign else None


def heading_task(source: str) -> tuple[str, int] | None:
    """Return what ``task_state`` returns for a heading that begins with a box; else None.

    A heading that begins with a keyword is a task, too, but the keyword stays in it.
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


def inline_features(source: str, references: Collection[str] = ()) -> Feature:
    """Return the features of inline Markdown outside code spans, with links by ``references``."""
    if "[" not in source and "<" not in source and "://" not in source:
        return Feature.NONE
    source = without_code(source)
    features = Feature.LINK if _ADDRESS.search(source) else Feature.NONE
    if "<" in source:
        features |= html_features(source)
    if "[" not in source:
        return features
    for opening, target in _WIKILINK.findall(source) if "[[" in source else ():
        is_picture = opening[0] == "!" and is_image(target.strip())
        features |= Feature.IMAGE if is_picture else Feature.LINK
    for part in (source, _BRACKETED.sub("", source)):  # a link may contain an image
        for opening, label, follows in _BRACKETED.findall(part):
            if follows or " ".join(label.split()).lower().upper() in references:
                features |= Feature.IMAGE if opening[0] == "!" else Feature.LINK
    return features


def task_features(heading: str, state: str) -> Feature:
    """Return the feature of a heading that is a task, by its box's ``state`` or its keyword."""
    keyword, _, text = heading.partition(" ")
    found = task_state(keyword) if text and keyword.isupper() else None
    return TASK_FEATURES.get(found[0] if found else state, Feature.NONE)


def html_features(source: str) -> Feature:
    """Return which of these the HTML in ``source`` has: pictures, links, tables."""
    found = (feature for feature, pattern in _HTML_FEATURES.items() if pattern.search(source))
    return Feature(sum(found))
