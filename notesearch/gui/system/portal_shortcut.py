"""The global shortcut on Wayland, through the GlobalShortcuts portal.

The program proposes keys; the user accepts or changes them in a dialog of the desktop.
"""

import logging
from functools import partial
from itertools import count
from typing import Any

from jeepney import DBusAddress, MatchRule, Message
from PySide6.QtCore import QObject, QTimer, Slot

from notesearch.gui.system.desktop_entry import make_known
from notesearch.gui.system.global_shortcut import (
    GlobalShortcut,
    Keys,
    Remedy,
    active,
    unavailable,
    waiting,
)
from notesearch.gui.system.session_bus import BusConnection, error_of, sender_of, signal_of
from notesearch.gui.system.single_instance import APP_ID
from notesearch.gui.translation import translate

log = logging.getLogger(__name__)

PORTAL = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
_REQUEST = "org.freedesktop.portal.Request"
_SESSION = "org.freedesktop.portal.Session"
_BUS = "org.freedesktop.DBus"
_TO_REGISTRY = DBusAddress(_PATH, PORTAL, "org.freedesktop.host.portal.Registry")
_TO_SHORTCUTS = DBusAddress(_PATH, PORTAL, _SHORTCUTS)

QUICK = "quick-search"
"""The name under which the desktop stores the keys that the user has chosen."""

_HELD = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Meta": "LOGO"}
_PATIENCE_MS = 20_000
_AGAIN_MS = 2_000


def trigger(keys: Keys) -> str:
    """Return ``keys`` in the notation of freedesktop.org's shortcuts specification."""
    return "+".join((*(_HELD[name] for name in keys.modifiers), keys.keysym))


class PortalShortcut(GlobalShortcut):
    """Registers the program with the portal, creates a session, and binds the shortcut.

    It does so again when the portal restarts.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus: BusConnection | None = None
        self._keys: Keys | None = None
        self._tokens = count(1)
        self._owner = ""  # the portal's unique bus name, once it has answered
        self._request = ""  # the path of the pending request
        self._session = ""
        self._registered = False
        self._patience = self._timer(_PATIENCE_MS, self._give_up)
        self._again = self._timer(_AGAIN_MS, self._start)

    def grab(self, keys: Keys) -> None:
        """Propose ``keys`` to the desktop."""
        self._keys = keys
        if self._bus is not None:
            self._close_session()
        elif not self._connect():
            self._set(unavailable())
            return
        make_known()
        self._start()

    def configure(self) -> None:
        """Open the desktop's dialog for choosing the keys."""
        if self._bus is not None and self._session:
            body: tuple[Any, ...] = (self._session, "", {})
            self._bus.call(_TO_SHORTCUTS, "ConfigureShortcuts", "osa{sv}", body, self._configured)

    def close(self) -> None:
        """Disconnect from the bus, which also ends the session."""
        self._patience.stop()
        self._again.stop()
        self._keys = None
        if self._bus is not None:
            self._bus.close()
            self._bus.deleteLater()
            self._bus = None
        self._forget()

    def _token(self) -> str:
        return f"notesearch{next(self._tokens)}"

    def _timer(self, milliseconds: int, then: Any) -> QTimer:  # noqa: ANN401 - a slot
        timer = QTimer(self, singleShot=True, interval=milliseconds)
        timer.timeout.connect(then)
        return timer

    def _connect(self) -> bool:
        self._bus = bus = BusConnection.open(self)
        if bus is None:
            return False
        bus.signalled.connect(self._on_signal)
        bus.lost.connect(self._on_lost)
        for interface in (_SHORTCUTS, _REQUEST, _SESSION):
            bus.listen(MatchRule(type="signal", sender=PORTAL, interface=interface))
        changes = MatchRule(type="signal", sender=_BUS, interface=_BUS, member="NameOwnerChanged")
        changes.add_arg_condition(0, PORTAL)
        bus.listen(changes)
        return True

    def _forget(self) -> None:
        self._owner = self._request = self._session = ""
        self._registered = False

    @Slot()
    def _start(self) -> None:
        """Register the program, unless this run of the portal knows it, and create a session."""
        if self._bus is None or self._keys is None:
            return
        self._set(waiting())
        self._patience.start()
        if self._registered:
            self._create_session()
            return
        self._bus.call(_TO_REGISTRY, "Register", "sa{sv}", (APP_ID, {}), self._on_registered)

    def _on_registered(self, message: Message) -> None:
        """Create a session, even if the portal has no registry, as on older desktops."""
        error = error_of(message)
        if error in {f"{_BUS}.Error.ServiceUnknown", f"{_BUS}.Error.NameHasNoOwner"}:
            self._refuse()
            return
        if error:
            log.info("the portal does not register programs: %s %s", error, message.body)
        self._owner = sender_of(message)
        self._registered = True
        self._create_session()

    def _create_session(self) -> None:
        options = {"session_handle_token": ("s", self._token())}
        self._ask("CreateSession", "a{sv}", (), options)

    def _bind(self) -> None:
        assert self._keys is not None
        shortcut = {
            "description": ("s", translate("Quick search in your notes")),
            "preferred_trigger": ("s", trigger(self._keys)),
        }
        self._ask("BindShortcuts", "oa(sa{sv})sa{sv}", (self._session, [(QUICK, shortcut)], ""), {})
        self._patience.stop()  # now the user is asked, and may take any time

    def _ask(
        self, method: str, signature: str, body: tuple[Any, ...], options: dict[str, Any]
    ) -> None:
        """Call a method of the portal; ``_on_response`` receives the result."""
        assert self._bus is not None
        token = self._token()
        sender = self._bus.name.removeprefix(":").replace(".", "_")
        self._request = request = f"{_PATH}/request/{sender}/{token}"
        options = {**options, "handle_token": ("s", token)}
        self._bus.call(
            _TO_SHORTCUTS, method, signature, (*body, options), partial(self._on_called, request)
        )

    def _on_called(self, request: str, message: Message) -> None:
        """Store the path of the request that the portal returns, unless it has answered already."""
        error = error_of(message)
        if error:
            log.warning("no global shortcut: %s %s", error, message.body)
            self._refuse()
        elif self._request == request:
            self._request = message.body[0]

    @Slot(object)
    def _on_signal(self, message: Message) -> None:
        path, interface, member = signal_of(message)
        if interface == _BUS and member == "NameOwnerChanged":
            self._on_owner(message.body[2])
        elif interface == _REQUEST and path == self._request:
            self._on_response(*message.body)
        elif interface == _SESSION and path == self._session:
            self._close_session()
            self._refuse()
        elif interface == _SHORTCUTS and message.body[0] == self._session:
            self._on_shortcut(member, message.body)

    def _on_response(self, code: int, results: dict[str, Any]) -> None:
        self._request = ""
        if code:
            self._refuse(translate("The request for a shortcut was declined."))
        elif not self._session:
            self._session = results.get("session_handle", ("s", ""))[1]
            self._bind()
        else:
            self._show_keys(results.get("shortcuts", ("", []))[1])

    def _on_shortcut(self, member: str, body: tuple[Any, ...]) -> None:
        if member == "Activated" and body[1] == QUICK:
            self.pressed.emit(str(body[3].get("activation_token", ("s", ""))[1]))
        elif member == "ShortcutsChanged":
            self._show_keys(body[1])

    def _show_keys(self, shortcuts: list[tuple[str, dict[str, Any]]]) -> None:
        given = dict(shortcuts).get(QUICK)
        keys = str(given.get("trigger_description", ("s", ""))[1]) if given is not None else ""
        if keys:
            self._set(active(keys, Remedy.CONFIGURE))
        else:
            sentence = translate(
                "Your desktop has not given the shortcut a key. Choose one in your desktop’s"
                " settings."
            )
            self._set(unavailable(sentence, Remedy.CONFIGURE))

    def _on_owner(self, owner: str) -> None:
        """Start again: now if the portal has restarted, a little later if it has only stopped."""
        if owner == self._owner or (owner and not self._registered and self._patience.isActive()):
            return  # our request has started the portal, which will answer
        self._patience.stop()
        if self._bus is not None:
            self._bus.forget()
        self._forget()
        if owner:
            self._start()
        else:
            self._set(waiting())
            self._again.start()

    def _close_session(self) -> None:
        if self._bus is not None and self._session:
            to_session = DBusAddress(self._session, PORTAL, _SESSION)
            self._bus.call(to_session, "Close", "", (), lambda _: None)
        self._session = self._request = ""

    def _configured(self, message: Message) -> None:
        if error_of(message):
            sentence = translate("Change the shortcut in your desktop’s keyboard settings.")
            self._set(active(self.state.keys, Remedy.CONFIGURE, sentence))

    @Slot()
    def _give_up(self) -> None:
        self._refuse(translate("Your desktop does not answer requests for a shortcut."))

    @Slot()
    def _on_lost(self) -> None:
        self.close()
        self._set(unavailable())

    def _refuse(self, sentence: str = "") -> None:
        self._patience.stop()
        self._request = ""
        remedy = Remedy.TRY_AGAIN if sentence else Remedy.CHOOSE
        self._set(unavailable(sentence, remedy))
