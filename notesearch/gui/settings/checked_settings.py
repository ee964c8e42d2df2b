"""Fields for settings that are checked against the notes folders before they change."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot

from notesearch.gui.session.newest_worker import FileCall
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.settings.setting_controls import FieldSetting, LinesSetting
from notesearch.gui.translation import translate
from notesearch.gui.window.folder_chooser import count_notes


class SuffixesSetting(FieldSetting[tuple[str, ...]]):
    """A field for the file suffixes of notes; it refuses suffixes that would hide all notes."""

    def __init__(self, preferences: Preferences, vault: OpenVault) -> None:
        super().__init__(preferences, "suffixes")
        self._vault = vault

    def text_of(self, value: tuple[str, ...]) -> str:
        """Return the suffixes, separated by spaces."""
        return " ".join(value)

    def value_of(self, text: str) -> tuple[str, ...] | None:
        """Return the suffixes, each with its dot; None if there are none."""
        words = text.replace(",", " ").replace(";", " ").split()
        names = (word.strip("*.").lower() for word in words)  # *.md and md mean .md
        return tuple(dict.fromkeys(f".{name}" for name in names if name)) or None

    def why_invalid(self, text: str) -> str:
        """Return a sentence with an example."""
        return translate("settings", "Type at least one file type here, such as .md.")

    def take(self, value: tuple[str, ...]) -> None:
        """Change the setting once a file with one of the suffixes is found."""
        folders = _folders(self._vault, self._preferences)
        current = self._preferences.settings.suffixes
        call = FileCall(partial(_used, folders, value, current), self)
        call.answered.connect(self._decide)
        call.start()

    @Slot(object)
    def _decide(self, answer: tuple[tuple[str, ...], bool]) -> None:
        suffixes, is_used = answer
        if is_used:
            super().take(suffixes)
        else:
            why = translate(
                "settings", "No file in your notes folder ends in {types}, so nothing was changed."
            )
            self.refuse(why.format(types=" ".join(suffixes)))


class FoldersSetting(LinesSetting):
    """A field for folders in the vault, one on each line; lines without a folder are left out."""

    def __init__(self, preferences: Preferences, name: str, vault: OpenVault) -> None:
        super().__init__(preferences, name)
        self._vault = vault

    def take(self, lines: tuple[str, ...]) -> None:
        """Change the setting to those of ``lines`` that are folders, once that is known."""
        folders = _folders(self._vault, self._preferences)
        call = FileCall(partial(_existing, folders, lines), self)
        call.answered.connect(self._decide)
        call.start()

    @Slot(object)
    def _decide(self, answer: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
        lines, existing = answer
        super().take(existing)
        self.show_setting()
        missing = [line for line in lines if line not in existing]
        why = translate("settings", "There is no folder “{folder}” in your notes folder.")
        self.refused.emit("\n".join(why.format(folder=folder) for folder in missing))


def _folders(vault: OpenVault, preferences: Preferences) -> Sequence[Path]:
    """Return the notes folders, the open ones first."""
    listed = preferences.settings.folders.values()
    return tuple(dict.fromkeys((*vault.folders.values(), *listed)))


def _used(
    folders: Sequence[Path], suffixes: tuple[str, ...], current: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """Return ``suffixes``, and whether the setting may change to them.

    It may if a file below ``folders`` has one of them, or none has one of the ``current`` suffixes.
    While a folder cannot be reached, it may change, too.
    """
    return suffixes, _may_hold_notes(folders, suffixes) or not _may_hold_notes(folders, current)


def _may_hold_notes(folders: Sequence[Path], suffixes: Sequence[str]) -> bool:
    """Return whether a file below ``folders`` has one of ``suffixes``; True if that is unknown."""
    return _any_may(folders, lambda folder: count_notes(folder, suffixes, FileCall.is_ending) != 0)


def _existing(
    folders: Sequence[Path], lines: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return ``lines``, and those that are, or may be, a folder in one of ``folders``."""
    from notesearch.library import has_folder

    return lines, tuple(line for line in lines if _any_may(folders, partial(has_folder, path=line)))


def _any_may(folders: Sequence[Path], holds: Callable[[Path], bool]) -> bool:
    """Return whether ``holds`` is true of a folder, or a folder cannot be reached now."""
    reached = [folder for folder in folders if folder.is_dir()]
    return len(reached) < len(folders) or any(map(holds, reached))
