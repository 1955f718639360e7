"""A lane's server: started in its own process group, ready, watched, ended."""

import http.client
import os
import random
import signal
import socket
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from loadtest import processes
from loadtest.interruption import Interruption
from loadtest.lanes import Lane
from loadtest.supervised import Supervised

HOST = "127.0.0.1"  # `localhost` may be ::1, where nobody listens
ROOT = Path(__file__).parents[1]
HEALTH = "/healthz"
EXPERIMENT = {"PLANETTRACKER_EXPERIMENT": "1"}  # turns on the route that waits

START_TIMEOUT_S = 20.0
STOP_TIMEOUT_S = 3.0
REPLY_TIMEOUT_S = 5.0
ACCEPT_TIMEOUT_S = 0.2  # after which a worker that accepts nothing is taken to be busy
MAX_CONNECTIONS = 200  # 4 to 31 were enough for four workers

# What changes a server from outside. A gunicorn.conf.py does too: servers start in a folder of
# their own.
FOREIGN_PREFIXES = ("AIOHTTP_", "FLASK_", "GUNICORN_", "PYTHON", "WERKZEUG_")
FOREIGN_SUFFIXES = ("_NO_EXTENSIONS",)  # of multidict, yarl and others: aiohttp at half its speed
FOREIGN_VARIABLES = (
    *("FORWARDED_ALLOW_IPS", "HOST", "NOTIFY_SOCKET", "PORT", "SCRIPT_NAME", "SENDFILE"),
    *("SERVER_SOFTWARE", "WEB_CONCURRENCY"),
)


class ServerError(Exception):
    """A server that did not start or did not stop; `log` is the end of what it printed."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.log = log


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered to one request."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Usage:
    """What a server's processes have used so far: CPU seconds by pid; and hold in memory."""

    cpu_s: dict[int, float]
    memory_mib: float


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; `process` is its first process, and what that has started."""

    lane: Lane
    port: int
    process: Supervised
    log: Path
    startup_s: float

    @property
    def pid(self) -> int:
        """Return the pid of the first process."""
        return self.process.pid

    def url(self, target: str) -> str:
        """Return the address of a target such as /healthz."""
        return f"http://{HOST}:{self.port}{target}"

    def workers(self) -> frozenset[int]:
        """Return the pids that answer requests: the master's children, or the one process."""
        return _workers(self.lane, self.process)

    def reply(self, target: str) -> Reply:
        """Return the answer to one GET on a fresh connection, or raise ServerError."""
        try:
            with closing(
                socket.create_connection((HOST, self.port), REPLY_TIMEOUT_S)
            ) as connection:
                return _ask(connection, target)
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
        """Return what the whole group has used since it started."""
        members = self.process.members()
        return Usage(processes.cpu_seconds(members), processes.memory_mib(members))

    def ended(self) -> str | None:
        """Return how the first process ended, None while it lives."""
        status = self.process.poll()
        if status is None:
            return None
        if status < 0:
            return f"the server was killed by {signal.Signals(-status).name}"
        return f"the server ended with exit status {status}"

    def log_end(self) -> str:
        """Return the last lines that the server printed."""
        return _end(self.log)


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
    answered. Its output goes to `server.log` in the folder: a pipe that nobody reads would stop
    it at 64 KiB. Raises ServerError when it does not come up, or leaves its port taken.
    """
    log = folder / "server.log"
    port = _free_port()
    with log.open("wb") as output:
        process = Supervised(
            lane.command(sys.executable, HOST, port),
            stdout=output,
            stderr=output,
            cwd=folder,
            env=_environment(),
            cores=cores,
        )
    began = time.perf_counter()
    try:
        _wait_for_workers(lane, process, port, log, interruption)
        yield Server(lane, port, process, log, time.perf_counter() - began)
    finally:
        _stop(process, port)


def _environment() -> dict[str, str]:
    foreign = foreign_variables()
    kept = {name: value for name, value in os.environ.items() if name not in foreign}
    return {**kept, "PYTHONPATH": str(ROOT), **EXPERIMENT}


def _free_port() -> int:
    # Below the range of ports from which clients' ends are taken, as ab's are.
    for port in random.sample(range(20000, 30000), 100):
        if _is_free(port):
            return port
    raise ServerError("no free port from 20000 to 30000")


def _is_free(port: int) -> bool:
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _workers(lane: Lane, process: Supervised) -> frozenset[int]:
    members = frozenset(process.members())
    return members if lane.server == "dev" else members - {process.pid}


def _wait_for_workers(
    lane: Lane,
    process: Supervised,
    port: int,
    log: Path,
    interruption: Interruption,
) -> None:
    """Return when each worker has answered: the first reply comes with one of four forked."""
    deadline = time.perf_counter() + START_TIMEOUT_S
    answered: set[int] = set()
    while len(answered) < lane.workers:
        interruption.sleep(0.005)
        status = process.poll()
        if status is not None:
            raise ServerError(f"did not start (exit status {status})", _end(log))
        if time.perf_counter() > deadline:
            raise ServerError(
                f"{len(answered)} of {lane.workers} workers answered within {START_TIMEOUT_S:g} s",
                _end(log),
            )
        with suppress(OSError, http.client.HTTPException):
            answered |= _answering(lane, process, port, interruption)


def _answering(lane: Lane, process: Supervised, port: int, interruption: Interruption) -> set[int]:
    """Return the pids of workers that answer now.

    Connections are held open before anything is asked, since a sync worker that has accepted one
    takes no other, so that the next goes to another worker.
    """
    with ExitStack() as held:
        connections: dict[int, socket.socket] = {}
        for _ in range(MAX_CONNECTIONS):
            connection = held.enter_context(
                closing(socket.create_connection((HOST, port), REPLY_TIMEOUT_S))
            )
            pid = _owner(lane, process, connection, interruption)
            if pid is None:
                break
            connections.setdefault(pid, connection)
            if len(connections) == lane.workers:
                break
        return {pid for pid, held_by in connections.items() if _ask(held_by, HEALTH).status == 200}


def _owner(
    lane: Lane, process: Supervised, connection: socket.socket, interruption: Interruption
) -> int | None:
    deadline = time.perf_counter() + ACCEPT_TIMEOUT_S
    while time.perf_counter() < deadline:
        ends = connection.getpeername(), connection.getsockname()
        pid = processes.owner(*ends, _workers(lane, process))
        if pid is not None:
            return pid
        interruption.sleep(0.002)
    return None


def _ask(connection: socket.socket, target: str) -> Reply:
    request = f"GET {target} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
    connection.sendall(request.encode("ascii"))
    with closing(http.client.HTTPResponse(connection)) as response:
        response.begin()
        return Reply(response.status, response.read())


def _stop(process: Supervised, port: int) -> None:
    process.stop(STOP_TIMEOUT_S)
    if not _is_free(port):
        raise ServerError(f"port {port} is still taken after the server was ended")


def _end(log: Path, lines: int = 12) -> str:
    return "\n".join(log.read_text(errors="replace").strip().splitlines()[-lines:])
