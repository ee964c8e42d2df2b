"""The D-Bus session bus in Qt's event loop: calls do not wait, and callbacks get the replies."""

import contextlib
from collections.abc import Callable
from itertools import count
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, MessageType, new_method_call
from jeepney.bus import get_bus
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, prep_socket
from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

_PATIENCE_S = 1.0

Answer = Callable[[Message], None]


class _Connection(DBusConnection):  # type: ignore[misc]  # the library has no types
    """A connection that waits at most ``_PATIENCE_S`` for the answer to its first message."""

    def send_and_get_reply(self, message: Message, *, timeout: float | None = None) -> Message:
        """Send a message and return the reply; the default timeout is ``_PATIENCE_S``."""
        return super().send_and_get_reply(message, timeout=timeout or _PATIENCE_S)


class BusConnection(QObject):
    """A connection to the session bus.

    Signals:
        signalled: A D-Bus signal arrived that a rule of ``listen`` matches; carries its message.
        lost: The connection is lost.
    """

    signalled = Signal(object)
    lost = Signal()

    def __init__(self, connection: DBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connection = connection
        self._serials = count(1000)  # the library uses numbers from 1 for its own messages
        self._waiting: dict[int, Answer] = {}
        self._closed = False
        self._notifier = QSocketNotifier(connection.sock.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    @classmethod
    def open(cls, parent: QObject | None = None) -> "BusConnection | None":
        """Return a new connection; None if this session has no bus."""
        try:
            return cls(_Connection(prep_socket(get_bus("SESSION"), timeout=_PATIENCE_S)), parent)
        except (OSError, KeyError, ValueError, RuntimeError):
            return None

    @property
    def name(self) -> str:
        """The unique name of this connection on the bus."""
        return str(self._connection.unique_name)

    def call(
        self, to: DBusAddress, method: str, signature: str, body: tuple[Any, ...], answer: Answer
    ) -> None:
        """Call ``method`` of the object ``to`` with the arguments ``body``.

        ``signature`` has their D-Bus types; ``answer`` receives the reply, which may be an error.
        """
        self._send(new_method_call(to, method, signature, body), answer)

    def listen(self, rule: MatchRule) -> None:
        """Emit ``signalled`` for D-Bus signals that match ``rule``."""
        self._send(message_bus.AddMatch(rule), _ignore)

    def forget(self) -> None:
        """Ignore all pending replies."""
        self._waiting.clear()

    def close(self) -> None:
        """Close the connection."""
        if not self._closed:
            self._closed = True
            self._notifier.setEnabled(False)
            self._waiting.clear()
            self._connection.close()

    def _send(self, message: Message, answer: Answer) -> None:
        if self._closed:
            return
        serial = next(self._serials)
        self._waiting[serial] = answer
        try:
            self._connection.send(message, serial=serial)
        except OSError:
            self._lose()

    @Slot()
    def _read(self) -> None:
        """Read all messages that have arrived; Qt may call this once for several."""
        try:
            with contextlib.suppress(TimeoutError):
                while not self._closed:
                    self._take(self._connection.receive(timeout=0))
        except (OSError, ValueError):
            self._lose()

    def _take(self, message: Message) -> None:
        kind, fields = message.header.message_type, message.header.fields
        if kind is MessageType.signal:
            self.signalled.emit(message)
        elif kind in {MessageType.method_return, MessageType.error}:
            answer = self._waiting.pop(fields.get(HeaderFields.reply_serial, 0), _ignore)
            answer(message)

    def _lose(self) -> None:
        self.close()
        self.lost.emit()


def error_of(message: Message) -> str:
    """Return the error name of ``message``; empty if it is not an error."""
    if message.header.message_type is not MessageType.error:
        return ""
    return str(message.header.fields.get(HeaderFields.error_name, "unknown"))


def sender_of(message: Message) -> str:
    """Return the sender's unique bus name."""
    return str(message.header.fields.get(HeaderFields.sender, ""))


def signal_of(message: Message) -> tuple[str, str, str]:
    """Return the path, interface and name of a D-Bus signal."""
    fields = message.header.fields
    return (
        str(fields.get(HeaderFields.path, "")),
        str(fields.get(HeaderFields.interface, "")),
        str(fields.get(HeaderFields.member, "")),
    )


def _ignore(_message: Message) -> None:
    """Drop an unexpected reply."""
