"""Two runs compared: each lane's change, B against A, and what else differs between them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import exp, log
from statistics import fmean
from typing import Any

from loadtest import stats
from loadtest.plan import Cell, Plan, Workload, from_description, label
from loadtest.results import Run, Trial
from loadtest.stats import Interval, Unpaired
from loadtest.summary import throughput, values


class IncomparableError(Exception):
    """Two runs that say nothing of one another; the text says why."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, and the cells that both have under the same workload, twins aside.

    `left_out` says in sentences what only one has. A lane counts as slower where it is so by more
    than `slower`, a share of A's throughput.
    """

    a: Run
    b: Run
    cells: tuple[Cell, ...]
    left_out: tuple[str, ...] = ()
    slower: float = 0.0

    def label(self, cell: Cell) -> str:
        """Return the lane's name, and what tells the cell from others of the comparison."""
        return label(replace(_plan(self.a), cells=self.cells), cell)

    def samples(self, of: Callable[[Trial], float]) -> dict[Cell, Unpaired]:
        """Return the figures of both runs, of each cell that has a valid trial in both."""
        found = {
            cell: Unpaired(
                *(values(run, cell.lane.name, cell.workload, of) for run in (self.a, self.b))
            )
            for cell in self.cells
        }
        return {cell: pair for cell, pair in found.items() if pair.a.values and pair.b.values}

    def changes(self, of: Callable[[Trial], float]) -> dict[Cell, Interval]:
        """Return B/A of each cell, with Holm's intervals over all of them.

        Blocks of two runs do not pair, so the intervals are Welch's.
        """
        return stats.holm(self.samples(of))

    def slowdowns(self) -> dict[Cell, Interval]:
        """Return the changes of throughput that lie wholly below 1 - `slower`.

        Their intervals are adjusted for this question, and so may differ from those of `changes`,
        which are adjusted for the question whether a lane has changed at all.
        """
        least = 1 - self.slower
        changes = stats.holm(self.samples(throughput), null=least)
        return {cell: ratio for cell, ratio in changes.items() if ratio.high < least}

    def shared(self) -> float:
        """Return the factor by which the throughput of all cells changed, in the mean."""
        return exp(fmean(log(ratio.estimate) for ratio in self.changes(throughput).values()))

    def without_a_valid_trial(self) -> list[Cell]:
        """Return the cells that cannot be compared for want of a valid trial in either run."""
        found = self.samples(throughput)
        return [cell for cell in self.cells if cell not in found]


def compare(a: Run, b: Run, slower: float = 0.0) -> Comparison:
    """Return the comparison, or raise IncomparableError."""
    plans = _plan(a), _plan(b)
    _refuse_other_questions(*plans)
    places = {_place(cell) for cell in plans[1].cells}
    cells = tuple(c for c in plans[0].cells if not c.lane.twin and _place(c) in places)
    found = Comparison(a, b, cells, tuple(_left_out(*plans)), slower)
    if not cells:
        raise IncomparableError("the runs have no lane in common")
    if not found.samples(throughput):
        raise IncomparableError("no lane has a valid trial in both runs")
    return found


def _plan(run: Run) -> Plan:
    return from_description(run.description["plan"])


def _place(cell: Cell) -> tuple[str, Workload]:
    return cell.lane.name, cell.workload


def _refuse_other_questions(a: Plan, b: Plan) -> None:
    ours, theirs = ({w.load: w for w in plan.workloads} for plan in (a, b))
    if not ours.keys() & theirs.keys():
        raise IncomparableError(
            f"the runs have no load in common: {', '.join(ours)} in A, {', '.join(theirs)} in B"
        )
    differing = {
        f"{field.name} {getattr(ours[load], field.name)} in A, "
        f"{getattr(theirs[load], field.name)} in B": None
        for load in ours
        if load in theirs
        for field in fields(Workload)
        if getattr(ours[load], field.name) != getattr(theirs[load], field.name)
    }
    if differing:
        raise IncomparableError(f"the runs asked for different things: {'; '.join(differing)}")


def _left_out(a: Plan, b: Plan) -> Iterator[str]:
    for name, own, other in (("A", a, b), ("B", b, a)):
        loads = {workload.load for workload in other.workloads}
        alone = [workload.load for workload in own.workloads if workload.load not in loads]
        if alone:
            yield f"Only {name} was measured with {', '.join(alone)}; that is left out."
        places = {_place(cell) for cell in other.cells}
        cells = [
            label(own, cell)
            for cell in own.cells
            if not cell.lane.twin and cell.workload.load in loads and _place(cell) not in places
        ]
        if cells:
            yield f"Only {name} has {', '.join(cells)}; left out."


@dataclass(frozen=True, slots=True)
class Difference:
    """What is one thing in A and another in B; None where a run does not say."""

    name: str
    a: Any
    b: Any


def differences(a: Run, b: Run) -> list[Difference]:
    """Return what differs between the machines, the programs and the plans of the runs."""
    common = {c.lane.name for c in _plan(a).cells} & {c.lane.name for c in _plan(b).cells}
    ours, theirs = (dict(_circumstances(run, common)) for run in (a, b))
    names = dict.fromkeys([*ours, *theirs])
    found = (Difference(name, ours.get(name), theirs.get(name)) for name in names)
    return [difference for difference in found if difference.a != difference.b]


def _circumstances(run: Run, lanes: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield what a figure depends on, by name: the environment, the trials, the given lanes."""
    environment = run.description["environment"]
    # The doctor's findings are sentences, which differ by a digit from run to run.
    yield from _flat({name: environment[name] for name in environment if name != "findings"})
    plan = _plan(run)
    yield "cores of servers", list(plan.pin.server) if plan.pin else "any"
    yield "cores of loads", list(plan.pin.load) if plan.pin else "any"
    yield "trials count beside other load", plan.noisy
    yield "bytes of a reply", sorted(_reply_bytes(run, {w.target for w in plan.workloads}))
    yield "a trial", f"{plan.requests} requests" if plan.requests else f"{plan.seconds} s"
    for lane in dict.fromkeys(cell.lane for cell in plan.cells if cell.lane.name in lanes):
        for name, value in asdict(lane).items():
            yield f"{lane.name}: {name.replace('_', ' ')}", value


def _reply_bytes(run: Run, targets: Collection[str]) -> set[int]:
    return {
        trial.document_bytes
        for trial in run.trials
        if trial.target in targets and trial.invalid is None and trial.document_bytes is not None
    }


def _flat(members: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in members.items():
        full = f"{prefix}{name.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{full}: ")
        else:
            yield full, value
