"""Two runs compared: what has changed, what may have changed it, and what is refused."""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from math import exp
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from loadtest import comparison, comparison_tables, results
from loadtest.__main__ import main
from loadtest.comparison import Comparison, IncomparableError
from loadtest.lanes import Lane, lanes, twin
from loadtest.plan import Cell, Plan, TwoStages, Workload, described
from loadtest.results import Run
from loadtest.summary import cpu, throughput
from tests.test_results import a_trial

MARS = Workload("/planets/mars")
TWO = (lanes()["aiohttp-gunicorn"], lanes()["flask-gunicorn"])


def a_run(
    folder: Path,
    rates_rps: Mapping[str, float],
    *,
    planned: tuple[Lane, ...] = TWO,
    workloads: tuple[Workload, ...] = (MARS,),
    environment: Mapping[str, object] | None = None,
    spread: float = 0.01,
    blocks: int = 10,
    two_stages: TwoStages | None = None,
) -> Run:
    """Return a run on disk whose lanes have these rates, give or take the spread."""
    noise = random.Random(folder.name)
    cells = tuple(Cell(lane, workload) for workload in workloads for lane in planned)
    description = {
        "state": "finished",
        "started": "2026-11-30T10:00:00+00:00",
        "plan": described(Plan(cells, blocks=blocks, two_stages=two_stages)),
        "environment": environment or {"cpu": "a CPU", "packages": {"aiohttp": "3.14.5"}},
    }
    results.create(folder, description)
    for block in range(1, blocks + 1):
        for cell in cells:
            rate_rps = rates_rps[cell.lane.name] * exp(noise.gauss(0, spread))
            trial = a_trial(
                lane=cell.lane.name,
                block=block,
                target=cell.workload.target,
                load=cell.workload.load,
                concurrency=cell.workload.concurrency,
                throughput_rps=rate_rps,
                cpu_us_per_request=1e6 / rate_rps,
            )
            results.append(folder, trial)
    return results.load(folder)


RATES_RPS = {"aiohttp-gunicorn": 6000.0, "flask-gunicorn": 1500.0, "aiohttp-gunicorn-twin": 6000.0}
SLOWER_RPS = RATES_RPS | {"flask-gunicorn": 1425.0}  # by 5 %


def compared(folder: Path, slower: float = 0.0, **members: object) -> Comparison:
    a = a_run(folder / "a", RATES_RPS)
    return comparison.compare(a, a_run(folder / "b", SLOWER_RPS, **members), slower)  # type: ignore[arg-type]


def told(comparison: Comparison) -> str:
    return "\n".join(comparison_tables.sentences(comparison)).replace("\N{NO-BREAK SPACE}", " ")


def compare(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["compare", str(folder / "a"), str(folder / "b"), *options])


def test_change_is_b_against_a(tmp_path: Path) -> None:
    made = compared(tmp_path)
    of_aiohttp, of_flask = (made.changes(throughput)[cell] for cell in made.cells)
    assert of_aiohttp.holds(1)
    assert of_flask.high < 1 and of_flask.holds(0.95)
    assert made.changes(cpu)[made.cells[1]].holds(1 / 0.95)
    assert [cell.lane.name for cell in made.slowdowns()] == ["flask-gunicorn"]
    assert "Slower in B: flask-gunicorn, -5." in told(made)
    assert made.shared() == pytest.approx(0.95**0.5, abs=0.01)


def test_blocks_of_two_runs_do_not_pair(tmp_path: Path) -> None:
    """The same blocks in another order are the same runs."""
    made = compared(tmp_path)
    turned = [replace(trial, block=11 - trial.block) for trial in made.b.trials]
    again = replace(made, b=replace(made.b, trials=tuple(turned)))
    for cell in made.cells:
        assert again.changes(throughput)[cell].low == pytest.approx(
            made.changes(throughput)[cell].low
        )


def test_slowdown_must_be_sure_to_be_as_large_as_was_asked(tmp_path: Path) -> None:
    assert compared(tmp_path / "1", slower=0.02).slowdowns()
    sure_of_less = compared(tmp_path / "2", slower=0.05)
    assert not sure_of_less.slowdowns()
    assert "No lane is shown to be slower in B by more than 5 %" in told(sure_of_less)


def test_runs_of_the_same_lanes_are_seldom_said_to_be_slower(tmp_path: Path) -> None:
    """200 simulated pairs of runs of six equal lanes: a slowdown in some 2.5 % of them."""
    a = a_run(tmp_path / "a", dict.fromkeys(lanes(), 1000.0), planned=tuple(lanes().values()))
    noise = random.Random(1)
    false_calls = 0
    for _ in range(200):
        pair = [
            replace(
                a,
                trials=tuple(
                    replace(t, throughput_rps=1000 * exp(noise.gauss(0, 0.05))) for t in a.trials
                ),
            )
            for _ in range(2)
        ]
        false_calls += bool(comparison.compare(*pair).slowdowns())
    assert false_calls / 200 <= 0.05


def test_two_stage_run_has_its_pilots_spread(tmp_path: Path) -> None:
    made = compared(tmp_path, two_stages=TwoStages(0.03))
    pair = made.samples(throughput)[made.cells[0]]
    assert (pair.a.pilot, pair.b.pilot) == (None, 8)
    assert pair.degrees == 7
    assert "Slower in B: flask-gunicorn" in told(made)


def test_twin_is_noise_and_not_compared(tmp_path: Path) -> None:
    planned = (*TWO, twin(TWO))
    a, b = (a_run(tmp_path / name, RATES_RPS, planned=planned) for name in "ab")
    made = comparison.compare(a, b)
    assert [cell.lane.name for cell in made.cells] == ["aiohttp-gunicorn", "flask-gunicorn"]
    assert "The noise of A: aiohttp-gunicorn is" in told(made)


def test_run_whose_lane_differs_from_itself_is_a_warning(tmp_path: Path) -> None:
    rates_rps = RATES_RPS | {"aiohttp-gunicorn-twin": 5000.0}
    a = a_run(tmp_path / "a", RATES_RPS)
    b = a_run(tmp_path / "b", rates_rps, planned=(*TWO, twin(TWO)))
    text = told(comparison.compare(a, b))
    assert "The noise of A is not known" in text
    assert "Beware: in B, aiohttp-gunicorn is 1.2" in text


def test_what_the_runs_ran_on_is_compared(tmp_path: Path) -> None:
    gthread = replace(TWO[1], worker_class="gthread")
    made = compared(
        tmp_path,
        planned=(TWO[0], gthread),
        environment={"cpu": "another", "packages": {"aiohttp": "3.15.0", "uvloop": "1"}},
    )
    found = comparison.differences(made.a, made.b)
    assert [(d.name, d.a, d.b) for d in found] == [
        ("cpu", "a CPU", "another"),
        ("packages: aiohttp", "3.14.5", "3.15.0"),
        ("flask-gunicorn: worker class", "sync", "gthread"),
        ("packages: uvloop", None, "1"),
    ]
    rows = comparison_tables.tables(made)[-1].rows
    assert ("packages: uvloop", "not known", "1") in rows


def test_cores_of_a_run_are_compared_and_the_doctors_sentences_not(tmp_path: Path) -> None:
    a, b = (
        a_run(tmp_path / str(load), RATES_RPS, environment={"findings": [{"load": load}]})
        for load in (1, 2)
    )
    pinned = b.description["plan"] | {"pin": {"server": [0, 1], "load": [2]}}
    b = replace(b, description={**b.description, "plan": pinned})
    assert [(d.name, d.a, d.b) for d in comparison.differences(a, b)] == [
        ("cores of servers", "any", [0, 1]),
        ("cores of loads", "any", [2]),
    ]


def test_replies_of_another_length_are_a_difference(tmp_path: Path) -> None:
    a = a_run(tmp_path / "a", RATES_RPS)
    b = replace(a, trials=tuple(replace(trial, document_bytes=300) for trial in a.trials))
    assert [(d.name, d.a, d.b) for d in comparison.differences(a, b)] == [
        ("bytes of a reply", [], [300])
    ]


def test_what_only_one_run_has_is_said_and_left_out(tmp_path: Path) -> None:
    h2load = replace(MARS, load="h2load")
    a = a_run(tmp_path / "a", RATES_RPS, workloads=(MARS, h2load))
    b = a_run(tmp_path / "b", RATES_RPS, planned=TWO[:1])
    made = comparison.compare(a, b)
    assert [made.label(cell) for cell in made.cells] == ["aiohttp-gunicorn"]
    assert made.left_out == (
        "Only A was measured with h2load; that is left out.",
        "Only A has flask-gunicorn (ab); left out.",
    )


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        (
            {"workloads": (replace(MARS, target="/healthz", concurrency=5),)},
            "the runs asked for different things: target /planets/mars in A, /healthz in B; "
            "concurrency 20 in A, 5 in B",
        ),
        ({"workloads": (replace(MARS, keep_alive=False),)}, "keep_alive True in A, False in B"),
        ({"workloads": (replace(MARS, load="h2load"),)}, "no load in common: ab in A, h2load in B"),
        ({"planned": (Lane("flask", "dev"),)}, "the runs have no lane in common"),
        ({"blocks": 0}, "no lane has a valid trial in both runs"),
    ],
)
def test_runs_of_different_questions_are_refused(
    tmp_path: Path, members: dict[str, object], reason: str
) -> None:
    a = a_run(tmp_path / "a", RATES_RPS)
    b = a_run(tmp_path / "b", RATES_RPS | {"flask-dev": 1.0}, **members)  # type: ignore[arg-type]
    with pytest.raises(IncomparableError, match=reason):
        comparison.compare(a, b)
    refused = compare(tmp_path)
    assert refused.exit_code == 2
    assert "Traceback" not in refused.output


def test_lane_that_is_broken_in_one_run_is_named(tmp_path: Path) -> None:
    made = compared(tmp_path)
    trials = tuple(
        replace(t, invalid="killed") if t.lane == "flask-gunicorn" else t for t in made.b.trials
    )
    broken = replace(made, b=replace(made.b, trials=trials))
    assert "so not compared: flask-gunicorn." in told(broken)


def test_exit_status_says_whether_a_lane_is_slower(tmp_path: Path) -> None:
    compared(tmp_path)
    slower = compare(tmp_path)
    assert slower.exit_code == 1
    assert "Slower in B: flask-gunicorn" in slower.output
    assert "\x1b" not in slower.output
    assert compare(tmp_path, "--slower", "20%").exit_code == 0
    absent = CliRunner().invoke(main, ["compare", str(tmp_path / "a"), str(tmp_path / "none")])
    assert absent.exit_code == 2


def test_faster_is_no_failure(tmp_path: Path) -> None:
    made = compared(tmp_path)
    assert "Faster in B: flask-gunicorn, +5" in told(comparison.compare(made.b, made.a))
    assert not comparison.compare(made.b, made.a).slowdowns()


def test_one_trial_each_shows_nothing(tmp_path: Path) -> None:
    a, b = (a_run(tmp_path / name, RATES_RPS, blocks=1) for name in "ab")
    assert not comparison.compare(a, b).slowdowns()
    found = json.loads(compare(tmp_path, "--json").output)
    assert found["lanes"][0]["throughput_ratio"]["low"] is None


def test_programs_and_pages_are_told_the_same(tmp_path: Path) -> None:
    made = compared(tmp_path)
    found = json.loads(compare(tmp_path, "--json").output)
    assert [lane["slower"] for lane in found["lanes"]] == [False, True]
    assert found["sentences"] == comparison_tables.sentences(made)
    markdown = compare(tmp_path, "--markdown").output
    assert "| flask-gunicorn | 1," in markdown
    assert "- Slower in B: flask-gunicorn" in markdown
