"""What a report says first, in words."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from loadtest import run_state, verdict
from loadtest.lanes import lanes, twin
from loadtest.plan import TwoStages
from loadtest.results import Run
from loadtest.summary import Summary, summarise
from tests.runs import a_run
from tests.test_report import THROUGHPUT_RPS, plain, summary, valid


def said(run: Run | Summary) -> list[str]:
    made = run if isinstance(run, Summary) else summarise(run)
    return list(plain(tuple(verdict.headline(made))))


@pytest.fixture
def whole(tmp_path: Path) -> Summary:
    blocks = ((1, 1.0), (2, 2.0))
    return summary(tmp_path, [valid(lane, *block) for block in blocks for lane in THROUGHPUT_RPS])


def test_first_paragraph_says_who_is_faster_and_where_nothing_is_shown(whole: Summary) -> None:
    first, *_ = said(whole)
    assert first.startswith(
        "Under gunicorn, aiohttp answers 4.00 times (4.00 to 4.00) as many requests per second as "
        "Flask's sync worker; per CPU second 4.00 times (4.00 to 4.00). Under gunicorn with four "
        "workers, no difference between aiohttp and Flask was shown: aiohttp answers between 1.00 "
        "and 1.00 times as many requests per second"
    )
    assert "On the development servers, aiohttp answers 4.00 times (4.00 to 4.00)" in first


def test_slower_aiohttp_is_said_as_plainly(tmp_path: Path) -> None:
    trials = [
        valid(lane, block, 1.0, throughput_rps=rate)
        for block in (1, 2)
        for lane, rate in (("aiohttp-dev", 500.0), ("flask-dev", 1000.0))
    ]
    first, *_ = said(summary(tmp_path, trials))
    assert "Flask answers 2.00 times (2.00 to 2.00) as many requests per second as aiohttp" in first
    assert "per CPU second 0.25 times" in first


def test_one_block_says_nothing_of_chance(tmp_path: Path) -> None:
    trials = [valid(lane, 1, 1.0) for lane in THROUGHPUT_RPS]
    first, *_ = said(summary(tmp_path, trials))
    assert "aiohttp answers 4.00 times (from one block, which says nothing of chance)" in first


def test_keep_alives_part_of_the_lead_is_told(tmp_path: Path) -> None:
    first, *_ = said(a_run(tmp_path / "run"))
    assert re.search(
        r"; a factor of 1\.7\d \(1\.\d\d to 1\.\d\d\) of that is keep-alive; per", first
    )
    assert first.count("keep-alive") == 1  # it was measured of one lane


def test_first_paragraph_ends_with_the_noise(tmp_path: Path) -> None:
    first, *_ = said(a_run(tmp_path / "run"))
    noise = first.partition("The noise: ")[2]
    assert noise.startswith("aiohttp-gunicorn measured twice differed by ")
    assert "so nothing smaller than" in noise and noise.endswith("% can be seen.")


def test_run_without_a_twin_says_that_its_noise_is_not_known(whole: Summary) -> None:
    assert said(whole)[0].endswith("The noise is not known: no lane was measured twice (--aa).")


def test_verdict_is_of_the_load_that_decides(tmp_path: Path) -> None:
    first, how, *_ = said(a_run(tmp_path / "run"))
    assert "Under gunicorn, aiohttp answers 2.8" in first  # by ab it is 3.4
    assert how.startswith("Measured by h2load, 20 clients asking for /planets/mars, in 8 blocks")
    assert "adjusted by Holm's method for the 7 planned comparisons" in how


@pytest.mark.parametrize(
    ("needed", "why"), [(99, "patience allowed no more"), (8, "the blocks after the pilot")]
)
def test_precision_that_was_not_reached_has_its_reason(
    tmp_path: Path, needed: int, why: str
) -> None:
    stage = {"half_width": 0.001, "pilot": 8, "needed": needed, "blocks": 8}
    run = a_run(tmp_path / "run", of_plan={"two_stages": TwoStages(0.001)}, second_stage=stage)
    assert f"it was not reached, since {why}" in " ".join(said(run))


def test_one_comparison_needs_no_adjustment(tmp_path: Path) -> None:
    trials = [valid(lane, block, 1.0) for lane in THROUGHPUT_RPS for block in (1, 2)][:4]
    _, how, *_ = said(summary(tmp_path, trials))
    assert how.endswith("In brackets are 95 % intervals.")


def test_loads_that_differ_are_named(tmp_path: Path) -> None:
    *_, last = said(a_run(tmp_path / "run"))
    assert last == (
        "The two loads differ by more than 10 % on flask-gunicorn: the table of the two loads says "
        "why."
    )


def twins(folder: Path, difference: float) -> Summary:
    """Return a run of one lane and its twin, which differs by so much, give or take 1 %."""
    lane = lanes()["flask-dev"]
    trials = []
    for block in range(8):
        trial = valid(lane.name, block, 1.0)
        rate = 1000 * difference * (1.01 if block % 2 else 0.99)
        trials += [trial, replace(trial, lane=f"{lane.name}-twin", throughput_rps=rate)]
    return summary(folder, trials, [lane, twin([lane])])


def test_noise_is_what_a_lane_differs_from_itself(tmp_path: Path) -> None:
    assert said(twins(tmp_path, 1.0)) == [
        "The noise: flask-dev measured twice differed by +0.0 % (-0.9 to +0.9), so nothing smaller "
        "than 0.9 % can be seen."
    ]


def test_lane_that_differs_from_itself_is_a_warning(tmp_path: Path) -> None:
    (sentence,) = said(twins(tmp_path, 0.9))
    assert sentence.startswith("Beware: flask-dev measured twice differed by +11.1 %")
    assert "measure again" in sentence


def test_blocks_that_were_measured_are_counted(tmp_path: Path) -> None:
    made = summary(tmp_path, [valid(lane, 1, 1.0) for lane in THROUGHPUT_RPS])
    assert "Only 1 block: with more" in " ".join(said(made))


def test_two_blocks_are_few(whole: Summary) -> None:
    assert "Only 2 blocks: with more of them (--blocks 10) more can be shown." in said(whole)[-1]


def test_idle_workers_are_told(whole: Summary) -> None:
    assert "In 2 of 2 trials of aiohttp-gunicorn-4 some worker had nothing to do" in said(whole)[-1]


def test_some_invalid_trials_are_counted(tmp_path: Path) -> None:
    trials = [valid(lane, 1, 1.0) for lane in THROUGHPUT_RPS]
    trials.append(valid("flask-dev", 2, 1.0, invalid="killed"))
    assert "1 of 7 trials are invalid and count for nothing." in said(summary(tmp_path, trials))[-1]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("interrupted by SIGINT", "it was interrupted by SIGINT after 56 of 112 trials"),
        ("running", "it was going on or was ended after 56 of 112 trials"),
        ("failed", "it failed after 56 of 112 trials"),
    ],
)
def test_run_that_is_not_whole_says_so(tmp_path: Path, state: str, told: str) -> None:
    run = a_run(tmp_path / "run", state=state)
    half = replace(run, trials=run.trials[: len(run.trials) // 2])
    assert said(half)[1].startswith(f"The run is not whole: {told}. ")


def test_run_that_was_resumed_says_so(tmp_path: Path) -> None:
    resumed = [{"at": "2026-11-30T11:00:00+00:00", "after_trials": 30}]
    _, second, *_ = said(a_run(tmp_path / "run", resumed=resumed))
    assert second.startswith("The run was interrupted after 30 trials and resumed at 2026-11-30")


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        (None, "the run ended before its pilot of 8 blocks did"),
        ({"needed": None, "blocks": 8}, "the pilot of 8 blocks had nothing to compare"),
        ({"needed": 8, "blocks": 8}, "needs 8; it was reached: with 8 the widest is 1."),
        ({"needed": 99, "blocks": 8}, "it was reached: with 8 the widest is 1."),
    ],
)
def test_precision_that_was_asked_for_is_told(
    tmp_path: Path, decision: dict[str, object] | None, told: str
) -> None:
    stage = decision and {"half_width": 0.03, "pilot": 8, **decision}
    stages = {"second_stage": stage} if stage else {}
    run = a_run(tmp_path / "run", of_plan={"two_stages": TwoStages(0.03)}, **stages)
    how = " ".join(said(run))
    assert "Asked for was a half-width of 3 %" in how
    assert told in how


def test_run_of_one_lane_has_nothing_to_compare(tmp_path: Path) -> None:
    made = summary(tmp_path, [valid("flask-dev", 1, 1.0)], [lanes()["flask-dev"]])
    assert said(made) == ["No two lanes of this run can be compared."]


def test_lanes_of_one_framework_are_compared_in_words(tmp_path: Path) -> None:
    names = ("flask-gunicorn", "flask-dev")
    trials = [valid(lane, block, 1.0) for block in (1, 2) for lane in names]
    first, *_ = said(summary(tmp_path, trials, [lanes()[name] for name in names]))
    assert "as many requests per second as Flask" in first


QUIET = {"waited_s": 1.0, "quiet": True, "left": "0.01 cores busy, 0.00 stolen"}


@pytest.mark.parametrize(
    ("quiet", "told", "warned"),
    [
        (None, "no", False),
        (QUIET, "1.0 s; it was quiet", False),
        (QUIET | {"quiet": False}, "1.0 s; it was not: 0.01 cores busy, 0.00 stolen", True),
        (QUIET | {"quiet": None}, "1.0 s; whether it was cannot be seen", False),
        ("edited", "no", False),
    ],
)
def test_machine_that_was_not_quiet_is_told(
    tmp_path: Path, quiet: object, told: str, warned: bool
) -> None:
    run = a_run(tmp_path / "run", blocks=1, environment={"quiet": quiet})
    assert run_state.wait(run) == told
    assert any("was not quiet when the run began" in text for text in said(run)) == warned


def test_what_the_checks_found_is_told(tmp_path: Path) -> None:
    found = [
        {"check": "cores", "level": "note", "found": "2, for 4 workers", "remedy": "x"},
        {"check": "heat", "level": "not known", "found": "cannot be read here", "remedy": None},
    ]
    run = a_run(tmp_path / "run", blocks=1, environment={"findings": found})
    assert run_state.findings(run) == "cores: 2, for 4 workers"
    assert run_state.findings(a_run(tmp_path / "other", blocks=1)) == "nothing"
