"""What a rendered section points at: its links, pictures, embeds and formulas as the preview's."""

import html
import re
from collections.abc import Callable
from urllib.parse import quote, urlsplit

from notesearch.markdown import addresses
from notesearch.markdown.allowance import Allowance
from notesearch.markdown.formulas import Drawing
from notesearch.markdown.surroundings import Surroundings
from notesearch.results import SectionText

MAX_EMBEDS = 20
"""Of one section; those beyond are links."""

_NUMBER = re.compile(r"[0-9]{1,9}")

Attributes = dict[str, str]
Render = Callable[[SectionText, Surroundings], str]


class References:
    """Answers for one section.

    Args:
        drawing: Draws its formulas.
        allowance: What it and its embeds may cost.
        surroundings: What is around it; without them links and pictures stay as written.
        render: Renders what is embedded; without it embeds are links: those inside of an embed.
    """

    def __init__(
        self,
        drawing: Drawing,
        allowance: Allowance,
        surroundings: Surroundings | None = None,
        render: Render | None = None,
    ) -> None:
        self._drawing = drawing
        self.allowance = allowance
        self._around = surroundings
        self._render = render
        self._embeds = 0

    def link(self, attributes: Attributes) -> tuple[str, str]:
        """Return how a link opens and closes; one that is not live is inert."""
        target = addresses.link(attributes.get("href", ""))
        if target is None:
            return "", ""
        if self._around and target.startswith("note:"):
            beside = not attributes["href"].strip().lower().startswith("note:")
            found = self._around.link(addresses.decode(target), beside=beside)
            if found is None:
                return '<span class="broken">', "</span>"
            target = f"note:{quote(found, safe='')}"
        return f'<a href="{html.escape(target)}">', "</a>"

    def embedded(self, attributes: Attributes) -> str:
        """Return what is embedded as HTML of its own; empty where only a link can be shown."""
        target = addresses.link(attributes.get("href", ""))
        is_shown = target and target.startswith("note:") and self._embeds < MAX_EMBEDS
        if not target or not is_shown or self._around is None or self._render is None:
            return ""
        found = self._around.embedded(addresses.decode(target))
        if found is None:
            return ""
        self._embeds += 1
        text, around = found
        shown = self._render(text, around)
        if not shown:
            return ""
        name = text.heading if text.heading == text.title else f"{text.title} › {text.heading}"
        opened, closed = self.link(attributes)
        title = f'<p class="embed-title">{opened}{html.escape(name)}{closed}</p>'
        return f"{title}\n{shown}"

    def image(self, attributes: Attributes, *, linked: bool) -> str:
        """Return a picture, or the box that stands for one from the internet."""
        source = addresses.image(attributes.get("src", ""))
        self.allowance.pictures -= source is not None
        if source is None:
            return html.escape(attributes.get("alt", ""))
        if self.allowance.pictures < 0:
            return html.escape(attributes.get("alt") or attributes["src"])
        if source.startswith("image:"):
            width = attributes.get("width", "")
            size = f"#{width}" if _NUMBER.fullmatch(width) else ""
            return f'<img src="{self._picture(source)}{size}">'
        box = f'<img src="ui:remote/{quote(urlsplit(source).hostname or "", safe=".-")}">'
        shown = box if linked else f'<a href="{html.escape(source)}">{box}</a>'
        return f'{shown} <span class="alt">{html.escape(attributes.get("alt", ""))}</span>'

    def formula(self, source: str, *, display: bool) -> str:
        """Return a formula's picture; empty where its source has to be shown."""
        formula = self._drawing.formula(source, display=display)
        return f'<img src="{formula.address}">' if formula else ""

    def _picture(self, source: str) -> str:
        name = addresses.decode(source).partition("#")[0]
        found = self._around.picture(name) if self._around else None
        return source if found is None else f"image:{quote(f'/{found}', safe='')}"
