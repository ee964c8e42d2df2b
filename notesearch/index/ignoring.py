"""What is left out: by the settings, by ``.notesearchignore``, in Obsidian, of Logseq."""

import contextlib
import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from notesearch.config import Settings
from notesearch.index import files, obsidian_app
from notesearch.sentences import Sentence
from notesearch.status import Unread

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".notesearchignore"
RULE_FILES = frozenset((IGNORE_FILE, obsidian_app.FILE))

_LARGEST = 64 * 1024
_MOST_PATTERNS = 500
_MOST_STARS = 4
"""Each star in one part of a pattern multiplies the time that a name may take."""

_MOST_DEPTHS = 3
"""So does each ``**``: below a hundred folders four take 0.3 s for one name, five take 5 s."""

_COSTLY = re.compile(r"\)[*+{?]|(?:[*+{].*){4}", re.DOTALL)
"""A regular expression of a note's folder must not be able to keep us busy for ever."""

_LOGSEQ = "logseq/config.edn"
_LOGSEQ_COPIES = "logseq/bak/"
"""Where Logseq keeps what notes were before: their words, once more."""

_NAME = re.compile(r"\.?\w[\w.-]*|\.\*")
"""A pattern that is a name; or ``.*``, what is hidden."""


class IgnoreRules:
    """Says which files of a vault are notes; as its rule files were when it was made."""

    def __init__(self, vault: Path, settings: Settings) -> None:
        self._suffixes = settings.suffixes
        self.problems: list[Unread] = []
        specs = (
            self._spec(settings.ignore, "settings.toml"),
            self._spec(_text(vault, IGNORE_FILE).splitlines(), IGNORE_FILE),
        )
        self._specs = [spec for spec in specs if spec is not None]
        self._prefixes: tuple[str, ...] = ()
        self._expressions: list[re.Pattern[str]] = []
        self._take_obsidian(obsidian_app.settings(vault))
        if (vault / _LOGSEQ).is_file():
            self._prefixes += (_LOGSEQ_COPIES,)
        self._patterns = self._compiled()
        self._leaves_out_folder = functools.lru_cache(4096)(self._judge_folder)

    def is_note(self, path: str) -> bool:
        """Return whether ``path``, relative to the vault, is a note in no folder left out."""
        if not self.is_named_as_note(path):
            return False
        folder, _, _ = path.rpartition("/")
        return not self.leaves_out_folder(folder) and not self._leaves_out(path)

    def is_named_as_note(self, name: str) -> bool:
        """Return whether a file called ``name`` is of a type that notes are."""
        return name.lower().endswith(self._suffixes)

    def leaves_out_folder(self, folder: str) -> bool:
        """Return whether ``folder``, relative to the vault, or one above it is left out."""
        return bool(folder) and self._leaves_out_folder(folder)

    def _judge_folder(self, folder: str) -> bool:
        above, _, _ = folder.rpartition("/")
        return self.leaves_out_folder(above) or self._leaves_out(f"{folder}/")

    def _leaves_out(self, path: str) -> bool:
        for matches in self._patterns:  # noqa: SIM110 - of each file; any() takes as long again
            if matches(path):
                return True
        return False

    def _compiled(self) -> tuple[Callable[[str], object], ...]:
        """Return what is asked of each path, one after the other."""
        found: list[Callable[[str], object]] = [spec.match_file for spec in self._specs]
        if self._prefixes:
            found.append(lambda path: path.lower().startswith(self._prefixes))
        return (*found, *(expression.search for expression in self._expressions))

    def _spec(self, lines: Sequence[str], source: str) -> "GitIgnoreSpec | _Names | None":
        if not lines:
            return None
        if len(lines) <= _MOST_PATTERNS and all(map(_NAME.fullmatch, lines)):
            return _Names(lines)
        from pathspec import GitIgnoreSpec

        good: list[str] = []
        for number, line in enumerate(lines, 1):
            if number > _MOST_PATTERNS:
                self._remark(source, Sentence("patterns_too_many", count=_MOST_PATTERNS))
                break
            if _is_costly(line):
                self._remark(source, Sentence("pattern_costly", number=number, pattern=line))
                continue
            try:
                GitIgnoreSpec.from_lines([line])
            except (ValueError, re.error):
                self._remark(source, Sentence("pattern_invalid", number=number, pattern=line))
            else:
                good.append(line)
        return GitIgnoreSpec.from_lines(good)

    def _take_obsidian(self, settings: Mapping[str, object]) -> None:
        """Take Obsidian's excluded files: beginnings of paths, or expressions between slashes."""
        listed = settings.get("userIgnoreFilters")
        filters = listed if isinstance(listed, list) else []
        prefixes = []
        for one in [one for one in filters if isinstance(one, str)][:_MOST_PATTERNS]:
            if len(one) > 2 and one[0] == one[-1] == "/":
                self._take_expression(one)
            elif one.strip("/"):
                prefixes.append(one.lower().lstrip("/"))
        self._prefixes = tuple(prefixes)

    def _take_expression(self, quoted: str) -> None:
        if not _COSTLY.search(quoted):
            with contextlib.suppress(re.error, OverflowError, RecursionError):
                self._expressions.append(re.compile(quoted[1:-1], re.IGNORECASE))
                return
        self._remark(obsidian_app.FILE, Sentence("obsidian_pattern_invalid", pattern=quoted))

    def _remark(self, source: str, mistake: Sentence) -> None:
        """Note a mistake in the rules: what they should leave out is searched."""
        self.problems.append(Unread(source, mistake, remark=True))


class _Names:
    """Patterns that are names, as most are: what is called so is left out wherever it lies.

    To match patterns took most of the time of a comparison, and to import what does it a tenth.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._hides = ".*" in names
        self._names = frozenset(names)

    def match_file(self, path: str) -> bool:
        """Return whether ``path``, with a slash at its end where it is a folder, is named."""
        name = path.rstrip("/").rpartition("/")[2]
        return name in self._names or (self._hides and name.startswith("."))


def _is_costly(pattern: str) -> bool:
    parts = pattern.split("/")
    return parts.count("**") > _MOST_DEPTHS or any(part.count("*") > _MOST_STARS for part in parts)


def _text(vault: Path, path: str) -> str:
    """Return the text of a rule file; empty when there is none that can be read."""
    try:
        content = files.read_file(vault, path, _LARGEST).content
    except (OSError, ValueError):
        return ""
    return content.decode("utf-8-sig", "replace")
