"""How many workers a rate needs, against figures worked out by hand."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtest import sizing, tables
from loadtest.__main__ import main
from loadtest.lanes import chosen
from loadtest.plan import Cell
from loadtest.sizing import Memory, Question, Stack
from loadtest.summary import summarise
from tests.runs import H2LOAD, a_run
from tests.test_report import plain, summary, valid

# 1.2 ms of CPU for a request: 833 requests/s on a core; 30 MiB, and 20 more with each worker.
STACK = Stack("a-stack", 1200.0, None, {1: 50.0, 4: 110.0})


@pytest.mark.parametrize(
    ("rate_rps", "p99_ms", "workers", "decides", "expected_ms"),
    [
        # 100 x 1.2 ms = 0.12 cores; 4.605 x 1.2 ms / (1 - 0.12) = 6.28 ms.
        pytest.param(100, 50, 1, "one is the least", 6.28, id="little"),
        # 500 x 1.2 ms = 0.6 cores, just what one worker is to do; 5.526 ms / 0.4 = 13.82 ms.
        pytest.param(500, 50, 1, "one is the least", 13.82, id="as much as one does"),
        # 501 x 1.2 ms = 0.6012 cores, of two: 5.526 ms / (1 - 0.3006) = 7.90 ms.
        pytest.param(501, 50, 2, "rate", 7.90, id="more than one does"),
        # 6 cores / 0.6 = 10; 5.526 ms / 0.4 = 13.82 ms.
        pytest.param(5000, 50, 10, "rate", 13.82, id="much"),
        # 5.526 / 10 leaves 0.4474 of a worker: 0.6 / 0.4474 = 1.34; 5.526 ms / 0.7 = 7.89 ms.
        pytest.param(500, 10, 2, "p99", 7.89, id="in little time"),
        # 5.526 / 6 leaves 0.0790: 6 / 0.0790 = 75.9; 5.526 ms / (1 - 6 / 76) = 6.00 ms.
        pytest.param(5000, 6, 76, "p99", 6.00, id="in hardly any time"),
        # 5.526 ms without any queue.
        pytest.param(1, 5.5, None, "p99", 5.53, id="in too little time"),
    ],
)
def test_as_many_workers_as_the_rate_and_the_time_need(
    rate_rps: float, p99_ms: float, workers: int | None, decides: str, expected_ms: float
) -> None:
    size = sizing.size(STACK, Question(rate_rps, p99_ms))
    assert (size.workers, size.decides) == (workers, decides)
    assert size.p99_ms == pytest.approx(expected_ms, abs=0.01)
    assert size.cores == pytest.approx(rate_rps * 0.0012)


def test_server_that_is_slow_without_any_load_cannot() -> None:
    # A single request takes 60 ms though it costs 1.2 ms of CPU: no worker makes it shorter.
    size = sizing.size(replace(STACK, unloaded_ms=60.0), Question(1, 50))
    assert (size.workers, size.p99_ms, size.memory) == (None, 60, None)


@pytest.mark.parametrize(
    ("measured", "workers", "expected"),
    [
        # 50 MiB with one worker, 110 with four: 20 for each further one.
        ({1: 50.0, 4: 110.0}, 1, Memory(50)),
        ({1: 50.0, 4: 110.0}, 3, Memory(90)),
        ({1: 50.0, 4: 110.0}, 10, Memory(230)),
        ({1: 50.0, 4: 49.0}, 10, Memory(50)),
        ({1: 50.0}, 1, Memory(50)),
        ({1: 50.0}, 3, Memory(150, at_most=True)),
        ({4: 110.0}, 2, Memory(110, at_most=True)),
        ({4: 110.0}, 4, Memory(110)),
        ({4: 110.0}, 6, Memory(165, at_most=True)),
        ({}, 1, None),
    ],
)
def test_memory_is_on_a_line_through_what_was_measured(
    measured: dict[int, float], workers: int, expected: Memory | None
) -> None:
    assert sizing.memory(replace(STACK, memory_mib=measured), workers) == expected


@pytest.mark.parametrize("utilisation", [0.1, 0.3, 0.6])
def test_queue_of_a_steadier_server_keeps_within_the_99th_percentile(utilisation: float) -> None:
    """100,000 simulated requests at random to a server that takes 1 ms for each (Lindley)."""
    noise = random.Random(1952)
    waits_ms, took_ms = 0.0, []
    for _ in range(100_000):
        took_ms.append(waits_ms + 1)
        waits_ms = max(0.0, waits_ms + 1 - noise.expovariate(utilisation))
    size = sizing.size(replace(STACK, cpu_us=1000.0), Question(1000 * utilisation, 1e6))
    assert sorted(took_ms)[99_000] < size.p99_ms


def test_stacks_are_what_the_run_has_for_production(tmp_path: Path) -> None:
    trials = [
        valid("aiohttp-dev", 1, 1.0),
        valid("flask-gunicorn", 1, 1.0, cpu_us_per_request=600.0, memory_mib=40.0),
        valid("flask-gunicorn-4", 1, 1.0, cpu_us_per_request=900.0, memory_mib=100.0),
        valid("aiohttp-gunicorn-4", 1, 1.0, cpu_us_per_request=100.0, memory_mib=80.0),
        valid("aiohttp-gunicorn", 1, 1.0, invalid="killed", serial_ms=9.0),
    ]
    made = summary(tmp_path, trials)
    by_name = {stack.name: stack for stack in sizing.stacks(made)}
    assert by_name["flask-gunicorn"] == Stack(
        "flask-gunicorn", pytest.approx(600), None, {1: 40, 4: 100}
    )
    assert by_name["aiohttp-gunicorn"] == Stack(
        "aiohttp-gunicorn", pytest.approx(100), None, {4: 80}
    )
    rows = {row[0]: plain(row) for row in tables.sizing(made).rows}
    # 500 x 0.6 ms = 0.3 cores; 4.605 x 0.6 ms / 0.7 = 3.9 ms.
    assert rows["flask-gunicorn"][1:] == ("1", "40", "0.30", "3.9", "one is the least")
    assert rows["aiohttp-gunicorn"][2] == "80 at most"
    # 4.605 x 0.6 ms = 2.76 ms even without a queue.
    rows = {row[0]: row for row in tables.sizing(made, Question(500, 2)).rows}
    assert rows["flask-gunicorn"][1:3] == ("cannot", "-")


def test_further_stacks_are_told_apart_and_keep_their_workers(tmp_path: Path) -> None:
    names = ["flask-gthread", "flask-gthread-4", "flask-gevent", "tornado-dev", "starlette-granian"]
    run = a_run(tmp_path / "run", blocks=1, loads=(H2LOAD,), lanes=chosen(names, 4), rate=one_rate)
    found = {stack.name: stack.memory_mib for stack in sizing.stacks(summarise(run))}
    assert found == {
        "flask-gthread": {1: 40.0, 4: 40.0},
        "flask-gevent": {1: 40.0},
        "starlette-granian": {1: 40.0},
    }


def one_rate(cell: Cell) -> float:
    return 1000.0


def test_command_asks_what_it_is_told_to(tmp_path: Path) -> None:
    made = summary(tmp_path, [valid("flask-gunicorn", 1, 1.0, cpu_us_per_request=600.0)])
    command = ["sizing", str(made.run.folder), "--rate"]
    shown = CliRunner().invoke(main, [*command, "5000", "--p99", "20"])
    assert shown.exit_code == 0
    assert "For 5,000 requests per second, 99 in 100 within 20 ms" in shown.output
    assert CliRunner().invoke(main, [*command, "nan"]).exit_code == 2
    assert CliRunner().invoke(main, [*command, "0"]).exit_code == 2


def test_run_of_development_servers_says_nothing_of_production(tmp_path: Path) -> None:
    made = summary(tmp_path, [valid("flask-dev", 1, 1.0)])
    refused = CliRunner().invoke(main, ["sizing", str(made.run.folder)])
    assert refused.exit_code == 2
    assert "no valid trial of a server for production" in refused.output
