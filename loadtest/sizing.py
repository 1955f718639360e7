"""How many workers a rate of requests needs, by what a run has measured; no table, no text."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, log

from loadtest.lanes import Lane
from loadtest.plan import from_description
from loadtest.summary import BASELINE, Summary

# A worker that is busy at random for 60 % of the time lets a request wait for 1.5 times as long as
# it takes to answer, in the mean (M/M/1: u / (1 - u)); at 80 % it is 4 times, at 90 % 9 times.
UTILISATION = 0.6
P99 = log(100)  # of an exponential distribution, in units of its mean: 4.6


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be served: so many requests per second, 99 in 100 of them within so long."""

    rate_rps: float = 500.0
    p99_ms: float = 50.0


@dataclass(frozen=True, slots=True)
class Stack:
    """A framework on a server: one worker's CPU time per request, and memory by the workers.

    `unloaded_ms` is the middle latency of single requests, where it was measured; `memory_mib`
    what so many workers hold with all that serves them, for the numbers that were measured.
    """

    name: str
    cpu_us: float
    unloaded_ms: float | None
    memory_mib: dict[int, float]


@dataclass(frozen=True, slots=True)
class Memory:
    """What so many workers hold; `at_most` where one number of workers alone was measured."""

    mib: float
    at_most: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """What a stack needs to serve what is asked, and which part of the question decides.

    `workers` is None where no number is enough. `cores` is what they use, at that rate.
    """

    stack: Stack
    workers: int | None
    cores: float
    p99_ms: float  # that is to be expected; where no number is enough, of an idle server
    decides: str
    memory: Memory | None = None


def sizes(summary: Summary, question: Question) -> list[Size]:
    """Return what each stack needs; development servers are not for production."""
    return [size(stack, question) for stack in stacks(summary)]


def size(stack: Stack, question: Question) -> Size:
    """Return how many workers keep within UTILISATION and answer 99 in 100 requests in time.

    Each worker is a queue of its own with random arrivals and an exponential time of service
    (M/M/1), in which 99 in 100 requests are answered within 4.6 s / (1 - u), for a time of
    service s and a utilisation u. A real one's time varies less, so that it waits less.
    """
    service_ms = stack.cpu_us / 1000
    cores = question.rate_rps * stack.cpu_us / 1e6
    idle_ms = max(P99 * service_ms, stack.unloaded_ms or 0.0)
    if idle_ms >= question.p99_ms:
        return Size(stack, None, cores, idle_ms, "p99")
    for_rate = _workers(cores, UTILISATION)
    workers = max(for_rate, _workers(cores, 1 - P99 * service_ms / question.p99_ms))
    return Size(
        stack,
        workers,
        cores,
        p99_ms=max(idle_ms, P99 * service_ms / (1 - cores / workers)),
        decides="p99" if workers > for_rate else "rate" if workers > 1 else "one is the least",
        memory=memory(stack, workers),
    )


def _workers(cores: float, utilisation: float) -> int:
    return max(1, ceil(cores / utilisation - 1e-9))  # 3.0000000001 is 3


def memory(stack: Stack, workers: int) -> Memory | None:
    """Return what so many workers hold: a straight line through the fewest and most measured."""
    if not stack.memory_mib:
        return None
    (few, at_few), (many, at_many) = min(stack.memory_mib.items()), max(stack.memory_mib.items())
    if few == many:
        # What workers share counts again with each `few` more, so this is at most what they hold.
        return Memory(at_few * max(1.0, workers / few), workers != few)
    further_mib = max(0.0, at_many - at_few) / (many - few)
    return Memory(at_few + (workers - few) * further_mib)


def stacks(summary: Summary) -> Iterator[Stack]:
    """Yield each framework and server that a lane of the run has, but development servers.

    The CPU time is that of the lane with the fewest workers: of more than there are cores it
    holds what they cost each other.
    """
    plan = from_description(summary.run.description["plan"])
    lanes = dict.fromkeys(c.lane for c in plan.cells if c.workload == summary.workload)
    kinds: dict[Lane, list[Lane]] = {}
    for lane in sorted(lanes, key=lambda lane: lane.workers):
        if lane.server != BASELINE.key and not lane.twin and summary.trials(lane.name):
            kinds.setdefault(replace(lane, workers=1), []).append(lane)
    for kind, measured in kinds.items():
        yield _stack(summary, kind.name, measured)


def _stack(summary: Summary, name: str, lanes: list[Lane]) -> Stack:
    cpu_us = summary.cpu_us(lanes[0].name)
    assert cpu_us is not None  # it has a valid trial
    held = {lane.workers: summary.middle(lane.name, lambda t: t.memory_mib) for lane in lanes}
    return Stack(
        name,
        cpu_us.estimate,
        summary.middle(lanes[0].name, lambda t: t.serial_ms),
        {workers: mib for workers, mib in held.items() if mib is not None},
    )
