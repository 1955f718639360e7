"""The command of a run, as its report tells it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from loadtest import h2load, measuring, repeat
from loadtest import plan as plans
from loadtest.__main__ import main
from loadtest.lanes import behind, chosen
from loadtest.load import LoadMissingError
from loadtest.pinning import Pin
from loadtest.plan import Plan, Workload
from tests.runs import a_run

OWN = ["--lane", "shop=./serve {port}", "--lane", "store=./serve {port}"]


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """Return the plans that the command line would run."""
    plans: list[Plan] = []
    monkeypatch.setattr(measuring, "conduct", lambda plan, *rest: plans.append(plan))
    monkeypatch.setattr(measuring.loads, "chosen", dict.fromkeys)
    monkeypatch.setattr(measuring.nginx, "find", lambda: "nginx")
    return plans


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--lanes", "aiohttp-gunicorn,flask-gunicorn", "--loads", "ab"],
        ["--blocks", "3", "--seconds", "0.3", "--workers", "2", "--concurrency", "7"],
        ["--requests", "500", "--no-keep-alive", "--no-aa", "--all-pairs", "--noisy"],
        ["--precision", "2.5%", "--blocks", "9", "--patience", "90s"],
        ["--target", "/planets?lat=1&lon=2&time=2026-01-01T00:00:00Z"],
        ["--lane", "shop=serve '{host}':{port} {workers}", "--target", "/", "--workers", "3"],
        [*OWN, "--lanes", "flask-dev", "--target", plans.MARS, "--expect", "README.md"],
        ["--lanes", "flask-dev,aiohttp-dev", "--behind", "nginx"],
        ["--lanes", "all", "--attribute", "4"],
    ],
)
def test_command_of_a_run_plans_the_same_again(
    options: list[str], planned: list[Plan], tmp_path: Path
) -> None:
    loads = [] if "--loads" in options else ["--loads", "ab,h2load"]
    _plan(["run", *options, *loads, "--out", str(tmp_path / "run")])
    _plan([*repeat.command(planned[0])[3:], "--out", str(tmp_path / "again")])
    first, again = planned
    assert again == first


def test_command_of_an_attribution_plans_the_same_again(
    planned: list[Plan], tmp_path: Path
) -> None:
    _plan(["attribute", "--workers", "3", "--noisy", "--out", str(tmp_path / "run")])
    _plan([*repeat.command(planned[0])[3:], "--out", str(tmp_path / "again")])
    first, again = planned
    assert again == first


def test_cores_of_a_run_are_told(planned: list[Plan], tmp_path: Path) -> None:
    _plan(["run", "--loads", "ab", "--out", str(tmp_path / "run")])
    pinned = replace(planned[0], pin=Pin((0, 2), (1,)))
    assert "--pin 0,2:1" in " ".join(repeat.command(pinned))


def _plan(arguments: list[str]) -> None:
    main(arguments, standalone_mode=False)


def test_commit_and_set_up_come_first(tmp_path: Path) -> None:
    checkout, setup, run = repeat.commands(a_run(tmp_path / "run"))
    assert checkout == "git checkout 0123456789ab"
    assert setup == "make setup"
    assert run.startswith(".venv/bin/python -m loadtest run --lanes aiohttp-dev,")
    assert "--seed 7" in run


def test_further_stacks_are_set_up_too(tmp_path: Path) -> None:
    lanes = chosen(["flask-gunicorn", "flask-gevent"], 4)
    assert repeat.commands(a_run(tmp_path / "run", lanes=lanes))[1] == "make setup stacks"


def test_changes_to_the_commit_are_not_hidden(tmp_path: Path) -> None:
    environment: dict[str, Any] = {"commit": "0123456789ab+"}
    first, *_ = repeat.commands(a_run(tmp_path / "run", environment=environment))
    assert first.startswith("git checkout 0123456789ab  # and changes")


def test_run_from_no_checkout_names_no_commit(tmp_path: Path) -> None:
    made = a_run(tmp_path / "run", environment={"commit": None})
    assert repeat.commands(made)[0] == "make setup"


def test_second_stage_is_repeated_from_its_pilot(planned: list[Plan], tmp_path: Path) -> None:
    _plan(["run", "--precision", "3%", "--loads", "ab", "--out", str(tmp_path / "run")])
    extended = replace(planned[0], blocks=40)
    assert "--blocks 8 " in " ".join(repeat.command(extended))


def test_lanes_of_a_question_have_as_many_workers_as_are_asked_for(
    planned: list[Plan], tmp_path: Path
) -> None:
    _plan(["io", "--workers", "2", "--seed", "1", "--out", str(tmp_path / "run")])
    names = {cell.lane.name for cell in planned[0].cells}
    assert "flask-gunicorn-2" in names and "flask-gunicorn-4" not in names
    _plan([*repeat.command(planned[0])[3:], "--out", str(tmp_path / "again")])
    assert planned[1] == planned[0]


@pytest.mark.parametrize("name", ["flask-gevent", "flask-dev-twin"])
def test_lane_that_an_explained_run_has_not_is_refused_by_its_name(
    name: str, tmp_path: Path
) -> None:
    a_run(tmp_path / "run", lanes=chosen(["flask-dev", "flask-gunicorn"], 4))
    refused = CliRunner().invoke(main, ["attribute", str(tmp_path / "run"), "--lanes", name])
    assert refused.exit_code == 2
    assert f"no lane is called '{name}'; there are flask-dev, flask-gunicorn" in refused.output


def test_lane_of_a_run_is_explained_whatever_stands_before_it(
    planned: list[Plan], tmp_path: Path
) -> None:
    flask = chosen(["flask-gunicorn"], 4)[0]
    a_run(tmp_path / "run", lanes=[flask, behind(flask, "nginx")])
    _plan(["attribute", str(tmp_path / "run"), "--lanes", "flask-gunicorn+nginx"])
    assert {cell.lane.name for cell in planned[0].cells} == {"flask-gunicorn+nginx"}


@pytest.mark.parametrize("load", ["locust", "httpx"])
def test_further_loads_are_set_up_too(load: str, tmp_path: Path) -> None:
    lanes = chosen(["aiohttp-dev", "flask-dev"], 4)
    made = a_run(tmp_path / "run", loads=(Workload(load=load),), lanes=lanes)
    assert repeat.commands(made)[1] == "make setup stacks"


def test_question_whose_load_is_missing_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> str:
        raise LoadMissingError("h2load", "apt-get install nghttp2-client")

    monkeypatch.setattr(h2load, "find", missing)
    refused = CliRunner().invoke(main, ["io", "--out", str(tmp_path / "run")])
    assert refused.exit_code == 2 and "apt-get install nghttp2-client" in refused.output
    assert not (tmp_path / "run").exists()
