"""What a run is made to compare, as a table: lanes, and the pairs of them."""

from dataclasses import replace

import pytest

from loadtest.lanes import Lane, all_lanes, behind, lanes, twin
from loadtest.pairs import (
    BEHIND,
    FRAMEWORK,
    OWN,
    PROXY,
    PYTHON,
    SERVER,
    STACK,
    VARIANT,
    planned,
)

ARTICLES = [
    ("aiohttp-dev", "flask-dev", FRAMEWORK),
    ("aiohttp-gunicorn", "flask-gunicorn", FRAMEWORK),
    ("aiohttp-gunicorn-4", "flask-gunicorn-4", FRAMEWORK),
    ("aiohttp-gunicorn", "aiohttp-dev", SERVER),
    ("flask-gunicorn", "flask-dev", SERVER),
    ("aiohttp-gunicorn-4", "aiohttp-dev", SERVER),
    ("flask-gunicorn-4", "flask-dev", SERVER),
]
TABLE = [
    (list(lanes()), ARTICLES),
    (["aiohttp-dev"], []),
    (["aiohttp-dev", "flask-gunicorn"], []),  # the frameworks are never compared across servers
    (["aiohttp-gunicorn", "aiohttp-dev"], [("aiohttp-gunicorn", "aiohttp-dev", SERVER)]),
    (["flask-gunicorn", "tornado-dev"], [("tornado-dev", "flask-gunicorn", STACK)]),
    (["flask-gevent", "flask-gunicorn"], [("flask-gevent", "flask-gunicorn", STACK)]),
    (
        ["flask-gunicorn", "flask-gunicorn-4", "flask-granian-4"],
        [("flask-granian-4", "flask-gunicorn-4", STACK)],
    ),
    (
        ["aiohttp-uvloop", "aiohttp-gunicorn", "flask-gunicorn"],
        [
            ("aiohttp-gunicorn", "flask-gunicorn", FRAMEWORK),
            ("aiohttp-uvloop", "flask-gunicorn", STACK),
            ("aiohttp-uvloop", "aiohttp-gunicorn", VARIANT),
        ],
    ),
    # Without the plain stack, or with another number of workers, to the first.
    (
        ["starlette-uvicorn", "starlette-granian", "tornado-gunicorn"],
        [
            ("starlette-granian", "starlette-uvicorn", STACK),
            ("tornado-gunicorn", "starlette-uvicorn", STACK),
        ],
    ),
    (
        ["flask-gunicorn", "flask-granian-4"],
        [("flask-granian-4", "flask-gunicorn", STACK)],
    ),
]


@pytest.mark.parametrize(("names", "pairs"), TABLE, ids=lambda value: str(len(value)))
def test_pairs_are_those_of_the_table(names: list[str], pairs: list[tuple[str, ...]]) -> None:
    found = planned([all_lanes()[name] for name in names])
    assert [(*pair.names, pair.purpose) for pair in found] == pairs


A, B = (Lane("aiohttp", "gunicorn", keeps_alive=True), Lane("flask", "gunicorn"))
C = Lane("tornado", "gunicorn", keeps_alive=True)
SHOP, LEGACY = (Lane(name, "own", "", own=name) for name in ("shop", "legacy"))
OLD, NEW = "python3.11", "python3.13"
CONTEXTS = [
    (
        [A, B, behind(A, "nginx"), behind(B, "nginx")],
        [
            ("aiohttp-gunicorn", "flask-gunicorn", FRAMEWORK),
            ("aiohttp-gunicorn+nginx", "flask-gunicorn+nginx", BEHIND),
            ("aiohttp-gunicorn+nginx", "aiohttp-gunicorn", PROXY),
            ("flask-gunicorn+nginx", "flask-gunicorn", PROXY),
        ],
    ),
    (
        [behind(B, "nginx"), behind(C, "nginx")],
        [("tornado-gunicorn+nginx", "flask-gunicorn+nginx", BEHIND)],
    ),
    ([SHOP, LEGACY], [("legacy", "shop", OWN)]),
    ([SHOP, LEGACY, B], [("legacy", "shop", OWN)]),
    ([SHOP, B], [("shop", "flask-gunicorn", STACK)]),
    (
        [SHOP, LEGACY, behind(SHOP, "nginx"), behind(LEGACY, "nginx")],
        [
            ("legacy", "shop", OWN),
            ("legacy+nginx", "shop+nginx", OWN),
            ("shop+nginx", "shop", PROXY),
            ("legacy+nginx", "legacy", PROXY),
        ],
    ),
    (
        [replace(lane, python=python) for lane in (A, B) for python in (OLD, NEW)],
        [
            ("aiohttp-gunicorn@python3.13", "aiohttp-gunicorn@python3.11", PYTHON),
            ("flask-gunicorn@python3.13", "flask-gunicorn@python3.11", PYTHON),
        ],
    ),
]


@pytest.mark.parametrize(("lanes", "pairs"), CONTEXTS, ids=lambda value: str(len(value)))
def test_pairs_keep_within_their_context(lanes: list[Lane], pairs: list[tuple[str, ...]]) -> None:
    assert [(*pair.names, pair.purpose) for pair in planned(lanes)] == pairs


def test_twin_is_noise_and_no_pair() -> None:
    rows = list(lanes().values())
    assert planned([*rows, twin(rows)]) == planned(rows)


def test_no_two_lanes_are_compared_twice() -> None:
    names = [frozenset(pair.names) for pair in planned(list(all_lanes().values()))]
    assert len(names) == len(set(names))


def test_lane_of_an_app_that_nobody_has_thought_of_is_compared() -> None:
    found = planned([Lane("flask", "gunicorn"), Lane("bottle", "gunicorn")])
    assert [pair.names for pair in found] == [("bottle-gunicorn", "flask-gunicorn")]
