"""The commands that make a run again: the same commit, the same lanes in the same order."""

import shlex
from collections.abc import Iterator
from dataclasses import replace

from loadtest import attribution, loads
from loadtest import plan as plans
from loadtest.commands import needed
from loadtest.lanes import Lane
from loadtest.pinning import Pin
from loadtest.plan import Plan
from loadtest.questions import QUESTIONS
from loadtest.results import Run
from loadtest.server import ROOT

PYTHON = ".venv/bin/python"


def commands(run: Run) -> list[str]:
    """Return what to type, line by line."""
    commit = run.description["environment"].get("commit")
    planned = plans.from_description(run.description["plan"])
    return [*_checkout(commit), " ".join(["make setup", *_beside(planned)]), *_typed(planned)]


def _beside(plan: Plan) -> Iterator[str]:
    """Yield what make is to make beside, for further stacks and loads, and for further Pythons."""
    if any(needed(cell.lane) or loads.is_further(cell.workload.load) for cell in plan.cells):
        yield "stacks"
    for name in dict.fromkeys(cell.lane.python for cell in plan.cells if cell.lane.python):
        yield f".venv-{name}/done"


def _typed(plan: Plan) -> list[str]:
    """Return the command of a plan, from where a person's own commands were run."""
    typed = shlex.join(command(plan))
    folder = next((cell.lane.folder for cell in plan.cells if cell.lane.own), str(ROOT))
    if folder == str(ROOT):
        return [typed]
    return [f"cd {shlex.quote(folder)}", f'PYTHONPATH="$OLDPWD" "$OLDPWD"/{typed}']


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
    own = (*_question(plan), *_flags(plan), *plan.asked)
    return [PYTHON, "-m", "loadtest", "run", *_shared(plan), *own]


def _shared(plan: Plan) -> Iterator[str]:
    lanes = dict.fromkeys(cell.lane for cell in plan.cells)
    ours = dict.fromkeys(_plain(lane).name for lane in lanes if not lane.own)
    if ours:
        yield from ("--lanes", ",".join(ours))
    for lane in lanes:
        if lane.own and lane == _plain(lane):
            yield from ("--lane", f"{lane.name}={lane.own}")
    yield from ("--blocks", str(plan.two_stages.pilot if plan.two_stages else plan.blocks))
    yield from ("--seconds", str(plan.seconds))
    yield from ("--seed", str(plan.seed))
    workers = max((lane.workers for lane in lanes), default=1)
    if workers > 1:
        yield from ("--workers", str(workers))
    if plan.noisy:
        yield "--noisy"


def _plain(lane: Lane) -> Lane:
    """Return the lane as it was asked for: not behind a proxy, nor by a named Python, nor twice."""
    return replace(lane, twin=False, behind="", python="")


def _question(plan: Plan) -> Iterator[str]:
    first = plan.workloads[0]
    yield from ("--loads", ",".join(workload.load for workload in plan.workloads))
    yield from ("--concurrency", str(first.concurrency))
    if first.target != plans.MARS or any(cell.lane.own for cell in plan.cells):
        yield from ("--target", first.target)
    if plan.expected:
        yield from ("--expect", plan.expected.file)
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
    for proxy in dict.fromkeys(cell.lane.behind for cell in plan.cells if cell.lane.behind):
        yield from ("--behind", proxy)
    if not plan.workloads[0].keep_alive:
        yield "--no-keep-alive"
    if not any(cell.lane.twin for cell in plan.cells):
        yield "--no-aa"
    if plan.all_pairs:
        yield "--all-pairs"
