"""The OpenAPI document of the HTTP API, made from what its operations take and give."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter

from notesearch import __version__
from notesearch.wire import state

if TYPE_CHECKING:
    from notesearch.serving.http_api import Operation

_REF = "#/components/schemas/{model}"


def document(base: str, operations: Iterable["Operation"]) -> dict[str, Any]:
    """Return the document of ``operations``, which stand below ``base``."""
    schemas: dict[str, Any] = {}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _described(operation, schemas)
        paths.setdefault(base + operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "notesearch",
            "version": __version__,
            "description": "Finds and reads sections of a folder of Markdown notes, on this"
            " computer. Nothing here can change a note.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _described(operation: "Operation", schemas: dict[str, Any]) -> dict[str, Any]:
    failures = {
        "401": "The token is missing or wrong.",
        "403": "The request comes from a web page of another origin.",
        "421": "The request names another host than this computer.",
        "422": "A parameter is not right.",
        "503": "The index cannot answer now.",
    }
    if operation.is_free:
        del failures["401"], failures["503"]
    if operation.may_miss:
        failures["404"] = "There is no such note, section or page."
    responses = {"200": _response("The answer.", operation.gives, schemas)}
    for status, meaning in failures.items():
        responses[status] = _response(meaning, state.Failure, schemas)
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": operation.path.strip("/").replace("/{path}", "").replace("/", "-"),
        "parameters": [*_path_parameters(operation), *_query_parameters(operation.takes)],
        "responses": responses,
    }
    if operation.is_free:
        described["security"] = []
    return described


def _response(meaning: str, gives: type, schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": meaning,
        "content": {"application/json": {"schema": _schema(gives, schemas)}},
    }


def _schema(gives: type, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to the schema of ``gives``, which is put into ``schemas``."""
    schema = TypeAdapter(gives).json_schema(mode="serialization", ref_template=_REF)
    schemas.update(schema.pop("$defs", {}))
    schemas[gives.__name__] = schema
    return {"$ref": _REF.format(model=gives.__name__)}


def _path_parameters(operation: "Operation") -> list[dict[str, Any]]:
    if "{path}" not in operation.path:
        return []
    return [
        {
            "name": "path",
            "in": "path",
            "required": True,
            "description": "The note's path; its name or its title where only one note has it.",
            "schema": {"type": "string", "minLength": 1},
        }
    ]


def _query_parameters(takes: type[BaseModel]) -> list[dict[str, Any]]:
    schema = takes.model_json_schema(ref_template=_REF)
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
    """Return the schema of a parameter that may be left out: in an address nothing is null."""
    kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
    left_out = {"description", "title", "anyOf"} | ({"default"} if "anyOf" in field else set())
    return {key: value for key, value in {**field, **kinds[0]}.items() if key not in left_out}
