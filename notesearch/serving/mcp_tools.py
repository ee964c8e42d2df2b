"""The MCP tools: their names, descriptions, parameters and answers."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, TypeAdapter, ValidationError

from notesearch import wire
from notesearch.errors import NotesearchError
from notesearch.results import Mode
from notesearch.serving import mcp_text
from notesearch.serving.continuation import PAGE_CHARACTERS
from notesearch.serving.invisible_characters import spell_out, spell_out_all
from notesearch.serving.parameters import (
    Filters,
    LinkArguments,
    NoteListArguments,
    OutlineArguments,
    ReadArguments,
    ReadSeveralArguments,
    RelatedArguments,
    SearchArguments,
    TagArguments,
    VaultArguments,
    tag_filter,
)
from notesearch.serving.served_vaults import ServedVaults


class _NothingReadError(Exception):
    """None of several addresses could be read; the message tells why."""


_Answer = tuple[str, Any]
"""An answer as text, and the same answer as a dataclass of ``notesearch.wire``."""


def _search(vaults: ServedVaults, arguments: SearchArguments) -> _Answer:
    result = vaults.search(
        arguments.query,
        arguments,
        limit=arguments.n,
        per_note=arguments.max_sections_per_note,
        mode=arguments.mode,
    )
    remarks = vaults.remarks(result, arguments, once=True)
    response = wire.search_response(result, remarks)
    silent = {vault.vault for vault in result.unanswered}
    asked = [name for name in vaults.asked(arguments) if name not in silent]
    shown = mcp_text.search_text(result, response.remarks, asked, named=vaults.are_several)
    return shown, response


def _read(vaults: ServedVaults, arguments: ReadArguments) -> _Answer:
    continuation = arguments.continuation or ""
    page = vaults.read(arguments.path, arguments.section, continuation, vault=arguments.vault)
    return mcp_text.page_text(page, named=vaults.are_several), page


def _list_sections(vaults: ServedVaults, arguments: OutlineArguments) -> _Answer:
    outline = vaults.sections(arguments.path, arguments.continuation or "", arguments.vault)
    return mcp_text.outline_text(outline, named=vaults.are_several), outline


def _read_several(vaults: ServedVaults, arguments: ReadSeveralArguments) -> _Answer:
    pages: list[wire.ReadPage] = []
    problems: list[str] = []
    size = PAGE_CHARACTERS // len(arguments.places)
    for place in arguments.places:
        try:
            pages.append(vaults.read(place, size=size, vault=arguments.vault))
        except NotesearchError as error:
            problems.append(str(error))
    if not pages:
        raise _NothingReadError(" ".join(problems))
    shown = mcp_text.pages_text(pages, problems, named=vaults.are_several)
    return shown, wire.ReadPages(pages, problems)


def _list_notes(vaults: ServedVaults, arguments: NoteListArguments) -> _Answer:
    notes = vaults.list_notes(arguments, arguments.n)
    if not notes.notes:
        notes = replace(notes, remarks=[*_unmet(vaults, arguments), *notes.remarks])
    return mcp_text.notes_text(notes, named=vaults.are_several), notes


def _list_tags(vaults: ServedVaults, arguments: TagArguments) -> _Answer:
    tags = vaults.tags(arguments.beginning or "", arguments.n, arguments.vault)
    if not tags.tags and arguments.beginning:
        query = tag_filter(arguments.beginning)
        unmet = _unmet(vaults, Filters(vault=arguments.vault), query)
        tags = replace(tags, remarks=[*unmet, *tags.remarks])
    return mcp_text.tags_text(tags), tags


def _unmet(vaults: ServedVaults, filters: Filters, query: str = "") -> list[str]:
    """Return a sentence on each filter that no note fulfils, with similar filters."""
    result = vaults.search(query, filters, limit=1, per_note=1, mode=Mode.WORDS)
    return [unmet.sentence for unmet in result.unmet]


def _linked(vaults: ServedVaults, arguments: LinkArguments) -> _Answer:
    links = vaults.linked(arguments.path, arguments.vault)
    return mcp_text.links_text(links, named=vaults.are_several), links


def _related(vaults: ServedVaults, arguments: RelatedArguments) -> _Answer:
    sections = vaults.related(
        arguments.path,
        arguments.section,
        limit=arguments.n,
        own_note=arguments.own_note,
        vault=arguments.vault,
    )
    response = wire.related_response(sections)
    shown = mcp_text.related_text(sections, response.remarks, named=vaults.are_several)
    return shown, response


def _stats(vaults: ServedVaults, arguments: VaultArguments) -> _Answer:
    stats = vaults.stats(arguments.vault)
    return mcp_text.stats_text(stats), stats


def _reindex(vaults: ServedVaults, arguments: VaultArguments) -> _Answer:
    response = vaults.reindex(arguments.vault)
    return response.sentence, response


@dataclass(frozen=True, slots=True)
class NoteTool:
    """A tool, with the classes of its arguments and its structured answers.

    ``answer`` takes the vaults and the arguments.
    """

    name: str
    description: str
    parameters: type[BaseModel]
    response: type
    answer: Callable[[ServedVaults, Any], _Answer]
    reads_only: bool = True

    def describe(self, *, structured: bool, vaults: Sequence[str] = ()) -> Tool:
        """Return the tool's description for the list of tools.

        Args:
            structured: Describe the structured answers, too.
            vaults: The names of the vaults; with several, the tool has the parameter ``vault``.
        """
        parameters = self.parameters.model_json_schema()
        vault = parameters["properties"].pop("vault")
        if len(vaults) > 1:  # the instructions of the server describe this parameter
            del vault["description"]
            parameters["properties"]["vault"] = vault
        output = TypeAdapter(self.response).json_schema(mode="serialization")
        return Tool(
            name=self.name,
            description=self.description,
            input_schema=_slim(parameters, takes_null=False),
            output_schema=_slim(output, takes_null=True) if structured else None,
            annotations=ToolAnnotations(
                read_only_hint=self.reads_only,
                destructive_hint=None if self.reads_only else False,
            ),
        )

    def call(
        self, vaults: ServedVaults, arguments: dict[str, Any], *, structured: bool
    ) -> CallToolResult:
        """Answer a call; an error that the client can correct is an answer, too.

        Args:
            vaults: The vaults.
            arguments: The arguments from the client. Null or an empty text means that an optional
                argument is left out.
            structured: Answer in JSON, too.
        """
        fields = self.parameters.model_fields
        required = {name for name, field in fields.items() if field.is_required()}
        given = {
            name: value
            for name, value in arguments.items()
            if not (value is None or (value == "" and name not in required))
        }
        known = [name for name in fields if name != "vault" or vaults.are_several]
        ignored = [name for name in given if name not in {*known, "vault"}]
        try:
            text, response = self.answer(vaults, self.parameters.model_validate(given))
        except ValidationError as error:
            return _error(_explanation(error, known))
        except (NotesearchError, _NothingReadError) as error:
            return _error(str(error))
        if ignored:
            text += f"\n\n{spell_out(_ignored(ignored, known))}"
        answer = CallToolResult(content=[TextContent(type="text", text=text)])
        if structured:
            content = spell_out_all(asdict(response))
            assert isinstance(content, dict)
            answer.structured_content = content
        return answer


def _slim(schema: Any, *, takes_null: bool) -> Any:  # noqa: ANN401 - JSON
    """Return a shorter JSON schema, without titles, bounds and the descriptions of classes.

    Without ``takes_null``, types do not include null: a parameter may be left out instead.
    """
    slim = partial(_slim, takes_null=takes_null)
    if isinstance(schema, list):
        return list(map(slim, schema))
    if not isinstance(schema, dict):
        return schema
    kept = {
        name: {key: slim(own) for key, own in part.items()} if name in _BY_NAME else slim(part)
        for name, part in schema.items()
        if name not in _DISPENSABLE and not (name == "default" and not part)
    }
    choices = [choice for choice in kept.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1 and not takes_null:
        del kept["anyOf"]
        kept = choices[0] | kept
    if "properties" in kept or "$defs" in kept:
        kept.pop("description", None)
    return kept


_BY_NAME = ("properties", "$defs")
_DISPENSABLE = ("title", "maxLength", "minLength", "minimum", "maximum", "maxItems", "minItems")


def _error(sentence: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=spell_out(sentence))], is_error=True
    )


def _ignored(names: list[str], parameters: list[str]) -> str:
    known = ", ".join(parameters) or "none"
    shown = ", ".join(name[:40] for name in names[:10])
    return f"Ignored unknown arguments: {shown}. The parameters are: {known}."


def _explanation(error: ValidationError, parameters: list[str]) -> str:
    """Return sentences on what is wrong with the arguments of a call.

    If an argument is missing, they list the parameters: the client may have used another name.
    """
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    problems = [
        f"{'.'.join(map(str, fault['loc'])) or 'arguments'}: {fault['msg']}" for fault in faults
    ]
    known = f" The parameters are: {', '.join(parameters)}."
    is_missing = any(each["type"] == "missing" for each in faults)
    return f"The arguments are wrong. {'; '.join(problems[:5])}.{known * is_missing}"


TOOLS = (
    NoteTool(
        "search_notes",
        "Find sections of the user's notes by words and meaning, best first, each with its best"
        " passage and the lines to cite. Example:"
        ' {"query": "budget tag:travel", "after": "2026-01", "n": 10}',
        SearchArguments,
        wire.SearchResponse,
        _search,
    ),
    NoteTool(
        "read_note",
        "Read a section with its subsections, some lines, or a whole note. Prefer a section. Long"
        ' texts come in pages. Example: {"path": "garden/tomatoes.md", "section": "Blight"}',
        ReadArguments,
        wire.ReadPage,
        _read,
    ),
    NoteTool(
        "read_notes",
        "Read several places at once, the first page of each. Example:"
        ' {"places": ["garden/tomatoes.md:10-40", "ideas.md#Shed"]}',
        ReadSeveralArguments,
        wire.ReadPages,
        _read_several,
    ),
    NoteTool(
        "list_sections",
        'List the headings of a note with lines and words. Example: {"path": "garden/tomatoes.md"}',
        OutlineArguments,
        wire.Outline,
        _list_sections,
    ),
    NoteTool(
        "list_notes",
        "List notes by folder, tag, property, heading or date, the newest first, and count them."
        ' Example: {"path": "travel", "property": "status=done"}',
        NoteListArguments,
        wire.NoteList,
        _list_notes,
    ),
    NoteTool(
        "list_tags",
        "List tags with the number of notes that have each. Example: {}",
        TagArguments,
        wire.TagList,
        _list_tags,
    ),
    NoteTool(
        "related_sections",
        "Find sections of other notes with a meaning similar to a section or note. Example:"
        ' {"path": "garden/tomatoes.md", "section": "Blight"}',
        RelatedArguments,
        wire.RelatedResponse,
        _related,
    ),
    NoteTool(
        "linked_notes",
        "List the links of a note to other notes, and other notes' links to it. Example:"
        ' {"path": "ideas.md"}',
        LinkArguments,
        wire.LinkList,
        _linked,
    ),
    NoteTool(
        "vault_stats",
        "Count notes and sections; say how current the index is and what could not be read."
        " Example: {}",
        VaultArguments,
        wire.VaultTotals,
        _stats,
    ),
    NoteTool(
        "reindex",
        "Compare all notes with the index now, if something seems to be missing. Never writes a"
        " note. Example: {}",
        VaultArguments,
        wire.ReindexResponse,
        _reindex,
        reads_only=False,
    ),
)
