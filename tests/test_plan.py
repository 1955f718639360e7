"""The order of a run, and how long its warm-ups are."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtest.__main__ import main
from loadtest.lanes import EVERY, Lane, UnknownLaneError, all_lanes, behind, chosen, lanes
from loadtest.plan import Cell, Plan, Workload, cells, label, schedule, warmup_requests

CELLS = tuple(Cell(lane, Workload()) for lane in lanes().values())


def names(plan: Plan) -> list[list[str]]:
    blocks: dict[int, list[str]] = {}
    for turn in schedule(plan):
        blocks.setdefault(turn.block, []).append(turn.cell.lane.name)
    return list(blocks.values())


def test_each_block_holds_every_cell_once() -> None:
    blocks = names(Plan(CELLS, blocks=50))
    assert len(blocks) == 50
    assert all(sorted(block) == sorted(lanes()) for block in blocks)


def test_blocks_are_shuffled() -> None:
    blocks = names(Plan(CELLS, blocks=50))
    assert len({tuple(block) for block in blocks}) > 40
    assert len({block[0] for block in blocks}) == len(CELLS)


def test_a_seed_gives_the_same_order_again_and_another_seed_another() -> None:
    assert names(Plan(CELLS, seed=7)) == names(Plan(CELLS, seed=7))
    assert names(Plan(CELLS, seed=7)) != names(Plan(CELLS, seed=8))


def test_more_blocks_begin_with_the_same_ones() -> None:
    assert names(Plan(CELLS, blocks=9))[:4] == names(Plan(CELLS, blocks=4))


def test_turns_are_numbered_from_one() -> None:
    turns = list(schedule(Plan(CELLS, blocks=2)))
    assert [turn.position for turn in turns] == list(range(1, 13))
    assert {turn.block for turn in turns} == {1, 2}


def test_workloads_of_the_question_are_in_their_order_whatever_explains_it() -> None:
    ab, h2load = Workload(load="ab"), Workload(load="h2load")
    plan = Plan(cells(list(lanes().values()), (ab, h2load), h2load, aa=True))
    assert plan.workloads == (ab, h2load)


@pytest.mark.parametrize(
    ("requests", "rate_rps", "workers", "expected"),
    [
        pytest.param(20_000, 16_000, 1, 5000, id="a quarter of the trial"),
        pytest.param(1000, 16_000, 1, 2000, id="2000 requests where that is soon done"),
        pytest.param(1000, 16_000, 4, 4800, id="0.3 s where 2000 a worker take longer"),
        pytest.param(1000, 800, 1, 500, id="never fewer than 500 requests"),
        pytest.param(1000, 2100, 4, 2000, id="for each worker"),
        pytest.param(100, 91, 1, 91, id="a second where that is long for so few"),
        pytest.param(100, 91, 4, 91, id="whatever the number of workers"),
        pytest.param(10, 1, 4, 4, id="and one for each worker in any case"),
    ],
)
def test_warm_up_is_long_enough(
    requests: int, rate_rps: float, workers: int, expected: int
) -> None:
    assert warmup_requests(requests, rate_rps, workers) == expected


def test_cells_that_differ_by_clients_are_told_apart_by_them() -> None:
    lane = lanes()["flask-gunicorn"]
    plan = Plan(tuple(Cell(lane, Workload(concurrency=clients)) for clients in (1, 10, 1000)))
    labels = [label(plan, cell) for cell in plan.cells]
    assert labels == [f"flask-gunicorn ({n})" for n in ("1 client", "10 clients", "1,000 clients")]


def test_default_lanes_are_two_frameworks_on_three_servers() -> None:
    assert list(lanes()) == [
        "aiohttp-dev",
        "flask-dev",
        "aiohttp-gunicorn",
        "flask-gunicorn",
        "aiohttp-gunicorn-4",
        "flask-gunicorn-4",
    ]


def test_workers_of_the_last_two_lanes_can_be_chosen() -> None:
    assert list(lanes(workers=8))[-2:] == ["aiohttp-gunicorn-8", "flask-gunicorn-8"]
    assert "--workers 8" in " ".join(lanes(8)["flask-gunicorn-8"].command("python", "h", 1))


def test_chosen_lanes_keep_their_own_order() -> None:
    assert [lane.name for lane in chosen(["flask-dev", "aiohttp-dev"], 4)] == [
        "aiohttp-dev",
        "flask-dev",
    ]


def test_unknown_lane_names_the_known_ones() -> None:
    with pytest.raises(UnknownLaneError, match="'tornado'; there are all, aiohttp-dev, flask-dev"):
        chosen(["tornado"], 4)


@pytest.mark.parametrize("lane", [row for row in lanes().values() if row.server == "gunicorn"])
def test_gunicorn_is_told_what_would_differ_by_machine(lane: Lane) -> None:
    command = lane.command("python", "127.0.0.1", 8000)
    assert "--no-control-socket" in command
    assert command[command.index("--http-parser") + 1] == "python"
    assert not any("access" in word for word in command)


def test_lanes_that_keep_connections_with_one_worker_are_measured_without_too() -> None:
    h2load = Workload(load="h2load")
    rows = [*chosen([EVERY], 4), behind(lanes()["aiohttp-gunicorn"], "nginx")]
    found = cells(rows, (h2load,), h2load, aa=True)
    closed = {cell.lane.name for cell in found if not cell.workload.keep_alive}
    keeping = {"flask-gthread", "flask-gthread32", "flask-gevent", "flask-granian"}
    asgi = {"starlette-uvicorn", "starlette-gunicorn", "starlette-granian"}
    assert closed == keeping | asgi | {"aiohttp-gunicorn", "aiohttp-uvloop", "tornado-gunicorn"}


def test_twin_is_of_a_lane_that_the_load_is_fair_to() -> None:
    rows = [all_lanes()[name] for name in ("starlette-uvicorn", "flask-gevent")]
    ab = Workload(load="ab")
    found = [(cell.lane.name, cell.workload.keep_alive) for cell in cells(rows, (ab,), ab, aa=True)]
    assert found == [("flask-gevent", True), ("flask-gevent-twin", True), ("flask-gevent", False)]
    assert cells(rows[:1], (ab,), ab, aa=True) == ()


def test_lanes_that_no_chosen_load_is_fair_to_are_refused(tmp_path: Path) -> None:
    command = ["run", "--lanes", "starlette-uvicorn", "--loads", "ab", "--out", str(tmp_path / "x")]
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 2 and "--loads h2load" in refused.output
    assert not (tmp_path / "x").exists()
