"""A run on this machine, for a person who watches it: what is found, waited for and measured."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from loadtest import beside, doctor, loads, nginx, outside, pythons, server, trial
from loadtest.environment import environment
from loadtest.interruption import Interrupted, Interruption
from loadtest.load import Load
from loadtest.machines import Machine
from loadtest.pinning import Pin
from loadtest.plan import Plan
from loadtest.progress import Lines
from loadtest.results import RUN_FILE
from loadtest.world import World

Go = Callable[[Path, Mapping[str, Any], World, Lines], None]
After = Callable[[World, Interruption], None]


def world(
    chosen: Mapping[str, Load],
    interruption: Interruption,
    noisy: bool = False,
    pin: Pin | None = None,
) -> World:
    """Return what starts real servers and applies real loads."""
    cores = pin or Pin()
    return World(
        start=partial(server.running, interruption=interruption, cores=cores.server),
        apply=lambda name, order, seconds: trial.apply(
            chosen[name], interruption, order, seconds, cores.load
        ),
        look=(lambda: None) if noisy else outside.snapshot,
        hold=partial(beside.clients, interruption=interruption, cores=cores.load),
    )


def conduct(
    plan: Plan,
    folder: Path,
    go: Go,
    console: Console,
    patience_s: float,
    after: After | None = None,
    whole: Path | None = None,
) -> int:
    """Do what `go` does to a run in the folder, on a quiet machine if it becomes so.

    `whole` is the run that goes on with this one, where another does. Returns an exit status: 0,
    or that of a signal which ended it.
    """
    chosen = loads.chosen([workload.load for workload in plan.workloads])
    # Without ab's revision, which Debian's has not filled in.
    machine = environment({name: load.version().split()[0] for name, load in chosen.items()})
    if any(cell.lane.behind for cell in plan.cells):
        machine["proxies"] = {nginx.NAME: nginx.version()}
    further = dict.fromkeys(cell.lane.python for cell in plan.cells if cell.lane.python)
    if further:
        machine["pythons"] = {name: pythons.described(name) for name in further}
    with Interruption() as interruption, Lines(plan, console) as progress:
        real = world(chosen, interruption, plan.noisy, plan.pin)
        try:
            state = prepare(plan, interruption, patience_s, progress.say)
            go(folder, {**machine, **state}, real, progress)
            if after:
                after(real, interruption)
        except Interrupted as interrupted:
            console.print(Text(_interrupted(interrupted, whole or folder)), soft_wrap=True)
            return 128 + interrupted.signum
    return 0


def _interrupted(interrupted: Interrupted, folder: Path) -> str:
    if not (folder / RUN_FILE).exists():
        return f"Interrupted by {interrupted} before anything was measured."
    return (
        f"Interrupted by {interrupted}; what was measured is reported.\n"
        f"To go on: python -m loadtest run --resume {folder}"
    )


def prepare(
    plan: Plan, interruption: Interruption, patience_s: float, say: Callable[[str], None]
) -> dict[str, Any]:
    """Return what would spoil the run, and how the wait for a quiet machine ended."""
    quiet = None
    if not plan.noisy:
        waited = outside.wait_for_quiet(interruption, patience_s, say)
        quiet = {"waited_s": waited.waited_s, "quiet": waited.quiet, "left": str(waited.left)}
    asked = doctor.Asked(
        concurrency=max(cell.workload.concurrency for cell in plan.cells),
        workers=max(cell.lane.workers for cell in plan.cells),
        seconds=plan.seconds,
    )
    findings = doctor.examine(asked, Machine(sleep=interruption.sleep))
    for finding in findings:
        if finding.level == doctor.SPOILS:
            say(f"{finding.check}: {finding.found}. {finding.remedy}")
    return {
        "findings": [asdict(finding) for finding in findings if finding.level != doctor.OK],
        "quiet": quiet,
    }
