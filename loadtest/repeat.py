"""The commands that make a run again: the same commit, the same lanes in the same order."""

import shlex
from collections.abc import Iterator

from loadtest import plan as plans
from loadtest.plan import Plan
from loadtest.results import Run

PYTHON = ".venv/bin/python"


def commands(run: Run) -> list[str]:
    """Return what to type, line by line."""
    commit = run.description["environment"].get("commit")
    planned = plans.from_description(run.description["plan"])
    return [*_checkout(commit), "make setup", shlex.join(run_command(planned))]


def _checkout(commit: str | None) -> Iterator[str]:
    if commit:
        changed = "  # and changes to it that were not committed" if commit.endswith("+") else ""
        yield f"git checkout {commit.removesuffix('+')}{changed}"


def run_command(plan: Plan) -> list[str]:
    """Return the command line of a plan, with every option that is not the default."""
    return [PYTHON, "-m", "loadtest", "run", *_options(plan)]


def _options(plan: Plan) -> Iterator[str]:
    first, lanes = plan.workloads[0], dict.fromkeys(cell.lane for cell in plan.cells)
    yield from ("--lanes", ",".join(lane.name for lane in lanes if not lane.twin))
    yield from ("--loads", ",".join(workload.load for workload in plan.workloads))
    yield from ("--blocks", str(plan.two_stages.pilot if plan.two_stages else plan.blocks))
    yield from _size(plan)
    yield from ("--concurrency", str(first.concurrency))
    yield from ("--seed", str(plan.seed))
    if first.target != plans.MARS:
        yield from ("--target", first.target)
    workers = max((lane.workers for lane in lanes), default=1)
    if workers > 1:
        yield from ("--workers", str(workers))
    yield from _flags(plan)


def _size(plan: Plan) -> Iterator[str]:
    yield from ("--seconds", f"{plan.seconds:g}")
    if plan.requests is not None:
        yield from ("--requests", str(plan.requests))
    if plan.two_stages:
        yield from ("--precision", f"{100 * plan.two_stages.half_width:g}%")
        yield from ("--patience", f"{plan.two_stages.patience_s:g}s")


def _flags(plan: Plan) -> Iterator[str]:
    if not plan.workloads[0].keep_alive:
        yield "--no-keep-alive"
    if not any(cell.lane.twin for cell in plan.cells):
        yield "--no-aa"
    if plan.noisy:
        yield "--noisy"
    if plan.all_pairs:
        yield "--all-pairs"
