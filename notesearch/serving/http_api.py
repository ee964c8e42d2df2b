"""The HTTP API and the OpenAPI document that describes it.

The answers have the same fields as the JSON of the command line.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import BaseModel, TypeAdapter
from starlette.applications import Starlette
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from notesearch import __version__, wire
from notesearch.errors import (
    NoteMissingError,
    NotesearchError,
    PageMissingError,
    ParameterError,
    SectionMissingError,
    VaultNameError,
)
from notesearch.serving.http_server import App
from notesearch.serving.parameters import (
    NoParameters,
    OutlineArguments,
    ReadArguments,
    ReindexParameters,
    SearchParameters,
    SemanticSearchParameters,
    VaultArguments,
    validated,
)
from notesearch.serving.served_text import spell_out, spell_out_all
from notesearch.serving.served_vaults import ServedVaults

_REF = "#/components/schemas/{model}"


@dataclass(frozen=True, slots=True)
class Operation:
    """A method and an address of the API, with the classes of its parameters and its answer."""

    method: str
    path: str
    summary: str
    parameters: type[BaseModel]
    response: type
    answer: Callable[[ServedVaults, Any], Any]


def document(base: str, operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the OpenAPI document of ``operations`` below ``base``; it says nothing about notes."""
    schemas: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _operation(operation, schemas)
        paths.setdefault(base + operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "notesearch",
            "version": __version__,
            "description": "Finds and reads sections in a folder of Markdown notes on this"
            " computer. Nothing here can change a note.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    failures = {
        "401": "The token is missing or wrong.",
        "403": "The request comes from a web page of another origin.",
        "421": "The request names a host other than this computer.",
        "422": "A parameter is wrong.",
        "503": "The index cannot answer right now.",
    }
    is_open = operation.path == _HEALTH
    if is_open:
        del failures["401"], failures["503"]
    if "{path}" in operation.path:
        failures["404"] = "There is no such note, section or page."
    responses = {"200": _response("The answer.", operation.response, schemas)}
    for status, meaning in failures.items():
        responses[status] = _response(meaning, wire.ErrorResponse, schemas)
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": operation.path.strip("/").replace("/{path}", "").replace("/", "-"),
        "parameters": _parameters(operation),
        "responses": responses,
    }
    if is_open:
        described["security"] = []
    return described


def _response(meaning: str, response: type, schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": meaning,
        "content": {"application/json": {"schema": _schema(response, schemas)}},
    }


def _schema(response: type, schemas: dict[str, Any]) -> dict[str, Any]:
    schema = TypeAdapter(response).json_schema(mode="serialization", ref_template=_REF)
    schemas.update(schema.pop("$defs", {}))
    schemas[response.__name__] = schema
    return {"$ref": _REF.format(model=response.__name__)}


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    schema = operation.parameters.model_json_schema(ref_template=_REF)
    required = schema.get("required", [])
    return [
        {
            "name": name,
            "in": "path" if f"{{{name}}}" in operation.path else "query",
            "required": name in required,
            "description": field.get("description", ""),
            "schema": _without_null(field),
        }
        for name, field in schema["properties"].items()
    ]


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    types = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
    omitted = {"description", "title", "anyOf"} | ({"default"} if "anyOf" in field else set())
    return {key: value for key, value in {**field, **types[0]}.items() if key not in omitted}


_BASE = wire.API
_DOCUMENT = f"{_BASE}/openapi.json"

_HEALTH = "/health"

OPEN_PATHS = (_DOCUMENT, f"{_BASE}{_HEALTH}")
"""Paths that need no token, because they say nothing about notes."""


class _NotePath(PathConvertor):
    """A path in an address; unlike a path of starlette, it may contain line ends."""

    regex = r"[\s\S]*"


register_url_convertor("note", _NotePath())

_NOT_FOUND = (NoteMissingError, SectionMissingError, PageMissingError)


def _semantic_search(
    vaults: ServedVaults, parameters: SemanticSearchParameters
) -> wire.SemanticSearchResponse:
    per_note = parameters.max_chunks_per_page
    passages = vaults.passages(parameters.q, parameters, limit=parameters.n, per_note=per_note)
    remarks = vaults.remarks(passages, parameters)
    return wire.semantic_search_response(passages, remarks, named=vaults.are_several)


def _search(vaults: ServedVaults, parameters: SearchParameters) -> wire.SearchResponse:
    result = vaults.search(
        parameters.q,
        parameters,
        limit=parameters.n,
        per_note=parameters.per_note,
        mode=parameters.mode,
    )
    return wire.search_response(result, vaults.remarks(result, parameters))


OPERATIONS = (
    Operation(
        "GET",
        "/semantic-search",
        "Find passages by meaning, the nearest first.",
        SemanticSearchParameters,
        wire.SemanticSearchResponse,
        _semantic_search,
    ),
    Operation(
        "GET",
        "/search",
        "Find sections by words, by meaning or both, grouped by note.",
        SearchParameters,
        wire.SearchResponse,
        _search,
    ),
    Operation(
        "GET",
        "/pages/{path}/sections",
        "List the headings of a note with lines and words.",
        OutlineArguments,
        wire.Outline,
        ServedVaults.sections,
    ),
    Operation(
        "GET",
        "/pages/{path}",
        "Read the Markdown of a note, or of one full section.",
        ReadArguments,
        wire.ReadPage,
        ServedVaults.read,
    ),
    Operation(
        "GET",
        "/stats",
        "Show what the vault contains and the state of its index.",
        VaultArguments,
        wire.VaultTotals,
        lambda vaults, given: vaults.stats(given.vault),
    ),
    Operation(
        "GET",
        _HEALTH,
        "Check that the server answers.",
        NoParameters,
        wire.Health,
        lambda _vaults, _given: wire.Health("ok", __version__),
    ),
    Operation(
        "POST",
        "/reindex",
        "Compare all notes with the index now, or rebuild it.",
        ReindexParameters,
        wire.ReindexResponse,
        lambda vaults, given: vaults.reindex(given.vault, force=given.force),
    ),
)


def application(vaults: ServedVaults) -> App:
    """Return the ASGI application that answers below ``/api/v1``; wrap it in a ``Guard``."""
    described = document(_BASE, OPERATIONS)

    async def openapi_document(_request: Request) -> Response:
        return JSONResponse(described)

    answers = (_route(vaults, operation) for operation in OPERATIONS)
    routes = [Route(_DOCUMENT, openapi_document), *answers]
    served = Starlette(routes=routes, exception_handlers={HTTPException: _http_error})
    served.router.redirect_slashes = False  # by the document, every answer has a body
    return served


def _route(vaults: ServedVaults, operation: Operation) -> Route:
    async def answer(request: Request) -> Response:
        if _has_body(request):
            return _error(
                422, "wrong_parameters", "Give the parameters in the address, not in a body."
            )
        try:
            given = _given_parameters(request)
            parameters = validated(operation.parameters, given, only_known=True)
            response = await vaults.run_in_thread(lambda: operation.answer(vaults, parameters))
        except (ParameterError, VaultNameError) as error:
            return _error(422, "wrong_parameters", str(error), error.code)
        except _NOT_FOUND as error:
            return _error(404, "not_found", str(error), error.code)
        except NotesearchError as error:
            return _error(503, "not_ready", str(error), error.code)
        return JSONResponse(spell_out_all(asdict(response)))

    path = operation.path.replace("{path}", "{path:note}")
    return Route(f"{_BASE}{path}", answer, methods=[operation.method])


def _has_body(request: Request) -> bool:
    length = request.headers.get("content-length", "0")
    return length != "0" or "transfer-encoding" in request.headers


def _given_parameters(request: Request) -> dict[str, object]:
    values: dict[str, list[object]] = {}
    for name, value in (*request.path_params.items(), *request.query_params.multi_items()):
        values.setdefault(name, []).append(value)
    return {name: given if len(given) > 1 else given[0] for name, given in values.items()}


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    wrong = "method at this address" if error.status_code == 405 else "address"
    answer = _error(
        error.status_code, "not_served", f"There is no such {wrong}. {_DOCUMENT} lists all."
    )
    answer.headers.update(error.headers or {})
    return answer


def _error(status: int, kind: str, message: str, code: str = "") -> Response:
    detail = wire.ErrorDetail(kind, spell_out(message), code)
    return JSONResponse(asdict(wire.ErrorResponse(detail)), status_code=status)
