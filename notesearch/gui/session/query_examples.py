"""Examples of queries, made from the user's own notes: for the start page and the search tips."""

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from notesearch.errors import NotesearchError
from notesearch.gui.translation import translate
from notesearch.results import NoteLink

if TYPE_CHECKING:
    from notesearch.gui.session.search_worker import SearchedLibrary

_EXAMPLE_SOURCES = 60
"""Examples are chosen from this many headings and notes at most."""
_OFFERED = 8
"""The example of each filter is chosen from this many completions at most."""
_USUAL = {"prop:tags=", "prop:tag=", "prop:title=", "prop:aliases="}
"""Filters that make poor examples, because there are better ways to search for tags and titles."""
_PLAIN_WORD = re.compile(r"[^\W\d_]{4,}")
_SHORT_HEADING = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){1,2}")


@dataclass(frozen=True, slots=True)
class Examples:
    """Words, a short heading and filters from the notes; empty if the notes have none."""

    words: tuple[str, ...] = ()
    heading: str = ""
    filters: tuple[str, ...] = ()


def find_examples(library: "SearchedLibrary") -> Examples:
    """Find examples in the headings, tags, folders and properties of the notes."""
    headings = _headings(library)
    chosen = list[str]()
    for name in ("tag", "path", "section", "prop", "lang"):
        choices = library.complete_filter(f"{name}:", _OFFERED)
        chosen += [choice.filter for choice in choices if choice.filter not in _USUAL][:1]
    # A property without a value, such as ``prop:status=``, must be completed again.
    valued = [library.complete_filter(text, 1) if text.endswith("=") else () for text in chosen]
    linked = tuple(_find_linked(library))
    words = dict.fromkeys(
        word.lower() for heading in headings for word in _PLAIN_WORD.findall(heading)
    )
    pairs = zip(chosen, valued, strict=True)
    filters = (completed[0].filter if completed else text for text, completed in pairs)
    return Examples(
        words=tuple(words)[:3] if len(words) >= 3 else (),
        heading=_short_heading(headings).lower(),
        filters=(*(text for text in filters if not text.endswith("=")), *linked),
    )


def find_heading(library: "SearchedLibrary") -> str:
    """Return a heading of one to three words, which is a good query; empty if there is none."""
    headings = _headings(library)
    return _short_heading(headings) or next(filter(_PLAIN_WORD.fullmatch, headings), "")


def _headings(library: "SearchedLibrary") -> list[str]:
    """Return headings, the rarest first: many notes have “Results” and “Further reading”."""
    sections = library.complete_filter("section:", _EXAMPLE_SOURCES)
    rarest_first = sorted(sections, key=lambda choice: choice.count)
    return [choice.filter.partition(":")[2].strip('"') for choice in rarest_first]


def _short_heading(headings: Sequence[str]) -> str:
    return next((text for text in headings if _SHORT_HEADING.fullmatch(text)), "")


def _find_linked(library: "SearchedLibrary") -> Iterator[str]:
    """Yield a filter ``links:`` and one ``linked-by:``, from the first vault that can answer."""
    for part in library.parts.values():
        try:
            paths = [path for path, _ in part.note_names() if '"' not in path][:_EXAMPLE_SOURCES]
        except NotesearchError:
            continue
        for name, links in (("links", part.backlinks), ("linked-by", part.outgoing)):
            linked = (path for path in paths if _has_any(links, path))
            yield from (f'{name}:"{PurePosixPath(path).stem}"' for path in islice(linked, 1))
        return


def _has_any(links: Callable[[str], Sequence[NoteLink]], path: str) -> bool:
    """Return whether ``links`` finds a link for the note at ``path`` to a note that exists."""
    with contextlib.suppress(NotesearchError):  # the note was deleted a moment ago
        return any(link.target for link in links(path))
    return False


Tip = tuple[str, str]
"""A query, and a text that explains it."""


def tips(examples: Examples) -> list[Tip]:
    """Return the tips. A filter without an example in ``examples`` has no tip."""
    first, second, last = examples.words or ("kyoto", "food", "garden")
    phrase = f'"{examples.heading or f"{first} {second}"}"'
    word_tips = [
        (f"{first} {second}", translate("Both words, or a similar meaning")),
        (phrase, translate("These words side by side")),
        (f"{first} -{last}", translate("Without the word after the minus")),
        (f"{first} OR {last}", translate("One word or the other")),
        (f"{first[:3]}*", translate("Words that begin like this")),
    ]
    meanings = {
        "tag": translate("With this tag, or one below it"),
        "path": translate("In this folder"),
        "section": translate("Under a heading with these words"),
        "prop": translate("With this in the front matter"),
        "lang": translate("In this language"),
        "links": translate("Sections that link to the named note"),
        "linked-by": translate("Notes that the named note links to"),
    }
    return [
        *word_tips,
        *((text, meanings[text.partition(":")[0]]) for text in examples.filters),
        ("task:todo", translate("With open tasks")),
        ("has:table", translate("With a table; also has:code, has:image, has:link")),
        ("after:7d", translate("From the last seven days; before: is the opposite")),
    ]
