"""Settings in a TOML file, and where the program keeps its own files; every front end reads it."""

import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

import platformdirs

from notesearch.errors import SettingsError

APP = "notesearch"
BUILTIN_MODEL = "all-MiniLM-L6-v2"


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
        ignore: Folder or file name patterns that are not searched, besides hidden ones.
        suffixes: File types that are notes.
        model: Name or folder of the embedding model.
        theme: ``system``, ``light`` or ``dark``.
        editor: Command with ``{path}`` and ``{line}``; empty opens the system's default editor.
        max_note_bytes: Notes larger than this are listed as unread.
    """

    vault: str = ""
    ignore: tuple[str, ...] = (".*", "node_modules")
    suffixes: tuple[str, ...] = (".md", ".markdown")
    model: str = BUILTIN_MODEL
    theme: str = "system"
    editor: str = ""
    max_note_bytes: int = 32 * 1024 * 1024

    @classmethod
    def load(cls, paths: Paths) -> Self:
        """Read the settings file; a missing file means the defaults.

        Raises:
            SettingsError: The file is not TOML, or a value has the wrong type.
        """
        try:
            table = tomllib.loads(paths.settings_file.read_text(encoding="utf-8"))
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
            if isinstance(default, tuple) and isinstance(value, list):
                value = tuple(str(item) for item in value)
            if type(value) is not type(default):
                raise SettingsError(f"“{name}” in {source} should look like {default!r}.")
            chosen[name] = value
        return cls(**chosen)

    def save(self, paths: Paths) -> None:
        """Write the settings, keeping comments and unknown keys of an existing file."""
        import tomlkit

        paths.config.mkdir(parents=True, exist_ok=True)
        try:
            document = tomlkit.parse(paths.settings_file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            document = tomlkit.document()
        for name, value in asdict(self).items():
            document[name] = list(value) if isinstance(value, tuple) else value
        draft = paths.settings_file.with_suffix(".new")
        draft.write_text(tomlkit.dumps(document), encoding="utf-8")
        draft.replace(paths.settings_file)

    def with_vault(self, vault: Path) -> Self:
        """Return these settings with another notes folder."""
        return replace(self, vault=str(vault))
