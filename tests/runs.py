"""A whole run without a server: its figures are drawn around those that a report should find."""

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from loadtest import plan as plans
from loadtest import results
from loadtest.lanes import Lane
from loadtest.lanes import lanes as default_lanes
from loadtest.plan import MARS, Cell, Plan, Workload
from loadtest.results import Run, Trial
from tests.test_results import a_trial

DEFAULT = default_lanes()
AB, H2LOAD = Workload(MARS, load="ab"), Workload(MARS, load="h2load")
RATES_RPS = {
    "aiohttp-dev": 7000.0,
    "flask-dev": 1000.0,
    "aiohttp-gunicorn": 6800.0,
    "flask-gunicorn": 2000.0,
    "aiohttp-gunicorn-4": 7500.0,
    "flask-gunicorn-4": 2500.0,
}
FURTHER_RPS = {
    "flask-gthread": 1600.0,
    "flask-gthread32": 1500.0,
    "flask-gevent": 3000.0,
    "flask-granian": 4500.0,
    "aiohttp-uvloop": 8000.0,
    "tornado-dev": 4000.0,
    "tornado-gunicorn": 3900.0,
    "starlette-uvicorn": 9000.0,
    "starlette-gunicorn": 6000.0,
    "starlette-granian": 9010.0,
}
KEEP_ALIVE = 1.7
NOISE = 0.01

ENVIRONMENT: dict[str, Any] = {
    "cpu": "a CPU",
    "cores": 2,
    "commit": "0123456789ab",
    "packages": {"aiohttp": "3.14.5", "flask": "3.1.3"},
    "cleared_variables": [],
}


def rate_rps(cell: Cell) -> float:
    """Return a lane's throughput; h2load finds flask-gunicorn a fifth faster than ab does."""
    rate = (RATES_RPS | FURTHER_RPS)[replace(cell.lane, twin=False, behind="").name]
    if not cell.workload.keep_alive:
        rate /= KEEP_ALIVE
    faster = cell.workload.load == "h2load" and cell.lane.name == "flask-gunicorn"
    return rate * 1.2 if faster else rate


def a_run(
    folder: Path,
    blocks: int = 8,
    loads: tuple[Workload, ...] = (AB, H2LOAD),
    rate: Callable[[Cell], float] = rate_rps,
    of_plan: dict[str, Any] | None = None,
    lanes: Sequence[Lane] = (),
    **description: object,
) -> Run:
    """Return a run of the default lanes, or others, each trial within a few percent of its rate."""
    cells = plans.cells(lanes or list(DEFAULT.values()), loads, loads[-1], aa=True)
    plan = Plan(cells, blocks=blocks, seed=7, **(of_plan or {}))
    return a_run_of(plan, folder, rate, **description)


def a_run_of(
    plan: Plan,
    folder: Path,
    rate: Callable[[Cell], float],
    figures: Callable[[Cell], dict[str, object]] = lambda cell: {},
    **description: object,
) -> Run:
    """Return a run of the plan, each trial within a few percent of its rate."""
    whole = {"state": "finished", "started": "2026-11-30T10:00:00+00:00"}
    described = {"plan": plans.described(plan), "environment": ENVIRONMENT}
    results.create(folder, whole | described | description)
    chance = random.Random(1)
    for turn in plans.schedule(plan):
        noisy = rate(turn.cell) * chance.gauss(1, NOISE)
        trial = _trial(turn.cell, turn.block, turn.position, noisy)
        results.append(folder, replace(trial, **figures(turn.cell)))  # type: ignore[arg-type]
    return results.load(folder)


def _trial(cell: Cell, block: int, position: int, rate: float) -> Trial:
    middle_ms = cell.workload.concurrency / rate * 1000
    steps = {"mean": 1.0, "p50": 0.9, "p90": 1.5, "p99": 2.2, "max": 5.0}
    figures = {
        "throughput_rps": rate,
        "latency_ms": {name: step * middle_ms for name, step in steps.items()},
        "cpu_us_per_request": 0.8e6 / rate,
        "worker_cpu_share": (1 / cell.lane.workers,) * cell.lane.workers,
        "load_cores": 0.3,
        "memory_mib": 40.0,
        "startup_s": 0.5,
        "kept_alive": 1000 if cell.lane.keeps_alive and cell.workload.keep_alive else 0,
    }
    told = {"lane": cell.lane.name, "block": block, "position": position}
    return a_trial(**(asdict(cell.workload) | told | figures))  # type: ignore[arg-type]
