"""Breaks runs of letters without a space: laying one out costs the square of its length."""

import html
import re

MAX_RUN = 2000

BREAK = "\u200b"
# Between ideographs a line may break anyway; a mark there would only spoil matches.
_SOLID = r"[^\s\u200b\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
_HARD_SPACES = r"\u00a0\u202f\u2007"
_RUN = re.compile(f"(?:{_SOLID}|[{_HARD_SPACES}]){{{MAX_RUN}}}")


def break_runs(text: str) -> str:
    """Return ``text`` with an invisible break after every ``MAX_RUN`` characters of a run."""
    return text if len(text) <= MAX_RUN else _RUN.sub(rf"\g<0>{BREAK}", text)


class RunBreaker:
    """Breaks runs in a text that arrives in pieces, as between inline tags."""

    def __init__(self) -> None:
        self._length = 0

    def forget(self) -> None:
        """Start a new block: no run goes on into it."""
        self._length = 0

    def text(self, escaped: str) -> str:
        """Return the next piece of escaped HTML text, broken where it must be."""
        if not escaped:
            return ""
        if self._length + len(escaped) <= MAX_RUN:
            self._advance(escaped)
            return escaped
        broken = break_runs(html.unescape(escaped))
        before = BREAK if self._length else ""
        self._length = 0
        self._advance(broken[-MAX_RUN:])
        return before + html.escape(broken, quote=False)

    def _advance(self, text: str) -> None:
        space = max(text.rfind(" "), text.rfind("\n"), text.rfind(BREAK))
        self._length = len(text) - space - 1 if space >= 0 else self._length + len(text)
