"""When a server is ready: each of its worker processes has answered, as far as can be seen."""

import http.client
import socket
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

from loadtest import commands, processes
from loadtest.interruption import Interruption
from loadtest.lanes import Lane
from loadtest.replies import ServerError, ask, connected, get
from loadtest.supervised import Supervised

START_TIMEOUT_S = 20.0
ACCEPT_TIMEOUT_S = 0.2  # after which a worker that accepts nothing is taken to be busy
MAX_CONNECTIONS = 200  # 4 to 31 were enough for four workers
# How long a person's own command gets for further workers: nobody knows how many it will have.
SETTLE_S = 5.0
EXIT_S = 0.25  # within which the end of a first process is seen, whose children still answered
NOT_YET = 503  # which a service may answer while it starts


@dataclass(frozen=True, slots=True)
class Starting:
    """A server that is about to be ready: its lane, its first process, its port, its output."""

    lane: Lane
    process: Supervised
    port: int
    log: Path
    interruption: Interruption

    def workers(self) -> frozenset[int]:
        """Return the pids that answer requests."""
        return workers(self.lane, self.process, self.port)

    def step(self) -> None:
        """Wait a little, or raise ServerError where the server has ended."""
        self.interruption.sleep(0.005)
        status = self.process.poll()
        if status is not None:
            why = OWN_ENDED if self.lane.own and status == 0 else ""
            raise ServerError(f"did not start (exit status {status}){why}", end(self.log))


OWN_ENDED = ": the command must stay in the foreground until it is ended"
ELSEWHERE = (
    "what answers is not among the processes that the command has started and kept in its process "
    "group, so that its CPU time cannot be counted: have it stay in the foreground"
)


def workers(lane: Lane, process: Supervised, port: int) -> frozenset[int]:
    """Return the pids that answer requests.

    They are the master's children, or the one process. Of a person's own command they are those
    that hold the listening socket, but for the parents of others that do.
    """
    members = frozenset(process.members())
    if lane.own:
        listening = processes.listening(port, members)
        return listening - processes.parents(listening)
    if not commands.MASTERS[lane.server](lane):
        return members
    return frozenset(pid for pid in members - {process.pid} if not processes.is_tracker(pid))


def wait(starting: Starting) -> None:
    """Return when each worker has answered: the first reply comes with one of four forked.

    Raises ServerError where that does not happen in time.
    """
    if starting.lane.own:
        _wait_for_own(starting)
    else:
        _wait_for_all(starting)


def _wait_for_all(starting: Starting) -> None:
    deadline = time.perf_counter() + START_TIMEOUT_S
    answered: set[int] = set()
    wanted = starting.lane.workers
    while len(answered) < wanted:
        starting.step()
        if time.perf_counter() > deadline:
            raise ServerError(
                f"{len(answered)} of {wanted} workers answered within {START_TIMEOUT_S:g} s",
                end(starting.log),
            )
        with suppress(OSError, http.client.HTTPException):
            answered |= _answering(starting, wanted)


def _wait_for_own(starting: Starting) -> None:
    """Return when the target has answered 200, and each worker that there is then, or soon."""
    _wait_for_answer(starting)
    if not starting.workers():
        starting.interruption.sleep(EXIT_S)
        starting.step()
        raise ServerError(ELSEWHERE, end(starting.log))
    deadline = time.perf_counter() + SETTLE_S
    answered: set[int] = set()
    while time.perf_counter() < deadline:
        wanted = max(starting.lane.workers, len(starting.workers()))
        with suppress(OSError, http.client.HTTPException):
            answered |= _answering(starting, wanted)
        if len(answered) >= wanted:
            return
        starting.step()


def _wait_for_answer(starting: Starting) -> None:
    deadline = time.perf_counter() + START_TIMEOUT_S
    target, said = starting.lane.ready, "nothing"
    while time.perf_counter() < deadline:
        starting.step()
        with suppress(OSError, http.client.HTTPException):
            status = get(starting.port, target).status
            if status == 200:
                return
            said = f"status {status}"
            if status != NOT_YET:
                break
    within = f" within {START_TIMEOUT_S:g} s" if said in ("nothing", f"status {NOT_YET}") else ""
    raise ServerError(f"{target} answered {said}{within}, not status 200", end(starting.log))


def _answering(starting: Starting, wanted: int) -> set[int]:
    """Return the pids of workers that answer now.

    Connections are held open before anything is asked, since a sync worker that has accepted one
    takes no other, so that the next goes to another worker.
    """
    with ExitStack() as held:
        connections: dict[int, socket.socket] = {}
        for _ in range(MAX_CONNECTIONS):
            connection = held.enter_context(closing(connected(starting.port)))
            pid = _owner(starting, connection)
            if pid is None:
                break
            connections.setdefault(pid, connection)
            if len(connections) == wanted:
                break
        ready = starting.lane.ready
        return {pid for pid, held_by in connections.items() if ask(held_by, ready).status == 200}


def _owner(starting: Starting, connection: socket.socket) -> int | None:
    deadline = time.perf_counter() + ACCEPT_TIMEOUT_S
    while time.perf_counter() < deadline:
        ends = connection.getpeername(), connection.getsockname()
        pid = processes.owner(*ends, starting.workers())
        if pid is not None:
            return pid
        starting.interruption.sleep(0.002)
    return None


def end(log: Path, lines: int = 12) -> str:
    """Return the last lines of what a server printed."""
    return "\n".join(log.read_text(errors="replace").strip().splitlines()[-lines:])
