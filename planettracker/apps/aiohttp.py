"""PlanetTracker on aiohttp."""

from collections.abc import Awaitable, Callable

from aiohttp import HttpVersion11, web
from aiohttp.web_log import AccessLogger

from planettracker.api.contract import Route
from planettracker.api.messages import Request
from planettracker.api.respond import arun, respond
from planettracker.api.routes import NOWHERE, routes


def create_app() -> web.Application:
    """Return the application, every route on every method: the api answers 404, 405 and OPTIONS."""
    app = web.Application()
    for route in routes():
        app.router.add_route("*", route.path, _handler(route), expect_handler=_continue)
    app.router.add_route("*", "/{path:.*}", _handler(NOWHERE), expect_handler=_continue)
    return app


def _handler(route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        query = request.rel_url.raw_query_string  # `query_string` is decoded
        asked = Request(request.method, query, request.match_info, request.headers)
        reply = await arun(respond(route, asked))
        return web.Response(status=reply.status, headers=reply.headers, body=reply.body)

    return handle


async def _continue(request: web.Request) -> None:
    """Ask for the body of a client that waits to send it; others' expectations are not read.

    aiohttp's own handler answers 417 to an `Expect` that it does not know; WSGI servers do not.
    """
    if request.version >= HttpVersion11 and request.headers["Expect"].lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # nothing of the response itself is sent yet


def serve(host: str, port: int, access_log: bool) -> None:
    """Serve on aiohttp's own server; `backlog` lets thousands of clients connect at once."""
    log = {"access_log_class": AccessLogger} if access_log else {"access_log": None}
    web.run_app(create_app(), host=host, port=port, backlog=4096, print=None, **log)
