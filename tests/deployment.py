"""A server whose page's files a test may change, and which may be slow, or another service."""

import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from werkzeug.serving import WSGIRequestHandler, make_server

from planettracker.api import client
from planettracker.apps import flask

Wsgi = Callable[[dict[str, Any], Callable[..., object]], Iterable[bytes]]


class Deployment:
    """The service with files of its own, in a folder that is a copy of the client's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "client"
        shutil.copytree(client.CLIENT, self.folder)
        self.delay_s = 0.0  # of what is no file
        self.asked: list[str] = []
        self.deploy()

    def change(self, name: str, old: str, new: str) -> None:
        """Change a file, in which the old text stands once."""
        text = (self.folder / name).read_text()
        assert text.count(old) == 1
        (self.folder / name).write_text(text.replace(old, new))

    def deploy(self) -> None:
        """Serve the files as they are now."""
        with mock.patch.object(client, "routes", partial(client.routes, self.folder)):
            self.app: Wsgi = flask.create_app()

    @contextmanager
    def running(self) -> Iterator[str]:
        """Serve while the block lasts, at the URL that it gets."""
        server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=Quiet)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def _answer(
        self, environ: dict[str, Any], start_response: Callable[..., object]
    ) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        self.asked.append(path)
        if "." not in path and path != "/":
            time.sleep(self.delay_s)
        return self.app(environ, start_response)


class Quiet(WSGIRequestHandler):
    """Werkzeug's request handler without its lines."""

    def log(self, type: str, message: str, *args: object) -> None:
        pass


def another_service(
    environ: dict[str, Any], start_response: Callable[..., object]
) -> Iterable[bytes]:
    """Answer every path with one page, as a single-page application's server does."""
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [b"<!doctype html><title>Another</title><p>another service</p>"]
