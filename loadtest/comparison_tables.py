"""A comparison for a reader: sentences, tables, and the same as JSON."""

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from loadtest import comparison, stats
from loadtest.comparison import Comparison
from loadtest.figures import PERCENT, factor, percent, rate
from loadtest.results import Run, Trial
from loadtest.stats import Interval
from loadtest.summary import cpu, summarise, throughput
from loadtest.table import Table
from loadtest.tables import fact

DRIFT = (
    "The intervals know how trials differed within each run. What came between the runs (another "
    "clock, a reboot, neighbours, a warmer room) they do not know, and a run's own A/A does not "
    "show it either: a change that is smaller than what two runs of the same code differ by on "
    "this machine is no news. What the machine did it did to all lanes, what the code did mostly "
    "to some."
)


def tables(compared: Comparison) -> list[Table]:
    """Return the changes and the circumstances."""
    return [
        _changes(compared, "Throughput, requests per second", throughput),
        _changes(compared, "CPU time, µs per request", cpu),
        _circumstances(compared),
    ]


def _changes(compared: Comparison, title: str, of: Callable[[Trial], float]) -> Table:
    changes = compared.changes(of)
    rows = (
        (
            compared.label(cell),
            rate(stats.geometric_mean(pair.a)),
            rate(stats.geometric_mean(pair.b)),
            percent(changes[cell]),
            f"{len(pair.a.values)}, {len(pair.b.values)}",
        )
        for cell, pair in compared.samples(of).items()
    )
    return Table(
        title,
        ("lane", "A", "B", "B against A", "trials"),
        tuple(rows),
        (
            "Geometric means over trials, with 95 % intervals. The changes' are Welch's, since "
            "blocks of two runs do not pair, and wide enough that at most one comparison in "
            "twenty shows any change that is not there (Holm's method over the rows).",
        ),
    )


def _circumstances(compared: Comparison) -> Table:
    runs = compared.a, compared.b
    rows = [("folder", *(str(run.folder) for run in runs))]
    rows += [
        (name, *(fact(r.description.get(name)) for r in runs)) for name in ("started", "state")
    ]
    rows += [
        (different.name, fact(different.a), fact(different.b))
        for different in comparison.differences(*runs)
    ]
    return Table("The runs, and what differs between them", ("", "A", "B"), tuple(rows))


def sentences(compared: Comparison) -> list[str]:
    """Return what to read in a hurry, the verdict first."""
    return [
        *_verdict(compared),
        _shared(compared),
        *_missing(compared),
        *compared.left_out,
        *_noise("A", compared.a),
        *_noise("B", compared.b),
        DRIFT,
    ]


def _verdict(compared: Comparison) -> Iterator[str]:
    slowdowns = compared.slowdowns()
    least = f" by more than {100 * compared.slower:g}{PERCENT}" if compared.slower else ""
    for cell, ratio in slowdowns.items():
        yield f"Slower in B{least}: {compared.label(cell)}, {percent(ratio)}."
    if not slowdowns:
        yield f"No lane is shown to be slower in B{least}."
    for cell, ratio in compared.changes(throughput).items():
        if ratio.low > 1:
            yield f"Faster in B: {compared.label(cell)}, {percent(ratio)}."


def _shared(compared: Comparison) -> str:
    n = len(compared.samples(throughput))
    change = round(100 * (compared.shared() - 1), 1) + 0.0  # never -0.0
    return f"In the mean over {n} lanes: {change:+.1f}{PERCENT} requests per second."


def _missing(compared: Comparison) -> Iterator[str]:
    missing = ", ".join(map(compared.label, compared.without_a_valid_trial()))
    if missing:
        yield f"Without a valid trial in both runs, and so not compared: {missing}."


def _noise(name: str, run: Run) -> Iterator[str]:
    summary = summarise(run)
    noise = summary.noise()
    if noise is None or summary.twins is None:
        yield f"The noise of {name} is not known: no lane was measured twice (--aa)."
    elif noise.holds(1):
        yield f"The noise of {name}: {summary.twins[0]} is {factor(noise)} times as fast as itself."
    else:
        yield (
            f"Beware: in {name}, {summary.twins[0]} is {factor(noise)} times as fast as itself "
            "under another name; trust no change of that size, and measure again."
        )


def as_json(compared: Comparison) -> dict[str, Any]:
    """Return the comparison for a program; an end of an interval that is not known is null."""
    changes, costs = compared.changes(throughput), compared.changes(cpu)
    slowdowns = compared.slowdowns()
    return {
        "a": str(compared.a.folder),
        "b": str(compared.b.folder),
        "slower_than": compared.slower,
        "lanes": [
            {
                "lane": cell.lane.name,
                "load": cell.workload.load,
                "target": cell.workload.target,
                "concurrency": cell.workload.concurrency,
                "keep_alive": cell.workload.keep_alive,
                "trials": [len(pair.a.values), len(pair.b.values)],
                "throughput_ratio": _interval(changes[cell]),
                "cpu_ratio": _interval(costs[cell]),
                "slower": cell in slowdowns,
            }
            for cell, pair in compared.samples(throughput).items()
        ],
        "differences": [
            {"name": different.name, "a": different.a, "b": different.b}
            for different in comparison.differences(compared.a, compared.b)
        ],
        "sentences": sentences(compared),
    }


def _interval(interval: Interval) -> dict[str, float | None]:
    known = isfinite(interval.high)
    return {
        "ratio": interval.estimate,
        "low": interval.low if known else None,
        "high": interval.high if known else None,
    }
