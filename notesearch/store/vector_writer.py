"""Writes vectors and the texts that wait for one, and changes from one model to another.

A vector belongs to a text, not to a place (``identities`` in ``store/vectors.py``): equal texts
share a vector, and a renamed note keeps its vectors.

Searches use the current model's vectors until the next model has made all its vectors. The tables
``next_*`` collect these, which then replace the current ones in one transaction. Vectors of earlier
models are kept, so that a return to one of them is quick.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, cast

from notesearch.config import BUILTIN_DIMENSIONS, BUILTIN_FINGERPRINT, PAIR_PREFIX
from notesearch.messages import Sentence
from notesearch.notes import HeadingPath, Note, Passage, Section
from notesearch.store import vectors
from notesearch.store.cosine_ranges import CosineRanges, RangeSample, ranges_key
from notesearch.store.db import Connection
from notesearch.store.row_reader import SECTION, section_row
from notesearch.store.vectors import NEXT, center_key

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

CutNote = tuple[int, Sequence[Passage], Sequence[HeadingPath]]
"""The id of a note, and its passages and heading paths, cut for the next model."""

_OUTDATED = "nearest_outdated"
"""The key in ``meta`` that is set if vectors changed while sqlite-vec could not be loaded."""


_FEWEST = 40
"""The cosines of a model are measured from this many vectors on: fewer say too little."""

_SAMPLE = """select case when s.heading = '' then n.title
        when exists (select 1 from section o where folded(o.heading) = folded(s.heading)
            and o.note_id != n.id)
        then n.title || ' ' || s.heading else s.heading end, s.id, vector, n.title, s.path,
        min(n.path || printf('/%09d', s.ordinal))
    from (select i.id, hash, vector from identity i join {0}embedding using (id)
        where substr(vector, 1, ?1) = zeroblob(?1)
        and exists (select 1 from {0}passage where identity_id = i.id) order by hash limit 256) e
    join {0}passage p on p.identity_id = e.id
    join section s on s.id = p.section_id join note n on n.id = s.note_id
    group by e.hash order by e.hash"""
"""Headings with vectors of their sections. A heading of several notes, such as "Examples", says too
little without the title. Hashes make a random sample. Of equal passages, the one of the first
section counts: the same notes give the same sample.

It leaves out vectors of the built-in model, which has the first numbers of two models' vectors."""


_TABLES = ("embedding", "heading_path", "pending")
_NEXT_TABLES = ("note", "passage", "path", *_TABLES)

_KEEP = """insert or replace into earlier_vector (fingerprint, of_path, hash, vector)
    select ?1, 0, hash, vector from identity join {0}embedding using (id)
    union all select ?1, 1, hash, signs from identity join {0}heading_path using (id)"""

_IS_INCOMPLETE = """select exists (select 1 from next_pending)
    or exists (select 1 from note where id not in (select note_id from next_note))"""

_CUT = "select id from note where id not in (select note_id from next_note) limit ?"


def _measured_with(model: str) -> str:
    return f"{ranges_key(model)} sample"


def _heading_path(title: str, path: str) -> str:
    headings = json.loads(path)
    return " > ".join(filter(None, [title, *(headings if headings != [title] else [])]))


class VectorWriter:
    """The part of the writer that stores vectors and changes models."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._prefix = ""

    @property
    def problem(self) -> Sentence:
        """Why vectors cannot be searched; empty if they can."""
        return self._db.vectors_problem

    @property
    def is_switching(self) -> bool:
        """Whether vectors are written for a next model while searches use another model's."""
        return self._prefix == NEXT

    def use_model(self, fingerprint: str, dimensions: int, name: str = "") -> None:
        """Write the vectors of this model from now on; each has ``dimensions`` numbers.

        If the index has vectors of another model, searches use those until this model has made all
        its vectors. ``name`` is the model's name in the settings.
        """
        before = self._db.meta("next_model")
        others = self._db.sql.execute("select 1 from embedding limit 1").fetchall()
        switches = bool(others) and fingerprint != self._db.meta("model")
        self._prefix = NEXT if switches else ""
        if before != (fingerprint if switches else ""):
            self._change_next_model(before, fingerprint, dimensions)
        if self._db.meta(f"{self._prefix}model_name") != name:
            with self._db.transaction():
                self._db.set_meta(f"{self._prefix}model_name", name)
        if not switches:
            self.set_model(fingerprint, dimensions)

    def _change_next_model(self, before: str, fingerprint: str, dimensions: int) -> None:
        with self._db.transaction() as sql:
            if before:
                self._keep(before, NEXT)
                self._clear_next()
            if self.is_switching:
                self._restore(fingerprint, NEXT)
                # The current model embeds nothing more, so notes that lack some of its vectors lose
                # their passages.
                sql.execute(
                    "delete from passage where section_id in"
                    " (select id from section where note_id in"
                    "  (select s.note_id from section s join passage p on p.section_id = s.id"
                    "   join pending w on w.id = p.identity_id))"
                )
                waiting = "select id from pending"
                sql.execute(f"update section set path_id = null where path_id in ({waiting})")
                sql.execute("delete from pending")
                self._db.set_meta("next_dimensions", str(dimensions))
            self._db.set_meta("next_model", fingerprint if self.is_switching else "")

    def _clear_next(self) -> None:
        for table in _NEXT_TABLES:
            self._db.sql.execute(f"delete from {NEXT}{table}")

    def _keep(self, fingerprint: str, prefix: str) -> None:
        """Keep the vectors of the model that searches use now; with ``NEXT``, of the next model."""
        self._db.sql.execute(_KEEP.format(prefix), (fingerprint,))
        if self._db.sql.changes():
            values = (fingerprint, self._db.meta(f"{prefix}model_name"))
            self._db.sql.execute("insert or replace into earlier_model values (?, ?)", values)

    def _restore(self, fingerprint: str, prefix: str) -> None:
        """Copy the kept vectors of an earlier model to tables that have no vectors."""
        for table, column, of_path in (("embedding", "vector", 0), ("heading_path", "signs", 1)):
            kept = "from earlier_vector where fingerprint = ? and of_path = ?"
            values = (fingerprint, of_path)
            hashes = f"select hash {kept}"
            self._db.sql.execute(f"insert or ignore into identity (hash) {hashes}", values)
            self._db.sql.execute(
                f"insert into {prefix}{table} (id, {column}) select i.id, k.vector"
                f" from (select hash, vector {kept}) k join identity i using (hash) order by i.id",
                values,
            )

    def set_model(self, fingerprint: str, dimensions: int) -> bool:
        """Make this the model whose vectors are searched; return whether it replaces another.

        If so, searches use the kept vectors of this model again, and the next scan reads all notes.
        """
        if self._db.meta("model") == fingerprint:
            self._read_again_without_passages()
            self._bring_up_to_date(dimensions)
            return False
        with self._db.transaction() as sql:
            for table in _TABLES:
                sql.execute(f"delete from {table}")
            vectors.delete_unused(sql, None, searched=False)
            self._restore(fingerprint, "")
            self.forget_model(fingerprint)
            self._db.set_meta("model", fingerprint)
            if not self.problem:
                vectors.rebuild(sql, dimensions)
            self._db.set_meta(_OUTDATED, "yes" if self.problem else "")
            # An empty hash makes the next scan read and cut every note again.
            sql.execute("update note set hash = x'', ctime_ns = -1")
        return True

    def _bring_up_to_date(self, dimensions: int) -> None:
        if self._db.meta(_OUTDATED) and not self.problem:
            with self._db.transaction() as sql:
                vectors.rebuild(sql, dimensions)
                self._db.set_meta(_OUTDATED, "")

    def _read_again_without_passages(self) -> None:
        """Make the next scan read notes again that were written without a model."""
        with self._db.transaction() as sql:
            sql.execute(
                "update note set hash = x'', ctime_ns = -1 where hash != x'' and"
                " exists (select 1 from section s where s.note_id = note.id) and not exists"
                " (select 1 from section s join passage p on p.section_id = s.id"
                "  where s.note_id = note.id)"
            )

    def uncut_notes(self, limit: int) -> list[tuple[int, Note]]:
        """Return ids and notes that are not cut into passages for the next model yet."""
        rows = self._db.sql.execute(_CUT, (limit,)).fetchall() if self.is_switching else []
        ids = [id_ for (id_,) in cast("list[tuple[int]]", rows)]
        return [(id_, stored_note(self._db.sql, id_)) for id_ in ids]

    def put_cut_notes(self, notes: Iterable[CutNote]) -> None:
        """Store the passages and heading paths of ``notes`` for the next model, in one transaction.

        Those without a vector wait for one.
        """
        with self._db.transaction() as sql:
            for note_id, passages, paths in notes:
                rows = sql.execute("select ordinal, id from section where note_id = ?", (note_id,))
                ids = cast("dict[int, int]", dict(rows))
                sql.execute("insert into next_note values (?)", (note_id,))
                vectors.put_passages(sql, ids, passages, NEXT)
                path_ids = vectors.identities(sql, paths, NEXT)
                of_sections = (ids[path.section] for path in paths)
                query = "insert into next_path (section_id, path_id) values (?, ?)"
                sql.executemany(query, zip(of_sections, path_ids, strict=True))

    def finish_switch(self) -> bool:
        """Let the next model take over if it has all its vectors; return whether it did."""
        if not self.is_switching or self.problem or self._db.sql.execute(_IS_INCOMPLETE).get:
            return False
        with self._db.transaction() as sql:
            self._keep(self._db.meta("model"), "")
            for key in ("model", "model_name"):
                self._db.set_meta(key, self._db.meta(f"{NEXT}{key}"))
            for table in ("passage", *_TABLES):
                sql.execute(f"delete from {table}")
                sql.execute(f"insert into {table} select * from {NEXT}{table}")
            path = "select path_id from next_path where section_id = section.id"
            sql.execute(f"update section set path_id = ({path})")
            self._clear_next()
            vectors.delete_unused(sql, None, searched=False)
            vectors.rebuild(sql, int(self._db.meta("next_dimensions")))
            self.forget_model(self._db.meta("model"))
            self._db.set_meta("next_model", "")
        self._prefix = ""
        return True

    def forget_model(self, fingerprint: str) -> None:
        """Delete the kept vectors of an earlier model."""
        with self._db.transaction() as sql:
            for table in ("earlier_vector", "earlier_model"):
                sql.execute(f"delete from {table} where fingerprint = ?", (fingerprint,))

    def made_count(self) -> int:
        """Return how many texts have a vector of the model whose vectors are written."""
        return self._count("embedding") + self._count("heading_path")

    def pending_count(self) -> int:
        """Return how many texts wait for the embedder."""
        return self._count("pending")

    def _count(self, table: str) -> int:
        return cast("int", self._db.sql.execute(f"select count(*) from {self._prefix}{table}").get)

    def pending(self, limit: int, after: int = 0) -> list[tuple[int, str]]:
        """Return number and text of up to ``limit`` waiting texts, the oldest first.

        Only texts with numbers above ``after`` are returned.
        """
        query = f"select id, text from {self._prefix}pending where id > ? order by id limit ?"
        return list(self._db.sql.execute(query, (after, limit)))

    def newest_pending(self) -> int:
        """Return the number of the newest text that waits for the embedder; 0 if none waits."""
        newest = self._db.sql.execute(f"select max(id) from {self._prefix}pending").get
        return cast("int | None", newest) or 0

    def put(self, ids: Sequence[int], rows: "NDArray[np.float32]") -> int:
        """Store the vectors of waiting texts in one transaction; return how many are passages.

        The shape of ``rows`` is (len(ids), dimensions). A text whose vector is not usable stops
        waiting, too: it is found by its words alone.
        """
        with self._db.transaction() as sql:
            values = [(id_,) for id_ in ids]
            query = f"select id, of_path from {self._prefix}pending where id = ?"
            waiting = dict(cast("list[tuple[int, int]]", list(sql.executemany(query, values))))
            usable = vectors.are_usable(rows)
            if not usable.all():
                log.warning("the model gave no usable vector for a passage")
            for of_path in (0, 1):
                wanted = [
                    bool(good) and waiting.get(id_) == of_path
                    for id_, good in zip(ids, usable, strict=True)
                ]
                kept = list(compress(ids, wanted))
                is_path = bool(of_path)
                vectors.insert(sql, kept, rows[wanted], of_path=is_path, prefix=self._prefix)
            sql.executemany(f"delete from {self._prefix}pending where id = ?", values)
        return sum(not of_path for of_path in waiting.values())

    def needs_center(self) -> bool:
        """Return whether a center has to be stored before the first vector of the model.

        The vectors of the built-in model lie around zero; it needs none.
        """
        if self._fingerprint == BUILTIN_FINGERPRINT or self._db.meta(center_key(self._fingerprint)):
            return False
        return not self.made_count()

    def put_center(self, center: "NDArray[np.float32]") -> None:
        """Store the center of the model's vectors, shape (dimensions,), if it is usable."""
        if not vectors.are_usable(center[None])[0]:
            return
        with self._db.transaction():
            written = center.astype("float32").tobytes().hex()
            self._db.set_meta(center_key(self._fingerprint), written)

    @property
    def _fingerprint(self) -> str:
        return self._db.meta(f"{self._prefix}model")

    def range_sample(self, *, growing: bool = False) -> RangeSample | None:
        """Return a sample with which to measure the model's cosines; None if that is not due.

        It is due if the sample differs from the last one. So the ranges depend on the notes, not on
        the order of their changes. If ``growing``, it is due only when the number of vectors has
        doubled. The built-in model has the usual ranges, and so does an index with too few vectors
        or only one section. If there are two models, the other one is measured.
        """
        model = self._fingerprint
        if model == BUILTIN_FINGERPRINT or self.problem:
            return None
        count = self._count("embedding")
        vectors_before, _, digest = self._db.meta(_measured_with(model)).partition(" ")
        if growing and count < max(_FEWEST, 2 * int(vectors_before or 0)):
            return None
        others = BUILTIN_DIMENSIONS if model.startswith(PAIR_PREFIX) else 0
        found = self._db.sql.execute(_SAMPLE.format(self._prefix), (others,)).fetchall()
        rows = cast("list[tuple[str, int, bytes, str, str, str]]", found)
        paths = {section: _heading_path(*named) for _, section, _, *named, _ in rows}
        sample = RangeSample(model, count, [row[:3] for row in rows], paths)
        if len(sample.passages) < _FEWEST or len(set(sample.heading_paths)) < 2:
            if self._db.meta(ranges_key(model)):
                with self._db.transaction():
                    self._db.set_meta(ranges_key(model), "")
                    self._db.set_meta(_measured_with(model), "")
            return None
        return sample if sample.digest != digest else None

    def path_cosines(
        self, queries: "NDArray[np.float32]", paths: "NDArray[np.float32]"
    ) -> "NDArray[np.float32]":
        """Return the cosines of queries with heading paths, from signs as searches compute them.

        Args:
            queries: Vectors of queries, shape (queries, dimensions).
            paths: Vectors of heading paths, shape (paths, dimensions).

        Returns:
            Shape (queries, paths).
        """
        import numpy as np

        center = vectors.center_of(self._db.sql, self._prefix)
        part = slice(BUILTIN_DIMENSIONS if self._fingerprint.startswith(PAIR_PREFIX) else 0, None)
        ones = vectors.unpacked(vectors.sign_bits(paths, center), paths.shape[1], part)
        return np.stack([vectors.estimated_cosines(q, ones, center, part) for q in queries])

    def put_ranges(self, sample: RangeSample, ranges: CosineRanges) -> None:
        """Store the ranges of cosines that were measured with ``sample``."""
        with self._db.transaction():
            self._db.set_meta(ranges_key(sample.model), ranges.to_text())
            self._db.set_meta(_measured_with(sample.model), f"{sample.vectors} {sample.digest}")

    def sweep(self, ids: Sequence[int] | None) -> None:
        """Delete vectors, identities and waiting texts to which nothing refers any more.

        ``ids`` limits the vectors and identities to these; None means all.
        """
        with self._db.transaction() as sql:
            deleted = vectors.delete_unused(sql, ids, searched=not self.problem)
            if deleted and self.problem:
                self._db.set_meta(_OUTDATED, "yes")

    def compact(self) -> None:
        """Rebuild the table ``nearest``, in which deleted vectors still take up space."""
        if self._db.meta("model") and not self.problem:
            with self._db.transaction() as sql:
                vectors.rebuild(sql)


def stored_note(sql: "apsw.Connection", note_id: int) -> Note:
    """Return a note from the index with everything that decides how it is embedded."""
    query = "select path, title, title_from_name, language from note where id = ?"
    ((path, title, from_name, language),) = sql.execute(query, (note_id,)).fetchall()
    of_note = sql.execute(f"{SECTION} where s.note_id = ? order by s.ordinal", (note_id,))
    sections = tuple(
        Section(s.ordinal, s.heading, s.path, s.level, s.line, s.end_line, s.body, source=s.source)
        for s in map(section_row, of_note)
    )
    return Note(
        str(path),
        str(title),
        sections,
        title_from_name=bool(from_name),
        language=str(language),
    )
