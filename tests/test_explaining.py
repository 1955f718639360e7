"""A run that goes on to where its lanes' CPU time goes, for one report."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from loadtest import attribution, experiment, explaining, repeat, results, session
from loadtest.__main__ import main
from loadtest.lanes import Lane, all_lanes
from loadtest.plan import Cell, Plan, Workload
from loadtest.session import Go
from tests.fakes import FakeWorld, Watcher

LANES = [all_lanes()[name] for name in ("flask-gunicorn", "starlette-uvicorn")]
PLAN = Plan(tuple(Cell(lane, Workload()) for lane in LANES), blocks=1, asked=("--attribute", "2"))
OWN = Lane("shop", "own", "", own="shop {port}")

Conduct = Callable[..., int]


def fake_conduct(fake: FakeWorld, told: list[Path]) -> Conduct:
    """Return session.conduct on a fake world; it notes the run that a person would go on with."""

    def conduct(
        plan: Plan, folder: Path, go: Go, console: Console, *others: Any, whole: Path | None = None
    ) -> int:
        told.append(whole or folder)
        try:
            go(folder, {}, fake.world(), Watcher())  # type: ignore[arg-type]
        except KeyboardInterrupt:
            return 130
        return 0

    return conduct


def explain(folder: Path) -> int:
    return explaining.explain(PLAN, folder, Console(), 0.0)


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    experiment.run(PLAN, tmp_path / "run", {}, FakeWorld().world(), Watcher())
    return tmp_path / "run"


def test_run_goes_on_to_its_explanation(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Path] = []
    monkeypatch.setattr(session, "conduct", fake_conduct(FakeWorld(), told))
    assert explaining.left(PLAN, finished)
    assert explain(finished) == 0
    nested = results.load(finished / attribution.FOLDER)
    assert nested.description["plan"]["blocks"] == 2
    assert {cell["workload"]["load"] for cell in nested.description["plan"]["cells"]} == {"h2load"}
    assert len(nested.trials) == 2 * (3 + 5)
    assert told == [finished]
    assert not explaining.left(PLAN, finished)
    assert explain(finished) == 0 and len(told) == 1  # nothing is left


def test_explanation_that_was_interrupted_goes_on_with_the_run(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Path] = []
    halting = FakeWorld(raises=KeyboardInterrupt(), raises_at=90)
    monkeypatch.setattr(session, "conduct", fake_conduct(halting, told))
    assert explain(finished) == 130
    measured = len(results.load(finished / attribution.FOLDER).trials)
    assert 0 < measured < 16 and explaining.left(PLAN, finished)
    monkeypatch.setattr(session, "conduct", fake_conduct(FakeWorld(), told))
    assert explain(finished) == 0
    assert len(results.load(finished / attribution.FOLDER).trials) == 16
    assert told == [finished, finished]


def test_run_that_asks_for_no_explanation_has_none(finished: Path) -> None:
    assert explaining.explain(replace(PLAN, asked=()), finished, Console(), 0.0) == 0
    assert not (finished / attribution.FOLDER).exists()


def test_run_is_repeated_with_its_explanation() -> None:
    assert repeat.command(PLAN)[-2:] == ["--attribute", "2"]


def test_lanes_of_ones_own_are_left_out_or_refused() -> None:
    assert explaining.asked(2, [*LANES, OWN]) == ("--attribute", "2")
    assert {cell.lane for cell in attribution.plan([*LANES, OWN], 1, 0.4, 1, True).cells} == {
        *LANES
    }
    with pytest.raises(attribution.NoPartsError, match="leave it out"):
        explaining.asked(2, [OWN])


def test_resume_takes_the_option_from_the_run(finished: Path) -> None:
    refused = CliRunner().invoke(main, ["run", "--resume", str(finished), "--attribute", "2"])
    assert refused.exit_code == 2 and "leave out other options" in refused.output
