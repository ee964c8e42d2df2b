"""Lets the user choose the notes folder, and a folder in it that limits the search."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from notesearch.gui.session.actions import MainActions
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.search_pane import SearchScope
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.system.obsidian_link import listed_vaults, vault_lists
from notesearch.gui.translation import notes_text, number_text, path_text, translate
from notesearch.gui.widgets.answer_texts import empty_folder_message
from notesearch.gui.widgets.choices import Choice
from notesearch.gui.widgets.controls import everywhere
from notesearch.gui.widgets.dialogs import choose_folder, message_box, question
from notesearch.gui.widgets.notices import SuggestedFolder
from notesearch.gui.window.main_window import MainWindow

MANY = 50_000
_OFFERED = 5
_SECONDS = 4.0
_USUAL = ("notes", "Notes", "Documents/notes", "Documents/Notes")


@dataclass(frozen=True, slots=True)
class FoundVault:
    """A folder, whether Obsidian lists it, and the number of its notes (``MANY + 1`` at most)."""

    path: Path
    of_obsidian: bool
    notes: int


def find_vaults(
    home: Path, suffixes: Sequence[str], stopped: Callable[[], bool]
) -> tuple[FoundVault, ...]:
    """Return at most ``_OFFERED`` folders with notes; fewer if ``stopped()`` becomes true."""
    vaults: list[FoundVault] = []
    seen: set[Path] = set()
    for candidate, of_obsidian in _candidates(home):
        folder = Path(os.path.realpath(candidate))
        if folder in seen or not os.path.isdir(folder):  # noqa: PTH112 - False if not accessible
            continue
        seen.add(folder)
        notes = count_notes(folder, suffixes, stopped)
        if notes:
            vaults.append(FoundVault(folder, of_obsidian, notes))
        if len(vaults) == _OFFERED or stopped():
            break
    return tuple(vaults)


def count_notes(folder: Path, suffixes: Sequence[str], stopped: Callable[[], bool]) -> int | None:
    """Return the number of notes in ``folder``; None if no note was found before counting ended.

    Counting ends at ``MANY + 1`` notes, after ``_SECONDS``, or when ``stopped()`` becomes true.
    """
    count = 0
    until = time.monotonic() + _SECONDS
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        count += sum(name.lower().endswith(tuple(suffixes)) for name in files)
        if count > MANY or stopped() or time.monotonic() > until:
            return min(count, MANY + 1) if count else None
    return count


def _candidates(home: Path) -> Iterator[tuple[Path, bool]]:
    for file in vault_lists(home):
        for vault in sorted(listed_vaults(file).values(), key=_last_opened, reverse=True):
            yield Path(vault["path"]), True
    for name in _USUAL:
        yield home / name, False


def _last_opened(vault: Mapping[str, Any]) -> int:
    """Return when Obsidian last opened ``vault``, in milliseconds since the epoch; 0 if unknown."""
    opened = vault.get("ts")
    return opened if isinstance(opened, int) else 0


@dataclass(frozen=True, slots=True)
class CountedFolder:
    """A path that the user chose, and what it leads to.

    Attributes:
        real: The path without links.
        notes: The number of notes, at most ``MANY + 1``; None if unknown.
        problem: A sentence that says why the path cannot be searched; empty if it can.
    """

    path: Path
    real: Path
    notes: int | None = None
    problem: str = ""


def _counted(folder: Path, suffixes: Sequence[str]) -> CountedFolder:
    notes, problem = None, ""
    try:
        os.scandir(folder).close()
        notes = count_notes(folder, suffixes, FileCall.is_ending)
    except NotADirectoryError:
        text = translate("“{file}” is not a folder. Choose the folder of your notes.")
        problem = text.format(file=folder.name)
    except PermissionError:
        text = translate("You have no permission to read {folder}. Choose another folder.")
        problem = text.format(folder=path_text(folder))
    except OSError as error:
        text = translate("{folder} cannot be read: {reason}. Choose another folder.")
        problem = text.format(folder=path_text(folder), reason=error.strerror or str(error))
    return CountedFolder(folder, Path(os.path.realpath(folder)), notes, problem)


class FolderChooser(QObject):
    """Lets the user choose the notes folder, and asks back if the choice looks like a mistake.

    Signals:
        chosen: Carries the path of the folder.
    """

    chosen = Signal(object)

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        vault: OpenVault,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._vault = vault
        self._preferences = preferences
        self._candidate: Path | None = None  # the folder whose notes are being counted
        self._searched = False
        actions.choose_folder.triggered.connect(self.choose)
        window.folder_dropped.connect(self.take)
        window.page.suggestions.chosen.connect(self.chosen)
        vault.state_changed.connect(self._find_folders)

    def close(self) -> None:
        """End the threads that search or count notes."""
        FileCall.end_all(self)

    @Slot()
    def choose(self) -> None:
        """Open the desktop's dialog to choose a folder, and take the chosen folder."""
        near = Path(self._preferences.settings.vault or Path.home())  # not the sample notes
        chosen = choose_folder(self._window, near)
        if chosen:
            self.take(str(chosen))

    @Slot(str)
    def take(self, folder: str) -> None:
        """Count the notes in ``folder`` in a thread, then choose the folder.

        If it has very many notes, ask first. If it has none, or is not a folder, explain that
        instead of choosing it.
        """
        self._candidate = Path(folder)
        suffixes = self._preferences.settings.searched_suffixes
        counting = FileCall(partial(_counted, self._candidate, suffixes), self)
        counting.answered.connect(self._on_counted)
        counting.start()

    @Slot()
    def _find_folders(self) -> None:
        if not self._vault.is_open and not self._searched:
            self._searched = True
            suffixes = self._preferences.settings.suffixes
            find = partial(find_vaults, Path.home(), suffixes, FileCall.is_ending)
            finding = FileCall(find, self)
            finding.answered.connect(self._on_found)
            finding.start()

    @Slot(object)
    def _on_found(self, vaults: tuple[FoundVault, ...]) -> None:
        self._window.page.set_suggestions([suggestion(vault) for vault in vaults])

    @Slot(object)
    def _on_counted(self, folder: CountedFolder) -> None:
        if folder.path != self._candidate:
            return  # on a slow disk, a folder may still be counted when another one is chosen
        self._candidate = None
        if folder.problem:
            self._refuse(folder.problem)
        elif folder.notes == 0:
            self._show_empty(folder.path)
        elif folder.notes is not None and folder.notes > MANY:
            self._ask_large(folder)
        else:
            self._search(folder)

    def _search(self, folder: CountedFolder) -> None:
        self.chosen.emit(folder.path)
        listed = (Path(vault.path) for vault in self._preferences.settings.vaults)
        parent = next((above for above in listed if above in folder.real.parents), None)
        if parent is not None:
            inside = translate("“{folder}” is inside “{around}”.")
            hint = translate(
                "You already search “{around}”. To search one folder of it, use the button next"
                " to the search field; that needs no second index."
            )
            message_box(
                self._window,
                translate("Folder inside another folder"),
                inside.format(folder=folder.path.name, around=parent.name),
                hint.format(around=parent.name),
            ).open()

    def _show_empty(self, folder: Path) -> None:
        actions = self._actions
        if not self._vault.is_open:
            choices = [actions.choose_folder, actions.sample_notes]
            self._window.page.show_page(empty_folder_message(folder), choices)
            self._window.page.focus_action()
        else:
            text = translate("There are no Markdown files in {folder}.")
            self._refuse(text.format(folder=path_text(folder)))

    def _refuse(self, text: str) -> None:
        self._window.notices.show_other(text, [self._actions.choose_folder])

    def _ask_large(self, folder: CountedFolder) -> None:
        """Ask whether ``folder`` is right, as it has very many notes: it may be a whole disk."""
        text = translate("There are more than {many} notes in this folder.")
        details = translate(
            "{folder} may contain more than your notes. Reading all of it takes a while,"
            " but you can start searching at once."
        )
        question(
            self._window,
            translate("Many notes"),
            text.format(many=number_text(MANY)),
            details.format(folder=path_text(folder.path)),
            translate("Search this folder"),
            partial(self._search, folder),
        ).open()


def suggestion(vault: FoundVault) -> SuggestedFolder:
    """Return the texts that describe ``vault``."""
    kind = (
        translate("Obsidian vault “{name}”") if vault.of_obsidian else translate("Folder “{name}”")
    )
    notes = notes_text(vault.notes)
    if vault.notes > MANY:
        notes = translate("{many}+ notes", many=number_text(MANY))
    name = kind.format(name=vault.path.name)
    return SuggestedFolder(vault.path, name, path_text(vault.path), notes)


class FolderScope(QObject):
    """Offers the top-level folders of the vault, and limits the search to the chosen one."""

    def __init__(
        self,
        window: MainWindow,
        actions: MainActions,
        scope: SearchScope,
        vault: OpenVault,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._actions = actions
        self._scope = scope
        self._vault = vault
        window.folder.button.clicked.connect(self.offer_folders)
        window.folder.cross.clicked.connect(self.search_everywhere)
        actions.choose_scope.triggered.connect(self.offer_folders)
        actions.search_everywhere.triggered.connect(self.search_everywhere)
        vault.opening.connect(self._show_scope)
        self._show_scope()

    @Slot()
    def offer_folders(self) -> None:
        """Open the list of the top-level folders; close it if it is open."""
        window = self._window
        status = self._vault.status
        folder = self._scope.folder
        title = translate("Folders")
        if window.choices.close_list(title) or self._vault.path is None:
            return
        names = ("", *(status.folders if status else ()))
        choices = [
            Choice(name or everywhere(), strong=name == folder, ends_group=not name, value=name)
            for name in names
        ]
        current = names.index(folder) if folder in names else 0
        window.choices.offer(
            title,
            choices,
            self._search_in,
            prompt=translate("Filter folders"),
            current=current,
            anchor=window.folder,
        )

    @Slot()
    def search_everywhere(self) -> None:
        """Search the whole notes folder."""
        self._search_in("")

    def _search_in(self, folder: str) -> None:
        self._scope.set_folder(folder)
        self._show_scope()
        self._window.field.setFocus()

    @Slot()
    def _show_scope(self) -> None:
        """Show on the button which folder is searched; hide it unless exactly one vault is open."""
        self._window.folder.set_folder(self._scope.folder)
        is_one = self._vault.path is not None
        self._window.folder.setVisible(is_one)
        self._actions.choose_scope.setEnabled(is_one)
