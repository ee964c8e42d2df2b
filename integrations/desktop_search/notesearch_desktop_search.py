#!/usr/bin/env python3
"""Finds notes in GNOME's overview and in KRunner: a D-Bus service that ends when it is idle."""

import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from jeepney import Message, MessageFlag, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from notesearch_client import IDLE_S, RunningSearch, SearchError, Section, opening, start

BUS_NAME = "org.notesearch.DesktopSearch"
GNOME, KRUNNER = "org.gnome.Shell.SearchProvider2", "org.kde.krunner1"

_WEAK = 25
"""Below this percentage nothing is close; the overview shows results to people who ask for apps."""

_ICON = "org.notesearch.Notesearch"
_POSSIBLE_MATCH = 30  # a category of KRunner's matches
_DO_NOT_QUEUE, _IS_OWNER = 4, 1

Reply = tuple[str, tuple[Any, ...]]
"""A D-Bus signature and the values it describes."""


class DesktopSearch:
    """Answers the calls of both desktops.

    Sections are named by JSON text that still opens them after this process was replaced.
    """

    def __init__(self, search: RunningSearch) -> None:
        self._search = search
        self._known: dict[str, Section] = {}
        self._methods: dict[tuple[str, str], Callable[..., Reply]] = {
            (GNOME, "GetInitialResultSet"): self._result_set,
            (GNOME, "GetSubsearchResultSet"): lambda _earlier, terms: self._result_set(terms),
            (GNOME, "GetResultMetas"): self._metas,
            (GNOME, "ActivateResult"): lambda name, _terms, _time: self._open(name),
            (GNOME, "LaunchSearch"): lambda terms, _time: self._open_window(terms),
            (KRUNNER, "Match"): self._matches,
            (KRUNNER, "Run"): lambda name, _action: self._open(name),
            (KRUNNER, "Actions"): lambda: ("a(sss)", ([],)),
            (KRUNNER, "Teardown"): lambda: ("", ()),
        }

    def reply(self, interface: str, method: str, values: Sequence[Any]) -> Reply | None:
        """Return the reply to a call; None if there is no such method."""
        answer = self._methods.get((interface, method))
        return answer(*values) if answer else None

    def _find(self, query: str) -> dict[str, Section]:
        """Return sections by their names; a failure looks like one that cannot be opened."""
        try:
            sections = [one for one in self._search.ask(query) if one.percent >= _WEAK]
        except SearchError as error:
            sections = [Section("notesearch", str(error), vault="", place="", percent=_WEAK)]
        found = {json.dumps([one.vault, one.place]): one for one in sections}
        self._known |= found  # GNOME may ask about results of an earlier query
        return found

    def _result_set(self, terms: Sequence[str]) -> Reply:
        return "as", (list(self._find(" ".join(terms))),)

    def _metas(self, names: Sequence[str]) -> Reply:
        known = ((name, self._known[name]) for name in names if name in self._known)
        metas = [
            {
                "id": ("s", name),
                "name": ("s", one.name),
                "description": ("s", one.text),
                "gicon": ("s", _ICON),
            }
            for name, one in known
        ]
        return "aa{sv}", (metas,)

    def _matches(self, query: str) -> Reply:
        matches = [
            (
                name,
                one.name,
                _ICON,
                _POSSIBLE_MATCH,
                one.percent / 100,
                {"subtext": ("s", one.text)},
            )
            for name, one in self._find(query).items()
        ]
        return "a(sssida{sv})", (matches,)

    def _open(self, name: str) -> Reply:
        vault, place = json.loads(name)
        if place:
            start(opening(vault, place))
        return "", ()

    def _open_window(self, terms: Sequence[str]) -> Reply:
        start(["notesearch", "quick", "--", *terms])
        return "", ()


def serve(connection: DBusConnection, service: DesktopSearch) -> None:
    """Answer calls until none has come for a while or another process takes the service's name."""
    # A reply that is waited for would swallow the call that made the bus start this process.
    connection.send(message_bus.RequestName(BUS_NAME, _DO_NOT_QUEUE))
    with contextlib.suppress(TimeoutError):
        while True:
            message = connection.receive(timeout=IDLE_S)
            match message.header.message_type:
                case MessageType.method_call:
                    _answer(connection, service, message)
                case MessageType.method_return if message.body != (_IS_OWNER,):
                    return


def _answer(connection: DBusConnection, service: DesktopSearch, call: Message) -> None:
    fields = {field.name: value for field, value in call.header.fields.items()}
    error = "org.freedesktop.DBus.Error.UnknownMethod"
    try:
        reply = service.reply(fields.get("interface", ""), fields["member"], call.body)
    except (TypeError, ValueError):  # too few values, or a name that we never gave
        reply, error = None, "org.freedesktop.DBus.Error.InvalidArgs"
    if not call.header.flags & MessageFlag.no_reply_expected:
        connection.send(new_method_return(call, *reply) if reply else new_error(call, error))


def main() -> None:
    """Serve the session bus."""
    search = RunningSearch()
    try:
        with open_dbus_connection("SESSION") as connection:
            serve(connection, DesktopSearch(search))
    finally:
        search.close()


if __name__ == "__main__":
    main()
