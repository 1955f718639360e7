"""Ways to make a burst of requests, each a client with so many at once, and their figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from loadtest import stats, summary
from loadtest.lanes import Lane
from loadtest.plan import Cell, Plan, Workload, from_description, waiting
from loadtest.results import Run, Trial
from loadtest.stats import Interval
from loadtest.summary import Place, valid_trials, values

SERIAL, THREADS = "requests", "threads"
ASYNCHRONOUS = ("aiohttp", "httpx")


@dataclass(frozen=True, slots=True)
class Way:
    """A client, with so many of a burst's requests at once, at a lane."""

    cell: Cell
    burst: int

    @property
    def workload(self) -> Workload:
        """Return what it is asked."""
        return self.cell.workload

    @property
    def place(self) -> Place:
        """Return its lane's name, and what it is asked."""
        return self.cell.lane.name, self.workload

    @property
    def name(self) -> str:
        """Return for instance `aiohttp on 10 connections`."""
        load, at_once = self.workload.load, self.workload.concurrency
        if load == SERIAL:
            return f"{SERIAL} one after another"
        if load == THREADS:
            return f"{SERIAL} by {at_once} threads"
        return f"{load} on {at_once} connections" if at_once < self.burst else f"{load} all at once"

    def least_ms(self, each_ms: float) -> float:
        """Return how long the waiting alone takes, where each reply takes so long."""
        return -(-self.burst // self.workload.concurrency) * each_ms


def cells(
    lanes: Sequence[Lane], burst: int, at_once: Sequence[int], each_ms: int
) -> tuple[Cell, ...]:
    """Return each client at each lane: one after another, so many at once, and all at once."""
    asked = [(SERIAL, 1), *((THREADS, number) for number in at_once)]
    asked += [(load, number) for load in ASYNCHRONOUS for number in (*at_once, burst)]
    return tuple(
        Cell(lane, Workload(waiting(each_ms), number, load=load))
        for lane in lanes
        for load, number in asked
    )


def ways(plan: Plan) -> list[Way]:
    """Return the plan's ways, those at the first lane first."""
    assert plan.requests is not None
    return [Way(cell, plan.requests) for cell in plan.cells]


def wall(trial: Trial) -> float:
    """Return a valid trial's seconds from the first request to the last reply."""
    assert trial.seconds is not None
    return trial.seconds


def cpu(trial: Trial) -> float:
    """Return the client's CPU seconds in a valid trial, user and system."""
    assert trial.load_user_s is not None and trial.load_system_s is not None
    return trial.load_user_s + trial.load_system_s


Of = Callable[[Trial], float]
Pair = tuple[Way, Way]


def figure_ms(run: Run, way: Way, of: Of) -> Interval | None:
    """Return the geometric mean over a way's trials, in milliseconds."""
    found = values(run, *way.place, of)
    return stats.geometric_mean(found).map(lambda s: 1000 * s) if found.values else None


def trials(run: Run, way: Way) -> list[Trial]:
    """Return a way's valid trials."""
    return valid_trials(run, *way.place)


def planned(run: Run) -> list[Pair]:
    """Return what a run is made to compare at each lane.

    One after another is compared with all else, and threads with aiohttp, as many at once.
    """
    found = ways(from_description(run.description["plan"]))
    return [(a, b) for a in found for b in found if a.cell.lane == b.cell.lane and _planned(a, b)]


def _planned(a: Way, b: Way) -> bool:
    like = a.workload.concurrency == b.workload.concurrency
    alike = a.workload.load == THREADS and b.workload.load == ASYNCHRONOUS[0] and like
    return alike or (a.workload.load == SERIAL and b != a)


def ratios(run: Run, pairs: Iterable[Pair], of: Of) -> dict[Pair, Interval]:
    """Return A/B of each pair within blocks, with Holm's intervals over all of them."""
    samples = {(a, b): summary.ratios(run, a.place, b.place, of) for a, b in pairs}
    return stats.holm({pair: sample for pair, sample in samples.items() if sample.values})
