"""What makes a trial count for nothing: a reply that is not as it should be, and rules."""

from dataclasses import dataclass

from loadtest import loads
from loadtest.load import Measurement
from loadtest.plan import Cell
from loadtest.server import Reply

LITTLE_TOLERANCE = 0.1
RATE_TOLERANCE = 0.05  # of the rate at which requests were to come
MOST_LATE_MS = 5.0  # h2load's clocks tick each millisecond, and a busy machine is later
MOST_EDGES = 0.5  # of a load's time
# Loads whose clients have each their part of the requests from the start: those of a worker with
# few connections are done long before the others.
FIXED_PARTS = ("h2load",)
# Above it the load generator itself, which is one thread, may be what limits the trial.
MOST_LOAD_CORES = 0.8

BEFORE = "before, as one without a fixed time does; ask for a --target whose reply stays the same"
MOST = "most lanes"


@dataclass(frozen=True, slots=True)
class Size:
    """How long a cell's trials are, in requests, and what the reply of each must be.

    `not_run` is why no trial is run, if none is: a lane that did not start when it was calibrated
    is not started again, each time for as long, and of a speed that is not known there is no share.
    """

    requests: int
    warmup_requests: int
    seconds: float
    body: bytes | None
    not_run: str | None = None
    log: str | None = None  # what it printed then
    rate_rps: float | None = None  # at which requests come, in an open loop
    whose: str = MOST  # the body is


class InvalidTrialError(Exception):
    """A trial that counts for nothing, and why."""


def verify(reply: Reply, body: bytes | None, than: str = MOST) -> None:
    """Raise InvalidTrialError unless the reply is 200 and has the body, where one is known."""
    if reply.status != 200:
        raise InvalidTrialError(f"the target answered status {reply.status}, not 200")
    if body is not None and reply.body != body:
        raise InvalidTrialError(
            f"the target answered other bytes than {than} ({len(reply.body)} bytes against "
            f"{len(body)}; the first difference is at byte {_difference(reply.body, body)})"
        )


def _difference(a: bytes, b: bytes) -> int:
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _incomplete(measured: Measurement, cell: Cell, size: Size) -> str | None:
    if measured.complete != size.requests:
        return f"{measured.complete} of {size.requests} requests were completed"
    return None


def _failed(measured: Measurement, cell: Cell, size: Size) -> str | None:
    if not measured.failed:
        return None
    kinds = ", ".join(f"{kind} {count}" for kind, count in measured.failures.items() if count)
    return f"{measured.failed} requests failed ({kinds})"


def _not_2xx(measured: Measurement, cell: Cell, size: Size) -> str | None:
    return f"{measured.non_2xx} replies were not 2xx" if measured.non_2xx else None


def _other_length(measured: Measurement, cell: Cell, size: Size) -> str | None:
    if size.body is None or measured.document_bytes == len(size.body):
        return None
    return f"replies had {measured.document_bytes} bytes, the verified one {len(size.body)}"


def _keep_alive(measured: Measurement, cell: Cell, size: Size) -> str | None:
    """Of a lane of which nobody has said it, all replies are kept alive or none, as is seen."""
    if cell.lane.keeps_alive is None and cell.workload.keep_alive:
        return _mixed(measured)
    kept = cell.lane.keeps_alive and cell.workload.keep_alive
    expected = measured.complete if kept else 0
    if measured.kept_alive == expected or (measured.kept_alive is None and not kept):
        return None
    if measured.kept_alive is None and loads.is_client(cell.workload.load):
        return None  # in a burst each request has a connection of its own, kept or not
    if measured.kept_alive is None:
        return f"the load does not show that all {expected} replies were kept alive"
    return f"{measured.kept_alive} of {measured.complete} replies were kept alive, not {expected}"


def _mixed(measured: Measurement) -> str | None:
    if measured.kept_alive in (None, 0, measured.complete):
        return None
    return (
        f"{measured.kept_alive} of {measured.complete} replies were kept alive: neither all nor "
        "none; have the server keep a connection for any number of requests, or for one"
    )


def _little(measured: Measurement, cell: Cell, size: Size) -> str | None:
    """Little's law: in the mean, concurrency = throughput x latency.

    As the load begins and ends fewer requests are under way, which a short one shows: the end
    may last as long as the slowest request. Of half the time they excuse nothing. In an open loop
    as many are under way as happen to be.
    """
    if size.rate_rps is not None:
        return None
    if measured.latency_ms is None:
        return "the load gave no latencies"
    if loads.is_client(cell.workload.load):
        return None  # a burst: there is no steady number of requests under way
    concurrency = measured.throughput_rps * measured.latency_ms.mean / 1000
    share = concurrency / measured.concurrency
    if 1 - LITTLE_TOLERANCE - _edges(measured, cell) <= share <= 1 + LITTLE_TOLERANCE:
        return None
    return (
        f"throughput times mean latency is {concurrency:.1f}, "
        f"{measured.concurrency} requests were under way (Little's law)"
    )


def _edges(measured: Measurement, cell: Cell) -> float:
    """Return for which share of a load's time fewer requests may be under way."""
    fixed_parts = cell.lane.spread and cell.workload.load in FIXED_PARTS
    if fixed_parts or loads.is_busy(cell.workload.load):
        return MOST_EDGES
    edges = measured.concurrency / measured.complete
    if measured.seconds and measured.latency_ms:
        edges += measured.latency_ms.max / 1000 / measured.seconds
    return min(edges, MOST_EDGES)


def _rate(measured: Measurement, cell: Cell, size: Size) -> str | None:
    """An open loop: requests are due at the rate asked for, and sent then, but for the server.

    That it cannot keep up is no fault of the trial, but what the trial is about.
    """
    if size.rate_rps is None:
        return None
    if measured.latency_ms is None or measured.offered_rps is None:
        return "the load kept no rate"
    if abs(measured.offered_rps / size.rate_rps - 1) > RATE_TOLERANCE:
        return f"requests came at {measured.offered_rps:,.1f} a second, not {size.rate_rps:,.1f}"
    if measured.late_ms is not None and measured.late_ms > MOST_LATE_MS:
        return f"the load itself sent its requests {measured.late_ms:.1f} ms after they were due"
    return None


RULES = (_incomplete, _failed, _not_2xx, _other_length, _keep_alive, _little, _rate)
# Where failed requests are counted: what is answered must be what was verified all the same.
RULES_OF_FAILING = (_not_2xx, _other_length)


def fault(measured: Measurement, cell: Cell, size: Size) -> str | None:
    """Return the first rule that the measurement breaks, in words, or None."""
    rules = RULES_OF_FAILING if cell.workload.failing else RULES
    reasons = (rule(measured, cell, size) for rule in rules)
    return next((reason for reason in reasons if reason), None)


def overloaded(load_cores: float, cell: Cell) -> str | None:
    """Return that the load itself was busy, in words, or None."""
    if load_cores <= MOST_LOAD_CORES or loads.is_client(cell.workload.load):
        return None
    return (
        f"{cell.workload.load} used {100 * load_cores:.0f} % of a core: "
        "the load, not the server, may have been the limit"
    )
