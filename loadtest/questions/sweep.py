"""The question `sweep`: throughput, latency and failed requests by the number of clients."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from loadtest import figures, loads, run_state
from loadtest.content import Content
from loadtest.doctor import EXTRA_FILES
from loadtest.figures import NOTHING
from loadtest.lanes import Lane
from loadtest.machines import Machine, local_ports
from loadtest.options import Counts, split
from loadtest.plan import MARS, Cell, Workload, check_target
from loadtest.plots import curves
from loadtest.plots.axes import Plot
from loadtest.plots.curves import Curve
from loadtest.plots.styles import Style, styles
from loadtest.questions import levels_words as words
from loadtest.questions.levels import Level, Series, alone, series
from loadtest.questions.question import Question, content
from loadtest.results import Run
from loadtest.stats import Interval
from loadtest.table import Table

TITLE = "PlanetTracker: how many clients at once"
LEVELS = "1,10,100,1000,5000,10000"
MOST_CLIENTS = 20_000  # of ab
CLOSED_LOOP = (
    "The load is a closed loop: each client sends its next request when its last one has ended. "
    "All connect at once, as the trial begins."
)


def _cells(rows: Sequence[Lane], options: dict[str, Any]) -> tuple[Cell, ...]:
    check_target(options["target"])
    machine = Machine()
    too_many = {n: why for n in options["levels"] if (why := too_many_for(machine, n))}
    for why in too_many.values():
        click.echo(why)
    levels = [level for level in options["levels"] if level not in too_many]
    if not levels:
        raise ValueError("no level is left: give fewer clients to --levels, or raise the limits")
    found = tuple(
        Cell(lane, Workload(options["target"], level, load=load, failing=True))
        for lane in rows
        for load in _loads(lane, options["loads"])
        for level in levels
    )
    if not found:
        raise ValueError("ab is no fair load for these lanes; give --loads h2load")
    return found


def _loads(lane: Lane, named: Sequence[str]) -> list[str]:
    """Return the lane's loads: ab where it is fair and nothing else is asked for."""
    unknown = [name for name in named if name not in ("ab", "h2load")]
    if unknown:
        raise ValueError(f"--loads takes ab, h2load or both, not {', '.join(unknown)}")
    if not named:
        return [loads.REQUIRED if lane.takes(loads.REQUIRED) else "h2load"]
    return [name for name in named if lane.takes(name)]


def too_many_for(machine: Machine, level: int) -> str | None:
    """Return why so many clients cannot be measured here, and what to do, or None."""
    files, ports = machine.open_files(), _ports(machine)
    skipped = f"{level:,} clients are skipped: "
    if level > MOST_CLIENTS:
        return f"{skipped}ab has at most {MOST_CLIENTS:,}."
    if 0 <= files < level + EXTRA_FILES:
        needed = level + EXTRA_FILES
        return f"{skipped}{files:,} files may be open; `ulimit -Hn {needed}` as root lets more."
    if ports is not None and ports < level:
        lets = "`sudo sysctl -w net.ipv4.ip_local_port_range='32768 60999'` lets more."
        return f"{skipped}there are {ports:,} local ports; {lets}"
    return None


def _ports(machine: Machine) -> int | None:
    try:
        return local_ports(machine)
    except (OSError, ValueError, LookupError):
        return None


def report(run: Run) -> Content:
    """Return the answer, from the run's files alone."""
    found = series(run)
    said = (words.answer(found), words.details(found), _asked(found), run_state.state(run))
    return content(run, TITLE, said, _plots(run, found), [_table(found)])


def _asked(found: Sequence[Series]) -> list[str]:
    by_load: dict[str, list[str]] = {}
    for one in found:
        by_load.setdefault(one.workloads[0].load, []).append(one.lane.name)
    with_load = "; ".join(f"{load} at {', '.join(names)}" for load, names in by_load.items())
    numbers = sorted({w.concurrency for one in found for w in one.workloads})
    return [
        f"Asked by {', '.join(f'{n:,}' for n in numbers)} clients at once, with keep-alive where "
        f"the lane has it, each trial on a fresh server that a few clients have warmed up: "
        f"{with_load}.",
        CLOSED_LOOP,
        "The best number of clients is the lowest whose throughput is not shown to be less than "
        "the most, within blocks, and at least nine tenths of it.",
        "Requests a second are of those that were answered with the right number of bytes; a "
        "request counts as failed once, whatever the load calls it.",
    ]


def _plots(run: Run, found: Sequence[Series]) -> Iterator[Plot | None]:
    style = {one.name: styles(run)[one.lane.name] for one in found}
    yield _plot(
        *("Throughput by clients", "requests per second", found, style),
        lambda one, workload: one.throughput_rps(workload),
        "Further up is more. A line has a gap where the load gave up.",
    )
    yield _plot(
        *("Latency by clients (p99)", "milliseconds", found, style),
        lambda one, workload: _alone(one.level(workload).latency_ms("p99")),
        "99 in 100 requests took no longer; further down is faster. In a closed loop of so many "
        "clients a request waits for all that were sent before it.",
        log_y=True,
    )
    if any(one.fails() for one in found):
        yield _plot(
            *("Failed requests by clients", "percent of requests", found, style),
            lambda one, workload: _alone(_percent(one.level(workload))),
            "Where the load gave up, this is what it had not completed.",
        )


def _plot(
    title: str,
    y_name: str,
    found: Sequence[Series],
    style: dict[str, Style],
    of: Callable[[Series, Workload], Interval | None],
    caption: str,
    log_y: bool = False,
) -> Plot | None:
    lines = [
        Curve(one.name, tuple((w.concurrency, of(one, w)) for w in one.workloads)) for one in found
    ]
    return curves.plot(title, "clients at once", y_name, lines, style, caption, log_y=log_y)


def _alone(value: float | None) -> Interval | None:
    return None if value is None else alone(value)


def _percent(level: Level) -> float | None:
    return None if level.failed_share is None else 100 * level.failed_share


def _table(found: Sequence[Series]) -> Table:
    return Table(
        "By clients",
        (
            *("lane", "clients", "requests/s", "time per request, ms"),
            *("across all, ms", "p50, ms", "p99, ms", "failed", "note"),
        ),
        tuple(_row(one, workload) for one in found for workload in one.workloads),
        (
            "ab prints two times per request, both made of the throughput. The first is clients x "
            "time / requests: how long a client waits for a reply, in the mean. The second is "
            "time / requests: how far apart two replies are, whoever gets them; it says nothing of "
            "how long anybody waits. Here they are of the requests that were answered.",
            "Requests per second are geometric means over trials, with 95 % intervals; "
            "percentiles are the median of the trials' own. ab's hold requests that failed, too, "
            "and the time to connect; h2load's hold neither. Where h2load lost requests, its time "
            "holds the wait for them.",
        ),
    )


def _row(one: Series, workload: Workload) -> tuple[str, ...]:
    level, rps = one.level(workload), one.throughput_rps(workload)
    across_ms = 1000 / rps.estimate if rps else None
    each_ms = across_ms * level.clients if across_ms is not None else None
    return (
        one.name,
        f"{level.clients:,}",
        figures.rate(rps),
        figures.number(each_ms, 2),
        figures.number(across_ms, 3),
        figures.number(level.latency_ms("p50"), 1),
        figures.number(level.latency_ms("p99"), 1),
        f"{level.failed:,} of {level.ended:,}" if level.valid else NOTHING,
        "; ".join(_notes(level)),
    )


def _notes(level: Level) -> Iterator[str]:
    yield from dict.fromkeys(map(words.gave_up, level.aborted))
    yield from dict.fromkeys(
        f"invalid: {t.invalid}" for t in level.trials if t.invalid and not t.aborted
    )
    asked = sum(trial.requests for trial in level.valid)
    if level.ended < asked:
        yield f"{asked - level.ended:,} of {asked:,} not asked or not ended when time was up"
    if queue := words.queue_full(level):
        yield queue


SWEEP = Question(
    name="sweep",
    help="Ask by 1 to 10,000 clients at once: where a stack stops rising, where it starts to fail.",
    cells=_cells,
    report=report,
    options=(
        click.Option(
            ["--levels"], default=LEVELS, show_default=True, type=Counts(), help="Clients."
        ),
        click.Option(["--target"], default=MARS, help="What is asked for. [mars at a fixed time]"),
        click.Option(
            ["--loads"],
            default="",
            callback=split,
            help="ab, h2load or both. [ab, and h2load for the lanes that ab is not fair to]",
        ),
    ),
    lanes=(
        *("aiohttp-dev", "aiohttp-gunicorn", "flask-gunicorn", "flask-gthread", "flask-gevent"),
        *("tornado-dev", "starlette-uvicorn"),
    ),
    blocks=2,
    seconds=0.5,
    rounds=3,
)
