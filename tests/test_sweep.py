"""What the question `sweep` measures, and what its report says."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtest import report, results
from loadtest.__main__ import main
from loadtest.content import Content
from loadtest.lanes import all_lanes
from loadtest.machines import Machine
from loadtest.plan import Cell, Plan
from loadtest.questions import QUESTIONS, sweep
from loadtest.questions.levels import Series, series
from loadtest.results import Run
from tests.runs import a_run_of
from tests.test_doctor import write

SWEEP = QUESTIONS["sweep"]
LANES = [all_lanes()[name] for name in SWEEP.lanes]
LEVELS = (1, 10, 100, 1000, 10_000)
MANY = LEVELS[-1]

# Requests a second of one client, and the most; what comes of 10,000 clients.
RATES = {"aiohttp-dev": (1000, 5000), "flask-gthread": (500, 1000), "flask-gevent": (800, 2000)}
LOST = {"complete": 900, "failed": 100, "failures": {"length": 140, "receive": 40}}
GIVEN_UP = {"invalid": "ab: no activity within the time-out (exit 119)", "aborted": True}
AT_MOST: dict[str, dict[str, object]] = {
    "aiohttp-gunicorn": {**LOST, "listen_queue": 128, "listen_overflows": 54_000},
    "flask-gthread": {**GIVEN_UP, "complete": 12_608, "requests": 20_000, "throughput_rps": None},
    "flask-gunicorn": {"invalid": "the server was killed by SIGKILL", "throughput_rps": None},
}


def rate_rps(cell: Cell) -> float:
    """Rise up to 100 clients, and fall by half at 10,000."""
    first, most = RATES.get(cell.lane.name, (900, 3000))
    clients = cell.workload.concurrency
    return first if clients == 1 else most / 2 if clients == MANY else most


def figures(cell: Cell) -> dict[str, object]:
    counted: dict[str, object] = {"complete": 1000, "failed": 0, "listen_queue": 2048}
    many = cell.workload.concurrency == MANY
    return counted | (AT_MOST.get(cell.lane.name, {}) if many else {})


def made(folder: Path, blocks: int = 4, loads: tuple[str, ...] = ()) -> Run:
    cells = SWEEP.cells(LANES, {"levels": LEVELS, "target": "/healthz", "loads": loads})
    return a_run_of(Plan(cells, blocks=blocks, question="sweep"), folder, rate_rps, figures)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return made(tmp_path / "run")


@pytest.fixture
def content(run: Run) -> Content:
    return report.content(run)


def one(run: Run, name: str) -> Series:
    (found,) = (found for found in series(run) if found.name == name)
    return found


def said(content: Content) -> str:
    return " ".join(sentence for said in content.paragraphs[:2] for sentence in said)


def cells_of(content: Content, lane: str, clients: str) -> tuple[str, ...]:
    (row,) = (row for row in content.tables[0].rows if row[:2] == (lane, clients))
    return row[2:]


def test_ab_asks_all_but_those_that_it_is_not_fair_to(run: Run) -> None:
    loads = {found.lane.name: {w.load for w in found.workloads} for found in series(run)}
    assert loads.pop("starlette-uvicorn") == {"h2load"}
    assert set(map(frozenset, loads.values())) == {frozenset({"ab"})}
    assert all(workload.failing for found in series(run) for workload in found.workloads)


def test_several_loads_are_told_apart(tmp_path: Path) -> None:
    names = [found.name for found in series(made(tmp_path / "run", loads=("ab", "h2load")))]
    assert "flask-gevent (ab)" in names
    assert "flask-gevent (h2load)" in names
    assert "starlette-uvicorn" in names


def test_best_is_the_fewest_clients_with_the_most_throughput(run: Run, content: Content) -> None:
    best = one(run, "aiohttp-dev").best()
    assert best
    assert best.concurrency == 10
    assert "aiohttp-dev: best with 10 clients, " in said(content)
    assert "less from 10,000 clients on, 0.50 (" in said(content)


def test_few_blocks_do_not_make_the_fewest_clients_the_best(tmp_path: Path) -> None:
    best = one(made(tmp_path / "run", blocks=1), "aiohttp-dev").best()
    assert best
    assert best.concurrency > 1


def test_stack_that_never_fails_is_named(content: Content) -> None:
    first = content.paragraphs[0][0]
    assert first.startswith("With up to 10,000 clients at once no request failed on aiohttp-dev, ")
    assert first.endswith("; some do on aiohttp-gunicorn, flask-gthread.")


def test_failures_are_counted_and_explained_by_the_kernel(content: Content) -> None:
    assert (
        "it starts to fail at 10,000 clients: 10.0\N{NO-BREAK SPACE}% of requests, 400 of 4,000: "
        "240 closed without a whole reply, 160 reset (its listen queue holds 128 connections and "
        "was full 54,000 times a trial)"
    ) in said(content)
    assert cells_of(content, "aiohttp-gunicorn", "10,000")[-2] == "400 of 4,000"


def test_load_that_gave_up_is_a_point_without_a_throughput(content: Content) -> None:
    gave_up = "aborted: ab: no activity within the time-out (exit 119), 12,608 of 20,000 completed"
    assert gave_up in said(content)
    assert cells_of(content, "flask-gthread", "10,000") == (*("-",) * 6, gave_up)


def test_load_that_gave_up_is_no_invalid_trial(run: Run, content: Content) -> None:
    assert {row[0] for row in content.tables[-1].rows} == {"flask-gunicorn (ab, 10,000 clients)"}
    assert results.never_valid(run) == []


def test_level_without_a_trial_that_counts_is_not_called_unfailing(content: Content) -> None:
    assert "none failed up to 1,000 clients, above it none counts" in said(content)
    assert "flask-gunicorn" not in content.paragraphs[0][0]


def test_threads_are_held_against_greenlets(content: Content) -> None:
    (sentence,) = (text for text in content.paragraphs[0] if text.startswith("Greenlets"))
    assert "flask-gevent answers 1.6" in sentence
    assert "at 1 client and 2.0" in sentence
    assert sentence.endswith(
        "flask-gevent did not fail, flask-gthread fails from 10,000 clients on."
    )


def test_both_times_per_request_of_ab_are_there_with_their_meaning(content: Content) -> None:
    rps, each_ms, across_ms, *_ = cells_of(content, "aiohttp-dev", "100")
    rate = float(rps.split()[0].replace(",", ""))
    assert float(each_ms) == pytest.approx(100 * 1000 / rate, rel=0.01)
    assert float(across_ms) == pytest.approx(1000 / rate, rel=0.01)
    assert "two times per request" in content.tables[0].notes[0]


def test_throughput_latency_and_failures_are_drawn(content: Content) -> None:
    titles = [plot.title for plot in content.plots]
    assert titles == [
        *("Throughput by clients", "Latency by clients (p99)", "Failed requests by clients"),
    ]
    assert "flask-gthread: at 1 0.00, at 10 0.00, at 100 0.00, at 1,000 0.00, at 10,000 37.0" in (
        content.plots[-1].svg
    )


@pytest.mark.parametrize(
    ("files", "ports", "level", "why"),
    [
        (1024, "32768 60999", 961, "961 clients are skipped: 1,024 files may be open; `ulimit -Hn"),
        (1024, "32768 60999", 960, None),
        (-1, "60000 60999", 1001, "1,001 clients are skipped: there are 1,000 local ports"),
        (-1, "60000 60999", 1000, None),
        (-1, "1024 60999", 20_001, "20,001 clients are skipped: ab has at most 20,000."),
    ],
)
def test_numbers_that_the_machine_cannot_carry_are_skipped(
    tmp_path: Path, files: int, ports: str, level: int, why: str | None
) -> None:
    write(tmp_path, {"proc/sys/net/ipv4/ip_local_port_range": ports})
    found = sweep.too_many_for(Machine(tmp_path, open_files=lambda: files), level)
    assert found is None if why is None else (found or "").startswith(why)


def test_lanes_that_no_named_load_is_fair_to_are_refused() -> None:
    asgi = [lane for lane in LANES if not lane.http10]
    with pytest.raises(ValueError, match="give --loads h2load"):
        SWEEP.cells(asgi, {"levels": (1,), "target": "/", "loads": ("ab",)})


@pytest.mark.parametrize("loads", ["wrk", "ab,wrk"])
def test_unknown_load_is_refused(loads: str) -> None:
    outcome = CliRunner().invoke(main, ["sweep", "--loads", loads])
    assert outcome.exit_code == 2
    assert "--loads takes ab, h2load or both, not wrk" in outcome.output


def test_single_number_of_clients_is_not_said_to_rise(tmp_path: Path) -> None:
    cells = SWEEP.cells(LANES, {"levels": (10,), "target": "/healthz", "loads": ()})
    run = a_run_of(Plan(cells, blocks=2, question="sweep"), tmp_path / "run", rate_rps, figures)
    assert "best with 10 clients, " in said(report.content(run))
    assert "rising" not in said(report.content(run))


def test_stack_without_a_trial_that_counts_is_said_to_have_none(run: Run) -> None:
    trials = (
        replace(t, invalid="load from outside") if t.lane == "flask-gevent" else t
        for t in run.trials
    )
    text = said(report.content(replace(run, trials=tuple(trials))))
    assert "flask-gevent: no trial counts." in text
