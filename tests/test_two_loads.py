"""Two loads beside one another."""

from itertools import cycle
from pathlib import Path

import pytest

from loadtest import comparisons, tables, two_loads
from loadtest.plan import Cell
from loadtest.summary import summarise
from tests.runs import AB, a_run, rate_rps
from tests.test_report import row


def test_loads_that_agree_need_no_reason(tmp_path: Path) -> None:
    table = two_loads.table(summarise(a_run(tmp_path / "run")))
    assert row(table, "aiohttp-dev")[3].startswith(("0.9", "1.0"))
    assert "aiohttp-dev" not in " ".join(table.notes)


def test_difference_between_the_loads_has_its_reason(tmp_path: Path) -> None:
    table = two_loads.table(summarise(a_run(tmp_path / "run")))
    assert table.columns == ("lane", "h2load, requests/s", "ab, requests/s", "h2load / ab")
    assert row(table, "flask-gunicorn")[3].startswith("1.2")
    assert table.notes[-1].startswith("flask-gunicorn: a connection for each request.")


@pytest.mark.parametrize(
    ("lane", "reason"),
    [
        ("aiohttp-gunicorn", "connections are kept."),
        ("aiohttp-gunicorn-4", "a connection stays with the worker"),
        ("flask-gunicorn-4", "a connection for each request."),
    ],
)
def test_reason_is_that_of_the_kind_of_lane(tmp_path: Path, lane: str, reason: str) -> None:
    def rate(cell: Cell) -> float:
        slower = cell.lane.name == lane and cell.workload.load == "h2load"
        return rate_rps(cell) * (0.7 if slower else 1)

    _, *reasons = two_loads.table(summarise(a_run(tmp_path / "run", rate=rate))).notes
    assert any(lane in each.partition(":")[0] and reason in each for each in reasons)


def test_difference_that_may_be_chance_gets_no_reason(tmp_path: Path) -> None:
    shaken = cycle((0.5, 2.6))

    def rate(cell: Cell) -> float:
        it = cell.lane.name == "flask-dev" and cell.workload.load == "h2load"
        return rate_rps(cell) * (next(shaken) if it else 1)

    table = two_loads.table(summarise(a_run(tmp_path / "run", rate=rate)))
    assert f"flask-dev: {two_loads.CHANCE}" in table.notes


def test_run_of_one_load_has_no_such_table(tmp_path: Path) -> None:
    made = summarise(a_run(tmp_path / "run", loads=(AB,)))
    assert "The two loads" not in [table.title for table in tables.tables(made)]


def test_articles_table_is_abs(tmp_path: Path) -> None:
    first = tables.tables(summarise(a_run(tmp_path / "run")))[0]
    assert first.title == "The article's table: requests per second, by ab"
    assert row(first, "gunicorn")[2].startswith(("1,9", "2,0"))  # by h2load it is 2,400


def test_planned_comparisons_are_of_the_load_that_decides(tmp_path: Path) -> None:
    table = comparisons.planned(summarise(a_run(tmp_path / "run")))
    assert table.title == "Planned comparisons, by h2load"
    assert row(table, "aiohttp-gunicorn / flask-gunicorn")[1].startswith("2.8")
    assert row(table, "aiohttp-gunicorn / itself")[1].startswith("no difference shown: ")
    assert "over the 7 planned" in table.notes[0]


def test_every_two_lanes_are_compared_where_that_was_asked(tmp_path: Path) -> None:
    asked = summarise(a_run(tmp_path / "asked", of_plan={"all_pairs": True}))
    table = comparisons.all_pairs(asked)
    assert len(table.rows) == 15
    assert table.rows[0][0] == "aiohttp-dev / flask-dev"
    assert "over all 15 pairs" in table.notes[0]
    assert comparisons.all_pairs(summarise(a_run(tmp_path / "not"))).rows == ()
