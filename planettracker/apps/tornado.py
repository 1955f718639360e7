"""PlanetTracker on Tornado."""

import asyncio
import logging
import re
import signal
from typing import Any
from urllib.parse import unquote

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPServerRequest
from tornado.log import access_log as access_logger
from tornado.routing import PathMatches, Rule
from tornado.web import Application, RequestHandler, stream_request_body

from planettracker.api.contract import Route
from planettracker.api.messages import Request
from planettracker.api.respond import arun, respond
from planettracker.api.routes import NOWHERE, routes
from planettracker.apps import listening


def create_app() -> Application:
    """Return the application, every route on every method: the api answers 404, 405 and OPTIONS."""
    rules = [Rule(Path(route.path), Handler, {"route": route}) for route in routes()]
    everywhere = Rule(PathMatches("(?s:.*)"), Handler, {"route": NOWHERE})
    return Application([*rules, everywhere], log_function=_say_nothing)


def _say_nothing(handler: RequestHandler) -> None:
    """Log no request: Tornado by itself logs those that were refused."""


def _log(handler: RequestHandler) -> None:
    asked = handler.request
    line = f"{asked.method} {asked.uri} {asked.version}"
    access_logger.info('%s "%s" %d', asked.remote_ip, line, handler.get_status())


class Path(PathMatches):
    """Matches a path when it is decoded, which Tornado's own does after it has matched."""

    def __init__(self, path: str) -> None:
        super().__init__(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)) + r"\Z")

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        found = self.regex.match(unquote(request.path or ""))
        return None if found is None else {"path_kwargs": found.groupdict()}


@stream_request_body  # else a body is parsed, and one that is no form refused
class Handler(RequestHandler):
    """Answers one route, on every method."""

    def initialize(self, route: Route) -> None:
        self.route = route

    def compute_etag(self) -> None:
        """Add no tag of Tornado's."""

    def check_etag_header(self) -> bool:
        """Leave 304 to the api."""
        return False

    def data_received(self, chunk: bytes) -> None:
        """Drop the body."""

    async def answer(self, **params: str) -> None:
        asked = self.request
        query = asked.query.partition("#")[0]  # a fragment is a part of it to Tornado
        request = Request(asked.method or "", query, params, asked.headers, asked.uri or "")
        reply = await arun(respond(self.route, request))
        self.set_status(reply.status)
        self.clear_header("Content-Type")
        for name, text in reply.headers.items():
            self.set_header(name, text)
        await self.finish(reply.body or None)  # even b"" is too much for 204 and 304

    SUPPORTED_METHODS = (*RequestHandler.SUPPORTED_METHODS, "PROPFIND", "QUERY", "TRACE")
    get = head = options = post = put = delete = patch = propfind = query = trace = answer


def serve(host: str, port: int, access_log: bool) -> None:
    """Serve on Tornado's own server."""
    asyncio.run(_serve(host, port, access_log))


async def _serve(host: str, port: int, access_log: bool) -> None:
    app = create_app()
    if access_log:
        access_logger.setLevel(logging.INFO)
        access_logger.addHandler(logging.StreamHandler())
        app.settings["log_function"] = _log
    with listening(host, port) as socket:
        socket.setblocking(False)
        HTTPServer(app).add_socket(socket)
        ended = asyncio.Event()
        for signum in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(signum, ended.set)
        await ended.wait()
