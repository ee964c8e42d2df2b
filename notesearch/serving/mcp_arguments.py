"""What the tools for agents take: their arguments, each with what a model is told of it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from notesearch.serving.asked import Filters, Short
from notesearch.serving.served import LONGEST_QUERY, MOST_PER_NOTE, MOST_SECTIONS

_Path = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4_096,
        description="The note's path as search_notes gives it, for example 'travel/japan.md'; its"
        " name or its title where only one note has it.",
    ),
]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SearchArguments(Filters):
    """Of ``search_notes``."""

    query: Annotated[
        str,
        Field(
            max_length=LONGEST_QUERY,
            description='Words, a question, "an exact phrase", and filters: tag:work'
            " path:travel file:budget section:packing prop:status=done task:todo has:code lang:de"
            " after:7d before:2026-04; a minus in front excludes; OR, ( ) and word* work too.",
        ),
    ]
    n: Annotated[int, Field(ge=1, le=MOST_SECTIONS, description="Sections in all.")] = 5
    max_sections_per_note: Annotated[
        int, Field(ge=1, le=MOST_PER_NOTE, description="Sections of one note at most.")
    ] = 2
    mode: Annotated[
        Literal["hybrid", "words", "meaning"],
        Field(description="hybrid (default) searches by words and by meaning."),
    ] = "hybrid"


class ReadArguments(_Arguments):
    """Of ``read_note``."""

    path: _Path
    section: Annotated[
        Short | None,
        Field(
            description="A heading, in any case; 'Parent/Child' where several are called so."
            " Without it, the whole note."
        ),
    ] = None
    continuation: Annotated[
        Short | None, Field(description="What the page before gave, for the next page.")
    ] = None


class NoteArguments(_Arguments):
    """Of what is asked of one note."""

    path: _Path


class OutlineArguments(NoteArguments):
    """Of ``list_sections``."""

    continuation: Annotated[
        Short | None, Field(description="What the page before gave, for the next page.")
    ] = None


class RelatedArguments(_Arguments):
    """Of ``related_sections``."""

    path: _Path
    section: Annotated[Short | None, Field(description="A heading; without it, the note.")] = None
    n: Annotated[int, Field(ge=1, le=MOST_SECTIONS, description="Sections at most.")] = 5
    own_note: Annotated[bool, Field(description="Also sections of the same note.")] = False


class NoArguments(_Arguments):
    """Of tools that take nothing."""
