"""Offers a multilingual model if the notes need one, which ``models.offer`` decides.

One click accepts it, one click undoes it.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from notesearch import private_files
from notesearch.errors import NotesearchError
from notesearch.gui.session.open_vault import OpenVault
from notesearch.gui.session.preferences import Preferences
from notesearch.gui.session.worker_threads import FileCall
from notesearch.gui.translation import error_text, number_text, sentence_text, translate
from notesearch.gui.window.main_window import MainWindow
from notesearch.status import Status

if TYPE_CHECKING:
    from notesearch.models import MultilingualOffer


class MultilingualBar(QObject):
    """Shows the offer, and later the download, in the bar of the window.

    While the query is empty, the start page shows the offer instead, with ``choices``. If the user
    declines the offer, it is not made again for that folder.

    Attributes:
        choices: The action that accepts the offer, and the one that declines it.

    Signals:
        changed: ``waiting`` has changed.
    """

    changed = Signal()
    _share_arrived = Signal(float)  # from the thread of a download

    def __init__(
        self,
        window: MainWindow,
        vault: OpenVault,
        preferences: Preferences,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._vault = vault
        self._preferences = preferences
        self._bar = bar = window.offer
        self._closed_file = preferences.paths.data / "offers.json"
        self._offer: MultilingualOffer | None = None
        self._folder: Path | None = None  # the folder of the offer; another may be open now
        self._former: str | None = None  # the model before the switch; None before and undone
        self._status: Status | None = None
        self._call: FileCall | None = None  # the newest call; answers of former ones are late
        self._is_accepted = False
        self._accept = self._action(translate("Use it"), self._on_accepted)
        self._retry = self._action(translate("Try again"), self._on_accepted)
        self._cancel = self._action(translate("Cancel"), self._on_cancelled)
        self._back = self._action(translate("Undo"), self._on_undone)
        decline = self._action(translate("Not now"), self._on_closed)
        self.choices = [self._accept, decline]
        self._share_arrived.connect(self._show_share)
        bar.close_button.clicked.connect(self._on_closed)
        window.stack.currentChanged.connect(self._show_offer)
        vault.opening.connect(self._on_opening)
        vault.state_changed.connect(self._on_state)
        window.activated.connect(self._renew_offer)

    @property
    def waiting(self) -> "MultilingualOffer | None":
        """The offer that waits for the user's answer; None without one."""
        return None if self._is_accepted else self._offer

    def close(self) -> None:
        """End the threads; an interrupted download can be continued."""
        FileCall.end_all(self)

    def _action(self, text: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(slot)
        return action

    @Slot(bool)
    def _on_opening(self, same: bool) -> None:
        if not same:
            self._set_offer(None)

    @Slot()
    def _on_state(self) -> None:
        if self._vault.status is not self._status:
            self._status = self._vault.status
            self._renew_offer()
            self._show_end_of_switch()

    @Slot()
    def _renew_offer(self) -> None:
        """Make the offer that fits now, because the model may have been installed since then."""
        status = self._status
        if self._vault.path is None or status is None or not status.last_scan:
            return  # nothing is offered while several vaults are searched
        from notesearch import models

        is_closed = status.vault in self._closed()
        self._set_offer(None if is_closed else models.offer(status, self._preferences.paths))

    def _set_offer(self, offer: "MultilingualOffer | None") -> None:
        if not self._is_accepted and offer != self._offer:
            self._offer = offer
            self._folder = self._vault.path
            self._show_offer()
            self.changed.emit()

    def _set_accepted(self, accepted: bool) -> None:
        if accepted != self._is_accepted:
            self._is_accepted = accepted
            self.changed.emit()

    @Slot()
    def _show_offer(self) -> None:
        """Show the offer in the bar if there are results and room above them, else hide it."""
        if self._is_accepted:
            return
        offer = self._offer
        if offer is not None and self._window.shows_results and not self._window.is_low:
            self._bar.show_message(sentence_text(offer.text), [self._accept])
        else:
            self._bar.hide()

    @Slot()
    def _on_accepted(self) -> None:
        if self._offer is None:
            return
        from notesearch import models
        from notesearch.gui.settings.models_page import download_named

        self._window.field.setFocus()  # the clicked button of the page disappears
        self._set_accepted(True)
        # Since the offer, it may have been added from a folder, because the network is missing.
        if installed := models.installed_multilingual(self._preferences.paths):
            self._switch(installed)
        else:
            self._show_share(0.0)
            show_share = self._share_arrived.emit
            paths = self._preferences.paths
            download = partial(download_named, self._offer.name, paths, show_share)
            self._call = FileCall(download, self)
            self._call.answered.connect(self._on_downloaded)
            self._call.failed.connect(self._show_failure)
            self._call.start()

    @property
    def _is_late(self) -> bool:
        """Whether this signal comes from a download that the user has cancelled."""
        return not self._is_accepted or self.sender() is not self._call

    @Slot(float)
    def _show_share(self, share: float) -> None:
        if self._is_accepted and self._offer is not None:
            text = translate(
                "Downloading {name}: {percent} %",
                name=self._offer.name,
                percent=number_text(int(100 * share)),
            )
            self._bar.show_message(text, [self._cancel])

    @Slot(object)
    def _show_failure(self, error: NotesearchError) -> None:
        if not self._is_late:
            self._bar.show_message(error_text(error), [self._retry])

    @Slot(object)
    def _on_downloaded(self, name: str) -> None:
        if not self._is_late:
            self._switch(name)

    def _switch(self, name: str) -> None:
        if self._preferences.settings.model != name:  # a double click accepts it twice
            self._former = self._preferences.settings.model
        self._remember()
        self._preferences.change(model=name)
        text = translate(
            "You now use {name}. Until it has read all notes, the previous model answers."
        )
        self._bar.show_message(text.format(name=name), [self._back])

    def _show_end_of_switch(self) -> None:
        """Say that the new model answers, once it has read all notes."""
        status = self._status
        model = self._preferences.settings.model
        if self._former is None or status is None or status.model != model or not status.meaning:
            return
        if not status.former_model and not status.awaits_vectors:
            text = translate("{name} has read all notes and now answers.")
            self._bar.show_message(text.format(name=model), [self._back])

    @Slot()
    def _on_undone(self) -> None:
        if self._former is not None:
            self._preferences.change(model=self._former)
        self._offer = self._former = None
        self._set_accepted(False)
        self._bar.hide()

    @Slot()
    def _on_cancelled(self) -> None:
        """Stop the download; what it still reports is ignored."""
        for call in self.findChildren(FileCall):
            call.requestInterruption()
        self._former = None
        self._set_accepted(False)
        if self._folder != self._vault.path:
            self._set_offer(None)
        self._show_offer()

    @Slot()
    def _on_closed(self) -> None:
        self._window.field.setFocus()
        self._remember()
        self._on_cancelled()
        self._set_offer(None)

    def _closed(self) -> list[str]:
        read = private_files.read_json(self._closed_file)
        return [str(path) for path in read] if isinstance(read, list) else []

    def _remember(self) -> None:
        """Store that no model is to be offered again for the folder of the offer."""
        if self._folder is not None:
            closed = {*self._closed(), str(self._folder)}
            private_files.write_json(self._closed_file, sorted(closed))
