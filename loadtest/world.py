"""What acts in a trial: a server that was started, a load that was applied; tests pass fakes."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from loadtest.beside import CpuSeconds
from loadtest.lanes import Lane
from loadtest.listening import Listening
from loadtest.load import Measurement, Order
from loadtest.outside import Snapshot
from loadtest.server import Reply, Usage


class Serving(Protocol):
    """What a trial needs of a running server; `server.Server` is one."""

    @property
    def pid(self) -> int: ...
    @property
    def startup_s(self) -> float: ...
    def url(self, target: str) -> str: ...
    def reply(self, target: str) -> Reply: ...
    def serial_s(self, target: str, requests: int) -> list[float]: ...
    def workers(self) -> frozenset[int]: ...
    def usage(self) -> Usage: ...
    def ended(self) -> str | None: ...
    def log_end(self) -> str: ...
    def listening(self) -> Listening: ...


@dataclass(frozen=True, slots=True)
class Applied:
    """A load that ran to its end: what it measured, and the CPU seconds that it used.

    They are those of all that it started; its supervisor's stand beside.
    """

    measurement: Measurement
    cpu_s: float
    supervisor_cpu_s: float = 0.0


@dataclass(frozen=True, slots=True)
class World:
    """What acts: starts a lane's server in a folder, applies a named load. Tests pass fakes.

    `look` is at what all cores have done; None where that is not to be judged. `hold` opens the
    connections of named slow clients to the server at an address, and tells their CPU seconds.
    """

    start: Callable[[Lane, Path], AbstractContextManager[Serving]]
    apply: Callable[[str, Order, float], Applied]
    look: Callable[[], Snapshot | None]
    hold: Callable[[str, str, Path], AbstractContextManager[CpuSeconds]]
