"""One thin module for each framework, imported on use."""

import socket
from importlib import import_module
from typing import Protocol, cast

FRAMEWORKS = {
    "aiohttp": "planettracker.apps.aiohttp",
    "flask": "planettracker.apps.flask",
    "tornado": "planettracker.apps.tornado",
    "starlette": "planettracker.apps.starlette",
}


class App(Protocol):
    """What a framework's module offers beside its `create_app()`."""

    def serve(self, host: str, port: int, access_log: bool) -> None:
        """Serve on the framework's own development server until a signal ends it."""


def load(framework: str) -> App:
    """Return the framework's module."""
    return cast(App, import_module(FRAMEWORKS[framework]))


def listening(host: str, port: int) -> socket.socket:
    """Return a socket to which thousands of clients can connect at once, or raise OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=4096)
