"""A server and a load that do nothing but say in which order they were asked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from loadtest.beside import CpuSeconds
from loadtest.experiment import Calibration
from loadtest.lanes import Lane
from loadtest.listening import Listening
from loadtest.load import Latency, LoadError, Measurement, Order
from loadtest.outside import Snapshot
from loadtest.plan import Cell, Turn
from loadtest.results import Trial
from loadtest.server import Reply, ServerError, Usage
from loadtest.trial import Applied, World
from loadtest.two_stages import Decision

BODY = b'{"name":"mars"}'
RATE_RPS = 1000.0


def measurement(order: Order, **changes: object) -> Measurement:
    """Return what a faultless load of `RATE_RPS` would have measured."""
    latency_ms = order.concurrency / RATE_RPS * 1000
    members: dict[str, object] = {
        "requests": order.requests,
        "complete": order.requests,
        "failed": 0,
        "non_2xx": 0,
        "kept_alive": 0,
        "document_bytes": len(BODY),
        "concurrency": order.concurrency,
        "seconds": order.requests / RATE_RPS,
        "throughput_rps": RATE_RPS,
        "total_bytes": order.requests * 200,
        "latency_ms": Latency(latency_ms, latency_ms, latency_ms, latency_ms, latency_ms),
        "offered_rps": order.rate_rps,
    }
    return Measurement(**(members | changes))  # type: ignore[arg-type]


@dataclass
class FakeServer:
    """A server that answers `body`, and remembers being asked."""

    lane: Lane
    world: "FakeWorld"
    startup_s: float = 0.5
    pid: int = 101

    def url(self, target: str) -> str:
        return f"http://{self.lane.name}{target}"

    def reply(self, target: str) -> Reply:
        self.world.events.append("verify")
        return self.world.reply(self.lane.name)

    def serial_s(self, target: str, requests: int) -> list[float]:
        self.world.events.append(f"serial {requests}")
        return [self.world.serial_s] * requests

    def workers(self) -> frozenset[int]:
        return frozenset(self.world.workers)

    def usage(self) -> Usage:
        self.world.cpu_s += self.world.cpu_step_s
        return Usage(dict.fromkeys(self.world.workers, self.world.cpu_s), 64.0)

    def ended(self) -> str | None:
        return self.world.ended

    def listening(self) -> Listening:
        return Listening(128, self.world.overflows)

    def log_end(self) -> str:
        return "the end of the log"


@dataclass
class FakeWorld:
    """The events of a run in their order, and what is to go wrong in it."""

    events: list[str] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    reply: Callable[[str], Reply] = lambda lane: Reply(200, BODY)
    workers: set[int] = field(default_factory=lambda: {101})
    replacing: set[int] = field(default_factory=set)  # the workers after a load
    ended: str | None = None
    cpu_s: float = 0.0
    cpu_step_s: float = 1.0  # used between two looks
    load_cpu_s: float = 0.1
    held_s: float = 0.0  # CPU time of slow clients
    held_step_s: float = 0.0
    serial_s: float = 0.001
    looks: Iterator[Snapshot] = field(default_factory=lambda: iter(()))
    not_starting: set[str] = field(default_factory=set)
    load_error: str | None = None
    completed: int | None = None  # by then
    overflows: int = 0
    changes: dict[str, object] = field(default_factory=dict)
    raises: BaseException | None = None
    raises_at: int = 10**9

    lane: str = ""  # that was started or loaded last

    def __post_init__(self) -> None:
        self.changed: Callable[[Order], dict[str, object]] = lambda order: self.changes
        self.fails: Callable[[Order], bool] = lambda order: True

    def world(self) -> World:
        look = partial(next, self.looks, None)
        return World(start=self._start, apply=self._apply, look=look, hold=self._hold)

    @contextmanager
    def _start(self, lane: Lane, folder: Path) -> Iterator[FakeServer]:
        assert not any(folder.iterdir())
        self.events.append(f"start {lane.name}")
        self.lane = lane.name
        workers = self.workers
        if lane.name in self.not_starting:
            raise ServerError("did not start (exit status 1)", "ImportError: no such thing")
        try:
            yield FakeServer(lane, self)
        finally:
            self.workers = workers
            self.events.append("stop")

    @contextmanager
    def _hold(self, slow: str, url: str, folder: Path) -> Iterator[CpuSeconds]:
        assert not any(folder.iterdir())
        self.events.append(f"hold {slow} at {url}")
        self.held_s = 0.0
        try:
            yield self._held
        finally:
            self.events.append("let go")

    def _held(self) -> float:
        self.held_s += self.held_step_s
        return self.held_s

    def _apply(self, load: str, order: Order, seconds: float) -> Applied:
        self.lane = order.url.split("/")[2]
        self.events.append(f"load {order.requests}")
        self.loads.append(load)
        self.orders.append(order)
        if len(self.events) >= self.raises_at and self.raises:
            raise self.raises
        if self.load_error and self.fails(order):
            raise LoadError(self.load_error, self.completed)
        self.workers = self.replacing or self.workers
        return Applied(measurement(order, **self.changed(order)), self.load_cpu_s)


@dataclass
class Watcher:
    """A Progress that remembers."""

    trials: list[Trial] = field(default_factory=list)
    calibrations: list[Calibration] = field(default_factory=list)

    decisions: list[Decision] = field(default_factory=list)

    def calibrating(self, lane: Lane) -> None: ...

    def calibrated(self, cell: Cell, calibration: Calibration) -> None:
        self.calibrations.append(calibration)

    def extended(self, decision: Decision) -> None:
        self.decisions.append(decision)

    def measuring(self, turn: Turn) -> None: ...

    def measured(self, turn: Turn, trial: Trial) -> None:
        self.trials.append(trial)
