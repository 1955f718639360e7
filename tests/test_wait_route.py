"""The route that waits: each app waits in its own way, and in production there is none."""

import asyncio
import time
from pathlib import Path

import orjson
import pytest
import wire
from requests_table import Row
from test_main import asked, serving

from planettracker.api import waiting
from planettracker.api.messages import Request, Response
from planettracker.api.respond import arun, respond, run
from planettracker.api.routes import routes
from planettracker.apps import FRAMEWORKS

WAITED = Row("", "/wait?ms=1", 200)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Keep how long was slept in place of sleeping, and how."""
    kept: list[tuple[str, float]] = []

    async def sleep(seconds: float) -> None:
        kept.append(("loop", seconds))

    monkeypatch.setattr(time, "sleep", lambda seconds: kept.append(("thread", seconds)))
    monkeypatch.setattr(asyncio, "sleep", sleep)
    return kept


def answer(query: str = "ms=250") -> Response:
    outcome = respond(waiting.ROUTE, Request("GET", query, {}, {}))
    assert not isinstance(outcome, Response)
    return run(outcome)


def test_a_thread_sleeps_and_a_loop_is_left_free(slept: list[tuple[str, float]]) -> None:
    assert answer().body == b'{"waited_ms":250}'
    outcome = respond(waiting.ROUTE, Request("GET", "ms=250", {}, {}))
    with asyncio.Runner() as runner:
        assert runner.run(arun(outcome)).body == b'{"waited_ms":250}'
    assert slept == [("thread", 0.25), ("loop", 0.25)]


@pytest.mark.parametrize(
    ("query", "ms"), [("", 10), ("ms=", 10), ("ms=0", 0), ("ms=1000", 1000), ("ms=2.5", 2.5)]
)
def test_milliseconds_are_those_asked_for(
    slept: list[tuple[str, float]], query: str, ms: float
) -> None:
    reply = answer(query)
    assert orjson.loads(reply.body) == {"waited_ms": ms}
    assert reply.headers["Cache-Control"] == "no-store"
    assert slept == [("thread", ms / 1000)]


@pytest.mark.parametrize("query", ["ms=-1", "ms=1001", "ms=x", "ms=1&ms=1", "seconds=1"])
def test_what_is_no_time_to_wait_is_refused_at_once(
    slept: list[tuple[str, float]], query: str
) -> None:
    assert answer(query).status == 400
    assert slept == []


@pytest.mark.parametrize("value", [None, "", "0", "true"])
def test_without_the_switch_no_route_waits(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv(waiting.SWITCH, raising=False)
    if value is not None:
        monkeypatch.setenv(waiting.SWITCH, value)
    assert "/wait" not in [route.path for route in routes()]


def test_with_the_switch_one_does_and_nothing_describes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {route.path: route for route in routes()}
    monkeypatch.setenv(waiting.SWITCH, "1")
    with_it = {route.path: route for route in routes()}
    assert with_it.keys() - without.keys() == {"/wait"}
    for path in ("/openapi.json", "/docs"):
        bodies = [respond(each[path], Request("GET", "", {}, {})) for each in (without, with_it)]
        assert bodies[0] == bodies[1]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_in_production_nothing_is_at_its_path(
    framework: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(waiting.SWITCH, raising=False)
    port = wire.free_port()
    with serving(framework, port, tmp_path / "log"):
        wanted = asked(port, tmp_path / "log", Row("", "/nowhere", 404).message())
        seen = wire.exchange(port, WAITED.message())
    assert wanted is not None and seen is not None
    assert (seen.status, seen.body) == (404, wanted.body)
