"""Figures of a run whose workload varies: by lane and workload, and ratios within blocks."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median

from loadtest import stats, summary
from loadtest.lanes import Lane
from loadtest.plan import Workload, from_description
from loadtest.results import Run, Trial
from loadtest.stats import Interval
from loadtest.table import Table

Of = Callable[[Trial], float]
Shown = Callable[[str, Workload], str]
EACH = "Each interval is of 95 % by itself, over ratios within blocks."


def lanes(run: Run) -> list[Lane]:
    """Return the run's lanes in their order."""
    return list(
        dict.fromkeys(cell.lane for cell in from_description(run.description["plan"]).cells)
    )


def workloads(run: Run) -> list[Workload]:
    """Return the run's workloads in their order."""
    cells = from_description(run.description["plan"]).cells
    return list(dict.fromkeys(cell.workload for cell in cells))


def mean(run: Run, lane: str, workload: Workload, of: Of) -> Interval | None:
    """Return the geometric mean of a figure over the valid trials, if there are any."""
    values = summary.values(run, lane, workload, of)
    return stats.geometric_mean(values) if values.values else None


def ratio(run: Run, pair: tuple[str, str], workload: Workload, of: Of) -> Interval | None:
    """Return a lane's figure as a factor of another's within blocks, if they share one."""
    ours, theirs = pair
    ratios = summary.ratios(run, (ours, workload), (theirs, workload), of)
    return stats.geometric_mean(ratios) if ratios.values else None


def middle_ms(run: Run, lane: str, workload: Workload, percentile: str) -> float | None:
    """Return the median of the trials' own percentiles."""
    trials = summary.valid_trials(run, lane, workload)
    found = [trial.latency_ms[percentile] for trial in trials if trial.latency_ms]
    return median(found) if found else None


def answered(run: Run, lane: str, workload: Workload) -> float | None:
    """Return the median share of requests that were answered, where failing is the question.

    A load that gave up answers by what it had completed, nothing where it does not say.
    """
    found = [
        (trial.complete or 0) / trial.requests
        for trial in run.trials
        if trial.lane == lane and trial.workload == workload
        if trial.invalid is None or trial.aborted
    ]
    return median(found) if found else None


def slowed(run: Run, lane: str, workload: Workload, percentile: str) -> Interval | None:
    """Return a latency beside slow clients as a factor of the lane's own without."""
    alone = workloads(run)[0]
    return summary.workload_ratio(
        run, lane, workload, alone, lambda trial: (trial.latency_ms or {})[percentile]
    )


def table(
    title: str,
    names: Iterable[str],
    columns: Sequence[tuple[str, Workload]],
    cell: Shown,
    *notes: str,
) -> Table:
    """Return a table of a row for each lane and a column for each workload."""
    rows = tuple((name, *(cell(name, workload) for _, workload in columns)) for name in names)
    return Table(title, ("lane", *(head for head, _ in columns)), rows, notes)
