"""The tools for agents: what each is called, takes, gives and promises."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, TypeAdapter, ValidationError

from notesearch.errors import NotesearchError
from notesearch.serving import mcp_text
from notesearch.serving.mcp_arguments import (
    NoArguments,
    OutlineArguments,
    ReadArguments,
    RelatedArguments,
    SearchArguments,
)
from notesearch.serving.served import ServedVault
from notesearch.serving.unseen import all_shown, shown
from notesearch.wire import answers, pages, sections, state

_Given = tuple[str, Any]
"""An answer: as text, and as one of the dataclasses of ``notesearch.wire``."""


def _search(vault: ServedVault, asked: SearchArguments) -> _Given:
    query = asked.narrowing(asked.query, vault.folder)
    per_note = asked.max_sections_per_note
    result = vault.search(query, limit=asked.n, per_note=per_note, mode=asked.mode)
    found = answers.found(result, vault.remarks(result))
    return mcp_text.of_search(result, found.remarks), found


def _read(vault: ServedVault, asked: ReadArguments) -> _Given:
    page = vault.read(asked.path, asked.section, asked.continuation or "")
    return mcp_text.of_page(page), page


def _list_sections(vault: ServedVault, asked: OutlineArguments) -> _Given:
    outline = vault.sections(asked.path, asked.continuation or "")
    return mcp_text.of_outline(outline), outline


def _related(vault: ServedVault, asked: RelatedArguments) -> _Given:
    found = vault.related(asked.path, asked.section, limit=asked.n, own_note=asked.own_note)
    given = answers.Related([sections.related_section(one) for one in found])
    return mcp_text.of_related(found), given


def _stats(vault: ServedVault, _asked: NoArguments) -> _Given:
    stats = vault.stats()
    return mcp_text.of_stats(stats), stats


def _reindex(vault: ServedVault, _asked: NoArguments) -> _Given:
    done = vault.reindex()
    return mcp_text.of_reindex(done), done


@dataclass(frozen=True, slots=True)
class NoteTool:
    """One tool; ``answer`` takes the vault and its own kind of arguments."""

    name: str
    title: str
    description: str
    takes: type[BaseModel]
    gives: type
    answer: Callable[[ServedVault, Any], _Given]
    reads_only: bool = True

    def described(self) -> Tool:
        """Return the tool as clients list it."""
        takes = self.takes.model_json_schema()
        takes.pop("description", None)  # of the class: the tool has one of its own
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=takes,
            output_schema=TypeAdapter(self.gives).json_schema(mode="serialization"),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads_only,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )

    def call(self, vault: ServedVault, arguments: dict[str, Any]) -> CallToolResult:
        """Answer a call; what the caller can put right is told as an error of the tool.

        Some programs send null for what they leave out.
        """
        said = {name: value for name, value in arguments.items() if value is not None}
        try:
            text, given = self.answer(vault, self.takes.model_validate(said))
        except ValidationError as error:
            return _failed(_explained(error, self.takes))
        except NotesearchError as error:
            return _failed(str(error))
        structured = all_shown(asdict(given))
        assert isinstance(structured, dict)
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=structured
        )


def _failed(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=shown(sentence))], is_error=True)


def _explained(error: ValidationError, takes: type[BaseModel]) -> str:
    """Return what is wrong with the arguments, without quoting them, and which there are."""
    wrong = [
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    known = ", ".join(takes.model_fields) or "none"
    return f"The arguments are not right. {'; '.join(wrong[:5])}. There are: {known}."


TOOLS = (
    NoteTool(
        "search_notes",
        "Search notes",
        "Find sections in the user's notes, by words and by meaning, best first. Each comes with"
        " its whole best passage (about 150 words), which often answers already; read_note gives"
        " the full section or note, whose length in words is told.\n"
        'Examples: {"query": "how do I prune tomatoes"}; {"query": "budget tag:travel", "n": 10};'
        ' {"query": "\\"stepping stones\\" -draft", "path": "garden"};'
        ' {"query": "task:todo", "after": "7d", "max_sections_per_note": 5}.',
        SearchArguments,
        answers.Found,
        _search,
    ),
    NoteTool(
        "read_note",
        "Read a note or a section",
        "Read one section of a note (heading and all that is below it), or the whole note, as the"
        " file is now. Prefer a section: it takes a tenth of the tokens. An ambiguous heading is"
        " answered with the candidates, an unknown one with the note's headings. Long texts come"
        " in pages with a continuation.\n"
        'Examples: {"path": "garden/tomatoes.md", "section": "Blight"};'
        ' {"path": "Japan budget", "section": "Per day/Meals"}; {"path": "ideas.md"}.',
        ReadArguments,
        pages.ReadPage,
        _read,
    ),
    NoteTool(
        "list_sections",
        "List a note's sections",
        "List the headings of a note with levels, lines and words, to choose what to read.\n"
        'Example: {"path": "garden/tomatoes.md"}.',
        OutlineArguments,
        pages.Outline,
        _list_sections,
    ),
    NoteTool(
        "related_sections",
        "Find related sections",
        "Find sections of other notes that are near in meaning to a section or to a whole note.\n"
        'Example: {"path": "garden/tomatoes.md", "section": "Blight", "n": 3}.',
        RelatedArguments,
        answers.Related,
        _related,
    ),
    NoteTool(
        "vault_stats",
        "Vault statistics",
        "Count notes, sections and passages; tell how current the index is and what could not be"
        " read. Example: {}.",
        NoArguments,
        state.VaultStats,
        _stats,
    ),
    NoteTool(
        "reindex",
        "Compare notes and index",
        "Compare all notes with the index now. Changes are noticed without it; use it where"
        " something seems to be missing. Writes only the index, never a note. Example: {}.",
        NoArguments,
        state.Reindexed,
        _reindex,
        reads_only=False,
    ),
)
