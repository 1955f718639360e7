"""One thin module for each framework, imported on use."""

from importlib import import_module
from typing import Protocol, cast

FRAMEWORKS = {
    "aiohttp": "planettracker.apps.aiohttp",
    "flask": "planettracker.apps.flask",
}


class App(Protocol):
    """What a framework's module offers beside its `create_app()`."""

    def serve(self, host: str, port: int, access_log: bool) -> None:
        """Serve on the framework's own development server until a signal ends it."""


def load(framework: str) -> App:
    """Return the framework's module."""
    return cast(App, import_module(FRAMEWORKS[framework]))
