"""Means, ratios and their intervals."""

import random
from math import exp, inf, log
from statistics import stdev

import pytest

from loadtest import stats
from loadtest.stats import Interval, Sample, Unpaired


def ratio(a: dict[int, float], b: dict[int, float]) -> Interval:
    return stats.geometric_mean(stats.block_ratios(a, b))


def test_mean_has_students_interval() -> None:
    # Student's t for 95 % and 4 degrees of freedom is 2.776 (any table); the deviation is
    # sqrt(2.5), so the half-width is 2.776 * sqrt(2.5 / 5) = 1.963.
    interval = stats.mean(Sample((1, 2, 3, 4, 5)))
    assert interval.estimate == 3
    assert interval.low == pytest.approx(3 - 1.963, abs=0.001)
    assert interval.high == pytest.approx(3 + 1.963, abs=0.001)


def test_wider_confidence_has_a_wider_interval() -> None:
    # 4.604 for 99 % and 4 degrees of freedom.
    assert stats.half_width(Sample((1, 2, 3, 4, 5)), 0.99) == pytest.approx(
        4.604 * 0.5**0.5, abs=0.001
    )


def test_one_value_says_nothing_of_its_spread() -> None:
    assert stats.mean(Sample((7.0,))) == Interval(7.0, -inf, inf)
    assert ratio({1: 3.0}, {1: 1.0}) == Interval(pytest.approx(3.0), 0.0, inf)


def test_ratio_is_exact_where_every_block_agrees() -> None:
    a, b = {1: 200.0, 2: 20.0, 3: 2.0}, {1: 100.0, 2: 10.0, 3: 1.0}
    interval = ratio(a, b)
    for value in (interval.estimate, interval.low, interval.high):
        assert value == pytest.approx(2.0)


def test_ratio_cancels_what_the_machine_did_to_a_whole_block() -> None:
    noise = random.Random(1)
    a, b = {}, {}
    for block in range(10):
        machine = exp(noise.gauss(0, 1))
        a[block], b[block] = 3 * machine * exp(noise.gauss(0, 0.01)), machine
    interval = ratio(a, b)
    assert interval.low > 2.9
    assert interval.high < 3.1


def test_ratio_of_the_inverse_is_the_inverse() -> None:
    a, b = {1: 3.0, 2: 5.0, 3: 4.0}, {1: 2.0, 2: 2.5, 3: 2.1}
    over, under = ratio(a, b), ratio(b, a)
    assert over.estimate == pytest.approx(1 / under.estimate)
    assert over.low == pytest.approx(1 / under.high)


def test_ratio_uses_common_blocks_alone() -> None:
    interval = ratio({1: 2.0, 2: 2.0, 3: 99.0}, {1: 1.0, 2: 1.0, 4: 0.001})
    assert interval.estimate == pytest.approx(2.0)


def test_without_a_common_block_there_is_no_ratio() -> None:
    assert stats.block_ratios({1: 1.0}, {2: 1.0}) == Sample(())


def test_interval_holds_its_ends() -> None:
    interval = Interval(1.0, 0.9, 1.1)
    assert interval.holds(0.9) and interval.holds(1.1)
    assert not interval.holds(0.899) and not interval.holds(1.101)


def test_interval_of_a_ratio_covers_the_truth_as_often_as_it_says() -> None:
    """2,000 simulated experiments of ten blocks with a true ratio of 1.3."""
    noise = random.Random(20181)
    covered = 0
    for _ in range(2000):
        logs = [log(1.3) + noise.gauss(0, 0.05) for _ in range(10)]
        interval = stats.geometric_mean(Sample(tuple(map(exp, logs))))
        covered += interval.holds(1.3)
    assert 0.93 <= covered / 2000 <= 0.97


def noisy(truth: float, spread: float, seed: int, n: int = 10) -> Sample:
    noise = random.Random(seed)
    return Sample(tuple(truth * exp(noise.gauss(0, spread)) for _ in range(n)))


def test_p_value_is_that_of_students_t() -> None:
    # t = 3 / sqrt(2.5 / 5) = 4.243 with 4 degrees of freedom: p = 0.0132 (any table).
    assert stats.p_value(Sample((1, 2, 3, 4, 5))) == pytest.approx(0.0132, abs=0.0001)
    assert stats.p_value(Sample((5.0,))) == 1
    assert stats.p_value(Sample((0.0, 0.0))) == 1
    assert stats.p_value(Sample((2.0, 2.0))) == 0


def test_intervals_that_hold_together_are_wider_the_surest_most_of_all() -> None:
    ratios = {
        "sure": noisy(3, 0.05, 1),
        "likely": noisy(1.2, 0.05, 2),
        "unclear": noisy(1, 0.05, 3),
    }
    together = stats.holm(ratios)
    for key, level in (("sure", 1 - 0.05 / 3), ("likely", 1 - 0.05 / 2), ("unclear", 0.95)):
        assert together[key] == stats.geometric_mean(ratios[key], level)


def test_after_one_that_is_not_shown_none_is_shown() -> None:
    # Each alone would be called at 95 %; the surest of six is not, at 1 - 0.05 / 6.
    ratios = {seed: noisy(1.035, 0.05, seed) for seed in range(60)}
    alone = {s: r for s, r in ratios.items() if not stats.geometric_mean(r).holds(1)}
    weak = {s: r for s, r in alone.items() if stats.p_value(r.log()) > 0.05 / 6}
    six = dict(list(weak.items())[:6])
    assert len(six) == 6
    assert all(interval.holds(1) for interval in stats.holm(six).values())


def test_equals_are_shown_to_differ_as_seldom_as_it_says() -> None:
    """1,000 simulated experiments of seven comparisons, four of them of equals."""
    truths = (1, 1, 1, 1, 1.5, 3, 6)
    false_calls = 0
    for experiment in range(1000):
        ratios = {i: noisy(truth, 0.05, 7 * experiment + i) for i, truth in enumerate(truths)}
        intervals = stats.holm(ratios)
        false_calls += any(not intervals[i].holds(1) for i in range(4))
    assert false_calls / 1000 <= 0.065


def test_seven_intervals_hold_all_their_ratios_nine_times_in_ten() -> None:
    held = 0
    for experiment in range(1000):
        ratios = {truth: noisy(truth, 0.05, 7 * experiment + truth) for truth in range(2, 9)}
        held += all(interval.holds(truth) for truth, interval in stats.holm(ratios).items())
    assert 0.87 <= held / 1000 <= 0.93


def test_spread_of_a_two_stage_sample_is_the_pilots_or_a_larger_one_of_all() -> None:
    # t for 95 % and 2 degrees of freedom is 4.303; the pilot's deviation is 1, of six values.
    steady = Sample((1, 2, 3, 2, 2, 2), pilot=3)
    assert stats.half_width(steady) == pytest.approx(4.303 / 6**0.5, abs=0.001)
    # The deviation of all six is 32.40.
    sample = Sample((1, 2, 3, 50, 60, 70), pilot=3)
    assert stats.half_width(sample) == pytest.approx(4.303 * 32.40 / 6**0.5, abs=0.1)
    assert stats.mean(sample).estimate == 31
    assert stats.sample({9: 4.0, 1: 2.0, 5: 3.0}, pilot=5) == Sample((2.0, 3.0, 4.0), pilot=2)


@pytest.mark.parametrize("pilot", [0, 1])
def test_pilot_of_fewer_than_two_says_nothing_of_the_spread(pilot: int) -> None:
    assert stats.half_width(Sample((1.0, 2.0, 3.0), pilot)) == inf
    assert stats.p_value(Sample((1.0, 2.0, 3.0), pilot)) == 1


def test_as_many_are_needed_as_the_pilots_spread_asks_for() -> None:
    # (2.776 * 1.5811 / 0.5)^2 = 77.06; and never fewer than the pilot has.
    pilot = Sample((1, 2, 3, 4, 5))
    assert stats.needed(pilot, 0.5) == 78
    assert stats.needed(pilot, 100) == 5
    with pytest.raises(ValueError, match="two values"):
        stats.needed(Sample((1.0,)), 0.5)


def test_interval_of_two_stages_covers_the_truth_as_often_as_it_says() -> None:
    """2,000 simulated experiments of a pilot of eight and as many as it asks for."""
    noise = random.Random(1945)
    covered = 0
    for _ in range(2000):
        values = [noise.gauss(0.3, 0.05) for _ in range(8)]
        n = stats.needed(Sample(tuple(values)), 0.03)
        values += [noise.gauss(0.3, 0.05) for _ in range(n - 8)]
        interval = stats.mean(Sample(tuple(values), pilot=8))
        if stdev(values) <= stdev(values[:8]):
            assert interval.high - interval.low <= 0.0600001
        covered += interval.holds(0.3)
    assert 0.93 <= covered / 2000 <= 0.97


def test_unpaired_difference_has_welchs_interval() -> None:
    # Variances 2.5 and 4 of five and three values: the error is sqrt(2.5/5 + 4/3) = 1.3540, the
    # degrees 1.8333^2 / (0.5^2/4 + 1.3333^2/2) = 3.5328; between 3.182 (3 degrees) and 2.776 (4)
    # in any table, Student's t for 95 % is some 2.93.
    unpaired = Unpaired(Sample((1, 2, 3, 4, 5)), Sample((10, 12, 14)))
    assert unpaired.estimate == 9
    assert unpaired.error == pytest.approx(1.3540, abs=0.0001)
    assert unpaired.degrees == pytest.approx(3.5328, abs=0.0001)
    assert stats.half_width(unpaired) / unpaired.error == pytest.approx(2.93, abs=0.02)


def test_unpaired_ratio_is_b_as_a_factor_of_a() -> None:
    a, b = Sample((100.0, 102.0, 98.0)), Sample((50.0, 51.0, 49.0, 50.0))
    over, under = stats.geometric_mean(Unpaired(a, b)), stats.geometric_mean(Unpaired(b, a))
    assert over.estimate == pytest.approx(0.5, abs=0.001)
    assert over.low == pytest.approx(1 / under.high)


def test_unpaired_values_without_a_spread_say_so() -> None:
    several = Sample((1.0, 2.0, 3.0))
    assert stats.half_width(Unpaired(Sample((1.0,)), several)) == inf
    assert stats.p_value(Unpaired(several, Sample((1.0,)))) == 1
    exact = Unpaired(Sample((1.0, 1.0)), Sample((2.0, 2.0)))
    assert stats.half_width(exact) == 0
    assert stats.p_value(exact) == 0


def two_stages(noise: random.Random, spread: float, half_width: float) -> Sample:
    values = [noise.gauss(0, spread) for _ in range(8)]
    n = stats.needed(Sample(tuple(values)), half_width)
    values += [noise.gauss(0, spread) for _ in range(n - 8)]
    return Sample(tuple(values), pilot=8)


@pytest.mark.parametrize(
    ("spread", "n"), [((0.03, 0.03), (10, 10)), ((0.02, 0.06), (8, 20)), ((0.06, 0.02), (7, 14))]
)
def test_interval_of_two_runs_covers_the_truth_as_often_as_it_says(
    spread: tuple[float, float], n: tuple[int, int]
) -> None:
    """2,000 simulated pairs of runs, of unequal spreads and sizes, with a true ratio of 0.9."""
    noise = random.Random(1947)
    covered = 0
    for _ in range(2000):
        a = Sample(tuple(exp(noise.gauss(0, spread[0])) for _ in range(n[0])))
        b = Sample(tuple(0.9 * exp(noise.gauss(0, spread[1])) for _ in range(n[1])))
        covered += stats.geometric_mean(Unpaired(a, b)).holds(0.9)
    assert 0.93 <= covered / 2000 <= 0.97


def test_interval_of_two_runs_of_two_stages_covers_the_truth_as_often_as_it_says() -> None:
    noise = random.Random(1950)
    covered = 0
    for _ in range(2000):
        unpaired = Unpaired(two_stages(noise, 0.05, 0.03), two_stages(noise, 0.05, 0.02))
        covered += stats.mean(unpaired).holds(0)
    assert 0.93 <= covered / 2000 <= 0.97


def test_another_null_takes_the_place_of_one() -> None:
    # Sure to be below 1, and not below 0.95: the surest of two by the one null, not by the other.
    ratios = {"by 4 %": noisy(0.96, 0.005, 1), "by 9 %": noisy(0.91, 0.03, 2)}
    below = stats.holm(ratios, null=0.95)
    assert below["by 9 %"] == stats.geometric_mean(ratios["by 9 %"])
    assert below["by 4 %"] == stats.geometric_mean(ratios["by 4 %"], 1 - 0.05 / 2)
    assert stats.holm(ratios)["by 9 %"] == stats.geometric_mean(ratios["by 9 %"])
