"""Chooses the notes folders of a command: by option, by the current folder, or by a path."""

import contextlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

import click

from notesearch.config import Paths, Settings
from notesearch.files import read_text, real
from notesearch.note_addresses import known_vault, within_vaults

_MARKS = (".obsidian", ".logseq", "logseq/config.edn", ".notesearchignore")
"""Files and folders that mark a notes folder: it has at least one of them at its top."""

_MKDOCS = "mkdocs.yml"
_DOCS_FOLDER = re.compile(r"^docs_dir:\s*[\"']?([^\"'#\n]+)", re.MULTILINE)

_MOST_NAMES = 5


def vault_folder(vault: Path | None, settings: Settings, *, other_way: str = "") -> Path:
    """Return the notes folder for ``vault``, a path or a name in the settings.

    For None, it is the notes folder around the current folder, else the one used last, else the
    only one in the settings. ``other_way`` is a further way to choose, for the error's sentence.

    Raises:
        UsageError: ``vault`` is None, and none of these exists.
        VaultNameError: ``vault`` is a word that is neither a name nor a folder.
    """
    if vault is not None:
        named = settings.folder(str(vault))
        is_word = named is None and len(vault.parts) == 1 and not vault.exists()
        if is_word and settings.listed and not Paths.choose().index_file(real(vault)).exists():
            known_vault(str(vault), settings.folders)  # raises, and suggests names
        return named or vault
    names = [*settings.folders]
    last = settings.vault or (settings.listed[0].path if len(names) == 1 else "")
    chosen = Path(last) if last else None
    with contextlib.suppress(OSError):  # the current folder was deleted, or is out of reach
        chosen = _vault_around(Path.cwd(), settings) or chosen
    if chosen is None:
        known = " or ".join(f"“{name}”" for name in names[:_MOST_NAMES])
        raise click.UsageError(
            f"Choose a notes folder with --vault: {known}{other_way}."
            if known
            else "No notes folder was used yet. Give one with --vault, or add it once with"
            " “notesearch vaults add FOLDER”."
        )
    return chosen


def _vault_around(start: Path, settings: Settings) -> Path | None:
    """Return the notes folder around ``start``; None if there is none.

    It is a folder that is in the settings, has an index or a mark, or holds the pages of MkDocs.
    """
    paths = Paths.choose()
    listed = {Path(vault.path) for vault in settings.listed}
    for folder in (start, *start.parents):
        is_known = folder in listed or paths.index_file(folder).exists()
        if is_known or any((folder / mark).exists() for mark in _MARKS):
            return folder
        if docs := _docs(folder):
            return docs
    return None


def _docs(site: Path) -> Path | None:
    try:
        written = read_text(site / _MKDOCS)
    except (OSError, UnicodeDecodeError):
        return None
    named = _DOCS_FOLDER.search(written)
    folder = real(site / (named[1].strip() if named else "docs"))
    # A site from somebody else must not lead a command, or an agent, to other folders.
    return folder if folder.is_dir() and folder.is_relative_to(real(site)) else None


def vault_folders(vaults: Sequence[Path], settings: Settings, *, all_vaults: bool) -> list[Path]:
    """Return the folders of ``vaults``, of all listed ones, or the one used without ``--vault``.

    Raises:
        UsageError: Both ``vaults`` and ``all_vaults`` are given; or as ``vault_folder``.
        VaultNameError: As ``vault_folder``.
    """
    if all_vaults and vaults:
        raise click.UsageError("Use either --vault or --all.")
    if all_vaults:
        return [Path(vault.path) for vault in settings.listed] or [vault_folder(None, settings)]
    or_all = "; or take all with --all"
    return [vault_folder(vault, settings, other_way=or_all) for vault in vaults or (None,)]


def vaults_holding(
    path: str, vaults: Sequence[Path], settings: Settings, *, all_vaults: bool
) -> tuple[Sequence[Path], str]:
    """Return the notes folders that may hold the note at ``path``, and the note's address in them.

    Without ``vaults`` and ``all_vaults``, an absolute path chooses the notes folder around the
    file, and ``work/japan.md`` the vault ``work``. A path that begins with a dot starts at the
    current folder.
    """
    if path.startswith(("./", "../")):
        path = _from_here(path, vaults, settings)
    if vaults or all_vaults:
        return vaults, path
    if os.path.isabs(path):  # noqa: PTH117 - any text
        around = _vault_around(Path(path).parent, settings)
        return [around] if around else [], path
    named = _named_first(path, settings)
    return ([named[0]], named[1]) if named else ((), path)


def _from_here(path: str, vaults: Sequence[Path], settings: Settings) -> str:
    """Return ``path`` as an absolute path if, from the current folder, it leads into a vault.

    Otherwise, return it unchanged.
    """
    try:
        here = Path(os.path.normpath(f"{Path.cwd()}/{path}"))
    except OSError:  # the current folder was deleted
        return path
    if vaults:
        folders = [real(vault_folder(vault, settings)) for vault in vaults]
        return str(here) if any(map(here.is_relative_to, folders)) else path
    return str(here) if _vault_around(here.parent, settings) else path


def _named_first(path: str, settings: Settings) -> tuple[Path, str] | None:
    """Return the notes folder with whose name ``path`` begins, and the rest of the path; or None.

    It is None, too, if the notes folder used without ``--vault`` has a file or folder of that name.
    """
    folders = settings.folders
    for name, inside in within_vaults(path, folders):
        with contextlib.suppress(click.UsageError):  # no folder is used without --vault
            if (vault_folder(None, settings) / name).exists():
                continue
        return folders[name], inside
    return None
