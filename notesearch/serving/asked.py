"""The filters of a search as a program names them one by one, put into the query's language."""

import re
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


class Filters(BaseModel):
    """What a found section must fulfil beside the query."""

    model_config = ConfigDict(extra="forbid")

    path: Annotated[
        Short | None, Field(description="Only notes in this folder, or of this path.")
    ] = None
    tags: Annotated[
        list[Short],
        BeforeValidator(_one_or_more),
        Field(max_length=10, description="Only what has all these tags, or tags below them."),
    ] = []
    section: Annotated[
        Short | None, Field(description="Only below headings that have these words.")
    ] = None
    property: Annotated[
        Short | None,
        Field(description="Front matter: 'status', 'status=done', 'budget>5000'."),
    ] = None
    after: Annotated[
        _Date, Field(description="Of this date or later: 2026-04-12, 2026-04, 7d.")
    ] = None
    before: Annotated[_Date, Field(description="Older than this date.")] = None

    def narrowing(self, query: str) -> str:
        """Return ``query`` with these filters."""
        single = {
            "path": self.path, "section": self.section, "after": self.after, "before": self.before,
        }  # fmt: skip
        filters = [f"{name}:{_quoted(value)}" for name, value in single.items() if value]
        filters += [f"tag:{_quoted(tag.lstrip('#'))}" for tag in self.tags]
        if self.property:
            key, operator, value = [*_OPERATOR.split(self.property, maxsplit=1), "", ""][:3]
            compared = f"{operator}{_quoted(value)}" if operator else ""
            filters.append(f"prop:{_quoted(key)}{compared}")
        return " ".join([query, *filters])


def _quoted(value: str) -> str:
    return '"{}"'.format(value.replace('"', " ").strip())
