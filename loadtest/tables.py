"""A summary as tables of text: said once here, shown in the terminal, REPORT.md and report.html."""

from collections.abc import Callable, Mapping

from loadtest import article, attribution, comparisons, run_state, stacks, two_loads
from loadtest.figures import NOTHING, PERCENT, number, percent, rate
from loadtest.pairs import FRAMEWORKS
from loadtest.plan import Cell, from_description, label
from loadtest.results import Run, Trial
from loadtest.sizing_table import sizing as sizing
from loadtest.summary import BASELINE, Summary, by_load
from loadtest.table import Table

IDLE = 0.01  # of the workers' CPU time


def tables(summary: Summary) -> list[Table]:
    """Return the report's tables, in its order."""
    candidates = (
        stacks.table(summary),
        throughput(by_load(summary.run).get(article.LOAD, summary)),
        comparisons.planned(summary),
        comparisons.all_pairs(summary),
        two_loads.table(summary),
        costs(summary),
        attributed(summary),
        latency(summary),
        workers(summary),
        sizing(summary),
        environment(summary.run),
        invalid(summary.run),
    )
    return [table for table in candidates if table.rows]


def throughput(summary: Summary) -> Table:
    """Return the article's table: throughput, and its differences in both directions."""
    rows: list[tuple[str, ...]] = []
    ratios = summary.throughput_ratios()
    for server in summary.servers:
        aiohttp, flask = (server.lane(framework) for framework in FRAMEWORKS)
        rows.append(
            (
                server.label,
                rate(summary.throughput_rps(aiohttp)),
                rate(summary.throughput_rps(flask)),
                percent(ratios.get((aiohttp, flask))),
                _articles(server.lane),
            )
        )
    for server in summary.servers[1:]:
        gains = (percent(ratios.get((server.lane(f), BASELINE.lane(f)))) for f in FRAMEWORKS)
        told = (_change(server.lane(f), BASELINE.lane(f)) for f in FRAMEWORKS)
        rows.append(
            (
                f"{server.label}: % increase over dev server",
                *gains,
                "",
                " / ".join(told),
            )
        )
    return Table(
        f"The article's table: requests per second, by {summary.workload.load}",
        ("", "aiohttp", "Flask", "% difference, aiohttp to Flask", "the article: aiohttp / Flask"),
        tuple(rows),
        (
            "Geometric means over trials, with 95 % intervals. Lanes are compared within blocks; "
            "their differences have intervals wide enough that at most one run in twenty shows any "
            "that is not there (Holm's method).",
            article.CORRECTION,
            article.CAVEAT,
        ),
    )


def _articles(lane: Callable[[str], str]) -> str:
    told = [article.THROUGHPUT_RPS.get(lane(framework)) for framework in FRAMEWORKS]
    if None in told:
        return NOTHING
    figures = " / ".join(f"{value:,.2f}" for value in told)
    return f"{figures} ({_change(lane('aiohttp'), lane('flask'))})"


def _change(a: str, b: str) -> str:
    told = article.THROUGHPUT_RPS
    return f"{100 * (told[a] / told[b] - 1):+.2f}{PERCENT}" if {a, b} <= told.keys() else NOTHING


def costs(summary: Summary) -> Table:
    """Return what each lane costs."""
    columns: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("CPU µs per request", lambda lane: rate(summary.cpu_us(lane))),
        (
            "memory, MiB",
            lambda lane: number(summary.middle(lane, lambda t: t.memory_mib)),
        ),
        ("start-up, s", lambda lane: number(summary.middle(lane, lambda t: t.startup_s), 2)),
        ("kept alive", lambda lane: number(summary.middle(lane, _kept_percent), 0, PERCENT)),
        ("load's CPU, cores", lambda lane: number(summary.middle(lane, lambda t: t.load_cores), 2)),
        ("valid trials", lambda lane: _valid(summary, lane)),
        ("requests a trial", lambda lane: number(summary.middle(lane, lambda t: t.requests), 0)),
    )
    return Table(
        "What a lane costs",
        ("lane", *(name for name, _ in columns)),
        tuple((lane, *(cell(lane) for _, cell in columns)) for lane in summary.lanes),
        (
            "CPU time is the server's, user and system, of all its processes. Memory is what "
            "they hold after the load, what several share counted once. Start-up is "
            "the time until every worker has answered; of several, each has to accept a "
            "connection first, which takes luck where all of them wait for one. A short trial "
            "lasted less than four fifths of the time planned.",
        ),
    )


def _valid(summary: Summary, lane: str) -> str:
    trials = summary.trials(lane)
    short = sum(trial.short for trial in trials)
    return f"{len(trials)} of {summary.attempts(lane)}" + (f", {short} short" if short else "")


def _kept_percent(trial: Trial) -> float | None:
    return None if trial.kept_alive is None else 100 * trial.kept_alive / trial.requests


def attributed(summary: Summary) -> Table:
    """Return the parts of each lane's CPU time, where they were measured."""
    bars = attribution.bars(summary.run)
    names = tuple(dict.fromkeys(part.name for bar in bars for part in bar.parts))
    rows = []
    for bar in bars:
        parts = {part.name: rate(part.us) for part in bar.parts}
        sum_us = number(sum(part.us.estimate for part in bar.parts))
        cells = (parts.get(name, NOTHING) for name in names)
        rows.append((bar.lane, *cells, sum_us, rate(bar.whole)))
    return Table(
        "Where the microseconds go, CPU µs per request",
        ("lane", *names, "sum", "measured at once"),
        tuple(rows),
        (
            "For all bodies on a new connection. The parts are differences within blocks between "
            "targets that do more and more; one that is small may come out below zero.",
        ),
    )


def latency(summary: Summary) -> Table:
    """Return the latencies of each lane."""
    columns = ("mean", "p50", "p90", "p99", "max")
    rows = (
        (lane, *(number(summary.latency_ms(lane, column), 2) for column in columns))
        for lane in summary.lanes
    )
    return Table(
        f"Latency in a closed loop of {summary.workload.concurrency} clients, ms",
        ("lane", *columns),
        tuple(rows),
        (
            "Each figure is the median of the trials' own. The load is a closed loop: a client "
            "sends its next request when it has its reply, so that a slow server is asked less, "
            "and a stall is counted once for each client, not for all who would have come "
            "meanwhile. What users wait at a rate of their own, `python -m loadtest rate` says.",
        ),
    )


def workers(summary: Summary) -> Table:
    """Return how the workers of the lanes with several shared the work."""
    rows = (
        (
            lane,
            f"{100 * min(map(min, found)):.0f}{PERCENT}",
            f"{100 * max(map(max, found)):.0f}{PERCENT}",
            f"{with_idle_worker(found)} of {len(found)}",
        )
        for lane, found in shares(summary).items()
    )
    return Table(
        "How workers shared the work, by CPU time",
        ("lane", "least", "most", "trials with an idle worker"),
        tuple(rows),
    )


def shares(summary: Summary) -> dict[str, list[tuple[float, ...]]]:
    """Return each worker's part of the CPU time, by trial, of the lanes with several workers."""
    found = {
        lane: [tuple(t.worker_cpu_share) for t in summary.trials(lane) if t.worker_cpu_share]
        for lane in summary.lanes
    }
    return {lane: shares for lane, shares in found.items() if shares and len(shares[0]) > 1}


def with_idle_worker(shares: list[tuple[float, ...]]) -> int:
    return sum(min(trial) < IDLE for trial in shares)


def invalid(run: Run) -> Table:
    """Return the trials that count for nothing, and why."""
    plan = from_description(run.description["plan"])
    lanes = {cell.lane.name: cell.lane for cell in plan.cells}
    rows = (
        (label(plan, Cell(lanes[t.lane], t.workload)), str(t.block), _with_log(t))
        for t in run.trials
        if t.invalid is not None and not t.aborted
    )
    return Table("Invalid trials", ("lane", "block", "reason"), tuple(rows))


def _with_log(trial: Trial) -> str:
    last = (trial.log or "").strip().splitlines()[-1:]
    return " | ".join([trial.invalid or "", *last])


def environment(run: Run) -> Table:
    """Return what the run ran on."""
    described = run.description
    plan = described["plan"]
    found = described["environment"]
    workloads = [cell["workload"] for cell in plan["cells"]]
    facts = (
        ("CPU", found.get("cpu")),
        ("cores", found.get("cores")),
        ("CPU governor", found.get("governor")),
        ("load average before", found.get("load_average")),
        ("memory, MiB", found.get("memory_mib")),
        ("system", found.get("system")),
        ("kernel", found.get("kernel")),
        ("Python", found.get("python")),
        ("packages", found.get("packages")),
        ("load generators", found.get("loads")),
        ("proxy", found.get("proxies") or []),
        ("commit", found.get("commit")),
        ("variables kept from the servers", found.get("cleared_variables")),
        ("waited for a quiet machine", run_state.wait(run)),
        ("noted before the run", run_state.findings(run)),
        ("target", sorted({load["target"] for load in workloads})),
        ("concurrency", sorted({load["concurrency"] for load in workloads})),
        ("keep-alive asked for", sorted({load["keep_alive"] for load in workloads})),
        ("pinned to cores", _pinned(plan.get("pin"))),
        ("blocks", plan["blocks"]),
        ("a trial", f"{plan['requests']} requests" if plan["requests"] else f"{plan['seconds']} s"),
        ("seed", plan["seed"]),
        ("started", described["started"]),
        ("state", described["state"]),
    )
    return Table("Environment", ("", ""), tuple((name, fact(value)) for name, value in facts))


def _pinned(pin: Mapping[str, list[int]] | None) -> str:
    """Return "server 0, 1; load 2", say."""
    parts = (f"{who} {', '.join(map(str, cores))}" for who, cores in (pin or {}).items())
    return "; ".join(parts) or "no"


def fact(value: object) -> str:
    """Return what a run's description says, in words."""
    match value:
        case None:
            return "not known"
        case [] | "":
            return "none"
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{name} {version}" for name, version in value.items())
        case list():
            return ", ".join(map(fact, value))
    return str(value)
