"""Programs that are wrong in one way each, for lanes that must not count."""

import signal
import time
from collections.abc import Callable, Iterable

from planettracker.apps import flask

WSGI = Callable[[dict[str, object], Callable[..., object]], Iterable[bytes]]


def failing() -> WSGI:
    """Return an app that answers 500 to everything but its health."""

    def app(environ: dict[str, object], start_response: Callable[..., object]) -> Iterable[bytes]:
        healthy = environ["PATH_INFO"] == "/healthz"
        body = b"ok" if healthy else b"no"
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))]
        start_response("200 OK" if healthy else "500 Internal Server Error", headers)
        return [body]

    return app


def moving() -> WSGI:
    """Return Flask's app, which answers one body with another's name."""
    app = flask.create_app()

    def moved(environ: dict[str, object], start_response: Callable[..., object]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/planets/mars":
            environ = {**environ, "PATH_INFO": "/planets/moon"}
        return app(environ, start_response)  # type: ignore[arg-type]

    return moved


def crashing() -> WSGI:
    """Raise before anything is served."""
    raise RuntimeError("this app cannot be made")


def hanging() -> WSGI:
    """Never return, and be deaf to SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)
