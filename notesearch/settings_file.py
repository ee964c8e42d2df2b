"""The settings file: reads its TOML, and writes single values, so that the rest of it stays."""

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesearch import private_files
from notesearch.errors import SettingsError
from notesearch.files import expanded, parse_toml, read_bytes, read_text

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import AoT

Tables = list[dict[str, str]]

_LARGEST = 1 << 17
"""The maximum number of bytes of a settings file, enough for about a thousand notes folders."""


def read_toml(file: Path) -> dict[str, Any]:
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


def write_values(file: Path, values: Mapping[str, object], *, keep: bool = False) -> None:
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


def _tables(known: object, wanted: Tables) -> "AoT":
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
