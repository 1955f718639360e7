"""Where a request's CPU time goes: the differences between targets that do more and more.

A lane that keeps connections alive is asked with and without: what differs is the connection.
`/healthz` does nothing, so it costs the server and the framework; a body's ephemeris is what
`/planets/mars` costs more than that, and the other nine what `/planets` costs more than it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from loadtest import results, stats
from loadtest.lanes import Lane
from loadtest.plan import HEALTH, MARS, Cell, Plan, Workload, from_description
from loadtest.results import Run
from loadtest.stats import Interval, Sample
from loadtest.summary import cpu, valid_trials

FOLDER = "attribution"  # within the folder of the run that it explains

SKY = MARS.replace("/planets/mars", "/planets")
ONE_BODY = Workload(MARS)
ALL_BODIES = Workload(SKY)
NOTHING = Workload(HEALTH)
NOTHING_CLOSED = replace(NOTHING, keep_alive=False)
ALL_BODIES_CLOSED = replace(ALL_BODIES, keep_alive=False)
LOADS = ("ab", "h2load")  # the first that is fair to all lanes

CONNECTION = "connection"
SERVER = "server and framework"
CLOSING_SERVER = "server, framework and connection"
BODY = "one body's ephemeris"
OTHER_BODIES = "the other nine bodies'"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a request's CPU time, in microseconds."""

    name: str
    us: Interval


@dataclass(frozen=True, slots=True)
class Bar:
    """The parts of a lane's CPU time for a whole sky on a new connection, and it measured at once.

    The parts are differences within blocks; where the lane keeps connections alive their sum and
    `whole` are two measurements of the same.
    """

    lane: str
    parts: tuple[Part, ...]
    whole: Interval


class NoPartsError(ValueError):
    """Lanes of which nobody knows the parts."""


def cells(lanes: Sequence[Lane]) -> tuple[Cell, ...]:
    """Return what has to be measured of the lanes, the run's own question first.

    All by ab, or by h2load where ab is no fair measure of one of them.
    """
    workloads = (ONE_BODY, ALL_BODIES, NOTHING)
    closed = (NOTHING_CLOSED, ALL_BODIES_CLOSED)
    load = next((load for load in LOADS if all(lane.takes(load) for lane in lanes)), LOADS[-1])
    return tuple(
        Cell(lane, replace(workload, load=load))
        for workload in (*workloads, *closed)
        for lane in lanes
        if workload.keep_alive or lane.keeps_alive
    )


def plan(lanes: Sequence[Lane], blocks: int, seconds: float, seed: int, noisy: bool) -> Plan:
    """Return the plan that measures the parts of these lanes, but of a person's own.

    Raises NoPartsError where there are no others: what they answer to these targets nobody knows.
    """
    ours = [lane for lane in lanes if not lane.own]
    if not ours:
        raise NoPartsError(
            "attribute asks for /healthz, /planets/mars and /planets, which a lane of your own "
            "does not have; leave it out"
        )
    return Plan(
        cells(ours), blocks=blocks, seconds=seconds, seed=seed, noisy=noisy, question="attribute"
    )


def bars(run: Run) -> list[Bar]:
    """Return each lane's bar, from the run's own trials or from those of the run within it."""
    loads = [workload.load for workload in from_description(run.description["plan"]).workloads]
    pairs = ((lane, load) for lane in _lanes(run) for load in loads)
    found = [bar for lane, load in pairs if (bar := _bar(run, lane, load))]
    nested = run.folder / FOLDER
    if not found and (nested / results.RUN_FILE).exists():
        return bars(results.load(nested))
    return found


def _lanes(run: Run) -> Iterator[Lane]:
    plan = from_description(run.description["plan"])
    return iter(dict.fromkeys(cell.lane for cell in plan.cells if not cell.lane.twin))


def _bar(run: Run, lane: Lane, load: str) -> Bar | None:
    """Return the lane's bar by a load, None where no block has all that it needs."""
    whole = ALL_BODIES_CLOSED if lane.keeps_alive else ALL_BODIES
    wanted = (NOTHING, ONE_BODY, ALL_BODIES, whole, *([NOTHING_CLOSED] * bool(lane.keeps_alive)))
    asked = {workload: replace(workload, load=load) for workload in wanted}
    found = {w: {t.block: cpu(t) for t in valid_trials(run, lane.name, asked[w])} for w in wanted}
    blocks = sorted(set.intersection(*(set(by_block) for by_block in found.values())))
    if not blocks:
        return None

    def difference(more: Workload, less: Workload | None = None) -> Interval:
        values = (found[more][b] - (found[less][b] if less else 0.0) for b in blocks)
        return stats.mean(Sample(tuple(values)))

    parts = [
        Part(SERVER if lane.keeps_alive else CLOSING_SERVER, difference(NOTHING)),
        Part(BODY, difference(ONE_BODY, NOTHING)),
        Part(OTHER_BODIES, difference(ALL_BODIES, ONE_BODY)),
    ]
    if lane.keeps_alive:
        parts.insert(0, Part(CONNECTION, difference(NOTHING_CLOSED, NOTHING)))
    return Bar(lane.name, tuple(parts), difference(whole))
