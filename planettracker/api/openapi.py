"""The contract as an OpenAPI 3.1 document, made of the tables by which requests are read."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import orjson

from planettracker.api.client import fixed, fixed_route
from planettracker.api.compression import ACCEPT_ENCODING, MIN_BYTES, is_text
from planettracker.api.contract import (
    CSV,
    FORMAT,
    JSON,
    MAX_QUERY_CHARACTERS,
    NAME,
    PROBLEMS,
    TITLES,
    Parameter,
    Problem,
    Route,
)
from planettracker.api.fields import KINDS, Field, Group, Members
from planettracker.api.messages import Response

Schema = dict[str, object]

PATH = "/openapi.json"
_HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache"}
_PATH_PARAMETERS = {NAME.name: NAME}
_EVERYWHERE = ("not-found", "method-not-allowed", "query-too-long", "internal-error")
_OF_EVERY_QUERY = ("unknown-parameter", "repeated-parameter")
_TITLES = {200: "OK", 204: "No Content", 304: "Not Modified", **TITLES}
_TEXT: Schema = {"type": "string"}


def route(others: Iterable[Route]) -> Route:
    """Return the route of the document, which describes the others and itself."""
    own = fixed_route(PATH, Response(200, {"Content-Type": JSON.media_type}), "this contract")
    body = orjson.dumps(document((*others, own)))
    return fixed_route(own.path, fixed(body, JSON.media_type, _HEADERS), own.summary)


def document(routes: Iterable[Route]) -> Schema:
    """Return the OpenAPI document that describes the routes."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "PlanetTracker",
            "version": "1",
            "description": "Where the planets, the Sun, the Moon and bright stars stand. Degrees, "
            "metres and UTC throughout; a blank parameter counts as absent, and without a place "
            f"the answer is for Greenwich. A query has at most {MAX_QUERY_CHARACTERS:,} "
            "characters. A reply with an ETag answers If-None-Match with 304. A body of more than "
            f"{MIN_BYTES:,} bytes comes in gzip where Accept-Encoding takes it.",
        },
        "paths": {each.path: _path_item(each) for each in routes},
        "components": {"schemas": {"Problem": _problem_schema()}},
    }


def _path_item(route: Route) -> Schema:
    failures = {str(status): _failure(reasons) for status, reasons in _statuses(route).items()}
    success = {"200": _success(route), "304": _without_body(304), **failures}
    bare = {status: _without_body(int(status)) for status in success}
    options = {"204": _without_body(204), "404": bare["404"], "500": bare["500"]}
    path = path_parameters(route)
    query = [_parameter(each, "query", route) for each in (route.parameters or {}).values()]
    # OPTIONS is about the address, whatever stands in its braces.
    anything = [_parameter(replace(each, choices=()), "path", route) for each in path]
    return {
        "parameters": [_parameter(each, "path", route) for each in path],
        "get": {"summary": route.summary, "parameters": query, "responses": success},
        "head": {"summary": "GET without its body", "parameters": query, "responses": bare},
        "options": {"summary": "its methods", "parameters": anything, "responses": options},
    }


def path_parameters(route: Route) -> list[Parameter]:
    """Return the variables of the route's path."""
    return [_PATH_PARAMETERS[name] for name in re.findall(r"{(\w+)}", route.path)]


def problems(route: Route) -> list[Problem]:
    """Return what the route may answer in place of a reply, in the order of PROBLEMS."""
    codes = {*_EVERYWHERE, *route.problems}
    if route.parameters is not None:
        codes.update(_OF_EVERY_QUERY)
    if route.formats:
        codes.add("not-acceptable")
    for parameter in (*path_parameters(route), *(route.parameters or {}).values()):
        codes.update(parameter.problems)
    return [problem for code, problem in PROBLEMS.items() if code in codes]


def _statuses(route: Route) -> dict[int, list[Problem]]:
    statuses: dict[int, list[Problem]] = {}
    for problem in problems(route):
        statuses.setdefault(problem.status, []).append(problem)
    return statuses


def example(route: Route) -> str:
    """Return a request for the route, of its parameters' own examples."""
    path = route.path
    for each in path_parameters(route):
        path = path.replace(f"{{{each.name}}}", each.example)
    parameters = (route.parameters or {}).values()
    query = "&".join(f"{each.name}={each.example}" for each in parameters if each.example)
    return f"{path}?{query}" if query else path


def _parameter(parameter: Parameter, place: str, route: Route) -> Schema:
    of_query: Schema = {"allowEmptyValue": True} if place == "query" else {}
    return {
        "name": parameter.name,
        "in": place,
        "required": parameter.required or place == "path",
        "description": parameter.expected,
        "schema": _sent(parameter, route),
        **_example(parameter),
        **of_query,
    }


def _sent(parameter: Parameter, route: Route) -> Schema:
    """Return the schema of what a request sends."""
    sent: Schema = {**KINDS[parameter.kind]}
    if parameter.limits:
        sent["minimum"], sent["maximum"] = parameter.limits
    formats = tuple(each.name for each in route.formats)
    choices = formats if parameter is FORMAT else parameter.choices
    return {**sent, "enum": choices} if choices else sent


def _example(parameter: Parameter) -> Schema:
    if not parameter.example:
        return {}
    is_number = KINDS[parameter.kind]["type"] == "number"
    return {"example": float(parameter.example) if is_number else parameter.example}


def _success(route: Route) -> Schema:
    tag: Schema = {"description": "where the reply does not change", "schema": _TEXT}
    headers = {"ETag": tag, **(_coding(route) if is_text(route.media_type) else {})}
    content = {route.media_type: {"schema": _content(route)}}
    for each in route.formats[1:]:
        content[each.media_type] = {"schema": _csv(route) if each is CSV else _TEXT}
    return {"description": _TITLES[200], "headers": headers, "content": content}


def _coding(route: Route) -> Schema:
    """Return the headers of what may come in gzip; one names those that a reply is chosen by."""
    gzip: Schema = {"description": "where Accept-Encoding takes it", "schema": {"const": "gzip"}}
    names = f"Accept, {ACCEPT_ENCODING}" if route.formats else ACCEPT_ENCODING
    return {"Content-Encoding": gzip, "Vary": {"required": True, "schema": {"const": names}}}


def _content(route: Route) -> Schema:
    """Return the schema of the reply: of its members, of text, or of anything."""
    if route.reply:
        return schema(route.reply)
    return _TEXT if route.media_type.startswith("text/") else {}


def _csv(route: Route) -> Schema:
    """Return the schema of a text whose columns JSON Schema has no words for."""
    columns = (f"{each.name}: {_value(each)['description']}" for each in route.columns)
    return {**_TEXT, "description": "RFC 4180. " + ". ".join(columns)}


def _without_body(status: int) -> Schema:
    return {"description": _TITLES[status]}


def _failure(reasons: Sequence[Problem]) -> Schema:
    codes: Schema = {"properties": {"code": {"enum": [each.code for each in reasons]}}}
    return {
        "description": "; ".join(f"{each.code}: {each.when}" for each in reasons),
        "content": {
            "application/problem+json": {
                "schema": {"allOf": [{"$ref": "#/components/schemas/Problem"}, codes]}
            }
        },
    }


def _problem_schema() -> Schema:
    members: Schema = {
        "type": {"const": "about:blank"},
        "title": {"enum": list(TITLES.values())},
        "status": {"enum": list(TITLES)},
        "code": {"enum": list(PROBLEMS)},
        "detail": {"type": "string", "description": "a sentence that says what to send instead"},
    }
    further: Schema = {
        "parameter": {"type": "string", "description": "the parameter at fault"},
        "bodies": {"type": "array", "items": _TEXT, "description": "the bodies that there are"},
        "formats": {
            "type": "object",
            "additionalProperties": _TEXT,
            "description": "the media types that there are, by their names in `format`",
        },
    }
    return {
        "type": "object",
        "description": "RFC 9457",
        "required": list(members),
        "properties": {**members, **further},
    }


def schema(members: Members) -> Schema:
    """Return the JSON Schema of an object that has all of these members."""
    return {
        "type": "object",
        "required": [each.name for each in members],
        "properties": {each.name: _member(each) for each in members},
    }


def _member(member: Field | Group) -> Schema:
    return _group(member) if isinstance(member, Group) else _value(member)


def _group(group: Group) -> Schema:
    inner = schema(group.members)
    if group.columns:
        columns = {each.name: {"type": "array", "items": _member(each)} for each in group.members}
        inner = {"type": "object", "properties": columns}
    if group.many:
        inner = {"type": "array", "items": inner}
    if group.nullable:
        inner = {"anyOf": [inner, {"type": "null"}]}
    return {**inner, "description": group.description}


def _value(field: Field) -> Schema:
    value: Schema = {**KINDS[field.kind if field.decimals is None else "number"]}
    if field.circle:
        value["minimum"], value["exclusiveMaximum"] = 0, 360
    if field.choices:
        value["enum"] = [*field.choices, None] if field.nullable else list(field.choices)
    if field.nullable:
        value["type"] = [value["type"], "null"]
    unit = f"{field.unit}; " if field.unit else ""
    # `x-unit` for programs, and the description for people: OpenAPI has no word for units.
    units: Schema = {"x-unit": field.unit} if field.unit else {}
    return {**value, "description": f"{unit}{field.description}", **units}
