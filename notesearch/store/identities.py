"""What is embedded, by number: equal texts share one, in whichever notes they stand.

Passages and sections refer to the number, not to the hash that finds it again: numbers of one note
follow each other, so a changed note touches few pages of their indexes, where each hash lies in
another one.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from notesearch.notes import HeadingPath, Passage

if TYPE_CHECKING:
    import apsw

Text = Passage | HeadingPath
"""What has an identity, and a text that the embedder reads."""

Rows = Iterable[tuple[bytes, int]]

KEY_BYTES = 10
"""Of a hash. Among a million texts two are taken for one another in one of 10^12 vaults."""

_WAITS = """insert into pending (id, text, of_path) select ?1, ?2, {0}
    where not exists (select 1 from {1} where id = ?1) on conflict (id) do nothing"""
_PASSAGE_WAITS = _WAITS.format(0, "embedding")
_PATH_WAITS = _WAITS.format(1, "heading_path")

_UNUSED = (
    "not exists (select 1 from passage where identity_id = {0}.id)"
    " and not exists (select 1 from section where path_id = {0}.id)"
)


def identity_key(identity: str) -> bytes:
    """Return the hash of what a passage or heading path is known by."""
    # The beginning of a longer one: an index made before they were cut is understood.
    whole = hashlib.blake2b(identity.encode("utf-8", "replace"), digest_size=16).digest()
    return whole[:KEY_BYTES]


def embedded(sql: "apsw.Connection", texts: Sequence[Text], *, of_paths: bool) -> list[int]:
    """Return the numbers of ``texts``, and have embedded what was not before.

    Args:
        sql: The writer's connection.
        texts: All passages, or all heading paths, as ``of_paths`` says: no two of different kind
            are equal.
        of_paths: They are heading paths.
    """
    keys = [identity_key(text.identity) for text in texts]
    query = "select hash, id from identity where hash = ?"
    known = dict(cast("Rows", sql.executemany(query, [(key,) for key in keys])))
    query = "insert into identity (hash) values (?) returning hash, id"
    new = [(key,) for key in dict.fromkeys(keys) if key not in known]
    known |= dict(cast("Rows", sql.executemany(query, new)))
    ids = [known[key] for key in keys]
    waits = [(id_, text.text) for id_, text in zip(ids, texts, strict=True)]
    sql.executemany(_PATH_WAITS if of_paths else _PASSAGE_WAITS, waits)
    return ids


def delete_waiting(sql: "apsw.Connection") -> None:
    """Delete texts that wait though nothing needs their vector any more."""
    sql.execute(f"delete from pending where {_UNUSED.format('pending')}")


def delete_unused(sql: "apsw.Connection", ids: Sequence[int] | None) -> None:
    """Delete identities (those of ``ids``, or all) of nothing; their vectors must be gone."""
    unused = f"delete from identity where {_UNUSED.format('identity')}"
    if ids is None:
        sql.execute(unused)
    else:
        sql.executemany(f"{unused} and id = ?", [(id_,) for id_ in ids])
