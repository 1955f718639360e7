"""Handlers that wait, and errors: a response comes of whatever a handler does."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import pytest
from aiohttp.test_utils import TestClient, TestServer
from werkzeug.datastructures import Headers

from planettracker.api.contract import ProblemError, Route
from planettracker.api.messages import Handler, Request, Response, Steps
from planettracker.api.respond import arun, respond, run
from planettracker.apps import aiohttp, flask
from planettracker.sky import UnknownBodyError

Drive = Callable[[Response | Steps], Response]
SECRET = "the disk at /srv is full"


@dataclass
class Wait:
    """A wait that takes no time: it gives its value, or raises it."""

    value: object
    used: list[str] = field(default_factory=list)

    def block(self) -> object:
        self.used.append("block")
        return self._outcome()

    async def arrive(self) -> object:
        self.used.append("arrive")
        await asyncio.sleep(0)
        return self._outcome()

    def _outcome(self) -> object:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


@pytest.fixture(params=["run", "arun"])
def drive(request: pytest.FixtureRequest) -> Drive:
    """Return what drives a handler on a server with threads, and on one with an event loop."""
    return run if request.param == "run" else lambda outcome: asyncio.run(arun(outcome))


def route(handler: Handler) -> Route:
    return Route("/try/{name}", handler, (), "a handler to try")


def asking(method: str = "GET", target: str = "/try/it", **headers: str) -> Request:
    sent = Headers({name.replace("_", "-"): value for name, value in headers.items()})
    return Request(method, "", {"name": "it"}, sent, target)


def answer(drive: Drive, handler: Handler, request: Request | None = None) -> Response:
    return drive(respond(route(handler), request or asking()))


def code(response: Response) -> str:
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = json.loads(response.body)
    assert problem["status"] == response.status
    text: str = problem["code"]
    return text


# Handlers that wait


def test_handler_that_only_computes(drive: Drive) -> None:
    assert answer(drive, lambda request: Response(200, {}, b"at once")).body == b"at once"


def test_handler_is_given_what_it_waits_for(drive: Drive) -> None:
    def handler(request: Request) -> Steps:
        first = yield Wait(2)
        second = yield Wait(3)
        return Response(200, {}, b"%d %d" % (first, second))

    assert answer(drive, handler).body == b"2 3"


def test_generator_that_waits_for_nothing(drive: Drive) -> None:
    def handler(request: Request) -> Steps:
        yield from ()
        return Response(200, {}, b"no wait")

    assert answer(drive, handler).body == b"no wait"


@pytest.mark.parametrize(
    ("drive", "way"),
    [(run, "block"), (lambda outcome: asyncio.run(arun(outcome)), "arrive")],
    ids=["run", "arun"],
)
def test_each_server_waits_in_its_own_way(drive: Drive, way: str) -> None:
    wait = Wait("x")

    def handler(request: Request) -> Steps:
        yield wait
        yield wait
        return Response(200)

    answer(drive, handler)
    assert wait.used == [way, way]


def test_error_of_a_wait_is_raised_in_the_handler(drive: Drive) -> None:
    def handler(request: Request) -> Steps:
        try:
            yield Wait(OSError("gone"))
        except OSError as error:
            again = yield Wait("again")
            return Response(200, {}, f"{error} {again}".encode())
        return Response(500)

    assert answer(drive, handler).body == b"gone again"


def test_handler_can_clean_up_after_a_failed_wait(drive: Drive) -> None:
    cleaned = []

    def handler(request: Request) -> Steps:
        try:
            yield Wait(ProblemError("not-found", "Nothing."))
        finally:
            cleaned.append(True)
        return Response(200)

    assert code(answer(drive, handler)) == "not-found"
    assert cleaned == [True]


def test_event_loop_is_free_during_a_wait() -> None:
    def handler(request: Request) -> Steps:
        yield Wait("x")
        return Response(200)

    async def two_at_once() -> list[str]:
        order: list[str] = []

        async def one(name: str) -> None:
            order.append(f"{name} begins")
            await arun(respond(route(handler), asking()))
            order.append(f"{name} ends")

        await asyncio.gather(one("a"), one("b"))
        return order

    assert asyncio.run(two_at_once()) == ["a begins", "b begins", "a ends", "b ends"]


# Errors, raised at once and after a wait


def at_once(error: Exception, request: Request) -> Response:
    raise error


def after_a_wait(error: Exception, request: Request) -> Steps:
    yield Wait("x")
    raise error


def by_the_wait(error: Exception, request: Request) -> Steps:
    yield Wait(error)
    return Response(200)


WAYS = pytest.mark.parametrize("fail", [at_once, after_a_wait, by_the_wait])


@WAYS
def test_problem_is_answered(drive: Drive, fail: Callable[..., Response | Steps]) -> None:
    error = ProblemError("out-of-range", "Send less.", parameter="lat")
    response = answer(drive, partial(fail, error))
    assert code(response) == "out-of-range"
    assert json.loads(response.body) == {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "code": "out-of-range",
        "detail": "Send less.",
        "parameter": "lat",
    }


@WAYS
def test_unknown_body_is_answered(drive: Drive, fail: Callable[..., Response | Steps]) -> None:
    response = answer(drive, partial(fail, UnknownBodyError("marz")))
    assert code(response) == "unknown-body"
    assert "Did you mean mars?" in json.loads(response.body)["detail"]


@WAYS
def test_unforeseen_error_is_logged_and_keeps_its_text(
    drive: Drive, fail: Callable[..., Response | Steps], caplog: pytest.LogCaptureFixture
) -> None:
    response = answer(drive, partial(fail, OSError(SECRET)))
    assert response.status == 500
    assert code(response) == "internal-error"
    assert SECRET.encode() not in response.body
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert SECRET in caplog.text
    assert "Traceback" in caplog.text


# What is decided around a handler, also around one that waits


@pytest.fixture(params=["at once", "after a wait"])
def tagged(request: pytest.FixtureRequest) -> Handler:
    response = Response(200, {"ETag": '"a"', "Content-Type": "text/plain", "X-Kept": "1"}, b"body")

    def waiting(request: Request) -> Steps:
        yield Wait("x")
        return response

    return (lambda request: response) if request.param == "at once" else waiting


@pytest.mark.parametrize("known", ['"a"', 'W/"a"', '"b", "a"', '"b",W/"a"', "*", " * "])
def test_known_reply_is_304(drive: Drive, tagged: Handler, known: str) -> None:
    response = answer(drive, tagged, asking(If_None_Match=known))
    assert response == Response(304, {"ETag": '"a"', "X-Kept": "1", "Vary": "Accept-Encoding"})


@pytest.mark.parametrize("known", ["", "a", '"b"', '"A"', '"a', '"b, a"', '"*"'])
def test_reply_that_is_not_known_is_sent(drive: Drive, tagged: Handler, known: str) -> None:
    assert answer(drive, tagged, asking(If_None_Match=known)).body == b"body"


def test_only_success_is_304(drive: Drive) -> None:
    refused = Response(404, {"ETag": '"a"'}, b"body")
    assert answer(drive, lambda request: refused, asking(If_None_Match='"a"')) == refused


@pytest.mark.parametrize("target", ["/try/a%2Fb", "/try%2fit", "/try/it#x", "/try/it#x?a=1"])
@pytest.mark.parametrize("method", ["GET", "OPTIONS", "POST"])
def test_path_that_frameworks_read_differently_is_nowhere(target: str, method: str) -> None:
    response = answer(run, lambda request: Response(200), asking(method, target))
    assert code(response) == "not-found"


@pytest.mark.parametrize("target", ["", "/try/it?a=%2F", "/try/it?a=1#x", "/try/%252F"])
def test_other_paths_are_read(target: str) -> None:
    assert answer(run, lambda request: Response(200), asking("GET", target)).status == 200


# Both frameworks, in process


def failing(request: Request) -> Steps:
    yield Wait(0)
    raise OSError(SECRET)


def waiting(request: Request) -> Steps:
    first = yield Wait(2)
    return Response(200, {"Content-Type": "text/plain"}, b"%d" % first)


@pytest.fixture(params=["aiohttp", "flask"])
def get(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Return what gets a path's status, Content-Type and body from an app with two more routes."""
    app = {"aiohttp": aiohttp, "flask": flask}[request.param]
    added = (Route("/failing", failing, (), ""), Route("/waiting", waiting, (), ""))
    monkeypatch.setattr(app, "routes", lambda: added)
    return get_aiohttp if request.param == "aiohttp" else get_flask


def get_flask(path: str) -> tuple[int, str, bytes]:
    reply = flask.create_app().test_client().get(path)
    return reply.status_code, reply.headers["Content-Type"], reply.data


def get_aiohttp(path: str) -> tuple[int, str, bytes]:
    async def exchange() -> tuple[int, str, bytes]:
        async with TestClient(TestServer(aiohttp.create_app())) as client:
            reply = await client.get(path)
            return reply.status, reply.headers["Content-Type"], await reply.read()

    return asyncio.run(exchange())


Get = Callable[[str], tuple[int, str, bytes]]


def test_app_drives_a_handler_that_waits(get: Get) -> None:
    assert get("/waiting") == (200, "text/plain", b"2")


def test_app_answers_an_unforeseen_error(get: Get, caplog: pytest.LogCaptureFixture) -> None:
    status, content_type, body = get("/failing")
    assert (status, content_type) == (500, "application/problem+json")
    assert json.loads(body) == {
        "type": "about:blank",
        "title": "Internal Server Error",
        "status": 500,
        "code": "internal-error",
        "detail": "The fault is the server's, not the request's.",
    }
    assert SECRET in caplog.text
