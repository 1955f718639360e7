"""Request to response: the methods, the validators and the errors that all routes share."""

import logging
import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from zlib import crc32

import orjson

from planettracker.api import compression
from planettracker.api.compression import ACCEPT_ENCODING
from planettracker.api.contract import MAX_QUERY_CHARACTERS, NOT_FOUND, TITLES, ProblemError, Route
from planettracker.api.messages import Request, Response, Steps
from planettracker.sky.ephemeris import BODIES, UnknownBodyError

_log = logging.getLogger(__name__)

METHODS = "GET, HEAD, OPTIONS"
_READING = ("GET", "HEAD")
_OPTIONS = {"Allow": METHODS, "Access-Control-Allow-Origin": "*"}
_PREFLIGHT = {
    **_OPTIONS,
    "Access-Control-Allow-Methods": METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}
_PROBLEM = {
    "Content-Type": "application/problem+json",
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "no-store",
}
# By whether a format may be chosen, and a coding.
_VARY = {
    (False, False): "",
    (False, True): ACCEPT_ENCODING,
    (True, False): "Accept",
    (True, True): f"Accept, {ACCEPT_ENCODING}",
}
_ENTITY_TAG = re.compile(r'"[^"]*"')
_OF_A_BODY = ("Content-Type", "Content-Encoding")
# An encoded slash divides a path to Werkzeug's router, not to aiohttp's; what follows a `#` is part
# of the path to aiohttp, and dropped by WSGI servers, with the place that was asked for.
_AMBIGUOUS = re.compile(r"[^?#]*(?:#|%2[Ff])")


def respond(route: Route, request: Request) -> Response | Steps:
    """Return the route's response, or the steps that lead to it: `run` and `arun` take either."""
    try:
        outcome = _before(route, request) or route.handler(request)
    except Exception as error:
        return _sent(route, request, _problem(error))
    if isinstance(outcome, Response):
        return _sent(route, request, outcome)
    return _after(route, request, outcome)


def _after(route: Route, request: Request, steps: Steps) -> Steps:
    try:
        response = yield from steps
    except Exception as error:
        response = _problem(error)
    return _sent(route, request, response)


def _sent(route: Route, request: Request, response: Response) -> Response:
    """Return the response as it is sent; where a header may choose, a cache must know it.

    That is by the route and the type, not by the length, which of a reply for now may differ from
    one instant to the next.
    """
    by_format = bool(route.formats) and not _is_ambiguous(request.target)
    by_coding = compression.is_text(response.headers.get("Content-Type", ""))
    vary = _VARY[by_format, by_coding]
    if vary:
        headers = {**response.headers, "Vary": vary}
        response = Response(response.status, headers, response.body, response.gzipped)
    if not by_coding:
        return _unless_known(request, response)
    return compression.coded(_unless_known(request, compression.negotiated(request, response)))


def run(outcome: Response | Steps) -> Response:
    """Return the response, holding the thread through each wait."""
    if isinstance(outcome, Response):
        return outcome
    step = partial(next, outcome)
    while True:
        try:
            wait = step()
        except StopIteration as end:
            response: Response = end.value
            return response
        try:
            step = partial(outcome.send, wait.block())
        except Exception as error:
            step = partial(outcome.throw, error)


async def arun(outcome: Response | Steps) -> Response:
    """Return the response, leaving the event loop free through each wait."""
    if isinstance(outcome, Response):
        return outcome
    step = partial(next, outcome)
    while True:
        try:
            wait = step()
        except StopIteration as end:
            response: Response = end.value
            return response
        try:
            step = partial(outcome.send, await wait.arrive())
        except Exception as error:
            step = partial(outcome.throw, error)


def _before(route: Route, request: Request) -> Response | None:
    """Return what needs no handler, None for what does, or raise ProblemError."""
    if route.every_method:
        return None
    if _is_ambiguous(request.target):
        raise ProblemError("not-found", NOT_FOUND)
    if request.method == "OPTIONS":
        preflight = request.headers.get("Access-Control-Request-Method")
        return Response(204, _OPTIONS if preflight is None else _PREFLIGHT)
    if request.method not in _READING:
        raise ProblemError("method-not-allowed", f"Send one of {METHODS}.")
    if len(request.query) > MAX_QUERY_CHARACTERS:
        raise ProblemError(
            "query-too-long", f"Send a query of at most {MAX_QUERY_CHARACTERS:,} characters."
        )
    return None


def _is_ambiguous(target: str) -> bool:
    """Return whether routers disagree on the target's path, which is then no route's."""
    return ("%" in target or "#" in target) and _AMBIGUOUS.match(target) is not None


def etag(body: bytes) -> str:
    """Return a strong entity tag of the body.

    It tells the versions of one address apart, for which length and checksum will do: 1 us, where
    a digest takes 3 to 4 between requests, its code being cold.
    """
    return f'"{len(body):x}-{crc32(body):08x}"'


def _unless_known(request: Request, response: Response) -> Response:
    """Return 304 in place of a reply that the client says it has."""
    tag = response.headers.get("ETag")
    known = request.headers.get("If-None-Match")
    if tag is None or known is None or response.status != 200:
        return response
    held = _held(known, tag)
    if held is None:
        return response
    headers = {name: text for name, text in response.headers.items() if name not in _OF_A_BODY}
    return Response(304, {**headers, "ETag": held})


def _held(known: str, tag: str) -> str | None:
    """Return the tag of what the client has: the same body in another coding is as new."""
    if known.strip() == "*":
        return tag
    tags = _ENTITY_TAG.findall(known)
    return next((each for each in compression.codings(tag) if each in tags), None)


def _problem(error: Exception) -> Response:
    """Return the error as an RFC 9457 problem; what is unforeseen is logged and keeps its text."""
    if isinstance(error, UnknownBodyError):
        error = _unknown_body(error)
    if not isinstance(error, ProblemError):
        _log.error("unforeseen error", exc_info=error)
        error = ProblemError("internal-error", "The fault is the server's, not the request's.")
    problem = error.problem
    members = {
        "type": "about:blank",
        "title": TITLES[problem.status],
        "status": problem.status,
        "code": problem.code,
        "detail": error.detail,
        **error.members,
    }
    headers: Mapping[str, str] = _PROBLEM
    if problem.status == 405:
        headers = {**_PROBLEM, "Allow": METHODS}
    return Response(problem.status, headers, orjson.dumps(members))


def _unknown_body(error: UnknownBodyError) -> ProblemError:
    # Of a name in other letters, frameworks hand over different texts (`%ff`): none is read.
    near = get_close_matches(error.name.lower(), BODIES, n=1) if error.name.isascii() else []
    hint = f" Did you mean {near[0]}?" if near and error.name.isalpha() else ""
    return ProblemError("unknown-body", f"Send one of {', '.join(BODIES)}.{hint}", bodies=BODIES)
