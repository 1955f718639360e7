"""Where a request's CPU time goes, from trials."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from loadtest import attribution, results
from loadtest.attribution import (
    ALL_BODIES,
    ALL_BODIES_CLOSED,
    NOTHING,
    NOTHING_CLOSED,
    ONE_BODY,
    Bar,
)
from loadtest.lanes import lanes
from loadtest.plan import Plan, Workload, described
from loadtest.results import Run
from tests.test_results import DESCRIPTION, a_trial

AIOHTTP, FLASK = (lanes()[name] for name in ("aiohttp-gunicorn", "flask-gunicorn"))

# In blocks whose machine is as it is, and half as fast.
CPU_US = {
    ("aiohttp-gunicorn", NOTHING): 30.0,
    ("aiohttp-gunicorn", NOTHING_CLOSED): 110.0,
    ("aiohttp-gunicorn", ONE_BODY): 70.0,
    ("aiohttp-gunicorn", ALL_BODIES): 270.0,
    ("aiohttp-gunicorn", ALL_BODIES_CLOSED): 360.0,
    ("flask-gunicorn", NOTHING): 250.0,
    ("flask-gunicorn", ONE_BODY): 300.0,
    ("flask-gunicorn", ALL_BODIES): 500.0,
}


def a_run(folder: Path, without: set[tuple[str, Workload]] | None = None) -> Run:
    plan = Plan(attribution.cells([AIOHTTP, FLASK]), blocks=2)
    results.create(folder, DESCRIPTION | {"plan": described(plan)})
    for (lane, workload), us in CPU_US.items():
        for block, machine in ((1, 1.0), (2, 2.0)):
            invalid = "killed" if block == 2 and (lane, workload) in (without or set()) else None
            figures = {"cpu_us_per_request": us * machine, "throughput_rps": 1.0}
            members = {"lane": lane, "block": block, "invalid": invalid, **asdict(workload)}
            results.append(folder, a_trial(**(members | figures)))  # type: ignore[arg-type]
    return results.load(folder)


def estimates(bar: Bar) -> dict[str, float]:
    return {part.name: part.us.estimate for part in bar.parts}


def test_plan_asks_each_lane_for_what_tells_its_parts() -> None:
    asked = {(cell.lane.name, cell.workload) for cell in attribution.cells([AIOHTTP, FLASK])}
    assert asked == set(CPU_US)


def test_parts_are_differences_and_add_up(tmp_path: Path) -> None:
    aiohttp, flask = attribution.bars(a_run(tmp_path / "run"))
    assert estimates(aiohttp) == {
        "connection": 120,
        "server and framework": 45,
        "one body's ephemeris": 60,
        "the other nine bodies'": 300,
    }
    assert estimates(flask) == {
        "server, framework and connection": 375,
        "one body's ephemeris": 75,
        "the other nine bodies'": 300,
    }
    assert sum(estimates(aiohttp).values()) == 525
    assert aiohttp.whole.estimate == 540  # the same on new connections, measured at once
    assert sum(estimates(flask).values()) == flask.whole.estimate == 750


def test_parts_have_intervals(tmp_path: Path) -> None:
    (part, *_) = attribution.bars(a_run(tmp_path / "run"))[0].parts
    # 80 and 160 us: 120 give or take 12.706 * 56.57 / sqrt(2).
    assert part.us.high - part.us.estimate == pytest.approx(508.2, abs=0.1)


def test_block_that_lacks_a_trial_counts_for_no_part(tmp_path: Path) -> None:
    aiohttp, flask = attribution.bars(a_run(tmp_path / "run", {("aiohttp-gunicorn", NOTHING)}))
    assert aiohttp.whole.estimate == 360
    assert flask.whole.estimate == 750


def test_run_without_these_trials_has_no_bars_but_those_of_a_run_within_it(tmp_path: Path) -> None:
    outer = a_run(tmp_path / "run")
    bare = replace(outer, trials=())
    assert attribution.bars(bare) == []
    a_run(tmp_path / "run" / attribution.FOLDER)
    assert attribution.bars(bare) == attribution.bars(outer)
