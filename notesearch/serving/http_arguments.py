"""What the HTTP API takes: the parameters of each address."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from notesearch.serving.asked import Filters, Short
from notesearch.serving.served import LONGEST_QUERY, MOST_PER_NOTE, MOST_SECTIONS

_Query = Annotated[
    str, Field(max_length=LONGEST_QUERY, description="Words, a question, and filters.")
]
_Number = Annotated[int, Field(ge=1, le=MOST_SECTIONS, description="Sections in all.")]
_PerNote = Annotated[
    int, Field(ge=1, le=MOST_PER_NOTE, description="Sections of one note at most.")
]


class _Parameters(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SemanticParameters(_Parameters):
    """Of ``semantic-search``."""

    q: _Query
    n: _Number = 5
    max_chunks_per_page: _PerNote = 2


class SearchParameters(Filters):
    """Of ``search``."""

    q: _Query
    n: _Number = 10
    per_note: _PerNote = 2
    mode: Annotated[
        Literal["hybrid", "words", "meaning"],
        Field(description="By words, by meaning, or by both."),
    ] = "hybrid"


class PageParameters(_Parameters):
    """Of ``pages/{path}``."""

    section: Annotated[
        Short | None, Field(description="A heading, or Parent/Child; without it, the whole note.")
    ] = None
    continuation: Annotated[
        Short | None, Field(description="What the page before gave, for the next.")
    ] = None


class OutlineParameters(_Parameters):
    """Of ``pages/{path}/sections``."""

    continuation: Annotated[
        Short | None, Field(description="What the page before gave, for the next.")
    ] = None


class NoParameters(_Parameters):
    """Of addresses that take none."""
