"""Lanes: server configurations, as rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

PREFERRED = "aiohttp-gunicorn"  # the lane that is looked at more closely
AIOHTTP_WORKER = "aiohttp.GunicornWebWorker"

# One policy for every lane: no access log. Without the control socket, since all instances of a
# user share one; with the parser named, since `auto` takes a C extension where one is installed;
# with headers of proxies trusted from nobody, since a SCRIPT_NAME from this machine is a 500.
_GUNICORN = (
    *("--no-control-socket", "--http-parser", "python"),
    *("--forwarded-allow-ips", "", "--log-level", "warning"),
)


class UnknownLaneError(ValueError):
    """A name that no lane has."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no lane is called {name!r}; there are {', '.join(known)}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Lane:
    """One server configuration: a framework on a server, with so many worker processes.

    `app` is what gunicorn imports, the framework's own module where it is empty. `keeps_alive`
    says whether its connections outlive a request when the client asks for that. A `twin` is the
    same lane under another name: what the two seem to differ by is noise.
    """

    framework: str
    server: str
    worker_class: str = "sync"
    workers: int = 1
    keeps_alive: bool = False
    app: str = ""
    twin: bool = False

    @property
    def name(self) -> str:
        """Return for instance aiohttp-gunicorn-4."""
        workers = f"-{self.workers}" if self.workers > 1 else ""
        return f"{self.framework}-{self.server}{workers}{'-twin' if self.twin else ''}"

    def command(self, python: str, host: str, port: int) -> list[str]:
        """Return the command that serves the lane in the foreground."""
        if self.server == "dev":
            address = ["--host", host, "--port", str(port)]
            return [python, "-m", "planettracker", self.framework, *address]
        app = self.app or f"planettracker.apps.{self.framework}:create_app()"
        workers = ["--worker-class", self.worker_class, "--workers", str(self.workers)]
        return [python, "-m", "gunicorn", app, "--bind", f"{host}:{port}", *workers, *_GUNICORN]


def lanes(workers: int = 4) -> dict[str, Lane]:
    """Return the lanes by name; the last two have the given number of workers, at least 2."""
    rows = (
        Lane("aiohttp", "dev", keeps_alive=True),
        Lane("flask", "dev"),
        Lane("aiohttp", "gunicorn", AIOHTTP_WORKER, keeps_alive=True),
        Lane("flask", "gunicorn"),
        Lane("aiohttp", "gunicorn", AIOHTTP_WORKER, workers, keeps_alive=True),
        Lane("flask", "gunicorn", workers=workers),
    )
    return {lane.name: lane for lane in rows}


def twin(rows: Sequence[Lane]) -> Lane:
    """Return one of the lanes under another name, the preferred one where it is there."""
    preferred = (lane for lane in rows if lane.name == PREFERRED)
    return replace(next(preferred, rows[0]), twin=True)


def chosen(names: Sequence[str], workers: int) -> list[Lane]:
    """Return the named lanes, all where none is named, or raise UnknownLaneError."""
    known = lanes(workers)
    for name in names:
        if name not in known:
            raise UnknownLaneError(name, tuple(known))
    return [lane for name, lane in known.items() if not names or name in names]
