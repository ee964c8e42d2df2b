"""Colours source code: maps Pygments' many token types to the six CSS classes of the themes."""

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from time import monotonic

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

MAX_LENGTH = 20_000
MAX_LINE = 1000
TIME_LIMIT = 0.05
"""Seconds for all code of one section; the code after that stays plain."""

_HEADINGS = Generic.Heading, Generic.Subheading
_KINDS: dict[str, tuple[_TokenType, ...]] = {
    "k": (Keyword, Operator.Word, Name.Tag, Generic.Deleted),
    "f": (Name.Function, Name.Class, Name.Decorator, Name.Attribute, *_HEADINGS),
    "s": (String, Generic.Inserted),
    "c": (Comment,),
    "n": (Number, Keyword.Constant),
    "b": (Keyword.Type, Name.Builtin, Name.Exception),
}
_CLASSES = {kind: name for name, kinds in _KINDS.items() for kind in kinds}
_LANGUAGE = re.compile(r"\{?\.?([\w+#-]{1,30})")
_ALIASES = {"vue-html": "html", "svelte": "html", "astro": "html", "jsonc": "json"}


class CodeColouring:
    """Colours the code blocks of one section within one time limit."""

    def __init__(self) -> None:
        self._left = TIME_LIMIT

    def spans(self, source: str, language: str) -> str:
        """Return code as escaped HTML, each coloured token in a ``span`` with a CSS class.

        Code stays plain if its language is unknown, or if it is too long or takes too long.
        """
        named = _LANGUAGE.match(language)
        lexer = _lexer(named[1].lower()) if named and self._is_feasible(source) else None
        return "".join(self._pieces(source, lexer)) if lexer else html.escape(source, quote=False)

    def _is_feasible(self, source: str) -> bool:
        in_bounds = self._left > 0 and len(source) <= MAX_LENGTH
        return in_bounds and max(map(len, source.split("\n"))) <= MAX_LINE

    def _pieces(self, source: str, lexer: Lexer) -> Iterator[str]:
        started = monotonic()
        shown = 0
        # Some lexers recognise only lines that end.
        for start, kind, token in lexer.get_tokens_unprocessed(f"{source}\n"):
            text = token[: len(source) - start]
            if start != shown or monotonic() - started > self._left:
                break
            shown += len(text)
            escaped = html.escape(text, quote=False)
            name = _class(kind) if not text.isspace() else ""
            yield f'<span class="{name}">{escaped}</span>' if name else escaped
        yield html.escape(source[shown:], quote=False)
        self._left -= monotonic() - started


def _class(kind: _TokenType) -> str:
    kinds = reversed(kind.split())  # from the most special to the most general
    return next((_CLASSES[kind] for kind in kinds if kind in _CLASSES), "")


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(_ALIASES.get(language, language))
    except ClassNotFound:
        return None
