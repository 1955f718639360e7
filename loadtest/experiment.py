"""The engine: calibrate each cell, then run the schedule, a line on disk after every trial."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from loadtest import results
from loadtest.interruption import Interrupted
from loadtest.load import LoadError
from loadtest.plan import Cell, Plan, Turn, schedule, warmup_requests
from loadtest.results import Trial
from loadtest.server import ServerError
from loadtest.trial import BEFORE, InvalidTrialError, Size, World, measure, order, verify

PROBE_REQUESTS = 200
PROBE_S = 0.4


@dataclass(frozen=True, slots=True)
class Calibration:
    """How fast a cell is, roughly, and what its target answers; or why that is not known."""

    rate_rps: float | None = None
    body: bytes | None = None
    failure: str | None = None
    log: str | None = None  # of a server that did not start


class Progress(Protocol):
    """Somebody who watches the run."""

    def calibrating(self, cell: Cell) -> None: ...
    def calibrated(self, cell: Cell, calibration: Calibration) -> None: ...
    def measuring(self, turn: Turn) -> None: ...
    def measured(self, turn: Turn, trial: Trial) -> None: ...


def run(
    plan: Plan, folder: Path, environment: Mapping[str, Any], world: World, progress: Progress
) -> None:
    """Run the plan into a new folder.

    Raises RunFolderError, OSError when the disk refuses a line, or Interrupted; what was
    measured before is in the folder.
    """
    description = _description(plan, environment)
    results.create(folder, description)
    state = "failed"
    try:
        sizes, description["cells"] = _sizes(plan, world, folder, progress)
        results.describe(folder, description)
        _measure_all(plan, sizes, world, folder, progress)
        state = "finished"
    except Interrupted as interrupted:
        state = f"interrupted by {interrupted}"
        raise
    finally:
        description |= {"state": state, "finished": _now()}
        results.describe(folder, description)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _description(plan: Plan, environment: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "state": "running",
        "started": _now(),
        "plan": {
            "lanes": [asdict(cell.lane) | {"name": cell.lane.name} for cell in plan.cells],
            "workloads": [asdict(cell.workload) for cell in plan.cells],
            "blocks": plan.blocks,
            "seconds": plan.seconds,
            "requests": plan.requests,
            "seed": plan.seed,
        },
        "environment": dict(environment),
    }


def _sizes(
    plan: Plan, world: World, folder: Path, progress: Progress
) -> tuple[dict[Cell, Size], list[dict[str, Any]]]:
    calibrations = {}
    for number, cell in enumerate(plan.cells, 1):
        progress.calibrating(cell)
        scratch = _scratch(folder, f"calibration-{number}-{cell.lane.name}")
        calibrations[cell] = calibrate(cell, world, scratch)
        progress.calibrated(cell, calibrations[cell])
    bodies = agreed_bodies(calibrations)
    sizes = {cell: _size(plan, cell, calibrations[cell], bodies) for cell in plan.cells}
    return sizes, [_calibrated(cell, calibrations[cell], sizes[cell]) for cell in plan.cells]


def _scratch(folder: Path, name: str) -> Path:
    scratch = folder / results.RAW_FOLDER / name
    scratch.mkdir()
    return scratch


def calibrate(cell: Cell, world: World, scratch: Path) -> Calibration:
    """Return the cell's speed over some 0.4 s, after a first small load, and its reply."""
    try:
        with world.start(cell.lane, scratch) as server:
            try:
                reply = server.reply(cell.workload.target)
                verify(reply, None)
                rate_rps = PROBE_REQUESTS / PROBE_S
                for probe in ("first", "second"):
                    requests = max(PROBE_REQUESTS, round(rate_rps * PROBE_S))
                    asked = order(cell, server, requests, scratch / probe)
                    rate_rps = world.apply(asked, PROBE_S).measurement.throughput_rps
                verify(server.reply(cell.workload.target), reply.body, BEFORE)
            except (InvalidTrialError, LoadError, ServerError) as error:
                return Calibration(failure=str(error))
            return Calibration(rate_rps, reply.body)
    except ServerError as error:
        return Calibration(failure=error.reason, log=error.log)


def agreed_bodies(calibrations: Mapping[Cell, Calibration]) -> dict[str, bytes]:
    """Return the body that most lanes answer, by target; the first of them where they tie."""
    votes: dict[str, Counter[bytes]] = {}
    for cell, calibration in calibrations.items():
        if calibration.body is not None:
            votes.setdefault(cell.workload.target, Counter())[calibration.body] += 1
    return {target: counts.most_common(1)[0][0] for target, counts in votes.items()}


def _size(plan: Plan, cell: Cell, calibration: Calibration, bodies: Mapping[str, bytes]) -> Size:
    rate_rps = calibration.rate_rps or PROBE_REQUESTS / PROBE_S
    requests = plan.requests or max(round(rate_rps * plan.seconds), cell.workload.concurrency)
    return Size(
        requests=requests,
        warmup_requests=warmup_requests(requests, rate_rps, cell.lane.workers),
        seconds=plan.seconds if plan.requests is None else requests / rate_rps,
        body=bodies.get(cell.workload.target),
        did_not_start=calibration.failure if calibration.log is not None else None,
    )


def _calibrated(cell: Cell, calibration: Calibration, size: Size) -> dict[str, Any]:
    return {
        "lane": cell.lane.name,
        "target": cell.workload.target,
        "rate_rps": calibration.rate_rps,
        "failure": calibration.failure,
        "log": calibration.log,
        "requests": size.requests,
        "warmup_requests": size.warmup_requests,
        "reply": None if size.body is None else size.body.decode(errors="replace"),
    }


def _measure_all(
    plan: Plan, sizes: Mapping[Cell, Size], world: World, folder: Path, progress: Progress
) -> None:
    for turn in schedule(plan):
        progress.measuring(turn)
        scratch = _scratch(folder, f"{turn.position:04}-{turn.block}-{turn.cell.lane.name}")
        trial = measure(turn, sizes[turn.cell], world, scratch)
        results.append(folder, trial)
        progress.measured(turn, trial)
