"""The filters of a search as a program names them one by one, put into the query's language."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from notesearch.library import understands

Short = Annotated[str, Field(max_length=1_000)]


def _one_or_more(tags: object) -> object:
    return [tags] if isinstance(tags, str) else tags


def _is_date(text: str | None) -> str | None:
    # The query's language searches for the words of a filter that it does not understand: who
    # named the filter by itself would be given all that it should have kept out.
    if text and not understands(f"after:{_quoted(text)}"):
        raise PydanticCustomError(
            "no_date", "This is no date. Dates are like 2026-04-12, 2026-04, 2026, 7d, yesterday"
        )
    return text


_Date = Annotated[Short | None, AfterValidator(_is_date)]

_OPERATOR = re.compile(r"(<=|>=|=|<|>)")
_LEADING_OR = re.compile(r"\A\s*OR(?=[\s)]|\Z)")


def _of_path(path: str) -> str:
    return f"path:{_quoted(path)}"


def _of_section(heading: str) -> str:
    return f"section:{_quoted(heading)}"


def _of_tag(tag: str) -> str:
    return f"tag:{_quoted(tag.lstrip('#'))}"


def _of_property(condition: str) -> str:
    key, operator, value = [*_OPERATOR.split(condition, maxsplit=1), "", ""][:3]
    return f"prop:{_quoted(key)}" + (f"{operator}{_quoted(value)}" if operator else "")


def _said(filter_of: Callable[[str], str], blank: str = "") -> Callable[[str | None], str | None]:
    """Return what refuses texts that make no filter, and takes blank ones for nothing said.

    The query's language searches for the words of what it takes for no filter.
    """

    def check(text: str | None) -> str | None:
        if not text or not text.strip(f"{blank} \t\r\n"):
            return None
        if not understands(filter_of(text)):
            raise PydanticCustomError("no_filter", "There is no name or word in it to filter by")
        return text

    return check


def _tags_said(tags: list[str]) -> list[str]:
    said = _said(_of_tag, "#")
    return [tag for tag in tags if said(tag)]


class Filters(BaseModel):
    """What a found section must fulfil beside the query."""

    model_config = ConfigDict(extra="forbid")

    path: Annotated[
        Short | None,
        AfterValidator(_said(_of_path, "./\\")),
        Field(description="Only notes in this folder, or of this path."),
    ] = None
    tags: Annotated[
        list[Short],
        BeforeValidator(_one_or_more),
        AfterValidator(_tags_said),
        Field(max_length=10, description="Only what has all these tags, or tags below them."),
    ] = []
    section: Annotated[
        Short | None,
        AfterValidator(_said(_of_section)),
        Field(description="Only below headings that have these words."),
    ] = None
    property: Annotated[
        Short | None,
        AfterValidator(_said(_of_property)),
        Field(description="Front matter: 'status', 'status=done', 'budget>5000'."),
    ] = None
    after: Annotated[
        _Date, Field(description="Of this date or later: 2026-04-12, 2026-04, 7d.")
    ] = None
    before: Annotated[_Date, Field(description="Older than this date.")] = None

    def narrowing(self, query: str, vault: Path) -> str:
        """Return ``query`` behind these filters: whatever it says, they hold.

        Args:
            query: What is searched for.
            vault: A path may begin with this folder: programs know notes by their whole paths.
        """
        path = _inside(self.path or "", vault)
        filters = [_of_path(path)] if path else []
        filters += [_of_section(self.section)] if self.section else []
        filters += [f"after:{_quoted(self.after)}"] if self.after else []
        filters += [f"before:{_quoted(self.before)}"] if self.before else []
        filters += map(_of_tag, self.tags)
        filters += [_of_property(self.property)] if self.property else []
        # In front of it no quote and no group is open. An "OR" there has nothing to join.
        return " ".join([*filters, _LEADING_OR.sub('"OR"', query) if filters else query])


def _inside(path: str, vault: Path) -> str:
    """Return ``path`` from the top of ``vault``, where it is a whole one; empty for ``vault``."""
    if "\0" in path or not Path(path).is_absolute():
        return path
    whole = Path(os.path.realpath(path))  # Path's own fails where links lead in a circle
    if not whole.is_relative_to(vault):
        return path
    below = whole.relative_to(vault).as_posix()
    return "" if below == "." else f"/{below}" + "/" * path.endswith(("/", os.sep))


def _quoted(value: str) -> str:
    return '"{}"'.format(value.replace('"', " ").strip())
