"""Receives the requests that later starts of the program send to the running program."""

import contextlib
import logging
import os
import sys
import unicodedata
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from notesearch.gui.system.single_instance import COMMANDS, MAX_QUERY, OK, VERSION, address

log = logging.getLogger(__name__)

_PATIENCE_MS = 2000
_MAX_BYTES = 64 * 1024
_MAX_PEERS = 32
_MAX_TOKEN = 256


class InstanceServer(QObject):
    """Listens on the socket, and emits a signal for each request.

    A connection is dropped if it is slow, if it sends anything unknown, or if there are too many.

    Signals:
        requested: A request arrived; carries one of ``COMMANDS``, a query, and a token that lets a
            window take the focus. Query and token may be empty.
    """

    requested = Signal(str, str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.listener = QLocalServer(self)
        self.listener.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self.listener.setMaxPendingConnections(_MAX_PEERS)
        self.listener.newConnection.connect(self._welcome)

    def listen(self) -> None:
        """Start to listen; only the process with the instance lock may call this.

        The new socket replaces the socket of a process that died: with ``UserAccessOption``, Qt
        creates it under another name and then moves it.
        """
        path = address()
        if not path or not self.listener.listen(path):
            log.warning("later starts will not find this process: %s", self.listener.errorString())

    def close(self) -> None:
        """Stop listening and remove the socket."""
        self.listener.close()

    @Slot()
    def _welcome(self) -> None:
        while (socket := self.listener.nextPendingConnection()) is not None:
            if len(self.findChildren(_Peer)) >= _MAX_PEERS:
                socket.abort()
                socket.deleteLater()
                continue
            peer = _Peer(socket, self)
            peer.requested.connect(self.requested)
            peer.start()


class _Peer(QObject):
    """One connection: reads one line within ``_PATIENCE_MS``, and answers with one line."""

    requested = Signal(str, str, str)

    def __init__(self, socket: QLocalSocket, parent: QObject) -> None:
        super().__init__(parent)
        socket.setParent(self)
        socket.setReadBufferSize(_MAX_BYTES)
        self._socket = socket
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._give_up)
        socket.readyRead.connect(self._read)
        socket.disconnected.connect(self._leave)

    def start(self) -> None:
        """Read what has arrived of the request's line, and wait for the rest."""
        self._patience.start(_PATIENCE_MS)
        if self._socket.bytesAvailable():
            self._read()
        elif self._socket.state() != QLocalSocket.LocalSocketState.ConnectedState:
            self._leave()

    @Slot()
    def _read(self) -> None:
        socket = self._socket
        if not socket.canReadLine():
            if socket.bytesAvailable() >= _MAX_BYTES:
                socket.abort()
            return
        request = parse(bytes(socket.readLine(_MAX_BYTES).data()))
        socket.readyRead.disconnect(self._read)
        if request is None:
            log.info("dropped an invalid request")
            socket.abort()
            return
        socket.write(OK + b"\n")
        socket.disconnectFromServer()
        self.requested.emit(*request)

    @Slot()
    def _give_up(self) -> None:
        self._socket.abort()

    @Slot()
    def _leave(self) -> None:
        self._patience.stop()
        self.deleteLater()


def parse(line: bytes) -> tuple[str, str, str] | None:
    """Return command, query and token (empty if invalid) of a request; None if it is unknown."""
    try:
        version, command, token, query = line.decode("utf-8").removesuffix("\n").split("\t")
    except ValueError:
        return None
    if version != VERSION or command not in COMMANDS:
        return None
    clean = "".join(" " if unicodedata.category(c) == "Cc" else c for c in query[:MAX_QUERY])
    is_valid = len(token) <= _MAX_TOKEN and token.isascii() and token.isprintable()
    return command, clean.strip(), token if is_valid else ""


@contextlib.contextmanager
def activation_token(token: str) -> Iterator[None]:
    """Let windows shown in this block take the focus by ``token``; an empty token does nothing."""
    if not token or not sys.platform.startswith("linux"):
        yield
        return
    os.environ["XDG_ACTIVATION_TOKEN"] = token
    try:
        yield
    finally:
        os.environ.pop("XDG_ACTIVATION_TOKEN", None)
