"""What a report of many stacks says first."""

from dataclasses import replace
from pathlib import Path

import pytest

from loadtest import report, stacks, tables, verdict
from loadtest.lanes import Lane, behind, chosen
from loadtest.plan import Cell
from loadtest.ranking import ranking
from loadtest.results import Run
from loadtest.summary import summarise
from tests.runs import H2LOAD, KEEP_ALIVE, a_run
from tests.runs import rate_rps as rate
from tests.test_report import plain

MOST_WORDS = 120


def said(run: Run) -> list[str]:
    return list(plain(tuple(verdict.headline(summarise(run)))))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return a_run(tmp_path_factory.mktemp("all") / "run", blocks=6, lanes=chosen(["all"], 4))


def test_first_paragraph_says_which_stack_answers_most(whole: Run) -> None:
    first, *_ = said(whole)
    assert first.startswith(
        "With one worker, Starlette on Granian answers most: 3.77 times (3.62 to 3.92) as many "
        "requests per second as Flask's sync worker, per CPU second 3.77 times (3.69 to 3.85); a "
        "factor of 1.71 (1.68 to 1.74) of that is keep-alive. Not told apart from it: Starlette on "
        "uvicorn. aiohttp answers, for each request of Flask: under gunicorn 2.83 ("
    )
    assert ", on the development servers 6.96 (" in first
    assert len(first.split()) <= MOST_WORDS


def test_second_paragraph_says_what_threads_greenlets_and_loops_give(whole: Run) -> None:
    _, second, *_ = said(whole)
    assert second.startswith("Flask, for each request of Flask's sync worker: 4 threads 0.6")
    for said_of in (", 32 threads 0.63 (", ", greenlets (gevent) 1.25 (", ", Granian 1.88 ("):
        assert said_of in second
    assert "aiohttp with uvloop answers 1.18 times (1.16 to 1.19) as many requests per" in second
    assert "Keep-alive raises what a stack answers by a factor from 1.69 (" in second


def test_ranking_has_the_stacks_for_production_with_one_worker_in_order(whole: Run) -> None:
    made = summarise(whole)
    table = tables.tables(made)[0]
    assert table.title == "Stacks with one worker, by h2load"
    names = [row[0] for row in table.rows]
    assert names[:3] == ["starlette-granian", "starlette-uvicorn", "aiohttp-uvloop"]
    assert len(names) == 11 and not any(name.endswith(("-dev", "-4", "-twin")) for name in names)
    assert [row[5] == "-" for row in table.rows] == [True] + [False] * 10
    kept = {row[0]: row[4] for row in table.rows}
    assert kept.pop("flask-gunicorn") == "-"  # it keeps none
    assert all(float(part.split()[0]) == pytest.approx(KEEP_ALIVE, 0.02) for part in kept.values())


def test_default_lanes_are_not_ranked(tmp_path: Path) -> None:
    made = summarise(a_run(tmp_path / "run", blocks=2))
    assert ranking(made) is None
    assert not stacks.table(made).rows and not list(stacks.details(made))


def test_asgi_lanes_stand_with_the_load_that_judges_them(whole: Run) -> None:
    shown = {
        table.title: [row[0] for row in table.rows] for table in tables.tables(summarise(whole))
    }
    asgi = {"starlette-uvicorn", "starlette-gunicorn", "starlette-granian"}
    assert not asgi & set(shown["The two loads"])
    assert asgi <= set(shown["What a lane costs"]) & set(
        shown["Latency in a closed loop of 20 clients, ms"]
    )
    assert len(shown["The article's table: requests per second, by ab"]) == 5


def test_one_block_ranks_without_telling_any_apart(tmp_path: Path) -> None:
    first, *_ = said(a_run(tmp_path / "run", blocks=1, lanes=chosen(["all"], 4)))
    assert first.startswith("With one worker, Starlette on uvicorn answered most in the one block")
    assert "10 of the 10 others cannot be told apart from it." in first


def test_plain_stack_that_answers_most_is_said_so(tmp_path: Path) -> None:
    rows = chosen(["flask-gunicorn", "flask-gthread"], 4)
    first, second, *_ = said(a_run(tmp_path / "run", loads=(H2LOAD,), lanes=rows))
    assert first.startswith("With one worker, Flask's sync worker answers most: 2,4")
    assert "Every other stack answers fewer for sure." in first
    assert second.startswith("Flask, for each request of Flask's sync worker: 4 threads 0.6")


SHOP, LEGACY = (
    Lane(name, "own", "", keeps_alive=None, own=f"{name} {{port}}") for name in ("shop", "legacy")
)
GUNICORN = chosen(["aiohttp-gunicorn", "flask-gunicorn"], 4)
PROXIED = [*GUNICORN, *(behind(lane, "nginx") for lane in GUNICORN)]
RATES = {"shop": 1000.0, "legacy": 2100.0}


def rates(cell: Cell) -> float:
    if cell.lane.own:
        return RATES[cell.lane.framework]
    return 2000.0 if cell.lane.behind else rate(cell)


def test_users_lanes_are_held_against_the_first_of_them(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run", loads=(H2LOAD,), lanes=[SHOP, LEGACY], rate=rates)
    first, *_ = said(run)
    assert first.startswith("`legacy` answers 2.1")
    assert " as many requests per second as `shop`; per CPU second 2.1" in first
    assert not tables.throughput(summarise(run)).rows
    made = report.content(run)
    assert made.title == "shop and legacy compared"
    assert "Where the microseconds go" not in [plot.title for plot in made.plots]


@pytest.mark.parametrize(
    ("names", "title"),
    [
        (["shop"], "shop measured"),
        (["a", "b", "c"], "a, b and c compared"),
        (["a", "b", "c", "d", "e"], "a, b, c and others compared"),
    ],
)
def test_title_follows_what_is_compared(tmp_path: Path, names: list[str], title: str) -> None:
    lanes = [replace(SHOP, framework=name, own=f"{name} {{port}}") for name in names]
    run = a_run(tmp_path / "run", blocks=1, loads=(H2LOAD,), lanes=lanes, rate=lambda cell: 1e3)
    assert report.content(run).title == title


def test_proxy_is_held_against_its_absence_and_frameworks_behind_it(tmp_path: Path) -> None:
    first, *_ = said(a_run(tmp_path / "run", loads=(H2LOAD,), lanes=PROXIED, rate=rates))
    assert "Under gunicorn, aiohttp answers 2.8" in first
    assert "No difference between aiohttp under gunicorn behind nginx and Flask's sync" in first
    assert "as many requests per second as aiohttp under gunicorn behind nginx" in first
