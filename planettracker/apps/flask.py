"""PlanetTracker on Flask."""

from collections.abc import Callable

import flask
from flask import Response, request
from werkzeug.exceptions import NotFound
from werkzeug.routing import MapAdapter, Rule
from werkzeug.serving import WSGIRequestHandler

from planettracker.api.contract import Route
from planettracker.api.messages import Request
from planettracker.api.respond import respond, run
from planettracker.api.routes import NOWHERE, routes


class Flask(flask.Flask):
    """Flask with a router that reads the path alone.

    Its own refuses some hosts and every WebSocket handshake before a route is reached.
    """

    def create_url_adapter(self, request: flask.Request | None) -> MapAdapter | None:
        return None if request is None else self.url_map.bind("", path_info=request.path)


class Reply(Response):
    """A response that adds no Content-Type of its own to 204 and 304."""

    default_mimetype = None


def create_app() -> Flask:
    """Return the application, every route on every method: the api answers 404, 405 and OPTIONS."""
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # a redirect otherwise, from /planets//mars
    for route in routes():
        # `add_url_rule` has no way to say every method; a rule without methods does.
        path = route.path.replace("{", "<").replace("}", ">")
        app.url_map.add(Rule(path, endpoint=path))
        app.view_functions[path] = _view(route)
    nowhere = _view(NOWHERE)
    # Not by a rule for every other path: none matches a line break.
    app.register_error_handler(NotFound, lambda error: nowhere())
    return app


def _view(route: Route) -> Callable[..., Reply]:
    def view(**params: str) -> Reply:
        asked = Request(
            request.method,
            request.query_string.decode("latin-1"),
            params,
            request.headers,
            request.environ.get("RAW_URI", ""),
        )
        reply = run(respond(route, asked))
        return Reply(reply.body, reply.status, reply.headers)

    return view


class QuietHandler(WSGIRequestHandler):
    """Werkzeug's request handler without its line for each request."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def serve(host: str, port: int, access_log: bool) -> None:
    """Serve on Flask's development server, a thread for each request."""
    handler = WSGIRequestHandler if access_log else QuietHandler
    # Not as FLASK_DEBUG or a .env file has it: a debugger runs what a visitor types.
    create_app().run(host, port, debug=False, load_dotenv=False, request_handler=handler)
