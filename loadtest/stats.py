"""Ratios and their intervals. The trial is the unit of replication; requests are never pooled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from statistics import fmean, stdev
from typing import TypeVar

from scipy.special import stdtr, stdtrit

CONFIDENCE = 0.95
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence interval."""

    estimate: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Return whether the interval holds the value."""
        return self.low <= value <= self.high

    def map(self, function: Callable[[float], float]) -> "Interval":
        """Return the interval under an increasing function."""
        return Interval(function(self.estimate), function(self.low), function(self.high))


def mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the mean with Student's t interval; of one value, the interval is everything."""
    estimate = fmean(values)
    half = half_width(values, confidence)
    return Interval(estimate, estimate - half, estimate + half)


def half_width(values: Sequence[float], confidence: float = CONFIDENCE) -> float:
    """Return half the width of Student's t interval of the mean."""
    n = len(values)
    if n < 2:
        return inf
    t = float(stdtrit(n - 1, (1 + confidence) / 2))
    return t * stdev(values) / sqrt(n)


def geometric_mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Return the geometric mean of positive values: Student's t interval of their logarithms."""
    return mean([log(value) for value in values], confidence).map(_exp)


def block_ratios(a: Mapping[int, float], b: Mapping[int, float]) -> list[float]:
    """Return A/B in each block that both have: what the machine did in a block, it did to both."""
    return [a[block] / b[block] for block in sorted(a.keys() & b.keys())]


def holm(
    ratios: Mapping[Key, Sequence[float]], confidence: float = CONFIDENCE
) -> dict[Key, Interval]:
    """Return each ratio's geometric mean, with intervals that seldom show what is not there.

    At most one run in twenty has an interval without 1 for a true ratio of 1. That all intervals
    hold their true ratios is less sure: 90 % where seven are shown.

    By the step-down method of Holm (Scandinavian Journal of Statistics 6, 1979): of m comparisons
    the surest has an interval of 1 - alpha/m, the next of 1 - alpha/(m - 1), and so on, until one
    holds 1, whose confidence the rest share: none of them is shown then, either.
    """
    intervals = {}
    left = len(ratios)
    for key in sorted(ratios, key=lambda key: p_value([log(value) for value in ratios[key]])):
        intervals[key] = geometric_mean(ratios[key], 1 - (1 - confidence) / left)
        if not intervals[key].holds(1):
            left -= 1
    return intervals


def p_value(values: Sequence[float]) -> float:
    """Return the two-sided p-value of a mean of zero, by Student's t; 1 for one value alone."""
    n = len(values)
    if n < 2:
        return 1.0
    error = stdev(values) / sqrt(n)
    if error == 0:
        return 0.0 if fmean(values) else 1.0
    return 2 * float(stdtr(n - 1, -abs(fmean(values)) / error))


def _exp(value: float) -> float:
    return exp(value) if value < 700 else inf
