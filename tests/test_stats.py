"""Means, ratios and their intervals."""

import random
from math import exp, inf, log

import pytest

from loadtest import stats
from loadtest.stats import Interval


def test_mean_has_students_interval() -> None:
    # Student's t for 95 % and 4 degrees of freedom is 2.776 (any table); the deviation is
    # sqrt(2.5), so the half-width is 2.776 * sqrt(2.5 / 5) = 1.963.
    interval = stats.mean([1, 2, 3, 4, 5])
    assert interval.estimate == 3
    assert interval.low == pytest.approx(3 - 1.963, abs=0.001)
    assert interval.high == pytest.approx(3 + 1.963, abs=0.001)


def test_wider_confidence_has_a_wider_interval() -> None:
    # 4.604 for 99 % and 4 degrees of freedom.
    assert stats.half_width([1, 2, 3, 4, 5], 0.99) == pytest.approx(4.604 * 0.5**0.5, abs=0.001)


def test_one_value_says_nothing_of_its_spread() -> None:
    assert stats.mean([7.0]) == Interval(7.0, -inf, inf)
    assert stats.ratio({1: 3.0}, {1: 1.0}) == Interval(pytest.approx(3.0), 0.0, inf)


def test_ratio_is_exact_where_every_block_agrees() -> None:
    a, b = {1: 200.0, 2: 20.0, 3: 2.0}, {1: 100.0, 2: 10.0, 3: 1.0}
    interval = stats.ratio(a, b)
    assert interval is not None
    for value in (interval.estimate, interval.low, interval.high):
        assert value == pytest.approx(2.0)


def test_ratio_cancels_what_the_machine_did_to_a_whole_block() -> None:
    noise = random.Random(1)
    a, b = {}, {}
    for block in range(10):
        machine = exp(noise.gauss(0, 1))
        a[block], b[block] = 3 * machine * exp(noise.gauss(0, 0.01)), machine
    interval = stats.ratio(a, b)
    assert interval is not None
    assert interval.low > 2.9
    assert interval.high < 3.1


def test_ratio_of_the_inverse_is_the_inverse() -> None:
    a, b = {1: 3.0, 2: 5.0, 3: 4.0}, {1: 2.0, 2: 2.5, 3: 2.1}
    over, under = stats.ratio(a, b), stats.ratio(b, a)
    assert over is not None and under is not None
    assert over.estimate == pytest.approx(1 / under.estimate)
    assert over.low == pytest.approx(1 / under.high)


def test_ratio_uses_common_blocks_alone() -> None:
    interval = stats.ratio({1: 2.0, 2: 2.0, 3: 99.0}, {1: 1.0, 2: 1.0, 4: 0.001})
    assert interval is not None
    assert interval.estimate == pytest.approx(2.0)


def test_ratio_without_a_common_block_is_none() -> None:
    assert stats.ratio({1: 1.0}, {2: 1.0}) is None


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
        interval = stats.geometric_mean([exp(value) for value in logs])
        covered += interval.holds(1.3)
    assert 0.93 <= covered / 2000 <= 0.97
