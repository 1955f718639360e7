"""The engine: calibrate each cell, then run the schedule, a line on disk after every trial."""

import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol

from loadtest import calibration, results, two_stages
from loadtest import plan as plans
from loadtest.calibration import Calibration as Calibration
from loadtest.calibration import calibrate
from loadtest.interruption import Interrupted
from loadtest.lanes import Lane
from loadtest.plan import Cell, Plan, Turn, Workload, schedule
from loadtest.results import RunFolderError, Trial
from loadtest.rules import Size
from loadtest.slices import in_turn
from loadtest.trial import steps
from loadtest.world import World


class Progress(Protocol):
    """Somebody who watches the run."""

    def calibrating(self, lane: Lane) -> None: ...
    def calibrated(self, cell: Cell, calibration: Calibration) -> None: ...
    def extended(self, decision: two_stages.Decision) -> None: ...
    def measuring(self, turn: Turn) -> None: ...
    def measured(self, turn: Turn, trial: Trial) -> None: ...


def run(
    plan: Plan, folder: Path, environment: Mapping[str, Any], world: World, progress: Progress
) -> None:
    """Run the plan into a new folder.

    Raises RunFolderError, OSError when the disk refuses a line, or Interrupted; what was
    measured before is in the folder.
    """
    description = {
        "state": "running",
        "started": _now(),
        "plan": plans.described(plan),
        "environment": dict(environment),
    }
    results.create(folder, description)
    _go_on(folder, description, world, progress)


def resume(folder: Path, environment: Mapping[str, Any], world: World, progress: Progress) -> None:
    """Go on with a run that was interrupted, to the same schedule.

    Raises what `run` does; RunFolderError also for a run that is finished, and where it would go
    on in another environment than it began in.
    """
    found = results.load(folder)
    if found.description["state"] == "finished":
        raise RunFolderError(f"{folder} is finished; to measure again, start a new run")
    _refuse_another(found.description["environment"], environment)
    results.mend(folder)
    resumed = {"at": _now(), "after_trials": len(found.trials)}
    description = {
        **found.description,
        "state": "running",
        "resumed": [*found.description.get("resumed", []), resumed],
    }
    _go_on(folder, description, world, progress)


# What may differ when a run goes on: the machine's mood, which is measured within blocks.
CHANGING = ("load_average", "findings", "quiet")


def _refuse_another(began: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    for name in (began.keys() | now.keys()) - set(CHANGING):
        if began.get(name) != now.get(name):
            raise RunFolderError(
                f"the run began with {name} {began.get(name)}, here it is {now.get(name)}: "
                "the two halves would not be one experiment; start a new run"
            )


def _go_on(folder: Path, description: dict[str, Any], world: World, progress: Progress) -> None:
    state = "failed"
    try:
        sizes = _sizes(folder, description, world, progress)
        _measure_all(folder, description, sizes, world, progress)
        state = "finished"
    except Interrupted as interrupted:
        state = f"interrupted by {interrupted}"
        raise
    finally:
        description |= {"state": state, "finished": _now()}
        results.describe(folder, description)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _sizes(
    folder: Path, description: dict[str, Any], world: World, progress: Progress
) -> dict[Cell, Size]:
    """Return the size of each cell's trials, as it is described or else by calibration."""
    plan = plans.from_description(description["plan"])
    if "calibrations" not in description:
        calibrations = _calibrations(plan, world, folder, progress)
        description["calibrations"] = calibration.described(plan, calibrations)
        results.describe(folder, description)
    return calibration.sizes(description)


def _calibrations(
    plan: Plan, world: World, folder: Path, progress: Progress
) -> dict[Cell, Calibration]:
    """Return each cell's calibration. A lane starts once for all its workloads, and its twin's."""
    calibrations: dict[Cell, Calibration] = {}
    originals = dict.fromkeys(replace(cell.lane, twin=False) for cell in plan.cells)
    for lane in originals:
        progress.calibrating(lane)
        cells = [cell for cell in plan.cells if replace(cell.lane, twin=False) == lane]
        workloads = dict.fromkeys(_unpaced(cell.workload) for cell in cells)
        scratch = _scratch(folder, f"calibration-{lane.name}")
        longer = any(cell.workload.share is not None for cell in cells)
        found = calibrate(lane, tuple(workloads), world, scratch, longer)
        for cell in cells:
            calibrations[cell] = found[_unpaced(cell.workload)]
            progress.calibrated(cell, calibrations[cell])
    return calibrations


def _unpaced(workload: Workload) -> Workload:
    """Return the workload without its rate: all shares are of one speed."""
    return replace(workload, share=None)


def _scratch(folder: Path, name: str) -> Path:
    """Return an empty folder for raw output, whatever an interrupted trial has left there."""
    scratch = folder / results.RAW_FOLDER / name
    if scratch.exists():
        shutil.rmtree(scratch)
    scratch.mkdir(parents=True)
    return scratch


def _measure_all(
    folder: Path,
    description: dict[str, Any],
    sizes: Mapping[Cell, Size],
    world: World,
    progress: Progress,
) -> None:
    """Measure the planned blocks, and those that their spread asks for in a second stage."""
    plan = plans.from_description(description["plan"])
    _measure_blocks(plan, folder, sizes, world, progress)
    if plan.two_stages is None:
        return
    decision = two_stages.decide(results.load(folder), plan)
    description["second_stage"] = asdict(decision)
    plan = replace(plan, blocks=decision.blocks)
    description["plan"] = plans.described(plan)
    results.describe(folder, description)
    progress.extended(decision)
    _measure_blocks(plan, folder, sizes, world, progress)


def _measure_blocks(
    plan: Plan, folder: Path, sizes: Mapping[Cell, Size], world: World, progress: Progress
) -> None:
    done = {trial.position for trial in results.load(folder).trials}
    left = (turn for turn in schedule(plan) if turn.position not in done)
    for _, turns in groupby(left, key=attrgetter("position" if plan.slices == 1 else "block")):
        for turn, trial in _measured(tuple(turns), plan.slices, folder, sizes, world, progress):
            results.append(folder, trial)
            progress.measured(turn, trial)


def _measured(
    turns: Collection[Turn],
    slices: int,
    folder: Path,
    sizes: Mapping[Cell, Size],
    world: World,
    progress: Progress,
) -> Iterator[tuple[Turn, Trial]]:
    """Yield the trials of turns that go on together, each when it ends."""
    trials = {}
    for turn in turns:
        progress.measuring(turn)
        scratch = _scratch(folder, f"{turn.position:04}-{turn.block}-{turn.cell.lane.name}")
        trials[turn] = steps(turn, sizes[turn.cell], world, scratch, slices)
    return in_turn(trials)
