"""What the question `rate` measures, and what its report says."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from loadtest import experiment, plan, report, results, summary_csv
from loadtest.__main__ import main
from loadtest.content import Content
from loadtest.lanes import Lane, all_lanes
from loadtest.plan import MARS, Cell, Plan
from loadtest.questions import QUESTIONS
from loadtest.questions.rates import kept_up
from loadtest.results import Run
from tests.fakes import RATE_RPS, FakeWorld, Watcher
from tests.runs import a_run_of
from tests.test_results import a_trial

RATE = QUESTIONS["rate"]
OPTIONS = {"shares": ["25%", "50%", "90%"], "concurrency": 20, "target": MARS}
AIOHTTP, FLASK = (all_lanes()[name] for name in ("aiohttp-gunicorn", "flask-gunicorn"))
CAPACITY_RPS = {"aiohttp-gunicorn": 4000.0, "flask-gunicorn": 1500.0}
P99_MS = {  # by lane and share, None being the closed loop
    "aiohttp-gunicorn": {None: 9.0, 0.25: 2.0, 0.5: 3.0, 0.9: 40.0},
    "flask-gunicorn": {None: 15.0, 0.25: 4.0, 0.5: 12.0, 0.9: 300.0},
}
SLOW = ("flask-gunicorn", 0.9)  # which cannot keep up


def rate_rps(cell: Cell) -> float:
    share = cell.workload.share or 1.0
    slow = 0.7 if (cell.lane.name, cell.workload.share) == SLOW else 1.0
    return CAPACITY_RPS[cell.lane.name] * share * slow


def figures(cell: Cell) -> dict[str, object]:
    p99 = P99_MS[cell.lane.name][cell.workload.share]
    steps = {"mean": 0.4, "p50": 0.3, "p90": 0.7, "p99": 1.0, "max": 2.0}
    share = cell.workload.share
    return {
        "latency_ms": {name: step * p99 for name, step in steps.items()},
        "offered_rps": share and CAPACITY_RPS[cell.lane.name] * share,
        "rate_rps": share and CAPACITY_RPS[cell.lane.name] * share,
        "late_ms": share and 0.6,
    }


def made(folder: Path, lanes: tuple[Lane, ...] = (AIOHTTP, FLASK)) -> Run:
    planned = Plan(RATE.cells(lanes, OPTIONS), blocks=3, question="rate")
    return a_run_of(planned, folder, rate_rps, figures)


@pytest.fixture
def content(tmp_path: Path) -> Content:
    return report.content(made(tmp_path / "run"))


def plain(content: Content) -> list[str]:
    return [" ".join(said).replace("\N{NO-BREAK SPACE}", " ") for said in content.paragraphs]


def test_each_lane_is_asked_without_a_pause_and_at_each_share() -> None:
    found = RATE.cells((AIOHTTP, FLASK), OPTIONS)
    assert [(cell.lane.name, cell.workload.share) for cell in found] == [
        (lane, share)
        for lane in ("aiohttp-gunicorn", "flask-gunicorn")
        for share in (None, 0.25, 0.5, 0.9)
    ]
    assert {cell.workload.load for cell in found} == {"h2load"}
    twice = OPTIONS | {"shares": ["90%", "50%", "25%", "50%"]}
    assert RATE.cells((AIOHTTP, FLASK), twice) == found
    # A connection that a lane closes is one for each request, or h2load keeps no rate.
    assert {cell.workload.keep_alive for cell in found if cell.lane == AIOHTTP} == {True}
    assert {cell.workload.keep_alive for cell in found if cell.lane == FLASK} == {False}
    (own,) = {
        c.workload.keep_alive for c in RATE.cells([replace(AIOHTTP, keeps_alive=None)], OPTIONS)
    }
    assert not own


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"shares": ["half"]}, "give shares from 1% to 200%"),
        ({"shares": ["0.5%"]}, "give shares from 1% to 200%"),
        ({"shares": ["201%"]}, "give shares from 1% to 200%"),
        ({"shares": []}, "--shares names none"),
        ({"target": "/planets/mars sky"}, "ASCII path without spaces"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RATE.cells((AIOHTTP,), OPTIONS | options)


def test_default_lanes_are_there() -> None:
    assert set(RATE.lanes) <= set(all_lanes())
    assert "rate" in main.commands


def test_answer_says_how_much_can_be_served_in_time(content: Content) -> None:
    answer = plain(content)[0]
    first, second, *_ = re.split(r"(?<=\.) (?=[a-z])", answer)
    served = "answers 99 in 100 requests within 50 ms up to"
    assert first.startswith(f"aiohttp-gunicorn {served} 3,600 requests a second, ")
    assert first.endswith("that it can answer (40.0 ms there), the most that was asked.")
    assert second.startswith(f"flask-gunicorn {served} 750 requests a second, ")
    # The machine wandered in between: of 90 % asked, so many were really offered.
    assert re.search(
        r"12\.0 ms there\), and at (89|9[01]) % \([0-9]+ to [0-9]+\) cannot keep up", second
    )


def test_answer_says_where_latency_grows_and_what_a_closed_loop_claims(content: Content) -> None:
    answer = plain(content)[0]
    grown = "is 10 times what it is at 25 % on aiohttp-gunicorn at 90 %, flask-gunicorn at 90 %."
    assert grown in answer
    assert "claimed a 99th percentile of 9.0 ms on aiohttp-gunicorn, 15.0 ms on flask-gun" in answer


def test_table_has_each_share_and_the_closed_loop(content: Content) -> None:
    table = content.tables[0]
    assert len(table.rows) == 8
    assert [row[-1] for row in table.rows] == ["yes", "yes", "yes", "-", "yes", "yes", "no", "-"]
    assert table.rows[-1][1] == "closed loop, 20 clients"


@pytest.mark.parametrize(
    ("throughput_rps", "max_ms", "kept"),
    [
        (1000.0, 20.0, True),
        (900.0, 12.0, True),  # h2load took longer to begin than any request took
        (960.0, 60.0, True),
        (900.0, 120.0, False),
        (500.0, 990.0, False),
    ],
)
def test_lane_has_kept_up_whose_last_reply_comes_soon(
    throughput_rps: float, max_ms: float, kept: bool
) -> None:
    latency_ms = {"mean": 1.0, "p50": 1.0, "p90": 1.0, "p99": 1.0, "max": max_ms}
    of = {"requests": 1000, "offered_rps": 1000.0, "latency_ms": latency_ms}
    assert kept_up(a_trial(throughput_rps=throughput_rps, **of)) is kept


def test_how_late_the_load_was_is_said(content: Content) -> None:
    assert "it was sent 0.6 ms after it was due" in plain(content)[2]


def test_shares_that_are_not_those_asked_for_are_said(tmp_path: Path) -> None:
    def faster(cell: Cell) -> float:
        return rate_rps(cell) * (1.5 if cell.workload.share is None else 1.0)

    planned = Plan(RATE.cells((AIOHTTP,), OPTIONS), blocks=3, question="rate")
    run = a_run_of(planned, tmp_path / "run", faster, figures)
    assert "measure again when it is quiet" in plain(report.content(run))[2]
    assert "measure again" not in plain(report.content(made(tmp_path / "other")))[2]


def test_curves_are_drawn_of_the_middle_and_of_the_slowest(content: Content) -> None:
    assert [plot.title for plot in content.plots] == [
        "The middle request, by the rate",
        "The slowest in a hundred, by the rate",
    ]


def test_a_run_without_a_valid_trial_says_so(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    bad = replace(run, trials=tuple(replace(trial, invalid="load") for trial in run.trials))
    assert plain(report.content(bad))[0].startswith("No trial at a rate counts")


def test_summary_has_a_row_for_each_rate(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(summary_csv.text(made(tmp_path / "run")))))
    assert [(row["share"], row["offered_rps"]) for row in rows[:4]] == [
        ("", ""),
        ("0.25", "1000"),
        ("0.5", "2000"),
        ("0.9", "3600"),
    ]


# The engine


def test_rates_are_shares_of_one_calibration_that_lasts_longer(tmp_path: Path) -> None:
    fake = FakeWorld()
    cells = RATE.cells((FLASK,), OPTIONS)
    planned = Plan(cells, blocks=1, seconds=1.0, question="rate")
    experiment.run(planned, tmp_path / "run", {}, fake.world(), Watcher())
    calibration = fake.orders[:3]
    assert [order.requests for order in calibration] == [50, 400, 1500]
    assert {order.rate_rps for order in calibration} == {None}
    loads = {order.requests: order.rate_rps for order in fake.orders[3:] if order.rate_rps}
    assert loads == {round(share * RATE_RPS): share * RATE_RPS for share in (0.25, 0.5, 0.9)}
    trials = results.load(tmp_path / "run").trials
    assert {t.share: t.offered_rps for t in trials} == {
        None: None,
        0.25: 250.0,
        0.5: 500.0,
        0.9: 900.0,
    }
    assert [t.invalid for t in trials] == [None] * 4


def test_warm_up_has_no_rate(tmp_path: Path) -> None:
    fake = FakeWorld()
    cells = RATE.cells((FLASK,), OPTIONS | {"shares": ["50%"]})
    planned = plan.Plan(cells[1:], blocks=1, seconds=1.0)
    experiment.run(planned, tmp_path / "run", {}, fake.world(), Watcher())
    assert [order.rate_rps for order in fake.orders[-2:]] == [None, 500.0]


def test_share_of_a_speed_that_is_not_known_is_not_asked(tmp_path: Path) -> None:
    fake = FakeWorld(load_error="h2load: connection refused")
    fake.fails = lambda order: "calibration" in str(order.scratch)
    cells = RATE.cells((FLASK,), OPTIONS | {"shares": ["50%"]})
    experiment.run(plan.Plan(cells, blocks=1), tmp_path / "run", {}, fake.world(), Watcher())
    found = {t.share: (t.invalid, t.rate_rps) for t in results.load(tmp_path / "run").trials}
    assert found == {None: (None, None), 0.5: ("not run: h2load: connection refused", None)}
    assert {order.rate_rps for order in fake.orders} == {None}


def without(run: Run, lane: str, *shares: float) -> str:
    """Return the answer of the run where no trial of the lane at these shares counts."""
    trials = (
        replace(t, invalid="load") if t.lane == lane and t.share in shares else t
        for t in run.trials
    )
    return plain(report.content(replace(run, trials=tuple(trials))))[0]


def test_share_without_a_trial_that_counts_is_no_failure_to_answer(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    served = "flask-gunicorn answers 99 in 100 requests within 50 ms up to 750 requests a second"
    assert served in without(run, "flask-gunicorn", 0.25)
    lowest = without(run, "flask-gunicorn", 0.25, 0.5)
    assert "flask-gunicorn does not answer 99 in 100 requests within 50 ms even at 1,350" in lowest
    assert "(12.0 ms there); above no trial counts." in without(run, "flask-gunicorn", 0.9)
