"""Rows of bytes by id, kept in memory until the index changes: one search meets those of others."""

import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Read = Callable[[str], list[tuple[int, bytes]]]


class KeptRows:
    """Rows of one length, in one piece: as objects of Python they would take twice the room."""

    def __init__(self, room: int) -> None:
        """Keep nothing yet, and never more than ``room`` bytes."""
        self._room = room
        self._all: NDArray[np.uint8] | None = None
        self._ids: NDArray[np.int64]
        self._places: NDArray[np.int64]

    def clear(self) -> None:
        """Forget all rows: the index has changed."""
        self._all = None

    def of(
        self, ids: Collection[int], read: _Read
    ) -> "tuple[NDArray[np.int64], NDArray[np.uint8]]":
        """Return those of ``ids`` that there are, ascending, and their rows.

        Args:
            ids: Any number, each once.
            read: Returns the ids and rows of a JSON list of ids.
        """
        import numpy as np

        wanted = np.sort(np.fromiter(ids, np.int64, len(ids)))
        if self._all is None:
            return self._keep(*_read_rows(wanted, read))
        at = np.searchsorted(self._ids[:-1], wanted)
        known = self._ids[at] == wanted
        rows = self._all[self._places[at[known]]]
        if known.all():
            return wanted, rows
        fresh, read_now = self._keep(*_read_rows(wanted[~known], read))
        if not len(fresh):
            return wanted[known], rows
        found = np.concatenate([wanted[known], fresh])
        order = np.argsort(found)
        return found[order], np.concatenate([rows, read_now])[order]

    def _keep(
        self, ids: "NDArray[np.int64]", rows: "NDArray[np.uint8]"
    ) -> "tuple[NDArray[np.int64], NDArray[np.uint8]]":
        """Keep new rows, in place of all others where there is no room for them; return them."""
        import numpy as np

        if not len(ids):
            return ids, rows
        used = len(self._ids) - 1 if self._all is not None else 0
        if self._all is None or used + len(ids) > len(self._all):
            used, most = 0, self._room // rows.shape[1]
            if len(ids) > most:
                return ids, rows
            if self._all is None:
                self._all = np.empty((most, rows.shape[1]), np.uint8)
            # Behind all that are kept stands one that nobody asks for.
            self._ids, self._places = np.array([-1]), np.array([-1])
        self._all[used : used + len(ids)] = rows
        at = np.searchsorted(self._ids[:-1], ids)
        self._ids = np.insert(self._ids, at, ids)
        self._places = np.insert(self._places, at, np.arange(used, used + len(ids)))
        return ids, rows


def _read_rows(
    ids: "NDArray[np.int64]", read: _Read
) -> "tuple[NDArray[np.int64], NDArray[np.uint8]]":
    import numpy as np

    rows = read(json.dumps(ids.tolist()))
    if not rows:
        return np.empty(0, np.int64), np.empty((0, 0), np.uint8)
    found, packed = zip(*rows, strict=True)
    return np.array(found), np.frombuffer(b"".join(packed), np.uint8).reshape(len(rows), -1)
