"""Resolves what a rendered section refers to: links, embedded notes, pictures and formulas.

``note_links`` finds the notes and files that they name. ``allowed_link`` and ``allowed_image``
decide which addresses the preview may show.
"""

import html
import re
from collections.abc import Callable, Iterable
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit

from notesearch.markdown.bounds import Check, LayoutBudget, never_cancel
from notesearch.markdown.render.formulas import FormulaPainter, split_at_operators
from notesearch.results import SectionText

MAX_EMBEDS = 20
"""Embedded notes of one section; further ones are shown as links."""

_LONG_FORMULA = 12.0
"""Width in em from which a formula is drawn in parts; a narrow preview has about 20."""
_NUMBER = re.compile(r"[0-9]{1,9}")

Attributes = dict[str, str]


class NoteContext(Protocol):
    """Resolves the links, embeds and pictures of one note in its vault, while it is rendered."""

    def link(self, target: str, *, relative: bool) -> str | None:
        """Return ``/path#heading`` of a link's target; None if there is no such note.

        With ``relative``, look for ``target`` in the note's folder first, as for Markdown links.
        """

    def embedded(self, target: str) -> "tuple[SectionText, NoteContext] | None":
        """Return the text that ``![[target]]`` shows and the context of its note; else None."""

    def block(self, reference: str) -> str:
        """Return the first line of the block that ``((id))`` refers to; empty if it is unknown."""

    def picture(self, target: str) -> str | None:
        """Return the path of the picture ``target`` in the vault; None if there is none."""

    def html(self, source: str, first_line: int, check: Check = never_cancel) -> str | None:
        """Return ``source`` as unsafe HTML by the vault's own dialect; None without one."""

    def ready(self, seconds: float) -> bool:
        """Wait up to ``seconds`` until ``html`` can answer; return whether it can."""


Render = Callable[[SectionText, NoteContext], str]


class LinkResolver:
    """Resolves the links, embeds, pictures and formulas of one section.

    Without ``context``, links and pictures stay as written; without ``render``, embeds become
    links.
    """

    def __init__(
        self,
        formulas: FormulaPainter,
        budget: LayoutBudget,
        context: NoteContext | None = None,
        render: Render | None = None,
    ) -> None:
        self._formulas = formulas
        self.budget = budget
        self._context = context
        self._render = render
        self._embeds = 0

    def link(self, attributes: Attributes) -> tuple[str, str]:
        """Return the opening and the closing tag for a link.

        A link to a note that does not exist becomes a ``span``. Both tags are empty for a forbidden
        address.
        """
        target = allowed_link(attributes.get("href", ""))
        if target is None:
            return "", ""
        if self._context and target.startswith("note:"):
            relative = not attributes["href"].strip().lower().startswith("note:")
            resolved = self._context.link(_decoded(target), relative=relative)
            if resolved is None:
                return '<span class="broken">', "</span>"
            target = f"note:{quote(resolved, safe='')}"
        return f'<a href="{html.escape(target)}">', "</a>"

    def embedded(self, attributes: Attributes) -> str:
        """Return an embedded note as HTML; empty if only a link can be shown."""
        target = allowed_link(attributes.get("href", ""))
        is_shown = target and target.startswith("note:") and self._embeds < MAX_EMBEDS
        if not target or not is_shown or self._context is None or self._render is None:
            return ""
        found = self._context.embedded(_decoded(target))
        if found is None:
            return ""
        self._embeds += 1
        text, context = found
        shown = self._render(text, context)
        if not shown:
            return ""
        name = text.heading if text.heading == text.title else f"{text.title} › {text.heading}"
        opened, closed = self.link(attributes)
        title = f'<p class="embed-title">{opened}{html.escape(name)}{closed}</p>'
        return f"{title}\n{shown}"

    def block(self, attributes: Attributes) -> str:
        """Return the first line of the block that a reference names, as HTML; empty if unknown."""
        target = allowed_link(attributes.get("href", ""))
        if target is None or self._context is None or self._embeds >= MAX_EMBEDS:
            return ""
        self._embeds += 1
        return html.escape(self._context.block(_decoded(target)))

    def image(self, attributes: Attributes, *, linked: bool, alone: bool) -> str:
        """Return the HTML of a picture, with its caption: below it if ``alone``, else beside it.

        A picture from the internet is not loaded. Its placeholder is a link to the picture, unless
        the note has it in a link already (``linked``). If the address is forbidden or there are too
        many pictures, the result is the alternative text.
        """
        address = attributes.get("src", "")
        source = allowed_image(address) or self._named_with_colon(address)
        self.budget.pictures -= source is not None
        if source is None:
            return html.escape(attributes.get("alt", ""))
        if self.budget.pictures < 0:
            return html.escape(attributes.get("alt") or attributes["src"])
        caption = attributes.get("alt", "")
        if source.startswith("image:"):
            words, _, size = attributes.get("alt", "").partition("|")
            width = attributes.get("width", size.partition("x")[0])
            size = f"#{width}" if _NUMBER.fullmatch(width) else ""
            caption = _caption((words, attributes.get("title", "")), source)
            shown = f'<img src="{self._picture(source)}{size}">'
        else:
            box = f'<img src="ui:remote/{quote(urlsplit(source).hostname or "", safe=".-")}">'
            shown = box if linked else f'<a href="{html.escape(source)}">{box}</a>'
        if not caption:
            return shown
        between = "<br>" if alone else " "
        return f'{shown}{between}<span class="alt">{html.escape(caption)}</span>'

    def _named_with_colon(self, address: str) -> str | None:
        """Return the ``image:`` address of a picture whose name has a colon, else None."""
        local = f"image:{quote(unquote(address.strip().removeprefix('image:')), safe='')}"
        return local if self._picture(local) != local else None

    def formula(self, source: str, *, display: bool) -> str:
        """Return the HTML of a formula; empty if its source must be shown instead.

        A formula is a picture. A long formula is several pictures, between which a line can end.
        The address of the first one has the source, for copying.
        """
        formula = self._formulas.draw(source, display=display)
        is_long = formula is not None and formula.width > _LONG_FORMULA
        parts = split_at_operators(source) if is_long else []
        pictures = [self._formulas.draw(part, display=display, is_part=True) for part in parts]
        if not (pictures and all(pictures)):
            parts, pictures = [source], [formula]
        dollars = "$$" if display else "$"
        copied = [f"{dollars}{source.strip()}{dollars}", *("" for _ in parts[1:])]
        return "".join(
            f'<img src="{self._formulas.show(picture, part, tex, display=display)}">'
            for picture, part, tex in zip(pictures, parts, copied, strict=True)
            if picture
        )

    def _picture(self, source: str) -> str:
        name = _decoded(source)
        names = dict.fromkeys((name, name.partition("#")[0]))  # a file's name may contain ``#``
        paths = (self._context.picture(target) for target in names if self._context)
        path = next(filter(None, paths), None)
        return source if path is None else f"image:{quote(f'/{path}', safe='')}"


_SIDES = frozenset("left right center centre inline".split())
"""Where themes of Obsidian place a picture, by its alternative text."""


def _caption(texts: Iterable[str], address: str) -> str:
    """Return the words of a picture, without its file's name and the side where it stands."""
    name = _decoded(address).casefold()
    words = (text for text in texts if text.casefold() not in name and text not in _SIDES)
    return " · ".join(dict.fromkeys(words))


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MAIL_HEADERS = frozenset({"", "to", "cc", "bcc", "subject", "body"})
_LONGEST_ADDRESS = 2000


def allowed_link(address: str) -> str | None:
    """Return the address to use for a link; None if it must become text that does nothing.

    A relative address becomes ``note:`` and the percent-encoded target, which the index looks up;
    it is never opened as a path.
    """
    return _allowed(address, "note")


def allowed_image(address: str) -> str | None:
    """Return the address to use for an image; None if the image must not be shown.

    A relative path becomes ``image:`` and the percent-encoded path; its reader checks that the file
    is in the vault.
    """
    source = _allowed(address, "image")
    # A colon may belong to a drive or stream of a Windows path. In a note's name it is harmless,
    # and in the name of a picture that the vault has.
    return None if source and source.startswith("image:") and "%3A" in source else source


def _allowed(address: str, own_scheme: str) -> str | None:
    address = address.strip()
    if _CONTROL.search(address) or not 0 < len(address) <= _LONGEST_ADDRESS:
        return None
    scheme = _scheme(address)
    if scheme in {"http", "https"}:
        return address if _has_host(address) else None
    is_mail = scheme == "mailto" and _has_only_known_headers(address)
    if own_scheme == "note" and (address.startswith("#fn-") or is_mail):
        return address
    return _local(address, scheme, own_scheme)


def _decoded(address: str) -> str:
    return unquote(address.partition(":")[2])


def _scheme(address: str) -> str:
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""


def _has_only_known_headers(address: str) -> bool:
    headers = address.partition("?")[2].split("&")
    return all(unquote(h.partition("=")[0]).lower() in _MAIL_HEADERS for h in headers)


def _has_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).hostname)
    except ValueError:
        return False


def _local(address: str, scheme: str, own_scheme: str) -> str | None:
    if scheme not in {"", own_scheme}:
        return None
    target = unquote(address[len(own_scheme) + 1 :] if scheme else address)
    # A name of a note may have a colon; it is looked up, and never opened as a path.
    is_drive = own_scheme != "note" and _SCHEME.match(target)
    if target.startswith("//") or "\\" in target or is_drive or _CONTROL.search(target):
        return None
    return f"{own_scheme}:{quote(target, safe='')}"
