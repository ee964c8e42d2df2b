"""Writes notes into the index; only the indexing thread uses it."""

import contextlib
import json
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

from notesearch.errors import IndexDamagedError
from notesearch.messages import NO_SENTENCE, Sentence
from notesearch.notes import Feature, HeadingPath, Note, Passage, Section, SourceMap
from notesearch.status import Unread
from notesearch.store import full_text_index, vectors
from notesearch.store.conditions import calendar_seconds, property_key
from notesearch.store.db import Connection
from notesearch.store.folding import folded_name
from notesearch.store.lock import file_identity
from notesearch.store.rows import FileState, NoteState, compress, decompress, note_states
from notesearch.store.tokenizer import carry_on
from notesearch.store.vector_writer import VectorWriter
from notesearch.store.web_addresses import normalized_address

if TYPE_CHECKING:
    import apsw

_FREE_SHARE = 0.1
"""Share of pages that may be free: they are used again as notes come and go."""

_CHANGED_SHARE = 0.1
_CHANGED_AT_LEAST = 20
"""The index is tidied once more than this share of its sections, plus this number, has changed."""

_DAY_S = 24 * 3600

_IDENTITIES = (
    "select identity_id from section s cross join passage p on p.section_id = s.id"
    " where s.note_id = ?1 union all"
    " select path_id from section where note_id = ?1 and path_id is not null"
)

_FILE_STATE = "size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?"

Row = Mapping[str, "apsw.SQLiteValue"]


class Writer:
    """Writes notes. Each note is one transaction, except within ``grouped``.

    Attributes:
        vectors: Writes vectors, and the texts that wait for one.
    """

    def __init__(self, connection: Connection) -> None:
        """Write over ``connection``, which may write."""
        self.vectors = VectorWriter(connection)
        self._db = connection
        self._file = file_identity(connection.path)
        self._released: set[int] = set()
        self._changed = 0

    def note_states(self, paths: Iterable[str] | None = None) -> dict[str, NoteState]:
        """Return the states of all notes' files in the index, or of those at ``paths``, by path."""
        return note_states(self._db.sql, paths)

    def text_of(self, note_id: int) -> str:
        """Return the indexed text of a note, without its headings."""
        bodies = self._db.sql.execute(
            "select text from body join section on section.id = section_id where note_id = ?",
            (note_id,),
        )
        return "\n".join(decompress(text) or "" for (text,) in bodies)

    def put_note(
        self,
        note: Note,
        passages: Sequence[Passage],
        file: FileState,
        digest: bytes,
        problem: Sentence = NO_SENTENCE,
        paths: Sequence[HeadingPath] = (),
        check: Callable[[], None] = carry_on,
    ) -> None:
        """Add or replace a note and everything that belongs to it, in one transaction.

        An empty ``digest``, the hash of the file's bytes, makes the next scan read it again.
        ``problem`` says why the file could not be read completely; empty if it could. ``check`` is
        called from time to time; if it raises, nothing is changed.
        """
        with self._db.transaction() as sql, self._db.checking(check):
            former = self._delete_note(note.path)
            note_id = _put_note(sql, note, file, digest, problem, former)
            ids = []
            path_ids = {} if self.vectors.is_switching else self._path_ids(paths)
            for part in note.sections:
                check()
                path_id = path_ids.get(part.ordinal)
                ids.append(_put_section(sql, note_id, note, part, path_id))
                _put_body(sql, ids[-1], compress(part.text), part.source)
            self._changed += len(ids)
            if self.vectors.is_switching:
                self.vectors.put_cut_notes([(note_id, passages, paths)])
                return
            check()
            vectors.put_passages(sql, ids, passages)

    def _path_ids(self, paths: Sequence[HeadingPath]) -> dict[int, int]:
        ids = vectors.identities(self._db.sql, paths)
        return dict(zip((path.section for path in paths), ids, strict=True))

    def grouped(self) -> contextlib.AbstractContextManager[Callable[[], bool]]:
        """Put the notes of the block in one transaction; yield a function that commits it.

        The function returns whether anything was committed. If putting a note raises, nothing
        since the last commit is kept.
        """
        return self._db.grouped()

    def set_problem(self, path: str, file: FileState, problem: Sentence) -> None:
        """Record why a note cannot be read now; its indexed text stays."""
        with self._db.transaction() as sql:
            if not sql.execute("select 1 from note where path = ?", (path,)).fetchall():
                nothing = Note(path, PurePosixPath(path).stem, (), title_from_name=True)
                _put_note(sql, nothing, file, b"", problem)
            sql.execute(
                f"update note set {_FILE_STATE}, problem = ?, outdated = 1 where path = ?",
                (*file, problem.to_json(), path),
            )

    def forget(self, paths: Iterable[str]) -> None:
        """Make the next comparison read the notes at ``paths`` again."""
        with self._db.transaction() as sql:
            sql.executemany(
                "update note set hash = x'', ctime_ns = -1 where path = ?",
                [(path,) for path in paths],
            )

    def touch(self, note_id: int, file: FileState) -> None:
        """Record the new state of a note's file whose text has not changed."""
        with self._db.transaction() as sql:
            sql.execute(f"update note set {_FILE_STATE} where id = ?", (*file, note_id))

    def delete_notes(self, paths: Iterable[str]) -> None:
        """Delete notes and everything that belongs to them, in one transaction."""
        with self._db.transaction():
            for path in paths:
                self._delete_note(path)

    def _delete_note(self, path: str) -> int | None:
        sql = self._db.sql
        rows = sql.execute(
            "select n.id, (select count(*) from section where note_id = n.id) from note n"
            " where path = ?",
            (path,),
        ).fetchall()
        if not rows:
            return None
        ((note_id, sections),) = cast("list[tuple[int, int]]", rows)
        identities = cast("list[tuple[int]]", sql.execute(_IDENTITIES, (note_id,)).fetchall())
        self._changed += sections
        self._released |= {number for (number,) in identities}
        full_text_index.delete(sql, note_id)
        sql.execute("delete from note where id = ?", (note_id,))
        return note_id

    def read_as(self, key: str) -> None:
        """Make the next scan read all notes again, unless they were read with the settings ``key``.

        Their current rows stay until then.
        """
        if self._db.meta("read_as") == key:
            return
        with self._db.transaction() as sql:
            # No file has this time or this hash. The time of the last change stays: lists show it.
            sql.execute("update note set ctime_ns = -1, hash = zeroblob(16) where hash != x''")
            self._db.set_meta("read_as", key)

    def sweep(self, *, whole: bool) -> None:
        """Delete vectors and waiting texts to which no note refers any more.

        Unless ``whole``, look only at the texts of notes that this writer has changed.
        """
        if whole or self._released:
            self.vectors.sweep(None if whole else sorted(self._released))
            self._released.clear()

    def finish_scan(
        self, when: float, skipped: Sequence[Unread], root: str, mounts: Sequence[str] = ()
    ) -> None:
        """Record that the folder was compared with the index ``when``, in seconds since 1970.

        ``skipped`` are files that cannot be notes; ``root`` is the folder's ``vault_identity``;
        ``mounts`` is ``Listing.mounts``.
        """
        with self._db.transaction() as sql:
            full_text_index.choose_usual_languages(sql)
            self._db.set_meta("last_scan", repr(when))
            self._db.set_meta("root", root)
            self._db.set_meta("emptied", "")
            rows = [(item.path, item.reason.to_json(), item.remark) for item in skipped]
            self._db.set_meta("skipped", json.dumps(rows))
            self._db.set_meta("mounts", json.dumps(mounts))

    def root(self) -> str:
        """Return the identity of the folder at the last comparison, from ``vault_identity``."""
        return self._db.meta("root")

    def mounts(self) -> list[str]:
        """Return the folders on which other drives were mounted at the last comparison."""
        return list(json.loads(self._db.meta("mounts") or "[]"))

    def emptied(self) -> str:
        """Return the identity of the folder if it has had no notes since the last scan, else ""."""
        return self._db.meta("emptied")

    def set_emptied(self, root: str) -> None:
        """Record that the folder with the identity ``root`` was found without any note."""
        with self._db.transaction():
            self._db.set_meta("emptied", root)

    def set_watching(self, how: str) -> None:
        """Record how this process notices changes; empty when it stops watching."""
        if self._db.meta("watching") != how:
            with self._db.transaction():
                self._db.set_meta("watching", how)

    def check_file(self) -> None:
        """Make sure that the open file is still the file at its path; SQLite does not check this.

        Raises IndexDamagedError if it is not, and IndexBusyError if another process has claimed it.
        """
        self._db.may_write()
        if file_identity(self._db.path) != self._file:
            raise IndexDamagedError("index_replaced")

    def tidy(self) -> None:
        """Merge the word index if much has changed, or a day after the last merge if anything has.

        If much has changed, compact the vectors, too. The daily merge removes the words of deleted
        notes from the file.
        """
        changed = self._changed + int(self._db.meta("changed") or 0)
        now = time.time()
        if not changed:
            return
        sections = cast("int", self._db.sql.execute("select count(*) from section").get)
        many = changed > _CHANGED_SHARE * sections + _CHANGED_AT_LEAST
        since = now - float(self._db.meta("merged") or now)  # below 0: the clock was set back
        merged = many or not 0 <= since < _DAY_S
        if merged:
            full_text_index.merge(self._db.sql)
        if many:
            self.vectors.compact()
        with self._db.transaction():
            self._db.set_meta("changed", "0" if merged else str(changed))
            if merged or not self._db.meta("merged"):
                self._db.set_meta("merged", repr(now))
        self._changed = 0
        self._free_pages()

    def checkpoint(self) -> None:
        """Give free pages back if there are many, and move the write-ahead log into the file.

        The connection also frees its cache, because nothing may change for hours.
        """
        self._free_pages()
        self._db.sql.execute("pragma wal_checkpoint(truncate)").fetchall()
        self._db.sql.execute("pragma shrink_memory")

    def _free_pages(self) -> None:
        sql = self._db.sql
        pages = cast("int", sql.execute("pragma page_count").get)
        free = cast("int", sql.execute("pragma freelist_count").get)
        if free > _FREE_SHARE * pages:
            sql.execute("pragma incremental_vacuum").fetchall()


@cache
def _insert_into(table: str, columns: tuple[str, ...]) -> str:
    return f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"


def _insert(sql: "apsw.Connection", table: str, row: Row) -> int:
    sql.execute(_insert_into(table, tuple(row)), tuple(row.values()))
    return sql.last_insert_rowid()


def _put_note(
    sql: "apsw.Connection",
    note: Note,
    file: FileState,
    digest: bytes,
    problem: Sentence,
    id_: int | None = None,
) -> int:
    place = folded_name(f"/{note.path}")
    row: Row = {
        "id": id_,
        "path": note.path,
        "place": place,
        "file": place.rpartition("/")[2],
        "title": note.title,
        "title_from_name": int(note.title_from_name),
        "aliases": json.dumps(note.aliases),
        "tags": json.dumps(note.tags),
        "common_tags": json.dumps(note.common_tags),
        "category": note.category,
        "properties": json.dumps(dict(note.properties)),
        "inline_properties": json.dumps(note.inline_properties),
        "language": note.language,
        "dated": _seconds(note.dated),
        "words": note.words,
        **file._asdict(),
        "hash": digest,
        "problem": problem.to_json(),
        "outdated": 0,
    }
    note_id = _insert(sql, "note", row)
    _put_tags(sql, "note", note_id, note.common_tags)
    sql.executemany(
        "insert or ignore into note_name (name, note_id) values (?, ?)",
        [(folded_name(name.strip()), note_id) for name in (note.title, *note.aliases)],
    )
    sql.executemany(
        "insert into property (key, text, number, day, inline, note_id) values (?, ?, ?, ?, ?, ?)",
        [
            (
                property_key(value.key),
                folded_name(value.text),
                value.number,
                _seconds(value.day),
                int(value.inline),
                note_id,
            )
            for value in note.values
        ],
    )
    sql.executemany(
        "insert into note_link (note_id, idx, line, target, relative) values (?, ?, ?, ?, ?)",
        ((note_id, index, *target) for index, target in enumerate(note.targets)),
    )
    if note.blocks:
        sql.executemany(
            "insert into block (id, text, note_id) values (?, ?, ?)",
            ((*block, note_id) for block in note.blocks),
        )
    return note_id


def _put_section(
    sql: "apsw.Connection", note_id: int, note: Note, section: Section, path_id: int | None
) -> int:
    features = section.features | (Feature.TEXT if section.text else Feature.NONE)
    row: Row = {
        "note_id": note_id,
        "ordinal": section.ordinal,
        "heading": section.heading,
        "path": _json(section.path),
        "tags": _json(section.tags),
        "level": section.level,
        "line": section.line,
        "end_line": section.end_line,
        "features": int(features),
        "path_id": path_id,
    }
    section_id = _insert(sql, "section", row)
    full_text_index.put(sql, section_id, note.language, full_text_index.texts(note, section))
    _put_tags(sql, "section", section_id, section.tags)
    if section.code:
        sql.executemany(
            "insert or ignore into section_code (language, section_id) values (?, ?)",
            [(language, section_id) for language in section.code],
        )
    if section.links:
        sql.executemany(
            "insert or ignore into link (section_id, address, start, stop) values (?, ?, ?, ?)",
            _links(section_id, section),
        )
    return section_id


_json = json.JSONEncoder(ensure_ascii=False).encode
_compact_json = json.JSONEncoder(separators=(",", ":")).encode
"""Like ``json.dumps``, which would make an encoder each time."""


def _links(section_id: int, section: Section) -> Iterator[tuple[int, str, int | None, int | None]]:
    """Yield the rows of a section's links, except addresses that are in the text anyway."""
    for link in section.links:
        address = normalized_address(link.address)
        start, stop = link.span or (None, None)
        shown = section.text[start:stop] if link.span else ""
        is_shown = ("." in shown or "/" in shown) and normalized_address(shown) == address
        if address and not is_shown:
            yield section_id, address, start, stop


def _put_body(
    sql: "apsw.Connection", section_id: int, body: str | bytes, source: SourceMap
) -> None:
    parts: list[object] = [source.lines, source.whole, source.tasks]
    if source.heading_task or source.page:  # few sections have either
        parts += [source.heading_task, source.page]
    if source.blocks or source.heading_blocks:
        parts += [source.blocks, source.heading_blocks]
    sql.execute(
        "insert into body (section_id, text, source) values (?, ?, ?)",
        (section_id, body, _compact_json(parts)),
    )


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else calendar_seconds(moment)


def _put_tags(sql: "apsw.Connection", owner: str, id_: int, tags: Sequence[str]) -> None:
    if tags:
        forms = [(folded_name(tag), unicodedata.normalize("NFC", tag).lower()) for tag in tags]
        sql.executemany(
            f"insert or ignore into {owner}_tag (tag, {owner}_id, written) values (?, ?, ?)",
            [(folded, id_, None if lower == folded else lower) for folded, lower in forms],
        )
