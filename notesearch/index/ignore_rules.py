"""Decides which files are ignored: by the settings, ``.notesearchignore`` and Obsidian.

The folders of systems and programs are always ignored. Reads Obsidian's own settings, which affect
the preview, too.
"""

import contextlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.files import parse_json, read_inside
from notesearch.messages import Sentence
from notesearch.status import Unread

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".notesearchignore"
OBSIDIAN_CONFIG = ".obsidian/app.json"
RULE_FILES = frozenset((IGNORE_FILE, OBSIDIAN_CONFIG))

_LARGEST = 64 * 1024
_MAX_PATTERNS = 500
_MAX_STARS = 3
"""Maximum stars in a part of a pattern. Each one multiplies the time to match a name: 8 ms at most
with three stars, half a second with four."""

_MAX_STARRED = 20
_MAX_DEPTHS = 3
"""Maximum ``**`` in a pattern. A name below 100 folders takes 0.3 s with four, 5 s with five."""

_MAX_EXPRESSIONS = 20
_MAX_COSTLY = 4
"""Maximum number of regular expressions, and of those with several repeats among them."""

_LONGEST = (4096, 700, 400, 160)
"""The longest path, in characters, to which a regular expression with 0, 1, 2 or 3 repeats is
applied. It takes 0.1 s at most with one repeat, half a second with more. A longer path counts as
excluded, because the user may have wanted to exclude it."""

_MAX_CHOICES = 6
_LITERAL = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_LAZY = re.compile(r"(?<=[*+?}])[?+]")
_REPEAT = re.compile(r"(?<!\()[*+?{]")
_REPEATED_GROUP = re.compile(r"\)[*+{?]")
_UNBOUNDED = re.compile(r"\\[1-9]|\(\?(?:P=|\(|[a-zA-Z-])")
"""References to groups, and flags. The flag ``(?x)`` ignores spaces, which could hide a repeat."""

_PROGRAM_FOLDERS = {
    "Windows": ("$recycle.bin", "system volume information"),
    "macOS": ("__macosx",),
    "Linux": ("lost+found",),
    "Synology": ("@eadir", "#recycle", "#snapshot"),
    "QNAP": ("@recycle", "@recently-snapshot"),
    "NetApp": ("~snapshot",),
    "pip": ("site-packages", "dist-packages"),
    "Bower": ("bower_components",),
}
"""Folders with deleted files, copies or libraries, by whose they are; ignoring case. Only names
that no person gives to a folder of notes, so not ``vendor``, ``build`` or ``recycler``."""

_ALWAYS_IGNORED = frozenset(chain.from_iterable(_PROGRAM_FOLDERS.values()))
_LOGSEQ = "logseq"
_LOGSEQ_COPIES = frozenset(("bak", "version-files", ".recycle"))
"""Folders that are ignored below ``logseq`` if Logseq's settings are there, too."""

_NAME = re.compile(r"\.?\w[\w.-]*|\.\*")
"""A pattern that is a plain name, or ``.*`` for hidden files."""


class IgnoreRules:
    """Decides which files of a vault are notes, by the rules when it was created.

    Attributes:
        problems: Mistakes in the rules, each with the file that has it.
    """

    def __init__(self, vault: Path, settings: Settings) -> None:
        self._vault = vault
        self._suffixes = settings.searched_suffixes
        self.problems: list[Unread] = []
        specs = (
            self._spec(settings.ignore, "settings.toml"),
            self._spec(self._ignore_file(vault).splitlines(), IGNORE_FILE),
        )
        self._prefixes: tuple[str, ...] = ()
        self._expressions: list[tuple[re.Pattern[str], int]] = []
        self._add_obsidian_filters(obsidian_settings(vault))
        self._matchers: list[Callable[[str], object]]
        self._matchers = [spec.match_file for spec in specs if spec is not None]
        if self._prefixes:
            self._matchers.append(lambda path: path.lower().startswith(self._prefixes))
        if self._expressions:
            self._matchers.append(self._matches_expression)
        self._judged = {"": False}

    def is_note(self, path: str) -> bool:
        """Return whether ``path``, relative to the vault, is named as a note and is not ignored."""
        if not path.lower().endswith(self._suffixes):
            return False
        folder, _, _ = path.rpartition("/")
        return not self.ignores_folder(folder) and not self._ignores(path)

    def ignores_folder(self, folder: str) -> bool:
        """Return whether ``folder``, relative to the vault, or one above it is ignored."""
        judged = self._judged
        fresh: list[str] = []
        while folder not in judged:
            fresh.append(folder)
            folder, _, _ = folder.rpartition("/")
        is_ignored = judged[folder]
        for below in reversed(fresh):
            is_ignored = is_ignored or self._is_of_program(below) or self._ignores(f"{below}/")
            judged[below] = is_ignored
        return is_ignored

    def program_folder(self, path: str) -> str:
        """Return the folder around ``path`` that belongs to the system or a program; or ""."""
        folder, _, _ = path.rpartition("/")
        while folder and not self._is_of_program(folder):
            folder, _, _ = folder.rpartition("/")
        return folder

    def _is_of_program(self, folder: str) -> bool:
        above, _, name = folder.lower().rpartition("/")
        if name in _LOGSEQ_COPIES and above.rpartition("/")[2] == _LOGSEQ:
            with contextlib.suppress(OSError):  # whoever lists the folder reports that it is closed
                return (self._vault / folder).with_name("config.edn").is_file()
        return name in _ALWAYS_IGNORED

    def _ignores(self, path: str) -> bool:
        path = _composed(path)
        for matches in self._matchers:  # noqa: SIM110 - any() takes twice as long, for each file
            if matches(path):
                return True
        return False

    def _spec(self, lines: Sequence[str], source: str) -> "GitIgnoreSpec | _Names | None":
        if not lines:
            return None
        lines = list(map(_composed, lines))
        if len(lines) <= _MAX_PATTERNS and all(map(_NAME.fullmatch, lines)):
            return _Names(lines)
        from pathspec import GitIgnoreSpec

        good: list[str] = []
        starred = 0
        for number, line in enumerate(lines, 1):
            if number > _MAX_PATTERNS:
                self._report(source, Sentence("patterns_too_many", count=_MAX_PATTERNS))
                break
            is_starred = _stars(line) == _MAX_STARS
            starred += is_starred
            if _is_costly(line) or (is_starred and starred > _MAX_STARRED):
                self._report(source, Sentence("pattern_costly", number=number, pattern=line))
                continue
            try:
                GitIgnoreSpec.from_lines([line])
            except (ValueError, re.error):
                self._report(source, Sentence("pattern_invalid", number=number, pattern=line))
            else:
                good.append(line)
        return GitIgnoreSpec.from_lines(good)

    def _ignore_file(self, vault: Path) -> str:
        try:
            return _read_text(vault, IGNORE_FILE)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except OSError as error:
            reason = error.strerror or str(error)
            self._report(IGNORE_FILE, Sentence("file_unreadable", reason=reason))
            return ""

    def _add_obsidian_filters(self, settings: Mapping[str, object]) -> None:
        """Add Obsidian's excluded files: path prefixes, or regular expressions in slashes."""
        listed = settings.get("userIgnoreFilters")
        filters = listed if isinstance(listed, list) else []
        prefixes = []
        patterns = [_composed(pattern) for pattern in filters if isinstance(pattern, str)]
        for pattern in patterns[:_MAX_PATTERNS]:
            if len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
                self._add_expression(pattern)
            elif pattern.strip("/"):
                prefixes.append(pattern.lower().lstrip("/"))
        self._prefixes = tuple(prefixes)

    def _add_expression(self, quoted: str) -> None:
        repeats = _repeats(quoted[1:-1])
        costly = sum(longest < _LONGEST[1] for _, longest in self._expressions)
        is_allowed = len(self._expressions) < _MAX_EXPRESSIONS and (
            repeats < 2 or costly < _MAX_COSTLY
        )
        if repeats < len(_LONGEST) and is_allowed:
            with contextlib.suppress(re.error, OverflowError, RecursionError):
                expression = re.compile(quoted[1:-1], re.IGNORECASE)
                self._expressions.append((expression, _LONGEST[repeats]))
                return
        self._report(OBSIDIAN_CONFIG, Sentence("obsidian_pattern_invalid", pattern=quoted))

    def _matches_expression(self, path: str) -> bool:
        return any(
            len(path) > longest or expression.search(path)
            for expression, longest in self._expressions
        )

    def _report(self, source: str, mistake: Sentence) -> None:
        self.problems.append(Unread(source, mistake, remark=True))


class _Names:
    """Patterns that are plain names, as most are; pathspec would take most of a scan's time."""

    def __init__(self, names: Iterable[str]) -> None:
        self._hides = ".*" in names
        self._names = frozenset(names)

    def match_file(self, path: str) -> bool:
        """Return whether the last part of ``path`` is one of the names; folders end in a slash."""
        name = path.rstrip("/").rpartition("/")[2]
        return name in self._names or (self._hides and name.startswith("."))


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _is_costly(pattern: str) -> bool:
    return pattern.split("/").count("**") > _MAX_DEPTHS or _stars(pattern) > _MAX_STARS


def _stars(pattern: str) -> int:
    return max(part.count("*") for part in pattern.split("/"))


def _repeats(expression: str) -> int:
    """Return how many repeats, such as ``*``, a regular expression has.

    With n repeats, the time to search a path may grow with its length to the power of n + 1.
    Repeated groups, many alternatives and references may take forever, so they count as too many
    repeats.
    """
    simple = _LAZY.sub("", _LITERAL.sub("a", expression))
    choices = simple.count("(") if "|" in simple else 0
    if _REPEATED_GROUP.search(simple) or _UNBOUNDED.search(expression) or choices > _MAX_CHOICES:
        return len(_LONGEST)
    return len(_REPEAT.findall(simple))


def _read_text(vault: Path, path: str) -> str:
    """Return the text of a rule file; raise OSError if it is missing, unreadable or too large."""
    return read_inside(vault, path, _LARGEST).decode("utf-8-sig", "replace")


def obsidian_settings(vault: Path) -> Mapping[str, object]:
    """Return Obsidian's own settings of ``vault``; empty if there are no readable ones."""
    try:
        settings = parse_json(_read_text(vault, OBSIDIAN_CONFIG))
    except (OSError, ValueError):
        return {}
    return settings if isinstance(settings, dict) else {}


def keeps_line_breaks(vault: Path) -> bool:
    """Return whether ``vault`` is Obsidian's, and shows line breaks within paragraphs."""
    uses_obsidian = (vault / OBSIDIAN_CONFIG).parent.is_dir()
    return uses_obsidian and obsidian_settings(vault).get("strictLineBreaks") is not True
