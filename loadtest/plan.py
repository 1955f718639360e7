"""What a run will do: cells, blocks, and the order that a seed gives them."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from loadtest.lanes import Lane, twin
from loadtest.pinning import Pin

# One fixed instant: every reply has the same bytes, so that another length is an error. Near
# Melbourne, as in the article.
HEALTH = "/healthz"
WAIT = "/wait"
MARS = "/planets/mars?lon=145.051&lat=-39.754&elevation=0&time=2018-09-22T12:00:00Z"

# The first requests of a process cost up to a fifth more CPU; after 500 that is over.
SETTLED_REQUESTS = 500
SETTLING_S = 1.0
WARM_REQUESTS = 2000
WARM_S = 0.3

# Of a load that may fail: at 600 requests a second 30,000 would take 50 s. And how many clients at
# most calibrate and warm up: these must not fail.
MOST_REQUESTS = 50_000
LONGEST_S = 4.0
MODEST_CLIENTS = 20

LEAST_PILOT = 8


class TargetError(ValueError):
    """A target that cannot be asked for; the message says what can."""


def check_target(target: str) -> None:
    """Raise TargetError unless every load sends the target as it is."""
    if not re.fullmatch("/[!-~]*", target):
        raise TargetError(
            "--target must be an ASCII path without spaces such as /planets?time=2026-01-01T00:00Z"
        )


def waiting(ms: int) -> str:
    """Return the target that answers after so long."""
    return f"{WAIT}?ms={ms}"


def wait_ms(target: str) -> float:
    """Return how long a target waits by itself, 0 for one that does not."""
    found = re.fullmatch(rf"{WAIT}\?ms=(\d+)", target)
    return float(found[1]) if found else 0.0


@dataclass(frozen=True, slots=True)
class Workload:
    """What is asked of a lane: a target, by so many clients at once, over which load.

    With a `share` the requests come at that share of what the lane answers when it is asked
    without a pause (0.5 is half), whether or not it answers: an open loop. `slow` names clients
    that are beside the load, as slow_clients.py has them. Where what fails is what is asked about,
    the load is `failing`: failed requests are counted, and are no fault of the trial.
    """

    target: str = MARS
    concurrency: int = 20
    keep_alive: bool = True
    load: str = "ab"
    share: float | None = None
    slow: str = ""
    failing: bool = False


def modest(workload: Workload) -> Workload:
    """Return the workload by which one is calibrated and warmed up: one that does not fail."""
    if not workload.failing:
        return workload
    clients = min(workload.concurrency, MODEST_CLIENTS)
    return replace(workload, concurrency=clients, failing=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing to measure, once in every block."""

    lane: Lane
    workload: Workload


@dataclass(frozen=True, slots=True)
class TwoStages:
    """Stein's rule: the spread over the first `pilot` blocks says how many there must be.

    `half_width` is that of the headline's intervals, as a share of the ratio (0.03 is 3 %), and
    `patience_s` how long the blocks after the pilot may take.
    """

    half_width: float
    pilot: int = LEAST_PILOT
    patience_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Expected:
    """What every lane must answer, and the file that said so; its bytes as latin-1."""

    file: str
    body: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The cells of a run, the number of blocks, and the seed of their order.

    `workloads` are those that the run's question is about, one for each load; a cell with any
    other serves to explain it. A trial lasts about `seconds`, unless `requests` fixes its length
    for every cell. With several `slices` the servers of a block run at once, and the loads are put
    on a slice at a time, in turn. Each client has at least so many `rounds`, on average: with fewer
    a trial of many clients at a slow lane is but its beginning. With `two_stages` the blocks are at
    first those of the pilot. If `noisy`, load from outside does not make a trial invalid. The
    `question` is the command that made the plan, which says how it is reported, and `asked` the
    command's own options. Where nothing is `expected`, lanes must answer what most of them do.
    """

    cells: tuple[Cell, ...]
    blocks: int = 10
    seconds: float = 1.25
    requests: int | None = None
    seed: int = 1
    two_stages: TwoStages | None = None
    all_pairs: bool = False
    noisy: bool = False
    pin: Pin | None = None
    slices: int = 1
    rounds: int = 1
    question: str = "run"
    asked: tuple[str, ...] = ()
    expected: Expected | None = None

    @property
    def workloads(self) -> tuple[Workload, ...]:
        """Return the first workload of each load."""
        found: dict[str, Workload] = {}
        for cell in self.cells:
            found.setdefault(cell.workload.load, cell.workload)
        return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Turn:
    """One cell's trial in one block, both counted from 1."""

    position: int
    block: int
    cell: Cell


def schedule(plan: Plan) -> Iterator[Turn]:
    """Yield the turns in order: in each block every cell once, shuffled by the plan's seed."""
    order = random.Random(plan.seed)
    position = 0
    for block in range(1, plan.blocks + 1):
        for cell in order.sample(plan.cells, len(plan.cells)):
            position += 1
            yield Turn(position, block, cell)


def cells(
    lanes: Sequence[Lane], workloads: Sequence[Workload], deciding: Workload, aa: bool
) -> tuple[Cell, ...]:
    """Return the cells of the run's question: each lane under each workload that is fair to it.

    With `aa` a twin under the deciding one too. A lane for production with one worker that keeps
    connections alive is measured once without, since that is part of its lead.
    """
    found = [Cell(lane, load) for load in workloads for lane in lanes if lane.takes(load.load)]
    judged = [lane for lane in lanes if lane.takes(deciding.load)]
    if aa and judged:
        found.append(Cell(twin(judged), deciding))
    closed = replace(deciding, keep_alive=False)
    found += [Cell(lane, closed) for lane in judged if deciding.keep_alive and _keeps_alone(lane)]
    return tuple(found)


def _keeps_alone(lane: Lane) -> bool:
    alone = lane.workers == 1 and lane.server != "dev" and not lane.behind
    return alone and bool(lane.keeps_alive)


def label(plan: Plan, cell: Cell) -> str:
    """Return the lane's name, and in brackets what else tells the cell from others of the plan."""
    workloads = [other.workload for other in plan.cells]
    marks = [
        mark
        for name, of in MARKS.items()
        if len({getattr(workload, name) for workload in workloads}) > 1
        and (mark := of(cell.workload))
    ]
    return f"{cell.lane.name} ({', '.join(marks)})" if marks else cell.lane.name


def _clients(number: int) -> str:
    return "1 client" if number == 1 else f"{number:,} clients"


MARKS: Mapping[str, Callable[[Workload], str]] = {
    "load": lambda workload: workload.load,
    "target": lambda workload: workload.target.partition("?")[0],
    "keep_alive": lambda workload: "" if workload.keep_alive else "no keep-alive",
    "concurrency": lambda workload: _clients(workload.concurrency),
    "share": lambda workload: f"{workload.share:.0%}" if workload.share else "",
    "slow": lambda workload: workload.slow,
}


def described(plan: Plan) -> dict[str, Any]:
    """Return the plan as run.json has it."""
    lanes = {cell.lane.name: cell.lane for cell in plan.cells}
    return {
        "lanes": [{"name": name, **asdict(lane)} for name, lane in lanes.items()],
        "cells": [{"lane": c.lane.name, "workload": asdict(c.workload)} for c in plan.cells],
        "blocks": plan.blocks,
        "seconds": plan.seconds,
        "requests": plan.requests,
        "seed": plan.seed,
        "two_stages": asdict(plan.two_stages) if plan.two_stages else None,
        "all_pairs": plan.all_pairs,
        "noisy": plan.noisy,
        "pin": asdict(plan.pin) if plan.pin else None,
        "slices": plan.slices,
        "rounds": plan.rounds,
        "question": plan.question,
        "asked": list(plan.asked),
        "expected": asdict(plan.expected) if plan.expected else None,
    }


def from_description(description: Mapping[str, Any]) -> Plan:
    """Return the plan that `described` has described."""
    lanes = {}
    for row in description["lanes"]:
        lanes[row["name"]] = Lane(**{name: row[name] for name in row if name != "name"})
    two_stages, pin = description["two_stages"], description.get("pin")
    expected = description.get("expected")
    return Plan(
        cells=tuple(
            Cell(lanes[row["lane"]], Workload(**row["workload"])) for row in description["cells"]
        ),
        blocks=description["blocks"],
        seconds=description["seconds"],
        requests=description["requests"],
        seed=description["seed"],
        two_stages=TwoStages(**two_stages) if two_stages else None,
        all_pairs=description["all_pairs"],
        noisy=description["noisy"],
        pin=Pin(tuple(pin["server"]), tuple(pin["load"])) if pin else None,
        slices=description.get("slices", 1),
        rounds=description.get("rounds", 1),
        question=description.get("question", "run"),
        asked=tuple(description.get("asked", ())),
        expected=Expected(**expected) if expected else None,
    )


def trial_requests(plan: Plan, workload: Workload, rate_rps: float) -> int:
    """Return how many requests a trial has; one that may fail has no more than time is for."""
    planned = round(rate_rps * plan.seconds)
    least = workload.concurrency * max(plan.slices, plan.rounds)
    if not workload.failing:
        return max(planned, least)
    bounded = min(max(planned, least), round(rate_rps * LONGEST_S), MOST_REQUESTS)
    return max(bounded, workload.concurrency)


def warmup_requests(requests: int, rate_rps: float, workers: int) -> int:
    """Return how many requests go before a trial of `requests`, and are not counted.

    A quarter of the trial; at least 2,000 for each worker or 0.3 s, whichever is shorter; and
    never so few that a worker is unsettled, unless that would take more than a second: at 100
    requests a second, of a target that waits, it would take 5 s.
    """
    at_least = min(WARM_REQUESTS * workers, round(rate_rps * WARM_S))
    settled = min(SETTLED_REQUESTS * workers, round(rate_rps * SETTLING_S))
    return max(requests // 4, at_least, settled, workers)
