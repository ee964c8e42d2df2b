"""A mock of the GlobalShortcuts portal and the file manager, run as a program on a private bus.

What it was asked is told on its standard output, a word a line. ``manners`` are its arguments:
what such portals are known to do.
"""

import sys
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
FILES = "org.freedesktop.FileManager1"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"


class Portal:
    def __init__(self, bus: DBusConnection, manners: list[str]) -> None:
        self.bus = bus
        self.manners = manners
        self.registered: set[str] = set()
        self.session = ""
        self.asked: tuple[str, str] | None = None

    def run(self) -> None:
        for name in (FILES, NAME):  # a call may follow the last one at once
            self.bus.send_and_get_reply(message_bus.RequestName(name))
        self.tell("ready")
        while True:
            message = self.bus.receive()
            if message.header.message_type is MessageType.method_call:
                fields = message.header.fields
                getattr(self, fields[HeaderFields.member])(message, fields[HeaderFields.sender])

    def tell(self, *words: object) -> None:
        print(*words, flush=True)

    def Register(self, message: Message, sender: str) -> None:
        self.tell("Register", message.body[0])
        if "no-registry" in self.manners:
            self.bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        elif sender in self.registered:
            self.bus.send(new_error(message, "org.freedesktop.portal.Error.Failed"))
        else:
            self.registered.add(sender)
            self.bus.send(new_method_return(message))

    def CreateSession(self, message: Message, sender: str) -> None:
        self.tell("CreateSession")
        if "mute" in self.manners:
            return
        if "strict" in self.manners and sender not in self.registered:
            error = "org.freedesktop.portal.Error.NotAllowed"
            self.bus.send(new_error(message, error, "s", ("An app id is required",)))
            return
        options = message.body[0]
        middle = sender[1:].replace(".", "_")
        self.session = f"{PATH}/session/{middle}/{options['session_handle_token'][1]}"
        self.respond(message, sender, options, 0, {"session_handle": ("s", self.session)})

    def BindShortcuts(self, message: Message, sender: str) -> None:
        _, shortcuts, _, options = message.body
        [(name, wanted)] = shortcuts
        self.tell("BindShortcuts", name, wanted["preferred_trigger"][1])
        given = [] if "no-key" in self.manners else [self.shortcut(name, "Ctrl+Shift+Space")]
        code = 1 if "refuse" in self.manners else 0
        self.respond(message, sender, options, code, {"shortcuts": ("a(sa{sv})", given)})

    def ConfigureShortcuts(self, message: Message, _sender: str) -> None:
        self.tell("ConfigureShortcuts")
        if "old" in self.manners:
            self.bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        else:
            self.bus.send(new_method_return(message))
            self.signal("ShortcutsChanged", "oa(sa{sv})",
                        (self.session, [self.shortcut("quick-search", "Super+N")]))  # fmt: skip

    def Close(self, message: Message, _sender: str) -> None:
        self.tell("Close")
        self.bus.send(new_method_return(message))

    def ShowItems(self, message: Message, _sender: str) -> None:
        self.tell("ShowItems", *message.body[0])
        if "no-files" in self.manners:
            self.bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        else:
            self.bus.send(new_method_return(message))

    def Press(self, message: Message, _sender: str) -> None:
        """Press the keys, if this session owns them."""
        self.bus.send(new_method_return(message))
        for session, name in ((f"{PATH}/session/other", "quick-search"), (self.session, "other"),
                              (self.session, "quick-search")):  # fmt: skip
            body = (session, name, 7, {"activation_token": ("s", f"token-{name}")})
            self.signal("Activated", "osta{sv}", body)

    def SendNonsense(self, message: Message, _sender: str) -> None:
        self.bus.send(new_method_return(message))
        self.signal("Activated", "o", (self.session,))

    def EndSession(self, message: Message, _sender: str) -> None:
        self.bus.send(new_method_return(message))
        at = DBusAddress(self.session, interface="org.freedesktop.portal.Session")
        self.bus.send(new_signal(at, "Closed", "a{sv}", ({},)))

    def shortcut(self, name: str, keys: str) -> tuple[str, dict[str, Any]]:
        return name, {"trigger_description": ("s", keys)}

    def signal(self, member: str, signature: str, body: tuple[Any, ...]) -> None:
        at = DBusAddress(PATH, interface=SHORTCUTS)
        self.bus.send(new_signal(at, member, signature, body))

    def respond(
        self, message: Message, sender: str, options: Any, code: int, results: dict[str, Any]
    ) -> None:
        """Answer the call and then the request; hasty portals reverse the order."""
        middle, token = sender[1:].replace(".", "_"), options["handle_token"][1]
        own = "of_its_own" if "old" in self.manners else ""
        handle = f"{PATH}/request/{middle}/{token}{own}"
        at = DBusAddress(handle, interface="org.freedesktop.portal.Request")
        told = [
            new_method_return(message, "o", (handle,)),
            new_signal(at, "Response", "ua{sv}", (code, results)),
        ]
        for answer in reversed(told) if "hasty" in self.manners else told:
            self.bus.send(answer)


if __name__ == "__main__":
    Portal(open_dbus_connection("SESSION"), sys.argv[1:]).run()
