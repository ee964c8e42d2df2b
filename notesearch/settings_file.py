"""Reads and writes the settings file in TOML; keeps the user's comments."""

import os
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from notesearch.errors import SettingsError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import AoT

Tables = list[dict[str, str]]


def read_table(file: Path) -> dict[str, Any]:
    """Return the content of ``file``; empty if there is no file.

    Raises:
        SettingsError: The file cannot be read, or is not TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError("settings_unreadable", file=str(file), reason=str(error)) from error


def write_values(file: Path, values: Mapping[str, object], *, keep: bool = False) -> None:
    """Set ``values`` in ``file``; keep everything else in it, with its comments.

    Args:
        file: The file. It and its folder are created if missing; a link is followed.
        values: Texts, numbers, booleans, lists of texts, and lists of tables with a key "path".
        keep: Save a copy of the old file, because some of it could not be understood.

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

    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.read_bytes() if file.exists() else b""
    document = _document(before)
    if before and (keep or document is None):
        file.with_name(f"{file.name}.broken").write_bytes(before)
    document = tomlkit.document() if document is None else document
    for name, value in values.items():
        _set(document, name, value)
    after = tomlkit.dumps(document).encode()
    if after != before:
        _replace(file.resolve(), after)  # it may be a link to the user's dotfiles


def _document(content: bytes) -> "TOMLDocument | None":
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(content.decode("utf-8-sig"))
    except (TOMLKitError, UnicodeDecodeError):
        return None


def _set(document: "TOMLDocument", name: str, value: object) -> None:
    from tomlkit.items import AoT

    plain = list(value) if isinstance(value, tuple) else value
    known = document.unwrap().get(name)
    if type(known) is type(plain) and known == plain:
        return
    stands = document.get(name)
    if isinstance(plain, list) and plain and isinstance(plain[0], dict):
        plain = _tables(stands, plain)
    if isinstance(stands, AoT) is not isinstance(plain, AoT):
        document.pop(name, None)  # plain values must come before the first table
    document[name] = plain


def _tables(known: object, wanted: Tables) -> "AoT":
    """Return ``wanted`` as TOML tables; those already in ``known`` keep their comments."""
    import tomlkit
    from tomlkit.items import AoT, Table

    kept = {}
    if isinstance(known, AoT):
        kept = {table.get("path"): table for table in known.body if isinstance(table, Table)}
    made = tomlkit.aot()
    for entries in wanted:
        table = kept.get(entries["path"]) or tomlkit.table()
        for key, entry in entries.items():
            if table.get(key, "") != entry:
                table[key] = entry
        made.append(table)
    return made


def _replace(file: Path, content: bytes) -> None:
    """Replace ``file`` by ``content``, completely or not at all."""
    draft = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        with draft.open("wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        if file.exists():
            shutil.copymode(file, draft)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
