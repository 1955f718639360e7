"""Which lanes slow clients disturb, and what helps, in words."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from loadtest.figures import PERCENT
from loadtest.kinds import Kind, kind
from loadtest.lanes import Lane
from loadtest.plan import Workload
from loadtest.questions import cells
from loadtest.results import Run
from loadtest.words import listed

ALL, FEW = 0.99, 0.5  # of the requests
SLOWED = 2.0  # times the latency without
PERCENTILE = "p99"


class State(StrEnum):
    """What became of a lane beside slow clients."""

    AS_BEFORE = "answer as before"
    SLOWER = "answer, but slower"
    PARTLY = "answer only in part"
    STOPPED = "stop answering"
    UNKNOWN = "are not known"


def state(run: Run, lane: Lane, workload: Workload) -> State:
    """Return what became of the lane.

    Slower it is where 1 in 100 of the requests takes more than twice as long; where chance may
    explain that, it is not known.
    """
    share = cells.answered(run, lane.name, workload)
    if share is None:
        return State.UNKNOWN
    if share < ALL:
        return State.STOPPED if share < FEW else State.PARTLY
    ratio = cells.slowed(run, lane.name, workload, PERCENTILE)
    if ratio is None or (ratio.estimate > SLOWED and ratio.low <= 1):
        return State.UNKNOWN
    return State.SLOWER if ratio.estimate > SLOWED else State.AS_BEFORE


States = Mapping[Workload, Mapping[Lane, State]]


def answer(run: Run) -> list[str]:
    """Return the first paragraph: who is disturbed by which clients, and what helps."""
    lanes, beside = cells.lanes(run), cells.workloads(run)[1:]
    found = {w: {lane: state(run, lane, w) for lane in lanes} for w in beside}
    said = [_disturbed(run, workload, states) for workload, states in found.items()]
    return [*said, *_helps(found)]


def _disturbed(run: Run, workload: Workload, states: Mapping[Lane, State]) -> str:
    parts = []
    for each in State:
        names = [_named(run, lane, workload, each) for lane, of in states.items() if of is each]
        if names:
            parts.append(f"{listed(names)} {each if len(names) > 1 else ONE[each]}")
    return f"Beside {workload.slow} connections {'; '.join(parts)}."


ONE = {
    State.AS_BEFORE: "answers as before",
    State.SLOWER: "answers, but slower",
    State.PARTLY: "answers only in part",
    State.STOPPED: "stops answering",
    State.UNKNOWN: "is not known",
}


def _named(run: Run, lane: Lane, workload: Workload, of: State) -> str:
    """Return the lane with the figure that says how much it is disturbed."""
    if of is State.SLOWER:
        ratio = cells.slowed(run, lane.name, workload, PERCENTILE)
        assert ratio is not None
        return f"{lane.name} ({PERCENTILE} times {ratio.estimate:.1f})"
    if of in (State.PARTLY, State.STOPPED):
        share = cells.answered(run, lane.name, workload)
        return f"{lane.name} ({100 * (share or 0):.0f}{PERCENT} answered)"
    return lane.name


def _helps(found: States) -> list[str]:
    """Return what stands between slow clients and the others: in every case, and in some."""
    good = {workload: _means(states) for workload, states in found.items()}
    if not good:
        return []
    every = set.intersection(*good.values())
    said = [f"Against both kinds helps: {_in_order(every)}."] if every else []
    for workload, means in good.items():
        kind_of = workload.slow.split()[1]
        if means - every:
            said.append(f"Against {kind_of} ones alone: {_in_order(means - every)}.")
    return said or ["None of these lanes is undisturbed."]


MEANS = {
    Kind.ASYNC: "async",
    Kind.GREENLETS: "greenlets",
    Kind.THREADS: "threads",
    Kind.SYNC: "sync workers",
    Kind.OTHER: "a command of one's own",
}
PROXY = "a proxy in front"


def _means(states: Mapping[Lane, State]) -> set[str]:
    """Return by which means lanes are undisturbed, all of those that have it."""
    by_means: dict[str, list[State]] = {}
    for lane, of in states.items():
        by_means.setdefault(PROXY if lane.behind else MEANS[kind(lane)], []).append(of)
    return {name for name, found in by_means.items() if set(found) == {State.AS_BEFORE}}


def _in_order(means: Iterable[str]) -> str:
    order = (*MEANS.values(), PROXY)
    return ", ".join(sorted(means, key=order.index))
