"""The OpenAPI document and the page at /docs say what the tables say, and the replies obey."""

import gzip
import re
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote

import jsonschema
import orjson
import pytest
import schemathesis
from requests_table import INSIDE, Row
from werkzeug.datastructures import Headers

from planettracker.api import docs, openapi
from planettracker.api.contract import FORMAT, PROBLEMS, Parameter, Route
from planettracker.api.fields import KINDS, Field, Group, Members
from planettracker.api.messages import Request, Response
from planettracker.api.respond import respond, run
from planettracker.api.routes import ROUTES, routes

ALL = {route.path: route for route in routes()}


def ask(target: str, method: str = "GET", headers: tuple[str, ...] = ()) -> tuple[Route, Response]:
    """Return the route of the target, and what it answers without any server."""
    path, _, query = target.partition("#")[0].partition("?")
    for route in ALL.values():
        found = re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route.path), unquote(path))
        if found:
            sent = Headers([_header(line) for line in headers])
            return route, run(respond(route, Request(method, query, found.groupdict(), sent)))
    raise LookupError(target)


def content(reply: Response) -> bytes:
    """Return the body as it is when it is not coded."""
    is_coded = reply.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(reply.body) if is_coded else reply.body


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value.strip()


@cache
def document() -> dict:
    return orjson.loads(ask("/openapi.json")[1].body)


def described(route: Route, status: int, media_type: str) -> dict:
    """Return the schema of the route's reply, references in it resolved."""
    responses = document()["paths"][route.path]["get"]["responses"]
    schema = responses[str(status)]["content"][media_type]["schema"]
    return {**schema, "components": document()["components"]}


def strict(schema: object) -> object:
    """Return the schema with no members allowed that it does not tell of."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: strict(each) for name, each in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        inner["additionalProperties"] = False
    return inner


def validator(schema: dict) -> jsonschema.Draft202012Validator:
    kind = jsonschema.Draft202012Validator
    return kind(strict(schema), format_checker=kind.FORMAT_CHECKER)


# The document


def test_document_is_valid_openapi_3_1() -> None:
    assert document()["openapi"].startswith("3.1.")
    schemathesis.openapi.from_dict(document()).validate()


def test_document_that_is_not_valid_is_found_out() -> None:
    with pytest.raises(Exception, match="is a required property"):
        schemathesis.openapi.from_dict({**document(), "info": {}}).validate()


def test_document_describes_every_route_and_itself() -> None:
    assert set(document()["paths"]) == set(ALL)
    assert {"/openapi.json", "/docs", "/", *(each.path for each in ROUTES)} <= set(ALL)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_every_parameter_is_described_with_its_limits(route: Route) -> None:
    path = document()["paths"][route.path]
    told = {each["name"]: each for each in (*path["parameters"], *path["get"]["parameters"])}
    parameters = route.parameters or {}
    assert set(told) == {*parameters, *re.findall(r"{(\w+)}", route.path)}
    for name, parameter in parameters.items():
        assert told[name]["description"] == parameter.expected
        assert (told[name]["in"], told[name]["required"]) == ("query", parameter.required)
        schema = told[name]["schema"]
        limits = (schema.get("minimum"), schema.get("maximum"))
        assert limits == (parameter.limits or (None, None))
    for name in re.findall(r"{(\w+)}", route.path):
        assert (told[name]["in"], told[name]["required"]) == ("path", True)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_parameter_is_required_just_where_a_request_without_it_is_an_error(route: Route) -> None:
    target = openapi.example(route)
    path, _, query = target.partition("?")
    for name, parameter in (route.parameters or {}).items():
        rest = [pair for pair in query.split("&") if not pair.startswith(f"{name}=")]
        if name not in ("lat", "lon", "start"):  # of which another one asks for this one
            status = ask(f"{path}?{'&'.join(rest)}")[1].status
            assert (status == 400) is parameter.required, name


def fields(members: Members) -> list[Field]:
    return [
        field
        for each in members
        for field in (fields(each.members) if isinstance(each, Group) else [each])
    ]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_every_field_is_described_with_its_unit(route: Route) -> None:
    assert route.reply
    text = orjson.dumps(document()["paths"][route.path]["get"]).decode()
    for field in fields(route.reply):
        assert f'"{field.name}":{{' in text
        assert orjson.dumps(field.description).decode()[1:-1] in text
        assert field.unit is None or f'"x-unit":"{field.unit}"' in text


def test_every_problem_is_told_where_its_status_is() -> None:
    told = {
        (int(status), code)
        for path in document()["paths"].values()
        for status, response in path["get"]["responses"].items()
        for code in re.findall(r"([a-z-]+): ", response["description"])
    }
    assert {(each.status, each.code) for each in PROBLEMS.values()} <= told


def parameters() -> list[Parameter]:
    return [each for route in ROUTES for each in (route.parameters or {}).values()]


@pytest.mark.parametrize("parameter", parameters(), ids=lambda each: each.name)
def test_parameter_tells_its_kind_its_problems_and_an_example(parameter: Parameter) -> None:
    assert parameter.kind in KINDS
    assert parameter.problems
    assert set(parameter.problems) <= set(PROBLEMS)
    if parameter is not FORMAT:
        assert parameter.example


# The replies


REPLIES = [
    row for row in INSIDE if row.method == "GET" and row.status != 304 and row.version == "1.1"
]
OF_ROUTES = [row for row in REPLIES if row.code != "not-found" and "HTTP/" not in row.name]


def test_every_reply_of_the_parity_table_is_as_the_document_says() -> None:
    """One test for the whole table, which has hundreds of rows."""
    for row in OF_ROUTES:
        obeys(row)


def obeys(row: Row) -> None:
    try:
        route, reply = ask(row.target, headers=row.headers)
    except LookupError:
        return
    if reply.status in (304, 404) and row.status == 200:
        return  # what only a server makes of the target
    media_type = reply.headers["Content-Type"].partition(";")[0]
    schema = described(route, reply.status, media_type)
    if media_type.endswith("json"):
        members = orjson.loads(content(reply))
        errors = [error.message for error in validator(schema).iter_errors(members)]
        assert errors == [], row.name


@pytest.mark.parametrize("change", [{"az": 360.0}, {"up": None}, {"name": "earth"}, {"extra": 1}])
def test_reply_that_differs_from_the_document_is_found_out(change: dict[str, object]) -> None:
    route, reply = ask("/planets/mars")
    members = {**orjson.loads(reply.body), **change}
    with pytest.raises(jsonschema.ValidationError):
        validator(described(route, 200, "application/json")).validate(members)


def test_reply_that_lacks_a_member_is_found_out() -> None:
    route, reply = ask("/planets/mars")
    members = orjson.loads(reply.body)
    del members["observer"]["source"]
    with pytest.raises(jsonschema.ValidationError):
        validator(described(route, 200, "application/json")).validate(members)


@pytest.mark.parametrize("route", ALL.values(), ids=lambda route: route.path)
def test_example_of_every_route_is_answered(route: Route) -> None:
    found, reply = ask(openapi.example(route))
    assert found is route
    assert reply.status == 200


NEGOTIATED = [route for route in ROUTES if route.formats]


@pytest.mark.parametrize("route", NEGOTIATED, ids=lambda route: route.path)
def test_formats_of_a_route_are_described_and_answered(route: Route) -> None:
    responses = document()["paths"][route.path]["get"]["responses"]
    assert set(responses["200"]["content"]) == {each.media_type for each in route.formats}
    assert "not-acceptable" in responses["406"]["description"]
    for each in route.formats:
        _, reply = ask(openapi.example(route), headers=(f"Accept: {each.media_type}",))
        assert reply.headers["Content-Type"].partition(";")[0] == each.media_type


@pytest.mark.parametrize("route", NEGOTIATED, ids=lambda route: route.path)
def test_columns_of_a_routes_csv_are_described(route: Route) -> None:
    _, reply = ask(openapi.example(route), headers=("Accept: text/csv",))
    header = reply.body.decode().partition("\r\n")[0].split(",")
    assert set(header) <= {column.name for column in route.columns}
    content = document()["paths"][route.path]["get"]["responses"]["200"]["content"]
    for column in route.columns:
        assert f"{column.name}: " in content["text/csv"]["schema"]["description"]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_replies_vary_by_coding_and_just_where_there_are_several_formats_by_accept(
    route: Route,
) -> None:
    target = openapi.example(route)
    bad = f"{target}{'&' if '?' in target else '?'}x=1"
    seen = [
        ask(target)[1],
        ask(bad)[1],
        ask(target, headers=("If-None-Match: *",))[1],
        ask(target, "POST")[1],
    ]
    choices = ["Accept"] if route.formats else []
    expected = ", ".join([*choices, "Accept-Encoding"])
    assert {reply.headers.get("Vary") for reply in seen} == {expected}
    described = document()["paths"][route.path]["get"]["responses"]["200"]["headers"]["Vary"]
    assert described == {"required": True, "schema": {"const": expected}}
    without_body = ask(target, "OPTIONS")[1]
    assert without_body.headers.get("Vary") == (", ".join(choices) or None)


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/docs.css"])
def test_what_describes_the_service_is_known_by_its_tag(path: str) -> None:
    _, first = ask(path)
    _, again = ask(path, headers=(f"If-None-Match: {first.headers['ETag']}",))
    assert (first.status, again.status, again.body) == (200, 304, b"")


def test_document_may_be_read_from_other_pages() -> None:
    _, reply = ask("/openapi.json")
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert reply.headers["Content-Type"] == "application/json"


# The page


class Page(HTMLParser):
    """What stands on a page: its tags with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str) -> list[str]:
        return [value for _, attrs in self.tags if (value := attrs.get(attribute)) is not None]


@cache
def page() -> Page:
    return Page(ask("/docs")[1].body.decode())


def test_page_closes_what_it_opens() -> None:
    assert page().open == []
    assert page().tags[0] == ("html", {"lang": "en"})


def test_page_runs_nothing_and_takes_only_its_style_and_icon() -> None:
    _, reply = ask("/docs")
    policy = reply.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self'; ")
    assert "script" not in {tag for tag, _ in page().tags}
    assert not any(name.startswith("on") or name == "style" for _, at in page().tags for name in at)
    links = [attrs["href"] for tag, attrs in page().tags if tag == "link"]
    assert links == ["/icon.svg", "/docs.css"]


def test_every_link_of_the_page_leads_somewhere() -> None:
    anchors = page().values("id")
    assert len(anchors) == len(set(anchors))
    for target in page().values("href"):
        if target.startswith("#"):
            assert target[1:] in anchors
        else:
            assert ask(target)[1].status == 200
    assert {"/", "/openapi.json"} <= set(page().values("href"))


def test_page_tells_every_route_parameter_field_and_problem() -> None:
    for route in ROUTES:
        assert f"GET {route.path}" in page().text
        assert openapi.example(route) in page().values("href")
        for parameter in (route.parameters or {}).values():
            assert parameter.expected in page().text
        for field in fields(route.reply):
            assert field.description in page().text
    for problem in PROBLEMS.values():
        assert problem.when.replace("`", "") in page().text


def test_page_escapes_what_it_tells() -> None:
    field = Field("<b>", "x", "&", None, "a < b & c")
    route = Route("/<i>", run, {}, "<script>", reply=(field,))
    html = docs.page((route,))
    assert "<script>" not in html
    assert "<code>&lt;b&gt;</code></td><td><b>&amp;</b>, a &lt; b &amp; c" in html
