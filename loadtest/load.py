"""What every load generator has in common: what it is asked, what it measures, how it fails."""

import re
import signal
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

US_PER_MS = 1000.0


@dataclass(frozen=True, slots=True)
class Order:
    """One load, as it is asked for; `scratch` is a folder of its own, for the files it leaves."""

    url: str
    requests: int
    concurrency: int
    keep_alive: bool
    scratch: Path
    rate_rps: float | None = None  # at which requests are sent; None: each after a reply
    failing: bool = False  # whether the load goes on when requests fail
    timeout_s: int | None = None  # after which a client gives up; None: the load's own


@dataclass(frozen=True, slots=True)
class Latency:
    """How long requests took, in milliseconds."""

    mean: float
    p50: float
    p90: float
    p99: float
    max: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one load measured, true as reported; whether it counts is for the experiment to say."""

    requests: int  # asked for
    complete: int
    failed: int  # by the generator's own count, which may count one request more than once
    non_2xx: int
    kept_alive: int | None  # None: the generator does not tell
    document_bytes: int | None  # None: not the same for each reply
    concurrency: int
    seconds: float
    throughput_rps: float
    total_bytes: int  # headers included
    failures: Mapping[str, int] = field(default_factory=dict)  # by kind; empty when none failed
    latency_ms: Latency | None = None  # None: no percentiles were asked for
    user_s: float | None = None  # CPU seconds, where the client counts its own
    system_s: float | None = None
    process_cores: float | None = None  # of its busiest process, where it has several
    offered_rps: float | None = None  # at which requests were due, in an open loop
    late_ms: float | None = None  # by which the load itself was late with them, in the middle


class LoadError(Exception):
    """A load that gave no measurement, and why: "ab: connection refused (exit 111)".

    It may have given up for what the server did: then `gave_up` is true, and `complete` is how many
    requests it had completed by then, None where it does not say. All else says nothing of the
    server: a load that lacks files or ports, was ended, or cannot be read.
    """

    def __init__(self, reason: str, complete: int | None = None, gave_up: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.complete = complete
        self.gave_up = gave_up or complete is not None


class LoadMissingError(Exception):
    """A load generator that is not installed, and what to install."""

    def __init__(self, program: str, install: str) -> None:
        super().__init__(f"{program} is not installed; to install it: {install}")
        self.program = program
        self.install = install


class Load(Protocol):
    """A load generator: says what to run, and reads what came of it; the experiment runs it."""

    @property
    def name(self) -> str: ...

    def command(self, order: Order) -> list[str]:
        """Return the command line to run, or raise ValueError for a URL that it would break.

        Raises LoadError for what it cannot do, such as a rate.
        """

    def parse(self, order: Order, exit_status: int, stdout: str, stderr: str) -> Measurement:
        """Return what the command measured, its files in `scratch` too, or raise LoadError."""

    def version(self) -> str:
        """Return the version of the program that the command runs, or raise LoadError."""


def check_url(url: str) -> None:
    """Raise ValueError for a URL that a generator would send broken."""
    if re.search(r"[\s\x00-\x1f\x7f]", url):
        raise ValueError(f"white space or control character in {url!r}")


def signal_that_ended(exit_status: int) -> str | None:
    """Return "ended by SIGTERM" where that is what an exit status says, a shell's included."""
    number = -exit_status if exit_status < 0 else exit_status - 128
    try:
        return f"ended by {signal.Signals(number).name}"
    except ValueError:
        return None


def why(exit_status: int, stderr: str) -> str:
    """Return the signal that ended a load, or the last that it said."""
    said = [line for line in map(str.strip, stderr.splitlines()) if line]
    return signal_that_ended(exit_status) or (said[-1] if said else "unknown failure")


def latency_ms(took: Iterable[float], per_ms: float = 1.0) -> Latency:
    """Return the latencies of so many replies: their mean, and percentiles by ab's rank.

    What they took is in milliseconds, or in a unit of which a millisecond has so many.
    """
    ordered = sorted(took)
    count = len(ordered)
    ranks = [min(int(0.5 + count * percent / 100), count - 1) for percent in (50, 90, 99)]
    p50, p90, p99 = (ordered[rank] / per_ms for rank in ranks)
    return Latency(sum(ordered) / count / per_ms, p50, p90, p99, ordered[-1] / per_ms)
