"""Series of runs that prove the method: counted, interrupted, gone on with. Servers are fakes."""

import json
import os
import re
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from loadtest import experiment, results
from loadtest.interruption import Interrupted
from loadtest.load import Latency, Order
from loadtest.plan import Plan, described
from loadtest.results import Run, RunFolderError, Trial
from loadtest.stats import Interval
from loadtest.summary import Summary, summarise
from tests import calibration, planted, series
from tests.fakes import RATE_RPS, FakeWorld, Watcher
from tests.planted import Found
from tests.series import Series
from tests.slowed_app import PERIOD_S, Pauses, _pause_again

Each = Callable[[int, Summary], None]
MACHINE = {"cpu": "fake"}


def machine() -> dict[str, str]:
    return MACHINE


class World(FakeWorld):
    """A world with some noise, where the twin has a factor of the lane's throughput."""

    twin = 1.0


def fake_world(twin: float = 1.0) -> World:
    """Return such a world."""
    fake = World()
    fake.twin, fake.load_cpu_s = twin, 0.01  # its loads are short

    def changes(order: Order) -> dict[str, object]:
        noise = 1 + 0.01 * (len(fake.orders) % 7 - 3) / 3
        rate = RATE_RPS * noise * (fake.twin if fake.lane.endswith("twin") else 1)
        mean_ms = order.concurrency / rate * 1000
        latency = Latency(mean_ms, mean_ms, mean_ms, mean_ms, mean_ms)
        return {"kept_alive": order.requests, "throughput_rps": rate, "latency_ms": latency}

    fake.changed = changes
    return fake


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> World:
    """Return the world in which the commands measure."""
    fake = fake_world()

    def measure(
        planned: Series, patience_s: float, each: Callable[[int, Summary], None]
    ) -> list[Summary]:
        found = list(series.measured(planned, machine, fake.world(), Watcher()))
        for number, summary in enumerate(found, 1):
            each(number, summary)
        return found

    monkeypatch.setattr(series, "measure", measure)
    return fake


def invoke(command: object, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments])  # type: ignore[arg-type]


def a_series(folder: Path, runs: int = 3) -> Series:
    planned = Series(folder / "series", Plan(calibration.CELLS, 2, 0.5, seed=100), runs)
    series.create(planned)
    return planned


# A series


def test_each_run_has_a_folder_and_a_seed_of_its_own(tmp_path: Path) -> None:
    planned = a_series(tmp_path, runs=10)
    found = list(series.measured(planned, machine, fake_world().world(), Watcher()))
    assert [run.run.folder.name for run in found] == [f"{n:02}" for n in range(1, 11)]
    assert [run.run.description["plan"]["seed"] for run in found] == list(range(101, 111))


def test_series_is_read_as_it_was_written(tmp_path: Path) -> None:
    planned = a_series(tmp_path)
    assert series.load(planned.folder) == planned
    with pytest.raises(RunFolderError, match="not empty"):
        series.create(planned)
    with pytest.raises(RunFolderError, match="no series"):
        series.load(tmp_path)


def test_interrupted_series_goes_on_with_the_run_that_was_under_way(tmp_path: Path) -> None:
    planned, fake = a_series(tmp_path), fake_world()
    fake.raises, fake.raises_at = Interrupted(signal.SIGINT), 62  # in the second run
    with pytest.raises(Interrupted):
        list(series.measured(planned, machine, fake.world(), Watcher()))
    before = [results.load(planned.run_folder(number)) for number in (1, 2)]
    assert [run.description["state"] for run in before] == ["finished", "interrupted by SIGINT"]
    assert 0 < len(before[1].trials) < 4

    watcher = Watcher()
    found = list(series.measured(planned, machine, fake_world().world(), watcher))
    assert [len(run.run.trials) for run in found] == [4, 4, 4]
    assert found[0].run.trials == before[0].trials
    assert found[1].run.trials[: len(before[1].trials)] == before[1].trials
    assert len(watcher.trials) == 12 - 4 - len(before[1].trials)


# One lane against itself


def test_how_many_may_be_called_of_forty_is_four() -> None:
    assert calibration.most_called(40) == 4
    assert calibration.more_than(4, 40) == pytest.approx(0.048, abs=0.0005)  # any binomial table
    assert calibration.more_than(1, 1) == pytest.approx(0)


@pytest.mark.parametrize(
    ("called", "lost", "good"), [(0, 0, True), (4, 0, True), (5, 0, False), (0, 1, False)]
)
def test_verdict_counts_what_is_called_and_what_is_lost(called: int, lost: int, good: bool) -> None:
    of = [True] * called + [None] * lost + [False] * (40 - called - lost)
    text, found = calibration.verdict(of)
    assert found is good
    assert text.startswith(f"{called} of 40 experiments tell a lane from itself at 95%: 2 are")
    assert "4 allowed" in text and "probability of 0.048" in text
    assert ("1 had no valid pair" in text) is bool(lost)


def test_lane_is_called_when_its_interval_does_not_hold_1(tmp_path: Path) -> None:
    for twin, called in ((1.0, False), (0.8, True)):
        plan, folder = Plan(calibration.CELLS, 8), tmp_path / str(twin)
        experiment.run(plan, folder, MACHINE, fake_world(twin).world(), Watcher())
        assert calibration.is_called(summarise(results.load(folder))) is called


def test_price_is_by_the_spread_and_the_time_of_a_trial(tmp_path: Path) -> None:
    """Ratios of 1.1 and its inverse are spread by 13.48 % on a logarithm's scale."""
    description = {"plan": described(Plan(calibration.CELLS, 2))}
    trials = tuple(
        replace(trial, started=f"2026-01-01T00:00:{2 * n:02}+00:00", throughput_rps=rps)
        for n, (trial, rps) in enumerate(
            zip(_trials_of_two_blocks(tmp_path), (110.0, 100.0, 100.0, 110.0), strict=True)
        )
    )
    said = calibration.price([summarise(Run(tmp_path, description, trials))])
    assert said.startswith("A block's ratio is spread by 13.48%, a trial takes 2.00 s: ")
    assert said.endswith(" 47 minutes.")  # 2 * 2 s * (1.96 * 0.1348 / log(1.01))^2


def _trials_of_two_blocks(folder: Path) -> list[Trial]:
    plan = Plan(calibration.CELLS, 2)
    experiment.run(plan, folder / "run", MACHINE, fake_world().world(), Watcher())
    trials = results.load(folder / "run").trials
    return sorted(trials, key=lambda trial: (trial.block, trial.lane))


def test_calibrate_says_each_ratio_and_goes_on(tmp_path: Path, fake: World) -> None:
    options = ("--simulations", 0, "--experiments", 3, "--blocks", 4, "--seconds", 0.4)
    out = tmp_path / "out"
    first = invoke(calibration.main, *options, "--seed", 5, "--out", out)
    assert first.exit_code == 0, first.output
    assert [line.split(":")[0] for line in first.output.splitlines()[3:6]] == ["1/3", "2/3", "3/3"]
    assert "0 of 3 experiments tell a lane from itself" in first.output
    described = json.loads((out / series.SERIES_FILE).read_text())
    assert described["plan"]["seed"] == 5 and described["plan"]["seconds"] == 0.4

    begun = fake.events.copy()
    assert invoke(calibration.main, "--resume", out).output == first.output
    assert fake.events == begun


def test_calibrate_fails_beyond_the_bound(tmp_path: Path, fake: World) -> None:
    fake.twin = 0.8
    options = ("--simulations", 0, "--experiments", 3, "--out", tmp_path / "out")
    failed = invoke(calibration.main, *options)
    assert failed.exit_code == 1
    assert "3 of 3 experiments tell a lane from itself" in failed.output


def test_calibrate_simulates_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fake: FakeWorld
) -> None:
    monkeypatch.setattr(calibration.simulation, "show", lambda experiments, seed: False)
    assert invoke(calibration.main, "--experiments", 0).exit_code == 1
    assert invoke(calibration.main, "--experiments", 1, "--out", tmp_path / "out").exit_code == 1
    assert fake.events  # that the simulation failed keeps nothing from being measured


# A planted slowdown


@pytest.mark.parametrize(
    ("ratio", "called", "held"),
    [
        (Interval(0.95, 0.93, 0.97), True, True),
        (Interval(0.90, 0.88, 0.92), True, False),
        (Interval(0.98, 0.94, 1.02), False, True),
        (Interval(1.05, 1.02, 1.08), False, False),
    ],
)
def test_slowdown_is_called_below_1_and_held_or_not(
    ratio: Interval, called: bool, held: bool
) -> None:
    found = Found(ratio, 8, 0.95)
    assert (found.called, found.held) == (called, held)
    assert planted.verdict([found, None]) == f"called in {called:d} of 2; held in {held:d} of 2"


def test_planted_share_is_in_the_lane_and_found_there_again() -> None:
    plain, slowed = planted.cells(0.05)
    assert slowed.lane.app == "tests.slowed_app:create_app(0.05)"
    assert slowed.lane.name == f"{plain.lane.name}-twin"
    assert planted.share(Plan((plain, slowed))) == 0.05


def test_planted_says_what_each_run_found_and_goes_on(tmp_path: Path, fake: World) -> None:
    fake.twin = 0.95
    out = tmp_path / "out"
    options = ("--slowdown", "5%", "--runs", 2, "--precision", "2%", "--seed", 1)
    first = invoke(planted.main, *options, "--out", out)
    assert first.exit_code == 0, first.output
    lines = first.output.splitlines()
    assert lines[2].startswith("1/2: -")
    assert lines[2].endswith("8 blocks: a slowdown; holds -5 %")
    assert lines[-1] == "called in 2 of 2; held in 2 of 2"
    plan = series.load(out).plan
    assert plan.two_stages is not None
    assert (plan.two_stages.half_width, plan.two_stages.patience_s) == (0.02, 1200)
    assert invoke(planted.main, "--resume", out).output == first.output


@pytest.mark.parametrize("command", [calibration.main, planted.main])
def test_what_cannot_be_is_refused(tmp_path: Path, fake: World, command: object) -> None:
    with_another = invoke(command, "--resume", tmp_path, "--seed", 3)
    assert with_another.exit_code == 2 and "leave out other options" in with_another.output
    no_series = invoke(command, "--resume", tmp_path)
    assert no_series.exit_code == 2 and "is no series" in no_series.output
    (tmp_path / "a-file").touch()
    simulations = ["--simulations", "0"] if command is calibration.main else []
    no_cores = invoke(command, *simulations, "--pin", "x", "--out", tmp_path / "new")
    assert no_cores.exit_code == 2 and not (tmp_path / "new").exists()
    in_use = invoke(command, *simulations, "--out", tmp_path)
    assert in_use.exit_code == 2 and "not empty" in in_use.output


@pytest.mark.parametrize("command", [calibration.main, planted.main])
def test_after_an_interruption_it_says_how_to_go_on(
    tmp_path: Path, fake: World, command: object
) -> None:
    fake.raises, fake.raises_at = Interrupted(signal.SIGTERM), 20
    simulations = ["--simulations", "0"] if command is calibration.main else []
    interrupted = invoke(command, *simulations, "--out", tmp_path / "out")
    assert interrupted.exit_code == 128 + signal.SIGTERM
    assert f"ARGS='--resume {tmp_path / 'out'}'" in interrupted.output


# The slowed app


class Clock:
    """A processor's time, which passes as work is done and a little with each look."""

    def __init__(self) -> None:
        self.at = 5.0

    def __call__(self) -> float:
        self.at += 1e-6
        return self.at


@pytest.mark.parametrize("share", [0.01, 0.05, 0.3])
def test_pauses_are_the_planted_share_of_all_time(share: float) -> None:
    clock = Clock()
    pauses = Pauses(share, clock)
    pauses.begin()
    began, worked = clock.at, 0.0
    for work in (0.02, 0.021, 0.05, 0.0001, 0.02) * 20:
        clock.at += work
        worked += work
        pauses.pause()
    assert 1 - worked / (clock.at - began) == pytest.approx(share, abs=0.0003)


def test_without_work_there_is_hardly_a_pause() -> None:
    clock = Clock()
    pauses = Pauses(0.05, clock)
    pauses.begin()
    pauses.pause()
    assert clock.at < 5.00001


def test_timer_is_set_again_before_each_pause() -> None:
    clock, set_again = Clock(), []

    class Loop:
        def call_later(self, delay_s: float, function: object, *arguments: object) -> None:
            set_again.append((delay_s, function, arguments, clock.at))

    pauses, loop = Pauses(0.5, clock), Loop()
    pauses.begin()
    clock.at += 0.02
    _pause_again(loop, pauses)  # type: ignore[arg-type]
    assert set_again == [(PERIOD_S, _pause_again, (loop, pauses), pytest.approx(5.02, abs=1e-5))]
    assert clock.at == pytest.approx(5.04, abs=1e-5)


@pytest.mark.skipif(
    shutil.which("ab") is None and "CI" not in os.environ, reason="ab is not installed"
)
def test_slowed_lane_is_valid_and_costs_what_was_planted(tmp_path: Path) -> None:
    """Processor time is compared, which other processes change little: twice it is planted."""
    options = ("--slowdown", "50%", "--runs", 1, "--pilot", 2, "--patience", "0s", "--seconds", 0.6)
    rest = ("--slices", 2, "--noisy", "--out", tmp_path / "out")
    planted_run = invoke(planted.main, *options, *rest)
    assert planted_run.exit_code == 0, planted_run.output
    assert re.search(r"^called in \d of 1; held in \d of 1$", planted_run.output, re.MULTILINE)
    summary = summarise(results.load(tmp_path / "out" / "1"))
    assert summary.invalid() == []
    assert summary.twins is not None
    cost = summary.cpu_ratio(*summary.twins[::-1])
    assert cost is not None and 1.3 < cost.estimate < 3
