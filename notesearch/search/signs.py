"""Signs at the ends of what was typed, which are no words: "c++", ".env", "~/notes", "50%"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from notesearch.notes import Span

_BEFORE = re.compile(r"[^\s'\"«“„(\[{]*$")
_AFTER = re.compile(r"[^\s'\"»”)\]},.;:!?、。！？）」』]*")


@dataclass(frozen=True, slots=True)
class Signs:
    """What stands right before and behind the words of a term; punctuation of sentences apart."""

    before: str = ""
    after: str = ""

    @staticmethod
    def of(text: str, words: Span) -> "Signs":
        """Return the signs of ``text``, whose words begin and end at ``words``."""
        before, after = _BEFORE.search(text, 0, words[0]), _AFTER.match(text, words[1])
        return Signs(before[0] if before else "", after[0] if after else "")

    def with_them(self, spans: Iterable[Span], text: str) -> list[Span]:
        """Return ``spans`` of ``text``, each with these signs where they stand beside it."""
        if not self.before and not self.after:
            return list(spans)
        return [
            (
                start - len(self.before) * text.endswith(self.before, 0, start),
                end + len(self.after) * text.startswith(self.after, end),
            )
            for start, end in spans
        ]


NO_SIGNS = Signs()
