"""How each server is started: its command line for a lane, and the modules that takes."""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loadtest.lanes import Lane

Command = Callable[["Lane", str, str, int], list[str]]

# One policy for every lane: no access log. Without the control socket, since all instances of a
# user share one; with the parser named, since `auto` takes a C extension where one is installed;
# with headers of proxies trusted from nobody, since a SCRIPT_NAME from this machine is a 500.
_GUNICORN = (
    *("--no-control-socket", "--http-parser", "python"),
    *("--forwarded-allow-ips", "", "--log-level", "warning"),
)

ROOT = Path(__file__).parents[1]
_QUIET = ("--no-access-log", "--log-level", "warning")


def _dev(lane: "Lane", python: str, host: str, port: int) -> list[str]:
    address = ["--host", host, "--port", str(port)]
    return [python, "-m", "planettracker", lane.framework, *address]


def _gunicorn(lane: "Lane", python: str, host: str, port: int) -> list[str]:
    workers = ["--worker-class", lane.worker_class, "--workers", str(lane.workers)]
    if lane.threads > 1:
        workers += ["--threads", str(lane.threads)]
    return [python, "-m", "gunicorn", _app(lane), "--bind", f"{host}:{port}", *workers, *_GUNICORN]


def _uvicorn(lane: "Lane", python: str, host: str, port: int) -> list[str]:
    address = ["--host", host, "--port", str(port), "--workers", str(lane.workers)]
    how = ["--loop", "uvloop", "--http", "httptools", "--ws", "none", "--no-proxy-headers"]
    return [python, "-m", "uvicorn", "--factory", _factory(lane), *address, *how, *_QUIET]


def _granian(lane: "Lane", python: str, host: str, port: int) -> list[str]:
    address = ["--host", host, "--port", str(port), "--workers", str(lane.workers)]
    how = ["--interface", lane.worker_class, "--http", "1", "--no-ws"]
    if lane.worker_class == "asgi":
        how += ["--loop", "uvloop"]
    else:
        how += ["--blocking-threads", str(lane.threads)]
    return [python, "-m", "granian", "--factory", _factory(lane), *address, *how, *_QUIET]


PLACEHOLDERS = ("host", "port", "workers")


def _own(lane: "Lane", python: str, host: str, port: int) -> list[str]:
    """Return a person's own command, split as a shell would; no shell runs it."""
    values = dict(zip(PLACEHOLDERS, (host, str(port), str(lane.workers)), strict=True))
    return [_filled(word, values) for word in shlex.split(lane.own)]


def _filled(word: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(f"{{{name}}}", value)
    return str(Path(word).expanduser()) if word.startswith("~/") else word


def _app(lane: "Lane") -> str:
    return lane.app or f"planettracker.apps.{lane.framework}:create_app()"


def _factory(lane: "Lane") -> str:
    return _app(lane).removesuffix("()")


def interpreter(name: str) -> str:
    """Return where `make pythons` puts a Python with the project's packages."""
    return str(ROOT / f".venv-{name}" / "bin" / "python")


SERVERS: Mapping[str, Command] = {
    "dev": _dev,
    "gunicorn": _gunicorn,
    "uvicorn": _uvicorn,
    "granian": _granian,
    "own": _own,
}
# Whether a server's first process leaves the requests to others.
MASTERS: Mapping[str, Callable[["Lane"], bool]] = {
    "dev": lambda lane: False,
    "gunicorn": lambda lane: True,
    "uvicorn": lambda lane: lane.workers > 1,
    "granian": lambda lane: True,
}
# By framework, server and variant: the modules beside those that every installation has.
NEEDED: Mapping[str, tuple[str, ...]] = {
    "tornado": ("tornado",),
    "starlette": ("starlette",),
    "uvicorn": ("uvicorn", "httptools", "uvloop"),
    "granian": ("granian",),
    "gevent": ("gevent", "packaging"),
    "uvloop": ("uvloop",),
}


def needed(lane: "Lane") -> tuple[str, ...]:
    """Return the optional modules that the lane needs; of a person's own nobody knows."""
    if lane.own:
        return ()
    kinds = (lane.framework, lane.server, lane.variant)
    return tuple(name for kind in kinds for name in NEEDED.get(kind, ()))
