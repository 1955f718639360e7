"""PlanetTracker on Starlette."""

import re
from contextlib import suppress

from starlette import routing
from starlette.applications import Starlette
from starlette.datastructures import Headers as Sent
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from planettracker.api.contract import Route
from planettracker.api.messages import Request
from planettracker.api.respond import arun, respond
from planettracker.api.routes import NOWHERE, routes
from planettracker.apps import listening


def create_app() -> Starlette:
    """Return the application, every route on every method: the api answers 404, 405 and OPTIONS."""
    app = Starlette(routes=[Exact(route.path, endpoint=Endpoint(route)) for route in routes()])
    app.router.redirect_slashes = False
    app.router.default = Elsewhere(app.router.default)
    return app


class Exact(routing.Route):
    """A route whose path may not be followed by a line break, as `$` in a pattern lets it."""

    def __init__(self, path: str, endpoint: "Endpoint") -> None:
        super().__init__(path, endpoint, name=path)
        self.path_regex = re.compile(self.path_regex.pattern.removesuffix("$") + r"\Z")


class Headers:
    """A request's headers, those of one name joined; Starlette's own `get` returns the first."""

    __slots__ = ("_sent",)

    def __init__(self, sent: Sent) -> None:
        self._sent = sent

    def get(self, name: str, /) -> str | None:
        values = self._sent.getlist(name)
        return ",".join(values) if values else None


class Endpoint:
    """Answers one route, on every method."""

    def __init__(self, route: Route) -> None:
        self.route = route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # gunicorn's worker takes a fragment for a part of the query.
        query = scope["query_string"].decode("latin-1").partition("#")[0]
        path = scope["raw_path"].decode("latin-1")
        asked = Request(
            scope["method"],
            query,
            scope.get("path_params", {}),
            Headers(Sent(scope=scope)),
            f"{path}?{query}",
        )
        reply = await arun(respond(self.route, asked))
        await Response(reply.body, reply.status, reply.headers)(scope, receive, send)


class Elsewhere(Endpoint):
    """Answers every other path, and refuses WebSockets as Starlette does."""

    def __init__(self, refuse: ASGIApp) -> None:
        super().__init__(NOWHERE)
        self.refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = super().__call__ if scope["type"] == "http" else self.refuse
        await answer(scope, receive, send)


def serve(host: str, port: int, access_log: bool) -> None:
    """Serve on uvicorn, since Starlette has no server of its own."""
    import uvicorn  # which other servers do without

    # Trusting no proxy; and with the socket made here, since uvicorn's own errors end the process.
    config = uvicorn.Config(
        create_app(),
        access_log=access_log,
        log_level="info" if access_log else "warning",
        ws="none",
        proxy_headers=False,
        backlog=4096,
    )
    with listening(host, port) as socket, suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[socket])
