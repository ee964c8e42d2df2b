"""Looks up the note that a link names, as Obsidian does.

A path from the root of the vault comes first, then a note in the folder of the linking note, then
the shortest path that ends so, then a title or an alias, and last the number of a Zettelkasten.
Case and file type may be left out. No file is opened.
"""

import posixpath
import re
import unicodedata
from collections.abc import Iterator, Sequence

from notesearch.store.conditions import folded
from notesearch.store.reader import Reader

LONGEST = 1000

_NUMBER = re.compile(r"\d{8,20}(?!\w)")
"""A date and perhaps a time, as the names of notes in a Zettelkasten begin."""


def note_of(
    name: str, source: str, suffixes: Sequence[str], reader: Reader, *, relative: bool = False
) -> str | None:
    """Return the path of the note that a link names; None when there is none.

    Args:
        name: The target of the link without a heading, not percent-encoded.
        source: The note with the link.
        suffixes: File types of notes.
        reader: Reads the index.
        relative: Resolve ``name`` from the folder of ``source`` first, as Markdown links are.
    """
    name = unicodedata.normalize("NFC", name.strip())
    if not name or len(name) > LONGEST or "\0" in name or "\\" in name:
        return None
    folder = posixpath.dirname(source)
    for place in _places(name, folder, relative=relative):
        found = _at(place, suffixes, reader)
        if found:
            return found
    if name.startswith(("/", "./", "../")):
        return None
    return (
        _ending_in(name, folder, suffixes, reader)
        or _entitled(name, reader)
        or note_with_id(name, reader)
    )


def note_with_id(name: str, reader: Reader) -> str | None:
    """Return the one note with the number of a Zettelkasten that ``name`` is or begins with.

    Its file's name begins with the number, or its front matter has it as ``id``.
    """
    name = name.encode("utf-8", "replace").decode()  # no note holds a lone surrogate
    number = _NUMBER.match(name.rpartition("/")[2].removeprefix("§").strip())
    found = reader.labels.notes_with_id(name)
    if not found and number:
        begun = reader.labels.notes_of_file_beginning(number[0])
        found = tuple(
            path for path in begun if not path.rpartition("/")[2][len(number[0]) :][:1].isalnum()
        ) or reader.labels.notes_with_id(number[0])
    return found[0] if len(found) == 1 else None


def _places(name: str, folder: str, *, relative: bool) -> Iterator[str]:
    """Yield the paths that ``name`` may mean, the likeliest first."""
    from_folder = posixpath.normpath(posixpath.join(folder, name))
    if name.startswith("/"):
        yield posixpath.normpath(name.lstrip("/"))
    elif relative or name.startswith(("./", "../")):
        yield from_folder
        yield posixpath.normpath(name)
    else:
        yield posixpath.normpath(name)
        yield from_folder


def _at(place: str, suffixes: Sequence[str], reader: Reader) -> str | None:
    """Return the note at ``place``, spelt so or in another case."""
    paths = {folded(f"/{path}"): path for path in _with_suffixes(place, suffixes)}
    found = [path for path in _candidates(place, suffixes, reader) if folded(f"/{path}") in paths]
    exact = [path for path in found if path in paths.values()]
    return next(iter(exact or found), None)


def _ending_in(name: str, folder: str, suffixes: Sequence[str], reader: Reader) -> str | None:
    ends = tuple(folded(f"/{path}") for path in _with_suffixes(name, suffixes))
    found = [
        path for path in _candidates(name, suffixes, reader) if folded(f"/{path}").endswith(ends)
    ]
    near = [path for path in found if folder and path.startswith(f"{folder}/")]
    return next(iter(near or found), None)


def _candidates(name: str, suffixes: Sequence[str], reader: Reader) -> list[str]:
    names = _with_suffixes(posixpath.basename(name), suffixes)
    return [path for file in names for path in reader.labels.notes_of_file(file)]


def _with_suffixes(path: str, suffixes: Sequence[str]) -> list[str]:
    """Return ``path`` if it has a file type, else ``path`` with each type."""
    typed = path.lower().endswith(tuple(suffix.lower() for suffix in suffixes))
    return [path] if typed else [f"{path}{suffix}" for suffix in suffixes]


def _entitled(name: str, reader: Reader) -> str | None:
    """Return the note with this title or alias; of several, the one with the shortest path."""
    return min(reader.labels.notes_entitled(name), key=lambda path: (len(path), path), default=None)
