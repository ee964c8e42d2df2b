"""Resolves the links, embeds and pictures of a note in the vault, for its preview.

A link names a note as in Obsidian. A path from the root of the vault comes first, then a note in
the folder of the linking note, then the shortest path that ends so, then a title or an alias, and
last the number of a Zettelkasten. Case and file type may be left out. No file is opened.
"""

import contextlib
import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from notesearch.errors import IndexFileError, NoteMissingError, NotesearchError
from notesearch.files import SMALL, read_inside
from notesearch.index.attachments import Attachments
from notesearch.index.ignore_rules import keeps_line_breaks
from notesearch.index.vault_index import VaultIndex
from notesearch.markdown.bounds import Check, never_cancel
from notesearch.markdown.render.mkdocs import MAX_CONFIG, MkDocs, extensions
from notesearch.markdown.sections import section_texts
from notesearch.markdown.sections.front_matter import split
from notesearch.markdown.sections.inline_text import BLOCK_REFERENCE
from notesearch.markdown.sections.link_targets import note_targets
from notesearch.markdown.sections.note_parser import normalise
from notesearch.notes import Property
from notesearch.results import NoteLink, SectionText
from notesearch.store.conditions import folded
from notesearch.store.reader import Reader

if TYPE_CHECKING:
    from notesearch.markdown.render.link_resolver import NoteContext

_MAX_SIGNS = 6
"""How many ``#`` of a link may belong to a note's name."""

_LONGEST = 1000

_NUMBER = re.compile(r"\d{8,20}(?!\w)")
"""A date and perhaps a time, as the names of notes in a Zettelkasten begin."""


@dataclass(frozen=True, slots=True)
class VaultLinks:
    """The ``NoteContext`` of the note at ``source``.

    Attributes:
        index: The vault's index.
        text: Returns the current text of a note.
        attachments: The vault's pictures.
        mkdocs: Renders notes below an ``mkdocs.yml``, or all notes if the obsidian_settings say so.
        source: The path of the note.
    """

    index: VaultIndex
    text: Callable[[str], str]
    attachments: Attachments
    mkdocs: MkDocs
    source: str

    def link(self, target: str, *, relative: bool = False) -> str | None:
        """Return ``/path#heading``; None if the link is broken.

        Without an index, the target is returned unchanged.
        """
        try:
            path, sub = self._named(target, relative=relative)
        except IndexFileError:
            return target
        return f"/{path}{'#' if sub else ''}{sub}" if path else None

    def embedded(self, target: str) -> "tuple[SectionText, NoteContext] | None":
        """Return the text that ``![[target]]`` shows, with the context of its note."""
        try:
            path, sub = self._named(target)
            is_text = path is not None and self.index.notes.may_link(path)
            shown = section_texts.embedded(path, self.text(path), sub) if path and is_text else None
        except NotesearchError:
            return None
        if path is None or shown is None:
            return None
        return shown, VaultLinks(self.index, self.text, self.attachments, self.mkdocs, path)

    def picture(self, target: str) -> str | None:
        """Return the path of a picture in the vault; None if there is none."""
        return self.attachments.find(target, self.source)

    def properties(self) -> tuple[Property, ...]:
        """Return the front matter of the note, one entry for each value."""
        return split(normalise(self.text(self.source))).values

    def html(self, source: str, first_line: int, check: Check = never_cancel) -> str | None:
        """Return ``source`` as unsafe HTML by MkDocs, or with Obsidian's line breaks; else None."""
        if not self._is_on_site():
            if not keeps_line_breaks(self.index.vault):
                return None
            from notesearch.markdown.render import default_dialect

            return default_dialect.to_html(source, first_line, keeps_lines=True, check=check)
        return self.mkdocs.to_html(source, first_line, extensions(self._mkdocs_config() or ""))

    def ready(self, seconds: float) -> bool:
        """Wait up to ``seconds`` for the MkDocs dialect if the note needs it."""
        return not self._is_on_site() or self.mkdocs.ready(seconds)

    def _is_on_site(self) -> bool:
        dialect = self.index.settings.dialect
        return dialect == "mkdocs" or (dialect == "auto" and self._mkdocs_config() is not None)

    def _mkdocs_config(self) -> str | None:
        """Return the text of the nearest ``mkdocs.yml`` above the note and inside the vault."""
        vault = self.index.vault
        for folder in PurePosixPath(self.source).parents:
            for name in ("mkdocs.yml", "mkdocs.yaml"):
                file = vault / folder / name
                with contextlib.suppress(OSError, ValueError):
                    inside = file.resolve(strict=True).relative_to(vault).as_posix()
                    return read_inside(vault, inside, SMALL)[:MAX_CONFIG].decode("utf-8", "replace")
        return None

    def place(self, link: str) -> tuple[str, int]:
        """Return the path and line that ``Note#Heading`` leads to.

        Raises:
            NoteMissingError: The link is broken.
        """
        path, sub = self._named(link)
        if path is None:
            raise NoteMissingError("note_link_unknown", name=link.partition("#")[0])
        return path, section_texts.linked_line(path, self.text(path), sub) if sub else 1

    def outgoing(self) -> Iterator[NoteLink]:
        """Yield the links of the note to notes, in order; raises as reading it does."""
        resolved: dict[tuple[str, bool], str | None] = {}
        for line, written, relative in note_targets(normalise(self.text(self.source))):
            key = written, relative
            if key not in resolved:
                resolved[key] = self._named(written, relative=relative)[0]
            if resolved[key] != self.source:
                yield NoteLink(self.source, line, resolved[key], written)

    def incoming(self, sources: Sequence[str]) -> Iterator[NoteLink]:
        """Yield the links to the note from the notes at ``sources``.

        Notes that cannot be read are left out.
        """
        for source in sources:
            other = VaultLinks(self.index, self.text, self.attachments, self.mkdocs, source)
            with contextlib.suppress(NotesearchError):
                yield from (link for link in other.outgoing() if link.target == self.source)

    def _named(self, target: str, *, relative: bool = False) -> tuple[str | None, str]:
        """Return the path of the note and the place in it that a link names.

        A note's name may hold ``#``, too: the longest name that a note has counts. Logseq's
        ``((id))`` names a block.
        """
        block = BLOCK_REFERENCE.fullmatch(target)
        if block:
            return self.note(block[1]), f"^{block[1]}"
        signs = [at for at, character in enumerate(target) if character == "#"][:_MAX_SIGNS]
        for end in (len(target), *reversed(signs)):
            path = self.note(target[:end], relative=relative)
            if path:
                return path, target[end + 1 :]
        return None, ""

    def note(self, name: str, *, relative: bool = False) -> str | None:
        """Return the path of the note called ``name``; an empty name means this note."""
        if not name.strip():
            return self.source
        with self.index.reading() as reader:
            suffixes = self.index.settings.searched_suffixes
            return note_of(name, self.source, suffixes, reader, relative=relative)


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
    if not name or len(name) > _LONGEST or "\0" in name or "\\" in name:
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
