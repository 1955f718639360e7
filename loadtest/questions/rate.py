"""Latency at a fixed arrival rate: how much of what a stack can answer it answers in time.

Requests come by the clock, at shares of what each lane answers without a pause, and each latency
counts from the instant at which its request was due. The first cell of each lane is a closed loop
in the same blocks: it says what the lane can answer, and what such a loop would have claimed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

import click

from loadtest import stats, summary, tables
from loadtest.content import Content
from loadtest.figures import NOTHING, PERCENT, TO, finite, number, rate
from loadtest.lanes import Lane
from loadtest.options import split
from loadtest.plan import MARS, Cell, Workload, from_description
from loadtest.plots import curves
from loadtest.plots.curves import Curve
from loadtest.plots.styles import styles
from loadtest.questions.question import Question
from loadtest.results import Run, Trial
from loadtest.stats import Interval
from loadtest.table import Table

TITLE = "PlanetTracker: latency at a fixed arrival rate"
WITHIN_MS = 50.0
GROWN = 10.0
KEPT_UP = 0.95  # of the rate offered, that is answered by the time the last reply has come
SHARES = ("25%", "50%", "75%", "90%")
MOST_SHARE = 2.0
LOAD = "h2load"

OPTIONS = (
    click.Option(
        ["--shares"],
        default=",".join(SHARES),
        show_default=True,
        callback=split,
        help="Of what each lane can answer.",
    ),
    click.Option(["--concurrency"], default=20, show_default=True, type=click.IntRange(1, 1000)),
    click.Option(["--target"], default=MARS, help="What is asked for. [mars at a fixed time]"),
)


def cells(lanes: Sequence[Lane], options: dict[str, Any]) -> tuple[Cell, ...]:
    """Return a closed loop of each lane, and an open one at each share of what it answers."""
    shares = [_share(text) for text in options["shares"]]
    if not shares:
        raise ValueError("--shares names none; give some, such as 25%,50%")
    if not re.fullmatch("/[!-~]*", options["target"]):
        raise ValueError(f"--target must be an ASCII path without spaces, such as {MARS}")
    found = []
    for lane in lanes:
        keep_alive = bool(lane.keeps_alive)
        closed = Workload(options["target"], options["concurrency"], keep_alive, LOAD)
        found += [Cell(lane, replace(closed, share=share)) for share in (None, *shares)]
    return tuple(found)


def _share(text: str) -> float:
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,2})?)%", text)
    if not match or not 0.01 <= float(match[1]) / 100 <= MOST_SHARE:
        raise ValueError(f"--shares has {text!r}; give shares from 1% to 200%, such as 25%,50%")
    return float(match[1]) / 100


def report(run: Run) -> Content:
    """Return the answer, from the files alone."""
    lanes = [_Rates(run, lane, closed) for lane, closed in _closed(run).items()]
    paragraphs = [_answer(lanes), [*ASKED], [*COUNTED]]
    shown = [table(lanes), capacities(lanes), tables.environment(run), tables.invalid(run)]
    plots = [plot for name in ("p50", "p99") if (plot := _plot(run, lanes, name))]
    return Content(TITLE, paragraphs, plots, [table for table in shown if table.rows])


def _closed(run: Run) -> dict[str, Workload]:
    planned = from_description(run.description["plan"]).cells
    return {c.lane.name: c.workload for c in planned if c.workload.share is None}


class _Rates:
    """A lane's figures by the share that it was offered."""

    def __init__(self, run: Run, lane: str, closed: Workload) -> None:
        self.run, self.lane, self.closed = run, lane, closed
        planned = from_description(run.description["plan"]).cells
        loads = {c.workload.share: c.workload for c in planned if c.lane.name == lane}
        self.loads = {share: loads[share] for share in sorted(s for s in loads if s is not None)}

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

    def latency_ms(self, share: float | None, name: str) -> Interval | None:
        """Return the middle trial's own latency, from the least to the greatest of a trial."""
        found = [t.latency_ms[name] for t in self.trials(share) if t.latency_ms]
        return Interval(median(found), min(found), max(found)) if found else None

    def kept_up(self, share: float) -> bool | None:
        """Return whether replies came as fast as requests; None where there is no trial."""
        of_each = [kept_up(trial) for trial in self.trials(share)]
        known = [share for share in of_each if share is not None]
        return median(known) >= KEPT_UP if known else None

    def good(self, limit_ms: float) -> float | None:
        """Return the highest share up to which 99 in 100 came within a time at every share."""
        best = None
        for share in self.loads:
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


def kept_up(trial: Trial) -> float | None:
    """Return which part of the rate that was offered had been answered by the last reply."""
    if not trial.throughput_rps or not trial.offered_rps:
        return None
    return trial.throughput_rps / trial.offered_rps


def _answer(lanes: Sequence[_Rates]) -> list[str]:
    known = [lane for lane in lanes if any(lane.trials(share) for share in lane.loads)]
    if not known:
        return ["No trial at a rate counts: the table of invalid trials says why."]
    ranked = sorted(known, key=_served_rps, reverse=True)
    return [*map(_within, ranked), *_growth(known), *_claimed(known)]


def _served_rps(lane: _Rates) -> float:
    best, capacity = lane.good(WITHIN_MS), lane.capacity_rps()
    return best * capacity.estimate if best and capacity else 0.0


def _within(lane: _Rates) -> str:
    """Return what a lane answers in time, in words."""
    best, capacity = lane.good(WITHIN_MS), lane.capacity_rps()
    of = f" of the {rate(capacity)} requests a second that it can answer" if capacity else ""
    if best is None:
        lowest = next(iter(lane.loads))
        return f"{lane.lane} does not even at {_percent(lowest)}{of}."
    p99 = lane.latency_ms(best, "p99")
    assert p99 is not None
    return (
        f"{lane.lane} answers 99 in 100 requests within {WITHIN_MS:g} ms up to {_percent(best)}"
        f"{of} ({number(p99.estimate, 1)} ms there){_next(lane, best)}."
    )


def _next(lane: _Rates, best: float) -> str:
    """Return what comes at the next share, where one was measured."""
    above = next((share for share in lane.loads if share > best), None)
    p99 = lane.latency_ms(above, "p99") if above is not None else None
    if above is None or p99 is None:
        return ""
    if not lane.kept_up(above):
        return f", and at {_percent(above)} cannot keep up"
    return f"; at {_percent(above)} one in 100 takes more than {number(p99.estimate, 0)} ms"


def _growth(lanes: Sequence[_Rates]) -> list[str]:
    said = [f"{r.lane} at {_percent(share)}" for r in lanes if (share := r.grown())]
    lowest = min(share for lane in lanes for share in lane.loads)
    if not said:
        return [f"No lane's 99th percentile is {GROWN:g} times what it is at {_percent(lowest)}."]
    return [
        f"The 99th percentile is {GROWN:g} times what it is at {_percent(lowest)} on "
        f"{', '.join(said)}."
    ]


def _claimed(lanes: Sequence[_Rates]) -> list[str]:
    """Return what a closed loop says of the same lanes."""
    said = [
        f"{number(p99.estimate, 1)} ms on {lane.lane}"
        for lane in lanes
        if (p99 := lane.latency_ms(None, "p99"))
    ]
    if not said:
        return []
    clients = lanes[0].closed.concurrency
    return [
        f"A closed loop of {clients} clients, each waiting for its reply before it asks again, "
        f"would have claimed a 99th percentile of {', '.join(said)}, whatever the rate."
    ]


def _percent(share: float) -> str:
    return f"{100 * share:g}{PERCENT}"


ASKED = (
    "Requests came by the clock, whether or not earlier ones had been answered, at shares of what "
    "each lane answers when it is asked without a pause.",
    "Each latency counts from the instant at which its request was due: the k-th reply less the "
    "k-th request due. h2load's own columns count from when it got round to sending, and so hide "
    "a stall: of a second at 1,000 requests a second they show 20 slow requests, not 1,000.",
    "On lanes that keep connections each client sends at an even pace, one client after another; "
    "on the others each request has a connection of its own.",
)
COUNTED = (
    "Where a lane cannot keep up, requests wait longer and longer: its latencies then say how "
    "long the trial was, and nothing of a steady state.",
    "Requests of real users come at random, not evenly: their latencies are longer near the limit.",
    "h2load's clocks tick each millisecond: of a latency about one may be its own.",
)


def table(lanes: Sequence[_Rates]) -> Table:
    """Return the latencies of each lane at each share, and in the closed loop."""
    return Table(
        "Latency, ms, at a fixed arrival rate",
        ("lane", "asked", "offered, a second", "p50", "p90", "p99", "max", "kept up"),
        tuple(row for lane in lanes for row in _rows(lane)),
        (
            "The median of the trials' own figures, from when requests were due; of p99 the least "
            f"and the greatest, too. A lane has kept up where at least {100 * KEPT_UP:g}{PERCENT} "
            "of the rate had been answered when the last reply came. The closed loop has no rate: "
            "its latencies count from when requests were sent, after a reply.",
        ),
    )


def _rows(lane: _Rates) -> list[tuple[str, ...]]:
    rows = [_row(lane, share, _percent(share)) for share in lane.loads]
    closed = lane.closed.concurrency
    return [*rows, _row(lane, None, f"closed loop, {closed} clients")]


def _row(lane: _Rates, share: float | None, asked: str) -> tuple[str, ...]:
    offered = [t.offered_rps for t in lane.trials(share) if t.offered_rps]
    kept = None if share is None else lane.kept_up(share)
    return (
        lane.lane,
        asked,
        number(median(offered)) if offered else NOTHING,
        *(_latency(lane.latency_ms(share, name), name) for name in ("p50", "p90", "p99", "max")),
        NOTHING if kept is None else "yes" if kept else "no",
    )


def _latency(ms: Interval | None, name: str) -> str:
    if ms is None:
        return NOTHING
    spread = f" ({ms.low:,.1f}{TO}{ms.high:,.1f})" if name == "p99" and ms.low < ms.high else ""
    return f"{ms.estimate:,.1f}{spread}"


def capacities(lanes: Sequence[_Rates]) -> Table:
    """Return what each lane can answer, and which share of it was really offered."""
    shares = sorted({share for lane in lanes for share in lane.loads})
    return Table(
        "What was offered",
        ("lane", "can answer, a second", *(f"asked {_percent(share)}" for share in shares)),
        tuple(
            (lane.lane, rate(lane.capacity_rps()), *(_offered(lane, share) for share in shares))
            for lane in lanes
        ),
        (
            "What a lane can answer is the throughput of the closed loop in the same blocks; the "
            "rates were fixed before by a calibration of 1.5 s, so that what was really offered "
            "is another share of it. With 95 % intervals.",
        ),
    )


def _offered(lane: _Rates, share: float) -> str:
    found = lane.offered(share)
    if found is None:
        return NOTHING
    shown = found.map(lambda value: 100 * value)
    spread = f" ({shown.low:.0f}{TO}{shown.high:.0f})" if finite(shown) else ""
    return f"{shown.estimate:.0f}{PERCENT}{spread}"


def _plot(run: Run, lanes: Sequence[_Rates], name: str) -> curves.Plot | None:
    drawn = [_curve(lane, lambda share, of=lane: of.latency_ms(share, name)) for lane in lanes]
    return curves.plot(
        CURVES[name],
        "rate, % of what the lane can answer",
        f"{name}, ms",
        drawn,
        styles(summary.summarise(run)),
        "Lower is better. Each point is the median of the trials' own figures, its stroke from "
        "the least to the greatest; the scale of milliseconds is logarithmic.",
        log_x=False,
        log_y=True,
    )


def _curve(lane: _Rates, of: Callable[[float], Interval | None]) -> Curve:
    return Curve(lane.lane, tuple((100 * share, of(share)) for share in lane.loads))


CURVES = {
    "p50": "The middle request, by the rate",
    "p99": "The slowest in a hundred, by the rate",
}
RATE = Question(
    name="rate",
    help="Measure latency at a fixed arrival rate, counted from when requests are due.",
    cells=cells,
    report=report,
    options=OPTIONS,
    lanes=(
        "aiohttp-gunicorn",
        "flask-gunicorn",
        "flask-gthread",
        "flask-gevent",
        "starlette-uvicorn",
    ),
    blocks=3,
    seconds=1.5,
)
