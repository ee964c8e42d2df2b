"""The HTTP API: the same answers as the command line's JSON, to be guarded by ``access``."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from notesearch import __version__
from notesearch.errors import (
    NoteMissingError,
    NotesearchError,
    PageMissingError,
    SectionMissingError,
)
from notesearch.serving import http_openapi
from notesearch.serving.access import App
from notesearch.serving.http_arguments import (
    NoParameters,
    OutlineParameters,
    PageParameters,
    SearchParameters,
    SemanticParameters,
)
from notesearch.serving.served import ServedVault
from notesearch.serving.unseen import all_shown, shown
from notesearch.wire import answers, pages, state

_BASE = "/api/v1"
_DOCUMENT = f"{_BASE}/openapi.json"

FREE = (_DOCUMENT, f"{_BASE}/health")
"""What may be asked for without the token: neither tells anything of a note."""


class _NotePath(PathConvertor):
    """A path as starlette takes it, in which there may be line ends too."""

    regex = r"[\s\S]*"


register_url_convertor("note", _NotePath())

_NOT_FOUND = (NoteMissingError, SectionMissingError, PageMissingError)


def _semantic(vault: ServedVault, _path: str, asked: SemanticParameters) -> answers.Near:
    result = vault.search(
        asked.q, limit=asked.n, per_note=asked.max_chunks_per_page, mode="meaning"
    )
    return answers.near(result)


def _search(vault: ServedVault, _path: str, asked: SearchParameters) -> answers.Found:
    query = asked.narrowing(asked.q, vault.folder)
    result = vault.search(query, limit=asked.n, per_note=asked.per_note, mode=asked.mode)
    return answers.found(result, vault.remarks(result))


def _page(vault: ServedVault, path: str, asked: PageParameters) -> pages.ReadPage:
    return vault.read(path, asked.section, asked.continuation or "")


def _sections(vault: ServedVault, path: str, asked: OutlineParameters) -> pages.Outline:
    return vault.sections(path, asked.continuation or "")


def _stats(vault: ServedVault, _path: str, _asked: NoParameters) -> state.VaultStats:
    return vault.stats()


def _health(_vault: ServedVault, _path: str, _asked: NoParameters) -> state.Health:
    return state.Health("ok", __version__)


def _reindex(vault: ServedVault, _path: str, _asked: NoParameters) -> state.Reindexed:
    return vault.reindex()


@dataclass(frozen=True, slots=True)
class Operation:
    """What one address does; ``answer`` takes the vault, the note's path, and the parameters."""

    method: str
    path: str
    summary: str
    takes: type[BaseModel]
    gives: type
    answer: Callable[[ServedVault, str, Any], Any]
    may_miss: bool = False
    is_free: bool = False


OPERATIONS = (
    Operation(
        "GET", "/semantic-search", "Passages nearest in meaning, best first.",
        SemanticParameters, answers.Near, _semantic,
    ),
    Operation(
        "GET", "/search", "Sections found by words, by meaning or by both, grouped by note.",
        SearchParameters, answers.Found, _search,
    ),
    Operation(
        "GET", "/pages/{path}/sections", "The headings of a note with lines and words.",
        OutlineParameters, pages.Outline, _sections, may_miss=True,
    ),
    Operation(
        "GET", "/pages/{path}", "The Markdown of a note, or of one full section of it.",
        PageParameters, pages.ReadPage, _page, may_miss=True,
    ),
    Operation(
        "GET", "/stats", "What is in the vault and how far its index is.",
        NoParameters, state.VaultStats, _stats,
    ),
    Operation(
        "GET", "/health", "Whether the program answers.",
        NoParameters, state.Health, _health, is_free=True,
    ),
    Operation(
        "POST", "/reindex", "Compare all notes with the index now.",
        NoParameters, state.Reindexed, _reindex,
    ),
)  # fmt: skip


def application(vault: ServedVault) -> App:
    """Return what answers below ``/api/v1``; to be guarded."""
    document = http_openapi.document(_BASE, OPERATIONS)

    async def describe(_request: Request) -> Response:
        return JSONResponse(document)

    routes = [Route(_DOCUMENT, describe), *(_route(vault, one) for one in OPERATIONS)]
    served = Starlette(routes=routes, exception_handlers={HTTPException: _not_served})
    served.router.redirect_slashes = False  # without a body, and not as the document says
    return served


def _route(vault: ServedVault, operation: Operation) -> Route:
    async def answer(request: Request) -> Response:
        path = request.path_params.get("path", "")
        try:
            asked = operation.takes.model_validate(_parameters(request, operation.takes))
            given = await vault.in_thread(lambda: operation.answer(vault, path, asked))
        except ValidationError as error:
            return _error(422, "wrong_parameters", _explained(error))
        except _NOT_FOUND as error:
            return _error(404, "not_found", str(error))
        except NotesearchError as error:
            return _error(503, "not_ready", str(error))
        return JSONResponse(all_shown(asdict(given)))

    path = operation.path.replace("{path}", "{path:note}")
    return Route(f"{_BASE}{path}", answer, methods=[operation.method])


def _parameters(request: Request, takes: type[BaseModel]) -> dict[str, object]:
    """Return what was asked for; what is given twice is wrong but for lists."""
    given = request.query_params
    asked: dict[str, object] = {}
    for name in given:
        values = given.getlist(name)
        is_list = name in takes.model_fields and takes.model_fields[name].default == []
        asked[name] = values if is_list or len(values) > 1 else values[0]
    return asked


def _explained(error: ValidationError) -> str:
    wrong = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong[:5])


async def _not_served(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = _error(error.status_code, "not_served", f"{error.detail}.")
    answer.headers.update(error.headers or {})
    return answer


def _error(status: int, kind: str, message: str) -> Response:
    told = asdict(state.Failure(state.Reason(kind, shown(message))))
    return JSONResponse(told, status_code=status)
