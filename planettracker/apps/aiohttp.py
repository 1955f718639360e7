"""PlanetTracker on aiohttp."""

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.log import access_logger

from planettracker.api.contract import Route
from planettracker.api.messages import Request
from planettracker.api.respond import arun, respond
from planettracker.api.routes import NOWHERE, routes


def create_app() -> web.Application:
    """Return the application, every route on every method: the api answers 404, 405 and OPTIONS."""
    # No body is read, so none need be decoded; aiohttp would refuse what it cannot decode.
    app = web.Application(handler_args={"auto_decompress": False})
    for route in routes():
        # Left alone, a variable matches no braces.
        app.router.add_route("*", route.path.replace("}", ":[^/]+}"), _handler(route))
    app.router.add_route("*", "/{path:(?s:.*)}", _handler(NOWHERE))
    return app


class Headers:
    """A request's headers, those of one name joined; aiohttp's own `get` returns the first."""

    __slots__ = ("_request",)

    def __init__(self, request: web.Request) -> None:
        self._request = request

    def get(self, name: str, /) -> str | None:
        values = self._request.headers.getall(name, None)
        return None if values is None else ",".join(values)


def _handler(route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        asked = Request(
            request.method,
            request.rel_url.raw_query_string,  # `query_string` is decoded
            request.match_info,
            Headers(request),
            request.raw_path,
        )
        reply = await arun(respond(route, asked))
        return web.Response(status=reply.status, headers=reply.headers, body=reply.body)

    return handle


def serve(host: str, port: int, access_log: bool) -> None:
    """Serve on aiohttp's own server; `backlog` lets thousands of clients connect at once."""
    log = _access_log() if access_log else None
    web.run_app(create_app(), host=host, port=port, backlog=4096, print=None, access_log=log)


def _access_log() -> logging.Logger:
    """Return aiohttp's own logger, which by itself says nothing unless asyncio is debugged."""
    access_logger.setLevel(logging.INFO)
    access_logger.addHandler(logging.StreamHandler())
    return access_logger
