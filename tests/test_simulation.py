"""The simulated experiments, in smaller numbers than `make calibrate` has."""

from dataclasses import replace
from itertools import islice
from random import Random
from statistics import fmean, stdev

import pytest

from loadtest.plan import schedule
from tests import simulation
from tests.simulation import FAMILY_RULES, NOISES, PAIR, RULES, SPREAD

SEEDS = range(400)
TRUTHS = {cell.lane.name: 1000.0 for cell in PAIR}


@pytest.mark.parametrize("rule", RULES)
def test_intervals_hold_the_truth_as_often_as_they_say(rule: str) -> None:
    # Of 400, 95 % are 380, and three standard errors 13.
    found = simulation.coverage(RULES[rule], simulation.normal, SEEDS)
    assert 0.917 <= found.held <= 0.983


def test_two_stages_end_at_the_precision() -> None:
    found = simulation.coverage(RULES["pilot of 8, 2 %"], simulation.normal, SEEDS)
    assert found.blocks > 8
    assert found.half_width <= 0.021  # not 0.02: the pilot may have been the steadier part


def test_what_the_machine_does_to_a_block_changes_no_interval() -> None:
    steady, drifting = (
        simulation.coverage(RULES["10 blocks"], noise, SEEDS)
        for noise in (simulation.normal, simulation.drift)
    )
    assert drifting.half_width == pytest.approx(steady.half_width, rel=0.1)


@pytest.mark.parametrize("rule", FAMILY_RULES)
@pytest.mark.parametrize("truth", [simulation.equals, simulation.unequal_servers])
def test_equals_are_seldom_shown_to_differ(rule: str, truth: simulation.Truth) -> None:
    # Of 200, 5 % are 10, and three standard errors 9.
    found = simulation.false_calls(FAMILY_RULES[rule], truth, simulation.normal, SEEDS[:200])
    assert found <= 0.1


@pytest.mark.parametrize("rule", RULES)
def test_simulated_run_has_its_trials_in_the_planned_order(rule: str) -> None:
    plan = RULES[rule]
    run = simulation.simulate(plan, TRUTHS, simulation.normal, seed=3)
    blocks = run.description["plan"]["blocks"]
    assert blocks == plan.blocks or plan.two_stages
    assert len(run.trials) == len(PAIR) * blocks
    turns = schedule(replace(plan, seed=3, blocks=blocks))
    assert [(t.position, t.block, t.cell.lane.name) for t in turns] == [
        (t.position, t.block, t.lane) for t in run.trials
    ]


def test_same_seed_makes_the_same_run() -> None:
    runs = [
        simulation.simulate(RULES["8 blocks"], TRUTHS, simulation.normal, seed).trials
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("name", sorted(NOISES.keys() - {"drift between blocks"}))
def test_errors_are_as_large_on_both_lanes_and_those_of_the_truth_are_none(name: str) -> None:
    turns = list(islice(schedule(simulation.fixed(PAIR, 10_000)), 20_000))
    errors = list(NOISES[name](Random(1), iter(turns)))
    lanes: dict[str, list[float]] = {}
    for turn, error in zip(turns, errors, strict=True):
        lanes.setdefault(turn.cell.lane.name, []).append(error)
    a, b = lanes.values()
    assert fmean(a) - fmean(b) == pytest.approx(0, abs=0.003)
    assert SPREAD * 0.9 < stdev(a) < 4 * SPREAD


def test_tables_have_a_row_for_each_rule_and_noise(capsys: pytest.CaptureFixture[str]) -> None:
    simulation.show(3, seed=1)
    printed = capsys.readouterr().out
    for rule in RULES:
        for noise in NOISES:
            assert f"{rule:<18} {noise:<26} " in printed
    assert all(rule in printed.partition("Holm")[2] for rule in FAMILY_RULES)


def test_coverage_beyond_its_bounds_is_told_and_fails_under_normal_noise_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rare = simulation.Coverage(0.9, 0.02, 8)
    monkeypatch.setattr(simulation, "FAMILY_RULES", {})
    monkeypatch.setattr(simulation, "coverage", lambda plan, noise, seeds: rare)
    assert not simulation.show(10, seed=1)
    assert capsys.readouterr().out.count("outside 93% to 97%") == len(RULES) * len(NOISES)
    monkeypatch.setattr(simulation, "NOISES", {"drift": simulation.drift})
    assert simulation.show(10, seed=1)
