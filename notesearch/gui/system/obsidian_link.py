"""Links that open a section in Obsidian, at its heading or at its line."""

import os
import sys
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from notesearch import private_files

_NO_ANCHOR = frozenset("#|^:[]%\\")
_PLUGIN = "obsidian-advanced-uri"


@dataclass(frozen=True, slots=True)
class NoteLocation:
    """A section in a file.

    Attributes:
        file: The path of the note.
        folder: The notes folder, which may be inside an Obsidian vault or contain vaults.
        line, column: Counted from 1.
        headings: The headings down to the section; empty for text before the first heading.
    """

    file: Path
    folder: Path
    line: int = 1
    headings: tuple[str, ...] = ()
    column: int = 1

    @property
    def heading(self) -> str:
        """The section's own heading; empty for text before the first heading."""
        return self.headings[-1] if self.headings else ""


def vault_of(file: Path) -> Path | None:
    """Return the innermost Obsidian vault around ``file``; None if there is none."""
    return next((folder for folder in file.parents if _is_folder(folder / ".obsidian")), None)


def knows_lines(vault: Path) -> bool:
    """Return whether the Advanced URI plugin, which opens lines, is enabled in ``vault``.

    If Obsidian's list of enabled plugins cannot be read, the plugin need only be installed.
    """
    if not _is_folder(vault / ".obsidian" / "plugins" / _PLUGIN):
        return False
    enabled = private_files.read_json(vault / ".obsidian" / "community-plugins.json")
    return not isinstance(enabled, list) or _PLUGIN in enabled


def anchors(headings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the headings before the first one that is empty or contains link syntax."""
    return tuple(
        takewhile(lambda text: text.strip() and not _NO_ANCHOR.intersection(text), headings)
    )


def uri(location: NoteLocation, vault: Path) -> str:
    """Return a link to the line if Obsidian can open lines in ``vault``, else to the heading."""
    name = _name(vault)
    note = location.file.relative_to(vault)
    if knows_lines(vault):
        path = _encoded(note.as_posix())
        return f"obsidian://adv-uri?vault={name}&filepath={path}&line={location.line}&column={location.column}"
    return heading_uri(location, vault)


def heading_uri(location: NoteLocation, vault: Path) -> str:
    """Return a link to the deepest heading that a link can contain, or to the note."""
    note = location.file.relative_to(vault)
    if note.suffix == ".md":
        note = note.with_suffix("")
    target = "#".join((note.as_posix(), *anchors(location.headings)))
    return f"obsidian://open?vault={_name(vault)}&file={_encoded(target)}"


def new_uri(file: Path, vault: Path) -> str:
    """Return a link with which Obsidian creates the note ``file``."""
    note = file.relative_to(vault).with_suffix("").as_posix()
    return f"obsidian://new?vault={_name(vault)}&file={_encoded(note)}"


def wikilink(location: NoteLocation) -> str:
    """Return a wikilink ``[[Note#Heading]]`` to the deepest heading that a link can contain."""
    return f"[[{'#'.join((location.file.stem, *anchors(location.headings)))}]]"


def listed_vaults(file: Path) -> dict[str, dict[str, Any]]:
    """Return what Obsidian records in ``file`` about each vault, such as its path, by its ID."""
    table = private_files.read_json(file)
    vaults = table.get("vaults") if isinstance(table, dict) else None
    entries = vaults.items() if isinstance(vaults, dict) else ()
    return {
        str(name): entry
        for name, entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("path"), str)
    }


def vault_lists(home: Path) -> list[Path]:
    """Return the files in which Obsidian may list its vaults, the usual one first."""
    if sys.platform == "darwin":
        return [home / "Library/Application Support/obsidian/obsidian.json"]
    if sys.platform == "win32":
        return [Path(os.environ.get("APPDATA", home)) / "obsidian" / "obsidian.json"]
    configured = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return [
        configured / "obsidian/obsidian.json",
        home / ".var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json",
        home / "snap/obsidian/current/.config/obsidian/obsidian.json",
    ]


def _is_folder(path: Path) -> bool:
    """Return whether ``path`` is a folder; False if inaccessible, where ``Path.is_dir`` raises."""
    return os.path.isdir(path)  # noqa: PTH112


def _name(vault: Path) -> str:
    """Return the vault's ID if Obsidian lists it, else its name, which may not be unique."""
    lists = map(listed_vaults, vault_lists(Path.home()))
    listed = {os.path.normcase(v["path"]): name for vaults in lists for name, v in vaults.items()}
    return _encoded(listed.get(os.path.normcase(vault), vault.name))


def _encoded(text: str) -> str:
    """Return ``text`` percent-encoded. It may contain names that are not valid Unicode."""
    return quote(os.fsencode(text), safe="")
