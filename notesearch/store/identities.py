"""Identities: the numbers of the texts that are embedded.

Equal texts share one number, and so one vector, wherever they stand. So a renamed note keeps its
vectors. Passages and sections refer to the number, not to a hash of the text: the identities of one
note follow each other, so a changed note affects few pages of the tables. Each hash would be in
another page.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import cast

import apsw

from notesearch.notes import HeadingPath, Passage

EmbeddedText = Passage | HeadingPath
_Rows = Iterable[tuple[bytes, int]]

KEY_BYTES = 10
"""Bytes of a hash. Among a million texts, two collide in one of 10^12 vaults."""

_WAITS = """insert into pending (id, text, of_path) select ?1, ?2, {0}
    where not exists (select 1 from {1} where id = ?1) on conflict (id) do nothing"""
_PASSAGE_WAITS = _WAITS.format(0, "embedding")
_PATH_WAITS = _WAITS.format(1, "heading_path")

_UNUSED = (
    "not exists (select 1 from passage where identity_id = {0}.id)"
    " and not exists (select 1 from section where path_id = {0}.id)"
)


def identity_key(text: EmbeddedText) -> bytes:
    """Return the hash of everything that the embedder reads of ``text``.

    A passage and a heading path never have the same hash. The hash must not leave anything out, or
    two different texts would share a vector.
    """
    kind = b"path" if isinstance(text, HeadingPath) else b""
    read = text.text.encode("utf-8", "replace")
    return hashlib.blake2b(read, digest_size=KEY_BYTES, person=kind).digest()


def identities(sql: apsw.Connection, texts: Sequence[EmbeddedText], *, of_paths: bool) -> list[int]:
    """Return the identities of all passages or all heading paths (``of_paths``) of a note.

    Equal texts have the same identity, wherever they stand. Texts without a vector wait for one.
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


def delete_identities(sql: apsw.Connection, ids: Sequence[int] | None) -> None:
    """Delete unused identities among ``ids``, or all (None), and all unused texts that wait.

    Delete their vectors first.
    """
    sql.execute(f"delete from pending where {_UNUSED.format('pending')}")
    unused = f"delete from identity where {_UNUSED.format('identity')}"
    if ids is None:
        sql.execute(unused)
    else:
        sql.executemany(f"{unused} and id = ?", [(id_,) for id_ in ids])
