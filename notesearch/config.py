"""The settings, the file that holds them, and the paths of the program's own files."""

import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import platformdirs

from notesearch import private_files
from notesearch.errors import SettingsError, VaultMissingError
from notesearch.files import expanded, parse_toml, read_bytes, read_text, real
from notesearch.messages import Sentence
from notesearch.notes import OVERLAP_WORDS

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import AoT

APP = "notesearch"
BUILTIN_MODEL = "all-MiniLM-L6-v2"

BUILTIN_FINGERPRINT = "all-MiniLM-L6-v2-14e3530e8a5fcdac8feab5cfa66429a8"
"""The fingerprint of the built-in model, with which the search's weights and limits were chosen."""

BUILTIN_DIMENSIONS = 384
PAIR_PREFIX = f"{BUILTIN_FINGERPRINT}+"
"""The beginning of the fingerprint of two models side by side.

The built-in one reads the English notes, the other one all other notes. A vector of the built-in
model has zeros after the first ``BUILTIN_DIMENSIONS`` numbers; a vector of the other model has
zeros before that.
"""

OTHER_SUFFIXES = (
    *(".pdf", ".canvas", ".excalidraw", ".org", ".txt", ".mdx", ".qmd", ".rmd"),
    *(".adoc", ".asciidoc", ".wiki", ".mdown", ".mkd"),
)
"""Suffixes of files other than Markdown, which are searched with ``other_files``."""

PROGRAM_SUFFIXES = (".pdf", ".canvas", ".excalidraw")
"""Suffixes of files that open in a program of their own, not in a text editor."""

CHOICES = {
    "theme": ("system", "light", "dark"),
    "density": ("comfortable", "compact"),
    "copied_link": ("wiki", "obsidian"),
    "dialect": ("auto", "default", "mkdocs"),
    "quick_screen": ("pointer", "primary"),
    "language": (
        *("auto", "ar", "ca", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi"),
        *("hu", "id", "it", "ja", "nb", "ne", "nl", "pl", "pt", "ro", "ru", "sr", "sv", "tr", "uk"),
        *("vi", "zh"),
    ),
}
BOUNDS = {
    "max_note_bytes": (1, 2**40),
    "results": (10, 1000),
    "passage_tokens": (0, 8192),
    "passage_overlap": (0, 500),
    "text_size": (50, 300),
    "quick_keep_s": (-1, 86_400),
    "reranker_ms": (50, 10_000),
}


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of the program's own files; none is inside a vault."""

    config: Path
    data: Path

    @classmethod
    def choose(cls, home: Path | str | None = None) -> Self:
        """Return the folders below ``home``, else ``NOTESEARCH_HOME``, else the platform's own."""
        home = home or os.environ.get("NOTESEARCH_HOME")
        if home:
            root = expanded(home).absolute()
            return cls(root / "config", root / "data")
        return cls(
            Path(platformdirs.user_config_dir(APP, appauthor=False)),
            Path(platformdirs.user_data_dir(APP, appauthor=False)),
        )

    @property
    def settings_file(self) -> Path:
        """The settings file."""
        return self.config / "settings.toml"

    @property
    def log_file(self) -> Path:
        """The log file."""
        return self.data / "notesearch.log"

    @property
    def token_file(self) -> Path:
        """The file with the token of the HTTP servers."""
        return self.data / "token"

    @property
    def models(self) -> Path:
        """The folder of installed models."""
        return self.data / "models"

    @property
    def model_folders(self) -> tuple[Path, Path]:
        """The folders in which a model is looked for by its name."""
        return resources() / "models", self.models

    @property
    def devices_file(self) -> Path:
        """The file that remembers which device runs each model fastest."""
        return self.data / "devices.json"

    @property
    def indexes(self) -> Path:
        """The folder of the index files."""
        return self.data / "indexes"

    @property
    def openings(self) -> Path:
        """The folder of the files that record which sections were opened for a query."""
        return self.data / "openings"

    @property
    def recents(self) -> Path:
        """The folder of the files that record which sections were opened last."""
        return self.data / "recents"

    def tighten(self) -> None:
        """Remove the permission of other users to read the program's own folders and files."""
        for folder in (self.config, self.data):
            private_files.tighten(folder, deep=False)  # it may contain folders of other programs
        for folder in (self.indexes, self.models, self.openings, self.recents):
            private_files.tighten(folder)

    def openings_file(self, vault: Path) -> Path:
        """Return the file that records which sections of ``vault`` were opened."""
        return self.openings / f"{self.index_file(vault).stem}.json"

    def recents_file(self, vault: Path) -> Path:
        """Return the file that records which sections of ``vault`` were opened last."""
        return self.recents / f"{self.index_file(vault).stem}.json"

    def index_file(self, vault: Path) -> Path:
        """Return the index file of ``vault``; its name contains a hash of the vault's path."""
        import hashlib  # slow to import, as it loads OpenSSL

        digest = hashlib.sha256(os.fsencode(vault)).hexdigest()[:12]
        stem = "".join(c if c.isalnum() or c in "-_" else "-" for c in vault.name)[:40] or "vault"
        return self.indexes / f"{stem}-{digest}.sqlite"


def resources() -> Path:
    """Return the folder of the built-in model, the icons and the sample notes."""
    package = Path(__file__).resolve().parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


@dataclass(frozen=True, slots=True)
class Vault:
    """A notes folder in the settings; ``name`` is empty if the user has not chosen a name."""

    path: str
    name: str = ""

    @property
    def label(self) -> str:
        """The name to show: the one that the user chose, else the name of the folder."""
        return self.name or Path(self.path).name or self.path


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the user; docs/settings.md says what each one does."""

    vault: str = ""
    vaults: tuple[Vault, ...] = ()
    all_vaults: bool = False
    ignore: tuple[str, ...] = (".*", "node_modules")
    suffixes: tuple[str, ...] = (".md", ".markdown")
    other_files: bool = True
    max_note_bytes: int = 32_000_000
    follow_links: bool = False
    code_blocks: bool = True
    language: str = "auto"
    paused: bool = False
    meaning: bool = True
    model: str = BUILTIN_MODEL
    passage_tokens: int = 0
    passage_overlap: int = OVERLAP_WORDS
    reranker: str = ""
    reranker_ms: int = 300
    results: int = 200
    newest_first: bool = False
    learning: bool = True
    prefer_recent: bool = False
    preferred_folders: tuple[str, ...] = ()
    related_tag: bool = True
    theme: str = "system"
    text_size: int = 100
    density: str = "comfortable"
    snippets: bool = True
    preview_font: str = ""
    dialect: str = "auto"
    editor: str = ""
    second_editor: str = ""
    copied_link: str = "wiki"
    close_to_tray: bool = False
    asked_to_stay: bool = False
    quick_shortcut: str = ""
    quick_keep_s: int = 90
    quick_hides: bool = True
    quick_escape_hides: bool = False
    quick_screen: str = "pointer"

    @classmethod
    def load(cls, paths: Paths) -> "Settings":
        """Read the settings file; without a file, return the defaults.

        Raises:
            SettingsError: The file is not TOML, or a value is invalid.
        """
        file = cls.read(paths)
        for problem in file.problems.values():
            raise SettingsError(problem)
        return file.settings

    @classmethod
    def read(cls, paths: Paths) -> "SettingsFound":
        """Return the settings in the file, with defaults for invalid values, and their problems."""
        try:
            table = _read_toml(paths.settings_file)
        except SettingsError as error:
            return SettingsFound(cls(), {"": error.sentence})
        chosen = dict[str, Any]()
        problems = dict[str, Sentence]()
        for setting in fields(cls):
            name = setting.name
            if name not in table:
                continue
            value = _valid(name, table[name])
            if value is None:
                problems[name] = _invalid(name, paths.settings_file)
            else:
                chosen[name] = value
        return SettingsFound(cls(**chosen), problems, tuple(_remarks(table, paths.settings_file)))

    def save(self, paths: Paths) -> None:
        """Write all settings; comments and unknown keys in the file stay.

        Raises:
            SettingsError: The file cannot be written; it has not changed.
        """
        self.write(paths, {setting.name for setting in fields(self)})

    def write(self, paths: Paths, names: Iterable[str]) -> None:
        """Write only the settings called ``names``; everything else in the file stays.

        Raises:
            SettingsError: The file cannot be written; it has not changed.
        """
        table = asdict(self)
        problems = Settings.read(paths).problems
        values = {name: table[name] for name in names}
        _write_values(paths.settings_file, values, keep=bool(problems.keys() & values.keys()))

    @property
    def searched_suffixes(self) -> tuple[str, ...]:
        """The suffixes of all files that are searched; the suffixes of notes come first."""
        return (*self.suffixes, *OTHER_SUFFIXES) if self.other_files else self.suffixes

    @property
    def listed(self) -> tuple[Vault, ...]:
        """The list of notes folders, including the one used last."""
        if not self.vault or any(vault.path == self.vault for vault in self.vaults):
            return self.vaults
        return (*self.vaults, Vault(self.vault))

    @property
    def joined(self) -> dict[str, Path]:
        """The folders that a window searches at once, by name; empty if it searches only one.

        No name contains a slash, so that each can be the first part of a path.
        """
        if not self.all_vaults or len(self.listed) < 2:
            return {}
        return {name.replace("/", "∕"): folder for name, folder in self.folders.items()}

    @property
    def names(self) -> dict[str, str]:
        """The name of each folder in the list by its path; no two names are equal."""
        names = vault_names((Path(vault.path) for vault in self.listed), self)
        return {vault.path: names[Path(vault.path)] for vault in self.listed}

    @property
    def folders(self) -> dict[str, Path]:
        """The folders in the list by name."""
        return {name: Path(path) for path, name in self.names.items()}

    def folder(self, name: str) -> Path | None:
        """Return the folder of the listed vault called ``name``, ignoring case; None if none is."""
        folders = ((own.casefold(), folder) for own, folder in self.folders.items())
        return next((folder for own, folder in folders if own == name.casefold()), None)

    def with_vault(self, vault: Path) -> Self:
        """Return these settings with ``vault`` as the notes folder used last, and in the list."""
        before = replace(self, vaults=self.listed)
        chosen = replace(before, vault=str(vault), all_vaults=False)
        return replace(chosen, vaults=chosen.listed)

    def without_vault(self, path: str) -> Self:
        """Return these settings without the vault at ``path``.

        If it was the one used last, the first remaining vault takes its place.
        """
        left = tuple(vault for vault in self.listed if vault.path != path)
        current = self.vault if self.vault != path else next((vault.path for vault in left), "")
        return replace(self, vault=current, vaults=left)

    def with_name(self, path: str, name: str) -> Self:
        """Return these settings with the name ``name`` for the vault at ``path``."""
        named = Vault(path, name)
        return replace(
            self, vaults=tuple(named if vault.path == path else vault for vault in self.listed)
        )


def require_folder(vault: Path) -> None:
    """Make sure that the notes folder can be opened.

    Raises:
        VaultMissingError: It does not exist, is a file, or cannot be listed or entered.
    """
    try:
        os.scandir(f"{vault}/.").close()
    except (FileNotFoundError, NotADirectoryError) as error:
        code = "vault_is_file" if vault.exists() else "vault_missing"
        raise VaultMissingError(code, vault=str(vault)) from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # no folder can have this name
            raise VaultMissingError("vault_missing", vault=str(vault)) from error
        reason = error.strerror or str(error)
        raise VaultMissingError("vault_unopenable", vault=str(vault), reason=reason) from error


def vault_names(folders: Iterable[Path], settings: Settings) -> dict[Path, str]:
    """Return a different name for each of ``folders``, if possible the one in the settings.

    A name is valid Unicode, because servers send it to their clients.
    """
    given = {Path(vault.path): vault.label for vault in settings.listed}
    folders = tuple(folders)
    if not given.keys() >= {*folders}:  # the list may have another path to a folder: a link, or ~
        given = {real(path): label for path, label in given.items()} | given
    names: dict[Path, str] = {}
    taken: set[str] = set()
    for folder in folders:
        label = given.get(folder) or folder.name or str(folder)
        choices = [
            choice.encode("utf-8", "replace").decode()
            for choice in (label, f"{label} ({folder.parent.name})", str(folder))
        ]
        name = next(c for c in choices if c.casefold() not in taken or c == choices[-1])
        taken.add(name.casefold())
        names[folder] = name
    return names


@dataclass(frozen=True, slots=True)
class SettingsFound:
    """The content of a settings file.

    Attributes:
        settings: The settings, with defaults for missing and invalid values.
        problems: The problem of each invalid setting by the setting's name. A problem of the whole
            file has an empty name.
        remarks: A sentence about each key that is not a setting.
    """

    settings: Settings
    problems: Mapping[str, Sentence] = field(default_factory=dict)
    remarks: tuple[Sentence, ...] = ()


_DEFAULTS = Settings()


def _valid(name: str, value: Any) -> Any:  # noqa: ANN401 - each setting has its own type
    """Return the TOML ``value`` in the type of the setting ``name``; None if it is invalid."""
    default = getattr(_DEFAULTS, name)
    if name == "vaults":
        return _vaults(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = tuple(value)
    if type(value) is not type(default) or _has_nul(value):
        return None
    if name in CHOICES and value not in CHOICES[name]:
        return None
    if name in BOUNDS and not BOUNDS[name][0] <= value <= BOUNDS[name][1]:
        return None
    if name == "suffixes":
        is_valid = value and all(len(suffix) > 1 and suffix[0] == "." for suffix in value)
        return tuple(map(str.lower, value)) if is_valid else None
    if name == "vault" and value:
        return str(expanded(value))
    if name == "model":
        return value.strip() or None
    return value


def _has_nul(value: object) -> bool:
    texts = value if isinstance(value, tuple) else (value,)
    return any(isinstance(text, str) and "\0" in text for text in texts)


def _vaults(value: object) -> tuple[Vault, ...] | None:
    if not isinstance(value, list):
        return None
    vaults = dict[str, Vault]()
    for table in value:
        match table:
            case {"path": str(path)} if _has_nul(path):
                return None
            case {"path": str(path), "name": str(name)} if path:
                vault = Vault(str(expanded(path)), name)
            case {"path": str(path)} if path and "name" not in table:
                vault = Vault(str(expanded(path)))
            case _:
                return None
        vaults.setdefault(vault.path, vault)
    return tuple(vaults.values())


def _remarks(table: Mapping[str, Any], file: Path) -> Iterator[Sentence]:
    names = [setting.name for setting in fields(Settings)]
    for key in (key for key in table if key not in names):
        yield _unknown(key, names, file)
    vaults = table.get("vaults")
    listed = vaults if isinstance(vaults, list) else ()
    for key in dict.fromkeys(chain(*(vault for vault in listed if isinstance(vault, dict)))):
        if key in names:
            yield Sentence("setting_below_vaults", name=key, file=str(file))
        elif key not in ("path", "name"):
            yield _unknown(key, ["path", "name", *names], file)


def _unknown(key: str, names: Sequence[str], file: Path) -> Sentence:
    import difflib  # seldom needed

    near = difflib.get_close_matches(re.sub(r"[\s-]+", "_", key.lower()), names, 1)
    if near:
        return Sentence("setting_unknown_near", name=key, file=str(file), near=near[0])
    return Sentence("setting_unknown", name=key, file=str(file))


def _invalid(name: str, file: Path) -> Sentence:
    invalid = partial(Sentence, name=name, file=str(file))
    if name in CHOICES:
        *words, last = map(json.dumps, CHOICES[name])
        return invalid("setting_not_a_choice", some=", ".join(words), other=last)
    example = json.dumps(getattr(_DEFAULTS, name))
    if name in BOUNDS:
        least, most = map(str, BOUNDS[name])
        return invalid("setting_out_of_bounds", example=example, least=least, most=most)
    if name == "vaults":
        example = '[{path = "/home/me/notes", name = "Notes"}]'
    return invalid("setting_invalid", example=example)


# The settings file: single values are written, so that the rest of it stays

_Tables = list[dict[str, str]]

_LARGEST = 1 << 17
"""The maximum number of bytes of a settings file, enough for about a thousand notes folders."""


def _read_toml(file: Path) -> dict[str, Any]:
    """Return the table in the TOML file ``file``; empty if there is no file.

    Raises:
        SettingsError: The file cannot be read, or is not TOML.
    """
    try:
        return parse_toml(read_text(file, _LARGEST))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        reason = "not UTF-8"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise SettingsError("settings_unreadable", file=str(file), reason=reason)


def _write_values(file: Path, values: Mapping[str, object], *, keep: bool = False) -> None:
    """Set ``values`` in the TOML file ``file``; everything else in it stays, with its comments.

    A file that is not TOML is replaced, and its old content is saved as ``FILE.broken``. With
    ``keep``, the old content is saved even if it is TOML.

    Raises:
        SettingsError: The file cannot be written; it has not changed.
    """
    try:
        _write(file, values, keep=keep)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or "a name in them is not valid Unicode"
        raise SettingsError("settings_unwritable", file=str(file), reason=reason) from error


def _write(file: Path, values: Mapping[str, object], *, keep: bool) -> None:
    import tomlkit

    private_files.make_folder(file.parent)
    target = Path(os.path.realpath(file))  # ``file`` may be a link to the user's dotfiles
    try:
        before = read_bytes(target, _LARGEST)
    except FileNotFoundError:
        before = b""
    document = _document(before)
    if before and (keep or document is None):
        private_files.write(file.with_name(f"{file.name}.broken"), before)
    document = tomlkit.document() if document is None else document
    for name, value in values.items():
        _set(document, name, value)
    # tomlkit adds a blank line to each table that it writes again.
    after = _BLANK_LINES.sub(r"\1", tomlkit.dumps(document)).encode()
    if len(after) > _LARGEST:
        raise OSError(errno.EFBIG, f"Larger than {_LARGEST:,} bytes", str(file))
    if after != before:
        private_files.replace(target, after)


_BLANK_LINES = re.compile(r"(\n\n)\n+(?=\[\[vaults\]\])|(?<=\n)\n+\Z")


def _document(content: bytes) -> "TOMLDocument | None":
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(content.decode("utf-8-sig"))
    except (TOMLKitError, UnicodeDecodeError, RecursionError):
        return None


def _set(document: "TOMLDocument", name: str, value: object) -> None:
    from tomlkit.items import AoT

    plain = list(value) if isinstance(value, tuple) else value
    known = document.unwrap().get(name)
    if type(known) is type(plain) and known == plain:
        return
    written = document.get(name)
    if isinstance(plain, list) and plain and isinstance(plain[0], dict):
        plain = _tables(written, plain)
    if isinstance(written, AoT) is not isinstance(plain, AoT):
        document.pop(name, None)  # plain values must come before the first table
    document[name] = plain


def _tables(known: object, wanted: _Tables) -> "AoT":
    """Return ``wanted`` as TOML tables. A table keeps its comments if ``known`` has its path."""
    import tomlkit
    from tomlkit.items import AoT, Table

    kept = {}
    if isinstance(known, AoT):
        tables = [table for table in known.body if isinstance(table, Table)]
        kept = {str(expanded(str(table.get("path", "")))): table for table in tables}
    made = tomlkit.aot()
    for entries in wanted:
        table = kept.get(entries["path"]) or tomlkit.table()
        for key, entry in entries.items():
            is_kept_path = key == "path" and key in table  # it may be written by hand, as "~/notes"
            if not is_kept_path and table.get(key, "") != entry:
                table[key] = entry
        made.append(table)
    return made
