"""The question `slow`: what slow clients do to everybody else's requests."""

from collections.abc import Sequence
from typing import Any

import click

from loadtest import figures, lanes, nginx, run_state
from loadtest.content import Content
from loadtest.figures import NOTHING, PERCENT
from loadtest.lanes import Lane
from loadtest.load import LoadMissingError
from loadtest.plan import Cell, Workload
from loadtest.plots import slow as plot
from loadtest.plots.slow import Line
from loadtest.questions import cells, slow_words
from loadtest.questions.question import Question, content
from loadtest.results import Run
from loadtest.slow_clients import KINDS
from loadtest.table import Table
from loadtest.trial import SLOW_TIMEOUT_S

TITLE = "PlanetTracker: everybody else's requests beside slow clients"
SHIELDED = "flask-gunicorn"  # measured behind a proxy too: by itself one client holds its worker


def _cells(rows: Sequence[Lane], options: dict[str, Any]) -> tuple[Cell, ...]:
    """Return each lane without slow clients and beside each kind of them."""
    alone = Workload(concurrency=options["concurrency"], load="h2load")
    beside = [
        Workload(
            concurrency=options["concurrency"],
            load="h2load",
            slow=f"{options['clients']} {kind}",
            failing=True,
        )
        for kind in KINDS
    ]
    return tuple(
        Cell(lane, workload)
        for workload in (alone, *beside)
        for lane in _shielded(rows, options["proxy"])
        if lane.takes("h2load")
    )


def _shielded(rows: Sequence[Lane], proxy: bool) -> list[Lane]:
    try:
        nginx.find()
    except LoadMissingError:
        return list(rows)
    added = [lanes.behind(lane, nginx.NAME) for lane in rows if lane.name == SHIELDED and proxy]
    return [*rows, *added]


def report(run: Run) -> Content:
    """Return the answer, from the run's files alone."""
    said = (slow_words.answer(run), _asked(run), run_state.state(run))
    drawn = plot.plot({lane.name: _lines(run, lane.name) for lane in cells.lanes(run)})
    return content(run, TITLE, said, [drawn], _tables(run))


def _lines(run: Run, lane: str) -> list[Line]:
    return [
        Line(
            workload.slow,
            cells.middle_ms(run, lane, workload, "p50"),
            cells.middle_ms(run, lane, workload, "p99"),
            cells.answered(run, lane, workload),
        )
        for workload in cells.workloads(run)
    ]


def _asked(run: Run) -> list[str]:
    alone = cells.workloads(run)[0]
    return [
        "Slow clients hold connections to the server while others load it: idle ones send nothing "
        "after they have connected, trickling ones send a byte of a request's head each second "
        "and never its end.",
        f"Beside them {alone.concurrency} clients ask for one planet over h2load (HTTP/1.1), each "
        f"again when it has its reply. One that has none after {SLOW_TIMEOUT_S} s gives up: its "
        "requests were not answered.",
        "Ratios are within blocks, with a fresh server for each trial.",
    ]


def _tables(run: Run) -> list[Table]:
    names = [lane.name for lane in cells.lanes(run)]
    alone, *beside = cells.workloads(run)
    columns = [(workload.slow or "without", workload) for workload in (alone, *beside)]

    def answered(lane: str, workload: Workload) -> str:
        share = cells.answered(run, lane, workload)
        return NOTHING if share is None else f"{100 * share:.0f}{PERCENT}"

    def of_percentile(percentile: str) -> cells.Shown:
        def shown(lane: str, workload: Workload) -> str:
            return figures.number(cells.middle_ms(run, lane, workload, percentile), 1)

        return shown

    def times(percentile: str) -> cells.Shown:
        def shown(lane: str, workload: Workload) -> str:
            found = cells.slowed(run, lane, workload, percentile)
            return figures.factor(found) if found else NOTHING

        return shown

    return [
        cells.table("Requests that were answered", names, columns, answered, ANSWERED),
        cells.table("Median latency (p50), ms", names, columns, of_percentile("p50"), MEDIANS),
        cells.table("99th percentile (p99), ms", names, columns, of_percentile("p99"), MEDIANS),
        *(
            cells.table(
                f"{percentile} as a factor of that without slow clients",
                names,
                columns[1:],
                times(percentile),
                cells.EACH,
            )
            for percentile in ("p50", "p99")
        ),
    ]


ANSWERED = "The median over trials, of those too that gave up before anything was answered."
MEDIANS = "Each figure is the median of the trials' own, over the requests that were answered."

SLOW = Question(
    name="slow",
    help="Hold idle or trickling connections beside a load: whose requests are still answered.",
    cells=_cells,
    report=report,
    options=(
        click.Option(
            ["--clients"],
            default=50,
            show_default=True,
            type=click.IntRange(1, 1000),
            help="That are slow.",
        ),
        click.Option(
            ["--concurrency"],
            default=10,
            show_default=True,
            type=click.IntRange(1, 1000),
            help="Of the load beside them.",
        ),
        click.Option(
            ["--no-proxy", "proxy"],
            is_flag=True,
            flag_value=False,
            default=True,
            help=f"Leave {SHIELDED} behind nginx out, which is measured where nginx is installed.",
        ),
    ),
    lanes=(
        *("aiohttp-gunicorn", "flask-gunicorn", "flask-gunicorn-4", "flask-gthread"),
        *("flask-gevent", "starlette-uvicorn"),
    ),
    blocks=4,
    seconds=1.0,
)
