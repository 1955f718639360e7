"""Lanes: server configurations, as rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec

from loadtest import commands

PREFERRED = "aiohttp-gunicorn"  # the lane that is looked at more closely
AIOHTTP_WORKER = "aiohttp.GunicornWebWorker"
UVLOOP_WORKER = "aiohttp.GunicornUVLoopWebWorker"


class UnknownLaneError(ValueError):
    """A name that no lane has."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no lane is called {name!r}; there are {', '.join(known)}")
        self.name = name


class NoLaneError(ValueError):
    """None of the chosen lanes can run here; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One server configuration: a framework on a server, with so many worker processes.

    `app` is what the server imports, the framework's own module where it is empty. `keeps_alive`
    says whether its connections outlive a request when the client asks for that, None where nobody
    has said. A `variant` tells lanes of one framework and server apart, as gthread does. A `twin`
    is the same lane under another name: what the two seem to differ by is noise. `http10` says
    whether a client of HTTP/1.0, as ab is, gets what others get.

    A lane of a person's `own` is that command, run in a `folder`, which is ready when it answers
    to `ready`; its name stands as the framework. A lane may stand `behind` a proxy, and be run by
    another `python`, named as pythons.py has it.
    """

    framework: str
    server: str
    worker_class: str = "sync"
    workers: int = 1
    keeps_alive: bool | None = False
    app: str = ""
    twin: bool = False
    variant: str = ""
    threads: int = 1
    http10: bool = True
    own: str = ""
    folder: str = ""
    ready: str = "/healthz"
    behind: str = ""
    python: str = ""

    @property
    def name(self) -> str:
        """Return for instance aiohttp-gunicorn-4, or aiohttp-gunicorn@python3.13+nginx."""
        workers = f"-{self.workers}" if self.workers > 1 else ""
        kind = self.variant or self.server
        first = self.framework if self.own else f"{self.framework}-{kind}{workers}"
        python = f"@{self.python}" if self.python else ""
        behind = f"+{self.behind}" if self.behind else ""
        twin = "-twin" if self.twin else ""
        return f"{first}{python}{behind}{twin}"

    def command(self, python: str, host: str, port: int) -> list[str]:
        """Return the command that serves the lane in the foreground."""
        serving = commands.interpreter(self.python) if self.python else python
        return commands.SERVERS[self.server](self, serving, host, port)

    def takes(self, load: str) -> bool:
        """Return whether a load is a fair measure of the lane."""
        return self.http10 or load != "ab"

    @property
    def spread(self) -> bool:
        """Return whether several workers may share the requests; of a person's own none knows."""
        return self.workers > 1 or bool(self.own)

    def missing(self) -> tuple[str, ...]:
        """Return the modules that the lane needs and this Python has not."""
        needed = commands.needed(self)
        return tuple(name for name in needed if find_spec(name) is None)


# Those of the article, and what runs without the optional packages.
FIRST = (
    Lane("aiohttp", "dev", keeps_alive=True),
    Lane("flask", "dev"),
    Lane("aiohttp", "gunicorn", AIOHTTP_WORKER, keeps_alive=True),
    Lane("flask", "gunicorn"),
)
FURTHER = (
    Lane("flask", "gunicorn", "gthread", keeps_alive=True, variant="gthread", threads=4),
    Lane("flask", "gunicorn", "gthread", keeps_alive=True, variant="gthread32", threads=32),
    Lane("flask", "gunicorn", "gevent", keeps_alive=True, variant="gevent"),
    Lane("flask", "granian", "wsgi", keeps_alive=True),
    Lane("aiohttp", "gunicorn", UVLOOP_WORKER, keeps_alive=True, variant="uvloop"),
    Lane("tornado", "dev", keeps_alive=True),
    Lane("tornado", "gunicorn", "tornado", keeps_alive=True),
    Lane("starlette", "uvicorn", "asgi", keeps_alive=True, http10=False),
    Lane("starlette", "gunicorn", "asgi", keeps_alive=True, http10=False),
    Lane("starlette", "granian", "asgi", keeps_alive=True, http10=False),
)


def several(lane: Lane, workers: int) -> Lane:
    """Return the lane with so many worker processes."""
    return replace(lane, workers=workers)


def lanes(workers: int = 4) -> dict[str, Lane]:
    """Return the default lanes by name; the last two have so many workers, at least 2."""
    rows = (*FIRST, *(several(lane, workers) for lane in FIRST if lane.server != "dev"))
    return {lane.name: lane for lane in rows}


def all_lanes(workers: int = 4) -> dict[str, Lane]:
    """Return every lane by name: the default ones, the further ones, and these with workers."""
    further = (*FURTHER, *(several(lane, workers) for lane in FURTHER if lane.server != "dev"))
    return {**lanes(workers), **{lane.name: lane for lane in further}}


def behind(lane: Lane, proxy: str) -> Lane:
    """Return the lane behind a proxy, which keeps connections alive in any version of HTTP."""
    return replace(lane, behind=proxy, keeps_alive=True, http10=True)


def twin(rows: Sequence[Lane]) -> Lane:
    """Return one of the lanes under another name, the preferred one where it is there."""
    preferred = (lane for lane in rows if lane.name == PREFERRED)
    return replace(next(preferred, rows[0]), twin=True)


EVERY = "all"  # the default lanes, and each further one with a single worker


def chosen(names: Sequence[str], workers: int) -> list[Lane]:
    """Return the named lanes, the default ones where none is named, or raise UnknownLaneError."""
    known = all_lanes(workers)
    for name in names:
        if name not in known and name != EVERY:
            raise UnknownLaneError(name, (EVERY, *known))
    wanted = set(names) or set(lanes(workers))
    if EVERY in wanted:
        wanted |= {*lanes(workers), *(lane.name for lane in FURTHER)}
    return [lane for name, lane in known.items() if name in wanted]


def runnable(rows: Sequence[Lane]) -> tuple[list[Lane], list[str]]:
    """Return the lanes that can run here, and of each other a sentence that says what it lacks.

    Raises NoLaneError where none can.
    """
    lacking = {lane: ", ".join(lane.missing()) for lane in rows if lane.missing()}
    said = [f"{lane.name} is skipped: it needs {what}. {INSTALL}" for lane, what in lacking.items()]
    if len(lacking) == len(rows):
        raise NoLaneError(" ".join(said))
    return [lane for lane in rows if lane not in lacking], said


INSTALL = "`make stacks` installs it."
