"""Settings in a TOML file, and where the program keeps its own files; every front end reads it."""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

import platformdirs

from notesearch.errors import SettingsError
from notesearch.sentences import Sentence
from notesearch.settings_file import read_table, write_values

APP = "notesearch"
BUILTIN_MODEL = "all-MiniLM-L6-v2"

CHOICES = {
    "theme": ("system", "light", "dark"),
    "density": ("comfortable", "compact"),
    "copied_link": ("wiki", "obsidian"),
    "dialect": ("auto", "default", "mkdocs"),
    "quick_screen": ("pointer", "primary"),
    "language": (
        "auto", "ar", "ca", "cs", "da", "de", "el", "en", "es", "fi", "fr", "hi", "hu", "id", "it",
        "nb", "ne", "nl", "pl", "pt", "ro", "ru", "sv", "tr", "vi",
    ),
}  # fmt: skip
"""Settings that are one of a few words."""

BOUNDS = {
    "max_note_bytes": (1, 2**40),
    "results": (10, 1000),
    "text_size": (50, 300),
    "quick_keep_s": (-1, 86_400),
    "reranker_ms": (50, 10_000),
}
"""Settings that are a whole number: the least and the largest."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The program's own folders; none of them lies inside a vault."""

    config: Path
    data: Path

    @classmethod
    def choose(cls, home: Path | str | None = None) -> Self:
        """Return ``home``'s sub-folders, else those of ``NOTESEARCH_HOME``, else the platform's."""
        home = home or os.environ.get("NOTESEARCH_HOME")
        if home:
            root = Path(home).expanduser().absolute()
            return cls(root / "config", root / "data")
        return cls(
            Path(platformdirs.user_config_dir(APP, appauthor=False)),
            Path(platformdirs.user_data_dir(APP, appauthor=False)),
        )

    @property
    def settings_file(self) -> Path:
        """The TOML file of the settings."""
        return self.config / "settings.toml"

    @property
    def log_file(self) -> Path:
        """The rotating log."""
        return self.data / "notesearch.log"

    @property
    def token_file(self) -> Path:
        """What a program that asks over HTTP has to know."""
        return self.data / "token"

    @property
    def models(self) -> Path:
        """The folder of models that were downloaded or exported."""
        return self.data / "models"

    def index_file(self, vault: Path) -> Path:
        """Return the index file of ``vault``: a readable name and a hash of its absolute path."""
        import hashlib  # loads OpenSSL

        digest = hashlib.sha256(os.fsencode(vault)).hexdigest()[:12]
        stem = "".join(c if c.isalnum() or c in "-_" else "-" for c in vault.name)[:40] or "vault"
        return self.data / "indexes" / f"{stem}-{digest}.sqlite"


def resources() -> Path:
    """Return the folder of models, icons, sample vault: in the wheel or beside the package."""
    package = Path(__file__).resolve().parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


@dataclass(frozen=True, slots=True)
class Vault:
    """A folder of notes in the list of the settings.

    Attributes:
        path: The folder.
        name: What the user calls it; empty is the folder's own name.
    """

    path: str
    name: str = ""

    @property
    def label(self) -> str:
        """What it is called."""
        return self.name or Path(self.path).name or self.path


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can choose.

    Attributes:
        vault: The notes folder used last; empty before the first choice.
        vaults: The folders to choose from.
        ignore: Patterns, as git's, of folders and files that are not searched; those of a vault's
            own ``.notesearchignore`` and of Obsidian's excluded files come on top.
        suffixes: File types that are notes.
        max_note_bytes: Notes larger than this are listed as unread.
        follow_links: Search also where links in the folder lead, even out of it.
        code_blocks: Blocks of code are searched like other text.
        language: Of all notes whose front matter names none, for the forms of their words; ``auto``
            recognises that of each.
        paused: Changed notes wait to be indexed.
        meaning: Search by meaning too, not only by words.
        model: Name or folder of the embedding model.
        reranker: Name or folder of a model that puts what was found in a better order; empty for
            none.
        reranker_ms: How long that may take; sections it did not come to keep their order, behind.
        results: Sections that a window lists at most.
        newest_first: A window lists the newest notes first, not the best.
        related_tag: Sections found by meaning alone are marked "Related".
        theme: ``system``, ``light`` or ``dark``.
        text_size: Per cent of the system's.
        density: Rows of results: ``comfortable`` or ``compact``.
        snippets: Rows of results have a line of their text.
        preview_font: Family of the preview's text; ``serif`` is the system's, empty that of all.
        dialect: How the preview reads Markdown: ``default``, ``mkdocs``, or ``auto``: as MkDocs
            below an ``mkdocs.yml``.
        editor: Opens sections: ``obsidian``, ``code`` or another of its kind, a command with
            ``{path}`` and ``{line}``, or empty for the system's default editor.
        second_editor: The same, for the other key.
        copied_link: A copied link is for notes, ``[[Note#Heading]]``, or for ``obsidian``.
        close_to_tray: Closing the window leaves the program in the tray, where there is one.
        quick_shortcut: The global shortcut of quick search, such as ``Ctrl+Shift+Space``; empty
            for none.
        quick_keep_s: Seconds for which quick search keeps its query while it is hidden; 0 keeps
            nothing, -1 keeps it until it is cleared.
        quick_hides: Quick search hides when another window is turned to.
        quick_escape_hides: Escape hides quick search at once, also with a text in it.
        quick_screen: Quick search opens on the screen of the ``pointer`` or the ``primary`` one.
    """

    vault: str = ""
    vaults: tuple[Vault, ...] = ()
    ignore: tuple[str, ...] = (".*", "node_modules")
    suffixes: tuple[str, ...] = (".md", ".markdown")
    max_note_bytes: int = 32 * 1024 * 1024
    follow_links: bool = False
    code_blocks: bool = True
    language: str = "auto"
    paused: bool = False
    meaning: bool = True
    model: str = BUILTIN_MODEL
    reranker: str = ""
    reranker_ms: int = 300
    results: int = 200
    newest_first: bool = False
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
    quick_shortcut: str = ""
    quick_keep_s: int = 90
    quick_hides: bool = True
    quick_escape_hides: bool = False
    quick_screen: str = "pointer"

    @classmethod
    def load(cls, paths: Paths) -> Self:
        """Read the settings file; a missing file means the defaults.

        Raises:
            SettingsError: The file is not TOML, or a value makes no sense.
        """
        found = cls.read(paths)
        for problem in found.problems.values():
            raise SettingsError(problem)
        return found.settings  # type: ignore[return-value]  # nobody derives from Settings

    @classmethod
    def read(cls, paths: Paths) -> "SettingsFound":
        """Read what can be read of the settings file; the rest are the defaults."""
        try:
            table = read_table(paths.settings_file)
        except SettingsError as error:
            return SettingsFound(cls(), {"": error.sentence})
        chosen, problems = dict[str, Any](), dict[str, Sentence]()
        for one in fields(cls):
            if one.name not in table:
                continue
            value = _taken(one.name, table[one.name])
            if value is None:
                problems[one.name] = _invalid(one.name, paths.settings_file)
            else:
                chosen[one.name] = value
        return SettingsFound(cls(**chosen), problems)

    def save(self, paths: Paths) -> None:
        """Write all settings, keeping comments and unknown keys of an existing file.

        Raises:
            SettingsError: The file cannot be written; the old one is as it was.
        """
        self.write(paths, {one.name for one in fields(self)})

    def write(self, paths: Paths, names: Iterable[str]) -> None:
        """Write only the settings ``names``, keeping all else that the file says.

        Raises:
            SettingsError: The file cannot be written; the old one is as it was.
        """
        table = asdict(self)
        problems = Settings.read(paths).problems
        values = {name: table[name] for name in names}
        write_values(paths.settings_file, values, keep=bool(problems.keys() & values.keys()))

    @property
    def listed(self) -> tuple[Vault, ...]:
        """The folders to choose from, the one used last among them in any case."""
        if not self.vault or any(vault.path == self.vault for vault in self.vaults):
            return self.vaults
        return (*self.vaults, Vault(self.vault))

    def folder(self, name: str) -> Path | None:
        """Return the folder of the listed vault that is called ``name``; None when none is."""
        wanted = name.casefold()
        found = (vault.path for vault in self.listed if vault.label.casefold() == wanted)
        return next((Path(path) for path in found), None)

    def with_vault(self, vault: Path) -> Self:
        """Return these settings with another notes folder, which is listed from now on."""
        before = replace(self, vaults=self.listed)
        chosen = replace(before, vault=str(vault))
        return replace(chosen, vaults=chosen.listed)

    def without_vault(self, path: str) -> Self:
        """Return these settings with a shorter list, on the next vault if that one was used."""
        left = tuple(vault for vault in self.listed if vault.path != path)
        current = self.vault if self.vault != path else next((one.path for one in left), "")
        return replace(self, vault=current, vaults=left)

    def with_name(self, path: str, name: str) -> Self:
        """Return these settings with the vault at ``path`` called ``name``."""
        named = Vault(path, name)
        return replace(
            self, vaults=tuple(named if one.path == path else one for one in self.listed)
        )


@dataclass(frozen=True, slots=True)
class SettingsFound:
    """What a settings file says.

    Attributes:
        settings: With the default where nothing, or nothing that makes sense, is said.
        problems: What is wrong with each invalid setting, by its name; with the whole file, by
            the empty name.
    """

    settings: Settings
    problems: Mapping[str, Sentence] = field(default_factory=dict)


_DEFAULTS = Settings()


def _taken(name: str, value: Any) -> Any:  # noqa: ANN401 - each setting has its own type
    """Return the value of a TOML file as the setting ``name`` has it; None if it cannot be one."""
    default = getattr(_DEFAULTS, name)
    if name == "vaults":
        return _vaults(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = tuple(value)
    if type(value) is not type(default):
        return None
    if name in CHOICES and value not in CHOICES[name]:
        return None
    if name in BOUNDS and not BOUNDS[name][0] <= value <= BOUNDS[name][1]:
        return None
    if name == "suffixes" and not (value and all(len(s) > 1 and s[0] == "." for s in value)):
        return None
    return value


def _vaults(value: object) -> tuple[Vault, ...] | None:
    if not isinstance(value, list):
        return None
    found = dict[str, Vault]()
    for table in value:
        match table:
            case {"path": str(path), "name": str(name)} if path:
                found.setdefault(path, Vault(path, name))
            case {"path": str(path)} if path and "name" not in table:
                found.setdefault(path, Vault(path))
            case _:
                return None
    return tuple(found.values())


def _invalid(name: str, file: Path) -> Sentence:
    """Return what the setting ``name`` in ``file`` should look like."""
    if name in CHOICES:
        words = [json.dumps(word) for word in CHOICES[name]]
        return Sentence(
            "setting_not_a_choice",
            name=name,
            file=str(file),
            some=", ".join(words[:-1]),
            other=words[-1],
        )
    example = json.dumps(getattr(_DEFAULTS, name))
    if name in BOUNDS:
        least, most = map(str, BOUNDS[name])
        return Sentence(
            "setting_out_of_bounds",
            name=name,
            file=str(file),
            example=example,
            least=least,
            most=most,
        )
    if name == "vaults":
        example = '[{path = "/home/me/notes", name = "Notes"}]'
    return Sentence("setting_invalid", name=name, file=str(file), example=example)
