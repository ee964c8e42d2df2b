"""Takes messages in which half a character stands, as a text has that was cut inside of one."""

import json
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

_Read = Callable[[bytes], object]


class Whole:
    r"""A stream of the SDK's messages, which drops those that it cannot read: nobody answers them.

    JSON may name half a character (``\ud83d``), and programs write it so; with a question mark in
    its place such a message is as good as any.
    """

    def __init__(self, incoming: Any, read: _Read) -> None:  # noqa: ANN401 - kinds of the SDK
        """Take what the SDK gives, and what makes an item of it from a line."""
        self._incoming = incoming
        self._read = read

    @property
    def last_context(self) -> Any:  # noqa: ANN401 - as above
        """Whatever belongs to the last message."""
        return self._incoming.last_context

    async def receive(self) -> Any:  # noqa: ANN401 - as above
        """Return the next message."""
        return self._whole(await self._incoming.receive())

    async def aclose(self) -> None:
        """End it."""
        await self._incoming.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:  # noqa: ANN401 - as above
        return self._whole(await self._incoming.__anext__())

    async def __aenter__(self) -> Self:
        await self._incoming.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        await self._incoming.__aexit__(kind, error, trace)
        return None

    def _whole(self, item: Any) -> Any:  # noqa: ANN401 - as above
        if not isinstance(item, ValidationError):
            return item
        line = item.errors(include_url=False)[0]["input"]
        if not (isinstance(line, str) and "\\ud" in line.lower()):
            return item
        try:
            whole = json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace")
            return self._read(whole)
        except (ValueError, RecursionError):
            return item
