"""The engine: calibrate each cell, then run the schedule, a line on disk after every trial."""

import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol

from loadtest import plan as plans
from loadtest import results, two_stages
from loadtest.interruption import Interrupted
from loadtest.lanes import Lane
from loadtest.load import LoadError
from loadtest.plan import Cell, Plan, Turn, Workload, modest, schedule, warmup_requests
from loadtest.results import RunFolderError, Trial
from loadtest.rules import BEFORE, MOST, InvalidTrialError, Size, verify
from loadtest.server import ServerError
from loadtest.slices import in_turn
from loadtest.trial import Serving, World, order, steps

FIRST_PROBE, PROBE_REQUESTS = 50, 200
PROBE_S = 0.4
PROBES_S: Mapping[str, float] = {"second": PROBE_S}
CAPACITY_S = 1.5  # where rates are a share of the speed found without a pause


@dataclass(frozen=True, slots=True)
class Calibration:
    """How fast a cell is, roughly, and what its target answers; or why that is not known."""

    rate_rps: float | None = None
    body: bytes | None = None
    failure: str | None = None
    log: str | None = None  # of a server that did not start


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
        bodies = _expected(plan) or agreed_bodies(calibrations)
        description["calibrations"] = [
            _described(cell, calibrations[cell], _size(plan, cell, calibrations[cell], bodies))
            for cell in plan.cells
        ]
        results.describe(folder, description)
    return described_sizes(description)


def described_sizes(description: Mapping[str, Any]) -> dict[Cell, Size]:
    """Return the size of each cell's trials as run.json has it."""
    plan = plans.from_description(description["plan"])
    whose = plan.expected.file if plan.expected else MOST
    return {
        cell: replace(_size_from(row), whose=whose)
        for cell, row in zip(plan.cells, description["calibrations"], strict=True)
    }


def _expected(plan: Plan) -> dict[str, bytes]:
    if plan.expected is None:
        return {}
    return {cell.workload.target: plan.expected.body.encode("latin-1") for cell in plan.cells}


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


def calibrate(
    lane: Lane,
    workloads: Collection[Workload],
    world: World,
    scratch: Path,
    longer: bool = False,
) -> dict[Workload, Calibration]:
    """Return the lane's speed under each workload, and its reply.

    Where rates are to be a share of it, it is measured for `longer`.
    """
    probes_s = {**PROBES_S, **({"third": CAPACITY_S} if longer else {})}
    try:
        with world.start(lane, scratch) as server:
            found = {
                workload: _calibrated(
                    Cell(lane, workload), server, world, scratch / str(number), probes_s
                )
                for number, workload in enumerate(dict.fromkeys(map(modest, workloads)), 1)
            }
            return {workload: found[modest(workload)] for workload in workloads}
    except ServerError as error:
        return dict.fromkeys(workloads, Calibration(failure=error.reason, log=error.log))


def _calibrated(
    cell: Cell, server: Serving, world: World, scratch: Path, probes_s: Mapping[str, float]
) -> Calibration:
    """Return the speed over the last probe, after a first small load unless that took as long.

    At 100 requests a second, of a target that waits, 200 requests would take 2 s.
    """
    scratch.mkdir()
    target, load = cell.workload.target, cell.workload.load
    try:
        reply = server.reply(target)
        verify(reply, None)
        asked = order(cell, server, FIRST_PROBE, scratch / "first")
        measured = world.apply(load, asked, PROBE_S).measurement
        for name, probe_s in probes_s.items():
            if measured.seconds < probe_s:
                requests = max(PROBE_REQUESTS, round(measured.throughput_rps * probe_s))
                asked = order(cell, server, requests, scratch / name)
                measured = world.apply(load, asked, probe_s).measurement
        verify(server.reply(target), reply.body, BEFORE)
    except (InvalidTrialError, LoadError, ServerError) as error:
        return Calibration(failure=str(error))
    return Calibration(measured.throughput_rps, reply.body)


def agreed_bodies(calibrations: Mapping[Cell, Calibration]) -> dict[str, bytes]:
    """Return the body that most lanes answer, by target; the first of them where they tie.

    A lane has one vote, however many cells it has.
    """
    votes: dict[str, dict[Lane, bytes]] = {}
    for cell, calibration in calibrations.items():
        if calibration.body is not None:
            lane = replace(cell.lane, twin=False)
            votes.setdefault(cell.workload.target, {}).setdefault(lane, calibration.body)
    return {
        target: Counter(bodies.values()).most_common(1)[0][0] for target, bodies in votes.items()
    }


def _size(plan: Plan, cell: Cell, calibration: Calibration, bodies: Mapping[str, bytes]) -> Size:
    """Return how long the cell's trials are to be."""
    rate_rps = calibration.rate_rps or PROBE_REQUESTS / PROBE_S
    share = cell.workload.share
    if share is not None:
        rate_rps *= share
    requests = plan.requests or plans.trial_requests(plan, cell.workload, rate_rps)
    by_seconds = plan.requests is None and not cell.workload.failing
    # Many clients make a trial that may fail longer, and need no longer warm-up.
    warmed = round(rate_rps * plan.seconds) if cell.workload.failing else requests
    return Size(
        requests=requests,
        warmup_requests=warmup_requests(warmed, rate_rps, cell.lane.workers),
        seconds=plan.seconds if by_seconds else requests / rate_rps,
        body=bodies.get(cell.workload.target),
        not_run=_not_run(cell.workload, calibration.failure, calibration.log),
        log=calibration.log,
        rate_rps=rate_rps if share is not None and calibration.rate_rps else None,
    )


def _not_run(workload: Workload, failure: str | None, log: str | None) -> str | None:
    """Return why no trial is to be run, or None."""
    return failure if log is not None or workload.share is not None else None


def _described(cell: Cell, calibration: Calibration, size: Size) -> dict[str, Any]:
    """Return the calibration and the size as run.json has them; bytes as latin-1."""
    return {
        "lane": cell.lane.name,
        "workload": asdict(cell.workload),
        "rate_rps": calibration.rate_rps,
        "failure": calibration.failure,
        "log": calibration.log,
        "requests": size.requests,
        "warmup_requests": size.warmup_requests,
        "seconds": size.seconds,
        "reply": None if size.body is None else size.body.decode("latin-1"),
        "asked_rps": size.rate_rps,
    }


def _size_from(row: Mapping[str, Any]) -> Size:
    return Size(
        requests=row["requests"],
        warmup_requests=row["warmup_requests"],
        seconds=row["seconds"],
        body=None if row["reply"] is None else row["reply"].encode("latin-1"),
        not_run=_not_run(Workload(**row["workload"]), row["failure"], row["log"]),
        log=row["log"],
        rate_rps=row.get("asked_rps"),
    )


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
