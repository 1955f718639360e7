"""Trials into figures: each lane's, and those of the comparisons that pairs.py plans."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from loadtest import stats
from loadtest.lanes import Lane
from loadtest.pairs import DEV, Pair, places, planned
from loadtest.plan import Workload, from_description
from loadtest.results import Run, Trial
from loadtest.stats import Interval, Sample


@dataclass(frozen=True, slots=True)
class Server:
    """One row of the article's table: a kind of server, under each framework."""

    label: str
    key: str
    workers: int

    def lane(self, framework: str) -> str:
        """Return the lane's name."""
        suffix = f"-{self.workers}" if self.workers > 1 else ""
        return f"{framework}-{self.key}{suffix}"


Names = tuple[str, str]
Place = tuple[str, Workload]  # a lane's name, and what it is asked
BASELINE = Server("development server", DEV, 1)

# Whose figures decide where a run has several: HTTP/1.1 is what clients speak, ab's 1.0 is not.
VERDICT_LOADS = ("h2load", "ab")


@dataclass(frozen=True, slots=True)
class Summary:
    """A run's figures under one workload. What has no valid trial, or no common block, is None or
    missing.

    `pairs` are what the run was made to compare, and `servers` the rows of the article's table,
    none in a run without its lanes. `twins` is a lane and itself under another name, where the run
    has such a pair. `pilot` is the number of blocks whose spread decided how many there are, if
    any did.
    """

    run: Run
    workload: Workload
    lanes: tuple[str, ...]
    servers: tuple[Server, ...]
    pairs: tuple[Pair, ...]
    twins: Names | None
    pilot: int | None = None

    def trials(self, lane: str) -> list[Trial]:
        """Return the lane's valid trials."""
        return valid_trials(self.run, lane, self.workload)

    def attempts(self, lane: str) -> int:
        """Return how many trials the lane had, valid or not."""
        return sum(t.lane == lane and t.workload == self.workload for t in self.run.trials)

    def invalid(self) -> list[Trial]:
        """Return the trials that count for nothing, whatever their workload."""
        return [trial for trial in self.run.trials if trial.invalid is not None]

    def never_valid(self) -> list[str]:
        """Return the lanes without a valid trial."""
        return [lane for lane in self.lanes if not self.trials(lane)]

    def throughput_rps(self, lane: str) -> Interval | None:
        """Return the geometric mean over the lane's trials, so that ratios agree with it."""
        return self._mean(lane, throughput)

    def cpu_us(self, lane: str) -> Interval | None:
        """Return the geometric mean of the server's CPU microseconds per request."""
        return self._mean(lane, cpu)

    def _mean(self, lane: str, of: Callable[[Trial], float]) -> Interval | None:
        values = stats.sample({t.block: of(t) for t in self.trials(lane)}, self.pilot)
        return stats.geometric_mean(values) if values.values else None

    def latency_ms(self, lane: str, of: str) -> float | None:
        """Return the middle trial's latency: percentiles are not averaged, nor pooled."""
        return _median(t.latency_ms[of] for t in self.trials(lane) if t.latency_ms)

    def middle(self, lane: str, of: Callable[[Trial], float | None]) -> float | None:
        """Return the median over the lane's trials."""
        return _median(value for t in self.trials(lane) if (value := of(t)) is not None)

    def planned(self) -> Iterator[Names]:
        """Yield the names of the pairs that the run is made to compare."""
        return (pair.names for pair in self.pairs)

    def lane(self, name: str) -> Lane:
        """Return the lane of that name."""
        plan = from_description(self.run.description["plan"])
        return next(cell.lane for cell in plan.cells if cell.lane.name == name)

    def compared(self) -> dict[Names, Sample]:
        """Return A/B by block of each planned pair; of the twins where nothing else is planned."""
        found = self._samples(self.planned())
        return found or self._samples([self.twins] if self.twins else [])

    def throughput_ratios(self) -> dict[Names, Interval]:
        """Return A/B of each planned pair within blocks, with Holm's intervals."""
        return stats.holm(self._samples(self.planned()))

    def all_pairs(self) -> dict[Names, Interval]:
        """Return A/B of every two lanes within blocks, with Holm's intervals over all of them."""
        lanes = [lane for lane in self.lanes if not self.twins or lane != self.twins[1]]
        return stats.holm(self._samples(combinations(lanes, 2)))

    def _samples(self, pairs: Iterable[Names]) -> dict[Names, Sample]:
        samples = {pair: self.ratios(*pair) for pair in pairs}
        return {pair: sample for pair, sample in samples.items() if sample.values}

    def cpu_ratio(self, a: str, b: str) -> Interval | None:
        """Return A/B of the CPU time per request, compared within blocks."""
        ratios = self._ratios(a, b, cpu)
        return stats.geometric_mean(ratios) if ratios.values else None

    def noise(self) -> Interval | None:
        """Return the throughput of a lane as a factor of its own, under its other name."""
        if self.twins is None:
            return None
        ratios = self.ratios(*self.twins)
        return stats.geometric_mean(ratios) if ratios.values else None

    def ratios(self, a: str, b: str) -> Sample:
        """Return A/B of throughput in each block that has both."""
        return self._ratios(a, b, throughput)

    def _ratios(self, a: str, b: str, of: Callable[[Trial], float]) -> Sample:
        return ratios(self.run, (a, self.workload), (b, self.workload), of)


def summarise(run: Run, load: str | None = None) -> Summary:
    """Return the run's figures under a load; where none is named, under the one that decides."""
    plan = from_description(run.description["plan"])
    by_load = {workload.load: workload for workload in plan.workloads}
    deciding = next((name for name in VERDICT_LOADS if name in by_load), plan.workloads[0].load)
    workload = by_load[load or deciding]
    lanes = list(dict.fromkeys(c.lane for c in plan.cells if c.workload == workload))
    twin = next((lane.name for lane in lanes if lane.twin), None)
    return Summary(
        run=run,
        workload=workload,
        lanes=tuple(lane.name for lane in lanes),
        servers=tuple(_server(*place) for place in places(lanes)),
        pairs=planned(lanes),
        twins=(twin.removesuffix("-twin"), twin) if twin else None,
        pilot=plan.two_stages.pilot if plan.two_stages else None,
    )


def _server(key: str, workers: int) -> Server:
    if (key, workers) == (BASELINE.key, BASELINE.workers):
        return BASELINE
    return Server(f"{key} -w {workers}" if workers > 1 else key, key, workers)


def by_load(run: Run) -> dict[str, Summary]:
    """Return the run's figures under each of its loads, the deciding one first."""
    workloads = from_description(run.description["plan"]).workloads
    found = {workload.load: summarise(run, workload.load) for workload in workloads}
    first = summarise(run).workload.load
    return {first: found[first], **found}


def workload_ratio(
    run: Run, lane: str, a: Workload, b: Workload, of: Callable[[Trial], float]
) -> Interval | None:
    """Return the figure of a lane under one workload as a factor of that under another."""
    found = ratios(run, (lane, a), (lane, b), of)
    return stats.geometric_mean(found) if found.values else None


def ratios(run: Run, a: Place, b: Place, of: Callable[[Trial], float]) -> Sample:
    """Return the figure at a place as a factor of that at another, in each block with both."""
    ours, theirs = ({t.block: of(t) for t in valid_trials(run, *place)} for place in (a, b))
    return stats.block_ratios(ours, theirs, _pilot(run))


def values(run: Run, lane: str, workload: Workload, of: Callable[[Trial], float]) -> Sample:
    """Return the figure of each of the lane's valid trials under a workload."""
    return stats.sample({t.block: of(t) for t in valid_trials(run, lane, workload)}, _pilot(run))


def _pilot(run: Run) -> int | None:
    two_stages = run.description["plan"]["two_stages"]
    return int(two_stages["pilot"]) if two_stages else None


def valid_trials(run: Run, lane: str, workload: Workload) -> list[Trial]:
    """Return the lane's valid trials under a workload."""
    return [
        t for t in run.trials if t.lane == lane and t.workload == workload and t.invalid is None
    ]


def throughput(trial: Trial) -> float:
    """Return a valid trial's requests per second."""
    assert trial.throughput_rps is not None
    return trial.throughput_rps


def cpu(trial: Trial) -> float:
    """Return a valid trial's CPU microseconds per request."""
    assert trial.cpu_us_per_request is not None
    return trial.cpu_us_per_request


def _median(values: Iterable[float]) -> float | None:
    found: Sequence[float] = list(values)
    return median(found) if found else None
