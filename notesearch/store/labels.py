"""The reader's side of labels: which tags, properties and values there are in the notes."""

from typing import cast

from notesearch.store.conditions import folded, property_key
from notesearch.store.db import translated
from notesearch.store.note_states import note_states
from notesearch.store.rows import NoteState
from notesearch.store.vector_reader import VectorReader


class LabelReader(VectorReader):
    """The part of the reader that knows labels; those of the most notes come first."""

    def tags(self) -> tuple[str, ...]:
        """Return all tags, folded."""
        return self._labels("select tag from note_tag group by tag order by count(*) desc, tag")

    def property_keys(self) -> tuple[str, ...]:
        """Return the names of all properties, folded."""
        return self._labels("select key from property group by key order by count(*) desc, key")

    def property_values(self, key: str) -> tuple[str, ...]:
        """Return all values that the property ``key`` has somewhere, folded."""
        query = "select text from property where key = ? group by text order by count(*) desc, text"
        return self._labels(query, property_key(key))

    def languages_of_code(self) -> tuple[str, ...]:
        """Return the languages of all blocks of code."""
        query = "select language from section_code group by language order by count(*) desc, 1"
        return self._labels(query)

    def notes_of_file(self, name: str) -> tuple[str, ...]:
        """Return the paths of the notes whose file is called ``name``, the shortest first."""
        query = "select path from note where file = ? order by length(path), path"
        return self._labels(query, folded(name))

    def notes_entitled(self, name: str) -> tuple[str, ...]:
        """Return the paths of the notes that have ``name`` as title or alias, in any case."""
        query = """
            select path from note where title = ?1 collate nocase
            union
            select note.path from note, json_each(note.aliases) as alias
            where note.aliases != '[]' and alias.value = ?1 collate nocase
            order by 1"""
        return self._labels(query, name)

    def note_states(self) -> dict[str, NoteState]:
        """Return what is known of every note's file, by path."""
        with translated(self._path):
            return note_states(self._db.sql)

    def settled_files(self, limit: int) -> dict[str, tuple[int, int, int, int]]:
        """Return the files that need no look unless they are touched, of ``limit`` bytes at most.

        Size, times and inode by path, as ``FileState`` has them: all that most comparisons need,
        in a quarter of the time that all states take.
        """
        query = (
            "select path, size, mtime_ns, ctime_ns, inode from note"
            " where problem = '' and length(hash) > 0 and size <= ?"
        )
        with translated(self._path):
            rows = self._db.sql.execute(query, (limit,))
            return {row[0]: row[1:] for row in rows}

    def _labels(self, query: str, *values: str) -> tuple[str, ...]:
        with translated(self._path):
            rows = cast("list[tuple[str]]", self._db.sql.execute(query, values).fetchall())
            return tuple(label for (label,) in rows)
