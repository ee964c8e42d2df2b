"""Numbers for texts that are embedded: equal texts share one number, and so one vector.

Passages and sections refer to the number, not to the hash. Numbers of one note follow each other,
so a changed note touches few pages of the indexes; each hash would lie in another page.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from notesearch.notes import HeadingPath, Passage

if TYPE_CHECKING:
    import apsw

EmbeddedText = Passage | HeadingPath
"""A text that the embedder reads."""

_Rows = Iterable[tuple[bytes, int]]

KEY_BYTES = 10
"""Of a hash. Among a million texts, two collide in one of 10^12 vaults."""

_WAITS = """insert into pending (id, text, of_path) select ?1, ?2, {0}
    where not exists (select 1 from {1} where id = ?1) on conflict (id) do nothing"""
_PASSAGE_WAITS = _WAITS.format(0, "embedding")
_PATH_WAITS = _WAITS.format(1, "heading_path")

_UNUSED = (
    "not exists (select 1 from passage where identity_id = {0}.id)"
    " and not exists (select 1 from section where path_id = {0}.id)"
)


def identity_key(text: EmbeddedText) -> bytes:
    """Return the hash of all that the embedder reads; a passage never equals a heading path.

    Nothing may be left out, or a vector would stand for another text than its own.
    """
    kind = b"path" if isinstance(text, HeadingPath) else b""
    read = text.text.encode("utf-8", "replace")
    return hashlib.blake2b(read, digest_size=KEY_BYTES, person=kind).digest()


def numbered(sql: "apsw.Connection", texts: Sequence[EmbeddedText], *, of_paths: bool) -> list[int]:
    """Return the numbers of ``texts``; those without a vector yet wait for the embedder.

    Args:
        sql: The writer's connection.
        texts: All passages or all heading paths.
        of_paths: ``texts`` are heading paths.
    """
    keys = [identity_key(text) for text in texts]
    query = "select hash, id from identity where hash = ?"
    known = dict(cast("_Rows", sql.executemany(query, [(key,) for key in keys])))
    query = "insert into identity (hash) values (?) returning hash, id"
    new = [(key,) for key in dict.fromkeys(keys) if key not in known]
    known |= dict(cast("_Rows", sql.executemany(query, new)))
    ids = [known[key] for key in keys]
    waits = [(id_, text.text) for id_, text in zip(ids, texts, strict=True)]
    sql.executemany(_PATH_WAITS if of_paths else _PASSAGE_WAITS, waits)
    return ids


def delete_waiting(sql: "apsw.Connection") -> None:
    """Delete texts that wait for the embedder although nothing refers to them any more."""
    sql.execute(f"delete from pending where {_UNUSED.format('pending')}")


def delete_unused(sql: "apsw.Connection", ids: Sequence[int] | None) -> None:
    """Delete numbers that nothing refers to: those of ``ids``, or all; delete vectors before."""
    unused = f"delete from identity where {_UNUSED.format('identity')}"
    if ids is None:
        sql.execute(unused)
    else:
        sql.executemany(f"{unused} and id = ?", [(id_,) for id_ in ids])
