"""Vectors in the index: int8 truth in a table, their signs in vec0, and the search over both.

A vector is kept scaled to its largest component, as int8. A few hundred that seem nearest by their
signs are re-scored exactly, which costs a tenth of an exact scan's bytes.
"""

import json
import math
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, cast

import apsw

from notesearch.store.kept_rows import KeptRows
from notesearch.store.signs import Signs, signs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES, _MORE = 350, 200
"""Nearest by signs that are re-scored: at least so many, and so many more than are wanted."""

_THESE = "(select value from json_each(?))"
_CHUNK = 496
"""Vectors that vec0 keeps in one blob: as many as have their numbers in one page of SQLite."""


def are_usable(rows: "NDArray[np.float32]") -> "NDArray[np.bool_]":
    """Return which of ``rows``, shape (n, dimensions), point somewhere: are finite and not zero."""
    import numpy as np

    largest = np.abs(rows).max(axis=1, initial=0)
    return np.asarray(np.isfinite(largest) & (largest > 0))


def pack(rows: "NDArray[np.float32]") -> list[bytes]:
    """Return ``rows``, shape (n, dimensions), all usable, as int8."""
    import numpy as np

    # The factor in double precision, the product in single: what the index holds stays the same.
    factors = (127.0 / np.abs(rows).max(axis=1, initial=0).astype(np.float64)).astype(rows.dtype)
    return [row.tobytes() for row in np.rint(rows * factors[:, None]).astype(np.int8)]


def create(sql: apsw.Connection, dimensions: int) -> None:
    """Make the search copy for vectors of ``dimensions`` components, empty."""
    sql.execute("drop table if exists nearest")
    whole_bytes = -(-int(dimensions) // 8) * 8
    sql.execute(
        f"create virtual table nearest using vec0(signs bit[{whole_bytes}], chunk_size={_CHUNK})"
    )


def insert(
    sql: apsw.Connection, ids: Sequence[int], rows: "NDArray[np.float32]", *, of_path: bool = False
) -> None:
    """Store usable vectors, shape (n, dimensions), of ``ids``; of heading paths only the signs.

    One that is there already stays.
    """
    if of_path:
        query = "insert or replace into heading_path (id, signs) values (?, ?)"
        sql.executemany(query, zip(ids, [row.tobytes() for row in signs(rows)], strict=True))
        return
    there = list(sql.executemany("select id from embedding where id = ?", [(id_,) for id_ in ids]))
    new = [new for new in zip(ids, pack(rows), strict=True) if new[:1] not in there]
    sql.executemany("insert into embedding (id, vector) values (?, ?)", new)
    _insert_signs(sql, new)


def _insert_signs(sql: apsw.Connection, packed: Iterable[tuple[int, bytes]]) -> None:
    """Put the signs of packed vectors into the search copy.

    Not of what was packed: a component rounded to zero had a sign, which a copy that is made anew
    cannot know, and would give other answers.
    """
    import numpy as np

    query = "insert into nearest (rowid, signs) values (?, vec_bit(?))"
    whole = ((id_, np.frombuffer(vector, np.int8)) for id_, vector in packed)
    sql.executemany(query, ((id_, signs(vector).tobytes()) for id_, vector in whole))


_SIGN_TO_COSINE = math.sqrt(math.pi / 2)
"""What the signs of a vector whose components are spread normally keep of its length, inverted."""


def near_paths(
    sql: apsw.Connection, query: "NDArray[np.float32]", ids: Collection[int], kept: KeptRows
) -> dict[int, float]:
    """Return about the cosine of ``query`` with each of some heading paths, by their ids.

    Args:
        sql: The index.
        query: Shape (dimensions,).
        ids: Of heading paths; those that wait for their vector are left out.
        kept: Their signs, as far as they were read before.
    """
    import numpy as np

    def read(these: str) -> list[tuple[int, bytes]]:
        query = f"select id, signs from heading_path where id in {_THESE}"
        return cast("list[tuple[int, bytes]]", sql.execute(query, (these,)).fetchall())

    found, bits = kept.of(ids, read)
    if not len(found):
        return {}
    ones = np.unpackbits(bits, axis=1, bitorder="little")[:, : len(query)]
    # With s = +-1: s.q is twice the sum over the ones less the sum over all.
    products = 2 * (ones @ query) - query.sum()
    cosines = products * (_SIGN_TO_COSINE / math.sqrt(len(query)))
    return dict(zip(found.tolist(), cosines.tolist(), strict=True))


def delete_unused(sql: apsw.Connection, ids: Sequence[int] | None, *, searched: bool = True) -> int:
    """Delete vectors (those of ``ids``, or all) that no passage or section needs any more.

    Unless ``searched`` the search copy is left alone. Returns how many passages' were deleted.
    """
    query = (
        "select id from embedding"
        " where not exists (select 1 from passage where identity_id = embedding.id)"
    )
    delete = (
        "delete from heading_path"
        " where not exists (select 1 from section where path_id = heading_path.id)"
    )
    if ids is None:
        rows = sql.execute(query).fetchall()
        sql.execute(delete)
    else:
        those = [(id_,) for id_ in ids]
        rows = list(sql.executemany(f"{query} and id = ?", those))
        sql.executemany(f"{delete} and id = ?", those)
    if searched:
        sql.executemany("delete from nearest where rowid = ?", rows)
    sql.executemany("delete from embedding where id = ?", rows)
    return len(rows)


def compact(sql: apsw.Connection) -> bool:
    """Make the search copy anew when most of it is room of deleted vectors; True when it was.

    vec0 never uses such room again, yet searches it: after ten rounds of editing a fifth of all
    notes a search took six times as long.
    """
    chunks, rows = sql.execute(
        "select (select count(*) from nearest_chunks), (select count(*) from embedding)"
    ).fetchall()[0]
    if cast("int", chunks) * _CHUNK <= 1.2 * cast("int", rows) + _CHUNK:
        return False
    kept = sql.execute("select rowid, signs from nearest").fetchall()
    if not kept:
        return False
    create(sql, len(cast("bytes", kept[0][1])) * 8)
    sql.executemany("insert into nearest (rowid, signs) values (?, vec_bit(?))", kept)
    return True


def rebuild(sql: apsw.Connection, dimensions: int = 0) -> None:
    """Make the search copy anew from the vectors themselves; nothing has to be embedded.

    Without any vector it is left as it is, or made for ``dimensions``.
    """
    rows = sql.execute("select id, vector from embedding").fetchall()
    kept = cast("list[tuple[int, bytes]]", rows)
    if kept or dimensions:
        create(sql, len(kept[0][1]) if kept else dimensions)
    else:
        sql.execute("delete from nearest")
    _insert_signs(sql, kept)


def differing(sql: apsw.Connection) -> int:
    """Return how many vectors the search copy does not hold as it should."""
    import numpy as np

    found = 0
    query = "select e.vector, n.signs from nearest n join embedding e on e.id = n.rowid"
    for whole, bits in sql.execute(query):
        vector = np.frombuffer(cast("bytes", whole), np.int8)
        said = np.unpackbits(np.frombuffer(cast("bytes", bits), np.uint8), bitorder="little")
        # What was rounded to zero has either sign in indexes made before 24 November 2026.
        found += bool(((said[: len(vector)] == 1) != (vector > 0))[vector != 0].any())
    return found + _unanswered(sql)


def _unanswered(sql: apsw.Connection) -> int:
    """Return how many vectors a search does not come upon; it reads other tables than a look."""
    rows = sql.execute("select count(*), max(length(vector)) from embedding").fetchall()
    count, length = cast("tuple[int, int | None]", rows[0])
    expected = min(count, 4096)
    query = "select rowid from nearest where signs match vec_bit(?) and k = ?"
    if not expected or not length:
        return 0
    return expected - len(sql.execute(query, (bytes(-(-length // 8)), expected)).fetchall())


def candidates(copy: Signs, query: "NDArray[np.float32]", limit: int) -> list[int]:
    """Return the ids of what is to be compared with ``query``, as ``nearest`` takes it.

    No index is read, so any thread may ask. Of several vectors candidates are looked for once, by
    their mean: what is near one passage of a section is hardly ever far from its mean.
    """
    import numpy as np

    asked = np.atleast_2d(query).mean(axis=0)
    return copy.nearest(asked, max(CANDIDATES, limit + _MORE))


def among(sql: apsw.Connection, copy: Signs, only: str, values: Sequence[object]) -> Signs:
    """Return those of ``copy`` that belong to a section ``s`` for which ``only`` holds, as SQL."""
    import numpy as np

    query = (
        "select p.identity_id from section s cross join passage p on p.section_id = s.id"
        f" where {only}"
    )
    return copy.among(np.array([id_ for (id_,) in sql.execute(query, values)], np.int64))


def nearest(
    sql: apsw.Connection,
    query: "NDArray[np.float32]",
    limit: int,
    near: Sequence[int] | None = None,
) -> list[tuple[int, float]]:
    """Return up to ``limit`` embedding ids and cosines, nearest first.

    Of several vectors asked for, each finds what is near to it.

    Args:
        sql: The reader's connection.
        query: Shape (dimensions,), or (any number, dimensions).
        limit: At most so many.
        near: The ``candidates``, where they are known.
    """
    import numpy as np

    if near is None:
        near = candidates(Signs.read(sql), query, limit)
    rows = sql.execute(
        f"select id, vector from embedding where id in {_THESE}", (json.dumps(near),)
    ).fetchall()
    if not rows:
        return []
    ids, packed = zip(*cast("list[tuple[int, bytes]]", rows), strict=True)
    cosines = (_directions(packed) @ np.atleast_2d(query).T).max(axis=1)
    order = np.argsort(-cosines, kind="stable")[:limit]
    return list(zip([ids[i] for i in order.tolist()], cosines[order].tolist(), strict=True))


def of_sections(sql: apsw.Connection, sections: str) -> "NDArray[np.float32]":
    """Return the vectors of all passages of ``sections`` (JSON list of ids).

    Shape (passages, dimensions), each of length 1; (0, 0) where there are none.
    """
    rows = sql.execute(
        "select e.vector from passage p join embedding e on e.id = p.identity_id"
        " where p.section_id in (select value from json_each(?))",
        (sections,),
    ).fetchall()
    return _directions([cast("bytes", row[0]) for row in rows])


def _directions(packed: Sequence[bytes]) -> "NDArray[np.float32]":
    """Return packed vectors as rows of length 1."""
    import numpy as np

    if not packed:
        return np.empty((0, 0), np.float32)
    matrix = np.frombuffer(b"".join(packed), np.int8).reshape(len(packed), -1).astype(np.float32)
    # Without copies of all: sums of squares of whole numbers are the same in any order.
    matrix /= np.sqrt(np.einsum("ij,ij->i", matrix, matrix))[:, None]
    return matrix
