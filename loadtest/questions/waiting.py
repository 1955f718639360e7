"""The question `io`: how many requests a second a lane answers that do nothing but wait."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import click

from loadtest import figures, run_state
from loadtest.content import Content
from loadtest.figures import NOTHING, PERCENT
from loadtest.kinds import Kind, holders, kind, waiting_at_once
from loadtest.lanes import Lane
from loadtest.options import Counts
from loadtest.plan import Cell, Workload, wait_ms, waiting
from loadtest.plots import curves
from loadtest.plots.axes import Plot
from loadtest.plots.curves import Curve, Guide
from loadtest.plots.styles import styles
from loadtest.questions import cells
from loadtest.questions.question import Question, content
from loadtest.results import Run
from loadtest.stats import Interval
from loadtest.summary import cpu, summarise, throughput
from loadtest.table import Table

TITLE = "PlanetTracker: requests that wait"
BASELINE = "flask-gunicorn"
ENOUGH = 0.9  # of what async answers
GUIDE = (
    "A guide, not a measurement: each of so many clients, or of so many workers or threads where "
    "these are fewer, answers one request for each wait. What is missing to it went into "
    "everything but waiting: the CPU, mostly."
)


def _cells(rows: Sequence[Lane], options: dict[str, Any]) -> tuple[Cell, ...]:
    target = waiting(options["ms"])
    return tuple(
        Cell(lane, Workload(target, level, load="h2load"))
        for level in options["levels"]
        for lane in rows
        if lane.takes("h2load")
    )


def ceiling_rps(lane: Lane, workload: Workload) -> float:
    """Return how many requests a second the wait allows, if nothing else took time."""
    at_once = min(workload.concurrency, waiting_at_once(lane))
    return 1000 * at_once / wait_ms(workload.target)


def report(run: Run) -> Content:
    """Return the answer, from the run's files alone."""
    return content(run, TITLE, _paragraphs(run), [_plot(run)], _tables(run))


def _baseline(lanes: Sequence[Lane]) -> Lane:
    """Return the lane that others are held against: the sync worker where it is there."""
    named = (lane for lane in lanes if lane.name == BASELINE)
    return next(named, min(lanes, key=waiting_at_once))


def _paragraphs(run: Run) -> list[list[str]]:
    lanes, last = cells.lanes(run), cells.workloads(run)[-1]
    return [_answer(run, lanes, last), _asked(run, last), run_state.state(run)]


def _answer(run: Run, lanes: list[Lane], last: Workload) -> list[str]:
    base = _baseline(lanes)
    base_rps = cells.mean(run, base.name, last, throughput)
    if base_rps is None:
        return [f"{base.name} has no valid trial at {_clients(last)}: nothing can be compared."]
    by_kind = {of: [lane for lane in lanes if kind(lane) is of and lane != base] for of in Kind}
    said = [
        f"{_clients(last)} at once, each request waiting {wait_ms(last.target):g} ms: {base.name} "
        f"({holders(base)}) answers {figures.rate(base_rps)} requests a second."
    ]
    times = []
    for of, found in by_kind.items():
        compared = [text for lane in found if (text := _compared(run, lane, base, last))]
        times += [f"by {BY[of]}: {', '.join(compared)}"] if compared else []
    said += [f"Times as many are answered {'; '.join(times)}."] if times else []
    return [*said, *_enough(run, lanes), *_limit(run, lanes, last)]


BY = {
    Kind.ASYNC: "async",
    Kind.GREENLETS: "greenlets",
    Kind.THREADS: "threads",
    Kind.SYNC: "other sync workers",
    Kind.OTHER: "other commands",
}


def _compared(run: Run, lane: Lane, base: Lane, workload: Workload) -> str | None:
    ratio = cells.ratio(run, (lane.name, base.name), workload, throughput)
    held = f" ({holders(lane)})" if kind(lane) in (Kind.THREADS, Kind.SYNC) else ""
    return f"{figures.factor(ratio)} on {lane.name}{held}" if ratio else None


def _clients(workload: Workload) -> str:
    return f"{workload.concurrency:,} client{'s' if workload.concurrency > 1 else ''}"


def _enough(run: Run, lanes: list[Lane]) -> list[str]:
    """Return up to how many clients threads keep up with async."""
    best = next((lane for lane in lanes if kind(lane) is Kind.ASYNC), None)
    threads = [lane for lane in lanes if kind(lane) is Kind.THREADS and waiting_at_once(lane) < inf]
    if best is None or not threads:
        return []
    said = ", ".join(f"{lane.name} ({holders(lane)}) {_up_to(run, lane, best)}" for lane in threads)
    return [
        "Threads are enough while no more clients wait than there are threads: at least "
        f"{100 * ENOUGH:g}{PERCENT} of what {best.name} answers is answered by {said}."
    ]


def _up_to(run: Run, lane: Lane, best: Lane) -> str:
    most = None
    for workload in cells.workloads(run):
        ratio = cells.ratio(run, (lane.name, best.name), workload, throughput)
        if ratio is None or ratio.estimate < ENOUGH:
            break
        most = workload
    return f"up to {_clients(most)}" if most else "at none of these numbers of clients"


def _limit(run: Run, lanes: list[Lane], last: Workload) -> list[str]:
    """Return how much of a core async uses, since that is its limit rather than the wait."""
    best = next((lane for lane in lanes if kind(lane) is Kind.ASYNC), None)
    if best is None:
        return []
    rps = cells.mean(run, best.name, last, throughput)
    us = cells.mean(run, best.name, last, cpu)
    if rps is None or us is None:
        return []
    share = 100 * rps.estimate / ceiling_rps(best, last)
    return [
        f"{best.name} reaches {share:.0f}{PERCENT} of what the wait allows, with "
        f"{rps.estimate * us.estimate / 1e6:.1f} cores busy."
    ]


def _asked(run: Run, last: Workload) -> list[str]:
    levels = ", ".join(str(workload.concurrency) for workload in cells.workloads(run))
    return [
        f"A route that only waits ({last.target}, as for a database or another service) is asked "
        f"by {levels} clients at once over h2load (HTTP/1.1), each of which sends its next request "
        "when it has its reply.",
        "Each lane is compared within blocks, on a fresh server for each trial.",
        "The wait is a timer and costs next to no CPU; a real one costs some, for its client.",
    ]


def _plot(run: Run) -> Plot | None:
    lanes, levels = cells.lanes(run), cells.workloads(run)
    found = [Curve(lane.name, _points(run, lane, levels, throughput)) for lane in lanes]
    return curves.plot(
        "Throughput by clients that wait",
        f"clients at once, each waiting {wait_ms(levels[0].target):g} ms",
        "requests per second",
        found,
        styles(summarise(run)),
        "Further up is more; both scales are logarithmic. The dashed line is what the wait allows "
        "where nothing bounds how many wait at once: a lane leaves it where its workers or threads "
        "are all waiting, or its CPU is busy.",
        log_y=True,
        guides=[_guide(levels)],
    )


def _points(
    run: Run, lane: Lane, levels: Sequence[Workload], of: Callable[..., float]
) -> tuple[tuple[float, Interval | None], ...]:
    return tuple((level.concurrency, cells.mean(run, lane.name, level, of)) for level in levels)


def _guide(levels: Sequence[Workload]) -> Guide:
    free = tuple((w.concurrency, 1000 * w.concurrency / wait_ms(w.target)) for w in levels)
    return Guide(f"clients / {wait_ms(levels[0].target):g} ms", free)


def _tables(run: Run) -> list[Table]:
    lanes = {lane.name: lane for lane in cells.lanes(run)}
    base = _baseline(list(lanes.values())).name
    columns = [(_clients(workload), workload) for workload in cells.workloads(run)]

    def rps(lane: str, workload: Workload) -> str:
        return figures.rate(cells.mean(run, lane, workload, throughput))

    def of_ceiling(lane: str, workload: Workload) -> str:
        most = ceiling_rps(lanes[lane], workload)
        found = cells.mean(run, lane, workload, throughput)
        share = f"{100 * found.estimate / most:.0f}{PERCENT}" if found else NOTHING
        return f"{share} of {most:,.0f}"

    def ratio(lane: str, workload: Workload) -> str:
        found = cells.ratio(run, (lane, base), workload, throughput)
        return figures.factor(found) if found else NOTHING

    def us(lane: str, workload: Workload) -> str:
        return figures.rate(cells.mean(run, lane, workload, cpu))

    def p50(lane: str, workload: Workload) -> str:
        return figures.number(cells.middle_ms(run, lane, workload, "p50"), 1)

    others = [name for name in lanes if name != base]
    return [
        cells.table("Requests per second", lanes, columns, rps, MEANS),
        cells.table("Beside what the wait allows", lanes, columns, of_ceiling, GUIDE),
        cells.table(f"Throughput as a factor of {base}'s", others, columns, ratio, cells.EACH),
        cells.table("CPU µs per request", lanes, columns, us, MEANS, WARM),
        cells.table("Median latency (p50), ms", lanes, columns, p50, MEDIANS),
    ]


MEANS = "Geometric means over trials, with 95 % intervals."
MEDIANS = "Each figure is the median of the trials' own."
WARM = (
    "A warm-up takes a second at most; where a lane is slow it has fewer than 500 requests, and "
    "a request costs up to a tenth more than later ones."
)

WAITING = Question(
    name="io",
    help="Ask a route that only waits, by numbers of clients: async, greenlets, threads, workers.",
    cells=_cells,
    report=report,
    options=(
        click.Option(
            ["--levels"], default="1,10,50,100", show_default=True, type=Counts(), help="Clients."
        ),
        click.Option(
            ["--ms"],
            default=10,
            show_default=True,
            type=click.IntRange(1, 100),
            help="That each request waits.",
        ),
    ),
    lanes=(
        *("aiohttp-gunicorn", "flask-gunicorn", "flask-gunicorn-4", "flask-gthread"),
        *("flask-gthread32", "flask-gevent", "tornado-dev", "starlette-uvicorn"),
    ),
    blocks=4,
    seconds=0.5,
    rounds=3,
)
