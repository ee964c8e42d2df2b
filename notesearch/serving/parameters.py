"""The parameters of MCP tools and HTTP addresses: their descriptions and the accepted forms."""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
)

from notesearch.errors import ParameterError
from notesearch.files import parse_json
from notesearch.library import understands

_MOST_SECTIONS = 50
_MOST_PER_NOTE = 5
_LONGEST_QUERY = 20_000

_MOST_LISTED = 500
"""Notes or tags in one list."""

_MOST_PLACES = 10
"""Maximum number of notes, sections or ranges of lines to read at once."""

_OPERATOR = re.compile(r"(<=|>=|=|<|>)")
_LEADING_OR = re.compile(r"\A\s*OR(?=[\s)]|\Z)")


# Agents write an argument in several forms: a list as one text, one text as a list, or JSON. Each
# of these functions accepts any value, and returns a form that it does not know unchanged.


def _from_json(value: object, start: str) -> object:
    """Return the value of a text that is JSON and begins with ``start``."""
    if isinstance(value, str) and value.strip().startswith(start):
        with suppress(ValueError):
            return parse_json(value)
    return value


def _only_item(value: object) -> object:
    """Return the item of a list, or of a list as JSON, that has only one."""
    value = _from_json(value, '["')
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _as_list(text: object, between: str = "\n") -> object:
    """Return the list in ``text``, which is JSON or has parts separated by ``between``."""
    if not isinstance(text, str):
        return text
    if text.strip().startswith("["):
        try:
            return parse_json(text)
        except ValueError:
            text = text.strip() if text.strip().startswith("[[") else text.strip(" []")
    return [part.strip(" \"'") for part in text.split(between) if part.strip()]


def _as_query(words: object) -> object:
    """Return a list of texts as one query."""
    if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        return " ".join(words)
    return words


def _as_heading_path(headings: object) -> object:
    """Return a list of headings, such as ``section_path`` in answers, as ``Parent/Child``."""
    headings = _from_json(headings, '["')
    if isinstance(headings, list) and all(isinstance(heading, str) for heading in headings):
        return "/".join(headings)
    return headings


def _as_places(places: object) -> object:
    """Return ``places`` as a list of addresses; ``{"path": …, "section": …}`` becomes one, too."""
    listed = _as_list(places)
    return [*map(_as_address, listed)] if isinstance(listed, list) else listed


def _as_address(place: object) -> object:
    if isinstance(place, dict) and set(place) <= {"path", "section"}:
        parts = [place.get("path"), place.get("section")]
        return "#".join(part for part in parts if isinstance(part, str)) or place
    return place


def _as_condition(value: object) -> object:
    """Return an object with one property, or such an object as JSON, as ``key=value``."""
    value = _from_json(value, '{"')
    if isinstance(value, dict) and len(value) == 1:
        ((key, wanted),) = value.items()
        text = str(wanted).lower() if isinstance(wanted, bool) else str(wanted)
        return f"{key}={text}" if isinstance(wanted, str | int | float) else value
    return value


# The bounds stand first: they are checked for the text, not for a list around it, and for a list
# as it was given, not without its blank items.
_Text = Annotated[str, Field(max_length=1_000), BeforeValidator(_only_item)]


def _check_date(text: str | None, info: ValidationInfo) -> str | None:
    # In a query, a filter that is not understood counts as words to search for. For a parameter,
    # that would find sections that the filter should exclude.
    if text and not understands(f"after:{_quoted(text)}"):
        raise ParameterError("parameter_not_date", name=str(info.field_name))
    return text


_Date = Annotated[_Text | None, AfterValidator(_check_date)]


def _path_filter(path: str) -> str:
    return f"path:{_quoted(path)}"


def _section_filter(heading: str) -> str:
    return f"section:{_quoted(heading)}"


def tag_filter(tag: str) -> str:
    """Return the filter for ``tag`` as it is written in a query."""
    return f"tag:{_quoted(tag.lstrip('#'))}"


def _property_filter(condition: str) -> str:
    key, operator, value = [*_OPERATOR.split(condition, maxsplit=1), "", ""][:3]
    return f"prop:{_quoted(key)}" + (f"{operator}{_quoted(value)}" if operator else "")


def _filter_check(
    make_filter: Callable[[str], str], blank: str = ""
) -> Callable[[str | None, ValidationInfo], str | None]:
    """Return a validator that rejects a text from which ``make_filter`` makes no usable filter.

    It returns None for a text of white space and the characters ``blank``.
    """

    def check(text: str | None, info: ValidationInfo) -> str | None:
        if not text or not text.strip(f"{blank} \t\r\n"):
            return None
        if not understands(make_filter(text)):
            raise ParameterError("parameter_without_word", name=str(info.field_name))
        return text

    return check


def _check_tags(tags: list[str], info: ValidationInfo) -> list[str]:
    check = _filter_check(tag_filter, "#")
    return [tag for tag in tags if check(tag, info)]


class VaultArguments(BaseModel):
    """Arguments of tools and addresses about whole vaults; numbers become texts."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    vault: Annotated[
        _Text | None, Field(description="Name of a vault; by default, all are searched.")
    ] = None


class Filters(VaultArguments):
    """Filters for sections, in addition to the filters in the query."""

    path: Annotated[
        _Text | None,
        AfterValidator(_filter_check(_path_filter, "./\\*")),
        Field(description="A folder or note."),
    ] = None
    tags: Annotated[
        list[_Text],
        Field(max_length=10, description="Only with all these tags."),
        BeforeValidator(lambda tags: _as_list(tags, ",")),
        AfterValidator(_check_tags),
    ] = []
    section: Annotated[
        _Text | None,
        AfterValidator(_filter_check(_section_filter)),
        Field(description="Words in a heading."),
    ] = None
    property: Annotated[
        _Text | None,
        BeforeValidator(_as_condition),
        AfterValidator(_filter_check(_property_filter)),
        Field(description="Front matter: 'status', 'status=done', 'budget>5000'."),
    ] = None
    after: Annotated[_Date, Field(description="This date or later: 2026-04-12, 2026-04, 7d.")] = (
        None
    )
    before: Annotated[_Date, Field(description="Before this date.")] = None

    def query_with_filters(self, query: str, vault: Path) -> str:
        """Return ``query`` with these filters in front; ``path`` may be absolute, in ``vault``."""
        path = _relative_path(self.path or "", vault)
        filters = [_path_filter(path)] if path else []
        filters += [_section_filter(self.section)] if self.section else []
        filters += [f"after:{_quoted(self.after)}"] if self.after else []
        filters += [f"before:{_quoted(self.before)}"] if self.before else []
        filters += map(tag_filter, self.tags)
        filters += [_property_filter(self.property)] if self.property else []
        # At the front, no quote or group of the query is open. An "OR" at its start joins nothing.
        return " ".join([*filters, _LEADING_OR.sub('"OR"', query) if filters else query])


def _relative_path(path: str, vault: Path) -> str:
    """Return the value of the filter ``path:`` for a path that a client gives.

    A folder in ``vault``, or an absolute path in it, gets a slash in front, so that no other path
    matches. ``vault`` itself becomes empty.
    """
    if "\0" in path:
        return path
    if not Path(path).is_absolute():
        names = [name for name in path.split("/") if name not in {"", "."}]
        is_folder = names and ".." not in names and os.path.isdir(vault.joinpath(*names))  # noqa: PTH112 - a long name is not an error
        return f"/{'/'.join(names)}/" if is_folder else path
    absolute = Path(os.path.realpath(path))  # Path.resolve fails on links in a circle
    if not absolute.is_relative_to(vault):
        return path
    relative = absolute.relative_to(vault).as_posix()
    is_folder = path.endswith(("/", os.sep)) or os.path.isdir(absolute)  # noqa: PTH112 - a long name is not an error
    return "" if relative == "." else f"/{relative}{'/' if is_folder else ''}"


def _quoted(value: str) -> str:
    return '"{}"'.format(value.replace('"', " ").strip())


_Path = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4_096,
        description="Path, name, title or alias; for a part, 'path#Heading' or 'path:10-40'.",
    ),
    BeforeValidator(_only_item),
]
_Heading = Annotated[_Text | None, BeforeValidator(_as_heading_path)]
_Continuation = Annotated[
    _Text | None, Field(description="The value on the previous page, to get the next one.")
]
_Sections = Annotated[int, Field(ge=1, le=_MOST_SECTIONS, description="Maximum sections.")]
_Listed = Annotated[int, Field(ge=1, le=_MOST_LISTED, description="How many.")]
_PerNote = Annotated[int, Field(ge=1, le=_MOST_PER_NOTE, description="Maximum per note.")]
_Mode = Annotated[
    Literal["hybrid", "words", "meaning"],
    BeforeValidator(lambda word: word.strip().lower() if isinstance(word, str) else word),
    Field(description="hybrid (default) searches by words and by meaning."),
]


class SearchArguments(Filters):
    """Arguments of the tool ``search_notes``."""

    query: Annotated[
        str,
        Field(
            max_length=_LONGEST_QUERY,
            description='Words, a question, "a phrase"; filters: tag:work path:travel file:budget'
            " section:packing prop:status=done task:todo has:code lang:de after:7d before:2026-04"
            " links:a linked-by:b; -word, OR, ( ), word*.",
        ),
        BeforeValidator(_as_query),
    ]
    n: _Sections = 5
    max_sections_per_note: _PerNote = 2
    mode: _Mode = "hybrid"


class NoteListArguments(Filters):
    """Arguments of the tool ``list_notes``."""

    n: _Listed = 50


class TagArguments(VaultArguments):
    """Arguments of the tool ``list_tags``."""

    beginning: Annotated[_Text | None, Field(description="The tags begin with this.")] = None
    n: _Listed = 100


class ReadSeveralArguments(VaultArguments):
    """Arguments of the tool ``read_notes``."""

    places: Annotated[
        list[_Text],
        BeforeValidator(_as_places),
        Field(
            min_length=1,
            max_length=_MOST_PLACES,
            description="Up to 10: 'path', 'path#Heading', 'path:12' or 'path:10-40'.",
        ),
    ]


class LinkArguments(VaultArguments):
    """Arguments of the tool ``linked_notes``."""

    path: _Path


class ReadArguments(VaultArguments):
    """Arguments of the tool ``read_note`` and of ``/pages/{path}``."""

    path: _Path
    section: Annotated[
        _Heading, Field(description="A heading, or 'Parent/Child'; by default, the whole note.")
    ] = None
    continuation: _Continuation = None


class OutlineArguments(VaultArguments):
    """Arguments of the tool ``list_sections`` and of ``/pages/{path}/sections``."""

    path: _Path
    continuation: _Continuation = None


class RelatedArguments(VaultArguments):
    """Arguments of the tool ``related_sections``."""

    path: _Path
    section: Annotated[_Heading, Field(description="A heading; else the note.")] = None
    n: _Sections = 5
    own_note: Annotated[bool, Field(description="Include sections of the same note.")] = False


_Query = Annotated[
    str, Field(max_length=_LONGEST_QUERY, description="Words, a question, and filters.")
]


class SemanticSearchParameters(Filters):
    """Parameters of ``/semantic-search``."""

    q: _Query
    n: _Sections = 5
    max_chunks_per_page: _PerNote = 2


class SearchParameters(Filters):
    """Parameters of ``/search``."""

    q: _Query
    n: _Sections = 10
    per_note: _PerNote = 2
    mode: _Mode = "hybrid"


class ReindexParameters(VaultArguments):
    """Parameters of ``/reindex``."""

    force: Annotated[bool, Field(description="Delete the index and rebuild it.")] = False


class NoParameters(BaseModel):
    """Parameters of addresses that take none."""


_Parameters = TypeVar("_Parameters", bound=BaseModel)


def validated(
    kind: type[_Parameters], given: Mapping[str, object], *, only_known: bool = False
) -> _Parameters:
    """Return the parameters of ``kind`` with the values that a client has ``given`` by name.

    Raises:
        ParameterError: A parameter is missing or invalid; or, if ``only_known``, unknown.
    """
    try:
        return kind.model_validate(given, extra="forbid" if only_known else "ignore")
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = str(fault["loc"][0])
        if fault["type"] == "extra_forbidden":
            names = (*kind.model_fields,) or ("none",)
            raise ParameterError("parameter_unknown", name=name, names=names) from error
        form = _form(kind.model_json_schema()["properties"][name])
        if fault["type"] == "missing":
            raise ParameterError("parameter_missing", name=name, form=form) from error
        raise ParameterError("parameter_invalid", name=name, form=form) from error


def _form(schema: dict[str, Any]) -> str:
    """Return in words what a parameter with this JSON schema accepts."""
    match next(kind for kind in schema.get("anyOf", [schema]) if kind != {"type": "null"}):
        case {"enum": words}:
            return " or ".join(words)
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"a whole number from {least} to {most}"
        case {"type": "array", "maxItems": most, "items": {"maxLength": longest}}:
            least = "1" if schema.get("minItems") else "up"
            return f"a list of {least} to {most} texts of up to {longest:,} characters"
        case {"maxLength": most}:
            least = "1" if schema.get("minLength") else "up"
            return f"a text of {least} to {most:,} characters"
        case _:
            return "true or false"
