"""What a lane does at each number of clients: where it stops rising, where it starts to fail."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from statistics import median

from loadtest import stats, summary
from loadtest.lanes import Lane
from loadtest.plan import Workload, from_description
from loadtest.questions import cells
from loadtest.results import Run, Trial
from loadtest.stats import Interval
from loadtest.summary import throughput

# With few blocks intervals are wide, and next to nothing is shown to be less.
NEAR = 0.9


@dataclass(frozen=True, slots=True)
class Level:
    """A lane's trials at one number of clients, those that count and those where the load ended."""

    clients: int
    trials: tuple[Trial, ...]

    @property
    def valid(self) -> list[Trial]:
        """Return the trials that count."""
        return [trial for trial in self.trials if trial.invalid is None]

    @property
    def aborted(self) -> list[Trial]:
        """Return the trials in which the load gave up."""
        return [trial for trial in self.trials if trial.aborted]

    @property
    def measured(self) -> bool:
        """Return whether there is anything to say of it."""
        return bool(self.valid or self.aborted)

    @property
    def failed(self) -> int:
        """Return how many requests failed in the trials that count."""
        return sum(trial.failed or 0 for trial in self.valid)

    @property
    def ended(self) -> int:
        """Return how many requests came to an end there, good or bad."""
        return self.failed + sum(_complete(trial) for trial in self.valid)

    @property
    def fails(self) -> bool:
        """Return whether it is a level at which requests fail."""
        return self.failed > 0 or bool(self.aborted)

    @property
    def failed_share(self) -> float | None:
        """Return how much fails; where the load gave up, how much it had not completed."""
        lost = [1 - (trial.complete or 0) / trial.requests for trial in self.aborted]
        if self.ended:
            lost += [self.failed / self.ended] * len(self.valid)
        return sum(lost) / len(lost) if lost else None

    def latency_ms(self, percentile: str) -> float | None:
        """Return the median of the trials' own percentiles."""
        found = [trial.latency_ms[percentile] for trial in self.valid if trial.latency_ms]
        return median(found) if found else None

    def overflows(self) -> tuple[int, int] | None:
        """Return the listen queue's length, and how often it was full in the middle trial."""
        heard = [t for t in (*self.valid, *self.aborted) if t.listen_overflows and t.listen_queue]
        if not heard:
            return None
        lengths = [t.listen_queue for t in heard if t.listen_queue]
        return lengths[0], round(median(t.listen_overflows or 0 for t in heard))


def _complete(trial: Trial) -> int:
    return trial.requests - (trial.failed or 0) if trial.complete is None else trial.complete


@dataclass(frozen=True, slots=True)
class Series:
    """A lane under one load, at each number of clients."""

    run: Run
    lane: Lane
    name: str  # of the lane, with the load where there are several
    workloads: tuple[Workload, ...]

    @property
    def levels(self) -> list[Level]:
        """Return the levels in rising order."""
        return [self.level(workload) for workload in self.workloads]

    def level(self, workload: Workload) -> Level:
        """Return the trials under a workload."""
        found = [t for t in self.run.trials if (t.lane, t.workload) == (self.lane.name, workload)]
        return Level(workload.concurrency, tuple(found))

    def throughput_rps(self, workload: Workload) -> Interval | None:
        """Return requests answered a second, by geometric mean."""
        return cells.mean(self.run, self.lane.name, workload, throughput)

    def ratio(self, a: Workload, b: Workload) -> Interval | None:
        """Return throughput under a workload as a factor of that under another."""
        return summary.workload_ratio(self.run, self.lane.name, a, b, throughput)

    def best(self) -> Workload | None:
        """Return the fewest clients whose throughput is not shown to be less than the most."""
        found = {w: rps.estimate for w in self.workloads if (rps := self.throughput_rps(w))}
        if not found:
            return None
        most = max(found, key=found.__getitem__)
        near = (w for w in found if found[w] >= NEAR * found[most])
        return next(w for w in near if w == most or self._not_less(w, most))

    def _not_less(self, workload: Workload, most: Workload) -> bool:
        ratio = self.ratio(workload, most)
        return ratio is None or ratio.high >= 1

    def falls(self) -> tuple[Workload, Interval] | None:
        """Return the fewest clients beyond the best whose throughput is shown to be less."""
        best = self.best()
        for workload in self.workloads:
            if best and workload.concurrency > best.concurrency:
                ratio = self.ratio(workload, best)
                if ratio and ratio.high < 1:
                    return workload, ratio
        return None

    def measured_up_to(self) -> int:
        """Return the most clients of which there is anything to say; 0 where there is nothing."""
        return max((level.clients for level in self.levels if level.measured), default=0)

    def fails(self) -> Level | None:
        """Return the fewest clients at which requests fail."""
        return next((level for level in self.levels if level.fails), None)


def series(run: Run) -> list[Series]:
    """Return each lane under each of its loads."""
    return list(_series(run))


def _series(run: Run) -> Iterator[Series]:
    found = from_description(run.description["plan"]).cells
    for lane in cells.lanes(run):
        workloads = [cell.workload for cell in found if cell.lane == lane]
        loads = dict.fromkeys(workload.load for workload in workloads)
        for load in loads:
            of_load = (workload for workload in workloads if workload.load == load)
            name = f"{lane.name} ({load})" if len(loads) > 1 else lane.name
            rising = tuple(sorted(of_load, key=lambda workload: workload.concurrency))
            yield Series(run, lane, name, rising)


def between(a: Series, b: Series, workload: Workload) -> Interval | None:
    """Return A's throughput as a factor of B's at so many clients, within blocks."""
    other = next((w for w in b.workloads if w.concurrency == workload.concurrency), None)
    if other is None:
        return None
    ratios = summary.ratios(a.run, (a.lane.name, workload), (b.lane.name, other), throughput)
    return stats.geometric_mean(ratios) if ratios.values else None


def alone(value: float) -> Interval:
    """Return a value of which no interval is known."""
    return Interval(value, -inf, inf)
