"""What the question `io` measures, and what its report says."""

import re
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from loadtest import report
from loadtest.__main__ import main
from loadtest.content import Content
from loadtest.kinds import Kind, holders, kind, waiting_at_once
from loadtest.lanes import Lane, all_lanes
from loadtest.plan import Cell, Plan, Workload, from_description, waiting
from loadtest.questions import QUESTIONS
from loadtest.questions import waiting as question
from loadtest.results import Run, load
from tests.runs import a_run_of

IO = QUESTIONS["io"]
LANES = [all_lanes()[name] for name in IO.lanes]
CPU_US = {Kind.ASYNC: 300.0, Kind.GREENLETS: 500.0, Kind.THREADS: 500.0, Kind.SYNC: 400.0}


def rate_rps(cell: Cell) -> float:
    """Return what the wait and a core of CPU time allow."""
    of_cpu = 1e6 / CPU_US[kind(cell.lane)] * cell.lane.workers
    return min(0.95 * question.ceiling_rps(cell.lane, cell.workload), of_cpu)


def figures(cell: Cell) -> dict[str, object]:
    return {"cpu_us_per_request": CPU_US[kind(cell.lane)]}


def made(folder: Path, blocks: int = 4, lanes: list[Lane] = LANES) -> Run:
    cells = IO.cells(lanes, {"levels": (1, 10, 100), "ms": 10})
    return a_run_of(Plan(cells, blocks=blocks, question="io"), folder, rate_rps, figures)


@pytest.fixture
def content(tmp_path: Path) -> Content:
    return report.content(made(tmp_path / "run"))


def rows(content: Content, title: str) -> dict[str, tuple[str, ...]]:
    (table,) = (table for table in content.tables if table.title == title)
    return {row[0]: row[1:] for row in table.rows}


@pytest.mark.parametrize(
    ("lane", "of", "held", "at_once"),
    [
        ("aiohttp-gunicorn", Kind.ASYNC, "async", inf),
        ("flask-gunicorn", Kind.SYNC, "1 sync worker", 1),
        ("flask-gunicorn-4", Kind.SYNC, "4 sync workers", 4),
        ("flask-gthread", Kind.THREADS, "4 threads", 4),
        ("flask-gthread32", Kind.THREADS, "32 threads", 32),
        ("flask-gthread-4", Kind.THREADS, "16 threads", 16),
        ("flask-gevent", Kind.GREENLETS, "greenlets", inf),
        ("tornado-dev", Kind.ASYNC, "async", inf),
        ("tornado-gunicorn", Kind.ASYNC, "async", inf),
        ("starlette-uvicorn", Kind.ASYNC, "async", inf),
        ("flask-dev", Kind.THREADS, "threads", inf),
        ("flask-granian", Kind.THREADS, "threads", inf),
    ],
)
def test_lanes_wait_in_their_way(lane: str, of: Kind, held: str, at_once: float) -> None:
    found = all_lanes()[lane]
    assert (kind(found), holders(found), waiting_at_once(found)) == (of, held, at_once)


@pytest.mark.parametrize(
    ("lane", "clients", "rps"),
    [
        ("flask-gunicorn", 100, 100),
        ("flask-gunicorn-4", 100, 400),
        ("flask-gunicorn-4", 3, 300),
        ("flask-gthread32", 50, 3200),
        ("aiohttp-gunicorn", 50, 5000),
    ],
)
def test_wait_bounds_the_throughput(lane: str, clients: int, rps: float) -> None:
    assert question.ceiling_rps(all_lanes()[lane], Workload(waiting(10), clients)) == rps


def test_every_lane_is_asked_at_every_level() -> None:
    cells = IO.cells(LANES, {"levels": (1, 10), "ms": 25})
    assert len(cells) == 2 * len(LANES)
    assert {cell.workload.target for cell in cells} == {"/wait?ms=25"}
    assert {cell.workload.load for cell in cells} == {"h2load"}


def test_answer_begins_with_what_many_clients_get(content: Content) -> None:
    first = " ".join(content.paragraphs[0]).replace("\N{NO-BREAK SPACE}", " ")
    assert first.startswith(
        "100 clients at once, each request waiting 10 ms: flask-gunicorn (1 sync worker) answers 9"
    )
    assert re.search(r"answered by async: 3\d\.\d\d \(3.* on aiohttp-gunicorn, 3", first)
    assert re.search(r"; by greenlets: 2\d\.\d\d \(2.* on flask-gevent; ", first)
    assert re.search(r"; by threads: 4.* on flask-gthread \(4 threads\), 2", first)
    assert re.search(r"; by other sync workers: 4.* on flask-gunicorn-4 \(4 sync", first)


def test_answer_says_when_threads_are_enough(content: Content) -> None:
    first = " ".join(content.paragraphs[0])
    assert "flask-gthread (4 threads) up to 1 client, flask-gthread32 (32 threads) up to" in first


def test_answer_says_what_bounds_async(content: Content) -> None:
    first = " ".join(content.paragraphs[0]).replace("\N{NO-BREAK SPACE}", " ")
    assert "aiohttp-gunicorn reaches 33 % of what the wait allows, with 1.0 cores busy." in first


def test_throughput_stands_beside_what_the_wait_allows(content: Content) -> None:
    beside = rows(content, "Beside what the wait allows")
    assert all(cell.endswith("\N{NO-BREAK SPACE}% of 100") for cell in beside["flask-gunicorn"])
    assert all(93 <= int(cell[:2]) <= 97 for cell in beside["flask-gunicorn"])
    assert beside["aiohttp-gunicorn"][2].endswith("of 10,000")
    assert list(beside) == [lane.name for lane in LANES]


def test_ratios_are_within_blocks_at_each_level(content: Content) -> None:
    ratios = rows(content, "Throughput as a factor of flask-gunicorn's")
    assert "flask-gunicorn" not in ratios
    one, ten, hundred = (float(cell.split()[0]) for cell in ratios["flask-gthread"])
    assert one == pytest.approx(1, abs=0.05)
    assert [ten, hundred] == pytest.approx([4, 4], abs=0.2)


def test_plot_has_every_lane_and_what_the_wait_allows(content: Content) -> None:
    (plot,) = content.plots
    assert all(lane.name in plot.svg for lane in LANES)
    assert "clients / 10 ms" in plot.svg


def test_run_of_one_block_and_few_lanes_is_reported(tmp_path: Path) -> None:
    lanes = [all_lanes()["flask-gthread"], all_lanes()["flask-gevent"]]
    run = made(tmp_path / "run", blocks=1, lanes=lanes)
    text = report.markdown(run)
    assert "flask-gthread (4 threads) answers" in text and "inf" not in text


def test_run_without_a_valid_trial_is_reported(tmp_path: Path) -> None:
    run = made(tmp_path / "run", blocks=1)
    spoilt = replace(run, trials=tuple(replace(t, invalid="killed") for t in run.trials))
    assert "flask-gunicorn has no valid trial at 100 clients" in report.markdown(spoilt)


@pytest.mark.parametrize("levels", ["0,10", "a", "1;2", "", "1,", "100000"])
def test_levels_are_refused_in_a_sentence(levels: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["io", "--levels", levels], prog_name="loadtest")
    assert ended.value.code == 2
    assert "such as 1,10,100" in capsys.readouterr().err


def test_waiting_is_measured_on_real_servers(tmp_path: Path) -> None:
    asked = "io --lanes aiohttp-gunicorn,flask-gunicorn --levels 4 --ms 5 --blocks 1"
    with pytest.raises(SystemExit) as ended:
        main(
            [*asked.split(), "--seconds", "0.1", "--noisy", "--out", str(tmp_path / "run")],
            prog_name="loadtest",
        )
    run = load(tmp_path / "run")
    assert {trial.invalid for trial in run.trials} == {None}
    assert ended.value.code == 0
    plan = from_description(run.description["plan"])
    assert plan.asked == ("--levels", "4", "--ms", "5")
