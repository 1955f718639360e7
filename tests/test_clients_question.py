"""`clients`: what is measured, and what its report says of figures that are planned."""

import random
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from loadtest import asking, loads, measuring, repeat, report, results
from loadtest import plan as plans
from loadtest.__main__ import main
from loadtest.clients import ways
from loadtest.lanes import lanes
from loadtest.plan import Plan, waiting
from loadtest.questions.clients import CLIENTS
from loadtest.results import Run
from tests.runs import ENVIRONMENT
from tests.test_results import a_trial

OPTIONS: dict[str, Any] = {"ms": 20, "threads": [10], "requests": 100}
ORIGIN = lanes()["aiohttp-dev"]
# By load and by how many at once: seconds on the wall, and of CPU.
TOOK = {
    ("requests", 1): (2.2, 0.1),
    ("threads", 10): (0.25, 0.12),
    ("aiohttp", 10): (0.24, 0.04),
    ("aiohttp", 100): (0.06, 0.05),
    ("httpx", 10): (0.4, 0.3),
    ("httpx", 100): (0.5, 0.4),
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a run in which each client took about what TOOK says."""
    plan = Plan(CLIENTS.cells([ORIGIN], OPTIONS), 8, requests=100, seed=7, question="clients")
    described = {"plan": plans.described(plan), "environment": ENVIRONMENT}
    whole = {"state": "finished", "started": "2026-11-30T10:00:00+00:00"}
    results.create(tmp_path / "run", whole | described)
    chance = random.Random(1)
    for turn in plans.schedule(plan):
        workload = turn.cell.workload
        wall_s, cpu_s = TOOK[workload.load, workload.concurrency]
        wall_s *= chance.gauss(1, 0.01)
        told = {"lane": ORIGIN.name, "block": turn.block, "position": turn.position}
        figures = {
            "requests": 100,
            "seconds": wall_s,
            "throughput_rps": 100 / wall_s,
            "load_user_s": 0.8 * cpu_s,
            "load_system_s": 0.2 * cpu_s,
        }
        results.append(tmp_path / "run", a_trial(**(asdict(workload) | told | figures)))
    return results.load(tmp_path / "run")


def test_cells_are_each_client_bounded_and_all_at_once() -> None:
    cells = CLIENTS.cells([ORIGIN], OPTIONS)
    assert [(c.workload.load, c.workload.concurrency) for c in cells] == list(TOOK)
    assert {c.workload.target for c in cells} == {waiting(20)}
    assert all(loads.is_client(c.workload.load) for c in cells)


@pytest.mark.parametrize("threads", [[1], [100], [10, 500]])
def test_threads_that_are_no_bound_are_refused(threads: list[int]) -> None:
    with pytest.raises(ValueError, match="--threads must be from 2 to 200, and fewer than"):
        CLIENTS.cells([ORIGIN], OPTIONS | {"threads": threads})


def test_first_paragraph_answers_in_words(run: Run) -> None:
    (answer, *_) = report.content(run).paragraphs
    text = " ".join(answer)
    assert text.startswith("To have 100 replies, each of which comes 20 ms after it is asked for")
    assert "requests one after another 2,197 ms (2,1" in text
    assert "; aiohttp all at once 60 ms (" in text
    assert (
        "soonest by aiohttp all at once; the waiting alone takes 20 ms then, and the rest, 4"
        in (text)
    )
    assert "aiohttp on 10 connections 40 ms (" in text.partition("CPU time of the client")[2]


def test_factors_are_of_one_after_another(run: Run) -> None:
    ratios = ways.ratios(run, ways.planned(run), ways.wall)
    found = {b.name: r.estimate for (a, b), r in ratios.items() if a.workload.load == "requests"}
    assert found == pytest.approx(
        {
            "requests by 10 threads": 8.8,
            "aiohttp on 10 connections": 9.17,
            "aiohttp all at once": 36.7,
            "httpx on 10 connections": 5.5,
            "httpx all at once": 4.4,
        },
        rel=0.03,
    )


def test_threads_are_held_against_aiohttp_with_as_many_at_once(run: Run) -> None:
    pairs = [(a.name, b.name) for a, b in ways.planned(run) if a.workload.load == "threads"]
    assert pairs == [("requests by 10 threads", "aiohttp on 10 connections")]


def test_cpu_time_is_a_multiple_of_one_after_anothers(run: Run) -> None:
    (table,) = (t for t in report.content(run).tables if t.title == "CPU time of the client")
    rows = {row[0]: row for row in table.rows}
    assert rows["httpx all at once"][-1].startswith("4.00 (")
    assert rows["requests by 10 threads"][2:5] == ("96.0", "24.0", "1,200")


def test_articles_times_are_said_not_to_be_known(run: Run) -> None:
    wall = report.content(run).tables[0]
    assert {row[-1] for row in wall.rows} == {"not known"}
    assert "Its times are not known here" in " ".join(wall.notes)


def test_report_has_a_plot_of_each_client(run: Run) -> None:
    (plot,) = report.content(run).plots
    for name in ("requests by 10 threads", "httpx all at once"):
        assert name in plot.svg
    assert "requests one after another for 95 %" in plot.caption
    for path in report.write(run):
        assert path.read_text(encoding="utf-8")


def test_client_without_a_valid_trial_is_named(run: Run) -> None:
    broken = [
        replace(t, invalid="1 requests failed (missing 1)") if t.load == "threads" else t
        for t in run.trials
    ]
    made = report.content(replace(run, trials=tuple(broken)))
    assert "There is no valid trial of requests by 10 threads" in " ".join(made.paragraphs[0])


def test_run_without_any_valid_trial_says_so(run: Run) -> None:
    nothing = tuple(replace(t, invalid="1 requests failed (missing 1)") for t in run.trials)
    made = report.content(replace(run, trials=nothing))
    assert [sentence[:26] for sentence in made.paragraphs[0]] == ["There is no valid trial of"] * 6
    assert not made.plots


def test_command_plans_and_is_told_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    planned: list[Plan] = []
    monkeypatch.setattr(measuring, "conduct", lambda plan, *rest: planned.append(plan))
    command = ["clients", "--ms", "5", "--threads", "2,4", "--requests", "50", "--seed", "3"]
    CliRunner().invoke(main, [*command, "--out", str(tmp_path / "a")], catch_exceptions=False)
    again = repeat.command(planned[0])[3:]
    CliRunner().invoke(main, [*again, "--out", str(tmp_path / "b")], catch_exceptions=False)
    assert planned[0] == planned[1]
    assert planned[0].requests == 50
    assert len(planned[0].cells) == 1 + 2 + 2 * 3


def test_numbers_of_threads_are_numbers() -> None:
    for text in ("", "ten", "1,x"):
        done = CliRunner().invoke(main, ["clients", "--threads", text])
        assert done.exit_code == 2 and "several such as 4,10" in done.output


def test_command_is_there() -> None:
    assert "clients" in [command.name for command in asking.COMMANDS]
