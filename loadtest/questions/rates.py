"""A lane's figures by the share of what it can answer at which requests came."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from loadtest import stats, summary
from loadtest.figures import PERCENT, TO, finite
from loadtest.plan import Workload, from_description
from loadtest.results import Run, Trial
from loadtest.stats import Interval

WITHIN_MS = 50.0
GROWN = 10.0
OVERDUE, OVERDUE_MS = 0.05, 50.0  # of the time in which requests came due, and at least


@dataclass(frozen=True, slots=True)
class Rates:
    """A lane's figures: of its closed loop, and of its open ones by their share, rising."""

    run: Run
    lane: str
    closed: Workload
    loads: Mapping[float, Workload]

    @property
    def measured(self) -> list[float]:
        """Return the shares at which a trial counts."""
        return [share for share in self.loads if self.trials(share)]

    def trials(self, share: float | None) -> list[Trial]:
        """Return the valid trials at a share; of the closed loop, where it is None."""
        load = self.closed if share is None else self.loads[share]
        return summary.valid_trials(self.run, self.lane, load)

    def capacity_rps(self) -> Interval | None:
        """Return what the lane answers without a pause."""
        values = summary.values(self.run, self.lane, self.closed, summary.throughput)
        return stats.geometric_mean(values) if values.values else None

    def offered(self, share: float) -> Interval | None:
        """Return the rate offered, as a share of what the lane answered in the same block."""
        offered = {t.block: t.offered_rps for t in self.trials(share) if t.offered_rps}
        closed = {t.block: summary.throughput(t) for t in self.trials(None)}
        ratios = stats.block_ratios(offered, closed)
        return stats.geometric_mean(ratios) if ratios.values else None

    def came_rps(self, share: float) -> float | None:
        """Return how many requests came due in a second."""
        offered = [t.offered_rps for t in self.trials(share) if t.offered_rps]
        return median(offered) if offered else None

    def share(self, share: float) -> str:
        """Return the share that was really offered, as text, or that asked where none was."""
        found = self.offered(share)
        if found is None:
            return percent(share)
        shown = found.map(lambda value: 100 * value)
        spread = f" ({shown.low:.0f}{TO}{shown.high:.0f})" if finite(shown) else ""
        return f"{shown.estimate:.0f}{PERCENT}{spread}"

    def latency_ms(self, share: float | None, name: str) -> Interval | None:
        """Return the middle trial's own latency, from the least to the greatest of a trial."""
        found = [t.latency_ms[name] for t in self.trials(share) if t.latency_ms]
        return Interval(median(found), min(found), max(found)) if found else None

    def kept_up(self, share: float) -> bool | None:
        """Return whether replies came as fast as requests; None where there is no trial."""
        found = [kept_up(trial) for trial in self.trials(share) if trial.offered_rps]
        return median(found) >= 0.5 if found else None

    def good(self, limit_ms: float) -> float | None:
        """Return the highest share up to which 99 in 100 came within a time wherever measured."""
        best = None
        for share in self.measured:
            p99 = self.latency_ms(share, "p99")
            if p99 is None or p99.estimate > limit_ms or not self.kept_up(share):
                break
            best = share
        return best

    def grown(self) -> float | None:
        """Return the lowest share at which the 99th percentile is so often that of the lowest."""
        quiet, *others = self.loads
        first = self.latency_ms(quiet, "p99")
        for share in others:
            p99 = self.latency_ms(share, "p99")
            if first and p99 and p99.estimate >= GROWN * first.estimate:
                return share
        return None


def kept_up(trial: Trial) -> bool:
    """Return whether the last reply came soon after the last request was due.

    So it does where the load took little longer than its requests to come due; and what h2load
    itself needs to begin and to end is no longer than its slowest request.
    """
    assert trial.offered_rps and trial.latency_ms
    due_ms = 1000 * trial.requests / trial.offered_rps
    took_ms = 1000 * trial.requests / summary.throughput(trial)
    overdue_ms = min(took_ms - due_ms, trial.latency_ms["max"])
    return overdue_ms <= max(OVERDUE * due_ms, OVERDUE_MS)


def of_run(run: Run) -> list[Rates]:
    """Return the figures of each lane of the run."""
    planned = from_description(run.description["plan"]).cells
    closed = {c.lane.name: c.workload for c in planned if c.workload.share is None}
    shared = {
        (c.lane.name, c.workload.share): c.workload for c in planned if c.workload.share is not None
    }
    return [
        Rates(run, lane, load, {s: shared[name, s] for name, s in sorted(shared) if name == lane})
        for lane, load in closed.items()
    ]


def percent(share: float) -> str:
    """Return for instance 25 %."""
    return f"{100 * share:g}{PERCENT}"
