"""The session bus of D-Bus without a thread: calls go out, what comes back is heard by Qt."""

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

__all__ = ["BusConnection", "Message", "address", "error_of", "sender_of", "signal_of"]

Answer = Callable[[Message], None]


class _Connection(DBusConnection):  # type: ignore[misc]  # the library has no types
    """Waits for a second at most where it waits at all: when it greets the bus."""

    def send_and_get_reply(self, message: Message, *, timeout: float | None = None) -> Message:
        """Send a message and return its reply."""
        return super().send_and_get_reply(message, timeout=timeout or _PATIENCE_S)


class BusConnection(QObject):
    """A connection of its own to the session bus.

    Signals:
        heard: A signal of the bus (``Message``) that was listened for.
        lost: The bus went away.
    """

    heard = Signal(object)
    lost = Signal()

    def __init__(self, connection: DBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._connection = connection
        self._serials = count(1000)  # the library counts its own from 1
        self._waiting: dict[int, Answer] = {}
        self._closed = False
        self._notifier = QSocketNotifier(connection.sock.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    @classmethod
    def open(cls, parent: QObject | None = None) -> "BusConnection | None":
        """Return a connection; None where this session has no bus."""
        try:
            return cls(_Connection(prep_socket(get_bus("SESSION"), timeout=_PATIENCE_S)), parent)
        except (OSError, KeyError, ValueError, RuntimeError):
            return None

    @property
    def name(self) -> str:
        """What the bus calls us."""
        return str(self._connection.unique_name)

    def call(
        self, to: DBusAddress, method: str, signature: str, body: tuple[Any, ...], answer: Answer
    ) -> None:
        """Call ``method``; ``answer`` gets what comes back, be it an error."""
        self._send(new_method_call(to, method, signature, body), answer)

    def listen(self, rule: MatchRule) -> None:
        """Hear the signals that ``rule`` describes."""
        self._send(message_bus.AddMatch(rule), _ignore)

    def forget(self) -> None:
        """Wait for no answer any more."""
        self._waiting.clear()

    def close(self) -> None:
        """End the connection."""
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
        """Take all that has come, which may be more than one read from the socket showed."""
        try:
            with contextlib.suppress(TimeoutError):
                while not self._closed:
                    self._take(self._connection.receive(timeout=0))
        except (OSError, ValueError):
            self._lose()

    def _take(self, message: Message) -> None:
        kind, fields = message.header.message_type, message.header.fields
        if kind is MessageType.signal:
            self.heard.emit(message)
        elif kind in {MessageType.method_return, MessageType.error}:
            answer = self._waiting.pop(fields.get(HeaderFields.reply_serial, 0), _ignore)
            answer(message)

    def _lose(self) -> None:
        self.close()
        self.lost.emit()


def address(path: str, name: str, interface: str) -> DBusAddress:
    """Return whom a call is for: an object of whoever has ``name``, and what it is asked as."""
    return DBusAddress(path, name, interface)


def error_of(message: Message) -> str:
    """Return the name of the error that ``message`` is; empty where it is none."""
    if message.header.message_type is not MessageType.error:
        return ""
    return str(message.header.fields.get(HeaderFields.error_name, "unknown"))


def sender_of(message: Message) -> str:
    """Return who sent ``message``, by the name that the bus gave."""
    return str(message.header.fields.get(HeaderFields.sender, ""))


def signal_of(message: Message) -> tuple[str, str, str]:
    """Return path, interface and name of the signal that ``message`` is."""
    fields = message.header.fields
    return (
        str(fields.get(HeaderFields.path, "")),
        str(fields.get(HeaderFields.interface, "")),
        str(fields.get(HeaderFields.member, "")),
    )


def _ignore(_message: Message) -> None:
    """Do nothing with what nobody waits for."""
