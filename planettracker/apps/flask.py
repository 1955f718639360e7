"""PlanetTracker on Flask."""

from collections.abc import Callable

from flask import Flask, Response, request
from werkzeug.routing import Rule
from werkzeug.serving import WSGIRequestHandler

from planettracker.api.contract import Route
from planettracker.api.messages import Request
from planettracker.api.respond import respond, run
from planettracker.api.routes import NOWHERE, routes


class Reply(Response):
    """A response that adds no Content-Type of its own to 204 and 304."""

    default_mimetype = None


def create_app() -> Flask:
    """Return the application, every route on every method: the api answers 404, 405 and OPTIONS."""
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # a redirect otherwise, from /planets//mars
    for route in routes():
        _add(app, route, route.path.replace("{", "<").replace("}", ">"))
    _add(app, NOWHERE, "/<path:path>")
    return app


def _add(app: Flask, route: Route, path: str) -> None:
    # `add_url_rule` has no way to say every method; a rule without methods does.
    app.url_map.add(Rule(path, endpoint=path))
    app.view_functions[path] = _view(route)


def _view(route: Route) -> Callable[..., Reply]:
    def view(**params: str) -> Reply:
        query = request.query_string.decode("latin-1")
        reply = run(respond(route, Request(request.method, query, params, request.headers)))
        return Reply(reply.body, reply.status, reply.headers)

    return view


class QuietHandler(WSGIRequestHandler):
    """Werkzeug's request handler without its line for each request."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def serve(host: str, port: int, access_log: bool) -> None:
    """Serve on Flask's development server, a thread for each request."""
    handler = WSGIRequestHandler if access_log else QuietHandler
    create_app().run(host, port, request_handler=handler)
