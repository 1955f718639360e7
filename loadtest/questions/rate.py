"""Latency at a fixed arrival rate: how much of what a stack can answer it answers in time.

Requests come by the clock, at shares of what each lane answers without a pause, and each latency
counts from the instant at which its request was due. The first cell of each lane is a closed loop
in the same blocks: it says what the lane can answer, and what such a loop would have claimed.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from loadtest.content import Content
from loadtest.figures import NOTHING, PERCENT, TO, number, rate
from loadtest.lanes import Lane
from loadtest.options import split
from loadtest.plan import MARS, Cell, Workload, check_target
from loadtest.plots import curves
from loadtest.plots.axes import Plot
from loadtest.plots.curves import Curve, Guide
from loadtest.plots.styles import styles
from loadtest.questions import rate_words, rates
from loadtest.questions.question import Question, content
from loadtest.questions.rates import OVERDUE, OVERDUE_MS, WITHIN_MS, Rates, percent
from loadtest.results import Run
from loadtest.stats import Interval
from loadtest.table import Table

TITLE = "PlanetTracker: latency at a fixed arrival rate"
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
    shares = sorted({_share(text) for text in options["shares"]})
    if not shares:
        raise ValueError("--shares names none; give some, such as 25%,50%")
    check_target(options["target"])
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
    lanes = rates.of_run(run)
    said = (
        rate_words.answer(lanes),
        rate_words.ASKED,
        (*rate_words.COUNTED, *rate_words.late(lanes), *rate_words.astray(lanes)),
    )
    plots = (_plot(run, lanes, name) for name in ("p50", "p99"))
    return content(run, TITLE, said, plots, (table(lanes), capacities(lanes)))


def table(lanes: Sequence[Rates]) -> Table:
    """Return the latencies of each lane at each share, and in the closed loop."""
    return Table(
        "Latency, ms, at a fixed arrival rate",
        ("lane", "asked", "offered, a second", "p50", "p90", "p99", "max", "kept up"),
        tuple(row for lane in lanes for row in _rows(lane)),
        (
            "The median of the trials' own figures, from when requests were due; of p99 the least "
            "and the greatest, too. A lane has kept up where the last reply came within "
            f"{100 * OVERDUE:g}{PERCENT} of the load's time, or {OVERDUE_MS:g} ms, after the last "
            "request was due. The closed loop has no rate: "
            "its latencies count from when requests were sent, after a reply.",
        ),
    )


def _rows(lane: Rates) -> list[tuple[str, ...]]:
    rows = [_row(lane, share, percent(share)) for share in lane.loads]
    closed = lane.closed.concurrency
    return [*rows, _row(lane, None, f"closed loop, {closed} clients")]


def _row(lane: Rates, share: float | None, asked: str) -> tuple[str, ...]:
    kept = None if share is None else lane.kept_up(share)
    return (
        lane.lane,
        asked,
        NOTHING if share is None else number(lane.came_rps(share)),
        *(_latency(lane.latency_ms(share, name), name) for name in ("p50", "p90", "p99", "max")),
        NOTHING if kept is None else "yes" if kept else "no",
    )


def _latency(ms: Interval | None, name: str) -> str:
    if ms is None:
        return NOTHING
    spread = f" ({ms.low:,.1f}{TO}{ms.high:,.1f})" if name == "p99" and ms.low < ms.high else ""
    return f"{ms.estimate:,.1f}{spread}"


def capacities(lanes: Sequence[Rates]) -> Table:
    """Return what each lane can answer, and which share of it was really offered."""
    shares = sorted({share for lane in lanes for share in lane.loads})
    return Table(
        "What was offered",
        ("lane", "can answer, a second", *(f"asked {percent(share)}" for share in shares)),
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


def _offered(lane: Rates, share: float) -> str:
    return NOTHING if lane.offered(share) is None else lane.share(share)


def _plot(run: Run, lanes: Sequence[Rates], name: str) -> Plot | None:
    drawn = [_curve(lane, name) for lane in lanes]
    return curves.plot(
        CURVES[name],
        "rate, % of what the lane can answer",
        f"{name}, ms",
        drawn,
        styles(run),
        "Lower is better. Each point is the median of the trials' own figures, its stroke from "
        "the least to the greatest; the scale of milliseconds is logarithmic.",
        log_x=False,
        log_y=True,
        guides=_limit(lanes) if name == "p99" else (),
    )


def _limit(lanes: Sequence[Rates]) -> tuple[Guide, ...]:
    shares = sorted({100 * share for lane in lanes for share in lane.loads})
    ends = (shares[0], WITHIN_MS), (shares[-1], WITHIN_MS)
    return (Guide(f"{WITHIN_MS:g} ms", ends),)


def _curve(lane: Rates, name: str) -> Curve:
    points = ((100 * share, lane.latency_ms(share, name)) for share in lane.loads)
    return Curve(lane.lane, tuple(points))


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
