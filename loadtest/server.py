"""A lane's server: started in its own process group, ready, watched, ended."""

import http.client
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from loadtest import nginx, ports, processes, readiness
from loadtest.interruption import Interruption
from loadtest.lanes import Lane
from loadtest.listening import Listening, listening
from loadtest.replies import HOST as HOST
from loadtest.replies import REPLY_TIMEOUT_S, get
from loadtest.replies import Reply as Reply
from loadtest.replies import ServerError as ServerError
from loadtest.supervised import Supervised

ROOT = Path(__file__).parents[1]
EXPERIMENT = {"PLANETTRACKER_EXPERIMENT": "1"}  # turns on the route that waits

STOP_TIMEOUT_S = 3.0
PROXY_TIMEOUT_S = 5.0

# What changes a server from outside. A gunicorn.conf.py does too: servers start in a folder of
# their own.
FOREIGN_PREFIXES = (
    *("AIOHTTP_", "FLASK_", "GEVENT_", "GRANIAN_", "GUNICORN_", "PYTHON", "UVICORN_"),
    "WERKZEUG_",
)
FOREIGN_SUFFIXES = ("_NO_EXTENSIONS",)  # of multidict, yarl and others: aiohttp at half its speed
FOREIGN_VARIABLES = (
    *("FORWARDED_ALLOW_IPS", "HOST", "NOTIFY_SOCKET", "PORT", "SCRIPT_NAME", "SENDFILE"),
    *("SERVER_SOFTWARE", "WEB_CONCURRENCY"),
)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a server's processes have used so far: CPU seconds by pid; and hold in memory."""

    cpu_s: dict[int, float]
    memory_mib: float


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; `process` is its first process, and what that has started.

    Behind a proxy `port` is the proxy's, and `own_port` the server's own.
    """

    lane: Lane
    port: int
    process: Supervised
    log: Path
    startup_s: float
    own_port: int
    proxy: Supervised | None = None

    @property
    def pid(self) -> int:
        """Return the pid of the first process."""
        return self.process.pid

    def url(self, target: str) -> str:
        """Return the address of a target such as /healthz."""
        return f"http://{HOST}:{self.port}{target}"

    def workers(self) -> frozenset[int]:
        """Return the pids that answer requests: the server's own, not a proxy's."""
        return readiness.workers(self.lane, self.process, self.own_port)

    def reply(self, target: str) -> Reply:
        """Return the answer to one GET on a fresh connection, or raise ServerError."""
        try:
            return get(self.port, target)
        except (OSError, http.client.HTTPException) as error:
            raise ServerError(f"no reply to {target}: {error!r}", self.log_end()) from None

    def serial_s(self, target: str, requests: int) -> list[float]:
        """Return how long each GET took, one after another on one connection; or ServerError."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=REPLY_TIMEOUT_S)
        took_s = []
        try:
            with closing(connection):
                for _ in range(requests):
                    began = time.perf_counter()
                    connection.request("GET", target)
                    connection.getresponse().read()
                    took_s.append(time.perf_counter() - began)
        except (OSError, http.client.HTTPException) as error:
            raise ServerError(f"no reply to {target}: {error!r}", self.log_end()) from None
        return took_s

    def usage(self) -> Usage:
        """Return what all its processes have used since they started, a proxy's too."""
        members = self.process.members() + (self.proxy.members() if self.proxy else [])
        return Usage(processes.cpu_seconds(members), processes.memory_mib(members))

    def ended(self) -> str | None:
        """Return how the first process ended, or the proxy's; None while both live."""
        for name, process in (("the server", self.process), (self.lane.behind, self.proxy)):
            status = process.poll() if process else None
            if status is not None:
                return f"{name} {_how(status)}"
        return None

    def listening(self) -> Listening:
        """Return what the kernel says of the port that the clients connect to."""
        return listening(self.port)

    def log_end(self) -> str:
        """Return the last lines that the server printed."""
        return readiness.end(self.log)


def _how(status: int) -> str:
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"ended with exit status {status}"


def foreign_variables() -> list[str]:
    """Return the names of the variables that would change a server, and are kept from it."""
    return sorted(
        name
        for name in os.environ
        if name.startswith(FOREIGN_PREFIXES)
        or name.endswith(FOREIGN_SUFFIXES)
        or name in FOREIGN_VARIABLES
    )


@contextmanager
def running(
    lane: Lane, folder: Path, interruption: Interruption, cores: Iterable[int] = ()
) -> Iterator[Server]:
    """Start the lane's server in an existing, empty folder; end it and all that it started.

    It runs on the cores given, or on all, and is handed over when each of its workers has
    answered, behind its proxy if it has one. Its output goes to `server.log` in the folder: a pipe
    that nobody reads would stop it at 64 KiB. Raises ServerError when it does not come up, or
    leaves its port taken.
    """
    log, port, began = folder / "server.log", _free_port(), time.perf_counter()
    with log.open("ab") as output:
        process = _started(lane, port, folder, output, cores)
        try:
            readiness.wait(readiness.Starting(lane, process, port, log, interruption))
            served = Server(lane, port, process, log, time.perf_counter() - began, port)
            if lane.behind:
                with _behind(served, folder, output, cores, interruption) as proxied:
                    yield proxied
            else:
                yield served
        finally:
            _stop(process, port)


def _started(
    lane: Lane, port: int, folder: Path, output: BinaryIO, cores: Iterable[int]
) -> Supervised:
    try:
        return Supervised(
            lane.command(sys.executable, HOST, port),
            stdout=output,
            stderr=output,
            cwd=Path(lane.folder or folder),
            env=_environment(lane),
            cores=cores,
        )
    except OSError as error:
        raise ServerError(f"did not start: {error.strerror}: {error.filename}") from None


@contextmanager
def _behind(
    served: Server,
    folder: Path,
    output: BinaryIO,
    cores: Iterable[int],
    interruption: Interruption,
) -> Iterator[Server]:
    """Yield the server behind its proxy, when that answers."""
    port = _free_port()
    try:
        proxy = nginx.start(port, served.own_port, folder, output, cores)
    except OSError as error:
        raise ServerError(f"nginx did not start: {error.strerror}") from None
    try:
        proxied = replace(served, port=port, proxy=proxy)
        _wait_for_proxy(proxied, interruption)
        yield proxied
    finally:
        _stop(proxy, port)


def _wait_for_proxy(proxied: Server, interruption: Interruption) -> None:
    deadline = time.perf_counter() + PROXY_TIMEOUT_S
    while time.perf_counter() < deadline:
        if ended := proxied.ended():
            raise ServerError(f"did not start: {ended}", proxied.log_end())
        with suppress(OSError, http.client.HTTPException):
            get(proxied.port, proxied.lane.ready)
            return
        interruption.sleep(0.005)
    raise ServerError(f"nginx did not answer within {PROXY_TIMEOUT_S:g} s", proxied.log_end())


def _environment(lane: Lane) -> dict[str, str]:
    foreign = foreign_variables()
    kept = {name: value for name, value in os.environ.items() if name not in foreign}
    return kept if lane.own else {**kept, "PYTHONPATH": str(ROOT), **EXPERIMENT}


def _free_port() -> int:
    try:
        return ports.free(ports.SERVERS)
    except OSError as error:
        raise ServerError(str(error)) from None


def _stop(process: Supervised, port: int) -> None:
    process.stop(STOP_TIMEOUT_S)
    if not ports.is_free(port):
        raise ServerError(f"port {port} is still taken after the server was ended")
