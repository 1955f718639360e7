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
    ours, theirs = (
        {trial.block: of(trial) for trial in summary.valid_trials(run, lane, workload)}
        for lane in pair
    )
    ratios = stats.block_ratios(ours, theirs)
    return stats.geometric_mean(ratios) if ratios.values else None


def middle_ms(run: Run, lane: str, workload: Workload, percentile: str) -> float | None:
    """Return the median of the trials' own percentiles."""
    trials = summary.valid_trials(run, lane, workload)
    found = [trial.latency_ms[percentile] for trial in trials if trial.latency_ms]
    return median(found) if found else None


def table(
    title: str,
    names: Iterable[str],
    columns: Sequence[tuple[str, Workload]],
    cell: Callable[[str, Workload], str],
    *notes: str,
) -> Table:
    """Return a table of a row for each lane and a column for each workload."""
    rows = tuple((name, *(cell(name, workload) for _, workload in columns)) for name in names)
    return Table(title, ("lane", *(head for head, _ in columns)), rows, notes)
