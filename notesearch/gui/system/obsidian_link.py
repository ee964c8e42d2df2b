"""Links that open a section in Obsidian, at its heading or at its line."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from notesearch import json_file

_NO_ANCHOR = frozenset("#|^:[]%\\")
_PLUGIN = "obsidian-advanced-uri"


@dataclass(frozen=True, slots=True)
class NoteLocation:
    """A section in a file.

    Attributes:
        file: The note.
        folder: The notes folder, which may be inside an Obsidian vault or contain some.
        line, column: 1-based.
        headings: The section's heading path; empty for text before the first heading.
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
    """Return whether the Advanced URI plugin, which opens lines, is enabled in ``vault``."""
    if not _is_folder(vault / ".obsidian" / "plugins" / _PLUGIN):
        return False
    enabled = json_file.read(vault / ".obsidian" / "community-plugins.json")
    return not isinstance(enabled, list) or _PLUGIN in enabled


def anchors(headings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the headings a link can contain, up to the first with link syntax in it."""
    found = list[str]()
    for heading in headings:
        if _NO_ANCHOR.intersection(heading) or not heading.strip():
            break
        found.append(heading)
    return tuple(found)


def uri(place: NoteLocation, vault: Path) -> str:
    """Return a link to the line if the vault supports that, otherwise to the nearest heading."""
    name, note = _name(vault), place.file.relative_to(vault)
    if knows_lines(vault):
        path = _encoded(note.as_posix())
        return f"obsidian://adv-uri?vault={name}&filepath={path}&line={place.line}&column={place.column}"
    return heading_uri(place, vault)


def heading_uri(place: NoteLocation, vault: Path) -> str:
    """Return a link to the nearest heading that a link can contain."""
    note = place.file.relative_to(vault)
    if note.suffix == ".md":
        note = note.with_suffix("")
    target = "#".join((note.as_posix(), *anchors(place.headings)))
    return f"obsidian://open?vault={_name(vault)}&file={_encoded(target)}"


def new_uri(file: Path, vault: Path) -> str:
    """Return a link that lets Obsidian begin the note ``file``."""
    note = file.relative_to(vault).with_suffix("").as_posix()
    return f"obsidian://new?vault={_name(vault)}&file={_encoded(note)}"


def wikilink(place: NoteLocation) -> str:
    """Return a wikilink to the section."""
    return f"[[{'#'.join((place.file.stem, *anchors(place.headings)))}]]"


def listed_vaults(file: Path) -> dict[str, dict[str, Any]]:
    """Return the vaults that Obsidian lists in ``file``: what it records about each, by its ID."""
    table = json_file.read(file)
    vaults = table.get("vaults") if isinstance(table, dict) else None
    found = vaults.items() if isinstance(vaults, dict) else ()
    return {
        str(name): entry
        for name, entry in found
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
    """Return False for an inaccessible folder, where ``Path.is_dir`` raises."""
    return os.path.isdir(path)  # noqa: PTH112


def _name(vault: Path) -> str:
    """Return the vault's ID if Obsidian lists it, because two vaults may have the same name."""
    vaults = listed_vaults(vault_lists(Path.home())[0])
    listed = {os.path.normcase(entry["path"]): name for name, entry in vaults.items()}
    return _encoded(listed.get(os.path.normcase(vault), vault.name))


def _encoded(text: str) -> str:
    """Percent-encode every character; folder names need not be valid Unicode."""
    return quote(os.fsencode(text), safe="")
