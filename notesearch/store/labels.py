"""Reads labels: the tags, properties, languages of code and names that notes have."""

from typing import cast

from notesearch.store.conditions import folded, property_key
from notesearch.store.index_state import IndexState


class LabelReader:
    """The part of the reader that lists labels. The most frequent come first."""

    def __init__(self, state: IndexState) -> None:
        """Read labels from the index of ``state``."""
        self._state = state

    def tags(self) -> tuple[str, ...]:
        """Return all tags, folded."""
        return self._labels("select tag from note_tag group by tag order by count(*) desc, tag")

    def property_keys(self) -> tuple[str, ...]:
        """Return the names of all properties, folded."""
        return self._labels("select key from property group by key order by count(*) desc, key")

    def property_values(self, key: str) -> tuple[str, ...]:
        """Return all values that the property ``key`` has in any note, folded."""
        query = "select text from property where key = ? group by text order by count(*) desc, text"
        return self._labels(query, property_key(key))

    def code_languages(self) -> tuple[str, ...]:
        """Return the languages of all code blocks."""
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

    def _labels(self, query: str, *values: str) -> tuple[str, ...]:
        with self._state.reading():
            rows = cast("list[tuple[str]]", self._state.sql.execute(query, values).fetchall())
            return tuple(label for (label,) in rows)
