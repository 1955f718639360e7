"""How fast each cell is, roughly; from that how long its trials are, and what they must answer."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from loadtest import plan as plans
from loadtest.lanes import Lane
from loadtest.load import LoadError
from loadtest.plan import Cell, Plan, Workload, modest, warmup_requests
from loadtest.rules import BEFORE, MOST, InvalidTrialError, Size, verify
from loadtest.server import ServerError
from loadtest.trial import order
from loadtest.world import Serving, World

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


def _agreed(calibrations: Mapping[Cell, Calibration]) -> dict[str, bytes]:
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


def described(plan: Plan, calibrations: Mapping[Cell, Calibration]) -> list[dict[str, Any]]:
    """Return the calibrations and the sizes of the plan's cells as run.json has them."""
    bodies = _expected(plan) or _agreed(calibrations)
    return [
        _described(cell, calibrations[cell], _size(plan, cell, calibrations[cell], bodies))
        for cell in plan.cells
    ]


def _described(cell: Cell, calibration: Calibration, size: Size) -> dict[str, Any]:
    """Return a cell's row; bytes as latin-1."""
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


def sizes(description: Mapping[str, Any]) -> dict[Cell, Size]:
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
