"""Where a section is for Obsidian: its vault, the link to a heading, the link to a line."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from notesearch.gui.system import json_file

_NO_ANCHOR = frozenset("#|^:[]%\\")
_PLUGIN = "obsidian-advanced-uri"


@dataclass(frozen=True, slots=True)
class NoteLocation:
    """What is to be opened.

    Attributes:
        file: The note.
        folder: The vault that is searched, which may be a part of one of Obsidian's, or hold some.
        line: 1-based.
        headings: Those above the section and its own; empty for text before the first.
    """

    file: Path
    folder: Path
    line: int = 1
    headings: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The section's own heading; empty for text before the first."""
        return self.headings[-1] if self.headings else ""


def vault_of(file: Path) -> Path | None:
    """Return Obsidian's vault that ``file`` is in, the innermost; None where it is in none."""
    return next((folder for folder in file.parents if _is_folder(folder / ".obsidian")), None)


def knows_lines(vault: Path) -> bool:
    """Whether the plugin that opens a note at a line is installed in ``vault``, and not off."""
    if not _is_folder(vault / ".obsidian" / "plugins" / _PLUGIN):
        return False
    enabled = json_file.read(vault / ".obsidian" / "community-plugins.json")
    return not isinstance(enabled, list) or _PLUGIN in enabled


def anchors(headings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the headings that a link can name: down to the first with a sign of links in it."""
    found = list[str]()
    for heading in headings:
        if _NO_ANCHOR.intersection(heading) or not heading.strip():
            break
        found.append(heading)
    return tuple(found)


def uri(place: NoteLocation, vault: Path) -> str:
    """Return what Obsidian opens at the line, where it can, else at the nearest heading."""
    name, note = _name(vault), place.file.relative_to(vault)
    if knows_lines(vault):
        path = _encoded(note.as_posix())
        return f"obsidian://adv-uri?vault={name}&filepath={path}&line={place.line}&column=1"
    return heading_uri(place, vault)


def heading_uri(place: NoteLocation, vault: Path) -> str:
    """Return the link to the nearest heading that can be named."""
    note = place.file.relative_to(vault)
    if note.suffix == ".md":
        note = note.with_suffix("")
    target = "#".join((note.as_posix(), *anchors(place.headings)))
    return f"obsidian://open?vault={_name(vault)}&file={_encoded(target)}"


def wikilink(place: NoteLocation) -> str:
    """Return the link to the section as notes have it."""
    return f"[[{'#'.join((place.file.stem, *anchors(place.headings)))}]]"


def listed_vaults() -> dict[str, str]:
    """Return the folders that Obsidian knows as vaults, with their ids."""
    table = json_file.read(_config() / "obsidian.json")
    vaults = table.get("vaults") if isinstance(table, dict) else None
    found = vaults.items() if isinstance(vaults, dict) else ()
    return {
        str(entry["path"]): str(name)
        for name, entry in found
        if isinstance(entry, dict) and isinstance(entry.get("path"), str)
    }


def _is_folder(path: Path) -> bool:
    """Say no, as ``Path`` does not yet, where a folder on the way is closed to us."""
    return os.path.isdir(path)  # noqa: PTH112


def _name(vault: Path) -> str:
    """Return the vault's id where Obsidian lists it: two vaults may have one name."""
    listed = {os.path.normcase(path): name for path, name in listed_vaults().items()}
    return _encoded(listed.get(os.path.normcase(vault), vault.name))


def _encoded(text: str) -> str:
    """Return ``text`` with all signs encoded; folders may have names that are no Unicode."""
    return quote(os.fsencode(text), safe="")


def _config() -> Path:
    """Return the folder in which Obsidian keeps what it knows."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", "")) / "obsidian"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "obsidian"
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "obsidian"
