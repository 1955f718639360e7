"""Trials into figures: each lane's, and the comparisons that were planned."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from loadtest import stats
from loadtest.results import Run, Trial
from loadtest.stats import Interval


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


Pair = tuple[str, str]
FRAMEWORKS = ("aiohttp", "flask")
BASELINE = Server("development server", "dev", 1)


@dataclass(frozen=True, slots=True)
class Summary:
    """A run's figures. What has no valid trial, or no common block, is None or missing.

    `twins` is a lane and itself under another name, where the run has such a pair.
    """

    run: Run
    lanes: tuple[str, ...]
    servers: tuple[Server, ...]
    twins: tuple[str, str] | None

    def trials(self, lane: str) -> list[Trial]:
        """Return the lane's valid trials."""
        return [t for t in self.run.trials if t.lane == lane and t.invalid is None]

    def attempts(self, lane: str) -> int:
        """Return how many trials the lane had, valid or not."""
        return sum(trial.lane == lane for trial in self.run.trials)

    def invalid(self) -> list[Trial]:
        """Return the trials that count for nothing."""
        return [trial for trial in self.run.trials if trial.invalid is not None]

    def never_valid(self) -> list[str]:
        """Return the lanes without a valid trial."""
        return [lane for lane in self.lanes if not self.trials(lane)]

    def throughput_rps(self, lane: str) -> Interval | None:
        """Return the geometric mean over the lane's trials, so that ratios agree with it."""
        return self._mean(lane, _throughput)

    def cpu_us(self, lane: str) -> Interval | None:
        """Return the geometric mean of the server's CPU microseconds per request."""
        return self._mean(lane, _cpu)

    def _mean(self, lane: str, of: Callable[[Trial], float]) -> Interval | None:
        values = [of(trial) for trial in self.trials(lane)]
        return stats.geometric_mean(values) if values else None

    def latency_ms(self, lane: str, of: str) -> float | None:
        """Return the middle trial's latency: percentiles are not averaged, nor pooled."""
        return _median(t.latency_ms[of] for t in self.trials(lane) if t.latency_ms)

    def middle(self, lane: str, of: Callable[[Trial], float | None]) -> float | None:
        """Return the median over the lane's trials."""
        return _median(value for t in self.trials(lane) if (value := of(t)) is not None)

    def planned(self) -> Iterator[Pair]:
        """Yield the pairs that a run is made to compare: frameworks, and servers to the first."""
        for server in self.servers:
            yield server.lane(FRAMEWORKS[0]), server.lane(FRAMEWORKS[1])
        for server in self.servers[1:]:
            for framework in FRAMEWORKS:
                yield server.lane(framework), BASELINE.lane(framework)

    def throughput_ratios(self) -> dict[Pair, Interval]:
        """Return A/B of each planned pair within blocks, with Holm's intervals."""
        ratios = {pair: self._block_ratios(*pair, _throughput) for pair in self.planned()}
        return stats.holm({pair: ratios[pair] for pair in ratios if ratios[pair]})

    def cpu_ratio(self, a: str, b: str) -> Interval | None:
        """Return A/B of the CPU time per request, compared within blocks."""
        ratios = self._block_ratios(a, b, _cpu)
        return stats.geometric_mean(ratios) if ratios else None

    def noise(self) -> Interval | None:
        """Return the throughput of a lane as a factor of its own, under its other name."""
        ratios = self._block_ratios(*self.twins, _throughput) if self.twins else []
        return stats.geometric_mean(ratios) if ratios else None

    def _block_ratios(self, a: str, b: str, of: Callable[[Trial], float]) -> list[float]:
        by_block = [{t.block: of(t) for t in self.trials(lane)} for lane in (a, b)]
        return stats.block_ratios(by_block[0], by_block[1])


def summarise(run: Run) -> Summary:
    """Return the run's figures."""
    planned = run.description["plan"]["lanes"]
    kinds = {(lane["server"], lane["workers"]) for lane in planned}
    servers = [BASELINE] + [
        Server(f"{key} -w {workers}" if workers > 1 else key, key, workers)
        for key, workers in sorted(kinds - {(BASELINE.key, BASELINE.workers)})
    ]
    names = tuple(dict.fromkeys(lane["name"] for lane in planned))
    twin = next((lane["name"] for lane in planned if lane.get("twin")), None)
    twins = (twin.removesuffix("-twin"), twin) if twin else None
    return Summary(run, names, tuple(servers), twins)


def _throughput(trial: Trial) -> float:
    assert trial.throughput_rps is not None
    return trial.throughput_rps


def _cpu(trial: Trial) -> float:
    assert trial.cpu_us_per_request is not None
    return trial.cpu_us_per_request


def _median(values: Iterable[float]) -> float | None:
    found: Sequence[float] = list(values)
    return median(found) if found else None
