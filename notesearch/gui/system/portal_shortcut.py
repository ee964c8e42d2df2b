"""The global shortcut on Wayland, through the GlobalShortcuts portal.

The program proposes keys; the user accepts or changes them in a dialog of the desktop. A thread
talks to the portal, because the answers may take any time.
"""

import contextlib
import logging
import socket
import time
from itertools import count
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    Message,
    MessageFlag,
    MessageType,
    new_method_call,
)
from jeepney.bus import get_bus
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, prep_socket
from PySide6.QtCore import QObject, QThread, Signal, Slot

from notesearch.gui.system.desktop_entry import make_known
from notesearch.gui.system.global_shortcut import (
    GlobalShortcut,
    Keys,
    Remedy,
    ShortcutState,
    active,
    unavailable,
    waiting,
)
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
_CONNECT_S = 1.0
_PATIENCE_S = 20.0
_AGAIN_S = 2.0

_BROKEN = (OSError, LookupError, ValueError, RuntimeError, TypeError, AttributeError)
"""Errors without a bus, when it ends, and when a message on it has not the form it should have."""


def trigger(keys: Keys) -> str:
    """Return ``keys`` in the notation of freedesktop.org's shortcuts specification."""
    return "+".join((*(_HELD[name] for name in keys.modifiers), keys.keysym))


class PortalShortcut(GlobalShortcut):
    """Binds the shortcut in a thread of its own for each choice of keys."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._binding: _Binding | None = None

    def grab(self, keys: Keys) -> None:
        """Propose ``keys`` to the desktop."""
        self.close()
        self._set(waiting())
        self._binding = binding = _Binding(keys, self)
        binding.changed.connect(self._on_changed)
        binding.pressed.connect(self._on_pressed)
        binding.start()

    def configure(self) -> None:
        """Open the desktop's dialog for choosing the keys."""
        if self._binding is not None:
            self._binding.configure()

    def close(self) -> None:
        """End the session, and disconnect from the bus."""
        if self._binding is not None:
            self._binding.end()
            self._binding.deleteLater()
            self._binding = None

    @Slot(object)
    def _on_changed(self, state: ShortcutState) -> None:
        if self.sender() is self._binding:
            self._set(state)

    @Slot(str)
    def _on_pressed(self, token: str) -> None:
        if self.sender() is self._binding:
            self.pressed.emit(token)


class _RefusedError(Exception):
    """The portal gives no shortcut; ``state`` tells the user why."""

    def __init__(self, state: ShortcutState) -> None:
        super().__init__(state.sentence)
        self.state = state


class _PortalStoppedError(Exception):
    """The portal has stopped, or is starting again."""


class _Binding(QThread):
    """Registers the program with the portal, creates a session, and binds the shortcut.

    It does so again when the portal restarts.

    Signals:
        changed: The state has changed; carries a ``ShortcutState``.
        pressed: As in ``GlobalShortcut``.
    """

    changed = Signal(object)
    pressed = Signal(str)

    def __init__(self, keys: Keys, parent: QObject) -> None:
        super().__init__(parent)
        self._keys = keys
        self._socket: socket.socket | None = None
        self._bus: DBusConnection | None = None
        self._tokens = count(1)
        self._session = ""  # the path of the session, once there is one
        self._owner = ""  # the bus name of the portal's process, if it has started or stopped here
        self._given = ""  # the keys that the desktop has given, in its notation
        self._configuring = 0  # the serial number of the last call of ``configure``

    def configure(self) -> None:
        """Open the desktop's dialog for choosing the keys. The GUI thread calls this."""
        if self._bus is not None and self._session:
            body: tuple[Any, ...] = (self._session, "", {})
            call = new_method_call(_TO_SHORTCUTS, "ConfigureShortcuts", "osa{sv}", body)
            self._configuring = next(self._bus.outgoing_serial)
            with contextlib.suppress(OSError):  # the thread reports the lost connection
                self._bus.send(call, serial=self._configuring)

    def end(self) -> None:
        """End the session and the thread; its signals are dropped. The GUI thread calls this."""
        self.blockSignals(True)
        self.requestInterruption()
        with contextlib.suppress(OSError):
            if self._bus is not None and self._session:
                close = new_method_call(DBusAddress(self._session, PORTAL, _SESSION), "Close")
                close.header.flags = MessageFlag.no_reply_expected
                self._bus.send(close)
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RD)  # which wakes the thread
        self.wait()

    def run(self) -> None:
        """Keep the shortcut bound until the connection to the bus is lost or closed."""
        try:
            self._socket = prep_socket(get_bus("SESSION"), timeout=_CONNECT_S)
            if self.isInterruptionRequested():
                return
            with DBusConnection(self._socket) as self._bus:
                make_known()
                self._listen()
                while not self.isInterruptionRequested():
                    self._keep_bound()
        except _BROKEN as error:
            log.warning("no global shortcut: %r", error)
            self.changed.emit(unavailable())

    def _listen(self) -> None:
        """Ask the bus for the signals of the portal, and for news of its end or start."""
        rules = [
            MatchRule(type="signal", sender=PORTAL, interface=interface)
            for interface in (_SHORTCUTS, _REQUEST, _SESSION)
        ]
        owner = MatchRule(type="signal", sender=_BUS, interface=_BUS, member="NameOwnerChanged")
        owner.add_arg_condition(0, PORTAL)
        for rule in (*rules, owner):
            self._send(message_bus.AddMatch(rule))

    def _keep_bound(self) -> None:
        """Bind the shortcut, and report its keys until the portal stops."""
        try:
            try:
                self._bind()
            except _RefusedError as refusal:
                self.changed.emit(refusal.state)
            while True:
                self._take(self._receive())
        except _PortalStoppedError:
            self._session = ""
            self.changed.emit(waiting())
            self._await_portal()

    def _await_portal(self) -> None:
        """Wait a little for a portal that has stopped; after that, a call may start it."""
        until = time.monotonic() + _AGAIN_S
        with contextlib.suppress(TimeoutError):
            while not self._owner:
                self._note_owner(self._connection.receive(timeout=until - time.monotonic()))

    def _bind(self) -> None:
        """Register the program, create a session, and bind the shortcut.

        Raises:
            _RefusedError: The portal or the user has declined.
            _PortalStoppedError: The portal stopped meanwhile.
        """
        deadline = time.monotonic() + _PATIENCE_S
        serial = self._send(new_method_call(_TO_REGISTRY, "Register", "sa{sv}", (APP_ID, {})))
        while _reply_serial(reply := self._receive(deadline, may_start=True)) != serial:
            pass
        error = _error_of(reply)
        if error in {f"{_BUS}.Error.ServiceUnknown", f"{_BUS}.Error.NameHasNoOwner"}:
            raise _RefusedError(unavailable())
        if error:  # as on older desktops, whose portals have no registry
            log.info("the portal does not register programs: %s %s", error, reply.body)
        options = {"session_handle_token": ("s", self._token())}
        results = self._ask("CreateSession", "a{sv}", (), options, deadline)
        self._session = results.get("session_handle", ("s", ""))[1]
        shortcut = {
            "description": ("s", translate("Quick search in your notes")),
            "preferred_trigger": ("s", trigger(self._keys)),
        }
        body = self._session, [(QUICK, shortcut)], ""
        results = self._ask("BindShortcuts", "oa(sa{sv})sa{sv}", body, {})  # the user decides
        self._show_keys(results.get("shortcuts", ("", []))[1])

    def _ask(
        self,
        method: str,
        signature: str,
        body: tuple[Any, ...],
        options: dict[str, Any],
        deadline: float | None = None,
    ) -> dict[str, Any]:
        """Call a method of the portal, and return the results of its request."""
        token = self._token()
        sender = str(self._connection.unique_name).removeprefix(":").replace(".", "_")
        requests = {f"{_PATH}/request/{sender}/{token}"}
        body = (*body, {**options, "handle_token": ("s", token)})
        serial = self._send(new_method_call(_TO_SHORTCUTS, method, signature, body))
        while True:
            message = self._receive(deadline)
            if _reply_serial(message) == serial:
                if error := _error_of(message):
                    log.warning("no global shortcut: %s %s", error, message.body)
                    raise _RefusedError(unavailable())
                requests.add(message.body[0])  # older portals choose the path themselves
            elif _field(message, HeaderFields.path) in requests:
                code, results = message.body
                if code:
                    why = translate("The request for a shortcut was declined.")
                    raise _RefusedError(unavailable(why, Remedy.TRY_AGAIN))
                return dict(results)
            else:
                self._take(message)

    def _take(self, message: Message) -> None:
        """Handle a message that answers no request."""
        interface = _field(message, HeaderFields.interface)
        if interface == _SESSION and _field(message, HeaderFields.path) == self._session:
            self._session = ""
            self.changed.emit(unavailable())
        elif interface == _SHORTCUTS and message.body[0] == self._session:
            self._on_shortcut(_field(message, HeaderFields.member), message.body)
        elif _error_of(message) and _reply_serial(message) == self._configuring:
            sentence = translate("Change the shortcut in your desktop’s keyboard settings.")
            self.changed.emit(active(self._given, Remedy.CONFIGURE, sentence))

    def _on_shortcut(self, member: str, body: tuple[Any, ...]) -> None:
        if member == "Activated" and body[1] == QUICK:
            self.pressed.emit(str(body[3].get("activation_token", ("s", ""))[1]))
        elif member == "ShortcutsChanged":
            self._show_keys(body[1])

    def _show_keys(self, shortcuts: list[tuple[str, dict[str, Any]]]) -> None:
        given = dict(shortcuts).get(QUICK, {})
        self._given = str(given.get("trigger_description", ("s", ""))[1])
        if self._given:
            self.changed.emit(active(self._given, Remedy.CONFIGURE))
        else:
            sentence = translate(
                "Your desktop has not assigned a key to the shortcut. Choose one in its settings."
            )
            self.changed.emit(unavailable(sentence, Remedy.CONFIGURE))

    @property
    def _connection(self) -> DBusConnection:
        assert self._bus is not None
        return self._bus

    def _token(self) -> str:
        return f"notesearch{next(self._tokens)}"

    def _send(self, message: Message) -> int:
        """Send a call, and return its serial number, by which its reply is known."""
        serial: int = next(self._connection.outgoing_serial)
        self._connection.send(message, serial=serial)
        return serial

    def _receive(self, deadline: float | None = None, *, may_start: bool = False) -> Message:
        """Return the next message; raise if the portal stops, or does not answer in time.

        With ``may_start``, a call may have started the portal.
        """
        left = None if deadline is None else deadline - time.monotonic()
        try:
            message = self._connection.receive(timeout=left)
        except TimeoutError:
            why = translate("Your desktop does not answer requests for a shortcut.")
            raise _RefusedError(unavailable(why, Remedy.TRY_AGAIN)) from None
        if self._note_owner(message) and not (may_start and self._owner):
            raise _PortalStoppedError
        return message

    def _note_owner(self, message: Message) -> bool:
        """Note which process is the portal; return whether ``message`` has told that."""
        if _field(message, HeaderFields.member) != "NameOwnerChanged":
            return False
        self._owner = str(message.body[2])
        return True


def _field(message: Message, name: HeaderFields) -> str:
    return str(message.header.fields.get(name, ""))


def _reply_serial(message: Message) -> int:
    """Return the number of the call that ``message`` answers; -1 if it is no reply."""
    return int(message.header.fields.get(HeaderFields.reply_serial, -1))


def _error_of(message: Message) -> str:
    """Return the error name of ``message``; empty if it is not an error."""
    if message.header.message_type is not MessageType.error:
        return ""
    return _field(message, HeaderFields.error_name) or "unknown"
