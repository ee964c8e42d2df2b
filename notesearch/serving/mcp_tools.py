"""The MCP tools: their names, descriptions, parameters and answers."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, TypeAdapter, ValidationError

from notesearch.errors import NotesearchError
from notesearch.serving import mcp_text
from notesearch.serving.invisible_characters import spell_out, spell_out_all
from notesearch.serving.parameters import (
    NoArguments,
    OutlineArguments,
    ReadArguments,
    RelatedArguments,
    SearchArguments,
)
from notesearch.serving.served_vault import ServedVault
from notesearch.wire import note_pages, responses, vault_state

_Answer = tuple[str, Any]
"""An answer as text, and as a dataclass of ``notesearch.wire``."""


def _search(vault: ServedVault, arguments: SearchArguments) -> _Answer:
    query = arguments.query_with_filters(arguments.query, vault.folder)
    per_note = arguments.max_sections_per_note
    result = vault.search(query, limit=arguments.n, per_note=per_note, mode=arguments.mode)
    response = responses.search_response(result, vault.remarks(result))
    return mcp_text.search_text(result, response.remarks), response


def _read(vault: ServedVault, arguments: ReadArguments) -> _Answer:
    page = vault.read(arguments.path, arguments.section, arguments.continuation or "")
    return mcp_text.page_text(page), page


def _list_sections(vault: ServedVault, arguments: OutlineArguments) -> _Answer:
    outline = vault.sections(arguments.path, arguments.continuation or "")
    return mcp_text.outline_text(outline), outline


def _related(vault: ServedVault, arguments: RelatedArguments) -> _Answer:
    sections = vault.related(
        arguments.path, arguments.section, limit=arguments.n, own_note=arguments.own_note
    )
    response = responses.RelatedResponse([responses.related_section(one) for one in sections])
    return mcp_text.related_text(sections), response


def _stats(vault: ServedVault, _arguments: NoArguments) -> _Answer:
    stats = vault.stats()
    return mcp_text.stats_text(stats), stats


def _reindex(vault: ServedVault, _arguments: NoArguments) -> _Answer:
    response = vault.reindex()
    return response.sentence, response


@dataclass(frozen=True, slots=True)
class NoteTool:
    """A tool; ``answer`` takes the vault and arguments of the class ``parameters``."""

    name: str
    title: str
    description: str
    parameters: type[BaseModel]
    response: type
    answer: Callable[[ServedVault, Any], _Answer]
    reads_only: bool = True

    def describe(self) -> Tool:
        """Return the tool as clients list it."""
        schema = self.parameters.model_json_schema()
        schema.pop("description", None)  # of the class
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schema,
            output_schema=TypeAdapter(self.response).json_schema(mode="serialization"),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads_only,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )

    def call(self, vault: ServedVault, arguments: dict[str, Any]) -> CallToolResult:
        """Answer a call; return errors that the caller can correct as the tool's answer.

        Some programs send null for arguments that they leave out.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        ignored = [name for name in given if name not in self.parameters.model_fields]
        try:
            text, response = self.answer(vault, self.parameters.model_validate(given))
        except ValidationError as error:
            return _error(_explanation(error, self.parameters))
        except NotesearchError as error:
            return _error(str(error))
        if ignored:
            text += f"\n\n{spell_out(_ignored(ignored, self.parameters))}"
        structured = spell_out_all(asdict(response))
        assert isinstance(structured, dict)
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=structured
        )


def _error(sentence: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=spell_out(sentence))], is_error=True
    )


def _ignored(names: list[str], parameters: type[BaseModel]) -> str:
    known = ", ".join(parameters.model_fields) or "none"
    shown = ", ".join(name[:40] for name in names[:10])
    return f"Ignored unknown arguments: {shown}. The parameters are: {known}."


def _explanation(error: ValidationError, parameters: type[BaseModel]) -> str:
    """Return what is wrong with the arguments, without their values, and the parameters."""
    wrong = [
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    known = ", ".join(parameters.model_fields) or "none"
    return f"The arguments are wrong. {'; '.join(wrong[:5])}. The parameters are: {known}."


TOOLS = (
    NoteTool(
        "search_notes",
        "Search notes",
        "Find sections in the user's notes by words and by meaning, best first. Each comes with its"
        " whole best passage (about 150 words), which is often enough, and its length in words."
        " read_note returns the full section or note.\n"
        'Examples: {"query": "how do I prune tomatoes"}; {"query": "budget tag:travel", "n": 10};'
        ' {"query": "\\"stepping stones\\" -draft", "path": "garden"};'
        ' {"query": "task:todo", "after": "7d", "max_sections_per_note": 5}.',
        SearchArguments,
        responses.SearchResponse,
        _search,
    ),
    NoteTool(
        "read_note",
        "Read a note or a section",
        "Read one section of a note (its heading and everything below it), or the whole note, from"
        " the file. Prefer a section: it takes a tenth of the tokens. If a heading is ambiguous,"
        " the answer lists the candidates; if it is unknown, the note's headings. Long texts come"
        " in pages, each with a continuation.\n"
        'Examples: {"path": "garden/tomatoes.md", "section": "Blight"};'
        ' {"path": "Japan budget", "section": "Per day/Meals"}; {"path": "ideas.md"}.',
        ReadArguments,
        note_pages.ReadPage,
        _read,
    ),
    NoteTool(
        "list_sections",
        "List a note's sections",
        "List the headings of a note with their levels, lines and words, to choose what to read.\n"
        'Example: {"path": "garden/tomatoes.md"}.',
        OutlineArguments,
        note_pages.Outline,
        _list_sections,
    ),
    NoteTool(
        "related_sections",
        "Find related sections",
        "Find sections of other notes with a meaning similar to a section or a whole note.\n"
        'Example: {"path": "garden/tomatoes.md", "section": "Blight", "n": 3}.',
        RelatedArguments,
        responses.RelatedResponse,
        _related,
    ),
    NoteTool(
        "vault_stats",
        "Vault statistics",
        "Count notes, sections and passages; show whether the index is up to date and which notes"
        " could not be read. Example: {}.",
        NoArguments,
        vault_state.VaultStats,
        _stats,
    ),
    NoteTool(
        "reindex",
        "Update the index",
        "Compare all notes with the index now. The index follows changes by itself; use this if"
        " something seems to be missing. Writes only the index, never a note. Example: {}.",
        NoArguments,
        vault_state.ReindexResponse,
        _reindex,
        reads_only=False,
    ),
)
