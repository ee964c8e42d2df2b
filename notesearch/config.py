"""Settings in a TOML file, and where the program keeps its own files; every front end reads it."""

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import platformdirs

from notesearch.errors import SettingsError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

APP = "notesearch"
BUILTIN_MODEL = "all-MiniLM-L6-v2"
THEMES = ("system", "light", "dark")
_EXPECTED = {"theme": '"system", "light" or "dark"'}


@dataclass(frozen=True, slots=True)
class Paths:
    """The program's own folders; none of them lies inside a vault."""

    config: Path
    data: Path
    cache: Path

    @classmethod
    def choose(cls, home: Path | str | None = None) -> Self:
        """Return ``home``'s sub-folders, else those of ``NOTESEARCH_HOME``, else the platform's."""
        home = home or os.environ.get("NOTESEARCH_HOME")
        if home:
            root = Path(home).expanduser().absolute()
            return cls(root / "config", root / "data", root / "cache")
        return cls(
            Path(platformdirs.user_config_dir(APP, appauthor=False)),
            Path(platformdirs.user_data_dir(APP, appauthor=False)),
            Path(platformdirs.user_cache_dir(APP, appauthor=False)),
        )

    @property
    def settings_file(self) -> Path:
        """The TOML file of the settings."""
        return self.config / "settings.toml"

    @property
    def log_file(self) -> Path:
        """The rotating log."""
        return self.data / "notesearch.log"

    def index_file(self, vault: Path) -> Path:
        """Return the index file of ``vault``: a readable name and a hash of its absolute path."""
        digest = hashlib.sha256(os.fsencode(vault)).hexdigest()[:12]
        stem = "".join(c if c.isalnum() or c in "-_" else "-" for c in vault.name)[:40] or "vault"
        return self.data / "indexes" / f"{stem}-{digest}.sqlite"


def resources() -> Path:
    """Return the folder of models, icons, sample vault: in the wheel or beside the package."""
    package = Path(__file__).resolve().parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can choose.

    Attributes:
        vault: The notes folder used last; empty before the first choice.
        ignore: Patterns, as git's, of folders and files that are not searched; those of a vault's
            own ``.notesearchignore`` and of Obsidian's excluded files come on top.
        suffixes: File types that are notes.
        model: Name or folder of the embedding model.
        theme: ``system``, ``light`` or ``dark``.
        editor: Command with ``{path}`` and ``{line}``; empty opens the system's default editor.
        max_note_bytes: Notes larger than this are listed as unread.
        follow_links: Search also where links in the folder lead, even out of it.
        close_to_tray: Closing the window leaves the program in the tray, where there is one.
        quick_keep_s: Seconds for which quick search keeps its query while it is hidden; 0 keeps
            nothing, -1 keeps it until it is cleared.
        quick_hides: Quick search hides when another window is turned to.
        quick_escape_hides: Escape hides quick search at once, also with a text in it.
    """

    vault: str = ""
    ignore: tuple[str, ...] = (".*", "node_modules")
    suffixes: tuple[str, ...] = (".md", ".markdown")
    model: str = BUILTIN_MODEL
    theme: str = "system"
    editor: str = ""
    max_note_bytes: int = 32 * 1024 * 1024
    follow_links: bool = False
    close_to_tray: bool = False
    quick_keep_s: int = 90
    quick_hides: bool = True
    quick_escape_hides: bool = False

    @classmethod
    def load(cls, paths: Paths) -> Self:
        """Read the settings file; a missing file means the defaults.

        Raises:
            SettingsError: The file is not TOML, or a value has the wrong type.
        """
        try:
            table = tomllib.loads(paths.settings_file.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return cls()
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            message = f"The settings in {paths.settings_file} cannot be read ({error})."
            raise SettingsError(message) from error
        return cls._from_table(table, paths.settings_file)

    @classmethod
    def _from_table(cls, table: Mapping[str, Any], source: Path) -> Self:
        chosen: dict[str, Any] = {}
        defaults = cls()
        for name in (field.name for field in fields(cls)):
            if name not in table:
                continue
            value, default = table[name], getattr(defaults, name)
            if isinstance(value, list) and all(isinstance(item, str) for item in value):
                value = tuple(value)
            if type(value) is not type(default) or not _makes_sense(name, value):
                expected = _EXPECTED.get(name, json.dumps(default))
                raise SettingsError(f"“{name}” in {source} should look like {expected}.")
            chosen[name] = value
        return cls(**chosen)

    def save(self, paths: Paths) -> None:
        """Write the settings, keeping comments and unknown keys of an existing file.

        Raises:
            SettingsError: The file cannot be written; the old one is as it was.
        """
        try:
            self._write(paths)
        except (OSError, UnicodeEncodeError) as error:
            reason = getattr(error, "strerror", None) or "a name in them is not valid Unicode"
            message = f"The settings in {paths.settings_file} cannot be written: {reason}."
            raise SettingsError(message) from error

    def _write(self, paths: Paths) -> None:
        import tomlkit

        paths.config.mkdir(parents=True, exist_ok=True)
        file = paths.settings_file.resolve()  # it may be a link into somebody's dotfiles
        document = _kept_document(paths)
        for name, value in asdict(self).items():
            if document.get(name) != (list(value) if isinstance(value, tuple) else value):
                document[name] = list(value) if isinstance(value, tuple) else value
        draft = file.with_name(f"{file.name}.{os.getpid()}.new")
        try:
            draft.write_text(tomlkit.dumps(document), encoding="utf-8")
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)

    def with_vault(self, vault: Path) -> Self:
        """Return these settings with another notes folder."""
        return replace(self, vault=str(vault))


def _makes_sense(name: str, value: object) -> bool:
    match name, value:
        case "theme", str():
            return value in THEMES
        case "suffixes", tuple():
            return bool(value) and all(len(suffix) > 1 and suffix[0] == "." for suffix in value)
        case "max_note_bytes", int():
            return value > 0
    return True


def _kept_document(paths: Paths) -> "TOMLDocument":
    """Return the settings file as it is, to be changed; one with mistakes is kept beside too."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = paths.settings_file
    try:
        Settings.load(paths)
        return tomlkit.parse(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return tomlkit.document()
    except (SettingsError, TOMLKitError):
        file.with_name(f"{file.name}.broken").write_bytes(file.read_bytes())
    try:
        return tomlkit.parse(file.read_text(encoding="utf-8-sig"))
    except (TOMLKitError, UnicodeDecodeError):
        return tomlkit.document()
