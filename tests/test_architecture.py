"""Who imports whom: apps import the api, the api the sky, and the experiment none of them."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Each may import itself and those before it.
LAYERS = ("sky", "api", "apps", "terminal", "__main__")
SERVICE = sorted((ROOT / "planettracker").rglob("*.py"))
EXPERIMENT = sorted((ROOT / "loadtest").rglob("*.py"))
# Who alone imports what comes from outside, as paths begin.
OWNERS = {
    "aiohttp": ("planettracker/apps/aiohttp.py",),
    "flask": ("planettracker/apps/flask.py",),
    "werkzeug": ("planettracker/apps/flask.py",),
    "tornado": ("planettracker/apps/tornado.py",),
    "starlette": ("planettracker/apps/starlette.py",),
    "uvicorn": ("planettracker/apps/starlette.py",),
    "ephem": ("planettracker/sky/",),
    "tzfpy": ("planettracker/sky/zone.py",),
    "astropy_iers_data": ("planettracker/sky/timescales.py",),
    "orjson": ("planettracker/api/",),
    "icalendar": ("planettracker/api/calendar.py",),
    "click": ("planettracker/__main__.py", "planettracker/terminal/", "loadtest/"),
    "rich": ("planettracker/terminal/", "loadtest/"),
}


def place(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def imported(file: Path) -> Iterator[str]:
    """Yield the full name of each module that the file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(file)} has a relative import"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(parts: list[str]) -> int:
    return LAYERS.index(parts[1].removesuffix(".py"))


@pytest.mark.parametrize("file", SERVICE, ids=place)
def test_imports_point_one_way(file: Path) -> None:
    own = place(file).split("/")
    for name in imported(file):
        package, *parts = name.split(".")
        assert package != "loadtest"
        if package == "planettracker":
            assert own[1] != "__init__.py", "the package itself imports nothing of its own"
            assert layer([package, *parts]) <= layer(own), name


@pytest.mark.parametrize("file", EXPERIMENT, ids=place)
def test_experiment_knows_nothing_of_the_service(file: Path) -> None:
    assert [name for name in imported(file) if name.split(".")[0] == "planettracker"] == []


@pytest.mark.parametrize("file", SERVICE, ids=place)
def test_library_is_imported_by_its_owner_alone(file: Path) -> None:
    for name in imported(file):
        package = name.split(".")[0]
        if package != "planettracker" and package not in sys.stdlib_module_names:
            assert place(file).startswith(OWNERS[package]), name
