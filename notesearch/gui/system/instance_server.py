"""Takes the wishes of later starts of the program at the socket: small, quick and polite ones."""

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
    """Listens for those who ask to show a window or to search; whoever else comes is dropped.

    Signals:
        knocked: Somebody came; who comes before ``answer`` waits for it.
        requested: One of ``COMMANDS``, a query, and the token that lets a window take the focus.
    """

    knocked = Signal()
    requested = Signal(str, str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.setMaxPendingConnections(_MAX_PEERS)
        self._server.newConnection.connect(self.knocked)
        self._peers = 0

    def listen(self) -> None:
        """Listen, in the place of a program that died, or of any: only who has the lock may do so.

        With access limited, Qt makes the socket beside its place and moves it there, over an old
        one. Those who come wait until ``answer`` is called.
        """
        path = address()
        if not path or not self._server.listen(path):
            log.warning("later starts will not find this one: %s", self._server.errorString())

    def answer(self) -> None:
        """Answer all who come, and those who wait already."""
        self._server.newConnection.connect(self._welcome)
        self._welcome()

    def close(self) -> None:
        """Listen no more; the socket goes."""
        self._server.close()

    @Slot()
    def _welcome(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            if self._peers >= _MAX_PEERS:
                socket.abort()
                socket.deleteLater()
                continue
            self._peers += 1
            peer = _Peer(socket, self)
            peer.asked.connect(self.requested)
            peer.left.connect(self._count)
            peer.hear()

    @Slot()
    def _count(self) -> None:
        self._peers -= 1


class _Peer(QObject):
    """One who asks: a line of limited length within two seconds, answered by a line."""

    asked = Signal(str, str, str)
    left = Signal()

    def __init__(self, socket: QLocalSocket, parent: QObject) -> None:
        super().__init__(parent)
        socket.setParent(self)
        socket.setReadBufferSize(_MAX_BYTES)
        self._socket = socket
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._give_up)
        socket.readyRead.connect(self._read)
        socket.disconnected.connect(self._leave)

    def hear(self) -> None:
        """Read what is there, and wait for the rest."""
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
        wish = parse(bytes(socket.readLine(_MAX_BYTES).data()))
        socket.readyRead.disconnect(self._read)
        if wish is None:
            log.info("a request that makes no sense was dropped")
            socket.abort()
            return
        socket.write(OK + b"\n")
        socket.disconnectFromServer()
        self.asked.emit(*wish)

    @Slot()
    def _give_up(self) -> None:
        self._socket.abort()

    @Slot()
    def _leave(self) -> None:
        self._patience.stop()
        self.left.emit()
        self.deleteLater()


def parse(line: bytes) -> tuple[str, str, str] | None:
    """Return command, query and token of a request; None for what is no request."""
    try:
        version, command, token, query = line.decode("utf-8").removesuffix("\n").split("\t")
    except ValueError:
        return None
    if version != VERSION or command not in COMMANDS:
        return None
    shown = "".join(" " if unicodedata.category(c) == "Cc" else c for c in query[:MAX_QUERY])
    good = len(token) <= _MAX_TOKEN and token.isascii() and token.isprintable()
    return command, shown.strip(), token if good else ""


@contextlib.contextmanager
def token_left(token: str) -> Iterator[None]:
    """Leave ``token`` where Qt looks for it when a window is shown and asks for the focus."""
    if not token or not sys.platform.startswith("linux"):
        yield
        return
    os.environ["XDG_ACTIVATION_TOKEN"] = token
    try:
        yield
    finally:
        os.environ.pop("XDG_ACTIVATION_TOKEN", None)
