"""The class of the HTTP API's operations, and the OpenAPI document made from them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, TypeAdapter

from notesearch import __version__
from notesearch.serving.served_vaults import ServedVaults
from notesearch.wire import ErrorResponse

_REF = "#/components/schemas/{model}"


@dataclass(frozen=True, slots=True)
class Operation:
    """A method and an address of the API, with the classes of its parameters and its answer.

    Attributes:
        path: The address below ``/api/v1``; ``{path}`` stands for the path of a note.
        answer: Takes the vaults, the path of the note (or an empty text) and the parameters.
        may_be_missing: The answer may be that there is no such note, section or page.
        is_open: No token is needed.
    """

    method: str
    path: str
    summary: str
    parameters: type[BaseModel]
    response: type
    answer: Callable[[ServedVaults, str, Any], Any]
    may_be_missing: bool = False
    is_open: bool = False


def document(base: str, operations: Iterable[Operation], vaults: Sequence[str]) -> dict[str, Any]:
    """Return the OpenAPI document of ``operations``, whose paths are relative to ``base``.

    ``vaults`` are the names of the vaults, for the parameter ``vault``.
    """
    schemas: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _operation(operation, schemas, vaults)
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


def _operation(
    operation: Operation, schemas: dict[str, Any], vaults: Sequence[str]
) -> dict[str, Any]:
    failures = {
        "401": "The token is missing or wrong.",
        "403": "The request comes from a web page of another origin.",
        "421": "The request names another host than this computer.",
        "422": "A parameter is wrong.",
        "503": "The index cannot answer right now.",
    }
    if operation.is_open:
        del failures["401"], failures["503"]
    if operation.may_be_missing:
        failures["404"] = "There is no such note, section or page."
    responses = {"200": _response("The answer.", operation.response, schemas)}
    for status, meaning in failures.items():
        responses[status] = _response(meaning, ErrorResponse, schemas)
    asked = _query_parameters(operation.parameters)
    for parameter in asked:
        if parameter["name"] == "vault":
            parameter["schema"] = {"type": "string", "enum": ["", *vaults]}
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": operation.path.strip("/").replace("/{path}", "").replace("/", "-"),
        "parameters": [*_path_parameters(operation), *asked],
        "responses": responses,
    }
    if operation.is_open:
        described["security"] = []
    return described


def _response(meaning: str, response: type, schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": meaning,
        "content": {"application/json": {"schema": _schema(response, schemas)}},
    }


def _schema(response: type, schemas: dict[str, Any]) -> dict[str, Any]:
    """Add the schema of ``response`` to ``schemas``, and return a reference to it."""
    schema = TypeAdapter(response).json_schema(mode="serialization", ref_template=_REF)
    schemas.update(schema.pop("$defs", {}))
    schemas[response.__name__] = schema
    return {"$ref": _REF.format(model=response.__name__)}


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    if "{path}" not in operation.path:
        return []
    return [
        {
            "name": "path",
            "in": "path",
            "required": True,
            "description": "The note's path, or its name, title or alias if only one note has it.",
            "schema": {"type": "string", "minLength": 1},
        }
    ]


def _query_parameters(model: type[BaseModel]) -> list[dict[str, Any]]:
    schema = model.model_json_schema(ref_template=_REF)
    required = schema.get("required", [])
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": field.get("description", ""),
            "schema": _without_null(field),
        }
        for name, field in schema["properties"].items()
    ]


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter without the type null, which no address can contain."""
    types = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
    omitted = {"description", "title", "anyOf"} | ({"default"} if "anyOf" in field else set())
    return {key: value for key, value in {**field, **types[0]}.items() if key not in omitted}
