"""`clients`: what a burst of requests costs the one who makes it, by way of making it."""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

import click

from loadtest import article
from loadtest.clients import ways
from loadtest.clients.ways import Way
from loadtest.content import Content
from loadtest.figures import NOTHING, factor, finite, number, rate, times
from loadtest.lanes import Lane
from loadtest.options import split
from loadtest.plan import Cell, Plan, from_description, wait_ms
from loadtest.plots import clients as plot
from loadtest.questions.question import Question, content
from loadtest.results import Run
from loadtest.stats import Interval
from loadtest.table import Table

TITLE = "PlanetTracker: HTTP clients compared"
MOST_AT_ONCE = 200
HELP = "What a burst of requests costs the client: one after another, by threads, asynchronously."
AT_ONCE = "Threads, and connections of the asynchronous clients: one number, or several as 4,10."


def _numbers(context: click.Context, parameter: click.Parameter, value: str) -> list[int]:
    names = split(context, parameter, value)
    if not names or not all(name.isascii() and name.isdigit() for name in names):
        raise click.BadParameter("give one number, or several such as 4,10", context, parameter)
    return sorted({int(name) for name in names})


OPTIONS = (
    click.Option(
        ["--ms"],
        default=20,
        show_default=True,
        type=click.IntRange(1, 500),
        help="Milliseconds after which the server answers.",
    ),
    click.Option(["--threads"], default="10", show_default=True, callback=_numbers, help=AT_ONCE),
    click.Option(
        ["--requests"],
        default=100,
        show_default=True,
        type=click.IntRange(2, 10_000),
        help="Of a burst.",
    ),
)


def cells(lanes: Sequence[Lane], options: dict[str, Any]) -> tuple[Cell, ...]:
    """Return what is to be measured, or raise ValueError."""
    at_once, burst = options["threads"], options["requests"]
    if not all(2 <= n <= MOST_AT_ONCE and n < burst for n in at_once):
        raise ValueError(
            f"--threads must be from 2 to {MOST_AT_ONCE}, and fewer than --requests ({burst})"
        )
    return ways.cells(lanes, burst, at_once, options["ms"])


def report(run: Run) -> Content:
    """Return the answer, and what it rests on."""
    plan = from_description(run.description["plan"])
    found = ways.ways(plan)
    first = [way for way in found if way.cell.lane == found[0].cell.lane]
    said = (_answer(run, first), _how(plan, first), article.CLIENTS)
    shown = (_wall(run, plan, found), _cpu(run, found), _latency(run, found))
    return content(run, TITLE, said, [plot.plot(run, first)], shown)


def _each_ms(way: Way) -> float:
    return wait_ms(way.workload.target)


def _ms(run: Run, way: Way, of: ways.Of) -> str:
    """Return for instance `254 ms (251 to 257)`."""
    found = ways.figure_ms(run, way, of)
    if found is None:
        return NOTHING
    estimate, spread = f"{found.estimate:,.0f} ms", rate(found).partition(" ")[2]
    return f"{estimate} {spread}" if finite(found) else estimate


def _answer(run: Run, shown: Sequence[Way]) -> Iterator[str]:
    """Yield the answer in words: the time of each client, then what its CPU did for it."""
    measured = [way for way in shown if ways.trials(run, way)]
    if measured:
        yield from _times(run, shown[0], measured)
        costs = "; ".join(f"{way.name} {_ms(run, way, ways.cpu)}" for way in measured)
        yield f"Of that is CPU time of the client, user and system: {costs}."
    yield from (
        f"There is no valid trial of {way.name}; the last table says why."
        for way in shown
        if way not in measured
    )


def _times(run: Run, serial: Way, measured: Sequence[Way]) -> Iterator[str]:
    """Yield how long it takes each, who is soonest, and what asynchronous code gains."""
    faster = ways.ratios(run, ways.planned(run), ways.wall)
    needed = (
        f"{way.name} {_ms(run, way, ways.wall)}{_as_fast(faster, serial, way)}" for way in measured
    )
    yield (
        f"To have {serial.burst} replies, each of which comes {_each_ms(serial):g} ms after it is "
        f"asked for, takes: {'; '.join(needed)}."
    )
    yield from _fastest(run, measured)
    yield from _alike(faster, measured)


def _as_fast(found: dict[ways.Pair, Interval], serial: Way, way: Way) -> str:
    ratio = found.get((serial, way))
    if ratio is None:
        return ""
    return ", no difference shown" if ratio.holds(1) else f", {times(ratio)} as fast"


def _fastest(run: Run, measured: Sequence[Way]) -> Iterator[str]:
    means = {way: f.estimate for way in measured if (f := ways.figure_ms(run, way, ways.wall))}
    best = min(means, key=means.__getitem__)
    least_ms = best.least_ms(_each_ms(best))
    yield (
        f"All were there soonest by {best.name}; the waiting alone takes "
        f"{least_ms:,g} ms then, and the rest, {max(means[best] - least_ms, 0):,.0f} ms, is work."
    )


def _alike(found: dict[ways.Pair, Interval], measured: Sequence[Way]) -> Iterator[str]:
    """Yield what asynchronous code gains where as many requests are under way as by threads."""
    for (a, b), ratio in found.items():
        if a.workload.load != ways.THREADS or a not in measured or b not in measured:
            continue
        if ratio.holds(1):
            yield f"Between {a.name} and {b.name} no difference is shown, {factor(ratio)}."
        else:
            yield f"With as many at once, {b.name} is {times(ratio)} as fast as {a.name}."


def _how(plan: Plan, shown: Sequence[Way]) -> Iterator[str]:
    lane = shown[0].cell.lane.name
    yield (
        f"Each client is a program of its own, which asks {lane} on this machine; its clock runs "
        "from before its session is made to after its last reply, without Python's start and the "
        "imports."
    )
    yield (
        "Each reply is held to status 200 and to the bytes of the others, as many as the "
        "experiment has verified; a trial in which one is missing or unlike counts for nothing."
    )
    yield (
        "Threads have each a Session and their part of the requests, and are joined; asynchronous "
        "clients begin all requests, of which as many go on at once as they have connections."
    )
    yield (
        f"Each of {plan.blocks} blocks measures every client once, in shuffled order; factors are "
        "within blocks, and Holm's method keeps the chance that any shows a difference which is "
        "not there to one run in twenty."
    )


def _row_name(found: Sequence[Way], way: Way) -> str:
    several = len({other.cell.lane for other in found}) > 1
    return f"{way.name} ({way.cell.lane.name})" if several else way.name


def _wall(run: Run, plan: Plan, found: Sequence[Way]) -> Table:
    ratios = ways.ratios(run, ways.planned(run), ways.wall)
    faster = {b: ratio for (a, b), ratio in ratios.items() if _first(a)}
    rows = (
        (
            _row_name(found, way),
            rate(ways.figure_ms(run, way, ways.wall)),
            factor(faster[way]) if way in faster else NOTHING,
            number(way.least_ms(_each_ms(way))),
            f"{len(ways.trials(run, way))} of {plan.blocks}",
            article.NOT_KNOWN,
        )
        for way in found
    )
    return Table(
        "Time for all replies",
        (
            *("client", "ms", "times as fast as one after another", "the waiting alone, ms"),
            *("valid trials", "the article's"),
        ),
        tuple(rows),
        ("Geometric means over trials, with 95 % intervals.", " ".join(article.CLIENTS)),
    )


def _first(way: Way) -> bool:
    return way.workload.load == ways.SERIAL


def _cpu(run: Run, found: Sequence[Way]) -> Table:
    pairs = [(b, a) for a, b in ways.planned(run)]
    dearer = {b: ratio for (b, a), ratio in ways.ratios(run, pairs, ways.cpu).items() if _first(a)}
    rows = []
    for way in found:
        if done := ways.trials(run, way):
            cost = ways.figure_ms(run, way, ways.cpu)
            assert cost is not None
            rows.append(
                (
                    _row_name(found, way),
                    rate(cost),
                    number(1000 * median(t.load_user_s or 0.0 for t in done), 1),
                    number(1000 * median(t.load_system_s or 0.0 for t in done), 1),
                    number(1000 * cost.estimate / way.burst),
                    factor(dearer[way]) if way in dearer else NOTHING,
                )
            )
    return Table(
        "CPU time of the client",
        ("client", "ms", "user, ms", "system, ms", "µs a request", "times one after another's"),
        tuple(rows),
        (
            "By the client's own count, which the kernel divides into user and system by what a "
            "clock of some milliseconds finds: the sum is surer than its parts.",
        ),
    )


def _latency(run: Run, found: Sequence[Way]) -> Table:
    columns = ("mean", "p50", "p99", "max")
    rows = []
    for way in found:
        if done := [t.latency_ms for t in ways.trials(run, way) if t.latency_ms]:
            cells = (number(median(told[column] for told in done), 1) for column in columns)
            rows.append((_row_name(found, way), *cells))
    return Table(
        "How long a request took, as its client saw it, ms",
        ("client", *columns),
        tuple(rows),
        (
            "From the call to the whole reply, the wait for a connection included; each figure is "
            "the median of the trials' own.",
        ),
    )


CLIENTS = Question(
    name="clients",
    help=HELP,
    cells=cells,
    report=report,
    options=OPTIONS,
    lanes=("aiohttp-dev",),
    blocks=8,
)
