"""What a run will do: cells, blocks, and the order that a seed gives them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from loadtest.lanes import Lane

# One fixed instant: every reply has the same bytes, and ab's length check becomes an integrity
# check. Near Melbourne, as in the article.
MARS = "/planets/mars?lon=145.051&lat=-39.754&elevation=0&time=2018-09-22T12:00:00Z"

# The first requests of a process cost up to a fifth more CPU; after 500 that is over.
SETTLED_REQUESTS = 500
WARM_REQUESTS = 2000
WARM_S = 0.3


@dataclass(frozen=True, slots=True)
class Workload:
    """What is asked of a lane: a target, by so many clients at once, over which load."""

    target: str = MARS
    concurrency: int = 20
    keep_alive: bool = True
    load: str = "ab"


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing to measure, once in every block."""

    lane: Lane
    workload: Workload


@dataclass(frozen=True, slots=True)
class Plan:
    """The cells of a run, the number of blocks, and the seed of their order.

    A trial lasts about `seconds`, unless `requests` fixes its length for every cell.
    """

    cells: tuple[Cell, ...]
    blocks: int = 10
    seconds: float = 1.25
    requests: int | None = None
    seed: int = 1


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


def warmup_requests(requests: int, rate_rps: float, workers: int) -> int:
    """Return how many requests go before a trial of `requests`, and are not counted.

    A quarter of the trial; at least 2,000 for each worker or 0.3 s, whichever is shorter; and
    never so few that a worker is unsettled.
    """
    at_least = min(WARM_REQUESTS * workers, round(rate_rps * WARM_S))
    return max(requests // 4, at_least, SETTLED_REQUESTS * workers)
