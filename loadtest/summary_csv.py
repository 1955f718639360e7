"""A run's figures as CSV (RFC 4180): a row for each lane under each workload."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import isfinite

from loadtest.lanes import Lane
from loadtest.plan import Cell, from_description
from loadtest.results import Run
from loadtest.stats import Interval
from loadtest.summary import Summary, summarise

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with what a spreadsheet begins to calculate
Value = str | float | None


def text(run: Run) -> str:
    """Return the file, its header first. What was not measured is an empty cell."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for row in rows(run):
        writer.writerow(_cell(value) for value in row)
    return file.getvalue()


def rows(run: Run) -> Iterator[tuple[Value, ...]]:
    """Yield the figures of each cell of the plan, in the order of COLUMNS."""
    whole = summarise(run)
    for cell in from_description(run.description["plan"]).cells:
        summary = replace(whole, workload=cell.workload)
        yield tuple(column(summary, cell) for column in COLUMNS.values())


def _cell(value: Value) -> str:
    """Return plain text, numbers without an exponent; what begins like a formula gets a quote."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return f"{value:.6f}".rstrip("0").rstrip(".")
    return f"'{value}" if value.startswith(FORMULA) else value


Column = Callable[[Summary, Cell], Value]


def _lane(of: Callable[[Lane], Value]) -> Column:
    return lambda summary, cell: of(cell.lane)


def _interval(
    name: str, unit: str, of: Callable[[Summary, str], Interval | None]
) -> dict[str, Column]:
    def end(attribute: str) -> Column:
        def column(summary: Summary, cell: Cell) -> Value:
            interval = of(summary, cell.lane.name)
            known = interval is not None and (attribute == "estimate" or isfinite(interval.high))
            return getattr(interval, attribute) if known else None

        return column

    suffixes = {"": "estimate", "_low": "low", "_high": "high"}
    return {f"{name}{suffix}_{unit}": end(attribute) for suffix, attribute in suffixes.items()}


def _latency(of: str) -> Column:
    return lambda summary, cell: summary.latency_ms(cell.lane.name, of)


def _middle(of: str) -> Column:
    return lambda summary, cell: summary.middle(cell.lane.name, lambda trial: getattr(trial, of))


COLUMNS: Mapping[str, Column] = {
    "lane": _lane(lambda lane: lane.name),
    "framework": _lane(lambda lane: lane.framework),
    "server": _lane(lambda lane: lane.server),
    "worker_class": _lane(lambda lane: lane.worker_class if lane.server != "dev" else None),
    "workers": _lane(lambda lane: lane.workers),
    "load": lambda summary, cell: cell.workload.load,
    "target": lambda summary, cell: cell.workload.target,
    "concurrency": lambda summary, cell: cell.workload.concurrency,
    "keep_alive": lambda summary, cell: cell.workload.keep_alive,
    "trials": lambda summary, cell: summary.attempts(cell.lane.name),
    "valid": lambda summary, cell: len(summary.trials(cell.lane.name)),
    **_interval("throughput", "rps", Summary.throughput_rps),
    **_interval("cpu", "us", Summary.cpu_us),
    "latency_mean_ms": _latency("mean"),
    "latency_p50_ms": _latency("p50"),
    "latency_p90_ms": _latency("p90"),
    "latency_p99_ms": _latency("p99"),
    "latency_max_ms": _latency("max"),
    "serial_ms": _middle("serial_ms"),
    "memory_mib": _middle("memory_mib"),
    "startup_s": _middle("startup_s"),
    "load_cores": _middle("load_cores"),
    "outside_cores": _middle("outside_cores"),
    "requests": _middle("requests"),
    "kept_alive": _middle("kept_alive"),
    "variant": _lane(lambda lane: lane.variant),
    "threads": _lane(lambda lane: lane.threads),
    "behind": _lane(lambda lane: lane.behind),
    "python": _lane(lambda lane: lane.python),
    "share": lambda summary, cell: cell.workload.share,
    "offered_rps": _middle("offered_rps"),
    "slow": lambda summary, cell: cell.workload.slow,
    "failing": lambda summary, cell: cell.workload.failing,
    "rate_rps": _middle("rate_rps"),
    "complete": _middle("complete"),
    "failed": _middle("failed"),
    "load_user_s": _middle("load_user_s"),
    "load_system_s": _middle("load_system_s"),
}
