"""What an index of an earlier version has that is costly to make again: its vectors.

The rest of it is made from the notes in little time. Vectors are kept by the hash of their text, so
it does not matter how that version cut the notes.
"""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from notesearch.errors import IndexFileError
from notesearch.store.db import APPLICATION_ID, Connection, translated
from notesearch.store.identities import KEY_BYTES

if TYPE_CHECKING:
    import apsw

_BESIDE_HASH = f"""insert or ignore into kept_vector (fingerprint, of_path, hash, vector)
    select ?1, 0, substr(hash, 1, {KEY_BYTES}), vector from former.embedding
    union all select ?1, 1, substr(hash, 1, {KEY_BYTES}), signs from former.heading_path"""
_BY_NUMBER = f"""insert or ignore into kept_vector (fingerprint, of_path, hash, vector)
    select ?1, 0, substr(hash, 1, {KEY_BYTES}), vector
    from former.identity join former.embedding using (id)
    union all select ?1, 1, substr(hash, 1, {KEY_BYTES}), signs
    from former.identity join former.heading_path using (id)"""
_KEEP = {13: _BESIDE_HASH, 14: _BESIDE_HASH, 15: _BY_NUMBER, 16: _BY_NUMBER, 17: _BY_NUMBER,
         18: _BY_NUMBER}  # fmt: skip
"""How the vectors of each version are taken from it."""

_KEEP_KEPT = f"""insert or ignore into kept_vector (fingerprint, of_path, hash, vector)
    select fingerprint, of_path, substr(hash, 1, {KEY_BYTES}), vector from former.kept_vector"""


def keep_vectors(index: Path, former: Path) -> None:
    """Keep in the new ``index`` the vectors of the one that was set aside, if that can be read."""
    with contextlib.suppress(IndexFileError):
        connection = Connection(index, writer=True)
        try:
            with translated(index):
                connection.sql.execute("attach database ? as former", (str(former),))
                keep = _KEEP.get(_version(connection.sql))
                if keep:
                    with connection.transaction() as sql:
                        _keep(sql, keep)
        finally:
            connection.close()


def _version(sql: "apsw.Connection") -> int:
    """Return the version of the former index; 0 where it is none."""
    application = sql.execute("pragma former.application_id").fetchall()[0][0]
    version = sql.execute("pragma former.user_version").fetchall()[0][0]
    return cast("int", version) if application == APPLICATION_ID else 0


def _keep(sql: "apsw.Connection", query: str) -> None:
    meta = dict(sql.execute("select key, value from former.meta"))
    sql.execute("insert or ignore into kept_model select * from former.kept_model")
    sql.execute(_KEEP_KEPT)
    if meta.get("model"):
        model = (meta["model"], meta.get("model_name", ""))
        sql.execute("insert or ignore into kept_model values (?, ?)", model)
        sql.execute(query, model[:1])
