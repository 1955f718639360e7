"""What the question `slow` measures, and what its report says."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from loadtest import experiment, loads, nginx, report, session, trial
from loadtest.content import Content
from loadtest.interruption import Interruption
from loadtest.lanes import all_lanes
from loadtest.load import LoadMissingError
from loadtest.plan import Cell, Plan, Workload
from loadtest.questions import QUESTIONS
from loadtest.results import load
from tests.fakes import Watcher
from tests.runs import a_run_of

SLOW = QUESTIONS["slow"]
LANES = [all_lanes()[name] for name in SLOW.lanes]
OPTIONS = {"clients": 50, "concurrency": 10, "proxy": False}
GAVE_UP = {
    "complete": 0,
    "aborted": True,
    "invalid": "h2load: no activity within the time-out",
    "throughput_rps": None,
    "latency_ms": None,
}
HALF = {"complete": 800, "failed": 200, "failures": {"timeout": 200}}
WORKERS = ("flask-gunicorn", "flask-gunicorn-4")

Figures = Callable[[Cell], dict[str, object]]


def stuck(cell: Cell) -> dict[str, object]:
    """Return what becomes of workers and threads: threads are held by clients that trickle."""
    threads = cell.lane.name == "flask-gthread" and "trickling" in cell.workload.slow
    if cell.workload.slow and (cell.lane.name in WORKERS or threads):
        return GAVE_UP
    return {"complete": 1000}


def made(folder: Path, figures: Figures = stuck, blocks: int = 4, **plan: Any) -> Content:
    cells = SLOW.cells(LANES, OPTIONS)
    planned = Plan(cells, blocks=blocks, question="slow", **plan)
    return report.content(a_run_of(planned, folder, rate_rps, figures))


def rate_rps(cell: Cell) -> float:
    return 300.0 if cell.lane.name == "flask-gevent" and cell.workload.slow else 1000.0


def first(content: Content) -> str:
    return " ".join(content.paragraphs[0]).replace("\N{NO-BREAK SPACE}", " ")


def rows(content: Content, title: str) -> dict[str, tuple[str, ...]]:
    (table,) = (table for table in content.tables if table.title == title)
    return {row[0]: row[1:] for row in table.rows}


def test_each_lane_is_measured_without_and_beside_each_kind() -> None:
    cells = SLOW.cells(LANES, OPTIONS)
    assert len(cells) == 3 * len(LANES)
    asked = [(cell.workload.slow, cell.workload.failing) for cell in cells]
    assert list(dict.fromkeys(asked)) == [("", False), ("50 idle", True), ("50 trickling", True)]
    assert {cell.workload.concurrency for cell in cells} == {10}


def test_sync_worker_is_measured_behind_a_proxy_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nginx, "find", lambda: "nginx")
    proxied = SLOW.cells(LANES, OPTIONS | {"proxy": True})
    assert len(proxied) == 3 * (len(LANES) + 1)
    assert sum(cell.lane.name == "flask-gunicorn+nginx" for cell in proxied) == 3

    def missing() -> str:
        raise LoadMissingError("nginx", "apt-get install nginx-light")

    monkeypatch.setattr(nginx, "find", missing)
    assert len(SLOW.cells(LANES, OPTIONS | {"proxy": True})) == 3 * len(LANES)


def test_answer_says_who_is_disturbed_and_what_helps(tmp_path: Path) -> None:
    said = first(made(tmp_path / "run"))
    assert (
        "Beside 50 idle connections aiohttp-gunicorn, flask-gthread and starlette-uvicorn answer "
        "as before; flask-gevent (p99 times 3." in said
    )
    assert (
        "flask-gunicorn (0 % answered) and flask-gunicorn-4 (0 % answered) stop answering" in said
    )
    assert "flask-gthread (0 % answered) stop answering." in said
    assert said.endswith("Against both kinds helps: async. Against idle ones alone: threads.")


def test_lane_that_answers_some_is_told_apart(tmp_path: Path) -> None:
    def partly(cell: Cell) -> dict[str, object]:
        one = cell.lane.name == "flask-gthread" and cell.workload.slow
        return HALF if one else {"complete": 1000}

    said = first(made(tmp_path / "run", partly))
    assert "flask-gthread (80 % answered) answers only in part" in said


def test_where_nothing_helps_that_is_said(tmp_path: Path) -> None:
    def all_stuck(cell: Cell) -> dict[str, object]:
        return GAVE_UP if cell.workload.slow else {"complete": 1000}

    assert first(made(tmp_path / "run", all_stuck)).endswith("None of these lanes is undisturbed.")


def test_load_that_gave_up_is_an_answer_and_not_an_invalid_trial(tmp_path: Path) -> None:
    content = made(tmp_path / "run")
    answered = rows(content, "Requests that were answered")
    assert answered["flask-gunicorn"] == tuple(f"{n}\N{NO-BREAK SPACE}%" for n in (100, 0, 0))
    assert answered["flask-gthread"] == tuple(f"{n}\N{NO-BREAK SPACE}%" for n in (100, 100, 0))
    assert "Invalid trials" not in [table.title for table in content.tables]
    assert rows(content, "Median latency (p50), ms")["flask-gunicorn"][1:] == ("-", "-")


def test_trial_that_is_invalid_for_another_reason_is_no_answer(tmp_path: Path) -> None:
    def killed(cell: Cell) -> dict[str, object]:
        return {"invalid": "the server was killed by SIGKILL"} if cell.workload.slow else {}

    content = made(tmp_path / "run", killed)
    assert rows(content, "Requests that were answered")["flask-gunicorn"][1:] == ("-", "-")
    assert "are not known" in first(content)
    assert len(rows(content, "Invalid trials")) > 0


def test_latencies_are_held_against_the_lanes_own(tmp_path: Path) -> None:
    ratios = rows(made(tmp_path / "run"), "p99 as a factor of that without slow clients")
    assert float(ratios["flask-gevent"][0].split()[0]) == pytest.approx(10 / 3, abs=0.1)
    assert float(ratios["aiohttp-gunicorn"][1].split()[0]) == pytest.approx(1, abs=0.05)


def test_run_of_one_block_is_reported(tmp_path: Path) -> None:
    content = made(tmp_path / "run", blocks=1)
    assert "inf" not in "".join(map(str, content.tables)).lower().replace("infor", "")
    assert "stop answering" in first(content)


def test_idle_client_holds_a_real_sync_worker_and_a_trickling_one_no_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "SLOW_TIMEOUT_S", 1)
    held, free = (all_lanes()[name] for name in ("flask-gunicorn", "aiohttp-gunicorn"))
    workload = Workload(concurrency=2, load="h2load", slow="3 idle", failing=True)
    cells = Cell(held, workload), Cell(free, replace(workload, slow="3 trickling"))
    plan = Plan(cells, blocks=1, seconds=0.05, noisy=True)
    with Interruption() as interruption:
        world = session.world(loads.chosen(["h2load"]), interruption, noisy=True)
        experiment.run(plan, tmp_path / "run", {}, world, Watcher())
    trials = {trial.lane: trial for trial in load(tmp_path / "run").trials}
    assert (trials[held.name].aborted, trials[held.name].complete) == (True, 0)
    assert (trials[free.name].invalid, trials[free.name].failed) == (None, 0)


def test_latency_that_chance_may_explain_is_not_called_as_before(tmp_path: Path) -> None:
    said = first(made(tmp_path / "run", blocks=1))
    assert "aiohttp-gunicorn, flask-gthread and starlette-uvicorn answer as before" in said
    assert "flask-gevent is not known" in said
