"""The commands that make a run again: the same commit, the same lanes in the same order."""

import shlex
from collections.abc import Iterator

from loadtest import attribution
from loadtest import plan as plans
from loadtest.pinning import Pin
from loadtest.plan import Plan
from loadtest.questions import QUESTIONS
from loadtest.results import Run

PYTHON = ".venv/bin/python"


def commands(run: Run) -> list[str]:
    """Return what to type, line by line."""
    commit = run.description["environment"].get("commit")
    planned = plans.from_description(run.description["plan"])
    return [*_checkout(commit), "make setup", shlex.join(command(planned))]


def _checkout(commit: str | None) -> Iterator[str]:
    if commit:
        changed = "  # and changes to it that were not committed" if commit.endswith("+") else ""
        yield f"git checkout {commit.removesuffix('+')}{changed}"


def command(plan: Plan) -> list[str]:
    """Return the command line of a plan."""
    lanes = list(dict.fromkeys(cell.lane for cell in plan.cells if not cell.lane.twin))
    if plan.question in QUESTIONS:
        return [PYTHON, "-m", "loadtest", plan.question, *_shared(plan), *plan.asked]
    if plan.cells == attribution.cells(lanes):
        return [PYTHON, "-m", "loadtest", "attribute", *_shared(plan)]
    return [PYTHON, "-m", "loadtest", "run", *_shared(plan), *_question(plan), *_flags(plan)]


def _shared(plan: Plan) -> Iterator[str]:
    lanes = dict.fromkeys(cell.lane for cell in plan.cells)
    yield from ("--lanes", ",".join(lane.name for lane in lanes if not lane.twin))
    yield from ("--blocks", str(plan.two_stages.pilot if plan.two_stages else plan.blocks))
    yield from ("--seconds", str(plan.seconds))
    yield from ("--seed", str(plan.seed))
    workers = max((lane.workers for lane in lanes), default=1)
    if workers > 1:
        yield from ("--workers", str(workers))
    if plan.noisy:
        yield "--noisy"


def _question(plan: Plan) -> Iterator[str]:
    first = plan.workloads[0]
    yield from ("--loads", ",".join(workload.load for workload in plan.workloads))
    yield from ("--concurrency", str(first.concurrency))
    if first.target != plans.MARS:
        yield from ("--target", first.target)
    if plan.requests is not None:
        yield from ("--requests", str(plan.requests))
    if plan.two_stages:
        yield from ("--precision", f"{100 * plan.two_stages.half_width:g}%")
        yield from ("--patience", f"{plan.two_stages.patience_s:g}s")
    if plan.pin:
        yield from ("--pin", _pin(plan.pin))
    if plan.slices > 1:
        yield from ("--slices", str(plan.slices))


def _pin(pin: Pin) -> str:
    return ":".join(",".join(map(str, cores)) for cores in (pin.server, pin.load))


def _flags(plan: Plan) -> Iterator[str]:
    if not plan.workloads[0].keep_alive:
        yield "--no-keep-alive"
    if not any(cell.lane.twin for cell in plan.cells):
        yield "--no-aa"
    if plan.all_pairs:
        yield "--all-pairs"
