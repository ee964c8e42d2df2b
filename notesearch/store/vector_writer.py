"""The writer's side of vectors: which model made them, what waits for one, what is searched."""

import logging
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, cast

from notesearch.notes import Note
from notesearch.sentences import Sentence
from notesearch.store import identities, switching, vectors
from notesearch.store.db import Connection
from notesearch.store.switching import Chunked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

_UNSEARCHED = "unsearched"
"""Under this key is kept whether vectors changed while sqlite-vec could not be loaded."""


class VectorWriter:
    """The part of the writer that keeps vectors, and what goes by them."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._next = False

    @property
    def vectors_problem(self) -> Sentence:
        """Why vectors cannot be searched, in a sentence; empty when they can."""
        return self._db.vectors_problem

    def use_model(self, fingerprint: str, dimensions: int, name: str = "") -> None:
        """Make the vectors those of this model; where there are others, beside them first.

        ``name`` is what the settings call it.
        """
        before = self._meta("next")
        others = self._db.sql.execute("select 1 from embedding limit 1").fetchall()
        self._next = bool(others) and fingerprint != self._meta("model")
        if before != (fingerprint if self._next else ""):
            with self._db.transaction() as sql:
                if before:
                    switching.keep(sql, before, self._meta("next_name"), of_next=True)
                    switching.clear(sql)
                if self._next:
                    switching.begin(sql, fingerprint)
                    self._set_meta("next_dimensions", str(dimensions))
                self._set_meta("next", fingerprint if self._next else "")
        key = "next_name" if self._next else "model_name"
        if self._meta(key) != name:
            with self._db.transaction():
                self._set_meta(key, name)
        if not self._next:
            self.set_model(fingerprint, dimensions)

    @property
    def is_switching(self) -> bool:
        """Whether vectors of another model are made beside those that are searched."""
        return self._next

    def unchunked(self, limit: int) -> list[tuple[int, Note]]:
        """Return notes that the next model has not read yet, by id."""
        return switching.unchunked(self._db.sql, limit) if self._next else []

    def put_chunked(self, notes: Iterable[Chunked]) -> None:
        """Store how the next model reads notes; one transaction."""
        with self._db.transaction() as sql:
            switching.put_chunked(sql, notes)

    def finish_switch(self) -> bool:
        """Have the next model searched if it has all its vectors; return whether it is now."""
        if not self._next or self.vectors_problem:
            return False
        with self._db.transaction() as sql:
            if not switching.is_complete(sql):
                return False
            switching.keep(sql, self._meta("model"), self._meta("model_name"))
            switching.exchange(sql, int(self._meta("next_dimensions")))
            switching.forget(sql, self._meta("next"))
            self._set_meta("model", self._meta("next"))
            self._set_meta("model_name", self._meta("next_name"))
            self._set_meta("next", "")
        self._next = False
        return True

    def forget_model(self, fingerprint: str) -> None:
        """Delete the vectors kept of a model that is not searched."""
        with self._db.transaction() as sql:
            switching.forget(sql, fingerprint)

    def set_model(self, fingerprint: str, dimensions: int) -> bool:
        """Make the vectors those of this model at once; True when all have to be made again."""
        if self._meta("model") == fingerprint:
            self._read_again_without_passages()
            self._search_again(dimensions)
            return False
        with self._db.transaction() as sql:
            for table in ("embedding", "heading_path", "pending"):
                sql.execute(f"delete from {table}")
            identities.delete_unused(sql, None)
            switching.take_again(sql, fingerprint)
            if not self.vectors_problem:
                vectors.rebuild(sql, dimensions)
            self._set_meta(_UNSEARCHED, "yes" if self.vectors_problem else "")
            # An empty hash makes the next scan read and chunk every note again.
            sql.execute("update note set hash = x'', mtime_ns = -1")
            self._set_meta("model", fingerprint)
        return True

    def _search_again(self, dimensions: int) -> None:
        """Make the search copy right after a time without sqlite-vec, if it is there now."""
        if self._meta(_UNSEARCHED) and not self.vectors_problem:
            with self._db.transaction() as sql:
                vectors.rebuild(sql, dimensions)
                self._set_meta(_UNSEARCHED, "")

    def _read_again_without_passages(self) -> None:
        """Have notes read again that were written while the model could not be used."""
        with self._db.transaction() as sql:
            sql.execute(
                "update note set hash = x'', mtime_ns = -1 where hash != x'' and"
                " exists (select 1 from section s where s.note_id = note.id) and not exists"
                " (select 1 from section s join passage p on p.section_id = s.id"
                "  where s.note_id = note.id)"
            )

    def pending_count(self) -> int:
        """Return how many passages wait for their vector."""
        rows = self._db.sql.execute(f"select count(*) from {self._pending}").fetchall()
        return cast("int", rows[0][0])

    def pending(self, limit: int) -> list[tuple[int, str]]:
        """Return numbers and texts of what waits for its vector, in the order it came."""
        query = f"select id, text from {self._pending} order by id limit ?"
        rows = self._db.sql.execute(query, (limit,))
        return list(rows)

    @property
    def _pending(self) -> str:
        return "next_pending" if self._next else "pending"

    def put_vectors(self, ids: Sequence[int], rows: "NDArray[np.float32]") -> int:
        """Store the vectors of what waits as ``ids``; shape (len(ids), dimensions).

        Returns how many of them are those of passages, not of heading paths. One transaction.

        A passage whose vector is of no use is found by its words alone: it would hold up all
        others if it went on waiting.
        """
        with self._db.transaction() as sql:
            asked = [(id_,) for id_ in ids]
            query = f"select id, of_path from {self._pending} where id = ?"
            waiting = dict(cast("list[tuple[int, int]]", list(sql.executemany(query, asked))))
            usable = vectors.are_usable(rows)
            if not usable.all():
                log.warning("the model gave no usable vector for a passage")
            put = switching.put_vectors if self._next else vectors.insert
            for of_path in (0, 1):
                wanted = [
                    bool(good) and waiting.get(id_) == of_path
                    for id_, good in zip(ids, usable, strict=True)
                ]
                put(sql, list(compress(ids, wanted)), rows[wanted], of_path=bool(of_path))
            sql.executemany(f"delete from {self._pending} where id = ?", asked)
        return sum(not of_path for of_path in waiting.values())

    def compact_vectors(self) -> None:
        """Make the search copy again without the room of deleted vectors."""
        if self._meta("model") and not self.vectors_problem:
            with self._db.transaction() as sql:
                vectors.rebuild(sql)

    def _sweep_vectors(self, ids: Sequence[int] | None) -> None:
        sql = self._db.sql
        if self.vectors_problem:
            if vectors.delete_unused(sql, ids, searched=False):
                self._set_meta(_UNSEARCHED, "yes")
            return
        vectors.delete_unused(sql, ids)

    def _meta(self, key: str) -> str:
        rows = self._db.sql.execute("select value from meta where key = ?", (key,)).fetchall()
        return str(rows[0][0]) if rows else ""

    def _set_meta(self, key: str, value: str) -> None:
        self._db.sql.execute("insert or replace into meta (key, value) values (?, ?)", (key, value))
