"""The text of the search field as filters and words. It knows nothing of Qt.

``QueryEdit`` shows such a state, and keeps the earlier ones for Ctrl+Z.
"""

import re
from dataclasses import dataclass, replace

FILTERS = "tag path file section prop task has lang after before links linked-by".split()
"""The names of filters, the most used first."""
_NAME = rf"-?(?:{'|'.join(FILTERS)}):"
_BEGUN = re.compile(rf'(?:^|\s)({_NAME}(?:"[^"]*|(?:[^\s"]|"[^"]*")*))$', re.IGNORECASE)
"""Matches a filter before the cursor that the user may still be typing."""
_WHOLE = re.compile(rf'(?:^|(?<=\s))({_NAME}(?:[^\s"]|"[^"]*")+)\s+', re.IGNORECASE)
"""Matches a complete filter with a space after it."""
_HALF = re.compile(r"(?:^|\s)-?([^\W\d_]{2,})$")
"""Matches a word before the cursor that may become the name of a filter."""
_BREAK = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
"""Matches tabs and line breaks."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Matches tabs, line breaks and other control characters, such as NUL."""


@dataclass(frozen=True, slots=True)
class QueryState:
    """A query: its filters, and the text before and after the cursor."""

    filters: tuple[str, ...] = ()
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The text, without the filters."""
        return self.before + self.after

    @property
    def query(self) -> str:
        """The filters, then the text."""
        has_text = bool(self.text) or not self.filters
        return " ".join([*self.filters, self.text] if has_text else self.filters)

    @property
    def begun(self) -> str:
        """The unfinished filter before the cursor, such as ``tag:tr``; empty without one."""
        match = _BEGUN.search(self.before)
        return match[1] if match else ""

    @property
    def rest_of_name(self) -> str:
        """The missing end of a filter's name before the cursor: ``g:`` after ``ta``; or empty."""
        half = _HALF.search(self.before)
        word = half[1].lower() if half else ""
        for name in FILTERS:
            if word and word != name and name.startswith(word):
                return f"{name.removeprefix(word)}:"
        return ""

    def on_one_line(self) -> "QueryState":
        """Return the state with spaces for tabs and line breaks, without control characters."""
        if not _CONTROL.search(self.text):
            return self
        return replace(self, before=_one_line(self.before), after=_one_line(self.after))

    def parted(self, most: int) -> "QueryState":
        """Return the state with complete filters moved from the text to ``filters``.

        ``filters`` gets at most ``most`` filters in all. A filter stays in the text while the
        cursor is inside it. Where the text has parentheses or OR, every filter stays, because its
        position matters.
        """
        text = self.text
        cursor = len(self.before)
        if ":" not in text or "(" in text or " OR " in text:
            return self
        taken = list[re.Match[str]]()
        for match in _WHOLE.finditer(text):
            if len(self.filters) + len(taken) >= most:
                break
            is_at_cursor = match.start() < cursor <= match.end(1)
            is_in_quotes = text.count('"', 0, match.start()) % 2 == 1
            if not is_at_cursor and not is_in_quotes and _is_filter(match[1]):
                taken.append(match)
        if not taken:
            return self
        for match in reversed(taken):
            text = text[: match.start()] + text[match.end() :]
            cursor -= max(0, min(cursor, match.end()) - match.start())
        filters = (*self.filters, *(match[1] for match in taken))
        return QueryState(filters, text[:cursor], text[cursor:])


def _one_line(text: str) -> str:
    return _CONTROL.sub("", _BREAK.sub(" ", text))


def _is_filter(text: str) -> bool:
    from notesearch.library import understands

    return understands(text)
