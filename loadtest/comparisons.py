"""The comparisons of a run as tables: those that were planned, and every two lanes."""

from loadtest.figures import NO_DIFFERENCE, NOTHING, factor
from loadtest.stats import Interval
from loadtest.summary import Summary
from loadtest.table import Table


def planned(summary: Summary) -> Table:
    """Return the ratios that the run was made for, and the noise."""
    ratios = summary.throughput_ratios()
    rows = [
        (f"{a} / {b}", _said(ratios[a, b]), _factor(summary.cpu_ratio(b, a)))
        for a, b in summary.planned()
        if (a, b) in ratios
    ]
    noise = summary.noise()
    if noise and summary.twins:
        lane, twin = summary.twins
        rows.append((f"{lane} / itself", _said(noise), _factor(summary.cpu_ratio(twin, lane))))
    return Table(
        f"Planned comparisons, by {summary.workload.load}",
        ("", "requests per second", "requests per CPU second"),
        tuple(rows),
        (f"Factors within blocks, with 95 % intervals{_adjusted(len(ratios))}.",),
    )


def _adjusted(comparisons: int) -> str:
    if comparisons < 2:
        return ""
    return (
        f"; those of requests per second are adjusted by Holm's method over the {comparisons} "
        "planned comparisons, so that at most one run in twenty shows any difference that is not "
        "there"
    )


def all_pairs(summary: Summary) -> Table:
    """Return the ratio of every two lanes, where the run was asked for them."""
    asked = summary.run.description["plan"]["all_pairs"]
    ratios = summary.all_pairs() if asked else {}
    rows = tuple((f"{a} / {b}", _said(ratio)) for (a, b), ratio in _in_order(summary, ratios))
    return Table(
        f"Every two lanes, by {summary.workload.load}",
        ("", "requests per second"),
        rows,
        (
            f"Holm's method adjusts these intervals over all {len(rows)} pairs, so that they are "
            "wider than those of the planned comparisons, which are adjusted among themselves.",
        ),
    )


def _in_order(
    summary: Summary, ratios: dict[tuple[str, str], Interval]
) -> list[tuple[tuple[str, str], Interval]]:
    place = summary.lanes.index
    return sorted(ratios.items(), key=lambda item: (place(item[0][0]), place(item[0][1])))


def _said(ratio: Interval) -> str:
    return f"{NO_DIFFERENCE}: {factor(ratio)}" if ratio.holds(1) else factor(ratio)


def _factor(ratio: Interval | None) -> str:
    return NOTHING if ratio is None else factor(ratio)
