"""Parses a note's text into a ``Note``: title, properties, and sections cut at headings."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice, pairwise
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.footnote import footnote_plugin

from notesearch.markdown import bounds
from notesearch.markdown.block_rules import INTERRUPTED, formula_block, note_blocks, push_paragraph
from notesearch.markdown.bounds import Check, never_cancel
from notesearch.markdown.sections.bullet_tree import PAGES, TASK, bullet_tree
from notesearch.markdown.sections.inline_metadata import (
    heading_task,
    inline_features,
    inline_tags,
    task_features,
    task_state,
)
from notesearch.markdown.sections.inline_syntax import LINE_END
from notesearch.markdown.sections.inline_text import plain_heading, without_block_names
from notesearch.markdown.sections.language_detection import (
    detected_language,
    language_of_path,
    named_language,
)
from notesearch.markdown.sections.link_targets import inline_targets, is_address, note_targets
from notesearch.markdown.sections.properties import NOTION_ID, one_line, read_front_matter
from notesearch.markdown.sections.section_content import (
    ContentCollector,
    SectionContent,
    with_block_ids,
    without_controls,
)
from notesearch.markdown.sections.written_values import own_date
from notesearch.markdown.sections.yaml_mapping import VALUES_LIMIT
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.notes import Link, Note, Property, ReadAs, Section, page_of

HEADING_SOURCE_LIMIT = 8_000

_DEFAULT = ReadAs()
_PICTURE = re.compile(r";base64,[\w+/=]{200,}", re.ASCII)
"""The bytes of a picture in its address."""
_NO_CHARACTER = re.compile(f"[\ud800-\udfff{LINE_END}]")
_HIDDEN_BEFORE_SIGN = re.compile(
    r"(?:(?<![^\n])|(?<=[*+>-] ))[\u200b-\u200f\u202a-\u202e\u2060-\u2069]+"
    r"(?=[#>*+|`~[-]|\d+[.)]\s)"
)
_WIDE_AFTER_SIGN = re.compile(r"^([> \t]*(?:[*+-]|\d{1,9}[.)]))[\xa0\u3000]", re.MULTILINE)
_PLACEHOLDER = re.compile(r"<%.*%>|\{\{.*\}\}")
"""What a template has in place of a title, such as ``{{title}}``."""

_CALLOUT = re.compile(r"^:{3,}[ \t]*\{[^{}\n]*\.callout-[^{}\n]*\}[ \t]*\Z", re.MULTILINE)
"""The line above the title of a callout, which Quarto writes as a heading."""

_LINK = r"!?\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])"
_ABOVE_TITLE = re.compile(
    rf"<!--.*?-->|%%.*?%%|!?\[\[[^\[\]\n]*\]\]|\[{_LINK}\](?:\([^()\n]*\)|\[[^\[\]\n]*\])|{_LINK}"
    r"|<[^<>]*>",
    re.DOTALL,
)
"""What people put above the title of a note: comments, pictures, badges and links."""

_LONGEST_ABOVE_TITLE = 8_000
_NOT_LETTERS = re.compile(r"[\W_]+")
_NOT_BLANK = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class _Source:
    """The part of a note's text below its front matter.

    Attributes:
        rest: The text after ``markdown``, which is not read as Markdown; without white space at its
            end.
        over: The limit at which the text was cut off; empty if nothing was cut off.
    """

    markdown: str
    rest: str
    read_lines: int
    count: int
    over: Sentence

    @classmethod
    def of(cls, text: str) -> "_Source":
        count = line_count(text)
        text = _PICTURE.sub(";base64,", text)
        end = _structured_end(text)
        stop = end + bounds.CHARACTERS
        rest = without_controls(text[end:stop]).rstrip()
        over = Sentence("note_text_over", limit=stop) if len(text) > stop else NO_SENTENCE
        return cls(_without_line_end(text, end), rest, line_count(text, end), count, over)


def normalise(text: str) -> str:
    r"""Return ``text`` without BOMs, NUL and surrogates, with ``\n`` as the only line end.

    Files joined by a program have a BOM in the middle, where it would hide a heading. So would a
    mark of direction before ``#`` or a dash. A space after a dash may be a wide one.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if not text.isascii():
        text = text.replace("\ufeff", "")
        text = _NO_CHARACTER.sub("\ufffd", text)
        text = _HIDDEN_BEFORE_SIGN.sub("", text)
        text = _WIDE_AFTER_SIGN.sub(r"\1 ", text)
    return text


def line_count(text: str, end: int = sys.maxsize) -> int:
    """Return the number of lines of normalised ``text``, up to ``end``.

    A final line end starts no new line.
    """
    return text.count("\n", 0, end) + (bool(text and end) and not text.endswith("\n", 0, end))


def structured_lines(text: str) -> list[str]:
    """Return the lines of normalised ``text`` to read as Markdown."""
    end = _structured_end(text)
    return _without_line_end(text, end).split("\n") if end else []


def _structured_end(text: str) -> int:
    end = len(text)
    if end > bounds.CHARACTERS:
        end = text.rfind("\n", bounds.CHARACTERS // 2, bounds.CHARACTERS) + 1 or bounds.CHARACTERS
    if text.count("\n", 0, end) > bounds.LINES:
        end -= len(text[:end].split("\n", bounds.LINES)[-1])
    return end


def _without_line_end(text: str, end: int) -> str:
    return text[: end - text.endswith("\n", 0, end)]


def parse_note(
    text: str, path: str, check: Check = never_cancel, read_as: ReadAs = _DEFAULT
) -> Note:
    """Parse a Markdown file; ``path`` is relative to the vault.

    The sections cover every line after the front matter once and in order, except for empty lines
    at the top. A note with only front matter has one section without text, so that it can be found.
    ``check`` is called from time to time while a huge text is parsed.
    """
    text = normalise(text)
    front = read_front_matter(text, path)
    last = line_count(text)
    if front.end:
        below = line_count(text[front.end :])
        text = text[: front.end] + "\n" * below
    lines = text.split("\n", front.lines)
    body = lines.pop() if len(lines) > front.lines else ""
    if text.startswith("+++"):
        lines = [""] * len(lines)  # ``[[name]]`` is no link in TOML
    source = _Source.of(body)
    del text, body  # a huge text takes a hundred megabytes if it has one emoji
    targets = tuple(islice(note_targets(chain(lines, source.markdown.split("\n"))), bounds.MARKS))
    pieces, is_tree, properties, over = _cut(source, front.lines, path, check, code=read_as.code)
    del source
    title = _title(front.title, "" if is_tree else _opening_heading(pieces))
    values = (*front.values, *properties)[:VALUES_LIMIT]
    from_name = not title
    title = title or one_line(_name(path, pieces[0].heading if pieces else "")) or path
    sections = tuple(_sections(pieces, title, from_name, front.lines))
    if values and not sections:
        sections = (Section(0, title, (title,), 0, 1, last, ""),)
    links = tuple(Link(value.text) for value in values if is_address(value.text))
    sections = (*(replace(s, links=(*links, *s.links)) for s in sections[:1]), *sections[1:])
    opening = [section for section in sections[:2] if section.path == (title,)]
    tags = _unique_tags(front.tags, *(section.tags for section in sections))
    if max(len(tags), len(front.aliases)) > bounds.NAMES:
        over = over or Sentence("note_names_over", limit=bounds.NAMES)
    return Note(
        path=path,
        title=title,
        sections=sections,
        title_from_name=from_name,
        aliases=front.aliases[: bounds.NAMES],
        tags=tags[: bounds.NAMES],
        category=front.category,
        properties=front.properties,
        language=named_language(front.properties)
        or read_as.language
        or detected_language([text for piece in pieces for text in (piece.heading, piece.text)])
        or language_of_path(path),
        common_tags=_unique_tags(front.tags, *(section.tags for section in opening))[
            : bounds.NAMES
        ],
        dated=own_date(front.values, path),
        values=values,
        over=over,
        targets=targets,
        blocks=tuple(islice(chain(*map(_blocks, pieces)), bounds.MARKS)),
    )


def _title(*titles: str) -> str:
    """Return the first of ``titles`` that is neither empty nor the placeholder of a template."""
    return next((title for title in titles if title and not _PLACEHOLDER.fullmatch(title)), "")


def _name(path: str, opening: str) -> str:
    """Return the name that a person gave to the note, without what a program added to its path.

    ``opening`` is the heading that opens the note. In an export of Notion, it is that name.
    """
    file = PurePosixPath(path)
    if file.stem == "text" and file.parent.suffix == ".textbundle":
        file = file.parent
    if file.parent.name == PAGES:  # of Logseq
        return unquote(file.stem).replace("___", "/")
    name = NOTION_ID.sub("", file.stem)
    letters = _NOT_LETTERS.sub("", name)
    opening_letters = _NOT_LETTERS.sub("", opening)
    return name if letters and opening_letters.startswith(letters) else file.stem


def _cut(
    source: _Source, front_lines: int, path: str, check: Check, *, code: bool
) -> tuple[Sequence[SectionContent], bool, Sequence[Property], Sentence]:
    """Return the sections; whether they are a tree of bullets; the properties in the text.

    The last value is the limit that the text exceeds; empty if it exceeds none.
    """
    tokens, environment = block_tokens(source.markdown, check)
    tree = bullet_tree(tokens, path)
    tokens = tree or tokens
    defined = environment.get("references", {})
    references = {label: str(reference["href"]) for label, reference in defined.items()}
    collector = ContentCollector(source.markdown, references, check, code=code)
    cuts = [
        index
        for index, token in enumerate(tokens)
        if token.level == 0
        and token.type == "heading_open"
        and not _CALLOUT.search(tokens[max(index - 2, 0)].content)
    ]
    too_many = len(cuts) > bounds.SECTIONS
    del cuts[bounds.SECTIONS :]
    starts = [*(_start(tokens[cut]) for cut in cuts), source.count]
    sizes = [after - before for before, after in pairwise([0, *cuts, len(tokens)])]
    tokens.reverse()
    parts = ([tokens.pop() for _ in range(size)] for size in sizes)  # tokens take 100 MB
    before = next(parts)
    shown = _NOT_BLANK.search(source.markdown)
    opening = source.markdown.count("\n", 0, shown.start()) if shown else source.read_lines
    pieces = []
    if opening < starts[0] and (opening < source.read_lines or source.rest):
        content = collector.collect(before, (opening, starts[0]))
        pieces.append(replace(content, has_text=_has_text(source.markdown, starts[0])))
    del before
    for part, lines in zip(parts, pairwise(starts), strict=True):
        pieces.append(_headed_piece(part, lines, path, collector, references))
    if source.rest and pieces:
        text = f"{pieces[-1].text}\n\n{source.rest}".lstrip()
        pieces[-1] = replace(pieces[-1], text=text)
    over = source.over
    if not over and (OVER in environment or source.rest):
        read = environment.get(OVER, source.read_lines)
        over = Sentence("note_lines_over", lines=front_lines + read)
    elif not over and too_many:
        over = Sentence("note_headings_over", limit=bounds.SECTIONS)
    elif not over and collector.is_over:
        over = Sentence("note_marks_over", limit=bounds.MARKS)
    return pieces, tree is not None, collector.properties, over


def _headed_piece(
    tokens: list[Token],
    lines: tuple[int, int],
    path: str,
    collector: ContentCollector,
    references: Mapping[str, str],
) -> SectionContent:
    """Return the section of a heading and the text below it.

    ``lines`` are the first line of the heading, and the line after the text.
    """
    opened, named, _, *within = tokens
    heading = named.content[:HEADING_SOURCE_LIMIT]
    task, start_of_text = heading_task(heading) or (named.meta.get(TASK, ""), 0)
    heading = heading[start_of_text:]
    shown, blocks = without_block_names(plain_heading(heading, references, names_blocks=True))
    text = one_line(shown)
    if len(named.content) > len(heading) + start_of_text or text != one_line(shown, len(shown)):
        within = [named, *within]  # only a part becomes the heading, so all of it becomes text
    body = collector.collect(within, lines)
    if text.lower().endswith("metadata"):
        collector.add_listed_properties(body.text)
    links = (Link(address) for address, _ in inline_targets(heading, references))
    return replace(
        body,
        level=int(opened.tag[1]),
        heading=text,
        tags=(*collector.take_marks(inline_tags(heading)), *body.tags),
        features=body.features
        | inline_features(heading, references)
        | task_features(heading, task),
        links=(*collector.take_marks(links), *body.links),
        source=replace(
            body.source,
            heading_task="" if task_state(heading) else task,  # a keyword is in the heading
            page=page_of(path, heading),
            heading_blocks=blocks if text == shown else (),
        ),
    )


def _has_text(markdown: str, end: int) -> bool:
    """Return whether the lines up to ``end`` have more than links, pictures and comments."""
    above = "\n".join(markdown[: _LONGEST_ABOVE_TITLE + 1].split("\n", end)[:end])
    rest, removed = _ABOVE_TITLE.subn(" ", above)
    is_long = len(above) > _LONGEST_ABOVE_TITLE
    return is_long or not removed or _NOT_LETTERS.fullmatch(rest) is None


def _start(token: Token) -> int:
    return token.map[0] if token.map else 0


def _opening_heading(pieces: Sequence[SectionContent]) -> str:
    visible = [piece for piece in pieces if piece.heading or (piece.text and piece.has_text)]
    tops = [piece for piece in visible if piece.level == 1 and piece.heading]
    if tops[:1] != visible[:1] or len(tops) != 1:
        return ""
    return visible[0].heading


def _sections(
    pieces: Sequence[SectionContent], title: str, from_name: bool, front_lines: int
) -> Iterator[Section]:
    parents: list[tuple[int, str]] = []
    for ordinal, piece in enumerate(pieces):
        while parents and parents[-1][0] >= piece.level:
            parents.pop()
        is_title = (
            piece.level == 1 and not from_name and piece.heading.casefold() == title.casefold()
        )
        if piece.heading and not is_title:
            parents.append((piece.level, piece.heading))
        yield Section(
            ordinal=ordinal,
            heading=piece.heading if piece.level else title,
            path=tuple(heading for _, heading in parents) or (title,),
            level=piece.level,
            line=front_lines + piece.line + 1,
            end_line=front_lines + piece.end,
            text=piece.text,
            tags=_unique_tags(piece.tags),
            features=piece.features,
            code=piece.code,
            links=piece.links,
            source=piece.source,
        )


def _blocks(piece: SectionContent) -> Iterator[tuple[str, str]]:
    heading = with_block_ids(piece.heading, piece.source.heading_blocks)
    return ((id_, text or heading) for id_, text in piece.blocks)


def _unique_tags(*tags: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for tag in chain(*tags):
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


# Block tokens, with the block syntax that CommonMark lacks

OVER = "over"
"""Key of the environment: the line at which the text has reached too many blocks."""

_CHECK = "check"


_PARAGRAPH = 3
"""Tokens of a paragraph. A definition of a link counts as this many, although it has no token."""


def block_tokens(text: str, check: Check = never_cancel) -> tuple[list[Token], dict[str, Any]]:
    """Return the block tokens of normalised ``text``, and markdown-it's environment.

    The environment has the definitions of links (``references``), and ``OVER`` if the text has too
    many blocks. Inline content is not parsed: that would take nine tenths of the time.
    """
    environment: dict[str, Any] = {_CHECK: check}
    tokens: list[Token] = []
    parser = _parser()
    parser.block.parse(text, parser, environment, tokens)
    if _HTML_HEADING_END.search(text):
        tokens = _with_html_headings(tokens)
    return tokens, environment


_HTML_HEADING_END = re.compile(r"</h[1-6]\s*>", re.IGNORECASE)
_HTML_TAG = re.compile(r"<!--|-->|<(/?)([a-z][a-z0-9-]*)(?![\w-])[^<>]*>", re.IGNORECASE)
_HTML_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_NEVER_AROUND = frozenset("area br col embed hr img input link meta p source track wbr".split())
"""Elements of HTML that have no end tag, or need none, and cannot contain a heading."""
_ONLY_TAGS = re.compile(r"(?:\s|<[^<>]*+>)*")
_UNREAD_HTML = re.compile(r"\s*<(?:!--|pre|script|style|textarea)", re.IGNORECASE)


def _with_html_headings(tokens: Sequence[Token]) -> list[Token]:
    """Return ``tokens`` with each block of HTML cut at its headings.

    A heading inside another element, as in ``<div><h1>``, is the title of the note or of a page of
    HTML. After a heading of Markdown, it belongs to an example or a box and does not count.
    """
    parts: list[Token] = []
    has_heading = False
    for token in tokens:
        if token.type == "html_block" and not token.level and not _UNREAD_HTML.match(token.content):
            parts.extend(_html_parts(token, nested=not has_heading))
        else:
            parts.append(token)
            has_heading = has_heading or token.type == "heading_open"
    return parts


def _html_parts(token: Token, *, nested: bool) -> Iterator[Token]:
    """Yield the tokens of the headings in a block of HTML, and of the HTML between them.

    ``nested`` says whether headings inside other elements count.
    """
    html = token.content
    first = token.map[0] if token.map else 0
    shown = line = 0
    for opened, closed in _html_headings(html, nested=nested):
        start, end = opened.span()[0], closed.span()[1]
        before = html[shown:start]
        top = line + before.count("\n")
        bottom = top + html.count("\n", start, end)
        if before.strip():
            yield token.copy(content=before, map=[first + line, first + top])
        place = [first + top, first + bottom + 1]
        tag = opened[2].lower()
        yield Token("heading_open", tag, 1, map=place)
        words = html[opened.end() : closed.start()].strip()
        yield Token("inline", "", 0, content=words, map=place, children=[], level=1)
        yield Token("heading_close", tag, -1)
        shown = end
        line = bottom
    if html[shown:].strip() or not shown:
        yield token.copy(content=html[shown:], map=[first + line, token.map[1] if token.map else 0])


def _html_headings(html: str, *, nested: bool) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Yield the start tag and the end tag of each heading that only tags precede on its line."""
    opened = None
    is_comment = False
    depth = looked = 0
    for mark in _HTML_TAG.finditer(html):
        name = (mark[2] or "").lower()
        if not name:
            is_comment = mark[0] == "<!--"
        elif is_comment or name in _NEVER_AROUND or mark[0].endswith("/>"):
            continue
        elif name not in _HTML_HEADINGS:
            depth = max(0, depth + (-1 if mark[1] else 1))
            continue
        elif not mark[1]:
            line = html.rfind("\n", looked, mark.start()) + 1
            is_first = line > 0 or looked == 0  # else a line may be looked through many times
            begins = is_first and _ONLY_TAGS.fullmatch(html, line, mark.start())
            opened = mark if begins and (nested or not depth) else None
        elif opened and opened[2].lower() == name:
            yield opened, mark
            opened = None
        looked = mark.end()


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": bounds.NESTING_LIMIT}).enable("table")
    parser.use(admon_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(note_blocks).use(formula_block)
    parser.block.ruler.before("table", "check", _check, {"alt": [*INTERRUPTED, "table"]})
    return parser


def _check(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read blocks beyond ``BLOCKS``, or a row of too many cells, as a paragraph.

    The parser tries this rule first at each block. So this is also where it calls the function
    ``check`` of its caller, which may raise an error to stop it.
    """
    state.env[_CHECK]()
    definitions = len(state.env.get("references", ())) + len(state.env.get("duplicate_refs", ()))
    if len(state.tokens) + _PARAGRAPH * definitions > bounds.BLOCKS:
        state.env.setdefault(OVER, start)
    elif silent or state.src.count("|", state.bMarks[start], state.eMarks[start]) <= bounds.CELLS:
        return False
    else:
        end = start + 1
    if not silent:
        push_paragraph(state, start, end, state.getLines(start, end, state.blkIndent, False))
        state.line = end
    return True
