"""Every server answers every row of one request table alike, byte for byte."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
import wire
from fences import FENCES, fence
from fleet import REFERENCE, SERVERS, Fleet, alike, running
from outside_table import CLOSED, OUTSIDE, Outside
from requests_table import ASKED, HOST, INSIDE, MARS, Row

from planettracker.api.contract import PROBLEMS, Route
from planettracker.api.routes import routes


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with running(tmp_path_factory) as servers:
        yield servers


def by_name(row: Row | Outside) -> str:
    return row.name


@pytest.mark.parametrize("row", INSIDE, ids=by_name)
def test_every_server_answers_as_the_table_says(fleet: Fleet, row: Row) -> None:
    replies = fleet.ask(row)
    fleet.check(row, replies)
    reply = replies[REFERENCE]
    assert reply is not None
    assert reply.status == row.status
    if row.code:
        assert json.loads(reply.content())["code"] == row.code
        assert PROBLEMS[row.code].status == row.status
    assert row.holds.encode() in reply.content()
    assert reply.values("content-encoding") == ([row.coding] if row.coding else [])


GOTTEN = [row for row in INSIDE if row.method == "GET" and not row.now and row.status != 304]


@pytest.mark.parametrize("row", GOTTEN, ids=by_name)
def test_head_is_get_without_its_body(fleet: Fleet, row: Row) -> None:
    gotten = fleet.one(row)
    head = replace(row, method="HEAD")
    replies = fleet.ask(head)
    assert alike(replies[REFERENCE], now=False) == alike(replace(gotten, body=b""), now=False)
    fleet.check(head, replies)


def test_unread_body_does_not_spoil_the_next_request(fleet: Fleet) -> None:
    inner = Row("", "/nowhere", 404).message()
    chunked = (HOST, "Transfer-Encoding: chunked")
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(inner), inner)
    first = Row("", "/planets", 405, method="POST", headers=chunked, body=body)
    for name, port in fleet.ports.items():
        reply = wire.exchange(port, first.message() + Row("", MARS, 200).message())
        assert reply is not None
        assert reply.status == first.status, name
        # A server that keeps no connection leaves the second request unanswered.
        assert reply.rest == b"" or reply.rest.startswith(b"HTTP/1.1 200 OK\r\n"), name


@pytest.mark.parametrize("row", OUTSIDE, ids=by_name)
def test_outside_the_boundary_a_server_may_answer_by_itself(fleet: Fleet, row: Outside) -> None:
    seen = fleet.send(row.message)
    statuses = {name: CLOSED if reply is None else reply.status for name, reply in seen.items()}
    assert statuses == row.statuses()
    for reply in seen.values():
        if reply is not None and b'"observer"' in reply.body:
            assert ASKED.encode() in reply.body


# The table itself


def test_rows_have_names_of_their_own() -> None:
    for table in (INSIDE, OUTSIDE):
        assert [name for name, count in Counter(map(by_name, table)).items() if count > 1] == []


def test_rows_are_inside_the_boundary() -> None:
    for row in INSIDE:
        assert row.target.isascii()
        assert re.match(r"/(?!/)", row.target)
        assert len(row.target) <= 4000
        assert sum(len(header) for header in row.headers) < 8000
        assert len(row.headers) < 100


def test_every_fence_is_around_rows_that_are_alike_elsewhere() -> None:
    for each in FENCES:
        held = [row for row in INSIDE if each.holds(row)]
        assert held, each.why
        assert len(held) < len(INSIDE) / 50, each.why
        assert set(each.servers) < set(SERVERS)
        assert fence(REFERENCE, held[0]) is None


def test_every_server_has_a_column() -> None:
    assert sorted(OUTSIDE[0].statuses()) == sorted(SERVERS)


@pytest.mark.parametrize("route", routes(), ids=lambda route: route.path)
def test_every_route_has_a_row(route: Route) -> None:
    path = re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(route.path)))
    assert any(row.status == 200 and path.fullmatch(row.path()) for row in INSIDE)


def test_every_problem_has_a_row() -> None:
    in_process = {"internal-error"}  # no request leads to it: see test_respond.py
    assert {row.code for row in INSIDE if row.code} == PROBLEMS.keys() - in_process
