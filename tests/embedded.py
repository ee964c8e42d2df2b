"""Compares the vectors of an index with what its model makes of the notes now."""

from typing import cast

import numpy as np

from notesearch.index import scan
from notesearch.index.embedding_queue import NoteCutter
from notesearch.index.vault_index import VaultIndex
from notesearch.store import next_model
from notesearch.store.vectors import EmbeddedText, identity_key, sign_bits, signs_of

_Rows = list[tuple[bytes, bytes | None]]

_ROUNDING = 0.1
"""Rounding may change this share of a vector's signs; different texts differ in a third of them."""

_PASSAGES = """
    select i.hash, e.vector from section s join passage p on p.section_id = s.id
    left join identity i on i.id = p.identity_id left join embedding e on e.id = i.id
    where s.note_id = ?"""
_PATHS = """
    select i.hash, h.signs from section s left join identity i on i.id = s.path_id
    left join heading_path h on h.id = i.id where s.note_id = ? and s.path_id is not null"""


def unlike_vectors(index: VaultIndex) -> tuple[list[str], int]:
    """Return the notes whose vectors were made of other texts, and how many vectors are wrong."""
    embedder = index.embedder()
    assert embedder is not None
    cutter = NoteCutter(embedder, scan.read_as(index.settings, index.vault))
    foreign: list[str] = []
    texts: list[str] = []
    signs: list[bytes] = []
    with index.store.writing() as writer:
        sql, center = writer._db.sql, writer.vectors.center()
        for (row,) in sql.execute("select id from note where hash != x''").fetchall():
            id_ = cast("int", row)
            note = next_model.stored_note(sql, id_)
            passages, paths = cutter.cut(note)
            embedded: tuple[EmbeddedText, ...] = (*passages, *paths)
            meant = {identity_key(text): text.text for text in embedded}
            stored = dict(cast("_Rows", sql.execute(_PATHS, (id_,)).fetchall()))
            for key, vector in cast("_Rows", sql.execute(_PASSAGES, (id_,)).fetchall()):
                stored[key] = vector and signs_of(vector, center)
            if stored and meant.keys() != stored.keys():
                foreign.append(note.path)
            made = [(meant[key], bits) for key, bits in stored.items() if key in meant and bits]
            texts += [text for text, _ in made]
            signs += [bits for _, bits in made]
    packed = np.array([np.frombuffer(bits, np.uint8) for bits in signs])
    differing = np.bitwise_count(packed ^ sign_bits(embedder.embed_passages(texts), center))
    return foreign, int((differing.sum(axis=1) > _ROUNDING * embedder.dimensions).sum())
